//! What pfs keeps resident at its default sizes, over the same program not started; and what the memory report says.
//!
//! Each figure is that of a process of its own: this program again, told by an environment variable what to do.

#![cfg(feature = "engine")]
#![cfg(target_os = "linux")]

use std::process::Command as Process;

use pfs::prelude::*;
use pfs::session::Session;
use pfs::sync::{Mutex, RwLock};
use pfs::tables::Scan;
use pfs::{Config, Pfs};

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;
const SESSIONS: usize = 300;

#[instrument_mutex("memory/INDEX")]
static INDEX: Mutex<u64> = Mutex::new(0);
#[instrument_rwlock("memory/SHARDS")]
static SHARDS: [RwLock<u64>; 16] = [const { RwLock::new(0) }; 16];

macro_rules! commands {
    ($($name:ident)*) => {
        /// As many classes of statements as a small server has.
        #[derive(Statement)]
        #[statement(component = "memory")]
        enum Command { $($name,)* }

        const COMMANDS: &[Command] = &[$(Command::$name),*];
    };
}
commands! { Ping Echo Get Set Del Incr Mset Mget Lpush Lpop Dbsize Info Config Touch Quit Pfs }

#[stage("memory/parsing")]
fn parse() {
    *INDEX.lock().unwrap() += 1;
}

#[stage("memory/executing")]
fn execute(round: usize) {
    *SHARDS[round % SHARDS.len()].write().unwrap() += 1;
    look(round + 1);
}

#[stage("memory/looking up")]
fn look(round: usize) {
    assert!(*SHARDS[round % SHARDS.len()].read().unwrap() < u64::MAX);
}

#[stage("memory/replying")]
fn reply() {}

/// What a client of a small server asks in its session: each command a few times, with text.
fn mix() {
    for round in 0..4 {
        for (at, command) in COMMANDS.iter().enumerate() {
            parse();
            let mut statement = command.begin();
            if statement.wants_text() {
                statement.text(format!("COMMAND key:{round}:{at} {}", "value ".repeat(at)));
            }
            execute(round + at);
            statement.rows_sent(1);
            if at == 3 {
                statement.record_error(1, "HY000", format_args!("wrong type of key {round}"));
            }
            reply();
        }
    }
}

fn scan(pfs: Pfs) {
    for table in pfs.tables() {
        let mut rows = table.rows(&Scan::ALL);
        while rows.next().is_some() {}
    }
}

/// Anonymous memory of this process that is resident, in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a line RssAnon");
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * KIB
}

fn every_consumer(config: Config) -> Config {
    let tables = ["waits", "stages", "statements"];
    let config = tables.iter().fold(config, |config, kind| {
        config
            .consumer(format!("events_{kind}_current"), true)
            .consumer(format!("events_{kind}_history"), true)
            .consumer(format!("events_{kind}_history_long"), true)
    });
    config.instrument("wait/%", "ON")
}

/// Does what it is told, as a process of its own.
#[test]
fn child() {
    let Ok(told) = std::env::var("PFS_MEMORY_TEST") else { return };
    let (start, what) = told.split_once(' ').unwrap();
    let config = Config::new();
    let pfs = match start {
        "off" => config.performance_schema(false),
        "default" => config,
        "everything" => every_consumer(config),
        other => panic!("no start {other}"),
    }
    .start()
    .unwrap();
    let sessions = match what {
        "scan" => {
            scan(pfs);
            0
        }
        sessions => sessions.parse().expect("a number of sessions"),
    };
    let mut sessions: Vec<_> = (0..sessions).map(|_| Session::new()).collect();
    // As much in all however few they are, so that what all share is as full: the long histories.
    for turn in 0..if sessions.is_empty() { 0 } else { SESSIONS } {
        let at = turn % sessions.len();
        let _attached = sessions[at].attach();
        mix();
    }
    println!("resident={}", resident());
}

fn resident_of(start: &str, what: &str) -> u64 {
    let output = Process::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture", "--test-threads=1"])
        .env("PFS_MEMORY_TEST", format!("{start} {what}"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let figure = text.split("resident=").nth(1).and_then(|rest| rest.lines().next());
    figure.expect("a figure").parse().unwrap()
}

/// What a start of that kind adds to a process that does this.
fn added(start: &str, what: &str) -> u64 {
    resident_of(start, what).saturating_sub(resident_of("off", what))
}

#[test]
fn a_start_and_a_scan_of_every_table_make_little_resident() {
    for start in ["default", "everything"] {
        for what in ["0", "scan"] {
            let added = added(start, what);
            println!("{start}, {what}: {} KiB", added / KIB);
            assert!(added <= 3 * MIB, "{start}, {what}: {} KiB", added / KIB);
        }
    }
}

#[test]
fn a_session_keeps_little_resident() {
    let all = SESSIONS.to_string();
    for start in ["default", "everything"] {
        let (many, one) = (added(start, &all), added(start, "1"));
        let each = many.saturating_sub(one) / (SESSIONS as u64 - 1);
        println!("{start}: {} KiB a session, and {} KiB that all share", each / KIB, (one - each) / KIB);
        assert!(each <= 64 * KIB, "{start}: {} KiB a session", each / KIB);
        // Less than this would mean that nothing was recorded.
        assert!(each >= 4 * KIB, "{start}: {each} bytes a session");
    }
    // By default that is all there is: the long histories are off.
    assert!(added("default", &all) <= 64 * KIB * SESSIONS as u64);
}

#[test]
fn the_memory_report_adds_up_to_the_mapping() {
    let known_before = Config::new().memory().unwrap();
    assert!(pfs::current().is_none());
    let pfs = Config::new().start().unwrap();
    assert!(known_before.engine_status().eq(pfs.engine_status()));
    assert_eq!(known_before.total(), pfs.memory());
    let rows: Vec<_> =
        pfs.engine_status().map(|row| (row.name, row.status.parse::<usize>().unwrap())).collect();
    let (total, parts) = rows.split_last().unwrap();
    assert_eq!(*total, ("performance_schema.memory".to_owned(), pfs.memory()));
    let memory = parts.iter().filter(|(name, _)| name.ends_with(".memory")).map(|(_, figure)| figure);
    assert_eq!(memory.sum::<usize>(), pfs.memory());
    for part in parts.chunks(3) {
        let [(size_name, size), (count_name, count), (memory_name, memory)] = part else {
            panic!("{part:?}")
        };
        let buffer = size_name.strip_suffix(".row_size").unwrap();
        assert_eq!(count_name, &format!("{buffer}.row_count"));
        assert_eq!(memory_name, &format!("{buffer}.memory"));
        assert_eq!(size * count, *memory, "{buffer}");
    }
    // The mapping is one, of that very size.
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let of_that_size = maps.lines().filter(|line| {
        let (begin, end) = line.split_once(' ').unwrap().0.split_once('-').unwrap();
        let [begin, end] = [begin, end].map(|address| usize::from_str_radix(address, 16).unwrap());
        end - begin == pfs.memory()
    });
    assert_eq!(of_that_size.count(), 1, "no mapping of {} bytes in\n{maps}", pfs.memory());
}
