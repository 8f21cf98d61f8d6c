//! Statements by digest: a row for each schema and digest, found by a hash, and one for all that found no row.

use super::arena::{Arena, Plan, Section};
use crate::clock::Clock;
use crate::config::{SizeKey, Sizes};
use crate::digest::{Language, Text};
use crate::model::{Detail, Digest, SCHEMA_WORDS};
use crate::slots::{Bitmap, Catalog, Contents, Entry, Found, Index, Lost, Pins, Tenure};
use crate::stat::{
    Bounds, Counts, Histogram, STATEMENT_COUNTERS, STATEMENT_FIELDS, Stat, StatementStat, Values,
};
use crate::words;
use core::fmt::Write;
use core::sync::atomic::{AtomicU64, Ordering};

#[cfg_attr(not(feature = "engine"), path = "../null/hash.rs")]
mod hash;

/// The length of a name that there is none of.
const NONE: u32 = u32::MAX;

/// Rows that are nobody's digest: what found no row of its own is counted there.
const SINKS: u32 = 1;

/// How many histograms of all statements there are, so that threads that count at once rarely share a line.
const SHARDS: usize = super::summary::SHARDS;

/// The buffers as they are planned.
pub(super) struct Planned {
    rows: Section<Digest>,
    pins: Section<Pins>,
    tokens: Section<AtomicU64>,
    samples: Section<AtomicU64>,
    histograms: Section<Histogram>,
    global: Section<Histogram>,
    map: Section<AtomicU64>,
    index: Section<AtomicU64>,
    capacity: u32,
    sinks: u32,
    tokens_words: usize,
    sample_words: usize,
    max_age: u32,
}

/// The digests. The row of a digest stays until all are truncated.
#[derive(Debug)]
pub struct Digests {
    rows: Rows,
    catalog: Catalog<'static>,
    /// Whether there is a row for what finds none.
    has_sink: bool,
    /// Statements that were counted in that row.
    lost: Lost,
    /// All timed statements, with and without a digest.
    global: &'static [Histogram],
    bounds: Bounds,
    /// How old a sample may become, in ticks; zero for no matter.
    max_age: u64,
    language: &'static dyn Language,
}

laid_out!(Digests { rows, catalog, has_sink, lost, global, bounds, max_age, language });
laid_out!(fn &'static dyn Language, crate::digest::Tokens<'_>);

/// What lies at each row, sinks first.
#[derive(Debug)]
struct Rows {
    digests: &'static [Digest],
    tokens: &'static [AtomicU64],
    samples: &'static [AtomicU64],
    histograms: &'static [Histogram],
    tokens_words: usize,
    sample_words: usize,
    sinks: usize,
}

laid_out!(Rows { digests, tokens, samples, histograms, tokens_words, sample_words, sinks });

/// Which digest a statement has, in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DigestId(u64);

impl DigestId {
    /// None.
    pub(crate) const NONE: Self = Self(0);
    /// One that found no row.
    const SINK: Self = Self(1);
    /// One that came while all went: if the text is still there when the statement ends, it makes the digest again.
    const GONE: Self = Self(1 << 32);

    fn of(entry: Entry) -> Self {
        Self(u64::from(entry.tenure.0) << 32 | (u64::from(entry.slot) + 2))
    }

    pub(crate) fn from_word(word: u64) -> Self {
        Self(word)
    }

    pub(crate) fn word(self) -> u64 {
        self.0
    }

    #[expect(clippy::cast_possible_truncation, reason = "each half is cut out")]
    fn entry(self) -> Option<Entry> {
        let slot = (self.0 as u32).checked_sub(2)?;
        Some(Entry { slot, tenure: Tenure((self.0 >> 32) as u32) })
    }
}

/// A statement that ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended<'a> {
    /// How long it took, if it was timed.
    pub(crate) ticks: Option<u64>,
    /// When it ended, in raw ticks.
    pub(crate) at: u64,
    /// Its counters.
    pub(crate) counters: &'a [u64; STATEMENT_COUNTERS],
    /// What was said of it, its text among that.
    pub(crate) detail: &'a Detail,
}

