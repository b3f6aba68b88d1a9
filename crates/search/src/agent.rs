//! What an agent is asked, and what it answers.

use std::fmt;
use std::sync::Arc;

use crate::analysis::{Analysis, Line};
use dagaz_engine::{Executor, Fault, History, Move, State};

use crate::evaluation::Weights;

/// Whoever chooses moves. It holds no game: everything it needs is in the question.
pub trait Agent: Send + Sync {
    /// Its name with its settings, as an [`AgentSpec`](crate::AgentSpec) is written without its limits.
    fn name(&self) -> String;

    /// Tells it what training has found out about rules that it may be asked about. Who learns nothing needs nothing.
    fn learn(&self, _weights: &Arc<Weights>) {}

    /// Chooses a legal move. Always answers with one, even when told to stop at once.
    ///
    /// The same question gives the same answer, as long as `keep_going` answers the same.
    fn choose(&self, ask: &Ask<'_>) -> Result<Choice, NoChoice>;

    /// The best `count` lines of play, as far as the question allows; `report` is told of each improvement. An agent that compares no
    /// moves has one line.
    fn analyze(&self, ask: &Ask<'_>, count: usize, report: &mut dyn FnMut(&Analysis)) -> Result<Analysis, NoChoice> {
        let Choice { score, line, nodes, depth, .. } = self.choose(ask)?;
        let lines = vec![Line { score, moves: line }].into_iter().take(count).collect();
        let found = Analysis { lines, nodes, depth };
        report(&found);
        Ok(found)
    }
}

/// One question to an agent.
pub struct Ask<'a> {
    /// The rules, and how they are run.
    pub executor: &'a dyn Executor,
    /// The state to move in; it may be in the middle of a move.
    pub state: &'a State,
    /// What came before that state.
    pub history: &'a dyn History,
    /// How much may be looked at.
    pub budget: Budget,
    /// Asked again and again: false ends the search. The core has no clock of its own.
    pub keep_going: &'a dyn Fn() -> bool,
    /// What the agent's chance depends on.
    pub seed: u64,
}

/// How much an agent may look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// States for alpha-beta, playouts for Monte Carlo; without it as many as `keep_going` lets it.
    pub nodes: Option<u64>,
    /// Whole moves of alpha-beta's look-ahead, those of all players and of chance counted.
    pub depth: Option<u32>,
}

/// An agent's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move: all steps from the state that was asked about to the end of the turn.
    pub chosen: Move,
    /// What it is worth to the player who makes it, when the agent has an opinion.
    pub score: Option<Score>,
    /// The whole moves that the agent expects, the chosen one first.
    pub line: Vec<Move>,
    /// How many states or playouts it took.
    pub nodes: u64,
    /// How many whole moves ahead the agent looked in every line; 0 when it does not work that way.
    pub depth: u32,
}

/// What a move is worth to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// A certain win, with the win this many moves of all players away.
    Win(u32),
    /// A certain loss, the same way.
    Loss(u32),
    /// An estimate: hundredths of a piece more than the adversaries have.
    Pieces(i32),
    /// An estimate: thousandths of a whole win that the player may expect; a draw is half a win.
    Expected(u32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(moves) => write!(f, "wins in {moves}"),
            Self::Loss(moves) => write!(f, "loses in {moves}"),
            Self::Pieces(hundredths) => {
                let sign = if *hundredths < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100)
            }
            Self::Expected(thousandths) => write!(f, "{}.{} %", thousandths / 10, thousandths % 10),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoChoice {
    /// Nothing is left to choose.
    #[error("the game is over")]
    Over,
    /// The rules could not be run.
    #[error(transparent)]
    Fault(#[from] Fault),
}
