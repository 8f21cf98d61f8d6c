//! Every method of `Once`, `OnceLock`, `LazyLock`, `Barrier` and of channels: its result and its exact count.

mod methods;

use std::sync::Barrier as StdBarrier;
use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};
use std::time::Duration;

use methods::counted::until_waiting;
use methods::{Methods, panicked};
use pfs_runtime::class;
use pfs_runtime::class::Class;
use pfs_runtime::sync::mpsc::{self, channel_of, sync_channel_of};
use pfs_runtime::sync::{Barrier, LazyLock, Once, OnceLock, barrier, lazy_lock, once, once_lock};

/// Runs `other` in a thread that waits for what `make` makes in another.
fn while_made<R: Send>(
    class: &'static Class,
    make: impl FnOnce(&dyn Fn()) + Send,
    other: impl FnOnce() -> R + Send,
) -> R {
    let (inside, leave) = (StdBarrier::new(2), StdBarrier::new(2));
    std::thread::scope(|scope| {
        let (inside, leave) = (&inside, &leave);
        scope.spawn(move || {
            make(&|| {
                inside.wait();
                leave.wait();
            });
        });
        inside.wait();
        let waiter = scope.spawn(other);
        until_waiting(class, 1);
        leave.wait();
        waiter.join().unwrap()
    })
}

#[test]
fn once() {
    class! { static ONCE: Cond = "wait/synch/cond/methods/once"; }
    let mut of = Methods::of(&ONCE, &[include_str!("../src/sync/once.rs")]);
    let of_class = || once::with_class(&ONCE);
    assert!(!of.is_none("new", Once::new).is_completed());

    let mut runs = 0;
    let once = of_class();
    assert!(!of.is_none("is_completed", || once.is_completed()));
    of.is_none("call_once", || once.call_once(|| runs += 1));
    of.is_none("call_once", || once.call_once(|| unreachable!("it ran")));
    of.is_none("call_once_force", || once.call_once_force(|_| unreachable!("it ran")));
    of.is_none("wait", || once.wait());
    of.is_none("wait_force", || once.wait_force());
    assert_eq!((runs, of.is_none("is_completed", || once.is_completed())), (1, true));

    for (method, waits) in [
        ("call_once", (|once: &Once| once.call_once(|| unreachable!("another does"))) as fn(&Once)),
        ("call_once_force", |once| once.call_once_force(|_| unreachable!("another does"))),
        ("wait", Once::wait),
        ("wait_force", Once::wait_force),
    ] {
        let once = of_class();
        of.counts(method, (1, 1), || while_made(&ONCE, |meet| once.call_once(meet), || waits(&once)));
    }

    let poisoned = of_class();
    of.is_none("call_once", || panicked(|| poisoned.call_once(|| panic!("while it is done"))));
    // That it is poisoned is found out by a wait.
    of.counts("call_once", (1, 1), || panicked(|| poisoned.call_once(|| unreachable!("poisoned"))));
    of.counts("wait", (1, 1), || panicked(|| poisoned.wait()));
    of.is_none("call_once_force", || poisoned.call_once_force(|state| assert!(state.is_poisoned())));
    assert!(of.is_none("is_completed", || poisoned.is_completed()));
    assert_eq!(of.is_none("new", || format!("{poisoned:?}")), "Once { .. }");
    of.were_all_used();
}

#[test]
fn once_lock() {
    class! { static CELL: Cond = "wait/synch/cond/methods/cell"; }
    let mut of = Methods::of(&CELL, &[include_str!("../src/sync/once_lock.rs")]);
    assert_eq!(of.is_none("new", OnceLock::<u8>::new).get(), None);

    let mut cell: OnceLock<u8> = once_lock::with_class(&CELL);
    assert_eq!(of.is_none("get", || cell.get().copied()), None);
    assert_eq!(of.is_none("get_mut", || cell.get_mut().copied()), None);
    assert_eq!(of.is_none("set", || cell.set(1)), Ok(()));
    assert_eq!(of.is_none("set", || cell.set(2)), Err(2));
    assert_eq!(of.is_none("get", || cell.get().copied()), Some(1));
    assert_eq!(of.is_none("get_or_init", || *cell.get_or_init(|| unreachable!("it is there"))), 1);
    assert_eq!(of.is_none("wait", || *cell.wait()), 1);
    of.is_none("get_mut", || *cell.get_mut().unwrap() = 3);
    assert_eq!(of.is_none("take", || cell.take()), Some(3));
    assert_eq!(of.is_none("take", || cell.take()), None);
    assert_eq!(of.is_none("get_or_init", || *cell.get_or_init(|| 4)), 4);

    let begin = |cell: &OnceLock<u8>, meet: &dyn Fn()| {
        cell.get_or_init(|| {
            meet();
            5
        });
    };
    for (method, waits) in [
        (
            "get_or_init",
            (|cell| *cell.get_or_init(|| unreachable!("another does"))) as fn(&OnceLock<u8>) -> u8,
        ),
        ("wait", |cell| *cell.wait()),
        ("set", |cell| 5 + u8::from(cell.set(6).is_ok())),
    ] {
        let cell = once_lock::with_class(&CELL);
        let made =
            of.counts(method, (1, 1), || while_made(&CELL, |meet| begin(&cell, meet), || waits(&cell)));
        assert_eq!(made, 5, "{method}");
    }
    // Nobody makes it yet.
    let cell: OnceLock<u8> = once_lock::with_class(&CELL);
    let set_late = of.counts("wait", (1, 1), || {
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| *cell.wait());
            until_waiting(&CELL, 1);
            cell.set(7).unwrap();
            waiter.join().unwrap()
        })
    });
    assert_eq!(set_late, 7);

    let copies = of.is_none("new", || (cell.clone(), OnceLock::from(7), OnceLock::<u8>::default()));
    assert!(copies.0 == copies.1 && copies.0 != copies.2 && copies.2.get().is_none());
    assert_eq!(of.is_none("get", || format!("{cell:?} {:?}", copies.2)), "OnceLock(7) OnceLock(<uninit>)");
    assert_eq!(of.is_none("into_inner", || cell.into_inner()), Some(7));
    of.were_all_used();
}

