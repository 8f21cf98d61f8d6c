//! Methods of traits and impls under `#[async_trait]`, with the attributes in either order.

#![deny(warnings)]

use async_trait::async_trait;
use pfs::prelude::*;
use std::fmt::Debug;
use std::sync::Arc;
use support::{block_on, pause};

#[path = "support/mod.rs"]
mod support;

#[async_trait]
trait Store: Send {
    async fn get(&self, key: &str) -> Result<u32, String>;
    async fn put(&mut self, key: String, (value, twice): (u32, bool)) -> Result<(), String>;
    async fn flush(&self);

    #[statement("ui/Store::copy", text = from)]
    async fn copy(&mut self, from: &str, to: &str) -> Result<u32, String> {
        let value = self.get(from).await?;
        self.put(to.to_owned(), (value, false)).await?;
        Ok(value)
    }

    #[stage("ui/Store::close")]
    async fn close(self: Box<Self>) -> usize
    where
        Self: Sized,
    {
        pause().await;
        size_of::<Self>()
    }
}

#[derive(Clone)]
struct Memory {
    name: &'static str,
    items: Vec<(String, u32)>,
}

#[async_trait]
impl Store for Memory {
    #[statement("ui/Memory::get", text = key)]
    async fn get(&self, key: &str) -> Result<u32, String> {
        pause().await;
        let found = self.items.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| *value).ok_or_else(|| format!("no {key} in {}", self.name))
    }

    #[statement("ui/Memory::put", text = format!("{}.{key}={value}", self.name))]
    #[allow(clippy::shadow_unrelated)]
    async fn put(&mut self, mut key: String, (mut value, twice): (u32, bool)) -> Result<(), String> {
        if key.is_empty() {
            return Err("no key".to_owned());
        }
        pause().await;
        if twice {
            value *= 2;
        }
        key.push('!');
        self.items.push((key, value));
        Ok(())
    }

    #[stage("ui/Memory::flush")]
    async fn flush(&self) {
        pause().await;
        pfs::stage::current().progress(1, 1);
    }
}

#[async_trait]
trait Generic<T: Send + Sync>: Sync {
    type Error;
    async fn find<'a, F>(&'a self, items: &'a [T], wanted: F) -> Result<&'a T, Self::Error>
    where
        F: Fn(&T) -> bool + Send;
    async fn many(self: Arc<Self>, items: Vec<T>) -> Vec<T>;
}

#[async_trait]
impl<T: Send + Sync + Debug + 'static> Generic<T> for Memory {
    type Error = &'static str;

    #[statement("ui/Generic::find", err = |r| r.as_ref().err().map(|text| text.len()))]
    async fn find<'a, F>(&'a self, items: &'a [T], wanted: F) -> Result<&'a T, Self::Error>
    where
        F: Fn(&T) -> bool + Send,
    {
        pause().await;
        items.iter().find(|item| wanted(item)).ok_or(self.name)
    }

    #[stage("ui/Generic::many")]
    async fn many(self: Arc<Self>, mut items: Vec<T>) -> Vec<T> {
        pause().await;
        items.truncate(self.items.len());
        items
    }
}

#[async_trait(?Send)]
trait Local {
    #[statement("ui/Local::run", text = "run")]
    async fn run(&self) -> Result<std::rc::Rc<u8>, ()> {
        let shared = std::rc::Rc::new(1);
        pause().await;
        Ok(shared)
    }
}

#[async_trait(?Send)]
impl Local for Memory {}

fn assert_send<T: Send>(value: T) -> T {
    value
}

fn main() {
    support::start();
    let mut memory = Memory { name: "memory", items: Vec::new() };
    assert_eq!(block_on(assert_send(memory.put("a".to_owned(), (3, true)))), Ok(()));
    assert_eq!(support::last_text("statement/ui/Memory::put").as_deref(), Some("memory.a=3"));
    assert_eq!(block_on(memory.get("a!")), Ok(6));
    assert_eq!(block_on(memory.get("b")), Err("no b in memory".to_owned()));
    assert_eq!(block_on(memory.copy("a!", "c")), Ok(6));
    assert!(block_on(memory.copy("a!", "")).is_err());
    assert_eq!(support::last_text("statement/ui/Store::copy").as_deref(), Some("a!"));
    let dynamic: &dyn Store = &memory;
    block_on(dynamic.flush());
    assert_eq!(block_on(Box::new(memory.clone()).close()), size_of::<Memory>());
    assert_eq!(block_on(memory.find(&[1, 2, 3], |n| *n > 1)), Ok(&2));
    assert_eq!(block_on(memory.find(&[1], |n| *n > 1)), Err("memory"));
    assert_eq!(block_on(Arc::new(memory.clone()).many(vec!['a', 'b', 'c'])), ['a', 'b']);
    assert_eq!(block_on(memory.run()).as_deref(), Ok(&1));

    for (name, count, errors) in [
        ("Memory::get", 4, 1),
        ("Memory::put", 3, 1),
        ("Store::copy", 2, 1),
        ("Generic::find", 2, 1),
        ("Local::run", 1, 0),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    for name in ["Memory::flush", "Store::close", "Generic::many"] {
        assert_eq!(support::count(&format!("stage/ui/{name}")), 1, "{name}");
    }
    assert_eq!(support::last_error("statement/ui/Generic::find").unwrap().2, "6");
    assert_eq!(support::last_error("statement/ui/Memory::get").unwrap().2, "no b in memory");
}
