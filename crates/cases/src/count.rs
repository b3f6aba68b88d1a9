//! Counts of moves, with word of how far they are.

use dagaz_engine::{Fault, Onward, Situation, whole_moves};
use dagaz_play::Play;

/// How many sequences of `depth` moves there are. Tells how many more it has found after each first move.
pub(crate) fn count(play: &Play, depth: u32, found: &mut dyn FnMut(u64)) -> Result<u64, Fault> {
    let executor = &**play.executor();
    let history = play.past();
    let mut past = Onward::new(&history);
    if depth < 2 {
        let count = executor.count(play.state(), &past, depth)?;
        found(count);
        return Ok(count);
    }
    let moves = match play.situation().map_err(Clone::clone)? {
        Situation::Over(_) => Vec::new(),
        Situation::Open(_) => whole_moves(executor, play.state(), &past)?,
    };
    let mut total = 0;
    for first in &moves {
        let mut state = play.state().clone();
        for step in &first.steps {
            let (before, mover) = (state.keys(), executor.to_move(&state));
            let undo = executor.apply(&mut state, step)?;
            past.line.push(before, mover, &undo);
        }
        let below = executor.count(&state, &past, depth - 1)?;
        first.steps.iter().for_each(|_| past.line.pop());
        found(below);
        total += below;
    }
    Ok(total)
}
