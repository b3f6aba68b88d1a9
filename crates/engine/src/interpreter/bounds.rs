//! Holds whole moves against the stage after a move, and against each other by its bounds.
//!
//! Every move that begins with a listed step is made to its end and judged by the stage, in the order of the list; the bounds
//! that one move raises hold for the next. Then all are judged once more by the bounds as they are in the end: this is how a
//! later, better move takes earlier ones off the list. A step stays if some move that begins with it is accepted. In the
//! middle of a move its continuations are judged alike.

use super::legal::{Log, Removal};
use super::stages::{Bounds, Present};
use super::{Interpreter, Meter};
use crate::executor::{Executor, Fault};
use crate::state::{State, Undo};
use crate::step::{Step, StepRule};

/// A step of the move that is being looked at.
struct Level {
    undo: Undo,
    /// The steps that can follow, the next one last.
    rest: Vec<Step>,
    /// What the move ends with, if it can end here.
    end: Option<Step>,
}

impl Interpreter {
    /// Keeps the steps that begin a move which the stage after a move accepts.
    pub(super) fn keep_within_bounds(
        &self,
        state: &State,
        past: &Present<'_>,
        steps: &mut Vec<Step>,
        meter: &Meter,
        log: Log<'_>,
    ) -> Result<(), Fault> {
        let Some(stage) = &self.rules.stages.after_move else { return Ok(()) };
        let compares = !stage.bounds.is_empty();
        if !compares && steps.iter().all(|step| step.chain.is_none()) {
            // Each was asked when it was listed.
            return Ok(());
        }
        let (mut scratch, mut bounds) = (state.clone(), None);
        if compares {
            for step in steps.iter() {
                self.judge(&mut scratch, past, step, &mut bounds, meter)?;
            }
        }
        let mut lost = Vec::new();
        for step in std::mem::take(steps) {
            let judgements = self.judge_each(&mut scratch, past, &step, &bounds, meter)?;
            match judgements.iter().flatten().next() {
                Some(removal) if judgements.iter().all(Option::is_some) => lost.push((step, removal.clone())),
                _ => steps.push(step),
            }
        }
        let better = steps.first().map(|step| (step.from, step.to));
        for (step, removal) in lost {
            let Removal::Stage { origin, .. } = removal else { continue };
            let mut own = None;
            if compares {
                self.judge(&mut scratch, past, &step, &mut own, meter)?;
            }
            let values = own.into_iter().flatten().zip(bounds.iter().flatten().cloned());
            let held = stage.bounds.iter().zip(values).map(|(&bound, (own, best))| (bound, own, best)).collect();
            log(step, if compares { Removal::Bounds { origin, bounds: held, better } } else { removal });
        }
        Ok(())
    }

    /// Judges every move that begins with the step, and raises the bounds.
    fn judge(
        &self,
        state: &mut State,
        past: &Present<'_>,
        step: &Step,
        bounds: &mut Bounds,
        meter: &Meter,
    ) -> Result<(), Fault> {
        self.each_move(state, past, step, meter, &mut |state, last| {
            let mut undo = Undo::default();
            let judged = self.finish_move(state, &mut undo, last, past, bounds, meter);
            self.undo(state, &undo);
            judged.map(|_| ())
        })
    }

    /// The judgements of every move that begins with the step, by bounds that stay as they are.
    fn judge_each(
        &self,
        state: &mut State,
        past: &Present<'_>,
        step: &Step,
        bounds: &Bounds,
        meter: &Meter,
    ) -> Result<Vec<Option<Removal>>, Fault> {
        let mut judgements = Vec::new();
        self.each_move(state, past, step, meter, &mut |state, last| {
            let mut undo = Undo::default();
            judgements.push(self.finish_move(state, &mut undo, last, past, &mut bounds.clone(), meter)?);
            self.undo(state, &undo);
            Ok(())
        })?;
        Ok(judgements)
    }

    /// Shows `judge` the state at the end of every move that begins with the step, and the last step. The state is left as it
    /// was.
    ///
    /// A loop rather than a recursion: a chain may be longer than the stack is deep.
    fn each_move(
        &self,
        state: &mut State,
        past: &Present<'_>,
        step: &Step,
        meter: &Meter,
        judge: &mut dyn FnMut(&mut State, &Step) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut levels = vec![self.open(state, past, step, meter)?];
        while let Some(level) = levels.last_mut() {
            if let Some(next) = level.rest.pop() {
                if levels.len() >= self.limits.chain {
                    return Err(Fault::EndlessChain { limit: self.limits.chain });
                }
                levels.push(self.open(state, past, &next, meter)?);
                continue;
            }
            if let Some(last) = &level.end {
                judge(state, last)?;
            }
            self.undo(state, &level.undo);
            levels.pop();
        }
        Ok(())
    }

    /// Makes a step and lists what can follow it.
    fn open(&self, state: &mut State, past: &Present<'_>, step: &Step, meter: &Meter) -> Result<Level, Fault> {
        let mut undo = Undo::default();
        self.prepare(state, &mut undo, meter)?;
        self.advance(state, &mut undo, step, meter)?;
        let mut rest = Vec::new();
        if step.chain.is_some() {
            self.open_chain(state, &mut undo, step);
            rest = self.possible_steps(state, past, meter, &mut |_, _| {})?;
            rest.reverse();
        }
        let end = match rest.is_empty() {
            true => Some(step.clone()),
            false => self.rules.policy.chain_may_stop.then(|| Step::without_sites(StepRule::Stop)),
        };
        Ok(Level { undo, rest, end })
    }
}
