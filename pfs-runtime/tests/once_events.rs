//! Which uses of `Once`, `OnceLock`, `LazyLock` and `Barrier` are events: their exact number a class.
//!
//! Each test has classes of its own, so that the tests may run at once.

mod counted;

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Barrier as StdBarrier, mpsc};

use counted::{by_instance, count, current, instances, started, until_waiting};
use pfs_runtime::class;
use pfs_runtime::class::{Class, builtin};
use pfs_runtime::model::NestingType;
use pfs_runtime::sync::{Barrier, LazyLock, Once, OnceLock, barrier, lazy_lock, once, once_lock};
use pfs_runtime::{stage, thread};

/// Runs `uses`, each in a thread, while another thread is in `make`, and ends that when all are waiting.
fn use_while_made(
    class: &'static Class,
    make: impl FnOnce(&(dyn Fn() + Sync)) + Send,
    uses: &[&(dyn Fn() + Sync)],
) {
    let (inside, leave) = (StdBarrier::new(2), StdBarrier::new(2));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            make(&|| {
                inside.wait();
                leave.wait();
            });
        });
        inside.wait();
        for each in uses {
            scope.spawn(*each);
        }
        until_waiting(class, uses.len());
        leave.wait();
    });
}

#[test]
fn only_who_waits_for_another_s_call_is_an_event() {
    class! {
        static CALLED: Cond = "wait/synch/cond/test/called";
        static WAITED: Cond = "wait/synch/cond/test/once waited";
    }
    started();
    let alone = once::with_class(&CALLED);
    alone.call_once(|| ());
    alone.call_once(|| ());
    alone.call_once_force(|_| ());
    alone.wait();
    alone.wait_force();
    assert!(alone.is_completed());
    assert_eq!((count(&CALLED), instances(&CALLED)), ((0, 0), 0));

    let once = once::with_class(&WAITED);
    let uses: [&(dyn Fn() + Sync); 4] = [
        &|| once.call_once(|| unreachable!("another does")),
        &|| once.call_once_force(|_| unreachable!("another does")),
        &|| once.wait(),
        &|| once.wait_force(),
    ];
    use_while_made(&WAITED, |meet| once.call_once(meet), &uses);
    assert_eq!((count(&WAITED), by_instance(&WAITED)), ((4, 4), vec![(4, 4)]));
    once.call_once(|| unreachable!("it is done"));
    once.wait();
    assert_eq!(count(&WAITED), (4, 4));
    drop(once);
    assert_eq!(instances(&WAITED), 0);
}

#[test]
fn a_call_that_meets_poison_is_an_event_and_one_that_heals_is_none() {
    class! { static POISONED: Cond = "wait/synch/cond/test/once poisoned"; }
    started();
    let once = once::with_class(&POISONED);
    let fail = || panic::resume_unwind(Box::new(()));
    let call = |call: &dyn Fn()| assert!(panic::catch_unwind(AssertUnwindSafe(call)).is_err());
    call(&|| once.call_once(fail));
    assert_eq!(count(&POISONED).0, 0);
    call(&|| once.call_once(|| unreachable!("poisoned")));
    call(&|| once.wait());
    assert_eq!(count(&POISONED).0, 2);
    call(&|| once.call_once_force(|_| fail()));
    once.call_once_force(|state| assert!(state.is_poisoned()));
    once.call_once(|| ());
    assert_eq!(count(&POISONED).0, 2);
}

#[test]
fn a_wait_whose_caller_runs_in_the_end_is_none() {
    class! { static TURNED: Cond = "wait/synch/cond/test/once turned"; }
    started();
    let once = once::with_class(&TURNED);
    let ran = &|| once.call_once_force(|state| assert!(state.is_poisoned()));
    let make = |meet: &(dyn Fn() + Sync)| {
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
            once.call_once(|| {
                meet();
                panic::resume_unwind(Box::new(()));
            });
        }));
        assert!(outcome.is_err());
    };
    use_while_made(&TURNED, make, &[ran]);
    assert!(once.is_completed());
    assert_eq!((count(&TURNED), instances(&TURNED)), ((0, 0), 0));
}

