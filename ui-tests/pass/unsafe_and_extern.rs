//! `unsafe fn`, `extern "C" fn`, exported names, target features: the body keeps its rights and its duties.

#![deny(warnings)]
#![deny(unsafe_op_in_unsafe_fn, unused_unsafe, improper_ctypes_definitions)]

use pfs::prelude::*;

#[path = "support/mod.rs"]
mod support;

/// # Safety
///
/// `at` points to a `u32`, or is null.
#[statement("ui/read")]
unsafe fn read(at: *const u32) -> Result<u32, String> {
    if at.is_null() {
        return Err("null".to_owned());
    }
    // SAFETY: by the caller's promise.
    Ok(unsafe { *at })
}

/// # Safety
///
/// None needed.
#[stage("ui/unsafe stage")]
#[allow(unsafe_op_in_unsafe_fn)]
unsafe fn unsafe_stage(at: *const u32) -> u32 {
    read(at).unwrap_or(0)
}

#[statement("ui/lax")]
#[allow(unsafe_op_in_unsafe_fn)]
unsafe fn lax(at: *const u32) -> Result<u32, String> {
    read(at)
}

#[statement("ui/exported")]
#[unsafe(no_mangle)]
pub extern "C" fn pfs_ui_exported(n: i32) -> i32 {
    n + 1
}

#[stage("ui/callback")]
extern "C" fn callback(n: i32) -> i32 {
    n * 2
}

#[statement("ui/extern unsafe")]
unsafe extern "C-unwind" fn extern_unsafe(n: &i32) -> Option<&i32> {
    Some(n)
}

fn call(f: extern "C" fn(i32) -> i32, n: i32) -> i32 {
    f(n)
}

struct Raw(*mut u32);

impl Raw {
    #[statement("ui/Raw::bump")]
    unsafe fn bump(&mut self) -> Result<&mut u32, String> {
        // SAFETY: by the caller's promise.
        let value = unsafe { self.0.as_mut() }.ok_or("null")?;
        *value += 1;
        Ok(value)
    }
}

fn main() {
    support::start();
    // SAFETY: the pointers are null or to locals.
    unsafe {
        assert_eq!(read(&7), Ok(7));
        assert!(read(std::ptr::null()).is_err());
        assert_eq!(unsafe_stage(&8), 8);
        assert_eq!(lax(&9), Ok(9));
        assert_eq!(extern_unsafe(&1), Some(&1));
        assert_eq!(*Raw(&mut 1).bump().unwrap(), 2);
    }
    assert_eq!(pfs_ui_exported(1), 2);
    assert_eq!(call(callback, 4), 8);
    assert_eq!(support::count("statement/ui/read"), 4);
    assert_eq!(support::errors("statement/ui/read"), 1);
    assert_eq!(support::count("statement/ui/exported"), 1);
    assert_eq!(support::count("stage/ui/callback"), 1);
}
