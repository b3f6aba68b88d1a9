//! Whether the random games of a module are as long as they should be, and are won by whom they should be. What they should be is computed from all moves that
//! there are: where few are, that needs no drawing.

use dagaz_engine::{
    Executor, Fault, History, Line, Moment, Move, Share, Situation, State, Tally, are_few, tally, whole_moves,
};
use dagaz_engine_wasm::Wasm;
use dagaz_ir::{Next, Stmt, StmtKind};

/// The most moves of a game.
const LIMIT: u32 = 2;

/// How many steps the moves may have that are gone through.
const STEPS: usize = 300;

/// How many games a module plays.
const GAMES: u32 = 200;

/// How far from what is expected a sum over all games may be, in standard deviations: that something is beyond by chance is
/// less likely than one in a hundred thousand millions.
const TOLERANCE: f64 = 7.0;

/// What is expected of one random game.
#[derive(Clone, Debug, Default)]
struct Expected {
    moves: f64,
    /// The square of that number.
    squares: f64,
    /// The probability that it is over before it is too long.
    finished: f64,
    /// What each player has of it, and the squares of that.
    points: Vec<(f64, f64)>,
    /// Where pieces of each player may stand when it is left.
    held: Vec<Vec<u64>>,
}

/// Compares the sums over many short games with what is to be expected.
pub(super) fn agree(compiled: &Wasm, moment: &Moment<'_>) -> Result<(), String> {
    let &Moment { executor, state, line, .. } = moment;
    if !are_few(executor, state, line, LIMIT, STEPS) {
        return Ok(());
    }
    let found = compiled.tally(state, line, GAMES, LIMIT, line.moves() as u64);
    let expected = expected(executor, &mut state.clone(), &mut line.clone(), LIMIT);
    let played = compiled.playouts(state, line, GAMES, LIMIT, line.moves() as u64);
    let (Ok(expected), Ok(played), Ok(found)) = (expected, played, found) else { return Ok(()) };
    let games = f64::from(GAMES);
    let variance = |mean: f64, squares: f64| (squares - mean * mean).max(0.0);
    let mut sums = vec![
        ("moves", played.moves, expected.moves, variance(expected.moves, expected.squares)),
        ("finished games", played.finished, expected.finished, variance(expected.finished, expected.finished)),
        ("moves with points", found.moves, expected.moves, variance(expected.moves, expected.squares)),
        (
            "games with points",
            u64::from(GAMES) - found.open,
            expected.finished,
            variance(expected.finished, expected.finished),
        ),
    ];
    let none = (0.0, 0.0);
    for (player, &points) in found.points.iter().enumerate() {
        let &(mean, squares) = expected.points.get(player).unwrap_or(&none);
        sums.push(("points", points, mean, variance(mean, squares)));
    }
    if !expected.held.contains(&found.held) {
        return Err(format!("a game leaves pieces at {:x?}, which no game does", found.held));
    }
    for (what, sum, mean, variance) in sums {
        let beyond = (sum as f64 - mean * games).abs() - TOLERANCE * (variance * games).sqrt();
        if beyond > 1e-6 {
            return Err(format!("{GAMES} games have {sum} {what}, where {} are expected", mean * games));
        }
    }
    Ok(())
}

fn expected(executor: &dyn Executor, state: &mut State, line: &mut Line, limit: u32) -> Result<Expected, Fault> {
    let steps = match executor.situation(state, line)? {
        Situation::Over(outcome) => {
            let points = outcome.shares.iter().map(|share| match share {
                Share::Win => (2.0, 4.0),
                Share::Draw => (1.0, 1.0),
                Share::Loss | Share::None => (0.0, 0.0),
            });
            return Ok(Expected {
                finished: 1.0,
                points: points.collect(),
                held: held(executor, state)?,
                ..Expected::default()
            });
        }
        Situation::Open(_) if limit == 0 => {
            return Ok(Expected { held: held(executor, state)?, ..Expected::default() });
        }
        Situation::Open(steps) => steps,
    };
    // Where moves are single steps, each step is as likely as any other, even if two lead to the same state.
    let moves = if has_chains(executor) {
        whole_moves(executor, state, line)?
    } else {
        steps.into_iter().map(|step| Move { steps: vec![step] }).collect()
    };
    let (mut sum, weight) = (Expected::default(), 1.0 / moves.len() as f64);
    for made in &moves {
        let mut undos = Vec::with_capacity(made.steps.len());
        for step in &made.steps {
            let (before, mover) = (state.keys(), executor.to_move(state));
            let undo = executor.apply(state, step)?;
            line.push(before, mover, &undo);
            undos.push(undo);
        }
        let below = expected(executor, state, line, limit - 1)?;
        for undo in undos.iter().rev() {
            line.pop();
            executor.undo(state, undo);
        }
        sum.moves += weight * (1.0 + below.moves);
        sum.squares += weight * (1.0 + 2.0 * below.moves + below.squares);
        sum.finished += weight * below.finished;
        sum.points.resize(sum.points.len().max(below.points.len()), (0.0, 0.0));
        for (points, (mean, squares)) in sum.points.iter_mut().zip(below.points) {
            *points = (points.0 + weight * mean, points.1 + weight * squares);
        }
        sum.held.extend(below.held);
    }
    Ok(sum)
}

/// Where the pieces of each player stand: what is left of a game that has no moves.
fn held(executor: &dyn Executor, state: &State) -> Result<Vec<Vec<u64>>, Fault> {
    let Tally { held, .. } = tally(executor, state, &Line::new(), 1, 0, 0)?;
    Ok(vec![held])
}

/// Whether a rule makes steps after which the move may go on.
fn has_chains(executor: &dyn Executor) -> bool {
    fn goes_on(stmt: &Stmt) -> bool {
        let here = matches!(&stmt.kind, StmtKind::Emit(emit) if matches!(emit.next, Next::Again(..)));
        here || stmt.blocks().into_iter().flatten().any(goes_on)
    }
    executor.rules().rules.values().flat_map(|rule| &rule.body).any(goes_on)
}
