//! The sizes that can be configured: a line a key, from which its limits, its automatic size, its environment variable
//! and its documentation all follow.

use super::sizing::Inputs;
use core::ops::RangeInclusive;

/// A line is: what the size counts, the key, its name, its environment variable, what it may be beside −1, and the
/// automatic size as a sum of a number and of multiples of [`Inputs`]; `exact` before it keeps `sizing_scale` off it.
macro_rules! sizes {
    ($(
        $(#[doc = $doc:literal])+
        $key:ident = $name:literal $variable:literal, $least:literal ..= $most:literal,
        $($exact:ident)? $base:literal $(+ $factor:literal * $input:ident)*;
    )+) => {
        /// The sizes that can be configured.
        ///
        /// Each is set by [`Config::size`](super::Config::size), by its environment variable, or in a file by its
        /// name, to a number within the limits or to −1 (`auto`): the automatic size, which follows from
        /// [`max_connections`](super::Config::max_connections) and [`worker_threads`](super::Config::worker_threads)
        /// and, where it is not *exact*, is multiplied by [`sizing_scale`](super::Config::sizing_scale). It is never
        /// more than the limit. The table `global_variables` shows the size in force as `performance_schema_` and the
        /// name.
        ///
        #[doc = concat!(
            "| name | environment | limits | automatic | what it is |\n|---|---|---|---|---|\n",
            $(
                "| `", $name, "` | `", $variable, "` | ", stringify!($least), " to ", stringify!($most), " | `",
                stringify!($base $(+ $factor * $input)*), "`" $(, " (", stringify!($exact), ")")?, " |",
                $($doc,)+ " |\n",
            )+
        )]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum SizeKey {
            $(
                $(#[doc = $doc])+
                #[doc = concat!(
                    "\n\nLimits: ", stringify!($least), " to ", stringify!($most), ". Automatic: `",
                    stringify!($base $(+ $factor * $input)*), "`" $(, " (", stringify!($exact), ")")?, "."
                )]
                $key,
            )+
        }

        impl SizeKey {
            /// Every key, in the order of their names.
            pub const ALL: &'static [Self] = &[$(Self::$key),+];

            /// The name in a file, and in `global_variables` after `performance_schema_`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$key => $name),+
                }
            }

            /// The environment variable that sets it.
            pub const fn variable(self) -> &'static str {
                match self {
                    $(Self::$key => $variable),+
                }
            }

            /// What it may be set to, beside −1.
            pub const fn limits(self) -> RangeInclusive<u32> {
                match self {
                    $(Self::$key => $least..=$most),+
                }
            }

            /// What it is if it is left to itself.
            pub(super) fn automatic(self, inputs: &Inputs) -> u32 {
                let (size, exact) = match self {
                    $(Self::$key => (
                        $base $(+ $factor * u64::from(inputs.$input))*,
                        false $(|| stringify!($exact) == "exact")?,
                    )),+
                };
                let size = if exact { size } else { scaled(size, inputs.sizing_scale) };
                let most = *self.limits().end();
                u32::try_from(size).map_or(most, |size| size.clamp(*self.limits().start(), most))
            }
        }
    };
}

/// The size times the scale, rounded, and not nothing unless it was.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sums of small multiples of two limited numbers are far below 2^53; the scale is positive"
)]
fn scaled(size: u64, scale: f64) -> u64 {
    ((size as f64 * scale).round() as u64).max(size.min(1))
}

