//! Totals are exact while threads and sessions come, go and move, tables by thread are truncated, and other instruments
//! and consumers are switched: the global tables hold what was done, no count falls but by `TRUNCATE`, and what is shown
//! by thread is never more than what is shown for all.

#![cfg(feature = "engine")]

use std::collections::BTreeMap;
use std::sync::Barrier;
use std::sync::Mutex as Plain;
use std::sync::atomic::{
    AtomicBool, AtomicU32,
    Ordering::{Relaxed, SeqCst},
};
use std::thread;
use std::time::{Duration, Instant};

use pfs::Pfs;
use pfs::prelude::*;
use pfs::session::Session;
use pfs::sync::{Mutex, RwLock};

#[instrument_mutex("totals/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);
#[instrument_rwlock("totals/RWLOCK")]
static RWLOCK: RwLock<u64> = RwLock::new(0);
#[instrument_mutex("noise/LOCK")]
static NOISE: Mutex<u64> = Mutex::new(0);

#[stage("totals/parsing")]
fn parse() {
    *LOCK.lock().unwrap() += 1;
}

#[stage("totals/executing")]
fn execute() {
    *LOCK.lock().unwrap() += 1;
    drop(LOCK.try_lock());
    let before = *RWLOCK.read().unwrap();
    assert!(before <= *RWLOCK.read().unwrap());
    *RWLOCK.write().unwrap() += 1;
    make_noise();
}

#[stage("noise/stage")]
fn make_noise() {
    *NOISE.lock().unwrap() += 1;
}

#[statement("totals/query")]
fn query(round: u64) -> Result<(), &'static str> {
    parse();
    execute();
    noisy_query();
    if round.is_multiple_of(4) { Err("every fourth fails") } else { Ok(()) }
}

#[statement("noise/query")]
fn noisy_query() {}

/// What one call of [`query`] adds, by class.
const EACH: [(&str, u64); 5] = [
    ("stage/totals/executing", 1),
    ("stage/totals/parsing", 1),
    ("statement/totals/query", 1),
    ("wait/synch/mutex/totals/LOCK", 3),
    ("wait/synch/rwlock/totals/RWLOCK", 3),
];

type Counts = BTreeMap<&'static str, u64>;

fn ours(name: &str) -> bool {
    name.contains("/totals/")
}

fn global(pfs: Pfs) -> Counts {
    let waits =
        pfs.events_waits_summary_global_by_event_name().map(|row| (row.event_name, row.summary.count_star));
    let stages =
        pfs.events_stages_summary_global_by_event_name().map(|row| (row.event_name, row.summary.count_star));
    let statements = pfs
        .events_statements_summary_global_by_event_name()
        .map(|row| (row.event_name, row.summary.count_star));
    waits.chain(stages).chain(statements).filter(|(name, _)| ours(name)).collect()
}

fn by_thread(pfs: Pfs) -> BTreeMap<(u64, &'static str), u64> {
    let waits = pfs
        .events_waits_summary_by_thread_by_event_name()
        .map(|row| ((row.thread_id, row.event_name), row.summary.count_star));
    let stages = pfs
        .events_stages_summary_by_thread_by_event_name()
        .map(|row| ((row.thread_id, row.event_name), row.summary.count_star));
    let statements = pfs
        .events_statements_summary_by_thread_by_event_name()
        .map(|row| ((row.thread_id, row.event_name), row.summary.count_star));
    waits.chain(stages).chain(statements).filter(|((_, name), _)| ours(name)).collect()
}

