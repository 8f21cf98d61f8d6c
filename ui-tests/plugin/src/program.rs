//! What the plugin sees and changes of the program's pfs, and what it must not do.

use pfs::plugin::{Entry, JoinError};

/// How many instruments the plugin finds; all ones if it has no handle on a pfs that was started.
#[unsafe(no_mangle)]
pub extern "C" fn instruments() -> u64 {
    pfs::current().map_or(u64::MAX, |pfs| pfs.setup_instruments().count() as u64)
}

/// Switches the plugin's lock, from the plugin.
#[unsafe(no_mangle)]
pub extern "C" fn switch_lock(on: bool) {
    let pfs = pfs::current().expect("the plugin has joined");
    pfs.set_instrument("wait/synch/mutex/plugin/LOCK_static", Some(on), None).unwrap();
}

/// Starts pfs in the plugin; tells whether that was possible.
#[unsafe(no_mangle)]
pub extern "C" fn start() -> bool {
    pfs::Config::new().max_connections(1).start().is_ok()
}

/// Lets another plugin join this one; tells whether that was refused for what it is.
#[unsafe(no_mangle)]
pub extern "C" fn is_refused_another(plugin: Entry) -> bool {
    let pfs = pfs::current().expect("the plugin has joined");
    // SAFETY: the program gives another plugin's function.
    let joined = unsafe { pfs.join_plugin(plugin) };
    joined == Err(JoinError::FromPlugin)
}
