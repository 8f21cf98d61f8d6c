//! A message of bounded length, written without allocating.

use crate::model::MESSAGE_WORDS;
use core::fmt::{self, Write};

const ROOM: usize = MESSAGE_WORDS * 8;

/// As much of a message as an error's row holds, cut at a character.
#[derive(Debug)]
pub(super) struct Message {
    bytes: [u8; ROOM],
    length: usize,
}

impl Default for Message {
    fn default() -> Self {
        Self { bytes: [0; ROOM], length: 0 }
    }
}

impl Message {
    /// Formats `arguments`; what does not fit is dropped, and so is the rest after an error of the user's code.
    pub(super) fn of(arguments: fmt::Arguments<'_>) -> Self {
        let mut message = Self::default();
        let _ = message.write_fmt(arguments);
        message
    }

    pub(super) fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = ROOM - self.length;
        let kept = text.floor_char_boundary(room);
        self.bytes[self.length..self.length + kept].copy_from_slice(&text.as_bytes()[..kept]);
        self.length += kept;
        // An error ends the formatting: nothing after it could be shown.
        if kept < text.len() { Err(fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_cut_at_a_character() {
        let message = Message::of(format_args!("{}{}", "a".repeat(127), "é and more"));
        assert_eq!(message.as_str(), "a".repeat(127));
    }
}
