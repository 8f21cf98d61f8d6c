//! The write-ahead log with group commit.
//!
//! A writer appends its record to a buffer under `LOCK_log`, then waits on `COND_durable`. One flusher thread
//! takes the whole buffer, writes it and syncs it once, and wakes everyone whose record was in it: under load one
//! sync serves many writers. What a record means is the store's business.

mod record;
mod replay;

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex};

use crate::database::Database;
use crate::poison::Recover;

pub(crate) use record::{End, Operation};
pub(crate) use replay::{OpenError, Replayed};

/// Whether a write is answered before or after it is safe from a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SyncPolicy {
    /// Sync the log before a write is answered.
    Always,
    /// Write the log before a write is answered; the operating system syncs when it likes.
    Never,
}

/// The end of a record in the log: everything up to here is safe once this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position(u64);

/// The log could not be written; what it holds is what it held before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the log cannot be written: {0}")]
pub(crate) struct LogError(String);

#[derive(Debug)]
struct State {
    /// Records that the flusher has not taken yet.
    pending: Vec<u8>,
    /// Ends of the last record appended, and of the last one written and synced.
    appended: u64,
    durable: u64,
    /// The flusher waits for work.
    idle: bool,
    closed: bool,
    failure: Option<LogError>,
}

/// The log of one server.
#[derive(Debug)]
pub(crate) struct Log {
    state: Mutex<State>,
    /// Something was appended, or the log was closed.
    work: Condvar,
    /// `durable` moved, or the log failed.
    durable: Condvar,
    sync: SyncPolicy,
}

impl Log {
    /// Opens the log in `dir`, hands every operation in it to `apply`, oldest first, and cuts off a torn tail.
    /// The file goes to [`Log::flush_loop`].
    pub(crate) fn open(
        dir: &Path,
        sync: SyncPolicy,
        apply: impl FnMut(Database, Operation<'_>),
    ) -> Result<(Log, File, Replayed), OpenError> {
        let (file, replayed) = replay::open(dir, apply)?;
        let state = State {
            pending: Vec::new(),
            appended: replayed.bytes,
            durable: replayed.bytes,
            idle: false,
            closed: false,
            failure: None,
        };
        let log = Log {
            state: pfs::mutex!("kv/LOCK_log", state),
            work: pfs::condvar!("kv/COND_log_work"),
            durable: pfs::condvar!("kv/COND_log_durable"),
            sync,
        };
        Ok((log, file, replayed))
    }

    /// Appends one record about a database that is replayed whole or not at all. The order of records is the order
    /// of these calls, so the caller holds the locks of what it changes.
    pub(crate) fn append<'a>(
        &self,
        database: Database,
        operations: impl IntoIterator<Item = Operation<'a>>,
    ) -> Result<Position, LogError> {
        let mut state = self.state.lock().recover();
        if let Some(failure) = &state.failure {
            return Err(failure.clone());
        }
        let length = record::append(&mut state.pending, database, operations);
        state.appended += length;
        let position = Position(state.appended);
        drop(state);
        self.work.notify_one();
        Ok(position)
    }

    /// Waits until the log is safe up to `position`.
    #[stage("kv/committing")]
    pub(crate) fn commit(&self, position: Position) -> Result<(), LogError> {
        let mut state = self.state.lock().recover();
        while state.durable < position.0 {
            if let Some(failure) = &state.failure {
                return Err(failure.clone());
            }
            state = self.durable.wait(state).recover();
        }
        Ok(())
    }

    /// What the flusher thread does, until the log is closed and empty.
    pub(crate) fn flush_loop(&self, mut file: File) {
        let mut taken = Vec::new();
        while let Some(end) = self.take(&mut taken) {
            let written = self.write(&mut file, &taken);
            taken.clear();
            let mut state = self.state.lock().recover();
            match written {
                Ok(()) => state.durable = end,
                Err(error) => state.failure = Some(LogError(error.to_string())),
            }
            drop(state);
            self.durable.notify_all();
        }
    }

    /// Waits for records and takes them all; `None` when there will be no more.
    fn take(&self, taken: &mut Vec<u8>) -> Option<u64> {
        let mut state = self.state.lock().recover();
        while state.pending.is_empty() || state.failure.is_some() {
            if state.closed {
                return None;
            }
            state.idle = true;
            state = self.work.wait(state).recover();
            state.idle = false;
        }
        std::mem::swap(&mut state.pending, taken);
        Some(state.appended)
    }

    #[stage("kv/flushing")]
    fn write(&self, file: &mut File, records: &[u8]) -> std::io::Result<()> {
        file.write_all(records)?;
        match self.sync {
            SyncPolicy::Always => file.sync_data(),
            SyncPolicy::Never => Ok(()),
        }
    }

    /// Lets the flusher end once everything appended is written.
    pub(crate) fn close(&self) {
        self.state.lock().recover().closed = true;
        self.work.notify_one();
    }

    /// Waits until the flusher has nothing to do and sleeps. With no writer about, it then stays so.
    pub(crate) fn wait_idle(&self) {
        loop {
            let state = self.state.lock().recover();
            if state.idle && state.pending.is_empty() {
                return;
            }
            drop(state);
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests;
