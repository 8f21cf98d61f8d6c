//! `global_variables`: the settings that the schema was built with.

use crate::config::{Setting, SizeKey};
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
    const DOC: &'static str = "What the schema was built with: performance_schema, which is ON, the size of each \
        buffer as it was given or computed, and what sizes were computed from. Fixed from start on.";
    const OPS: Ops = Ops::SELECT;
    type Row = GlobalVariablesRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        let wanted = scan.text(NAME).map(str::to_owned);
        let name = |setting: &str| format!("performance_schema_{setting}");
        let mut variables = vec![("performance_schema".to_owned(), "ON".to_owned())];
        let sizes = schema.sizes();
        variables.extend(SizeKey::ALL.iter().map(|key| (name(key.name()), sizes.get(*key).to_string())));
        variables.extend(
            [
                (Setting::MaxConnections, sizes.max_connections().to_string()),
                (Setting::WorkerThreads, sizes.worker_threads().to_string()),
                (Setting::SizingScale, sizes.sizing_scale().to_string()),
                (Setting::StatementText, schema.statement_text().as_str().to_owned()),
            ]
            .map(|(setting, value)| (name(setting.name()), value)),
        );
        variables.sort();
        variables
            .into_iter()
            .filter(move |(name, _)| same_name(wanted.as_deref(), name))
            .map(|(variable_name, value)| GlobalVariablesRow { variable_name, variable_value: Some(value) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::testing;

    #[test]
    fn every_setting_is_shown_under_its_name_with_the_value_in_force() {
        let schema = testing::schema();
        let rows: Vec<GlobalVariablesRow> = GlobalVariables::rows(schema, &Scan::ALL).collect();
        // Consumers are rows of a table of their own.
        let settings: Vec<String> = Setting::keys()
            .map(|setting| match setting {
                Setting::PerformanceSchema => "performance_schema".to_owned(),
                _ => format!("performance_schema_{}", setting.name()),
            })
            .collect();
        assert_eq!(rows.len(), settings.len());
        assert!(rows.is_sorted_by(|a, b| a.variable_name < b.variable_name));
        assert!(rows.iter().all(|row| settings.contains(&row.variable_name)));
        assert!(rows.iter().all(|row| row.variable_value.as_deref() != Some("-1")));
        let value = |name: &str| {
            let row = rows.iter().find(|row| row.variable_name == name);
            row.and_then(|row| row.variable_value.as_deref())
        };
        assert_eq!(value("performance_schema"), Some("ON"));
        assert_eq!(value("performance_schema_max_thread_instances"), Some("68"));
        assert_eq!(value("performance_schema_max_connections"), Some("1"));
        assert_eq!(value("performance_schema_worker_threads"), Some("1"));
        assert_eq!(value("performance_schema_sizing_scale"), Some("1"));
        assert_eq!(value("performance_schema_statement_text"), Some("ON"));
    }
}
