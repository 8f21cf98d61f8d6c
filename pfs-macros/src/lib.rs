//! The procedural macros of pfs: only the entry points stand here, one file a macro beside it.
//!
//! Nothing here is meant to be named: `pfs` re-exports what its users write, and documents it there. Generated
//! code names nothing but `<crate>::__private` and the public traits, so that it builds wherever `pfs` does.

mod args;
mod derive_statement;
mod expression;
mod function;
mod lock;
mod name;
mod row;
mod stage;
mod statement;

use expression::Made;
use name::Kind;
use proc_macro::TokenStream;

/// Names the mutexes that a `static` holds.
///
/// ```
/// use pfs::prelude::*;
/// use pfs::sync::Mutex;
///
/// #[instrument_mutex("kv/LOCK_index")]
/// static LOCK_INDEX: Mutex<Vec<u32>> = Mutex::new(Vec::new());
///
/// LOCK_INDEX.lock().unwrap().push(7); // counted by wait/synch/mutex/kv/LOCK_index
/// ```
///
/// Arguments: the name (`"component/name"` or `name = "component/name"`; without one, the crate and the static's
/// own identifier) and `crate = path` where the crate `pfs` goes by another name.
#[proc_macro_attribute]
pub fn instrument_mutex(args: TokenStream, item: TokenStream) -> TokenStream {
    lock::expand(Kind::Mutex, args.into(), &item.into()).into()
}

/// Names the read-write locks that a `static` holds; arguments as for [`macro@instrument_mutex`].
///
/// ```
/// use pfs::prelude::*;
/// use pfs::sync::RwLock;
///
/// #[instrument_rwlock("kv/LIMITS")]
/// static LIMITS: RwLock<[u32; 2]> = RwLock::new([10, 20]);
///
/// assert_eq!(LIMITS.read().unwrap()[1], 20);
/// ```
#[proc_macro_attribute]
pub fn instrument_rwlock(args: TokenStream, item: TokenStream) -> TokenStream {
    lock::expand(Kind::RwLock, args.into(), &item.into()).into()
}

/// Names the condition variables that a `static` holds; arguments as for [`macro@instrument_mutex`].
///
/// ```
/// use pfs::prelude::*;
/// use pfs::sync::Condvar;
///
/// #[instrument_condvar("kv/COND_flushed")]
/// static FLUSHED: Condvar = Condvar::new();
///
/// FLUSHED.notify_all();
/// ```
#[proc_macro_attribute]
pub fn instrument_condvar(args: TokenStream, item: TokenStream) -> TokenStream {
    lock::expand(Kind::Cond, args.into(), &item.into()).into()
}

/// Makes each call of a function a stage event.
///
/// ```
/// use pfs::prelude::*;
///
/// #[stage("kv/parsing")]
/// fn parse(line: &str) -> Result<u32, std::num::ParseIntError> {
///     line.trim().parse()
/// }
///
/// assert_eq!(parse(" 7 "), Ok(7));
/// ```
///
/// The stage begins before the body and ends when the function is left, by value, by `?` or by panic; arguments
/// are dropped after it, where they always were. Arguments of the attribute: the name (`"component/name"` or
/// `name = "component/name"`; a free function may leave it out and is then called after its crate and itself) and
/// `crate = path`.
///
/// A `const fn` has no run to measure and is an error, as is anything that only makes a future.
#[proc_macro_attribute]
pub fn stage(args: TokenStream, item: TokenStream) -> TokenStream {
    stage::expand(args.into(), &item.into()).into()
}

