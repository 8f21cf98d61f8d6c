//! Which calls of `pfs::crossbeam` are events: their exact number a class, on a started pfs.
//!
//! Each test has classes of its own, so that the tests may run at once.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use pfs::Pfs;
use pfs::crossbeam::channel::{
    Receiver, Select, after, at, bounded, never, select, select_biased, tick, unbounded,
};
use pfs::crossbeam::sync::{Parker, WaitGroup};

const SHORT: Duration = Duration::from_millis(1);

fn started() -> Pfs {
    static PFS: OnceLock<Pfs> = OnceLock::new();
    *PFS.get_or_init(|| pfs::Config::new().consumer("events_waits_current", true).start().unwrap())
}

/// All events of a class, and those of them that waited.
fn count(name: &str) -> (u64, u64) {
    let mut rows = started().events_waits_summary_global_by_event_name();
    let row = rows.find(|row| row.event_name == name).unwrap();
    (row.summary.count_star, row.summary.count_waited)
}

/// Returns once that many waits of a class go on.
fn until_waiting(name: &str, waiting: usize) {
    let open = || {
        let rows = started().events_waits_current();
        rows.filter(|row| row.event.event_name == name && row.event.end_event_id.is_none()).count()
    };
    while open() != waiting {
        std::thread::yield_now();
    }
}

/// What was counted of each instance of a class.
fn by_instance(name: &str) -> Vec<(u64, u64)> {
    let rows = started().events_waits_summary_by_instance().filter(|row| row.event_name == name);
    rows.map(|row| (row.summary.count_star, row.summary.count_waited)).collect()
}

#[test]
fn every_receive_that_may_block_is_an_event() {
    const NAME: &str = "wait/synch/cond/counted/received";
    started();
    let (sender, receiver) = unbounded!("counted/received");
    (0..5).for_each(|message| sender.send(message).unwrap());
    assert_eq!(count(NAME), (0, 0));
    assert_eq!((receiver.recv(), receiver.recv_timeout(SHORT)), (Ok(0), Ok(1)));
    assert_eq!((receiver.recv_deadline(Instant::now()), receiver.iter().next()), (Ok(2), Some(3)));
    assert_eq!((receiver.try_recv(), receiver.try_iter().next()), (Ok(4), None));
    assert_eq!(count(NAME), (4, 0));
    assert!(receiver.recv_timeout(SHORT).is_err() && receiver.recv_deadline(Instant::now() + SHORT).is_err());
    assert_eq!(count(NAME), (6, 2));
    std::thread::scope(|threads| {
        let waiting = [receiver.clone(), receiver.clone()].map(|end| threads.spawn(move || end.recv()));
        until_waiting(NAME, 2);
        sender.send(5).unwrap();
        sender.send(6).unwrap();
        let sum: i32 = waiting.map(|end| end.join().unwrap().unwrap()).iter().sum();
        assert_eq!(sum, 11);
    });
    // All clones are one instance.
    assert_eq!((count(NAME), by_instance(NAME)), ((8, 4), vec![(8, 4)]));
    drop(sender);
    assert_eq!((receiver.recv().is_err(), receiver.into_iter().next()), (true, None));
    assert_eq!((count(NAME), by_instance(NAME)), ((10, 4), vec![]));
}