impl Digests {
    pub(super) fn plan(plan: &mut Plan, sizes: &Sizes) -> Planned {
        let size = match sizes.get(SizeKey::MaxDigestLength) {
            0 => 0,
            _ => sizes.get(SizeKey::DigestsSize),
        };
        let (rows, sinks) = (size as usize, size.min(SINKS));
        let capacity = size - sinks;
        let tokens_words = sizes.count(SizeKey::MaxDigestLength).div_ceil(8);
        let sample_words = sizes.count(SizeKey::MaxSqlTextLength).div_ceil(8);
        Planned {
            rows: plan.reserve("events_statements_summary_by_digest", rows),
            pins: plan.reserve("(digest_pins)", capacity as usize),
            tokens: plan.reserve("(digest_tokens)", rows * tokens_words),
            samples: plan.reserve("(digest_sample_text)", rows * sample_words),
            histograms: plan.reserve("events_statements_histogram_by_digest", rows),
            global: plan.reserve("events_statements_histogram_global", SHARDS),
            map: plan.reserve("(digest_map)", Bitmap::words(capacity)),
            index: plan.reserve("(digest_index)", Index::entries_for(capacity)),
            capacity,
            sinks,
            tokens_words,
            sample_words,
            max_age: sizes.get(SizeKey::MaxDigestSampleAge),
        }
    }

    pub(super) fn new(
        arena: &Arena,
        planned: &Planned,
        clock: &Clock,
        language: &'static dyn Language,
    ) -> Self {
        let map = Bitmap::new(arena.rows(&planned.map), planned.capacity);
        let index = Index::new(arena.rows(&planned.index));
        Self {
            rows: Rows {
                digests: arena.rows(&planned.rows),
                tokens: arena.rows(&planned.tokens),
                samples: arena.rows(&planned.samples),
                histograms: arena.rows(&planned.histograms),
                tokens_words: planned.tokens_words,
                sample_words: planned.sample_words,
                sinks: planned.sinks as usize,
            },
            catalog: Catalog::new(map, index, arena.rows(&planned.pins)),
            has_sink: planned.sinks > 0,
            lost: Lost::new(),
            global: arena.rows(&planned.global),
            bounds: Bounds::of(clock),
            max_age: clock.ticks_of_at_least(u64::from(planned.max_age).saturating_mul(1_000_000_000_000)),
            language,
        }
    }

    /// Whether any statement can have a digest.
    pub(crate) fn are_kept(&self) -> bool {
        self.has_sink
    }

