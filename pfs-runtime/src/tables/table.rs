//! A table: its name, what it permits, its rows; typed as [`Table`], erased as [`TableDef`].

use std::fmt;

use super::{Column, ErasedRow, Row, Schema, Value, YesNo};

/// The operations that a table permits beside reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ops(u8);

impl Ops {
    /// Reading alone.
    pub const SELECT: Ops = Ops(0);
    /// `TRUNCATE TABLE`: [`TableDef::truncate`].
    pub const TRUNCATE: Ops = Ops(1);
    /// `UPDATE` of the columns that say so: [`TableDef::update`].
    pub const UPDATE: Ops = Ops(2);
    /// `INSERT`: [`TableDef::insert`].
    pub const INSERT: Ops = Ops(4);
    /// `DELETE`: [`TableDef::delete`].
    pub const DELETE: Ops = Ops(8);

    /// These operations and those.
    #[must_use]
    pub const fn and(self, other: Ops) -> Ops {
        Ops(self.0 | other.0)
    }

    /// Whether every one of `operations` is permitted.
    pub const fn permit(self, operations: Ops) -> bool {
        self.0 & operations.0 == operations.0
    }
}

/// As an error names them: `SELECT, UPDATE, TRUNCATE`.
impl fmt::Display for Ops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SELECT")?;
        for (operation, name) in [
            (Ops::INSERT, "INSERT"),
            (Ops::UPDATE, "UPDATE"),
            (Ops::DELETE, "DELETE"),
            (Ops::TRUNCATE, "TRUNCATE"),
        ] {
            if self.permit(operation) {
                write!(f, ", {name}")?;
            }
        }
        Ok(())
    }
}

/// A column, by index, and a value for it.
pub type Cell<'a> = (usize, Value<'a>);

/// What a reader looks for. It is a hint: a table may give rows that do not match, so the reader checks each
/// again. A table that can find such rows without visiting all others does.
///
/// Texts match ignoring ASCII case. A reader whose comparison is looser than that must not push it down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scan<'a> {
    /// Columns, by index, and the value that each must equal. Only columns with [`Column::key`] are heeded.
    pub eq: &'a [Cell<'a>],
}

impl<'a> Scan<'a> {
    /// Every row.
    pub const ALL: Scan<'static> = Scan { eq: &[] };

    /// The number that `column` must equal. `None`: any.
    pub fn u64(&self, column: usize) -> Option<u64> {
        self.wanted(column).find_map(Value::as_u64)
    }

    /// The text that `column` must equal. `None`: any.
    pub fn text(&self, column: usize) -> Option<&'a str> {
        self.wanted(column).find_map(Value::as_text)
    }

    fn wanted(&self, column: usize) -> impl Iterator<Item = Value<'a>> + use<'a> {
        self.eq.iter().filter(move |(wanted, _)| *wanted == column).map(|(_, value)| *value)
    }
}

/// A table of the schema.
///
/// The type itself is only a name: it has no values. Its operations read and change a [`Schema`].
pub trait Table: 'static {
    /// The table's name.
    const NAME: &'static str;
    /// What a row is, and what the operations do.
    const DOC: &'static str;
    /// The operations permitted.
    const OPS: Ops;
    /// A row.
    type Row: Row;

    /// The rows, read one by one as the iterator advances. Rows that come or go meanwhile may or may not be
    /// among them; each row is whole.
    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s, Self>;

    /// Empties the table or starts its statistics again; [`DOC`](Self::DOC) says which.
    ///
    /// # Errors
    ///
    /// [`TableError::Denied`] unless [`OPS`](Self::OPS) permits it.
    fn truncate(schema: &Schema) -> Result<(), TableError> {
        let _ = schema;
        Err(TableError::denied::<Self>("TRUNCATE"))
    }

    /// Sets `column` of `row` to `value`. Called only for columns that are [`updatable`](Column::updatable).
    ///
    /// # Errors
    ///
    /// [`TableError`]; the table is then as it was.
    fn update(schema: &Schema, row: &Self::Row, column: usize, value: &Value<'_>) -> Result<(), TableError> {
        let _ = (schema, row, column, value);
        Err(TableError::denied::<Self>("UPDATE"))
    }

    /// Adds a row of these cells, by column; the others get their defaults.
    ///
    /// # Errors
    ///
    /// [`TableError`]; the table is then as it was.
    fn insert(schema: &Schema, cells: &[Cell<'_>]) -> Result<(), TableError> {
        let _ = (schema, cells);
        Err(TableError::denied::<Self>("INSERT"))
    }

    /// Removes `row`.
    ///
    /// # Errors
    ///
    /// [`TableError`]; the table is then as it was.
    fn delete(schema: &Schema, row: &Self::Row) -> Result<(), TableError> {
        let _ = (schema, row);
        Err(TableError::denied::<Self>("DELETE"))
    }
}

