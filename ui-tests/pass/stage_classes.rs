//! `stage_class!`: a part of a function as a stage, and stages that follow each other.

#![deny(warnings)]

use pfs::prelude::*;
use pfs::stage::StageClass;

#[path = "support/mod.rs"]
mod support;

static READING: StageClass = stage_class!("ui/reading");
const SORTING: StageClass = pfs::stage_class!("ui/sorting",);

fn sorted<T: Ord>(mut lines: Vec<T>) -> Vec<T> {
    let mut stage = READING.begin();
    stage.switch(SORTING);
    lines.sort();
    stage.switch(stage_class!("ui/generic"));
    {
        let _inner = READING.begin();
    }
    lines
}

fn main() {
    support::start();
    assert_eq!(sorted(vec![2, 1]), [1, 2]);
    assert_eq!(sorted(vec!["b", "a"]), ["a", "b"]);
    assert_eq!(support::count("stage/ui/reading"), 4);
    assert_eq!(support::count("stage/ui/sorting"), 2);
    assert_eq!(support::count("stage/ui/generic"), 2);
}
