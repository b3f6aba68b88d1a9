//! Monte Carlo tree search: UCT (Kocsis and Szepesvári 2006) with random playouts.
//!
//! Each node stands for a state and belongs to the player to move there, who prefers the step that did best *for him*;
//! so one player, two, or many are all the same (max-n). Chance nodes are sampled. All sums are whole numbers and the
//! logarithm is our own: the same seed and number of playouts give the same move on every platform.

use dagaz_base::{Id, Random};
use dagaz_engine::{Fault, Outcome, Share, Situation, Step};
use dagaz_ir::Player;

use crate::agent::{Agent, Ask, Choice, NoChoice, Score};
use crate::logarithm::ln;
use crate::walk::{Walk, whole_moves};

/// The Monte Carlo agent; its limits come with each question.
#[derive(Clone, Copy, Debug)]
pub struct Mcts {
    /// Playouts longer than this many steps count as draws.
    pub playout_limit: u32,
}

impl Default for Mcts {
    fn default() -> Self {
        Self { playout_limit: 1000 }
    }
}

impl Agent for Mcts {
    fn name(&self) -> String {
        "mcts".to_owned()
    }

    fn choose(&self, ask: &Ask<'_>) -> Result<Choice, NoChoice> {
        let mut tree = Tree::new(self.playout_limit, ask)?;
        if let Kind::Over(_) = tree.nodes[ROOT].kind {
            return Err(NoChoice::Over);
        }
        let me = tree.nodes[ROOT].mover;
        let mut steps = Vec::new();
        let mut at = Some(ROOT);
        let mut score = None;
        // The steps of one move: each is searched for anew, on the tree that the steps before it have left.
        while let Some(node) = at.filter(|&node| tree.nodes[node].mover == me && !tree.nodes[node].is_over()) {
            tree.grow_from(node, &steps)?;
            let Some(best) = tree.most_visited(node) else { break };
            let (step, child) = (tree.nodes[node].steps[best.index].clone(), best.child);
            if node == ROOT {
                let (points, visits) = (tree.nodes[child].points, tree.nodes[child].visits.max(1));
                score = Some(Score::Expected((points * 1000 / (WHOLE * visits)) as u32));
            }
            steps.push(step);
            if tree.nodes[child].starts_move {
                break;
            }
            at = Some(child);
        }
        let line = whole_moves(ask, &steps)?;
        let chosen = line.first().cloned().unwrap_or_default();
        Ok(Choice { chosen, score, line, nodes: tree.playouts, depth: 0 })
    }
}

const ROOT: usize = 0;
/// What a win is worth; a draw is half of it.
const WHOLE: u64 = 2;
/// Once the tree holds this many steps it grows no more: some hundred megabytes.
const MOST_STEPS: usize = 2_000_000;

/// A state of the tree.
struct Node {
    mover: Player,
    kind: Kind,
    /// The legal steps, shuffled: they are tried in this order.
    steps: Vec<Step>,
    /// The nodes that they lead to, where they were tried.
    children: Vec<Option<usize>>,
    visits: u64,
    /// What the player who moved here has won by it, in halves.
    points: u64,
    /// Whether the step that led here ended the move.
    starts_move: bool,
}

enum Kind {
    Choice,
    Chance,
    /// The game is over: what each player has of it, in halves.
    Over(Vec<u64>),
}

impl Node {
    fn is_over(&self) -> bool {
        matches!(self.kind, Kind::Over(_))
    }
}

/// A tried step.
struct Tried {
    index: usize,
    child: usize,
}

struct Tree<'a> {
    ask: &'a Ask<'a>,
    walk: Walk<'a>,
    nodes: Vec<Node>,
    random: Random,
    playouts: u64,
    stored_steps: usize,
    playout_limit: u32,
}

impl<'a> Tree<'a> {
    fn new(playout_limit: u32, ask: &'a Ask<'a>) -> Result<Self, Fault> {
        let (walk, random) = (Walk::new(ask), Random::new(ask.seed));
        let mut tree = Self { ask, walk, nodes: Vec::new(), random, playouts: 0, stored_steps: 0, playout_limit };
        tree.add_node(true)?;
        Ok(tree)
    }

