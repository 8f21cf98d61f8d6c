//! Futures without an executor: polled by hand, or until they are ready; and what tests of their events compare.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Mutex;
use std::sync::mpsc::Receiver;
use std::task::{Context, Poll, Waker};
use std::thread::Scope;

use crate::own_schema::{Own, recording, short};
use pfs_runtime::class::Class;
use pfs_runtime::config::{Config, SizeKey};
use pfs_runtime::context::session::Owned;
use pfs_runtime::event::EventRecord;
use pfs_runtime::model::Ending;
use pfs_runtime::task;

/// Polls a future once.
pub(crate) fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Polls a future until it is ready.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = poll(future.as_mut()) {
            return value;
        }
    }
}

/// Is pending once, and then ready.
pub(crate) async fn pause() {
    let mut paused = false;
    poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

/// A schema that records everything, with room for some contexts beside the thread's own.
pub(crate) fn roomy() -> Config {
    recording().size(SizeKey::MaxThreadInstances, 8)
}

/// A session, owned.
pub(crate) fn session(own: &'static Own) -> Owned {
    Owned::new(Some(own.schema), own.worker)
}

/// Two threads that take what is left for them until nobody leaves more: the first in a session of its own.
pub(crate) fn take_elsewhere<'scope, T: Send>(
    scope: &'scope Scope<'scope, '_>,
    own: &'static Own,
    left: &'scope Mutex<Receiver<T>>,
    act: impl Fn(T, usize) + Copy + Send + Sync + 'scope,
) {
    for number in 0..2 {
        scope.spawn(move || {
            own.on_thread(|| {
                let mut other = session(own);
                loop {
                    let received = left.lock().unwrap().recv();
                    let Ok(taken) = received else { return };
                    let _attached = (number == 0).then(|| other.attach());
                    act(taken, number);
                }
            });
        });
    }
}

/// A class, thread, id, parent's id and who ended it.
pub(crate) type Ended = (&'static str, u64, u64, Option<u64>, Ending);

/// What of an event a test compares.
pub(crate) fn told(event: &EventRecord) -> Ended {
    (short(event.class), event.thread_id, event.event_id, event.nesting.map(|(id, _)| id), event.ending)
}

/// The events that ended, by thread and id.
pub(crate) fn ended(own: &Own) -> Vec<Ended> {
    own.ended().iter().map(told).collect()
}

/// So many waits with a pause after each.
pub(crate) async fn work(own: &Own, pauses: u32) {
    for _ in 0..pauses {
        own.wait(|| ());
        pause().await;
    }
}

/// The future as a statement of a class of the schema.
pub(crate) fn statement<F: Future>(class: &'static Class, future: F) -> impl Future<Output = F::Output> {
    task::statement(class, future)
}
