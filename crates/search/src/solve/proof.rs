//! A proof of a value: a choice for every state that a player can be brought to, once for who says that it is at least so much, once
//! for who says that it is at most so much. Whoever checks it needs an executor and no search.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use dagaz_engine::{Executor, History, State};

use super::ground::{Ground, Look, Measure, Unsolvable};

/// What is claimed of a state, and the choices that show it: for the key of a state the number of a legal step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// In what the value is counted.
    pub measure: Measure,
    /// The value is at least this.
    pub low: i32,
    /// And at most this.
    pub high: i32,
    /// The choices of the player to move at the start.
    pub holds: BTreeMap<u64, u32>,
    /// Those of the other.
    pub limits: BTreeMap<u64, u32>,
}

/// What was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many states were looked at.
    pub states: u64,
}

/// Why a proof is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadProof {
    /// A line cannot be read.
    #[error("line {line} of the proof cannot be read")]
    Line {
        /// Its number.
        line: usize,
    },
    /// Something else was counted.
    #[error("the proof counts another value than the rules do")]
    Measure,
    /// There is no choice for a state.
    #[error("after {after} steps the proof has no choice for the state {key:016x}")]
    Gap {
        /// The state.
        key: u64,
        /// How many steps lead to it.
        after: usize,
    },
    /// A choice is no legal step.
    #[error("step {index} of the state {key:016x} is not legal")]
    Illegal {
        /// The state.
        key: u64,
        /// What was chosen.
        index: u32,
    },
    /// Play ends otherwise than claimed.
    #[error("play that follows the proof ends with {value} after {after} steps")]
    Wrong {
        /// The value of the end.
        value: i32,
        /// How many steps lead to it.
        after: usize,
    },
    /// Play that follows it does not come to an end.
    #[error("play that follows the proof goes round in circles")]
    Circle,
    /// It was stopped.
    #[error("stopped before all was checked")]
    Stopped,
    /// The game cannot be solved.
    #[error(transparent)]
    Unsolvable(#[from] Unsolvable),
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let measure = if self.measure == Measure::Margin { "margin" } else { "outcome" };
        for (bound, value, choices) in [("least", self.low, &self.holds), ("most", self.high, &self.limits)] {
            writeln!(f, "{measure} at {bound} {value}")?;
            choices.iter().try_for_each(|(key, index)| writeln!(f, "{key:016x} {index}"))?;
        }
        f.write_char('\n')
    }
}

impl Proof {
    /// Reads what is written; the first line has the number `first`.
    pub fn read(lines: &str, first: usize) -> Result<Self, BadProof> {
        let mut proof =
            Self { measure: Measure::Outcome, low: 0, high: 0, holds: BTreeMap::new(), limits: BTreeMap::new() };
        let mut half = 0;
        for (index, text) in lines.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            let bad = BadProof::Line { line: first + index };
            let words: Vec<&str> = text.split_whitespace().collect();
            match words[..] {
                [measure, "at", bound, value] => {
                    proof.measure = match measure {
                        "margin" => Measure::Margin,
                        "outcome" => Measure::Outcome,
                        _ => return Err(bad),
                    };
                    let value = value.parse().map_err(|_| bad.clone())?;
                    match (bound, half) {
                        ("least", 0) => (proof.low, half) = (value, 1),
                        ("most", 1) => (proof.high, half) = (value, 2),
                        _ => return Err(bad),
                    }
                }
                [key, index] if half > 0 => {
                    let key = u64::from_str_radix(key, 16).map_err(|_| bad.clone())?;
                    let choices = if half == 1 { &mut proof.holds } else { &mut proof.limits };
                    choices.insert(key, index.parse().map_err(|_| bad)?);
                }
                _ => return Err(bad),
            }
        }
        if half == 2 { Ok(proof) } else { Err(BadProof::Line { line: first + lines.lines().count() }) }
    }
}

/// Checks a proof about a state with its past: every line of play in which one side follows it ends as it claims. `keep_going` is
/// asked now and then.
pub fn verify(
    proof: &Proof,
    executor: &dyn Executor,
    state: &State,
    history: &dyn History,
    keep_going: &mut dyn FnMut(u64) -> bool,
) -> Result<Verified, BadProof> {
    let ground = Ground::new(executor, state, history)?;
    if ground.measure != proof.measure {
        return Err(BadProof::Measure);
    }
    let mut check = Check { proof, ground, done: BTreeSet::new(), states: 0, at_least: true, keep_going };
    for at_least in [true, false] {
        (check.at_least, check.done) = (at_least, BTreeSet::new());
        check.state()?;
    }
    Ok(Verified { states: check.states })
}

struct Check<'a, 'p> {
    proof: &'p Proof,
    ground: Ground<'a>,
    done: BTreeSet<u64>,
    states: u64,
    at_least: bool,
    keep_going: &'p mut dyn FnMut(u64) -> bool,
}

/// What does not depend on the way to a state.
const ANYWHERE: usize = usize::MAX;

impl Check<'_, '_> {
    /// Checks a state, and gives the earliest state on the way on which that depends.
    fn state(&mut self) -> Result<usize, BadProof> {
        let key = self.ground.key();
        if self.done.contains(&key) {
            return Ok(ANYWHERE);
        }
        self.states += 1;
        if self.states.is_multiple_of(256) && !(self.keep_going)(self.states) {
            return Err(BadProof::Stopped);
        }
        let circle = |reason| match reason {
            Unsolvable::Circles | Unsolvable::Repetition => BadProof::Circle,
            other => other.into(),
        };
        let stood = self.ground.stood().map_err(circle)?;
        let depth = self.ground.depth();
        let steps = match self.ground.look()? {
            Look::Over(value) => {
                let right = if self.at_least { value >= self.proof.low } else { value <= self.proof.high };
                return if right {
                    Ok(stood.unwrap_or(ANYWHERE))
                } else {
                    Err(BadProof::Wrong { value, after: depth })
                };
            }
            Look::Open(steps) => steps,
        };
        let mut depends = stood.unwrap_or(ANYWHERE);
        let chosen = if self.ground.ours() == self.at_least {
            let choices = if self.at_least { &self.proof.holds } else { &self.proof.limits };
            let &index = choices.get(&key).ok_or(BadProof::Gap { key, after: depth })?;
            let step = steps.get(index as usize).ok_or(BadProof::Illegal { key, index })?;
            std::slice::from_ref(step)
        } else {
            &steps[..]
        };
        for step in chosen {
            self.ground.make(step)?;
            depends = depends.min(self.state()?);
            self.ground.take_back();
        }
        if depends >= depth {
            depends = ANYWHERE;
            self.done.insert(key);
        }
        Ok(depends)
    }
}
