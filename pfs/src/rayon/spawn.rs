//! The two ways in which a pool's threads are spawned.

use std::io;

use ::rayon::{self as raw, ThreadBuilder, ThreadPool, ThreadPoolBuildError};

/// By rayon.
#[derive(Clone, Copy, Debug, Default)]
pub struct DefaultSpawn;

/// By a function of the user's.
#[derive(Debug)]
pub struct CustomSpawn<F>(pub(super) F);

/// Builds a pool with threads that are spawned this way.
pub(super) trait Spawn {
    fn build(self, builder: raw::ThreadPoolBuilder) -> Result<ThreadPool, ThreadPoolBuildError>;
    fn build_global(self, builder: raw::ThreadPoolBuilder) -> Result<(), ThreadPoolBuildError>;
}

impl Spawn for DefaultSpawn {
    fn build(self, builder: raw::ThreadPoolBuilder) -> Result<ThreadPool, ThreadPoolBuildError> {
        builder.build()
    }

    fn build_global(self, builder: raw::ThreadPoolBuilder) -> Result<(), ThreadPoolBuildError> {
        builder.build_global()
    }
}

impl<F: FnMut(ThreadBuilder) -> io::Result<()>> Spawn for CustomSpawn<F> {
    fn build(self, builder: raw::ThreadPoolBuilder) -> Result<ThreadPool, ThreadPoolBuildError> {
        builder.spawn_handler(self.0).build()
    }

    fn build_global(self, builder: raw::ThreadPoolBuilder) -> Result<(), ThreadPoolBuildError> {
        builder.spawn_handler(self.0).build_global()
    }
}
