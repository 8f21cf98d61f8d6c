//! Who may join, and that whoever may not leaves everything as it was.

use crate::library::{COMPILED_OUT, FIRST, Plugin, SECOND};
use crate::{LOCK_OF_PLUGIN, SHARED_LOCK, config, count, in_a_process, lock, pfs_plugin};
use pfs::plugin::{Entry, JoinError, Joined, Offer};
use pfs::{Config, Pfs};
use std::sync::atomic::{AtomicPtr, Ordering};

/// What another function offers.
fn join(pfs: Pfs, entry: Entry) -> Result<Joined, JoinError> {
    // SAFETY: what is offered is a plugin's, or such that it is refused for its first words.
    unsafe { pfs.join_plugin(entry) }
}

/// What [`liar`] offers.
static LIE: AtomicPtr<u64> = AtomicPtr::new(std::ptr::null_mut());

extern "C" fn liar() -> *const Offer {
    LIE.load(Ordering::Relaxed).cast_const().cast()
}

/// The first words of what a plugin offers: a mark, whether pfs is in it, address and length of what its pfs is built of,
/// and its layout.
fn words(plugin: Plugin) -> Vec<u64> {
    let offer = plugin.entry()().cast::<u64>();
    // SAFETY: a plugin's offer begins with as many.
    unsafe { std::slice::from_raw_parts(offer, 5) }.to_vec()
}

/// Offers other words.
fn lie(pfs: Pfs, words: Vec<u64>) -> JoinError {
    LIE.store(words.leak().as_mut_ptr(), Ordering::Relaxed);
    join(pfs, liar).unwrap_err()
}

#[test]
fn once_is_enough() {
    in_a_process("joining::once_is_enough", &[], || {
        let (pfs, plugin) = (config().start().unwrap(), FIRST.plugin());
        assert_eq!(plugin.join(pfs).unwrap().lost, 0);
        plugin.times("lock", 2);
        assert_eq!(plugin.join(pfs), Err(JoinError::AlreadyJoined));
        assert_eq!(JoinError::AlreadyJoined.to_string(), "the plugin has joined before: once is enough");
        plugin.times("lock", 2);
        assert_eq!(count(pfs, LOCK_OF_PLUGIN), 4);
        let row = pfs.setup_instruments().find(|row| row.name == SHARED_LOCK).unwrap();
        assert_eq!(row.sources.split(", ").count(), 2);
        // The plugin is part of a pfs that was started.
        assert!(!plugin.get::<extern "C" fn() -> bool>("start")());
    });
}

#[test]
fn of_many_that_try_at_once_one_joins() {
    in_a_process("joining::of_many_that_try_at_once_one_joins", &[], || {
        let (pfs, plugin) = (config().start().unwrap(), FIRST.plugin());
        let joined = std::thread::scope(|scope| {
            let tries: Vec<_> = (0..8).map(|_| scope.spawn(|| plugin.join(pfs))).collect();
            tries.into_iter().filter_map(|tried| tried.join().unwrap().ok()).count()
        });
        assert_eq!(joined, 1);
        plugin.times("lock", 2);
        assert_eq!(count(pfs, LOCK_OF_PLUGIN), 2);
    });
}

#[test]
fn what_is_not_built_of_the_same_is_refused() {
    in_a_process("joining::what_is_not_built_of_the_same_is_refused", &[], || {
        let (pfs, plugin) = (config().start().unwrap(), FIRST.plugin());
        let before = pfs.setup_instruments().count();
        let true_words = words(plugin);
        let changed = |at: usize, to: u64| {
            let mut words = true_words.clone();
            words[at] = to;
            words
        };
        assert_eq!(join(pfs, liar), Err(JoinError::NotAnOffer));
        assert_eq!(lie(pfs, changed(0, 7)), JoinError::NotAnOffer);
        // Another version, another compiler, a part of the same.
        let built = "pfs 0.0.9 of sources 1, rustc 1.2.3";
        let mut other = changed(2, built.as_ptr().addr() as u64);
        other[3] = built.len() as u64;
        let JoinError::OtherBuild { program, plugin: told } = lie(pfs, other) else {
            panic!("it is another build")
        };
        assert_eq!(told, built);
        assert!(program.starts_with("pfs 0.1.0 of sources ") && program.contains(", rustc 1."), "{program}");
        let shorter = changed(3, true_words[3] - 1);
        let error = lie(pfs, shorter);
        assert_eq!(error, JoinError::OtherBuild { plugin: program[..program.len() - 1].to_owned(), program });
        assert!(error.to_string().ends_with("build both with the same pfs and the same compiler"), "{error}");
        assert_eq!(lie(pfs, changed(4, !true_words[4])), JoinError::OtherLayout);

        // Nothing has changed, and the plugin may still join.
        assert_eq!(pfs.setup_instruments().count(), before);
        plugin.times("lock", 2);
        assert_eq!(plugin.join(pfs).unwrap().lost, 0);
        plugin.times("lock", 2);
        assert_eq!(count(pfs, LOCK_OF_PLUGIN), 2);
    });
}

