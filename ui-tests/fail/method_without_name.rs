use pfs::prelude::*;

struct Store;

impl Store {
    #[statement]
    fn get(&self) -> Result<u8, String> {
        Ok(1)
    }

    #[stage]
    fn make() -> Self {
        Store
    }

    #[stage()]
    fn r#type(self: Box<Self>) {}
}

#[stage]
fn größe() {}

fn main() {}
