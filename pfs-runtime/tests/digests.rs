//! Statements by digest: what is counted in which row, what is shown of it, and what happens where there is no room.

mod own_schema;

use own_schema::{Own, Stop, recording};
use pfs_runtime::config::{SizeKey, TextKept};
use pfs_runtime::digest::{Commands, Language, Sql, Token, Tokens};
use pfs_runtime::statement::{self, StatementGuard};
use pfs_runtime::tables::events_statements_summary_by_digest::EventsStatementsSummaryByDigestRow as Row;
use pfs_runtime::tables::{self, Scan, Value};
use pfs_runtime::task;
use std::fmt;
use std::future::{Future, ready};
use std::pin::pin;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Waker};

/// Runs a statement of this text.
fn run(own: &Own, text: &str) {
    run_in(own, None, text, |_| ());
}

fn run_in(own: &Own, schema: Option<&str>, text: &str, say: impl FnOnce(&mut StatementGuard)) {
    let mut statement = statement::begin(own.get);
    if let Some(schema) = schema {
        statement.schema(schema);
    }
    statement.text(text);
    say(&mut statement);
}

/// The rows by schema and text.
fn digests(own: &Own) -> Vec<Row> {
    let mut rows: Vec<Row> = own.schema.events_statements_summary_by_digest().collect();
    rows.sort_by(|a, b| (&a.schema_name, &a.digest_text).cmp(&(&b.schema_name, &b.digest_text)));
    rows
}

/// The text of each digest, with how many statements it has.
fn counts(own: &Own) -> Vec<(Option<String>, u64)> {
    digests(own).into_iter().map(|row| (row.digest_text.clone(), row.count_star)).collect()
}

fn count(text: &str, count: u64) -> (Option<String>, u64) {
    (Some(text.to_owned()), count)
}

fn lost(own: &Own) -> u64 {
    let mut rows = own.schema.global_status();
    let row = rows.find(|row| row.variable_name == "Performance_schema_digest_lost").unwrap();
    row.variable_value.unwrap().parse().unwrap()
}

#[test]
fn statements_that_differ_in_values_alone_are_one_row_a_schema() {
    let own = Own::new(recording().constant_step_clock(20_000_000));
    own.on_thread(|| {
        run_in(own, Some("shop"), "select a from t where b = 1", |statement| statement.rows_sent(2));
        run_in(own, Some("shop"), "SELECT a FROM t WHERE b = 'x'", |statement| {
            statement.rows_sent(3);
            statement.record_error(1, "42000", format_args!("no"));
        });
        run_in(own, Some("depot"), "select a from t where b = 2", |_| ());
        run(own, "select a from t where b = 3");
        // Without a text, or with one that breaks off, there is no digest.
        drop(statement::begin(own.get));
        run(own, "select 'a");
    });
    let rows = digests(own);
    let text = "SELECT `a` FROM `t` WHERE `b` = ? ";
    assert_eq!(counts(own), [count(text, 1), count(text, 1), count(text, 2)]);
    assert_eq!(rows[0].schema_name, None);
    assert_eq!(rows[1].schema_name.as_deref(), Some("depot"));
    let shop = &rows[2];
    assert_eq!(shop.schema_name.as_deref(), Some("shop"));
    // Computed by another program.
    let sha256 = "a6fc379dc93a3454c2ecd6d6a497c8c46568efc289d9aac25de42025b764df88";
    assert!(rows.iter().all(|row| row.digest.as_deref() == Some(sha256)));
    assert_eq!((shop.sum_rows_sent, shop.sum_errors), (5, 1));
    let timer = &shop.timer;
    assert_eq!(
        (timer.sum_timer_wait, timer.min_timer_wait, timer.max_timer_wait),
        (40_000_000, 20_000_000, 20_000_000)
    );
    // It is a second view: by class all are counted.
    assert_eq!(own.statements(own.get).count_star, 6);
    assert_eq!(lost(own), 0);
}

