//! `pfs::crossbeam::channel`: named channels, and `select!` in every form that crossbeam's takes.

#![deny(warnings)]

use pfs::crossbeam::channel::{self, Receiver, Sender, bounded, never, select, select_biased, unbounded};
use std::time::Duration;

#[path = "support/mod.rs"]
mod support;

struct Worker<T> {
    jobs: Receiver<T>,
    done: Sender<usize>,
    stop: Receiver<()>,
}

impl<T> Worker<T> {
    /// Ends by `return`, by `?` and by the value of a block.
    fn run(&self, mut weigh: impl FnMut(T) -> usize) -> Result<usize, channel::RecvError> {
        let mut total = 0;
        loop {
            select! {
                recv(self.jobs) -> job => {
                    let weight = weigh(job?);
                    total += weight;
                }
                recv(self.stop) -> _ => return Ok(total),
                send(self.done, total) -> sent => if sent.is_err() { break Ok(0) } else { continue },
            }
        }
    }
}

fn forms(numbers: &Receiver<u32>, texts: &(Sender<String>, Receiver<String>)) -> u32 {
    let mut seen = 0;
    // One case, by parentheses and brackets, with and without commas, nested.
    seen += select!(recv(numbers) -> number => number.unwrap());
    seen += select![recv(numbers) -> number => number.unwrap(),];
    select! { recv(numbers) -> number => { seen += number.unwrap() } }
    select! {
        send(texts.0, String::from("text"),) -> sent => {
            sent.unwrap();
            select! {
                recv(texts.1,) -> text => seen += u32::try_from(text.unwrap().len()).unwrap(),
                default => unreachable!(),
            }
        }
        recv(never::<u8>()) -> _ => unreachable!(),
    }
    // Patterns, and receivers that are expressions.
    let optional = Some(&texts.1);
    select! {
        recv(optional.unwrap_or(&never())) -> _text => unreachable!(),
        recv({ never::<u8>() }) -> (Ok(_) | Err(_)) => unreachable!(),
        default() => seen += 100,
    }
    select! {
        recv(numbers) -> mut number => {
            number = number.map(|number| number + 1);
            seen += number.unwrap();
        },
        default(Duration::from_secs(600)) => unreachable!(),
    }
    seen
}

const fn in_constants() -> Receiver<u8> {
    never()
}

fn main() {
    support::start();
    static NOTHING: Receiver<u8> = in_constants();
    let (sender, numbers) = unbounded!("ui/numbers");
    (1..=4).for_each(|number| sender.send(number).unwrap());
    assert_eq!(forms(&numbers, &bounded!(name = "ui/texts", 1,)), 1 + 2 + 3 + 4 + 100 + 5);

    let (jobs, inbox) = pfs::crossbeam::channel::bounded!("ui/Worker::jobs", 2);
    let (stop, stopped) = channel::bounded(1);
    let (done, finished) = bounded!("ui/Worker::done", 0);
    let worker = Worker { jobs: inbox, done, stop: stopped };
    let worker = pfs::thread::spawn(move || worker.run(str::len));
    jobs.send("seven").unwrap();
    while finished.recv() != Ok(5) {}
    stop.send(()).unwrap();
    assert_eq!(worker.join().unwrap(), Ok(5));

    let first = select_biased! {
        recv(NOTHING) -> byte => byte.unwrap(),
        default(Duration::from_millis(1)) => 9,
    };
    assert_eq!(first, 9);
    // Inside a closure that moves, and in one that is a constant's.
    let (one, other) = (unbounded::<String>(), unbounded::<String>());
    let moved = move || {
        one.0.send("one".to_owned()).unwrap();
        select! { recv(one.1) -> text => text, recv(other.1) -> text => text }
    };
    assert_eq!(moved().as_deref(), Ok("one"));

    assert!(support::is_declared("wait/synch/cond/ui/Worker::jobs"));
    // By one operation or several, each selection that may block is one.
    assert_eq!(support::waits("wait/synch/cond/ui/numbers"), 0);
    assert!(support::waits("wait/synch/cond/crossbeam/select") >= 9);
    assert!(support::waits("wait/synch/cond/ui/Worker::done") >= 1);
}
