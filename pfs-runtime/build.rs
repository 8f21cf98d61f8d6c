//! Decides how classes are listed. `links` asks for a build script too.

use std::env;

/// The systems whose linker puts lists together: linkme's. As in `Cargo.toml`.
const BY_THE_LINKER: [&str; 10] =
    ["linux", "android", "macos", "ios", "tvos", "windows", "freebsd", "openbsd", "illumos", "fuchsia"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(listed_by_constructors)");
    let system = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // `--cfg pfs_inventory` asks for the other way where both are there, for tests.
    let asked = env::var_os("CARGO_CFG_PFS_INVENTORY").is_some();
    if asked || !BY_THE_LINKER.contains(&system.as_str()) {
        println!("cargo::rustc-cfg=listed_by_constructors");
    }
}
