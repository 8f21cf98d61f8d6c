//! Threads of the plugin.

use crate::{Within, lock};

/// Acquires the plugin's lock on a thread of a class of the plugin's, with what the program does there.
#[unsafe(no_mangle)]
pub extern "C" fn spawn(within: Within) {
    let worker = pfs::thread_class!("plugin/worker").spawn(move || {
        lock(2);
        within();
    });
    worker.join().unwrap();
}

/// The same on a thread that std spawns, whose first event is the plugin's.
#[unsafe(no_mangle)]
pub extern "C" fn spawn_by_std(within: Within) {
    let thread = std::thread::spawn(move || {
        lock(2);
        within();
    });
    thread.join().unwrap();
}

/// What is dropped with its thread acquires the plugin's lock.
struct AtTheEnd;

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        lock(1);
    }
}

/// Acquires the plugin's lock on a thread, and once more when the thread's locals are dropped: after pfs has left the
/// thread if `first`, which makes the local before the thread's first event, else before.
#[unsafe(no_mangle)]
pub extern "C" fn drop_late(first: bool) {
    thread_local! {
        static AT_THE_END: AtTheEnd = const { AtTheEnd };
    }
    let use_local = || AT_THE_END.with(|_| ());
    let thread = std::thread::spawn(move || {
        if first {
            use_local();
        }
        lock(1);
        if !first {
            use_local();
        }
    });
    thread.join().unwrap();
}
