//! The procedural macros of pfs: only the entry points stand here, one file a macro beside it.
//!
//! Nothing here is meant to be named: `pfs` re-exports what its users write, and documents it there. Generated
//! code names nothing but `<crate>::__private` and the public traits, so that it builds wherever `pfs` does.

mod args;
mod arguments;
mod derive;
mod expression;
mod function;
mod future;
mod instrumented;
mod lock;
mod name;
mod returned;
mod row;
mod select;
mod stage;
mod statement;
mod tokens;

use expression::Made;
use instrumented::Asked;
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
///
/// # What a static may be
///
/// The static holds its mutexes itself, or through references, arrays, tuples, `Option`, `Box`, `Arc`, `Vec`,
/// `VecDeque`, the values of `HashMap` and `BTreeMap`, `OnceLock`, `LazyLock`, aliases of those, and types that derive
/// `Instrument`. It may stand in a function or come out of a macro. All mutexes in it are instances of the one class; a
/// mutex that has a name already keeps it, and locks of other kinds stay as they are: a `(Mutex<bool>, Condvar)` takes
/// one attribute for each. A static that holds no mutex does not compile.
///
/// The initialiser is left alone, but for the closure of a `LazyLock`, of which what it makes is named before anyone can
/// reach it. All else that is there is named at `start`; later, what lies in the static itself and what a `OnceLock`
/// has got meanwhile is named at its first event, which is the first to be counted.
///
/// Not named is what was used before it was put into a `OnceLock`, and what becomes part of the value after that, or
/// lies behind a lock of its own: name it where it is made, by `mutex!` or `.instrumented()`. In an array or collection
/// of more than 64 `OnceLock`s, those set after `start` name what they hold themselves and not what it points to.
#[proc_macro_attribute]
pub fn instrument_mutex(args: TokenStream, item: TokenStream) -> TokenStream {
    lock::expand(Asked::Mutex, args.into(), &item.into()).into()
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
    lock::expand(Asked::RwLock, args.into(), &item.into()).into()
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
    lock::expand(Asked::Condvar, args.into(), &item.into()).into()
}

/// Names what a `static` holds by the names that its type has for it: the type derives `Instrument`.
///
/// ```
/// use pfs::prelude::*;
/// use pfs::sync::{Condvar, Mutex};
///
/// #[derive(Instrument)]
/// struct Queue {
///     #[mutex("kv/Queue::jobs")]
///     jobs: Mutex<Vec<u64>>,
///     #[condvar("kv/Queue::added")]
///     added: Condvar,
/// }
///
/// #[instrument]
/// static QUEUE: Queue = Queue { jobs: Mutex::new(Vec::new()), added: Condvar::new() };
///
/// QUEUE.jobs.lock().unwrap().push(7); // counted by wait/synch/mutex/kv/Queue::jobs
/// ```
///
/// It takes `crate = path` where the crate `pfs` goes by another name. What is said of statics at
/// [`macro@instrument_mutex`] holds here too.
#[proc_macro_attribute]
pub fn instrument(args: TokenStream, item: TokenStream) -> TokenStream {
    lock::expand(Asked::Named, args.into(), &item.into()).into()
}

/// Makes each call of a function a stage event, or each run of the future that it is or returns.
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

