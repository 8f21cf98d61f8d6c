//! What a statement says of itself: text, error, schema and counters, in its row and in its summaries.

mod own_schema;

use std::fmt;

use own_schema::{Own, recording};
use pfs_runtime::config::{Consumer, SizeKey, TextKept};
use pfs_runtime::statement::{self, ErrorCode};
use pfs_runtime::tables::events_statements_current::EventsStatementsRow;

/// Runs a statement and gives its rows of the current table while it is open, and of the history after.
fn rows(
    own: &'static Own,
    say: impl FnOnce(&mut statement::StatementGuard) + Send,
) -> [EventsStatementsRow; 2] {
    own.on_thread(|| {
        let mut statement = statement::begin(own.get);
        say(&mut statement);
        let open = own.schema.events_statements_current().next().unwrap();
        drop(statement);
        [open, own.schema.events_statements_history().last().unwrap()]
    })
}

fn texts(own: &'static Own, text: impl AsRef<[u8]> + Send) -> [Option<String>; 2] {
    rows(own, |statement| statement.text(text)).map(|row| row.sql_text)
}

fn both(text: &str) -> [Option<String>; 2] {
    [Some(text.to_owned()), Some(text.to_owned())]
}

#[test]
fn text_is_kept_up_to_its_length() {
    let own = Own::new(recording().size(SizeKey::MaxSqlTextLength, 16));
    assert_eq!(texts(own, ""), both(""));
    assert_eq!(texts(own, "GET k"), both("GET k"));
    assert_eq!(texts(own, "0123456789abcdef"), both("0123456789abcdef"));
    assert_eq!(texts(own, "0123456789abcdefg"), both("0123456789abc..."));
    // A character that does not fit whole is left out whole.
    assert_eq!(texts(own, "0123456789abcdeé"), both("0123456789ab..."));
    assert_eq!(texts(own, "0123456789abc€€"), both("0123456789abc..."));
    assert_eq!(texts(own, "é".repeat(9)), both(&("é".repeat(6) + "...")));
    assert_eq!(texts(own, b"\xffGET\xfe"), both("\u{fffd}GET\u{fffd}"));
    assert_eq!(texts(own, "line\0break\n"), both("line\0break\n"));
}

#[test]
fn a_later_text_replaces_an_earlier_one() {
    let own = Own::new(recording().size(SizeKey::MaxSqlTextLength, 8));
    let rows = rows(own, |statement| {
        statement.text("a long text");
        statement.text("short");
    });
    assert_eq!(rows.map(|row| row.sql_text), both("short"));
}

#[test]
fn the_next_statement_starts_without_the_text_of_the_last() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let mut first = statement::begin(own.get);
        first.text("GET secret");
        first.schema("db");
        first.rows_sent(1);
        first.record_error(1, "42000", format_args!("no"));
        drop(first);
        let second = statement::begin(own.get);
        let row = own.schema.events_statements_current().next().unwrap();
        assert_eq!((row.sql_text, row.current_schema, row.message_text), (None, None, None));
        assert_eq!((row.rows_sent, row.errors, row.mysql_errno), (0, 0, Some(0)));
        drop(second);
        let row = own.schema.events_statements_history().last().unwrap();
        assert_eq!((row.sql_text, row.rows_sent, row.errors), (None, 0, 0));
    });
}

#[test]
fn what_is_said_of_a_statement_without_a_row_is_in_no_row() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let mut first = statement::begin(own.get);
        first.text("GET k");
        first.rows_sent(1);
        drop(first);
        own.consumer(Consumer::EventsStatementsCurrent, false);
        let mut second = statement::begin(own.get);
        second.rows_sent(5);
        second.record_error(1, "42000", format_args!("no"));
        drop(second);
        assert_eq!(own.schema.events_statements_current().count(), 0, "its place is the second one's");
        let row = own.schema.events_statements_history().last().unwrap();
        assert_eq!((row.sql_text.as_deref(), row.rows_sent, row.errors), (Some("GET k"), 1, 0));
        assert_eq!((own.statements(own.get).sum_rows_sent, own.statements(own.get).sum_errors), (6, 1));
    });
}

#[test]
fn text_can_be_switched_off() {
    let without_text = [
        (recording().statement_text(false), false),
        (recording().statement_text(TextKept::Digest), true),
        (recording().size(SizeKey::MaxSqlTextLength, 0), true),
        (recording().size(SizeKey::MaxSqlTextLength, 0).size(SizeKey::DigestsSize, 0), false),
    ];
    for (config, digested) in without_text {
        let own = Own::new(config);
        let rows = rows(own, |statement| {
            assert_eq!(statement.wants_text(), digested);
            statement.text("AUTH secret");
            statement.rows_sent(2);
        });
        assert_eq!(rows.map(|row| (row.sql_text, row.rows_sent)), [(None, 2), (None, 2)]);
    }
}

#[test]
fn text_is_wanted_where_a_row_shows_it() {
    let own = Own::new(recording().consumer("statements_digest", false));
    own.on_thread(|| {
        assert!(statement::begin(own.get).wants_text());
        own.consumer(Consumer::EventsStatementsCurrent, false);
        assert!(!statement::begin(own.get).wants_text());
        own.consumer(Consumer::EventsStatementsCurrent, true);
        own.enable(own.get, false);
        assert!(!statement::begin(own.get).wants_text());
        own.enable(own.get, true);
        own.thread(false, true);
        assert!(!statement::begin(own.get).wants_text());
    });
}

#[derive(Debug)]
struct Refused {
    length: usize,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused: {}", "é".repeat(self.length))
    }
}

impl ErrorCode for Refused {
    fn errno(&self) -> i32 {
        1290
    }

