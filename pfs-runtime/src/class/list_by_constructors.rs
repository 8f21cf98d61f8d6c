//! The list of classes where no linker puts it together: each puts itself there before `main`.

use super::Class;
use std::sync::OnceLock;

/// A class in the list.
#[doc(hidden)]
#[derive(Debug)]
pub struct Listed(pub &'static Class);

inventory::collect!(Listed);

/// Every class that is linked into this program.
///
/// A crate that stands in `Cargo.toml` but is named by no source is not linked, and so are its classes:
/// `use the_crate as _;` links it.
pub fn classes() -> &'static [&'static Class] {
    static CLASSES: OnceLock<Vec<&'static Class>> = OnceLock::new();
    CLASSES.get_or_init(|| inventory::iter::<Listed>().map(|listed| listed.0).collect())
}

/// Lists a class.
#[doc(hidden)]
#[macro_export]
macro_rules! list_class {
    ($class:ident) => {
        $crate::inventory::submit! { $crate::class::Listed(&$class) }
    };
}