fn summed(by_thread: &BTreeMap<(u64, &'static str), u64>) -> Counts {
    let mut sums = Counts::new();
    for ((_, name), count) in by_thread {
        *sums.entry(name).or_default() += count;
    }
    sums
}

fn expected(queries: u64) -> Counts {
    EACH.iter().map(|(name, each)| (*name, each * queries)).collect()
}

fn errors(pfs: Pfs) -> u64 {
    let mut rows = pfs.events_statements_summary_global_by_event_name();
    rows.find(|row| row.event_name == "statement/totals/query").unwrap().summary.sum_errors
}

const BY_THREAD: [&str; 3] = [
    "events_waits_summary_by_thread_by_event_name",
    "events_stages_summary_by_thread_by_event_name",
    "events_statements_summary_by_thread_by_event_name",
];
const GLOBAL: [&str; 3] = [
    "events_waits_summary_global_by_event_name",
    "events_stages_summary_global_by_event_name",
    "events_statements_summary_global_by_event_name",
];

fn truncate(pfs: Pfs, tables: [&str; 3]) {
    for table in tables {
        pfs.table(table).unwrap().truncate().unwrap();
    }
}

/// Runs `act` again and again until `stop`, with pauses, and tells how often it did.
fn repeat(stop: &AtomicBool, pause: Duration, mut act: impl FnMut(u64)) -> u64 {
    let mut times = 0;
    while !stop.load(Relaxed) {
        act(times);
        times += 1;
        thread::sleep(pause);
    }
    times
}

/// Reads all levels again and again: global counts never fall, nor do those by thread unless they are truncated, and
/// there are never more by thread than there are.
fn watch(pfs: Pfs, stop: &AtomicBool, truncated: bool) {
    let (mut last, mut last_by_thread) = (Counts::new(), BTreeMap::new());
    repeat(stop, Duration::from_millis(1), |_| {
        let threads = by_thread(pfs);
        let now = global(pfs);
        for (name, sum) in summed(&threads) {
            if let Some(count) = now.get(name) {
                assert!(sum <= *count, "{name}: {sum} by thread, {count} in all");
            }
        }
        for (name, count) in &last {
            assert!(
                now.get(name).is_none_or(|now| now >= count),
                "{name} fell from {count} to {:?}",
                now.get(name)
            );
        }
        if !truncated {
            for (key, count) in &last_by_thread {
                assert!(threads.get(key).is_none_or(|now| now >= count), "{key:?} fell from {count}");
            }
            last_by_thread = threads;
        }
        // A row that could not be read keeps what it had.
        last.extend(now);
    });
}

/// Switches what is none of the counted classes' business.
fn toggle(pfs: Pfs, round: u64) {
    let on = round.is_multiple_of(2);
    pfs.set_instruments("%/noise/%", Some(on), None).unwrap();
    let consumers = [
        "events_waits_current",
        "events_waits_history",
        "events_waits_history_long",
        "events_stages_current",
        "events_stages_history_long",
        "events_statements_current",
        "events_statements_history",
        "events_statements_history_long",
    ];
    let consumer = consumers[usize::try_from(round).unwrap() / 2 % consumers.len()];
    pfs.set_consumer(consumer, on).unwrap();
    let timed = [pfs::Timed::Yes, pfs::Timed::Contended, pfs::Timed::No][usize::try_from(round).unwrap() % 3];
    pfs.set_instrument("wait/synch/mutex/totals/LOCK", None, Some(timed)).unwrap();
}

/// Queries made, and those that failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Done {
    queries: u64,
    failed: u64,
}

impl Done {
    fn query(&mut self, round: u64) {
        self.queries += 1;
        self.failed += u64::from(query(round).is_err());
    }

    fn and(self, other: Self) -> Self {
        Self { queries: self.queries + other.queries, failed: self.failed + other.failed }
    }
}

/// Serves clients from a pool, each by whichever worker is free; some leave and others come.
fn serve(pool: &Plain<Vec<Session>>, until: Instant) -> Done {
    let mut done = Done::default();
    for round in 0.. {
        if Instant::now() >= until {
            break;
        }
        let mut session = pool.lock().unwrap().remove(0);
        {
            let _attached = session.attach();
            done.query(round);
        }
        if round.is_multiple_of(64) {
            session = Session::new();
        }
        pool.lock().unwrap().push(session);
        // And now and then something of the worker's own.
        if round.is_multiple_of(9) {
            done.query(round);
        }
    }
    done
}

const WORKERS: usize = 3;
const LOAD: Duration = Duration::from_millis(800);

/// Workers, and threads that live for a few queries.
fn load() -> Done {
    let pool = Plain::new((0..5).map(|_| Session::new()).collect());
    let until = Instant::now() + LOAD;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(|| serve(&pool, until))).collect();
        let spawner = scope.spawn(move || {
            let mut done = Done::default();
            while Instant::now() < until {
                let short = thread::spawn(|| {
                    let mut done = Done::default();
                    (0..8).for_each(|round| done.query(round));
                    done
                });
                done = done.and(short.join().unwrap());
            }
            done
        });
        let done = workers.into_iter().map(|worker| worker.join().unwrap()).fold(Done::default(), Done::and);
        done.and(spawner.join().unwrap())
    })
}

fn under(pfs: Pfs, disturb: bool) -> Done {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(pfs, &stop, disturb));
        let others = disturb.then(|| {
            let began = Instant::now();
            let truncater =
                scope.spawn(|| repeat(&stop, Duration::from_millis(10), |_| truncate(pfs, BY_THREAD)));
            let toggler = scope.spawn(|| repeat(&stop, Duration::from_millis(1), |round| toggle(pfs, round)));
            (truncater, toggler, began)
        });
        let done = load();
        stop.store(true, Relaxed);
        watcher.join().unwrap();
        if let Some((truncater, toggler, began)) = others {
            let (truncated, toggled) = (truncater.join().unwrap(), toggler.join().unwrap());
            // A hundred times a second at most, and on a busy machine still often.
            assert!(
                truncated > 10 && u128::from(truncated) <= began.elapsed().as_millis() / 10 + 1,
                "{truncated}"
            );
            assert!(toggled > 10);
        }
        done
    })
}

