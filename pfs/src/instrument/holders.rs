//! What of std holds other objects: pointers, tuples, arrays, collections, cells that are written once.
//!
//! None of it is recommended where something else was expected: messages name the locks.

use super::{Held, Instrumented};
use pfs_runtime::instance::Visitor;
use std::cell::{LazyCell, OnceCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Deref;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, LazyLock, OnceLock};

macro_rules! pointers {
    ($($pointer:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Instrumented + ?Sized> Instrumented for $pointer {
            const HOLDS: Held = T::HOLDS;

            fn visit(&self, visitor: &mut Visitor<'_>) {
                T::visit(self, visitor);
            }
        }
    )+};
}
pointers!(&T, Box<T>, Arc<T>, Rc<T>);

#[diagnostic::do_not_recommend]
impl<P: Deref<Target: Instrumented>> Instrumented for Pin<P> {
    const HOLDS: Held = <P::Target as Instrumented>::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        self.as_ref().get_ref().visit(visitor);
    }
}

/// Shows what so many objects of one type hold.
fn each<'a, T: Instrumented + 'a>(objects: impl ExactSizeIterator<Item = &'a T>, visitor: &mut Visitor<'_>) {
    visitor.several(objects.len(), |visitor| objects.for_each(|object| object.visit(visitor)));
}

#[diagnostic::do_not_recommend]
impl<T: Instrumented> Instrumented for [T] {
    const HOLDS: Held = T::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.iter(), visitor);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Instrumented, const N: usize> Instrumented for [T; N] {
    const HOLDS: Held = T::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.iter(), visitor);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Instrumented> Instrumented for Vec<T> {
    const HOLDS: Held = T::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.iter(), visitor);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Instrumented> Instrumented for VecDeque<T> {
    const HOLDS: Held = T::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.iter(), visitor);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Instrumented> Instrumented for Option<T> {
    const HOLDS: Held = T::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        if let Some(object) = self {
            object.visit(visitor);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<K, V: Instrumented, S> Instrumented for HashMap<K, V, S> {
    const HOLDS: Held = V::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.values(), visitor);
    }
}

#[diagnostic::do_not_recommend]
impl<K, V: Instrumented> Instrumented for BTreeMap<K, V> {
    const HOLDS: Held = V::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.values(), visitor);
    }
}

macro_rules! written_once {
    ($($cell:ty: $($lazy:ident)?;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Instrumented $(, $lazy)?> Instrumented for $cell {
            const HOLDS: Held = T::HOLDS;

            fn visit(&self, visitor: &mut Visitor<'_>) {
                match <$cell>::get(self) {
                    Some(object) => object.visit(visitor),
                    None => visitor.unmade(),
                }
            }
        }
    )+};
}
pub(super) use written_once;

written_once! {
    OnceLock<T>: ;
    OnceCell<T>: ;
    LazyLock<T, F>: F;
    LazyCell<T, F>: F;
}

macro_rules! tuples {
    ($($($part:ident)+;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($part: Instrumented),+> Instrumented for ($($part,)+) {
            const HOLDS: Held = Held::NOTHING$(.and($part::HOLDS))+;

            fn visit(&self, visitor: &mut Visitor<'_>) {
                #[expect(non_snake_case, reason = "a part is called as its type")]
                let ($($part,)+) = self;
                $($part.visit(visitor);)+
            }
        }
    )+};
}
tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}

#[cfg(all(test, feature = "engine"))]
mod tests {
    use super::*;
    use pfs_runtime::sync::{self as ours, Barrier, Condvar, Mutex, Once, RwLock};

    /// How many instances are shown, and whether something is not there yet.
    fn shown(what: &(impl Instrumented + ?Sized)) -> (usize, bool) {
        let mut seen = 0;
        let mut each = |_: &_, _: Option<&_>| seen += 1;
        let mut visitor = Visitor::new(&mut each);
        what.visit(&mut visitor);
        let unmade = visitor.saw_unmade();
        (seen, unmade)
    }