/// Makes each call of a function a statement event, or each run of the future that it is or returns.
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
/// - `err = |r| …`: from a reference to what the function, or its future, returns, `Some` of the error to record or
///   `None`;
/// - `sync`: the call is meant, and not the future that it makes;
/// - `crate = path`.
///
/// Where the return type may be a `Result` the body runs in a closure that is called on the spot, so that the
/// statement sees how it ended. Arguments are dropped in their order. `#[track_caller]` does not reach into a
/// closure, so together they are an error; on a function that cannot fail they work.
///
/// # Futures
///
/// ```
/// use pfs::prelude::*;
///
/// #[statement("kv/backup", text = path)]
/// async fn backup(path: &str) -> Result<u64, std::io::Error> {
///     let blocks = read(path).await;
///     pfs::statement::current().rows_examined(blocks);
///     Ok(blocks)
/// }
///
/// #[stage("kv/reading")]
/// async fn read(path: &str) -> u64 {
///     path.len() as u64
/// }
/// ```
///
/// An async function and one that returns a future are statements as they are [stages](macro@stage#futures). The output
/// is looked at as what a function returns is; a future that is dropped before it completes returned no error and counts
/// none. The text is evaluated at the first poll in an `async fn`, and where a body ends in `async` or `Box::pin(async …)`;
/// of any other function that returns a future it is evaluated at the call, where it is wanted, and copied.
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
    derive::class::expand(Kind::Statement, item.into()).into()
}

/// Gives each variant of an enum, or a struct, its stage class.
///
/// ```
/// use pfs::prelude::*;
///
/// #[derive(Clone, Copy, Stage)]
/// #[stage(component = "kv")]
/// enum Step {
///     Reading,
///     #[stage(name = "sorting lines")]
///     Sorting,
/// }
///
/// let mut stage = Step::Reading.begin(); // stage/kv/reading
/// let mut lines = vec!["b", "a"];
/// stage.switch(Step::Sorting); // stage/kv/sorting lines
/// lines.sort();
/// drop(stage);
/// assert_eq!(lines, ["a", "b"]);
/// ```
///
/// Arguments as for [`macro@Statement`].
#[proc_macro_derive(Stage, attributes(stage))]
pub fn derive_stage(item: TokenStream) -> TokenStream {
    derive::class::expand(Kind::Stage, item.into()).into()
}

/// Names the locks in the fields of a struct or an enum; the trait `Instrument` says how.
#[proc_macro_derive(Instrument, attributes(instrument, mutex, rwlock, condvar))]
pub fn derive_instrument(item: TokenStream) -> TokenStream {
    derive::instrument::expand(item.into()).into()
}

/// `pfs::mutex!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn mutex(input: TokenStream) -> TokenStream {
    expression::expand(Made::Mutex, input.into()).into()
}

/// `pfs::parking_lot::fair_mutex!`, after `[$crate::parking_lot]`.
#[doc(hidden)]
#[proc_macro]
pub fn fair_mutex(input: TokenStream) -> TokenStream {
    expression::expand(Made::FairMutex, input.into()).into()
}

/// `pfs::parking_lot::reentrant_mutex!`, after `[$crate::parking_lot]`.
#[doc(hidden)]
#[proc_macro]
pub fn reentrant_mutex(input: TokenStream) -> TokenStream {
    expression::expand(Made::ReentrantMutex, input.into()).into()
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

/// `pfs::crossbeam::channel::bounded!`, after `[$crate::crossbeam::channel]`.
#[doc(hidden)]
#[proc_macro]
pub fn bounded(input: TokenStream) -> TokenStream {
    expression::expand(Made::Bounded, input.into()).into()
}

/// `pfs::crossbeam::channel::unbounded!`, after `[$crate::crossbeam::channel]`.
#[doc(hidden)]
#[proc_macro]
pub fn unbounded(input: TokenStream) -> TokenStream {
    expression::expand(Made::Unbounded, input.into()).into()
}

/// `pfs::crossbeam::channel::select!` and `select_biased!`, after `[$crate::crossbeam::channel] [select]`.
#[doc(hidden)]
#[proc_macro]
pub fn select(input: TokenStream) -> TokenStream {
    select::expand(input.into()).into()
}

/// `pfs::stage_class!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn stage_class(input: TokenStream) -> TokenStream {
    expression::expand(Made::Stage, input.into()).into()
}

/// `pfs::statement_class!`, after `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn statement_class(input: TokenStream) -> TokenStream {
    expression::expand(Made::Statement, input.into()).into()
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
