//! Writing and reading one record whole.

use crate::model::Record;
use core::sync::atomic::{
    Ordering::{Acquire, Relaxed, Release},
    fence,
};

/// How often a reader tries a record that is being written before it gives up.
const READS: usize = 256;

impl Record {
    /// Runs `change` so that no reader sees a part of it. Only the record's one writer may call this.
    #[inline(always)]
    pub(crate) fn write(&self, change: impl FnOnce(&Self)) {
        let version = self.version.load(Relaxed);
        self.version.store(version.wrapping_add(1), Relaxed);
        fence(Release);
        change(self);
        self.version.store(version.wrapping_add(2), Release);
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
        for _ in 0..READS {
            let version = self.version.load(Acquire);
            if version == 0 {
                return Ok(None);
            }
            if version & 1 == 0 {
                let row = if self.event_id.load(Relaxed) == 0 { None } else { read(self) };
                fence(Acquire);
                if self.version.load(Relaxed) == version {
                    return Ok(row);
                }
            }
            core::hint::spin_loop();
        }
        Err(Unreadable)
    }
}

/// A record that changed at every try.
#[derive(Debug)]
pub(crate) struct Unreadable;
