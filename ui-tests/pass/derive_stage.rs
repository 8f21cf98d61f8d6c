//! `#[derive(Stage)]`: enums and structs as stages, begun and switched to.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::stage::StageClass;

#[path = "support/mod.rs"]
mod support;

#[derive(Clone, Copy, Debug, PartialEq, Stage)]
#[stage(component = "ui")]
enum Step {
    Reading,
    #[stage(name = "sorting lines")]
    Sorting,
    HTTPReply,
}

/// With fields, which do not matter.
#[derive(Stage)]
enum Phase<'a, T: ?Sized> {
    #[stage("ui/phase/first")]
    First(&'a T),
    #[stage(name = "later")]
    Second {
        _round: u32,
    },
    #[stage(name = "later")]
    Third,
}

#[derive(Stage)]
#[stage("ui/flushing")]
struct Flushing {
    _pages: u32,
}

#[derive(Stage)]
enum Never {}

// In a function, next to the attribute of the same name.
#[stage("ui/attribute")]
fn attribute() {
    #[derive(Stage)]
    #[stage(component = "ui")]
    enum Local {
        Inner,
    }
    drop(Local::Inner.begin());
}

static CLASS: StageClass = stage_class!("ui/class");

fn begin_any(stage: &dyn Stage) -> pfs::stage::StageGuard {
    stage.begin()
}

fn sorted(mut lines: Vec<u32>, steps: &[Step]) -> Vec<u32> {
    let mut stage = Step::Reading.begin();
    stage.switch(Step::Sorting);
    lines.sort();
    for step in steps {
        stage.switch(step);
    }
    stage.switch(CLASS);
    stage.switch(Step::HTTPReply.class());
    lines
}

type Numbered = Phase<'static, u8>;

fn never(never: &Never) {
    drop(never.begin());
}

fn main() {
    support::start();
    assert_eq!(sorted(vec![2, 1], &[Step::Reading, Step::HTTPReply]), [1, 2]);
    let mut stage = begin_any(&Phase::First("text"));
    stage.switch(Numbered::Second { _round: 1 });
    stage.switch(Numbered::Third);
    stage.switch(&Flushing { _pages: 1 });
    drop(stage);
    attribute();
    let _ = never;

    for (name, count) in [
        ("ui/reading", 2),
        ("ui/sorting lines", 1),
        ("ui/http_reply", 2),
        ("ui/class", 1),
        ("ui/phase/first", 1),
        (&format!("{}/later", module_path!()), 2),
        ("ui/flushing", 1),
        ("ui/attribute", 1),
        ("ui/inner", 1),
    ] {
        assert_eq!(support::count(&format!("stage/{name}")), count, "{name}");
    }
}
