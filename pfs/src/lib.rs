//! pfs
