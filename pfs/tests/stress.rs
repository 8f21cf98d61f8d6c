//! Everything at once: locks, statements, stages, transactions, futures, sessions, tasks, threads that come and go,
//! panics and forgotten guards, while consumers, instruments, timers and threads are switched and every table is read and
//! truncated. At rest the totals are exactly what was done, nothing was lost, and nobody is left.

#![cfg(feature = "engine")]

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex as Plain, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use pfs::prelude::*;
use pfs::session::Session;
use pfs::stage::StageClass;
use pfs::statement::StatementClass;
use pfs::sync::{Condvar, Mutex, RwLock};
use pfs::transaction::{Transaction, TransactionOptions};
use pfs::{Pfs, Timed};

#[instrument_mutex("stress/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);
#[instrument_rwlock("stress/RWLOCK")]
static RWLOCK: RwLock<u64> = RwLock::new(0);
#[instrument_condvar("stress/COND")]
static COND: Condvar = Condvar::new();
static STEP: StageClass = pfs::stage_class!("stress/step");
static NEXT: StageClass = pfs::stage_class!("stress/next");
static QUERY: StatementClass = pfs::statement_class!("stress/query");
static REFINED: StatementClass = pfs::statement_class!("stress/refined");

#[instrument_mutex("noise/LOCK")]
static NOISE: Mutex<u64> = Mutex::new(0);

#[statement("noise/query", text = "noise")]
fn noise() {
    *NOISE.lock().unwrap() += 1;
    drop(pfs::stage_class!("noise/step").begin());
}

/// What was done, by class.
const CLASSES: [&str; 9] = [
    "wait/synch/mutex/stress/LOCK",
    "wait/synch/mutex/stress/made",
    "wait/synch/rwlock/stress/RWLOCK",
    "wait/synch/cond/stress/COND",
    "stage/stress/step",
    "stage/stress/next",
    "statement/stress/query",
    "statement/stress/refined",
    "transaction",
];
const LOCKED: usize = 0;
const MADE: usize = 1;
const RWLOCKED: usize = 2;
const WAITED: usize = 3;
const STEPS: usize = 4;
const NEXTS: usize = 5;
const QUERIES: usize = 6;
const REFINEDS: usize = 7;
const TRANSACTIONS: usize = 8;

static DONE: [AtomicU64; CLASSES.len()] = [const { AtomicU64::new(0) }; CLASSES.len()];

fn done(class: usize) {
    DONE[class].fetch_add(1, Relaxed);
}

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).unwrap()]
    }
}

fn locked() {
    *LOCK.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    done(LOCKED);
}

fn waited() {
    let held = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    drop(COND.wait_timeout(held, Duration::from_micros(20)));
    done(LOCKED);
    done(WAITED);
}

/// One thing that a server does, and at most `depth` others within it.
fn act(random: &mut Random, depth: u32) {
    let within = |random: &mut Random| {
        for _ in 0..random.below(3) {
            if depth > 0 {
                act(random, depth - 1);
            }
        }
    };
    match random.below(16) {
        0 => {
            let held = LOCK.lock();
            thread::yield_now();
            drop(held);
            done(LOCKED);
        }
        1 => {
            drop(LOCK.try_lock());
            done(LOCKED);
        }
        2 => {
            drop(RWLOCK.read());
            drop(RWLOCK.write());
            done(RWLOCKED);
            done(RWLOCKED);
        }
        3 => waited(),
        4 => {
            let lock = pfs::mutex!("stress/made", 0);
            drop(lock.lock());
            done(MADE);
        }
        5 | 6 => {
            let mut stage = STEP.begin();
            within(random);
            stage.progress(1, 2);
            if random.below(2) == 0 {
                stage.switch(NEXT);
                done(NEXTS);
                within(random);
            }
            done(STEPS);
        }
        7 | 8 => {
            let mut statement = QUERY.begin();
            statement.text("select 1");
            within(random);
            statement.rows_sent(1);
            if random.below(3) == 0 {
                statement.refine(&REFINED);
                done(REFINEDS);
            } else {
                done(QUERIES);
            }
        }
        9 => {
            // Its parent ends what is forgotten within it.
            let statement = QUERY.begin();
            forget(STEP.begin());
            within(random);
            drop(statement);
            done(QUERIES);
            done(STEPS);
        }
        10 => {
            let mut transaction = TransactionOptions::new().read_only(random.below(2) == 0).begin();
            transaction.savepoint();
            within(random);
            if random.below(2) == 0 {
                transaction.commit();
            } else {
                transaction.rollback();
            }
            done(TRANSACTIONS);
        }
        11 => panics(within, random),
        12 | 13 => in_a_session(within, random),
        14 => noise(),
        _ => locked(),
    }
}

