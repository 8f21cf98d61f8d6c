//! One cell of a table, and the Rust types that can be a column.

use std::borrow::Cow;

use super::Type;

/// The content of one cell. Numbers compare by what they are, so `U64(1)` equals `I64(1)`.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// No value.
    Null,
    /// An unsigned number; times are in picoseconds.
    U64(u64),
    /// A signed number.
    I64(i64),
    /// A number with a fraction.
    F64(f64),
    /// A text; also the members of enums and sets.
    Text(&'a str),
}

impl<'a> Value<'a> {
    /// The number, if the value is one that fits.
    pub fn as_u64(self) -> Option<u64> {
        match self {
            Value::U64(number) => Some(number),
            Value::I64(number) => u64::try_from(number).ok(),
            Value::Null | Value::F64(_) | Value::Text(_) => None,
        }
    }

    /// The number, if the value is one that fits.
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Value::I64(number) => Some(number),
            Value::U64(number) => i64::try_from(number).ok(),
            Value::Null | Value::F64(_) | Value::Text(_) => None,
        }
    }

    /// The text, if the value is one.
    pub fn as_text(self) -> Option<&'a str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether the value is NULL.
    pub fn is_null(self) -> bool {
        matches!(self, Value::Null)
    }

    /// The value as a statement would write it, for error messages: `'maybe'`, `12`, `NULL`.
    pub(super) fn literal(self) -> String {
        match self {
            Value::Null => "NULL".to_owned(),
            Value::U64(number) => number.to_string(),
            Value::I64(number) => number.to_string(),
            Value::F64(number) => number.to_string(),
            Value::Text(text) => format!("'{}'", text.escape_default()),
        }
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Value::Null, Value::Null) => true,
            (Value::U64(a), Value::U64(b)) => a == b,
            (Value::I64(a), Value::I64(b)) => a == b,
            (Value::U64(a), Value::I64(b)) | (Value::I64(b), Value::U64(a)) => u64::try_from(b) == Ok(a),
            (Value::F64(a), Value::F64(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            _ => false,
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Value<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Value::Null => serializer.serialize_none(),
            Value::U64(number) => serializer.serialize_u64(number),
            Value::I64(number) => serializer.serialize_i64(number),
            Value::F64(number) => serializer.serialize_f64(number),
            Value::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// A type that a field of a row can have.
pub trait Field {
    /// The type of the column, where `#[row(…)]` does not say otherwise.
    const TYPE: Type;
    /// Whether a field can hold NULL.
    const NULLABLE: bool = false;

    /// The field as a cell.
    fn value(&self) -> Value<'_>;
}

impl Field for u64 {
    const TYPE: Type = Type::U64;

    fn value(&self) -> Value<'_> {
        Value::U64(*self)
    }
}

impl Field for u32 {
    const TYPE: Type = Type::U32;

    fn value(&self) -> Value<'_> {
        Value::U64(u64::from(*self))
    }
}

impl Field for i64 {
    const TYPE: Type = Type::I64;

    fn value(&self) -> Value<'_> {
        Value::I64(*self)
    }
}

impl Field for i32 {
    const TYPE: Type = Type::I32;

    fn value(&self) -> Value<'_> {
        Value::I64(i64::from(*self))
    }
}

/// A share, of 1 for all.
impl Field for f64 {
    const TYPE: Type = Type::Double(7, 6);

    fn value(&self) -> Value<'_> {
        Value::F64(*self)
    }
}

impl Field for &'static str {
    const TYPE: Type = Type::LongText;

    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Field for String {
    const TYPE: Type = Type::LongText;

    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Field for Cow<'static, str> {
    const TYPE: Type = Type::LongText;

    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl<T: Field> Field for Option<T> {
    const TYPE: Type = T::TYPE;
    const NULLABLE: bool = true;

    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, T::value)
    }
}

/// Defines an enum whose variants are the members of an `enum(…)` column.
macro_rules! enumeration {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal,)* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_meta])* $variant,)* }

        impl $name {
            /// The members, as the column declares them.
            pub const NAMES: &'static [&'static str] = &[$($text),*];

            /// The member as the column shows it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The member of that name, ignoring ASCII case.
            pub fn parse(name: &str) -> Option<Self> {
                $(if name.eq_ignore_ascii_case($text) { return Some(Self::$variant); })*
                None
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::tables::Field for $name {
            const TYPE: $crate::tables::Type = $crate::tables::Type::Enum(Self::NAMES);

            fn value(&self) -> $crate::tables::Value<'_> {
                $crate::tables::Value::Text(self.as_str())
            }
        }
    };
}
pub(super) use enumeration;

enumeration! {
    /// A switch.
    pub enum YesNo {
        /// On.
        Yes = "YES",
        /// Off.
        No = "NO",
    }
}

impl From<bool> for YesNo {
    fn from(on: bool) -> Self {
        if on { YesNo::Yes } else { YesNo::No }
    }
}

impl From<YesNo> for bool {
    fn from(switch: YesNo) -> Self {
        switch == YesNo::Yes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_what_they_are() {
        assert_eq!(Value::U64(1), Value::I64(1));
        assert_eq!(Value::I64(1), Value::U64(1));
        assert_ne!(Value::U64(u64::MAX), Value::I64(-1));
        assert_ne!(Value::U64(0), Value::Null);
        assert_ne!(Value::Text("1"), Value::U64(1));
    }

    #[test]
    fn a_number_that_does_not_fit_is_none() {
        assert_eq!(Value::I64(-1).as_u64(), None);
        assert_eq!(Value::U64(u64::MAX).as_i64(), None);
        assert_eq!(Value::U64(7).as_i64(), Some(7));
        assert_eq!(Value::Null.as_u64(), None);
    }

    #[test]
    fn an_enum_member_is_found_in_any_case() {
        assert_eq!(YesNo::parse("yes"), Some(YesNo::Yes));
        assert_eq!(YesNo::parse("No"), Some(YesNo::No));
        assert_eq!(YesNo::parse("on"), None);
        assert_eq!(YesNo::TYPE, Type::Enum(&["YES", "NO"]));
    }
}
