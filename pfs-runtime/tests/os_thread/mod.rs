//! The number of the calling thread, asked of the system in another way than the engine does.

/// The number; `None` on a system where the engine has none either.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn id() -> Option<u64> {
    let task = std::fs::read_link("/proc/thread-self").ok()?;
    task.file_name()?.to_str()?.parse().ok()
}

/// The number; `None` on a system where the engine has none either.
#[cfg(target_vendor = "apple")]
pub(crate) fn id() -> Option<u64> {
    let mut id = 0;
    // SAFETY: the thread is alive, for it is this one; its number is written to a variable of its type.
    let result = unsafe { libc::pthread_threadid_np(libc::pthread_self(), &raw mut id) };
    (result == 0).then_some(id)
}

/// The number; `None` on a system where the engine has none either.
#[cfg(windows)]
pub(crate) fn id() -> Option<u64> {
    use std::ffi::c_void;
    #[link(name = "kernel32")]
    // SAFETY: the signatures are those of the system's documentation.
    unsafe extern "system" {
        safe fn GetCurrentThread() -> *mut c_void;
        fn GetThreadId(thread: *mut c_void) -> u32;
    }
    // SAFETY: the handle stands for the calling thread, always.
    Some(u64::from(unsafe { GetThreadId(GetCurrentThread()) })).filter(|id| *id != 0)
}

/// The number; `None` on a system where the engine has none either.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple", windows)))]
pub(crate) fn id() -> Option<u64> {
    None
}
