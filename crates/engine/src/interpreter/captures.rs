//! Compares moves by what they capture, over whole chains of steps.

use dagaz_ir::Filter;

use super::legal::{Log, Removal};
use super::stages::Present;
use super::{Interpreter, Meter};
use crate::executor::{Executor, Fault};
use crate::state::{Piece, State, Undo};
use crate::step::{Effect, Step};

/// What a move captures: a number for each filter that compares captures, in their order. The first counts most.
type Gain = Vec<i64>;

/// A step of the chain that is being looked at.
struct Level {
    /// What the chain has captured, this step included.
    gain: Gain,
    undo: Undo,
    /// The steps that can follow, the next one last.
    rest: Vec<Step>,
}

impl Interpreter {
    /// Keeps the steps with which a move begins, or goes on, that captures most: the most pieces, or those worth most, as the
    /// filters say.
    pub(super) fn keep_best_captures(
        &self,
        state: &State,
        past: &Present<'_>,
        steps: &mut Vec<Step>,
        meter: &Meter,
        log: Log<'_>,
    ) -> Result<(), Fault> {
        let none = self.gain(&[]);
        if none.is_empty() || steps.is_empty() {
            return Ok(());
        }
        let mut scratch = state.clone();
        let mut gains = Vec::with_capacity(steps.len());
        for step in steps.iter() {
            gains.push(self.best_gain(&mut scratch, step, past, meter)?);
        }
        let best = gains.iter().max().cloned().unwrap_or(none);
        let mut gains = gains.into_iter();
        let mut lost = Vec::new();
        for step in std::mem::take(steps) {
            match gains.next() {
                Some(own) if own < best => lost.push((step, own)),
                _ => steps.push(step),
            }
        }
        for (step, own) in lost {
            log(step, Removal::Captures { own, best: best.clone() });
        }
        Ok(())
    }

    /// What the best move captures that starts with this step. Each way in which the chain can go on is tried, whether or not it
    /// captures most from there. The state is left as it was.
    ///
    /// A loop rather than a recursion: a chain may be longer than the stack is deep.
    fn best_gain(&self, state: &mut State, step: &Step, past: &Present<'_>, meter: &Meter) -> Result<Gain, Fault> {
        let mut levels = vec![self.enter(state, step, &self.gain(&[]), past, meter)?];
        let mut best: Option<Gain> = None;
        while let Some(level) = levels.last_mut() {
            if let Some(next) = level.rest.pop() {
                let gain = level.gain.clone();
                if levels.len() >= self.limits.chain {
                    return Err(Fault::EndlessChain { limit: self.limits.chain });
                }
                levels.push(self.enter(state, &next, &gain, past, meter)?);
                continue;
            }
            // Every chain passes here with a sum that is at most that of its continuations, or at its end.
            if best.as_ref().is_none_or(|best| *best < level.gain) {
                best = Some(level.gain.clone());
            }
            self.undo(state, &level.undo);
            levels.pop();
        }
        Ok(best.unwrap_or_default())
    }

    /// Makes a step of the chain and lists what can follow it.
    fn enter(
        &self,
        state: &mut State,
        step: &Step,
        before: &Gain,
        past: &Present<'_>,
        meter: &Meter,
    ) -> Result<Level, Fault> {
        let mut taken = self.turned(state, step);
        let mut undo = Undo::default();
        self.prepare(state, &mut undo, meter)?;
        self.advance(state, &mut undo, step, meter)?;
        taken.extend_from_slice(&undo.captured);
        let gain = before.iter().zip(self.gain(&taken)).map(|(sum, more)| sum + more).collect();
        let mut rest = Vec::new();
        if step.chain.is_some() {
            self.open_chain(state, &mut undo, step);
            rest = self.possible_steps(state, past, meter, &mut |_, _| {})?;
            rest.reverse();
        }
        Ok(Level { gain, undo, rest })
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

    /// What these pieces are worth to each filter that compares captures.
    fn gain(&self, captured: &[Piece]) -> Gain {
        let worth = |values: &[(dagaz_ir::Kind, i32)], piece: &Piece| {
            values.iter().find(|(kind, _)| *kind == piece.kind).map_or(0, |&(_, value)| i64::from(value))
        };
        self.rules
            .policy
            .filters
            .iter()
            .filter_map(|filter| match filter {
                Filter::Priority(_) => None,
                Filter::MostCaptured => Some(captured.len() as i64),
                Filter::MostValuable(values) => Some(captured.iter().map(|piece| worth(values, piece)).sum()),
            })
            .collect()
    }
}
