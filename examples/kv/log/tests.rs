//! Tests of the log by itself: what is committed is replayed, a torn tail is not.

use std::fs;
use std::sync::Arc;

use super::*;

/// An operation in its database, that owns its strings.
fn owned(database: Database, operation: Operation<'_>) -> String {
    format!("{} {operation:?}", database.name())
}

fn database(number: usize) -> Database {
    Database::numbered(number).unwrap()
}

fn open(dir: &Path) -> (Arc<Log>, std::thread::JoinHandle<()>, Replayed, Vec<String>) {
    let mut operations = Vec::new();
    let (log, file, replayed) = Log::open(dir, SyncPolicy::Always, |database, operation| {
        operations.push(owned(database, operation));
    })
    .unwrap();
    let log = Arc::new(log);
    let flusher = Arc::clone(&log);
    (log, std::thread::spawn(move || flusher.flush_loop(file)), replayed, operations)
}

fn close(log: &Log, flusher: std::thread::JoinHandle<()>) {
    log.close();
    flusher.join().unwrap();
}

const EVERY: [Operation<'_>; 8] = [
    Operation::Set { key: b"k", value: b"v\r\n\0", expire_at: None },
    Operation::Set { key: b"", value: b"", expire_at: Some(u64::MAX) },
    Operation::Push { end: End::Front, key: b"l", value: b"x" },
    Operation::Push { end: End::Back, key: b"l", value: b"y" },
    Operation::Pop { end: End::Front, key: b"l", count: 3 },
    Operation::Pop { end: End::Back, key: b"l", count: u64::MAX },
    Operation::Delete { key: b"k" },
    Operation::Flush,
];

#[test]
fn what_was_committed_is_replayed_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let (log, flusher, replayed, _) = open(dir.path());
    assert_eq!(replayed, Replayed { records: 0, bytes: 8, cut: 0 });
    let mut expected = Vec::new();
    for (number, operation) in EVERY.into_iter().enumerate() {
        log.commit(log.append(database(number), [operation]).unwrap()).unwrap();
        expected.push(owned(database(number), operation));
    }
    let all = log.append(database(15), EVERY).unwrap();
    log.commit(all).unwrap();
    expected.extend(EVERY.map(|operation| owned(database(15), operation)));
    close(&log, flusher);
    let (log, flusher, replayed, operations) = open(dir.path());
    assert_eq!(operations, expected);
    assert_eq!(replayed, Replayed { records: 9, bytes: all.0, cut: 0 });
    close(&log, flusher);
}

#[test]
fn a_log_cut_anywhere_replays_its_whole_records() {
    let dir = tempfile::tempdir().unwrap();
    let (log, flusher, ..) = open(dir.path());
    let ends: Vec<u64> = (0..)
        .zip(EVERY)
        .map(|(number, operation)| log.append(database(number), [operation]).unwrap().0)
        .collect();
    close(&log, flusher);
    let path = dir.path().join("kv.log");
    let whole = fs::read(&path).unwrap();
    assert_eq!(whole.len() as u64, ends[7]);
    for length in 0..=whole.len() as u64 {
        for garbage in [&b""[..], &[0; 20], &[0xff; 20]] {
            if length < 8 && !garbage.is_empty() {
                continue;
            }
            let torn = [&whole[..usize::try_from(length).unwrap()], garbage].concat();
            fs::write(&path, &torn).unwrap();
            let (log, flusher, replayed, operations) = open(dir.path());
            // Garbage may happen to be what was cut off.
            let same = torn.iter().zip(&whole).take_while(|(torn, whole)| torn == whole).count() as u64;
            let records = ends.iter().filter(|&&end| end <= same).count();
            assert_eq!(operations.len(), records, "cut at {length}");
            let kept = if records == 0 { 8 } else { ends[records - 1] };
            let cut = (length + garbage.len() as u64).saturating_sub(kept);
            assert_eq!(replayed, Replayed { records: records as u64, bytes: kept, cut }, "cut at {length}");
            close(&log, flusher);
            assert_eq!(fs::metadata(&path).unwrap().len(), kept);
        }
    }
}

#[test]
fn a_flipped_bit_ends_the_replay() {
    let dir = tempfile::tempdir().unwrap();
    let (log, flusher, ..) = open(dir.path());
    let first = log.append(Database::FIRST, [EVERY[0]]).unwrap();
    log.append(Database::FIRST, [EVERY[1]]).unwrap();
    close(&log, flusher);
    let path = dir.path().join("kv.log");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let (log, flusher, replayed, operations) = open(dir.path());
    assert_eq!(operations, [owned(Database::FIRST, EVERY[0])]);
    assert_eq!(replayed.bytes, first.0);
    close(&log, flusher);
}

