//! Plugins: libraries that a running program loads, and whose instruments join its own.
//!
#![doc = include_str!("guide.md")]

mod error;
mod header;
#[cfg_attr(not(feature = "engine"), path = "../null/plugin.rs")]
mod meeting;
#[cfg(feature = "engine")]
mod fingerprint;
#[cfg(feature = "engine")]
mod pin;

pub use error::JoinError;
use header::Header;
#[doc(hidden)]
pub use meeting::offer;
pub(crate) use meeting::{has_joined, join};

/// What a plugin tells the program of itself. Its content is pfs's own business.
#[derive(Debug)]
#[repr(transparent)]
pub struct Offer(Header);

laid_out!(Offer { 0 });

/// The function that [`plugin!`](https://docs.rs/pfs/latest/pfs/macro.plugin.html) puts into a plugin.
pub type Entry = extern "C" fn() -> *const Offer;

/// The name of that function.
pub const SYMBOL: &str = "pfs_plugin";

/// What became of the classes of a plugin that joined. Two declarations of one name are one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use = "it says whether classes of the plugin were lost"]
pub struct Joined {
    /// Classes that are counted from now on: those that took a place of the reserve, and those whose name was there
    /// before. Zero where pfs is switched off or compiled out, in the program or in the plugin.
    pub classes: usize,
    /// Classes that found no place, and stay off: `plugin_classes` is smaller than the plugins' classes are many.
    pub lost: usize,
}
