//! COMMAND: what commands there are, for clients that ask before they start.

use super::error::{CommandError, quoted};
use super::{SPECS, Spec};
use crate::resp::{Args, Reply};

/// `COMMAND [COUNT | LIST | INFO [name …] | DOCS [name …]]`
pub(super) fn command(args: Args<'_>) -> Result<Reply, CommandError> {
    let names = args.tail(2);
    let Some(subcommand) = args.get(1) else { return Ok(all(shape)) };
    Ok(match subcommand.to_ascii_uppercase().as_slice() {
        b"COUNT" => Reply::count(SPECS.len()),
        b"LIST" => all(|spec| spec.name.into()),
        b"INFO" if names.len() == 0 => all(shape),
        b"INFO" => {
            Reply::Array(names.iter().map(|name| Spec::named(name).map_or(Reply::NullArray, shape)).collect())
        }
        b"DOCS" if names.len() == 0 => Reply::Array(SPECS.iter().flat_map(docs).collect()),
        b"DOCS" => Reply::Array(names.iter().filter_map(Spec::named).flat_map(docs).collect()),
        _ => {
            let (found, allowed) = (quoted(subcommand), "COUNT, LIST, INFO and DOCS");
            return Err(CommandError::UnknownSubcommand { command: "command", found, allowed });
        }
    })
}

fn all(describe: impl Fn(&'static Spec) -> Reply) -> Reply {
    Reply::Array(SPECS.iter().map(describe).collect())
}

/// Name, arity, flags, first key, last key, step.
fn shape(spec: &'static Spec) -> Reply {
    let (first, last, step) = spec.keys;
    let flags = Reply::Array(spec.flags.iter().map(|&flag| Reply::Simple(flag)).collect());
    let numbers = [first, last, step].map(Reply::Integer);
    Reply::Array([spec.name.into(), Reply::Integer(spec.arity()), flags].into_iter().chain(numbers).collect())
}

/// The name, then a map written flat.
fn docs(spec: &'static Spec) -> [Reply; 2] {
    let group = if spec.keys.0 == 0 { "server" } else { "generic" };
    [spec.name.into(), Reply::Array(["summary", spec.summary, "group", group].map(Reply::from).to_vec())]
}
