//! `pfs::sync::Barrier` has the whole stable interface of `std::sync::Barrier`, and its semantics.

#[path = "std_api/mod.rs"]
mod std_api;

use std::sync as raw;
use std::sync::atomic::{AtomicUsize, Ordering};

use pfs_runtime::sync::{Barrier, BarrierWaitResult};
use pfs_runtime::thread;
use std_api::{assert_same_auto_traits, implements};

/// Nothing: pfs is not started here. `std_api_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

#[test]
fn nobody_passes_before_all_are_there_and_one_leads() {
    crate::begin();
    const THREADS: usize = 5;
    const ROUNDS: usize = 50;
    static BARRIER: Barrier = Barrier::new(THREADS);
    let (arrived, leaders) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for round in 1..=ROUNDS {
                    arrived.fetch_add(1, Ordering::Relaxed);
                    let led: BarrierWaitResult = BARRIER.wait();
                    leaders.fetch_add(usize::from(led.is_leader()), Ordering::Relaxed);
                    assert!(arrived.load(Ordering::Relaxed) >= round * THREADS);
                    // Again, so that no one is in the next round yet.
                    BARRIER.wait();
                    assert!(arrived.load(Ordering::Relaxed) <= (round + 1) * THREADS);
                }
            });
        }
    });
    assert_eq!((arrived.into_inner(), leaders.into_inner()), (THREADS * ROUNDS, ROUNDS));
}

#[test]
fn one_thread_or_none_to_wait_for() {
    crate::begin();
    for threads in [0, 1] {
        let barrier = Barrier::new(threads);
        assert!((0..3).all(|_| barrier.wait().is_leader()));
    }
}

#[test]
fn text_and_auto_traits_are_those_of_std() {
    crate::begin();
    let (ours, theirs) = (Barrier::new(1), raw::Barrier::new(1));
    assert_eq!(format!("{ours:?}{ours:#?}"), format!("{theirs:?}{theirs:#?}"));
    assert_eq!(format!("{:?}", ours.wait()), format!("{:?}", theirs.wait()));
    assert_same_auto_traits!(Barrier => raw::Barrier);
    assert!(implements!(Barrier: Send) && implements!(Barrier: Sync));
    let result: raw::BarrierWaitResult = ours.wait();
    assert!(result.is_leader());
}