/// An operation that a table refuses. Nothing was changed.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// There is no such table.
    UnknownTable {
        /// The name asked for.
        table: String,
    },
    /// The table has no such column.
    UnknownColumn {
        /// The table's name.
        table: &'static str,
        /// The name or index asked for.
        column: String,
        /// The columns there are.
        columns: Vec<&'static str>,
    },
    /// The table does not permit the operation.
    Denied {
        /// The table's name.
        table: &'static str,
        /// The operation, in SQL's word.
        operation: &'static str,
        /// What the table permits.
        permitted: Ops,
    },
    /// The table's rows can be updated, but not in this column.
    NotUpdatable {
        /// The table's name.
        table: &'static str,
        /// The column's name.
        column: &'static str,
        /// The columns that can be.
        updatable: Vec<&'static str>,
    },
    /// The value is none that the column can have.
    BadValue {
        /// The table's name.
        table: &'static str,
        /// The column's name.
        column: &'static str,
        /// The value, as a statement would write it.
        value: String,
        /// What the column takes.
        allowed: String,
    },
    /// The row is there no more, or it is a row of another table.
    UnknownRow {
        /// The table's name.
        table: &'static str,
        /// The row, as it prints.
        row: String,
    },
}

/// As it is displayed: it is what a `main` that returns the error prints.
impl fmt::Debug for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTable { table } => {
                write!(f, "there is no table `{table}`: there are {}", super::names())
            }
            Self::UnknownColumn { table, column, columns } => {
                write!(f, "table `{table}` has no column `{column}`: it has {}", columns.join(", "))
            }
            Self::Denied { table, operation, permitted } => {
                write!(f, "{operation} is not permitted on table `{table}`: it permits {permitted}")
            }
            Self::NotUpdatable { table, column, updatable } => {
                let updatable = updatable.join(", ");
                write!(f, "column `{column}` of table `{table}` cannot be updated: only {updatable} can")
            }
            Self::BadValue { table, column, value, allowed } => {
                write!(
                    f,
                    "{value} is not a value of column `{column}` of table `{table}`: it takes {allowed}"
                )
            }
            Self::UnknownRow { table, row } => write!(f, "table `{table}` has no row {row}"),
        }
    }
}

impl std::error::Error for TableError {}

impl TableError {
    pub(crate) fn unknown_column(table: &'static str, columns: &[Column], column: String) -> Self {
        let columns = columns.iter().map(|column| column.name).collect();
        TableError::UnknownColumn { table, column, columns }
    }

    pub(super) fn denied<T: Table + ?Sized>(operation: &'static str) -> Self {
        TableError::Denied { table: T::NAME, operation, permitted: T::OPS }
    }

    /// `value` is not one that `column` of table `T` can have; what it can have is told by the column's type.
    pub(super) fn bad_value<T: Table>(column: usize, value: &Value<'_>) -> Self {
        let column = T::Row::COLUMNS[column];
        Self::bad_value_of::<T>(column.name, value, column.ty.allowed())
    }

