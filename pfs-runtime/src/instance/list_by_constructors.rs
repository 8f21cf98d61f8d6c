//! The list of named statics where no linker puts it together: each puts itself there before `main`.

use super::NamedStatic;

inventory::collect!(NamedStatic);

/// Every named static that is linked into this program.
pub fn statics() -> impl Iterator<Item = &'static NamedStatic> {
    inventory::iter::<NamedStatic>()
}

/// Lists a named static.
#[doc(hidden)]
#[macro_export]
macro_rules! list_static {
    ($named:expr) => {
        $crate::inventory::submit! { $named }
    };
}
