//! What a table says of its columns: name, type, unit, permissions. Everything that renders a table (SQL,
//! JSON, text, the docs) is generated from this; nothing here knows a particular table.

use std::fmt;

use super::Value;

/// One column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name, in upper case as the Performance Schema writes it.
    pub name: &'static str,
    /// The name in lower case: the key of a JSON object, and what a printed row shows.
    pub lower: &'static str,
    /// The declared type.
    pub ty: Type,
    /// Whether the column may be NULL.
    pub nullable: bool,
    /// How people read the number in it.
    pub unit: Unit,
    /// Whether `UPDATE` may set it.
    pub updatable: bool,
    /// Whether an equality on it is pushed down: [`Scan`](super::Scan).
    pub key: bool,
    /// What the column holds, in a sentence or two.
    pub doc: &'static str,
}

impl Column {
    const BLANK: Column = Column {
        name: "",
        lower: "",
        ty: Type::U64,
        nullable: false,
        unit: Unit::None,
        updatable: false,
        key: false,
        doc: "",
    };

    /// Joins the column lists of a row's own fields and its groups. `N` is the sum of their lengths.
    ///
    /// # Panics
    ///
    /// If `N` is not that sum; in a constant that is a compile error.
    pub const fn concat<const N: usize>(lists: &[&[Column]]) -> [Column; N] {
        let mut all = [Column::BLANK; N];
        let (mut list, mut at) = (0, 0);
        while list < lists.len() {
            let mut column = 0;
            while column < lists[list].len() {
                all[at] = lists[list][column];
                at += 1;
                column += 1;
            }
            list += 1;
        }
        assert!(at == N, "the column count is the sum of the lists' lengths");
        all
    }

    /// The index of the column `name` in `columns`; for constants, so that a table names its columns once.
    ///
    /// # Panics
    ///
    /// If there is no such column; in a constant that is a compile error.
    pub const fn index(columns: &[Column], name: &str) -> usize {
        let mut at = 0;
        while at < columns.len() {
            if same_bytes(columns[at].name.as_bytes(), name.as_bytes()) {
                return at;
            }
            at += 1;
        }
        panic!("no column of that name")
    }
}

const fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// A column's type, as far as a client of the Performance Schema can tell types apart. Its `Display` is the
/// declaration in MySQL's words, `bigint(20) unsigned`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `int(11)`.
    I32,
    /// `int(10) unsigned`.
    U32,
    /// `bigint(20)`.
    I64,
    /// `bigint(20) unsigned`.
    U64,
    /// `char(n)`: a text of at most `n` characters.
    Char(u16),
    /// `varchar(n)`: a text of at most `n` characters.
    Varchar(u16),
    /// `longtext`.
    LongText,
    /// `timestamp(n)`: a date and time of day as a text, with so many digits of a second's fraction.
    Timestamp(u8),
    /// `double(n,m)`: a number of at most `n` digits, `m` of them behind the point.
    Double(u8, u8),
    /// `enum(…)`: one of these texts.
    Enum(&'static [&'static str]),
    /// `set(…)`: any of these texts, separated by commas.
    Set(&'static [&'static str]),
}

impl Type {
    /// Whether a column of this type holds numbers.
    pub const fn is_number(self) -> bool {
        matches!(self, Type::I32 | Type::U32 | Type::I64 | Type::U64 | Type::Double(..))
    }

    /// What a column of this type can be set to, for error messages: `'YES' or 'NO'`.
    pub(super) fn allowed(self) -> String {
        match self {
            Type::I32 => format!("an integer from {} to {}", i32::MIN, i32::MAX),
            Type::U32 => format!("an integer from 0 to {}", u32::MAX),
            Type::I64 => format!("an integer from {} to {}", i64::MIN, i64::MAX),
            Type::U64 => format!("an integer from 0 to {}", u64::MAX),
            Type::Char(width) | Type::Varchar(width) => format!("a text of at most {width} characters"),
            Type::LongText => "a text".to_owned(),
            Type::Timestamp(_) => "a date and time".to_owned(),
            Type::Double(..) => "a number".to_owned(),
            Type::Enum(names) => {
                names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" or ")
            }
            Type::Set(names) => format!("any of '{}', separated by commas", names.join("', '")),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, names) = match self {
            Type::I32 => return f.write_str("int(11)"),
            Type::U32 => return f.write_str("int(10) unsigned"),
            Type::I64 => return f.write_str("bigint(20)"),
            Type::U64 => return f.write_str("bigint(20) unsigned"),
            Type::Char(width) => return write!(f, "char({width})"),
            Type::Varchar(width) => return write!(f, "varchar({width})"),
            Type::LongText => return f.write_str("longtext"),
            Type::Timestamp(digits) => return write!(f, "timestamp({digits})"),
            Type::Double(digits, behind) => return write!(f, "double({digits},{behind})"),
            Type::Enum(names) => ("enum", names),
            Type::Set(names) => ("set", names),
        };
        write!(f, "{word}(")?;
        for (at, name) in names.iter().enumerate() {
            write!(f, "{}'{name}'", if at == 0 { "" } else { "," })?;
        }
        f.write_str(")")
    }
}

/// What a column's number counts, which decides how people see it. SQL and JSON always carry the bare number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A count or an identifier: shown as it is.
    None,
    /// A time in picoseconds: `1.23 ms`.
    Picoseconds,
    /// A size: `4.00 KiB`.
    Bytes,
    /// Whole seconds: `12 s`.
    Seconds,
    /// A frequency: `2.40 GHz`.
    Hertz,
    /// Cycles of the processor's counter: `24 cycles`.
    Cycles,
    /// A place in memory: `0x7f0000001040`.
    Address,
}

