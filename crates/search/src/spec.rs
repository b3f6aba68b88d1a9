//! How agents are written: `random`, `mcts:time=1s`, `mcts:nodes=1000,playout=200`, `alphabeta:depth=6,sees-all`, `alphabeta:max-n`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use dagaz_ir::Rules;

use crate::agent::{Agent, Budget};
use crate::alphabeta::{AlphaBeta, Others};
use crate::mcts::{Mcts, Unseen};
use crate::uniform::Uniform;

/// An agent and its limits, as a person writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentSpec {
    /// How it thinks.
    pub method: Method,
    /// How much it may look at.
    pub budget: Budget,
    /// How long it may think about a move: the asker's clock enforces it.
    pub time: Option<Duration>,
    /// Whether it may look at what its player does not see.
    pub sees_all: bool,
}

/// How an agent thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Not at all.
    Random,
    /// Monte Carlo tree search; playouts of more steps than the number, if any, are draws.
    Mcts(Option<u32>),
    /// Alpha-beta, and how others play in games of three and more.
    AlphaBeta(Others),
}

/// Why a text names no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No such agent.
    #[error("there is no agent `{name}`; there are `random`, `mcts` and `alphabeta`")]
    UnknownAgent {
        /// What was written.
        name: String,
    },
    /// No such setting.
    #[error("the agent `{agent}` has no setting `{key}`; {known}")]
    UnknownSetting {
        /// The agent.
        agent: &'static str,
        /// What was written.
        key: String,
        /// What it has instead.
        known: &'static str,
    },
    /// A setting without a value.
    #[error("the setting `{key}` needs a value, such as `{example}`")]
    NoValue {
        /// The setting.
        key: String,
        /// How it is written.
        example: &'static str,
    },
    /// A value for a setting that has none.
    #[error("the setting `{key}` has no value")]
    HasNoValue {
        /// The setting.
        key: String,
    },
    /// A value that cannot be read.
    #[error("`{value}` is no value for `{key}`, which is {allowed}, such as `{example}`")]
    BadValue {
        /// The setting.
        key: String,
        /// What was written.
        value: String,
        /// What may be written.
        allowed: &'static str,
        /// How it is written.
        example: &'static str,
    },
    /// One setting given twice.
    #[error("the setting `{key}` is given twice")]
    Twice {
        /// The setting.
        key: String,
    },
}

/// The agent would look at what players do not see, and nobody has said that it may.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "players of {game} do not see everything, but the agent would; `random` and `mcts` do not look, and `{allowed}` says that it may"
)]
pub struct Peeks {
    /// The game.
    pub game: String,
    /// How it would be said.
    pub allowed: AgentSpec,
}

impl AgentSpec {
    /// The agent itself, for a game with these rules. `random` chooses among the moves that it is offered, and needs to see
    /// no more; `mcts` draws states that look the same, unless it may see all.
    pub fn build(&self, rules: &Rules) -> Result<Box<dyn Agent>, Peeks> {
        let mcts = |limit: Option<u32>| {
            limit.map_or_else(Mcts::default, |limit| Mcts { playout_limit: limit, ..Mcts::default() })
        };
        if !rules.concealments.is_empty() && !self.sees_all {
            match self.method {
                Method::Random => {}
                Method::Mcts(limit) => return Ok(Box::new(Unseen(mcts(limit)))),
                Method::AlphaBeta(_) => {
                    let (game, allowed) = (rules.name.clone(), Self { sees_all: true, ..*self });
                    return Err(Peeks { game, allowed });
                }
            }
        }
        Ok(match self.method {
            Method::Random => Box::new(Uniform),
            Method::Mcts(limit) => Box::new(mcts(limit)),
            Method::AlphaBeta(others) => Box::new(AlphaBeta::with_others(others)),
        })
    }

    /// Whether its moves depend on how fast the machine is.
    pub fn depends_on_time(&self) -> bool {
        self.time.is_some()
    }

