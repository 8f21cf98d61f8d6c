//! The line that moves while the load runs: on stderr, and only where that is a screen.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::layout::{rate, thousands};
use super::stderr_is_screen;

const BAR: usize = 30;

/// How often the line is drawn.
const EVERY: Duration = Duration::from_millis(200);

/// The line while clients connect.
pub(super) struct Connecting {
    screen: bool,
    last: Instant,
}

impl Connecting {
    pub(super) fn begin() -> Self {
        Connecting { screen: stderr_is_screen(), last: Instant::now() }
    }

    /// `done` clients of `all` are connected.
    pub(super) fn show(&mut self, done: u32, all: u32) {
        if self.screen && self.last.elapsed() >= EVERY {
            self.last = Instant::now();
            let (done, all) = (thousands(done.into()), thousands(all.into()));
            let _ = write!(std::io::stderr(), "\rconnecting: {done} of {all} clients\x1b[K");
        }
    }
}

impl Drop for Connecting {
    fn drop(&mut self) {
        clear(self.screen);
    }
}

/// What comes next begins on a clean line.
fn clear(screen: bool) {
    if screen {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

/// Returns once `finished`.
pub(super) fn watch(began: Instant, length: Duration, answered: &AtomicU64, finished: impl Fn() -> bool) {
    let screen = stderr_is_screen();
    let mut last = (began, 0);
    while !finished() {
        thread::sleep(Duration::from_millis(20));
        let now = Instant::now();
        if screen && now - last.0 >= EVERY {
            let total = answered.load(Ordering::Relaxed);
            draw(now - began, length, total, &rate(total - last.1, now - last.0));
            last = (now, total);
        }
    }
    clear(screen);
}

fn draw(elapsed: Duration, length: Duration, total: u64, rate: &str) {
    let full = elapsed.as_millis() * BAR as u128 / length.as_millis();
    let full = usize::try_from(full).unwrap_or(BAR).min(BAR);
    let line = format!(
        "{}{} {:4.1} s of {}  {} requests  {}",
        "█".repeat(full),
        "░".repeat(BAR - full),
        elapsed.as_secs_f64(),
        length.as_secs(),
        thousands(total),
        rate,
    );
    // A progress line that cannot be shown is not missed.
    let _ = write!(std::io::stderr(), "\r{line}\x1b[K");
}