#[test]
fn lazy_lock() {
    class! { static LAZY: Cond = "wait/synch/cond/methods/lazy"; }
    let mut of = Methods::of(&LAZY, &[include_str!("../src/sync/lazy_lock.rs")]);
    assert_eq!(*of.is_none("new", || LazyLock::new(|| 9)), 9);

    let mut lazy = lazy_lock::with_class(&LAZY, || 1);
    assert_eq!(of.is_none("get", || LazyLock::get(&lazy).copied()), None);
    assert_eq!(of.is_none("get_mut", || LazyLock::get_mut(&mut lazy).copied()), None);
    assert_eq!(of.is_none("force", || *LazyLock::force(&lazy)), 1);
    assert_eq!(of.is_none("force", || *lazy), 1);
    of.is_none("get_mut", || *LazyLock::get_mut(&mut lazy).unwrap() += 1);
    of.is_none("force_mut", || *LazyLock::force_mut(&mut lazy) += 1);
    of.is_none("force_mut", || *lazy += 1);
    assert_eq!(of.is_none("get", || LazyLock::get(&lazy).copied()), Some(4));
    let mut unmade = lazy_lock::with_class(&LAZY, || 2);
    assert_eq!(of.is_none("force_mut", || *LazyLock::force_mut(&mut unmade)), 2);

    type Made<'a> = LazyLock<u8, Box<dyn FnOnce() -> u8 + Send + 'a>>;
    for (method, waits) in [
        ("force", (|lazy| *LazyLock::force(lazy)) as for<'a, 'b> fn(&'a Made<'b>) -> u8),
        ("force", |lazy| **lazy),
    ] {
        let (inside, leave) = (StdBarrier::new(2), StdBarrier::new(2));
        let lazy: Made<'_> = lazy_lock::with_class(
            &LAZY,
            Box::new(|| {
                inside.wait();
                leave.wait();
                3
            }),
        );
        let made = of.counts(method, (1, 1), || {
            std::thread::scope(|scope| {
                scope.spawn(|| *lazy);
                inside.wait();
                let waiter = scope.spawn(|| waits(&lazy));
                until_waiting(&LAZY, 1);
                leave.wait();
                waiter.join().unwrap()
            })
        });
        assert_eq!(made, 3);
    }

    let poisoned: LazyLock<u8, _> = lazy_lock::with_class(&LAZY, || panic!("while it is made"));
    of.is_none("force", || panicked(|| _ = LazyLock::force(&poisoned)));
    of.counts("force", (1, 1), || panicked(|| _ = LazyLock::force(&poisoned)));
    assert_eq!(
        of.is_none("get", || format!("{lazy:?} {:?}", LazyLock::<u8>::default())),
        "LazyLock(4) LazyLock(<uninit>)"
    );
    of.were_all_used();
}

#[test]
fn barrier() {
    class! { static ALL: Cond = "wait/synch/cond/methods/all"; }
    let mut of = Methods::of(&ALL, &[include_str!("../src/sync/barrier.rs")]);
    assert!(of.is_none("new", || Barrier::new(1)).wait().is_leader());
    assert!(of.counts("wait", (1, 0), || barrier::with_class(&ALL, 1).wait()).is_leader());
    assert!(of.counts("wait", (1, 0), || barrier::with_class(&ALL, 0).wait()).is_leader());
    let all = barrier::with_class(&ALL, 3);
    let leaders = of.counts("wait", (6, 4), || {
        std::thread::scope(|scope| {
            let threads = [0; 3].map(|_| scope.spawn(|| [(); 2].map(|()| all.wait().is_leader())));
            threads.map(|thread| thread.join().unwrap()).into_iter().flatten().filter(|leads| *leads).count()
        })
    });
    assert_eq!(leaders, 2);
    assert_eq!(of.is_none("new", || format!("{all:?}")), "Barrier { .. }");
    of.were_all_used();
}

