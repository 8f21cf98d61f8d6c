//! What the macros of `pfs::parking_lot` are given.

use pfs::parking_lot::{condvar, fair_mutex, mutex, once, reentrant_mutex, rwlock};

fn main() {
    let _ = mutex!();
    let _ = fair_mutex!(0);
    let _ = fair_mutex!("kv/turns");
    let _ = reentrant_mutex!("kv/depth", 1, 2);
    let _ = reentrant_mutex!("kv//depth", 1);
    let _ = rwlock!("kv/map" 0);
    let _ = condvar!("kv/flushed", 0);
    let _ = once!("wait/synch/cond/kv/ready");
}
