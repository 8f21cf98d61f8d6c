//! `engine_status`: the memory report, a row for each measure of each buffer.

use crate::schema::{Buffer, Memory, Schema};

use super::{Ops, Row, Scan, Table};

/// The table `engine_status`.
#[derive(Debug)]
pub enum EngineStatus {}

/// A measure of a buffer.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct EngineStatusRow {
    /// Always `performance_schema`.
    #[row(name = "TYPE", varchar = 64)]
    pub kind: &'static str,
    /// The buffer and the measure: `row_size` and `memory` in bytes, `row_count`.
    #[row(varchar = 128)]
    pub name: String,
    /// The figure, as text.
    #[row(varchar = 64)]
    pub status: String,
}

impl EngineStatusRow {
    fn new(name: String, figure: usize) -> Self {
        EngineStatusRow { kind: "performance_schema", name, status: figure.to_string() }
    }
}

impl Table for EngineStatus {
    const NAME: &'static str = "engine_status";
    const DOC: &'static str = "The memory of every buffer: what SHOW ENGINE PERFORMANCE_SCHEMA STATUS shows. \
        The last row, performance_schema.memory, is the sum.";
    const OPS: Ops = Ops::SELECT;
    type Row = EngineStatusRow;

    fn rows<'s>(schema: &'s Schema, _: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        schema.memory().engine_status()
    }
}

impl Memory {
    /// The rows that the table `engine_status` shows of these buffers.
    pub fn engine_status(&self) -> impl Iterator<Item = EngineStatusRow> + use<'_> {
        let measures = |buffer: &Buffer| {
            let Buffer { name, row_size, row_count } = *buffer;
            [("row_size", row_size), ("row_count", row_count), ("memory", buffer.memory())]
                .map(|(measure, figure)| EngineStatusRow::new(format!("{name}.{measure}"), figure))
        };
        let total = EngineStatusRow::new("performance_schema.memory".to_owned(), self.total());
        self.buffers().iter().flat_map(measures).chain(std::iter::once(total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::testing;

    #[test]
    fn the_sum_of_all_buffers_is_the_mapping() {
        let schema = testing::schema();
        let rows: Vec<EngineStatusRow> = EngineStatus::rows(schema, &Scan::ALL).collect();
        let figure = |row: &EngineStatusRow| row.status.parse::<usize>().unwrap();
        let (total, buffers) = rows.split_last().unwrap();
        assert_eq!((total.kind, total.name.as_str()), ("performance_schema", "performance_schema.memory"));
        let sum: usize = buffers.iter().filter(|row| row.name.ends_with(".memory")).map(figure).sum();
        assert_eq!(sum, figure(total));
        assert_eq!(buffers.len() % 3, 0);
        let mutexes: Vec<&EngineStatusRow> =
            buffers.iter().filter(|row| row.name.starts_with("mutex_instances.")).collect();
        assert_eq!(mutexes.len(), 3);
        assert_eq!(figure(mutexes[0]) * figure(mutexes[1]), figure(mutexes[2]));
    }
}
