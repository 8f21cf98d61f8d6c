//! The schema: every buffer, built once from a configuration, and the process-wide one behind one static.

mod actors;
mod arena;
mod brought;
mod context;
mod contexts;
mod digests;
mod failures;
mod folds;
mod forked;
mod instances;
pub(crate) mod layout;
mod lock;
mod long;
#[cfg_attr(not(feature = "engine"), path = "../null/mapping.rs")]
mod mapping;
mod planned;
mod process;
mod sources;
mod status;
pub(crate) mod summary;

pub(crate) use actors::Membership;
pub use actors::{Actors, Who};
pub use arena::{Buffer, Memory};
pub use brought::Taken;
pub(crate) use context::elapsed;
pub use contexts::Contexts;
pub use digests::Digests;
pub(crate) use digests::{ByDigest, DigestId, Ended};
pub use failures::Failures;
pub use instances::Instances;
pub use long::LongHistory;
pub use planned::memory;
#[cfg(unix)]
pub(crate) use process::Still;
#[cfg(feature = "engine")]
pub(crate) use process::share;
pub(crate) use process::{joining, started};
pub use process::{process, start};
pub use sources::{Place, Sources};
pub use status::{EventTable, Status};
pub use summary::{Summary, Total};

use crate::class::{
    Class, EventKind, Flags, Instrument, Instruments, Kind, NotLinked, Timed, TimedKind, Word,
};
use crate::clock::{Clock, Resolution, TimeOfDay, Wall};
use crate::config::{
    Checked, Config, ConfigError, Consumer, ConsumerSet, InstrumentRule, SizeKey, Sizes, TextKept,
};
use crate::model::{Actor, Site, Slot};
use crate::stat::{STAGE_FIELDS, STATEMENT_FIELDS, WAIT_FIELDS};
use arena::Arena;
use core::error::Error;
use core::fmt;
use core::ptr::from_ref;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering};
use layout::ContextLayout;
use lock::Lock;
use planned::Planned;
use status::Epochs;

/// Why nothing was started.
#[non_exhaustive]
pub enum StartError {
    /// A value of the configuration is not allowed.
    Config(ConfigError),
    /// The list of classes was lost in linking.
    NotLinked(NotLinked),
    /// The process has a schema already; there is one, until the process ends.
    AlreadyStarted,
    /// The system gave no memory for the buffers.
    Memory {
        /// Bytes asked for.
        bytes: usize,
        /// The system's reason.
        source: std::io::Error,
    },
}

/// As it is displayed: it is what a `main` that returns the error prints.
impl fmt::Debug for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => fmt::Display::fmt(error, f),
            Self::NotLinked(error) => fmt::Display::fmt(error, f),
            Self::AlreadyStarted => f.write_str(
                "pfs was started before in this process: a process has one schema, and it stays until the process ends",
            ),
            Self::Memory { bytes, source } => {
                write!(f, "no memory for the buffers, {bytes} bytes of address space: {source}")
            }
        }
    }
}

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Config(error) => error.source(),
            Self::NotLinked(error) => error.source(),
            Self::AlreadyStarted => None,
            Self::Memory { source, .. } => Some(source),
        }
    }
}

impl From<ConfigError> for StartError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl From<NotLinked> for StartError {
    fn from(error: NotLinked) -> Self {
        Self::NotLinked(error)
    }
}

