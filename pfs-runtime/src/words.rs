//! Text in words that several threads look at: how it is cut, stored and read. Who keeps a reader from seeing half of a
//! change is not known here.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many of the first `limit` bytes are whole characters.
pub(crate) fn boundary(text: &[u8], limit: usize) -> usize {
    if text.len() <= limit {
        return text.len();
    }
    // A byte of the form 10xxxxxx continues a character; what is no UTF-8 is cut at the limit.
    (0..=limit).rev().take(4).find(|at| text[*at] & 0xc0 != 0x80).unwrap_or(limit)
}

/// Stores a text in as many of the words as it takes.
pub(crate) fn write(words: &[AtomicU64], text: &[u8]) {
    let (whole, rest) = text.as_chunks();
    for (word, bytes) in words.iter().zip(whole) {
        word.store(u64::from_le_bytes(*bytes), Relaxed);
    }
    if let (Some(word), false) = (words.get(whole.len()), rest.is_empty()) {
        word.store(rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)), Relaxed);
    }
}

/// The text of so many bytes that the words hold; bytes that are no UTF-8 are shown as `�`.
pub(crate) fn read(words: &[AtomicU64], length: usize) -> String {
    String::from_utf8_lossy(&bytes(words, length)).into_owned()
}

/// Whether the words hold this text of so many bytes.
pub(crate) fn hold(words: &[AtomicU64], length: usize, text: &[u8]) -> bool {
    let differs = |(word, part): (&AtomicU64, &[u8])| !word.load(Relaxed).to_le_bytes().starts_with(part);
    length == text.len() && !words.iter().zip(text.chunks(8)).any(differs)
}

/// The text of so many bytes that the words hold, as bytes.
pub(crate) fn bytes(words: &[AtomicU64], length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length.min(words.len() * 8)];
    fill(&mut bytes, words);
    bytes
}

/// Copies a text out of the words, as many bytes as there is room for.
pub(crate) fn fill(room: &mut [u8], words: &[AtomicU64]) {
    for (bytes, word) in room.chunks_mut(8).zip(words) {
        bytes.copy_from_slice(&word.load(Relaxed).to_le_bytes()[..bytes.len()]);
    }
}

/// Copies words, as many as both have.
pub(crate) fn copy(from: &[AtomicU64], into: &[AtomicU64]) {
    for (from, into) in from.iter().zip(into) {
        into.store(from.load(Relaxed), Relaxed);
    }
}

/// A text as it is shown, at most `limit` bytes of it; where it was cut, it ends in dots.
pub(crate) fn shown(words: &[AtomicU64], length: usize, is_cut: bool, limit: usize) -> String {
    let mut text = read(words, length.min(words.len() * 8));
    // Bytes that are no UTF-8 are shown by a character that is longer.
    let shown = text.floor_char_boundary(limit);
    if is_cut || shown < text.len() {
        text.truncate(shown);
        mark_cut(&mut text, limit);
    }
    text
}

/// Shows that a text was cut, within its `limit`: its last characters give way to dots, as in the reference.
fn mark_cut(text: &mut String, limit: usize) {
    const DOTS: &str = "...";
    let room = text.len().max(DOTS.len()).min(limit);
    if let Some(keep) = room.checked_sub(DOTS.len()) {
        text.truncate(text.floor_char_boundary(keep));
        text.push_str(DOTS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_stored_by_words() {
        let words: [AtomicU64; 4] = core::array::from_fn(|_| AtomicU64::new(u64::MAX));
        for text in ["", "a", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmnopqrstuvwxyz012345"] {
            write(&words, text.as_bytes());
            assert_eq!(bytes(&words, text.len()), text.as_bytes());
            assert!(hold(&words, text.len(), text.as_bytes()));
            assert!(!hold(&words, text.len() + 1, text.as_bytes()));
        }
    }

    #[test]
    fn text_is_cut_at_a_character() {
        assert_eq!(boundary("abc".as_bytes(), 3), 3);
        assert_eq!(boundary("abcd".as_bytes(), 3), 3);
        assert_eq!(boundary("aé€".as_bytes(), 2), 1);
        assert_eq!(boundary("aé€".as_bytes(), 5), 3);
        assert_eq!(boundary(&[0x80; 9], 6), 6);
    }

    #[test]
    fn a_text_is_told_from_one_that_differs_anywhere() {
        let words: [AtomicU64; 2] = core::array::from_fn(|_| AtomicU64::new(0));
        write(&words, b"abcdefghij");
        assert!(hold(&words, 10, b"abcdefghij"));
        for other in [&b"abcdefghiJ"[..], b"Abcdefghij", b"abcdefghi", b"abcdefghijk"] {
            assert!(!hold(&words, 10, other));
        }
    }

    #[test]
    fn a_cut_text_keeps_its_length_and_ends_in_dots() {
        let cut = |text: &str, limit| {
            let mut text = text.to_owned();
            mark_cut(&mut text, limit);
            text
        };
        assert_eq!(cut("abcdefgh", 8), "abcde...");
        assert_eq!(cut("abcdefé", 8), "abcde...");
        assert_eq!(cut("é", 5), "...");
        assert_eq!(cut("ab", 2), "ab");
    }
}
