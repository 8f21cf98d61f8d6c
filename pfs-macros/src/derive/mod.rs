//! The derives: what each gives a type, and what their attributes on types, variants and fields say.

pub(crate) mod class;
pub(crate) mod instrument;
mod options;
