//! The server's door to its own performance schema: tables by name, as JSON.

use std::io::{self, Write};

use pfs::Pfs;

/// The rows of `table` as a JSON array, or `None` for a name that no table has.
pub(crate) fn json(pfs: Pfs, table: &str) -> Option<String> {
    pfs.table(table).ok().map(|table| table.json())
}

/// Writes every table: its name, a colon, its rows, each followed by a comma.
pub(crate) fn write_json(pfs: Pfs, out: &mut dyn Write) -> io::Result<()> {
    for table in pfs.tables() {
        write!(out, "\"{}\":", table.definition().name())?;
        table.write_json(&mut *out)?;
        out.write_all(b",")?;
    }
    Ok(())
}

/// The names that [`json`] takes.
pub(crate) fn names(pfs: Pfs) -> impl Iterator<Item = &'static str> {
    pfs.tables().map(|table| table.definition().name())
}
