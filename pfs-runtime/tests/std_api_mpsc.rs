//! `pfs::sync::mpsc` has the whole stable interface of `std::sync::mpsc`, and its semantics.

#[path = "std_api/mod.rs"]
mod std_api;

use std::error::Error;
use std::fmt::Debug;
use std::sync::mpsc as raw;
use std::time::{Duration, Instant};

// By a glob, as users may.
use pfs_runtime::sync::mpsc::*;
use pfs_runtime::thread;
use std_api::{Changed, Neither, OnlySend, OnlySync, Pinned, Torn, assert_same_auto_traits, implements};

/// Nothing: pfs is not started here. `std_api_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

/// Longer than any step of a test that works takes.
const LONG: Duration = Duration::from_mins(10);
const SHORT: Duration = Duration::from_millis(5);

#[test]
fn messages_of_one_sender_arrive_in_order() {
    crate::begin();
    const MESSAGES: u32 = 1000;
    let unbounded: (Sender<u32>, Receiver<u32>) = channel();
    let sender = unbounded.0;
    thread::scope(|scope| {
        scope.spawn(move || (0..MESSAGES).for_each(|message| sender.send(message).unwrap()));
        assert!(unbounded.1.iter().eq(0..MESSAGES));
    });
    for bound in [0, 1, 7] {
        let (sender, receiver): (SyncSender<u32>, Receiver<u32>) = sync_channel(bound);
        thread::scope(|scope| {
            scope.spawn(move || (0..MESSAGES).for_each(|message| sender.send(message).unwrap()));
            assert!(receiver.into_iter().eq(0..MESSAGES), "{bound}");
        });
    }
}

#[test]
fn every_message_of_many_senders_arrives_once() {
    crate::begin();
    const SENDERS: u32 = 4;
    const MESSAGES: u32 = 500;
    for bound in [None, Some(0), Some(3)] {
        let (unbounded, receiver) = channel();
        let (bounded, bounded_receiver) = sync_channel(bound.unwrap_or(0));
        let receiver = if bound.is_some() { bounded_receiver } else { receiver };
        let mut sums = vec![0; SENDERS as usize];
        thread::scope(|scope| {
            for sender in 0..SENDERS {
                let (unbounded, bounded) = (unbounded.clone(), bounded.clone());
                scope.spawn(move || {
                    for message in 0..MESSAGES {
                        if bound.is_some() {
                            bounded.send((sender, message)).unwrap();
                        } else {
                            unbounded.send((sender, message)).unwrap();
                        }
                    }
                });
            }
            drop((unbounded, bounded));
            let mut next = vec![0; SENDERS as usize];
            for (sender, message) in &receiver {
                assert_eq!(message, next[sender as usize]);
                next[sender as usize] += 1;
                sums[sender as usize] += message;
            }
        });
        assert_eq!(sums, [MESSAGES * (MESSAGES - 1) / 2; SENDERS as usize], "{bound:?}");
    }
}

#[test]
fn a_bound_is_kept() {
    crate::begin();
    let (sender, receiver) = sync_channel(2);
    assert_eq!(sender.try_send('a'), Ok(()));
    assert_eq!(sender.send('b'), Ok(()));
    assert_eq!(sender.try_send('c'), Err(TrySendError::Full('c')));
    thread::scope(|scope| {
        let blocked = scope.spawn(|| sender.send('d'));
        assert_eq!(receiver.recv(), Ok('a'));
        assert_eq!(blocked.join().unwrap(), Ok(()));
    });
    assert_eq!(receiver.try_iter().collect::<String>(), "bd");
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
}

