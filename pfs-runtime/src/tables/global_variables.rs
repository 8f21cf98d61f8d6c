//! `global_variables`: the sizes of the schema's buffers, and whether it runs.

use crate::config::SizeKey;
use crate::schema::Schema;

use super::keys::same_name;
use super::{Column, Ops, Row, Scan, Table};

/// The table `global_variables`.
#[derive(Debug)]
pub enum GlobalVariables {}

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct GlobalVariablesRow {
    /// Its name.
    #[row(key, varchar = 64)]
    pub variable_name: String,
    /// Its value, as text.
    #[row(varchar = 1024)]
    pub variable_value: Option<String>,
}

const NAME: usize = Column::index(GlobalVariablesRow::COLUMNS, "VARIABLE_NAME");

impl Table for GlobalVariables {
    const NAME: &'static str = "global_variables";
    const DOC: &'static str = "What the schema was built with: performance_schema, and the size of each \
        buffer as it was given or computed. Fixed from start on.";
    const OPS: Ops = Ops::SELECT;
    type Row = GlobalVariablesRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let wanted = scan.text(NAME).map(str::to_owned);
        let sizes = SizeKey::ALL
            .iter()
            .map(|key| (format!("performance_schema_{}", key.name()), schema.sizes().get(*key).to_string()));
        let on = ("performance_schema".to_owned(), "ON".to_owned());
        std::iter::once(on)
            .chain(sizes)
            .filter(move |(name, _)| same_name(wanted.as_deref(), name))
            .map(|(variable_name, value)| GlobalVariablesRow { variable_name, variable_value: Some(value) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::testing;

    #[test]
    fn every_size_is_shown_under_its_name() {
        let schema = testing::schema();
        let rows: Vec<GlobalVariablesRow> = GlobalVariables::rows(schema, &Scan::ALL).collect();
        assert_eq!(rows.len(), 1 + SizeKey::ALL.len());
        assert!(rows.is_sorted_by(|a, b| a.variable_name < b.variable_name));
        let value = |name: &str| {
            let row = rows.iter().find(|row| row.variable_name == name);
            row.and_then(|row| row.variable_value.as_deref())
        };
        assert_eq!(value("performance_schema"), Some("ON"));
        assert_eq!(value("performance_schema_max_thread_instances"), Some("66"));
    }
}
