//! From what the rules make to the legal steps of a turn.
//!
//! In this order:
//!
//! 1. all steps that the rules make ([`generate`](super::generate));
//! 2. [`Filter::Priority`], at the start of a move only: the first class with any step, legal or not;
//! 3. duplicates go: of steps with the same from, to, choice, parameters, effects and continuation the first stays. This comes after
//!    the classes, as authors list one and the same step in two of them;
//! 4. steps that change nothing go, where the policy says so: those that end the move and whose effects never gave a cell
//!    another value, not even for a while (a piece flipped twice is a change, as authors rely on);
//! 5. steps that a stage, the last part of their rule or an invariant refuses go ([`stages`](super::stages));
//! 6. [`Filter::MostCaptured`] and [`Filter::MostValuable`] compare what is left, by whole chains ([`captures`](super::captures));
//! 7. moves are held against the bounds of the stage after a move, and steps that begin no move which that stage accepts
//!    go ([`bounds`](super::bounds));
//! 8. passing at the start of a move, and stopping in its middle, are appended where the policy allows them.

use std::collections::BTreeSet;

use dagaz_base::Origin;
use dagaz_board::Site;
use dagaz_ir::{Filter, Local, MoveType, Pass, Trigger};

use super::stages::Present;
use super::{Interpreter, Meter, Value};
use crate::executor::{Executor, Fault};
use crate::history::History;
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
    /// A condition of a stage, or of the last part of its rule, is false.
    Stage {
        /// The stage.
        stage: &'static str,
        /// The condition.
        origin: Option<Origin>,
    },
    /// Held against the other moves of the list, a condition of the stage after a move is false.
    Bounds {
        /// The condition.
        origin: Option<Origin>,
        /// Each bound that the condition asks about with the value that the moves which begin with this step give it, and with the one that all give it.
        bounds: Vec<(Local, Value, Value)>,
        /// Where a step that stays starts and ends.
        better: Option<(Option<Site>, Option<Site>)>,
    },
}

/// Is told of each step that is taken off the list.
pub(crate) type Log<'a> = &'a mut dyn FnMut(Step, Removal);

impl Interpreter {
    /// The legal steps of a state, in order.
    pub(crate) fn legal_steps(
        &self,
        state: &State,
        history: &dyn History,
        meter: &Meter,
        log: Log<'_>,
    ) -> Result<Vec<Step>, Fault> {
        let chained = self.chain(state).is_some();
        let past = Present { history, start: (!chained).then(|| state.keys()), reply: false };
        self.steps_after(state, &past, meter, log)
    }

    /// The same with the past that is known already.
    pub(super) fn steps_after(
        &self,
        state: &State,
        past: &Present<'_>,
        meter: &Meter,
        log: Log<'_>,
    ) -> Result<Vec<Step>, Fault> {
        let chained = self.chain(state).is_some();
        let mut steps = self.possible_steps(state, past, meter, log)?;
        self.keep_best_captures(state, past, &mut steps, meter, log)?;
        self.keep_within_bounds(state, past, &mut steps, meter, log)?;
        if chained {
            if self.rules.policy.chain_may_stop || steps.is_empty() {
                steps.push(Step::without_sites(StepRule::Stop));
            }
        } else {
            let stop = Step::without_sites;
            match self.rules.policy.pass {
                Pass::Always => steps.push(stop(StepRule::Pass)),
                Pass::Forced if steps.is_empty() => steps.push(stop(StepRule::Pass)),
                Pass::Forced | Pass::Never => {}
            }
        }
        Ok(steps)
    }

    /// The same without comparing captures, and without passing and stopping.
    pub(super) fn possible_steps(
        &self,
        state: &State,
        past: &Present<'_>,
        meter: &Meter,
        log: Log<'_>,
    ) -> Result<Vec<Step>, Fault> {
        let Some(mut scratch) = self.prepared(state, meter)? else { return Ok(Vec::new()) };
        let mut steps = self.raw_steps(&scratch, meter)?;
        if self.chain(state).is_none() {
            for filter in &self.rules.policy.filters {
                if let Filter::Priority(classes) = filter {
                    self.keep_first_class(classes, &mut steps, log);
                }
            }
        }
        remove_duplicates(&mut steps, log);
        let mut kept = Vec::with_capacity(steps.len());
        for step in steps {
            match self.objection(&mut scratch, &step, past, meter)? {
                None => kept.push(step),
                Some(removal) => log(step, removal),
            }
        }
        Ok(kept)
    }

    /// Whether a chain that was just opened has a step to go on with.
    pub(super) fn can_go_on(&self, state: &State, meter: &Meter) -> Result<bool, Fault> {
        let Some(mut scratch) = self.prepared(state, meter)? else { return Ok(false) };
        for step in self.raw_steps(&scratch, meter)? {
            if self.objection(&mut scratch, &step, &Present::unknown(), meter)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The state as it is when a step begins, unless a stage forbids every step.
    pub(super) fn prepared(&self, state: &State, meter: &Meter) -> Result<Option<State>, Fault> {
        let mut scratch = state.clone();
        let refused = self.prepare(&mut scratch, &mut Undo::default(), meter)?;
        Ok(refused.is_none().then_some(scratch))
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

    /// Why a step may not be made in this state, which is prepared, if it may not. The state is left as it was. Bounds are
    /// not asked.
    fn objection(
        &self,
        state: &mut State,
        step: &Step,
        past: &Present<'_>,
        meter: &Meter,
    ) -> Result<Option<Removal>, Fault> {
        let StepRule::Rule(rule) = step.rule else { return Ok(None) };
        // What belongs to no piece may be a decision alone: a pass, or a die that falls as it lay.
        let of_turn = self.rules.rules[rule].trigger == Trigger::Turn;
        let asks = self.rules.policy.no_null_moves && step.chain.is_none() && !of_turn;
        let stages = &self.rules.stages;
        let lawless = self.rules.invariants.is_empty() && stages.after_step.is_none() && stages.after_move.is_none();
        if !asks && lawless && self.rules.rules[rule].then.is_none() {
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
        let mut objection = self.advance(state, &mut undo, step, meter);
        // Where the move goes on or is compared with others, what comes after it is asked later.
        let whole = step.chain.is_none() && stages.after_move.as_ref().is_some_and(|stage| stage.bounds.is_empty());
        if whole && objection == Ok(None) {
            objection = self.finish_move(state, &mut undo, step, past, &mut None, meter);
        }
        self.undo(state, &undo);
        objection
    }
}

fn remove_duplicates(steps: &mut Vec<Step>, log: Log<'_>) {
    let mut seen = BTreeSet::new();
    let again: Vec<bool> = steps
        .iter()
        .map(|step| !seen.insert((step.from, step.to, step.choice, &step.parameters, &step.effects, step.chain)))
        .collect();
    let mut again = again.into_iter();
    for step in steps.extract_if(.., |_| again.next().unwrap_or(false)) {
        log(step, Removal::Duplicate);
    }
}
