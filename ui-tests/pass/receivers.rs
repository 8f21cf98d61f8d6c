//! Receivers of every type that the language knows, called and polled.

#![deny(warnings)]

use pfs::prelude::*;
use std::ops::Deref;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

#[path = "support/mod.rs"]
mod support;

#[derive(Clone, Default)]
struct Store {
    n: u8,
    name: String,
}

type Shared = Rc<Store>;

impl Store {
    #[statement("ui/pin mut", text = self.name)]
    fn pin_mut(self: Pin<&mut Self>, n: u8) -> Result<u8, String> {
        let this = self.get_mut();
        this.n += n;
        if this.n > 3 {
            return Err(format!("{} is full", this.name));
        }
        Ok(this.n)
    }

    #[statement("ui/pin ref", text = &self.name)]
    fn pin_ref(self: Pin<&Self>) -> Result<&str, ()> {
        Ok(&self.get_ref().name)
    }

    #[statement("ui/pin box", text = self.name.as_str())]
    fn pin_box(mut self: Pin<Box<Self>>) -> Result<String, u8> {
        self.n += 1;
        Ok(Pin::into_inner(self).name)
    }

    #[statement("ui/pin arc")]
    fn pin_arc(self: Pin<Arc<Self>>) -> Result<u8, u8> {
        Err(self.n)
    }

    #[statement("ui/rc", text = self.name)]
    fn rc(self: Rc<Self>) -> Result<Rc<Self>, u8> {
        if self.n > 0 { Ok(self) } else { Err(self.n) }
    }

    #[statement("ui/rc ref")]
    fn rc_ref(self: &Rc<Self>) -> Result<Rc<Self>, u8> {
        Ok(Rc::clone(self))
    }

    #[statement("ui/alias")]
    fn alias(self: Shared) -> Result<u8, u8> {
        Ok(self.n)
    }

    #[statement("ui/box")]
    fn boxed(self: Box<Self>) -> Result<Self, Self> {
        let Self { n, .. } = *self;
        if n == 0 { Err(*self) } else { Ok(*self) }
    }

    #[statement("ui/box box")]
    fn box_box(self: Box<Box<Self>>) -> Result<u8, u8> {
        Ok(self.n)
    }

    #[statement("ui/ref self")]
    fn ref_self(self: &Self) -> Result<u8, u8> {
        Ok(self.n)
    }

    #[statement("ui/mut self", text = { let name = &mut self.name; name.push('!'); &*name })]
    fn mut_self(mut self: Self) -> Result<String, u8> {
        self.name.push('?');
        Ok(self.name)
    }

    #[statement("ui/ref box")]
    fn ref_box(self: &mut Box<Self>) -> Result<&mut u8, u8> {
        Ok(&mut self.n)
    }

    #[statement("ui/lifetimes")]
    fn lifetimes<'a, 'b: 'a>(&'a self, other: &'b str, _: &str) -> Result<&'a str, &'b str> {
        if self.n == 0 { Err(other) } else { Ok(other) }
    }

    #[statement("ui/elided")]
    fn elided(&mut self, _: &str) -> Result<std::slice::IterMut<'_, u8>, Box<dyn std::error::Error + '_>> {
        Err(self.name.as_str().into())
    }

    #[statement("ui/async pin mut", text = self.name)]
    async fn async_pin_mut(self: Pin<&mut Self>) -> Result<u8, String> {
        support::pause().await;
        let this = self.get_mut();
        this.n += 1;
        Ok(this.n)
    }

    #[statement("ui/async pin box")]
    async fn async_pin_box(mut self: Pin<Box<Self>>) -> Result<String, u8> {
        self.n += 1;
        support::pause().await;
        if self.n > 1 { Err(self.n) } else { Ok(self.name.clone()) }
    }

    #[stage("ui/async rc")]
    async fn async_rc(self: &Rc<Self>, more: &str) -> (Rc<Self>, usize) {
        support::pause().await;
        (Rc::clone(self), more.len())
    }

    #[statement("ui/fut pin")]
    fn fut_pin<'s>(self: Pin<&'s mut Self>) -> impl Future<Output = Result<&'s str, String>> + 's {
        async move { Ok(self.into_ref().get_ref().name.as_str()) }
    }

    #[stage("ui/fut arc")]
    fn fut_arc(self: Arc<Self>) -> Pin<Box<dyn Future<Output = u8> + Send + 'static>> {
        Box::pin(async move { self.n })
    }
}

