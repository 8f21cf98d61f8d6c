//! Threads of rayon's pools: their rows in `threads`, and what is counted for them.

use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use pfs::Pfs;
use pfs::rayon::prelude::*;
use pfs::rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

fn started() -> Pfs {
    static PFS: OnceLock<Pfs> = OnceLock::new();
    *PFS.get_or_init(|| pfs::Config::new().start().unwrap())
}

/// The rows of threads of a class: each one's parent.
fn parents(class: &str) -> Vec<Option<u64>> {
    let rows = started().threads().filter(|row| row.name == format!("thread/{class}"));
    rows.map(|row| row.parent_thread_id).collect()
}

fn rows(class: &str) -> usize {
    parents(class).len()
}

/// Returns once a class has that many rows: a pool's threads end after it does.
fn until_rows(class: &str, expected: usize) {
    while rows(class) != expected {
        std::thread::yield_now();
    }
}

/// Has every thread of a pool run, so that each has started.
fn all(pool: &ThreadPool) -> usize {
    pool.broadcast(|_| ()).len()
}

/// How many waits of a class threads of a class counted.
fn waits(class: &str, event: &str) -> u64 {
    let of_class: Vec<_> = started()
        .threads()
        .filter(|row| row.name == format!("thread/{class}"))
        .map(|row| row.thread_id)
        .collect();
    let rows = started().events_waits_summary_by_thread_by_event_name();
    rows.filter(|row| row.event_name == event && of_class.contains(&row.thread_id))
        .map(|row| row.summary.count_star)
        .sum()
}

#[test]
fn a_pool_s_threads_have_a_row_of_their_class() {
    started();
    let builder = pfs::thread_class!("test/builder").spawn(|| {
        let class = pfs::thread_class!("test/named");
        let pool = ThreadPoolBuilder::new().thread_class(class).num_threads(3).build().unwrap();
        assert_eq!((all(&pool), rows("test/named")), (3, 3));
        // A thread's row says who made it.
        let me = started().threads().find(|row| row.name == "thread/test/builder").unwrap().thread_id;
        assert_eq!(parents("test/named"), [Some(me); 3]);

        // What its jobs wait for is counted for it.
        let lock = pfs::mutex!("test/LOCK_in_a_job", 0);
        pool.install(|| (0..1000).into_par_iter().for_each(|_| *lock.lock().unwrap() += 1));
        assert_eq!(waits("test/named", "wait/synch/mutex/test/LOCK_in_a_job"), 1000);
        assert_eq!(lock.into_inner().unwrap(), 1000);
    });
    builder.join().unwrap();
    until_rows("test/named", 0);
}

/// One test, because both are of the class that a builder begins with.
#[test]
fn without_a_class_it_is_rayon_s_and_the_global_pool_s_threads_have_it_too() {
    started();
    assert_eq!(rows("rayon/worker"), 0);
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    assert_eq!((all(&pool), rows("rayon/worker")), (2, 2));
    drop(pool);
    until_rows("rayon/worker", 0);
    ThreadPoolBuilder::new().num_threads(4).build_global().unwrap();
    assert_eq!((pfs::rayon::broadcast(|_| ()).len(), rows("rayon/worker")), (4, 4));
    assert_eq!(pfs::rayon::current_num_threads(), 4);
    let mut numbers = [3, 1, 2];
    numbers.par_sort();
    assert_eq!((numbers, pfs::rayon::join(|| 1, || 2)), ([1, 2, 3], (1, 2)));
    assert!(ThreadPoolBuilder::new().build_global().is_err());
}

