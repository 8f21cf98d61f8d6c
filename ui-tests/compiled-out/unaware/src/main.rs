//! Uses a library as if there were no pfs: nothing here names it, and `Cargo.toml` does not either.

use pfs_ui_tests_quiet::{Shard, even, work};
use std::sync::{Condvar, RwLock};

/// What the library's type is without pfs.
#[allow(dead_code, reason = "only its size is asked")]
struct Plain {
    map: RwLock<u64>,
    changed: Condvar,
}

fn main() {
    println!("work {}", work());
    println!("even {:?}", even(6));
    #[cfg(feature = "loud")]
    println!("count {}", pfs_ui_tests_loud::count() + pfs_ui_tests_loud::count());

    // Its types are no others than those of std to whoever uses them.
    let shard = Shard::new(3);
    let Ok(mut map) = shard.map.write() else { unreachable!("nothing panicked") };
    *map += 4;
    drop(map);
    shard.changed.notify_all();
    println!("shard {}", shard.map.into_inner().unwrap_or_default());

    let same = (size_of::<Shard>(), align_of::<Shard>()) == (size_of::<Plain>(), align_of::<Plain>());
    println!("{}", if same { "as large as std's" } else { "larger than std's" });
}
