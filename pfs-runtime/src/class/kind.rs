//! The kinds of instrument classes: their names' prefixes, their defaults and what kind of event they make.

use super::instrument::{Settings, Timed};

/// What an instrument class instruments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A lock that one thread holds at a time.
    Mutex,
    /// A lock that one writer or many readers hold.
    RwLock,
    /// A condition, channel, park, sleep or join: waiting for something to become true.
    Cond,
    /// Files.
    File,
    /// Sockets.
    Socket,
    /// Reading and writing rows of a table.
    TableIo,
    /// Locking a table.
    TableLock,
    /// Any other input or output that the user names.
    WaitIo,
    /// Any other lock that the user names.
    WaitLock,
    /// Waiting for the next request.
    Idle,
    /// A step of a statement.
    Stage,
    /// A request that the server answers.
    Statement,
    /// A transaction.
    Transaction,
    /// Threads, sessions and tasks.
    Thread,
    /// Allocations.
    Memory,
    /// Errors.
    Error,
}

laid_out!(enum Kind);

/// The kinds of event that have statistics by class, each with rows of its own shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum EventKind {
    /// Waits, idle waits among them.
    Wait = 0,
    /// Stages.
    Stage = 1,
    /// Statements.
    Statement = 2,
    /// Transactions.
    Transaction = 3,
}

laid_out!(enum EventKind);

/// The kinds of event that have a timer of their own: the rows of `setup_timers`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum TimedKind {
    /// Waiting for the next request.
    Idle = 0,
    /// All other waits.
    Wait = 1,
    /// Stages.
    Stage = 2,
    /// Statements.
    Statement = 3,
    /// Transactions.
    Transaction = 4,
}

impl TimedKind {
    /// All of them, in the order of the table.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Idle, Self::Wait, Self::Stage, Self::Statement, Self::Transaction];

    /// How many there are.
    pub const COUNT: usize = 5;

    /// The column `NAME`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Wait => "wait",
            Self::Stage => "stage",
            Self::Statement => "statement",
            Self::Transaction => "transaction",
        }
    }

    /// The kind of that name, ignoring case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    /// The kind of event whose statistics its events are counted in.
    pub const fn event(self) -> EventKind {
        match self {
            Self::Idle | Self::Wait => EventKind::Wait,
            Self::Stage => EventKind::Stage,
            Self::Statement => EventKind::Statement,
            Self::Transaction => EventKind::Transaction,
        }
    }
}