#[test]
fn a_send_is_an_event_if_the_channel_is_full() {
    const NAME: &str = "wait/synch/cond/counted/sent";
    started();
    let (sender, receiver) = bounded!("counted/sent", 1);
    sender.send(1).unwrap();
    assert!(sender.try_send(2).is_err());
    assert_eq!((count(NAME), by_instance(NAME)), ((0, 0), vec![]));
    assert!(sender.send_timeout(3, SHORT).unwrap_err().is_timeout());
    assert!(sender.send_deadline(4, Instant::now() + SHORT).unwrap_err().is_timeout());
    std::thread::scope(|threads| {
        let blocked = threads.spawn(|| sender.clone().send(5));
        until_waiting(NAME, 1);
        assert_eq!(receiver.try_recv(), Ok(1));
        blocked.join().unwrap().unwrap();
    });
    assert_eq!(count(NAME), (3, 3));
    assert_eq!(receiver.recv(), Ok(5));
    assert_eq!((count(NAME), by_instance(NAME)), ((4, 3), vec![(4, 3)]));
    sender.send_timeout(6, SHORT).unwrap();
    assert_eq!(receiver.try_recv(), Ok(6));
    sender.send_deadline(7, Instant::now()).unwrap();
    drop(receiver);
    assert!(sender.send(8).is_err() && sender.send_timeout(9, SHORT).is_err());
    assert_eq!(count(NAME), (4, 3));
}

#[test]
fn what_has_no_name_has_a_class_for_each_end() {
    let ends = || ["recv", "send"].map(|end| count(&format!("wait/synch/cond/crossbeam/{end}")));
    started();
    assert_eq!(ends(), [(0, 0); 2]);
    let (sender, receiver) = bounded(1);
    sender.send(1).unwrap();
    assert!(sender.send_timeout(2, SHORT).is_err());
    assert_eq!((receiver.recv(), ends()), (Ok(1), [(1, 0), (1, 1)]));
    let (sender, receiver) = unbounded();
    sender.send(1).unwrap();
    assert_eq!((receiver.recv(), ends()), (Ok(1), [(2, 0), (1, 1)]));
    // What a clock sends to, and what nothing is sent to.
    assert!(after(SHORT).recv().is_ok() && tick(SHORT).recv().is_ok());
    assert!(never::<u8>().recv_timeout(SHORT).is_err());
    assert_eq!(ends(), [(5, 3), (1, 1)]);
    let now = Instant::now();
    assert!(at(now + SHORT).recv().unwrap() >= now + SHORT);
    assert_eq!(ends(), [(6, 4), (1, 1)]);
    // The end inside is crossbeam's own.
    sender.send(2).unwrap();
    assert_eq!(((*receiver).clone().recv(), ends()), (Ok(2), [(6, 4), (1, 1)]));
}

const SELECT: &str = "wait/synch/cond/crossbeam/select";

