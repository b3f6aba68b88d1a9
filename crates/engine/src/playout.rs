//! Plays at random.

use dagaz_base::Random;

use crate::executor::{Executor, Fault, Outcome, Situation};
use crate::history::Line;
use crate::state::State;

/// How a random game went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How it ended; nothing when the limit came first.
    pub outcome: Option<Outcome>,
    /// How many steps were made.
    pub steps: usize,
}

/// Makes steps at random, each legal step equally likely, until the game is over or `limit` steps are made. The line is the
/// state's past; both go along with the game.
pub fn playout(
    executor: &dyn Executor,
    state: &mut State,
    line: &mut Line,
    random: &mut Random,
    limit: usize,
) -> Result<Playout, Fault> {
    let mut made = 0;
    loop {
        let steps = match executor.situation(state, line)? {
            Situation::Over(outcome) => return Ok(Playout { outcome: Some(outcome), steps: made }),
            Situation::Open(steps) => steps,
        };
        if made >= limit {
            return Ok(Playout { outcome: None, steps: made });
        }
        let step = random.choose(&steps).expect("an open situation has a step");
        let (before, mover) = (state.keys(), executor.to_move(state));
        let undo = executor.apply(state, step)?;
        line.push(before, mover, &undo);
        made += 1;
    }
}
