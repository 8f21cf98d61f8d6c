//! The two pattern dialects that select instruments by name: [`Startup`] of configuration, [`Like`] of SQL.
//!
//! Both are parsed once and matched in time proportional to pattern times text at worst, without recursion and
//! without allocation.

use super::in_names;
use core::fmt;

/// Why a pattern is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// Nothing is written where a pattern is wanted.
    Empty,
    /// The pattern ends in an escape with nothing after it.
    LoneEscape,
    /// The pattern of instruments has a character that is in no name.
    Character(char),
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the pattern is empty; write an instrument name, or `%` for all"),
            Self::LoneEscape => f.write_str(
                "the pattern ends in a `\\` that escapes nothing; write `\\\\` for the character itself",
            ),
            Self::Character(character) => write!(
                f,
                "`{}` is in no instrument's name; allowed are letters, digits, `_ : . -`, spaces and `/`, with `%` for \
                 any run of characters and `?` for one",
                character.escape_debug()
            ),
        }
    }
}

impl core::error::Error for PatternError {}

/// A pattern of the start-up configuration: `%` is any run of characters, `?` one character, `\` takes the character
/// after it literally. Case counts.
///
/// ```
/// use pfs_runtime::name::pattern::Startup;
///
/// let pattern = Startup::parse("wait/synch/mutex/%").unwrap();
/// assert!(pattern.matches("wait/synch/mutex/kv/LOCK_index"));
/// assert!(!pattern.matches("wait/synch/rwlock/kv/map"));
/// assert_eq!(pattern.len(), 18);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Startup {
    written: Box<str>,
    tokens: Box<[Token]>,
}

laid_out!(Startup { written, tokens });

impl Startup {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// [`PatternError::Empty`], or [`PatternError::LoneEscape`]: no name could match either.
    pub fn parse(pattern: &str) -> Result<Self, PatternError> {
        if pattern.is_empty() {
            return Err(PatternError::Empty);
        }
        let mut tokens = Vec::new();
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            tokens.push(match character {
                '%' => Token::Run,
                '?' => Token::One,
                '\\' => Token::Literal(characters.next().ok_or(PatternError::LoneEscape)?),
                literal => Token::Literal(literal),
            });
        }
        Ok(Startup { written: pattern.into(), tokens: tokens.into() })
    }

    /// Whether the whole of `name` matches.
    pub fn matches(&self, name: &str) -> bool {
        matches(&self.tokens, name, |literal, character| literal == character)
    }

    /// The first character that the pattern wants as it stands and that is in no instrument's name, so that it can match
    /// none.
    pub(crate) fn in_no_name(&self) -> Option<char> {
        self.tokens.iter().find_map(|token| match token {
            Token::Literal(character) if !in_names(*character) => Some(*character),
            _ => None,
        })
    }

    /// The characters of the pattern as written, wildcards and escapes included: of several patterns that match, the
    /// longest decides, and of equally long ones the last.
    #[expect(clippy::len_without_is_empty, reason = "an empty pattern is refused")]
    pub fn len(&self) -> usize {
        self.written.chars().count()
    }

    /// The pattern as written.
    pub fn as_str(&self) -> &str {
        &self.written
    }
}

/// As written.
impl fmt::Display for Startup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// A pattern of SQL's `LIKE`: `%` is any run of characters, `_` one character, `\` takes the character after it
/// literally (at the end of the pattern: itself). Case does not count, as in MySQL's default collation; accents do.
///
/// ```
/// use pfs_runtime::name::pattern::Like;
///
/// let pattern = Like::new("%lock\\_index");
/// assert!(pattern.matches("wait/synch/mutex/kv/LOCK_index"));
/// assert!(!pattern.matches("wait/synch/mutex/kv/LOCK-index"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Like {
    tokens: Box<[Token]>,
}

impl Like {
    /// A pattern with `\` as the escape character. Every text is one, also the empty, which matches the empty.
    pub fn new(pattern: &str) -> Self {
        Self::with_escape(pattern, Some('\\'))
    }

    /// A pattern with the escape character of an `ESCAPE` clause; `None` for `ESCAPE ''`: nothing is escaped.
    pub fn with_escape(pattern: &str, escape: Option<char>) -> Self {
        let mut tokens = Vec::new();
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            tokens.push(match character {
                // Before the wildcards, for an escape may be one of them.
                mark if Some(mark) == escape => Token::Literal(fold(characters.next().unwrap_or(mark))),
                '%' => Token::Run,
                '_' => Token::One,
                literal => Token::Literal(fold(literal)),
            });
        }
        Like { tokens: tokens.into() }
    }

    /// Whether the whole of `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        matches(&self.tokens, text, |literal, character| literal == fold(character))
    }
}

/// One step of a pattern. Literals of a [`Like`] are folded already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Literal(char),
    One,
    Run,
}

laid_out!(enum Token);

/// The lower case of a character, or itself where that is not a single character.
fn fold(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(folded), None) => folded,
        _ => character,
    }
}

