//! The commands: which there are, how they are checked, what they do.

mod config;
mod describe;
mod error;
mod execute;
mod info;

use pfs::digest::Commands;
use pfs::prelude::*;

pub(crate) use execute::{Session, answer};

/// Every command of the server; each is a statement class of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Statement)]
#[expect(clippy::enum_variant_names, reason = "the protocol has a command of this name")]
#[statement(component = "kv")]
pub(crate) enum Command {
    Ping,
    Echo,
    Get,
    Set,
    Del,
    Exists,
    Incr,
    Mset,
    Mget,
    Lpush,
    Lpop,
    Rpush,
    Rpop,
    Lrange,
    Select,
    Dbsize,
    Flushall,
    Info,
    Config,
    Command,
    Quit,
    Pfs,
    /// Whatever has none of these names.
    Unknown,
}

/// What the server's statements are written in: `SET ?, ...` is one digest, whatever is set; `CONFIG GET` has two words.
pub(crate) static LANGUAGE: Commands = Commands::new(&["COMMAND", "CONFIG", "PFS"]);

/// What is fixed about a command.
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) command: Command,
    pub(crate) name: &'static str,
    /// Fewest and most words, its own name counted.
    pub(crate) least: usize,
    pub(crate) most: Option<usize>,
    pub(crate) flags: &'static [&'static str],
    /// Which words are keys: first, last (from the end if negative), step. Zeros if there are none.
    pub(crate) keys: (i64, i64, i64),
    pub(crate) summary: &'static str,
}

const fn spec(
    command: Command,
    name: &'static str,
    (least, most): (usize, Option<usize>),
    flags: &'static [&'static str],
    keys: (i64, i64, i64),
    summary: &'static str,
) -> Spec {
    Spec { command, name, least, most, flags, keys, summary }
}

const NO_KEYS: (i64, i64, i64) = (0, 0, 0);
const ONE_KEY: (i64, i64, i64) = (1, 1, 1);
const ALL_KEYS: (i64, i64, i64) = (1, -1, 1);

/// The commands that have a name.
pub(crate) static SPECS: [Spec; 22] = [
    spec(Command::Ping, "ping", (1, Some(2)), &["fast"], NO_KEYS, "Answers PONG, or what it was given"),
    spec(Command::Echo, "echo", (2, Some(2)), &["fast"], NO_KEYS, "Answers what it was given"),
    spec(Command::Get, "get", (2, Some(2)), &["readonly", "fast"], ONE_KEY, "The string at a key"),
    spec(
        Command::Set,
        "set",
        (3, None),
        &["write"],
        ONE_KEY,
        "Puts a string at a key, with EX seconds to live",
    ),
    spec(Command::Del, "del", (2, None), &["write"], ALL_KEYS, "Removes keys"),
    spec(
        Command::Exists,
        "exists",
        (2, None),
        &["readonly", "fast"],
        ALL_KEYS,
        "How many of the keys are there",
    ),
    spec(Command::Incr, "incr", (2, Some(2)), &["write", "fast"], ONE_KEY, "Adds 1 to the number at a key"),
    spec(Command::Mset, "mset", (3, None), &["write"], (1, -1, 2), "Puts strings at keys, all at one moment"),
    spec(
        Command::Mget,
        "mget",
        (2, None),
        &["readonly", "fast"],
        ALL_KEYS,
        "The strings at keys, all at one moment",
    ),
    spec(
        Command::Lpush,
        "lpush",
        (3, None),
        &["write", "fast"],
        ONE_KEY,
        "Puts values at the front of a list",
    ),
    spec(
        Command::Lpop,
        "lpop",
        (2, Some(3)),
        &["write", "fast"],
        ONE_KEY,
        "Takes values off the front of a list",
    ),
    spec(
        Command::Rpush,
        "rpush",
        (3, None),
        &["write", "fast"],
        ONE_KEY,
        "Puts values at the back of a list",
    ),
    spec(
        Command::Rpop,
        "rpop",
        (2, Some(3)),
        &["write", "fast"],
        ONE_KEY,
        "Takes values off the back of a list",
    ),
    spec(
        Command::Lrange,
        "lrange",
        (4, Some(4)),
        &["readonly"],
        ONE_KEY,
        "The values of a list from one place to another",
    ),
    spec(
        Command::Select,
        "select",
        (2, Some(2)),
        &["fast"],
        NO_KEYS,
        "Chooses the database, of 16, that the connection works in",
    ),
    spec(
        Command::Dbsize,
        "dbsize",
        (1, Some(1)),
        &["readonly", "fast"],
        NO_KEYS,
        "How many keys the selected database has",
    ),
    spec(
        Command::Flushall,
        "flushall",
        (1, None),
        &["write"],
        NO_KEYS,
        "Removes every key of every database",
    ),
    spec(Command::Info, "info", (1, None), &[], NO_KEYS, "What the server says of itself"),
    spec(Command::Config, "config", (2, None), &["admin"], NO_KEYS, "CONFIG GET shows settings"),
    spec(Command::Command, "command", (1, None), &[], NO_KEYS, "What commands there are"),
    spec(Command::Quit, "quit", (1, None), &["fast"], NO_KEYS, "Closes the connection"),
    spec(
        Command::Pfs,
        "pfs",
        (1, Some(2)),
        &["admin"],
        NO_KEYS,
        "The names of the performance schema's tables, or the rows of one as JSON",
    ),
];

impl Spec {
    pub(crate) fn named(name: &[u8]) -> Option<&'static Spec> {
        SPECS.iter().find(|spec| spec.name.as_bytes().eq_ignore_ascii_case(name))
    }

    /// The number of words as clients of the protocol know it: negative where it is only the least.
    pub(crate) fn arity(&self) -> i64 {
        let least = i64::try_from(self.least).unwrap_or(i64::MAX);
        if self.most == Some(self.least) { least } else { -least }
    }
}