#[test]
fn only_who_waits_for_another_s_value_is_an_event() {
    class! {
        static SET: Cond = "wait/synch/cond/test/set";
        static MADE: Cond = "wait/synch/cond/test/made";
    }
    started();
    let mut cell = once_lock::with_class(&SET);
    assert_eq!((cell.get(), cell.set(1), cell.set(2)), (None, Ok(()), Err(2)));
    assert_eq!((cell.get_or_init(|| 3), cell.wait(), cell.clone()), (&1, &1, OnceLock::from(1)));
    assert_eq!((cell.get_mut().copied(), cell.take()), (Some(1), Some(1)));
    assert_eq!((cell.get_or_init(|| 4), format!("{cell:?}")), (&4, "OnceLock(4)".to_owned()));
    assert_eq!(cell.into_inner(), Some(4));
    assert_eq!((count(&SET), instances(&SET)), ((0, 0), 0));

    let cell = once_lock::with_class(&MADE);
    let uses: [&(dyn Fn() + Sync); 3] =
        [&|| assert_eq!(cell.set(6), Err(6)), &|| assert_eq!(cell.get_or_init(|| 7), &5), &|| {
            assert_eq!(cell.wait(), &5);
        }];
    let make = |meet: &(dyn Fn() + Sync)| {
        cell.get_or_init(|| {
            meet();
            5
        });
    };
    use_while_made(&MADE, make, &uses);
    assert_eq!((count(&MADE), by_instance(&MADE)), ((3, 3), vec![(3, 3)]));
    // A clone is another instance of the class.
    let copy = cell.clone();
    assert_eq!((copy.wait(), instances(&MADE)), (&5, 1));
}

#[test]
fn a_cell_waited_for_before_anyone_makes_the_value() {
    class! { static EARLY: Cond = "wait/synch/cond/test/early"; }
    started();
    let cell = once_lock::with_class(&EARLY);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| *cell.wait());
        until_waiting(&EARLY, 1);
        cell.set('x').unwrap();
        assert_eq!(waiting.join().unwrap(), 'x');
    });
    assert_eq!((count(&EARLY), by_instance(&EARLY)), ((1, 1), vec![(1, 1)]));
}

#[test]
fn only_who_waits_for_another_to_make_a_lazy_value_is_an_event() {
    class! {
        static LAZY: Cond = "wait/synch/cond/test/lazy";
        static SLOW: Cond = "wait/synch/cond/test/lazy slow";
    }
    started();
    let mut lazy = lazy_lock::with_class(&LAZY, || 1);
    assert_eq!((LazyLock::get(&lazy), LazyLock::force(&lazy), *lazy), (None, &1, 1));
    *lazy += 1;
    assert_eq!((LazyLock::get_mut(&mut lazy).copied(), format!("{lazy:?}")), (Some(2), "LazyLock(2)".into()));
    let mut alone = lazy_lock::with_class(&LAZY, || 3);
    assert_eq!(LazyLock::force_mut(&mut alone), &mut 3);
    assert_eq!(*alone, 3);
    assert_eq!((count(&LAZY), instances(&LAZY)), ((0, 0), 0));

    let (enter, entered) = mpsc::channel::<()>();
    let (leave, left) = mpsc::channel::<()>();
    let slow = lazy_lock::with_class(&SLOW, move || {
        enter.send(()).unwrap();
        left.recv().unwrap();
        4
    });
    std::thread::scope(|scope| {
        scope.spawn(|| assert_eq!(*slow, 4));
        entered.recv().unwrap();
        for _ in 0..3 {
            scope.spawn(|| assert_eq!(LazyLock::force(&slow), &4));
        }
        until_waiting(&SLOW, 3);
        leave.send(()).unwrap();
    });
    assert_eq!((*slow, count(&SLOW), by_instance(&SLOW)), (4, (3, 3), vec![(3, 3)]));
}

#[test]
fn a_poisoned_lazy_value_is_an_event_for_all_but_who_poisoned_it() {
    class! {
        static FAILED: Cond = "wait/synch/cond/test/lazy failed";
        static FAILED_ALONE: Cond = "wait/synch/cond/test/lazy failed alone";
    }
    started();
    let failed = |class| lazy_lock::with_class(class, || -> u8 { panic::resume_unwind(Box::new(())) });
    let lazy = failed(&FAILED);
    for events in [0, 1, 2] {
        assert!(panic::catch_unwind(AssertUnwindSafe(|| *lazy)).is_err());
        assert_eq!(count(&FAILED).0, events);
    }
    let mut lazy = failed(&FAILED_ALONE);
    for _ in 0..2 {
        assert!(panic::catch_unwind(AssertUnwindSafe(|| *LazyLock::force_mut(&mut lazy))).is_err());
        assert_eq!(count(&FAILED_ALONE).0, 0);
    }
    assert!(panic::catch_unwind(AssertUnwindSafe(|| *lazy)).is_err());
    assert_eq!(count(&FAILED_ALONE).0, 1);
}

