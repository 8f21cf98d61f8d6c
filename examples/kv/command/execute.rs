//! Running one request: the statement around it, the checks before it, and what each command does.

use std::io::Write;

use pfs::prelude::*;
use pfs::statement::StatementGuard;

use super::error::{CommandError, quoted};
use super::{Command, Spec, config, describe, info};
use crate::resp::{Args, Reply};
use crate::server::Shared;
use crate::store::{self, Store, StoreError, Written, integer};
use crate::tables;

/// Longest text of a statement that is put together; the schema's own limit is the engine's business.
const TEXT: usize = 1024;

/// What a connection remembers from one request to the next.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// QUIT was answered.
    pub(crate) quit: bool,
    text: Vec<u8>,
}

/// Runs a request and appends its reply to `out`. The statement has ended when this returns, and the reply is not
/// on its way before: whoever has it finds the statement counted.
pub(crate) fn answer(server: &Shared, session: &mut Session, args: Args<'_>, out: &mut Vec<u8>) {
    let spec = args.get(0).and_then(Spec::named);
    let mut statement = spec.map_or(Command::Unknown, |spec| spec.command).begin();
    if statement.wants_text() {
        write_text(args, &mut session.text);
        statement.text(&session.text);
    }
    let done = check(spec, args).and_then(|spec| execute(server, session, &mut statement, spec, args));
    let reply = done.unwrap_or_else(|error| {
        statement.error(&error);
        Reply::Error(error.to_string())
    });
    statement.rows_sent(reply.values());
    encode(&reply, out);
}

/// The request as one would type it.
fn write_text(args: Args<'_>, text: &mut Vec<u8>) {
    text.clear();
    for (number, word) in args.iter().enumerate() {
        if text.len() >= TEXT {
            return;
        }
        if number > 0 {
            text.push(b' ');
        }
        let word = &word[..word.len().min(TEXT)];
        if word.is_empty()
            || word.iter().any(|byte| matches!(byte, b' ' | b'"' | b'\'' | b'\\') || !byte.is_ascii_graphic())
        {
            // Writing into a vector cannot fail.
            let _ = write!(text, "\"{}\"", word.escape_ascii());
        } else {
            text.extend_from_slice(word);
        }
    }
}

/// What is wrong with a request can be seen from its words alone.
#[stage("kv/checking")]
fn check(spec: Option<&'static Spec>, args: Args<'_>) -> Result<&'static Spec, CommandError> {
    let Some(spec) = spec else {
        return Err(CommandError::UnknownCommand { name: quoted(args.get(0).unwrap_or_default()) });
    };
    if args.len() < spec.least || spec.most.is_some_and(|most| args.len() > most) {
        return Err(CommandError::Arity { command: spec.name });
    }
    // MSET takes its words by twos.
    if spec.command == Command::Mset && args.len().is_multiple_of(2) {
        return Err(CommandError::Arity { command: spec.name });
    }
    Ok(spec)
}

#[stage("kv/encoding")]
fn encode(reply: &Reply, out: &mut Vec<u8>) {
    reply.encode(out);
}

fn execute(
    server: &Shared,
    session: &mut Session,
    statement: &mut StatementGuard,
    spec: &'static Spec,
    args: Args<'_>,
) -> Result<Reply, CommandError> {
    let store = server.store();
    let mut changes = Changes { store, statement };
    // The number of words has been checked.
    let word = |number| args.get(number).unwrap_or_default();
    Ok(match spec.command {
        Command::Ping if args.len() == 1 => Reply::Simple("PONG"),
        Command::Ping | Command::Echo => Reply::Bulk(word(1).into()),
        Command::Get => Reply::optional(store.get(word(1))?),
        Command::Set => set(&mut changes, args)?,
        Command::Del => Reply::count(changes.commit(store.delete(args.tail(1))?)?),
        Command::Incr => Reply::Integer(changes.commit(store.increment(word(1))?)?),
        Command::Mset => {
            changes.commit(store.mset(args.tail(1))?)?;
            Reply::OK
        }
        Command::Mget => Reply::Array(store.mget(args.tail(1)).into_iter().map(Reply::optional).collect()),
        Command::Lpush => Reply::count(changes.commit(store.push(word(1), args.tail(2))?)?),
        Command::Lpop => lpop(&mut changes, args)?,
        Command::Dbsize => Reply::count(store.len()),
        Command::Info => info::info(server, args.tail(1)).into(),
        Command::Config => config::config(server, args)?,
        Command::Command => describe::command(args)?,
        Command::Quit => {
            session.quit = true;
            Reply::OK
        }
        Command::Pfs if args.len() == 1 => {
            Reply::Array(tables::names(server.pfs()).map(Reply::from).collect())
        }
        Command::Pfs => table(server, word(1))?,
        Command::Unknown => return Err(CommandError::UnknownCommand { name: quoted(word(0)) }),
    })
}

