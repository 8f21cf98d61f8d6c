//! The mix of commands that a client sends: mostly reads and small writes, now and then one that asks the server
//! about itself, and a few that are wrong.

use std::io::Write;

use crate::command::Command;

/// How often each kind of request comes, of 10,000.
const WEIGHTS: [(u64, Kind); 24] = [
    (3800, Kind::Get),
    (1600, Kind::Set),
    (500, Kind::SetExpiring),
    (900, Kind::Incr),
    (300, Kind::Mset),
    (600, Kind::Mget),
    (400, Kind::Lpush),
    (350, Kind::Lpop),
    (300, Kind::Rpush),
    (250, Kind::Rpop),
    (150, Kind::Lrange),
    (200, Kind::Exists),
    (300, Kind::Del),
    (100, Kind::Select),
    (50, Kind::Ping),
    (49, Kind::Echo),
    (30, Kind::Dbsize),
    (20, Kind::Info),
    (10, Kind::Config),
    (10, Kind::Command),
    (10, Kind::Pfs),
    (1, Kind::Flushall),
    (20, Kind::NoNumber),
    (50, Kind::NoDatabase),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Get,
    Set,
    SetExpiring,
    Incr,
    Mset,
    Mget,
    Lpush,
    Lpop,
    Rpush,
    Rpop,
    Lrange,
    Exists,
    Del,
    Select,
    Ping,
    Echo,
    Dbsize,
    Info,
    Config,
    Command,
    Pfs,
    Flushall,
    NoNumber,
    NoDatabase,
}

impl Kind {
    /// What is wrong with requests of this kind, which are there to be answered with an error.
    fn wrong(self) -> Option<&'static str> {
        match self {
            Kind::NoNumber => Some("INCR of a text"),
            Kind::NoDatabase => Some("SELECT of no database"),
            _ => None,
        }
    }
}

/// What is wrong with the wrong requests of the mix.
pub(super) fn wrong() -> impl Iterator<Item = &'static str> {
    WEIGHTS.into_iter().filter(|&(weight, _)| weight > 0).filter_map(|(_, kind)| kind.wrong())
}

/// What a client remembers of a request until its reply comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) command: Command,
    /// It may well be answered with an error.
    pub(super) wrong: bool,
}

/// The requests of one client, the same for the same seed.
pub(super) struct Mix {
    state: u64,
    /// Whether it may have FLUSHALL in it.
    flushes: bool,
    value: Vec<u8>,
}

impl Mix {
    /// Without `flushes` it leaves alone whatever other keys the server has.
    pub(super) fn new(seed: u64, flushes: bool) -> Self {
        Mix {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d,
            flushes,
            value: vec![b'x'; 256],
        }
    }

    /// A number below `bound`. xorshift64*, of which the upper bits are the good ones.
    fn below(&mut self, bound: u64) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        (self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound
    }

    fn user(&mut self) -> String {
        // The smaller of two: some keys are asked for more than others.
        format!("user:{}", self.below(5000).min(self.below(5000)))
    }

    fn value(&mut self) -> Vec<u8> {
        let length = 16 + self.below(240);
        self.value[..usize::try_from(length).unwrap_or(16)].to_vec()
    }

    fn kind(&mut self) -> Kind {
        let mut number = self.below(WEIGHTS.iter().map(|(weight, _)| weight).sum());
        for (weight, kind) in WEIGHTS {
            if number < weight {
                return if kind == Kind::Flushall && !self.flushes { Kind::Dbsize } else { kind };
            }
            number -= weight;
        }
        Kind::Get
    }

    /// Appends one request to `out` and says what it is.
    pub(super) fn request(&mut self, out: &mut Vec<u8>) -> Request {
        let kind = self.kind();
        Request { command: self.write(kind, out), wrong: kind.wrong().is_some() }
    }