#[test]
fn damage_before_a_whole_record_is_refused_and_nothing_is_cut() {
    let dir = tempfile::tempdir().unwrap();
    let (log, flusher, ..) = open(dir.path());
    let ends: Vec<u64> = (0..)
        .zip(EVERY)
        .map(|(number, operation)| log.append(database(number), [operation]).unwrap().0)
        .collect();
    close(&log, flusher);
    let path = dir.path().join("kv.log");
    let whole = fs::read(&path).unwrap();
    for at in [8, usize::try_from(ends[1]).unwrap() + 9] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let refused = Log::open(dir.path(), SyncPolicy::Always, |_, _| ()).unwrap_err().to_string();
        let (damaged, next) = if at == 8 { (8, ends[0]) } else { (ends[1], ends[2]) };
        let expected = format!("damaged at byte {damaged}, and a whole record follows at byte {next}");
        assert!(refused.contains(&expected), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_log_in_use_or_of_another_kind_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (log, flusher, ..) = open(dir.path());
    let refused = Log::open(dir.path(), SyncPolicy::Never, |_, _| ()).unwrap_err().to_string();
    assert!(refused.ends_with("kv.log: in use by another server"), "{refused}");
    close(&log, flusher);
    fs::write(dir.path().join("kv.log"), "something else").unwrap();
    let refused = Log::open(dir.path(), SyncPolicy::Never, |_, _| ()).unwrap_err().to_string();
    assert!(refused.ends_with("kv.log: not a log of this server"), "{refused}");
}

/// A record as it stands in the file.
fn record(payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
    [&length, &crc32fast::hash(payload).to_le_bytes(), payload].concat()
}

#[test]
fn a_log_from_before_databases_is_replayed_into_the_first_and_goes_on_as_one_of_today() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kv.log");
    // SET k v; SET e w with an expiry, LPUSH l x and LPOP l 1 in one; DEL k.
    let first = record(b"\x01\x01\0\0\0k\x01\0\0\0v");
    let second = record(
        b"\x02\x01\x02\0\0\0\0\0\0\x01\0\0\0e\x01\0\0\0w\x04\x01\0\0\0l\x01\0\0\0x\x05\x01\0\0\0\0\0\0\0\x01\0\0\0l",
    );
    let third = record(b"\x03\x01\0\0\0k");
    let old = [&b"kvlog 1\n"[..], &first, &second, &third, b"torn"].concat();
    fs::write(&path, &old).unwrap();
    let expected = [
        Operation::Set { key: b"k", value: b"v", expire_at: None },
        Operation::Set { key: b"e", value: b"w", expire_at: Some(0x201) },
        Operation::Push { end: End::Front, key: b"l", value: b"x" },
        Operation::Pop { end: End::Front, key: b"l", count: 1 },
        Operation::Delete { key: b"k" },
    ];
    let expected = expected.map(|operation| owned(Database::FIRST, operation));
    let (log, flusher, replayed, operations) = open(dir.path());
    assert_eq!(operations, expected);
    assert_eq!(replayed, Replayed { records: 3, bytes: old.len() as u64 - 4, cut: 4 });
    log.append(database(3), [EVERY[3]]).unwrap();
    close(&log, flusher);
    // What was there is untouched but for the version, and what is new follows it.
    let new = fs::read(&path).unwrap();
    let fourth = record(b"\x06\x03\x07\x01\0\0\0l\x01\0\0\0y");
    assert_eq!(new, [&b"kvlog 2\n"[..], &first, &second, &third, &fourth].concat());
    let (log, flusher, replayed, operations) = open(dir.path());
    assert_eq!(operations[..5], expected);
    assert_eq!(operations[5..], [owned(database(3), EVERY[3])]);
    assert_eq!(replayed.records, 4);
    close(&log, flusher);
}

#[test]
fn what_a_later_server_wrote_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kv.log");
    let set = record(b"\x01\x01\0\0\0k\x01\0\0\0v");
    let unknown =
        "the record at byte 27 is whole but holds an operation or a database that this server does not know";
    for (start, record, message) in [
        (&b"kvlog 3\n"[..], record(b"\x01"), "a log of version 3; this server reads versions 1 and 2"),
        (b"kvlog x\n", record(b"\x01"), "not a log of this server"),
        (b"kvlog 2\n", record(b"\x0a"), unknown),
        (b"kvlog 2\n", record(b"\x06\x10\x09"), unknown),
        (b"kvlog 1\n", record(b"\x09\x06\x01"), unknown),
    ] {
        let bytes = [start, &set, &record].concat();
        fs::write(&path, &bytes).unwrap();
        let refused = Log::open(dir.path(), SyncPolicy::Always, |_, _| ()).unwrap_err().to_string();
        assert_eq!(refused, format!("{}: {message}", path.display()));
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn one_sync_serves_many_writers() {
    let dir = tempfile::tempdir().unwrap();
    let (log, flusher, ..) = open(dir.path());
    std::thread::scope(|scope| {
        for writer in 0..8u8 {
            let log = &log;
            scope.spawn(move || {
                for value in 0..100u8 {
                    let key = [writer];
                    let operation = Operation::Set { key: &key, value: &[value], expire_at: None };
                    log.commit(log.append(Database::FIRST, [operation]).unwrap()).unwrap();
                }
            });
        }
    });
    close(&log, flusher);
    let (log, flusher, replayed, _) = open(dir.path());
    assert_eq!(replayed.records, 800);
    close(&log, flusher);
}

#[test]
#[cfg(target_os = "linux")]
fn a_log_that_cannot_be_written_fails_its_writers() {
    let dir = tempfile::tempdir().unwrap();
    let (log, ..) = Log::open(dir.path(), SyncPolicy::Always, |_, _| ()).unwrap();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let log = Arc::new(log);
    let flusher = Arc::clone(&log);
    let flusher = std::thread::spawn(move || flusher.flush_loop(full));
    let error = log.commit(log.append(Database::FIRST, [EVERY[0]]).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("the log cannot be written: "), "{error}");
    assert_eq!(log.append(Database::FIRST, [EVERY[0]]).unwrap_err(), error);
    close(&log, flusher);
}
