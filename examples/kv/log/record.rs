//! The records of the log: length, checksum, then operations one after the other.
//!
//! All numbers are little-endian. `u32` length of what follows the checksum, `u32` CRC-32 of it, then for each
//! operation a tag byte, its numbers, and its byte strings, each with a `u32` length in front. A record is about one
//! database, the first one unless it begins with `SELECT` and the number of another.

use crate::database::Database;

/// Bytes before the operations of a record.
pub(super) const HEADER: usize = 8;

const SET: u8 = 1;
const SET_EXPIRING: u8 = 2;
const DELETE: u8 = 3;
const PUSH: u8 = 4;
const POP: u8 = 5;
// From here on since version 2.
const SELECT: u8 = 6;
const PUSH_BACK: u8 = 7;
const POP_BACK: u8 = 8;
const FLUSH: u8 = 9;

/// An end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Front,
    Back,
}

/// One change to the store, as it took effect: replaying never has to decide anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation<'a> {
    /// `expire_at` in milliseconds of Unix time.
    Set {
        key: &'a [u8],
        value: &'a [u8],
        expire_at: Option<u64>,
    },
    Delete {
        key: &'a [u8],
    },
    /// Put `value` at an end of the list, which is made if it is not there.
    Push {
        end: End,
        key: &'a [u8],
        value: &'a [u8],
    },
    /// Take `count` values off an end of the list.
    Pop {
        end: End,
        key: &'a [u8],
        count: u64,
    },
    /// Remove every key of every database.
    Flush,
}

impl<'a> Operation<'a> {
    /// The key that it changes; `None` if all.
    pub(crate) fn key(self) -> Option<&'a [u8]> {
        match self {
            Operation::Set { key, .. }
            | Operation::Delete { key }
            | Operation::Push { key, .. }
            | Operation::Pop { key, .. } => Some(key),
            Operation::Flush => None,
        }
    }
}

/// Appends one record and returns its length.
pub(super) fn append<'a>(
    buffer: &mut Vec<u8>,
    database: Database,
    operations: impl IntoIterator<Item = Operation<'a>>,
) -> u64 {
    let start = buffer.len();
    buffer.extend_from_slice(&[0; HEADER]);
    if database != Database::FIRST {
        buffer.extend_from_slice(&[SELECT, database.number()]);
    }
    for operation in operations {
        encode(buffer, operation);
    }
    let (header, payload) = buffer[start..].split_at_mut(HEADER);
    header[..4].copy_from_slice(&length(payload).to_le_bytes());
    header[4..].copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
    (buffer.len() - start) as u64
}

fn encode(buffer: &mut Vec<u8>, operation: Operation<'_>) {
    match operation {
        Operation::Set { key, value, expire_at: None } => {
            buffer.push(SET);
            bytes(buffer, key);
            bytes(buffer, value);
        }
        Operation::Set { key, value, expire_at: Some(expire_at) } => {
            buffer.push(SET_EXPIRING);
            buffer.extend_from_slice(&expire_at.to_le_bytes());
            bytes(buffer, key);
            bytes(buffer, value);
        }
        Operation::Delete { key } => {
            buffer.push(DELETE);
            bytes(buffer, key);
        }
        Operation::Push { end, key, value } => {
            buffer.push(match end {
                End::Front => PUSH,
                End::Back => PUSH_BACK,
            });
            bytes(buffer, key);
            bytes(buffer, value);
        }
        Operation::Pop { end, key, count } => {
            buffer.push(match end {
                End::Front => POP,
                End::Back => POP_BACK,
            });
            buffer.extend_from_slice(&count.to_le_bytes());
            bytes(buffer, key);
        }
        Operation::Flush => buffer.push(FLUSH),
    }
}

fn bytes(buffer: &mut Vec<u8>, string: &[u8]) {
    buffer.extend_from_slice(&length(string).to_le_bytes());
    buffer.extend_from_slice(string);
}

/// The protocol's limits keep a request, and so a record, far below 4 GiB.
fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).expect("a request is limited to less than 4 GiB")
}

/// The database and the operations of a record whose checksum is right; `None` if one of them is not known to this
/// version.
pub(super) fn decode(mut payload: &[u8]) -> Option<(Database, Vec<Operation<'_>>)> {
    let mut database = Database::FIRST;
    if let [SELECT, number, rest @ ..] = payload {
        database = Database::numbered(*number)?;
        payload = rest;
    }
    let mut operations = Vec::new();
    while let Some((&tag, rest)) = payload.split_first() {
        payload = rest;
        operations.push(operation(tag, &mut payload)?);
    }
    Some((database, operations))
}

fn operation<'a>(tag: u8, payload: &mut &'a [u8]) -> Option<Operation<'a>> {
    let end = if matches!(tag, PUSH_BACK | POP_BACK) { End::Back } else { End::Front };
    Some(match tag {
        SET => Operation::Set { key: take(payload)?, value: take(payload)?, expire_at: None },
        SET_EXPIRING => {
            let expire_at = Some(number(payload)?);
            Operation::Set { key: take(payload)?, value: take(payload)?, expire_at }
        }
        DELETE => Operation::Delete { key: take(payload)? },
        PUSH | PUSH_BACK => Operation::Push { end, key: take(payload)?, value: take(payload)? },
        POP | POP_BACK => {
            let count = number(payload)?;
            Operation::Pop { end, key: take(payload)?, count }
        }
        FLUSH => Operation::Flush,
        _ => return None,
    })
}

fn number(payload: &mut &[u8]) -> Option<u64> {
    let (bytes, rest) = payload.split_first_chunk()?;
    *payload = rest;
    Some(u64::from_le_bytes(*bytes))
}

fn take<'a>(payload: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (bytes, rest) = payload.split_first_chunk()?;
    let (string, rest) = rest.split_at_checked(u32::from_le_bytes(*bytes) as usize)?;
    *payload = rest;
    Some(string)
}
