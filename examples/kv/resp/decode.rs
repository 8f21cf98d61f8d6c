//! The request decoder: bytes as the socket yields them in, whole requests out.
//!
//! It remembers how far it has come, so a request that arrives in a thousand pieces is still read once, and it
//! reserves memory only for bytes that have arrived, whatever length a client announces.

use std::io::{self, Read};
use std::ops::Range;

use super::inline;

/// What a client may send before it is told off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of one bulk string.
    pub(crate) bulk: usize,
    /// Elements of one request.
    pub(crate) array: usize,
    /// Bytes of one inline request.
    pub(crate) inline: usize,
    /// Bytes of all the bulk strings of one request.
    pub(crate) request: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { bulk: 64 << 20, array: 1 << 20, inline: 64 << 10, request: 256 << 20 }
    }
}

/// Why a connection cannot go on: after one of these nobody knows where the next request begins.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProtocolError {
    #[error("ERR Protocol error: inline request over the limit of {limit} bytes")]
    InlineTooLong { limit: usize },
    #[error("ERR Protocol error: unbalanced quotes in inline request")]
    UnbalancedQuotes,
    #[error("ERR Protocol error: invalid array length '{found}'")]
    InvalidArrayLength { found: String },
    #[error("ERR Protocol error: array length {found} over the limit of {limit} elements")]
    ArrayTooLong { found: i64, limit: usize },
    #[error("ERR Protocol error: invalid bulk length '{found}'")]
    InvalidBulkLength { found: String },
    #[error("ERR Protocol error: bulk length {found} over the limit of {limit} bytes")]
    BulkTooLong { found: i64, limit: usize },
    #[error("ERR Protocol error: request over the limit of {limit} bytes")]
    RequestTooLong { limit: usize },
    #[error("ERR Protocol error: expected '$', got '{found}'")]
    ExpectedBulk { found: String },
    #[error("ERR Protocol error: bulk string of {length} bytes does not end in CR LF")]
    UnterminatedBulk { length: usize },
}

/// The words of one request, borrowed from the decoder: the command's name first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Args<'a> {
    bytes: &'a [u8],
    words: &'a [Range<usize>],
}

impl<'a> Args<'a> {
    pub(crate) fn len(self) -> usize {
        self.words.len()
    }

    pub(crate) fn get(self, word: usize) -> Option<&'a [u8]> {
        self.words.get(word).map(|range| &self.bytes[range.clone()])
    }

    /// The words from number `first` on.
    pub(crate) fn tail(self, first: usize) -> Args<'a> {
        Args { bytes: self.bytes, words: self.words.get(first..).unwrap_or_default() }
    }

    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = &'a [u8]> + Clone {
        self.words.iter().map(move |range| &self.bytes[range.clone()])
    }
}

/// Longest line that may announce a length; `*9223372036854775807` fits twice.
const LENGTH_LINE: usize = 64;
/// What one read asks the socket for, at the least.
const READ: usize = 16 << 10;
/// A buffer that a large request has blown up past this is given back once it is empty.
const KEEP: usize = 1 << 20;

/// Collects what a client sends and cuts it into requests.
#[derive(Debug)]
pub(crate) struct Decoder {
    limits: Limits,
    /// Initialised memory; `..filled` came from the client.
    buffer: Vec<u8>,
    filled: usize,
    /// Where the current request begins, and the first byte of it not looked at yet.
    start: usize,
    at: usize,
    /// Bulk strings of the current request that are still to come.
    missing: Option<usize>,
    /// Bytes of the bulk strings so far.
    size: usize,
    words: Vec<Range<usize>>,
    /// The words of an inline request, quotes taken off; `words` points here if `is_inline`.
    unquoted: Vec<u8>,
    is_inline: bool,
    /// The current request has been handed out: the next call begins a new one.
    done: bool,
}

