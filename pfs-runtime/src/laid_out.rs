//! How the types are laid out that a program and a plugin both look at, found out by the compiler, field by field.
//!
//! Beside each such type stands `laid_out!` with all its fields. It does not compile if one is missing, or is of a type
//! that has none of this. What is reached through a pointer is *listed*, in the plugin's fingerprint; a pointer to what is
//! not, and a buffer of it, do not compile either. So whoever adds something is told.

/// A type whose layout is known.
pub(crate) trait LaidOut {
    /// A hash of size, alignment, where the fields lie, and the same of these.
    const LAYOUT: u64;
}

/// A type that is part of the fingerprint, so that pointers to it may be followed.
pub(crate) trait Listed {}

/// What a hash begins with.
pub(crate) const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash with one more number: FNV-1a, by words. What has to be told apart was not made to deceive.
pub(crate) const fn and(hash: u64, number: u64) -> u64 {
    (hash ^ number).wrapping_mul(0x0000_0100_0000_01b3)
}

/// The hash of a type of which no more is known than its size and alignment.
pub(crate) const fn opaque<T>() -> u64 {
    and(and(START, size_of::<T>() as u64), align_of::<T>() as u64)
}

/// The hash with that of a field.
pub(crate) const fn and_field<T, F: LaidOut>(hash: u64, offset: usize, _: fn(&T) -> &F) -> u64 {
    and(and(hash, offset as u64), F::LAYOUT)
}

/// Says how a type is laid out: a structure by the names of all its fields, an enumeration by its size alone, a pointer to
/// a function with the types that it gets or gives by reference, which are listed.
#[cfg(all(feature = "engine", not(loom)))]
macro_rules! laid_out {
    (enum $name:ident) => {
        impl $crate::laid_out::LaidOut for $name {
            const LAYOUT: u64 = $crate::laid_out::opaque::<Self>();
        }
    };
    (fn $function:ty $(, $passed:ty)*) => {
        impl $crate::laid_out::LaidOut for $function {
            const LAYOUT: u64 = {
                const fn listed<T: $crate::laid_out::Listed + ?Sized>() {}
                $(listed::<$passed>();)*
                $crate::laid_out::opaque::<Self>()
            };
        }
    };
    ($name:ident { $($field:tt),* $(,)? }) => {
        laid_out!(impl[] $name as $name { $($field),* });
    };
    (impl[$($generics:tt)*] $type:ty as $name:ident { $($field:tt),* $(,)? }) => {
        const _: () = {
            fn _all_fields<$($generics)*>(value: &$type) {
                let $name { $($field: _),* } = value;
            }

            impl<$($generics)*> $crate::laid_out::LaidOut for $type {
                const LAYOUT: u64 = {
                    let hash = $crate::laid_out::opaque::<Self>();
                    $(
                        let offset = core::mem::offset_of!($type, $field);
                        let hash = $crate::laid_out::and_field(hash, offset, |value: &$type| &value.$field);
                    )*
                    hash
                };
            }
        };
    };
}

/// Nothing is shared where the engine is compiled out.
#[cfg(not(all(feature = "engine", not(loom))))]
macro_rules! laid_out {
    ($($any:tt)*) => {};
}

#[cfg(not(all(feature = "engine", not(loom))))]
impl<T: ?Sized> Listed for T {}

#[cfg(all(feature = "engine", not(loom)))]
mod known {
    use super::{LaidOut, Listed, and, opaque};
    use core::panic::Location;
    use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64};
    use std::sync::Mutex;
    use std::time::Instant;

    macro_rules! opaque {
        ($($type:ty),*) => {$(
            impl LaidOut for $type {
                const LAYOUT: u64 = opaque::<Self>();
            }
        )*};
    }
    // What std lays out is the same with the same compiler, which is compared by itself.
    opaque! {
        (), bool, u8, u16, u32, u64, usize, f64, *mut u8, *const u8, &'static str, &mut [u8], Box<str>,
        AtomicBool, AtomicU8, AtomicU32, AtomicU64, Mutex<()>, Instant, Location<'static>
    }

    macro_rules! listed {
        ($($type:ty),*) => {$(
            impl Listed for $type {}
        )*};
    }
    // Bytes and words of texts, tables and maps; and a place in the source, which std lays out.
    listed! { (), u8, AtomicU64, Location<'static> }

    impl<T: Listed> LaidOut for AtomicPtr<T> {
        const LAYOUT: u64 = opaque::<Self>();
    }

    impl<T: Listed> LaidOut for &T {
        const LAYOUT: u64 = opaque::<Self>();
    }

    impl<T: Listed> LaidOut for &[T] {
        const LAYOUT: u64 = opaque::<Self>();
    }

    impl<T: LaidOut, const N: usize> LaidOut for [T; N] {
        const LAYOUT: u64 = and(opaque::<Self>(), T::LAYOUT);
    }

    impl<T: LaidOut> LaidOut for Option<T> {
        const LAYOUT: u64 = and(opaque::<Self>(), T::LAYOUT);
    }

    impl<T: LaidOut> LaidOut for Vec<T> {
        const LAYOUT: u64 = and(opaque::<Self>(), T::LAYOUT);
    }

    impl<T: LaidOut> LaidOut for Box<[T]> {
        const LAYOUT: u64 = and(opaque::<Self>(), T::LAYOUT);
    }

    impl<A: LaidOut, B: LaidOut> LaidOut for (A, B) {
        const LAYOUT: u64 = and(and(opaque::<Self>(), A::LAYOUT), B::LAYOUT);
    }
}

#[cfg(all(test, feature = "engine", not(loom)))]
mod tests {
    use super::LaidOut;
    use core::sync::atomic::{AtomicU32, AtomicU64};

    struct Inner {
        one: AtomicU32,
        other: AtomicU32,
    }
    laid_out!(Inner { one, other });

    struct Outer {
        inner: Inner,
        word: AtomicU64,
    }
    laid_out!(Outer { inner, word });

    struct Swapped {
        word: AtomicU64,
        inner: Inner,
    }
    laid_out!(impl[] Swapped as Swapped { word, inner });

    /// As large as `Outer`, with other fields within.
    struct Words {
        inner: AtomicU64,
        word: AtomicU64,
    }
    laid_out!(Words { inner, word });

    #[test]
    fn what_differs_anywhere_within_is_told_apart() {
        assert_eq!(size_of::<Outer>(), size_of::<Words>());
        assert_ne!(Outer::LAYOUT, Words::LAYOUT);
        assert_ne!(<[Outer; 2]>::LAYOUT, <[Words; 2]>::LAYOUT);
        // The same fields in another order.
        assert_ne!(Outer::LAYOUT, Swapped::LAYOUT);
    }
}
