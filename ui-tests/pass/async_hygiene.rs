//! The names of the user's arguments, labels, lifetimes and items do not meet ours in functions that are futures, nor in
//! those that are not; not even std's prelude is needed.

#![deny(warnings)]

#[path = "support/mod.rs"]
mod support;

mod bare {
    #![no_implicit_prelude]
    #![allow(dead_code)]

    mod core {}
    mod std {}
    mod pfs {}
    struct Option;
    struct Some;
    struct None;
    struct Box;
    trait Future {}
    static CLASS: u8 = 1;
    fn run() -> u8 {
        3
    }

    type Reply = ::std::result::Result<u8, &'static str>;

    #[::pfs::statement("ui/sync", text = pfs_lent)]
    pub fn sync(pfs_statement: u8, pfs_returned: u8, pfs_lent: &str, (pfs_argument_0, r#pfs_text): (u8, u8)) -> Reply {
        let _pfs_statement = pfs_statement;
        if pfs_lent.is_empty() {
            return ::std::result::Result::Err("empty");
        }
        ::std::result::Result::Ok(pfs_statement + pfs_returned + pfs_argument_0 + pfs_text)
    }

    #[::pfs::statement("ui/label")]
    pub fn label<'_pfs_body>(text: &'_pfs_body str) -> ::std::result::Result<&'_pfs_body str, ()> {
        '_pfs_body_: loop {
            break '_pfs_body_ ::std::result::Result::Ok(text);
        }
    }

    #[::pfs::stage("ui/label")]
    pub fn label_of_a_stage(n: u8) -> u8 {
        '_pfs_body: {
            if n > 1 {
                break '_pfs_body 1;
            }
            n
        }
    }

    #[::pfs::statement("ui/async", text = pfs_lent)]
    pub async fn names(pfs_statement: u8, pfs_returned: u8, pfs_lent: &str, (pfs_future, pfs_argument_3): (u8, u8)) -> Reply {
        let pfs_class = pfs_statement + CLASS + run();
        if pfs_lent.is_empty() {
            return ::std::result::Result::Err("empty");
        }
        ::std::future::ready(()).await;
        ::std::result::Result::Ok(pfs_class + pfs_returned + pfs_future + pfs_argument_3)
    }

    #[::pfs::stage("ui/async")]
    pub async fn label_of_a_future<'_pfs_body>(pfs_body: &'_pfs_body u8) -> &'_pfs_body u8 {
        '_pfs_body: loop {
            break '_pfs_body;
        }
        pfs_body
    }

    #[::pfs::statement("ui/returned", text = pfs_text, err = |pfs_returned| pfs_returned.is_none().then_some("none"))]
    pub fn returned(
        pfs_text: &str,
        pfs_class: u8,
        pfs_future: u8,
        pfs_lent: u8,
    ) -> impl ::std::future::Future<Output = ::std::option::Option<u8>> {
        if pfs_text.is_empty() {
            return ::std::future::ready(::std::option::Option::None);
        }
        ::std::future::ready(::std::option::Option::Some(pfs_class + pfs_future + pfs_lent))
    }

    #[::pfs::statement("ui/block", text = pfs_lent)]
    pub fn block(pfs_lent: ::std::string::String, pfs_statement: u8) -> ::std::pin::Pin<::std::boxed::Box<dyn ::std::future::Future<Output = Reply>>> {
        let pfs_class = 1;
        ::std::boxed::Box::pin(async move {
            let pfs_returned = pfs_lent.len() as u8;
            ::std::result::Result::Ok(pfs_returned + pfs_statement + pfs_class)
        })
    }
}

fn main() {
    use support::block_on;

    support::start();
    assert_eq!((bare::sync(1, 2, "text", (3, 4)), bare::sync(1, 2, "", (3, 4))), (Ok(10), Err("empty")));
    assert_eq!((bare::label("text"), bare::label_of_a_stage(3)), (Ok("text"), 1));
    assert_eq!(block_on(bare::names(1, 2, "text", (3, 4))), Ok(14));
    assert_eq!(block_on(bare::names(1, 2, "", (3, 4))), Err("empty"));
    assert_eq!(block_on(bare::label_of_a_future(&5)), &5);
    assert_eq!((block_on(bare::returned("text", 1, 2, 3)), block_on(bare::returned("", 1, 2, 3))), (Some(6), None));
    assert_eq!(block_on(bare::block("text".to_owned(), 1)), Ok(6));
    for (name, count, errors) in [("sync", 2, 1), ("label", 1, 0), ("async", 2, 1), ("returned", 2, 1), ("block", 1, 0)] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    for (name, text) in [("sync", ""), ("async", ""), ("returned", ""), ("block", "text")] {
        assert_eq!(support::last_text(&format!("statement/ui/{name}")).as_deref(), Some(text), "{name}");
    }
    assert_eq!((support::count("stage/ui/label"), support::count("stage/ui/async")), (1, 1));
}
