//! stat
