//! One client of the bench: sends requests, reads replies, counts what was answered.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::load::Load;
use super::mix::Mix;
use crate::shutdown;

/// What a client is to do.
pub(super) struct Plan {
    pub(super) seed: u64,
    /// Requests sent before the first reply is read.
    pub(super) depth: usize,
    /// Whether it may remove every key there is.
    pub(super) flushes: bool,
    /// When to send nothing more. The load begins once this is set.
    pub(super) deadline: Arc<OnceLock<Instant>>,
    /// Requests that all clients together have had answered.
    pub(super) answered: Arc<AtomicU64>,
}

/// Keeps up the load until the deadline, or Ctrl-C. The connection comes back with every request answered.
pub(super) fn run(plan: &Plan, stream: TcpStream) -> io::Result<(Load, TcpStream)> {
    let mut replies = BufReader::new(&stream);
    let mut mix = Mix::new(plan.seed, plan.flushes);
    let mut load = Load::default();
    let (mut requests, mut sent) = (Vec::new(), Vec::new());
    let deadline = *plan.deadline.wait();
    while Instant::now() < deadline && !shutdown::requested() {
        requests.clear();
        sent.clear();
        sent.extend((0..plan.depth).map(|_| mix.request(&mut requests)));
        let began = Instant::now();
        (&stream).write_all(&requests)?;
        for &request in &sent {
            let refused = skip_reply(&mut replies)?;
            load.count(request, refused, began.elapsed());
        }
        plan.answered.fetch_add(sent.len() as u64, Ordering::Relaxed);
    }
    Ok((load, stream))
}

/// Reads one reply and says whether it is an error.
fn skip_reply(replies: &mut impl BufRead) -> io::Result<bool> {
    let mut line = Vec::new();
    // Elements still to be read.
    let mut left = 1u64;
    let mut refused = false;
    while left > 0 {
        left -= 1;
        line.clear();
        replies.read_until(b'\n', &mut line)?;
        let Some((&kind, rest)) = line.strip_suffix(b"\r\n").and_then(<[u8]>::split_first) else {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed the connection"));
        };
        match kind {
            b'+' | b':' => {}
            b'-' => refused = true,
            b'$' | b'*' => {
                // Nulls have length -1 and nothing behind them.
                let Ok(length) = u64::try_from(length(rest)?) else { continue };
                if kind == b'*' {
                    left += length;
                } else if io::copy(&mut replies.take(length + 2), &mut io::sink())? != length + 2 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            _ => return Err(malformed(&line)),
        }
    }
    Ok(refused)
}

fn length(digits: &[u8]) -> io::Result<i64> {
    std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).ok_or_else(|| malformed(digits))
}

fn malformed(line: &[u8]) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not a reply: {}", line.escape_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_whole() {
        let mut input: &[u8] =
            b"+OK\r\n:1\r\n-ERR x\r\n$-1\r\n$2\r\n\r\n\r\n*2\r\n$1\r\na\r\n*1\r\n-ERR y\r\n*-1\r\n*0\r\n";
        let errors: Vec<bool> = (0..8).map(|_| skip_reply(&mut input).unwrap()).collect();
        assert_eq!(errors, [false, false, true, false, false, true, false, false]);
        assert_eq!(skip_reply(&mut input).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(skip_reply(&mut &b"$5\r\nab"[..]).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(skip_reply(&mut &b"?\r\n"[..]).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
