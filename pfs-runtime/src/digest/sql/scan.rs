//! From the text to its tokens, a byte at a time and once. Which words there are is not known here.

use super::super::{Token, Tokens};
use super::words::{self, LONGEST, token};

const AND: Token = token("&&");
const ASSIGN: Token = token(":=");
const AT: Token = token("@");
const CHARSET: Token = token("(_charset)");
const DOT: Token = token(".");
const EQUAL: Token = token("=");
const MINUS: Token = token("-");
const NOT: Token = token("NOT");
const NULL: Token = token("NULL");
const PLUS: Token = token("+");
const SEMICOLON: Token = token(";");

/// Tokens after which an expression begins, as far as the server flags them: a sign between one of these and a number
/// belongs to the number.
const BEFORE_SIGN: &[Token] = &[
    Token::OPEN,
    Token::COMMA,
    PLUS,
    MINUS,
    AND,
    NOT,
    token("SELECT"),
    token("AND"),
    token("OR"),
    token("XOR"),
    token("BETWEEN"),
    token("LIKE"),
    token("RLIKE"),
    token("|"),
    token("&"),
    token("<<"),
    token(">>"),
    token("*"),
    token("/"),
    token("%"),
    token("^"),
    token("DIV"),
    token("MOD"),
    token("INTERVAL"),
    token("DEFAULT"),
    token("CASE"),
    token("WHEN"),
    token("IF"),
    token("ELSEIF"),
    token("RETURN"),
    token("EVERY"),
    token("AT"),
    token("STARTS"),
    token("ENDS"),
    token("UNTIL"),
    token("WHILE"),
];

/// Tokens after which a `NULL` is a literal, besides those above and a `NOT` that follows one.
const BEFORE_NULL: &[Token] = &[
    EQUAL,
    ASSIGN,
    token("<"),
    token("<="),
    token("!="),
    token(">"),
    token(">="),
    token("<=>"),
    token("!"),
    token("~"),
    token("ALL"),
    token("BINARY"),
    token("BY"),
    token("DISTINCTROW"),
    token("DO"),
    token("ELSE"),
    token("HAVING"),
    token("ON"),
    token("THEN"),
    token("WHERE"),
];

/// The release whose `/*!12345 … */` are read.
const RELEASE: u32 = 50_624;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    /// Begins or continues a name; so do bytes beyond ASCII.
    Letter,
    Digit,
    Quote,
    Other,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "it is below 256")]
        let class = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'\'' | b'"' => Class::Quote,
            _ => Class::Other,
        };
        classes[byte] = class;
        byte += 1;
    }
    classes
};

fn in_name(byte: u8) -> bool {
    matches!(CLASSES[usize::from(byte)], Class::Letter | Class::Digit)
}

/// The text breaks off in the middle of something.
struct BrokenOff;

pub(super) struct Scanner<'s, 'b> {
    text: &'s [u8],
    at: usize,
    tokens: &'s mut Tokens<'b>,
    /// The next name is one, whatever it spells.
    qualified: bool,
    /// Semicolons that count only if something follows.
    semicolons: usize,
    /// Inside of `/*! … */`.
    in_comment: bool,
}

impl<'s, 'b> Scanner<'s, 'b> {
    pub(super) fn new(text: &'s [u8], tokens: &'s mut Tokens<'b>) -> Self {
        Self { text, at: 0, tokens, qualified: false, semicolons: 0, in_comment: false }
    }

