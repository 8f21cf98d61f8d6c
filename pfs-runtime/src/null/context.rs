//! Contexts where the engine is compiled out: there are none, so that nothing is registered, attached or ended.

#![allow(clippy::unused_self, reason = "the signatures are those of the engine")]

pub mod thread {
    //! OS threads, none of which has a context.

    use crate::class::Class;

    /// The `THREAD_ID` of the calling OS thread's context, which it does not have.
    pub fn current_id() -> Option<u64> {
        None
    }

    /// Ends nothing.
    pub fn end_open_events() -> usize {
        0
    }

    /// Registers nothing.
    pub fn enter(_: &'static Class, _: Option<u64>) {}

    /// What a thread that is about to be spawned is registered as: nothing.
    #[derive(Clone, Copy, Debug)]
    pub struct Newcomer(());

    impl Newcomer {
        /// A thread of any class.
        #[inline(always)]
        pub const fn new(_: &'static Class) -> Self {
            Self(())
        }

        /// What the new thread does first, which is nothing.
        #[inline(always)]
        pub fn entry(self) -> impl Fn() + Copy + Send + Sync + 'static {
            || ()
        }
    }
}

pub mod fork {
    //! Forks, after which nothing is to be done.

    pub(crate) fn watch() {}

    /// Does nothing.
    pub fn after_fork() {}
}

pub mod session {
    //! Sessions without a context.

    use crate::class::Class;
    use crate::schema::{Schema, Who};
    use core::marker::PhantomData;

    /// A session that has no row.
    #[derive(Debug)]
    pub struct Owned(());

    impl Owned {
        /// A session of any class.
        #[inline(always)]
        pub fn new(_: Option<&'static Schema>, _: &'static Class) -> Self {
            Self(())
        }

        /// The session's `THREAD_ID`, which it does not have.
        pub fn thread_id(&self) -> Option<u64> {
            None
        }

        /// The session's `PROCESSLIST_ID`, which it does not have.
        pub fn processlist_id(&self) -> Option<u64> {
            None
        }

        /// Makes the session nobody's, which it is.
        #[inline(always)]
        pub fn change_actor(&mut self, _: Who<'_>) {}

        /// Attaches nothing.
        #[inline(always)]
        pub fn attach(&mut self) -> Attached<'_> {
            Attached(PhantomData)
        }
    }

    // A session ends when it is dropped, and whoever says so, as by `drop(session)`, is linted as with the engine.
    impl Drop for Owned {
        #[inline(always)]
        fn drop(&mut self) {}
    }

    /// `THREAD_ID` and `PROCESSLIST_ID` of the session that is attached, of which there is none.
    pub fn running() -> Option<(u64, u64)> {
        None
    }

    /// Stands for an attachment: it borrows the session and stays on its thread as one does.
    #[derive(Debug)]
    #[must_use = "dropping this detaches the session"]
    pub struct Attached<'a>(PhantomData<(&'a mut Owned, *const ())>);

    // Code that borrows a session for too long does not compile with the engine, and so it must not without.
    impl Drop for Attached<'_> {
        #[inline(always)]
        fn drop(&mut self) {}
    }
}

pub mod task {
    //! Tasks without a context.

    use super::session::Attached;
    use crate::class::Class;

    /// A task that has no row.
    #[derive(Debug)]
    pub struct Task(());

    impl Task {
        /// A task of any class.
        #[inline(always)]
        pub fn new(_: &'static Class) -> Self {
            Self(())
        }

        /// Attaches nothing.
        #[inline(always)]
        pub fn attach(&mut self) -> Option<Attached<'_>> {
            None
        }

        /// Attaches nothing.
        #[inline(always)]
        pub fn attach_again(&mut self) -> Option<Attached<'_>> {
            None
        }

        /// Ends nothing.
        #[inline(always)]
        pub fn end(&mut self) {}
    }
}