/// What runs in a closure has the stage around the call as its parent, and nothing of a wait.
#[test]
fn what_a_closure_does_is_nested_in_no_wait() {
    class! {
        static OUTER: Cond = "wait/synch/cond/test/nested outer";
        static INNER: Cond = "wait/synch/cond/test/nested inner";
        static AROUND: Stage = "stage/test/around";
    }
    started();
    let around = stage::begin(&AROUND);
    let outer = once::with_class(&OUTER);
    outer.call_once(|| {
        assert_eq!(current(&OUTER), []);
        barrier::with_class(&INNER, 1).wait();
        let rows = current(&INNER);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].nesting_event_type.map(NestingType::as_str), Some("STAGE"));
    });
    drop(around);
    assert_eq!((count(&OUTER), count(&INNER)), ((0, 0), (1, 0)));
}

#[test]
fn a_row_says_where_for_what_and_how() {
    class! { static SHOWN: Cond = "wait/synch/cond/test/shown"; }
    started();
    let cell = once_lock::with_class(&SHOWN);
    std::thread::scope(|scope| {
        let line = line!() + 1;
        let waiting = scope.spawn(|| *cell.wait());
        until_waiting(&SHOWN, 1);
        let row = &current(&SHOWN)[0];
        assert_eq!(row.event.source, Some(format!("once_events.rs:{line}")));
        assert_eq!((row.operation, row.event.end_event_id), ("wait", None));
        assert_ne!(row.object_instance_begin, 0);
        cell.set(1).unwrap();
        waiting.join().unwrap();
    });

    // Where it is not known yet that it is a wait, the instance is shown when it ends.
    let (enter, entered) = mpsc::channel::<()>();
    let (leave, left) = mpsc::channel::<()>();
    class! { static LATE: Cond = "wait/synch/cond/test/shown late"; }
    let once = once::with_class(&LATE);
    std::thread::scope(|scope| {
        let once = &once;
        scope.spawn(move || {
            once.call_once(|| {
                enter.send(()).unwrap();
                left.recv().unwrap();
            });
        });
        entered.recv().unwrap();
        let (ended, end) = mpsc::channel::<()>();
        let waiting = scope.spawn(move || {
            once.call_once(|| ());
            end.recv().unwrap();
        });
        until_waiting(&LATE, 1);
        assert_eq!(current(&LATE)[0].object_instance_begin, 0);
        leave.send(()).unwrap();
        until_waiting(&LATE, 0);
        let rows = current(&LATE);
        assert_eq!(rows.len(), 1);
        assert_ne!(rows[0].object_instance_begin, 0);
        ended.send(()).unwrap();
        waiting.join().unwrap();
    });
}

#[test]
fn every_arrival_at_a_barrier_is_an_event_and_the_leader_s_did_not_wait() {
    class! { static MET: Cond = "wait/synch/cond/test/met"; }
    started();
    const THREADS: u64 = 3;
    const ROUNDS: u64 = 20;
    let barrier = barrier::with_class(&MET, 3);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| (0..ROUNDS).for_each(|_| _ = barrier.wait()));
        }
    });
    let expected = (THREADS * ROUNDS, (THREADS - 1) * ROUNDS);
    assert_eq!((count(&MET), by_instance(&MET)), (expected, vec![expected]));
    for threads in [0, 1] {
        assert!(barrier::with_class(&MET, threads).wait().is_leader());
    }
    assert_eq!(count(&MET), (expected.0 + 2, expected.1));
}

#[test]
fn what_has_no_name_has_the_class_of_its_type() {
    started();
    let unnamed = || {
        [&builtin::ONCE, &builtin::ONCE_LOCK, &builtin::LAZY_LOCK, &builtin::BARRIER]
            .map(|class| count(class).0)
    };
    assert_eq!(unnamed(), [0; 4]);
    Barrier::new(1).wait();
    let (once, cell, lazy) =
        (Once::new(), OnceLock::new(), LazyLock::new(|| panic::resume_unwind(Box::new(()))));
    use_while_made(&builtin::ONCE, |meet| once.call_once(meet), &[&|| once.call_once(|| ())]);
    let make = |meet: &(dyn Fn() + Sync)| () = *cell.get_or_init(meet);
    use_while_made(&builtin::ONCE_LOCK, make, &[&|| () = *cell.wait()]);
    for _ in 0..2 {
        let force = || _ = LazyLock::<u8, _>::force(&lazy);
        assert!(panic::catch_unwind(AssertUnwindSafe(force)).is_err());
    }
    assert_eq!(unnamed(), [1; 4]);
}
