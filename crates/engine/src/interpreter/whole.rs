//! Goes through the whole moves that begin with a step, for what can be said of a move only when it is complete.

use super::stages::Present;
use super::{Interpreter, Meter};
use crate::executor::{Executor, Fault};
use crate::state::{Piece, State, Undo};
use crate::step::{Effect, Step, StepRule};

/// A step of the move that is being looked at.
struct Level {
    step: Step,
    undo: Undo,
    /// The steps that can follow, the next one last.
    rest: Vec<Step>,
    /// Whether there are such steps: the move ends here only if its player stops.
    goes_on: bool,
    /// How many pieces the steps before it have taken.
    taken_before: usize,
}

/// A whole move, as it is seen in the state that it leads to.
pub(super) struct Whole<'a> {
    /// Its last step, which is the stop of a chain that could go on.
    pub(super) last: &'a Step,
    /// What the last step captured.
    pub(super) captured: &'a [Piece],
    /// What all its steps took: captured pieces, and pieces of others that were turned into something else.
    pub(super) taken: &'a [Piece],
}

impl Interpreter {
    /// Shows `look` the end of every move that begins with the step. The state is left as it was.
    ///
    /// A loop rather than a recursion: a chain may be longer than the stack is deep.
    pub(super) fn each_move(
        &self,
        state: &mut State,
        past: &Present<'_>,
        step: &Step,
        meter: &Meter,
        look: &mut dyn FnMut(&mut State, Whole<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let stop = Step::without_sites(StepRule::Stop);
        let mut taken = Vec::new();
        let mut levels = vec![self.enter(state, past, step.clone(), &mut taken, meter)?];
        while let Some(level) = levels.last_mut() {
            if let Some(next) = level.rest.pop() {
                if levels.len() >= self.limits.chain {
                    return Err(Fault::EndlessChain { limit: self.limits.chain });
                }
                levels.push(self.enter(state, past, next, &mut taken, meter)?);
                continue;
            }
            if !level.goes_on {
                look(state, Whole { last: &level.step, captured: &level.undo.captured, taken: &taken })?;
            } else if self.rules.policy.chain_may_stop {
                look(state, Whole { last: &stop, captured: &[], taken: &taken })?;
            }
            self.undo(state, &level.undo);
            taken.truncate(level.taken_before);
            levels.pop();
        }
        Ok(())
    }

    /// Makes a step and lists what can follow it.
    fn enter(
        &self,
        state: &mut State,
        past: &Present<'_>,
        step: Step,
        taken: &mut Vec<Piece>,
        meter: &Meter,
    ) -> Result<Level, Fault> {
        let (mut undo, taken_before) = (Undo::default(), taken.len());
        self.prepare(state, &mut undo, meter)?;
        taken.extend(self.turned(state, &step));
        self.advance(state, &mut undo, &step, meter)?;
        taken.extend_from_slice(&undo.captured);
        let mut rest = Vec::new();
        if step.chain.is_some() {
            self.open_chain(state, &mut undo, &step);
            rest = self.possible_steps(state, past, meter, &mut |_, _| {})?;
            rest.reverse();
        }
        let goes_on = !rest.is_empty();
        Ok(Level { step, undo, rest, goes_on, taken_before })
    }

    /// The pieces of others that the step turns into something else, without capturing them.
    fn turned(&self, state: &State, step: &Step) -> Vec<Piece> {
        let owner = self.turn(state).owner;
        let captured = |site| step.effects.contains(&Effect::Capture { site });
        let turns = |effect: &Effect| match *effect {
            Effect::Retype { site, .. } | Effect::Reown { site, .. } | Effect::Flip { site } if !captured(site) => {
                Some(site)
            }
            _ => None,
        };
        let pieces = step.effects.iter().filter_map(turns).filter_map(|site| self.piece(state, site));
        pieces.filter(|piece| piece.owner != owner).collect()
    }
}
