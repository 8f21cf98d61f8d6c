//! The traits that a type has without saying so, and whether anything happens when it goes: what decides where a value
//! can be held, sent and shared. Printed for the public types, because it must be the same with and without the engine:
//! a future that holds a guard across an `.await` is `Send` in both or in neither.
//!
//! What is one of std's or parking_lot's types inside has the destructor of that one where pfs is compiled out, as
//! `sizes` asserts, and is asked for its traits alone.

use core::marker::PhantomData;

/// Whether a type, which is named in full, has a trait.
macro_rules! has {
    ($type:ty: $($bound:tt)+) => {{
        /// What is asked; where the bound holds, its own constant is found before the trait's.
        struct Asked<T: ?Sized>(PhantomData<T>);
        #[allow(dead_code, reason = "it is there for the types that have not the trait")]
        trait Otherwise {
            const HAS: bool = false;
        }
        impl<T: ?Sized> Otherwise for Asked<T> {}
        #[allow(dead_code, reason = "it is there for the types that have the trait")]
        impl<T: ?Sized + $($bound)+> Asked<T> {
            const HAS: bool = true;
        }
        <Asked<$type>>::HAS
    }};
}

/// A line a type with the traits that it has.
macro_rules! traits {
    ($($type:ty),* $(,)?) => {$(
        print!("{}:", in_a_line(stringify!($type)));
        for (name, has) in [
            ("Send", has!($type: Send)),
            ("Sync", has!($type: Sync)),
            ("Unpin", has!($type: Unpin)),
            ("UnwindSafe", has!($type: core::panic::UnwindSafe)),
            ("RefUnwindSafe", has!($type: core::panic::RefUnwindSafe)),
            ("Copy", has!($type: Copy)),
            ("Clone", has!($type: Clone)),
            ("Debug", has!($type: core::fmt::Debug)),
            ("Default", has!($type: Default)),
        ] {
            if has {
                print!(" {name}");
            }
        }
        println!();
    )*};
}

/// The same of types of ours alone, with whether something happens when one goes.
macro_rules! traits_and_end {
    ($($type:ty),* $(,)?) => {$(
        traits!($type);
        println!("{} ends: {}", in_a_line(stringify!($type)), core::mem::needs_drop::<$type>());
    )*};
}

