//! Putting together what living objects hold and what ended ones left behind, while objects end.

use super::{Life, Living};

/// Reads what was left behind so that together with what is `held` nothing is seen twice or not at all.
///
/// An object that ends moves what it holds to where it is left, within the change of its life. Each of `held` was read in
/// the life that stands beside it. What was left is read last; then those that have ended meanwhile are taken out, for what
/// they held has been left, and what was left is read again. Each time there are fewer, so that it ends. What new objects
/// hold is not looked for; a later reader sees it.
///
/// `None` if an end took longer than it reasonably may.
pub fn gather<T, L>(held: &mut Vec<(&Life, Living, T)>, mut left: impl FnMut() -> L) -> Option<L> {
    loop {
        let found = left();
        let before = held.len();
        let mut settled = true;
        held.retain(|(life, living, _)| {
            let lives = life.same(*living, ()).is_some();
            settled &= lives || life.settled();
            lives
        });
        if !settled {
            return None;
        }
        if held.len() == before {
            return Some(found);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_ends_meanwhile_is_read_where_it_was_left() {
        let lives = [Life::new(), Life::new()];
        lives.iter().for_each(Life::begin);
        let mut held: Vec<_> =
            lives.iter().zip([5, 7]).map(|(life, holds)| (life, life.living().unwrap(), holds)).collect();
        let mut reads = 0;
        let found = gather(&mut held, || {
            reads += 1;
            if reads == 1 {
                lives[0].change();
                lives[0].end();
            }
            reads * 100
        });
        assert_eq!(found, Some(200));
        assert_eq!(held.iter().map(|(.., holds)| *holds).collect::<Vec<_>>(), [7]);
    }

    #[test]
    fn an_end_that_does_not_come_is_not_waited_for() {
        let life = Life::new();
        life.begin();
        let mut held = vec![(&life, life.living().unwrap(), ())];
        life.change();
        assert_eq!(gather(&mut held, || 0), None);
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use crate::atomic::{AtomicU64, Ordering};
    use crate::loom_models::{check, reads_in_order};
    use loom::sync::Arc;
    use loom::thread;

    /// An object in a slot, and what its predecessors left.
    struct Slot {
        life: Life,
        holds: AtomicU64,
        left: AtomicU64,
    }

    impl Slot {
        fn begin(&self) {
            self.life.change();
            self.life.begin();
        }

        fn count(&self, by: u64) {
            self.holds.store(self.holds.load(Ordering::Relaxed) + by, Ordering::Relaxed);
        }

        fn end(&self) {
            self.life.change();
            self.left.fetch_add(self.holds.load(Ordering::Relaxed), Ordering::Relaxed);
            self.holds.store(0, Ordering::Relaxed);
            self.life.end();
        }

        fn read(&self) -> Option<u64> {
            let mut held = Vec::new();
            if let Some(living) = self.life.settled_life()? {
                let holds = self.holds.load(Ordering::Relaxed);
                if self.life.same(living, ()).is_some() {
                    held.push((&self.life, living, holds));
                } else {
                    self.life.settled().then_some(())?;
                }
            }
            let left = gather(&mut held, || self.left.load(Ordering::Relaxed))?;
            Some(left + held.iter().map(|(.., holds)| holds).sum::<u64>())
        }
    }

    #[test]
    fn what_an_object_leaves_is_seen_once() {
        check(2, || {
            let slot =
                Arc::new(Slot { life: Life::new(), holds: AtomicU64::new(0), left: AtomicU64::new(0) });
            slot.begin();
            slot.count(5);
            let reader = thread::spawn({
                let slot = slot.clone();
                move || reads_in_order(&[5, 8, 10], || slot.read())
            });
            slot.count(3);
            slot.end();
            slot.begin();
            slot.count(2);
            reader.join().unwrap();
            assert_eq!(slot.read(), Some(10));
        });
    }
}
