//! What is recorded of threads and sessions: of one that lives, and of those of a class that begin from now on.

use super::SetupError;
use crate::class::{Instrument, Kind};
use crate::model::Context;
use crate::schema::Schema;
use core::sync::atomic::Ordering;

impl Schema {
    /// The classes of threads.
    pub fn thread_classes(&self) -> impl Iterator<Item = &Instrument> {
        self.instruments().all().filter(|instrument| instrument.kind() == Kind::Thread)
    }

    /// Changes what threads and sessions of a class begin with, those that begin from now on; `None` leaves a setting as
    /// it is.
    ///
    /// # Errors
    ///
    /// If there is no such class of threads.
    pub fn set_thread_class(
        &self,
        name: &str,
        enabled: Option<bool>,
        history: Option<bool>,
    ) -> Result<(), SetupError> {
        let instrument = self
            .thread_classes()
            .find(|instrument| instrument.name() == name)
            .ok_or_else(|| SetupError::UnknownThreadClass { name: name.to_owned() })?;
        self.change_settings(|| {
            let mut settings = instrument.settings();
            settings.enabled = enabled.unwrap_or(settings.enabled);
            instrument.set(settings);
            instrument.set_history(history.unwrap_or(instrument.history()));
        });
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
        self.requests.set_mask(Self::allowed(settings).0);
    }
}
