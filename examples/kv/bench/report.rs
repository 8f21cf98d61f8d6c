//! What is printed at the end: the load as the clients saw it, and what the schema says about the same seconds.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::time::Duration;

use pfs::Pfs;
use serde_json::json;

use super::layout::{Grid, Style, bytes, rate, thousands, time};
use super::load::Load;
use super::mix;
use super::unnamed::Unnamed;
use super::waits::Split;
use crate::log::SyncPolicy;
use crate::tables;

/// Rows of a section.
const TOP: usize = 10;

/// How the bench was run.
pub(super) struct Head {
    pub(super) clients: u32,
    /// Requests in one pipeline.
    pub(super) depth: usize,
    pub(super) elapsed: Duration,
    pub(super) sync: SyncPolicy,
}

/// One object: each table by its name, the locks that have no name, and the load.
pub(super) fn json(out: &mut dyn Write, pfs: Pfs, load: &Load, elapsed: Duration) -> io::Result<()> {
    out.write_all(b"{")?;
    tables::write_json(pfs, out)?;
    let by_command: serde_json::Map<_, _> =
        load.by_command().map(|(name, count)| (name.to_owned(), count.into())).collect();
    let load = json!({
        "requests": load.requests(),
        "by_command": by_command,
        "errors": load.errors,
        "seconds": elapsed.as_secs_f64(),
    });
    writeln!(out, "\"unnamed_locks\":{},\"load\":{load}}}", Unnamed::read(pfs).json())
}

/// The report for people: what clients wait for in one sentence, then the sections that say how that is known.
pub(super) fn text(out: &mut dyn Write, pfs: Pfs, load: &Load, head: &Head, style: Style) -> io::Result<()> {
    if pfs.schema().is_none() {
        let why = if pfs::COMPILED_IN {
            "switched off by its settings (performance_schema, or PFS in the environment)"
        } else {
            "compiled out of this kv (no feature `engine`)"
        };
        seen_by_clients(out, load, head, style)?;
        return writeln!(out, "\npfs is {why}: it cannot tell where the time went");
    }
    let split = Split::read(pfs);
    writeln!(out, "{}", split.clients.answer())?;
    seen_by_clients(out, load, head, style)?;
    statements(out, pfs, style)?;
    digests(out, pfs, style)?;
    stages(out, pfs, style)?;
    waits(out, pfs, &split, style)?;
    Unnamed::read(pfs).print(out, style, TOP)?;
    threads(out, pfs, style)?;
    lost(out, pfs, style)?;
    memory(out, pfs, style)
}

fn seen_by_clients(out: &mut dyn Write, load: &Load, head: &Head, style: Style) -> io::Result<()> {
    let synced = match head.sync {
        SyncPolicy::Always => "log synced before a write is answered",
        SyncPolicy::Never => "log written but not synced",
    };
    let pipelining = head.clients / 4;
    let remark = format!(
        "{} clients, {pipelining} of them with {} requests in the pipe; {synced}",
        head.clients, head.depth
    );
    style.title(out, "LOAD", &remark)?;
    let seconds = head.elapsed.as_secs_f64();
    let micros =
        |latency: Duration| time(u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX).saturating_mul(1000));
    writeln!(
        out,
        "  {} requests in {seconds:.1} s: {}, {}; a client waits {} (p50), {} (p99), {} (max)",
        thousands(load.requests()),
        rate(load.requests(), head.elapsed),
        errors(load, &mix::wrong().collect::<Vec<_>>()),
        micros(load.latency.percentile(50)),
        micros(load.latency.percentile(99)),
        micros(load.latency.longest()),
    )
}

/// How many answers were errors, and whether they are what the wrong requests of the mix are there for.
fn errors(load: &Load, wrong: &[&str]) -> String {
    let count = thousands(load.errors);
    match (load.errors, load.unmeant) {
        (0, _) => format!("{count} answered with an error"),
        (_, 0) => {
            format!("{count} answered with an error, as is meant: the load has {} in it", wrong.join(" and "))
        }
        (_, unmeant) => format!("{count} answered with an error, {} of them not meant", thousands(unmeant)),
    }
}

