//! Locks that no code has named, by the places that made them: a server's next names. What each class of locks cost is
//! not told here.

use std::io::{self, Write};

use pfs::Pfs;
use pfs::tables::{EventsWaitsSummaryBySource, Table};
use serde_json::{Value, json};

use super::layout::{Grid, Style, thousands, time};

/// What was made at one place.
type Place = <EventsWaitsSummaryBySource as Table>::Row;

/// The locks of the classes `…/pfs/unnamed`.
#[derive(Debug)]
pub(super) struct Unnamed {
    places: Vec<Place>,
    /// How often such locks were used, also those that found no row to tell their place.
    uses: u64,
}

impl Unnamed {
    pub(super) fn read(pfs: Pfs) -> Self {
        let places =
            pfs.events_waits_summary_by_source().filter(|row| unnamed(row.event_name).is_some()).collect();
        let classes = pfs.events_waits_summary_global_by_event_name();
        let uses = classes.filter(|row| unnamed(row.event_name).is_some()).map(|row| row.count_star).sum();
        Unnamed { places, uses }
    }

    pub(super) fn print(&self, out: &mut dyn Write, style: Style, most: usize) -> io::Result<()> {
        style.title(out, "LOCKS WITHOUT A NAME", "of class …/pfs/unnamed, by where they were made")?;
        match (self.places.as_slice(), self.uses) {
            ([], 0) => writeln!(out, "  none: every lock that was counted has a name"),
            ([], uses) => {
                writeln!(out, "  used {} times, and no row tells where they were made", thousands(uses))
            }
            (places, _) => grid(places).print(out, style, most),
        }
    }

    /// An array of the places.
    pub(super) fn json(&self) -> Value {
        let place = |row: &Place| {
            json!({
                "event_name": row.event_name,
                "source": row.source,
                "count_instances": row.count_instances,
                "count_star": row.count_star,
                "count_waited": row.count_waited,
                "sum_timer_wait": row.sum_timer_wait,
                "max_timer_wait": row.max_timer_wait,
            })
        };
        self.places.iter().map(place).collect()
    }
}

/// What kind of lock a class is of that nobody named; `None` for one of another class.
fn unnamed(class: &str) -> Option<&str> {
    class.strip_prefix("wait/synch/")?.strip_suffix("/pfs/unnamed")
}

fn grid(places: &[Place]) -> Grid {
    let head = ["lock", "made at", "alive", "count", "contended", "total", "average", "longest"];
    let mut grid = Grid::new(&head);
    for row in places {
        let kind = unnamed(row.event_name).unwrap_or_default();
        // Every wait on a condition variable is one; there is nothing to contend for.
        let contended = if kind == "cond" { "-".to_owned() } else { thousands(row.count_waited) };
        grid.row(
            row.sum_timer_wait,
            vec![
                kind.to_owned(),
                row.source.clone(),
                thousands(row.count_instances),
                thousands(row.count_star),
                contended,
                time(row.sum_timer_wait),
                time(row.avg_timer_wait),
                time(row.max_timer_wait),
            ],
        );
    }
    grid
}

#[cfg(all(test, feature = "engine"))]
mod tests {
    use super::*;
    use pfs::sync::{Condvar, Mutex, RwLock};
    use std::thread;
    use std::time::Duration;

    /// The lines of the section below its title.
    fn lines(unnamed: &Unnamed) -> Vec<String> {
        let mut out = Vec::new();
        unnamed.print(&mut out, Style::plain(), 9).unwrap();
        let text = String::from_utf8(out).unwrap();
        let title = "\nLOCKS WITHOUT A NAME  of class …/pfs/unnamed, by where they were made\n";
        text.strip_prefix(title).expect("a title").lines().map(str::to_owned).collect()
    }

    /// Locks `mutex`, which another thread holds until this one waits for it.
    fn contend(pfs: Pfs, mutex: &Mutex<u32>) {
        let held = mutex.lock().unwrap();
        thread::scope(|scope| {
            scope.spawn(|| *mutex.lock().unwrap() += 1);
            let waits = || pfs.events_waits_current().any(|row| unnamed(row.event_name).is_some());
            while !waits() {
                thread::yield_now();
            }
            drop(held);
        });
    }

    #[test]
    fn places_are_told_with_their_locks_uses_and_waits() {
        let pfs = pfs::Config::new().consumer("events_waits_current", true).start().unwrap();
        let none = Unnamed::read(pfs);
        assert_eq!(lines(&none), ["  none: every lock that was counted has a name"]);
        assert_eq!(none.json(), json!([]));

        // All of one place, and one of them is gone.
        let (shards, shards_at): ([_; 4], _) = (std::array::from_fn(|_| Mutex::new(0)), line!());
        for (nth, shard) in shards.iter().enumerate() {
            for _ in 0..=nth {
                *shard.lock().unwrap() += 1;
            }
        }
        let [gone, shards @ ..] = shards;
        drop(gone);
        let (map, map_at) = (RwLock::new(7), line!());
        let read = *map.read().unwrap();
        *map.write().unwrap() += read;
        let named = pfs::mutex!("unnamed/LOCK_named", 0);
        drop(named.lock());
        // Uses that nobody had to wait for take no time.
        assert_eq!(
            lines(&Unnamed::read(pfs)),
            [
                "  lock           made at  alive  count  contended  total  average  longest".to_owned(),
                format!("  mutex   unnamed.rs:{shards_at}      3     10          0   0 ps     0 ps     0 ps"),
                format!("  rwlock  unnamed.rs:{map_at}      1      2          0   0 ps     0 ps     0 ps"),
            ]
        );

        contend(pfs, &shards[0]);
        let (changed, changed_at) = (Condvar::new(), line!());
        drop(changed.wait_timeout(shards[0].lock().unwrap(), Duration::from_millis(1)));
        let unnamed = Unnamed::read(pfs);
        let mut places: Vec<Vec<String>> = (lines(&unnamed).iter().skip(1))
            .map(|line| line.split_whitespace().take(5).map(str::to_owned).collect())
            .collect();
        // The longest is first, and how long something took is not known here.
        places.sort();
        let place = |kind: &str, line: u32, figures: [&str; 3]| {
            let place = [kind.to_owned(), format!("unnamed.rs:{line}")];
            place.into_iter().chain(figures.map(str::to_owned)).collect::<Vec<_>>()
        };
        assert_eq!(
            places,
            [
                place("cond", changed_at, ["1", "1", "-"]),
                place("mutex", shards_at, ["3", "13", "1"]),
                place("rwlock", map_at, ["1", "2", "0"]),
            ]
        );
        let json = unnamed.json();
        let rwlock = json.as_array().unwrap().iter().find(|row| row["count_star"] == 2).unwrap();
        assert_eq!(
            *rwlock,
            json!({
                "event_name": "wait/synch/rwlock/pfs/unnamed",
                "source": format!("unnamed.rs:{map_at}"),
                "count_instances": 1,
                "count_star": 2,
                "count_waited": 0,
                "sum_timer_wait": 0,
                "max_timer_wait": 0,
            })
        );
        drop(map);
    }

    #[test]
    fn uses_without_a_row_are_told() {
        let unnamed = Unnamed { places: Vec::new(), uses: 1234 };
        assert_eq!(lines(&unnamed), ["  used 1,234 times, and no row tells where they were made"]);
    }
}