/// Whether the whole of `text` matches.
///
/// A run first stands for nothing; on a mismatch the last one met is made a character longer. Earlier runs need no
/// second try: what the last one can be made to reach includes whatever a longer earlier one would leave to it.
fn matches(tokens: &[Token], text: &str, equal: impl Fn(char, char) -> bool) -> bool {
    let mut token = 0;
    let mut rest = text.chars();
    // The token after the last run, and the text that this run has not swallowed.
    let mut last_run = None;
    loop {
        if let Some(Token::Run) = tokens.get(token) {
            token += 1;
            last_run = Some((token, rest.clone()));
            continue;
        }
        let mut after = rest.clone();
        let character = after.next();
        let step = match (tokens.get(token), character) {
            (None, None) => return true,
            (Some(Token::One), Some(_)) => true,
            (Some(&Token::Literal(literal)), Some(character)) => equal(literal, character),
            _ => false,
        };
        if step {
            token += 1;
            rest = after;
            continue;
        }
        // With the text used up, a longer run leaves even less of it.
        let (Some((resume, unswallowed)), Some(_)) = (&mut last_run, character) else { return false };
        unswallowed.next();
        token = *resume;
        rest = unswallowed.clone();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn startup(pattern: &str, name: &str) -> bool {
        Startup::parse(pattern).unwrap().matches(name)
    }

    fn like(pattern: &str, text: &str) -> bool {
        Like::new(pattern).matches(text)
    }

    #[test]
    fn startup_wildcards() {
        assert!(startup("%", ""));
        assert!(startup("%", "wait/io"));
        assert!(startup("%%", "x"));
        assert!(startup("wait/%/kv/%", "wait/synch/mutex/kv/LOCK_index"));
        assert!(startup("%/kv/%", "stage/kv/kv/x"));
        assert!(startup("wait/?o/%", "wait/io/file"));
        assert!(startup("%ab", "aab"));
        assert!(startup("%a%b", "xaxab"));
        assert!(startup("é?", "éü"));
        assert!(!startup("?", ""));
        assert!(!startup("wait", "wait/io"));
        assert!(!startup("wait/io", "wait"));
        assert!(!startup("%ab", "aba"));
        assert!(!startup("a%b%c", "acb"));
    }

    #[test]
    fn startup_counts_case_and_takes_underscore_literally() {
        assert!(!startup("WAIT/%", "wait/io"));
        assert!(startup("LOCK_index", "LOCK_index"));
        assert!(!startup("LOCK_index", "LOCK-index"));
    }

    #[test]
    fn startup_escapes() {
        assert!(startup(r"a\%", "a%"));
        assert!(!startup(r"a\%", "ab"));
        assert!(startup(r"a\?", "a?"));
        assert!(!startup(r"a\?", "ab"));
        assert!(startup(r"a\\b", r"a\b"));
        assert!(startup(r"a\b", "ab"));
    }

    #[test]
    fn startup_refuses_what_cannot_match() {
        assert_eq!(Startup::parse(""), Err(PatternError::Empty));
        assert_eq!(Startup::parse(r"wait\"), Err(PatternError::LoneEscape));
        assert_eq!(
            PatternError::LoneEscape.to_string(),
            r"the pattern ends in a `\` that escapes nothing; write `\\` for the character itself"
        );
    }

    #[test]
    fn startup_length_is_in_characters_as_written() {
        assert_eq!(Startup::parse("wait/%").unwrap().len(), 6);
        assert_eq!(Startup::parse(r"a\%é").unwrap().len(), 4);
        assert_eq!(Startup::parse(r"a\%é").unwrap().to_string(), r"a\%é");
    }

    #[test]
    fn like_wildcards() {
        assert!(like("", ""));
        assert!(!like("", "a"));
        assert!(like("%", ""));
        assert!(like("a_c", "abc"));
        assert!(!like("a_c", "ac"));
        assert!(!like("a?c", "abc"));
        assert!(like("%lock%", "LOCK_index"));
        assert!(like("WAIT/%", "wait/io"));
        assert!(like("ÉTÉ", "été"));
        assert!(!like("ete", "été"));
    }

    #[test]
    fn like_escapes() {
        assert!(like(r"100\%", "100%"));
        assert!(!like(r"100\%", "1000"));
        assert!(like(r"a\_b", "a_b"));
        assert!(!like(r"a\_b", "axb"));
        assert!(like(r"a\", r"a\"));
        assert!(Like::with_escape("a|%", Some('|')).matches("a%"));
        assert!(!Like::with_escape("a|%", Some('|')).matches("a|b"));
        assert!(Like::with_escape("a%%", Some('%')).matches("a%"));
        assert!(!Like::with_escape("a%%", Some('%')).matches("ab"));
        assert!(Like::with_escape(r"a\%", None).matches(r"a\b"));
    }

    #[test]
    fn a_pattern_of_runs_does_not_explode() {
        let pattern = "%a".repeat(60) + "%b";
        let text = "a".repeat(4000);
        assert!(!startup(&pattern, &text));
        assert!(startup(&pattern, &(text + "b")));
    }

    /// What the patterns mean, by trying every length of every run.
    fn naive(tokens: &[Token], text: &[char]) -> bool {
        match (tokens, text) {
            ([], text) => text.is_empty(),
            ([Token::Run, after @ ..], text) => (0..=text.len()).any(|run| naive(after, &text[run..])),
            ([Token::One, after @ ..], [_, rest @ ..]) => naive(after, rest),
            (&[Token::Literal(literal), ref after @ ..], &[character, ref rest @ ..]) => {
                literal == character && naive(after, rest)
            }
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn matches_what_the_pattern_means(pattern in r"[ab/%?é]{1,9}", text in "[ab/é]{0,12}") {
            let pattern = Startup::parse(&pattern).unwrap();
            let characters: Vec<char> = text.chars().collect();
            prop_assert_eq!(pattern.matches(&text), naive(&pattern.tokens, &characters));
        }

        #[test]
        fn any_text_parses_and_matches_itself_escaped(text in r"[a-zé%_?\\/]{1,20}") {
            let escaped: String = text.chars().flat_map(|character| ['\\', character]).collect();
            prop_assert!(Startup::parse(&escaped).unwrap().matches(&text));
            prop_assert!(Like::new(&escaped).matches(&text.to_uppercase()));
            let _ = Like::new(&text).matches(&text);
        }
    }
}
