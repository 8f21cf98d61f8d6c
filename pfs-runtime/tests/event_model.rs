//! Any sequence of begins, ends, forgotten guards and switches, against a model that is a plain stack.
//!
//! What must hold of every recorded event is asserted besides: an event lies within its parent, by ids and by time,
//! and lies within no event that is not its ancestor.

mod own_schema;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use own_schema::{Own, recording, short};
use pfs_runtime::class::{Class, EventKind};
use pfs_runtime::config::{Consumer, SizeKey};
use pfs_runtime::context::thread::current_id;
use pfs_runtime::event::EventRecord;
use pfs_runtime::model::{Ending, NestingType};
use pfs_runtime::stage::{self, StageClass, StageGuard};
use pfs_runtime::statement::{self, StatementGuard};
use proptest::prelude::*;

/// The kinds of event that are nested in each other; transactions lie beside them.
const NESTED: [EventKind; 3] = [EventKind::Wait, EventKind::Stage, EventKind::Statement];
const STATEMENTS: usize = 3;
const STAGES: usize = 4;

#[derive(Clone, Copy, Debug)]
enum Step {
    Statement,
    Stage,
    Wait,
    /// Drops one of the guards.
    End(usize),
    /// Forgets one of the guards.
    Forget(usize),
    /// Switches one of the stages.
    Switch(usize),
    /// Switches the current table of a kind of event, and with it its histories.
    Toggle(EventKind),
}

enum Guard {
    Statement(StatementGuard),
    Stage(StageGuard),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Event {
    id: u64,
    end: u64,
    name: &'static str,
    parent: Option<(u64, NestingType)>,
    ending: Ending,
    level: u16,
}

impl From<&EventRecord> for Event {
    fn from(record: &EventRecord) -> Self {
        Self {
            id: record.event_id,
            end: record.end_event_id.expect("an event that ended"),
            name: short(record.class),
            parent: record.nesting,
            ending: record.ending,
            level: record.level,
        }
    }
}

/// An event on the model's stack.
struct Open {
    /// Which begin it was.
    number: usize,
    kind: EventKind,
    /// The recorded event, if it is.
    event: Option<Event>,
}

#[derive(Default)]
struct Model {
    stack: Vec<Open>,
    ended: Vec<Event>,
    /// Events past their stack, which only their guards know of.
    frameless: BTreeMap<usize, &'static str>,
    counts: BTreeMap<&'static str, u64>,
    next_id: u64,
    begun: usize,
    recorded: [bool; 3],
    lost: [u64; 3],
}

fn nesting(kind: EventKind) -> NestingType {
    match kind {
        EventKind::Wait => NestingType::Wait,
        EventKind::Stage => NestingType::Stage,
        EventKind::Statement => NestingType::Statement,
        EventKind::Transaction => NestingType::Transaction,
    }
}

impl Model {
    fn new(recorded: [bool; 3]) -> Self {
        Self { next_id: 1, recorded, ..Self::default() }
    }

    fn open(&self, kind: EventKind) -> usize {
        self.stack.iter().filter(|open| open.kind == kind).count()
    }

    /// Begins an event and tells which it is, for the guard.
    fn begin(&mut self, kind: EventKind, class: &'static Class) -> usize {
        self.begun += 1;
        let recorded = self.recorded[kind as usize];
        let limit = match kind {
            EventKind::Wait => 5,
            EventKind::Stage => STAGES,
            EventKind::Statement => STATEMENTS,
            EventKind::Transaction => unreachable!("no step begins one"),
        };
        if self.open(kind) == limit {
            self.frameless.insert(self.begun, short(class));
            self.lost[kind as usize] += u64::from(recorded);
            return self.begun;
        }
        let event = recorded.then(|| {
            let parent = self.stack.iter().rev().find_map(|open| {
                let event = open.event.as_ref()?;
                Some((event.id, nesting(open.kind)))
            });
            let statement = matches!(kind, EventKind::Statement);
            let level = if statement { u16::try_from(self.open(kind)).unwrap() } else { 0 };
            let id = self.next_id;
            self.next_id += 1;
            Event { id, end: 0, name: short(class), parent, ending: Ending::Itself, level }
        });
        *self.counts.entry(short(class)).or_default() += 1;
        self.stack.push(Open { number: self.begun, kind, event });
        self.begun
    }

    /// Ends that event if it is open, and before it all that is open in it.
    fn end(&mut self, number: usize) {
        if let Some(name) = self.frameless.remove(&number) {
            *self.counts.entry(name).or_default() += 1;
        }
        let Some(at) = self.stack.iter().position(|open| open.number == number) else { return };
        while self.stack.len() > at {
            let ending = if self.stack.len() == at + 1 { Ending::Itself } else { Ending::Parent };
            self.end_top(ending);
        }
    }

