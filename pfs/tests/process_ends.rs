//! Processes that end while their threads run events: from any thread, by an abort, with handlers that use what is
//! instrumented. Each is a process of its own, which this program starts of itself; none may crash or hang.

use std::cell::Cell;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use pfs::prelude::*;
use pfs::sync::{Mutex, RwLock};

#[instrument_mutex("ends/LOCK")]
static LOCK: Mutex<u64> = Mutex::new(0);
#[instrument_rwlock("ends/RWLOCK")]
static RWLOCK: RwLock<u64> = RwLock::new(0);
/// The main thread's alone.
#[instrument_mutex("ends/MAIN")]
static MAIN: Mutex<u64> = Mutex::new(0);

#[statement("ends/query", text = "query")]
fn query() {
    step();
}

#[stage("ends/step")]
fn step() {
    *LOCK.lock().unwrap() += 1;
    *RWLOCK.write().unwrap() += 1;
    drop(pfs::transaction::begin());
}

#[statement("ends/main")]
fn main_query() {
    *MAIN.lock().unwrap() += 1;
}

struct Late;

impl Drop for Late {
    fn drop(&mut self) {
        main_query();
        LATE_DROPS.fetch_add(1, Relaxed);
    }
}

static LATE_DROPS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static BEFORE: Cell<Option<Late>> = const { Cell::new(None) };
    static AFTER: Cell<Option<Late>> = const { Cell::new(None) };
}

/// Says what was counted of the main thread's own, when its thread-locals are gone.
extern "C" fn at_exit() {
    query();
    main_query();
    let count = pfs::current().and_then(|pfs| {
        let mut rows = pfs.events_statements_summary_global_by_event_name();
        rows.find(|row| row.event_name == "statement/ends/main").map(|row| row.summary.count_star)
    });
    println!("{} dropped, {} done, {:?} counted", LATE_DROPS.load(Relaxed), *MAIN.lock().unwrap(), count);
}

/// Threads that run events for as long as the process lives.
fn load(pfs: pfs::Pfs) {
    for _ in 0..3 {
        thread::spawn(|| {
            loop {
                let mut session = pfs::session::Session::new();
                let _attached = session.attach();
                (0..10).for_each(|_| query());
                pfs::thread_class!("ends/short").spawn(query).join().unwrap();
            }
        });
    }
    thread::spawn(move || {
        loop {
            // Most of the time this holds the engine's locks.
            pfs.table("events_waits_summary_by_thread_by_event_name").unwrap().truncate().unwrap();
            pfs.set_instruments("wait/%", None, None).unwrap();
        }
    });
    while *LOCK.lock().unwrap() < 100 {
        thread::yield_now();
    }
}

fn start() -> pfs::Pfs {
    let mut config = pfs::Config::new().instrument("wait/%", "ON");
    for table in ["events_waits_current", "events_waits_history_long", "events_statements_history_long"] {
        config = config.consumer(table, true);
    }
    config.start().unwrap()
}

/// What a process does, how it ends, and what it prints at its end.
struct Case {
    name: &'static str,
    run: fn() -> ExitCode,
    /// The code, or 128 and the signal.
    status: i32,
    printed: &'static str,
}

const CASES: &[Case] = &[
    Case {
        name: "main returns while threads run",
        run: || {
            load(start());
            main_query();
            ExitCode::from(5)
        },
        status: 5,
        printed: "0 dropped, 2 done, Some(1) counted\n",
    },
    Case {
        name: "main exits while threads run, within events",
        run: || {
            load(start());
            // A handler cannot have what main holds, so not the lock.
            let _statement = pfs::statement_class!("ends/main").begin();
            std::process::exit(6)
        },
        status: 6,
        printed: "0 dropped, 1 done, Some(1) counted\n",
    },
    Case {
        name: "another thread exits",
        run: || {
            load(start());
            main_query();
            thread::spawn(|| {
                query();
                std::process::exit(7)
            });
            loop {
                query();
            }
        },
        status: 7,
        // Of the thread that exits, no event after its context left.
        printed: "0 dropped, 2 done, Some(1) counted\n",
    },
    Case {
        name: "a thread that had no event exits",
        run: || {
            load(start());
            thread::spawn(|| std::process::exit(8)).join().unwrap();
            ExitCode::SUCCESS
        },
        status: 8,
        // It registers at its end.
        printed: "0 dropped, 1 done, Some(1) counted\n",
    },
    Case {
        name: "an abort",
        run: || {
            load(start());
            let _statement = pfs::statement_class!("ends/main").begin();
            std::process::abort()
        },
        status: 128 + 6,
        printed: "",
    },
    Case {
        name: "main panics within events",
        run: || {
            load(start());
            let _statement = pfs::statement_class!("ends/main").begin();
            std::panic::resume_unwind(Box::new("expected"))
        },
        status: 101,
        printed: "0 dropped, 1 done, Some(1) counted\n",
    },
    Case {
        name: "thread-locals of main, before and after its context leaves",
        run: || {
            BEFORE.set(Some(Late));
            let pfs = start();
            load(pfs);
            AFTER.set(Some(Late));
            main_query();
            ExitCode::SUCCESS
        },
        status: 0,
        printed: "2 dropped, 4 done, Some(2) counted\n",
    },
    Case {
        name: "pfs was not started",
        run: || {
            BEFORE.set(Some(Late));
            main_query();
            ExitCode::SUCCESS
        },
        status: 0,
        printed: "1 dropped, 3 done, None counted\n",
    },
];

/// How a process ended, and what it printed.
fn ending(case: &Case) -> (i32, String) {
    let started = Instant::now();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .env("CASE_OF_ENDS", case.name)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            #[cfg(unix)]
            let signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
            #[cfg(not(unix))]
            let signal = None;
            let printed = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
            return (status.code().or(signal).unwrap(), printed);
        }
        if started.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("{}: the process hangs", case.name);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn main() -> ExitCode {
    if let Ok(name) = std::env::var("CASE_OF_ENDS") {
        // SAFETY: the handler is there as long as the program.
        unsafe { libc::atexit(at_exit) };
        let case = CASES.iter().find(|case| case.name == name).unwrap();
        return (case.run)();
    }
    for case in CASES {
        for _ in 0..5 {
            assert_eq!(ending(case), (case.status, case.printed.to_owned()), "{}", case.name);
        }
        println!("{}: ok", case.name);
    }
    ExitCode::SUCCESS
}
