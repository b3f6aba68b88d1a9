//! Alpha-beta for any game: iterative deepening with aspiration windows around a principal variation search.
//!
//! Chance turns are averaged over all their steps (expectimax). With more than two players everybody else is taken to play
//! against the one who asks (paranoid search, Sturtevant and Korf 2000), or each for himself (max-n, Luckhardt and Irani
//! 1986). What a state is worth that is not over says the [evaluation](crate::evaluation), which comes from the rules.

mod nature;
mod order;
mod quiet;
mod search;
mod several;
mod table;
mod values;

use std::sync::{Arc, Mutex, PoisonError};

use dagaz_engine::{Fault, Move, Situation, Step};

use self::search::{Halt, Search};
use self::values::{INFINITE, WIN, is_proven, score};
use crate::agent::{Agent, Ask, Choice, NoChoice};
use crate::analysis::{Analysis, by_depth};
use crate::evaluation::{Evaluation, Prepared, Weights};
use crate::walk::{Walk, whole_moves};

/// The alpha-beta agent; its limits come with each question.
///
/// What it learns of rules before its first move it keeps: that depends on the rules alone.
#[derive(Debug, Default)]
pub struct AlphaBeta {
    /// How others are taken to play in games of three and more.
    pub others: Others,
    prepared: Mutex<Prepared>,
}

/// How others are taken to play, in games of more than two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// All against the one who asks.
    #[default]
    Paranoid,
    /// Each for himself.
    MaxN,
}

impl AlphaBeta {
    /// An agent that takes others to play like this.
    pub fn with_others(others: Others) -> Self {
        Self { others, ..Self::default() }
    }
}

impl Agent for AlphaBeta {
    fn name(&self) -> String {
        match self.others {
            Others::Paranoid => "alphabeta".to_owned(),
            Others::MaxN => "alphabeta:max-n".to_owned(),
        }
    }

    fn analyze(&self, ask: &Ask<'_>, count: usize, report: &mut dyn FnMut(&Analysis)) -> Result<Analysis, NoChoice> {
        by_depth(self, ask, count, report)
    }

    fn learn(&self, weights: &Arc<Weights>) {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner).take(weights.clone());
    }

    fn choose(&self, ask: &Ask<'_>) -> Result<Choice, NoChoice> {
        if let Situation::Over(_) = Walk::new(ask).situation()? {
            return Err(NoChoice::Over);
        }
        let evaluation = Prepared::evaluation(&self.prepared, ask)?;
        if self.others == Others::MaxN && several::are_many(ask.executor.rules()) {
            return several::choose(ask, &evaluation);
        }
        let (best, nodes) = deepen(ask, &evaluation)?;
        let line = whole_moves(ask, &best.line)?;
        let chosen: Move = line.first().cloned().unwrap_or_default();
        Ok(Choice { chosen, score: best.value.map(score), line, nodes, depth: best.depth })
    }
}

/// The move that a search chooses, and a walk to the end of what it expects; none where it expects nothing.
pub(crate) fn expected<'a>(ask: &Ask<'a>, evaluation: &Evaluation) -> Result<(Move, Option<Walk<'a>>), Fault> {
    let (best, _) = deepen(ask, evaluation)?;
    let chosen = whole_moves(ask, &best.line)?.first().cloned().unwrap_or_default();
    if best.value.is_none_or(is_proven) {
        return Ok((chosen, None));
    }
    let mut walk = Walk::new(ask);
    for step in &best.line {
        walk.make(step)?;
    }
    Ok((chosen, Some(walk)))
}

/// No search goes deeper, so that the stack is safe.
const DEEPEST: u32 = 200;
/// From this depth on a search expects about the value of the one before.
const EXPECTING: u32 = 4;
/// How far the value may be from that at first: half a piece.
const WINDOW: i32 = 50;

/// What a finished search found.
#[derive(Default)]
struct Found {
    value: Option<i32>,
    line: Vec<Step>,
    depth: u32,
}

/// Looks ever further, and at last for shorter ways.
fn deepen(ask: &Ask<'_>, evaluation: &Evaluation) -> Result<(Found, u64), Fault> {
    let mut search = Search::new(ask, evaluation);
    let mut best = Found::default();
    for depth in 1..=ask.budget.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST) {
        match expect(&mut search, depth, best.value) {
            Ok((value, line)) => best = Found { value: Some(value), line, depth },
            Err(Halt::Fault(fault)) => return Err(fault),
            Err(Halt::Stop) => {
                // The old best step is looked at first: whatever an unfinished search prefers, it found better.
                if let Some((value, line)) = search.at_root.take() {
                    best = Found { value: Some(value), line, depth: best.depth };
                }
                break;
            }
        }
        if !search.was_cut || best.value.is_some_and(is_proven) {
            break;
        }
    }
    match shorten(&mut search, &mut best) {
        Ok(()) | Err(Halt::Stop) => Ok((best, search.nodes)),
        Err(Halt::Fault(fault)) => Err(fault),
    }
}

/// The value of the root, which is expected near another.
fn expect(search: &mut Search<'_>, depth: u32, near: Option<i32>) -> Result<(i32, Vec<Step>), Halt> {
    let (mut low, mut high) = match near {
        Some(value) if depth >= EXPECTING && !is_proven(value) => (value - WINDOW, value + WINDOW),
        _ => (-INFINITE, INFINITE),
    };
    loop {
        let (value, line) = search.look(depth, low, high, false)?;
        if value <= low && low > -INFINITE {
            low = if value > low - WINDOW { low - 4 * WINDOW } else { -INFINITE };
        } else if value >= high && high < INFINITE {
            high = if value < high + WINDOW { high + 4 * WINDOW } else { INFINITE };
        } else {
            return Ok((value, line));
        }
    }
}

/// A win that was found may not be the nearest, for much was looked at less deeply: looks for nearer ones in full, until
/// there is none.
fn shorten(search: &mut Search<'_>, best: &mut Found) -> Result<(), Halt> {
    while let Some(value) = best.value.filter(|&value| is_proven(value)) {
        let distance = WIN - value.abs();
        if distance <= 1 {
            break;
        }
        let depth = distance as u32 - 1;
        let (low, high) = if value > 0 { (value, value + 1) } else { (value - 1, value) };
        let (found, mut line) = search.look(depth, low, high, true)?;
        let mut nearer = found;
        if value > 0 && found <= value || value < 0 && found >= value {
            break;
        }
        if value < 0 {
            (nearer, line) = search.look(depth, -INFINITE, value, true)?;
        }
        *best = Found { value: Some(nearer), line, depth };
    }
    Ok(())
}
