//! Futures made statements, stages, sessions and tasks without an attribute; and what is said of what runs now.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::session::Session;
use pfs::stage::StageClass;
use pfs::statement::StatementClass;
use pfs::task::{InSession, InStage, InStatement, InTask};
use std::fmt;
use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll};
use support::{block_on, pause, poll};

#[path = "support/mod.rs"]
mod support;

static PACKET: StatementClass = pfs::statement_class!("abstract/new_packet");
static GET: StatementClass = statement_class!(name = "ui/get");
static COPYING: StageClass = stage_class!("ui/copying");

#[derive(Statement)]
#[statement(component = "ui")]
enum Command {
    Get(String),
    Ping,
}

async fn execute(command: Command) -> usize {
    let mut statement = pfs::statement::current();
    assert_eq!(statement.wants_text(), pfs::COMPILED_IN);
    statement.text("as it is read");
    statement.schema("ui");
    pause().await;
    // A handle is of the event that it was got for, also after a pause.
    pfs::statement::current().rows_sent(1);
    match command {
        Command::Get(key) => copy(key.len()).in_stage(COPYING).await,
        Command::Ping => 0,
    }
}

async fn copy(blocks: usize) -> usize {
    for block in 0..blocks {
        pause().await;
        pfs::stage::current().progress(block as u64, blocks as u64);
    }
    pfs::stage::current().advance(1);
    pfs::statement::current().rows_examined(blocks as u64);
    blocks
}

/// A hand-written future around one of ours, which is `Unpin` because what it holds is.
struct Both(InStage<Ready<u8>>, InStatement<Ready<u8>>);

impl Future for Both {
    type Output = u8;
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u8> {
        let Poll::Ready(one) = Pin::new(&mut self.0).poll(cx) else { return Poll::Pending };
        Pin::new(&mut self.1).poll(cx).map(|other| one + other)
    }
}

struct NotReturned;

impl fmt::Display for NotReturned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an error that is not returned")
    }
}

impl ErrorCode for NotReturned {}

#[statement("ui/said")]
fn said(deep: u32) -> Result<u32, String> {
    if deep > 0 {
        return said(deep - 1);
    }
    let mut statement = pfs::statement::current();
    statement.rows_affected(3);
    statement.warnings(1);
    statement.error(&NotReturned);
    Ok(deep)
}

fn main() {
    support::start();
    // With nothing running it is inert.
    let mut nothing = pfs::statement::current();
    nothing.text("nowhere");
    nothing.rows_sent(1);
    nothing.refine(&GET);
    assert!(!nothing.wants_text());
    pfs::stage::current().progress(1, 2);
    assert_eq!(pfs::session::current().thread_id(), None);

    for command in [Command::Get("key".to_owned()), Command::Ping] {
        let class = StatementClass::new(command.class());
        block_on(execute(command).in_statement(&class));
    }
    assert_eq!(support::last_text("statement/ui/get").as_deref(), Some("as it is read"));
    assert_eq!(support::count("stage/ui/copying"), 1);

    let both = Both(ready(1).in_stage(COPYING), ready(2).in_statement(&GET));
    assert_eq!(block_on(both), 3);
    assert_eq!((support::count("statement/ui/get"), support::count("stage/ui/copying")), (2, 2));

    // What a statement turns out to be: it is counted to that class alone.
    let mut statement = PACKET.begin();
    statement.refine(&Command::Ping);
    drop(statement);
    block_on(
        async {
            pfs::statement::current().refine(&Command::Ping);
            pause().await;
            pfs::statement::current().rows_sent(2);
        }
        .in_statement(&PACKET),
    );
    assert_eq!((support::count("statement/abstract/new_packet"), support::count("statement/ui/ping")), (0, 3));

    assert_eq!(said(2), Ok(0));
    assert_eq!((support::count("statement/ui/said"), support::errors("statement/ui/said")), (3, 1));
    assert_eq!(support::last_error("statement/ui/said").unwrap().2, "an error that is not returned");

    // A session that is lent goes on, one that is given away ends with the future.
    let mut session = Session::of(thread_class!("ui/session"));
    let id = session.thread_id();
    let serve = || async {
        pause().await;
        pfs::session::current().thread_id()
    };
    let served: InSession<_, &mut Session> = serve().in_session(&mut session);
    assert_eq!((block_on(served), pfs::session::current().thread_id()), (id, None));
    assert_eq!(support::contexts(), 2);
    assert_eq!(block_on(serve().in_session(session)), id);
    assert_eq!(support::contexts(), 1);

    // A task has a row from its first poll to its end.
    let mut task: Pin<Box<InTask<_>>> = Box::pin(serve().in_task(thread_class!("ui/task")));
    assert_eq!(support::contexts(), 1);
    assert!(poll(task.as_mut()).is_pending());
    assert_eq!(support::contexts(), 2);
    assert_eq!(poll(task.as_mut()), Poll::Ready(None));
    assert_eq!(support::contexts(), 1);
}
