//! The two hashes of a digest: the one that finds its row, and the one that is shown.

use core::fmt::{self, Display, Write};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3;

/// A hash of the tokens in a schema, by which the row is found. Two statements of one hash are one digest; XXH3 spreads
/// over 128 bits, so that this does not happen by chance.
pub(super) fn of(schema: Option<&[u8]>, tokens: &[u8]) -> [u64; 2] {
    let seed = schema.map_or(0, |name| xxh3::xxh3_64_with_seed(name, 1));
    let hash = xxh3::xxh3_128_with_seed(tokens, seed);
    #[expect(clippy::cast_possible_truncation, reason = "each half is cut out")]
    [hash as u64, (hash >> 64) as u64]
}

/// The SHA-256 of a text, which is not put together for it.
pub(super) fn sha256(text: &impl Display) -> [u8; 32] {
    struct Hashed(Sha256);

    impl Write for Hashed {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            self.0.update(part);
            Ok(())
        }
    }

    let mut hashed = Hashed(Sha256::new());
    // A language that does not show a word of its own is hashed as far as it shows.
    let _ = write!(hashed, "{text}");
    hashed.0.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shown_hash_is_that_of_the_text() {
        let hash = sha256(&"abc");
        let words: Vec<_> = hash.as_chunks().0.iter().map(|word| u64::from_be_bytes(*word)).collect();
        assert_eq!(
            words,
            [0xba78_16bf_8f01_cfea, 0x4141_40de_5dae_2223, 0xb003_61a3_9617_7a9c, 0xb410_ff61_f200_15ad]
        );
    }

    #[test]
    fn a_schema_is_part_of_what_is_found() {
        let hashes =
            [of(None, b"a"), of(Some(b""), b"a"), of(Some(b"a"), b"a"), of(Some(b"b"), b"a"), of(None, b"b")];
        for (at, hash) in hashes.iter().enumerate() {
            assert!(!hashes[at + 1..].contains(hash));
        }
        assert_eq!(of(Some(b"a"), b"a"), hashes[2]);
    }
}
