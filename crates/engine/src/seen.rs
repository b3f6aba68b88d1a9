//! What one player may see of a state: what a server sends him, and a client draws.

use std::collections::BTreeSet;

use crate::layout::Cell;
use crate::state::State;

/// A state as one player sees it. Nothing of what is hidden is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The state with 0 in every hidden cell.
    pub state: State,
    /// The cells that the player does not see. That they are hidden he does see.
    pub hidden: BTreeSet<Cell>,
}

impl Seen {
    /// A state of which everything is seen.
    pub fn whole(state: State) -> Self {
        Self { state, hidden: BTreeSet::new() }
    }

    /// Whether the player does not see the cell.
    pub fn hides(&self, cell: Cell) -> bool {
        self.hidden.contains(&cell)
    }

    /// The cells that look otherwise in a later view of the same player: another value, or hidden in one of them alone. This
    /// is all that he sees of a step that somebody else has made in between.
    pub fn changes(&self, later: &Self) -> Vec<Cell> {
        let look = |seen: &Self, cell| (!seen.hides(cell)).then(|| seen.state.get(cell));
        let cells = (0..self.state.cells().len()).map(|index| Cell(index as u32));
        cells.filter(|&cell| look(self, cell) != look(later, cell)).collect()
    }
}
