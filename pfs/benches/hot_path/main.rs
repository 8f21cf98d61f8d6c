//! What does an instrumented operation cost over the raw one, in each state that pfs can be in?
//!
//! Every case is a loop over what users call, in a crate of its own as theirs is. `cargo bench --bench hot_path`
//! prints nanoseconds; `.ci/instructions` runs the same cases under callgrind and counts instructions.

mod cases;
mod loops;
#[path = "../measure/mod.rs"]
mod measure;
#[path = "../state/mod.rs"]
mod state;

use cases::{CASES, Case};
use state::Process;
use std::hint::black_box;
use std::process::ExitCode;

const USAGE: &str = "usage: hot_path [--bench] [--list] [--case NAME]... [--operations N[,N]...]

  --bench           print nanoseconds of each case, the raw operation's beside them
  --operations N,…  run each case so often, once for each N, and print `case<TAB>raw case<TAB>N` after each run;
                    callgrind counts inside `hot_path::measured` and dumps when it is left
  --case NAME       only this case; may be given again
  --list            print the names of the cases
  without any       run each case a few times, as `cargo test` does";

/// Operations before the first that are measured: what happens once in the life of a lock or thread has happened.
const WARM_UP: u64 = 64;

/// How nanoseconds are taken: many rounds, short enough that the machine leaves some of them alone.
const ROUNDS: usize = 400;
const OPERATIONS: u64 = 1000;

#[derive(Default)]
struct Options {
    bench: bool,
    list: bool,
    only: Vec<String>,
    operations: Vec<u64>,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} wants a value"));
            match arg.as_str() {
                "--bench" => options.bench = true,
                "--list" => options.list = true,
                "--case" => options.only.push(value()?),
                "--operations" => {
                    let value = value()?;
                    let counts: Result<Vec<u64>, _> = value.split(',').map(str::parse).collect();
                    options.operations = counts
                        .map_err(|_| format!("--operations {value}: allowed are numbers and commas"))?;
                }
                _ => return Err(format!("{arg} is not known")),
            }
        }
        match options.only.iter().find(|name| CASES.iter().all(|case| case.name != **name)) {
            Some(name) => Err(format!("there is no case {name}: --list shows them")),
            None => Ok(options),
        }
    }

    fn cases(&self) -> impl Iterator<Item = &'static Case> {
        CASES.iter().filter(|case| self.only.is_empty() || self.only.iter().any(|name| *name == case.name))
    }
}

/// The one function inside which callgrind counts.
#[inline(never)]
fn measured(case: &Case, operations: u64) {
    (case.run)(operations);
    // A call in the last place would become a jump, and callgrind would not see this function left.
    black_box(operations);
}

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}\n\n{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    if options.list {
        options.cases().for_each(|case| println!("{}", case.name));
        return ExitCode::SUCCESS;
    }
    if options.bench {
        measure::heading("ns an operation, least of many rounds", "raw", "instrumented");
    }
    let mut process = Process::new(cases::start);
    for case in options.cases() {
        process.enter(case.state);
        (case.run)(WARM_UP);
        for &operations in &options.operations {
            measured(case, operations);
            println!("{}\t{}\t{operations}", case.name, case.raw);
        }
        if options.bench && case.raw != case.name {
            let each = |case: &Case| measure::time(OPERATIONS, case.run);
            let raw = case.raw_case();
            let pair = measure::in_turns(ROUNDS, measure::least, || each(raw), || each(case));
            measure::line(case.name, pair);
        }
    }
    ExitCode::SUCCESS
}
