use pfs::prelude::*;
use std::future::Future;

trait Store {
    #[statement("kv/Store::get")]
    async fn get(&self, key: &str) -> Result<u8, String>;

    #[stage("kv/Store::read")]
    fn read(&self) -> impl Future<Output = u8> + Send;

    #[statement]
    async fn nameless(&self) {}
}

#[statement("kv/const")]
const async fn constant() {}

#[statement("kv/never", err = |_| Some("never"))]
async fn never() -> ! {
    loop {}
}

fn main() {}
