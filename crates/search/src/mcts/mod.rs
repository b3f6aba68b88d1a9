//! Monte Carlo tree search: UCT (Kocsis and Szepesvári 2006) with playouts by the executor.
//!
//! Each node stands for a state and belongs to the player to move there, who prefers the step that did best *for him*;
//! so one player, two, or many are all the same (max-n). Chance nodes are sampled. What playouts say of all moves that put
//! a piece on the same site guides steps that were seldom tried (`amaf`); what is won or lost for certain is backed up and
//! not tried again (MCTS-Solver, Winands, Björnsson and Saito 2008); and where material says something, its minimax over
//! the tree is mixed in (implicit minimax backups, Lanctot et al. 2014).
//!
//! All sums are whole numbers and the logarithm is our own: the same seed, executor and number of playouts give the same
//! move on every platform.

mod amaf;
mod material;
mod tree;
mod unseen;

use dagaz_engine::{Move, Situation};

use crate::agent::{Agent, Ask, Choice, NoChoice, Score};
use crate::analysis::{Analysis, Line};
use crate::walk::{Walk, whole_moves};

use tree::{ROOT, Tree, WHOLE};
pub(crate) use unseen::Unseen;

/// The Monte Carlo agent; its limits come with each question.
#[derive(Clone, Copy, Debug)]
pub struct Mcts {
    /// Playouts longer than this many moves are valued by the pieces that are left.
    pub playout_limit: u32,
    /// How much is explored.
    pub tuning: Tuning,
}

/// The constants of the search.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// How much the upper bound of a step grows with its uncertainty.
    pub exploration: f64,
    /// The same where playouts tell about sites.
    pub exploration_with_sites: f64,
    /// By how much a step that was never tried is thought worse than its state.
    pub first_play: f64,
    /// How many playouts a node must know of before it tells its descendants about sites.
    pub sites_after: u32,
    /// How soon a step's own playouts outweigh those of its site.
    pub sites_bias: f64,
    /// How much of a value is the minimax of material.
    pub material: f64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            exploration: 0.7,
            exploration_with_sites: 0.2,
            first_play: 0.0,
            sites_after: 30,
            sites_bias: 0.002,
            material: 0.2,
        }
    }
}

impl Default for Mcts {
    fn default() -> Self {
        Self { playout_limit: 1000, tuning: Tuning::default() }
    }
}

impl Agent for Mcts {
    fn name(&self) -> String {
        "mcts".to_owned()
    }

    fn analyze(&self, ask: &Ask<'_>, count: usize, report: &mut dyn FnMut(&Analysis)) -> Result<Analysis, NoChoice> {
        if let Situation::Over(_) = Walk::new(ask).situation()? {
            return Err(NoChoice::Over);
        }
        let mut tree = Tree::new(self.tuning, self.playout_limit, ask);
        let mut wanted = FIRST_REPORT;
        loop {
            let most = ask.budget.nodes.map_or(wanted, |nodes| nodes.min(wanted));
            tree.grow(most)?;
            let lines = tree
                .ranked(count)
                .into_iter()
                .map(|(score, steps)| whole_moves(ask, &steps).map(|moves| Line { score: Some(score), moves }));
            let found = Analysis { lines: lines.collect::<Result<_, _>>()?, nodes: tree.playouts(), depth: 0 };
            report(&found);
            let done = ask.budget.nodes.is_some_and(|nodes| tree.playouts() >= nodes);
            if done || tree.is_settled(ROOT) || !(ask.keep_going)() {
                return Ok(found);
            }
            wanted = wanted.saturating_mul(2);
        }
    }

    fn choose(&self, ask: &Ask<'_>) -> Result<Choice, NoChoice> {
        if let Situation::Over(_) = Walk::new(ask).situation()? {
            return Err(NoChoice::Over);
        }
        let mut tree = Tree::new(self.tuning, self.playout_limit, ask);
        let me = tree.mover(ROOT);
        let mut steps = Vec::new();
        let mut at = Some(ROOT);
        let mut score = None;
        // The steps of one move: each is searched for anew, on the tree that the steps before it have left.
        while let Some(node) = at.filter(|&node| tree.mover(node) == me) {
            tree.grow_from(node, &steps)?;
            let Some(best) = tree.best(node) else { break };
            steps.push(best.step);
            at = best.child;
            let Some(child) = best.child else { break };
            if node == ROOT {
                score = Some(tree.score(child, me));
            }
            if tree.starts_move(child) {
                steps.extend(tree.line(child));
                break;
            }
        }
        let line = whole_moves(ask, &steps)?;
        let chosen: Move = line.first().cloned().unwrap_or_default();
        Ok(Choice { chosen, score, line, nodes: tree.playouts(), depth: 0 })
    }
}

/// After so many playouts an analysis tells of its lines first, and then each time there are twice as many.
const FIRST_REPORT: u64 = 256;

/// What a number of points is worth.
fn expected(points: u64, visits: u64) -> Score {
    Score::Expected((points * 1000 / (WHOLE * visits.max(1))) as u32)
}
