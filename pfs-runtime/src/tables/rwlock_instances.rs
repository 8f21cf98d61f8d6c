//! `rwlock_instances`: the rwlocks that live now.

use crate::class::Kind;
use crate::schema::Schema;

use super::keys::instances;
use super::live::LiveInstance;
use super::{Column, Ops, Row, Scan, Table};

/// The table `rwlock_instances`.
#[derive(Debug)]
pub enum RwlockInstances {}

/// An rwlock.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct RwlockInstancesRow {
    /// Its class.
    #[row(key, varchar = 128)]
    pub name: &'static str,
    /// Which one it is: the address of its slot.
    #[row(key, unit = address)]
    pub object_instance_begin: u64,
    /// The thread that holds it for writing; NULL while none does.
    #[row(key)]
    pub write_locked_by_thread_id: Option<u64>,
    /// How many hold it for reading.
    pub read_locked_by_count: u32,
}

const NAME: usize = Column::index(RwlockInstancesRow::COLUMNS, "NAME");
const HOLDER: usize = Column::index(RwlockInstancesRow::COLUMNS, "WRITE_LOCKED_BY_THREAD_ID");

impl From<LiveInstance> for RwlockInstancesRow {
    fn from(instance: LiveInstance) -> Self {
        RwlockInstancesRow {
            name: instance.class.name(),
            object_instance_begin: instance.address(),
            write_locked_by_thread_id: instance.holder,
            read_locked_by_count: instance.readers,
        }
    }
}

impl Table for RwlockInstances {
    const NAME: &'static str = "rwlock_instances";
    const DOC: &'static str = "The rwlocks that live now, the thread that holds each for writing, and how \
        many read. Holders are known while the instrument is enabled.";
    const OPS: Ops = Ops::SELECT;
    type Row = RwlockInstancesRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let holder = scan.u64(HOLDER);
        instances::<RwlockInstancesRow>(schema, scan, &[Kind::RwLock], NAME)
            .filter(move |instance| holder.is_none_or(|holder| instance.holder == Some(holder)))
            .map(RwlockInstancesRow::from)
    }
}
