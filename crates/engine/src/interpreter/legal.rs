//! From what the rules make to the legal steps of a turn.
//!
//! In this order:
//!
//! 1. all steps that the rules make ([`generate`](super::generate));
//! 2. [`Filter::Priority`], at the start of a move only: the first class with any step, legal or not;
//! 3. duplicates go: of steps with the same from, to, choice, effects and continuation the first stays. This comes after
//!    the classes, as authors list one and the same step in two of them;
//! 4. steps that change nothing go, where the policy says so: those that end the move and whose effects never gave a cell
//!    another value, not even for a while (a piece flipped twice is a change, as authors rely on);
//! 5. steps after which an invariant is false go;
//! 6. [`Filter::MostCaptured`] and [`Filter::MostValuable`] compare what is left, by whole chains ([`captures`](super::captures));
//! 7. passing at the start of a move, and stopping in its middle, are appended where the policy allows them.

use std::collections::BTreeSet;

use dagaz_ir::{Filter, MoveType, Pass};

use super::{Interpreter, Machine, Meter};
use crate::executor::{Executor, Fault};
use crate::state::{State, Undo};
use crate::step::{Step, StepRule};

/// Why a step that a rule makes is not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
    /// A step of a class that comes first is possible.
    Priority {
        /// That class.
        first: Option<MoveType>,
    },
    /// An earlier step is the same.
    Duplicate,
    /// It changes nothing.
    Null,
    /// An invariant would be false after it.
    Invariant {
        /// Its index in the rules.
        invariant: usize,
    },
    /// Another one captures more.
    Captures {
        /// What the best moves that start with it capture, a number for each filter that compares captures.
        own: Vec<i64>,
        /// What the best of all moves captures.
        best: Vec<i64>,
    },
}

/// Is told of each step that is taken off the list.
pub(crate) type Log<'a> = &'a mut dyn FnMut(Step, Removal);

impl Interpreter {
    /// The legal steps of a state, in order.
    pub(crate) fn legal_steps(&self, state: &State, meter: &Meter, log: Log<'_>) -> Result<Vec<Step>, Fault> {
        let chained = self.chain(state).is_some();
        let mut steps = self.possible_steps(state, meter, log)?;
        self.keep_best_captures(state, &mut steps, meter, log)?;
        let stop = |rule| Step { rule, from: None, to: None, choice: None, effects: Vec::new(), chain: None };
        if chained {
            if self.rules.policy.chain_may_stop || steps.is_empty() {
                steps.push(stop(StepRule::Stop));
            }
        } else {
            match self.rules.policy.pass {
                Pass::Always => steps.push(stop(StepRule::Pass)),
                Pass::Forced if steps.is_empty() => steps.push(stop(StepRule::Pass)),
                Pass::Forced | Pass::Never => {}
            }
        }
        Ok(steps)
    }

    /// The same without comparing captures, and without passing and stopping.
    pub(super) fn possible_steps(&self, state: &State, meter: &Meter, log: Log<'_>) -> Result<Vec<Step>, Fault> {
        let mut steps = self.raw_steps(state, meter)?;
        if self.chain(state).is_none() {
            for filter in &self.rules.policy.filters {
                if let Filter::Priority(classes) = filter {
                    self.keep_first_class(classes, &mut steps, log);
                }
            }
        }
        remove_duplicates(&mut steps, log);
        let mut kept = Vec::with_capacity(steps.len());
        let mut scratch = state.clone();
        for step in steps {
            match self.objection(&mut scratch, &step, meter)? {
                None => kept.push(step),
                Some(removal) => log(step, removal),
            }
        }
        Ok(kept)
    }

    /// Whether a chain that was just opened has a step to go on with.
    pub(super) fn can_go_on(&self, state: &State, meter: &Meter) -> Result<bool, Fault> {
        let mut scratch = state.clone();
        for step in self.raw_steps(state, meter)? {
            if self.objection(&mut scratch, &step, meter)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn keep_first_class(&self, classes: &[MoveType], steps: &mut Vec<Step>, log: Log<'_>) {
        let rank = |step: &Step| {
            let class = self.class(step);
            classes.iter().position(|&other| class == Some(other)).unwrap_or(classes.len())
        };
        let Some(first) = steps.iter().map(rank).min() else { return };
        for step in steps.extract_if(.., |step| rank(step) != first) {
            log(step, Removal::Priority { first: classes.get(first).copied() });
        }
    }

    /// The move type of the rule that made the step.
    pub(crate) fn class(&self, step: &Step) -> Option<MoveType> {
        match step.rule {
            StepRule::Rule(rule) => self.rules.rules[rule].move_type,
            StepRule::Pass | StepRule::Stop => None,
        }
    }

    /// Why a step may not be made in this state, if it may not. The state is left as it was.
    fn objection(&self, state: &mut State, step: &Step, meter: &Meter) -> Result<Option<Removal>, Fault> {
        let policy = &self.rules.policy;
        let asks = policy.no_null_moves && step.chain.is_none();
        if !asks && self.rules.invariants.is_empty() {
            return Ok(None);
        }
        let mut undo = Undo::default();
        if asks {
            self.perform_effects(state, &mut undo, step);
            let changed = !undo.old.is_empty();
            self.undo(state, &undo);
            if !changed {
                return Ok(Some(Removal::Null));
            }
            undo = Undo::default();
        }
        self.perform_step(state, &mut undo, step);
        let broken = self.broken_invariant(state, meter);
        self.undo(state, &undo);
        Ok(broken?.map(|invariant| Removal::Invariant { invariant }))
    }

    /// The first invariant that is false, asked for the owner of the turn.
    fn broken_invariant(&self, state: &State, meter: &Meter) -> Result<Option<usize>, Fault> {
        let me = self.turn(state).owner;
        for (index, invariant) in self.rules.invariants.iter().enumerate() {
            let mut machine = Machine::new(self, state, me, meter);
            if !machine.holds(&invariant.condition, &invariant.name, invariant.origin)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }
}

fn remove_duplicates(steps: &mut Vec<Step>, log: Log<'_>) {
    let mut seen = BTreeSet::new();
    let again: Vec<bool> =
        steps.iter().map(|step| !seen.insert((step.from, step.to, step.choice, &step.effects, step.chain))).collect();
    let mut again = again.into_iter();
    for step in steps.extract_if(.., |_| again.next().unwrap_or(false)) {
        log(step, Removal::Duplicate);
    }
}