sizes! {
    /// Accounts: pairs of a user and a host.
    AccountsSize = "accounts_size" "PFS_ACCOUNTS_SIZE", 0..=1_048_576, 32 + 1 * max_connections;
    /// Digests of statements, with the row of those that find none: with 1 there is that row alone, with 0 there are none.
    DigestsSize = "digests_size" "PFS_DIGESTS_SIZE", 0..=1_048_576, 1_000;
    /// Records of the long history of stages.
    EventsStagesHistoryLongSize = "events_stages_history_long_size" "PFS_EVENTS_STAGES_HISTORY_LONG_SIZE",
        0..=1_048_576, 10_000;
    /// Records of each context's history of stages.
    EventsStagesHistorySize = "events_stages_history_size" "PFS_EVENTS_STAGES_HISTORY_SIZE", 0..=1024, 10;
    /// Records of the long history of statements. Each has room for a text, so that as many as of the other kinds
    /// would be most of what a busy server's buffers keep resident.
    EventsStatementsHistoryLongSize = "events_statements_history_long_size" "PFS_EVENTS_STATEMENTS_HISTORY_LONG_SIZE",
        0..=1_048_576, 3_000;
    /// Records of each context's history of statements.
    EventsStatementsHistorySize = "events_statements_history_size" "PFS_EVENTS_STATEMENTS_HISTORY_SIZE",
        0..=1024, 10;
    /// Records of the long history of transactions.
    EventsTransactionsHistoryLongSize =
        "events_transactions_history_long_size" "PFS_EVENTS_TRANSACTIONS_HISTORY_LONG_SIZE", 0..=1_048_576, 10_000;
    /// Records of each context's history of transactions.
    EventsTransactionsHistorySize = "events_transactions_history_size" "PFS_EVENTS_TRANSACTIONS_HISTORY_SIZE",
        0..=1024, 10;
    /// Records of the long history of waits.
    EventsWaitsHistoryLongSize = "events_waits_history_long_size" "PFS_EVENTS_WAITS_HISTORY_LONG_SIZE",
        0..=1_048_576, 10_000;
    /// Records of each context's history of waits.
    EventsWaitsHistorySize = "events_waits_history_size" "PFS_EVENTS_WAITS_HISTORY_SIZE", 0..=1024, 10;
    /// Hosts that clients come from.
    HostsSize = "hosts_size" "PFS_HOSTS_SIZE", 0..=1_048_576, 32 + 1 * max_connections;
    /// Live condvars.
    MaxCondInstances = "max_cond_instances" "PFS_MAX_COND_INSTANCES",
        0..=1_048_576, 256 + 2 * max_connections + 4 * worker_threads;
    /// Bytes of each digest's tokens that are kept: two a word, and four and its length a name. What is longer is told
    /// apart by its beginning; with 0 there are no digests.
    MaxDigestLength = "max_digest_length" "PFS_MAX_DIGEST_LENGTH", 0..=1_048_576, exact 1024;
    /// Seconds after which the sample of a digest gives way to the next statement, however long that took; with 0, only a
    /// longer one replaces it.
    MaxDigestSampleAge = "max_digest_sample_age" "PFS_MAX_DIGEST_SAMPLE_AGE", 0..=1_048_576, exact 60;
    /// Live mutexes.
    MaxMutexInstances = "max_mutex_instances" "PFS_MAX_MUTEX_INSTANCES",
        0..=104_857_600, 1024 + 8 * max_connections + 16 * worker_threads;
    /// Live rwlocks.
    MaxRwlockInstances = "max_rwlock_instances" "PFS_MAX_RWLOCK_INSTANCES",
        0..=104_857_600, 1024 + 4 * max_connections + 16 * worker_threads;
    /// Places in the source where instances are made, of each class: rows of `events_waits_summary_by_source`.
    MaxSources = "max_sources" "PFS_MAX_SOURCES", 0..=1_048_576, 1024;
    /// Bytes of each statement's text that are kept, cut between characters; with 0, `SQL_TEXT` is NULL.
    MaxSqlTextLength = "max_sql_text_length" "PFS_MAX_SQL_TEXT_LENGTH", 0..=1_048_576, exact 1024;
    /// Stages of a context that are open at once; one more counts in its statistics and in `nested_stage_lost`.
    MaxStageStack = "max_stage_stack" "PFS_MAX_STAGE_STACK", 1..=64, exact 16;
    /// Statements of a context that are open at once; one more counts in its statistics and in
    /// `nested_statement_lost`.
    MaxStatementStack = "max_statement_stack" "PFS_MAX_STATEMENT_STACK", 1..=64, exact 10;
    /// Contexts: OS threads, sessions and tasks. A connection has two, its thread and its session; so has a worker,
    /// its thread and the task that it polls.
    MaxThreadInstances = "max_thread_instances" "PFS_MAX_THREAD_INSTANCES",
        0..=1_048_576, 64 + 2 * max_connections + 2 * worker_threads;
    /// Transactions of a context that are open at once: one, and those of other databases or within it; one more
    /// counts in its statistics and in `nested_transaction_lost`.
    MaxTransactionStack = "max_transaction_stack" "PFS_MAX_TRANSACTION_STACK", 1..=64, exact 4;
    /// Waits of a context that are open at once, for a wait may be made of others; one more counts in its statistics
    /// and in `locker_lost`.
    MaxWaitStack = "max_wait_stack" "PFS_MAX_WAIT_STACK", 1..=64, exact 5;
    /// Classes that plugins may bring beside those of the program. Each has rows in every summary of its kind of event.
    PluginClasses = "plugin_classes" "PFS_PLUGIN_CLASSES", 0..=65_536, 0;
    /// Users.
    UsersSize = "users_size" "PFS_USERS_SIZE", 0..=1_048_576, 32 + 1 * max_connections;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_the_order_of_their_names_and_have_the_variable_of_that_name() {
        assert!(SizeKey::ALL.is_sorted_by(|a, b| a.name() < b.name() && a < b));
        for key in SizeKey::ALL {
            assert_eq!(key.variable(), format!("PFS_{}", key.name().to_uppercase()));
            assert!(key.limits().start() <= &1 && key.limits().contains(&1), "{}", key.name());
        }
    }

    #[test]
    fn automatic_sizes_follow_the_documented_formulas() {
        let inputs = Inputs { max_connections: 300, worker_threads: 8, sizing_scale: 1.0 };
        let sizes: Vec<_> = SizeKey::ALL.iter().map(|key| (key.name(), key.automatic(&inputs))).collect();
        assert_eq!(
            sizes,
            [
                ("accounts_size", 32 + 300),
                ("digests_size", 1000),
                ("events_stages_history_long_size", 10_000),
                ("events_stages_history_size", 10),
                ("events_statements_history_long_size", 3_000),
                ("events_statements_history_size", 10),
                ("events_transactions_history_long_size", 10_000),
                ("events_transactions_history_size", 10),
                ("events_waits_history_long_size", 10_000),
                ("events_waits_history_size", 10),
                ("hosts_size", 32 + 300),
                ("max_cond_instances", 256 + 600 + 32),
                ("max_digest_length", 1024),
                ("max_digest_sample_age", 60),
                ("max_mutex_instances", 1024 + 2400 + 128),
                ("max_rwlock_instances", 1024 + 1200 + 128),
                ("max_sources", 1024),
                ("max_sql_text_length", 1024),
                ("max_stage_stack", 16),
                ("max_statement_stack", 10),
                ("max_thread_instances", 64 + 600 + 16),
                ("max_transaction_stack", 4),
                ("max_wait_stack", 5),
                ("plugin_classes", 0),
                ("users_size", 32 + 300),
            ]
        );
    }

    #[test]
    fn a_scale_leaves_lengths_and_depths_alone_and_makes_nothing_vanish_or_pass_its_limit() {
        let scale = |key: SizeKey, sizing_scale| {
            key.automatic(&Inputs { max_connections: 151, worker_threads: 2, sizing_scale })
        };
        assert_eq!(scale(SizeKey::MaxThreadInstances, 0.1), 37);
        assert_eq!(scale(SizeKey::EventsWaitsHistoryLongSize, 0.1), 1000);
        assert_eq!(scale(SizeKey::EventsWaitsHistorySize, 0.1), 1);
        assert_eq!(scale(SizeKey::EventsWaitsHistorySize, 0.001), 1);
        assert_eq!(scale(SizeKey::MaxThreadInstances, 2.5), 925);
        assert_eq!(scale(SizeKey::EventsWaitsHistorySize, 1000.0), 1024);
        assert_eq!(scale(SizeKey::EventsWaitsHistoryLongSize, 1000.0), 1_048_576);
        for exact in [
            SizeKey::MaxDigestLength,
            SizeKey::MaxDigestSampleAge,
            SizeKey::MaxSqlTextLength,
            SizeKey::MaxStageStack,
            SizeKey::MaxStatementStack,
            SizeKey::MaxTransactionStack,
            SizeKey::MaxWaitStack,
        ] {
            assert_eq!(scale(exact, 0.1), scale(exact, 1.0), "{}", exact.name());
        }
    }
}
