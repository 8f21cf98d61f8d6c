//! What everything is called that is given no name: the crate, then the identifier of a static or a function, the field
//! of a type, the variant in snake case. Where in the crate it stands does not matter.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::sync::{Condvar, Mutex, RwLock};

#[path = "support/mod.rs"]
mod support;

#[instrument_mutex]
#[allow(non_upper_case_globals)]
static LOCK_index: Mutex<u8> = Mutex::new(0);

mod outer {
    pub mod inner {
        use pfs::prelude::*;
        use pfs::sync::{Condvar, Mutex, RwLock};

        #[instrument_rwlock]
        #[allow(non_upper_case_globals)]
        pub static r#move: RwLock<u8> = RwLock::new(0);

        #[instrument_condvar]
        pub static FLUSHED_2: Condvar = Condvar::new();

        #[statement]
        pub fn backup() {
            drop(r#move.read());
        }

        #[stage]
        pub fn r#match() {
            FLUSHED_2.notify_all();
        }

        #[derive(Statement)]
        pub enum Command {
            Ping,
            SetMany,
        }

        #[derive(Stage)]
        pub enum Step {
            ReadAll,
            #[allow(non_camel_case_types)]
            r#final,
        }

        #[derive(Default, Instrument)]
        pub struct Shard<T> {
            #[mutex]
            pub r#type: Mutex<T>,
            #[instrument]
            pub kind: Kind,
        }

        #[derive(Instrument)]
        pub enum Kind {
            Fast(#[rwlock] RwLock<u8>),
            Slow {
                #[mutex]
                queue: Mutex<u8>,
            },
        }

        impl Default for Kind {
            fn default() -> Self {
                Self::Fast(RwLock::new(1))
            }
        }
    }
}

#[derive(Statement)]
struct FlushAll;

fn local() {
    #[instrument_mutex]
    static IN_A_FUNCTION: Mutex<u8> = Mutex::new(0);
    drop(IN_A_FUNCTION.lock());
}

fn main() {
    use outer::inner;

    support::start();
    drop(LOCK_index.lock());
    inner::backup();
    inner::r#match();
    drop((inner::Command::Ping.begin(), inner::Command::SetMany.begin(), FlushAll.begin()));
    drop((inner::Step::ReadAll.begin(), inner::Step::r#final.begin()));
    local();
    let shard = inner::Shard::<u8>::default().instrumented();
    drop(shard.r#type.lock());
    if let inner::Kind::Fast(lock) = &shard.kind {
        drop(lock.read());
    }
    let slow = inner::Kind::Slow { queue: Mutex::new(0) }.instrumented();
    if let inner::Kind::Slow { queue } = &slow {
        drop(queue.lock());
    }

    let own = module_path!();
    for name in ["mutex/LOCK_index", "rwlock/move", "mutex/IN_A_FUNCTION", "mutex/Shard::type", "rwlock/Kind::Fast::0"] {
        let (kind, name) = name.split_once('/').unwrap();
        assert_eq!(support::waits(&format!("wait/synch/{kind}/{own}/{name}")), 1, "{name}");
    }
    assert_eq!(support::waits(&format!("wait/synch/mutex/{own}/Kind::Slow::queue")), 1);
    assert!(support::is_declared(&format!("wait/synch/cond/{own}/FLUSHED_2")));
    for name in ["statement/backup", "statement/ping", "statement/set_many", "statement/flush_all"] {
        let (kind, name) = name.split_once('/').unwrap();
        assert_eq!(support::count(&format!("{kind}/{own}/{name}")), 1, "{name}");
    }
    for name in ["match", "read_all", "final"] {
        assert_eq!(support::count(&format!("stage/{own}/{name}")), 1, "{name}");
    }
    let _ = (RwLock::new(0), Condvar::new());
}