#[test]
fn the_hash_is_that_of_the_text() {
    let own = Own::new(recording());
    own.on_thread(|| run(own, "select 1"));
    let row = digests(own).remove(0);
    assert_eq!(row.digest_text.as_deref(), Some("SELECT ? "));
    assert_eq!(
        row.digest.as_deref(),
        Some("e4117540e6b06aa98a59ab28e4466eca6b78ff796f96bcef73b9aba580ee398f")
    );
}

#[test]
fn event_rows_show_the_digest_until_it_is_truncated() {
    let own = Own::new(recording());
    own.on_thread(|| {
        run(own, "select 1");
        drop(statement::begin(own.get));
        let shown = || {
            let rows = own.schema.events_statements_history();
            rows.map(|row| (row.digest.map(|digest| digest.len()), row.digest_text)).collect::<Vec<_>>()
        };
        assert_eq!(shown(), [(Some(64), Some("SELECT ? ".to_owned())), (None, None)]);
        let mut open = statement::begin(own.get);
        open.text("select 'a', 'b'");
        let row = own.schema.events_statements_current().next().unwrap();
        assert_eq!(row.digest_text.as_deref(), Some("SELECT ?, ... "));
        tables::find("events_statements_summary_by_digest").unwrap().truncate(own.schema).unwrap();
        assert_eq!(shown(), [(None, None), (None, None)]);
        assert_eq!(own.schema.events_statements_current().next().unwrap().digest_text, None);
        assert_eq!(counts(own), []);
        // What runs meanwhile is counted when it ends.
        drop(open);
        assert_eq!(counts(own), [count("SELECT ?, ... ", 1)]);
        run(own, "select 2");
        assert_eq!(counts(own), [count("SELECT ? ", 1), count("SELECT ?, ... ", 1)]);
    });
}

/// A statement whose text is said while all rows go has no row then, and one at its end.
#[test]
fn what_is_said_while_all_are_truncated_is_counted_when_it_ends() {
    /// Truncates all digests while one is entered.
    #[derive(Debug)]
    struct Truncating;

    static OWN: OnceLock<&'static Own> = OnceLock::new();
    static TO_TRUNCATE: AtomicBool = AtomicBool::new(false);

    impl Language for Truncating {
        fn tokens(&self, text: &[u8], tokens: &mut Tokens<'_>) -> bool {
            Sql.tokens(text, tokens)
        }

        fn word(&self, number: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            if TO_TRUNCATE.swap(false, Ordering::Relaxed) {
                let table = tables::find("events_statements_summary_by_digest").unwrap();
                table.truncate(OWN.get().unwrap().schema).unwrap();
            }
            Sql.word(number, f)
        }
    }

    let own = Own::new(recording().statement_language(&Truncating));
    OWN.set(own).ok().unwrap();
    own.on_thread(|| {
        let mut open = statement::begin(own.get);
        TO_TRUNCATE.store(true, Ordering::Relaxed);
        open.text("select 1");
        assert!(!TO_TRUNCATE.load(Ordering::Relaxed));
        assert_eq!(own.schema.events_statements_current().next().unwrap().digest, None);
        assert_eq!(counts(own), []);
        drop(open);
        assert_eq!(counts(own), [count("SELECT ? ", 1)]);
        // That all go once more while it ends is as if it had ended before.
        let mut open = statement::begin(own.get);
        open.text("select a");
        tables::find("events_statements_summary_by_digest").unwrap().truncate(own.schema).unwrap();
        TO_TRUNCATE.store(true, Ordering::Relaxed);
        drop(open);
        assert_eq!(counts(own), []);
        run(own, "select a");
        assert_eq!(counts(own), [count("SELECT `a` ", 1)]);
    });
}

