//! Whether another executor says what the first one says: a law for [`battery_with`](crate::battery_with()).

use crate::battery::Moment;
use crate::executor::{Executor, Fault};
use crate::history::{History, NoHistory};
use crate::perft::whole_moves;
use crate::state::{State, Undo};
use crate::step::Step;

/// How often all listed steps are made by both: at each of so many moments.
const STRIDE: usize = 3;

/// How many steps whole moves may come to: where there are more they are not gone through.
const STEPS: usize = 2_000;

/// Compares what another executor says of a moment of a game with what its own executor says: the situation, the steps in
/// their order, the states after each of them, and how many moves they make. `ply` counts the moments. Where the own executor
/// gives up there is nothing to agree on: each counts work in its own way.
pub fn agree(other: &dyn Executor, moment: &Moment<'_>, ply: usize) -> Result<(), String> {
    let &Moment { executor, state, line, .. } = moment;
    let (own, theirs) = (executor.situation(state, line), other.situation(state, line));
    same("situation", &own, &theirs)?;
    let (own, theirs) = (executor.steps(state, line), other.steps(state, line));
    same("list of steps", &own, &theirs)?;
    let Ok(steps) = own else { return Ok(()) };
    if !ply.is_multiple_of(STRIDE) {
        return Ok(());
    }
    for step in &steps {
        agree_on_step(executor, other, state, step)?;
    }
    if !are_few(executor, state, &NoHistory, 1, STEPS) {
        return Ok(());
    }
    let count = |executor: &dyn Executor| whole_moves(executor, state, &NoHistory).map(|moves| moves.len());
    same("number of whole moves", &count(executor), &count(other))
}

/// Whether the moves from a state, `depth` of them after each other, have no more steps than `most` in all. Where a fault
/// comes in between there are none further. The past stays as it is.
pub fn are_few(executor: &dyn Executor, state: &State, history: &dyn History, depth: u32, most: usize) -> bool {
    let mut left = most;
    walk(executor, &mut state.clone(), history, depth, &mut left).is_some()
}

/// Counts the steps down; gives nothing when there are more.
fn walk(executor: &dyn Executor, state: &mut State, history: &dyn History, depth: u32, left: &mut usize) -> Option<()> {
    let steps = executor.steps(state, history).unwrap_or_default();
    *left = left.checked_sub(steps.len())?;
    for step in &steps {
        if depth == 1 && step.chain.is_none() {
            continue;
        }
        let Ok(undo) = executor.apply(state, step) else { continue };
        let below = depth - u32::from(undo.ends_move);
        let few = if below > 0 { walk(executor, state, history, below, left) } else { Some(()) };
        executor.undo(state, &undo);
        few?;
    }
    Some(())
}

fn agree_on_step(own: &dyn Executor, other: &dyn Executor, state: &State, step: &Step) -> Result<(), String> {
    let (mut mine, mut theirs) = (state.clone(), state.clone());
    let (made, made_by_other) = (own.apply(&mut mine, step), other.apply(&mut theirs, step));
    if made.is_err() {
        return Ok(());
    }
    if mine != theirs {
        let differ: Vec<_> =
            (0..mine.cells().len()).filter(|&cell| mine.cells()[cell] != theirs.cells()[cell]).collect();
        return Err(format!("{step:?} leads to states that differ in the cells {differ:?}, or in their hashes"));
    }
    if let Ok(undo) = &made_by_other {
        other.undo(&mut theirs, undo);
        if theirs != *state {
            return Err(format!("{step:?} is not taken back"));
        }
    }
    let summary = |undo: Result<Undo, Fault>| undo.map(|undo| (undo.captured, undo.ends_move));
    same(&format!("way in which {step:?} is made"), &summary(made), &summary(made_by_other))
}

fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    own: &Result<T, Fault>,
    theirs: &Result<T, Fault>,
) -> Result<(), String> {
    if own.is_err() || own == theirs { Ok(()) } else { Err(format!("the {what}: {own:#?} and {theirs:#?}")) }
}
