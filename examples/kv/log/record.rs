//! The records of the log: length, checksum, then operations one after the other.
//!
//! All numbers are little-endian. `u32` length of what follows the checksum, `u32` CRC-32 of it, then for each
//! operation a tag byte, its numbers, and its byte strings, each with a `u32` length in front.

/// Bytes before the operations of a record.
pub(super) const HEADER: usize = 8;

const SET: u8 = 1;
const SET_EXPIRING: u8 = 2;
const DELETE: u8 = 3;
const PUSH: u8 = 4;
const POP: u8 = 5;

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
    /// Put `value` at the front of the list, which is made if it is not there.
    Push {
        key: &'a [u8],
        value: &'a [u8],
    },
    /// Take `count` values off the front of the list.
    Pop {
        key: &'a [u8],
        count: u64,
    },
}

/// Appends one record and returns its length.
pub(super) fn append<'a>(buffer: &mut Vec<u8>, operations: impl IntoIterator<Item = Operation<'a>>) -> u64 {
    let start = buffer.len();
    buffer.extend_from_slice(&[0; HEADER]);
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
        Operation::Push { key, value } => {
            buffer.push(PUSH);
            bytes(buffer, key);
            bytes(buffer, value);
        }
        Operation::Pop { key, count } => {
            buffer.push(POP);
            buffer.extend_from_slice(&count.to_le_bytes());
            bytes(buffer, key);
        }
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

/// The operations of a record whose checksum is right; `None` at one that this version does not know.
pub(super) fn decode(mut payload: &[u8]) -> Option<Vec<Operation<'_>>> {
    let mut operations = Vec::new();
    while let Some((&tag, rest)) = payload.split_first() {
        payload = rest;
        operations.push(match tag {
            SET => Operation::Set { key: take(&mut payload)?, value: take(&mut payload)?, expire_at: None },
            SET_EXPIRING => {
                let expire_at = Some(number(&mut payload)?);
                Operation::Set { key: take(&mut payload)?, value: take(&mut payload)?, expire_at }
            }
            DELETE => Operation::Delete { key: take(&mut payload)? },
            PUSH => Operation::Push { key: take(&mut payload)?, value: take(&mut payload)? },
            POP => {
                let count = number(&mut payload)?;
                Operation::Pop { key: take(&mut payload)?, count }
            }
            _ => return None,
        });
    }
    Some(operations)
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