impl Decoder {
    pub(crate) fn new(limits: Limits) -> Self {
        Decoder {
            limits,
            buffer: Vec::new(),
            filled: 0,
            start: 0,
            at: 0,
            missing: None,
            size: 0,
            words: Vec::new(),
            unquoted: Vec::new(),
            is_inline: false,
            done: false,
        }
    }

    /// Reads once from `source`; 0 means that the client has closed.
    pub(crate) fn fill(&mut self, source: &mut impl Read) -> io::Result<usize> {
        self.forget_done();
        self.compact();
        if self.buffer.len() - self.filled < READ / 4 {
            let longer = (self.buffer.len() * 2).max(READ);
            self.buffer.resize(longer, 0);
        }
        loop {
            match source.read(&mut self.buffer[self.filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(read) => {
                    self.filled += read;
                    return Ok(read);
                }
            }
        }
    }

    /// The next whole request, or `None` when more bytes are needed. After an error the decoder is of no use.
    pub(crate) fn next(&mut self) -> Result<Option<Args<'_>>, ProtocolError> {
        self.forget_done();
        if !self.advance()? {
            return Ok(None);
        }
        self.done = true;
        let bytes = if self.is_inline { &self.unquoted } else { &self.buffer };
        Ok(Some(Args { bytes, words: &self.words }))
    }

    fn forget_done(&mut self) {
        if self.done {
            self.done = false;
            self.start = self.at;
            self.missing = None;
            self.is_inline = false;
            self.size = 0;
            self.words.clear();
        }
    }

    /// Moves what is not used up to the front.
    fn compact(&mut self) {
        if self.start == 0 {
            return;
        }
        self.buffer.copy_within(self.start..self.filled, 0);
        self.filled -= self.start;
        self.at -= self.start;
        for word in &mut self.words {
            *word = word.start - self.start..word.end - self.start;
        }
        self.start = 0;
        if self.filled == 0 && self.buffer.len() > KEEP {
            self.buffer = Vec::new();
        }
    }

    /// True once the current request is whole.
    fn advance(&mut self) -> Result<bool, ProtocolError> {
        loop {
            let Some(missing) = self.missing else {
                let Some(&first) = self.buffer[..self.filled].get(self.at) else { return Ok(false) };
                if first != b'*' {
                    match self.inline()? {
                        Inline::Incomplete => return Ok(false),
                        Inline::Blank => continue,
                        Inline::Words => return Ok(true),
                    }
                }
                let Some(length) = self.array_length()? else { return Ok(false) };
                if length == 0 {
                    self.start = self.at;
                } else {
                    self.missing = Some(length);
                }
                continue;
            };
            if missing == 0 {
                return Ok(true);
            }
            if !self.bulk()? {
                return Ok(false);
            }
            self.missing = Some(missing - 1);
        }
    }

    fn inline(&mut self) -> Result<Inline, ProtocolError> {
        let limit = self.limits.inline;
        let seen = &self.buffer[self.at..self.filled];
        let Some(length) = seen.iter().take(limit + 1).position(|&byte| byte == b'\n') else {
            return if seen.len() > limit {
                Err(ProtocolError::InlineTooLong { limit })
            } else {
                Ok(Inline::Incomplete)
            };
        };
        let line = seen[..length].strip_suffix(b"\r").unwrap_or(&seen[..length]);
        self.unquoted.clear();
        if !inline::split(line, &mut self.unquoted, &mut self.words) {
            return Err(ProtocolError::UnbalancedQuotes);
        }
        self.at += length + 1;
        if self.words.is_empty() {
            self.start = self.at;
            return Ok(Inline::Blank);
        }
        self.is_inline = true;
        Ok(Inline::Words)
    }

    fn array_length(&mut self) -> Result<Option<usize>, ProtocolError> {
        let limit = self.limits.array;
        let (length, next) = match self.length_line() {
            LengthLine::Incomplete => return Ok(None),
            LengthLine::Invalid(found) => return Err(ProtocolError::InvalidArrayLength { found }),
            LengthLine::Length(length, next) => (length, next),
        };
        // A null or empty array asks for nothing and gets no reply.
        let elements = usize::try_from(length.max(0)).unwrap_or(usize::MAX);
        if elements > limit {
            return Err(ProtocolError::ArrayTooLong { found: length, limit });
        }
        self.at = next;
        Ok(Some(elements))
    }

