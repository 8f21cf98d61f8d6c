use pfs::prelude::*;

async fn work() {}

fn main() {
    let _ = statement_class!();
    let _ = statement_class!("kv/get", 1);
    let _ = statement_class!("statement/kv/get");
    let _ = work().in_statement(&"kv/get");
    let _ = work().in_stage("kv/reading");
    let _ = work().in_session(&pfs::session::Session::new());
    pfs::statement::current().refine(&stage_class!("kv/reading"));
}
