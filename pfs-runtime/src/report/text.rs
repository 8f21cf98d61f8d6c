//! Rows as aligned text: a line of column names, then a line a row, with times and sizes in units people read.

use std::fmt::{self, Write as _};

use crate::tables::{Column, Cursor, ErasedRow, Row, Scan, Schema, TableDef, TableError, Value};

/// Rows of one table, collected to be printed.
///
/// Numbers stand to the right, texts to the left, two spaces apart. Line breaks and other control characters
/// in a text are escaped, so that a row is a line.
///
/// ```
/// use pfs::report::Text;
/// use pfs::tables::TimerSummary;
///
/// let row = TimerSummary { count_star: 2, sum_timer_wait: 3_000_000, ..TimerSummary::default() };
/// let text = Text::of([row]).select(&["COUNT_STAR", "SUM_TIMER_WAIT"])?;
/// assert_eq!(text.to_string(), "COUNT_STAR  SUM_TIMER_WAIT\n         2         3.00 µs\n");
/// # Ok::<(), pfs::tables::TableError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Text {
    name: &'static str,
    columns: &'static [Column],
    /// The columns to print, by index, in this order.
    selected: Vec<usize>,
    /// The cells of every column, a row after the other.
    cells: Vec<String>,
}

impl Text {
    /// All rows of `table`.
    pub fn table(table: &TableDef, schema: &Schema) -> Self {
        Text::rows(table, table.rows(schema, &Scan::ALL))
    }

    /// The rows that a reader of `table` gives.
    pub fn rows(table: &TableDef, rows: Cursor<'_>) -> Self {
        let mut text = Text::new(table.name(), table.columns());
        text.extend(rows);
        text
    }

    /// These rows, for instance of a reader that was filtered and sorted.
    pub fn of<R: Row>(rows: impl IntoIterator<Item = R>) -> Self {
        let mut text = Text::new("(rows)", R::COLUMNS);
        text.extend(Cursor::over(rows.into_iter()));
        text
    }

    fn new(name: &'static str, columns: &'static [Column]) -> Self {
        Text { name, columns, selected: (0..columns.len()).collect(), cells: Vec::new() }
    }

    fn extend(&mut self, mut rows: Cursor<'_>) {
        while let Some(row) = rows.next() {
            self.push(row);
        }
    }

    fn push(&mut self, row: &dyn ErasedRow) {
        for (at, column) in self.columns.iter().enumerate() {
            let cell = match row.get(at) {
                Value::Text(text) => visible(text),
                value => column.unit.show(value).to_string(),
            };
            self.cells.push(cell);
        }
    }

    /// Prints these columns alone, in this order. Names are compared ignoring case.
    ///
    /// # Errors
    ///
    /// [`TableError::UnknownColumn`].
    pub fn select(mut self, names: &[&str]) -> Result<Self, TableError> {
        self.selected.clear();
        for name in names {
            let wanted = |column: &Column| column.name.eq_ignore_ascii_case(name);
            let Some(at) = self.columns.iter().position(wanted) else {
                return Err(TableError::unknown_column(self.name, self.columns, (*name).to_owned()));
            };
            self.selected.push(at);
        }
        Ok(self)
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.cells.len() / self.columns.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.cells.chunks(self.columns.len());
        let widths: Vec<usize> = (self.selected.iter())
            .map(|&at| {
                let cells = rows.clone().map(|row| columns_of(&row[at])).max();
                cells.unwrap_or(0).max(self.columns[at].name.len())
            })
            .collect();
        let mut line = String::new();
        let names: Vec<String> = self.columns.iter().map(|column| column.name.to_owned()).collect();
        for row in std::iter::once(names.as_slice()).chain(rows) {
            line.clear();
            for (place, (&at, &width)) in self.selected.iter().zip(&widths).enumerate() {
                line.push_str(if place == 0 { "" } else { "  " });
                let padding = width - columns_of(&row[at]);
                if self.columns[at].ty.is_number() {
                    write!(line, "{:padding$}{}", "", row[at])?;
                } else {
                    write!(line, "{}{:padding$}", row[at], "")?;
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Columns of the screen that `text` takes.
fn columns_of(text: &str) -> usize {
    #[cfg(feature = "engine")]
    return unicode_width::UnicodeWidthStr::width(text);
    // Compiled out there are no rows but those that the caller made.
    #[cfg(not(feature = "engine"))]
    return text.chars().count();
}

/// `text` with its control characters escaped.
fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { visible.extend(c.escape_default()) } else { visible.push(c) }
    }
    visible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Row)]
    struct Lock {
        /// Its name.
        name: String,
        /// Its place.
        #[row(unit = address)]
        object_instance_begin: u64,
        /// Its holder.
        locked_by_thread_id: Option<u64>,
        /// Time held.
        #[row(unit = picoseconds)]
        held: u64,
    }

    fn lock(name: &str, holder: Option<u64>, held: u64) -> Lock {
        Lock { name: name.to_owned(), object_instance_begin: 0x40, locked_by_thread_id: holder, held }
    }

    #[test]
    fn columns_are_aligned() {
        let text = Text::of([lock("kv/LOCK_index", None, 999), lock("日本", Some(12), 1_234_567_890)]);
        assert_eq!(text.len(), 2);
        assert_eq!(
            text.to_string(),
            "NAME           OBJECT_INSTANCE_BEGIN  LOCKED_BY_THREAD_ID     HELD\n\
             kv/LOCK_index                   0x40                 NULL   999 ps\n\
             日本                            0x40                   12  1.23 ms\n"
        );
    }

    #[test]
    fn chosen_columns_come_in_the_chosen_order() {
        let text = Text::of([lock("a", Some(1), 0)]).select(&["held", "NAME"]).unwrap();
        assert_eq!(text.to_string(), "HELD  NAME\n0 ps  a\n");
        let error = Text::of([lock("a", None, 0)]).select(&["COUNT"]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "table `(rows)` has no column `COUNT`: it has NAME, OBJECT_INSTANCE_BEGIN, LOCKED_BY_THREAD_ID, HELD"
        );
    }

    #[test]
    fn a_row_is_one_line() {
        let text = Text::of([lock("a\nb\t\u{1b}c", None, 0)]).select(&["NAME"]).unwrap();
        assert_eq!(text.to_string(), "NAME\na\\nb\\t\\u{1b}c\n");
    }

    #[test]
    fn no_rows_are_a_line_of_names() {
        let text = Text::of(Vec::<Lock>::new());
        assert!(text.is_empty());
        assert_eq!(text.to_string(), "NAME  OBJECT_INSTANCE_BEGIN  LOCKED_BY_THREAD_ID  HELD\n");
    }
}