/// Tokens that were read while their row changed hands are shown to no language.
#[test]
fn a_language_is_asked_for_its_own_words_alone() {
    /// One word, or a name whose bytes are none.
    #[derive(Debug)]
    struct OneWord;

    static OTHERS: AtomicU64 = AtomicU64::new(0);

    impl Language for OneWord {
        fn tokens(&self, text: &[u8], tokens: &mut Tokens<'_>) -> bool {
            match text {
                b"word" => (0..30_000).for_each(|_| tokens.push(Token::word(0))),
                _ => tokens.name(&vec![0xff; 60_000]),
            }
            true
        }

        fn word(&self, number: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            OTHERS.fetch_add(u64::from(number != 0), Ordering::Relaxed);
            f.write_str("word ")
        }
    }

    // One row, so that each of the two follows the other there, and so long that many reads meet a change.
    let config = recording().size(SizeKey::DigestsSize, 2).size(SizeKey::MaxDigestLength, 1 << 16);
    let own = Own::new(config.statement_language(&OneWord));
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let _stop = Stop(&stop);
            own.on_thread(|| {
                let table = tables::find("events_statements_summary_by_digest").unwrap();
                for text in ["word", "name"].into_iter().cycle().take(100) {
                    run(own, text);
                    table.truncate(own.schema).unwrap();
                }
            });
        });
        while !stop.load(Ordering::Relaxed) {
            digests(own);
        }
    });
    assert_eq!(OTHERS.load(Ordering::Relaxed), 0);
}

/// The text of a function that returns a future is copied before the statement begins.
#[test]
fn a_text_that_only_makes_a_digest_is_copied_for_a_future() {
    let config = recording().consumer("events_statements_current", false);
    for config in [recording().statement_text(TextKept::Digest), config, recording()] {
        let own = Own::new(config);
        own.on_thread(|| {
            assert!(task::keeps_text(own.get));
            let text = Some(task::kept_text("select 1"));
            let mut future = pin!(task::texted(own.get, text, ready(()), |(), _| ()));
            assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
        });
        assert_eq!(counts(own), [count("SELECT ? ", 1)]);
    }
    let own = Own::new(recording().statement_text(false));
    assert!(!task::keeps_text(own.get));
}

#[test]
fn what_finds_no_row_is_counted_in_one_and_told() {
    let own = Own::new(recording().size(SizeKey::DigestsSize, 3));
    own.on_thread(|| {
        for text in ["select 1", "select a", "select b", "select c", "select 2", "select b"] {
            run(own, text);
        }
    });
    assert_eq!(counts(own), [(None, 3), count("SELECT ? ", 2), count("SELECT `a` ", 1)]);
    let sink = digests(own).remove(0);
    assert_eq!((sink.digest, sink.schema_name, sink.query_sample_text), (None, None, None));
    assert_ne!(sink.first_seen, "0000-00-00 00:00:00.000000");
    assert_eq!(lost(own), 3);
    // Truncating makes room, and what was lost stays told.
    tables::find("events_statements_summary_by_digest").unwrap().truncate(own.schema).unwrap();
    assert_eq!(counts(own), []);
    own.on_thread(|| run(own, "select c"));
    assert_eq!(counts(own), [count("SELECT `c` ", 1)]);
    assert_eq!(lost(own), 3);
}

#[test]
fn tiny_sizes_keep_what_they_can() {
    for (digests_size, kept) in [(0, vec![]), (1, vec![(None, 2)])] {
        let own = Own::new(recording().size(SizeKey::DigestsSize, digests_size));
        own.on_thread(|| ["select 1", "select a"].iter().for_each(|text| run(own, text)));
        assert_eq!(counts(own), kept);
        assert_eq!(lost(own), kept.iter().map(|(_, count)| count).sum::<u64>());
        assert_eq!(own.statements(own.get).count_star, 2);
        let buckets = own.schema.events_statements_histogram_global().count();
        assert_eq!(buckets, if digests_size == 0 { 0 } else { 450 });
    }
    let own = Own::new(recording().size(SizeKey::MaxDigestLength, 0));
    own.on_thread(|| run(own, "select 1"));
    assert_eq!((counts(own), lost(own)), (vec![], 0));
    // Two bytes are one word: all that begins with it is one digest. In one byte there is nothing that could have one.
    for (length, kept) in [(1, vec![]), (2, vec![count("DELETE ", 1), count("SELECT ", 2)])] {
        let own = Own::new(recording().size(SizeKey::MaxDigestLength, length));
        own.on_thread(|| ["select 1", "select a", "delete from t"].iter().for_each(|text| run(own, text)));
        assert_eq!(counts(own), kept);
    }
}