/// A panic ends what is around it.
fn panics(within: impl Fn(&mut Random), random: &mut Random) {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let _statement = QUERY.begin();
        done(QUERIES);
        let _stage = STEP.begin();
        done(STEPS);
        within(random);
        resume_unwind(Box::new(()));
    }));
    assert!(outcome.is_err());
}

/// A session that comes and goes, whose transaction ends while it is attached to no thread.
fn in_a_session(within: impl Fn(&mut Random), random: &mut Random) {
    let mut session = Session::new();
    if random.below(2) == 0 {
        session.authenticate(Some(random.one_of(&["ann", "bob"])), Some("host"));
    }
    let attached = session.attach();
    within(random);
    let transaction = pfs::transaction::begin();
    drop(attached);
    drop(transaction);
    done(TRANSACTIONS);
    let attached = session.attach();
    within(random);
    drop(attached);
}

/// What is forgotten with nothing around it ends when it is asked.
fn forgets() {
    forget(QUERY.begin());
    forget(STEP.begin());
    forget(pfs::transaction::begin());
    // And perhaps the transaction that this thread has handed on.
    assert!([3, 4].contains(&pfs::thread::end_open_events()));
    done(QUERIES);
    done(STEPS);
    done(TRANSACTIONS);
}

/// A thread that ends in any way, with events open and a session attached.
fn short(mut random: Random) {
    for _ in 0..random.below(5) {
        act(&mut random, 2);
    }
    match random.below(4) {
        0 => {
            forget(QUERY.begin());
            forget(STEP.begin());
            done(QUERIES);
            done(STEPS);
        }
        1 => {
            locked();
            let mut session = Session::new();
            let mut attached = Some(session.attach());
            forget(attached.take());
            forget(QUERY.begin());
            done(QUERIES);
            // The session goes first, then the thread.
        }
        2 => {
            let _statement = QUERY.begin();
            done(QUERIES);
            resume_unwind(Box::new(()));
        }
        _ => {}
    }
}

async fn pause() {
    let mut paused = false;
    poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

async fn query(pauses: u64) {
    for _ in 0..pauses {
        locked();
        async {
            pause().await;
            locked();
        }
        .in_stage(STEP)
        .await;
        done(STEPS);
    }
}

type Job = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A future that is polled by whoever comes, in a session, a task, or by itself.
fn job(random: &mut Random) -> Job {
    let (pauses, rounds) = (random.below(3), 1 + random.below(3));
    let work = async move {
        for _ in 0..rounds {
            query(pauses).in_statement(&QUERY).await;
            done(QUERIES);
        }
    };
    match random.below(3) {
        0 => Box::pin(work.in_session(Session::of(pfs::thread_class!("stress/session")))),
        1 => Box::pin(work.in_task(pfs::thread_class!("stress/task"))),
        _ => Box::pin(work),
    }
}

/// A transaction that goes from thread to thread, and may end where its session is not.
type Handed = Option<Transaction>;

struct Load {
    jobs: Plain<VecDeque<Job>>,
    handed: Plain<Handed>,
    stop: AtomicBool,
}

impl Load {
    fn poll_one(&self) -> bool {
        let Some(mut job) = self.jobs.lock().unwrap().pop_front() else { return false };
        if job.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
            self.jobs.lock().unwrap().push_back(job);
        }
        true
    }

    fn hand_on(&self) {
        let mine = pfs::transaction::begin();
        done(TRANSACTIONS);
        let before = self.handed.lock().unwrap().replace(mine);
        drop(before);
    }

    fn work(&self, mut random: Random) {
        while !self.stop.load(Relaxed) {
            match random.below(40) {
                0 => self.jobs.lock().unwrap().push_back(job(&mut random)),
                1..6 => {
                    self.poll_one();
                }
                6 => forgets(),
                7 => {
                    let seed = Random::of(random.below(u64::MAX));
                    // It may panic.
                    let _ = pfs::thread_class!("stress/short").spawn(move || short(seed)).join();
                }
                8 => {
                    let seed = Random::of(random.below(u64::MAX));
                    let _ = std::thread::spawn(move || short(seed)).join();
                }
                9 => self.hand_on(),
                _ => act(&mut random, 3),
            }
        }
        while self.poll_one() {}
    }
}