    /// Adds a node for the state of the walk.
    fn add_node(&mut self, starts_move: bool) -> Result<usize, Fault> {
        let (kind, mut steps) = match self.walk.situation()? {
            Situation::Over(outcome) => (Kind::Over(points_of(&outcome)), Vec::new()),
            Situation::Open(steps) if self.walk.is_chance() => (Kind::Chance, steps),
            Situation::Open(steps) => (Kind::Choice, steps),
        };
        for last in (1..steps.len()).rev() {
            steps.swap(last, self.random.below(last + 1));
        }
        self.stored_steps += steps.len();
        let children = vec![None; steps.len()];
        self.nodes.push(Node { mover: self.walk.mover(), kind, steps, children, visits: 0, points: 0, starts_move });
        Ok(self.nodes.len() - 1)
    }

    /// Makes playouts through `node`, which `steps` lead to, until it has as many as the question allows.
    fn grow_from(&mut self, node: usize, steps: &[Step]) -> Result<(), Fault> {
        if node != ROOT && self.nodes[node].steps.len() == 1 && self.nodes[node].children[0].is_some() {
            return Ok(());
        }
        // The walk has stopped on the way to the node: all questions of one move are about the same way.
        for step in &steps[self.walk.steps_made()..] {
            self.walk.make(step)?;
        }
        let enough = |visits: u64| self.ask.budget.nodes.is_some_and(|limit| visits >= limit);
        while !enough(self.nodes[node].visits) && (self.ask.keep_going)() {
            self.playout(node)?;
            self.walk.take_back_to(steps.len());
        }
        Ok(())
    }

    /// One playout: down the tree, one new node, and on at random to the end.
    fn playout(&mut self, from: usize) -> Result<(), Fault> {
        let (mut node, mut path) = (from, Vec::new());
        let points = loop {
            if let Kind::Over(points) = &self.nodes[node].kind {
                break points.clone();
            }
            let index = match self.nodes[node].kind {
                Kind::Chance => self.random.below(self.nodes[node].steps.len()),
                _ => self.select(node),
            };
            let step = self.nodes[node].steps[index].clone();
            let mover = self.nodes[node].mover;
            let ended = self.walk.make(&step)?;
            if let Some(child) = self.nodes[node].children[index] {
                path.push((child, mover));
                node = child;
                continue;
            }
            if self.stored_steps < MOST_STEPS {
                let child = self.add_node(ended)?;
                self.nodes[node].children[index] = Some(child);
                path.push((child, mover));
            }
            break self.roll_out()?;
        };
        self.playouts += 1;
        self.nodes[from].visits += 1;
        for (node, mover) in path {
            self.nodes[node].visits += 1;
            self.nodes[node].points += points.get(mover.index()).copied().unwrap_or(0);
        }
        Ok(())
    }

    /// The first step that was not tried, or the one with the highest upper bound (C = √2).
    fn select(&self, node: usize) -> usize {
        let node = &self.nodes[node];
        if let Some(untried) = node.children.iter().position(Option::is_none) {
            return untried;
        }
        let logarithm = 2.0 * ln(node.visits);
        let bound = |child: usize| {
            let (points, visits) = (self.nodes[child].points as f64, self.nodes[child].visits.max(1) as f64);
            points / (WHOLE as f64 * visits) + (logarithm / visits).sqrt()
        };
        let mut best = (0, f64::NEG_INFINITY);
        for (index, child) in node.children.iter().enumerate() {
            let value = child.map_or(f64::INFINITY, bound);
            if value > best.1 {
                best = (index, value);
            }
        }
        best.0
    }

    /// Plays at random to the end, or to a draw by the limit.
    fn roll_out(&mut self) -> Result<Vec<u64>, Fault> {
        for _ in 0..self.playout_limit {
            match self.walk.situation()? {
                Situation::Over(outcome) => return Ok(points_of(&outcome)),
                Situation::Open(steps) => {
                    let index = self.random.below(steps.len());
                    self.walk.make(&steps[index])?;
                }
            }
        }
        Ok(vec![WHOLE / 2; self.ask.executor.rules().players.len()])
    }

    /// The step that most playouts went through; of equals the one that won more, then the first.
    fn most_visited(&self, node: usize) -> Option<Tried> {
        let children = self.nodes[node].children.iter().enumerate();
        let tried = children.filter_map(|(index, child)| child.map(|child| Tried { index, child }));
        let worth = |tried: &Tried| (self.nodes[tried.child].visits, self.nodes[tried.child].points);
        tried.reduce(|best, next| if worth(&next) > worth(&best) { next } else { best })
    }
}

fn points_of(outcome: &Outcome) -> Vec<u64> {
    let points = |share: &Share| match share {
        Share::Win => WHOLE,
        Share::Draw => WHOLE / 2,
        Share::Loss | Share::None => 0,
    };
    outcome.shares.iter().map(points).collect()
}