const SOON: Duration = Duration::from_millis(1);
const LATE: Duration = Duration::from_mins(10);

#[test]
fn channels() {
    class! { static JOBS: Cond = "wait/synch/cond/methods/jobs"; }
    let sources = [include_str!("../src/sync/mpsc/mod.rs"), include_str!("../src/sync/mpsc/receiver.rs")];
    let mut of = Methods::of(&JOBS, &sources);
    let (sender, receiver) = of.is_none("channel", mpsc::channel);
    assert_eq!((sender.send(1), receiver.recv()), (Ok(()), Ok(1)));
    let (sender, receiver) = of.is_none("sync_channel", || mpsc::sync_channel(1));
    assert_eq!((sender.send(1), receiver.recv()), (Ok(()), Ok(1)));

    let (sender, receiver) = channel_of(&JOBS);
    let send = |n: u8| sender.send(n).unwrap();
    assert_eq!(of.is_none("try_recv", || receiver.try_recv()), Err(TryRecvError::Empty));
    of.is_none("channel", || (1..=4).for_each(send));
    assert_eq!(of.is_none("try_recv", || receiver.try_recv()), Ok(1));
    assert_eq!(of.counts("recv", (1, 0), || receiver.recv()), Ok(2));
    assert_eq!(of.counts("recv_timeout", (1, 0), || receiver.recv_timeout(LATE)), Ok(3));
    assert_eq!(of.is_none("try_iter", || receiver.try_iter().collect::<Vec<_>>()), [4]);
    assert_eq!(
        of.counts("recv_timeout", (1, 1), || receiver.recv_timeout(SOON)),
        Err(RecvTimeoutError::Timeout)
    );

    for (method, receives) in [
        ("recv", (|receiver| receiver.recv().unwrap()) as fn(&mpsc::Receiver<u8>) -> u8),
        ("recv_timeout", |receiver| receiver.recv_timeout(LATE).unwrap()),
        ("iter", |receiver| receiver.iter().next().unwrap()),
        ("iter", |receiver| receiver.into_iter().next().unwrap()),
    ] {
        let message = of.counts(method, (1, 1), || {
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    until_waiting(&JOBS, 1);
                    send(5);
                });
                receives(&receiver)
            })
        });
        assert_eq!(message, 5, "{method}");
    }

    // The last step of an iterator is the one that finds nobody.
    (6..=7).for_each(send);
    drop(sender);
    assert_eq!(of.counts("iter", (3, 0), || receiver.iter().collect::<Vec<_>>()), [6, 7]);
    assert_eq!(of.is_none("try_recv", || receiver.try_recv()), Err(TryRecvError::Disconnected));
    assert_eq!(of.counts("recv", (1, 0), || receiver.recv()), Err(RecvError));
    assert_eq!(
        of.counts("recv_timeout", (1, 0), || receiver.recv_timeout(LATE)),
        Err(RecvTimeoutError::Disconnected)
    );
    assert_eq!(of.is_none("channel", || format!("{receiver:?}")), "Receiver { .. }");
    assert_eq!(of.counts("iter", (1, 0), || receiver.into_iter().next()), None);
    of.were_all_used();
}

#[test]
fn senders_of_a_channel_with_a_bound() {
    class! { static BOUNDED: Cond = "wait/synch/cond/methods/bounded"; }
    let mut of = Methods::of(&BOUNDED, &[include_str!("../src/sync/mpsc/sync_sender.rs")]);
    let (sender, receiver) = sync_channel_of(&BOUNDED, 1);
    assert_eq!(of.is_none("send", || sender.send(1)), Ok(()));
    assert_eq!(of.is_none("try_send", || sender.try_send(2)), Err(TrySendError::Full(2)));
    // One that waits until there is room; what makes it is a receive, which is one too.
    let message = of.counts("send", (2, 1), || {
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| sender.send(3));
            until_waiting(&BOUNDED, 1);
            let message = receiver.recv();
            waiter.join().unwrap().unwrap();
            message
        })
    });
    assert_eq!((message, receiver.try_recv()), (Ok(1), Ok(3)));
    let clone = of.is_none("send", || sender.clone());
    assert_eq!(of.is_none("try_send", || clone.try_send(4)), Ok(()));
    drop(receiver);
    assert_eq!(of.is_none("try_send", || clone.try_send(5)), Err(TrySendError::Disconnected(5)));
    assert_eq!(of.is_none("send", || sender.send(6)), Err(SendError(6)));
    assert_eq!(of.is_none("send", || format!("{sender:?}")), "SyncSender { .. }");
    of.were_all_used();
}
