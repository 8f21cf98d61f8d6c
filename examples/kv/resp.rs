//! RESP, the protocol of the server: requests in, replies out. Knows nothing of what a command means.
//!
//! A request is an array of bulk strings (`*2\r\n$3\r\nGET\r\n$1\r\nk\r\n`) or, for people at a terminal, one
//! line of words (`GET k`).

mod decode;
mod inline;
mod reply;

pub(crate) use decode::{Args, Decoder, Limits, ProtocolError};
pub(crate) use reply::Reply;
