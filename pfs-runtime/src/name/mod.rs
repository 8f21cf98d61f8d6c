//! The names of instruments: which ones are allowed, how they are put together at compile time, and the two pattern
//! dialects that select them. What a prefix stands for is the business of [`class`](mod@crate::class), not of this
//! module.
//!
//! A name is a path of parts, such as `wait/synch/mutex/kv/LOCK_index`. Names are checked and concatenated in
//! `const` context, so a bad one is an error of the build and costs nothing at run time.

pub mod pattern;

use core::fmt;

/// The most characters a full name may have, prefix included.
pub const MAX_LENGTH: usize = 128;

/// Why a name is refused, and where.
///
/// Everything before the place of an error is ASCII, so `position` counts characters and bytes alike, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// There is nothing to call the instrument by.
    Empty,
    /// A `/` at the beginning, at the end, or right after another one.
    EmptyPart {
        /// Where the part should have begun.
        position: usize,
    },
    /// A character that names do not have.
    Character {
        /// Where it stands.
        position: usize,
        /// The first offending character.
        character: char,
    },
    /// More than [`MAX_LENGTH`] characters.
    TooLong {
        /// How many it has.
        length: usize,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str(self.reason()),
            Self::EmptyPart { position } => write!(
                f,
                "an instrument name has an empty part at offset {position}; put text on both sides of each `/`"
            ),
            Self::Character { position, character } => write!(
                f,
                "an instrument name has {character:?} at offset {position}; allowed are ASCII letters, digits, \
                 `_` `:` `.` `-`, the space, and `/` between parts"
            ),
            Self::TooLong { length } => {
                write!(
                    f,
                    "an instrument name has {length} characters; allowed are {MAX_LENGTH}, prefix included"
                )
            }
        }
    }
}

impl core::error::Error for NameError {}

impl NameError {
    /// The message without place and character, for a panic in `const` context, which cannot format.
    pub const fn reason(&self) -> &'static str {
        match self {
            NameError::Empty => {
                "an instrument name is empty; write parts separated by `/`, such as `kv/LOCK_index`"
            }
            NameError::EmptyPart { .. } => {
                "an instrument name has an empty part; put text on both sides of each `/`"
            }
            NameError::Character { .. } => {
                "an instrument name has a character that is not allowed; allowed are ASCII letters, digits, \
                 `_` `:` `.` `-`, the space, and `/` between parts"
            }
            NameError::TooLong { .. } => {
                "an instrument name is too long; allowed are 128 characters, prefix included"
            }
        }
    }
}

/// Checks a name: a full one, or the tail that a user writes before a prefix is put in front of it.
///
/// Of several mistakes the first from the left is reported, and a length only where there is no other.
///
/// # Errors
///
/// A [`NameError`] that says what is wrong and where.
///
/// ```
/// use pfs_runtime::name::{NameError, check};
///
/// const OK: Result<(), NameError> = check("kv/LOCK_index");
/// assert_eq!(OK, Ok(()));
/// assert_eq!(check("kv/"), Err(NameError::EmptyPart { position: 3 }));
/// assert_eq!(check("kv/a*b"), Err(NameError::Character { position: 4, character: '*' }));
/// ```
pub const fn check(name: &str) -> Result<(), NameError> {
    let bytes = name.as_bytes();
    if bytes.is_empty() {
        return Err(NameError::Empty);
    }
    let mut in_part = false;
    let mut position = 0;
    while position < bytes.len() {
        match bytes[position] {
            b'/' if !in_part => return Err(NameError::EmptyPart { position }),
            b'/' => in_part = false,
            byte if in_parts(byte) => in_part = true,
            _ => return Err(NameError::Character { position, character: char_at(bytes, position) }),
        }
        position += 1;
    }
    if !in_part {
        return Err(NameError::EmptyPart { position });
    }
    if bytes.len() > MAX_LENGTH {
        return Err(NameError::TooLong { length: bytes.len() });
    }
    Ok(())
}

/// Whether a byte stands in the parts of names, between the slashes.
const fn in_parts(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b':' | b'.' | b'-' | b' ')
}

/// Whether a character stands in names at all.
pub(crate) fn in_names(character: char) -> bool {
    character == '/' || u8::try_from(character).is_ok_and(in_parts)
}

