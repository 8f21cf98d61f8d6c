//! What else stands on a static: documentation, `cfg`, `cfg_attr`, `allow`, visibility, other attributes around ours.

#![deny(warnings, missing_docs)]

use pfs::prelude::*;
use pfs::sync::{Mutex, RwLock};

#[path = "support/mod.rs"]
mod support;

/// Documentation before
#[instrument_mutex("ui/documented")]
/// and after.
pub static DOCUMENTED: Mutex<u32> = Mutex::new(0);

#[allow(non_upper_case_globals)]
#[instrument_mutex("ui/allowed")]
static lower_case: Mutex<u32> = Mutex::new(0);

#[instrument_mutex("ui/dead")]
#[allow(dead_code)]
static DEAD: Mutex<u32> = Mutex::new(0);

#[instrument_mutex("ui/deprecated")]
#[deprecated = "of no use"]
static DEPRECATED: Mutex<u32> = Mutex::new(0);

#[instrument_mutex("ui/expected")]
#[expect(unused_parens, reason = "that it is so is the test")]
static EXPECTED: (Mutex<u32>) = Mutex::new(0);

#[cfg(all())]
#[instrument_mutex("ui/here")]
static HERE: Mutex<u32> = Mutex::new(1);

#[cfg(any())]
#[instrument_mutex("ui/not here")]
static HERE: Nowhere = Nowhere;

#[instrument_rwlock("ui/below")]
#[cfg(all())]
#[cfg(not(any()))]
static BELOW: RwLock<u32> = RwLock::new(2);

#[instrument_rwlock("ui/not below")]
#[cfg(all())]
#[cfg(any())]
static BELOW: Nowhere = Nowhere;

#[cfg_attr(all(), instrument_rwlock("ui/conditional"))]
#[cfg_attr(any(), instrument_rwlock("ui/other condition"))]
static CONDITIONAL: RwLock<u32> = RwLock::new(3);

mod scoped {
    use pfs::sync::Mutex;

    pub mod deeper {
        use super::Mutex;

        #[pfs::instrument_mutex("ui/super")]
        pub(super) static SUPER: Mutex<u32> = Mutex::new(4);
        #[pfs::instrument_mutex("ui/in")]
        pub(in crate::scoped) static IN: Mutex<u32> = Mutex::new(5);
        #[pfs::instrument_mutex("ui/crate")]
        pub(crate) static CRATE: Mutex<u32> = Mutex::new(6);
    }

    pub fn sum() -> u32 {
        *deeper::SUPER.lock().unwrap() + *deeper::IN.lock().unwrap()
    }
}

fn main() {
    support::start();
    *DOCUMENTED.lock().unwrap() += *lower_case.lock().unwrap() + *EXPECTED.lock().unwrap();
    #[allow(deprecated)]
    drop(DEPRECATED.lock());
    assert_eq!(*HERE.lock().unwrap(), 1);
    assert_eq!(*BELOW.read().unwrap() + *CONDITIONAL.read().unwrap(), 5);
    assert_eq!(scoped::sum() + *scoped::deeper::CRATE.lock().unwrap(), 15);

    for name in ["documented", "allowed", "deprecated", "expected", "here", "super", "in", "crate"] {
        assert_eq!(support::waits(&format!("wait/synch/mutex/ui/{name}")), 1, "{name}");
    }
    for name in ["below", "conditional"] {
        assert_eq!(support::waits(&format!("wait/synch/rwlock/ui/{name}")), 1, "{name}");
    }
    assert!(support::is_declared("wait/synch/mutex/ui/dead"));
    for name in ["mutex/ui/not here", "rwlock/ui/not below", "rwlock/ui/other condition"] {
        assert!(!support::is_declared(&format!("wait/synch/{name}")), "{name}");
    }
}
