//! Running one request: the statement around it, the checks before it, and what each command does.

use std::io::Write;

use pfs::prelude::*;
use pfs::statement::StatementGuard;

use super::error::{CommandError, quoted};
use super::{Command, Spec, config, describe, info};
use crate::database::Database;
use crate::log::End;
use crate::resp::{Args, Reply};
use crate::server::Shared;
use crate::store::{self, Selected, StoreError, Written, integer};
use crate::tables;

/// Longest text of a statement that is put together; the schema's own limit is the engine's business.
const TEXT: usize = 1024;

/// What a connection remembers from one request to the next.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// QUIT was answered.
    pub(crate) quit: bool,
    /// What SELECT chose.
    database: Database,
    text: Vec<u8>,
}

/// Runs a request and appends its reply to `out`. The statement has ended when this returns, and the reply is not
/// on its way before: whoever has it finds the statement counted.
pub(crate) fn answer(server: &Shared, session: &mut Session, args: Args<'_>, out: &mut Vec<u8>) {
    let spec = args.get(0).and_then(Spec::named);
    let mut statement = spec.map_or(Command::Unknown, |spec| spec.command).begin();
    statement.schema(session.database.name());
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
    let data = server.store().database(session.database);
    let mut changes = Changes { server, statement };
    // The number of words has been checked.
    let word = |number| args.get(number).unwrap_or_default();
    Ok(match spec.command {
        Command::Ping if args.len() == 1 => Reply::Simple("PONG"),
        Command::Ping | Command::Echo => Reply::Bulk(word(1).into()),
        Command::Get => Reply::optional(data.get(word(1))?),
        Command::Set => set(&mut changes, data, args)?,
        Command::Del => Reply::count(changes.commit(data.delete(args.tail(1))?)?),
        Command::Exists => Reply::count(data.exists(args.tail(1))),
        Command::Incr => Reply::Integer(changes.commit(data.increment(word(1))?)?),
        Command::Mset => {
            changes.commit(data.mset(args.tail(1))?)?;
            Reply::OK
        }
        Command::Mget => Reply::Array(data.mget(args.tail(1)).into_iter().map(Reply::optional).collect()),
        Command::Lpush => push(&mut changes, data, End::Front, args)?,
        Command::Lpop => pop(&mut changes, data, End::Front, args)?,
        Command::Rpush => push(&mut changes, data, End::Back, args)?,
        Command::Rpop => pop(&mut changes, data, End::Back, args)?,
        Command::Lrange => range(data, args)?,
        Command::Select => {
            session.database = select(word(1))?;
            Reply::OK
        }
        Command::Dbsize => Reply::count(data.len()),
        Command::Flushall => flush(&mut changes, args)?,
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

/// The server, and the statement that is told what changes there.
struct Changes<'a> {
    server: &'a Shared,
    statement: &'a mut StatementGuard,
}

impl Changes<'_> {
    /// Waits until a change is safe; only then may its result be told.
    fn commit<T>(&mut self, written: Written<T>) -> Result<T, StoreError> {
        self.statement.rows_affected(written.changed as u64);
        self.server.store().commit(written)
    }
}

/// `SET key value [EX seconds | PX milliseconds]`
fn set(changes: &mut Changes<'_>, data: Selected<'_>, args: Args<'_>) -> Result<Reply, CommandError> {
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
    changes.commit(data.set(key, value, expire_at)?)?;
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

/// `LPUSH key value [value …]`, `RPUSH …`
fn push(
    changes: &mut Changes<'_>,
    data: Selected<'_>,
    end: End,
    args: Args<'_>,
) -> Result<Reply, CommandError> {
    let key = args.get(1).unwrap_or_default();
    Ok(Reply::count(changes.commit(data.push(end, key, args.tail(2))?)?))
}

/// `LPOP key [count]`, `RPOP …`: one value without a count, an array with one.
fn pop(
    changes: &mut Changes<'_>,
    data: Selected<'_>,
    end: End,
    args: Args<'_>,
) -> Result<Reply, CommandError> {
    let key = args.get(1).unwrap_or_default();
    let Some(count) = args.get(2) else {
        let popped = changes.commit(data.pop(end, key, 1)?)?;
        return Ok(Reply::optional(popped.and_then(|values| values.into_iter().next())));
    };
    let count = integer(count).and_then(|count| usize::try_from(count).ok()).ok_or(CommandError::Count)?;
    Ok(changes.commit(data.pop(end, key, count)?)?.map_or(Reply::NullArray, Reply::bulks))
}

/// `LRANGE key start stop`
fn range(data: Selected<'_>, args: Args<'_>) -> Result<Reply, CommandError> {
    let place = |word| integer(args.get(word).unwrap_or_default()).ok_or(StoreError::NotAnInteger);
    let (start, stop) = (place(2)?, place(3)?);
    Ok(Reply::bulks(data.range(args.get(1).unwrap_or_default(), start, stop)?))
}

/// `SELECT index`
fn select(index: &[u8]) -> Result<Database, CommandError> {
    let index = integer(index).ok_or(StoreError::NotAnInteger)?;
    // Clients know these two apart.
    let index = i32::try_from(index).map_err(|_| CommandError::Range { least: i32::MIN, most: i32::MAX })?;
    Database::numbered(index).ok_or(CommandError::Database)
}

/// `FLUSHALL [ASYNC | SYNC]`: either way, memory is given back while nobody waits for it.
fn flush(changes: &mut Changes<'_>, args: Args<'_>) -> Result<Reply, CommandError> {
    let known = |word: &[u8]| [&b"ASYNC"[..], b"SYNC"].iter().any(|known| word.eq_ignore_ascii_case(known));
    // The word that has no place: the first, if it is another one, or else the second.
    if let Some(found) = args.tail(1).iter().enumerate().find(|&(place, word)| place > 0 || !known(word)) {
        return Err(CommandError::Syntax {
            command: "flushall",
            found: quoted(found.1),
            allowed: "ASYNC or SYNC",
        });
    }
    changes.commit(changes.server.store().flush()?)?;
    Ok(Reply::OK)
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
