//! Startup rules of instruments: `pattern=VALUE`, which of them decides, and what a value means for a kind.

use super::setting::switch;
use super::{ConfigError, Origin};
use crate::class::{Instrument, Instruments, Kind, Settings, Timed};
use crate::name::pattern::{PatternError, Startup};

/// A rule as it is configured.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) pattern: String,
    pub(super) value: String,
    /// Where it stands, for errors.
    pub(super) from: Origin,
}

/// Whatever way it was given.
impl PartialEq for Given {
    fn eq(&self, other: &Self) -> bool {
        self.pattern == other.pattern && self.value == other.value
    }
}

impl Given {
    /// A rule that is written `pattern=VALUE`.
    pub(super) fn parse(written: &str) -> Result<Self, ConfigError> {
        // The last: a value has none, and what has one in its pattern is told so.
        let Some((pattern, value)) = written.rsplit_once('=') else {
            return Err(ConfigError::InstrumentRule { from: Origin::Code, rule: written.to_owned() });
        };
        let given = Self::new(pattern, value);
        given.rule().map(|_| given)
    }

    /// A rule whose pattern and value are not looked at yet.
    pub(super) fn new(pattern: &str, value: &str) -> Self {
        Self { pattern: pattern.trim().to_owned(), value: value.trim().to_owned(), from: Origin::Code }
    }

    /// The rule.
    pub(super) fn rule(&self) -> Result<InstrumentRule, ConfigError> {
        let Self { pattern, value, from } = self;
        let wrong = |source| ConfigError::Pattern { from: from.clone(), pattern: pattern.clone(), source };
        let parsed = Startup::parse(pattern).map_err(wrong)?;
        if let Some(character) = parsed.in_no_name() {
            return Err(wrong(PatternError::Character(character)));
        }
        let value = RuleValue::parse(value).ok_or_else(|| ConfigError::InstrumentValue {
            from: from.clone(),
            pattern: pattern.clone(),
            value: value.clone(),
        })?;
        Ok(InstrumentRule { pattern: parsed, value, from: from.clone() })
    }
}

/// A startup setting of the instruments that a pattern matches.
#[derive(Clone, Debug)]
pub(crate) struct InstrumentRule {
    pattern: Startup,
    value: RuleValue,
    from: Origin,
}

laid_out!(InstrumentRule { pattern, value, from });

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RuleValue {
    Off,
    Counted,
    Contended,
    On,
}

laid_out!(enum RuleValue);

impl RuleValue {
    fn parse(value: &str) -> Option<Self> {
        match switch(value) {
            Some(true) => Some(Self::On),
            Some(false) => Some(Self::Off),
            None if value.eq_ignore_ascii_case("counted") => Some(Self::Counted),
            None if value.eq_ignore_ascii_case("contended") => Some(Self::Contended),
            None => None,
        }
    }

    /// What the rule makes of an instrument of this kind. `CONTENDED` means timed for what a wide pattern matches
    /// beside mutexes and rwlocks; where it matches none of those, it is refused.
    fn settings(self, kind: Kind) -> Settings {
        let timed = match self {
            Self::Off | Self::Counted => Timed::No,
            Self::Contended if kind.can_be_contended() => Timed::Contended,
            Self::Contended | Self::On => Timed::Yes,
        };
        Settings { enabled: self != Self::Off, timed: if kind.can_be_timed() { timed } else { Timed::No } }
    }
}

impl InstrumentRule {
    /// What the rules make of an instrument: the longest pattern that matches its name decides, of equally long ones
    /// the last. `None` if none matches.
    pub(crate) fn decide(rules: &[Self], instrument: &Instrument) -> Option<Settings> {
        let matching = rules.iter().filter(|rule| rule.pattern.matches(instrument.name()));
        let decides = matching.max_by_key(|rule| rule.pattern.len());
        decides.map(|rule| rule.value.settings(instrument.kind()))
    }