    /// The same where less is allowed than the type tells.
    pub(super) fn bad_value_of<T: Table>(
        column: &'static str,
        value: &Value<'_>,
        allowed: impl Into<String>,
    ) -> Self {
        TableError::BadValue { table: T::NAME, column, value: value.literal(), allowed: allowed.into() }
    }

    pub(super) fn unknown_row<T: Table>(row: &dyn fmt::Display) -> Self {
        TableError::UnknownRow { table: T::NAME, row: row.to_string() }
    }
}

/// A [`Table`] with its type erased: what SQL, JSON, text and the docs are generated from.
#[derive(Clone, Copy)]
pub struct TableDef {
    name: &'static str,
    doc: &'static str,
    ops: Ops,
    columns: &'static [Column],
    open: for<'s> fn(&'s Schema, &Scan<'_>) -> Cursor<'s>,
    truncate: fn(&Schema) -> Result<(), TableError>,
    update: fn(&Schema, &dyn ErasedRow, usize, &Value<'_>) -> Result<(), TableError>,
    insert: fn(&Schema, &[Cell<'_>]) -> Result<(), TableError>,
    delete: fn(&Schema, &dyn ErasedRow) -> Result<(), TableError>,
}

impl TableDef {
    /// The definition of `T`.
    pub const fn of<T: Table>() -> Self {
        TableDef {
            name: T::NAME,
            doc: T::DOC,
            ops: T::OPS,
            columns: T::Row::COLUMNS,
            open: |schema, scan| Cursor::over(T::rows(schema, scan)),
            truncate: T::truncate,
            update: |schema, row, column, value| T::update(schema, typed::<T>(row)?, column, value),
            insert: T::insert,
            delete: |schema, row| T::delete(schema, typed::<T>(row)?),
        }
    }

    /// The table's name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What a row is, and what the operations do.
    pub const fn doc(&self) -> &'static str {
        self.doc
    }

    /// The operations permitted.
    pub const fn ops(&self) -> Ops {
        self.ops
    }

    /// The columns, in order.
    pub const fn columns(&self) -> &'static [Column] {
        self.columns
    }

    /// The index of the column `name`, ignoring case.
    ///
    /// # Errors
    ///
    /// [`TableError::UnknownColumn`].
    pub fn column(&self, name: &str) -> Result<usize, TableError> {
        self.columns
            .iter()
            .position(|column| column.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| self.unknown_column(name.to_owned()))
    }

    /// Reads the rows. Nothing is allocated a row beyond what its own fields need.
    pub fn rows<'s>(&self, schema: &'s Schema, scan: &Scan<'_>) -> Cursor<'s> {
        (self.open)(schema, scan)
    }

    /// Empties the table or starts its statistics again; [`doc`](Self::doc) says which.
    ///
    /// # Errors
    ///
    /// [`TableError::Denied`] unless [`ops`](Self::ops) permits it.
    pub fn truncate(&self, schema: &Schema) -> Result<(), TableError> {
        self.permit(Ops::TRUNCATE, "TRUNCATE")?;
        (self.truncate)(schema)
    }

    /// Sets a cell of `row`, which is one that [`rows`](Self::rows) gave.
    ///
    /// # Errors
    ///
    /// [`TableError`]: not permitted, not such a column or not updatable, not such a value, row gone. The
    /// table is then as it was.
    pub fn update(
        &self,
        schema: &Schema,
        row: &dyn ErasedRow,
        column: usize,
        value: &Value<'_>,
    ) -> Result<(), TableError> {
        self.permit(Ops::UPDATE, "UPDATE")?;
        let Some(definition) = self.columns.get(column) else {
            return Err(self.unknown_column(column.to_string()));
        };
        if !definition.updatable {
            let updatable = self.columns.iter().filter(|column| column.updatable);
            return Err(TableError::NotUpdatable {
                table: self.name,
                column: definition.name,
                updatable: updatable.map(|column| column.name).collect(),
            });
        }
        (self.update)(schema, row, column, value)
    }

    /// Adds a row of these cells, by column; the others get their defaults.
    ///
    /// # Errors
    ///
    /// [`TableError`]; the table is then as it was.
    pub fn insert(&self, schema: &Schema, cells: &[Cell<'_>]) -> Result<(), TableError> {
        self.permit(Ops::INSERT, "INSERT")?;
        if let Some((column, _)) = cells.iter().find(|(column, _)| *column >= self.columns.len()) {
            return Err(self.unknown_column(column.to_string()));
        }
        (self.insert)(schema, cells)
    }

    /// Removes `row`, which is one that [`rows`](Self::rows) gave.
    ///
    /// # Errors
    ///
    /// [`TableError`]; the table is then as it was.
    pub fn delete(&self, schema: &Schema, row: &dyn ErasedRow) -> Result<(), TableError> {
        self.permit(Ops::DELETE, "DELETE")?;
        (self.delete)(schema, row)
    }

    fn permit(&self, operation: Ops, name: &'static str) -> Result<(), TableError> {
        if self.ops.permit(operation) {
            return Ok(());
        }
        Err(TableError::Denied { table: self.name, operation: name, permitted: self.ops })
    }

    fn unknown_column(&self, column: String) -> TableError {
        TableError::unknown_column(self.name, self.columns, column)
    }
}

impl fmt::Debug for TableDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableDef").field("name", &self.name).field("ops", &self.ops).finish_non_exhaustive()
    }
}