    fn count(what: &(impl Instrumented + ?Sized)) -> usize {
        let (seen, unmade) = shown(what);
        assert!(!unmade);
        seen
    }

    #[test]
    fn each_lock_is_one_instance() {
        assert_eq!(count(&Mutex::new(1)), 1);
        assert_eq!(count(&RwLock::new("text")), 1);
        assert_eq!(count(&Condvar::new()), 1);
        assert_eq!(count(&Once::new()), 1);
        assert_eq!(count(&Barrier::new(2)), 1);
        let unsized_lock: &Mutex<[i32]> = &Mutex::new([1, 2]);
        assert_eq!(count(unsized_lock), 1);
    }

    #[test]
    fn containers_show_each_element_once() {
        assert_eq!(count(&[const { Mutex::new(0) }; 3]), 3);
        assert_eq!(count([Condvar::new(), Condvar::new()].as_slice()), 2);
        assert_eq!(count(&vec![Some(RwLock::new(0)), None, Some(RwLock::new(1))]), 2);
        assert_eq!(count(&VecDeque::from([Box::new([const { Mutex::new(0) }; 2])])), 2);
        assert_eq!(count(&(Arc::new(&Condvar::new()), Rc::new(Mutex::new(0)), Box::pin(RwLock::new(0)))), 3);
        assert_eq!(count(&HashMap::from([(1, Mutex::new(0)), (2, Mutex::new(0))])), 2);
        assert_eq!(count(&BTreeMap::from([("a", (Mutex::new(0), RwLock::new(1)))])), 2);
        assert_eq!(count(&[] as &[Mutex<u8>]), 0);
    }

    #[test]
    fn what_is_held_is_known_by_the_type() {
        fn held<T: Instrumented + ?Sized>() -> Held {
            T::HOLDS
        }
        assert_eq!(held::<[Option<Mutex<u8>>]>(), Held::MUTEXES);
        assert_eq!(held::<Box<(RwLock<u8>, Vec<Condvar>)>>(), Held::RWLOCKS.and(Held::CONDS));
        assert_eq!(held::<ours::LazyLock<HashMap<u8, Barrier>>>(), Held::CONDS);
    }

    #[test]
    fn a_lazy_value_is_not_made_by_a_visit() {
        macro_rules! lazy_and_once {
            ($lazy:ty, $once:ty) => {
                let once = <$once>::new();
                assert_eq!(shown(&once), (0, true));
                assert!(once.set(Mutex::new(0)).is_ok());
                assert_eq!(shown(&once), (1, false));

                let lazy = <$lazy>::new(|| Mutex::new(0));
                assert_eq!(shown(&lazy), (0, true));
                assert_eq!(*lazy.lock().unwrap(), 0);
                assert_eq!(shown(&lazy), (1, false));
            };
        }
        lazy_and_once!(ours::LazyLock<Mutex<u8>>, ours::OnceLock<Mutex<u8>>);
        lazy_and_once!(LazyLock<Mutex<u8>>, OnceLock<Mutex<u8>>);
        lazy_and_once!(LazyCell<Mutex<u8>>, OnceCell<Mutex<u8>>);
    }

    #[test]
    fn what_is_unmade_is_told_of_few_and_not_of_many() {
        let cells = |count: usize| (0..count).map(|_| OnceLock::<Mutex<u8>>::new()).collect::<Vec<_>>();
        assert_eq!(shown(&cells(64)), (0, true));
        assert_eq!(shown(&cells(65)), (0, false));
        assert_eq!(shown(&(cells(65), cells(1))), (0, true));
        assert_eq!(shown(&(cells(1), cells(65))), (0, true));
    }

    #[test]
    fn a_held_lock_is_shown_without_waiting() {
        let lock = Mutex::new(0);
        let _held = lock.lock().unwrap();
        assert_eq!(count(&lock), 1);
    }
}
