use pfs::prelude::*;

fn main() {
    let _ = mutex!();
    let _ = mutex!(0);
    let _ = mutex!("kv/a");
    let _ = mutex!("kv/a",);
    let _ = mutex!(0, "kv/a");
    let _ = mutex!("kv/a", 0, 1);
    let _ = mutex!("kv/a" 0);
    let _ = rwlock!("kv/a");
    let _ = condvar!();
    let _ = condvar!("kv/a", 0);
    let _ = thread_class!();
    let _ = thread_class!(flusher);
    let _ = stage_class!("kv/a", "kv/b");
}
