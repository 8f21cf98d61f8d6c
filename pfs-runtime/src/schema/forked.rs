//! The schema in a process that was forked: off, then its own. Which contexts stay is not known here.

use super::Schema;
use super::status::EventTable;
use crate::class::EventKind;
use crate::model::Context;
use crate::stat::Level;
use core::sync::atomic::Ordering::{Acquire, Release};

impl Schema {
    /// Whether this is the copy in a process that was forked, and has not been told that the process goes on.
    pub(crate) fn is_forked(&self) -> bool {
        self.forked.load(Acquire)
    }

    /// Switches every class off, in the forked process, until [`Schema::go_on`]. It neither waits nor allocates.
    #[cfg(unix)]
    pub(crate) fn switch_off(&self) {
        self.forked.store(true, Release);
        self.fold_words();
    }

    /// Makes the copy the forked process's own: it has counted nothing, has the contexts that `stays` says, and is on. Each
    /// other one `forget` makes a context that never was.
    ///
    /// Nothing is counted meanwhile, because every class is off and no other thread was in the middle of an event when
    /// the process began.
    pub(crate) fn go_on(&self, stays: impl Fn(&'static Context) -> bool, forget: impl Fn(&'static Context)) {
        let folds = self.folds();
        for context in self.contexts.used() {
            if !stays(context) {
                forget(context);
                self.wipe(context);
                self.free(context);
            }
        }
        self.contexts.mend();
        self.restart(Level::Global);
        self.restart_actors();
        for instances in [&self.mutexes, &self.rwlocks, &self.conds] {
            instances.mend();
        }
        self.sources.mend();
        self.digests.restart();
        for kind in EventKind::ALL {
            self.long[kind as usize].mend();
            for table in [EventTable::Current, EventTable::History, EventTable::HistoryLong] {
                self.epochs.advance(kind, table);
            }
        }
        self.status.restart();
        drop(folds);
        self.truncate_by_instance();
        self.truncate_by_source();
        self.change_settings(|| self.forked.store(false, Release));
    }
}
