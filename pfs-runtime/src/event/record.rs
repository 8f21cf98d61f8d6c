//! Writing and reading one record whole.

use crate::model::Record;
use core::sync::atomic::Ordering::Relaxed;

impl Record {
    /// Runs `change` so that no reader sees a part of it. Only the record's one writer may call this.
    #[inline(always)]
    pub(crate) fn write(&self, change: impl FnOnce(&Self)) {
        self.version.write(|| change(self));
    }

    /// Takes the event out of its table. Only the record's one writer may call this.
    #[inline]
    pub(crate) fn hide(&self) {
        if self.event_id.load(Relaxed) != 0 {
            self.write(|record| record.event_id.store(0, Relaxed));
        }
    }

    /// Runs `read` on the record while it is whole. `Ok(None)` if there is no event in it, `Err` if it changed at
    /// every try.
    pub(crate) fn read<R>(&self, mut read: impl FnMut(&Self) -> Option<R>) -> Result<Option<R>, Unreadable> {
        let row = |_| if self.event_id.load(Relaxed) == 0 { None } else { read(self) };
        self.version.read(row).ok_or(Unreadable)
    }
}

/// A record that changed at every try.
#[derive(Debug)]
pub(crate) struct Unreadable;