#[test]
fn with_no_buffer_a_message_is_handed_over() {
    crate::begin();
    let (sender, receiver) = sync_channel(0);
    // Nobody receives now.
    assert_eq!(sender.try_send(1), Err(TrySendError::Full(1)));
    thread::scope(|scope| {
        let sending = scope.spawn(|| sender.send(2));
        assert_eq!(receiver.recv(), Ok(2));
        assert_eq!(sending.join().unwrap(), Ok(()));

        let receiving = scope.spawn(move || (receiver.recv(), receiver.recv_timeout(LONG), receiver));
        assert_eq!(sender.send(3), Ok(()));
        // It succeeds once the receiver is there.
        while let Err(error) = sender.try_send(4) {
            assert_eq!(error, TrySendError::Full(4));
            thread::yield_now();
        }
        let (first, second, receiver) = receiving.join().unwrap();
        assert_eq!((first, second), (Ok(3), Ok(4)));

        // By trying, the receiver finds a sender that waits.
        let sending = scope.spawn(|| sender.send(5));
        let found = loop {
            match receiver.try_recv() {
                Ok(message) => break message,
                Err(error) => assert_eq!(error, TryRecvError::Empty),
            }
            thread::yield_now();
        };
        assert_eq!((found, sending.join().unwrap()), (5, Ok(())));
    });
}

#[test]
fn a_value_that_cannot_be_sent_comes_back() {
    crate::begin();
    let (sender, receiver) = channel();
    drop(receiver);
    assert_eq!(sender.send("lost"), Err(SendError("lost")));
    for bound in [0, 1] {
        let (sender, receiver) = sync_channel(bound);
        drop(receiver);
        assert_eq!(sender.send("lost"), Err(SendError("lost")));
        assert_eq!(sender.try_send("lost"), Err(TrySendError::Disconnected("lost")));
    }
    // Also while it is waiting.
    for bound in [0, 1] {
        let (sender, receiver) = sync_channel(bound);
        thread::scope(|scope| {
            if bound == 1 {
                sender.send(String::from("fills")).unwrap();
            }
            let blocked = scope.spawn(move || sender.send(String::from("waits")));
            thread::sleep(SHORT);
            drop(receiver);
            assert_eq!(blocked.join().unwrap(), Err(SendError(String::from("waits"))));
        });
    }
}

#[test]
fn what_was_sent_outlives_the_senders() {
    crate::begin();
    let (sender, receiver) = channel();
    (0..5).for_each(|message| sender.send(message).unwrap());
    drop(sender);
    assert_eq!(receiver.recv(), Ok(0));
    assert_eq!(receiver.try_recv(), Ok(1));
    assert_eq!(receiver.recv_timeout(Duration::ZERO), Ok(2));
    assert_eq!(receiver.iter().next(), Some(3));
    assert_eq!(receiver.try_iter().next(), Some(4));
    assert_eq!(receiver.recv(), Err(RecvError));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
    assert_eq!(receiver.recv_timeout(LONG), Err(RecvTimeoutError::Disconnected));
    assert_eq!((receiver.iter().next(), receiver.try_iter().next()), (None, None));
    assert_eq!(receiver.into_iter().next(), None);

    // A receiver that waits is told, too.
    let (sender, receiver) = sync_channel::<u8>(1);
    thread::scope(|scope| {
        let waiting = scope.spawn(move || receiver.recv());
        thread::sleep(SHORT);
        drop(sender);
        assert_eq!(waiting.join().unwrap(), Err(RecvError));
    });
}