/// The name itself, for use in a `const`: a bad name stops the build with [`NameError::reason`].
///
/// # Panics
///
/// If [`check`] refuses the name; in `const` context that is a compile error.
///
/// ```
/// const NAME: &str = pfs_runtime::name::checked("wait/synch/mutex/kv/LOCK_index");
/// assert_eq!(NAME, "wait/synch/mutex/kv/LOCK_index");
/// ```
///
/// ```compile_fail
/// const NAME: &str = pfs_runtime::name::checked("wait//kv");
/// # fn main() { println!("{NAME}") }
/// ```
pub const fn checked(name: &str) -> &str {
    match check(name) {
        Ok(()) => name,
        Err(error) => panic!("{}", error.reason()),
    }
}

/// The component that an instrument belongs to where none is written: the first segment of a `module_path!()`,
/// which is the name of the crate.
///
/// ```
/// use pfs_runtime::name::component;
///
/// const COMPONENT: &str = component("kv::store::shard");
/// assert_eq!(COMPONENT, "kv");
/// assert_eq!(component("kv"), "kv");
/// assert_eq!(component("r#try::parse"), "try", "a crate named by a keyword");
/// ```
pub const fn component(module_path: &str) -> &str {
    let bytes = module_path.as_bytes();
    let start = match bytes {
        [b'r', b'#', ..] => 2,
        _ => 0,
    };
    let mut end = start;
    while end < bytes.len() && bytes[end] != b':' {
        end += 1;
    }
    // `:` and `#` are ASCII, so both lie on character boundaries.
    module_path.split_at(end).0.split_at(start).1
}

/// How many bytes [`concat()`] of the same parts needs.
pub const fn concat_len(parts: &[&str]) -> usize {
    let mut len = 0;
    let mut part = 0;
    while part < parts.len() {
        len += parts[part].len();
        part += 1;
    }
    len
}

/// The parts one after the other, at compile time: what `concat!` does for literals, for any constant.
///
/// # Panics
///
/// If `N` is not [`concat_len`] of the same parts.
///
/// ```
/// use pfs_runtime::name::{component, concat, concat_len, text};
///
/// const PARTS: &[&str] = &["wait/synch/mutex/", component("kv::store"), "/", "LOCK_index"];
/// const BYTES: [u8; concat_len(PARTS)] = concat(PARTS);
/// const NAME: &str = text(&BYTES);
/// assert_eq!(NAME, "wait/synch/mutex/kv/LOCK_index");
/// ```
pub const fn concat<const N: usize>(parts: &[&str]) -> [u8; N] {
    assert!(concat_len(parts) == N, "`N` is the sum of the lengths of the parts");
    let mut joined = [0; N];
    let mut end = 0;
    let mut part = 0;
    while part < parts.len() {
        let bytes = parts[part].as_bytes();
        let mut byte = 0;
        while byte < bytes.len() {
            joined[end] = bytes[byte];
            end += 1;
            byte += 1;
        }
        part += 1;
    }
    joined
}

/// The bytes of [`concat()`] as text.
///
/// # Panics
///
/// If they are not UTF-8, which the result of [`concat()`] always is.
pub const fn text(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("a concatenation of strings is UTF-8"),
    }
}

