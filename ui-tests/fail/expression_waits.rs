use pfs::prelude::*;

fn main() {
    let _ = once!();
    let _ = once!("kv/a", 0);
    let _ = once_lock!("kv/a", 0);
    let _ = lazy_lock!("kv/a");
    let _ = lazy_lock!(|| 0);
    let _ = lazy_lock!("kv/a", || 0, 1);
    let _ = barrier!("kv/a");
    let _ = channel!("kv/a", 16);
    let _ = sync_channel!("kv/a");
    let _ = sync_channel!(16);
    let _ = sync_channel!("kv/a" 16);
    let _ = channel!("kv/a*b");
    let _ = channel!("wait/synch/cond/kv/a");
}
