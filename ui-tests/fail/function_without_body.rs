use pfs::prelude::*;

trait Handler {
    #[statement("kv/handle")]
    fn handle(&self) -> Result<(), String>;

    #[stage("kv/parse")]
    fn parse();
}

fn main() {}
