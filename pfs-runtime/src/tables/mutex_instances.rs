//! `mutex_instances`: the mutexes that live now.

use crate::class::Kind;
use crate::schema::Schema;

use super::keys::instances;
use super::live::LiveInstance;
use super::{Column, Ops, Row, Scan, Table};

/// The table `mutex_instances`.
#[derive(Debug)]
pub enum MutexInstances {}

/// A mutex.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct MutexInstancesRow {
    /// Its class.
    #[row(key, varchar = 128)]
    pub name: &'static str,
    /// Which one it is: the address of its slot.
    #[row(key, unit = address)]
    pub object_instance_begin: u64,
    /// The thread that holds it; NULL while it is free.
    #[row(key)]
    pub locked_by_thread_id: Option<u64>,
}

const NAME: usize = Column::index(MutexInstancesRow::COLUMNS, "NAME");
const HOLDER: usize = Column::index(MutexInstancesRow::COLUMNS, "LOCKED_BY_THREAD_ID");

impl From<LiveInstance> for MutexInstancesRow {
    fn from(instance: LiveInstance) -> Self {
        MutexInstancesRow {
            name: instance.class.name(),
            object_instance_begin: instance.address(),
            locked_by_thread_id: instance.holder,
        }
    }
}

impl Table for MutexInstances {
    const NAME: &'static str = "mutex_instances";
    const DOC: &'static str = "The mutexes that live now, and the thread that holds each. A holder is known \
        while the instrument is enabled.";
    const OPS: Ops = Ops::SELECT;
    type Row = MutexInstancesRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let holder = scan.u64(HOLDER);
        instances::<MutexInstancesRow>(schema, scan, &[Kind::Mutex], NAME)
            .filter(move |instance| holder.is_none_or(|holder| instance.holder == Some(holder)))
            .map(MutexInstancesRow::from)
    }
}
