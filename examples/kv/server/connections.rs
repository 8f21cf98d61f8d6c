//! The open connections, so that a server that stops can close them and wait until they are gone.

use std::collections::HashMap;
use std::net::{Shutdown, TcpStream};

use pfs::sync::{Condvar, Mutex};

use crate::poison::Recover;

#[derive(Debug)]
pub(super) struct Connections {
    open: Mutex<HashMap<u64, TcpStream>>,
    /// One of them has ended.
    ended: Condvar,
}

impl Connections {
    pub(super) fn new() -> Self {
        Connections {
            open: pfs::mutex!("kv/LOCK_connections", HashMap::new()),
            ended: pfs::condvar!("kv/COND_connection_ended"),
        }
    }

    /// Adds a connection unless there are `most` already.
    pub(super) fn add(&self, id: u64, stream: TcpStream, most: usize) -> bool {
        let mut open = self.open.lock().recover();
        let room = open.len() < most;
        if room {
            open.insert(id, stream);
        }
        room
    }

    pub(super) fn remove(&self, id: u64) {
        self.open.lock().recover().remove(&id);
        self.ended.notify_all();
    }

    /// Closes all of them and waits until the last has ended.
    pub(super) fn close_all(&self) {
        let mut open = self.open.lock().recover();
        for stream in open.values() {
            // One that the client has closed already is as good.
            let _ = stream.shutdown(Shutdown::Both);
        }
        while !open.is_empty() {
            open = self.ended.wait(open).recover();
        }
    }
}
