//! Uses of every method of a file, each with its result and with what is counted of it: a method that has no use here
//! fails the test of its file.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeSet;

use pfs_runtime::class::Class;

#[path = "../counted/mod.rs"]
pub(crate) mod counted;

use counted::{count, started, until_waiting};

/// The methods of one or several files, and those of which a use was seen.
pub(crate) struct Methods {
    class: &'static Class,
    there: BTreeSet<&'static str>,
    used: BTreeSet<&'static str>,
}

impl Methods {
    /// Those of `sources`, which are counted in `class`.
    pub(crate) fn of(class: &'static Class, sources: &[&'static str]) -> Self {
        started();
        let there = sources.iter().flat_map(|source| public(source)).collect();
        Self { class, there, used: BTreeSet::new() }
    }

    /// Runs a use of `method`, which must count as so many events, so many of which waited.
    #[track_caller]
    pub(crate) fn counts<R>(
        &mut self,
        method: &'static str,
        events: (u64, u64),
        using: impl FnOnce() -> R,
    ) -> R {
        self.counts_in(self.class, method, events, using)
    }

    /// The same of another class.
    #[track_caller]
    pub(crate) fn counts_in<R>(
        &mut self,
        class: &'static Class,
        method: &'static str,
        events: (u64, u64),
        using: impl FnOnce() -> R,
    ) -> R {
        let before = count(class);
        let result = using();
        let after = count(class);
        assert_eq!((after.0 - before.0, after.1 - before.1), events, "{method}");
        self.used.insert(method);
        result
    }

    /// Runs a use of `method` that is no event.
    #[track_caller]
    pub(crate) fn is_none<R>(&mut self, method: &'static str, using: impl FnOnce() -> R) -> R {
        self.counts(method, (0, 0), using)
    }

    /// Asserts that every method was used, and none that there is not.
    #[track_caller]
    pub(crate) fn were_all_used(self) {
        assert_eq!(self.used, self.there);
    }
}

/// The names of the public functions in a file, but for hidden ones.
fn public(source: &'static str) -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut hidden = false;
    for line in source.lines().map(str::trim) {
        let after = line
            .strip_prefix("pub ")
            .map(|after| after.trim_start_matches("const ").trim_start_matches("unsafe "));
        if let Some(declared) = after.and_then(|after| after.strip_prefix("fn ")) {
            let end =
                declared.find(|character: char| !(character.is_alphanumeric() || character == '_')).unwrap();
            if !hidden {
                names.push(&declared[..end]);
            }
        }
        hidden = line == "#[doc(hidden)]" || hidden && (line.starts_with("#[") || line.starts_with("//"));
    }
    assert!(!names.is_empty());
    names
}

/// Runs `other` in a thread while what `take` took is held, which is given up once it is waited for.
pub(crate) fn while_held<H, R: Send>(
    class: &'static Class,
    take: impl FnOnce() -> H,
    other: impl FnOnce() -> R + Send,
) -> R {
    let held = take();
    std::thread::scope(|scope| {
        let waiter = scope.spawn(other);
        until_waiting(class, 1);
        drop(held);
        waiter.join().unwrap()
    })
}

/// Makes the panic that poisons what `using` uses.
pub(crate) fn panicked(using: impl FnOnce()) {
    let using = std::panic::AssertUnwindSafe(using);
    assert!(std::panic::catch_unwind(|| { using }.0()).is_err());
}