    fn set(&mut self, agent: &'static str, key: &str, value: Option<&str>) -> Result<(), SpecError> {
        let (known, example) = match (self.method, key) {
            (Method::Random, _) => return Err(unknown(agent, key, "it has none")),
            (_, "sees-all") => return self.see_all(key, value),
            (Method::AlphaBeta(_), "max-n") => return self.play_for_himself(key, value),
            (_, "time") => ("", "time=1s"),
            (_, "nodes") => ("", "nodes=1000"),
            (Method::Mcts(_), "playout") => ("", "playout=200"),
            (Method::Mcts(_), _) => ("it has `time`, `nodes`, `playout` and `sees-all`", ""),
            (Method::AlphaBeta(_), "depth") => ("", "depth=6"),
            (Method::AlphaBeta(_), _) => ("it has `time`, `nodes`, `depth`, `max-n` and `sees-all`", ""),
        };
        if !known.is_empty() {
            return Err(unknown(agent, key, known));
        }
        let Some(value) = value else { return Err(SpecError::NoValue { key: key.to_owned(), example }) };
        let allowed = match key {
            "time" => "a number above 0 with `ms`, `s` or `m`",
            "nodes" => "a whole number from 1",
            _ => "a whole number from 1 to 4294967295",
        };
        let bad = || SpecError::BadValue { key: key.to_owned(), value: value.to_owned(), allowed, example };
        let number = || value.parse::<u64>().ok().filter(|&number| number > 0).ok_or_else(bad);
        let small = || number().and_then(|number| u32::try_from(number).map_err(|_| bad()));
        let is_new = match key {
            "time" => self.time.replace(duration(value).ok_or_else(bad)?).is_none(),
            "nodes" => self.budget.nodes.replace(number()?).is_none(),
            "depth" => self.budget.depth.replace(small()?).is_none(),
            _ => std::mem::replace(&mut self.method, Method::Mcts(Some(small()?))) == Method::Mcts(None),
        };
        if is_new { Ok(()) } else { Err(SpecError::Twice { key: key.to_owned() }) }
    }
}

impl AgentSpec {
    fn see_all(&mut self, key: &str, value: Option<&str>) -> Result<(), SpecError> {
        match (value, std::mem::replace(&mut self.sees_all, true)) {
            (Some(_), _) => Err(SpecError::HasNoValue { key: key.to_owned() }),
            (None, true) => Err(SpecError::Twice { key: key.to_owned() }),
            (None, false) => Ok(()),
        }
    }
}

impl AgentSpec {
    fn play_for_himself(&mut self, key: &str, value: Option<&str>) -> Result<(), SpecError> {
        let known = std::mem::replace(&mut self.method, Method::AlphaBeta(Others::MaxN));
        match value {
            Some(_) => Err(SpecError::HasNoValue { key: key.to_owned() }),
            None if known == self.method => Err(SpecError::Twice { key: key.to_owned() }),
            None => Ok(()),
        }
    }
}

