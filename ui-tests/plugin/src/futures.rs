//! Statements of the plugin that follow a future.

use crate::{Within, lock};
use pfs::prelude::*;
use pfs::session::Session;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Acquires the plugin's lock, with what the program does there, before and after the future has waited.
#[statement("plugin/async")]
async fn work(within: Within) {
    lock(1);
    within();
    let mut waited = false;
    poll_fn(|_| if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }).await;
    lock(1);
    within();
}

fn poll(future: Pin<&mut impl Future<Output = ()>>) -> Poll<()> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Polls such a future to its end, with what the program does between the polls.
#[unsafe(no_mangle)]
pub extern "C" fn run(within: Within, between: Within) {
    let mut future = pin!(work(within));
    assert!(poll(future.as_mut()).is_pending());
    between();
    assert!(poll(future).is_ready());
}

/// Polls one in a session of the plugin's, which it attaches for each poll, and drops another one that has waited.
#[unsafe(no_mangle)]
pub extern "C" fn run_in_a_session(within: Within) {
    let mut session = Session::of(pfs::thread_class!("plugin/session"));
    let (mut future, mut dropped) = (pin!(work(within)), Box::pin(work(within)));
    {
        let _attached = session.attach();
        assert!(poll(future.as_mut()).is_pending());
        assert!(poll(dropped.as_mut()).is_pending());
    }
    drop(dropped);
    let _attached = session.attach();
    assert!(poll(future).is_ready());
}