/// A type as it is written, in whatever lines.
fn in_a_line(written: &str) -> String {
    written.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A value that stays on its thread, and one that moves and is not shared.
type Local = *const u8;
type Moved = core::cell::Cell<u8>;

pub(crate) fn print() {
    traits_and_end! {
        pfs::stage::StageGuard, pfs::stage::OpenStage, pfs::stage::StageClass,
        pfs::statement::StatementGuard, pfs::statement::OpenStatement, pfs::statement::StatementClass,
        pfs::transaction::Transaction, pfs::transaction::TransactionOptions,
        pfs::session::Session, pfs::session::AttachedSession<'static>, pfs::session::CurrentSession,
        pfs::task::InStage<Local>, pfs::task::InStage<Moved>, pfs::task::InStage<u8>,
        pfs::task::InStatement<Local>, pfs::task::InStatement<Moved>, pfs::task::InStatement<u8>,
        pfs::task::InSession<Local>, pfs::task::InSession<Moved>, pfs::task::InSession<u8>,
        pfs::task::InSession<u8, &'static mut pfs::session::Session>,
        pfs::task::InTask<Local>, pfs::task::InTask<Moved>, pfs::task::InTask<u8>,
        pfs::thread::ThreadClass, pfs::Pfs, pfs::BoundTable, pfs::Config, pfs::Memory,
        pfs::StartError, pfs::SetupError, pfs::ConfigError,
    }
    traits! {
        pfs::thread::Builder, pfs::thread::Scope<'static, 'static>, pfs::thread::JoinHandle<Local>,
        pfs::thread::ScopedJoinHandle<'static, Local>,
        pfs::sync::Condvar, pfs::sync::Once, pfs::sync::Barrier,
    }
    macro_rules! of_a_value {
        ($($path:ident)::+ $(<$lifetime:lifetime>)?) => {
            traits! {
                $($path)::+<$($lifetime,)? u8>, $($path)::+<$($lifetime,)? Local>, $($path)::+<$($lifetime,)? Moved>,
                $($path)::+<$($lifetime,)? &'static mut u8>, $($path)::+<$($lifetime,)? core::marker::PhantomPinned>,
            }
        };
    }
    of_a_value!(pfs::sync::Mutex);
    of_a_value!(pfs::sync::MutexGuard<'static>);
    of_a_value!(pfs::sync::RwLock);
    of_a_value!(pfs::sync::RwLockReadGuard<'static>);
    of_a_value!(pfs::sync::RwLockWriteGuard<'static>);
    of_a_value!(pfs::sync::OnceLock);
    of_a_value!(pfs::sync::LazyLock);
    of_a_value!(pfs::sync::mpsc::Receiver);
    of_a_value!(pfs::sync::mpsc::SyncSender);
    of_a_value!(pfs::sync::mpsc::Iter<'static>);
    of_a_value!(pfs::sync::mpsc::TryIter<'static>);
    of_a_value!(pfs::sync::mpsc::IntoIter);
    #[cfg(feature = "parking_lot")]
    {
        use pfs::parking_lot;

        traits!(parking_lot::Condvar, parking_lot::Once);
        of_a_value!(parking_lot::Mutex);
        of_a_value!(parking_lot::MutexGuard<'static>);
        of_a_value!(parking_lot::MappedMutexGuard<'static>);
        of_a_value!(parking_lot::FairMutex);
        of_a_value!(parking_lot::FairMutexGuard<'static>);
        of_a_value!(parking_lot::MappedFairMutexGuard<'static>);
        of_a_value!(parking_lot::ReentrantMutex);
        of_a_value!(parking_lot::ReentrantMutexGuard<'static>);
        of_a_value!(parking_lot::MappedReentrantMutexGuard<'static>);
        of_a_value!(parking_lot::RwLock);
        of_a_value!(parking_lot::RwLockReadGuard<'static>);
        of_a_value!(parking_lot::RwLockWriteGuard<'static>);
        of_a_value!(parking_lot::RwLockUpgradableReadGuard<'static>);
        of_a_value!(parking_lot::MappedRwLockReadGuard<'static>);
        of_a_value!(parking_lot::MappedRwLockWriteGuard<'static>);
    }
    #[cfg(feature = "crossbeam")]
    {
        use pfs::crossbeam;

        traits! {
            crossbeam::channel::Select<'static>, crossbeam::sync::Parker, crossbeam::sync::WaitGroup,
            crossbeam::thread::Scope<'static>, crossbeam::thread::ScopedThreadBuilder<'static, 'static>,
        }
        of_a_value!(crossbeam::channel::Sender);
        of_a_value!(crossbeam::channel::Receiver);
        of_a_value!(crossbeam::channel::Iter<'static>);
        of_a_value!(crossbeam::channel::TryIter<'static>);
        of_a_value!(crossbeam::channel::IntoIter);
        of_a_value!(crossbeam::thread::ScopedJoinHandle<'static>);
    }
    #[cfg(feature = "rayon")]
    traits!(pfs::rayon::ThreadPoolBuilder);
    futures();
}

/// Futures that hold something across an `.await`: whether each is `Send` is decided by what is live there.
macro_rules! held {
    ($($name:ident = $held:expr;)*) => {
        $(async fn $name() {
            let _held = $held;
            core::future::ready(()).await;
        })*

        fn futures() {
            $({
                let future = $name();
                println!("a future that holds {}: {}", stringify!($name), (&Future(&future)).is_send());
            })*
        }
    };
}

/// What is asked of a future, whose type has no name: a method of its own is found before that of a reference to it.
struct Future<'a, F>(&'a F);

trait IsSend {
    fn is_send(&self) -> bool;
}

impl<F: Send> IsSend for Future<'_, F> {
    fn is_send(&self) -> bool {
        let _ = self.0;
        true
    }
}

trait IsNotSend {
    fn is_send(&self) -> bool;
}

impl<F> IsNotSend for &Future<'_, F> {
    fn is_send(&self) -> bool {
        false
    }
}

static LOCK: pfs::sync::Mutex<u8> = pfs::sync::Mutex::new(0);
static SHARED: pfs::sync::RwLock<u8> = pfs::sync::RwLock::new(0);

held! {
    nothing = ();
    a_stage = pfs::stage_class!("traits/stage").begin();
    a_statement = pfs::statement_class!("traits/statement").begin();
    what_is_said_of_a_statement = pfs::statement::current();
    a_transaction = pfs::transaction::begin();
    a_session = pfs::session::Session::new();
    an_attached_session = Box::leak(Box::new(pfs::session::Session::new())).attach();
    a_mutex = LOCK.lock();
    a_reader = SHARED.read();
    a_writer = SHARED.write();
}
