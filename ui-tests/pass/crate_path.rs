//! `crate = path` on every attribute, where `pfs` is reached through another crate or module.

#![deny(warnings)]

#[path = "support/mod.rs"]
mod support;

mod framework {
    pub mod deps {
        pub use pfs as perf;
    }
}

mod user {
    use crate::framework::deps::perf;
    use perf::sync::{Condvar, Mutex, RwLock};

    #[perf::instrument_mutex("ui/mutex", crate = perf)]
    pub static MUTEX: Mutex<u8> = Mutex::new(1);

    #[perf::instrument_rwlock(crate = crate::framework::deps::perf, name = "ui/rwlock")]
    pub static RWLOCK: RwLock<u8> = RwLock::new(2);

    #[perf::instrument_condvar(crate = self::perf)]
    pub static CONDVAR: Condvar = Condvar::new();

    #[perf::stage("ui/stage", crate = super::framework::deps::perf,)]
    pub fn stage() -> u8 {
        3
    }

    #[perf::statement(crate = perf, name = "ui/statement", text = "text", err = |r| r.err())]
    pub fn statement() -> Result<u8, u8> {
        Err(4)
    }

    #[derive(perf::Stage)]
    #[stage(crate = perf, component = "ui")]
    pub enum Step {
        First,
    }

    #[derive(perf::Instrument)]
    #[instrument(crate = perf, component = "ui")]
    pub struct Shard {
        #[mutex]
        pub lock: Mutex<u8>,
    }

    #[derive(perf::Instrument)]
    #[instrument(crate = crate::framework::deps::perf)]
    pub struct Server {
        #[instrument]
        pub shards: Vec<Shard>,
    }

    #[perf::instrument(crate = perf)]
    pub static SERVER: std::sync::LazyLock<Server> =
        std::sync::LazyLock::new(|| Server { shards: vec![Shard { lock: Mutex::new(6) }] });

    #[derive(perf::Statement)]
    #[statement(crate = perf, component = "ui")]
    pub enum Command {
        Derived,
    }

    // These find their crate themselves.
    pub fn mutex() -> Mutex<u8> {
        perf::mutex!("ui/made", 5)
    }
}

fn main() {
    use pfs::sync::Mutex;
    use pfs::prelude::*;

    support::start();
    assert_eq!(*user::MUTEX.lock().unwrap() + *user::RWLOCK.read().unwrap(), 3);
    user::CONDVAR.notify_all();
    assert_eq!((user::stage(), user::statement()), (3, Err(4)));
    drop(user::Command::Derived.begin());
    user::Step::First.begin().switch(user::Step::First);
    assert_eq!(*user::SERVER.shards[0].lock.lock().unwrap(), 6);
    assert_eq!(*user::Shard { lock: Mutex::new(7) }.instrumented().lock.lock().unwrap(), 7);
    assert_eq!(*user::mutex().lock().unwrap(), 5);
    assert_eq!(support::waits("wait/synch/mutex/ui/mutex"), 1);
    assert_eq!(support::waits("wait/synch/rwlock/ui/rwlock"), 1);
    assert_eq!(support::waits("wait/synch/mutex/ui/made"), 1);
    assert!(support::is_declared(&format!("wait/synch/cond/{}/CONDVAR", module_path!())));
    assert_eq!(support::count("stage/ui/stage"), 1);
    assert_eq!(support::count("stage/ui/first"), 2);
    assert_eq!(support::waits("wait/synch/mutex/ui/Shard::lock"), 2);
    assert_eq!(support::last_error("statement/ui/statement").unwrap().2, "4");
    assert_eq!(support::count("statement/ui/derived"), 1);
}
