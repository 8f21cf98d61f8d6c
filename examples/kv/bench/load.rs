//! What the clients saw answered.

use std::time::Duration;

use super::histogram::Histogram;
use super::mix::Request;
use crate::command::SPECS;

#[derive(Debug)]
pub(super) struct Load {
    /// In the order of `SPECS`.
    by_command: [u64; SPECS.len()],
    /// Answers that were errors.
    pub(super) errors: u64,
    /// Those among them that answered requests with nothing wrong about them.
    pub(super) unmeant: u64,
    pub(super) latency: Histogram,
}

impl Default for Load {
    fn default() -> Self {
        Load { by_command: [0; SPECS.len()], errors: 0, unmeant: 0, latency: Histogram::default() }
    }
}

impl Load {
    /// One answer, and the time from sending (of the whole pipeline) to having it.
    pub(super) fn count(&mut self, request: Request, refused: bool, latency: Duration) {
        if let Some(place) = SPECS.iter().position(|spec| spec.command == request.command) {
            self.by_command[place] += 1;
        }
        self.errors += u64::from(refused);
        self.unmeant += u64::from(refused && !request.wrong);
        self.latency.record(latency);
    }

    pub(super) fn add(&mut self, other: &Load) {
        for (sum, count) in self.by_command.iter_mut().zip(other.by_command) {
            *sum += count;
        }
        self.errors += other.errors;
        self.unmeant += other.unmeant;
        self.latency.add(&other.latency);
    }

    pub(super) fn requests(&self) -> u64 {
        self.by_command.iter().sum()
    }

    /// The commands that were answered, by name.
    pub(super) fn by_command(&self) -> impl Iterator<Item = (&'static str, u64)> {
        SPECS
            .iter()
            .zip(self.by_command)
            .map(|(spec, count)| (spec.name, count))
            .filter(|&(_, count)| count > 0)
    }
}
