//! Sessions of the plugin, and of the program where the plugin attaches them.

use crate::{Within, lock};
use pfs::session::Session;

fn session() -> Session {
    Session::of(pfs::thread_class!("plugin/session"))
}

/// Acquires the plugin's lock in a session of its own, with what the program does there; gives its `THREAD_ID`.
#[unsafe(no_mangle)]
pub extern "C" fn serve(within: Within) -> u64 {
    let mut session = session();
    let attached = session.attach();
    lock(1);
    within();
    drop(attached);
    session.thread_id().unwrap_or(0)
}

/// Attaches a session of the program's, and does the same there.
///
/// # Safety
///
/// `session` is one, and nobody else's meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn serve_in(session: *mut Session, within: Within) {
    // SAFETY: as the caller promises; program and plugin are built of the same.
    let session = unsafe { &mut *session };
    let _attached = session.attach();
    lock(1);
    within();
}

/// Attaches two sessions, leaves the outer one first, and does something in the program at each step.
#[unsafe(no_mangle)]
pub extern "C" fn overlap(within: Within) {
    let (mut outer, mut inner) = (session(), session());
    let outer_attached = outer.attach();
    within();
    let inner_attached = inner.attach();
    within();
    drop(outer_attached);
    within();
    drop(inner_attached);
    within();
}

/// A session of the plugin's for the program to attach.
#[unsafe(no_mangle)]
pub extern "C" fn new_session() -> *mut Session {
    Box::into_raw(Box::new(session()))
}

/// Ends it.
///
/// # Safety
///
/// `session` was made by [`new_session`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn end_session(session: *mut Session) {
    // SAFETY: as the caller promises.
    drop(unsafe { Box::from_raw(session) });
}
