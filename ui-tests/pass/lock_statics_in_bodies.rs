//! Statics inside functions, methods, trait methods, closures, constants and generic code.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Mutex, RwLock};
use std::sync::{LazyLock, OnceLock};

#[path = "support/mod.rs"]
mod support;

fn lazy() -> u32 {
    #[instrument_mutex("ui/lazy")]
    static LAZY: LazyLock<Box<Mutex<u32>>> = LazyLock::new(|| Box::new(Mutex::new(0)));
    let mut value = LAZY.lock().unwrap();
    *value += 1;
    *value
}

fn generic<T: Into<u32>>(value: T) -> u32 {
    #[instrument_rwlock("ui/generic")]
    static SUM: OnceLock<Box<RwLock<u32>>> = OnceLock::new();
    let mut sum = SUM.get_or_init(Box::default).write().unwrap();
    *sum += value.into();
    *sum
}

// Two of one name, each in its own scope: their classes do not collide.
fn twice() -> u32 {
    let one = {
        #[instrument_mutex("ui/twice")]
        static COUNTER: Mutex<u32> = Mutex::new(1);
        *COUNTER.lock().unwrap()
    };
    #[instrument_mutex("ui/twice")]
    static COUNTER: Mutex<u32> = Mutex::new(2);
    one + *COUNTER.lock().unwrap()
}

struct Server<T>(T);

impl<T: Copy + Into<u32>> Server<T> {
    const LIMITS: &'static RwLock<u32> = {
        #[instrument_rwlock("ui/in a constant")]
        static LIMITS: RwLock<u32> = RwLock::new(7);
        &LIMITS
    };

    fn serve(&self) -> u32 {
        // A static cannot use `Self` or `T`, nor does its attribute.
        #[instrument_mutex("ui/method")]
        static SERVED: Mutex<u32> = Mutex::new(0);
        let mut served = SERVED.lock().unwrap();
        *served += self.0.into();
        *served + *Self::LIMITS.read().unwrap()
    }
}

trait Named {
    fn name(&self) -> String {
        #[instrument_rwlock]
        static DEFAULT_NAME: RwLock<String> = RwLock::new(String::new());
        DEFAULT_NAME.read().unwrap().clone()
    }
}
impl Named for u8 {}
impl Named for str {}

fn main() {
    support::start();
    assert_eq!((lazy(), lazy()), (1, 2));
    assert_eq!((generic(1_u8), generic(2_u16)), (1, 3));
    assert_eq!(twice(), 3);
    assert_eq!((Server(1_u8).serve(), Server(1_u16).serve()), (8, 9));
    assert_eq!(1.name() + &"".name(), "");
    let closure = |by: u32| {
        #[instrument_mutex("ui/closure")]
        static CALLED: Mutex<u32> = Mutex::new(0);
        *CALLED.lock().unwrap() += by;
    };
    closure(1);
    closure(2);

    for (name, count) in [
        ("mutex/ui/lazy", 2),
        ("rwlock/ui/generic", 2),
        ("mutex/ui/twice", 2),
        ("rwlock/ui/in a constant", 2),
        ("mutex/ui/method", 2),
        (&format!("rwlock/{}/DEFAULT_NAME", module_path!()), 2),
        ("mutex/ui/closure", 2),
        ("mutex/pfs/unnamed", 0),
        ("rwlock/pfs/unnamed", 0),
    ] {
        assert_eq!(support::waits(&format!("wait/synch/{name}")), count, "{name}");
    }
}