impl FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let (agent, method) = match name.trim() {
            "random" => ("random", Method::Random),
            "mcts" => ("mcts", Method::Mcts(None)),
            "alphabeta" => ("alphabeta", Method::AlphaBeta(Others::Paranoid)),
            _ => return Err(SpecError::UnknownAgent { name: name.to_owned() }),
        };
        let mut spec = Self { method, budget: Budget::default(), time: None, sees_all: false };
        for setting in settings.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            let (key, value) = match setting.split_once('=') {
                Some((key, value)) => (key.trim(), Some(value.trim()).filter(|value| !value.is_empty())),
                None => (setting, None),
            };
            spec.set(agent, key, value)?;
        }
        let unlimited = spec.time.is_none() && spec.budget == Budget::default();
        if unlimited && method != Method::Random {
            spec.time = Some(Duration::from_secs(1));
        }
        Ok(spec)
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, playout) = match self.method {
            Method::Random => ("random", None),
            Method::Mcts(playout) => ("mcts", playout),
            Method::AlphaBeta(_) => ("alphabeta", None),
        };
        let is_max_n = self.method == Method::AlphaBeta(Others::MaxN);
        let settings = [
            self.time.map(|time| format!("time={}", show_duration(time))),
            self.budget.nodes.map(|nodes| format!("nodes={nodes}")),
            self.budget.depth.map(|depth| format!("depth={depth}")),
            playout.map(|steps| format!("playout={steps}")),
            is_max_n.then(|| "max-n".to_owned()),
            self.sees_all.then(|| "sees-all".to_owned()),
        ];
        f.write_str(name)?;
        for (index, setting) in settings.iter().flatten().enumerate() {
            write!(f, "{}{setting}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

fn unknown(agent: &'static str, key: &str, known: &'static str) -> SpecError {
    SpecError::UnknownSetting { agent, key: key.to_owned(), known }
}

/// A length of time such as `200ms`, `1.5s` or `2m`: a decimal number and a unit.
fn duration(text: &str) -> Option<Duration> {
    let unit_at = text.find(|letter: char| letter.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit_at);
    let micros_per_unit: u64 = match unit {
        "ms" => 1_000,
        "s" => 1_000_000,
        "m" | "min" => 60_000_000,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 6 || number.ends_with('.') {
        return None;
    }
    let parts = if fraction.is_empty() { 0 } else { fraction.parse::<u64>().ok()? };
    let scale = 10_u64.pow(fraction.len() as u32);
    let micros =
        whole.parse::<u64>().ok()?.checked_mul(micros_per_unit)?.checked_add(parts * micros_per_unit / scale)?;
    Some(Duration::from_micros(micros)).filter(|duration| !duration.is_zero())
}

fn show_duration(duration: Duration) -> String {
    let micros = duration.as_micros();
    if micros.is_multiple_of(1_000_000) { format!("{}s", micros / 1_000_000) } else { format!("{}ms", decimal(micros)) }
}

/// Thousandths as a decimal number.
fn decimal(micros: u128) -> String {
    let text = format!("{}.{:03}", micros / 1000, micros % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> AgentSpec {
        text.parse().unwrap()
    }

    fn error(text: &str) -> String {
        text.parse::<AgentSpec>().unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_comes_back() {
        for text in [
            "random",
            "mcts:time=1s",
            "mcts:nodes=1000",
            "alphabeta:depth=6",
            "alphabeta:time=200ms",
            "mcts:time=1500ms,nodes=7,playout=200",
            "alphabeta:depth=6,sees-all",
            "alphabeta:depth=6,max-n",
        ] {
            assert_eq!(parse(text).to_string(), text);
        }
        assert_eq!(parse("mcts:time=1.5s").time, Some(Duration::from_millis(1500)));
        assert_eq!(parse("alphabeta:time=2m").time, Some(Duration::from_secs(120)));
        assert_eq!(parse("alphabeta : depth=2 , nodes=3").to_string(), "alphabeta:nodes=3,depth=2");
    }

    #[test]
    fn an_agent_without_a_limit_thinks_for_a_second() {
        assert_eq!(parse("mcts"), parse("mcts:time=1s"));
        assert_eq!(parse("alphabeta"), parse("alphabeta:time=1s"));
    }

    #[test]
    fn errors_say_what_would_be_right() {
        assert_eq!(error("stockfish"), "there is no agent `stockfish`; there are `random`, `mcts` and `alphabeta`");
        assert_eq!(error("random:nodes=2"), "the agent `random` has no setting `nodes`; it has none");
        assert_eq!(
            error("mcts:depth=2"),
            "the agent `mcts` has no setting `depth`; it has `time`, `nodes`, `playout` and `sees-all`"
        );
        assert_eq!(error("mcts:nodes"), "the setting `nodes` needs a value, such as `nodes=1000`");
        let none = |value: &str| format!("`{value}` is no value for ");
        for value in ["0", "-5", "inf", "nan", "1.5"] {
            let allowed = "`nodes`, which is a whole number from 1, such as `nodes=1000`";
            assert_eq!(error(&format!("mcts:nodes={value}")), none(value) + allowed);
            let allowed = "`depth`, which is a whole number from 1 to 4294967295, such as `depth=6`";
            assert_eq!(error(&format!("alphabeta:depth={value}")), none(value) + allowed);
        }
        for value in ["5", "1h", "0s", "-1s", "infs", "nan"] {
            let allowed = "`time`, which is a number above 0 with `ms`, `s` or `m`, such as `time=1s`";
            assert_eq!(error(&format!("mcts:time={value}")), none(value) + allowed);
        }
        assert_eq!(error("alphabeta:max-n,max-n"), "the setting `max-n` is given twice");
        assert_eq!(error("alphabeta:sees-all,sees-all"), "the setting `sees-all` is given twice");
        assert_eq!(error("alphabeta:sees-all=yes"), "the setting `sees-all` has no value");
        assert_eq!(error("random:sees-all"), "the agent `random` has no setting `sees-all`; it has none");
        assert_eq!(error("alphabeta:depth=2,depth=3"), "the setting `depth` is given twice");
    }
}
