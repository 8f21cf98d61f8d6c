//! The mix of commands that a client sends: mostly reads and small writes, now and then one that asks the server
//! about itself, and a few that are wrong.

use std::io::Write;

use crate::command::Command;

/// How often each kind of request comes, of 1000.
const WEIGHTS: [(u64, Kind); 17] = [
    (420, Kind::Get),
    (170, Kind::Set),
    (50, Kind::SetExpiring),
    (90, Kind::Incr),
    (30, Kind::Mset),
    (60, Kind::Mget),
    (60, Kind::Lpush),
    (50, Kind::Lpop),
    (30, Kind::Del),
    (13, Kind::Ping),
    (10, Kind::Echo),
    (5, Kind::Dbsize),
    (3, Kind::Info),
    (2, Kind::Config),
    (1, Kind::Command),
    (1, Kind::Pfs),
    (5, Kind::NoNumber),
];

#[derive(Clone, Copy, Debug)]
enum Kind {
    Get,
    Set,
    SetExpiring,
    Incr,
    Mset,
    Mget,
    Lpush,
    Lpop,
    Del,
    Ping,
    Echo,
    Dbsize,
    Info,
    Config,
    Command,
    Pfs,
    NoNumber,
}

impl Kind {
    /// What is wrong with requests of this kind, which are there to be answered with an error.
    fn wrong(self) -> Option<&'static str> {
        match self {
            Kind::NoNumber => Some("INCR of a text"),
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
    value: Vec<u8>,
}

impl Mix {
    pub(super) fn new(seed: u64) -> Self {
        Mix {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d,
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
                return kind;
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
            Kind::Del => words(out, Command::Del, &[b"DEL", self.user().as_bytes()]),
            Kind::Ping => words(out, Command::Ping, &[b"PING"]),
            Kind::Echo => words(out, Command::Echo, &[b"ECHO", &self.value()]),
            Kind::Dbsize => words(out, Command::Dbsize, &[b"DBSIZE"]),
            Kind::Info => words(out, Command::Info, &[b"INFO"]),
            Kind::Config => words(out, Command::Config, &[b"CONFIG", b"GET", b"save"]),
            Kind::Command => words(out, Command::Command, &[b"COMMAND", b"COUNT"]),
            Kind::Pfs => words(out, Command::Pfs, &[b"PFS", b"threads"]),
            // Most of them hold no number.
            Kind::NoNumber => words(out, Command::Incr, &[b"INCR", self.user().as_bytes()]),
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
        assert_eq!(wrong().collect::<Vec<_>>(), ["INCR of a text"]);
        let (mut mix, mut out, mut marked) = (Mix::new(0), Vec::new(), 0);
        for _ in 0..10_000 {
            out.clear();
            let request = mix.request(&mut out);
            assert_eq!(request.wrong, out.starts_with(b"*2\r\n$4\r\nINCR\r\n") && !contains(&out, b"hits:"));
            marked += u64::from(request.wrong);
        }
        assert!((20..=90).contains(&marked), "{marked} of 10,000 where 5 of 1000 are to be");
    }

    fn contains(text: &[u8], part: &[u8]) -> bool {
        text.windows(part.len()).any(|window| window == part)
    }
}