/// One test, because all selections are of one class.
#[test]
fn every_selection_that_may_block_is_an_event() {
    started();
    let (sender, receiver) = unbounded!("counted/selected");
    let nothing: Receiver<u8> = never();
    assert_eq!(count(SELECT), (0, 0));
    // Without an end of its own, a macro's selection counts as waited.
    sender.send(1).unwrap();
    select! {
        recv(receiver) -> message => assert_eq!((message, count(SELECT)), (Ok(1), (1, 1))),
        recv(nothing) -> _ => unreachable!(),
    }
    select! {
        recv(nothing) -> _ => unreachable!(),
        default(SHORT) => assert_eq!(count(SELECT), (2, 2)),
    }
    select_biased! {
        recv(nothing) -> _ => unreachable!(),
        send(sender, { assert_eq!(count(SELECT), (3, 3)); 2 }) -> sent => sent.unwrap(),
    }
    assert_eq!(receiver.try_recv(), Ok(2));
    // Never blocks.
    select! {
        recv(nothing) -> _ => unreachable!(),
        default => assert_eq!(count(SELECT), (3, 3)),
    }
    select! {
        recv(nothing) -> _ => unreachable!(),
        default() => assert_eq!(count(SELECT), (3, 3)),
    }

    let mut dynamic = Select::new();
    let _ = dynamic.recv(&receiver);
    assert!(dynamic.try_select().is_err() && dynamic.try_ready().is_err());
    assert_eq!(count(SELECT), (3, 3));
    assert!(dynamic.select_timeout(SHORT).is_err() && dynamic.select_deadline(Instant::now()).is_err());
    assert!(dynamic.ready_timeout(SHORT).is_err() && dynamic.ready_deadline(Instant::now()).is_err());
    assert_eq!(count(SELECT), (7, 7));
    sender.send(3).unwrap();
    // Ready at once: an event, and no wait.
    assert_eq!((dynamic.ready(), dynamic.ready_timeout(SHORT), count(SELECT)), (0, Ok(0), (9, 7)));
    assert_eq!((dynamic.select().recv(&receiver), count(SELECT)), (Ok(3), (10, 7)));
    sender.send(4).unwrap();
    assert_eq!(dynamic.select_timeout(SHORT).unwrap().recv(&receiver), Ok(4));
    assert_eq!(count(SELECT), (11, 7));
    std::thread::scope(|threads| {
        let waiting = threads.spawn(|| {
            let mut dynamic = Select::new();
            let _ = dynamic.recv(&receiver);
            dynamic.select().recv(&receiver)
        });
        until_waiting(SELECT, 1);
        sender.send(5).unwrap();
        assert_eq!(waiting.join().unwrap(), Ok(5));
    });
    assert_eq!((count(SELECT), by_instance(SELECT)), ((12, 8), vec![(12, 8)]));
    std::thread::scope(|threads| {
        let line = line!() + 2;
        let waiting = threads.spawn(|| {
            select! {
                recv(receiver) -> message => message,
                recv(nothing) -> _ => Ok(0),
            }
        });
        until_waiting(SELECT, 1);
        let mut rows = started().events_waits_current();
        let row = rows.find(|row| row.event.event_name == SELECT && row.event.end_event_id.is_none());
        sender.send(6).unwrap();
        assert_eq!((waiting.join().unwrap(), count(SELECT)), (Ok(6), (13, 9)));
        let row = row.unwrap();
        assert_eq!((row.operation, row.event.source), ("wait", Some(format!("crossbeam_counted.rs:{line}"))));
    });
    // What is received by a selection is no event of the channel.
    assert_eq!(count("wait/synch/cond/counted/selected"), (0, 0));
}

#[test]
fn every_park_is_an_event_that_says_where_and_how() {
    const PARK: &str = "wait/synch/cond/crossbeam/park";
    started();
    let parker = Parker::new();
    let unparker = parker.unparker().clone();
    std::thread::scope(|threads| {
        let line = line!() + 1;
        let waiting = threads.spawn(move || parker.park());
        until_waiting(PARK, 1);
        let row = started().events_waits_current().find(|row| row.event.event_name == PARK).unwrap();
        assert_eq!((row.operation, row.event.source), ("wait", Some(format!("crossbeam_counted.rs:{line}"))));
        unparker.unpark();
        waiting.join().unwrap();
    });
    assert_eq!(count(PARK), (1, 1));
    let parker = Parker::new();
    parker.park_timeout(SHORT);
    parker.park_deadline(Instant::now() + SHORT);
    assert_eq!(count(PARK), (3, 3));
}

#[test]
fn waiting_for_a_group_and_for_a_scoped_thread_are_events() {
    let both = || ["wait_group", "join"].map(|name| count(&format!("wait/synch/cond/crossbeam/{name}")).0);
    started();
    assert_eq!(both(), [0, 0]);
    let group = WaitGroup::new();
    drop(group.clone());
    group.wait();
    assert_eq!(both(), [1, 0]);
    let classes = pfs::crossbeam::scope(|scope| {
        let named = scope.builder().thread_class(pfs::thread_class!("counted/scoped"));
        // Its row is there before anything is counted for it.
        let own = |_: &pfs::crossbeam::thread::Scope<'_>| {
            let rows = started().threads();
            rows.filter(|row| row.name.ends_with("counted/scoped")).count()
        };
        let rows = named.spawn(own).unwrap().join().unwrap();
        // Nested, and joined by the scope: no event.
        scope.spawn(|scope| _ = scope.spawn(|_| ()));
        rows
    });
    assert_eq!((classes.unwrap(), both()), (1, [1, 1]));
}
