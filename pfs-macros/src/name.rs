//! Instrument names, for every macro: what may be written, and the class that is declared under it.
//!
//! The rules are those of `pfs_runtime::name`, applied here so that a mistake stands at its own token. Whether a
//! name is declared elsewhere too is not known here: twice the same name is one class.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Error, Ident, LitStr, Path, Result};

/// Prefixes that are not taken for the component of a name of any kind.
const PREFIXES_OF_WAITS: [&str; 8] = [
    "wait/synch/mutex/",
    "wait/synch/rwlock/",
    "wait/synch/cond/",
    "wait/io/file/",
    "wait/io/socket/",
    "wait/io/table/",
    "wait/lock/table/",
    "wait/",
];

/// The longest full name, prefix included, in characters.
const LONGEST: usize = 128;

/// What kind of class a macro declares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Mutex,
    RwLock,
    Cond,
    Thread,
    Stage,
    Statement,
}

impl Kind {
    /// What the macro puts before the name it is given.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Mutex => "wait/synch/mutex/",
            Self::RwLock => "wait/synch/rwlock/",
            Self::Cond => "wait/synch/cond/",
            Self::Thread => "thread/",
            Self::Stage => "stage/",
            Self::Statement => "statement/",
        }
    }

    /// The kind as `class!` spells it.
    fn variant(self) -> Ident {
        let variant = match self {
            Self::Mutex => "Mutex",
            Self::RwLock => "RwLock",
            Self::Cond => "Cond",
            Self::Thread => "Thread",
            Self::Stage => "Stage",
            Self::Statement => "Statement",
        };
        Ident::new(variant, Span::mixed_site())
    }

    /// A name of this kind, for messages.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Self::Mutex => "kv/LOCK_index",
            Self::RwLock => "kv/CONFIG",
            Self::Cond => "kv/COND_flushed",
            Self::Thread => "kv/flusher",
            Self::Stage => "kv/parsing",
            Self::Statement => "kv/backup",
        }
    }
}

/// A checked name.
pub(crate) enum Name {
    /// The full name.
    Whole(Kind, LitStr),
    /// The last part of a name whose component is the crate that is being compiled.
    InCrate(Kind, LitStr),
}

impl Name {
    /// The name whose tail is written out.
    pub(crate) fn given(kind: Kind, tail: &LitStr) -> Result<Self> {
        let text = tail.value();
        check(kind, &text).map_err(|message| Error::new(tail.span(), message))?;
        Ok(Self::Whole(kind, LitStr::new(&format!("{}{text}", kind.prefix()), tail.span())))
    }

    /// The name of something that is called after its identifier, or whose last part only is written out.
    pub(crate) fn in_crate(kind: Kind, last: &str, span: Span) -> Result<Self> {
        if !last.is_ascii() {
            let message = format!(
                "an instrument name has only ASCII letters, so `{last}` cannot be one: give it a name, \
                 as in \"{}\"",
                kind.example()
            );
            return Err(Error::new(span, message));
        }
        check(kind, last).map_err(|message| Error::new(span, message))?;
        Ok(Self::InCrate(kind, LitStr::new(last, span)))
    }

    /// An item that declares the class as the static `ident`.
    pub(crate) fn declare(&self, krate: &Path, ident: &Ident) -> TokenStream {
        let (kind, name) = match self {
            Self::Whole(kind, name) => (kind, quote!(#name)),
            Self::InCrate(kind, last) => {
                let prefix = kind.prefix();
                (kind, quote!(#krate::__private::name!(#prefix, ::core::module_path!(), #last)))
            }
        };
        let variant = kind.variant();
        quote_spanned!(Span::mixed_site()=> #krate::__private::class! { static #ident: #variant = #name; })
    }

    /// An expression: a reference to the class, which is declared inside it and so collides with nothing.
    pub(crate) fn class(&self, krate: &Path) -> TokenStream {
        let ident = Ident::new("CLASS", Span::mixed_site());
        let declaration = self.declare(krate, &ident);
        quote_spanned!(Span::mixed_site()=> { #declaration &#ident })
    }
}

/// Whether `tail` may follow the kind's prefix; the message says what to write instead.
fn check(kind: Kind, tail: &str) -> std::result::Result<(), String> {
    let example = kind.example();
    if tail.is_empty() {
        return Err(format!(
            "an instrument name cannot be empty: write `component/name`, as in \"{example}\""
        ));
    }
    // Whoever copies a name out of a table copies the prefix with it, perhaps that of another kind.
    let mut copied = PREFIXES_OF_WAITS.iter().copied().chain([kind.prefix()]);
    if let Some(rest) = copied.find_map(|prefix| tail.strip_prefix(prefix)) {
        return Err(format!(
            "`{}` is added by the macro: write only what follows it, \"{rest}\"",
            kind.prefix()
        ));
    }
    if let Some((at, bad)) = tail.chars().enumerate().find(|(_, c)| !(allowed(*c) || *c == '/')) {
        let fixed: String = tail.chars().map(|c| if allowed(c) || c == '/' { c } else { '_' }).collect();
        return Err(format!(
            "{bad:?} (character {}) is not allowed in an instrument name, which has ASCII letters, digits, `_`, \
             `:`, `.`, `-`, spaces, and `/` between its parts: write \"{fixed}\"",
            at + 1
        ));
    }
    if tail.split('/').any(str::is_empty) {
        let parts: Vec<&str> = tail.split('/').filter(|part| !part.is_empty()).collect();
        let fixed = if parts.is_empty() { example.to_owned() } else { parts.join("/") };
        return Err(format!(
            "an instrument name has no empty part, and `/` stands only between parts: write \"{fixed}\""
        ));
    }
    let length = kind.prefix().len() + tail.len();
    if length > LONGEST {
        return Err(format!(
            "an instrument name has at most {LONGEST} characters and this one has {length}, `{}` included: \
             write one that is shorter by {}",
            kind.prefix(),
            length - LONGEST
        ));
    }
    Ok(())
}

/// What may stand inside a part of a name.
fn allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.' | '-' | ' ')
}

#[cfg(test)]
mod tests {
    use super::{Kind, check};

    fn message(tail: &str) -> String {
        check(Kind::Stage, tail).expect_err("the name is bad")
    }

    #[test]
    fn what_the_reference_names_is_allowed() {
        for tail in ["sql/LOCK_open", "sql/Opening tables", "kv/Shard::map", "a-b/c.d/e_f", "kv"] {
            assert_eq!(check(Kind::Stage, tail), Ok(()), "{tail}");
        }
    }

    #[test]
    fn a_message_says_what_to_write() {
        assert!(message("").ends_with("as in \"kv/parsing\""));
        assert!(message("stage/kv/x").ends_with("what follows it, \"kv/x\""));
        assert!(message("wait/synch/rwlock/kv/x").starts_with("`stage/` is added by the macro"));
        assert!(message("wait/synch/rwlock/kv/x").ends_with("what follows it, \"kv/x\""));
        assert!(message("kv/a!b").starts_with("'!' (character 5) "));
        assert!(message("kv/a!b").ends_with("write \"kv/a_b\""));
        assert!(message("kv//x/").ends_with("write \"kv/x\""));
        assert!(message("//").ends_with("write \"kv/parsing\""));
    }

    #[test]
    fn length_counts_the_prefix() {
        let longest = "x".repeat(128 - "stage/".len());
        assert_eq!(check(Kind::Stage, &longest), Ok(()));
        let message = message(&(longest + "x"));
        assert!(
            message.ends_with("this one has 129, `stage/` included: write one that is shorter by 1"),
            "{message}"
        );
    }
}