    fn end_top(&mut self, ending: Ending) {
        if let Some(event) = self.stack.pop().and_then(|open| open.event) {
            self.ended.push(Event { end: self.next_id - 1, ending, ..event });
        }
    }
}

/// Runs the steps on a thread of its own and gives that thread's id and what the model expects of it.
fn run(own: &'static Own, steps: &[Step], recorded: [bool; 3]) -> (u64, Model) {
    own.on_thread(|| {
        let mut model = Model::new(recorded);
        let mut guards: Vec<(usize, Guard)> = Vec::new();
        for step in steps {
            match *step {
                Step::Statement => {
                    let number = model.begin(EventKind::Statement, own.get);
                    guards.push((number, Guard::Statement(statement::begin(own.get))));
                }
                Step::Stage => {
                    let number = model.begin(EventKind::Stage, own.outer);
                    guards.push((number, Guard::Stage(stage::begin(own.outer))));
                }
                Step::Wait => {
                    own.wait(|| ());
                    // A wait that is not recorded is no event to others.
                    let number = model.begin(EventKind::Wait, own.disk);
                    model.end(number);
                }
                Step::End(_) | Step::Forget(_) | Step::Switch(_) if guards.is_empty() => {}
                Step::End(at) => {
                    let (number, guard) = guards.remove(at % guards.len());
                    drop(guard);
                    model.end(number);
                }
                Step::Forget(at) => match guards.remove(at % guards.len()).1 {
                    Guard::Statement(guard) => std::mem::forget(guard),
                    Guard::Stage(guard) => std::mem::forget(guard),
                },
                Step::Switch(at) => {
                    let at = at % guards.len();
                    if let (number, Guard::Stage(guard)) = &mut guards[at] {
                        guard.switch(StageClass::new(own.inner));
                        model.end(*number);
                        *number = model.begin(EventKind::Stage, own.inner);
                    }
                }
                Step::Toggle(kind) => {
                    let on = &mut model.recorded[kind as usize];
                    *on = !*on;
                    own.consumer(current(kind), *on);
                }
            }
        }
        // Half of what is left is dropped, innermost last; the other half ends with the thread.
        for (number, guard) in guards.drain(..guards.len() / 2) {
            drop(guard);
            model.end(number);
        }
        std::mem::forget(guards);
        while !model.stack.is_empty() {
            model.end_top(Ending::Context);
        }
        (current_id().expect("a thread of the schema"), model)
    })
}

const fn current(kind: EventKind) -> Consumer {
    match kind {
        EventKind::Wait => Consumer::EventsWaitsCurrent,
        EventKind::Stage => Consumer::EventsStagesCurrent,
        EventKind::Statement => Consumer::EventsStatementsCurrent,
        EventKind::Transaction => Consumer::EventsTransactionsCurrent,
    }
}

fn counts(own: &Own) -> BTreeMap<&'static str, u64> {
    BTreeMap::from([
        ("get", own.statements(own.get).count_star),
        ("outer", own.stages(own.outer).count_star),
        ("inner", own.stages(own.inner).count_star),
        ("disk", own.waits(own.disk).count_star),
    ])
}

fn lost(own: &Own) -> [u64; 3] {
    ["locker_lost", "nested_stage_lost", "nested_statement_lost"].map(|name| own.status(name))
}

/// What holds of any context whose events do not interleave.
fn check_nesting(events: &[EventRecord]) {
    let by_id: BTreeMap<_, _> = events.iter().map(|event| (event.event_id, event)).collect();
    let descends = |event: &EventRecord, ancestor: u64| {
        let mut parent = event.nesting;
        while let Some((id, _)) = parent {
            if id == ancestor {
                return true;
            }
            parent = by_id[&id].nesting;
        }
        false
    };
    for outer in events {
        let end = outer.end_event_id.unwrap();
        for inner in events {
            let within = inner.event_id > outer.event_id && inner.event_id <= end;
            assert_eq!(within, descends(inner, outer.event_id), "{inner:?} in {outer:?}");
            if within {
                assert!(inner.end_event_id.unwrap() <= end);
                assert!(
                    outer.start.unwrap() <= inner.start.unwrap() && inner.end.unwrap() <= outer.end.unwrap()
                );
            }
        }
        assert!(outer.start.unwrap() <= outer.end.unwrap());
    }
}

fn check(own: &'static Own, steps: &[Step]) {
    let recorded = NESTED.map(|kind| own.schema.consumers().contains(current(kind)));
    let (before, lost_before) = (counts(own), lost(own));
    let (thread_id, mut model) = run(own, steps, recorded);
    let events: Vec<_> = own.ended().into_iter().filter(|event| event.thread_id == thread_id).collect();
    model.ended.sort_by_key(|event| event.id);
    assert_eq!(events.iter().map(Event::from).collect::<Vec<_>>(), model.ended);
    check_nesting(&events);
    let after = counts(own);
    for (name, count) in &after {
        assert_eq!(count - before[name], model.counts.get(name).copied().unwrap_or(0), "{name}");
    }
    let lost: Vec<_> = lost(own).iter().zip(lost_before).map(|(after, before)| after - before).collect();
    assert_eq!(lost, model.lost);
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let kind = prop_oneof![Just(EventKind::Wait), Just(EventKind::Stage), Just(EventKind::Statement)];
    let step = prop_oneof![
        4 => Just(Step::Statement),
        4 => Just(Step::Stage),
        4 => Just(Step::Wait),
        5 => (0..8_usize).prop_map(Step::End),
        1 => (0..8_usize).prop_map(Step::Forget),
        2 => (0..8_usize).prop_map(Step::Switch),
        1 => kind.prop_map(Step::Toggle),
    ];
    prop::collection::vec(step, 0..60)
}

fn small() -> pfs_runtime::config::Config {
    recording().size(SizeKey::MaxStatementStack, STATEMENTS).size(SizeKey::MaxStageStack, STAGES)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn events_are_those_of_the_model(steps in steps()) {
        static OWN: OnceLock<&Own> = OnceLock::new();
        check(OWN.get_or_init(|| Own::new(small())), &steps);
    }

    /// The clock of tests takes another way through the engine.
    #[test]
    fn events_are_those_of_the_model_by_any_clock(steps in steps()) {
        static OWN: OnceLock<&Own> = OnceLock::new();
        check(OWN.get_or_init(|| Own::new(small().constant_step_clock(3))), &steps);
    }
}
