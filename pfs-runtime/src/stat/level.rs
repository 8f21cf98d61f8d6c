//! The levels that counts are summed up by, and what restarting one of them does to the others.

/// A level of totals. What a context counts stands at every level; what it was moved up from stands at those above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Level {
    /// By thread or session.
    Thread = 0,
    /// By user and host.
    Account = 1,
    /// By user.
    User = 2,
    /// By host.
    Host = 3,
    /// Of all.
    Global = 4,
}

impl Level {
    /// How many there are.
    pub const COUNT: u32 = 5;

    /// The levels above that of threads.
    pub const UPPER: [Self; 4] = [Self::Account, Self::User, Self::Host, Self::Global];

    /// The place among [`Level::UPPER`]; `None` for the lowest.
    pub const fn upper(self) -> Option<usize> {
        match self {
            Self::Thread => None,
            Self::Account => Some(0),
            Self::User => Some(1),
            Self::Host => Some(2),
            Self::Global => Some(3),
        }
    }

    /// The levels whose restart restarts this one too: itself, and those that are summed up from it. Restarting a level
    /// changes none above it.
    pub const fn restarted_by(self) -> &'static [Self] {
        use Level::{Account, Global, Host, Thread, User};
        match self {
            Thread => &[Thread, Account, User, Host, Global],
            Account => &[Account, User, Host, Global],
            User => &[User, Global],
            Host => &[Host, Global],
            Global => &[Global],
        }
    }
}
