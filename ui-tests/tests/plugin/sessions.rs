//! Sessions, made on either side and attached on either side: the thread has one context, whoever asks.

use crate::library::{FIRST, Plugin};
use crate::{
    LOCK_OF_PLUGIN, LOCK_OF_PROGRAM, config, count, count_in, in_a_process, lock, see, seen, thread_id,
};
use pfs::Pfs;
use pfs::session::Session;

fn joined() -> (Pfs, Plugin) {
    let (pfs, plugin) = (config().start().unwrap(), FIRST.plugin());
    assert_eq!(plugin.join(pfs).unwrap().lost, 0);
    (pfs, plugin)
}

extern "C" fn lock_and_see() {
    lock();
    see();
}

#[test]
fn what_a_plugin_does_is_the_session_s_that_the_program_attached() {
    in_a_process("sessions::what_a_plugin_does_is_the_session_s_that_the_program_attached", &[], || {
        let (pfs, plugin) = joined();
        let thread = thread_id().unwrap();
        let mut session = Session::new();
        let id = session.thread_id().unwrap();
        {
            let _attached = session.attach();
            plugin.times("lock", 3);
            plugin.within("query", lock_and_see);
        }
        plugin.times("lock", 1);
        assert_eq!(seen(), [Some(id)]);
        assert_eq!((count_in(pfs, id, LOCK_OF_PLUGIN), count_in(pfs, thread, LOCK_OF_PLUGIN)), (4, 1));
        assert_eq!((count_in(pfs, id, LOCK_OF_PROGRAM), count_in(pfs, thread, LOCK_OF_PROGRAM)), (1, 0));
        drop(session);
        assert_eq!(count(pfs, LOCK_OF_PLUGIN), 5);
    });
}

#[test]
fn what_the_program_does_is_the_session_s_that_the_plugin_attached() {
    in_a_process("sessions::what_the_program_does_is_the_session_s_that_the_plugin_attached", &[], || {
        let (pfs, plugin) = joined();
        let thread = thread_id().unwrap();
        let serve = plugin.get::<extern "C" fn(extern "C" fn()) -> u64>("serve");
        extern "C" fn look() {
            lock_and_see();
            let pfs = pfs::current().unwrap();
            let id = thread_id().unwrap();
            assert_eq!(count_in(pfs, id, LOCK_OF_PLUGIN), 1);
            assert_eq!(count_in(pfs, id, LOCK_OF_PROGRAM), 1);
            let row = pfs.threads().find(|row| row.thread_id == id).unwrap();
            assert_eq!((row.name, row.processlist_id), ("thread/plugin/session", Some(1)));
            assert_eq!(row.parent_thread_id, pfs.threads().next().map(|main| main.thread_id));
        }
        let id = serve(look);
        assert_eq!(seen(), [Some(id)]);
        assert_ne!(id, thread);
        // The session has ended; the thread is what it was.
        assert_eq!(thread_id(), Some(thread));
        assert_eq!(pfs.threads().count(), 1);
        assert_eq!((count(pfs, LOCK_OF_PLUGIN), count_in(pfs, thread, LOCK_OF_PLUGIN)), (1, 0));
        assert_eq!((count(pfs, LOCK_OF_PROGRAM), count_in(pfs, thread, LOCK_OF_PROGRAM)), (1, 0));
    });
}

#[test]
fn a_session_is_attached_by_the_other_side() {
    in_a_process("sessions::a_session_is_attached_by_the_other_side", &[], || {
        let (pfs, plugin) = joined();
        let thread = thread_id().unwrap();
        // The program's, by the plugin, several times.
        let mut session = Session::new();
        let id = session.thread_id().unwrap();
        let serve_in = plugin.get::<unsafe extern "C" fn(*mut Session, extern "C" fn())>("serve_in");
        for _ in 0..3 {
            // SAFETY: it is ours, and nobody else has it meanwhile.
            unsafe { serve_in(&raw mut session, lock_and_see) };
            assert_eq!(thread_id(), Some(thread));
            let _attached = session.attach();
            lock_and_see();
        }
        assert_eq!(seen(), [Some(id); 6]);
        assert_eq!((count_in(pfs, id, LOCK_OF_PLUGIN), count_in(pfs, id, LOCK_OF_PROGRAM)), (3, 6));
        drop(session);

        // The plugin's, by the program.
        let session = plugin.get::<extern "C" fn() -> *mut Session>("new_session")();
        // SAFETY: the plugin made it, for us to use until we end it.
        let id = unsafe { &*session }.thread_id().unwrap();
        for _ in 0..2 {
            // SAFETY: as above.
            let _attached = unsafe { &mut *session }.attach();
            plugin.within("query", lock_and_see);
        }
        assert_eq!(seen(), [Some(id); 2]);
        assert_eq!((count_in(pfs, id, LOCK_OF_PLUGIN), count_in(pfs, id, LOCK_OF_PROGRAM)), (2, 2));
        assert_eq!(thread_id(), Some(thread));
        // SAFETY: it is the plugin's, and not used any more.
        unsafe { plugin.get::<unsafe extern "C" fn(*mut Session)>("end_session")(session) };
        assert_eq!(pfs.threads().count(), 1);
        assert_eq!((count(pfs, LOCK_OF_PLUGIN), count(pfs, LOCK_OF_PROGRAM)), (5, 8));
    });
}

#[test]
fn sessions_lie_over_each_other_across_both_sides() {
    in_a_process("sessions::sessions_lie_over_each_other_across_both_sides", &[], || {
        let (pfs, plugin) = joined();
        let thread = thread_id();
        let mut session = Session::new();
        let id = session.thread_id();
        {
            let _attached = session.attach();
            plugin.within("overlap", see);
            see();
        }
        see();
        // Outer, then inner, which stays the thread's when the outer leaves; then what was there before.
        let last = pfs.threads().count() as u64;
        assert_eq!(last, 1 + 1);
        let seen = seen();
        let (outer, inner) = (seen[0], seen[1]);
        assert!(outer.is_some() && inner.is_some() && outer != inner);
        assert_eq!(seen, [outer, inner, inner, id, id, thread]);
        drop(session);
        assert_eq!(pfs.threads().count(), 1);
    });
}

#[test]
fn a_session_on_a_thread_that_pfs_has_not_seen() {
    in_a_process("sessions::a_session_on_a_thread_that_pfs_has_not_seen", &[], || {
        let (pfs, plugin) = joined();
        std::thread::spawn(move || {
            let serve = plugin.get::<extern "C" fn(extern "C" fn()) -> u64>("serve");
            assert_eq!(thread_id(), None);
            let id = serve(see);
            assert_eq!(seen(), [Some(id)]);
            // Nothing was the thread's own, so it still has no row.
            assert_eq!(thread_id(), None);
            assert_eq!(pfs.threads().count(), 1);
            plugin.times("lock", 1);
            assert_eq!(count_in(pfs, thread_id().unwrap(), LOCK_OF_PLUGIN), 1);
            assert_eq!(count(pfs, LOCK_OF_PLUGIN), 2);
        })
        .join()
        .unwrap();
    });
}
