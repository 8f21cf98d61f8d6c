//! The server's door to its own performance schema: tables by name, as JSON.

use pfs::Pfs;

/// The rows of `table` as a JSON array, or `None` for a name that no table has.
pub(crate) fn json(pfs: Pfs, table: &str) -> Option<String> {
    pfs.table(&table.to_ascii_lowercase()).map(|table| pfs.json(table))
}

/// The names that [`json`] takes.
pub(crate) fn names(pfs: Pfs) -> impl Iterator<Item = &'static str> {
    pfs.tables().iter().map(|table| table.name)
}
