//! Which kinds of instrumented objects a type may hold, and the compile-time error for an attribute that names none of
//! them.

/// A set of kinds.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held(u8);

impl Held {
    /// No kind.
    pub const NOTHING: Self = Self(0);
    /// Mutexes.
    pub const MUTEXES: Self = Self(1);
    /// Rwlocks.
    pub const RWLOCKS: Self = Self(1 << 1);
    /// Condition variables, and what else is waited for as one.
    pub const CONDS: Self = Self(1 << 2);
    /// Objects that derive `Instrument`.
    pub const NAMED: Self = Self(1 << 3);

    /// What two parts hold together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn any(self, of: Self) -> bool {
        self.0 & of.0 != 0
    }
}

/// What an attribute names.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// `#[instrument_mutex]`, `#[mutex]`.
    Mutex,
    /// `#[instrument_rwlock]`, `#[rwlock]`.
    RwLock,
    /// `#[instrument_condvar]`, `#[condvar]`.
    Condvar,
    /// `#[instrument]`.
    Named,
}

impl Asked {
    const fn held(self) -> Held {
        match self {
            Self::Mutex => Held::MUTEXES,
            Self::RwLock => Held::RWLOCKS,
            Self::Condvar => Held::CONDS,
            Self::Named => Held::NAMED,
        }
    }
}

/// The message for an attribute on what holds other things.
macro_rules! refuse {
    ($asked:expr, $held:expr, $place:literal, $mutex:literal, $rwlock:literal, $condvar:literal) => {
        match $asked {
            Asked::Mutex => refuse!(@held $held, $place, $mutex, "mutexes", $mutex, $rwlock, $condvar),
            Asked::RwLock => refuse!(@held $held, $place, $rwlock, "rwlocks", $mutex, $rwlock, $condvar),
            Asked::Condvar => refuse!(@held $held, $place, $condvar, "condvars", $mutex, $rwlock, $condvar),
            Asked::Named => refuse!(
                @held $held, $place, "#[instrument]", "what derives `Instrument`", $mutex, $rwlock, $condvar
            ),
        }
    };
    (
        @held $held:expr, $place:literal, $attribute:literal, $names:literal,
        $mutex:literal, $rwlock:literal, $condvar:literal
    ) => {
        match $held {
            Held::MUTEXES => refuse!(@say $attribute, $names, $place, "holds mutexes: write `", $mutex, "`"),
            Held::RWLOCKS => refuse!(@say $attribute, $names, $place, "holds rwlocks: write `", $rwlock, "`"),
            Held::CONDS => refuse!(@say $attribute, $names, $place, "holds condvars: write `", $condvar, "`"),
            held if held.any(Held::NAMED) => refuse!(
                @say $attribute, $names, $place, "holds none, but what derives `Instrument`: write `#[instrument]`"
            ),
            _ => refuse!(
                @say $attribute, $names, $place, "holds several other kinds: write one attribute for each, as `",
                $mutex, "`, `", $rwlock, "`, `", $condvar, "`"
            ),
        }
    };
    (@say $attribute:literal, $names:literal, $place:literal, $($holds:literal),+) => {
        panic!(concat!("`", $attribute, "` names ", $names, ", and this ", $place, " ", $($holds),+))
    };
}

/// Checks an attribute on a static of a type that may hold `held`.
///
/// # Panics
///
/// At compile time, if it holds nothing that the attribute names.
#[doc(hidden)]
#[track_caller]
pub const fn check_static(asked: Asked, held: Held) {
    if !held.any(asked.held()) {
        refuse!(
            asked,
            held,
            "static",
            "#[instrument_mutex]",
            "#[instrument_rwlock]",
            "#[instrument_condvar]"
        );
    }
}

/// Checks an attribute on a field of a type that may hold `held`.
///
/// # Panics
///
/// At compile time, if it holds nothing that the attribute names.
#[doc(hidden)]
#[track_caller]
pub const fn check_field(asked: Asked, held: Held) {
    if !held.any(asked.held()) {
        refuse!(asked, held, "field", "#[mutex]", "#[rwlock]", "#[condvar]");
    }
}
