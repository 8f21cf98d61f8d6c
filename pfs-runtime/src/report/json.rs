//! Rows as JSON: a table is an array of objects whose keys are the column names in lower case.
//!
//! Numbers are bare, whatever their unit, and 64-bit ones are written in full. NULL is `null`.

use std::io;

use serde::Serializer as _;
use serde::ser::SerializeSeq;

use crate::tables::{Cursor, Scan, Schema, TableDef};

/// Writes all rows of `table`, one at a time.
///
/// # Errors
///
/// What `out` gives.
pub fn write(table: &TableDef, schema: &Schema, out: impl io::Write) -> io::Result<()> {
    write_rows(table.rows(schema, &Scan::ALL), out)
}

/// Writes the rows that a cursor has left, one at a time.
///
/// ```
/// use pfs::report::json;
/// use pfs::tables::{Cursor, TimerSummary};
///
/// let row = TimerSummary { count_star: 2, ..TimerSummary::default() };
/// let mut out = Vec::new();
/// json::write_rows(Cursor::over([row].into_iter()), &mut out)?;
/// assert!(out.starts_with(br#"[{"count_star":2,"sum_timer_wait":0,"#));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// What `out` gives.
pub fn write_rows(mut rows: Cursor<'_>, out: impl io::Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::new(out);
    let mut array = serializer.serialize_seq(None)?;
    while let Some(row) = rows.next() {
        array.serialize_element(row)?;
    }
    Ok(array.end()?)
}

/// All rows of `table` as a text.
pub fn to_string(table: &TableDef, schema: &Schema) -> String {
    let mut out = Vec::new();
    // A vector takes every write, and a row has no key that is not a string.
    let written = write(table, schema, &mut out);
    debug_assert!(written.is_ok());
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{Row, YesNo};

    #[derive(Clone, Debug, Row)]
    struct Setting {
        /// Its name.
        #[row(name = "TYPE")]
        kind: &'static str,
        /// Its switch.
        enabled: Option<YesNo>,
        /// A number.
        #[row(unit = picoseconds)]
        sum: u64,
        /// A signed number.
        change: i64,
    }

    #[test]
    fn a_table_is_an_array_of_objects() {
        let rows = [
            Setting { kind: "a\"b\n\u{1}é", enabled: Some(YesNo::Yes), sum: u64::MAX, change: -1 },
            Setting { kind: "", enabled: None, sum: 0, change: i64::MIN },
        ];
        let mut out = Vec::new();
        write_rows(Cursor::over(rows.clone().into_iter()), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            r#"[{"type":"a\"b\n\u0001é","enabled":"YES","sum":18446744073709551615,"change":-1},"#.to_owned()
                + r#"{"type":"","enabled":null,"sum":0,"change":-9223372036854775808}]"#
        );
        assert_eq!(serde_json::to_string(&rows).unwrap(), text);
    }

    #[test]
    fn no_rows_are_an_empty_array() {
        let mut out = Vec::new();
        write_rows(Cursor::over(std::iter::empty::<Setting>()), &mut out).unwrap();
        assert_eq!(out, b"[]");
    }
}
