//! The macro that declares classes. Users reach it through the attribute and bang macros, which check names first.

/// Declares instrument classes as statics and lists each at link time.
///
/// `class! { static NAME: Kind = "full/name"; }` with a [`Kind`](crate::class::Kind)'s variant. The name is any
/// constant `&'static str`; a bad one is a compile error.
#[macro_export]
macro_rules! class {
    ($($(#[$attribute:meta])* $visibility:vis static $ident:ident: $kind:ident = $name:expr;)+) => {$(
        $(#[$attribute])*
        $visibility static $ident: $crate::class::Class =
            $crate::class::Class::new($crate::class::Kind::$kind, $name, ::core::file!(), ::core::line!());
        $crate::list_class! { $ident }
    )+};
}

/// The default name of an instrument: a kind's prefix, the first segment of a module path and an identifier.
#[doc(hidden)]
#[macro_export]
macro_rules! name {
    ($prefix:expr, $module_path:expr, $ident:expr) => {{
        const PARTS: &[&str] = &[$prefix, $crate::name::component($module_path), "/", $ident];
        const BYTES: [u8; $crate::name::concat_len(PARTS)] = $crate::name::concat(PARTS);
        const NAME: &str = match ::core::str::from_utf8(&BYTES) {
            ::core::result::Result::Ok(name) => name,
            ::core::result::Result::Err(_) => "",
        };
        NAME
    }};
}
