//! The procedural macros of pfs: only the entry points stand here, one file a macro beside it.
