use pfs::crossbeam::channel::{bounded, unbounded};

fn main() {
    let _ = bounded!();
    let _ = bounded!("kv/a");
    let _ = bounded!(16, "kv/a");
    let _ = bounded!("kv/a", 16, 17);
    let _ = unbounded!("kv/a", 16);
    let _ = unbounded!("kv/a?");
}
