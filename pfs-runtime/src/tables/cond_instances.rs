//! `cond_instances`: the condition variables, barriers, channels and what else is waited for that live now.

use crate::class::Kind;
use crate::schema::Schema;

use super::keys::instances;
use super::live::LiveInstance;
use super::{Column, Ops, Row, Scan, Table};

/// The table `cond_instances`.
#[derive(Debug)]
pub enum CondInstances {}

/// A condition variable, barrier, channel, or what another thread makes.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct CondInstancesRow {
    /// Its class.
    #[row(key, varchar = 128)]
    pub name: &'static str,
    /// Which one it is: the address of its slot.
    #[row(key, unit = address)]
    pub object_instance_begin: u64,
}

const NAME: usize = Column::index(CondInstancesRow::COLUMNS, "NAME");

impl From<LiveInstance> for CondInstancesRow {
    fn from(instance: LiveInstance) -> Self {
        CondInstancesRow { name: instance.class.name(), object_instance_begin: instance.address() }
    }
}

impl Table for CondInstances {
    const NAME: &'static str = "cond_instances";
    const DOC: &'static str = "The condition variables, barriers, channels, and values that are made once, \
        that live now and were waited for.";
    const OPS: Ops = Ops::SELECT;
    type Row = CondInstancesRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        instances::<CondInstancesRow>(schema, scan, &[Kind::Cond], NAME).map(CondInstancesRow::from)
    }
}
