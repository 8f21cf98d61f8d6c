//! Of a derive with a mistake in it the mistake is told, and nothing of those who use what it derives.

use pfs::Statement as _;
use pfs::prelude::*;
use pfs::sync::Mutex;

#[derive(Statement)]
#[statement(component = "k*v")]
enum Command {
    Get,
}

#[derive(Stage)]
enum Step {
    Übergeben,
}

#[derive(Instrument)]
struct Store<T> {
    #[mutex("kv/")]
    lock: Mutex<T>,
}

fn main() {
    drop(Command::Get.begin());
    let mut stage = pfs::Stage::begin(&Step::Übergeben);
    stage.switch(Step::Übergeben);
    let store = Store { lock: Mutex::new(1) }.instrumented();
    drop(store.lock.lock());
}
