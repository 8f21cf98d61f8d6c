//! What is open on a thread although no code is in it any more.

/// Ends every event that is open in the calling thread's context, which is the session that is attached to it, if one is:
/// statements, stages and transactions, innermost first. They are counted and marked `ENDED_BY` = `CONTEXT`; their
/// guards, if there still are any, end nothing then. Tells how many there were.
///
/// A guard that is leaked, by [`forget`](std::mem::forget) or a cycle of `Rc`s, leaves its event open until the event around
/// it ends, or the context. Where there is none around it, as in a thread that serves request after request, what
/// follows is shown within it, and after `max_statement_stack` of them statements are counted and have no rows. Where a
/// server cannot rule that out, it calls this between requests.
///
/// Futures of the same context that are not polled just now have their events ended too. Cost: some hundred nanoseconds,
/// less if nothing is open.
///
/// ```
/// use pfs::prelude::*;
///
/// static REQUEST: pfs::statement::StatementClass = pfs::statement_class!("kv/request");
///
/// let pfs = pfs::Config::new().start()?;
/// # if !pfs::COMPILED_IN { return Ok(()) }
/// std::mem::forget(REQUEST.begin());
/// assert_eq!(pfs::thread::end_open_events(), 1);
/// let row = pfs.events_statements_summary_global_by_event_name().find(|row| row.event_name == "statement/kv/request");
/// assert_eq!(row.unwrap().summary.count_star, 1);
/// # Ok::<(), pfs::StartError>(())
/// ```
pub fn end_open_events() -> usize {
    crate::context::thread::end_open_events()
}
