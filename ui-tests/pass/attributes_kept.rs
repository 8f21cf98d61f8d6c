//! Other attributes stay on the function and on its arguments, in either order; both of ours may stand together.

#![deny(warnings, missing_docs, unused_must_use)]
#![allow(missing_docs, reason = "of what the test declares")]

use pfs::prelude::*;

#[path = "support/mod.rs"]
mod support;

/// Documented.
#[must_use]
#[statement("ui/kept", text = text)]
#[inline(never)]
#[cold]
pub fn kept(text: &str, #[expect(unused_variables)] unused: u8) -> Result<u8, String> {
    #[expect(unused_variables)]
    let also_unused = 1;
    Ok(1)
}

#[stage("ui/expected")]
#[expect(unused_variables, unused_mut)]
fn expected(mut a: u8, b: u8) -> u8 {
    1
}

#[statement("ui/expected")]
#[expect(unused_variables, unused_mut)]
fn expected_too(mut a: u8, b: u8) -> Result<u8, String> {
    Ok(1)
}

#[statement("ui/conditional")]
#[cfg(any())]
fn conditional() -> Nowhere {}

#[cfg_attr(all(), statement("ui/by cfg_attr"))]
fn by_cfg_attr(#[cfg(any())] a: Nowhere, #[cfg(all())] b: u8) -> Result<u8, String> {
    Ok(b)
}

#[stage("ui/outer stage")]
#[statement("ui/both")]
#[stage("ui/inner stage")]
fn both(n: u8) -> Result<u8, String> {
    if n == 0 { Err("zero".into()) } else { Ok(n) }
}

#[deprecated = "the attribute must not use it"]
#[statement("ui/deprecated")]
#[allow(dead_code)]
fn old(n: u8) -> Result<u8, String> {
    Ok(n)
}

#[statement("ui/features")]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
fn features(n: u8) -> Result<u8, String> {
    Ok(n)
}

fn main() {
    support::start();
    assert_eq!(kept("text", 2), Ok(1));
    assert_eq!((expected(1, 2), expected_too(1, 2)), (1, Ok(1)));
    assert_eq!(by_cfg_attr(3), Ok(3));
    assert!(both(1).is_ok() && both(0).is_err());
    assert_eq!(features_of(4), Ok(4));
    assert_eq!(support::last_text("statement/ui/kept").as_deref(), Some("text"));
    assert_eq!(support::count("statement/ui/both"), 2);
    assert_eq!(support::errors("statement/ui/both"), 1);
    assert_eq!(support::count("stage/ui/outer stage"), 2);
    assert_eq!(support::count("stage/ui/inner stage"), 2);
}

fn features_of(n: u8) -> Result<u8, String> {
    // SAFETY: where the attribute stands, every processor has it.
    #[allow(unused_unsafe)]
    unsafe {
        features(n)
    }
}
