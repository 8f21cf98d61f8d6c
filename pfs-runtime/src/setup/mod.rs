//! The writers: what can be changed while the schema runs. How a row shows it is not known here.
//!
//! A change takes effect at the next event that begins; the open event of each context keeps what was decided when
//! it began.

use crate::class::{Flags, Instrument, Timed};
use crate::config::{COMPILED_IN, Consumer};
use crate::model::Context;
use crate::schema::Schema;
use core::fmt;
use core::sync::atomic::Ordering;

/// Why a setting was not changed. Nothing was.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetupError {
    /// The configuration switched pfs off, or it is compiled out.
    Off,
    /// No instrument has that name.
    UnknownInstrument {
        /// The name given.
        name: String,
    },
    /// No consumer has that name.
    UnknownConsumer {
        /// The name given.
        name: String,
    },
    /// No live context has that `THREAD_ID`.
    UnknownThread {
        /// The id given.
        thread_id: u64,
    },
    /// The instrument has no acquisition that can succeed at once.
    NotContended {
        /// The instrument's name.
        name: String,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off if !COMPILED_IN => f.write_str(
                "pfs is compiled out of this program: build it with the feature `engine` of pfs to change its settings",
            ),
            Self::Off => f.write_str(
                "pfs is switched off in this process: start it with performance_schema on to change its settings",
            ),
            Self::UnknownInstrument { name } => {
                write!(f, "there is no instrument `{name}`: see setup_instruments for those of this program")
            }
            Self::UnknownConsumer { name } => {
                write!(f, "there is no consumer `{name}`: allowed are {}", Consumer::names())
            }
            Self::UnknownThread { thread_id } => {
                write!(f, "there is no thread {thread_id}: see threads for those that live")
            }
            Self::NotContended { name } => write!(
                f,
                "`{name}` cannot be TIMED = CONTENDED: allowed are YES and NO; CONTENDED is for mutexes and rwlocks"
            ),
        }
    }
}

impl core::error::Error for SetupError {}

impl Schema {
    /// Changes an instrument; `None` leaves a setting as it is. `timed` of what cannot be timed is ignored.
    ///
    /// # Errors
    ///
    /// If there is no such instrument, or it cannot be timed only when contended.
    pub fn set_instrument(
        &self,
        name: &str,
        enabled: Option<bool>,
        timed: Option<Timed>,
    ) -> Result<(), SetupError> {
        let instrument = self
            .instruments()
            .find(name)
            .ok_or_else(|| SetupError::UnknownInstrument { name: name.to_owned() })?;
        self.set_instruments(|other| core::ptr::eq(other, instrument), enabled, timed).map(|_| ())
    }

    /// Changes all instruments that `matches` picks, or none; tells how many.
    ///
    /// # Errors
    ///
    /// If one of them cannot be timed only when contended, and that was asked.
    pub fn set_instruments(
        &self,
        matches: impl Fn(&Instrument) -> bool,
        enabled: Option<bool>,
        timed: Option<Timed>,
    ) -> Result<usize, SetupError> {
        let chosen: Vec<_> =
            self.instruments().all().iter().filter(|instrument| matches(instrument)).collect();
        let refused = |instrument: &&&Instrument| {
            timed == Some(Timed::Contended)
                && instrument.kind().can_be_timed()
                && !instrument.kind().can_be_contended()
        };
        if let Some(instrument) = chosen.iter().find(refused) {
            return Err(SetupError::NotContended { name: instrument.name().to_owned() });
        }
        self.change_settings(|| {
            for instrument in &chosen {
                let mut settings = instrument.settings();
                settings.enabled = enabled.unwrap_or(settings.enabled);
                settings.timed = timed.unwrap_or(settings.timed);
                instrument.set(settings);
            }
        });
        Ok(chosen.len())
    }

    /// Switches a consumer.
    ///
    /// # Errors
    ///
    /// If there is no such consumer.
    pub fn switch_consumer(&self, name: &str, enabled: bool) -> Result<(), SetupError> {
        let consumer =
            Consumer::from_name(name).ok_or_else(|| SetupError::UnknownConsumer { name: name.to_owned() })?;
        self.set_consumer(consumer, enabled);
        Ok(())
    }

    /// Changes what is recorded of a thread or session; `None` leaves a setting as it is.
    ///
    /// # Errors
    ///
    /// If no live context has that `THREAD_ID`.
    pub fn set_thread(
        &self,
        thread_id: u64,
        instrumented: Option<bool>,
        history: Option<bool>,
    ) -> Result<(), SetupError> {
        self.change_settings(|| {
            // A context that lives now cannot end meanwhile, and become another thread's.
            let _folds = self.folds();
            let context = self
                .contexts
                .live()
                .find(|context| context.id() == thread_id)
                .ok_or(SetupError::UnknownThread { thread_id })?;
            context.change_settings(instrumented, history);
            Ok(())
        })
    }
}

impl Context {
    /// Changes what the context lets through. Callers are serialised by the schema's settings.
    fn change_settings(&self, instrumented: Option<bool>, history: Option<bool>) {
        let mut settings = self.settings.load(Ordering::Relaxed);
        for (bit, value) in [(Self::INSTRUMENTED, instrumented), (Self::HISTORY, history)] {
            match value {
                Some(true) => settings |= bit,
                Some(false) => settings &= !bit,
                None => {}
            }
        }
        self.settings.store(settings, Ordering::Relaxed);
        let mut allowed = if settings & Self::INSTRUMENTED == 0 { Flags::NONE } else { Flags::ALL };
        if settings & Self::HISTORY == 0 {
            allowed = allowed.without(Flags::HISTORY | Flags::HISTORY_LONG);
        }
        self.requests.set_mask(allowed.0);
    }
}