#[test]
fn handlers_run_as_rayon_runs_them_and_the_thread_has_its_row_by_then() {
    started();
    let (begun, ended, caught) = [(); 3].map(|()| Arc::new(AtomicUsize::new(0))).into();
    let builder = {
        let (begun, ended, caught) = (Arc::clone(&begun), Arc::clone(&ended), Arc::clone(&caught));
        ThreadPoolBuilder::default()
            .start_handler(move |index| {
                assert!(index < 2 && rows("test/handled") >= 1);
                begun.fetch_add(1, Relaxed);
            })
            .exit_handler(move |_| _ = ended.fetch_add(1, Relaxed))
            .panic_handler(move |_| _ = caught.fetch_add(1, Relaxed))
            .thread_name(|index| format!("handled {index}"))
            .stack_size(512 * 1024)
            .num_threads(2)
            // Last, and yet before the handler.
            .thread_class(pfs::thread_class!("test/handled"))
    };
    let pool = builder.build().unwrap();
    let names = pool.broadcast(|_| std::thread::current().name().map(str::to_owned));
    assert_eq!(names, [Some("handled 0".to_owned()), Some("handled 1".to_owned())]);
    pool.spawn(|| panic::resume_unwind(Box::new(())));
    drop(pool);
    until_rows("test/handled", 0);
    assert_eq!([begun, ended, caught].map(|calls| calls.load(Relaxed)), [2, 2, 1]);
}

#[test]
fn threads_that_the_user_spawns_have_a_row_too() {
    started();
    let custom = ThreadPoolBuilder::new()
        .thread_class(pfs::thread_class!("test/custom"))
        .num_threads(2)
        .spawn_handler(|thread: ThreadBuilder| {
            std::thread::spawn(|| thread.run());
            Ok(())
        })
        .build()
        .unwrap();
    assert_eq!((all(&custom), rows("test/custom")), (2, 2));

    // A class that the thread has already stays.
    let own = pfs::thread_class!("test/own");
    let custom = ThreadPoolBuilder::new()
        .spawn_handler(move |thread| {
            own.spawn(|| thread.run());
            Ok(())
        })
        .num_threads(2)
        .build()
        .unwrap();
    assert_eq!((all(&custom), rows("test/own")), (2, 2));

    let failed = ThreadPoolBuilder::new().spawn_handler(|_| Err(std::io::Error::other("no more"))).build();
    assert_eq!(failed.unwrap_err().to_string(), "no more");
}

#[test]
fn a_scoped_pool_s_threads_borrow_and_have_a_row_before_what_wraps_them() {
    started();
    let text = String::from("borrowed");
    let wrap = |thread: ThreadBuilder| {
        assert!(rows("test/scoped") >= 1);
        thread.run();
    };
    let builder = ThreadPoolBuilder::new().thread_class(pfs::thread_class!("test/scoped")).num_threads(2);
    let seen =
        builder.build_scoped(wrap, |pool| (all(pool), rows("test/scoped"), pool.install(|| text.len())));
    assert_eq!(seen.unwrap(), (2, 2, 8));
    until_rows("test/scoped", 0);
}

#[test]
#[expect(deprecated, reason = "part of rayon's interface")]
fn the_calling_thread_in_a_pool_keeps_its_class() {
    started();
    let caller = pfs::thread_class!("test/caller").spawn(|| {
        let class = pfs::thread_class!("test/with_the_caller");
        let builder = ThreadPoolBuilder::new().thread_class(class).num_threads(2);
        let pool = builder.use_current_thread().breadth_first().build().unwrap();
        // The other thread is there once it has taken a job.
        let (sender, receiver) = std::sync::mpsc::channel();
        pool.spawn_broadcast(move |context| sender.send(context.index()).unwrap());
        while let Some(pfs::rayon::Yield::Executed) = pfs::rayon::yield_now() {}
        let mut ran = [receiver.recv().unwrap(), receiver.recv().unwrap()];
        ran.sort_unstable();
        (ran, rows("test/caller"), rows("test/with_the_caller"))
    });
    assert_eq!(caller.join().unwrap(), ([0, 1], 1, 1));
}

#[test]
fn a_pool_of_no_size_is_as_large_as_rayon_s() {
    started();
    let ours = ThreadPoolBuilder::new().thread_class(pfs::thread_class!("test/sized")).build().unwrap();
    let theirs = rayon::ThreadPoolBuilder::new().build().unwrap();
    assert_eq!(ours.current_num_threads(), theirs.current_num_threads());
    let text = |builder: &dyn std::fmt::Debug| format!("{builder:?}");
    assert_eq!(text(&ThreadPoolBuilder::new()), text(&rayon::ThreadPoolBuilder::new()));
}
