//! The iterators over a receiver's messages.

use core::fmt;
use core::iter::FusedIterator;

use super::Receiver;

/// Receives by blocking; made by [`Receiver::iter`].
pub struct Iter<'a, T> {
    pub(super) receiver: &'a Receiver<T>,
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline]
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

impl<T> FusedIterator for Iter<'_, T> {}

/// Receives what is there; made by [`Receiver::try_iter`].
pub struct TryIter<'a, T> {
    pub(super) receiver: &'a Receiver<T>,
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.receiver.try_recv().ok()
    }
}

/// Receives by blocking, from a receiver that it owns.
pub struct IntoIter<T> {
    pub(super) receiver: Receiver<T>,
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    #[inline]
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

impl<T> FusedIterator for IntoIter<T> {}

/// Text as crossbeam's, whatever the messages are.
macro_rules! text {
    ($($name:literal for $iterator:ty),*) => {$(
        impl<T> fmt::Debug for $iterator {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad($name)
            }
        }
    )*};
}
text! { "Iter { .. }" for Iter<'_, T>, "TryIter { .. }" for TryIter<'_, T>, "IntoIter { .. }" for IntoIter<T> }
