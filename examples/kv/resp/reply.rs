//! Replies, and how they are written.

use std::borrow::Cow;
use std::sync::Arc;

/// One reply of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// `+OK`: a word of the protocol, never user data.
    Simple(&'static str),
    /// `-ERR …`.
    Error(String),
    Integer(i64),
    /// A value shared with the store.
    Bulk(Arc<[u8]>),
    /// Text made for this reply.
    Text(Cow<'static, str>),
    /// No such value.
    Null,
    /// No such list.
    NullArray,
    Array(Vec<Reply>),
}

impl Reply {
    pub(crate) const OK: Reply = Reply::Simple("OK");

    /// An element count or the like.
    pub(crate) fn count(count: usize) -> Reply {
        Reply::Integer(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// The value, or null.
    pub(crate) fn optional(value: Option<Arc<[u8]>>) -> Reply {
        value.map_or(Reply::Null, Reply::Bulk)
    }

    /// An array of values.
    pub(crate) fn bulks(values: Vec<Arc<[u8]>>) -> Reply {
        Reply::Array(values.into_iter().map(Reply::Bulk).collect())
    }

    /// How many values the reply holds.
    pub(crate) fn values(&self) -> u64 {
        match self {
            Reply::Bulk(_) | Reply::Text(_) => 1,
            Reply::Array(elements) => elements.iter().map(Reply::values).sum(),
            _ => 0,
        }
    }

    /// Appends the reply as it goes over the wire.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Reply::Simple(word) => line(out, b'+', word.as_bytes()),
            Reply::Error(message) => {
                out.push(b'-');
                // An error is one line; what a client sent and is told back may hold any byte.
                out.extend(message.bytes().map(|byte| if byte.is_ascii_control() { b' ' } else { byte }));
                out.extend_from_slice(b"\r\n");
            }
            Reply::Integer(number) => line(out, b':', number.to_string().as_bytes()),
            Reply::Bulk(bytes) => bulk(out, bytes),
            Reply::Text(text) => bulk(out, text.as_bytes()),
            Reply::Null => out.extend_from_slice(b"$-1\r\n"),
            Reply::NullArray => out.extend_from_slice(b"*-1\r\n"),
            Reply::Array(elements) => {
                line(out, b'*', elements.len().to_string().as_bytes());
                for element in elements {
                    element.encode(out);
                }
            }
        }
    }
}

impl From<&'static str> for Reply {
    fn from(text: &'static str) -> Self {
        Reply::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Reply::Text(Cow::Owned(text))
    }
}

fn line(out: &mut Vec<u8>, kind: u8, rest: &[u8]) {
    out.push(kind);
    out.extend_from_slice(rest);
    out.extend_from_slice(b"\r\n");
}

fn bulk(out: &mut Vec<u8>, bytes: &[u8]) {
    line(out, b'$', bytes.len().to_string().as_bytes());
    out.extend_from_slice(bytes);
    out.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_on_the_wire() {
        let reply = Reply::Array(vec![
            Reply::OK,
            Reply::Error("ERR a\r\nb".into()),
            Reply::Integer(-7),
            Reply::Bulk(Arc::from(&b"\r\n\0"[..])),
            Reply::from("text"),
            Reply::Null,
            Reply::NullArray,
            Reply::Array(Vec::new()),
        ]);
        assert_eq!(reply.values(), 2);
        let mut out = Vec::new();
        reply.encode(&mut out);
        let expected = b"*8\r\n+OK\r\n-ERR a  b\r\n:-7\r\n$3\r\n\r\n\0\r\n$4\r\ntext\r\n$-1\r\n*-1\r\n*0\r\n";
        assert_eq!(out, expected);
    }
}
