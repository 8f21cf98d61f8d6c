use pfs::prelude::*;

#[derive(Statement)]
#[statement(componnet = "kv")]
enum Misspelt {
    Get,
}

#[derive(Statement)]
#[statement(name = "get")]
enum NamedEnum {
    Get,
}

#[derive(Statement)]
#[statement("kv/get")]
enum NameFirst {
    Get,
}

#[derive(Statement)]
enum OnVariant {
    #[statement(component = "kv")]
    Get,
}

#[derive(Statement)]
#[statement(component = "kv")]
enum Twice {
    #[statement("get", name = "set")]
    Get,
}

#[derive(Statement)]
#[statement(component = kv)]
enum Unquoted {
    Get,
}

#[derive(Statement)]
#[statement]
enum Bare {
    Get,
}

#[derive(Statement)]
#[statement(component)]
struct NoValue;

fn main() {}
