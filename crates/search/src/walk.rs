//! Walking from the state that was asked about, forward and back, with the past that rules may ask for.

use dagaz_engine::{Executor, Fault, History, Keys, Limits, Move, Onward, Situation, State, Step, Undo};
use dagaz_ir::{Player, Role};

use crate::agent::Ask;

/// A state of the search and the way to it.
pub(crate) struct Walk<'a> {
    pub(crate) executor: &'a dyn Executor,
    pub(crate) state: State,
    past: Onward<'a>,
    undos: Vec<Undo>,
    /// The states of the line between whole moves: after how many steps, and what repetitions know them by.
    stood: Vec<(usize, u64)>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(ask: &Ask<'a>) -> Self {
        Self::from(ask.executor, ask.state.clone(), ask.history)
    }

    /// A walk from a state with this past.
    pub(crate) fn from(executor: &'a dyn Executor, state: State, history: &'a dyn History) -> Self {
        Self { executor, state, past: Onward::new(history), undos: Vec::new(), stood: Vec::new() }
    }

    pub(crate) fn situation(&self) -> Result<Situation, Fault> {
        self.executor.situation(&self.state, &self.past)
    }

    /// How many moves there are, without a list of them; 0 when the game is over, and perhaps else.
    pub(crate) fn count(&self) -> Result<usize, Fault> {
        let count = self.executor.count(&self.state, &self.past, 1)?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    pub(crate) fn mover(&self) -> Player {
        self.executor.to_move(&self.state)
    }

    /// Whether chance makes the next step.
    pub(crate) fn is_chance(&self) -> bool {
        self.executor.rules().players[self.mover()].role == Role::Random
    }

    /// Whether the next step is the first of a move.
    pub(crate) fn starts_move(&self) -> bool {
        self.executor.chain(&self.state).is_none()
    }

    /// Makes a step; true when it ended the move. A move that does not come to an end is a fault of the rules.
    pub(crate) fn make(&mut self, step: &Step) -> Result<bool, Fault> {
        let limit = Limits::default().chain;
        if self.undos.len() >= limit && self.undos.iter().rev().take(limit).all(|undo| !undo.ends_move) {
            return Err(Fault::EndlessChain { limit });
        }
        let (before, mover, starts_move) = (self.state.keys(), self.mover(), self.starts_move());
        let undo = self.executor.apply(&mut self.state, step)?;
        self.note(before, mover, starts_move, undo);
        Ok(self.undos.last().is_some_and(|undo| undo.ends_move))
    }

    /// Lets the turn go on although nothing was moved, whatever the rules say of it; between moves only.
    pub(crate) fn pass(&mut self) {
        let (before, mover, layout) = (self.state.keys(), self.mover(), self.executor.layout());
        let turn = layout.global(layout.known.turn);
        let next = self.executor.rules().schedule.turns[self.state.get(turn) as usize].next;
        let mut undo = Undo::default();
        undo.write(&mut self.state, layout, turn, next as i32);
        undo.ends_move = true;
        self.note(before, mover, true, undo);
    }

    fn note(&mut self, before: Keys, mover: Player, starts_move: bool, undo: Undo) {
        if starts_move {
            self.stood.push((self.undos.len(), before.state));
        }
        self.past.line.push(before, mover, &undo);
        self.undos.push(undo);
    }

    /// Takes the last step back.
    pub(crate) fn take_back(&mut self) {
        let undo = self.undos.pop().expect("only steps that were made are taken back");
        self.executor.undo(&mut self.state, &undo);
        self.past.line.pop();
        if self.stood.last().is_some_and(|&(steps, _)| steps == self.undos.len()) {
            self.stood.pop();
        }
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

    /// After how many steps of the walk the same state stood first, between whole moves.
    pub(crate) fn stood_in_search(&self) -> Option<usize> {
        let key = self.state.keys().state;
        if !self.starts_move() {
            return None;
        }
        self.stood.iter().find(|&&(_, other)| other == key).map(|&(steps, _)| steps)
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