/// The character that begins at `position`, which must be the boundary of one; `str::chars` is not `const`.
const fn char_at(bytes: &[u8], position: usize) -> char {
    let first = bytes[position] as u32;
    let (mut code, length) = match first {
        0x00..0x80 => (first, 1),
        0x80..0xE0 => (first & 0x1F, 2),
        0xE0..0xF0 => (first & 0x0F, 3),
        _ => (first & 0x07, 4),
    };
    let mut next = 1;
    while next < length {
        code = code << 6 | (bytes[position + next] as u32 & 0x3F);
        next += 1;
    }
    match char::from_u32(code) {
        Some(character) => character,
        None => char::REPLACEMENT_CHARACTER,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WIDEST: [u8; MAX_LENGTH] = [b'x'; MAX_LENGTH];
    const TOO_WIDE: [u8; MAX_LENGTH + 1] = [b'x'; MAX_LENGTH + 1];

    #[test]
    fn names_of_every_allowed_character_pass() {
        for name in
            ["a", "idle", "wait/synch/mutex/kv/LOCK_index", "kv/Shard::map", "0/1", "a b/c-d.e_f:g", " "]
        {
            assert_eq!(check(name), Ok(()), "{name:?}");
        }
        assert_eq!(check(text(&WIDEST)), Ok(()));
    }

    #[test]
    fn a_mistake_is_reported_with_its_place() {
        let at = |position| Err(NameError::EmptyPart { position });
        let is = |position, character| Err(NameError::Character { position, character });
        assert_eq!(check(""), Err(NameError::Empty));
        assert_eq!(check("/"), at(0));
        assert_eq!(check("/a"), at(0));
        assert_eq!(check("a/"), at(2));
        assert_eq!(check("a//b"), at(2));
        assert_eq!(check("a\\b"), is(1, '\\'));
        assert_eq!(check("a\0"), is(1, '\0'));
        assert_eq!(check("%/a"), is(0, '%'));
        assert_eq!(check("\u{e9}t\u{e9}"), is(0, 'é'));
        assert_eq!(check("a/\u{7ff}"), is(2, '\u{7ff}'));
        assert_eq!(check("a/\u{2192}"), is(2, '→'));
        assert_eq!(check("a/\u{ffff}"), is(2, '\u{ffff}'));
        assert_eq!(check("a\u{1f600}"), is(1, '\u{1f600}'));
        assert_eq!(check("a\u{10ffff}"), is(1, '\u{10ffff}'));
        assert_eq!(check(text(&TOO_WIDE)), Err(NameError::TooLong { length: 129 }));
    }

    #[test]
    fn the_first_mistake_wins_over_length() {
        let name = format!("{}*", text(&TOO_WIDE));
        assert_eq!(check(&name), Err(NameError::Character { position: 129, character: '*' }));
    }

    #[test]
    fn messages_say_what_is_allowed() {
        assert_eq!(
            check("a*").unwrap_err().to_string(),
            "an instrument name has '*' at offset 1; allowed are ASCII letters, digits, `_` `:` `.` `-`, the space, \
             and `/` between parts"
        );
        assert_eq!(
            check(text(&TOO_WIDE)).unwrap_err().to_string(),
            "an instrument name has 129 characters; allowed are 128, prefix included"
        );
        assert_eq!(
            check("a//b").unwrap_err().to_string(),
            "an instrument name has an empty part at offset 2; put text on both sides of each `/`"
        );
        assert_eq!(
            check("").unwrap_err().to_string(),
            "an instrument name is empty; write parts separated by `/`, such as `kv/LOCK_index`"
        );
    }

    #[test]
    fn the_component_is_the_first_segment() {
        assert_eq!(component("kv"), "kv");
        assert_eq!(component("kv::store"), "kv");
        assert_eq!(component(""), "");
        assert_eq!(component("größe::x"), "größe");
    }

    #[test]
    fn parts_are_joined_at_compile_time() {
        const PARTS: &[&str] = &["stage/", component("kv::store"), "/", "", "écrit"];
        const NAME: &str = text(&concat::<{ concat_len(PARTS) }>(PARTS));
        assert_eq!(NAME, "stage/kv/écrit");
        assert_eq!(concat_len(&[]), 0);
        assert_eq!(concat::<0>(&[]), [0_u8; 0]);
    }

    proptest! {
        #[test]
        fn any_text_is_a_name_or_has_a_mistake_at_a_character(name: String) {
            let allowed = |c: char| c.is_ascii_alphanumeric() || "_:.- /".contains(c);
            match check(&name) {
                Ok(()) => prop_assert!(name.chars().all(allowed) && name.split('/').all(|part| !part.is_empty())),
                Err(NameError::Character { position, character }) => {
                    prop_assert_eq!(name.chars().nth(position), Some(character));
                    prop_assert!(!allowed(character) && name.chars().take(position).all(allowed));
                }
                Err(NameError::EmptyPart { position }) => {
                    prop_assert!(matches!(name[position..].chars().next(), None | Some('/')));
                    prop_assert!(position == 0 || name[..position].ends_with('/'));
                }
                Err(NameError::TooLong { length }) => prop_assert!(length == name.len() && length > MAX_LENGTH),
                Err(NameError::Empty) => prop_assert_eq!(name, ""),
            }
        }

        #[test]
        fn parts_of_allowed_characters_are_a_name(parts in prop::collection::vec("[a-zA-Z0-9_:. -]{1,12}", 1..9)) {
            prop_assert_eq!(check(&parts.join("/")), Ok(()));
        }
    }
}
