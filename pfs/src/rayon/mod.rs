//! `rayon` with the threads of its pools named and counted: [`ThreadPoolBuilder`] is ours, the rest is rayon's own.
//! Feature `rayon`.
//!
//! Replacing `rayon::` by `pfs::rayon::` is a complete change. A thread of a pool that our builder builds has a row in
//! `threads` from the moment it starts, of class `thread/rayon/worker` or of one that the builder is given, with the
//! thread that built the pool as its parent; so what its jobs wait for and do is counted under that class. Nothing else
//! of rayon is an event, neither a job nor waiting for one. Without the engine, too, the builder is two words larger than
//! rayon's, for it keeps a start handler itself; what it builds is rayon's own.
//!
//! rayon makes its global pool by itself when it is first used, with threads that have no class until their first event,
//! and then `thread/pfs/unnamed`. To have that pool's threads named, build it once, after pfs is started:
//!
//! ```
//! use pfs::rayon::prelude::*;
//!
//! let pfs = pfs::Config::new().start()?;
//! pfs::rayon::ThreadPoolBuilder::new().thread_class(pfs::thread_class!("kv/sorter")).num_threads(2).build_global()?;
//!
//! let total: u64 = (1..=100_u64).into_par_iter().sum();
//! assert_eq!(total, 5050);
//! # pfs::rayon::broadcast(|_| ());
//! assert_eq!(pfs.threads().filter(|row| row.name == "thread/kv/sorter").count(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod spawn;

pub use self::builder::ThreadPoolBuilder;
#[doc(hidden)]
pub use self::spawn::{CustomSpawn, DefaultSpawn};
// The names above shadow rayon's, so that this stays complete when rayon grows.
pub use ::rayon::*;
