//! The list of classes that the linker puts together.

use super::Class;

/// The list itself.
#[doc(hidden)]
#[linkme::distributed_slice]
pub static CLASSES: [&'static Class];

/// Every class that is linked into this program.
///
/// A crate that stands in `Cargo.toml` but is named by no source is not linked, and so are its classes:
/// `use the_crate as _;` links it.
pub fn classes() -> &'static [&'static Class] {
    &CLASSES
}

/// Lists a class.
#[doc(hidden)]
#[macro_export]
macro_rules! list_class {
    ($class:ident) => {
        const _: () = {
            #[$crate::linkme::distributed_slice($crate::class::CLASSES)]
            #[linkme(crate = $crate::linkme)]
            static __PFS_LISTED: &$crate::class::Class = &$class;
        };
    };
}
