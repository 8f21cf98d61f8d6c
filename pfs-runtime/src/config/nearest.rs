//! What somebody may have meant who wrote a name that there is not.

/// The name nearest to what was written, ignoring case, if it is near enough to be meant.
pub(super) fn nearest<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    let distances = names.into_iter().map(|name| (distance(&written, &name.to_lowercase()), name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= 2.max(written.len() / 3)).then_some(name)
}

/// How many characters have to be added, left out or replaced to make one of the other (Levenshtein's distance).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    // Distances of what was read of `from` to each beginning of `to`.
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (read, character) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = read + 1;
        for (at, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(character != *other);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(diagonal + 1).min(row[at] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (from, to, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("mutex", "mutxe", 2),
            ("é", "e", 1),
        ] {
            assert_eq!(distance(from, to), expected, "{from} {to}");
            assert_eq!(distance(to, from), expected, "{to} {from}");
        }
    }

    #[test]
    fn the_nearest_is_meant_if_it_is_near() {
        let names = ["max_mutex_instances", "max_rwlock_instances", "statement_text"];
        assert_eq!(nearest("max_mutex_instance", names), Some("max_mutex_instances"));
        assert_eq!(nearest("MAX_RWLOCK", names), None);
        assert_eq!(nearest("MAX_RWLOCKS_INSTANCES", names), Some("max_rwlock_instances"));
        assert_eq!(nearest("text", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("x", []), None);
    }
}
