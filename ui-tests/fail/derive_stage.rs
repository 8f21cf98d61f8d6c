use pfs::prelude::*;

#[derive(Stage)]
union Step {
    one: u8,
    other: i8,
}

#[derive(Stage)]
#[stage(componnet = "kv")]
enum Unknown {
    Reading,
}

#[derive(Stage)]
#[stage(name = "reading")]
enum NameOfTheEnum {
    Reading,
}

#[derive(Stage)]
enum Component {
    #[stage(component = "kv")]
    Reading,
}

#[derive(Stage)]
enum Clash {
    HttpReply(u8),
    HTTPReply { status: u16 },
}

#[derive(Stage)]
enum Prefix {
    #[stage("stage/kv/reading")]
    Reading,
}

#[derive(Stage)]
enum Characters {
    #[stage(name = "read+write")]
    Reading,
}

fn main() {}
