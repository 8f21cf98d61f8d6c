//! Keeping a library that has joined from being unloaded, whatever becomes of the handle that it was loaded by.

use super::Entry;

/// Makes the library that `entry` is in one that stays. Where that cannot be had, it is for the caller not to unload it.
pub(super) fn pin(entry: Entry) {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        // SAFETY: all-zero is a value of a structure of integers and pointers.
        let mut found: libc::Dl_info = unsafe { core::mem::zeroed() };
        // SAFETY: any address may be asked for; what is found is written to the structure.
        let is_found = unsafe { libc::dladdr(entry as *const libc::c_void, &raw mut found) } != 0;
        if is_found && !found.dli_fname.is_null() {
            // SAFETY: the name is a string of the loader's that lives as long as the library. The library is loaded, so
            // nothing of it is run; what this changes is that it stays.
            unsafe {
                libc::dlopen(found.dli_fname, libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_NODELETE)
            };
        }
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    let _ = entry;
}