    /// What the server's statements are written in.
    pub(crate) fn language(&self) -> &'static dyn Language {
        self.language
    }

    /// From where on times belong to the buckets of a histogram.
    pub(crate) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// How many statements were counted in the row of those that found none.
    pub fn lost(&self) -> u64 {
        self.lost.get()
    }

    /// The digest of these tokens in this schema; `now` says, in raw ticks, when it was met if that is for the first time.
    ///
    /// Cost: the hash, and a look at an entry or two; the SHA-256 of its text when it is met first.
    pub(crate) fn find(&self, schema: Option<&[u8]>, tokens: &[u8], now: impl FnOnce() -> u64) -> DigestId {
        if !self.has_sink {
            return DigestId::NONE;
        }
        let schema = schema.map(|name| &name[..words::boundary(name, SCHEMA_WORDS * 8)]);
        let hash = hash::of(schema, tokens);
        let is_it = |slot| {
            let row = self.rows.digest(slot);
            [0, 1].iter().all(|half| row.hash[*half].load(Ordering::Relaxed) == hash[*half])
        };
        let fill = |slot| self.fill(slot, schema, tokens, hash, now());
        match self.catalog.find_or_enter(hash[1], &self.rows, is_it, fill) {
            Found::At(entry) => DigestId::of(entry),
            Found::Full => DigestId::SINK,
            Found::Gone => DigestId::GONE,
        }
    }

    fn fill(&self, slot: u32, schema: Option<&[u8]>, tokens: &[u8], hash: [u64; 2], now: u64) {
        let row = self.rows.digest(slot);
        words::write(self.rows.tokens(self.rows.at(slot)), tokens);
        row.tokens_length.store(u32::try_from(tokens.len()).unwrap_or(0), Ordering::Relaxed);
        words::write(&row.schema, schema.unwrap_or_default());
        let length = schema.map_or(NONE, |name| u32::try_from(name.len()).unwrap_or(NONE));
        row.schema_length.store(length, Ordering::Relaxed);
        let sha256 = hash::sha256(&Text::new(tokens, self.language));
        for (word, bytes) in row.sha256.iter().zip(sha256.as_chunks().0) {
            word.store(u64::from_be_bytes(*bytes), Ordering::Relaxed);
        }
        for (word, half) in row.hash.iter().zip(hash) {
            word.store(half, Ordering::Relaxed);
        }
        row.first_seen.store(now, Ordering::Relaxed);
    }

    /// Counts a statement that ended among all. Cost: an atomic addition and a look at a bound or two.
    #[inline]
    pub(crate) fn count_time(&self, ticks: u64, shard: u64) {
        #[expect(clippy::cast_possible_truncation, reason = "cut to some")]
        self.global[shard as usize % SHARDS].add(self.bounds.bucket(ticks));
    }

    /// Counts a statement by its digest; false if the digest's row went, when it was found or later.
    ///
    /// Cost: an atomic addition for each figure that changes, and two to keep the row.
    pub(crate) fn count(&self, id: DigestId, ended: &Ended<'_>) -> bool {
        if id == DigestId::SINK {
            self.lost.add(1);
            let sink = &self.rows.digests[0];
            // The first one that found no row tells since when there are any.
            if sink.first_seen.load(Ordering::Relaxed) == 0 {
                sink.first_seen.fetch_max(ended.at.max(1), Ordering::Relaxed);
            }
            self.rows.count(0, &self.bounds, ended);
            return true;
        }
        let Some(entry) = id.entry() else { return id != DigestId::GONE };
        let at = self.rows.at(entry.slot);
        self.catalog.with(entry, &self.rows, || {
            self.rows.count(at, &self.bounds, ended);
            self.rows.sample(at, self.max_age, ended);
        })
    }

    /// How a digest is shown: its SHA-256 in hexadecimal digits, and its text; nothing if its row went.
    pub(crate) fn shown(&self, id: DigestId) -> Option<(String, String)> {
        let entry = id.entry()?;
        let kept = self.rows.kept(self.rows.at(entry.slot));
        self.catalog.still(entry).then(|| kept.shown(self.language))
    }

    /// Each digest with what was counted of it, that of those that found no row first, if there were any. A row is read
    /// field by field, and left out if it went meanwhile.
    pub(crate) fn all(&self) -> impl Iterator<Item = ByDigest> {
        // By its count: what is counted just while all rows go is there, whatever became of when it was first seen.
        let sink = self.has_sink.then(|| self.rows.read(0)).filter(|sink| sink.statements.count != 0);
        let read = |entry: Entry| {
            let at = self.rows.at(entry.slot);
            let (digest, read) = (&self.rows.digests[at], self.rows.read(at));
            let schema = match digest.schema_length.load(Ordering::Relaxed) {
                NONE => None,
                length => Some(words::read(&digest.schema, (length as usize).min(SCHEMA_WORDS * 8))),
            };
            let kept = self.rows.kept(at);
            let shown = || Some(kept.shown(self.language));
            self.catalog.still(entry).then(|| ByDigest { shown: shown(), schema, ..read })
        };
        sink.into_iter().chain(self.catalog.entries().filter_map(read))
    }

    /// All timed statements.
    pub(crate) fn times(&self) -> Counts {
        let mut counts = Counts::new();
        self.global.iter().for_each(|histogram| histogram.add_to(&mut counts));
        counts
    }

    /// Removes every digest. One caller at a time.
    pub(crate) fn truncate(&self) {
        self.catalog.clear(&self.rows);
        if self.has_sink {
            self.rows.clean_at(0);
        }
    }

    /// Removes every digest and restarts all that is counted of statements here. A row that a thread that is no more was
    /// using stays taken.
    pub(super) fn restart(&self) {
        self.truncate();
        self.truncate_times();
        self.lost.take();
    }

    /// Starts the histograms of the digests again, and nothing else.
    pub(crate) fn truncate_histograms(&self) {
        if self.has_sink {
            self.rows.histograms[0].clear();
        }
        for entry in self.catalog.entries() {
            self.catalog.with(entry, &self.rows, || self.rows.histograms[self.rows.at(entry.slot)].clear());
        }
    }

    /// Starts the histogram of all statements again.
    pub(crate) fn truncate_times(&self) {
        self.global.iter().for_each(Histogram::clear);
    }
}

/// What is shown of a digest.
#[derive(Clone, Debug)]
pub(crate) struct ByDigest {
    /// The schema that its statements run in.
    pub(crate) schema: Option<String>,
    /// Its SHA-256 and its text; `None` of what found no row.
    pub(crate) shown: Option<(String, String)>,
    pub(crate) statements: StatementStat,
    pub(crate) times: Counts,
    /// In raw ticks.
    pub(crate) first_seen: u64,
    /// In raw ticks.
    pub(crate) last_seen: u64,
    pub(crate) sample: Option<SampleRead>,
}

/// A sample, copied out.
#[derive(Clone, Debug)]
pub(crate) struct SampleRead {
    pub(crate) text: String,
    /// In raw ticks.
    pub(crate) seen: u64,
    /// In ticks.
    pub(crate) ticks: u64,
}

/// What a row keeps of what its statements are, copied out. A language is shown the tokens only once the row is known
/// to be still the same digest's: of those of two it might have words that it does not know.
struct Kept {
    sha256: [u64; 4],
    tokens: Vec<u8>,
}

