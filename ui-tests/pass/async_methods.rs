//! Async methods: every receiver, of types and of traits, with associated types, defaults, and generic ones.

#![deny(warnings)]

use pfs::prelude::*;
use std::fmt::Display;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use support::{block_on, pause};

#[path = "support/mod.rs"]
mod support;

#[derive(Clone, Default)]
struct Store {
    items: Vec<u32>,
    name: String,
}

impl Store {
    #[statement("ui/Store::open")]
    async fn open(name: &str) -> Result<Self, String> {
        pause().await;
        Ok(Self { items: Vec::new(), name: name.to_owned() })
    }

    #[statement("ui/Store::get", text = self.name)]
    async fn get(&self, at: usize) -> Result<&u32, String> {
        pause().await;
        self.items.get(at).ok_or_else(|| format!("nothing at {at}"))
    }

    #[statement("ui/Store::get_mut")]
    async fn get_mut(&mut self, at: usize) -> Result<&mut u32, String> {
        pause().await;
        match self.items.get_mut(at) {
            Some(item) => Ok(item),
            None => Err(format!("nothing at {at}")),
        }
    }

    #[stage("ui/Store::both")]
    async fn both(&mut self) -> (&mut Vec<u32>, &str) {
        (&mut self.items, &self.name)
    }

    #[statement("ui/Store::with", text = self.name)]
    async fn with(mut self, item: u32) -> Result<Self, ()> {
        pause().await;
        self.items.push(item);
        Ok(self)
    }

    #[statement("ui/Store::into_name")]
    async fn into_name(self) -> Result<String, ()> {
        Ok(self.name)
    }

    #[stage("ui/Store::boxed")]
    async fn boxed(self: Box<Self>) -> Vec<u32> {
        self.items
    }

    #[stage("ui/Store::counted")]
    async fn counted(self: Rc<Self>) -> usize {
        pause().await;
        Rc::strong_count(&self)
    }

    #[statement("ui/Store::shared")]
    async fn shared(self: &Arc<Self>) -> Result<Arc<Self>, ()> {
        Ok(Arc::clone(self))
    }

    #[statement("ui/Store::pinned")]
    async fn pinned(mut self: Pin<&mut Self>, item: u32) -> Result<usize, ()> {
        self.items.push(item);
        pause().await;
        Ok(self.get_mut().items.len())
    }
}

trait Handler {
    type Error: Display;
    const RETRIES: u32;

    async fn handle(&mut self, request: &str) -> Result<usize, Self::Error>;

    #[statement("ui/Handler::retry", text = request)]
    async fn retry(&mut self, request: &str) -> Result<usize, Self::Error> {
        let mut result = self.handle(request).await;
        for _ in 0..Self::RETRIES {
            if result.is_ok() {
                break;
            }
            result = self.handle(request).await;
        }
        result
    }

    #[stage("ui/Handler::describe")]
    async fn describe<T: Display + ?Sized>(value: &T) -> String
    where
        Self: Sized,
    {
        pause().await;
        value.to_string()
    }
}

struct Echo {
    failures: u32,
}

impl Handler for Echo {
    type Error = String;
    const RETRIES: u32 = 2;

    #[statement("ui/Echo::handle")]
    async fn handle(&mut self, request: &str) -> Result<usize, Self::Error> {
        pause().await;
        if self.failures > 0 {
            self.failures -= 1;
            return Err(format!("{} to go", self.failures));
        }
        Ok(request.len())
    }
}

trait Convert<T> {
    async fn convert(&self) -> Result<T, String>;
}

impl<T: Clone + Default + PartialEq> Convert<T> for [T] {
    #[statement("ui/Convert::convert")]
    async fn convert(&self) -> Result<T, String> {
        pause().await;
        self.iter().find(|item| **item != T::default()).cloned().ok_or("only defaults".to_owned())
    }
}

fn main() {
    support::start();
    let mut store = block_on(async { Store::open("kv").await?.with(1).await.map_err(|()| String::new()) }).unwrap();
    assert_eq!(support::last_text("statement/ui/Store::with").as_deref(), Some("kv"));
    assert_eq!((block_on(store.get(0)), block_on(store.get(2)).is_err()), (Ok(&1), true));
    *block_on(store.get_mut(0)).unwrap() += 10;
    assert!(block_on(store.get_mut(9)).is_err());
    let (items, name) = block_on(store.both());
    items.push(name.len() as u32);
    assert_eq!(block_on(Box::new(store.clone()).boxed()), [11, 2]);
    assert_eq!(block_on(Rc::new(store.clone()).counted()), 1);
    let shared = Arc::new(store.clone());
    assert_eq!(Arc::strong_count(&block_on(shared.shared()).unwrap()), 2);
    assert_eq!(block_on(Pin::new(&mut store).pinned(5)), Ok(3));
    assert_eq!(block_on(store.into_name()).as_deref(), Ok("kv"));

    assert_eq!(block_on(Echo { failures: 1 }.retry("abc")), Ok(3));
    assert_eq!(block_on(Echo { failures: 9 }.retry("abc")), Err("6 to go".to_owned()));
    assert_eq!(block_on(Echo::describe("x")), "x");
    assert_eq!(block_on([0, 7].convert()), Ok(7));
    assert!(block_on([""].convert()).is_err());

    for (name, count, errors) in [
        ("Store::open", 1, 0),
        ("Store::get", 2, 1),
        ("Store::get_mut", 2, 1),
        ("Store::with", 1, 0),
        ("Store::into_name", 1, 0),
        ("Store::shared", 1, 0),
        ("Store::pinned", 1, 0),
        ("Handler::retry", 2, 1),
        ("Echo::handle", 5, 4),
        ("Convert::convert", 2, 1),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    for name in ["Store::both", "Store::boxed", "Store::counted", "Handler::describe"] {
        assert_eq!(support::count(&format!("stage/ui/{name}")), 1, "{name}");
    }
    assert_eq!(support::last_text("statement/ui/Handler::retry").as_deref(), Some("abc"));
}