const LEVELS: [&str; 4] = ["thread", "account", "user", "host"];
const KINDS: [&str; 4] = ["waits", "stages", "statements", "transactions"];

/// Switches, reads and truncates whatever leaves the totals of the classes that are looked at as they are.
fn disturb(pfs: Pfs, stop: &AtomicBool, mut random: Random, truncates: bool) {
    let truncate = |table: &str| pfs.table(table).unwrap().truncate().unwrap();
    let consumers: Vec<_> = pfs.setup_consumers().map(|row| row.name).collect();
    while !stop.load(Relaxed) {
        let (kind, on) = (random.one_of(&KINDS), random.below(2) == 0);
        match random.below(12) {
            0..3 => {
                let consumer = random.one_of(&consumers);
                if consumer != "global_instrumentation" {
                    pfs.set_consumer(consumer, on).unwrap();
                }
            }
            3..5 => {
                let class = random.one_of(&CLASSES[..8]);
                let is_lock = class.contains("/mutex/") || class.contains("/rwlock/");
                let timed = random.one_of(&[Timed::Yes, Timed::No, Timed::Contended]);
                let timed = if is_lock || timed != Timed::Contended { timed } else { Timed::Yes };
                pfs.set_instrument(class, None, Some(timed)).unwrap();
            }
            5 => {
                pfs.set_instruments("%/noise/%", Some(on), None).unwrap();
            }
            6 => {
                // Those of a class of its own may be off.
                let noisy: Vec<_> = pfs.threads().filter(|row| row.name.ends_with("stress/noise")).collect();
                if let Some(row) = noisy.first() {
                    let _ = pfs.set_thread(row.thread_id, Some(on), None);
                }
                let all: Vec<_> = pfs.threads().map(|row| row.thread_id).collect();
                let _ = pfs.set_thread(random.one_of(&all), None, Some(on));
                pfs.set_thread_class("thread/stress/short", None, Some(on)).unwrap();
            }
            7 if truncates => {
                truncate(&format!("events_{kind}_summary_by_{}_by_event_name", random.one_of(&LEVELS)));
            }
            8 if truncates => truncate(random.one_of(&["accounts", "users", "hosts"])),
            9 => {
                truncate(&format!(
                    "events_{kind}_{}",
                    random.one_of(&["current", "history", "history_long"])
                ));
            }
            10 => truncate(
                random.one_of(&["events_waits_summary_by_instance", "events_waits_summary_by_source"]),
            ),
            _ => {
                let tables: Vec<_> = pfs.tables().collect();
                assert!(!random.one_of(&tables).text().to_string().is_empty());
            }
        }
    }
}

/// The counts of a level, summed over whose they are.
fn counts(pfs: Pfs, level: &str) -> [u64; CLASSES.len()] {
    let mut counts = [0; CLASSES.len()];
    let mut add = |name: &str, count: u64| {
        if let Some(at) = CLASSES.iter().position(|class| *class == name) {
            counts[at] += count;
        }
    };
    macro_rules! read {
        ($($waits:ident $stages:ident $statements:ident $transactions:ident)*) => {$(
            if stringify!($waits).contains(level) {
                pfs.$waits().for_each(|row| add(row.event_name, row.summary.count_star));
                pfs.$stages().for_each(|row| add(row.event_name, row.summary.count_star));
                pfs.$statements().for_each(|row| add(row.event_name, row.summary.count_star));
                pfs.$transactions().for_each(|row| add(row.event_name, row.summary.count_star));
            }
        )*};
    }
    read! {
        events_waits_summary_global_by_event_name events_stages_summary_global_by_event_name
        events_statements_summary_global_by_event_name events_transactions_summary_global_by_event_name
        events_waits_summary_by_account_by_event_name events_stages_summary_by_account_by_event_name
        events_statements_summary_by_account_by_event_name events_transactions_summary_by_account_by_event_name
        events_waits_summary_by_user_by_event_name events_stages_summary_by_user_by_event_name
        events_statements_summary_by_user_by_event_name events_transactions_summary_by_user_by_event_name
        events_waits_summary_by_host_by_event_name events_stages_summary_by_host_by_event_name
        events_statements_summary_by_host_by_event_name events_transactions_summary_by_host_by_event_name
    }
    counts
}

