//! The same on a runtime as servers have it: a listener that spawns sessions, which spawn tasks, on several workers.

#![cfg(feature = "engine")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pfs::prelude::*;
use pfs::session::Session;
use pfs::sync::Mutex;
use tokio::sync::{Barrier, mpsc};
use tokio::task::{JoinSet, yield_now};

#[instrument_mutex("tokio/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);

#[derive(Debug, Statement)]
#[statement(component = "tokio")]
enum Command {
    Get(u64),
    Set(u64),
    Spawn,
    Quit,
}

#[stage("tokio/executing")]
async fn execute(command: &Command, spawned: &mut JoinSet<u64>) -> Result<u64, String> {
    match command {
        Command::Get(n) => {
            yield_now().await;
            if n % 5 == 0 { Err("no such key".to_owned()) } else { Ok(*LOCK.lock().unwrap()) }
        }
        Command::Set(n) => {
            *LOCK.lock().unwrap() += n;
            yield_now().await;
            Ok(*n)
        }
        Command::Spawn => {
            spawned.spawn(background(7).in_task(pfs::thread_class!("tokio/background")));
            Ok(1)
        }
        Command::Quit => Ok(0),
    }
}

#[statement("tokio/background")]
async fn background(n: u64) -> u64 {
    for _ in 0..n {
        *LOCK.lock().unwrap() += 1;
        yield_now().await;
    }
    n
}

/// Serves a connection; gives the waits that its session was counted.
async fn serve(mut commands: mpsc::Receiver<Command>, done: Arc<Barrier>, failed: Arc<AtomicU64>) -> u64 {
    let pfs = pfs::current().unwrap();
    let mut spawned = JoinSet::new();
    while let Some(command) = commands.recv().await {
        let executed = async {
            let result = execute(&command, &mut spawned).await;
            if let Err(error) = &result {
                failed.fetch_add(1, Relaxed);
                pfs::statement::current().error(&Shown(error));
            }
        };
        executed.in_statement(&command).await;
        if matches!(command, Command::Quit) {
            break;
        }
    }
    while let Some(n) = spawned.join_next().await {
        assert_eq!(n.unwrap(), 7);
    }
    done.wait().await;
    let id = pfs::session::current().thread_id().unwrap();
    let rows = pfs.events_waits_summary_by_thread_by_event_name();
    rows.filter(|row| row.thread_id == id && row.event_name.ends_with("tokio/LOCK"))
        .map(|row| row.count_star)
        .sum()
}

struct Shown<'a>(&'a str);

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl ErrorCode for Shown<'_> {}

const SESSIONS: usize = 20;
const ROUNDS: u64 = 50;

#[test]
fn a_server_on_several_workers_counts_exactly() {
    let pfs = pfs::Config::new().max_connections(200).start().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).build().unwrap();
    let failed = Arc::new(AtomicU64::new(0));
    let done = Arc::new(Barrier::new(SESSIONS));
    let waits = runtime.block_on(async {
        let mut sessions = JoinSet::new();
        for _ in 0..SESSIONS {
            let (client, commands) = mpsc::channel(4);
            let session = Session::of(pfs::thread_class!("tokio/session"));
            sessions.spawn(serve(commands, Arc::clone(&done), Arc::clone(&failed)).in_session(session));
            tokio::spawn(async move {
                for n in 1..=ROUNDS {
                    client.send(Command::Set(n)).await.unwrap();
                    client.send(Command::Get(n)).await.unwrap();
                    if n % 10 == 0 {
                        client.send(Command::Spawn).await.unwrap();
                    }
                }
                client.send(Command::Quit).await.unwrap();
            });
        }
        sessions.join_all().await
    });
    let locked = ROUNDS + ROUNDS / 5 * 4;
    assert_eq!(waits, [locked; SESSIONS]);
    drop(runtime);

    let sessions = SESSIONS as u64;
    let statements: Vec<_> = pfs
        .events_statements_summary_global_by_event_name()
        .map(|row| (row.event_name, row.count_star, row.sum_errors))
        .collect();
    let spawned = sessions * ROUNDS / 10;
    assert_eq!(
        statements,
        [
            ("statement/tokio/background", spawned, 0),
            ("statement/tokio/get", sessions * ROUNDS, sessions * ROUNDS / 5),
            ("statement/tokio/quit", sessions, 0),
            ("statement/tokio/set", sessions * ROUNDS, 0),
            ("statement/tokio/spawn", spawned, 0),
        ]
    );
    assert_eq!(failed.load(Relaxed), sessions * ROUNDS / 5);
    let stage = pfs.events_stages_summary_global_by_event_name().next().unwrap();
    assert_eq!(stage.count_star, sessions * ROUNDS * 2 + spawned + sessions);
    let mut waits = pfs.events_waits_summary_global_by_event_name();
    let lock = waits.find(|row| row.event_name.ends_with("tokio/LOCK")).unwrap();
    assert_eq!(lock.count_star, sessions * locked + spawned * 7);
    // Neither a session nor a task is left, and none found no room.
    let names: Vec<_> = pfs.threads().map(|row| row.name).filter(|name| !name.ends_with("unnamed")).collect();
    assert_eq!(names, ["thread/pfs/main"]);
    let mut status = pfs.global_status();
    let lost = status.find(|row| row.variable_name == "Performance_schema_thread_instances_lost").unwrap();
    assert_eq!(lost.variable_value.as_deref(), Some("0"));
}