    /// One bulk string; `at` stays on its `$` until it is whole.
    fn bulk(&mut self) -> Result<bool, ProtocolError> {
        let Some(&first) = self.buffer[..self.filled].get(self.at) else { return Ok(false) };
        if first != b'$' {
            return Err(ProtocolError::ExpectedBulk { found: first.escape_ascii().to_string() });
        }
        let (found, next) = match self.length_line() {
            LengthLine::Incomplete => return Ok(false),
            LengthLine::Invalid(found) => return Err(ProtocolError::InvalidBulkLength { found }),
            LengthLine::Length(length, next) => (length, next),
        };
        let Ok(length) = usize::try_from(found) else {
            return Err(ProtocolError::InvalidBulkLength { found: found.to_string() });
        };
        if length > self.limits.bulk {
            return Err(ProtocolError::BulkTooLong { found, limit: self.limits.bulk });
        }
        if self.size + length > self.limits.request {
            return Err(ProtocolError::RequestTooLong { limit: self.limits.request });
        }
        let end = next + length;
        let Some(terminator) = self.buffer[..self.filled].get(end..end + 2) else { return Ok(false) };
        if terminator != b"\r\n" {
            return Err(ProtocolError::UnterminatedBulk { length });
        }
        self.size += length;
        self.words.push(next..end);
        self.at = end + 2;
        Ok(true)
    }

    /// The number after the type byte at `at`, and where the byte after its line lies.
    fn length_line(&self) -> LengthLine {
        let digits = &self.buffer[self.at + 1..self.filled];
        let shown = |bytes: &[u8]| bytes[..bytes.len().min(LENGTH_LINE)].escape_ascii().to_string();
        let Some(length) = digits.iter().take(LENGTH_LINE).position(|&byte| byte == b'\n') else {
            return if digits.len() >= LENGTH_LINE {
                LengthLine::Invalid(shown(digits))
            } else {
                LengthLine::Incomplete
            };
        };
        let line = &digits[..length];
        match line.strip_suffix(b"\r").and_then(|number| std::str::from_utf8(number).ok()?.parse().ok()) {
            Some(number) => LengthLine::Length(number, self.at + 1 + length + 1),
            None => LengthLine::Invalid(shown(line.strip_suffix(b"\r").unwrap_or(line))),
        }
    }
}

enum Inline {
    Incomplete,
    Blank,
    Words,
}

