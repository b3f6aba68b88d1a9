//! Counts moves, to check move generation against other programs and against tables.
//!
//! What is counted is *moves*: a chain of captures is one, whatever the number of its steps; moves of one turn that lead to the
//! same state by different paths are one, as in the tables of the field (states that differ in nothing but the known
//! fields `last-from` and `last-to` are the same here); a forced pass is one; a game that is over has none.

use std::collections::BTreeSet;

use crate::executor::{Executor, Fault, Limits, Situation};
use crate::history::{History, Onward};
use crate::state::State;
use crate::step::{Move, Step};

/// How many sequences of `depth` moves there are from a state with this past.
pub fn perft(
    executor: &(impl Executor + ?Sized),
    state: &State,
    history: &dyn History,
    depth: u32,
) -> Result<u64, Fault> {
    moves_below(executor, state, &mut Onward::new(history), depth)
}

fn moves_below(
    executor: &(impl Executor + ?Sized),
    state: &State,
    past: &mut Onward<'_>,
    depth: u32,
) -> Result<u64, Fault> {
    if depth == 0 {
        return Ok(1);
    }
    let moves = open_moves(executor, state, past)?;
    if depth == 1 {
        return Ok(moves.len() as u64);
    }
    let (mut count, mut scratch) = (0, state.clone());
    for made in &moves {
        count += below(executor, &mut scratch, past, made, depth - 1)?;
    }
    Ok(count)
}

/// The same for each first move apart, in the order of the moves. `depth` is at least 1.
pub fn divide(
    executor: &(impl Executor + ?Sized),
    state: &State,
    history: &dyn History,
    depth: u32,
) -> Result<Vec<(Move, u64)>, Fault> {
    let (mut scratch, mut past) = (state.clone(), Onward::new(history));
    let moves = open_moves(executor, state, &past)?.into_iter();
    moves
        .map(|made| below(executor, &mut scratch, &mut past, &made, depth.saturating_sub(1)).map(|count| (made, count)))
        .collect()
}

/// How many sequences of `depth` steps there are: parts of moves count one each, and all paths count.
pub fn perft_steps(
    executor: &(impl Executor + ?Sized),
    state: &State,
    history: &dyn History,
    depth: u32,
) -> Result<u64, Fault> {
    steps_below(executor, state, &mut Onward::new(history), depth)
}

fn steps_below(
    executor: &(impl Executor + ?Sized),
    state: &State,
    past: &mut Onward<'_>,
    depth: u32,
) -> Result<u64, Fault> {
    if depth == 0 {
        return Ok(1);
    }
    let Situation::Open(steps) = executor.situation(state, past)? else { return Ok(0) };
    if depth == 1 {
        return Ok(steps.len() as u64);
    }
    let (mut count, mut scratch) = (0, state.clone());
    let mover = executor.to_move(state);
    for step in &steps {
        let undo = executor.apply(&mut scratch, step)?;
        past.line.push(state.keys(), mover, &undo);
        let below = steps_below(executor, &scratch, past, depth - 1);
        past.line.pop();
        executor.undo(&mut scratch, &undo);
        count += below?;
    }
    Ok(count)
}

/// All moves of the turn, whole, in the order of their steps, whether or not the game is over; of those that lead to the
/// same state the first. In the middle of a move: all its ends.
pub fn whole_moves(
    executor: &(impl Executor + ?Sized),
    state: &State,
    history: &dyn History,
) -> Result<Vec<Move>, Fault> {
    let steps = executor.steps(state, history)?;
    complete(executor, state, history, steps)
}

fn open_moves(executor: &(impl Executor + ?Sized), state: &State, past: &Onward<'_>) -> Result<Vec<Move>, Fault> {
    match executor.situation(state, past)? {
        Situation::Over(_) => Ok(Vec::new()),
        Situation::Open(steps) => complete(executor, state, past, steps),
    }
}

/// Makes a move, counts, and takes it back.
fn below(
    executor: &(impl Executor + ?Sized),
    state: &mut State,
    past: &mut Onward<'_>,
    made: &Move,
    depth: u32,
) -> Result<u64, Fault> {
    let mut undos = Vec::with_capacity(made.steps.len());
    for step in &made.steps {
        let (before, mover) = (state.keys(), executor.to_move(state));
        let undo = executor.apply(state, step)?;
        past.line.push(before, mover, &undo);
        undos.push(undo);
    }
    let count = moves_below(executor, state, past, depth);
    for undo in undos.iter().rev() {
        past.line.pop();
        executor.undo(state, undo);
    }
    count
}

/// The moves that begin with these steps. A loop rather than a recursion: a chain may be longer than the stack is deep.
fn complete(
    executor: &(impl Executor + ?Sized),
    state: &State,
    history: &dyn History,
    steps: Vec<Step>,
) -> Result<Vec<Move>, Fault> {
    let limit = Limits::default().chain;
    let (mut moves, mut ends) = (Vec::new(), BTreeSet::new());
    let mut scratch = state.clone();
    // For each step of the move that is being made: how to take it back, and what else could have been done; last first.
    let mut made = Move::default();
    let mut undos = Vec::new();
    let mut alternatives = vec![reversed(steps)];
    while let Some(rest) = alternatives.last_mut() {
        let Some(step) = rest.pop() else {
            alternatives.pop();
            if let Some(undo) = undos.pop() {
                executor.undo(&mut scratch, &undo);
                made.steps.pop();
            }
            continue;
        };
        let undo = executor.apply(&mut scratch, &step)?;
        made.steps.push(step);
        if undo.ends_move {
            if ends.insert(without_last(executor, &scratch)) {
                moves.push(made.clone());
            }
            executor.undo(&mut scratch, &undo);
            made.steps.pop();
        } else if made.steps.len() >= limit {
            return Err(Fault::EndlessChain { limit });
        } else {
            undos.push(undo);
            alternatives.push(reversed(executor.steps(&scratch, history)?));
        }
    }
    Ok(moves)
}

fn reversed(mut steps: Vec<Step>) -> Vec<Step> {
    steps.reverse();
    steps
}

/// All cells of the state, but that where the last step went does not matter: moves that lead to equal ones are one.
pub fn without_last(executor: &(impl Executor + ?Sized), state: &State) -> Box<[i32]> {
    let mut cells: Box<[i32]> = state.cells().into();
    let layout = executor.layout();
    for field in [layout.known.last_from, layout.known.last_to].into_iter().flatten() {
        cells[layout.global(field).0 as usize] = 0;
    }
    cells
}
