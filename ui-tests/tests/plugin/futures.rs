//! Statements of a plugin's futures, in tasks and in sessions of the program's.

use crate::library::{FIRST, Plugin};
use crate::{
    LOCK_OF_PLUGIN, LOCK_OF_PROGRAM, config, count, count_in, in_a_process, lock, see, seen, thread_id,
};
use pfs::Pfs;
use pfs::session::Session;

type Run = extern "C" fn(extern "C" fn(), extern "C" fn());

fn joined() -> (Pfs, Plugin) {
    let (pfs, plugin) =
        (config().consumer("events_statements_history", true).start().unwrap(), FIRST.plugin());
    assert_eq!(plugin.join(pfs).unwrap().lost, 0);
    (pfs, plugin)
}

extern "C" fn lock_and_see() {
    lock();
    see();
}

#[test]
fn a_future_outside_any_session_is_a_task() {
    in_a_process("futures::a_future_outside_any_session_is_a_task", &[], || {
        let (pfs, plugin) = joined();
        let thread = thread_id();
        plugin.get::<Run>("run")(lock_and_see, see);
        let seen = seen();
        // In the task, out of it, and in it again.
        let task = seen[0];
        assert!(task.is_some() && task != thread);
        assert_eq!(seen, [task, thread, task]);
        assert_eq!((count(pfs, LOCK_OF_PLUGIN), count(pfs, LOCK_OF_PROGRAM)), (2, 2));
        assert_eq!(count_in(pfs, thread.unwrap(), LOCK_OF_PLUGIN), 0);
        assert_eq!(count(pfs, "statement/plugin/async"), 1);
        assert_eq!(pfs.threads().count(), 1);
    });
}

#[test]
fn a_future_is_the_session_s_that_the_program_attached() {
    in_a_process("futures::a_future_is_the_session_s_that_the_program_attached", &[], || {
        let (pfs, plugin) = joined();
        let mut session = Session::new();
        let id = session.thread_id();
        {
            let _attached = session.attach();
            plugin.get::<Run>("run")(lock_and_see, lock_and_see);
        }
        assert_eq!(seen(), [id; 3]);
        let id = id.unwrap();
        assert_eq!((count_in(pfs, id, LOCK_OF_PLUGIN), count_in(pfs, id, LOCK_OF_PROGRAM)), (2, 3));
        let statements: Vec<_> =
            pfs.events_statements_history().map(|row| (row.thread_id, row.event_name)).collect();
        assert_eq!(statements, [(id, "statement/plugin/async")]);
    });
}

#[test]
fn a_future_goes_with_the_plugin_s_session() {
    in_a_process("futures::a_future_goes_with_the_plugin_s_session", &[], || {
        let (pfs, plugin) = joined();
        plugin.get::<extern "C" fn(extern "C" fn())>("run_in_a_session")(lock_and_see);
        let seen = seen();
        assert!(seen[0].is_some() && seen[0] != thread_id());
        assert_eq!(seen, [seen[0]; 3]);
        assert_eq!((count(pfs, LOCK_OF_PLUGIN), count(pfs, LOCK_OF_PROGRAM)), (3, 3));
        // One completed, one was dropped while its session was nowhere.
        assert_eq!(count(pfs, "statement/plugin/async"), 2);
        assert_eq!((thread_id(), pfs.threads().count()), (Some(1), 1));
    });
}