#[test]
fn a_timed_receive_ends_with_the_message_or_the_time() {
    crate::begin();
    let (sender, receiver) = channel();
    let start = Instant::now();
    assert_eq!(receiver.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
    assert!(start.elapsed() >= SHORT);
    sender.send(1).unwrap();
    assert_eq!(receiver.recv_timeout(Duration::ZERO), Ok(1));
    thread::scope(|scope| {
        let waiting = scope.spawn(move || receiver.recv_timeout(LONG));
        sender.send(2).unwrap();
        assert_eq!(waiting.join().unwrap(), Ok(2));
    });
    // Longer than there is time.
    let (sender, receiver) = sync_channel(1);
    thread::scope(|scope| {
        let waiting = scope.spawn(move || receiver.recv_timeout(Duration::MAX));
        sender.send(3).unwrap();
        assert_eq!(waiting.join().unwrap(), Ok(3));
    });
}

#[test]
fn messages_left_over_are_dropped_with_the_channel() {
    crate::begin();
    let shared = std::sync::Arc::new(());
    let (sender, receiver) = sync_channel(3);
    (0..3).for_each(|_| sender.send(shared.clone()).unwrap());
    drop((sender, receiver.recv()));
    assert_eq!(std::sync::Arc::strong_count(&shared), 3);
    drop(receiver);
    assert_eq!(std::sync::Arc::strong_count(&shared), 1);
}

/// Errors are std's own, so that what converts from and to them stays.
#[test]
fn errors_are_those_of_std() {
    crate::begin();
    fn boxed(error: impl Error + 'static) -> String {
        Box::<dyn Error>::from(error).to_string()
    }
    let _: raw::SendError<u8> = SendError(1);
    let _: [raw::TrySendError<u8>; 2] = [TrySendError::Full(1), TrySendError::from(SendError(2))];
    let _: [raw::TryRecvError; 2] = [TryRecvError::Empty, TryRecvError::from(RecvError)];
    let _: [raw::RecvTimeoutError; 2] = [RecvTimeoutError::Timeout, RecvTimeoutError::from(RecvError)];
    let (sender, _) = sync_channel(0);
    assert_eq!(boxed(sender.send(1).unwrap_err()), "sending on a closed channel");
    let (_, receiver) = channel::<u8>();
    assert_eq!(boxed(receiver.recv().unwrap_err()), "receiving on a closed channel");
}

#[test]
fn text_and_auto_traits_are_those_of_std() {
    crate::begin();
    fn text(value: impl Debug) -> [String; 2] {
        [format!("{value:?}"), format!("{value:#?}")]
    }
    let (ours, theirs) = (channel::<u8>(), raw::channel::<u8>());
    assert_eq!(text(&ours.0), text(&theirs.0));
    assert_eq!(text(&ours.1), text(&theirs.1));
    assert_eq!(text(ours.1.iter()), text(theirs.1.iter()));
    assert_eq!(text(ours.1.try_iter()), text(theirs.1.try_iter()));
    assert_eq!(text(ours.1.into_iter()), text(theirs.1.into_iter()));
    assert_eq!(text(sync_channel::<u8>(1).0), text(raw::sync_channel::<u8>(1).0));

    macro_rules! compare {
        ($($value:ty),+) => {$(
            assert_same_auto_traits!(
                Sender<$value> => raw::Sender<$value>,
                SyncSender<$value> => raw::SyncSender<$value>,
                Receiver<$value> => raw::Receiver<$value>,
                Iter<'static, $value> => raw::Iter<'static, $value>,
                TryIter<'static, $value> => raw::TryIter<'static, $value>,
                IntoIter<$value> => raw::IntoIter<$value>,
            );
        )+};
    }
    compare!(i32, Neither, OnlySend, OnlySync, Pinned, Torn, Changed);
    assert!(implements!(Receiver<OnlySend>: Send) && !implements!(Receiver<i32>: Sync));
    assert!(implements!(SyncSender<OnlySend>: Sync) && !implements!(SyncSender<OnlySync>: Send));
}

/// Variance: that this compiles is the test. What must not compile stands in `sync`'s own doctests.
#[test]
fn lifetimes_are_those_of_std() {
    crate::begin();
    fn borrow<'a>(receiver: &'a Receiver<&'static str>) -> Iter<'a, &'static str> {
        receiver.into_iter()
    }
    fn shorter<'short>(iter: Iter<'static, &'short str>) -> Iter<'short, &'short str> {
        iter
    }
    let _: fn(Iter<'static, &'static str>) -> Iter<'static, &'static str> = shorter;
    let (sender, receiver) = channel();
    sender.send("text").unwrap();
    assert_eq!(borrow(&receiver).next(), Some("text"));
}
