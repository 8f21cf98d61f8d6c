//! What does a context cost: a thread that is registered and ends, a session that begins and ends?
//!
//! What ends is folded into the totals, so the figure may grow with the classes that the context used, and must not
//! with those that exist.

mod measure;
mod state;

use pfs::__private::{Class, class};
use pfs::Config;
use pfs::session::Session;
use pfs::stage::StageClass;
use state::{NOT_STARTED, Process, State, TIMED};
use std::hint::black_box;

const ROUNDS: usize = 101;

/// Stages, to have classes that a context uses or does not.
macro_rules! stages {
    ($($ident:ident = $name:literal,)+) => {
        class! { $(static $ident: Stage = $name;)+ }
        static STAGES: &[&Class] = &[$(&$ident),+];
    };
}

stages! {
    STAGE_0 = "stage/bench/0", STAGE_1 = "stage/bench/1", STAGE_2 = "stage/bench/2", STAGE_3 = "stage/bench/3",
    STAGE_4 = "stage/bench/4", STAGE_5 = "stage/bench/5", STAGE_6 = "stage/bench/6", STAGE_7 = "stage/bench/7",
    STAGE_8 = "stage/bench/8", STAGE_9 = "stage/bench/9", STAGE_10 = "stage/bench/10", STAGE_11 = "stage/bench/11",
    STAGE_12 = "stage/bench/12", STAGE_13 = "stage/bench/13", STAGE_14 = "stage/bench/14", STAGE_15 = "stage/bench/15",
}

fn use_stages(used: usize) {
    for class in &STAGES[..used] {
        drop(black_box(StageClass::new(class).begin()));
    }
}

/// Sessions begin, use so many classes, and end; less the use itself.
fn sessions(used: usize) -> [f64; 2] {
    let operations = 1000;
    let mut session = Session::new();
    let _attached = session.attach();
    let raw = || {
        measure::time(operations, |operations| {
            (0..operations).for_each(|_| use_stages(black_box(used)));
        })
    };
    let instrumented = || {
        measure::time(operations, |operations| {
            for _ in 0..operations {
                let mut session = Session::new();
                let _attached = session.attach();
                use_stages(black_box(used));
            }
        })
    };
    measure::in_turns(ROUNDS, measure::least, raw, instrumented)
}

/// Threads are spawned, use so many classes, and are joined.
fn threads(used: usize) -> [f64; 2] {
    let operations = 50;
    let raw = || {
        measure::time(operations, |operations| {
            for _ in 0..operations {
                std::thread::spawn(|| black_box(())).join().expect("it does nothing");
            }
        })
    };
    let instrumented = || {
        measure::time(operations, |operations| {
            for _ in 0..operations {
                let thread = pfs::thread_class!("bench/thread").spawn(move || use_stages(black_box(used)));
                thread.join().expect("it does nothing");
            }
        })
    };
    measure::in_turns(ROUNDS, measure::least, raw, instrumented)
}

fn main() {
    measure::heading("ns a context, begun and ended, least", "without", "with");
    let mut process = Process::new(|| state::start(&Config::new()));
    let states: [(&str, State); 2] = [("not started", NOT_STARTED), ("started", TIMED)];
    for (name, state) in states {
        process.enter(state);
        for used in [0, 1, STAGES.len()] {
            measure::line(&format!("session, {name}, {used} classes used"), sessions(used));
        }
        for used in [0, STAGES.len()] {
            measure::line(&format!("thread spawned and joined, {name}, {used} used"), threads(used));
        }
    }
}
