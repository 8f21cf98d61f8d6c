//! CONFIG GET: the settings a client may ask for, by glob pattern. Nothing can be set at run time.

use super::error::{CommandError, quoted};
use crate::database::Database;
use crate::log::SyncPolicy;
use crate::resp::{Args, Reply};
use crate::server::Shared;

/// `CONFIG GET pattern [pattern …]`
pub(super) fn config(server: &Shared, args: Args<'_>) -> Result<Reply, CommandError> {
    let subcommand = args.get(1).unwrap_or_default();
    if !subcommand.eq_ignore_ascii_case(b"GET") {
        let (found, allowed) = (quoted(subcommand), "GET");
        return Err(CommandError::UnknownSubcommand { command: "config", found, allowed });
    }
    if args.len() < 3 {
        return Err(CommandError::Arity { command: "config|get" });
    }
    let asked = |name: &str| {
        args.tail(2).iter().any(|pattern| matches(&pattern.to_ascii_lowercase(), name.as_bytes()))
    };
    let pairs = settings(server).into_iter().filter(|(name, _)| asked(name));
    Ok(Reply::Array(pairs.flat_map(|(name, value)| [Reply::from(name), Reply::from(value)]).collect()))
}

fn settings(server: &Shared) -> Vec<(&'static str, String)> {
    let options = server.options();
    let fsync = match options.sync {
        SyncPolicy::Always => "always",
        SyncPolicy::Never => "no",
    };
    vec![
        // Snapshots: there are none. Benchmarks ask.
        ("save", String::new()),
        ("appendonly", "yes".to_owned()),
        ("appendfsync", fsync.to_owned()),
        ("bind", server.address().ip().to_string()),
        ("port", server.address().port().to_string()),
        ("dir", options.dir.display().to_string()),
        ("maxclients", options.max_clients.to_string()),
        ("databases", Database::COUNT.to_string()),
        ("shards", options.shards.to_string()),
        ("proto-max-bulk-len", options.limits.bulk.to_string()),
    ]
}

/// Glob patterns of `*` (any run) and `?` (any one byte).
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    // Where the last `*` stands, and where its run ends for now.
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&byte) if byte == b'?' || byte == name[n] => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((at, run)) = star else { return false };
                star = Some((at, run + 1));
                p = at + 1;
                n = run + 1;
            }
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        for (pattern, name, expected) in [
            ("save", "save", true),
            ("save", "saved", false),
            ("*", "", true),
            ("", "x", false),
            ("s?ve", "save", true),
            ("*port*", "port", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("append*", "appendonly", true),
            ("?", "", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} on {name}");
        }
    }
}
