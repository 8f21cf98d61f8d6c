//! Every receiver, and associated functions.

#![deny(warnings)]

use pfs::prelude::*;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

#[path = "support/mod.rs"]
mod support;

type Result<T> = std::result::Result<T, String>;

#[derive(Clone, Default)]
struct Store {
    items: Vec<u32>,
    name: String,
}

impl Store {
    #[statement("ui/Store::new")]
    fn new() -> Result<Self> {
        Ok(Self::default())
    }

    #[statement("ui/Store::get")]
    fn get(&self, at: usize) -> Result<&u32> {
        self.items.get(at).ok_or_else(|| format!("nothing at {at}"))
    }

    #[statement("ui/Store::get_mut")]
    fn get_mut(&mut self, at: usize) -> Result<&mut u32> {
        match self.items.get_mut(at) {
            Some(item) => Ok(item),
            None => Err(format!("nothing at {at}")),
        }
    }

    #[statement("ui/Store::both")]
    fn both(&mut self) -> Result<(&mut Vec<u32>, &str)> {
        Ok((&mut self.items, &self.name))
    }

    #[statement("ui/Store::with")]
    fn with(mut self, item: u32) -> Result<Self> {
        self.items.push(item);
        Ok(self)
    }

    #[statement("ui/Store::into_name")]
    fn into_name(self) -> Result<String> {
        Ok(self.name)
    }

    #[statement("ui/Store::boxed")]
    fn boxed(self: Box<Self>) -> Result<Vec<u32>> {
        Ok(self.items)
    }

    #[statement("ui/Store::counted")]
    fn counted(self: Rc<Self>) -> Result<usize> {
        Ok(Rc::strong_count(&self))
    }

    #[statement("ui/Store::shared")]
    fn shared(self: &Arc<Self>) -> Result<Arc<Self>> {
        Ok(Arc::clone(self))
    }

    #[statement("ui/Store::pinned")]
    fn pinned(mut self: Pin<&mut Self>, item: u32) -> Result<usize> {
        self.items.push(item);
        let this = self.get_mut();
        Ok(this.items.len())
    }

    #[statement("ui/Store::lent")]
    fn lent<'a>(self: &'a mut Self, more: &'a [u32]) -> Result<&'a [u32]> {
        self.items.extend(more);
        Ok(if self.items.is_empty() { more } else { &self.items })
    }
}

fn main() {
    support::start();
    let mut store = Store::new().unwrap().with(1).unwrap().with(2).unwrap();
    assert_eq!(store.get(1), Ok(&2));
    assert_eq!(store.get(2), Err("nothing at 2".to_owned()));
    *store.get_mut(0).unwrap() += 10;
    assert!(store.get_mut(9).is_err());
    let (items, name) = store.both().unwrap();
    items.push(name.len() as u32);
    assert_eq!(Box::new(store.clone()).boxed().unwrap(), [11, 2, 0]);
    assert_eq!(Rc::new(store.clone()).counted(), Ok(1));
    let shared = Arc::new(store.clone());
    assert_eq!(Arc::strong_count(&shared.shared().unwrap()), 2);
    assert_eq!(Pin::new(&mut store).pinned(5), Ok(4));
    assert_eq!(store.lent(&[6]).unwrap(), [11, 2, 0, 5, 6]);
    assert_eq!(store.into_name().as_deref(), Ok(""));

    for (name, count, errors) in [
        ("new", 1, 0),
        ("get", 2, 1),
        ("get_mut", 2, 1),
        ("both", 1, 0),
        ("with", 2, 0),
        ("into_name", 1, 0),
        ("boxed", 1, 0),
        ("counted", 1, 0),
        ("shared", 1, 0),
        ("pinned", 1, 0),
        ("lent", 1, 0),
    ] {
        let name = format!("statement/ui/Store::{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
}