    /// Whether the text could be read, as far as the tokens fit.
    pub(super) fn run(mut self) -> bool {
        while let Some(byte) = self.peek(0) {
            if self.tokens.is_full() {
                return true;
            }
            let scanned = match CLASSES[usize::from(byte)] {
                Class::Space => {
                    self.at += 1;
                    continue;
                }
                Class::Letter => self.letter(byte),
                Class::Digit => {
                    self.digit();
                    continue;
                }
                Class::Quote => self.string(),
                Class::Other => self.other(byte),
            };
            if scanned.is_err() {
                return false;
            }
        }
        !self.in_comment
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    /// How many bytes from here on are like that.
    fn count(&self, like: impl Fn(u8) -> bool) -> usize {
        self.text[self.at..].iter().take_while(|byte| like(**byte)).count()
    }

    fn skip(&mut self, like: impl Fn(u8) -> bool) {
        self.at += self.count(like);
    }

    fn push(&mut self, token: Token) {
        self.settle();
        self.tokens.push(token);
    }

    fn value(&mut self) {
        self.settle();
        self.tokens.value();
    }

    /// Writes the semicolons before what comes now.
    #[inline]
    fn settle(&mut self) {
        if self.semicolons > 0 {
            self.write_semicolons();
        }
        self.qualified = false;
    }

    #[cold]
    fn write_semicolons(&mut self) {
        for _ in 0..core::mem::take(&mut self.semicolons) {
            self.tokens.push(SEMICOLON);
        }
    }

    /// A number takes the signs that are its own.
    fn number(&mut self) {
        self.settle();
        while let Some([before, MINUS | PLUS]) = self.tokens.last_two()
            && BEFORE_SIGN.contains(&before)
        {
            self.tokens.retract();
        }
        self.tokens.value();
    }

    fn letter(&mut self, byte: u8) -> Result<(), BrokenOff> {
        if !self.qualified
            && self.peek(1) == Some(b'\'')
            && matches!(byte, b'n' | b'N' | b'x' | b'X' | b'b' | b'B')
        {
            self.at += 1;
            self.quoted(b'\'')?;
            // A string of the national character set is text, the others are numbers.
            if matches!(byte, b'n' | b'N') {
                self.value();
            } else {
                self.number();
            }
            return Ok(());
        }
        self.name();
        Ok(())
    }

    /// A name or a word, from here on.
    fn name(&mut self) {
        let length = self.count(in_name);
        let name = &self.text[self.at..self.at + length];
        self.at += length;
        let next = self.peek(0);
        let qualifies = next == Some(b'.') && self.peek(1).is_some_and(in_name);
        let word = if self.qualified || qualifies { None } else { word(name, next == Some(b'(')) };
        self.settle();
        match word {
            Some(NULL) if self.null_is_literal() => self.tokens.value(),
            Some(word) => self.tokens.push(word),
            None => self.tokens.identifier(name),
        }
        if qualifies {
            self.at += 1;
            self.tokens.push(DOT);
            self.qualified = true;
        }
    }

    /// Whether a `NULL` that comes now is a value: the server's grammar knows, here the tokens before have to tell.
    fn null_is_literal(&self) -> bool {
        let begins = |token: Option<Token>| {
            token.is_some_and(|token| BEFORE_SIGN.contains(&token) || BEFORE_NULL.contains(&token))
        };
        match self.tokens.last() {
            Some(NOT) => begins(self.tokens.last_two().map(|[before, _]| before)),
            last => begins(last),
        }
    }

    fn digit(&mut self) {
        if self.qualified {
            return self.name();
        }
        let digits = self.count(|byte| byte.is_ascii_digit());
        let next = self.peek(digits);
        // Most are whole numbers.
        let is_whole = !next.is_some_and(|next| next == b'.' || in_name(next));
        let length = if is_whole { Some(digits) } else { self.number_length() };
        let Some(length) = length else { return self.name() };
        self.at += length;
        self.number();
    }

    /// How long the number is that begins here with a digit; it may be a name instead.
    fn number_length(&self) -> Option<usize> {
        let rest = &self.text[self.at..];
        let digits =
            |from: usize, of: fn(&u8) -> bool| from + rest[from..].iter().take_while(|byte| of(byte)).count();
        let ends = |at: usize| !rest.get(at).is_some_and(|byte| in_name(*byte));
        for (prefix, of) in
            [(b"0x", u8::is_ascii_hexdigit as fn(&u8) -> bool), (b"0b", |byte| matches!(byte, b'0' | b'1'))]
        {
            if rest.starts_with(prefix) {
                let end = digits(2, of);
                return (end > 2 && ends(end)).then_some(end);
            }
        }
        let whole = digits(0, u8::is_ascii_digit);
        match rest.get(whole) {
            Some(b'.') => {
                let end = digits(whole + 1, u8::is_ascii_digit);
                Some(exponent(rest, end).unwrap_or(end))
            }
            Some(b'e' | b'E') => exponent(rest, whole),
            _ => ends(whole).then_some(whole),
        }
    }

    fn string(&mut self) -> Result<(), BrokenOff> {
        self.quoted(self.text[self.at])?;
        self.value();
        Ok(())
    }

    /// Passes over what is quoted from here on.
    fn quoted(&mut self, quote: u8) -> Result<(), BrokenOff> {
        self.at += 1;
        loop {
            self.skip(|byte| byte != quote && byte != b'\\');
            match (self.peek(0), self.peek(1)) {
                (None, _) | (Some(b'\\'), None) => return Err(BrokenOff),
                (Some(b'\\'), _) => self.at += 2,
                (_, Some(next)) if next == quote => self.at += 2,
                _ => {
                    self.at += 1;
                    return Ok(());
                }
            }
        }
    }

    /// A name in back-ticks; two of them are one of the name, and shown so.
    fn quoted_name(&mut self) -> Result<(), BrokenOff> {
        let start = self.at + 1;
        let mut end = start;
        loop {
            end += self.text[end..].iter().position(|byte| *byte == b'`').ok_or(BrokenOff)?;
            if self.text.get(end + 1) != Some(&b'`') {
                break;
            }
            end += 2;
        }
        self.at = end + 1;
        self.settle();
        self.tokens.quoted_identifier(&self.text[start..end]);
        Ok(())
    }

    fn other(&mut self, byte: u8) -> Result<(), BrokenOff> {
        let next = self.peek(1);
        let (length, token) = match byte {
            b',' => (1, Token::COMMA),
            b'(' => (1, Token::OPEN),
            b')' => {
                self.at += 1;
                self.settle();
                self.tokens.close();
                return Ok(());
            }
            b'=' => (1, EQUAL),
            b'`' => return self.quoted_name(),
            b'*' if self.in_comment && next == Some(b'/') => {
                self.in_comment = false;
                self.at += 2;
                return Ok(());
            }
            b'/' if next == Some(b'*') => return self.comment(),
            b'#' => return self.line(),
            b'-' if next == Some(b'-') && self.peek(2).is_none_or(ends_dashes) => return self.line(),
            b'.' => return self.dot(next),
            b'@' => return self.variable(),
            b'?' => return self.parameter(1),
            b':' if next.is_some_and(|next| CLASSES[usize::from(next)] == Class::Letter) => {
                let name = self.text[self.at + 1..].iter().take_while(|byte| in_name(**byte)).count();
                return self.parameter(1 + name);
            }
            b'\\' if next == Some(b'N') => return self.parameter(2),
            b';' => {
                self.at += 1;
                self.semicolons += usize::from(!self.tokens.bytes().is_empty());
                return Ok(());
            }
            _ => {
                let Some(sign) = sign(byte, next, self.peek(2)) else {
                    self.at += 1;
                    self.settle();
                    self.tokens.name(&[byte]);
                    return Ok(());
                };
                sign
            }
        };
        self.at += length;
        self.push(token);
        Ok(())
    }

    /// Passes over the rest of a line.
    #[expect(clippy::unnecessary_wraps, reason = "as whatever else may begin with a sign")]
    fn line(&mut self) -> Result<(), BrokenOff> {
        self.skip(|byte| byte != b'\n');
        Ok(())
    }

    /// A value that is written in so many bytes.
    #[expect(clippy::unnecessary_wraps, reason = "as whatever else may begin with a sign")]
    fn parameter(&mut self, length: usize) -> Result<(), BrokenOff> {
        self.at += length;
        self.value();
        Ok(())
    }

    /// A number that begins with a point, or the point behind what qualifies a name.
    #[expect(clippy::unnecessary_wraps, reason = "as whatever else may begin with a sign")]
    fn dot(&mut self, next: Option<u8>) -> Result<(), BrokenOff> {
        if next.is_some_and(|next| next.is_ascii_digit()) {
            let end = 1 + self.text[self.at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            self.at += exponent(&self.text[self.at..], end).unwrap_or(end);
            self.number();
        } else {
            self.at += 1;
            self.push(DOT);
            self.qualified = next.is_some_and(in_name);
        }
        Ok(())
    }

    /// `@name`, `@'name'`, `@@name` and the host of `user@host`.
    #[expect(clippy::unnecessary_wraps, reason = "as whatever else may begin with a sign")]
    fn variable(&mut self) -> Result<(), BrokenOff> {
        self.at += 1;
        self.push(AT);
        match self.peek(0) {
            Some(b'@') => {
                self.at += 1;
                self.push(AT);
                let length = self.count(in_name);
                let name = &self.text[self.at..self.at + length];
                self.at += length;
                match word(name, false) {
                    Some(word) => self.tokens.push(word),
                    // The server shows it without quotes.
                    None if length > 0 => self.tokens.name(name),
                    None => {}
                }
            }
            Some(b'`' | b'\'' | b'"') => {}
            _ => {
                self.skip(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'$'));
                self.value();
            }
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<(), BrokenOff> {
        self.at += 2;
        if self.peek(0) == Some(b'!') {
            self.at += 1;
            let release =
                self.text.get(self.at..self.at + 5).filter(|digits| digits.iter().all(u8::is_ascii_digit));
            let Some(release) = release else {
                self.in_comment = true;
                return Ok(());
            };
            if release.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')) <= RELEASE {
                self.at += 5;
                self.in_comment = true;
                return Ok(());
            }
        }
        let length = self.text[self.at..].windows(2).position(|two| two == b"*/").ok_or(BrokenOff)?;
        self.at += length + 2;
        Ok(())
    }
}

/// The operator that begins with these bytes, as long as it can be, and its length.
fn sign(byte: u8, next: Option<u8>, after: Option<u8>) -> Option<(usize, Token)> {
    Some(match (byte, next) {
        (b'+', _) => (1, PLUS),
        (b'-', _) => (1, MINUS),
        (b'<', Some(b'=')) if after == Some(b'>') => (3, const { token("<=>") }),
        (b'<', Some(b'=')) => (2, const { token("<=") }),
        (b'<', Some(b'>')) | (b'!', Some(b'=')) => (2, const { token("!=") }),
        (b'<', Some(b'<')) => (2, const { token("<<") }),
        (b'<', _) => (1, const { token("<") }),
        (b'>', Some(b'=')) => (2, const { token(">=") }),
        (b'>', Some(b'>')) => (2, const { token(">>") }),
        (b'>', _) => (1, const { token(">") }),
        (b'!', _) => (1, const { token("!") }),
        (b'&', Some(b'&')) => (2, AND),
        (b'&', _) => (1, const { token("&") }),
        (b'|', Some(b'|')) => (2, const { token("|") }),
        (b'|', _) => (1, const { token("|") }),
        (b':', Some(b'=')) => (2, ASSIGN),
        (b':', _) => (1, const { token(":") }),
        (b'*', _) => (1, const { token("*") }),
        (b'/', _) => (1, const { token("/") }),
        (b'%', _) => (1, const { token("%") }),
        (b'^', _) => (1, const { token("^") }),
        (b'~', _) => (1, const { token("~") }),
        (b'{', _) => (1, const { token("{") }),
        (b'}', _) => (1, const { token("}") }),
        (b'[', _) => (1, const { token("[") }),
        (b']', _) => (1, const { token("]") }),
        (b'\\', _) => (1, const { token("\\") }),
        _ => return None,
    })
}

/// Whether two dashes with this behind them begin a comment.
fn ends_dashes(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte.is_ascii_control()
}

/// Where the exponent ends that stands there, if one does.
fn exponent(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let sign = match rest {
        [b'e' | b'E', b'+' | b'-', digit, ..] if digit.is_ascii_digit() => 2,
        [b'e' | b'E', digit, ..] if digit.is_ascii_digit() => 1,
        _ => return None,
    };
    Some(at + sign + rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count())
}

/// The word that this spells, in whatever case.
fn word(name: &[u8], before_parenthesis: bool) -> Option<Token> {
    if name.first() == Some(&b'_') && words::introduces(name) {
        return Some(CHARSET);
    }
    let mut letters = [0; LONGEST];
    let letters = letters.get_mut(..name.len())?;
    for (capital, letter) in letters.iter_mut().zip(name) {
        *capital = letter.to_ascii_uppercase();
    }
    words::spelled(letters, before_parenthesis)
}
