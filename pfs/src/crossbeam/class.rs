//! The classes of what is waited for here and has no name of its own.

pfs_runtime::class! {
    /// Receiving from channels.
    pub(super) static RECV: Cond = "wait/synch/cond/crossbeam/recv";
    /// Sending to full channels.
    pub(super) static SEND: Cond = "wait/synch/cond/crossbeam/send";
    /// Selecting among channels.
    pub(super) static SELECT: Cond = "wait/synch/cond/crossbeam/select";
    /// `Parker::park`.
    pub(super) static PARK: Cond = "wait/synch/cond/crossbeam/park";
    /// `WaitGroup::wait`.
    pub(super) static WAIT_GROUP: Cond = "wait/synch/cond/crossbeam/wait_group";
    /// `ScopedJoinHandle::join`.
    pub(super) static JOIN: Cond = "wait/synch/cond/crossbeam/join";
}
