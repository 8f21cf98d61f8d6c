//! The list of named statics that the linker puts together.

use super::NamedStatic;

/// The list itself.
#[doc(hidden)]
#[linkme::distributed_slice]
pub static STATICS: [NamedStatic];

/// Every named static that is linked into this program.
pub fn statics() -> impl Iterator<Item = &'static NamedStatic> {
    STATICS.iter()
}

/// Lists a named static.
#[doc(hidden)]
#[macro_export]
macro_rules! list_static {
    ($named:expr) => {
        const _: () = {
            #[$crate::linkme::distributed_slice($crate::instance::STATICS)]
            #[linkme(crate = $crate::linkme)]
            static __PFS_LISTED: $crate::instance::NamedStatic = $named;
        };
    };
}
