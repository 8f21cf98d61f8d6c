//! A list that only grows: read without a lock while someone appends to it.

use core::iter::successors;
use std::sync::OnceLock;

/// A list whose elements stay where they are. Who reads it sees those that were appended before.
#[derive(Debug)]
pub(crate) struct Appended<T> {
    first: Link<T>,
}

#[cfg(feature = "engine")]
impl<T: crate::laid_out::LaidOut> crate::laid_out::LaidOut for Appended<T> {
    // By hand: a node holds the next.
    const LAYOUT: u64 = {
        let hash =
            crate::laid_out::and(crate::laid_out::opaque::<Self>(), crate::laid_out::opaque::<Node<T>>());
        crate::laid_out::and(hash, T::LAYOUT)
    };
}

type Link<T> = OnceLock<Box<Node<T>>>;

#[derive(Debug)]
struct Node<T> {
    value: T,
    next: Link<T>,
}

impl<T> Appended<T> {
    pub(crate) const fn new() -> Self {
        Self { first: OnceLock::new() }
    }

    fn nodes(&self) -> impl Iterator<Item = &Node<T>> + Clone {
        successors(self.first.get(), |node| node.next.get()).map(|node| &**node)
    }

    /// The elements, in the order in which they came.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.nodes().map(|node| &node.value)
    }

    /// Appends an element behind all others.
    pub(crate) fn push(&self, value: T) {
        let mut node = Box::new(Node { value, next: OnceLock::new() });
        let mut end = self.nodes().last().map_or(&self.first, |node| &node.next);
        // Another thread may have appended first.
        while let Err(mine) = end.set(node) {
            node = mine;
            end = end.get().map_or(end, |node| &node.next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_in_their_order_and_where_they_are() {
        let list = Appended::new();
        assert_eq!(list.iter().next(), None);
        list.push(7);
        let first: *const u32 = list.iter().next().unwrap();
        list.push(8);
        assert_eq!(list.iter().copied().collect::<Vec<_>>(), [7, 8]);
        assert!(core::ptr::eq(first, list.iter().next().unwrap()));
    }

    #[test]
    fn nothing_that_threads_append_at_once_is_lost() {
        let list = Appended::new();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let list = &list;
                scope.spawn(move || {
                    for at in 0..500 {
                        list.push((thread, at));
                    }
                });
            }
            let mut seen = 0;
            while seen < 2000 {
                let now = list.iter().count();
                assert!(now >= seen);
                seen = now;
            }
        });
        for thread in 0..4 {
            let of_it = list.iter().filter(|(by, _)| *by == thread).map(|(_, at)| *at);
            assert!(of_it.eq(0..500));
        }
    }
}
