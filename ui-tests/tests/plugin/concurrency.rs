//! Program and plugins at once, with readers, settings and restarts between: what was counted is exactly what was done.

use crate::library::{FIRST, SECOND};
use crate::{
    LOCK_OF_PLUGIN, LOCK_OF_PROGRAM, SHARED, SHARED_LOCK, config, count, in_a_process, lock, nothing, serving,
};
use pfs::session::Session;
use std::sync::atomic::{AtomicBool, Ordering};

const ROUNDS: u64 = 3000;

#[test]
fn totals_are_exact() {
    in_a_process("concurrency::totals_are_exact", &[], || {
        let pfs = config()
            .consumer("events_waits_current", true)
            .consumer("events_waits_history_long", true)
            .consumer("events_statements_history", true)
            .start()
            .unwrap();
        let (first, second) = (FIRST.plugin(), SECOND.plugin());
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            // Both join while they are used by threads that count nothing of theirs yet.
            for plugin in [first, second] {
                threads.push(scope.spawn(move || assert_eq!(plugin.join(pfs).unwrap().lost, 0)));
            }
            for thread in threads.drain(..) {
                thread.join().unwrap();
            }
            for _ in 0..2 {
                threads.push(scope.spawn(|| first.times("hammer", ROUNDS)));
                threads.push(scope.spawn(|| second.times("hammer", ROUNDS)));
                // The program's own, and the plugin's within them.
                threads.push(scope.spawn(|| {
                    for _ in 0..ROUNDS {
                        serving(|| first.within("query", lock));
                        *SHARED.lock().unwrap() += 1;
                    }
                }));
                // Sessions that come and go, half of them the plugin's.
                threads.push(scope.spawn(|| {
                    let serve = first.get::<extern "C" fn(extern "C" fn()) -> u64>("serve");
                    for _ in 0..ROUNDS / 10 {
                        let mut session = Session::new();
                        let attached = session.attach();
                        first.within("query", nothing);
                        drop(attached);
                        assert_ne!(serve(lock), 0);
                    }
                }));
                // Threads that come and go.
                threads.push(scope.spawn(|| {
                    for _ in 0..ROUNDS / 100 {
                        first.within("spawn", lock);
                    }
                }));
            }
            // Restarts of what is shown by thread move counts up and lose none; so do settings of what is not counted.
            scope.spawn(|| {
                let by_thread = pfs.table("events_waits_summary_by_thread_by_event_name").unwrap();
                while !done.load(Ordering::Relaxed) {
                    by_thread.truncate().unwrap();
                    for on in [false, true] {
                        pfs.set_consumer("events_waits_history_long", on).unwrap();
                        pfs.set_instrument("stage/plugin/first", Some(on), None).unwrap();
                    }
                    std::thread::yield_now();
                }
            });
            scope.spawn(|| {
                let mut before = 0;
                while !done.load(Ordering::Relaxed) {
                    let now = count(pfs, SHARED_LOCK);
                    assert!(now >= before, "{now} after {before}");
                    before = now;
                    assert!(pfs.events_waits_current().all(|row| !row.event_name.is_empty()));
                }
            });
            for thread in threads {
                thread.join().unwrap();
            }
            done.store(true, Ordering::Relaxed);
        });
        let (sessions, spawned) = (ROUNDS / 10, ROUNDS / 100);
        let twice = |times: u64| 2 * times;
        assert_eq!(count(pfs, "statement/plugin/query"), twice(2 * ROUNDS + sessions));
        assert_eq!(count(pfs, "stage/plugin/parsing"), twice(2 * ROUNDS + sessions));
        assert_eq!(count(pfs, "statement/second/query"), twice(ROUNDS));
        assert_eq!(count(pfs, "wait/synch/mutex/second/LOCK"), twice(ROUNDS));
        assert_eq!(count(pfs, "statement/program/serving"), twice(ROUNDS));
        assert_eq!(count(pfs, SHARED_LOCK), twice(3 * ROUNDS));
        assert_eq!(count(pfs, LOCK_OF_PLUGIN), twice(3 * ROUNDS + 2 * sessions + 2 * spawned));
        assert_eq!(count(pfs, LOCK_OF_PROGRAM), twice(ROUNDS + sessions + spawned));
        assert_eq!(pfs.threads().count(), 1);
        for row in pfs.global_status().filter(|row| row.variable_name.ends_with("instances_lost")) {
            assert_eq!(row.variable_value.as_deref(), Some("0"), "{}", row.variable_name);
        }
    });
}