impl EventKind {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; Self::COUNT] = [Self::Wait, Self::Stage, Self::Statement, Self::Transaction];

    /// How many there are.
    pub const COUNT: usize = 4;

    /// How many rows of statistics a class has: transactions that write have their own beside those that only read.
    pub(crate) const fn rows_a_class(self) -> usize {
        match self {
            Self::Wait | Self::Stage | Self::Statement => 1,
            Self::Transaction => 2,
        }
    }
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 16] = [
        Self::Mutex,
        Self::RwLock,
        Self::Cond,
        Self::File,
        Self::Socket,
        Self::TableIo,
        Self::TableLock,
        Self::WaitIo,
        Self::WaitLock,
        Self::Idle,
        Self::Stage,
        Self::Statement,
        Self::Transaction,
        Self::Thread,
        Self::Memory,
        Self::Error,
    ];

    /// What the names of this kind begin with, or all of the name where there is only one such class.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Mutex => "wait/synch/mutex/",
            Self::RwLock => "wait/synch/rwlock/",
            Self::Cond => "wait/synch/cond/",
            Self::File => "wait/io/file/",
            Self::Socket => "wait/io/socket/",
            Self::TableIo => "wait/io/table/",
            Self::TableLock => "wait/lock/table/",
            Self::WaitIo => "wait/io/",
            Self::WaitLock => "wait/lock/",
            Self::Idle => "idle",
            Self::Stage => "stage/",
            Self::Statement => "statement/",
            Self::Transaction => "transaction",
            Self::Thread => "thread/",
            Self::Memory => "memory/",
            Self::Error => "error",
        }
    }

    /// Whether `name` may name a class of this kind: more follows its prefix, and no closer kind owns the name.
    pub(super) const fn admits(self, name: &str) -> bool {
        let prefix = self.prefix();
        match self {
            Self::Idle | Self::Transaction | Self::Error => same(name, prefix),
            Self::WaitIo => {
                longer(name, prefix)
                    && !starts(name, Self::File.prefix())
                    && !starts(name, Self::Socket.prefix())
                    && !starts(name, Self::TableIo.prefix())
            }
            Self::WaitLock => longer(name, prefix) && !starts(name, Self::TableLock.prefix()),
            _ => longer(name, prefix),
        }
    }

    /// The kind of event that the class makes; `None` for classes that are only counted elsewhere.
    pub const fn event(self) -> Option<EventKind> {
        match self {
            Self::Mutex
            | Self::RwLock
            | Self::Cond
            | Self::File
            | Self::Socket
            | Self::TableIo
            | Self::TableLock
            | Self::WaitIo
            | Self::WaitLock
            | Self::Idle => Some(EventKind::Wait),
            Self::Stage => Some(EventKind::Stage),
            Self::Statement => Some(EventKind::Statement),
            Self::Transaction => Some(EventKind::Transaction),
            Self::Thread | Self::Memory | Self::Error => None,
        }
    }

    /// Whose timer times the class's events; `None` where there is none.
    pub const fn timed_as(self) -> Option<TimedKind> {
        match (self, self.event()) {
            (_, None) => None,
            (Self::Idle, _) => Some(TimedKind::Idle),
            (_, Some(EventKind::Wait)) => Some(TimedKind::Wait),
            (_, Some(EventKind::Stage)) => Some(TimedKind::Stage),
            (_, Some(EventKind::Statement)) => Some(TimedKind::Statement),
            (_, Some(EventKind::Transaction)) => Some(TimedKind::Transaction),
        }
    }

    /// Whether events of this kind can be timed.
    pub const fn can_be_timed(self) -> bool {
        !matches!(self, Self::Thread | Self::Memory | Self::Error)
    }

    /// Whether `TIMED = CONTENDED` has a meaning: an acquisition that can succeed at once.
    pub const fn can_be_contended(self) -> bool {
        matches!(self, Self::Mutex | Self::RwLock)
    }

    /// What a class of this kind starts with.
    pub const fn defaults(self) -> Settings {
        let timed = match self {
            Self::Mutex | Self::RwLock => Timed::Contended,
            _ if self.can_be_timed() => Timed::Yes,
            _ => Timed::No,
        };
        Settings { enabled: true, timed }
    }
}

const fn starts(name: &str, prefix: &str) -> bool {
    let (name, prefix) = (name.as_bytes(), prefix.as_bytes());
    if name.len() < prefix.len() {
        return false;
    }
    let mut at = 0;
    while at < prefix.len() {
        if name[at] != prefix[at] {
            return false;
        }
        at += 1;
    }
    true
}

const fn longer(name: &str, prefix: &str) -> bool {
    name.len() > prefix.len() && starts(name, prefix)
}

const fn same(name: &str, other: &str) -> bool {
    name.len() == other.len() && starts(name, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_belong_to_the_closest_kind() {
        assert!(Kind::WaitIo.admits("wait/io/disk/read"));
        assert!(!Kind::WaitIo.admits("wait/io/file/read"));
        assert!(!Kind::WaitLock.admits("wait/lock/table/t"));
        assert!(Kind::WaitLock.admits("wait/lock/metadata/m"));
        assert!(Kind::Idle.admits("idle"));
        assert!(!Kind::Idle.admits("idle/x"));
        assert!(!Kind::Mutex.admits("wait/synch/mutex/"));
        assert!(!Kind::Stage.admits("statement/a"));
    }

    #[test]
    fn defaults_are_those_of_the_documentation() {
        for kind in Kind::ALL {
            let expected = match kind {
                Kind::Mutex | Kind::RwLock => Timed::Contended,
                Kind::Thread | Kind::Memory | Kind::Error => Timed::No,
                _ => Timed::Yes,
            };
            assert_eq!(kind.defaults(), Settings { enabled: true, timed: expected }, "{kind:?}");
        }
    }
}