    /// Checks that the rule picks something of this program, and something that its value has a meaning for. Where
    /// plugins may bring more, it may be meant for what they bring.
    pub(super) fn picks(&self, instruments: &Instruments, more_may_come: bool) -> Result<(), ConfigError> {
        let Self { pattern, value, from } = self;
        let matches = |instrument: &&Instrument| pattern.matches(instrument.name());
        let mut picked = instruments.all().filter(matches).peekable();
        if picked.peek().is_none() {
            if more_may_come {
                return Ok(());
            }
            let whole = Startup::parse(&format!("%/{pattern}"));
            let meant = whole
                .ok()
                .and_then(|whole| instruments.all().map(Instrument::name).find(|name| whole.matches(name)));
            return Err(ConfigError::PatternMatchesNothing {
                from: from.clone(),
                pattern: pattern.to_string(),
                meant,
            });
        }
        if *value == RuleValue::Contended && !picked.any(|instrument| instrument.kind().can_be_contended()) {
            return Err(ConfigError::NotContended { from: from.clone(), pattern: pattern.to_string() });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Class;

    fn instrument(kind: Kind, name: &'static str) -> Instruments {
        let class: &'static Class = Box::leak(Box::new(Class::new(kind, name, "src/x.rs", 1)));
        Instruments::of([class])
    }

    /// What rules make of the mutex `wait/synch/mutex/kv/LOCK_index`.
    fn decided(rules: &[(&str, &str)]) -> Option<(bool, Timed)> {
        let rules: Vec<_> =
            rules.iter().map(|(pattern, value)| Given::new(pattern, value).rule().unwrap()).collect();
        let instruments = instrument(Kind::Mutex, "wait/synch/mutex/kv/LOCK_index");
        InstrumentRule::decide(&rules, instruments.all().next().unwrap()).map(|s| (s.enabled, s.timed))
    }

    const OFF: Option<(bool, Timed)> = Some((false, Timed::No));
    const COUNTED: Option<(bool, Timed)> = Some((true, Timed::No));
    const CONTENDED: Option<(bool, Timed)> = Some((true, Timed::Contended));
    const ON: Option<(bool, Timed)> = Some((true, Timed::Yes));

    #[test]
    fn the_words_of_the_reference_in_any_case_and_contended() {
        for (words, expected) in [
            (["ON", "true", "Yes", "1"].as_slice(), ON),
            (&["OFF", "FALSE", "no", "0"], OFF),
            (&["counted", "COUNTED", "Counted"], COUNTED),
            (&["contended", "CONTENDED"], CONTENDED),
        ] {
            for word in words {
                assert_eq!(decided(&[("%", word)]), expected, "{word}");
            }
        }
        for word in ["", "2", "T", "enabled", "count", "ON OFF"] {
            assert!(Given::new("%", word).rule().is_err(), "{word}");
        }
    }

    #[test]
    fn the_longest_pattern_decides_wherever_it_stands() {
        let rules = [("wait/synch/mutex/%", "OFF"), ("wait/synch/%", "ON"), ("%", "COUNTED")];
        assert_eq!(decided(&rules), OFF);
        let mut reversed = rules;
        reversed.reverse();
        assert_eq!(decided(&reversed), OFF);
        // A name in full is no more than a long pattern.
        assert_eq!(
            decided(&[("wait/synch/mutex/kv/LOCK_index", "ON"), ("wait/synch/mutex/kv/LOCK_inde?", "OFF")]),
            OFF
        );
        // The length is that of what is written: wildcards count, also where they match nothing, and so do escapes.
        assert_eq!(decided(&[("wait/%%%%%%%%%%%%%", "ON"), ("wait/synch/mutex/%", "OFF")]), OFF);
        assert_eq!(decided(&[("wait/%%%%%%%%%%%%%%", "ON"), ("wait/synch/mutex/%", "OFF")]), ON);
        assert_eq!(decided(&[(r"wait/synch\/mutex/%", "ON"), ("wait/synch/mutex/%", "OFF")]), ON);
        // One that is longer and does not match has no say.
        assert_eq!(decided(&[("wait/synch/rwlock/%", "ON"), ("wait/%", "OFF")]), OFF);
        assert_eq!(decided(&[("WAIT/%", "ON")]), None);
        assert_eq!(decided(&[]), None);
    }

    #[test]
    fn of_equally_long_patterns_the_last_decides() {
        assert_eq!(decided(&[("%index", "ON"), ("wait/%", "OFF")]), OFF);
        assert_eq!(decided(&[("wait/%", "OFF"), ("%index", "ON")]), ON);
        assert_eq!(decided(&[("%", "OFF"), ("%", "ON"), ("%", "COUNTED")]), COUNTED);
    }

    #[test]
    fn what_a_value_has_no_meaning_for_takes_what_is_nearest() {
        for (kind, name, on, contended) in [
            (Kind::RwLock, "wait/synch/rwlock/kv/map", Timed::Yes, Timed::Contended),
            (Kind::Cond, "wait/synch/cond/kv/flushed", Timed::Yes, Timed::Yes),
            (Kind::Statement, "statement/kv/get", Timed::Yes, Timed::Yes),
            (Kind::Thread, "thread/kv/flusher", Timed::No, Timed::No),
            (Kind::Memory, "memory/kv/cache", Timed::No, Timed::No),
        ] {
            let instruments = instrument(kind, name);
            let decide = |value| {
                let rule = Given::new("%", value).rule().unwrap();
                InstrumentRule::decide(&[rule], instruments.all().next().unwrap()).unwrap()
            };
            assert_eq!(decide("ON"), Settings { enabled: true, timed: on }, "{name}");
            assert_eq!(decide("CONTENDED"), Settings { enabled: true, timed: contended }, "{name}");
            assert_eq!(decide("OFF"), Settings { enabled: false, timed: Timed::No }, "{name}");
        }
    }

    #[test]
    fn a_rule_is_split_at_its_last_equals_sign() {
        for (written, pattern, value) in [(" wait/% = ON ", "wait/%", "ON"), ("a b=off", "a b", "off")] {
            assert_eq!(Given::parse(written), Ok(Given::new(pattern, value)), "{written}");
        }
        for written in ["wait/%", "=", "=ON", "wait/%=", "wait/%=ON=", "", "a=b=off"] {
            assert!(Given::parse(written).is_err(), "{written}");
        }
    }
}
