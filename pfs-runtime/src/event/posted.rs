//! Events that end where their context is not: a future that is dropped by another thread, a transaction that outlived
//! the session's stay on a thread.
//!
//! A context has one writer. Whoever else ends an event leaves a word in its frame, and the context's owner carries it
//! out before its next event, or when the context ends.

use super::{Count, close, end_descendants, finish, transaction};
use crate::class::{EventKind, Flags};
use crate::model::{Context, Detail, Ending, Failure, Frame};
use crate::schema::elapsed;
use crate::stat::End;
use core::sync::atomic::Ordering::{Acquire, Relaxed};

/// How an event ended, beside when.
#[derive(Clone, Copy, Debug)]
pub(crate) enum How<'a> {
    /// In its own way.
    Itself,
    /// A transaction was committed.
    Committed,
    /// The future of another event was dropped.
    Dropped,
    /// A statement returned an error, whose text is there if it is to be shown.
    Failed(Option<&'a Failed<'a>>),
}

/// An error as it was returned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed<'a> {
    pub(crate) errno: i32,
    pub(crate) sqlstate: &'a str,
    pub(crate) message: &'a str,
}

/// Ends the event of `serial` in a frame of a context that is not the calling thread's, if it is still open. It is
/// counted when the context's owner gets to it.
#[cold]
pub(crate) fn post(context: &'static Context, frame: &'static Frame, serial: u64, how: How<'_>) {
    if frame.serial.load(Acquire) != serial {
        return;
    }
    let (flags, start) = (frame.decided().flags(), frame.start.load(Relaxed));
    let ticks = if start == 0 { 0 } else { elapsed(start, context.now(flags)) };
    let leave = |failed: &Failed<'_>| {
        context.schema()?.failures.leave(|failure| {
            failure.ticks.store(ticks, Relaxed);
            failure.error.set(failed.errno, failed.sqlstate, failed.message);
        })
    };
    let end = match how {
        How::Itself => End::new(serial, ticks),
        How::Committed | How::Dropped => End::new(serial, ticks).special(true),
        How::Failed(text) => {
            let place = text.and_then(leave);
            place.map_or(End::new(serial, ticks), |place| End::with_more(serial, place)).failed(true)
        }
    };
    give_back(context, frame.posted.leave(end));
    context.requests.alert();
}

/// Gives back what is left with an end that is of no use any more.
fn give_back(context: &'static Context, end: Option<End>) {
    if let Some(place) = end.and_then(End::more)
        && let Some(schema) = context.schema()
    {
        schema.failures.give_back(place);
    }
}

/// Drops an end that was left in a frame of a context that is nobody's any more.
pub(crate) fn forget(context: &'static Context, frame: &Frame) {
    give_back(context, frame.posted.take());
}

/// What is left with an end.
fn left(context: &'static Context, end: End) -> Option<&'static Failure> {
    context.schema()?.failures.at(end.more()?)
}

/// Ends and counts what others have ended. Only the owner may call this.
pub(crate) fn carry_out(context: &'static Context, count: Count) {
    for kind in EventKind::ALL {
        let frames = kind.frames(context);
        for at in 0..frames.limit.load(Relaxed) {
            let frame = frames.frame(at);
            let Some(posted) = frame.posted.take() else { continue };
            let open = frames.used.load(Relaxed) >> at & 1 == 1;
            if open && posted.is_of(frame.serial.load(Relaxed)) {
                end(context, kind, frame, posted, count);
            }
            give_back(context, Some(posted));
        }
    }
}

fn end(context: &'static Context, kind: EventKind, frame: &'static Frame, posted: End, count: Count) {
    let (decided, start) = (frame.decided(), frame.start.load(Relaxed));
    let left = left(context, posted);
    let timed = start != 0;
    let ticks = left.map_or_else(|| posted.ticks(), |failure| failure.ticks.load(Relaxed));
    let end = if timed { start.saturating_add(ticks) } else { 0 };
    let mut ending = Ending::Itself;
    if kind == EventKind::Transaction {
        if posted.is_special() {
            transaction::commit(frame);
        }
    } else {
        end_descendants(context, frame, end, count);
        if posted.is_special() {
            ending = Ending::Drop;
        }
    }
    if kind == EventKind::Statement && posted.has_failed() {
        fail(frame, left);
    }
    if decided.flags().any(Flags::CURRENT) {
        finish(context, kind, frame, decided.flags(), end, ending);
    }
    close(context, kind, frame);
    count(kind, context, frame, decided, timed.then(|| elapsed(start, end)));
}

/// Says of a statement that it failed.
fn fail(frame: &'static Frame, left: Option<&'static Failure>) {
    Detail::change(frame, |detail| {
        detail.add_counter(Detail::ERRORS, 1);
        if let Some(failure) = left {
            detail.set_error(|error| failure.error.copy_to(error));
        }
    });
}
