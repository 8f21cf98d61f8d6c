//! The number by which the system knows the calling thread: what its debugger, its process list and its log show. Not
//! the `THREAD_ID` of a context.

/// The thread's number; zero on a system that gives none.
///
/// Cost: a system call, or less; once a thread.
pub(super) fn id() -> u64 {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        // SAFETY: `gettid` has no preconditions and no effects.
        u64::try_from(unsafe { libc::gettid() }).unwrap_or(0)
    }
    #[cfg(target_vendor = "apple")]
    {
        let mut id = 0;
        // SAFETY: no thread is the calling one; its number is written to a variable of its type.
        unsafe { libc::pthread_threadid_np(0, &raw mut id) };
        id
    }
    #[cfg(target_os = "freebsd")]
    {
        // SAFETY: the function has no preconditions and no effects.
        u64::try_from(unsafe { libc::pthread_getthreadid_np() }).unwrap_or(0)
    }
    #[cfg(windows)]
    {
        #[link(name = "kernel32")]
        // SAFETY: the signature is that of the system's documentation: it takes nothing and gives a `DWORD`.
        unsafe extern "system" {
            safe fn GetCurrentThreadId() -> u32;
        }
        u64::from(GetCurrentThreadId())
    }
    #[cfg(not(any(
        target_os = "linux",
        target_os = "android",
        target_vendor = "apple",
        target_os = "freebsd",
        windows
    )))]
    {
        0
    }
}
