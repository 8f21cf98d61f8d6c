//! What must be the same in a program and a plugin, because each looks at memory that the other has laid out.
//!
//! What is listed here is what a pointer leads to, beginning with what the two give each other; what lies in it, lies
//! there with it. The compiler sees to it that nothing is left out: see [`laid_out`](crate::laid_out).

use super::meeting::{Program, Whole};
use crate::class::{Class, Instrument};
use crate::context::Door;
use crate::context::session::Owned;
use crate::digest::Tokens;
use crate::instance::{Instance, Statics, Visitor};
use crate::laid_out::{LaidOut, Listed, START, and};
use crate::model::{Actor, Context, Detail, Digest, Failure, Frame, Record, Savepoints, Slot, Source};
use crate::schema::Schema;
use crate::sequence::Sequence;
use crate::slots::Pins;
use crate::stat::{Histogram, Kept, Leaf, Moves, STAGE_FIELDS, STATEMENT_FIELDS, Shared, Sink, WAIT_FIELDS};

/// Sources and compiler: with the same ones, the same words mean the same.
pub(super) const BUILD: &str = env!("BUILD_OF_PFS");

macro_rules! listed {
    ({ $($type:ty),* $(,)? } $($row:ident of $($fields:ident),*;)*) => {
        $(impl Listed for $type {})*
        $(impl<const N: usize> Listed for $row<N> {})*

        const LISTED: &[u64] = &[
            $(<$type as LaidOut>::LAYOUT,)*
            $($(<$row<$fields> as LaidOut>::LAYOUT,)*)*
        ];
    };
}

listed! {
{
    // What the two give each other.
    Whole,
    Program,
    Door,
    Statics,
    // What has its own layout in objects of the one that the other uses.
    Instance,
    Visitor<'_>,
    Tokens<'_>,
    Owned,
    Class,
    Instrument,
    Schema,
    // What lies in the schema's mapping.
    Context,
    Actor,
    Frame,
    Record,
    Detail,
    Failure,
    Savepoints,
    Slot,
    Source,
    Sequence,
    Moves,
    Digest,
    Histogram,
    Pins,
}
    // Rows of so many fields.
    Kept of WAIT_FIELDS;
    Leaf of WAIT_FIELDS, STAGE_FIELDS, STATEMENT_FIELDS;
    Shared of WAIT_FIELDS, STAGE_FIELDS, STATEMENT_FIELDS;
    Sink of WAIT_FIELDS, STAGE_FIELDS, STATEMENT_FIELDS;
}

/// A hash of how that is laid out here.
pub(super) const LAYOUT: u64 = {
    let mut hash = START;
    let mut at = 0;
    while at < LISTED.len() {
        hash = and(hash, LISTED[at]);
        at += 1;
    }
    hash
};
