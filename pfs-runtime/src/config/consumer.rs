//! Consumers: the destinations that can be switched, and how they depend on each other.

use crate::class::{EventKind, Flags};

/// A destination of events, a row of `setup_consumers`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "each variant is named as its row is")]
pub enum Consumer {
    EventsStagesCurrent,
    EventsStagesHistory,
    EventsStagesHistoryLong,
    EventsStatementsCurrent,
    EventsStatementsHistory,
    EventsStatementsHistoryLong,
    EventsTransactionsCurrent,
    EventsTransactionsHistory,
    EventsTransactionsHistoryLong,
    EventsWaitsCurrent,
    EventsWaitsHistory,
    EventsWaitsHistoryLong,
    GlobalInstrumentation,
    ThreadInstrumentation,
    StatementsDigest,
}

impl Consumer {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 15] = [
        Self::EventsStagesCurrent,
        Self::EventsStagesHistory,
        Self::EventsStagesHistoryLong,
        Self::EventsStatementsCurrent,
        Self::EventsStatementsHistory,
        Self::EventsStatementsHistoryLong,
        Self::EventsTransactionsCurrent,
        Self::EventsTransactionsHistory,
        Self::EventsTransactionsHistoryLong,
        Self::EventsWaitsCurrent,
        Self::EventsWaitsHistory,
        Self::EventsWaitsHistoryLong,
        Self::GlobalInstrumentation,
        Self::ThreadInstrumentation,
        Self::StatementsDigest,
    ];

    /// The column `NAME`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EventsStagesCurrent => "events_stages_current",
            Self::EventsStagesHistory => "events_stages_history",
            Self::EventsStagesHistoryLong => "events_stages_history_long",
            Self::EventsStatementsCurrent => "events_statements_current",
            Self::EventsStatementsHistory => "events_statements_history",
            Self::EventsStatementsHistoryLong => "events_statements_history_long",
            Self::EventsTransactionsCurrent => "events_transactions_current",
            Self::EventsTransactionsHistory => "events_transactions_history",
            Self::EventsTransactionsHistoryLong => "events_transactions_history_long",
            Self::EventsWaitsCurrent => "events_waits_current",
            Self::EventsWaitsHistory => "events_waits_history",
            Self::EventsWaitsHistoryLong => "events_waits_history_long",
            Self::GlobalInstrumentation => "global_instrumentation",
            Self::ThreadInstrumentation => "thread_instrumentation",
            Self::StatementsDigest => "statements_digest",
        }
    }

    /// The consumer of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|consumer| consumer.name() == name)
    }

    /// Every name, for messages.
    pub(crate) fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// Whether it is on unless switched.
    pub const fn default_enabled(self) -> bool {
        matches!(
            self,
            Self::EventsStagesCurrent
                | Self::EventsStatementsCurrent
                | Self::EventsTransactionsCurrent
                | Self::GlobalInstrumentation
                | Self::ThreadInstrumentation
                | Self::StatementsDigest
        )
    }

    const fn of(kind: EventKind) -> [Self; 3] {
        match kind {
            EventKind::Stage => {
                [Self::EventsStagesCurrent, Self::EventsStagesHistory, Self::EventsStagesHistoryLong]
            }
            EventKind::Statement => [
                Self::EventsStatementsCurrent,
                Self::EventsStatementsHistory,
                Self::EventsStatementsHistoryLong,
            ],
            EventKind::Transaction => [
                Self::EventsTransactionsCurrent,
                Self::EventsTransactionsHistory,
                Self::EventsTransactionsHistoryLong,
            ],
            EventKind::Wait => {
                [Self::EventsWaitsCurrent, Self::EventsWaitsHistory, Self::EventsWaitsHistoryLong]
            }
        }
    }
}

/// Which consumers are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConsumerSet(u32);

impl Default for ConsumerSet {
    fn default() -> Self {
        let mut set = Self(0);
        for consumer in Consumer::ALL {
            set.set(consumer, consumer.default_enabled());
        }
        set
    }
}

impl ConsumerSet {
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// Whether `consumer` itself is switched on; what it depends on may be off.
    pub const fn contains(self, consumer: Consumer) -> bool {
        self.0 >> consumer as u32 & 1 == 1
    }

    /// Switches `consumer`.
    pub fn set(&mut self, consumer: Consumer, enabled: bool) {
        let bit = 1 << consumer as u32;
        if enabled {
            self.0 |= bit;
        } else {
            self.0 &= !bit;
        }
    }

    /// What these consumers let an event of this kind do: global over thread over current over both histories; and global
    /// over digest.
    /// `None` if nothing is to happen at all.
    pub fn flags(self, kind: EventKind) -> Option<Flags> {
        if !self.contains(Consumer::GlobalInstrumentation) {
            return None;
        }
        let mut flags = Flags::NONE;
        if kind == EventKind::Statement && self.contains(Consumer::StatementsDigest) {
            flags = flags | Flags::DIGEST;
        }
        if !self.contains(Consumer::ThreadInstrumentation) {
            return Some(flags | Flags::GLOBAL_ONLY);
        }
        let [current, history, long] = Consumer::of(kind);
        if self.contains(current) {
            flags = flags | Flags::CURRENT;
            if self.contains(history) {
                flags = flags | Flags::HISTORY;
            }
            if self.contains(long) {
                flags = flags | Flags::HISTORY_LONG;
            }
        }
        Some(flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_of_a_consumer_that_is_off_has_no_effect() {
        let mut set = ConsumerSet::default();
        assert_eq!(set.flags(EventKind::Wait), Some(Flags::NONE));
        assert_eq!(set.flags(EventKind::Stage), Some(Flags::CURRENT));
        assert_eq!(set.flags(EventKind::Statement), Some(Flags::CURRENT | Flags::DIGEST));
        set.set(Consumer::EventsWaitsHistory, true);
        assert_eq!(set.flags(EventKind::Wait), Some(Flags::NONE));
        set.set(Consumer::EventsWaitsCurrent, true);
        assert_eq!(set.flags(EventKind::Wait), Some(Flags::CURRENT | Flags::HISTORY));
        set.set(Consumer::ThreadInstrumentation, false);
        assert_eq!(set.flags(EventKind::Wait), Some(Flags::GLOBAL_ONLY));
        assert_eq!(set.flags(EventKind::Statement), Some(Flags::GLOBAL_ONLY | Flags::DIGEST));
        set.set(Consumer::StatementsDigest, false);
        assert_eq!(set.flags(EventKind::Statement), Some(Flags::GLOBAL_ONLY));
        set.set(Consumer::GlobalInstrumentation, false);
        assert_eq!(set.flags(EventKind::Wait), None);
    }
}