fn statements(out: &mut dyn Write, pfs: Pfs, style: Style) -> io::Result<()> {
    style.title(out, "STATEMENTS", "what the server was asked to do, by total time")?;
    let mut grid = Grid::new(&["statement", "count", "errors", "total", "average", "longest"]);
    for row in pfs.events_statements_summary_global_by_event_name().filter(|row| row.count_star > 0) {
        grid.row(
            row.sum_timer_wait,
            vec![
                short(row.event_name),
                thousands(row.count_star),
                thousands(row.sum_errors),
                time(row.sum_timer_wait),
                time(row.avg_timer_wait),
                time(row.max_timer_wait),
            ],
        );
    }
    grid.print(out, style, TOP)
}

fn digests(out: &mut dyn Write, pfs: Pfs, style: Style) -> io::Result<()> {
    style.title(
        out,
        "DIGESTS",
        "the same without its values, and how long 95 and 99 of a hundred took at most",
    )?;
    let mut grid = Grid::new(&["digest", "count", "total", "95 %", "99 %", "longest"]);
    for row in pfs.events_statements_summary_by_digest().filter(|row| row.count_star > 0) {
        let text = row.digest_text.as_deref().unwrap_or("(those that found no row)").trim_end();
        let database = row.schema_name.as_deref().map_or(String::new(), |name| format!("{name}: "));
        grid.row(
            row.sum_timer_wait,
            vec![
                format!("{database}{text}"),
                thousands(row.count_star),
                time(row.sum_timer_wait),
                time(row.quantile_95),
                time(row.quantile_99),
                time(row.max_timer_wait),
            ],
        );
    }
    grid.print(out, style, TOP)
}

fn stages(out: &mut dyn Write, pfs: Pfs, style: Style) -> io::Result<()> {
    style.title(
        out,
        "STAGES",
        "where in a statement the time went, the log's flushing and the expirer beside it",
    )?;
    let mut grid = Grid::new(&["stage", "count", "total", "average", "longest"]);
    for row in pfs.events_stages_summary_global_by_event_name().filter(|row| row.count_star > 0) {
        grid.row(
            row.sum_timer_wait,
            vec![
                short(row.event_name),
                thousands(row.count_star),
                time(row.sum_timer_wait),
                time(row.avg_timer_wait),
                time(row.max_timer_wait),
            ],
        );
    }
    grid.print(out, style, TOP)
}

fn waits(out: &mut dyn Write, pfs: Pfs, waits: &Split, style: Style) -> io::Result<()> {
    let remark = "locks and condition variables of the threads that serve them";
    style.title(out, "WAITS OF CLIENTS", &format!("{remark}{}", but_for_lost_threads(pfs)))?;
    waits.clients.grid().print(out, style, TOP)?;
    let remark = "of all other threads; on their condition variables they wait for work";
    style.title(out, "WAITS IN THE BACKGROUND", remark)?;
    waits.background.grid().print(out, style, TOP)
}

/// The threads of one class.
#[derive(Default)]
struct Threads {
    count: u64,
    statements: u64,
    waits: u64,
    waiting: u64,
}

fn threads(out: &mut dyn Write, pfs: Pfs, style: Style) -> io::Result<()> {
    let names: HashMap<u64, &'static str> = pfs.threads().map(|row| (row.thread_id, row.name)).collect();
    let mut classes: BTreeMap<&'static str, Threads> = BTreeMap::new();
    for name in names.values() {
        classes.entry(name).or_default().count += 1;
    }
    for row in pfs.events_statements_summary_by_thread_by_event_name() {
        if let Some(class) = names.get(&row.thread_id).and_then(|name| classes.get_mut(name)) {
            class.statements += row.count_star;
        }
    }
    for row in pfs.events_waits_summary_by_thread_by_event_name() {
        if let Some(class) = names.get(&row.thread_id).and_then(|name| classes.get_mut(name)) {
            class.waits += row.count_star;
            class.waiting = class.waiting.saturating_add(row.sum_timer_wait);
        }
    }
    let remark = format!("by class, with what they did{}", but_for_lost_threads(pfs));
    style.title(out, "THREADS", &remark)?;
    let mut grid = Grid::new(&["class", "threads", "statements", "waits", "time in waits"]);
    for (name, class) in classes {
        grid.row(
            class.waiting,
            vec![
                short(name),
                thousands(class.count),
                thousands(class.statements),
                thousands(class.waits),
                time(class.waiting),
            ],
        );
    }
    grid.print(out, style, TOP)
}

