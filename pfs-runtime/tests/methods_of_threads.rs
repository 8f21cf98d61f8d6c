//! Every function and method of `thread`: its result, the waits that it is, and the row that a thread has.

mod methods;

use std::thread::Thread;
use std::time::{Duration, Instant};

use methods::Methods;
use methods::counted::started;
use pfs_runtime::class;
use pfs_runtime::class::builtin::{JOIN, PARK, SLEEP};
use pfs_runtime::context::thread::current_id;
use pfs_runtime::thread::{self, Builder, ThreadClass};

class! { static WORKER: Thread = "thread/methods/worker"; }

const SOON: Duration = Duration::from_millis(2);

/// The class in the calling thread's row.
fn class() -> &'static str {
    let id = current_id().unwrap();
    started().threads().find(|row| row.thread_id == id).unwrap().name
}

const UNNAMED: &str = "thread/pfs/unnamed";

#[test]
fn threads() {
    let sources = [
        include_str!("../src/thread/class.rs"),
        include_str!("../src/thread/scope.rs"),
        include_str!("../src/thread/spawn.rs"),
        include_str!("../src/thread/wait.rs"),
    ];
    let mut of = Methods::of(&JOIN, &sources);
    let mut waits = |method, class, using: &mut dyn FnMut()| of.counts_in(class, method, (1, 1), using);
    let begun = Instant::now();
    waits("sleep", &SLEEP, &mut || thread::sleep(SOON));
    #[expect(deprecated, reason = "part of std's interface")]
    waits("sleep_ms", &SLEEP, &mut || thread::sleep_ms(2));
    assert!(begun.elapsed() >= 2 * SOON);
    waits("park", &PARK, &mut || {
        thread::current().unpark();
        thread::park();
    });
    waits("park_timeout", &PARK, &mut || thread::park_timeout(SOON));
    #[expect(deprecated, reason = "part of std's interface")]
    waits("park_timeout_ms", &PARK, &mut || thread::park_timeout_ms(1));

    // Threads that outlive their spawner, by each way to spawn one.
    let spawned = of.is_none("spawn", || thread::spawn(class));
    assert_eq!(of.counts("join", (1, 1), || spawned.join().unwrap()), UNNAMED);
    let named = of.is_none("new", Builder::new);
    let named = of.is_none("name", || named.name("pfs methods".to_owned()));
    let named = of.is_none("stack_size", || named.stack_size(128 * 1024));
    let named = named.spawn(|| (class(), thread::current().name().map(str::to_owned))).unwrap();
    assert_eq!(named.join().unwrap(), (UNNAMED, Some("pfs methods".to_owned())));
    let text = String::from("lent");
    // SAFETY: joined before `text` goes; what it gives borrows nothing.
    let unchecked =
        of.is_none("spawn_unchecked", || unsafe { Builder::new().spawn_unchecked(|| text.len()) });
    assert_eq!(unchecked.unwrap().join().unwrap(), 4);
    let of_class = ThreadClass::__new(&WORKER);
    assert_eq!(of.is_none("spawn", || of_class.spawn(class)).join().unwrap(), "thread/methods/worker");
    let built = of.is_none("builder", || of_class.builder().spawn(class).unwrap());
    assert_eq!(built.join().unwrap(), "thread/methods/worker");

    let parked = of.counts_in(&PARK, "is_finished", (1, 1), || {
        let parked = thread::spawn(thread::park);
        assert!(!parked.is_finished());
        parked.thread().unpark();
        while !parked.is_finished() {
            thread::yield_now();
        }
        parked
    });
    let its: &Thread = of.is_none("thread", || parked.thread());
    assert_ne!(its.id(), thread::current().id());
    assert!(of.is_none("thread", || format!("{parked:?}")).starts_with("JoinHandle {"));
    of.counts("join", (1, 1), || parked.join().unwrap());
    let failed = thread::spawn(|| std::panic::resume_unwind(Box::new(7_u8)));
    let failure = of.counts("join", (1, 1), || failed.join().unwrap_err());
    assert_eq!(failure.downcast_ref(), Some(&7_u8));

    // Threads of a scope. That it waits for those that nobody joined is no event.
    let mut seen = Vec::new();
    of.counts("scope", (2, 2), || {
        thread::scope(|scope| {
            scope.spawn(|| seen.push(1));
            let one = scope.spawn(class);
            let two = of_class.builder().spawn_scoped(scope, class).unwrap();
            assert!(format!("{scope:?} {one:?}").contains("ScopedJoinHandle"));
            assert_ne!(one.thread().id(), two.thread().id());
            while !one.is_finished() {
                thread::yield_now();
            }
            assert_eq!((one.join().unwrap(), two.join().unwrap()), (UNNAMED, "thread/methods/worker"));
        });
    });
    assert_eq!(seen, [1]);
    of.counts("spawn_scoped", (1, 1), || {
        thread::scope(|scope| Builder::new().spawn_scoped(scope, || ()).unwrap().join().unwrap());
    });
    of.were_all_used();
}