/// Every buffer of an instrumented process.
pub struct Schema {
    clock: Clock,
    wall: Wall,
    sizes: Sizes,
    instruments: Instruments,
    /// The startup rules, for the instruments that plugins bring.
    rules: Vec<InstrumentRule>,
    consumers: AtomicU32,
    statement_text: TextKept,
    /// The number of a [`Resolution`] for each kind of event that has a timer.
    resolutions: [AtomicU8; TimedKind::COUNT],
    /// Serialises settings, so that a class's word always follows from all of them.
    settings: Lock,
    /// Serialises whoever moves counts between places, folds and truncations, and keeps contexts from ending. Never
    /// taken by an event or a reader.
    folds: Lock,
    /// Whether a context waits for the holder of that lock to be retired.
    to_retire: AtomicBool,
    /// Whether this is the copy in a process that was forked, which is off until it says that it goes on.
    forked: AtomicBool,
    arena: Arena,
    pub(crate) layout: ContextLayout,
    /// Contexts.
    pub contexts: Contexts,
    pub(crate) failures: Failures,
    /// Accounts.
    pub accounts: Actors,
    /// Users.
    pub users: Actors,
    /// Hosts.
    pub hosts: Actors,
    /// The account, user and host of what is in the background.
    background: [AtomicPtr<Actor>; 3],
    /// Statistics of waits.
    pub waits: Summary<WAIT_FIELDS>,
    /// Statistics of stages.
    pub stages: Summary<STAGE_FIELDS>,
    /// Statistics of statements.
    pub statements: Summary<STATEMENT_FIELDS>,
    /// Statistics of transactions, of a class those that write before those that only read.
    pub transactions: Summary<STAGE_FIELDS>,
    /// Live mutexes.
    pub mutexes: Instances,
    /// Live rwlocks.
    pub rwlocks: Instances,
    /// Live condvars.
    pub conds: Instances,
    /// Where instances were made.
    pub sources: Sources,
    /// Statements by digest.
    pub digests: Digests,
    pub(crate) long: [LongHistory; EventKind::COUNT],
    pub(crate) epochs: Epochs,
    /// Lost counters.
    pub status: Status,
    next_thread_id: AtomicU64,
    next_processlist_id: AtomicU64,
}

laid_out!(Schema {
    clock,
    wall,
    sizes,
    instruments,
    rules,
    consumers,
    statement_text,
    resolutions,
    settings,
    folds,
    to_retire,
    forked,
    arena,
    layout,
    contexts,
    failures,
    accounts,
    users,
    hosts,
    background,
    waits,
    stages,
    statements,
    transactions,
    mutexes,
    rwlocks,
    conds,
    sources,
    digests,
    long,
    epochs,
    status,
    next_thread_id,
    next_processlist_id
});

