//! A row of a table: typed, and erased of its type for whatever renders tables.

use std::any::Any;
use std::fmt;

pub use pfs_macros::Row;

use super::{Column, Value};

/// A row of a table, or a group of columns that several rows share. Implemented by `#[derive(Row)]`.
///
/// A row is a copy: it stays as it was read. Its `Display` is `column=value` for each column that is not
/// NULL, with times and sizes in units people read.
pub trait Row: Clone + fmt::Debug + fmt::Display + Send + 'static {
    /// The columns, in the table's order.
    const COLUMNS: &'static [Column];

    /// The cell of a column.
    ///
    /// # Panics
    ///
    /// If there is no such column, as indexing a slice does.
    fn get(&self, column: usize) -> Value<'_>;
}

/// A row whose type is not known: what a [`Cursor`](super::Cursor) shows.
pub trait ErasedRow: fmt::Debug + fmt::Display + Send + 'static {
    /// The columns, in the table's order.
    fn columns(&self) -> &'static [Column];

    /// The cell of a column.
    ///
    /// # Panics
    ///
    /// If there is no such column, as indexing a slice does.
    fn get(&self, column: usize) -> Value<'_>;

    /// A copy to keep.
    fn to_boxed(&self) -> Box<dyn ErasedRow>;

    /// The row's own struct, for a downcast.
    fn as_any(&self) -> &dyn Any;
}

impl<R: Row> ErasedRow for R {
    fn columns(&self) -> &'static [Column] {
        R::COLUMNS
    }

    fn get(&self, column: usize) -> Value<'_> {
        Row::get(self, column)
    }

    fn to_boxed(&self) -> Box<dyn ErasedRow> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for dyn ErasedRow {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_cells(self.columns(), |column| self.get(column), serializer)
    }
}

/// What a derived `Display` does.
pub(crate) fn display_row<R: Row>(row: &R, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut separator = "";
    for (at, column) in R::COLUMNS.iter().enumerate() {
        let value = Row::get(row, at);
        match value {
            Value::Null => continue,
            // Quoted where its end could not be seen otherwise.
            Value::Text(text)
                if text.is_empty() || text.contains(|c: char| c.is_whitespace() || c.is_control()) =>
            {
                write!(f, "{separator}{}={text:?}", column.lower)?;
            }
            _ => write!(f, "{separator}{}={}", column.lower, column.unit.show(value))?,
        }
        separator = " ";
    }
    Ok(())
}

/// What a derived `Serialize` does: a map from column names in lower case.
#[cfg(feature = "serde")]
pub(crate) fn serialize_row<R: Row, S: serde::Serializer>(row: &R, serializer: S) -> Result<S::Ok, S::Error> {
    serialize_cells(R::COLUMNS, |column| Row::get(row, column), serializer)
}

#[cfg(feature = "serde")]
fn serialize_cells<'r, S: serde::Serializer>(
    columns: &'static [Column],
    get: impl Fn(usize) -> Value<'r>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeMap;

    let mut map = serializer.serialize_map(Some(columns.len()))?;
    for (at, column) in columns.iter().enumerate() {
        map.serialize_entry(column.lower, &get(at))?;
    }
    map.end()
}

/// What a derived `get` does with an index that is none of its columns.
#[cold]
#[track_caller]
pub(crate) fn no_such_column(column: usize, count: usize) -> ! {
    panic!("column {column} of a row of {count} columns")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{Type, Unit, YesNo};

    #[derive(Clone, Debug, Row)]
    struct Inner {
        /// One.
        one: u64,
        /// Two.
        #[row(unit = bytes)]
        two: Option<u64>,
    }

    #[derive(Clone, Debug, Row)]
    struct Outer {
        /// Of several
        /// lines.
        #[row(key, varchar = 64)]
        name: String,
        /// The group.
        #[row(flatten, deref)]
        inner: Inner,
        /// A switch.
        #[row(updatable)]
        enabled: YesNo,
        /// A column whose name no field can have.
        #[row(name = "TYPE", set = ["a", "b"])]
        kind: &'static str,
        /// Another number.
        change: i32,
    }

    fn outer() -> Outer {
        Outer {
            name: "LOCK_index".to_owned(),
            inner: Inner { one: 1, two: Some(2048) },
            enabled: YesNo::No,
            kind: "a,b",
            change: -3,
        }
    }

    #[test]
    fn groups_stand_in_the_place_of_their_field() {
        let names: Vec<&str> = Outer::COLUMNS.iter().map(|column| column.name).collect();
        assert_eq!(names, ["NAME", "ONE", "TWO", "ENABLED", "TYPE", "CHANGE"]);
        let row = outer();
        let cells: Vec<Value<'_>> = (0..6).map(|column| Row::get(&row, column)).collect();
        let text = Value::Text;
        assert_eq!(
            cells,
            [text("LOCK_index"), Value::U64(1), Value::U64(2048), text("NO"), text("a,b"), Value::I64(-3)]
        );
        assert_eq!(row.one, 1);
    }

    #[test]
    fn columns_say_what_their_fields_say() {
        let [name, one, two, enabled, kind, change] = Outer::COLUMNS else { panic!("six columns") };
        assert_eq!(
            (name.ty, name.key, name.nullable, name.doc),
            (Type::Varchar(64), true, false, "Of several lines.")
        );
        assert_eq!((one.ty, one.unit, one.key), (Type::U64, Unit::None, false));
        assert_eq!((two.ty, two.unit, two.nullable), (Type::U64, Unit::Bytes, true));
        assert_eq!((enabled.ty, enabled.updatable), (Type::Enum(&["YES", "NO"]), true));
        assert_eq!((kind.ty, kind.name, kind.lower), (Type::Set(&["a", "b"]), "TYPE", "type"));
        assert_eq!((change.ty, change.updatable), (Type::I32, false));
    }

    #[test]
    fn a_row_prints_what_it_has() {
        let mut row = outer();
        assert_eq!(row.to_string(), "name=LOCK_index one=1 two=2.00 KiB enabled=NO type=a,b change=-3");
        row.inner.two = None;
        row.name = "SET a\n".to_owned();
        row.kind = "";
        assert_eq!(row.to_string(), r#"name="SET a\n" one=1 enabled=NO type="" change=-3"#);
    }

    #[test]
    #[should_panic(expected = "column 6 of a row of 6 columns")]
    fn a_column_that_is_not_there_is_a_mistake() {
        Row::get(&outer(), 6);
    }
}