/// What a section about threads has to say if some found no row: they are in the totals and in nothing by thread.
fn but_for_lost_threads(pfs: Pfs) -> String {
    let lost =
        pfs.global_status().find(|row| row.variable_name == "Performance_schema_thread_instances_lost");
    match lost.and_then(|row| row.variable_value).as_deref() {
        None | Some("0") => String::new(),
        Some(lost) => format!(", but for {lost} threads without a row"),
    }
}

fn lost(out: &mut dyn Write, pfs: Pfs, style: Style) -> io::Result<()> {
    let counters = pfs.global_status().filter(|row| row.variable_name.ends_with("_lost"));
    let (lost, intact): (Vec<_>, Vec<_>) =
        counters.partition(|row| row.variable_value.as_deref().is_some_and(|value| value != "0"));
    style.title(out, "LOST", "what found its buffer full")?;
    if lost.is_empty() {
        return writeln!(out, "  nothing: all {} lost counters are 0", intact.len());
    }
    for row in lost {
        writeln!(out, "  {} {}", row.variable_name, row.variable_value.as_deref().unwrap_or_default())?;
    }
    Ok(())
}

fn memory(out: &mut dyn Write, pfs: Pfs, style: Style) -> io::Result<()> {
    // Figures of a buffer are rows `<buffer>.<measure>`; the total is one of them.
    let mut buffers: BTreeMap<String, HashMap<String, u64>> = BTreeMap::new();
    for row in pfs.engine_status() {
        if let (Some((buffer, measure)), Ok(figure)) = (row.name.rsplit_once('.'), row.status.parse()) {
            buffers.entry(buffer.to_owned()).or_default().insert(measure.to_owned(), figure);
        }
    }
    let total =
        buffers.remove("performance_schema").and_then(|total| total.get("memory").copied()).unwrap_or(0);
    let remark = format!("{} set aside at the start, of which only touched pages are resident", bytes(total));
    style.title(out, "MEMORY", &remark)?;
    let mut grid = Grid::new(&["buffer", "rows", "a row", "memory"]);
    for (buffer, figures) in buffers {
        let figure = |measure| figures.get(measure).copied().unwrap_or(0);
        grid.row(
            figure("memory"),
            vec![buffer, thousands(figure("row_count")), bytes(figure("row_size")), bytes(figure("memory"))],
        );
    }
    grid.print(out, style, 6)
}

/// The name without the part that the section's title says already.
pub(super) fn short(name: &str) -> String {
    let tail = ["wait/synch/", "statement/", "stage/", "thread/", "wait/"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix));
    tail.unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;

    #[test]
    fn errors_are_said_to_be_meant_if_they_are() {
        let mut load = Load::default();
        let mut answer = |wrong, refused| {
            load.count(mix::Request { command: Command::Incr, wrong }, refused, Duration::from_micros(1));
            errors(&load, &["INCR of a text", "GET of a list"])
        };
        assert_eq!(answer(false, false), "0 answered with an error");
        assert_eq!(answer(true, false), "0 answered with an error");
        let meant = "as is meant: the load has INCR of a text and GET of a list in it";
        assert_eq!(answer(true, true), format!("1 answered with an error, {meant}"));
        assert_eq!(answer(false, true), "2 answered with an error, 1 of them not meant");
    }
}
