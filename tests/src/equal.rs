//! Whether compiled rules do what the reference interpreter does.

mod lengths;

use std::sync::Arc;

use dagaz_engine::battery::{Law, Report};
use dagaz_engine::{Executor, Interpreter, Limits, Moment, Step, StepRule, agree, are_few, battery_with, perft};
use dagaz_engine_wasm::{Refusal, Wasm};
use dagaz_ir::Rules;

/// How often moves are counted: at each of so many moments.
const STRIDE: usize = 3;

/// How many steps the moves may have that are counted.
const STEPS: usize = 300;

/// What came of a comparison in which no difference was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Nothing differs; what the games looked like.
    Same(Report),
    /// Nothing differs as far as it goes: the rules do not come to an end.
    Endless,
    /// The rules are too large to be compiled.
    Refused,
}

/// Compares what rules mean to the interpreter and as a module: at every moment of random games, which are those of
/// [`battery`](dagaz_engine::battery()).
pub fn compare(rules: &Arc<Rules>, limits: Limits, games: u32, plies: usize, seed: u64) -> Result<Compared, String> {
    let compiled = match Wasm::with_limits(rules.clone(), limits) {
        Ok(compiled) => compiled,
        Err(Refusal::TooLarge | Refusal::NoRoom) => return Ok(Compared::Refused),
    };
    let mut ply = 0;
    let executor = Interpreter::with_limits(rules.clone(), limits);
    let played = battery_with(&executor, games, plies, seed, &mut |moment| {
        ply += 1;
        agree(&compiled, &moment, ply)?;
        drawable_agree(&compiled, &moment)?;
        if !ply.is_multiple_of(STRIDE) || executor.chain(moment.state).is_some() {
            // In the midst of a move a module takes the state that it is given for the start of one.
            return Ok(());
        }
        counts_agree(&compiled, &moment)?;
        lengths::agree(&compiled, &moment)
    });
    match played {
        Ok(report) => Ok(Compared::Same(report)),
        Err(broken) if matches!(broken.law, Law::RulesEnd(_)) => Ok(Compared::Endless),
        Err(broken) => Err(broken.to_string()),
    }
}

/// Compares the legal steps with those that playouts draw from.
fn drawable_agree(compiled: &Wasm, moment: &Moment<'_>) -> Result<(), String> {
    let &Moment { executor, state, line, .. } = moment;
    if executor.chain(state).is_some() {
        return Ok(());
    }
    let (Ok(own), Ok(theirs)) = (executor.steps(state, line), compiled.drawable(state, line)) else { return Ok(()) };
    let sorted = |steps: Vec<Step>| {
        let steps = steps.into_iter().filter(|step| matches!(step.rule, StepRule::Rule(_)));
        let mut steps: Vec<String> = steps.map(|step| format!("{step:?}")).collect();
        steps.sort_unstable();
        steps
    };
    let (own, theirs) = (sorted(own), sorted(theirs));
    if own != theirs {
        return Err(format!("playouts draw from other steps than there are:\n{theirs:#?}\n{own:#?}"));
    }
    Ok(())
}

/// Compares how many moves there are, and how many of two after each other.
fn counts_agree(compiled: &Wasm, moment: &Moment<'_>) -> Result<(), String> {
    let &Moment { executor, state, line, .. } = moment;
    for depth in 1..=2 {
        if !are_few(executor, state, line, depth, STEPS) {
            break;
        }
        let own = perft(executor, state, line, depth);
        let theirs = compiled.perft(state, line, depth);
        if let (Ok(own), Ok(theirs)) = (own, theirs)
            && own != theirs
        {
            return Err(format!("there are {own} and {theirs} moves at depth {depth}"));
        }
    }
    Ok(())
}