#[test]
fn the_program_itself_is_no_plugin() {
    in_a_process("joining::the_program_itself_is_no_plugin", &[], || {
        let pfs = config().start().unwrap();
        extern "C" fn entry() -> *const Offer {
            pfs_plugin()
        }
        assert_eq!(join(pfs, entry), Err(JoinError::NoPlugin));
    });
}

#[test]
fn a_plugin_that_has_started_pfs_for_itself_stays_so() {
    in_a_process("joining::a_plugin_that_has_started_pfs_for_itself_stays_so", &[], || {
        let (pfs, plugin) = (config().start().unwrap(), FIRST.plugin());
        assert!(plugin.get::<extern "C" fn() -> bool>("start")());
        let before = pfs.setup_instruments().count();
        assert_eq!(plugin.join(pfs), Err(JoinError::StartedItself));
        assert_eq!(pfs.setup_instruments().count(), before);
        // Each counts for itself.
        plugin.within("query", lock);
        assert_eq!(count(pfs, crate::LOCK_OF_PROGRAM), 1);
        assert_ne!(plugin.get::<extern "C" fn() -> u64>("instruments")(), u64::MAX);
    });
}

#[test]
fn a_plugin_lets_no_other_join() {
    in_a_process("joining::a_plugin_lets_no_other_join", &[], || {
        let (pfs, first, second) = (config().start().unwrap(), FIRST.plugin(), SECOND.plugin());
        let instruments = first.get::<extern "C" fn() -> u64>("instruments");
        assert_eq!(instruments(), u64::MAX);
        assert_eq!(first.join(pfs).unwrap().lost, 0);
        assert_eq!(instruments(), pfs.setup_instruments().count() as u64);
        assert!(first.get::<extern "C" fn(Entry) -> bool>("is_refused_another")(second.entry()));
        assert_eq!(second.join(pfs).unwrap().lost, 0);
    });
}

#[test]
fn a_library_that_has_joined_stays_when_it_is_closed() {
    in_a_process("joining::a_library_that_has_joined_stays_when_it_is_closed", &[], || {
        let pfs = config().start().unwrap();
        let library = FIRST.load();
        // SAFETY: the functions are what they are taken for, and `join_plugin` sees to it that they stay.
        let (entry, lock) = unsafe {
            (
                *library.get::<Entry>("pfs_plugin").unwrap(),
                *library.get::<extern "C" fn(u64)>("lock").unwrap(),
            )
        };
        assert_eq!(join(pfs, entry).unwrap().lost, 0);
        library.close().unwrap();
        lock(3);
        assert_eq!(count(pfs, LOCK_OF_PLUGIN), 3);
    });
}

#[test]
fn where_pfs_is_off_nothing_joins_and_that_is_no_error() {
    in_a_process("joining::where_pfs_is_off_nothing_joins_and_that_is_no_error", &[("PFS", "OFF")], || {
        let (pfs, plugin) = (Config::from_env().unwrap().start().unwrap(), FIRST.plugin());
        assert_eq!(plugin.join(pfs), Ok(Joined { classes: 0, lost: 0 }));
        plugin.within("query", lock);
        assert_eq!(pfs.setup_instruments().count(), 0);
    });
}

#[test]
fn a_plugin_with_pfs_compiled_out_joins_with_nothing() {
    in_a_process("joining::a_plugin_with_pfs_compiled_out_joins_with_nothing", &[], || {
        let (pfs, plugin) = (config().start().unwrap(), COMPILED_OUT.plugin());
        let before = pfs.setup_instruments().count();
        for _ in 0..2 {
            assert_eq!(plugin.join(pfs), Ok(Joined { classes: 0, lost: 0 }));
        }
        plugin.within("query", lock);
        assert_eq!(pfs.setup_instruments().count(), before);
        assert_eq!(count(pfs, crate::LOCK_OF_PROGRAM), 1);
    });
}
