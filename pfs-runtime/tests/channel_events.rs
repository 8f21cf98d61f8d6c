//! Which calls on the ends of a channel are events: their exact number a class.
//!
//! Each test has classes of its own, so that the tests may run at once.

mod counted;

use std::time::Duration;

use counted::{by_instance, count, current, instances, started, until_waiting};
use pfs_runtime::class;
use pfs_runtime::class::builtin;
use pfs_runtime::sync::mpsc::{
    RecvTimeoutError, SendError, TryRecvError, TrySendError, channel, channel_of, sync_channel,
    sync_channel_of,
};
use pfs_runtime::thread;

const SHORT: Duration = Duration::from_millis(1);

#[test]
fn every_receive_that_may_block_is_an_event() {
    class! { static RECEIVED: Cond = "wait/synch/cond/test/received"; }
    started();
    let (sender, receiver) = channel_of(&RECEIVED);
    (0..4).for_each(|message| sender.send(message).unwrap());
    assert_eq!(count(&RECEIVED), (0, 0));
    // The message is there: no wait, and yet an event.
    assert_eq!((receiver.recv(), count(&RECEIVED)), (Ok(0), (1, 0)));
    assert_eq!((receiver.recv_timeout(SHORT), count(&RECEIVED)), (Ok(1), (2, 0)));
    assert_eq!((receiver.iter().next(), count(&RECEIVED)), (Some(2), (3, 0)));
    // What never blocks is none.
    assert_eq!(receiver.try_recv(), Ok(3));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
    assert_eq!((receiver.try_iter().next(), count(&RECEIVED)), (None, (3, 0)));

    assert_eq!(receiver.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
    assert_eq!(count(&RECEIVED), (4, 1));
    thread::scope(|scope| {
        scope.spawn(|| {
            until_waiting(&RECEIVED, 1);
            sender.send(4).unwrap();
        });
        assert_eq!(receiver.recv(), Ok(4));
    });
    assert_eq!((count(&RECEIVED), by_instance(&RECEIVED)), ((5, 2), vec![(5, 2)]));

    // The end of the senders is found without waiting.
    drop(sender);
    assert!(receiver.recv().is_err() && receiver.recv_timeout(SHORT).is_err());
    assert_eq!((receiver.iter().next(), receiver.into_iter().next()), (None, None));
    assert_eq!((count(&RECEIVED), instances(&RECEIVED)), ((9, 2), 0));
}

#[test]
fn iterating_is_an_event_a_step() {
    class! { static ITERATED: Cond = "wait/synch/cond/test/iterated"; }
    started();
    const MESSAGES: u64 = 100;
    let (sender, receiver) = channel_of(&ITERATED);
    thread::scope(|scope| {
        scope.spawn(move || (0..MESSAGES).for_each(|message| sender.send(message).unwrap()));
        assert!(receiver.iter().eq(0..MESSAGES));
    });
    // One a message, and one for the end.
    assert_eq!(count(&ITERATED).0, MESSAGES + 1);
}

#[test]
fn a_send_is_an_event_if_the_channel_is_full() {
    class! { static SENT: Cond = "wait/synch/cond/test/sent"; }
    started();
    let (sender, receiver) = sync_channel_of(&SENT, 1);
    sender.send(1).unwrap();
    assert_eq!(sender.try_send(2), Err(TrySendError::Full(2)));
    assert_eq!((count(&SENT), instances(&SENT)), ((0, 0), 0));
    thread::scope(|scope| {
        let blocked = scope.spawn(|| sender.clone().send(3));
        until_waiting(&SENT, 1);
        assert_eq!(current(&SENT)[0].operation, "wait");
        assert_eq!(receiver.try_recv(), Ok(1));
        blocked.join().unwrap().unwrap();
    });
    assert_eq!((receiver.try_recv(), count(&SENT)), (Ok(3), (1, 1)));
    sender.try_send(4).unwrap();
    // Both ends of a channel with a name are one instance.
    assert_eq!((receiver.recv(), count(&SENT), by_instance(&SENT)), (Ok(4), (2, 1), vec![(2, 1)]));

    // A send that fails at once waits for nothing; one that fails in the end does.
    sender.send(5).unwrap();
    thread::scope(|scope| {
        let blocked = scope.spawn(|| sender.send(6));
        until_waiting(&SENT, 1);
        drop(receiver);
        assert_eq!(blocked.join().unwrap(), Err(SendError(6)));
    });
    assert_eq!(count(&SENT), (3, 2));
    assert_eq!((sender.send(7), count(&SENT)), (Err(SendError(7)), (3, 2)));
    drop(sender);
    assert_eq!(instances(&SENT), 0);
}

#[test]
fn with_no_buffer_a_send_waits_unless_the_receiver_does() {
    class! { static MET: Cond = "wait/synch/cond/test/rendezvous"; }
    started();
    let (sender, receiver) = sync_channel_of(&MET, 0);
    thread::scope(|scope| {
        let sending = scope.spawn(|| sender.send(1));
        until_waiting(&MET, 1);
        assert_eq!(receiver.recv(), Ok(1));
        sending.join().unwrap().unwrap();
        // Shown as waiting a moment before it is there: the receiver may have had to wait.
        let (all, waited) = count(&MET);
        assert_eq!(all, 2);
        assert!((1..=2).contains(&waited));

        let receiving = scope.spawn(move || receiver.recv());
        until_waiting(&MET, 1);
        while sender.try_send(2).is_err() {}
        assert_eq!(receiving.join().unwrap(), Ok(2));
        assert_eq!(count(&MET), (3, waited + 1));
    });
}

#[test]
fn messages_through_a_small_buffer_are_counted_exactly() {
    class! { static BUSY: Cond = "wait/synch/cond/test/busy"; }
    started();
    const SENDERS: u64 = 3;
    const MESSAGES: u64 = 500;
    let (sender, receiver) = sync_channel_of(&BUSY, 2);
    thread::scope(|scope| {
        for _ in 0..SENDERS {
            let sender = sender.clone();
            scope.spawn(move || (0..MESSAGES).for_each(|message| sender.send(message).unwrap()));
        }
        drop(sender);
        assert_eq!(receiver.iter().sum::<u64>(), SENDERS * MESSAGES * (MESSAGES - 1) / 2);
    });
    let steps = SENDERS * MESSAGES + 1;
    let (all, waited) = count(&BUSY);
    assert_eq!(by_instance(&BUSY), [(all, waited)]);
    // Every receive is one; of the sends those that waited, and every one of them did.
    assert!((steps..=steps + SENDERS * MESSAGES).contains(&all), "{all}");
    assert!(all - steps <= waited, "{waited} of {all}");
}

#[test]
fn what_has_no_name_has_a_class_for_each_end() {
    started();
    let unnamed = || [&builtin::MPSC_RECV, &builtin::MPSC_SEND].map(count);
    assert_eq!(unnamed(), [(0, 0); 2]);
    let (sender, receiver) = channel();
    sender.send(1).unwrap();
    assert_eq!((receiver.recv(), unnamed()), (Ok(1), [(1, 0), (0, 0)]));
    let (sender, receiver) = sync_channel(1);
    sender.send(1).unwrap();
    thread::scope(|scope| {
        let blocked = scope.spawn(|| sender.send(2));
        until_waiting(&builtin::MPSC_SEND, 1);
        assert_eq!(receiver.recv(), Ok(1));
        blocked.join().unwrap().unwrap();
    });
    assert_eq!(unnamed(), [(2, 0), (1, 1)]);
    assert_eq!([&builtin::MPSC_RECV, &builtin::MPSC_SEND].map(instances), [2, 1]);
}
