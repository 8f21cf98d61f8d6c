//! Commands as Redis and memcached have them: a word, then arguments. Which commands there are is not known here.

use super::{Language, Tokens};
use core::fmt;

/// Commands: a word and its arguments, separated by blanks or sent as a RESP array. The word is shown in capital letters,
/// of the arguments only that there is one (`?`) or more (`?, ...`). Words that begin a family (`CONFIG GET`, `CLIENT LIST`)
/// show the second word, too.
///
/// Cost: reads the command and counts the arguments, some nanoseconds a byte of the command.
///
/// ```
/// use pfs_runtime::digest::{self, Commands};
///
/// static REDIS: Commands = Commands::new(&["CLIENT", "CONFIG"]);
///
/// let shown = |command| digest::text(&REDIS, command).unwrap();
/// assert_eq!(shown("get user:17"), "GET ? ");
/// assert_eq!(shown("MSET a 1 b 2"), "MSET ?, ... ");
/// assert_eq!(shown("config get maxmemory"), "CONFIG GET ? ");
/// assert_eq!(shown("*2\r\n$3\r\nGET\r\n$7\r\nuser:17\r\n"), "GET ? ");
/// assert_eq!(digest::text(&REDIS, " "), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Commands {
    families: &'static [&'static str],
}

impl Commands {
    /// Commands of which these begin a family, whatever their case.
    pub const fn new(families: &'static [&'static str]) -> Self {
        Self { families }
    }

    fn has_second_word(&self, word: &[u8]) -> bool {
        self.families.iter().any(|family| family.as_bytes().eq_ignore_ascii_case(word))
    }
}

/// The longest word that is shown; a longer one is no command, and is shown as a value.
const LONGEST: usize = 32;

fn push(tokens: &mut Tokens<'_>, word: &[u8]) {
    let mut letters = [0; LONGEST];
    match letters.get_mut(..word.len()) {
        // What is no word may be data that a broken client sent in its place.
        Some(letters) if word.iter().all(u8::is_ascii_graphic) => {
            letters.copy_from_slice(word);
            letters.make_ascii_uppercase();
            tokens.name(letters);
        }
        _ => tokens.value(),
    }
}

impl Language for Commands {
    fn tokens(&self, text: &[u8], tokens: &mut Tokens<'_>) -> bool {
        let mut words = Words { rest: text, array: text.first() == Some(&b'*') };
        if words.array {
            words.line();
        }
        let Some(word) = words.next() else { return false };
        push(tokens, word);
        if self.has_second_word(word)
            && let Some(second) = words.next()
        {
            push(tokens, second);
        }
        for _ in words.by_ref().take(2) {
            if tokens.last().is_some() {
                tokens.push(super::Token::COMMA);
            }
            tokens.value();
        }
        true
    }

    fn word(&self, _: usize, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// The words of a command, as far as it was received.
struct Words<'t> {
    rest: &'t [u8],
    /// Sent as `$3`, a line's end, and so many bytes.
    array: bool,
}

impl<'t> Words<'t> {
    fn line(&mut self) -> &'t [u8] {
        let end = self.rest.iter().position(|byte| *byte == b'\n').unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        line.strip_suffix(b"\r").unwrap_or(line)
    }
}

impl<'t> Iterator for Words<'t> {
    type Item = &'t [u8];

    fn next(&mut self) -> Option<&'t [u8]> {
        if self.array {
            let length = self.line().strip_prefix(b"$")?;
            let length = str::from_utf8(length).ok()?.parse().ok()?;
            let (word, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, &[]));
            self.rest = rest;
            self.line();
            return Some(word);
        }
        self.rest = self.rest.trim_ascii_start();
        let end = self.rest.iter().position(u8::is_ascii_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::super::text;
    use super::*;

    static REDIS: Commands = Commands::new(&["CONFIG"]);

    fn shown(command: &str) -> Option<String> {
        text(&REDIS, command)
    }

    #[test]
    fn a_command_is_its_word_and_whether_it_has_arguments() {
        for (command, digest) in [
            ("PING", "PING "),
            ("  get  a ", "GET ? "),
            ("set a 1", "SET ?, ... "),
            ("set a 1 ex 10\r\n", "SET ?, ... "),
            ("config get a", "CONFIG GET ? "),
            ("CONFIG resetstat", "CONFIG RESETSTAT "),
            ("config", "CONFIG "),
            ("*1\r\n$4\r\nping\r\n", "PING "),
            ("*3\r\n$3\r\nset\r\n$1\r\na\r\n$3\r\n\r\n1\r\n", "SET ?, ... "),
            ("*3\r\n$6\r\nconfig\r\n$3\r\nget\r\n$1\r\na\r\n", "CONFIG GET ? "),
            ("*2\n$3\nget\n$1\na\n", "GET ? "),
        ] {
            assert_eq!(shown(command).as_deref(), Some(digest), "{command:?}");
        }
    }

    #[test]
    fn what_is_no_command_has_no_digest_and_shows_no_data() {
        for nothing in [
            "",
            "   ",
            "\r\n",
            "*0\r\n",
            "*1\r\n",
            "*1\r\n3\r\nget\r\n",
            "*1\r\n$x\r\nget\r\n",
            "*1\r\n$-1\r\n",
        ] {
            assert_eq!(shown(nothing), None, "{nothing:?}");
        }
        assert_eq!(shown(&"x".repeat(33)).as_deref(), Some("? "));
        assert_eq!(shown("sécret a").as_deref(), Some("?, ... "));
        // Cut in the middle of a word.
        assert_eq!(shown("*2\r\n$3\r\nget\r\n$7\r\nuse").as_deref(), Some("GET ? "));
        assert_eq!(shown("*2\r\n$3\r\nge").as_deref(), Some("GE "));
    }
}
