//! Inline requests: a line cut into words the way a shell would, with `"…"`, `'…'` and back-slash escapes.

use std::ops::Range;

/// Appends the words of `line` to `unquoted` and their places to `words`. False if a quote is left open or a
/// closing quote runs straight into the next word.
pub(super) fn split(line: &[u8], unquoted: &mut Vec<u8>, words: &mut Vec<Range<usize>>) -> bool {
    let mut rest = line.trim_ascii_start();
    while !rest.is_empty() {
        let from = unquoted.len();
        let Some(after) = word(rest, unquoted) else { return false };
        words.push(from..unquoted.len());
        rest = after.trim_ascii_start();
    }
    true
}

/// Appends the word that `rest` begins with; what follows it is returned.
fn word<'a>(mut rest: &'a [u8], unquoted: &mut Vec<u8>) -> Option<&'a [u8]> {
    while let [first, after @ ..] = rest {
        match first {
            b' ' | b'\t' | b'\r' | b'\n' | b'\x0c' => break,
            b'"' => return closed(double_quoted(after, unquoted)?),
            b'\'' => return closed(single_quoted(after, unquoted)?),
            &byte => unquoted.push(byte),
        }
        rest = after;
    }
    Some(rest)
}

/// A closing quote ends its word.
fn closed(rest: &[u8]) -> Option<&[u8]> {
    rest.first().is_none_or(u8::is_ascii_whitespace).then_some(rest)
}

fn double_quoted<'a>(mut rest: &'a [u8], unquoted: &mut Vec<u8>) -> Option<&'a [u8]> {
    loop {
        rest = match rest {
            [] => return None,
            [b'"', after @ ..] => return Some(after),
            [b'\\', b'x', high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                unquoted.push(nibble(*high) << 4 | nibble(*low));
                after
            }
            [b'\\', escaped, after @ ..] => {
                unquoted.push(match escaped {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'b' => b'\x08',
                    b'a' => b'\x07',
                    &other => other,
                });
                after
            }
            [byte, after @ ..] => {
                unquoted.push(*byte);
                after
            }
        }
    }
}

fn single_quoted<'a>(mut rest: &'a [u8], unquoted: &mut Vec<u8>) -> Option<&'a [u8]> {
    loop {
        rest = match rest {
            [] => return None,
            [b'\'', after @ ..] => return Some(after),
            [b'\\', b'\'', after @ ..] => {
                unquoted.push(b'\'');
                after
            }
            [byte, after @ ..] => {
                unquoted.push(*byte);
                after
            }
        }
    }
}

/// The value of a hexadecimal digit.
fn nibble(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &[u8]) -> Option<Vec<Vec<u8>>> {
        let (mut unquoted, mut places) = (Vec::new(), Vec::new());
        split(line, &mut unquoted, &mut places)
            .then(|| places.into_iter().map(|place| unquoted[place].to_vec()).collect())
    }

    #[test]
    fn words_quotes_and_escapes() {
        assert_eq!(words(b"").unwrap(), Vec::<Vec<u8>>::new());
        assert_eq!(words(b"  \t ").unwrap(), Vec::<Vec<u8>>::new());
        assert_eq!(words(b" set  k\tv ").unwrap(), [b"set", b"k".as_slice(), b"v"]);
        assert_eq!(
            words(br#"e "a b" "" '' 'it\'s' "\x41\n\"\q""#).unwrap(),
            [b"e".as_slice(), b"a b", b"", b"", b"it's", b"A\n\"q"]
        );
        assert_eq!(words(br#""\xZ1""#).unwrap(), [b"xZ1"]);
    }

    #[test]
    fn open_quotes() {
        for line in [br#"a "b"#.as_slice(), b"a 'b", br#""a"b"#, b"'a'b", br#""a\""#] {
            assert_eq!(words(line), None, "{}", line.escape_ascii());
        }
    }
}
