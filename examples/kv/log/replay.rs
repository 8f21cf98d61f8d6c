//! Opening the log: replaying what it holds, and cutting off what a crash left unfinished.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::record::{self, HEADER, Operation};
use crate::database::Database;

const FILE_NAME: &str = "kv.log";
/// What a log begins with: what it is, and the version of its format.
const MAGIC: &[u8; 8] = b"kvlog 2\n";
/// Logs from before there were databases. What is in them means the same in version 2.
const MAGIC_1: &[u8; 8] = b"kvlog 1\n";

/// What a log held when it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Replayed {
    /// Whole records.
    pub(crate) records: u64,
    /// Length of the log now.
    pub(crate) bytes: u64,
    /// Bytes of a torn tail that were cut off. Nobody was told that they were safe.
    pub(crate) cut: u64,
}

/// Why a log could not be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{0}: not a log of this server")]
    NotALog(PathBuf),
    #[error("{path}: a log of version {found}; this server reads versions 1 and 2")]
    Version { path: PathBuf, found: char },
    #[error("{0}: in use by another server")]
    InUse(PathBuf),
    #[error(
        "{path}: the record at byte {offset} is whole but holds an operation or a database that this server does not know"
    )]
    UnknownOperation { path: PathBuf, offset: u64 },
    #[error(
        "{path}: damaged at byte {offset}, and a whole record follows at byte {next}: this is no tail that a crash left \
         unfinished. Restore the file, or cut it to {offset} bytes to give up what follows"
    )]
    Damaged { path: PathBuf, offset: u64, next: u64 },
}

/// Opens or makes the log in `dir`, positioned at its end and locked against other servers.
///
/// A log of version 1 is one of version 2 from then on, and no older server takes it for one of its own.
pub(super) fn open(
    dir: &Path,
    mut apply: impl FnMut(Database, Operation<'_>),
) -> Result<(File, Replayed), OpenError> {
    let path = dir.join(FILE_NAME);
    let failed = |source| OpenError::Io { path: path.clone(), source };
    fs::create_dir_all(dir).map_err(|source| OpenError::Io { path: dir.to_owned(), source })?;
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(OpenError::InUse(path)),
        Err(TryLockError::Error(source)) => return Err(failed(source)),
    }
    let length = file.metadata().map_err(failed)?.len();
    let mut start = Vec::new();
    (&mut file).take(MAGIC.len() as u64).read_to_end(&mut start).map_err(failed)?;
    if ![MAGIC, MAGIC_1].iter().any(|magic| magic.starts_with(&start)) {
        return Err(match version(&start) {
            Some(found) => OpenError::Version { path, found },
            None => OpenError::NotALog(path),
        });
    }
    let mut replayed = Replayed { records: 0, bytes: MAGIC.len() as u64, cut: 0 };
    if start.len() < MAGIC.len() {
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        file.write_all(MAGIC).map_err(failed)?;
        // The name of the file has to survive a power cut as well as what is in it.
        file.sync_all().and_then(|()| sync_dir(dir)).map_err(failed)?;
        return Ok((file, replayed));
    }
    let mut reader = BufReader::new(&file);
    let mut payload = Vec::new();
    while next(&mut reader, length - replayed.bytes, &mut payload).map_err(failed)? {
        let Some((database, operations)) = record::decode(&payload) else {
            return Err(OpenError::UnknownOperation { path, offset: replayed.bytes });
        };
        for operation in operations {
            apply(database, operation);
        }
        replayed.records += 1;
        replayed.bytes += (HEADER + payload.len()) as u64;
    }
    replayed.cut = length - replayed.bytes;
    if replayed.cut > 0 {
        if let Some(next) = whole_record_after(&file, replayed.bytes).map_err(failed)? {
            return Err(OpenError::Damaged { path, offset: replayed.bytes, next });
        }
        file.set_len(replayed.bytes).and_then(|()| file.sync_all()).map_err(failed)?;
    }
    if start == MAGIC_1 {
        // Nothing needs this to be safe now: the first sync of a record takes it along.
        file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(MAGIC)).map_err(failed)?;
    }
    file.seek(SeekFrom::Start(replayed.bytes)).map_err(failed)?;
    Ok((file, replayed))
}

/// The version that a log says it is of.
fn version(start: &[u8]) -> Option<char> {
    match start.strip_prefix(b"kvlog ")? {
        [digit @ b'0'..=b'9', b'\n'] => Some(char::from(*digit)),
        _ => None,
    }
}

/// Reads the payload of the next record; false at the end, or where the tail is torn.
fn next(reader: &mut impl Read, left: u64, payload: &mut Vec<u8>) -> io::Result<bool> {
    if left < HEADER as u64 {
        return Ok(false);
    }
    let mut number = || -> io::Result<u32> {
        let mut bytes = [0; 4];
        reader.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    };
    let (length, checksum) = (number()?, number()?);
    // No record is empty, so that a tail of zeros is not taken for a run of them.
    if length == 0 || u64::from(length) > left - HEADER as u64 {
        return Ok(false);
    }
    payload.resize(length as usize, 0);
    reader.read_exact(payload)?;
    Ok(crc32fast::hash(payload) == checksum)
}

/// Where the next whole record begins behind a broken one at `offset`, if there is one.
fn whole_record_after(mut file: &File, offset: u64) -> io::Result<Option<u64>> {
    let mut rest = Vec::new();
    file.seek(SeekFrom::Start(offset))?;
    file.read_to_end(&mut rest)?;
    let whole = (1..rest.len()).find(|at| {
        let mut tail = &rest[*at..];
        let left = tail.len() as u64;
        let mut payload = Vec::new();
        matches!(next(&mut tail, left, &mut payload), Ok(true)) && record::decode(&payload).is_some()
    });
    Ok(whole.map(|at| offset + at as u64))
}

/// Makes durable what names are in a folder, where a folder can be opened.
fn sync_dir(dir: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(dir)?.sync_all()?;
    }
    Ok(())
}