/// The row as table `T`'s own.
fn typed<T: Table>(row: &dyn ErasedRow) -> Result<&T::Row, TableError> {
    row.as_any().downcast_ref().ok_or_else(|| TableError::unknown_row::<T>(&row))
}

/// The rows of a [`TableDef`], one at a time.
///
/// ```
/// use pfs::tables::{Scan, Value, find};
///
/// let schema = pfs_runtime::schema::Schema::new(&pfs::Config::new(), [])?;
/// let consumers = find("setup_consumers")?;
/// let mut rows = consumers.rows(schema, &Scan::ALL);
/// while let Some(row) = rows.next() {
///     if row.get(0) == Value::Text("events_waits_current") {
///         consumers.update(schema, row, 1, &Value::Text("YES"))?;
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cursor<'s> {
    rows: Box<dyn Advance + 's>,
}

impl<'s> Cursor<'s> {
    /// A cursor over no rows.
    pub fn empty() -> Self {
        struct Nothing;
        impl Advance for Nothing {
            fn advance(&mut self) {}
            fn current(&self) -> Option<&dyn ErasedRow> {
                None
            }
        }
        Cursor { rows: Box::new(Nothing) }
    }

    /// A cursor over any rows of one type.
    pub fn over<R: Row>(rows: impl Iterator<Item = R> + 's) -> Self {
        Cursor { rows: Box::new(Rows { rows, current: None }) }
    }

    /// Reads the next row, which stays until the next call.
    #[expect(clippy::should_implement_trait, reason = "an iterator's items cannot borrow from it")]
    pub fn next(&mut self) -> Option<&dyn ErasedRow> {
        self.rows.advance();
        self.rows.current()
    }

    /// The row that [`next`](Self::next) read last.
    pub fn current(&self) -> Option<&dyn ErasedRow> {
        self.rows.current()
    }
}

impl fmt::Debug for Cursor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cursor").field("current", &self.current()).finish_non_exhaustive()
    }
}

/// An iterator that keeps its current row, so that erasing its type costs one box a scan and none a row.
trait Advance {
    fn advance(&mut self);
    fn current(&self) -> Option<&dyn ErasedRow>;
}

struct Rows<I, R> {
    rows: I,
    current: Option<R>,
}

impl<R: Row, I: Iterator<Item = R>> Advance for Rows<I, R> {
    fn advance(&mut self) {
        self.current = self.rows.next();
    }

    fn current(&self) -> Option<&dyn ErasedRow> {
        self.current.as_ref().map(|row| row as &dyn ErasedRow)
    }
}

