//! How a plugin and a program meet: what the plugin offers, what the program checks, and what each then gives the other.

use super::fingerprint::{BUILD, LAYOUT};
use super::pin::pin;
use super::{Entry, Header, JoinError, Joined, Offer};
use crate::class::{Class, NotLinked, fresh, own_classes};
use crate::clock::FirstReading;
use crate::context::{DOOR, Door, is_plugin, open};
use crate::instance::{LISTED_HERE, OF_ALL, Statics, add_statics, bind_statics};
use crate::schema::{Schema, joining, process, share};
use core::ptr::null;

/// An offer with what only who is built of the same can read.
#[repr(C)]
pub(super) struct Whole {
    offer: Offer,
    classes: fn() -> Result<&'static [&'static Class], NotLinked>,
    fresh: fn(usize) -> Option<&'static Class>,
    statics: &'static Statics,
    schema: fn() -> *const Schema,
    meet: fn(&Program) -> bool,
}

laid_out!(Whole { offer, classes, fresh, statics, schema, meet });
laid_out!(fn fn() -> Result<&'static [&'static Class], NotLinked>, Class);
laid_out!(fn fn(usize) -> Option<&'static Class>, Class);
laid_out!(fn fn() -> *const Schema, Schema);
laid_out!(fn fn(&Program) -> bool, Program);

/// What a program gives its plugins.
pub(super) struct Program {
    schema: &'static Schema,
    door: &'static Door,
    statics: &'static Statics,
    first_reading: FirstReading,
}

laid_out!(Program { schema, door, statics, first_reading });

static WHOLE: Whole = Whole {
    offer: Offer(Header::new(BUILD, LAYOUT)),
    classes: own_classes,
    fresh,
    statics: &LISTED_HERE,
    schema: schema_here,
    meet,
};

/// What this library offers to a program that has loaded it.
pub fn offer() -> *const Offer {
    (&raw const WHOLE).cast()
}

/// The classes of objects whose own is not found yet, one by one: no memory of the plugin's allocator leaves it.
fn fresh(at: usize) -> Option<&'static Class> {
    fresh::all().nth(at)
}

fn schema_here() -> *const Schema {
    process().map_or(null(), core::ptr::from_ref)
}

/// In the plugin: makes what is the program's its own. False, and nothing has changed, if it has something of its own.
fn meet(program: &Program) -> bool {
    let shared = share(program.schema, || {
        program.first_reading.share();
        open(program.door);
    });
    if shared {
        bind_statics();
        add_statics(program.statics);
    }
    shared
}

/// Whether this is a plugin that has joined.
pub(crate) fn has_joined() -> bool {
    is_plugin()
}

/// In the program: lets a plugin join.
///
/// # Safety
///
/// `entry` is the function that `pfs::plugin!` made in a library that is never unloaded.
pub(crate) unsafe fn join(schema: &'static Schema, entry: Entry) -> Result<Joined, JoinError> {
    if is_plugin() {
        return Err(JoinError::FromPlugin);
    }
    let offer = entry();
    // SAFETY: the caller's promise: it is null at worst, or begins with a header, whose fields are those of any pfs that
    // has the mark.
    let header = unsafe { offer.as_ref() }.map(|offer| &offer.0).filter(|header| header.is_marked());
    let header = header.ok_or(JoinError::NotAnOffer)?;
    if !header.is_compiled_in() {
        return Ok(Joined::default());
    }
    let plugin = header.build();
    if plugin != BUILD {
        return Err(JoinError::OtherBuild { program: BUILD.to_owned(), plugin });
    }
    if header.layout() != LAYOUT {
        return Err(JoinError::OtherLayout);
    }
    if core::ptr::eq(offer, self::offer()) {
        return Err(JoinError::NoPlugin);
    }
    // SAFETY: a pfs that is built of the same and laid out the same has made this offer, a static of a library that is
    // never unloaded.
    let offer: &'static Whole = unsafe { &*offer.cast() };
    let classes = (offer.classes)()?;
    let _joining = joining();
    let schema_there = (offer.schema)();
    if core::ptr::eq(schema_there, schema) {
        return Err(JoinError::AlreadyJoined);
    }
    let program = Program { schema, door: &DOOR, statics: &OF_ALL, first_reading: FirstReading::here() };
    if !(offer.meet)(&program) {
        return Err(JoinError::StartedItself);
    }
    pin(entry);
    // Before any of its classes has a word: the first events of its objects find these.
    add_statics(offer.statics);
    let taken = schema.take_in(classes.iter().copied(), (0..).map_while(offer.fresh));
    Ok(Joined { classes: taken.classes, lost: taken.lost })
}
