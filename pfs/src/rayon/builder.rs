//! [`ThreadPoolBuilder`]: pools whose threads have a class.

use core::fmt;
use std::any::Any;
use std::io;

use ::rayon::{self as raw, ThreadBuilder, ThreadPool, ThreadPoolBuildError};
use pfs_runtime::context::thread::Newcomer;
use pfs_runtime::thread::ThreadClass;

use super::spawn::{CustomSpawn, DefaultSpawn, Spawn};

pfs_runtime::class! {
    /// Threads of pools whose builder was given no class.
    static WORKER: Thread = "thread/rayon/worker";
}

/// Sets what a pool of threads is to be, and builds it: rayon's `ThreadPoolBuilder`, with a class.
///
/// # Examples
///
/// ```
/// let pool = pfs::rayon::ThreadPoolBuilder::new()
///     .thread_class(pfs::thread_class!("kv/compaction"))
///     .num_threads(2)
///     .build()?;
/// assert_eq!(pool.install(|| pfs::rayon::join(|| 1, || 2)), (1, 2));
/// # Ok::<(), pfs::rayon::ThreadPoolBuildError>(())
/// ```
#[must_use = "must eventually build the pool"]
pub struct ThreadPoolBuilder<S = DefaultSpawn> {
    newcomer: Newcomer,
    start_handler: Option<Box<dyn Fn(usize) + Send + Sync>>,
    inner: raw::ThreadPoolBuilder,
    spawn: S,
}

impl Default for ThreadPoolBuilder {
    fn default() -> Self {
        let inner = raw::ThreadPoolBuilder::new();
        Self { newcomer: Newcomer::new(&WORKER), start_handler: None, inner, spawn: DefaultSpawn }
    }
}

impl ThreadPoolBuilder {
    /// Starts with rayon's defaults and the class `thread/rayon/worker`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Builds a pool whose threads may borrow, lends it to `with_pool` and ends it. Each thread runs `wrapper`, which is
    /// to call [`ThreadBuilder::run`].
    ///
    /// # Errors
    ///
    /// If the threads cannot be made.
    ///
    /// # Examples
    ///
    /// ```
    /// let text = String::from("borrowed");
    /// let builder = pfs::rayon::ThreadPoolBuilder::new().num_threads(1);
    /// let length = builder.build_scoped(pfs::rayon::ThreadBuilder::run, |pool| pool.install(|| text.len()))?;
    /// assert_eq!(length, 8);
    /// # Ok::<(), pfs::rayon::ThreadPoolBuildError>(())
    /// ```
    pub fn build_scoped<W, F, R>(self, wrapper: W, with_pool: F) -> Result<R, ThreadPoolBuildError>
    where
        W: Fn(ThreadBuilder) + Sync,
        F: FnOnce(&ThreadPool) -> R,
    {
        let enter = self.newcomer.entry();
        let wrapper = move |thread| {
            enter();
            wrapper(thread);
        };
        let (inner, DefaultSpawn) = self.entering();
        inner.build_scoped(wrapper, with_pool)
    }
}

#[expect(private_bounds, reason = "the two ways to spawn are rayon's, whose own bound is private, too")]
impl<S: Spawn> ThreadPoolBuilder<S> {
    /// Builds the pool. Its threads start meanwhile.
    ///
    /// # Errors
    ///
    /// If the threads cannot be made.
    pub fn build(self) -> Result<ThreadPool, ThreadPoolBuildError> {
        let (inner, spawn) = self.entering();
        spawn.build(inner)
    }

    /// Builds the global pool and waits until its threads have started.
    ///
    /// # Errors
    ///
    /// If there is a global pool, or the threads cannot be made.
    pub fn build_global(self) -> Result<(), ThreadPoolBuildError> {
        let (inner, spawn) = self.entering();
        spawn.build_global(inner)
    }
}

