//! The one anonymous mapping of a schema.

use std::io;

/// Maps zeroed memory that is not resident before it is used, and stays until the process ends.
pub(super) fn zeroed(length: usize) -> io::Result<*mut u8> {
    let mut mapping = memmap2::MmapOptions::new().len(length).no_reserve_swap().map_anon()?;
    // A huge page would make two megabytes resident for one row. Where the kernel knows no huge pages, the advice
    // fails and is not needed.
    #[cfg(target_os = "linux")]
    let _ = mapping.advise(memmap2::Advice::NoHugePage);
    let base = mapping.as_mut_ptr();
    core::mem::forget(mapping);
    Ok(base)
}