impl Kept {
    fn shown(&self, language: &'static dyn Language) -> (String, String) {
        let mut digest = String::with_capacity(64);
        for word in self.sha256 {
            let _ = write!(digest, "{word:016x}");
        }
        (digest, Text::new(&self.tokens, language).to_string())
    }
}

impl Rows {
    fn at(&self, slot: u32) -> usize {
        slot as usize + self.sinks
    }

    fn digest(&self, slot: u32) -> &'static Digest {
        &self.digests[self.at(slot)]
    }

    fn tokens(&self, at: usize) -> &'static [AtomicU64] {
        &self.tokens[at * self.tokens_words..(at + 1) * self.tokens_words]
    }

    fn sample_text(&self, at: usize) -> &'static [AtomicU64] {
        &self.samples[at * self.sample_words..(at + 1) * self.sample_words]
    }

    fn count(&self, at: usize, bounds: &Bounds, ended: &Ended<'_>) {
        let row = &self.digests[at];
        row.statements.add_statement(ended.ticks, ended.counters);
        if let Some(ticks) = ended.ticks {
            self.histograms[at].add(bounds.bucket(ticks));
        }
        if row.last_seen.load(Ordering::Relaxed) < ended.at {
            row.last_seen.fetch_max(ended.at, Ordering::Relaxed);
        }
    }

    /// Keeps the statement as the sample, if there is none, or if it took longer than the one there is, or if that is old.
    fn sample(&self, at: usize, max_age: u64, ended: &Ended<'_>) {
        let sample = &self.digests[at].sample;
        let ticks = ended.ticks.unwrap_or(0);
        let (length, kept) = (sample.length.load(Ordering::Relaxed), sample.ticks.load(Ordering::Relaxed));
        let age = ended.at.saturating_sub(sample.seen.load(Ordering::Relaxed));
        if !(length == 0 || ticks > kept || max_age > 0 && age > max_age) {
            return;
        }
        let (text, state) = ended.detail.kept_text();
        // Who comes while another is at it leaves it: there will be more statements.
        if text.is_empty() || sample.busy.swap(1, Ordering::Acquire) != 0 {
            return;
        }
        sample.version.write(|| {
            words::copy(text.words, self.sample_text(at));
            sample.length.store(text.length, Ordering::Relaxed);
            sample.state.store(state, Ordering::Relaxed);
            sample.seen.store(ended.at, Ordering::Relaxed);
            sample.ticks.store(ticks, Ordering::Relaxed);
        });
        sample.busy.store(0, Ordering::Release);
    }

    fn kept(&self, at: usize) -> Kept {
        let row = &self.digests[at];
        let length = (row.tokens_length.load(Ordering::Relaxed) as usize).min(self.tokens_words * 8);
        let sha256 = row.sha256.each_ref().map(|word| word.load(Ordering::Relaxed));
        Kept { sha256, tokens: words::bytes(self.tokens(at), length) }
    }

    fn read(&self, at: usize) -> ByDigest {
        let row = &self.digests[at];
        let mut times = Counts::new();
        self.histograms[at].add_to(&mut times);
        let values: Values<STATEMENT_FIELDS> = row.statements.read();
        let sample = row.sample.version.read(|_| {
            let length = row.sample.length.load(Ordering::Relaxed);
            let state = row.sample.state.load(Ordering::Relaxed);
            (length > 0).then(|| SampleRead {
                text: words::shown(
                    self.sample_text(at),
                    length as usize,
                    state == Detail::TEXT_CUT,
                    self.sample_words * 8,
                ),
                seen: row.sample.seen.load(Ordering::Relaxed),
                ticks: row.sample.ticks.load(Ordering::Relaxed),
            })
        });
        ByDigest {
            schema: None,
            shown: None,
            statements: StatementStat::from_values(&values),
            times,
            first_seen: row.first_seen.load(Ordering::Relaxed),
            last_seen: row.last_seen.load(Ordering::Relaxed),
            sample: sample.flatten(),
        }
    }

    /// Makes a row what it is in zeroed memory, of which readers make nothing meanwhile, or which is nobody's.
    fn clean_at(&self, at: usize) {
        let row = &self.digests[at];
        row.statements.take();
        self.histograms[at].clear();
        row.last_seen.store(0, Ordering::Relaxed);
        row.first_seen.store(0, Ordering::Relaxed);
        row.sample.length.store(0, Ordering::Relaxed);
        row.sample.ticks.store(0, Ordering::Relaxed);
    }
}

impl Contents for Rows {
    fn clean(&self, slot: u32) {
        self.clean_at(self.at(slot));
    }
}
