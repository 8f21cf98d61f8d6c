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

fn bytes(words: &[AtomicU64], length: usize) -> Vec<u8> {
    let words = words.iter().take(length.div_ceil(8));
    let mut bytes: Vec<u8> = words.flat_map(|word| word.load(Relaxed).to_le_bytes()).collect();
    bytes.truncate(length);
    bytes
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
}