impl Schema {
    /// Builds a schema of the given classes, which must belong to no other.
    ///
    /// The process's own schema is made by [`start`]; this one is for tests and for tools that measure the engine.
    /// It lives until the process ends.
    ///
    /// # Errors
    ///
    /// If the configuration is not allowed or there is no memory. No class is changed then.
    pub fn new(
        config: &Config,
        classes: impl IntoIterator<Item = &'static Class>,
    ) -> Result<&'static Self, StartError> {
        let checked = config.checked()?;
        let schema = Self::build(&checked, Instruments::of(classes))?.leak();
        schema.fold_words();
        Ok(schema)
    }

    fn build(checked: &Checked, instruments: Instruments) -> Result<Self, StartError> {
        let sizes = &checked.sizes;
        let instruments = instruments.with_reserve(sizes.count(SizeKey::PluginClasses));
        let (plan, planned) = Planned::of(sizes, &instruments);
        let (layout, actor_layout) = (planned.layout, planned.actor_layout);
        let classes = EventKind::ALL.map(|kind| instruments.rows(kind));
        let arena = Arena::map(plan)?;
        let clock = checked.constant_step.map_or_else(Clock::calibrate, Clock::constant_step);
        let schema = Self {
            clock,
            sizes: sizes.clone(),
            consumers: AtomicU32::new(checked.consumers.bits()),
            statement_text: checked.statement_text,
            resolutions: [const { AtomicU8::new(Resolution::Finest as u8) }; TimedKind::COUNT],
            settings: Lock::new(Lock::SETTINGS),
            folds: Lock::new(Lock::FOLDS),
            to_retire: AtomicBool::new(false),
            forked: AtomicBool::new(false),
            contexts: Contexts::new(&arena, &planned.contexts, &layout),
            failures: Failures::new(&arena, &planned.failures),
            accounts: Actors::new(&arena, &planned.accounts, &actor_layout),
            users: Actors::new(&arena, &planned.users, &actor_layout),
            hosts: Actors::new(&arena, &planned.hosts, &actor_layout),
            background: [const { AtomicPtr::new(core::ptr::null_mut()) }; 3],
            waits: Summary::new(
                &arena,
                &planned.waits,
                EventKind::Wait,
                classes[0],
                layout.rows[0],
                actor_layout.rows[0],
            ),
            stages: Summary::new(
                &arena,
                &planned.stages,
                EventKind::Stage,
                classes[1],
                layout.rows[1],
                actor_layout.rows[1],
            ),
            statements: Summary::new(
                &arena,
                &planned.statements,
                EventKind::Statement,
                classes[2],
                layout.rows[2],
                actor_layout.rows[2],
            ),
            transactions: Summary::new(
                &arena,
                &planned.transactions,
                EventKind::Transaction,
                classes[3],
                layout.rows[3],
                actor_layout.rows[3],
            ),
            mutexes: Instances::new(&arena, &planned.mutexes, false),
            rwlocks: Instances::new(&arena, &planned.rwlocks, true),
            conds: Instances::new(&arena, &planned.conds, true),
            sources: Sources::new(&arena, &planned.sources),
            digests: Digests::new(&arena, &planned.digests, &clock, checked.language.0),
            wall: Wall::of(&clock),
            long: planned.long.map(|planned| LongHistory::new(&arena, &planned)),
            epochs: Epochs::new(),
            status: Status::new(),
            next_thread_id: AtomicU64::new(1),
            next_processlist_id: AtomicU64::new(1),
            layout,
            arena,
            instruments: {
                instruments.all().for_each(|instrument| apply(&checked.rules, instrument));
                instruments
            },
            rules: checked.rules.clone(),
        };
        schema.make_background();
        Ok(schema)
    }

    /// Makes the schema one that lives until the process ends, and that its contexts know.
    fn leak(self) -> &'static Self {
        let schema: &'static Self = Box::leak(Box::new(self));
        for context in [schema.contexts.overflow(), schema.contexts.overflow_of_sessions()] {
            context.owner.store(core::ptr::from_ref(schema).cast_mut().cast(), Ordering::Release);
        }
        schema
    }

    /// Tells the classes of threads what their threads begin without, before the first thread begins.
    fn announce_threads(&self) {
        for instrument in self.instruments.all().filter(|instrument| instrument.kind() == Kind::Thread) {
            instrument.set_word(self.word_of(instrument));
        }
    }

    /// Recomputes the word of every class from all settings.
    fn fold_words(&self) {
        for instrument in self.instruments.all() {
            instrument.set_word(self.word_of(instrument));
        }
        // The first event of such an object reads the clock, in case its class turns out to be timed.
        let found_first = match self.consumers().flags(EventKind::Wait) {
            Some(_) if !self.is_forked() => Word::new(0, Flags::FRESH | Flags::TIMED),
            _ => Word::default(),
        };
        for class in self.instruments.fresh() {
            class.set_word(found_first);
        }
    }

    fn word_of(&self, instrument: &Instrument) -> Word {
        let settings = instrument.settings();
        let index = u32::try_from(instrument.index()).unwrap_or(u32::MAX);
        let (Some(event), Some(timed_as)) = (instrument.kind().event(), instrument.kind().timed_as()) else {
            return Word::new(index, flags_without_events(instrument));
        };
        let (true, Some(mut flags)) = (settings.enabled && !self.is_forked(), self.consumers().flags(event))
        else {
            return Word::default();
        };
        flags = flags
            | Flags::COUNT
            | match settings.timed {
                Timed::No => Flags::NONE,
                Timed::Contended => Flags::CONTENDED,
                Timed::Yes => Flags::TIMED,
            };
        let resolution = self.resolution(timed_as);
        if settings.timed != Timed::No && !(self.clock.is_cycle() && resolution == Resolution::Finest) {
            flags = flags | Flags::SLOW_CLOCK | Flags::of_resolution(resolution);
        }
        if event == EventKind::Statement && flags.any(Flags::CURRENT) && self.keeps_statement_text() {
            flags = flags | Flags::TEXT;
        }
        if self.statement_text == TextKept::Nothing || !self.digests.are_kept() {
            flags = flags.without(Flags::DIGEST);
        }
        Word::new(index, flags)
    }

    /// Runs `change` of settings and lets every class follow them.
    pub(crate) fn change_settings<R>(&self, change: impl FnOnce() -> R) -> R {
        let _settings = self.settings.hold();
        let result = change();
        self.fold_words();
        result
    }

    /// By which steps the times of these events advance.
    pub fn resolution(&self, kind: TimedKind) -> Resolution {
        Resolution::from_number(self.resolutions[kind as usize].load(Ordering::Relaxed))
    }

    pub(crate) fn set_resolution(&self, kind: TimedKind, resolution: Resolution) {
        self.change_settings(|| {
            self.resolutions[kind as usize].store(resolution as u8, Ordering::Relaxed);
        });
    }

    /// The consumers that are on.
    pub fn consumers(&self) -> ConsumerSet {
        ConsumerSet::from_bits(self.consumers.load(Ordering::Relaxed))
    }

    pub(crate) fn set_consumer(&self, consumer: Consumer, enabled: bool) {
        self.change_settings(|| {
            let mut consumers = self.consumers();
            consumers.set(consumer, enabled);
            self.consumers.store(consumers.bits(), Ordering::Relaxed);
        });
    }

    /// The schema's clock.
    #[inline]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The time of day at a reading of the clock.
    pub fn time_of_day(&self, ticks: u64) -> TimeOfDay {
        self.wall.at(&self.clock, ticks)
    }

    /// The sizes it was built with.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Its instruments.
    pub fn instruments(&self) -> &Instruments {
        &self.instruments
    }

    /// Whether statement text is kept.
    fn keeps_statement_text(&self) -> bool {
        self.statement_text == TextKept::Whole && self.sizes.get(SizeKey::MaxSqlTextLength) > 0
    }

    /// What is kept of the text of statements.
    pub fn statement_text(&self) -> TextKept {
        self.statement_text
    }

    /// Every buffer with its memory, whose total is the length of the mapping that holds them.
    pub fn memory(&self) -> &Memory {
        self.arena.memory()
    }

    /// Removes every digest.
    pub(crate) fn truncate_digests(&self) {
        let _folds = self.folds();
        self.digests.truncate();
    }

    /// Starts the histograms of the digests again, and nothing else.
    pub(crate) fn truncate_histograms(&self) {
        let _folds = self.folds();
        self.digests.truncate_histograms();
    }

    /// Counts a row that could not be read whole.
    pub(crate) fn whole<T>(&self, row: Option<T>) -> Option<T> {
        if row.is_none() {
            self.status.rows_skipped.add(1);
        }
        row
    }

    pub(crate) fn next_thread_id(&self) -> u64 {
        self.next_thread_id.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn next_processlist_id(&self) -> u64 {
        self.next_processlist_id.fetch_add(1, Ordering::Relaxed)
    }

    /// The instances among which those of this kind are.
    pub(crate) fn instances(&self, kind: Kind) -> Option<&Instances> {
        match kind {
            Kind::Mutex => Some(&self.mutexes),
            Kind::RwLock => Some(&self.rwlocks),
            Kind::Cond => Some(&self.conds),
            _ => None,
        }
    }
}