    fn write(&mut self, kind: Kind, out: &mut Vec<u8>) -> Command {
        match kind {
            Kind::Get => words(out, Command::Get, &[b"GET", self.user().as_bytes()]),
            Kind::Set => words(out, Command::Set, &[b"SET", self.user().as_bytes(), &self.value()]),
            Kind::SetExpiring => {
                let (key, seconds) =
                    (format!("session:{}", self.below(2000)), (1 + self.below(3)).to_string());
                words(out, Command::Set, &[b"SET", key.as_bytes(), &self.value(), b"EX", seconds.as_bytes()])
            }
            Kind::Incr => {
                words(out, Command::Incr, &[b"INCR", format!("hits:{}", self.below(100)).as_bytes()])
            }
            Kind::Mset => {
                let (keys, value) = ([(); 4].map(|()| self.user()), self.value());
                let pairs = keys.iter().flat_map(|key| [key.as_bytes(), &value]);
                words(out, Command::Mset, &[&b"MSET"[..]].into_iter().chain(pairs).collect::<Vec<_>>())
            }
            Kind::Mget => {
                let keys = [(); 8].map(|()| self.user());
                let keys = keys.iter().map(String::as_bytes);
                words(out, Command::Mget, &[&b"MGET"[..]].into_iter().chain(keys).collect::<Vec<_>>())
            }
            Kind::Lpush => words(out, Command::Lpush, &[b"LPUSH", self.queue().as_bytes(), &self.value()]),
            Kind::Lpop => words(out, Command::Lpop, &[b"LPOP", self.queue().as_bytes(), b"2"]),
            Kind::Rpush => {
                let values = [self.value(), self.value()];
                let queue = self.queue();
                words(out, Command::Rpush, &[b"RPUSH", queue.as_bytes(), &values[0], &values[1]])
            }
            Kind::Rpop => words(out, Command::Rpop, &[b"RPOP", self.queue().as_bytes()]),
            Kind::Lrange => words(out, Command::Lrange, &[b"LRANGE", self.queue().as_bytes(), b"0", b"9"]),
            Kind::Exists => {
                let keys = [self.user(), self.user()];
                words(out, Command::Exists, &[b"EXISTS", keys[0].as_bytes(), keys[1].as_bytes()])
            }
            Kind::Del => words(out, Command::Del, &[b"DEL", self.user().as_bytes()]),
            Kind::Select => {
                // The first is where most of them are.
                let database = self.below(4).min(self.below(4)).to_string();
                words(out, Command::Select, &[b"SELECT", database.as_bytes()])
            }
            Kind::Ping => words(out, Command::Ping, &[b"PING"]),
            Kind::Echo => words(out, Command::Echo, &[b"ECHO", &self.value()]),
            Kind::Dbsize => words(out, Command::Dbsize, &[b"DBSIZE"]),
            Kind::Info => words(out, Command::Info, &[b"INFO"]),
            Kind::Config => words(out, Command::Config, &[b"CONFIG", b"GET", b"save"]),
            Kind::Command => words(out, Command::Command, &[b"COMMAND", b"COUNT"]),
            Kind::Pfs => words(out, Command::Pfs, &[b"PFS", b"threads"]),
            Kind::Flushall => words(out, Command::Flushall, &[b"FLUSHALL"]),
            // Most of them hold no number.
            Kind::NoNumber => words(out, Command::Incr, &[b"INCR", self.user().as_bytes()]),
            Kind::NoDatabase => words(out, Command::Select, &[b"SELECT", b"16"]),
        }
    }

    fn queue(&mut self) -> String {
        format!("queue:{}", self.below(20))
    }
}

fn words(out: &mut Vec<u8>, command: Command, words: &[&[u8]]) -> Command {
    // Writing into a vector cannot fail.
    let _ = write!(out, "*{}\r\n", words.len());
    for word in words {
        let _ = write!(out, "${}\r\n", word.len());
        out.extend_from_slice(word);
        out.extend_from_slice(b"\r\n");
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrong_requests_are_marked_and_named() {
        assert_eq!(wrong().collect::<Vec<_>>(), ["INCR of a text", "SELECT of no database"]);
        let (mut mix, mut out, mut marked) = (Mix::new(0, true), Vec::new(), [0, 0]);
        for _ in 0..10_000 {
            out.clear();
            let request = mix.request(&mut out);
            let wrong = [
                out.starts_with(b"*2\r\n$4\r\nINCR\r\n") && !contains(&out, b"hits:"),
                out == b"*2\r\n$6\r\nSELECT\r\n$2\r\n16\r\n",
            ];
            assert_eq!(request.wrong, wrong[0] || wrong[1]);
            marked = [marked[0] + u64::from(wrong[0]), marked[1] + u64::from(wrong[1])];
        }
        assert!((5..=50).contains(&marked[0]), "{} of 10,000 where 20 are to be", marked[0]);
        assert!((20..=90).contains(&marked[1]), "{} of 10,000 where 50 are to be", marked[1]);
    }

    #[test]
    fn every_kind_comes_but_flushes_only_where_they_may() {
        assert_eq!(WEIGHTS.iter().map(|(weight, _)| weight).sum::<u64>(), 10_000);
        let missing = |flushes| {
            let mut mix = Mix::new(7, flushes);
            let mut seen: Vec<Kind> = Vec::new();
            for _ in 0..100_000 {
                let kind = mix.kind();
                if !seen.contains(&kind) {
                    seen.push(kind);
                }
            }
            WEIGHTS.map(|(_, kind)| kind).into_iter().filter(|kind| !seen.contains(kind)).collect::<Vec<_>>()
        };
        assert_eq!(missing(true), []);
        assert_eq!(missing(false), [Kind::Flushall]);
    }

    fn contains(text: &[u8], part: &[u8]) -> bool {
        text.windows(part.len()).any(|window| window == part)
    }
}
