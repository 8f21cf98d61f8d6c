//! That a statement failed whose future returned its error where its context is not: said by what looks at the returned
//! value, and taken by the end of the event, which follows on the same thread.

use super::scope::Open;
use crate::event::posted::Failed;
use crate::model::MESSAGE_WORDS;
use core::cell::Cell;

const SQLSTATE: usize = 5;
const MESSAGE: usize = MESSAGE_WORDS * 8;

/// That a statement failed.
#[derive(Clone, Copy)]
pub(super) enum Failure {
    /// No row shows it.
    Counted,
    /// A row shows the error.
    Shown(Text),
}

/// An error as it was returned, cut to what its row shows.
#[derive(Clone, Copy)]
pub(super) struct Text {
    errno: i32,
    sqlstate: ([u8; SQLSTATE], usize),
    message: ([u8; MESSAGE], usize),
}

thread_local! {
    /// The event of which it was said last.
    static SAID: Cell<Option<(Open, Failure)>> = const { Cell::new(None) };
}

/// Says that the event failed. It is ended next.
#[cold]
pub(super) fn say(event: Open, failure: Failure) {
    SAID.set(Some((event, failure)));
}

/// What was said of the event, if it has failed.
pub(super) fn take(event: Open) -> Option<Failure> {
    SAID.take().filter(|(said_of, _)| *said_of == event).map(|(_, failure)| failure)
}

impl Failure {
    /// With the error, if it has a message.
    pub(super) fn new(errno: i32, sqlstate: &str, message: Option<&str>) -> Self {
        let text = |message| Text { errno, sqlstate: cut(sqlstate), message: cut(message) };
        message.map_or(Self::Counted, |message| Self::Shown(text(message)))
    }

    /// The error, if a row shows it.
    pub(super) fn shown(&self) -> Option<Failed<'_>> {
        let Self::Shown(Text { errno, sqlstate, message }) = self else { return None };
        let shown = |bytes| core::str::from_utf8(bytes).unwrap_or_default();
        Some(Failed {
            errno: *errno,
            sqlstate: shown(&sqlstate.0[..sqlstate.1]),
            message: shown(&message.0[..message.1]),
        })
    }
}

fn cut<const ROOM: usize>(text: &str) -> ([u8; ROOM], usize) {
    let kept = text.floor_char_boundary(ROOM);
    let mut bytes = [0; ROOM];
    bytes[..kept].copy_from_slice(&text.as_bytes()[..kept]);
    (bytes, kept)
}
