//! The digest of a statement: found when its text is said, counted when it ends.

use crate::digest::Tokens;
use crate::model::{Context, Detail};
use crate::schema::{DigestId, Ended, Schema};
use core::sync::atomic::Ordering::Relaxed;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How long a text may be that makes its digest anew. Of a longer one, whose digest was truncated while it ran, nothing is
/// counted by digest: it is as if it had ended before.
const TEXT: usize = 1024;

/// The digest of a text that the context's thread says of a statement that began at `start`, zero if it is not timed; what
/// was said of it before is in `detail`.
pub(crate) fn of(
    context: &'static Context,
    schema: &'static Schema,
    detail: Option<&Detail>,
    start: u64,
    text: &[u8],
) -> DigestId {
    let make = || {
        let Some(room) = Room::of(context, schema) else { return DigestId::NONE };
        let mut tokens = Tokens::new(room.bytes);
        if !schema.digests.language().tokens(text, &mut tokens) {
            return DigestId::NONE;
        }
        let name = detail.and_then(Detail::kept_schema);
        let name = name.as_ref().map(|(name, length)| &name[..*length]);
        schema.digests.find(name, tokens.bytes(), || if start == 0 { schema.clock().now() } else { start })
    };
    // Unwind safety: a language is other code. If it panics, the room and a slot that was being made are given back, and
    // the statement goes on without a digest.
    catch_unwind(AssertUnwindSafe(make)).unwrap_or(DigestId::NONE)
}

/// Counts a statement that ended by its digest.
pub(crate) fn count(context: &'static Context, schema: &'static Schema, ended: &Ended<'_>) {
    let detail = ended.detail;
    if schema.digests.count(detail.digest(), ended) {
        return;
    }
    // All digests were truncated since the text was said. It may still be there, and makes the digest again.
    let (text, state) = detail.kept_text();
    if state == Detail::TEXT_WHOLE
        && let Some(text) = text.copied(&mut [0; TEXT])
    {
        let start = ended.at.wrapping_sub(ended.ticks.unwrap_or(0));
        schema.digests.count(of(context, schema, Some(detail), start, text), ended);
    }
}

/// Where a context's tokens are put together, while nobody else does that: a language is other code, which may itself be
/// instrumented.
struct Room {
    context: &'static Context,
    bytes: &'static mut [u8],
}

impl Room {
    fn of(context: &'static Context, schema: &'static Schema) -> Option<Self> {
        if context.is_overflow() || context.digesting.load(Relaxed) != 0 {
            return None;
        }
        context.digesting.store(1, Relaxed);
        let base = core::ptr::from_ref(context).cast::<u8>().cast_mut().wrapping_add(schema.layout.tokens);
        // SAFETY: a context of the schema, as this one is, begins a stretch laid out by `ContextLayout`, where these bytes
        // are nothing else's; the mapping is never unmapped. Only the context's one thread gets here, and `digesting`
        // lets it hold them once.
        let bytes = unsafe { core::slice::from_raw_parts_mut(base, schema.layout.tokens_bytes) };
        Some(Self { context, bytes })
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.context.digesting.store(0, Relaxed);
    }
}
