//! Walking from the state that was asked about, forward and back, with the past that rules may ask for.

use dagaz_engine::{Executor, Fault, Limits, Move, Onward, Situation, State, Step, Undo};
use dagaz_ir::{Player, Role};

use crate::agent::Ask;

/// A state of the search and the way to it.
pub(crate) struct Walk<'a> {
    pub(crate) executor: &'a dyn Executor,
    pub(crate) state: State,
    past: Onward<'a>,
    undos: Vec<Undo>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(ask: &Ask<'a>) -> Self {
        let past = Onward::new(ask.history);
        Self { executor: ask.executor, state: ask.state.clone(), past, undos: Vec::new() }
    }

    pub(crate) fn situation(&self) -> Result<Situation, Fault> {
        self.executor.situation(&self.state, &self.past)
    }

    pub(crate) fn mover(&self) -> Player {
        self.executor.to_move(&self.state)
    }

    /// Whether chance makes the next step.
    pub(crate) fn is_chance(&self) -> bool {
        self.executor.rules().players[self.mover()].role == Role::Random
    }

    /// Makes a step; true when it ended the move. A move that does not come to an end is a fault of the rules.
    pub(crate) fn make(&mut self, step: &Step) -> Result<bool, Fault> {
        let limit = Limits::default().chain;
        if self.undos.len() >= limit && self.undos.iter().rev().take(limit).all(|undo| !undo.ends_move) {
            return Err(Fault::EndlessChain { limit });
        }
        let (before, mover) = (self.state.keys(), self.mover());
        let undo = self.executor.apply(&mut self.state, step)?;
        self.past.line.push(before, mover, &undo);
        let ends_move = undo.ends_move;
        self.undos.push(undo);
        Ok(ends_move)
    }

    /// Takes the last step back.
    pub(crate) fn take_back(&mut self) {
        let undo = self.undos.pop().expect("only steps that were made are taken back");
        self.executor.undo(&mut self.state, &undo);
        self.past.line.pop();
    }

    /// Takes back all steps but the first `kept`.
    pub(crate) fn take_back_to(&mut self, kept: usize) {
        while self.undos.len() > kept {
            self.take_back();
        }
    }

    /// How many steps were made.
    pub(crate) fn steps_made(&self) -> usize {
        self.undos.len()
    }
}

/// Cuts steps that start from the asked state into whole moves. The first comes out complete, with the first legal
/// steps where the given ones end too early; what is left over of the last move is dropped.
pub(crate) fn whole_moves(ask: &Ask<'_>, steps: &[Step]) -> Result<Vec<Move>, Fault> {
    let mut walk = Walk::new(ask);
    let (mut moves, mut current) = (Vec::new(), Move::default());
    for step in steps {
        let ended = walk.make(step)?;
        current.steps.push(step.clone());
        if ended {
            moves.push(std::mem::take(&mut current));
        }
    }
    while moves.is_empty() {
        let Situation::Open(mut legal) = walk.situation()? else { break };
        let step = legal.swap_remove(0);
        let ended = walk.make(&step)?;
        current.steps.push(step);
        if ended {
            moves.push(std::mem::take(&mut current));
        }
    }
    if moves.is_empty() {
        moves.push(current);
    }
    Ok(moves)
}