/// A while under load, then at rest.
fn round(pfs: Pfs, seed: u64, length: Duration) -> u64 {
    let mut random = Random::of(seed);
    for kind in ["wait", "stage", "statement", "transaction"] {
        pfs.set_timer(kind, random.one_of(&["CYCLE", "NANOSECOND", "MICROSECOND"])).unwrap();
    }
    pfs.set_consumer("thread_instrumentation", true).unwrap();
    for kind in KINDS {
        pfs.table(&format!("events_{kind}_summary_global_by_event_name")).unwrap().truncate().unwrap();
    }
    for done in &DONE {
        done.store(0, Relaxed);
    }
    let truncates = random.below(3) > 0;
    let load = Load { jobs: Plain::default(), handed: Plain::default(), stop: AtomicBool::new(false) };
    thread::scope(|scope| {
        let stop = &load.stop;
        let mut seeds = (0..).map(|number| Random::of(seed ^ (number << 32)));
        let mut threads: Vec<_> = (0..4)
            .map(|_| (seeds.next().unwrap(), &load))
            .map(|(random, load)| scope.spawn(move || load.work(random)))
            .collect();
        let random = seeds.next().unwrap();
        threads.push(scope.spawn(move || disturb(pfs, stop, random, truncates)));
        threads.push(scope.spawn(move || {
            let noisy = || {
                while !stop.load(Relaxed) {
                    noise();
                }
            };
            pfs::thread::scope(|scope| {
                let thread = pfs::thread_class!("stress/noise").builder().spawn_scoped(scope, noisy);
                thread.unwrap().join().unwrap();
            });
        }));
        thread::sleep(length);
        stop.store(true, Relaxed);
        // Joined, so that contexts have ended too.
        for thread in threads {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    drop(load);
    let done = DONE.each_ref().map(|done| done.load(Relaxed));
    let what = |level| format!("{level}, seed {seed}, of {CLASSES:?}");
    assert_eq!(counts(pfs, "global"), done, "{}", what("global"));
    for level in &LEVELS[1..] {
        let below = counts(pfs, &format!("by_{level}_"));
        assert!(below.iter().zip(done).all(|(below, done)| *below <= done), "{}", what(level));
    }
    assert_eq!(pfs.threads().map(|row| row.name).collect::<Vec<_>>(), ["thread/pfs/main"], "seed {seed}");
    for row in pfs.global_status().filter(|row| row.variable_name.ends_with("_lost")) {
        // A long history that goes round under its writers is no loss of counts.
        if !row.variable_name.contains("history_long") {
            assert_eq!(row.variable_value.as_deref(), Some("0"), "{}, seed {seed}", row.variable_name);
        }
    }
    done.iter().sum()
}

fn rounds(length: Duration) {
    let seed = std::env::var("STRESS_SEED").ok().and_then(|seed| seed.parse().ok());
    let first = seed.unwrap_or_else(|| u64::from(std::process::id()));
    let (start, mut events, mut rounds) = (Instant::now(), 0, 0);
    let pfs = pfs::Config::new().size(pfs::SizeKey::MaxTransactionStack, 16).start().unwrap();
    while start.elapsed() < length {
        events += round(pfs, first + rounds, Duration::from_millis(400));
        rounds += 1;
    }
    println!("{events} events in {rounds} rounds from seed {first}: every one counted");
}

#[test]
fn totals_are_exact_whatever_happens() {
    rounds(Duration::from_secs(3));
}

#[test]
#[ignore = "takes minutes, and a process of its own"]
fn totals_are_exact_for_minutes() {
    rounds(Duration::from_mins(5));
}
