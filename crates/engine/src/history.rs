//! What rules may ask of the past, and the plainest keeper of it.

use dagaz_ir::Player;

use crate::state::{Keys, Piece, Undo};

/// The past of a state, as far as rules may ask about it.
pub trait History {
    /// How many moves were made.
    fn moves(&self) -> usize;
    /// The keys of the states that stood before, between whole moves, the oldest first.
    fn states(&self) -> Vec<Keys>;
    /// How many times a state with these keys stood before, between whole moves: an equal one, memories apart.
    fn occurrences(&self, keys: Keys) -> usize {
        self.states().into_iter().filter(|before| before.state == keys.state).count()
    }
    /// How many times the same pieces stood before, between whole moves, whoever was to move.
    fn board_occurrences(&self, keys: Keys) -> usize {
        self.states().into_iter().filter(|before| before.board == keys.board).count()
    }
    /// How many moves had been made when a state with these keys stood first.
    fn first_occurrence(&self, keys: Keys) -> Option<usize> {
        self.states().into_iter().position(|before| before.state == keys.state)
    }
    /// Who made the last move.
    fn last_mover(&self) -> Option<Player>;
    /// What the last move captured, by all its steps.
    fn captured(&self) -> &[Piece];
}

/// The past of a state of which nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHistory;

impl History for NoHistory {
    fn moves(&self) -> usize {
        0
    }
    fn states(&self) -> Vec<Keys> {
        Vec::new()
    }
    fn last_mover(&self) -> Option<Player> {
        None
    }
    fn captured(&self) -> &[Piece] {
        &[]
    }
}

/// A line of moves, to be walked forward and back: for perft, playouts and search.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The keys of the states between whole moves, the oldest first.
    keys: Vec<Keys>,
    moves: Vec<Made>,
    /// What the steps of the unfinished move have captured so far, a mark of its length before each step.
    pending: Vec<Piece>,
    marks: Vec<usize>,
}

/// A whole move of the line, with what is needed to take back the step that ended it.
#[derive(Clone, Debug)]
struct Made {
    mover: Player,
    captured: Vec<Piece>,
    /// How many of those were captured before the last step, and the marks of the steps before it.
    before_last: usize,
    marks: Vec<usize>,
}

impl Line {
    /// A line that starts from a state without a past.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a step: `before` are the keys of the state it was made in, `mover` the player who made it.
    pub fn push(&mut self, before: Keys, mover: Player, undo: &Undo) {
        if self.marks.is_empty() {
            self.keys.push(before);
        }
        let before_last = self.pending.len();
        self.pending.extend_from_slice(&undo.captured);
        if undo.ends_move {
            let (captured, marks) = (std::mem::take(&mut self.pending), std::mem::take(&mut self.marks));
            self.moves.push(Made { mover, captured, before_last, marks });
        } else {
            self.marks.push(before_last);
        }
    }

    /// Forgets the last step. Panics when there is none.
    pub fn pop(&mut self) {
        if let Some(mark) = self.marks.pop() {
            self.pending.truncate(mark);
        } else {
            let made = self.moves.pop().expect("a step to take back");
            self.pending = made.captured;
            self.pending.truncate(made.before_last);
            self.marks = made.marks;
        }
        if self.marks.is_empty() && self.keys.len() > self.moves.len() {
            self.keys.pop();
        }
    }
}

impl History for Line {
    fn moves(&self) -> usize {
        self.moves.len()
    }
    fn states(&self) -> Vec<Keys> {
        self.keys.clone()
    }
    fn occurrences(&self, keys: Keys) -> usize {
        self.keys.iter().filter(|other| other.state == keys.state).count()
    }
    fn board_occurrences(&self, keys: Keys) -> usize {
        self.keys.iter().filter(|other| other.board == keys.board).count()
    }
    fn first_occurrence(&self, keys: Keys) -> Option<usize> {
        self.keys.iter().position(|other| other.state == keys.state)
    }
    fn last_mover(&self) -> Option<Player> {
        self.moves.last().map(|made| made.mover)
    }
    fn captured(&self) -> &[Piece] {
        self.moves.last().map_or(&[], |made| &made.captured)
    }
}

/// The past of a game, and then a line that goes on from it: for whoever looks ahead.
pub struct Onward<'a> {
    game: &'a dyn History,
    /// What came after that past.
    pub line: Line,
}

impl<'a> Onward<'a> {
    /// Nothing has come after it yet.
    pub fn new(game: &'a dyn History) -> Self {
        Self { game, line: Line::new() }
    }
}

impl History for Onward<'_> {
    fn moves(&self) -> usize {
        self.game.moves() + self.line.moves()
    }
    fn states(&self) -> Vec<Keys> {
        let mut states = self.game.states();
        states.extend(self.line.states());
        states
    }
    fn occurrences(&self, keys: Keys) -> usize {
        self.game.occurrences(keys) + self.line.occurrences(keys)
    }
    fn board_occurrences(&self, keys: Keys) -> usize {
        self.game.board_occurrences(keys) + self.line.board_occurrences(keys)
    }
    fn first_occurrence(&self, keys: Keys) -> Option<usize> {
        let in_line = || self.line.first_occurrence(keys).map(|moves| self.game.moves() + moves);
        self.game.first_occurrence(keys).or_else(in_line)
    }
    fn last_mover(&self) -> Option<Player> {
        self.line.last_mover().or_else(|| self.game.last_mover())
    }
    fn captured(&self) -> &[Piece] {
        if self.line.moves() > 0 { self.line.captured() } else { self.game.captured() }
    }
}