#[test]
fn a_time_is_counted_in_its_bucket_with_a_digest_and_without() {
    // 100 µs are the first of bucket 51, whose bound is cut to below them.
    let own = Own::new(recording().constant_step_clock(100_000_000));
    own.on_thread(|| {
        (0..3).for_each(|_| run(own, "select 1"));
        run(own, "select a");
        drop(statement::begin(own.get));
    });
    let filled = |rows: Vec<(Option<String>, u32, u64, u64)>| -> Vec<_> {
        rows.into_iter().filter(|(.., count, _)| *count > 0).collect()
    };
    let global: Vec<_> = own.schema.events_statements_histogram_global().collect();
    assert_eq!(global.len(), 450);
    let of_global =
        global.iter().map(|row| (None, row.bucket_number, row.count_bucket, row.count_bucket_and_lower));
    assert_eq!(filled(of_global.collect()), [(None, 51, 5, 5)]);
    assert_eq!(
        (global[50].bucket_quantile.to_bits(), global[51].bucket_quantile.to_bits()),
        (0, 1.0_f64.to_bits())
    );
    assert_eq!(global[449].count_bucket_and_lower, 5);
    let by_digest: Vec<_> = own.schema.events_statements_histogram_by_digest().collect();
    assert_eq!(by_digest.len(), 900);
    let mut counted: Vec<_> =
        by_digest.iter().map(|row| row.count_bucket).filter(|count| *count > 0).collect();
    counted.sort_unstable();
    assert_eq!(counted, [1, 3]);
    let high = global[51].bucket_timer_high;
    for row in digests(own) {
        assert_eq!([row.quantile_95, row.quantile_99, row.quantile_999], [high; 3]);
    }
    // A key finds the buckets of a digest.
    let digest = by_digest[0].digest.clone().unwrap();
    let table = tables::find("events_statements_histogram_by_digest").unwrap();
    let eq = [(1, Value::Text(&digest)), (2, Value::U64(51))];
    let mut found = table.rows(own.schema, &Scan { eq: &eq });
    assert_eq!(found.next().map(|row| row.get(2)), Some(Value::U64(51)));
    assert!(found.next().is_none());

    table.truncate(own.schema).unwrap();
    assert!(own.schema.events_statements_histogram_by_digest().all(|row| row.count_bucket == 0));
    assert!(digests(own).iter().all(|row| row.quantile_95 == 0 && row.count_star > 0));
    assert_eq!(own.schema.events_statements_histogram_global().map(|row| row.count_bucket).sum::<u64>(), 5);
    tables::find("events_statements_histogram_global").unwrap().truncate(own.schema).unwrap();
    assert_eq!(own.schema.events_statements_histogram_global().map(|row| row.count_bucket).sum::<u64>(), 0);
}

#[test]
fn the_longest_statement_is_the_sample() {
    // Each reading of the clock is a step later, so a statement takes as many steps as clocks are read in it.
    let own = Own::new(recording().constant_step_clock(1_000));
    let sample = || {
        let row = digests(own).remove(0);
        (row.query_sample_text.unwrap(), row.query_sample_timer_wait)
    };
    own.on_thread(|| {
        run(own, "select 1");
        assert_eq!(sample(), ("select 1".to_owned(), 1_000));
        run(own, "select 2");
        assert_eq!(sample(), ("select 1".to_owned(), 1_000));
        run_in(own, None, "select 3", |_| {
            own.schema.clock().now();
        });
        assert_eq!(sample(), ("select 3".to_owned(), 2_000));
        run(own, "select 4");
        assert_eq!(sample(), ("select 3".to_owned(), 2_000));
    });
}

#[test]
fn an_old_sample_gives_way() {
    // A step is two seconds.
    let old = |age: u32| {
        let own = Own::new(
            recording().constant_step_clock(2_000_000_000_000).size(SizeKey::MaxDigestSampleAge, age),
        );
        own.on_thread(|| {
            run_in(own, None, "select 'long'", |_| {
                own.schema.clock().now();
            });
            run(own, "select 2");
        });
        digests(own).remove(0).query_sample_text.unwrap()
    };
    // The second ends two steps, four seconds, after the first.
    assert_eq!(old(3), "select 2");
    assert_eq!(old(4), "select 'long'");
    assert_eq!(old(0), "select 'long'");
}

