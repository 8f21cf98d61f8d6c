//! pfs where it goes by another name, and in a crate of edition 2021: the two things that a file of the catalogue
//! cannot show, because they are a crate's.
//!
//! Bang macros find their crate themselves. Attributes look for `::pfs`, which one `extern crate … as pfs` gives
//! them, or for what `crate = path` says.

#![forbid(unsafe_code)]
#![deny(warnings, clippy::all, clippy::pedantic, clippy::nursery)]

extern crate perf as pfs;

perf::plugin!();

pub mod by_extern_crate;
pub mod by_path;
pub mod edition;
