//! The context of a task, from its first attachment on.

use super::session::{Attached, Origin, Owned};
use crate::class::Class;
use crate::schema::process;
use core::mem::replace;

/// A task: a context that begins when it is first attached. It is whose the context was that brought it forth.
#[derive(Debug)]
pub struct Task {
    state: State,
}

#[derive(Debug)]
enum State {
    /// It was not attached yet.
    ToBegin(&'static Class, Origin),
    Runs(Owned),
    Ended,
}

impl Task {
    /// A task that the calling thread's context brings forth.
    pub fn new(class: &'static Class) -> Self {
        Self { state: State::ToBegin(class, Origin::here(process())) }
    }

    /// Makes this the calling OS thread's context until the value returned is dropped; `None` if it has ended.
    pub fn attach(&mut self) -> Option<Attached<'_>> {
        if let State::ToBegin(..) = self.state
            && let State::ToBegin(class, origin) = replace(&mut self.state, State::Ended)
        {
            self.state = State::Runs(Owned::task(process(), class, origin));
        }
        self.attach_again()
    }

    /// The same, but a task that was not attached yet stays so.
    pub fn attach_again(&mut self) -> Option<Attached<'_>> {
        if let State::Runs(owned) = &mut self.state { Some(owned.attach()) } else { None }
    }

    /// Ends the task, if it has not.
    pub fn end(&mut self) {
        self.state = State::Ended;
    }
}