#[test]
fn without_text_there_are_digests_and_no_samples() {
    for config in [
        recording().statement_text(TextKept::Digest),
        recording().consumer("events_statements_current", false),
        recording().size(SizeKey::MaxSqlTextLength, 0),
    ] {
        let own = Own::new(config);
        own.on_thread(|| run(own, "select 'secret'"));
        let row = digests(own).remove(0);
        assert_eq!((row.digest_text.as_deref(), row.query_sample_text.as_deref()), (Some("SELECT ? "), None));
        assert_eq!((row.count_star, row.query_sample_seen.as_str()), (1, "0000-00-00 00:00:00.000000"));
    }
}

#[test]
fn where_nothing_of_a_text_is_kept_there_is_no_digest() {
    let own = Own::new(recording().statement_text(false));
    own.on_thread(|| run(own, "select secret"));
    assert_eq!((counts(own), lost(own)), (vec![], 0));
    assert_eq!(own.statements(own.get).count_star, 1);
}

#[test]
fn the_consumer_switches_digests() {
    let own = Own::new(recording().consumer("statements_digest", false));
    own.on_thread(|| {
        let mut open = statement::begin(own.get);
        assert!(open.wants_text(), "the row shows it");
        open.text("select 1");
        drop(open);
        assert_eq!(counts(own), []);
        assert_eq!(
            own.schema.events_statements_histogram_global().map(|row| row.count_bucket).sum::<u64>(),
            0
        );
    });
    // Without threads and rows there are digests all the same.
    let own = Own::new(recording().consumer("thread_instrumentation", false));
    own.on_thread(|| {
        run(own, "select 1");
        assert_eq!(counts(own), [count("SELECT ? ", 1)]);
    });
    let own = Own::new(recording().consumer("global_instrumentation", false));
    own.on_thread(|| {
        run(own, "select 1");
        assert_eq!(counts(own), []);
    });
}

#[test]
fn a_server_says_what_its_statements_are_written_in() {
    static COMMANDS: Commands = Commands::new(&["CONFIG"]);
    let own = Own::new(recording().statement_language(&COMMANDS));
    own.on_thread(|| {
        for text in ["get a", "GET b", "set a 1", "config get x", " "] {
            run(own, text);
        }
    });
    assert_eq!(counts(own), [count("CONFIG GET ? ", 1), count("GET ? ", 2), count("SET ?, ... ", 1)]);
}

#[test]
fn a_language_that_is_instrumented_itself_makes_no_digest_within_a_digest() {
    #[derive(Debug)]
    struct Instrumented;

    static OWN: OnceLock<&'static Own> = OnceLock::new();

    impl Language for Instrumented {
        fn tokens(&self, text: &[u8], tokens: &mut Tokens<'_>) -> bool {
            run(OWN.get().unwrap(), "select inner");
            Sql.tokens(text, tokens)
        }

        fn word(&self, number: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            Sql.word(number, f)
        }
    }

    let own = Own::new(recording().statement_language(&Instrumented));
    OWN.set(own).ok().unwrap();
    own.on_thread(|| run(own, "select outer"));
    // Of the inner one there is no digest; the outer one has its own.
    assert_eq!(counts(own), [count("SELECT OUTER ", 1)]);
    assert_eq!(own.statements(own.get).count_star, 2);
}

