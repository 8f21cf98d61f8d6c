//! How `start` reaches the locks inside a static that an attribute names, to bind them to that static's class.
//!
//! Only what exists is visited: nothing is locked, and nothing lazy is made.

use std::sync::{self as raw, Arc};

use super::{Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock};
use crate::instance::Instance;

/// What holds instrumented objects, whose handles can be visited.
///
/// `Whose` is never said: it follows from the type. Where the objects inside are of another crate's type, with a part of
/// ours, it is a type of the crate that makes them so; else that crate could not implement a trait of this one for them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no instrumented object",
    label = "expected a `pfs::sync` `Mutex`, `RwLock`, `Condvar`, `Once` or `Barrier`, or an array, slice, `Vec`, \
             `Option`, `Box`, `Arc`, `OnceLock` or `LazyLock` of one"
)]
pub trait Instrumented<Whose = ()> {
    /// Calls `f` with each handle, in the order of memory.
    fn visit(&self, f: &mut dyn FnMut(&Instance));
}

impl<T: ?Sized> Instrumented for Mutex<T> {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        f(self.instance());
    }
}

impl<T: ?Sized> Instrumented for RwLock<T> {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        f(self.instance());
    }
}

impl Instrumented for Condvar {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        f(self.instance());
    }
}

impl Instrumented for Once {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        f(self.instance());
    }
}

impl Instrumented for Barrier {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        f(self.instance());
    }
}

impl<Whose, T: Instrumented<Whose>> Instrumented<Whose> for [T] {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        for element in self {
            element.visit(f);
        }
    }
}

impl<Whose, T: Instrumented<Whose>, const N: usize> Instrumented<Whose> for [T; N] {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        self.as_slice().visit(f);
    }
}

impl<Whose, T: Instrumented<Whose>> Instrumented<Whose> for Vec<T> {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        self.as_slice().visit(f);
    }
}

impl<Whose, T: Instrumented<Whose>> Instrumented<Whose> for Option<T> {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        self.as_slice().visit(f);
    }
}

impl<Whose, T: Instrumented<Whose> + ?Sized> Instrumented<Whose> for &T {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        T::visit(self, f);
    }
}

impl<Whose, T: Instrumented<Whose> + ?Sized> Instrumented<Whose> for Box<T> {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        T::visit(self, f);
    }
}

impl<Whose, T: Instrumented<Whose> + ?Sized> Instrumented<Whose> for Arc<T> {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        T::visit(self, f);
    }
}

// What is made later names what is in it, not itself: a macro where it is made does that.

impl<Whose, T: Instrumented<Whose>> Instrumented<Whose> for OnceLock<T> {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        self.get().visit(f);
    }
}

impl<Whose, T: Instrumented<Whose>, F> Instrumented<Whose> for LazyLock<T, F> {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        Self::get(self).visit(f);
    }
}

impl<Whose, T: Instrumented<Whose>> Instrumented<Whose> for raw::OnceLock<T> {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        self.get().visit(f);
    }
}

impl<Whose, T: Instrumented<Whose>, F> Instrumented<Whose> for raw::LazyLock<T, F> {
    fn visit(&self, f: &mut dyn FnMut(&Instance)) {
        Self::get(self).visit(f);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count<Whose>(what: &(impl Instrumented<Whose> + ?Sized)) -> usize {
        let mut seen = 0;
        what.visit(&mut |_| seen += 1);
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
    fn containers_visit_each_element_once() {
        assert_eq!(count(&[const { Mutex::new(0) }; 3]), 3);
        assert_eq!(count([Condvar::new(), Condvar::new()].as_slice()), 2);
        assert_eq!(count(&vec![Some(RwLock::new(0)), None, Some(RwLock::new(1))]), 2);
        assert_eq!(count(&Box::new([const { Mutex::new(0) }; 2])), 2);
        assert_eq!(count(&Arc::new(&Condvar::new())), 1);
        assert_eq!(count(&[] as &[Mutex<u8>]), 0);
    }

    #[test]
    fn a_lazy_value_is_not_made_by_a_visit() {
        macro_rules! lazy_and_once {
            ($lazy:ident, $once:ident) => {
                let once = $once::new();
                assert_eq!(count(&once), 0);
                assert!(once.set(Mutex::new(0)).is_ok());
                assert_eq!(count(&once), 1);

                let lazy = $lazy::new(|| Mutex::new(0));
                assert_eq!(count(&lazy), 0);
                assert_eq!(*lazy.lock().unwrap(), 0);
                assert_eq!(count(&lazy), 1);
            };
        }
        lazy_and_once!(LazyLock, OnceLock);
        use std::sync::{LazyLock as StdLazyLock, OnceLock as StdOnceLock};
        lazy_and_once!(StdLazyLock, StdOnceLock);
    }

    #[test]
    fn a_held_lock_is_visited_without_waiting() {
        let lock = Mutex::new(0);
        let _held = lock.lock().unwrap();
        assert_eq!(count(&lock), 1);
    }
}