/// The store, and the statement that is told what changes there.
struct Changes<'a> {
    store: &'a Store,
    statement: &'a mut StatementGuard,
}

impl Changes<'_> {
    /// Waits until a change is safe; only then may its result be told.
    fn commit<T>(&mut self, written: Written<T>) -> Result<T, StoreError> {
        self.statement.rows_affected(written.changed as u64);
        self.store.commit(written)
    }
}

/// `SET key value [EX seconds | PX milliseconds]`
fn set(changes: &mut Changes<'_>, args: Args<'_>) -> Result<Reply, CommandError> {
    let (key, value) = (args.get(1).unwrap_or_default(), args.get(2).unwrap_or_default());
    let syntax = |found| CommandError::Syntax {
        command: "set",
        found: quoted(found),
        allowed: "EX seconds or PX milliseconds",
    };
    let expire_at = match args.tail(3).iter().collect::<Vec<_>>()[..] {
        [] => None,
        [option, time] if option.eq_ignore_ascii_case(b"EX") => Some(deadline(time, 1000)?),
        [option, time] if option.eq_ignore_ascii_case(b"PX") => Some(deadline(time, 1)?),
        [option, _, extra, ..]
            if option.eq_ignore_ascii_case(b"EX") || option.eq_ignore_ascii_case(b"PX") =>
        {
            return Err(syntax(extra));
        }
        [option, ..] => return Err(syntax(option)),
    };
    changes.commit(changes.store.set(key, value, expire_at)?)?;
    Ok(Reply::OK)
}

/// The moment that is `time` units of `millis` from now.
fn deadline(time: &[u8], millis: u64) -> Result<u64, CommandError> {
    let time = integer(time).ok_or(StoreError::NotAnInteger)?;
    u64::try_from(time)
        .ok()
        .filter(|&time| time > 0)
        .and_then(|time| time.checked_mul(millis)?.checked_add(store::now()))
        .ok_or(CommandError::ExpireTime { command: "set" })
}

/// `LPOP key [count]`: one value without a count, an array with one.
fn lpop(changes: &mut Changes<'_>, args: Args<'_>) -> Result<Reply, CommandError> {
    let key = args.get(1).unwrap_or_default();
    let Some(count) = args.get(2) else {
        let popped = changes.commit(changes.store.pop(key, 1)?)?;
        return Ok(Reply::optional(popped.and_then(|values| values.into_iter().next())));
    };
    let count = integer(count).and_then(|count| usize::try_from(count).ok()).ok_or(CommandError::Count)?;
    let popped = changes.commit(changes.store.pop(key, count)?)?;
    Ok(popped.map_or(Reply::NullArray, |values| Reply::Array(values.into_iter().map(Reply::Bulk).collect())))
}

/// `PFS table`; without a table, `PFS` names them all.
#[stage("kv/rendering")]
fn table(server: &Shared, name: &[u8]) -> Result<Reply, CommandError> {
    let pfs = server.pfs();
    std::str::from_utf8(name).ok().and_then(|name| tables::json(pfs, name)).map(Reply::from).ok_or_else(
        || {
            let allowed = tables::names(pfs).collect::<Vec<_>>().join(", ");
            CommandError::UnknownTable { found: quoted(name), allowed }
        },
    )
}
