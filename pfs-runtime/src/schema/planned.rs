//! Which buffers a schema has and how large each is: everything that is known of them before they are mapped.

use super::actors::ActorLayout;
use super::arena::{Memory, Plan};
use super::layout::ContextLayout;
use super::{Actors, Contexts, Digests, Failures, Instances, LongHistory, Sources, StartError, Summary};
use super::{actors, contexts, digests, failures, instances, long, sources, summary};
use crate::class::{EventKind, Instruments};
use crate::config::{Config, SizeKey, Sizes};
use crate::stat::{STAGE_FIELDS, STATEMENT_FIELDS, WAIT_FIELDS};

const ACCOUNTS: actors::Names = actors::Names {
    actors: "accounts",
    rows: [
        "events_waits_summary_by_account_by_event_name",
        "events_stages_summary_by_account_by_event_name",
        "events_statements_summary_by_account_by_event_name",
        "events_transactions_summary_by_account_by_event_name",
    ],
    map: "(accounts_map)",
    directory: "(accounts_directory)",
    changes: "(accounts_directory_changes)",
};
const USERS: actors::Names = actors::Names {
    actors: "users",
    rows: [
        "events_waits_summary_by_user_by_event_name",
        "events_stages_summary_by_user_by_event_name",
        "events_statements_summary_by_user_by_event_name",
        "events_transactions_summary_by_user_by_event_name",
    ],
    map: "(users_map)",
    directory: "(users_directory)",
    changes: "(users_directory_changes)",
};
const HOSTS: actors::Names = actors::Names {
    actors: "hosts",
    rows: [
        "events_waits_summary_by_host_by_event_name",
        "events_stages_summary_by_host_by_event_name",
        "events_statements_summary_by_host_by_event_name",
        "events_transactions_summary_by_host_by_event_name",
    ],
    map: "(hosts_map)",
    directory: "(hosts_directory)",
    changes: "(hosts_directory_changes)",
};

/// Where each buffer will lie.
pub(super) struct Planned {
    pub(super) layout: ContextLayout,
    pub(super) actor_layout: ActorLayout,
    pub(super) contexts: contexts::Planned,
    pub(super) failures: failures::Planned,
    pub(super) accounts: actors::Planned,
    pub(super) users: actors::Planned,
    pub(super) hosts: actors::Planned,
    pub(super) waits: summary::Planned<WAIT_FIELDS>,
    pub(super) stages: summary::Planned<STAGE_FIELDS>,
    pub(super) statements: summary::Planned<STATEMENT_FIELDS>,
    pub(super) transactions: summary::Planned<STAGE_FIELDS>,
    pub(super) mutexes: instances::Planned,
    pub(super) rwlocks: instances::Planned,
    pub(super) conds: instances::Planned,
    pub(super) sources: sources::Planned,
    pub(super) digests: digests::Planned,
    pub(super) long: [long::Planned; EventKind::COUNT],
}

impl Planned {
    /// The buffers of a schema of these sizes and instruments.
    pub(super) fn of(sizes: &Sizes, instruments: &Instruments) -> (Plan, Self) {
        let layout = ContextLayout::of(sizes, instruments);
        let classes = EventKind::ALL.map(|kind| instruments.rows(kind));
        let mut plan = Plan::default();
        let contexts =
            Contexts::plan(&mut plan, &layout, sizes.get(SizeKey::MaxThreadInstances), instruments);
        let failures = Failures::plan(&mut plan, sizes);
        let actor_layout = ActorLayout::of(instruments);
        let mut actors =
            |names, key| Actors::plan(&mut plan, &actor_layout, names, sizes.get(key), instruments);
        let accounts = actors(&ACCOUNTS, SizeKey::AccountsSize);
        let users = actors(&USERS, SizeKey::UsersSize);
        let hosts = actors(&HOSTS, SizeKey::HostsSize);
        let waits = Summary::plan(&mut plan, EventKind::Wait, classes[0]);
        let stages = Summary::plan(&mut plan, EventKind::Stage, classes[1]);
        let statements = Summary::plan(&mut plan, EventKind::Statement, classes[2]);
        let transactions = Summary::plan(&mut plan, EventKind::Transaction, classes[3]);
        let mut instances = |names, key| Instances::plan(&mut plan, names, sizes.get(key));
        let mutexes =
            instances(["mutex_instances", "(mutex_views)", "(mutex_map)"], SizeKey::MaxMutexInstances);
        let rwlocks =
            instances(["rwlock_instances", "(rwlock_views)", "(rwlock_map)"], SizeKey::MaxRwlockInstances);
        let conds = instances(["cond_instances", "(cond_views)", "(cond_map)"], SizeKey::MaxCondInstances);
        let sources = Sources::plan(&mut plan, sizes.get(SizeKey::MaxSources));
        let digests = Digests::plan(&mut plan, sizes);
        let mut long = |name, kind: EventKind, key| {
            let stride = layout.events[kind as usize].record_stride;
            LongHistory::plan(&mut plan, name, stride, sizes.get(key), sizes.get(SizeKey::MaxThreadInstances))
        };
        let long = [
            long("events_waits_history_long", EventKind::Wait, SizeKey::EventsWaitsHistoryLongSize),
            long("events_stages_history_long", EventKind::Stage, SizeKey::EventsStagesHistoryLongSize),
            long(
                "events_statements_history_long",
                EventKind::Statement,
                SizeKey::EventsStatementsHistoryLongSize,
            ),
            long(
                "events_transactions_history_long",
                EventKind::Transaction,
                SizeKey::EventsTransactionsHistoryLongSize,
            ),
        ];
        let planned = Self {
            layout,
            actor_layout,
            contexts,
            failures,
            accounts,
            users,
            hosts,
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
        };
        (plan, planned)
    }
}

/// What the buffers of the process's schema would take if it were started so: exactly what they take then.
///
/// # Errors
///
/// As [`start`](super::start), but for what only the system or an earlier start can refuse. The same is checked.
pub fn memory(config: &Config) -> Result<Memory, StartError> {
    let checked = config.checked()?;
    if !config.is_on() {
        return Ok(Memory::default());
    }
    let instruments = Instruments::linked()?;
    checked.matches(&instruments)?;
    let instruments = instruments.with_reserve(checked.sizes.count(SizeKey::PluginClasses));
    Ok(Planned::of(&checked.sizes, &instruments).0.finish()?)
}
