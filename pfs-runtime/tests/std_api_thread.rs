//! `pfs::thread` has the whole stable interface of `std::thread`, and its semantics; `pfs::sync` re-exports the rest
//! of `std::sync`.

#[path = "std_api/mod.rs"]
mod std_api;

use std::panic::{self, AssertUnwindSafe};
use std::thread as raw;
use std::time::{Duration, Instant};

use pfs_runtime::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use pfs_runtime::sync::{Arc, Mutex, mpsc};
use pfs_runtime::thread::{self, Builder, JoinHandle, Scope, ScopedJoinHandle};
use std_api::{Changed, Neither, OnlySend, OnlySync, Pinned, Torn, assert_same_auto_traits, implements};

/// Nothing: pfs is not started here. `std_api_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

const SHORT: Duration = Duration::from_millis(5);

#[test]
fn a_spawned_thread_gives_its_result() {
    crate::begin();
    let handle = thread::spawn(|| thread::current().id());
    let id = handle.thread().id();
    assert_ne!(id, thread::current().id());
    assert_eq!(handle.join().unwrap(), id);
}

#[test]
fn a_panic_comes_out_of_join() {
    crate::begin();
    let failed = thread::spawn(|| -> u8 { panic::resume_unwind(Box::new(7_u32)) });
    assert_eq!(failed.join().unwrap_err().downcast_ref::<u32>(), Some(&7));
}

#[test]
fn is_finished_follows_the_thread() {
    crate::begin();
    let go = Arc::new(AtomicBool::new(false));
    let theirs = Arc::clone(&go);
    let handle = thread::spawn(move || {
        while !theirs.load(Ordering::Acquire) {
            thread::park();
        }
    });
    assert!(!handle.is_finished());
    go.store(true, Ordering::Release);
    handle.thread().unpark();
    while !handle.is_finished() {
        thread::yield_now();
    }
    handle.join().unwrap();
}

#[test]
fn a_builder_sets_name_and_stack() {
    crate::begin();
    let handle = Builder::new()
        .name(String::from("worker"))
        .stack_size(128 * 1024)
        .spawn(|| thread::current().name().map(str::to_owned))
        .unwrap();
    assert_eq!(handle.thread().name(), Some("worker"));
    assert_eq!(handle.join().unwrap().as_deref(), Some("worker"));
    let unnamed = thread::spawn(|| thread::current().name().map(str::to_owned));
    assert_eq!(unnamed.join().unwrap(), None);
}

#[test]
fn a_builder_gives_the_error_of_the_system() {
    crate::begin();
    let refused = Builder::new().stack_size(usize::MAX / 2).spawn(|| ());
    assert_eq!(refused.is_err(), raw::Builder::new().stack_size(usize::MAX / 2).spawn(|| ()).is_err());
}

#[test]
fn an_unchecked_thread_may_borrow() {
    crate::begin();
    let text = String::from("borrowed");
    // SAFETY: joined before `text` is dropped.
    let handle = unsafe { Builder::new().spawn_unchecked(|| text.as_str()) }.unwrap();
    assert_eq!(handle.join().unwrap(), "borrowed");
}

#[test]
fn scoped_threads_borrow_and_are_joined() {
    crate::begin();
    let (mut written, read) = (0, vec![1, 2, 3]);
    let total = thread::scope(|scope| {
        scope.spawn(|| written = read.len());
        let sum = scope.spawn(|| read.iter().sum::<i32>());
        sum.join().unwrap()
    });
    assert_eq!((written, total), (3, 6));
}

#[test]
fn scoped_threads_spawn_scoped_threads() {
    crate::begin();
    let count = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            scope.spawn(|| count.fetch_add(1, Ordering::Relaxed));
            count.fetch_add(1, Ordering::Relaxed);
        });
    });
    assert_eq!(count.into_inner(), 2);
}

#[test]
fn a_scope_passes_through_functions() {
    crate::begin();
    fn start<'scope>(scope: &'scope Scope<'scope, '_>, text: &'scope str) -> ScopedJoinHandle<'scope, usize> {
        Builder::new().name(text.to_owned()).spawn_scoped(scope, || text.len()).unwrap()
    }
    let text = String::from("four");
    thread::scope(|scope| {
        let handle = start(scope, &text);
        assert_eq!(handle.thread().name(), Some("four"));
        assert_eq!(handle.join().unwrap(), 4);
    });
}

#[test]
fn a_scope_panics_for_a_thread_that_was_not_joined() {
    crate::begin();
    let outcome = panic::catch_unwind(|| {
        thread::scope(|scope| {
            scope.spawn(|| panic::resume_unwind(Box::new(())));
        });
    });
    assert_eq!(outcome.unwrap_err().downcast_ref::<&str>(), Some(&"a scoped thread panicked"));

    thread::scope(|scope| {
        let failed = scope.spawn(|| -> () { panic::resume_unwind(Box::new(3_u8)) });
        assert_eq!(failed.join().unwrap_err().downcast_ref::<u8>(), Some(&3));
    });
}

#[test]
fn a_scope_that_panics_still_joins() {
    crate::begin();
    let done = AtomicBool::new(false);
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(SHORT);
                done.store(true, Ordering::Release);
            });
            panic::resume_unwind(Box::new("the scope's own"));
        })
    }));
    assert_eq!(outcome.unwrap_err().downcast_ref::<&str>(), Some(&"the scope's own"));
    assert!(done.into_inner());
}

