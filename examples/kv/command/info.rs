//! INFO: a page about the server, in the sections and the `name:value` lines that clients of the protocol parse.

use std::fmt::Write;
use std::sync::atomic::Ordering;

use crate::database::Database;
use crate::resp::Args;
use crate::server::Shared;

const SECTIONS: [&str; 4] = ["server", "clients", "stats", "keyspace"];

/// `INFO [section …]`; a section that does not exist has nothing to say.
pub(super) fn info(server: &Shared, sections: Args<'_>) -> String {
    let asked = |name: &str| {
        let is = |section: &[u8], name: &str| section.eq_ignore_ascii_case(name.as_bytes());
        let everything =
            |section: &[u8]| ["all", "default", "everything"].iter().any(|name| is(section, name));
        sections.len() == 0 || sections.iter().any(|section| is(section, name) || everything(section))
    };
    let mut page = String::new();
    for name in SECTIONS.into_iter().filter(|name| asked(name)) {
        let title = name[..1].to_ascii_uppercase() + &name[1..];
        let gap = if page.is_empty() { "" } else { "\r\n" };
        // Writing into a string cannot fail.
        let _ = write!(page, "{gap}# {title}\r\n{}", section(server, name));
    }
    page
}

fn section(server: &Shared, name: &str) -> String {
    let counters = server.counters();
    match name {
        "server" => format!(
            "kv_version:{}\r\nprocess_id:{}\r\ntcp_port:{}\r\nuptime_in_seconds:{}\r\n",
            env!("CARGO_PKG_VERSION"),
            std::process::id(),
            server.address().port(),
            server.uptime().as_secs(),
        ),
        "clients" => format!(
            "connected_clients:{}\r\nmaxclients:{}\r\n",
            counters.connected.load(Ordering::Relaxed),
            server.options().max_clients,
        ),
        "stats" => format!(
            "total_connections_received:{}\r\nrejected_connections:{}\r\ntotal_commands_processed:{}\r\n\
             protocol_errors:{}\r\nexpired_keys:{}\r\n",
            counters.accepted.load(Ordering::Relaxed),
            counters.rejected.load(Ordering::Relaxed),
            counters.commands.load(Ordering::Relaxed),
            counters.protocol_errors.load(Ordering::Relaxed),
            counters.expired.load(Ordering::Relaxed),
        ),
        _ => keyspace(server),
    }
}

/// Keys of all databases, then a line for each that has any.
fn keyspace(server: &Shared) -> String {
    let held = server.store().held();
    let keys: usize = held.iter().map(|held| held.keys).sum();
    let mut page = format!("keys:{keys}\r\nshards:{}\r\n", server.options().shards);
    for (database, held) in Database::all().zip(held).filter(|(_, held)| held.keys > 0) {
        // Writing into a string cannot fail.
        let _ = write!(page, "{}:keys={},expires={}\r\n", database.name(), held.keys, held.expiring);
    }
    page
}
