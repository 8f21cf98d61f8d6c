//! The records that the schema's buffers hold: contexts, events, instances. Data and its layout, no behaviour.
//!
//! Everything here may lie in zeroed memory that several threads look at: every field is an atomic, and all-zero
//! is a valid value of every type.

mod actor;
mod context;
mod detail;
mod digest;
mod failure;
mod frame;
mod operation;
mod slot;
mod transaction;

pub use actor::{Actor, HOST_BYTES, Name, USER_BYTES};
pub use context::{Context, Frames, Ring};
pub use detail::{Detail, SCHEMA_WORDS};
pub use digest::{Digest, Sample};
pub use failure::{ErrorText, Failure, MESSAGE_WORDS};
pub use frame::{Ending, Frame, FrameWord, Meta, Nesting, NestingType, Record};
pub use operation::Operation;
pub use slot::{Slot, Source};
pub use transaction::{Characteristics, Isolation, Savepoint, Savepoints};

/// A place in the source.
pub type Site = &'static core::panic::Location<'static>;
