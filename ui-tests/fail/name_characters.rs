use pfs::prelude::*;
use pfs::sync::Mutex;

#[instrument_mutex("kv/LOCK*index")]
static STAR: Mutex<u8> = Mutex::new(0);

#[instrument_mutex(name = "kv/größe")]
static UMLAUT: Mutex<u8> = Mutex::new(0);

#[stage("kv/parsing\n")]
fn line_end() {}

fn main() {
    let _ = mutex!("kv\\index", 0);
    let _ = thread_class!("kv/flusher#1");
}
