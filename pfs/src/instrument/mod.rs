//! Naming what an object holds: the trait behind `#[derive(Instrument)]` and `.instrumented()`, and the hidden one by
//! which the attributes on statics and that derive reach the locks inside a value.
//!
//! Only what exists is visited: nothing is locked, and nothing lazy is made.

mod held;
mod holders;
mod locks;

pub use held::{Asked, Held, check_field, check_static};

use pfs_runtime::instance::{Visitor, name_made, name_own};

/// What holds instrumented objects, whose handles can be visited.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no instrumented object",
    label = "expected a `Mutex`, `RwLock`, `Condvar`, `Once` or `Barrier` of `pfs::sync`, a lock of \
             `pfs::parking_lot`, a type with `#[derive(Instrument)]`, or a container of those"
)]
pub trait Instrumented {
    /// What it may hold.
    const HOLDS: Held;

    /// Shows each handle, in the order of memory.
    fn visit(&self, visitor: &mut Visitor<'_>);
}

/// What `#[derive(Instrument)]` gives a type: a name for each lock in its fields.
///
/// ```
/// use pfs::prelude::*;
/// use pfs::sync::{Condvar, Mutex, RwLock};
/// use std::collections::HashMap;
///
/// #[derive(Instrument)]
/// struct Shard<K, V> {
///     #[rwlock("kv/Shard::map")]
///     map: RwLock<HashMap<K, V>>,
///     #[mutex] // wait/synch/mutex/<crate>/Shard::dirty
///     dirty: Mutex<Vec<K>>,
///     #[condvar]
///     flushed: Condvar,
/// }
///
/// #[derive(Instrument)]
/// struct Store {
///     #[instrument] // each shard's locks by the names in `Shard`
///     shards: Vec<Shard<String, u64>>,
///     capacity: usize,
/// }
///
/// fn shard<K, V>() -> Shard<K, V> {
///     Shard { map: RwLock::default(), dirty: Mutex::default(), flushed: Condvar::new() }
/// }
///
/// let store = Store { shards: (0..4).map(|_| shard()).collect(), capacity: 10 }.instrumented();
/// store.shards[0].map.write().unwrap().insert("key".to_owned(), 7);
/// ```
///
/// # What a field takes
///
/// - `#[mutex]`, `#[rwlock]`, `#[condvar]`: the locks of that kind that the field holds are instances of one class. Its
///   name is written as in the other macros (`#[mutex("kv/Shard::map")]` or `name = "…"`); without one it is
///   `Type::field`, of a tuple `Type::0`, of an enum `Type::Variant::field`, in the component that is the crate. A
///   field that holds several kinds, as a `(Mutex<bool>, Condvar)`, takes one attribute for each.
/// - `#[instrument]`: what the field holds derives `Instrument`, and names its locks itself.
/// - The type takes `#[instrument(component = "kv", crate = path)]`.
///
/// A field may be the lock itself or hold it through references, arrays, slices, tuples, `Option`, `Box`, `Arc`, `Rc`,
/// `Pin`, `Vec`, `VecDeque`, the values of `HashMap` and `BTreeMap`, `OnceLock`, `OnceCell` and `LazyLock`.
///
/// # What is named, and when
///
/// [`instrumented`](Instrument::instrumented) names the locks that are there when it is called: what a container gets
/// later is to be named where it is made. A `static` whose type derives this is named by
/// [`#[instrument]`](macro@crate::instrument) instead, and nothing has to be called. A lock that has a name already
/// keeps it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name what it holds",
    label = "`#[derive(Instrument)]` is missing on this type"
)]
pub trait Instrument: Instrumented {
    /// Names every lock in the value that has no name yet, by the classes of its type's fields.
    ///
    /// Cost: a visit of each lock. It is the same before and after `start`.
    #[must_use = "the value is given back"]
    fn instrumented(self) -> Self
    where
        Self: Sized,
    {
        name_own(|visitor| self.visit(visitor));
        self
    }
}

/// Makes the value of a lazy static that an attribute names, and names what it holds before anyone can reach it.
#[doc(hidden)]
pub fn made<T: Instrumented>(address: usize, make: fn() -> T) -> T {
    let value = make();
    name_made(address, |visitor| value.visit(visitor));
    value
}
