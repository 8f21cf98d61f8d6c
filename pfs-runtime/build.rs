//! Decides how classes are listed, and says what the engine is built of. `links` asks for a build script too.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The systems whose linker puts lists together: linkme's. As in `Cargo.toml`.
const BY_THE_LINKER: [&str; 10] =
    ["linux", "android", "macos", "ios", "tvos", "windows", "freebsd", "openbsd", "illumos", "fuchsia"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rustc-check-cfg=cfg(listed_by_constructors)");
    let system = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // `--cfg pfs_inventory` asks for the other way where both are there, for tests.
    let asked = env::var_os("CARGO_CFG_PFS_INVENTORY").is_some();
    if asked || !BY_THE_LINKER.contains(&system.as_str()) {
        println!("cargo::rustc-cfg=listed_by_constructors");
    }
    // An addition in memory by one instruction, which a signal cannot come into the middle of. Elsewhere it is atomic.
    println!("cargo::rustc-check-cfg=cfg(one_instruction_adds)");
    let processor = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let checked = ["LOOM", "MIRI"].iter().any(|tool| env::var_os(format!("CARGO_CFG_{tool}")).is_some());
    if processor == "x86_64" && !checked {
        println!("cargo::rustc-cfg=one_instruction_adds");
    }
    println!("cargo::rustc-env=BUILD_OF_PFS={}", build()?);
    Ok(())
}

/// Of what the engine is built: its sources and the compiler. A program and a plugin look into each other's memory, so
/// that must be the same.
fn build() -> io::Result<String> {
    let variable = |name| env::var(name).map_err(io::Error::other);
    let compiler = Command::new(variable("RUSTC")?).arg("--version").output()?.stdout;
    Ok(format!(
        "pfs {} of sources {:016x}, {}, {}",
        variable("CARGO_PKG_VERSION")?,
        hash_of(Path::new("src"))?,
        String::from_utf8_lossy(&compiler).trim(),
        variable("TARGET")?,
    ))
}

/// A hash of every file in a folder, with their names.
fn hash_of(folder: &Path) -> io::Result<u64> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    // FNV-1a: what has to be told apart was not made to deceive.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for file in &files {
        add(file.to_string_lossy().as_bytes());
        add(&fs::read(file)?);
    }
    Ok(hash)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
