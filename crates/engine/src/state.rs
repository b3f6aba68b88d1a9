//! All that the rules can see, as one flat block.

use dagaz_base::random::mix;
use dagaz_ir::{Kind, Player};

use crate::layout::{Cell, Layout};

/// A state: a value for each cell of the [`Layout`], and hashes kept up to date with every write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    cells: Box<[i32]>,
    key: u64,
    memory_key: u64,
    board_key: u64,
}

impl State {
    /// The state whose cells are all 0.
    pub fn zero(layout: &Layout) -> Self {
        Self { cells: vec![0; layout.cell_count()].into(), key: 0, memory_key: 0, board_key: 0 }
    }

    /// A cell's value.
    pub fn get(&self, cell: Cell) -> i32 {
        self.cells[cell.0 as usize]
    }

    /// Gives a cell a value.
    pub fn set(&mut self, layout: &Layout, cell: Cell, value: i32) {
        let old = std::mem::replace(&mut self.cells[cell.0 as usize], value);
        let change = contribution(cell, old) ^ contribution(cell, value);
        if layout.is_memory(cell) {
            self.memory_key ^= change;
        } else {
            self.key ^= change;
        }
        if layout.is_piece(cell) {
            self.board_key ^= change;
        }
    }

    /// The cells, in the order of the layout.
    pub fn cells(&self) -> &[i32] {
        &self.cells
    }

    /// The hash of everything: for transposition tables.
    pub fn hash(&self) -> u64 {
        self.key ^ self.memory_key
    }

    /// The hashes by which the past knows the state.
    pub fn keys(&self) -> Keys {
        Keys { state: self.key, board: self.board_key }
    }

    /// The hashes computed anew, to check the kept ones: the whole, and the keys.
    pub fn rehash(&self, layout: &Layout) -> (u64, Keys) {
        let (mut key, mut memory_key, mut board_key) = (0, 0, 0);
        for (index, &value) in self.cells.iter().enumerate() {
            let cell = Cell(index as u32);
            let part = if layout.is_memory(cell) { &mut memory_key } else { &mut key };
            *part ^= contribution(cell, value);
            if layout.is_piece(cell) {
                board_key ^= contribution(cell, value);
            }
        }
        (key ^ memory_key, Keys { state: key, board: board_key })
    }
}

/// The hashes by which the past knows a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Of everything but memories of how the state came about: equal for repetitions.
    pub state: u64,
    /// Of the pieces on the board alone.
    pub board: u64,
}

/// What a cell adds to the hash: nothing when it is 0, so that hashes do not depend on how a state is laid out.
pub fn contribution(cell: Cell, value: i32) -> u64 {
    if value == 0 { 0 } else { mix(u64::from(cell.0) << 32 | u64::from(value as u32)) }
}

/// A piece as it stands on the board or is taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    /// Whose it is.
    pub owner: Player,
    /// What it is.
    pub kind: Kind,
}

/// What a step did: enough to take it back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undo {
    /// The old values of the cells that were written, in the order of the writes.
    pub(crate) old: Vec<(Cell, i32)>,
    /// The pieces that the step captured, in order.
    pub captured: Vec<Piece>,
    /// Whether the step ended the move: the turn went on.
    pub ends_move: bool,
}

impl Undo {
    /// Gives a cell a value and notes the old one. What stays the same is no write.
    pub fn write(&mut self, state: &mut State, layout: &Layout, cell: Cell, value: i32) {
        let old = state.get(cell);
        if old != value {
            self.old.push((cell, old));
            state.set(layout, cell, value);
        }
    }
}

impl Undo {
    /// What the step did, to do it again to an equal state without asking the rules. `state` is as the step left it.
    pub fn made(self, state: &State) -> Made {
        let mut new: Vec<(Cell, i32)> = Vec::with_capacity(self.old.len());
        for &(cell, _) in &self.old {
            if new.iter().all(|&(other, _)| other != cell) {
                new.push((cell, state.get(cell)));
            }
        }
        Made { new: new.into(), undo: self }
    }
}

/// A step that was made once, and can be made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    new: Box<[(Cell, i32)]>,
    /// What it captured, whether it ended the move, and what takes it back.
    pub undo: Undo,
}

impl Made {
    /// Makes it again.
    pub fn apply(&self, state: &mut State, layout: &Layout) {
        for &(cell, value) in &self.new {
            state.set(layout, cell, value);
        }
    }
}