/// Sets an instrument to what the rules say of it, if they do.
fn apply(rules: &[InstrumentRule], instrument: &Instrument) {
    if let Some(settings) = InstrumentRule::decide(rules, instrument) {
        instrument.set(settings);
    }
}

/// The flags of a class that makes no events. Those of a class of threads say what its threads begin without, so that
/// a class that no schema knows takes nothing away.
fn flags_without_events(instrument: &Instrument) -> Flags {
    let mut flags = Flags::NONE;
    if instrument.kind() == Kind::Thread {
        if !instrument.settings().enabled {
            flags = flags | Flags::UNINSTRUMENTED;
        }
        if !instrument.history() {
            flags = flags | Flags::NO_HISTORY;
        }
    }
    flags
}

impl Slot {
    fn schema(&self) -> Option<&'static Schema> {
        // SAFETY: only `Instances::take` stores here, for a new instance of a schema,, a pointer to a schema that is never dropped.
        unsafe { self.owner.load(Ordering::Relaxed).cast::<Schema>().as_ref() }
    }

    /// The class of its instance, and where that was made.
    pub(super) fn made(&self) -> Option<(&'static Class, Site)> {
        // SAFETY: only pointers to a `Class` and a `Location` that are `'static` are ever stored.
        unsafe {
            Some((
                self.class.load(Ordering::Relaxed).as_ref()?,
                self.made_at.load(Ordering::Relaxed).as_ref()?,
            ))
        }
    }

    /// Follows an instance that has got a name: what was counted of it goes along to its source's row of that name.
    pub(crate) fn rename(&self, class: &'static Class) {
        self.class.store(from_ref(class).cast_mut(), Ordering::Relaxed);
        if let Some(schema) = self.schema() {
            schema.sources.find_again(self, class);
        }
    }

    /// Gives the slot of an instance that no thread uses any more back to its schema.
    pub(crate) fn give_back(&'static self) {
        let Some(schema) = self.schema() else { return };
        for instances in [&schema.mutexes, &schema.rwlocks, &schema.conds] {
            if instances.owns(self) {
                instances.unbind(self, &schema.sources);
            }
        }
    }
}

impl core::fmt::Debug for Schema {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Schema").field("memory", &self.memory().total()).finish_non_exhaustive()
    }
}