impl<S> ThreadPoolBuilder<S> {
    /// Sets the class that the pool's threads carry in `threads`. Ours; without it that is `thread/rayon/worker`.
    ///
    /// A thread that has a row already keeps it: the calling one, of [`use_current_thread`](Self::use_current_thread),
    /// and those that a [`spawn_handler`](Self::spawn_handler) spawns with a class of their own.
    pub fn thread_class(self, class: ThreadClass) -> Self {
        Self { newcomer: class.__newcomer(), ..self }
    }

    /// Spawns the threads by `spawn`, in which the new thread is to call [`ThreadBuilder::run`].
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = pfs::rayon::ThreadPoolBuilder::new()
    ///     .num_threads(1)
    ///     .spawn_handler(|thread| {
    ///         let named = pfs::thread::Builder::new().name(format!("worker {}", thread.index()));
    ///         named.spawn(|| thread.run())?;
    ///         Ok(())
    ///     })
    ///     .build()?;
    /// let name = pool.install(|| pfs::thread::current().name().map(str::to_owned));
    /// assert_eq!(name.as_deref(), Some("worker 0"));
    /// # Ok::<(), pfs::rayon::ThreadPoolBuildError>(())
    /// ```
    pub fn spawn_handler<F>(self, spawn: F) -> ThreadPoolBuilder<CustomSpawn<F>>
    where
        F: FnMut(ThreadBuilder) -> io::Result<()>,
    {
        let Self { newcomer, start_handler, inner, .. } = self;
        ThreadPoolBuilder { newcomer, start_handler, inner, spawn: CustomSpawn(spawn) }
    }

    /// Names each thread, by its index, to the operating system and to panic messages; the class stays what it is.
    pub fn thread_name<F>(self, closure: F) -> Self
    where
        F: FnMut(usize) -> String + 'static,
    {
        self.set(|inner| inner.thread_name(closure))
    }

    /// Sets the number of threads; with 0, rayon decides.
    pub fn num_threads(self, num_threads: usize) -> Self {
        self.set(|inner| inner.num_threads(num_threads))
    }

    /// Makes the calling thread the pool's first. It keeps its class.
    pub fn use_current_thread(self) -> Self {
        self.set(raw::ThreadPoolBuilder::use_current_thread)
    }

    /// Handles panics that have nowhere to go; without it they abort.
    pub fn panic_handler<H>(self, panic_handler: H) -> Self
    where
        H: Fn(Box<dyn Any + Send>) + Send + Sync + 'static,
    {
        self.set(|inner| inner.panic_handler(panic_handler))
    }

    /// Sets the size of each thread's stack, in bytes.
    pub fn stack_size(self, stack_size: usize) -> Self {
        self.set(|inner| inner.stack_size(stack_size))
    }

    /// Runs the oldest job of a thread first.
    #[deprecated(note = "use `scope_fifo` and `spawn_fifo` for similar effect")]
    pub fn breadth_first(self) -> Self {
        #[expect(deprecated, reason = "part of rayon's interface")]
        self.set(raw::ThreadPoolBuilder::breadth_first)
    }

    /// Runs `start_handler` in each thread, with its index, before its first job. The thread has its row by then.
    pub fn start_handler<H>(self, start_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        Self { start_handler: Some(Box::new(start_handler)), ..self }
    }

    /// Runs `exit_handler` in each thread, with its index, after its last job.
    pub fn exit_handler<H>(self, exit_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.set(|inner| inner.exit_handler(exit_handler))
    }

    fn set(self, set: impl FnOnce(raw::ThreadPoolBuilder) -> raw::ThreadPoolBuilder) -> Self {
        Self { inner: set(self.inner), ..self }
    }

    /// rayon's builder, with threads that get their row before anything else.
    fn entering(self) -> (raw::ThreadPoolBuilder, S) {
        let Self { newcomer, start_handler, inner, spawn } = self;
        let enter = newcomer.entry();
        let inner = inner.start_handler(move |index| {
            enter();
            if let Some(start_handler) = &start_handler {
                start_handler(index);
            }
        });
        (inner, spawn)
    }
}

impl<S> fmt::Debug for ThreadPoolBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}