#[test]
fn a_language_that_panics_makes_no_digest_and_the_statement_goes_on() {
    use pfs_runtime::digest::{Language, Sql, Tokens};

    /// Fails at every text with the word it is about, and at showing what it made of another.
    #[derive(Debug)]
    struct Failing;

    impl Language for Failing {
        fn tokens(&self, text: &[u8], tokens: &mut Tokens<'_>) -> bool {
            assert_ne!(text, b"select read");
            Sql.tokens(text, tokens)
        }

        fn word(&self, number: usize, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            assert!(!std::thread::panicking());
            let mut shown = String::new();
            std::fmt::Write::write_fmt(&mut shown, format_args!("{}", Word(number)))?;
            assert_ne!(shown, "DELETE ");
            f.write_str(&shown)
        }
    }

    struct Word(usize);

    impl std::fmt::Display for Word {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            Sql.word(self.0, f)
        }
    }

    let own = Own::new(recording().statement_language(&Failing).size(SizeKey::DigestsSize, 2));
    own.on_thread(|| {
        for text in ["select read", "delete from t", "delete from t", "select 1", "select read"] {
            run(own, text);
        }
    });
    assert_eq!(counts(own), [count("SELECT ? ", 1)]);
    assert_eq!(own.statements(own.get).count_star, 5);
    assert_eq!(lost(own), 0);
}

#[test]
fn statements_of_many_threads_are_counted_exactly() {
    const THREADS: usize = 4;
    const ROUNDS: u64 = 2_000;
    let own = Own::new(recording().max_connections(8).worker_threads(4));
    own.on_threads(THREADS, || {
        for round in 0..ROUNDS {
            let column = char::from(b'a' + u8::try_from(round % 7).unwrap());
            run_in(own, Some("db"), &format!("select {column} from t where x = {round}"), |statement| {
                statement.rows_sent(round % 3);
            });
        }
    });
    let rows = digests(own);
    assert_eq!(rows.len(), 7);
    assert_eq!(rows.iter().map(|row| row.count_star).sum::<u64>(), THREADS as u64 * ROUNDS);
    let sent: u64 = (0..ROUNDS).map(|round| round % 3).sum();
    assert_eq!(rows.iter().map(|row| row.sum_rows_sent).sum::<u64>(), THREADS as u64 * sent);
    for (at, row) in (0_u64..).zip(&rows) {
        let rounds = (0..ROUNDS).filter(|round| round % 7 == at).count() as u64;
        assert_eq!(row.count_star, THREADS as u64 * rounds);
    }
    let buckets: u64 = own.schema.events_statements_histogram_by_digest().map(|row| row.count_bucket).sum();
    assert_eq!(buckets, THREADS as u64 * ROUNDS);
    let all: u64 = own.schema.events_statements_histogram_global().map(|row| row.count_bucket).sum();
    assert_eq!(all, THREADS as u64 * ROUNDS);
    assert_eq!(lost(own), 0);
}

#[test]
fn truncating_while_statements_run_leaves_each_digest_once_and_nothing_in_anothers_row() {
    let own = Own::new(recording().max_connections(8).worker_threads(4).size(SizeKey::DigestsSize, 16));
    let stop = AtomicBool::new(false);
    let run_some = |column: u64| {
        // As many rows as the column's number, so that a row tells whose statements it counted.
        let name = char::from(b'a' + u8::try_from(column).unwrap());
        run_in(own, None, &format!("select {name}"), |statement| statement.rows_sent(column));
    };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                own.on_thread(|| {
                    for round in 0_u64.. {
                        if stop.load(Ordering::Relaxed) {
                            break;
                        }
                        run_some(round % 10);
                    }
                });
            });
        }
        let table = tables::find("events_statements_summary_by_digest").unwrap();
        for _ in 0..500 {
            table.truncate(own.schema).unwrap();
            for row in digests(own) {
                let text = row.digest_text.as_deref().expect("there is room for all");
                let column = u64::from(text.as_bytes()["SELECT `".len()] - b'a');
                // A row may be read while a statement is counted, whose count comes first.
                assert!(row.sum_rows_sent <= row.count_star * column, "{row}");
                assert!(row.sum_rows_sent + 3 * column >= row.count_star * column, "{row}");
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    own.on_thread(|| (0..10).for_each(run_some));
    let rows = digests(own);
    assert_eq!(rows.len(), 10);
    for (column, row) in (0..).zip(&rows) {
        assert_eq!(row.sum_rows_sent, row.count_star * column, "{row}");
    }
    assert_eq!(lost(own), 0);
}