/// Threads and sessions that all live while they are looked at: no thread has ended, so what is by thread is all.
fn while_all_live(pfs: Pfs) {
    const THREADS: usize = 4;
    let (counted, looked) = (Barrier::new(THREADS + 1), Barrier::new(THREADS + 1));
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    let mut session = Session::new();
                    for round in 0..100 {
                        let _ = query(round);
                        let _attached = session.attach();
                        let _ = query(round);
                        let _ = query(round);
                    }
                    counted.wait();
                    looked.wait();
                    let _ = query(1);
                    counted.wait();
                    looked.wait();
                })
            })
            .collect();
        counted.wait();
        let all = THREADS as u64 * 300;
        assert_eq!(global(pfs), expected(all));
        let threads_now = by_thread(pfs);
        assert_eq!(summed(&threads_now), expected(all));
        let mut queries: Vec<_> = threads_now
            .iter()
            .filter(|((_, name), count)| *name == "statement/totals/query" && **count > 0)
            .map(|(_, count)| *count)
            .collect();
        queries.sort_unstable();
        assert_eq!(queries, [100, 100, 100, 100, 200, 200, 200, 200]);

        // Truncated by thread: gone at once, and global does not change.
        truncate(pfs, BY_THREAD);
        assert_eq!((summed(&by_thread(pfs)), global(pfs)), (expected(0), expected(all)));
        looked.wait();
        counted.wait();
        let more = THREADS as u64;
        assert_eq!((summed(&by_thread(pfs)), global(pfs)), (expected(more), expected(all + more)));

        // Truncated globally: every level begins again.
        truncate(pfs, GLOBAL);
        assert_eq!((summed(&by_thread(pfs)), global(pfs)), (expected(0), expected(0)));
        looked.wait();
        for thread in threads {
            thread.join().unwrap();
        }
        // What they held was of before.
        assert_eq!((summed(&by_thread(pfs)), global(pfs)), (expected(0), expected(0)));
    });
}

/// Truncates while threads and sessions count: what began after that is counted, what had ended before is not.
fn truncated_under_load(pfs: Pfs) {
    const BEFORE: u32 = 0;
    const AFTER: u32 = 2;
    for _ in 0..20 {
        let (phase, stop) = (AtomicU32::new(BEFORE), AtomicBool::new(false));
        let counts = || {
            let mut session = Session::new();
            let (mut after, mut between) = (0, 0);
            for round in 0.. {
                let attached = (round % 3 == 0).then(|| session.attach());
                let began = phase.load(SeqCst);
                let _ = query(1);
                let ended = phase.load(SeqCst);
                drop(attached);
                match (began, ended) {
                    (AFTER, _) => after += 1,
                    (_, BEFORE) => {}
                    _ => between += 1,
                }
                if stop.load(Relaxed) {
                    break;
                }
                if round % 32 == 31 {
                    // Also by sessions that ended meanwhile.
                    session = Session::new();
                }
            }
            (after, between)
        };
        let (after, between) = thread::scope(|scope| {
            let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(counts)).collect();
            thread::sleep(Duration::from_millis(5));
            phase.store(1, SeqCst);
            truncate(pfs, GLOBAL);
            phase.store(AFTER, SeqCst);
            thread::sleep(Duration::from_millis(5));
            stop.store(true, Relaxed);
            let workers = workers.into_iter().map(|worker| worker.join().unwrap());
            workers.fold((0, 0), |sum: (u64, u64), one| (sum.0 + one.0, sum.1 + one.1))
        });
        for (name, count) in global(pfs) {
            let each = EACH.iter().find(|(class, _)| *class == name).unwrap().1;
            let (least, most) = (each * after, each * (after + between));
            assert!(least <= count && count <= most, "{name}: {count}, not from {least} to {most}");
        }
    }
}

fn done(pfs: Pfs) -> (Counts, u64) {
    (global(pfs), errors(pfs))
}

fn expected_of(done: Done) -> (Counts, u64) {
    (expected(done.queries), done.failed)
}

#[test]
fn totals_are_exact() {
    let pfs = pfs::Config::new().start().unwrap();
    let quiet = under(pfs, false);
    assert_eq!(done(pfs), expected_of(quiet));
    // All that counted has ended: what it did is in global alone.
    assert_eq!(summed(&by_thread(pfs)), expected(0));

    let disturbed = under(pfs, true);
    assert_eq!(done(pfs), expected_of(quiet.and(disturbed)));
    assert_eq!(*LOCK.lock().unwrap(), 2 * quiet.and(disturbed).queries);

    truncate(pfs, GLOBAL);
    assert_eq!(done(pfs), expected_of(Done::default()));
    let again = under(pfs, true);
    assert_eq!(done(pfs), expected_of(again));

    truncated_under_load(pfs);

    truncate(pfs, GLOBAL);
    while_all_live(pfs);

    for row in pfs.global_status().filter(|row| row.variable_name.ends_with("_lost")) {
        assert_eq!(row.variable_value.as_deref(), Some("0"), "{}", row.variable_name);
    }
}