trait Visit {
    fn by_pin(self: Pin<&mut Self>) -> Result<u8, String>;
    #[statement("ui/Visit::by_box")]
    fn by_box(self: Box<Self>) -> Result<u8, String>
    where
        Self: Sized,
    {
        Err("default".into())
    }

    #[statement("ui/Visit::by_dyn")]
    fn by_dyn(self: Rc<Self>, _: &dyn Deref<Target = u8>) -> Result<u8, String> {
        Ok(1)
    }
}

impl Visit for u8 {
    #[statement("ui/u8::by_pin")]
    fn by_pin(mut self: Pin<&mut Self>) -> Result<u8, String> {
        *self += 1;
        Ok(*self)
    }
}

fn main() {
    support::start();
    let store = || Store { n: 1, name: "s".into() };
    assert_eq!(Pin::new(&mut store()).pin_mut(1), Ok(2));
    assert_eq!(Pin::new(&mut store()).pin_mut(3), Err("s is full".into()));
    assert_eq!(Pin::new(&store()).pin_ref(), Ok("s"));
    assert_eq!(Box::pin(store()).pin_box().as_deref(), Ok("s"));
    assert_eq!(Arc::pin(store()).pin_arc(), Err(1));
    assert!(Rc::new(store()).rc().is_ok() && Rc::new(Store::default()).rc().is_err());
    assert!(Rc::new(store()).rc_ref().is_ok());
    assert_eq!(Rc::new(store()).alias(), Ok(1));
    assert!(Box::new(store()).boxed().is_ok() && Box::new(Store::default()).boxed().is_err());
    assert_eq!(Box::new(Box::new(store())).box_box(), Ok(1));
    assert_eq!(store().ref_self(), Ok(1));
    assert!(store().mut_self().is_ok());
    assert_eq!(Box::new(store()).ref_box(), Ok(&mut 1));
    assert_eq!(store().lifetimes("o", ""), Ok("o"));
    assert!(store().elided("").is_err());
    assert_eq!(support::block_on(Pin::new(&mut store()).async_pin_mut()), Ok(2));
    assert_eq!(support::block_on(Box::pin(store()).async_pin_box()), Err(2));
    assert_eq!(support::block_on(Rc::new(store()).async_rc("abc")).1, 3);
    assert_eq!(support::block_on(Pin::new(&mut store()).fut_pin()), Ok("s"));
    assert_eq!(support::block_on(Arc::new(store()).fut_arc()), 1);
    let mut n = 4_u8;
    assert_eq!(Pin::new(&mut n).by_pin(), Ok(5));
    assert!(Box::new(n).by_box().is_err());
    let object: Rc<dyn Visit> = Rc::new(n);
    assert_eq!(object.by_dyn(&Box::new(1)), Ok(1));
    for (name, count, errors) in [
        ("pin mut", 2, 1),
        ("pin ref", 1, 0),
        ("pin box", 1, 0),
        ("pin arc", 1, 1),
        ("rc", 2, 1),
        ("rc ref", 1, 0),
        ("alias", 1, 0),
        ("box", 2, 1),
        ("box box", 1, 0),
        ("ref self", 1, 0),
        ("mut self", 1, 0),
        ("ref box", 1, 0),
        ("lifetimes", 1, 0),
        ("elided", 1, 1),
        ("async pin mut", 1, 0),
        ("async pin box", 1, 1),
        ("fut pin", 1, 0),
        ("u8::by_pin", 1, 0),
        ("Visit::by_box", 1, 1),
        ("Visit::by_dyn", 1, 0),
    ] {
        let name = format!("statement/ui/{name}");
        assert_eq!((support::count(&name), support::errors(&name)), (count, errors), "{name}");
    }
    assert_eq!(support::count("stage/ui/async rc"), 1);
    assert_eq!(support::count("stage/ui/fut arc"), 1);
    assert_eq!(support::last_text("statement/ui/mut self").as_deref(), Some("s!"));
    assert_eq!(support::last_text("statement/ui/pin mut").as_deref(), Some("s"));
    assert_eq!(support::last_text("statement/ui/async pin mut").as_deref(), Some("s"));
}
