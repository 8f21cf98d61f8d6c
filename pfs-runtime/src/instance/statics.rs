//! Statics that an attribute names: listed at link time, their instances named at `start` or at their first event.

use super::list::statics;
use super::{Instance, Visitor};
use crate::class::{Appended, Class, fresh};
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

/// Shows each instance of a static to a visitor.
pub type Visit = fn(&mut Visitor<'_>);

/// A named static, where it lies, and the way to its instances.
#[derive(Debug)]
pub struct NamedStatic {
    class: Option<&'static Class>,
    place: fn() -> Range<usize>,
    visit: Visit,
}

impl NamedStatic {
    /// The instances in `place`, and those that `visit` shows: named by `class`, or where there is none, each by the
    /// class that its type has for it.
    pub const fn new(class: Option<&'static Class>, place: fn() -> Range<usize>, visit: Visit) -> Self {
        Self { class, place, visit }
    }

    /// Names what `visit` shows; tells whether that was all.
    fn name(&self, visit: impl FnOnce(&mut Visitor<'_>)) -> bool {
        let mut each = |instance: &Instance, own: Option<&'static Class>| {
            if let Some(class) = self.class.or(own) {
                instance.name(class);
            }
        };
        let mut visitor = Visitor::new(&mut each);
        visit(&mut visitor);
        !visitor.saw_unmade()
    }
}

/// The addresses of a static.
pub fn place_of<T>(held: *const T) -> Range<usize> {
    held.addr()..held.addr() + size_of::<T>()
}

/// A named static of the running program.
struct Placed {
    place: Range<usize>,
    named: &'static NamedStatic,
    /// It holds something that was not made yet when it was last looked at.
    unmade: AtomicBool,
}

/// The named statics, sorted by address, once the program has started.
static PLACED: OnceLock<Vec<Placed>> = OnceLock::new();
/// Those of them that something was unmade in then.
static UNMADE: OnceLock<Vec<&Placed>> = OnceLock::new();

/// Those that lie at `address`: more than one if several attributes name one static.
fn at(address: usize) -> impl Iterator<Item = &'static Placed> {
    let placed = PLACED.get().map_or(&[][..], Vec::as_slice);
    let before = placed.partition_point(|placed| placed.place.start <= address);
    placed[..before].iter().rev().take_while(move |placed| placed.place.contains(&address))
}

/// Names the instances of all named statics by their classes, and remembers where those lie.
pub fn bind_statics() {
    let placed = PLACED.get_or_init(|| {
        let placed = statics().map(|named| {
            let unmade = AtomicBool::new(!named.name(named.visit));
            Placed { place: (named.place)(), named, unmade }
        });
        // What has no size holds nothing, and may lie where another static begins.
        let mut placed: Vec<_> = placed.filter(|placed| !placed.place.is_empty()).collect();
        placed.sort_by_key(|placed| placed.place.start);
        placed
    });
    UNMADE.get_or_init(|| placed.iter().filter(|placed| placed.is_unmade()).collect());
}

/// Shows each instance of a value to a visitor.
type VisitMade<'a> = &'a dyn Fn(&mut Visitor<'_>);

/// A way to the named statics that are listed somewhere. Program and plugins have lists of their own, and code of one makes
/// and uses what statics of another hold.
#[derive(Debug)]
pub(crate) struct Statics {
    find: fn(&Instance),
    name_made: fn(usize, VisitMade<'_>),
}

laid_out!(Statics { find, name_made });
laid_out!(fn fn(&Instance), Instance);
laid_out!(fn fn(usize, VisitMade<'_>), Visitor<'_>);

/// Those that are listed here: what a plugin shows its program.
pub(crate) static LISTED_HERE: Statics = Statics { find: find_here, name_made: name_made_here };

/// Those of this program and of its plugins: what it shows them.
pub(crate) static OF_ALL: Statics = Statics { find, name_made: name_made_anywhere };

/// Those that are listed elsewhere, once that is known.
static ELSEWHERE: Appended<&'static Statics> = Appended::new();

/// Makes statics that are listed elsewhere known here.
pub(crate) fn add_statics(statics: &'static Statics) {
    ELSEWHERE.push(statics);
}

/// Names an instance that no visit has come to, if a named static holds it: in itself, which its address tells, or on
/// the heap, through something that was made since the last visit.
pub(super) fn find(instance: &Instance) {
    find_here(instance);
    for statics in ELSEWHERE.iter() {
        if fresh::unnamed(instance.class()).is_none() {
            return;
        }
        (statics.find)(instance);
    }
}

fn find_here(instance: &Instance) {
    let address = core::ptr::from_ref(instance).addr();
    for held in at(address) {
        match held.named.class {
            Some(class) => instance.name(class),
            None => held.look(),
        }
    }
    for held in UNMADE.get().into_iter().flatten().filter(|held| held.is_unmade()) {
        held.look();
    }
}

impl Placed {
    fn is_unmade(&self) -> bool {
        self.unmade.load(Ordering::Acquire)
    }

    /// Visits the static once more.
    ///
    /// Release: who finds that nothing is unmade finds the names too.
    fn look(&self) {
        if self.named.name(self.named.visit) {
            self.unmade.store(false, Ordering::Release);
        }
    }
}

/// Names what `visit` shows of a value that is about to be put into the named static that lies at `address`.
pub fn name_made(address: usize, visit: impl Fn(&mut Visitor<'_>)) {
    name_made_anywhere(address, &visit);
}

fn name_made_anywhere(address: usize, visit: VisitMade<'_>) {
    name_made_here(address, visit);
    ELSEWHERE.iter().for_each(|statics| (statics.name_made)(address, visit));
}

fn name_made_here(address: usize, visit: VisitMade<'_>) {
    for held in at(address) {
        held.named.name(visit);
    }
}
