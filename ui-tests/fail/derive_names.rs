use pfs::prelude::*;

#[derive(Statement)]
#[statement(component = "k*v")]
enum Component {
    Get,
}

#[derive(Statement)]
#[statement(component = "kv")]
enum Variant {
    #[statement(name = "get!")]
    Get,
}

#[derive(Statement)]
#[statement(component = "kv")]
enum Repeated {
    #[statement("kv/get")]
    Get,
}

#[derive(Statement)]
#[statement(component = "statement/kv")]
enum Prefixed {
    Get,
}

#[derive(Statement)]
enum SameTwice {
    HttpGet,
    HTTPGet,
}

#[derive(Statement)]
#[statement(component = "kv")]
enum Ascii {
    Größe,
}

fn main() {}
