//! Sizes: one key a buffer, its limits, and what it is if it is left to itself.

use super::ConfigError;
use core::ops::RangeInclusive;

/// A size as it is configured: a number, or −1 for automatic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(i64);

impl Size {
    /// Left to the formula of its key.
    pub const AUTO: Self = Self(-1);
}

impl Default for Size {
    fn default() -> Self {
        Self::AUTO
    }
}

macro_rules! from {
    ($($int:ty)*) => {$(
        impl From<$int> for Size {
            fn from(size: $int) -> Self {
                Self(i64::from(size))
            }
        }
    )*};
}
from!(u16 i32 u32 i64);

impl From<usize> for Size {
    fn from(size: usize) -> Self {
        Self(i64::try_from(size).unwrap_or(i64::MAX))
    }
}

macro_rules! sizes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $min:literal ..= $max:literal, $auto:expr;)+) => {
        /// The sizes that can be configured. Each is shown in `global_variables` as `performance_schema_…`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SizeKey {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl SizeKey {
            /// Every key, in the order of their names.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name, as in `global_variables` after `performance_schema_`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }

            /// What it may be set to, beside −1.
            pub const fn limits(self) -> RangeInclusive<u32> {
                match self {
                    $(Self::$variant => $min..=$max),+
                }
            }

            fn automatic(self, connections: u32) -> u32 {
                let formula: fn(u32) -> u32 = match self {
                    $(Self::$variant => $auto),+
                };
                formula(connections).min(*self.limits().end())
            }
        }
    };
}

sizes! {
    /// Records of the long history of stages. Automatic: 10000.
    EventsStagesHistoryLongSize = "events_stages_history_long_size", 0..=1_048_576, |_| 10_000;
    /// Records of each context's history of stages. Automatic: 10.
    EventsStagesHistorySize = "events_stages_history_size", 0..=1024, |_| 10;
    /// Records of the long history of statements. Automatic: 3000; each has room for a text, so that as many as of the
    /// other kinds would be most of what a busy server's buffers keep resident.
    EventsStatementsHistoryLongSize = "events_statements_history_long_size", 0..=1_048_576, |_| 3_000;
    /// Records of each context's history of statements. Automatic: 10.
    EventsStatementsHistorySize = "events_statements_history_size", 0..=1024, |_| 10;
    /// Records of the long history of transactions. Automatic: 10000.
    EventsTransactionsHistoryLongSize = "events_transactions_history_long_size", 0..=1_048_576, |_| 10_000;
    /// Records of each context's history of transactions. Automatic: 10.
    EventsTransactionsHistorySize = "events_transactions_history_size", 0..=1024, |_| 10;
    /// Records of the long history of waits. Automatic: 10000.
    EventsWaitsHistoryLongSize = "events_waits_history_long_size", 0..=1_048_576, |_| 10_000;
    /// Records of each context's history of waits. Automatic: 10.
    EventsWaitsHistorySize = "events_waits_history_size", 0..=1024, |_| 10;
    /// Live condvars. Automatic: 256 and two for each connection.
    MaxCondInstances = "max_cond_instances", 0..=1_048_576, |connections| 256 + 2 * connections;
    /// Live mutexes. Automatic: 1024 and eight for each connection.
    MaxMutexInstances = "max_mutex_instances", 0..=1_048_576, |connections| 1024 + 8 * connections;
    /// Live rwlocks. Automatic: 1024 and four for each connection.
    MaxRwlockInstances = "max_rwlock_instances", 0..=1_048_576, |connections| 1024 + 4 * connections;
    /// Bytes of each statement's text that are kept. Automatic: 1024.
    MaxSqlTextLength = "max_sql_text_length", 0..=1_048_576, |_| 1024;
    /// Stages of a context that are open at once. Automatic: 16.
    MaxStageStack = "max_stage_stack", 1..=64, |_| 16;
    /// Statements of a context that are open at once. Automatic: 10.
    MaxStatementStack = "max_statement_stack", 1..=64, |_| 10;
    /// Contexts: OS threads, sessions and tasks. Automatic: 64 and two for each connection, its thread and its session.
    MaxThreadInstances = "max_thread_instances", 0..=1_048_576, |connections| 64 + 2 * connections;
}

/// Sizes as they are configured.
#[derive(Clone, Debug)]
pub struct Sizing {
    pub(super) max_connections: u32,
    sizes: Vec<(SizeKey, Size)>,
}

impl Default for Sizing {
    fn default() -> Self {
        Self { max_connections: 151, sizes: Vec::new() }
    }
}

impl Sizing {
    pub(super) fn set(&mut self, key: SizeKey, size: Size) {
        self.sizes.push((key, size));
    }

    pub(super) fn resolve(&self) -> Result<Sizes, ConfigError> {
        if !(1..=100_000).contains(&self.max_connections) {
            return Err(ConfigError::MaxConnections { value: self.max_connections });
        }
        let mut sizes = [0; SizeKey::ALL.len()];
        for key in SizeKey::ALL {
            sizes[*key as usize] = key.automatic(self.max_connections);
        }
        for (key, Size(value)) in &self.sizes {
            sizes[*key as usize] = if *value == -1 {
                key.automatic(self.max_connections)
            } else {
                let size = u32::try_from(*value).ok().filter(|size| key.limits().contains(size));
                size.ok_or(ConfigError::Size { key: *key, value: *value })?
            };
        }
        Ok(Sizes { sizes })
    }
}

/// Sizes as they are: every key has a number.
#[derive(Clone, Debug)]
pub struct Sizes {
    sizes: [u32; SizeKey::ALL.len()],
}

impl Sizes {
    /// The size of that key.
    pub fn get(&self, key: SizeKey) -> u32 {
        self.sizes[key as usize]
    }

    pub(crate) fn count(&self, key: SizeKey) -> usize {
        self.get(key) as usize
    }
}
