//! Plugins where the engine is compiled out: there is nothing to join, and nothing to join with.

use super::{Entry, Header, JoinError, Joined, Offer};
use crate::schema::Schema;

static OFFER: Offer = Offer(Header::compiled_out());

/// What this library offers to a program that has loaded it: a header that says so.
pub fn offer() -> *const Offer {
    &raw const OFFER
}

/// No plugin has joined.
pub(crate) fn has_joined() -> bool {
    false
}

/// Lets a plugin join nothing.
#[allow(clippy::unnecessary_wraps, reason = "the signature is that of the engine")]
pub(crate) unsafe fn join(_: &'static Schema, _: Entry) -> Result<Joined, JoinError> {
    Ok(Joined::default())
}
