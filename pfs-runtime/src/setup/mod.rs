//! The writers: what can be changed while the schema runs. How a row shows it is not known here.
//!
//! A change takes effect at the next event that begins; the open event of each context keeps what was decided when
//! it began.

mod error;
mod threads;
mod timers;

pub use error::SetupError;

use crate::class::{Instrument, Timed};
use crate::config::Consumer;
use crate::schema::Schema;

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
        let chosen: Vec<_> = self.instruments().all().filter(|instrument| matches(instrument)).collect();
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
}
