//! Other attributes before and after ours, in every order, and ours out of `cfg_attr`.

#![deny(warnings)]
#![deny(missing_docs, unused_must_use)]

use pfs::prelude::*;

#[path = "support/mod.rs"]
mod support;

/// Doc.
#[cfg_attr(all(), statement("ui/cfg attr"))]
pub fn cfg_attr_on(n: u8) -> Result<u8, u8> {
    Err(n)
}

/// Doc.
#[cfg_attr(any(), statement("ui/not there", nonsense))]
pub fn cfg_attr_off(n: u8) -> u8 {
    n
}

#[doc = "Doc."]
#[statement("ui/doc")]
/// More.
#[doc(alias = "other")]
#[must_use = "it matters"]
#[inline(never)]
#[cold]
#[cfg(not(any()))]
#[allow(clippy::unnecessary_wraps, unused_variables)]
pub fn all_of_them(#[allow(unused)] a: u8, #[cfg(any())] b: NoSuchType) -> Result<u8, u8> {
    Ok(a)
}

/// Doc.
#[deprecated(note = "old")]
#[statement("ui/deprecated")]
pub fn deprecated() -> Result<u8, u8> {
    Ok(1)
}

/// Doc.
#[statement("ui/deprecated after")]
#[deprecated]
pub fn deprecated_after() -> Result<u8, u8> {
    Ok(1)
}

/// Doc.
#[stage("ui/no mangle")]
#[unsafe(no_mangle)]
pub extern "C" fn ui_no_mangle(n: u8) -> u8 {
    n
}

/// Doc.
#[unsafe(export_name = "ui_exported")]
#[statement("ui/export name")]
pub extern "C-unwind" fn exported(n: u8) -> u8 {
    n
}

#[expect(dead_code, reason = "never called")]
#[statement("ui/expect")]
fn never_called() -> Result<(), ()> {
    Ok(())
}

#[statement("ui/expect in")]
fn expect_in() -> Result<u8, ()> {
    #![allow(unused_mut)]
    let mut n = 1;
    #[expect(unused_variables)]
    let unused = n;
    Ok(n)
}

#[statement("ui/both")]
#[stage("ui/both")]
fn both(n: u8) -> Result<u8, u8> {
    if n > 1 { Err(n) } else { Ok(n) }
}

#[stage("ui/both turned")]
#[statement("ui/both turned")]
fn both_turned(n: u8) -> Result<u8, u8> {
    if n > 1 { Err(n) } else { Ok(n) }
}

#[stage("ui/outer")]
#[stage("ui/inner")]
fn two_stages(n: u8) -> u8 {
    n
}

#[statement("ui/outer")]
#[statement("ui/inner")]
fn two_statements(n: u8) -> Result<u8, u8> {
    Err(n)
}

#[statement("ui/async outer")]
#[stage("ui/async inner")]
async fn async_both(n: u8) -> Result<u8, u8> {
    support::pause().await;
    Err(n)
}

#[track_caller]
#[stage("ui/caller")]
#[inline]
fn caller() -> u32 {
    std::panic::Location::caller().line()
}

#[stage("ui/caller after")]
#[inline]
#[track_caller]
fn caller_after() -> u32 {
    std::panic::Location::caller().line()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
#[statement("ui/target feature")]
fn target_feature(n: u8) -> Result<u8, u8> {
    Ok(n)
}

#[cfg(target_arch = "x86_64")]
#[stage("ui/target feature")]
#[target_feature(enable = "avx2")]
unsafe fn target_feature_stage(n: u8) -> u8 {
    n
}

/// Doc.
#[rustfmt::skip]
#[clippy::cognitive_complexity = "1"]
#[statement("ui/tool")]
pub fn tool() -> Result<u8, u8> { Ok(1) }
/// Doc.
#[pfs::statement("ui/path")]
#[::pfs::stage("ui/path")]
pub fn by_path() -> Result<u8, u8> {
    Ok(1)
}

/// Doc.
#[statement {"ui/braces", text = "t"}]
pub fn braces() -> Result<u8, u8> {
    Ok(1)
}

/// Doc.
#[statement["ui/brackets"]]
pub fn brackets() -> Result<u8, u8> {
    Ok(1)
}

/// Doc.
#[statement(name = "ui/trailing", text = "t")]
pub fn trailing() -> Result<u8, u8> {
    Ok(1)
}

#[tokio::main(flavor = "current_thread")]
#[statement("ui/tokio main")]
async fn tokio_main() -> Result<u8, u8> {
    tokio::task::yield_now().await;
    Err(1)
}

#[statement("ui/main tokio")]
#[tokio::main(flavor = "current_thread")]
async fn main_tokio() -> Result<u8, u8> {
    tokio::task::yield_now().await;
    Err(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    #[statement("ui/test")]
    fn test_first() -> Result<(), String> {
        Ok(())
    }

    #[statement("ui/test after")]
    #[test]
    #[should_panic(expected = "x")]
    #[ignore = "y"]
    fn test_after() {
        panic!("x")
    }

    #[tokio::test]
    #[stage("ui/tokio test")]
    async fn tokio_test() {}
}

#[allow(deprecated)]
fn main() {
    support::start();
    assert_eq!((cfg_attr_on(1), cfg_attr_off(1)), (Err(1), 1));
    assert_eq!((all_of_them(1), deprecated(), deprecated_after()), (Ok(1), Ok(1), Ok(1)));
    assert_eq!((ui_no_mangle(1), exported(2)), (1, 2));
    expect_in().unwrap();
    assert_eq!((both(1), both(2), both_turned(2)), (Ok(1), Err(2), Err(2)));
    two_stages(1);
    let _ = two_statements(1);
    assert_eq!(support::block_on(async_both(1)), Err(1));
    assert_eq!((caller(), caller_after()), (line!(), line!()));
    #[cfg(target_arch = "x86_64")]
    #[allow(unused_unsafe)]
    {
        // SAFETY: every x86-64 has it.
        assert_eq!(unsafe { target_feature(1) }, Ok(1));
        if std::is_x86_feature_detected!("avx2") {
            assert_eq!(unsafe { target_feature_stage(1) }, 1);
        }
    }
    let _ = (tool(), by_path(), braces(), brackets(), trailing());
    assert_eq!((tokio_main(), main_tokio()), (Err(1), Err(1)));
    for (name, count, errors) in [
        ("cfg attr", 1, 1),
        ("doc", 1, 0),
        ("deprecated", 1, 0),
        ("deprecated after", 1, 0),
        ("export name", 1, 0),
        ("expect in", 1, 0),
        ("expect", 0, 0),
        ("both", 2, 1),
        ("both turned", 1, 1),
        ("outer", 1, 1),
        ("inner", 1, 1),
        ("async outer", 1, 1),
        ("target feature", 1, 0),
        ("tool", 1, 0),
        ("path", 1, 0),
        ("braces", 1, 0),
        ("brackets", 1, 0),
        ("trailing", 1, 0),
        ("tokio main", 1, 1),
        ("main tokio", 1, 1),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    for (name, count) in [
        ("no mangle", 1),
        ("both", 2),
        ("both turned", 1),
        ("outer", 1),
        ("inner", 1),
        ("async inner", 1),
        ("caller", 1),
        ("caller after", 1),
        ("path", 1),
    ] {
        assert_eq!(support::count(&format!("stage/ui/{name}")), count, "{name}");
    }
    assert!(!support::is_declared("statement/ui/not there"));
}
