//! Visiting only what a scan asks for: the contexts, events, instruments and instances that can match its keys.

use std::rc::Rc;

use crate::class::{EventKind, Instrument, Kind};
use crate::event::{EventRecord, Recorded};
use crate::schema::{EventTable, Schema};
use crate::stat::Level;

use super::live::{self, LiveActor, LiveContext, LiveInstance};
use super::{Column, Row, Scan};

/// The instruments of one kind of event that can match a scan of rows `R` by EVENT_NAME.
pub(super) fn instruments<'s, R: Row>(
    schema: &'s Schema,
    scan: &Scan<'_>,
    kind: EventKind,
) -> impl Iterator<Item = &'s Instrument> + use<'s, R> {
    let name = scan.text(const { Column::index(R::COLUMNS, "EVENT_NAME") }).map(str::to_owned);
    let instruments = schema.instruments().of_event(kind);
    instruments.filter(move |instrument| same_name(name.as_deref(), instrument.name()))
}

/// The contexts that can match a scan of rows `R` by THREAD_ID.
pub(super) fn contexts<R: Row>(
    schema: &Schema,
    scan: &Scan<'_>,
) -> impl Iterator<Item = LiveContext> + use<R> {
    let id = scan.u64(const { Column::index(R::COLUMNS, "THREAD_ID") });
    live::contexts(schema).filter(move |context| id.is_none_or(|id| context.thread_id == id))
}

/// A row for each pair of a context and an instrument that can match the scan and that `read` can read.
pub(super) fn by_thread<'s, R: Row, F>(
    schema: &'s Schema,
    scan: &Scan<'_>,
    kind: EventKind,
    read: F,
) -> impl Iterator<Item = R> + use<'s, R, F>
where
    F: Fn(&LiveContext, &'s Instrument) -> Option<R> + Copy + 's,
{
    let instruments: Rc<[&Instrument]> = instruments::<R>(schema, scan, kind).collect();
    contexts::<R>(schema, scan).flat_map(move |context| {
        let instruments = Rc::clone(&instruments);
        (0..instruments.len()).filter_map(move |at| read(&context, instruments[at]))
    })
}

/// The accounts, users or hosts that can match a scan of rows `R` by USER and HOST.
pub(super) fn actors<R: Row>(
    schema: &Schema,
    scan: &Scan<'_>,
    level: Level,
) -> impl Iterator<Item = LiveActor> + use<R> {
    let wanted = |name| {
        let column = R::COLUMNS.iter().position(|column| column.name == name);
        column.and_then(|column| scan.text(column)).map(str::to_owned)
    };
    let (user, host) = (wanted("USER"), wanted("HOST"));
    let is = |wanted: &Option<String>, name: &Option<String>| wanted.is_none() || wanted == name;
    live::actors(schema, level).filter(move |actor| is(&user, &actor.user) && is(&host, &actor.host))
}

/// A row for each pair of an actor and an instrument that can match the scan and that `read` can read.
pub(super) fn by_actor<'s, R: Row, F>(
    schema: &'s Schema,
    scan: &Scan<'_>,
    level: Level,
    kind: EventKind,
    read: F,
) -> impl Iterator<Item = R> + use<'s, R, F>
where
    F: Fn(&LiveActor, &'s Instrument) -> Option<R> + Copy + 's,
{
    let instruments: Rc<[&Instrument]> = instruments::<R>(schema, scan, kind).collect();
    actors::<R>(schema, scan, level).flat_map(move |actor| {
        let instruments = Rc::clone(&instruments);
        (0..instruments.len()).filter_map(move |at| read(&actor, instruments[at]))
    })
}

/// The events of one table that can match a scan of rows `R` by THREAD_ID and EVENT_ID.
pub(super) fn events<'s, R: Row, E: Recorded>(
    schema: &'s Schema,
    scan: &Scan<'_>,
    kind: EventKind,
    table: EventTable,
) -> Box<dyn Iterator<Item = E> + 's> {
    let wanted = wanted_event::<R>(scan);
    let wanted = move |record: &E| wanted(record.event());
    if table == EventTable::HistoryLong {
        return Box::new(schema.copied(kind, table).filter(wanted));
    }
    let contexts = contexts::<R>(schema, scan);
    Box::new(contexts.flat_map(move |live| schema.copied_of(live.context, kind, table)).filter(wanted))
}

fn wanted_event<R: Row>(scan: &Scan<'_>) -> impl Fn(&EventRecord) -> bool + use<R> {
    let thread_id = scan.u64(const { Column::index(R::COLUMNS, "THREAD_ID") });
    let event_id = scan.u64(const { Column::index(R::COLUMNS, "EVENT_ID") });
    move |record| {
        thread_id.is_none_or(|id| record.thread_id == id) && event_id.is_none_or(|id| record.event_id == id)
    }
}

/// The instances of these kinds that can match a scan by address and by the class's name, whose column is `name`.
pub(super) fn instances<'s, R: Row>(
    schema: &'s Schema,
    scan: &Scan<'_>,
    kinds: &'static [Kind],
    name: usize,
) -> impl Iterator<Item = LiveInstance> + use<'s, R> {
    let address = scan.u64(const { Column::index(R::COLUMNS, "OBJECT_INSTANCE_BEGIN") });
    let name = scan.text(name).map(str::to_owned);
    let all = kinds.iter().flat_map(|kind| live::instances(schema, *kind));
    all.filter(move |instance| {
        address.is_none_or(|address| instance.address() == address)
            && same_name(name.as_deref(), instance.class.name())
    })
}

/// Whether `name` is the one wanted, if one is.
pub(super) fn same_name(wanted: Option<&str>, name: &str) -> bool {
    wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(name))
}
