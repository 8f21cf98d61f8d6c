//! Transactions: events that a handle holds open, across statements and wherever their session is served.

use super::{attend_first, attended};
use crate::class::{Class, EventKind, Flags};
use crate::context::{at_hand, current};
use crate::count;
use crate::event::posted::{self, How};
use crate::event::{self, transaction};
use crate::model::{Characteristics, Context, Ending, Frame, Savepoint, Site};
use crate::schema::elapsed;
use core::sync::atomic::Ordering::Relaxed;

/// An open transaction. Unlike a guard it may be sent to another thread, because sessions are.
///
/// It has to be ended: dropped it would stay open until its context ends.
#[derive(Debug)]
pub struct Transaction {
    held: Held,
    said: Characteristics,
}

#[derive(Clone, Copy, Debug)]
enum Held {
    /// Nothing was decided to happen.
    Nothing,
    /// Open in a frame of its context, while the frame holds the event of that serial.
    Framed { context: &'static Context, frame: &'static Frame, serial: u64 },
    /// Found no frame: only counted when it ends.
    Unframed { class: &'static Class, start: u64 },
}

impl Transaction {
    /// Begins a transaction of the calling thread's context; `id` is zero for none.
    ///
    /// Cost while not started or disabled: one relaxed load and a branch.
    #[inline]
    pub fn begin(class: &'static Class, said: Characteristics, id: u64, site: Site) -> Self {
        if class.word().is_off() {
            return Self { held: Held::Nothing, said };
        }
        Self { held: begin(class, said, id, site), said }
    }

    /// Lets `change` write the frame, if the transaction is still open in it and its context is the calling thread's.
    fn change(&self, change: impl FnOnce(&'static Frame)) {
        if let Held::Framed { context, frame, serial } = self.held
            && core::ptr::eq(current(), context)
            && let Some(_changing) = context.change_events()
            && frame.serial.load(Relaxed) == serial
        {
            change(frame);
        }
    }

    /// Counts what was done with a savepoint.
    pub fn savepoint(&self, done: Savepoint) {
        self.change(|frame| transaction::savepoint(frame, done));
    }

    /// Sets the transaction's id.
    pub fn set_id(&self, id: u64) {
        self.change(|frame| transaction::set_id(frame, id));
    }

    /// Ends the transaction; a second time it does nothing.
    #[inline]
    pub fn end(&mut self, committed: bool) {
        if !matches!(self.held, Held::Nothing) {
            end(core::mem::replace(&mut self.held, Held::Nothing), self.said, committed);
        }
    }
}

#[inline(never)]
fn begin(class: &'static Class, said: Characteristics, id: u64, site: Site) -> Held {
    let (context, decided) = attended(at_hand(), class.word());
    let flags = decided.flags();
    if flags.is_none() {
        return Held::Nothing;
    }
    let start = if flags.any(Flags::TIMED) { context.now(flags) } else { 0 };
    if context.is_overflow() {
        return Held::Unframed { class, start };
    }
    let changing = context.change_events();
    let frame = if changing.is_some() { transaction::open(context, decided, start, said) } else { None };
    let Some(frame) = frame else {
        event::nested_too_deep(context, EventKind::Transaction, flags);
        return Held::Unframed { class, start };
    };
    if flags.any(Flags::CURRENT) {
        transaction::publish(context, frame, class, site, id);
    }
    Held::Framed { context, frame, serial: frame.serial.load(Relaxed) }
}

#[inline(never)]
fn end(held: Held, said: Characteristics, committed: bool) {
    match held {
        Held::Nothing => {}
        Held::Framed { context, frame, serial } => {
            if core::ptr::eq(current(), context) {
                end_framed(context, frame, serial, committed);
            } else {
                let how = if committed { How::Committed } else { How::Itself };
                posted::post(context, frame, serial, how);
            }
        }
        Held::Unframed { class, start } => {
            let (context, decided) = attended(at_hand(), class.word());
            if !decided.flags().is_none() {
                let ticks = (start != 0).then(|| elapsed(start, context.now(decided.flags())));
                count::transaction(context, decided, said, ticks);
            }
        }
    }
}

fn end_framed(context: &'static Context, frame: &'static Frame, serial: u64, committed: bool) {
    let attended = attend_first(context);
    let Some(changing) = context.change_events().filter(|_| attended) else { return };
    if frame.serial.load(Relaxed) != serial {
        return;
    }
    let (decided, start) = (frame.decided(), frame.start.load(Relaxed));
    let end = if start == 0 { 0 } else { context.now(decided.flags()) };
    if committed {
        transaction::commit(frame);
    }
    const KIND: EventKind = EventKind::Transaction;
    if decided.flags().any(Flags::CURRENT) {
        event::finish(context, KIND, frame, decided.flags(), end, Ending::Itself);
    }
    event::close(context, KIND, frame);
    count::framed(KIND, context, frame, decided, (start != 0).then(|| elapsed(start, end)));
    drop(changing);
}