enum LengthLine {
    Incomplete,
    Invalid(String),
    Length(i64, usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Limits = Limits { bulk: 8, array: 4, inline: 16, request: 12 };

    /// Every request in `input`, which arrives `step` bytes at a time, and how it ended.
    fn decode(input: &[u8], step: usize) -> (Vec<Vec<Vec<u8>>>, Option<ProtocolError>) {
        let mut decoder = Decoder::new(SMALL);
        let mut requests = Vec::new();
        for mut piece in input.chunks(step) {
            while decoder.fill(&mut piece).unwrap() > 0 {
                loop {
                    match decoder.next() {
                        Ok(Some(args)) => requests.push(args.iter().map(<[u8]>::to_vec).collect()),
                        Ok(None) => break,
                        Err(error) => return (requests, Some(error)),
                    }
                }
            }
        }
        (requests, None)
    }

    fn words(words: &[&str]) -> Vec<Vec<u8>> {
        words.iter().map(|word| word.as_bytes().to_vec()).collect()
    }

    #[test]
    fn requests_are_the_same_however_they_arrive() {
        let input = b"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n\r\nPING\r\n*0\r\n*-1\r\nECHO \"a b\"\n*3\r\n$3\r\nSET\r\n$0\r\n\r\n$4\r\na\r\nb\r\n";
        let expected = vec![
            words(&["GET", "k"]),
            words(&["PING"]),
            words(&["ECHO", "a b"]),
            words(&["SET", "", "a\r\nb"]),
        ];
        for step in 1..=input.len() {
            assert_eq!(decode(input, step), (expected.clone(), None), "{step} bytes at a time");
        }
    }

    #[test]
    fn requests_before_a_malformed_one_are_answered() {
        let (requests, error) = decode(b"PING\r\n*1\r\n:1\r\n", 100);
        assert_eq!(requests, [words(&["PING"])]);
        assert_eq!(error, Some(ProtocolError::ExpectedBulk { found: ":".into() }));
    }

    #[test]
    fn each_mistake_has_its_error() {
        let cases: [(&[u8], &str); 15] = [
            (b"*x\r\n", "ERR Protocol error: invalid array length 'x'"),
            (b"*\r\n", "ERR Protocol error: invalid array length ''"),
            (b"*1\n", "ERR Protocol error: invalid array length '1'"),
            (b"*5\r\n", "ERR Protocol error: array length 5 over the limit of 4 elements"),
            (b"*99999999999999999999\r\n", "ERR Protocol error: invalid array length '99999999999999999999'"),
            (b"*1\r\n$x\r\n", "ERR Protocol error: invalid bulk length 'x'"),
            (b"*1\r\n$-1\r\n", "ERR Protocol error: invalid bulk length '-1'"),
            (b"*1\r\n$9\r\n", "ERR Protocol error: bulk length 9 over the limit of 8 bytes"),
            (b"*2\r\n$8\r\n12345678\r\n$5\r\n", "ERR Protocol error: request over the limit of 12 bytes"),
            (b"*1\r\n\x00", "ERR Protocol error: expected '$', got '\\x00'"),
            (b"*1\r\n$1\r\nabc", "ERR Protocol error: bulk string of 1 bytes does not end in CR LF"),
            (b"12345678901234567", "ERR Protocol error: inline request over the limit of 16 bytes"),
            (b"12345678901234567\n", "ERR Protocol error: inline request over the limit of 16 bytes"),
            (b"ECHO \"a\n", "ERR Protocol error: unbalanced quotes in inline request"),
            (b"*\xff\r\n", "ERR Protocol error: invalid array length '\\xff'"),
        ];
        for (input, message) in cases {
            for step in [1, input.len()] {
                let (requests, error) = decode(input, step);
                assert!(requests.is_empty());
                assert_eq!(
                    error.map(|error| error.to_string()).as_deref(),
                    Some(message),
                    "{}",
                    input.escape_ascii()
                );
            }
        }
    }

    #[test]
    fn a_length_line_without_end_is_refused_early() {
        let input = [b"*".as_slice(), &[b'1'; LENGTH_LINE]].concat();
        assert!(matches!(decode(&input, 7).1, Some(ProtocolError::InvalidArrayLength { .. })));
    }

    #[test]
    fn what_is_at_the_limit_passes() {
        let (requests, error) =
            decode(b"*4\r\n$8\r\n12345678\r\n$4\r\n1234\r\n$0\r\n\r\n$0\r\n\r\n123456789012345\n", 3);
        assert_eq!(error, None);
        assert_eq!(requests.len(), 2);
        assert_eq!(requests[0], words(&["12345678", "1234", "", ""]));
        assert_eq!(requests[1], words(&["123456789012345"]));
    }

    #[test]
    fn announced_lengths_reserve_nothing() {
        let mut decoder = Decoder::new(Limits::default());
        let mut input: &[u8] = b"*1048576\r\n$67108864\r\n";
        decoder.fill(&mut input).unwrap();
        assert!(decoder.next().unwrap().is_none());
        assert_eq!(decoder.buffer.len(), READ);
        assert_eq!(decoder.words.capacity(), 0);
    }
}
