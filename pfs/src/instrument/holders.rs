//! What of std holds other objects: pointers, tuples, arrays, collections, cells that are written once.

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
        impl<T: Instrumented + ?Sized> Instrumented for $pointer {
            const HOLDS: Held = T::HOLDS;

            fn visit(&self, visitor: &mut Visitor<'_>) {
                T::visit(self, visitor);
            }
        }
    )+};
}
pointers!(&T, Box<T>, Arc<T>, Rc<T>);

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

impl<T: Instrumented> Instrumented for [T] {
    const HOLDS: Held = T::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.iter(), visitor);
    }
}

impl<T: Instrumented, const N: usize> Instrumented for [T; N] {
    const HOLDS: Held = T::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.iter(), visitor);
    }
}

impl<T: Instrumented> Instrumented for Vec<T> {
    const HOLDS: Held = T::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.iter(), visitor);
    }
}

impl<T: Instrumented> Instrumented for VecDeque<T> {
    const HOLDS: Held = T::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.iter(), visitor);
    }
}

impl<T: Instrumented> Instrumented for Option<T> {
    const HOLDS: Held = T::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        if let Some(object) = self {
            object.visit(visitor);
        }
    }
}

impl<K, V: Instrumented, S> Instrumented for HashMap<K, V, S> {
    const HOLDS: Held = V::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.values(), visitor);
    }
}

impl<K, V: Instrumented> Instrumented for BTreeMap<K, V> {
    const HOLDS: Held = V::HOLDS;

    fn visit(&self, visitor: &mut Visitor<'_>) {
        each(self.values(), visitor);
    }
}

macro_rules! written_once {
    ($($cell:ty: $($lazy:ident)?;)+) => {$(
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
