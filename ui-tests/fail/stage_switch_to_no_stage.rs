use pfs::prelude::*;

#[derive(Stage)]
enum Step {
    Reading,
}

enum NotDerived {
    Sorting,
}

fn main() {
    let mut stage = Step::Reading.begin();
    stage.switch("kv/sorting");
    stage.switch(NotDerived::Sorting);
}
