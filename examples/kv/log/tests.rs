//! Tests of the log by itself: what is committed is replayed, a torn tail is not.

use std::fs;
use std::sync::Arc;

use super::*;

/// An operation that owns its strings.
fn owned(operation: Operation<'_>) -> String {
    format!("{operation:?}")
}

fn open(dir: &Path) -> (Arc<Log>, std::thread::JoinHandle<()>, Replayed, Vec<String>) {
    let mut operations = Vec::new();
    let (log, file, replayed) =
        Log::open(dir, SyncPolicy::Always, |operation| operations.push(owned(operation))).unwrap();
    let log = Arc::new(log);
    let flusher = Arc::clone(&log);
    (log, std::thread::spawn(move || flusher.flush_loop(file)), replayed, operations)
}

fn close(log: &Log, flusher: std::thread::JoinHandle<()>) {
    log.close();
    flusher.join().unwrap();
}

const EVERY: [Operation<'_>; 5] = [
    Operation::Set { key: b"k", value: b"v\r\n\0", expire_at: None },
    Operation::Set { key: b"", value: b"", expire_at: Some(u64::MAX) },
    Operation::Push { key: b"l", value: b"x" },
    Operation::Pop { key: b"l", count: 3 },
    Operation::Delete { key: b"k" },
];

#[test]
fn what_was_committed_is_replayed_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let (log, flusher, replayed, _) = open(dir.path());
    assert_eq!(replayed, Replayed { records: 0, bytes: 8, cut: 0 });
    for operation in EVERY {
        log.commit(log.append([operation]).unwrap()).unwrap();
    }
    let all = log.append(EVERY).unwrap();
    log.commit(all).unwrap();
    close(&log, flusher);
    let (log, flusher, replayed, operations) = open(dir.path());
    assert_eq!(operations, [EVERY, EVERY].concat().into_iter().map(owned).collect::<Vec<_>>());
    assert_eq!(replayed, Replayed { records: 6, bytes: all.0, cut: 0 });
    close(&log, flusher);
}

#[test]
fn a_log_cut_anywhere_replays_its_whole_records() {
    let dir = tempfile::tempdir().unwrap();
    let (log, flusher, ..) = open(dir.path());
    let ends: Vec<u64> = EVERY.into_iter().map(|operation| log.append([operation]).unwrap().0).collect();
    close(&log, flusher);
    let path = dir.path().join("kv.log");
    let whole = fs::read(&path).unwrap();
    assert_eq!(whole.len() as u64, ends[4]);
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
    let first = log.append([EVERY[0]]).unwrap();
    log.append([EVERY[1]]).unwrap();
    close(&log, flusher);
    let path = dir.path().join("kv.log");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let (log, flusher, replayed, operations) = open(dir.path());
    assert_eq!(operations, [owned(EVERY[0])]);
    assert_eq!(replayed.bytes, first.0);
    close(&log, flusher);
}

#[test]
fn damage_before_a_whole_record_is_refused_and_nothing_is_cut() {
    let dir = tempfile::tempdir().unwrap();
    let (log, flusher, ..) = open(dir.path());
    let ends: Vec<u64> = EVERY.into_iter().map(|operation| log.append([operation]).unwrap().0).collect();
    close(&log, flusher);
    let path = dir.path().join("kv.log");
    let whole = fs::read(&path).unwrap();
    for at in [8, usize::try_from(ends[1]).unwrap() + 9] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let refused = Log::open(dir.path(), SyncPolicy::Always, |_| ()).unwrap_err().to_string();
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
    let refused = Log::open(dir.path(), SyncPolicy::Never, |_| ()).unwrap_err().to_string();
    assert!(refused.ends_with("kv.log: in use by another server"), "{refused}");
    close(&log, flusher);
    fs::write(dir.path().join("kv.log"), "something else").unwrap();
    let refused = Log::open(dir.path(), SyncPolicy::Never, |_| ()).unwrap_err().to_string();
    assert!(refused.ends_with("kv.log: not a log of this server"), "{refused}");
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
                    log.commit(log.append([operation]).unwrap()).unwrap();
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
    let (log, ..) = Log::open(dir.path(), SyncPolicy::Always, |_| ()).unwrap();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let log = Arc::new(log);
    let flusher = Arc::clone(&log);
    let flusher = std::thread::spawn(move || flusher.flush_loop(full));
    let error = log.commit(log.append([EVERY[0]]).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("the log cannot be written: "), "{error}");
    assert_eq!(log.append([EVERY[0]]).unwrap_err(), error);
    close(&log, flusher);
}
