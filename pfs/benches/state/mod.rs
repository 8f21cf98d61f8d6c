//! The states of pfs that a bench measures in, and the process that goes through them.
//!
//! The instruments are those of the bench itself: all that are named `…/bench/…`.

#![allow(dead_code, reason = "each bench uses a part")]

use pfs::{Config, Pfs, SetupError, Timed};

/// What pfs is.
#[derive(Clone, Copy)]
pub(crate) enum State {
    NotStarted,
    /// How the instruments are set, and the consumers that are on beside the global and the by-thread one.
    Started(Instruments, &'static [&'static str]),
}

/// How the instruments are set. What is no lock is timed whenever it is enabled.
#[derive(Clone, Copy)]
pub(crate) enum Instruments {
    Disabled,
    Counted,
    Contended,
    Timed,
}

const NONE: &[&str] = &[];
pub(crate) const WAITS: &[&str] = &["events_waits_current"];
pub(crate) const WAITS_KEPT: &[&str] =
    &["events_waits_current", "events_waits_history", "events_waits_history_long"];

pub(crate) const NOT_STARTED: State = State::NotStarted;
pub(crate) const DISABLED: State = State::Started(Instruments::Disabled, NONE);
pub(crate) const COUNTED: State = State::Started(Instruments::Counted, NONE);
pub(crate) const CONTENDED: State = State::Started(Instruments::Contended, NONE);
pub(crate) const TIMED: State = State::Started(Instruments::Timed, NONE);

/// Everything timed, and these consumers on.
pub(crate) const fn showing(consumers: &'static [&'static str]) -> State {
    State::Started(Instruments::Timed, consumers)
}

/// The process, with pfs started by `start` as soon as a state wants it.
pub(crate) struct Process {
    start: fn() -> Pfs,
    pfs: Option<Pfs>,
}

impl Process {
    pub(crate) const fn new(start: fn() -> Pfs) -> Self {
        Self { start, pfs: None }
    }

    /// Brings pfs into a state.
    ///
    /// # Panics
    ///
    /// If it should not have been started and was: it cannot be stopped.
    pub(crate) fn enter(&mut self, state: State) {
        match state {
            State::NotStarted => assert!(self.pfs.is_none(), "what is measured before start comes first"),
            State::Started(instruments, consumers) => {
                let pfs = *self.pfs.get_or_insert_with(self.start);
                set(pfs, instruments, consumers).expect("these are names of pfs");
            }
        }
    }
}

/// Starts pfs, or says why that cannot be measured.
pub(crate) fn start(config: &Config) -> Pfs {
    let pfs = config.start().expect("the configuration is allowed, and nothing started pfs before");
    assert!(
        pfs.schema().is_some_and(|schema| schema.clock().is_cycle()),
        "the cycle counter of this machine is no clock, so that all that is timed would take another path"
    );
    pfs
}

fn set(pfs: Pfs, instruments: Instruments, consumers: &[&str]) -> Result<(), SetupError> {
    let (enabled, timed) = match instruments {
        Instruments::Disabled => (false, Timed::Yes),
        Instruments::Counted => (true, Timed::No),
        Instruments::Contended => (true, Timed::Contended),
        Instruments::Timed => (true, Timed::Yes),
    };
    for locks in ["wait/synch/mutex/bench/%", "wait/synch/rwlock/bench/%"] {
        pfs.set_instruments(locks, Some(enabled), Some(timed))?;
    }
    for scopes in ["stage/bench/%", "statement/bench/%"] {
        pfs.set_instruments(scopes, Some(enabled), Some(Timed::Yes))?;
    }
    for consumer in pfs.setup_consumers().filter(|consumer| consumer.name.starts_with("events_")) {
        pfs.set_consumer(consumer.name, consumers.contains(&consumer.name))?;
    }
    Ok(())
}