/// Makes each call of a function a statement event.
///
/// ```
/// use pfs::prelude::*;
///
/// #[statement("kv/backup", text = path)]
/// fn backup(entries: u64, path: &str) -> Result<u64, String> {
///     if path.is_empty() {
///         return Err("no path given".to_owned());
///     }
///     Ok(entries)
/// }
///
/// assert_eq!(backup(3, "/tmp/kv"), Ok(3));
/// assert!(backup(3, "").is_err()); // SUM_ERRORS is 1
/// ```
///
/// A returned `Result::Err`, also behind a type alias, is the statement's error, with code and message by
/// `ErrorCode`, else message by `Display`, else only counted. `Option`, `Poll` and type parameters are no errors.
/// A panic ends the event. Arguments of the attribute:
///
/// - the name, as for [`macro@stage`];
/// - `text = expr`: the statement's text, anything that is `AsRef<[u8]>`, in terms of the arguments; evaluated
///   only where text is wanted, and only borrowed;
/// - `err = |r| …`: from a reference to what the function returns, `Some` of the error to record or `None`;
/// - `crate = path`.
///
/// Where the return type may be a `Result` the body runs in a closure that is called on the spot, so that the
/// statement sees how it ended. Arguments are dropped in their order. `#[track_caller]` does not reach into a
/// closure, so together they are an error; on a function that cannot fail they work.
#[proc_macro_attribute]
pub fn statement(args: TokenStream, item: TokenStream) -> TokenStream {
    statement::expand(args.into(), &item.into()).into()
}

/// Gives each variant of an enum, or a struct, its statement class.
///
/// ```
/// use pfs::prelude::*;
///
/// #[derive(Statement)]
/// #[statement(component = "kv")]
/// enum Command {
///     Get(String),
///     Set(String, Vec<u8>),
///     #[statement(name = "mset")]
///     SetMany(Vec<(String, Vec<u8>)>),
/// }
///
/// let command = Command::Get("key".to_owned());
/// let mut statement = command.begin();
/// statement.text("GET key");
/// drop(statement); // it ends here
/// ```
///
/// The classes are `statement/kv/get`, `statement/kv/set` and `statement/kv/mset`. Without `component` it is the
/// crate's name; without `name` it is the variant's (or the struct's) in snake case. Variants may share a name and
/// then share the class.
#[proc_macro_derive(Statement, attributes(statement))]
pub fn derive_statement(item: TokenStream) -> TokenStream {
    derive_statement::expand(item.into()).into()
}

/// `pfs::mutex!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn mutex(input: TokenStream) -> TokenStream {
    expression::expand(Made::Mutex, input.into()).into()
}

/// `pfs::rwlock!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn rwlock(input: TokenStream) -> TokenStream {
    expression::expand(Made::RwLock, input.into()).into()
}

/// `pfs::condvar!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn condvar(input: TokenStream) -> TokenStream {
    expression::expand(Made::Condvar, input.into()).into()
}

/// `pfs::once!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn once(input: TokenStream) -> TokenStream {
    expression::expand(Made::Once, input.into()).into()
}

/// `pfs::once_lock!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn once_lock(input: TokenStream) -> TokenStream {
    expression::expand(Made::OnceLock, input.into()).into()
}

/// `pfs::lazy_lock!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn lazy_lock(input: TokenStream) -> TokenStream {
    expression::expand(Made::LazyLock, input.into()).into()
}

/// `pfs::barrier!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn barrier(input: TokenStream) -> TokenStream {
    expression::expand(Made::Barrier, input.into()).into()
}

/// `pfs::channel!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn channel(input: TokenStream) -> TokenStream {
    expression::expand(Made::Channel, input.into()).into()
}

/// `pfs::sync_channel!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn sync_channel(input: TokenStream) -> TokenStream {
    expression::expand(Made::SyncChannel, input.into()).into()
}

/// `pfs::stage_class!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn stage_class(input: TokenStream) -> TokenStream {
    expression::expand(Made::Stage, input.into()).into()
}

/// `pfs::thread_class!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn thread_class(input: TokenStream) -> TokenStream {
    expression::expand(Made::Thread, input.into()).into()
}

/// The column metadata of a table of the engine, from the struct of its rows; `row.rs` says how.
#[doc(hidden)]
#[proc_macro_derive(Row, attributes(row))]
pub fn derive_row(item: TokenStream) -> TokenStream {
    row::expand(item.into()).into()
}
