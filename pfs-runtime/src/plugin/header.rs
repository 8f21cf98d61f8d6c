//! The begin of every offer, whatever pfs the plugin was built with: what has to be read before it is known that the
//! rest can be.

/// The first words of an offer. What a field means and where it lies never changes while [`Header::MARK`] is the same.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Header {
    mark: u64,
    /// Zero if pfs is compiled out of the plugin, which then has nothing to offer.
    compiled_in: u64,
    /// What the plugin's pfs was built of, as UTF-8.
    build: *const u8,
    build_length: usize,
    /// How the plugin lays out what it shares with the program.
    layout: u64,
}

laid_out!(Header { mark, compiled_in, build, build_length, layout });

// SAFETY: the pointer is to text that is never written.
unsafe impl Send for Header {}
// SAFETY: as above.
unsafe impl Sync for Header {}

impl Header {
    const MARK: u64 = u64::from_le_bytes(*b"pfs.join");

    /// That of a plugin whose pfs was built so.
    #[cfg_attr(not(feature = "engine"), allow(dead_code, reason = "there is nothing to compare"))]
    pub(super) const fn new(build: &'static str, layout: u64) -> Self {
        Self { mark: Self::MARK, compiled_in: 1, build: build.as_ptr(), build_length: build.len(), layout }
    }

    /// That of a plugin without the engine.
    #[cfg_attr(feature = "engine", allow(dead_code, reason = "the engine is there"))]
    pub(super) const fn compiled_out() -> Self {
        Self { compiled_in: 0, ..Self::new("", 0) }
    }

    pub(super) fn is_marked(&self) -> bool {
        self.mark == Self::MARK
    }

    pub(super) fn is_compiled_in(&self) -> bool {
        self.compiled_in != 0
    }

    pub(super) fn build(&self) -> String {
        // SAFETY: `new` took both from a `&'static str`; what has the mark was made by it, as who joins promises.
        let build = unsafe { core::slice::from_raw_parts(self.build, self.build_length) };
        String::from_utf8_lossy(build).into_owned()
    }

    pub(super) fn layout(&self) -> u64 {
        self.layout
    }
}