    fn sqlstate(&self) -> &'static str {
        "42S02 and more"
    }
}

#[test]
fn an_error_has_its_number_state_and_message() {
    let own = Own::new(recording());
    let rows = rows(own, |statement| statement.error(&Refused { length: 3 }));
    for row in rows {
        assert_eq!((row.errors, row.mysql_errno), (1, Some(1290)));
        assert_eq!(row.returned_sqlstate.as_deref(), Some("42S02"));
        assert_eq!(row.message_text.as_deref(), Some("refused: ééé"));
    }
    let summary = own.statements(own.get);
    assert_eq!((summary.count_star, summary.sum_errors), (1, 1));
}

#[test]
fn a_long_message_is_cut_at_a_character() {
    let own = Own::new(recording());
    // Nine bytes before, and two a character: one byte of 128 is left over.
    let rows = rows(own, |statement| statement.error(&Refused { length: 100 }));
    let expected = "refused: ".to_owned() + &"é".repeat(59);
    assert_eq!(rows.map(|row| row.message_text), both(&expected));
}

#[test]
fn a_statement_without_an_error_has_succeeded() {
    let own = Own::new(recording());
    let [open, ended] = rows(own, |_| ());
    assert_eq!((open.mysql_errno, open.returned_sqlstate, open.errors), (Some(0), None, 0));
    assert_eq!(
        (ended.mysql_errno, ended.returned_sqlstate.as_deref(), ended.errors),
        (Some(0), Some("00000"), 0)
    );
    assert_eq!(ended.message_text, None);
    assert_eq!(own.statements(own.get).sum_errors, 0);
}

#[test]
fn errors_count_where_no_row_shows_them() {
    let own = Own::new(recording());
    own.consumer(Consumer::EventsStatementsCurrent, false);
    own.on_thread(|| {
        let mut statement = statement::begin(own.get);
        statement.error(&Refused { length: 1 });
        drop(statement);
        own.consumer(Consumer::ThreadInstrumentation, false);
        let mut statement = statement::begin(own.get);
        statement.error(&Refused { length: 1 });
    });
    let summary = own.statements(own.get);
    assert_eq!((summary.count_star, summary.sum_errors), (2, 2));
}

#[test]
fn counters_are_summed() {
    let own = Own::new(recording());
    own.on_thread(|| {
        for round in 1..=4 {
            let mut statement = statement::begin(own.get);
            statement.rows_sent(round);
            statement.rows_examined(10);
            statement.rows_examined(round);
            statement.rows_affected(2 * round);
            statement.warnings(1);
        }
        // One that says nothing.
        drop(statement::begin(own.get));
        let row = own.schema.events_statements_history().nth(3).unwrap();
        assert_eq!((row.rows_sent, row.rows_examined, row.rows_affected, row.warnings), (4, 14, 8, 1));
    });
    let summary = own.statements(own.get);
    assert_eq!((summary.count_star, summary.sum_errors, summary.sum_warnings), (5, 0, 4));
    assert_eq!((summary.sum_rows_sent, summary.sum_rows_examined, summary.sum_rows_affected), (10, 50, 20));
}

#[test]
fn a_schema_name_is_cut_at_a_character() {
    let own = Own::new(recording());
    for (given, shown) in [("db", "db".to_owned()), ("", String::new()), (&"é".repeat(33), "é".repeat(32))]
    {
        let rows = rows(own, |statement| statement.schema(given));
        assert_eq!(rows.map(|row| row.current_schema), both(&shown));
    }
}

#[test]
fn what_is_said_after_the_end_is_dropped() {
    let own = Own::new(recording());
    own.on_thread(|| {
        let outer = statement::begin(own.get);
        let mut inner = statement::begin(own.set);
        drop(outer);
        inner.rows_sent(1);
        inner.text("too late");
        inner.error(&Refused { length: 1 });
        // Another statement has the frame now.
        let _other = statement::begin(own.get);
        let _deeper = statement::begin(own.get);
        inner.rows_sent(1);
        inner.text("too late");
        drop(inner);
        assert!(
            own.schema
                .events_statements_current()
                .all(|row| row.sql_text.is_none() && row.end_event_id.is_none())
        );
    });
    assert_eq!((own.statements(own.set).count_star, own.statements(own.set).sum_rows_sent), (1, 0));
    assert_eq!((own.statements(own.get).count_star, own.statements(own.get).sum_rows_sent), (3, 0));
    assert_eq!(own.statements(own.set).sum_errors, 0);
}

#[test]
fn an_error_whose_message_is_instrumented_itself_is_recorded_whole() {
    struct Deep(&'static Own);

    impl fmt::Display for Deep {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.wait(|| ());
            let mut nested = statement::begin(self.0.set);
            nested.text("nested");
            nested.rows_sent(1);
            f.write_str("deep")
        }
    }

    impl ErrorCode for Deep {}

    let own = Own::new(recording());
    let rows = rows(own, |statement| {
        statement.text("outer");
        statement.error(&Deep(own));
    });
    for row in rows {
        assert_eq!((row.event_name, row.event_id), ("statement/own/get", 1));
        assert_eq!((row.sql_text.as_deref(), row.message_text.as_deref()), (Some("outer"), Some("deep")));
        assert_eq!((row.errors, row.rows_sent, row.returned_sqlstate.as_deref()), (1, 0, Some("HY000")));
    }
    assert_eq!((own.waits(own.disk).count_star, own.statements(own.set).count_star), (1, 1));
    let nested =
        own.schema.events_statements_history_long().find(|row| row.event_name == "statement/own/set");
    assert_eq!(nested.unwrap().nesting_event_id, Some(1));
}