impl YesNo {
    /// The switch that `value`, meant for `column` of `T`, stands for.
    pub(super) fn from_value<T: Table>(column: usize, value: &Value<'_>) -> Result<Self, TableError> {
        value.as_text().and_then(YesNo::parse).ok_or_else(|| TableError::bad_value::<T>(column, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{find, testing};

    fn row(schema: &Schema, table: &TableDef, name: &str) -> Box<dyn ErasedRow> {
        let mut rows = table.rows(schema, &Scan { eq: &[(0, Value::Text(name))] });
        rows.next().expect("the row is there").to_boxed()
    }

    #[test]
    fn a_scan_is_read_by_column() {
        let scan = Scan { eq: &[(1, Value::U64(7)), (2, Value::Text("a"))] };
        assert_eq!((scan.u64(1), scan.text(1)), (Some(7), None));
        assert_eq!((scan.u64(2), scan.text(2)), (None, Some("a")));
        assert_eq!(scan.u64(0), None);
    }

    #[test]
    fn a_key_finds_its_row_in_any_case() {
        let (schema, table) = (testing::schema(), find("SETUP_INSTRUMENTS").unwrap());
        let eq = [(0, Value::Text("wait/synch/mutex/TEST/lock_B"))];
        let mut rows = table.rows(schema, &Scan { eq: &eq });
        assert_eq!(rows.next().map(|row| row.get(0)), Some(Value::Text("wait/synch/mutex/test/LOCK_b")));
        assert!(rows.next().is_none());
        assert!(rows.current().is_none());
    }

    #[test]
    fn what_is_not_permitted_says_what_is() {
        let schema = testing::schema();
        let instruments = find("setup_instruments").unwrap();
        assert_eq!(
            instruments.truncate(schema).unwrap_err().to_string(),
            "TRUNCATE is not permitted on table `setup_instruments`: it permits SELECT, UPDATE"
        );
        assert_eq!(
            instruments.insert(schema, &[]).unwrap_err().to_string(),
            "INSERT is not permitted on table `setup_instruments`: it permits SELECT, UPDATE"
        );
        let a = row(schema, instruments, "wait/synch/mutex/test/LOCK_a");
        assert_eq!(
            instruments.delete(schema, &*a).unwrap_err().to_string(),
            "DELETE is not permitted on table `setup_instruments`: it permits SELECT, UPDATE"
        );
        assert_eq!(
            instruments.update(schema, &*a, 0, &Value::Text("x")).unwrap_err().to_string(),
            "column `NAME` of table `setup_instruments` cannot be updated: only ENABLED, TIMED can"
        );
        assert_eq!(
            instruments.update(schema, &*a, 99, &Value::Null).unwrap_err().to_string(),
            "table `setup_instruments` has no column `99`: it has NAME, ENABLED, TIMED, PROPERTIES, FLAGS, \
             VOLATILITY, DOCUMENTATION, SOURCES"
        );
        assert_eq!(
            instruments.column("COUNT_STAR").unwrap_err().to_string(),
            "table `setup_instruments` has no column `COUNT_STAR`: it has NAME, ENABLED, TIMED, PROPERTIES, FLAGS, \
             VOLATILITY, DOCUMENTATION, SOURCES"
        );
        assert_eq!(
            find("setup_timer").unwrap_err().to_string(),
            format!("there is no table `setup_timer`: there are {}", super::super::names())
        );
    }

    #[test]
    fn a_row_of_another_table_is_no_row() {
        let schema = testing::schema();
        let consumers = find("setup_consumers").unwrap();
        let consumer = row(schema, consumers, "events_waits_current");
        let error = find("setup_instruments").unwrap().update(schema, &*consumer, 1, &Value::Text("NO"));
        assert_eq!(
            error.unwrap_err().to_string(),
            "table `setup_instruments` has no row name=events_waits_current enabled=NO"
        );
    }
}
