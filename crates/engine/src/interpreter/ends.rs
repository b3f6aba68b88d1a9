//! Whether the game is over.

use std::cell::OnceCell;

use dagaz_ir::{End, Expr, Op, Player, Verdict};

use super::{Interpreter, Machine, Meter};
use crate::executor::{Executor, Fault, Outcome, Situation};
use crate::history::History;
use crate::state::State;
use crate::step::Step;

/// What only ends may ask: the past, and the moves that there are.
pub(super) struct Asked<'a> {
    engine: &'a Interpreter,
    state: &'a State,
    pub(super) history: &'a dyn History,
    steps: OnceCell<Vec<Step>>,
}

impl Asked<'_> {
    /// The legal steps, computed when they are first asked for.
    fn steps(&self) -> Result<&[Step], Fault> {
        if let Some(steps) = self.steps.get() {
            return Ok(steps);
        }
        let steps = self.engine.steps(self.state, self.history)?;
        Ok(self.steps.get_or_init(|| steps))
    }

    pub(super) fn move_count(&self) -> Result<usize, Fault> {
        self.steps().map(<[Step]>::len)
    }
}

/// Whether an end's condition asks for the number of moves.
pub(super) fn counts_moves(expr: &Expr) -> bool {
    expr.op == Op::MoveCount || expr.args.iter().any(counts_moves)
}

impl Interpreter {
    /// In the middle of a move nothing ends. Else the ends are asked in order, each for its players in order, and the first that
    /// is true decides; before the first move only those that ask for the number of moves. If none is, a player without
    /// a step has drawn.
    pub(super) fn stand(&self, state: &State, history: &dyn History) -> Result<Situation, Fault> {
        if self.chain(state).is_some() {
            return self.steps(state, history).map(Situation::Open);
        }
        let asked = Asked { engine: self, state, history, steps: OnceCell::new() };
        for (index, end) in self.rules.ends.iter().enumerate() {
            if history.moves() == 0 && !self.tables.counts_moves[index] {
                continue;
            }
            for &player in &end.players {
                let meter = Meter::new(self.limits.work);
                let mut machine = Machine::new(self, state, player, &meter).asked(&asked);
                if machine.holds(&end.condition, &end.name, end.origin)? {
                    let scores = self.scores(state, end, &asked)?;
                    return Ok(Situation::Over(Outcome::decided(&self.rules, index, player, scores)));
                }
            }
        }
        asked.steps()?;
        match asked.steps.into_inner() {
            Some(steps) if !steps.is_empty() => Ok(Situation::Open(steps)),
            _ => Ok(Situation::Over(Outcome::stuck(&self.rules))),
        }
    }

    /// What each player scored, where the end compares scores.
    fn scores(&self, state: &State, end: &End, asked: &Asked<'_>) -> Result<Option<Box<[i32]>>, Fault> {
        let score = |player| match &end.result {
            Verdict::Count => Ok(self.count(state, player) as i32),
            Verdict::Score(score) => {
                let meter = Meter::new(self.limits.work);
                Machine::new(self, state, player, &meter).asked(asked).score(score, &end.name, end.origin)
            }
            Verdict::Win | Verdict::Loss | Verdict::Draw => Ok(0),
        };
        let compares = matches!(end.result, Verdict::Count | Verdict::Score(_));
        compares.then(|| self.rules.players.ids().map(score).collect()).transpose()
    }

    /// How many pieces the player has on the board.
    fn count(&self, state: &State, player: Player) -> usize {
        let pieces = self.topology().sites().filter_map(|site| self.piece(state, site));
        pieces.filter(|piece| piece.owner == player).count()
    }
}