impl Unit {
    /// `value` as people read it in this unit. Numbers are rounded to two decimals, half up; NULL is `NULL`;
    /// a text is itself.
    ///
    /// ```
    /// use pfs::tables::{Unit, Value};
    ///
    /// assert_eq!(Unit::Picoseconds.show(Value::U64(1_234_567_890)).to_string(), "1.23 ms");
    /// assert_eq!(Unit::Bytes.show(Value::U64(4096)).to_string(), "4.00 KiB");
    /// ```
    pub fn show(self, value: Value<'_>) -> impl fmt::Display + '_ {
        Shown { unit: self, value }
    }
}

struct Shown<'a> {
    unit: Unit,
    value: Value<'a>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = match self.value {
            Value::Null => return f.write_str("NULL"),
            Value::Text(text) => return f.write_str(text),
            Value::F64(number) => return write!(f, "{number}"),
            Value::U64(number) => number,
            Value::I64(number) => {
                if number < 0 {
                    f.write_str("-")?;
                }
                number.unsigned_abs()
            }
        };
        match self.unit {
            Unit::None => write!(f, "{number}"),
            Unit::Picoseconds => scaled(f, number, TIMES),
            Unit::Bytes => scaled(f, number, SIZES),
            Unit::Seconds => write!(f, "{number} s"),
            Unit::Hertz => scaled(f, number, FREQUENCIES),
            Unit::Cycles => write!(f, "{number} cycles"),
            Unit::Address => write!(f, "{number:#x}"),
        }
    }
}

/// Names and sizes of the steps of a unit, smallest first.
type Steps = &'static [(&'static str, u64)];

const TIMES: Steps = &[
    ("ps", 1),
    ("ns", 1_000),
    ("µs", 1_000_000),
    ("ms", 1_000_000_000),
    ("s", 1_000_000_000_000),
    ("min", 60_000_000_000_000),
    ("h", 3_600_000_000_000_000),
    ("d", 86_400_000_000_000_000),
];
const SIZES: Steps = &[
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("PiB", 1 << 50),
    ("EiB", 1 << 60),
];
const FREQUENCIES: Steps = &[("Hz", 1), ("kHz", 1_000), ("MHz", 1_000_000), ("GHz", 1_000_000_000)];

/// Writes `number` in the largest step in which it is at least 1 *after* rounding, so that 999,999 ps are
/// `1.00 µs` and not `1000.00 ns`.
fn scaled(f: &mut fmt::Formatter<'_>, number: u64, steps: Steps) -> fmt::Result {
    let hundredths = |size: u64| (u128::from(number) * 100 + u128::from(size) / 2) / u128::from(size);
    let (mut name, mut size) = steps[0];
    for pair in steps.windows(2) {
        let (next_name, next_size) = pair[1];
        if hundredths(size) * u128::from(size) < u128::from(next_size) * 100 {
            break;
        }
        (name, size) = (next_name, next_size);
    }
    if size == 1 {
        return write!(f, "{number} {name}");
    }
    let hundredths = hundredths(size);
    write!(f, "{}.{:02} {name}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(unit: Unit, number: u64) -> String {
        unit.show(Value::U64(number)).to_string()
    }

    #[test]
    fn times_are_read_in_the_largest_step_that_leaves_a_whole() {
        for (picoseconds, shown) in [
            (0, "0 ps"),
            (999, "999 ps"),
            (1_000, "1.00 ns"),
            (1_234, "1.23 ns"),
            (1_235, "1.24 ns"),
            (999_994, "999.99 ns"),
            (999_995, "1.00 µs"),
            (1_234_567_890, "1.23 ms"),
            (59_990_000_000_000, "59.99 s"),
            (59_995_000_000_000, "1.00 min"),
            (90_000_000_000_000, "1.50 min"),
            (5_400_000_000_000_000, "1.50 h"),
            (u64::MAX, "213.50 d"),
        ] {
            assert_eq!(show(Unit::Picoseconds, picoseconds), shown, "{picoseconds}");
        }
    }

    #[test]
    fn sizes_step_by_1024() {
        for (bytes, shown) in [
            (1_023, "1023 B"),
            (1_024, "1.00 KiB"),
            (4_096, "4.00 KiB"),
            (1_048_575, "1.00 MiB"),
            (u64::MAX, "16.00 EiB"),
        ] {
            assert_eq!(show(Unit::Bytes, bytes), shown, "{bytes}");
        }
    }

    #[test]
    fn other_units_and_signs() {
        assert_eq!(show(Unit::Hertz, 2_400_000_000), "2.40 GHz");
        assert_eq!(show(Unit::Hertz, 1_000), "1.00 kHz");
        assert_eq!(show(Unit::Cycles, 24), "24 cycles");
        assert_eq!(show(Unit::Address, 0x7f00_1040), "0x7f001040");
        assert_eq!(show(Unit::Seconds, 75), "75 s");
        assert_eq!(show(Unit::None, 1_000_000), "1000000");
        assert_eq!(Unit::Bytes.show(Value::I64(-2048)).to_string(), "-2.00 KiB");
        assert_eq!(Unit::Picoseconds.show(Value::Null).to_string(), "NULL");
        assert_eq!(Unit::None.show(Value::Text("YES")).to_string(), "YES");
    }

    #[test]
    fn types_are_declared_in_mysql_words() {
        assert_eq!(Type::U64.to_string(), "bigint(20) unsigned");
        assert_eq!(Type::Varchar(128).to_string(), "varchar(128)");
        assert_eq!(Type::Enum(&["YES", "NO"]).to_string(), "enum('YES','NO')");
        assert_eq!(Type::Set(&["user"]).to_string(), "set('user')");
        assert_eq!(Type::Timestamp(6).to_string(), "timestamp(6)");
        assert_eq!(Type::Double(7, 6).to_string(), "double(7,6)");
    }
}
