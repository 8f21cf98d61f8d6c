//! One connection: requests in, replies out, in order, as many at a time as the client sends.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::Shared;
use crate::command::{self, Session};
use crate::resp::{Decoder, ProtocolError, Reply};

/// Replies of a pipeline are sent together, but not more than this is kept back.
const OUT: usize = 64 << 10;
/// How long a client that is being told off may go on sending.
const LINGER: Duration = Duration::from_millis(500);

/// Gives a new connection its thread, or an error if there are too many.
pub(super) fn admit(shared: &Arc<Shared>, stream: TcpStream) {
    let counters = &shared.counters;
    let id = counters.accepted.fetch_add(1, Ordering::Relaxed);
    let Ok(registered) = stream.try_clone() else {
        return refuse(shared, stream, "ERR out of file descriptors");
    };
    if !shared.connections.add(id, registered, shared.options.max_clients as usize) {
        return refuse(shared, stream, "ERR max number of clients reached");
    }
    counters.connected.fetch_add(1, Ordering::Relaxed);
    let open = Open { shared: Arc::clone(shared), id };
    let spawned = super::thread(pfs::thread_class!("kv/connection"), "kv-connection").spawn(move || {
        // An error here is the client's going away, which is how connections end.
        let _ = serve(&open.shared, &stream);
    });
    if spawned.is_err() {
        // The closure was dropped, and the connection with it.
        counters.rejected.fetch_add(1, Ordering::Relaxed);
    }
}

fn refuse(shared: &Shared, mut stream: TcpStream, why: &str) {
    shared.counters.rejected.fetch_add(1, Ordering::Relaxed);
    let mut out = Vec::new();
    Reply::Error(why.to_owned()).encode(&mut out);
    // It is closed either way.
    let _ = stream.write_all(&out);
}

/// The connection's place among the open ones, however its thread ends.
struct Open {
    shared: Arc<Shared>,
    id: u64,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.shared.counters.connected.fetch_sub(1, Ordering::Relaxed);
        self.shared.connections.remove(self.id);
    }
}

fn serve(shared: &Shared, mut stream: &TcpStream) -> io::Result<()> {
    // Replies are put together here; the socket need not wait for more.
    stream.set_nodelay(true)?;
    let mut decoder = Decoder::new(shared.options.limits);
    let mut session = Session::default();
    let mut out = Vec::new();
    loop {
        match decoder.next() {
            Ok(Some(args)) => {
                command::answer(shared, &mut session, args, &mut out);
                shared.counters.commands.fetch_add(1, Ordering::Relaxed);
                if out.len() >= OUT || session.quit {
                    send(stream, &mut out)?;
                }
                if session.quit {
                    return Ok(());
                }
            }
            Ok(None) => {
                send(stream, &mut out)?;
                if decoder.fill(&mut stream)? == 0 {
                    return Ok(());
                }
            }
            Err(error) => {
                shared.counters.protocol_errors.fetch_add(1, Ordering::Relaxed);
                return tell_off(stream, &error, out);
            }
        }
    }
}

fn send(mut stream: &TcpStream, out: &mut Vec<u8>) -> io::Result<()> {
    stream.write_all(out)?;
    out.clear();
    if out.capacity() > 4 * OUT {
        *out = Vec::new();
    }
    Ok(())
}

/// Sends what is ready and the error, then closes so that the client can still read them: closing with input
/// unread would reset the connection and throw away what is on its way.
fn tell_off(mut stream: &TcpStream, error: &ProtocolError, mut out: Vec<u8>) -> io::Result<()> {
    Reply::Error(error.to_string()).encode(&mut out);
    stream.write_all(&out)?;
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(LINGER))?;
    let until = Instant::now() + LINGER;
    while stream.read(&mut [0; 4096])? > 0 && Instant::now() < until {}
    Ok(())
}