#[test]
fn a_scoped_handle_says_when_the_thread_is_done() {
    crate::begin();
    thread::scope(|scope| {
        let parked = scope.spawn(|| {
            thread::park();
            1
        });
        parked.thread().unpark();
        while !parked.is_finished() {
            thread::yield_now();
        }
        assert_eq!(parked.join().unwrap(), 1);
    });
}

#[test]
#[expect(deprecated, reason = "part of std's interface")]
fn sleeping_takes_at_least_its_time() {
    crate::begin();
    let start = Instant::now();
    thread::sleep(SHORT);
    assert!(start.elapsed() >= SHORT);
    thread::sleep_ms(5);
    assert!(start.elapsed() >= 2 * SHORT);
    thread::sleep(Duration::ZERO);
}

#[test]
#[expect(deprecated, reason = "part of std's interface")]
fn parking_takes_the_token_or_the_time() {
    crate::begin();
    thread::current().unpark();
    thread::park();
    thread::current().unpark();
    thread::park_timeout(Duration::from_mins(10));
    thread::current().unpark();
    thread::park_timeout_ms(600_000);
    thread::park_timeout(SHORT);
    thread::park_timeout_ms(1);
}

#[cfg(unix)]
#[test]
fn a_handle_has_its_pthread() {
    crate::begin();
    use std::os::unix::thread::JoinHandleExt;

    let handle = thread::spawn(thread::park);
    let id = handle.as_pthread_t();
    handle.thread().unpark();
    assert_eq!(handle.as_pthread_t(), id);
    let id = handle.into_pthread_t();
    // SAFETY: the handle gave its ownership of the thread away, which has not been joined.
    assert_eq!(unsafe { libc::pthread_join(id as libc::pthread_t, std::ptr::null_mut()) }, 0);
}

#[test]
fn text_is_that_of_std() {
    crate::begin();
    assert_eq!(
        format!("{:?}", Builder::new().name("n".into()).stack_size(1)),
        format!("{:?}", raw::Builder::new().name("n".into()).stack_size(1)),
    );
    let (ours, theirs) = (thread::spawn(|| ()), raw::spawn(|| ()));
    assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
    let ours = thread::scope(|scope| (format!("{scope:?}"), format!("{:?}", scope.spawn(|| ()))));
    let theirs = raw::scope(|scope| (format!("{scope:?}"), format!("{:?}", scope.spawn(|| ()))));
    assert_eq!(ours, theirs);
}

#[test]
fn auto_traits_are_those_of_std() {
    crate::begin();
    macro_rules! compare {
        ($($value:ty),+) => {$(
            assert_same_auto_traits!(
                JoinHandle<$value> => raw::JoinHandle<$value>,
                ScopedJoinHandle<'static, $value> => raw::ScopedJoinHandle<'static, $value>,
            );
        )+};
    }
    compare!(i32, Neither, OnlySend, OnlySync, Pinned, Torn, Changed);
    assert_same_auto_traits!(
        Builder => raw::Builder,
        Scope<'static, 'static> => raw::Scope<'static, 'static>,
    );
    assert!(implements!(JoinHandle<Neither>: Send));
    assert!(!implements!(ScopedJoinHandle<'static, Neither>: Send));
}

/// The rest of both modules, by name: that these paths exist is the test.
#[test]
#[expect(deprecated, reason = "part of std's interface")]
fn what_is_not_wrapped_is_re_exported() {
    crate::begin();
    use pfs_runtime::sync;

    std::thread_local!(static LOCAL: u8 = const { 1 });
    let local: &'static thread::LocalKey<u8> = &LOCAL;
    let read: Result<u8, thread::AccessError> = local.try_with(|value| *value);
    assert_eq!(read, Ok(1));
    assert!(!thread::panicking());
    assert!(thread::available_parallelism().unwrap().get() >= 1);
    let current: thread::Thread = thread::current();
    let id: thread::ThreadId = current.id();
    assert_eq!(id, raw::current().id());
    let result: thread::Result<()> = Ok(());
    assert!(result.is_ok());

    let once: sync::Once = sync::ONCE_INIT;
    once.call_once_force(|state: &sync::OnceState| assert!(!state.is_poisoned()));
    let shared = sync::Arc::new(Mutex::new(0));
    let weak: sync::Weak<Mutex<i32>> = sync::Arc::downgrade(&shared);
    assert!(weak.upgrade().is_some());
    let barrier = sync::Barrier::new(1);
    let led: sync::BarrierWaitResult = barrier.wait();
    assert!(led.is_leader());
    assert_eq!(*sync::LazyLock::new(|| 3), 3);
    assert_eq!(sync::OnceLock::from(4).get(), Some(&4));
    sync::atomic::fence(Ordering::SeqCst);

    let (sender, receiver) = mpsc::channel();
    let handles: Vec<JoinHandle<()>> = (0..3)
        .map(|index| {
            let sender = sender.clone();
            thread::spawn(move || sender.send(index).unwrap())
        })
        .collect();
    drop(sender);
    assert_eq!(receiver.iter().sum::<i32>(), 3);
    for handle in handles {
        handle.join().unwrap();
    }
}
