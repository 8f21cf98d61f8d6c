//! Building and loading the libraries.

use crate::nested::cargo;
use libloading::Library;
use pfs::Pfs;
use pfs::plugin::{Entry, JoinError, Joined, SYMBOL};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::Path;

/// A library that was loaded and stays.
#[derive(Clone, Copy)]
pub(crate) struct Plugin(pub(crate) &'static Library);

/// How a library is built.
#[derive(Clone, Copy)]
pub(crate) struct Build {
    package: &'static str,
    folder: &'static str,
    arguments: &'static str,
    flags: &'static str,
}

/// The first plugin, as cargo builds it.
pub(crate) const FIRST: Build =
    Build { package: "pfs-ui-tests-plugin", folder: "plugin/debug", arguments: "", flags: "" };

/// The same without the engine.
pub(crate) const COMPILED_OUT: Build =
    Build { folder: "plugin-compiled-out/debug", arguments: "--no-default-features", ..FIRST };

/// The second plugin, optimised and linked by another linker.
pub(crate) const SECOND: Build = Build {
    package: "pfs-ui-tests-second-plugin",
    folder: "second-plugin/release",
    arguments: "--release",
    #[cfg(target_os = "linux")]
    flags: "-Clinker-features=-lld -Clink-arg=-fuse-ld=bfd -Clink-arg=-Wl,--gc-sections",
    #[cfg(not(target_os = "linux"))]
    flags: "",
};

impl Build {
    /// Builds the library, which is quick where that was done before.
    pub(crate) fn load(self) -> Library {
        let (target, _) = self.folder.split_once('/').expect("a folder of a target folder");
        let build = format!("build --quiet --package {} {}", self.package, self.arguments);
        cargo(target, &build, &[("RUSTFLAGS", self.flags)]);
        let file = format!("{DLL_PREFIX}{}{DLL_SUFFIX}", self.package.replace('-', "_"));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.folder).join(file);
        // SAFETY: the library is one of ours and does nothing when it is loaded.
        unsafe { Library::new(path) }.unwrap()
    }

    pub(crate) fn plugin(self) -> Plugin {
        Plugin(Box::leak(Box::new(self.load())))
    }
}

impl Plugin {
    /// A function of the library.
    pub(crate) fn get<F: Copy + 'static>(self, name: &str) -> F {
        // SAFETY: callers name the type that the function has in the library.
        *unsafe { self.0.get::<F>(name) }.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Calls a function that takes a number.
    pub(crate) fn times(self, name: &str, times: u64) {
        self.get::<extern "C" fn(u64)>(name)(times);
    }

    /// Calls a function that takes what the program does within.
    pub(crate) fn within(self, name: &str, within: extern "C" fn()) {
        self.get::<extern "C" fn(extern "C" fn())>(name)(within);
    }

    /// Calls a function that takes nothing.
    pub(crate) fn run(self, name: &str) {
        self.get::<extern "C" fn()>(name)();
    }

    pub(crate) fn entry(self) -> Entry {
        self.get(SYMBOL)
    }

    pub(crate) fn join(self, pfs: Pfs) -> Result<Joined, JoinError> {
        // SAFETY: the library stays, and the function is the one that `pfs::plugin!` made in it.
        unsafe { pfs.join_plugin(self.entry()) }
    }
}
