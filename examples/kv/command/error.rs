//! Why a command was refused, in the words that clients of the protocol look for.

use pfs::ErrorCode;

use crate::store::StoreError;

/// Longest part of a client's own words that an error gives back to it.
const QUOTED: usize = 128;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CommandError {
    #[error("ERR unknown command '{name}'")]
    UnknownCommand { name: String },
    #[error("ERR unknown subcommand '{found}' of '{command}', which has {allowed}")]
    UnknownSubcommand { command: &'static str, found: String, allowed: &'static str },
    #[error("ERR wrong number of arguments for '{command}' command")]
    Arity { command: &'static str },
    #[error("ERR syntax error: '{found}' in '{command}' command, which takes {allowed}")]
    Syntax { command: &'static str, found: String, allowed: &'static str },
    #[error("ERR invalid expire time in '{command}' command")]
    ExpireTime { command: &'static str },
    #[error("ERR value is out of range, must be positive")]
    Count,
    #[error("ERR value is out of range, value must between {least} and {most}")]
    Range { least: i32, most: i32 },
    #[error("ERR DB index is out of range")]
    Database,
    #[error("ERR unknown table '{found}'; tables are: {allowed}")]
    UnknownTable { found: String, allowed: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a client sent, fit to be shown in an error.
pub(crate) fn quoted(word: &[u8]) -> String {
    String::from_utf8_lossy(&word[..word.len().min(QUOTED)]).into_owned()
}

impl ErrorCode for CommandError {
    fn errno(&self) -> i32 {
        match self {
            CommandError::UnknownCommand { .. } => 1,
            CommandError::UnknownSubcommand { .. } => 2,
            CommandError::Arity { .. } => 3,
            CommandError::Syntax { .. } => 4,
            CommandError::ExpireTime { .. } => 5,
            CommandError::Count => 6,
            CommandError::UnknownTable { .. } => 7,
            CommandError::Store(StoreError::WrongType) => 8,
            CommandError::Store(StoreError::NotAnInteger) => 9,
            CommandError::Store(StoreError::Overflow) => 10,
            CommandError::Store(StoreError::Log(_)) => 11,
            CommandError::Range { .. } => 12,
            CommandError::Database => 13,
        }
    }

    fn sqlstate(&self) -> &str {
        match self {
            // The classes of the standard: syntax or access rule, data, system.
            CommandError::UnknownCommand { .. }
            | CommandError::UnknownSubcommand { .. }
            | CommandError::Arity { .. }
            | CommandError::Syntax { .. } => "42000",
            CommandError::UnknownTable { .. } => "42S02",
            // Of a catalogue's name, which a database is to the schema.
            CommandError::Database => "3D000",
            CommandError::ExpireTime { .. }
            | CommandError::Count
            | CommandError::Range { .. }
            | CommandError::Store(StoreError::WrongType | StoreError::NotAnInteger | StoreError::Overflow) => {
                "22000"
            }
            CommandError::Store(StoreError::Log(_)) => "58030",
        }
    }
}
