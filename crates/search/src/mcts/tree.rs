//! The tree: selection, expansion, playouts, and what is backed up.

use std::cmp::Reverse;

use dagaz_base::{Id, IdMap, Random};
use dagaz_engine::{Fault, Limits, Made, Onward, Outcome, Share, Situation, State, Step, Tally};
use dagaz_ir::{Op, Player, Role, expressions::any_op};

use super::amaf::{self, Amaf};
use super::material::material;
use super::{Tuning, expected};
use crate::agent::{Ask, Score};
use crate::evaluation::Sides;
use crate::logarithm::ln;

pub(super) const ROOT: usize = 0;
/// What a win is worth; a draw is half of it.
pub(super) const WHOLE: u64 = 64;
/// Once the tree holds this many steps it grows no more: some hundred megabytes.
const MOST_STEPS: usize = 1_000_000;
/// The same for what it knows of sites, in bytes.
const MOST_SITES: usize = 256 << 20;
/// A node keeps what playouts say of sites once it has this many visits.
const KEEPS_SITES: u64 = 8;
/// So many pieces more are worth three quarters of a win.
const GOOD_LEAD: i32 = 300;

/// A state of the tree.
struct Node {
    mover: Player,
    /// The legal steps, shuffled; nothing until the node is visited again.
    edges: Option<Box<[Edge]>>,
    is_chance: bool,
    /// What leads here from the node above.
    made: Option<Made>,
    visits: u64,
    /// What the player who moved here has won by it.
    points: u64,
    /// What the material is worth at the end of the best line, to the one who asks.
    material: i32,
    proof: Option<Proof>,
    sites: Option<Amaf>,
}

struct Edge {
    step: Step,
    child: Option<usize>,
    /// The site that the step puts a piece on.
    site: Option<u32>,
}

/// What is certain.
#[derive(Clone)]
struct Proof {
    /// What each player has of it.
    points: Box<[u64]>,
    /// How many moves of all players away the end is.
    distance: u32,
}

/// The step that was found best, and the node it leads to.
pub(super) struct Best {
    pub(super) step: Step,
    /// Nothing when it was not tried, and all that was tried is lost.
    pub(super) child: Option<usize>,
}

pub(super) struct Tree<'a> {
    ask: &'a Ask<'a>,
    tuning: Tuning,
    limit: u32,
    nodes: Vec<Node>,
    random: Random,
    playouts: u64,
    stored_steps: usize,
    stored_sites: usize,
    sides: Sides,
    /// Whether the minimax of material means something: there are two sides, and pieces only become fewer.
    uses_material: bool,
    /// Whether who holds a site in the end is who has put a piece there: pieces do not change sides.
    uses_sites: bool,
    persons: IdMap<Player, bool>,
    /// The state of the node that is grown from, and the way to it.
    base: (State, Vec<Made>),
    /// The state and the past of the node that is looked at.
    state: State,
    past: Onward<'a>,
    /// The way to it: the nodes, and who moved there.
    path: Vec<(usize, Player)>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(tuning: Tuning, limit: u32, ask: &'a Ask<'a>) -> Self {
        let rules = ask.executor.rules();
        let me = ask.executor.to_move(ask.state);
        let persons: IdMap<Player, bool> = rules.players.values().map(|player| player.role == Role::Person).collect();
        let turns = any_op(rules, &|op| matches!(op, Op::Flip | Op::Reown));
        let puts = any_op(rules, &|op| matches!(op, Op::Drop | Op::Create | Op::Push));
        let mut tree = Self {
            ask,
            tuning,
            limit,
            nodes: Vec::new(),
            random: Random::new(ask.seed),
            playouts: 0,
            stored_steps: 0,
            stored_sites: 0,
            sides: Sides::of(ask.executor, me),
            uses_material: persons.values().filter(|&&person| person).count() == 2 && !puts && !turns,
            uses_sites: !turns,
            persons,
            base: (ask.state.clone(), Vec::new()),
            state: ask.state.clone(),
            past: Onward::new(ask.history),
            path: Vec::new(),
        };
        tree.add_node(None);
        tree
    }

    pub(super) fn mover(&self, node: usize) -> Player {
        self.nodes[node].mover
    }

    pub(super) fn playouts(&self) -> u64 {
        self.playouts
    }

    /// Whether the step that led here ended the move.
    pub(super) fn starts_move(&self, node: usize) -> bool {
        self.nodes[node].made.as_ref().is_some_and(|made| made.undo.ends_move)
    }

    /// What a node is worth to the player who has moved there.
    pub(super) fn score(&self, node: usize, player: Player) -> Score {
        let Node { proof, made, points, visits, .. } = &self.nodes[node];
        let Some(proof) = proof else { return expected(*points, *visits) };
        let distance = proof.distance + u32::from(made.as_ref().is_some_and(|made| made.undo.ends_move));
        match proof.points[player.index()] {
            WHOLE => Score::Win(distance),
            0 => Score::Loss(distance),
            points => expected(points, 1),
        }
    }

    /// Adds a node for the state.
    fn add_node(&mut self, made: Option<Made>) -> usize {
        let executor = self.ask.executor;
        let mover = executor.to_move(&self.state);
        let is_chance = executor.rules().players[mover].role == Role::Random;
        let material = if self.uses_material { material(executor, &self.state, &self.sides) } else { 0 };
        let (edges, proof, sites) = (None, None, None);
        self.stored_steps += 1;
        self.nodes.push(Node { mover, edges, is_chance, made, visits: 0, points: 0, material, proof, sites });
        self.nodes.len() - 1
    }

    /// Lists the steps of a node whose state is the present one.
    fn expand(&mut self, node: usize) -> Result<(), Fault> {
        let mut steps = match self.ask.executor.situation(&self.state, &self.past)? {
            Situation::Over(outcome) => {
                let points = points_of(&outcome).into();
                self.nodes[node].proof = Some(Proof { points, distance: 0 });
                return Ok(());
            }
            Situation::Open(steps) => steps,
        };
        for last in (1..steps.len()).rev() {
            steps.swap(last, self.random.below(last + 1));
        }
        self.stored_steps += steps.len();
        let edges = steps.into_iter().map(|step| Edge { site: amaf::site(&step), step, child: None });
        self.nodes[node].edges = Some(edges.collect());
        Ok(())
    }

    /// Makes playouts through `node`, which `steps` lead to, until it has as many as the question allows, or nothing more is to be
    /// known of it.
    pub(super) fn grow_from(&mut self, node: usize, steps: &[Step]) -> Result<(), Fault> {
        self.grow_to(node, steps, self.ask.budget.nodes)
    }

    /// Makes playouts until there are so many.
    pub(super) fn grow(&mut self, playouts: u64) -> Result<(), Fault> {
        self.grow_to(ROOT, &[], Some(playouts))
    }

    fn grow_to(&mut self, node: usize, steps: &[Step], most: Option<u64>) -> Result<(), Fault> {
        // The way has stopped on the way to the node: all questions of one move are about the same way.
        for step in &steps[self.base.1.len()..] {
            let (state, way) = &mut self.base;
            let undo = self.ask.executor.apply(state, step)?;
            way.push(undo.made(state));
        }
        self.go_to_base();
        if self.nodes[node].edges.is_none() {
            self.expand(node)?;
        }
        if node != ROOT
            && self.nodes[node].edges.as_ref().is_some_and(|edges| edges.len() == 1 && edges[0].child.is_some())
        {
            return Ok(());
        }
        let enough = |visits: u64| most.is_some_and(|limit| visits >= limit);
        while !enough(self.nodes[node].visits) && self.nodes[node].proof.is_none() && (self.ask.keep_going)() {
            self.playout(node)?;
        }
        Ok(())
    }

    /// Back to the state that is grown from.
    fn go_to_base(&mut self) {
        let executor = self.ask.executor;
        self.past = Onward::new(self.ask.history);
        self.state.clone_from(self.ask.state);
        for made in &self.base.1 {
            let (before, mover) = (self.state.keys(), executor.to_move(&self.state));
            made.apply(&mut self.state, executor.layout());
            self.past.line.push(before, mover, &made.undo);
        }
    }

    /// One playout: down the tree, one new node, and on at random to the end.
    fn playout(&mut self, from: usize) -> Result<(), Fault> {
        let (executor, layout) = (self.ask.executor, self.ask.executor.layout());
        self.state.clone_from(&self.base.0);
        self.path.clear();
        let (mut node, mut steps, mut chain, mut adviser) = (from, 0, self.base.1.len(), None);
        let (points, held) = loop {
            if let Some(proof) = &self.nodes[node].proof {
                break (proof.points.to_vec(), None);
            }
            let fresh = node != from && self.nodes[node].visits == 0;
            if fresh || self.stored_steps >= MOST_STEPS && self.nodes[node].edges.is_none() {
                let tally = executor.tally(&self.state, &self.past, 1, self.limit, self.random.bits())?;
                let points = self.value(&tally);
                if tally.moves == 0 && tally.open == 0 {
                    self.nodes[node].proof = Some(Proof { points: points.clone().into(), distance: 0 });
                }
                break (points, Some(tally.held));
            }
            if self.nodes[node].edges.is_none() {
                self.expand(node)?;
                continue;
            }
            if self.nodes[node].sites.as_ref().is_some_and(|sites| sites.seen() >= self.tuning.sites_after) {
                adviser = Some(node);
            }
            let edges = self.nodes[node].edges.as_ref().expect("the node was expanded");
            let index = match self.nodes[node].is_chance {
                true => self.random.below(edges.len()),
                false => self.select(node, adviser),
            };
            let edge = &self.nodes[node].edges.as_ref().expect("the node was expanded")[index];
            let (before, mover) = (self.state.keys(), self.nodes[node].mover);
            let child = match edge.child {
                Some(child) => {
                    let made = self.nodes[child].made.as_ref().expect("a child was led to by a step");
                    made.apply(&mut self.state, layout);
                    child
                }
                None => {
                    let undo = executor.apply(&mut self.state, &edge.step)?;
                    let child = self.add_node(Some(undo.made(&self.state)));
                    self.nodes[node].edges.as_mut().expect("the node was expanded")[index].child = Some(child);
                    child
                }
            };
            let made = self.nodes[child].made.as_ref().expect("a child was led to by a step");
            self.past.line.push(before, mover, &made.undo);
            chain = if made.undo.ends_move { 0 } else { chain + 1 };
            let limit = Limits::default().chain;
            if chain >= limit {
                return Err(Fault::EndlessChain { limit });
            }
            steps += 1;
            self.path.push((child, mover));
            node = child;
        };
        for _ in 0..steps {
            self.past.line.pop();
        }
        self.playouts += 1;
        self.back_up(from, &points, held.as_deref());
        Ok(())
    }

    /// What a playout is worth to each player. Where it was cut off, pieces count.
    fn value(&self, tally: &Tally) -> Vec<u64> {
        if tally.open == 0 {
            return tally.points.iter().map(|points| points * WHOLE / 2).collect();
        }
        let words = Tally::words(self.ask.executor.rules().topology.site_count());
        let count = |set: &[u64]| set.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let counts: Vec<u64> = tally.held.chunks(words).map(count).collect();
        let value = |(player, &own): (Player, &u64)| {
            let others = self.persons.ids().filter(|&other| other != player && self.persons[other]);
            let most = others.map(|other| counts[other.index()]).max().unwrap_or(own);
            match own + most {
                0 => WHOLE / 2,
                all => (WHOLE / 2 + 2 * WHOLE * own / all).saturating_sub(WHOLE).clamp(WHOLE / 16, WHOLE - WHOLE / 16),
            }
        };
        self.persons.ids().zip(&counts).map(value).collect()
    }

    /// Adds a playout to the nodes on its way.
    fn back_up(&mut self, from: usize, points: &[u64], held: Option<&[u64]>) {
        let rules = self.ask.executor.rules();
        let (players, sites) = (rules.players.len(), rules.topology.site_count());
        self.nodes[from].visits += 1;
        for &(node, mover) in &self.path {
            self.nodes[node].visits += 1;
            self.nodes[node].points += points.get(mover.index()).copied().unwrap_or(0);
        }
        for index in (0..=self.path.len()).rev() {
            let node = if index == 0 { from } else { self.path[index - 1].0 };
            if let Some(held) = held.filter(|_| self.uses_sites) {
                let size = Amaf::size(players, sites);
                let asks =
                    |node: &Node| node.edges.as_ref().is_some_and(|edges| edges.iter().any(|edge| edge.site.is_some()));
                let this = &mut self.nodes[node];
                if this.sites.is_none()
                    && this.visits >= KEEPS_SITES
                    && self.stored_sites + size <= MOST_SITES
                    && asks(this)
                {
                    this.sites = Some(Amaf::new(players, sites));
                    self.stored_sites += size;
                }
                if let Some(sites) = &mut this.sites {
                    sites.add(held, points);
                }
            }
            self.conclude(node);
        }
    }

    /// What follows for a node from those below it: what is certain, and the minimax of material.
    fn conclude(&mut self, node: usize) {
        let Node { edges: Some(edges), mover, proof: None, is_chance, .. } = &self.nodes[node] else { return };
        let (mut best, mut all): (Option<(u64, i64, &Proof, bool)>, bool) = (None, true);
        let mut material: Option<i32> = None;
        let ours = self.sides.side(*mover) != crate::evaluation::Side::Theirs;
        for edge in edges {
            let Some(child) = edge.child else {
                all = false;
                continue;
            };
            let child = &self.nodes[child];
            if !is_chance {
                let better = |known: i32| if ours { known.max(child.material) } else { known.min(child.material) };
                material = Some(material.map_or(child.material, better));
            }
            let Some(proof) = &child.proof else {
                all = false;
                continue;
            };
            let ends_move = child.made.as_ref().is_some_and(|made| made.undo.ends_move);
            let points = proof.points[mover.index()];
            // Wins soon, losses late.
            let distance = i64::from(proof.distance);
            let haste = if points == 0 { distance } else { -distance };
            if best.is_none_or(|(most, most_haste, ..)| (points, haste) > (most, most_haste)) {
                best = Some((points, haste, proof, ends_move));
            }
        }
        let proof = match best {
            Some((points, _, proof, ends_move)) => {
                let certain = match is_chance {
                    // Only where chance decides nothing.
                    true => {
                        all && edges.iter().all(|edge| self.proof_of(edge).is_some_and(|p| p.points == proof.points))
                    }
                    false => all || points == WHOLE,
                };
                let distance = proof.distance + u32::from(ends_move);
                certain.then(|| Proof { points: proof.points.clone(), distance })
            }
            None => None,
        };
        self.nodes[node].proof = proof;
        if let Some(material) = material {
            self.nodes[node].material = material;
        }
    }

    fn proof_of(&self, edge: &Edge) -> Option<&Proof> {
        edge.child.and_then(|child| self.nodes[child].proof.as_ref())
    }

    /// The step with the highest upper bound, of those that are not lost for certain; `adviser` knows of sites.
    fn select(&self, node: usize, adviser: Option<usize>) -> usize {
        let Node { edges, mover, visits, .. } = &self.nodes[node];
        let edges = edges.as_ref().expect("only expanded nodes are selected from");
        let adviser = adviser.and_then(|node| self.nodes[node].sites.as_ref());
        let exploration = match adviser {
            Some(_) => self.tuning.exploration_with_sites,
            None => self.tuning.exploration,
        };
        let root = exploration * ln(*visits + 1).sqrt();
        let sign = if self.sides.side(*mover) == crate::evaluation::Side::Theirs { -1.0 } else { 1.0 };
        let unknown = self.mean(node) - self.tuning.first_play;
        let mut best = (0, f64::NEG_INFINITY);
        for (index, edge) in edges.iter().enumerate() {
            let (mut visits, mut value) = (0.0, unknown);
            if let Some(child) = edge.child.map(|child| &self.nodes[child]) {
                if let Some(proof) = &child.proof {
                    // What is lost is not tried again; what is drawn is what it is.
                    match proof.points[mover.index()] {
                        0 => value = -1.0,
                        points => value = points as f64 / WHOLE as f64,
                    }
                    if value > best.1 {
                        best = (index, value);
                    }
                    continue;
                }
                if child.visits > 0 {
                    visits = child.visits as f64;
                    value = child.points as f64 / (WHOLE as f64 * visits);
                    if self.uses_material && self.tuning.material > 0.0 {
                        let lead = sign * f64::from(child.material - self.nodes[ROOT].material);
                        let lead = 0.5 + 0.5 * lead / (lead.abs() + f64::from(GOOD_LEAD));
                        value += self.tuning.material * (lead - 0.5);
                    }
                }
            }
            if let (Some(adviser), Some(site)) = (adviser, edge.site) {
                let (seen, points) = adviser.of(*mover, site);
                if seen > 0.0 {
                    let weight = seen / (seen + visits + self.tuning.sites_bias * seen * visits);
                    value = value * (1.0 - weight) + weight * points / (WHOLE as f64 * seen);
                }
            }
            let bound = value + root / (visits + 1.0).sqrt();
            if bound > best.1 {
                best = (index, bound);
            }
        }
        best.0
    }

    /// What the player to move may expect at a node.
    fn mean(&self, node: usize) -> f64 {
        let Node { edges, .. } = &self.nodes[node];
        let (mut points, mut visits) = (0, 0);
        for child in edges.iter().flatten().filter_map(|edge| edge.child) {
            points += self.nodes[child].points;
            visits += self.nodes[child].visits;
        }
        if visits == 0 { 0.5 } else { points as f64 / (WHOLE * visits) as f64 }
    }

    /// The step that is certainly best, or the one that most playouts went through; of equals the one that won more, then the first.
    pub(super) fn best(&self, node: usize) -> Option<Best> {
        let mover = self.nodes[node].mover;
        let edges = self.nodes[node].edges.as_ref()?;
        let tried = edges.iter().filter_map(|edge| edge.child.map(|child| (edge, child)));
        let worth = |&(_, child): &(&Edge, usize)| {
            let Node { visits, points, proof, .. } = &self.nodes[child];
            match proof.as_ref().map(|proof| (proof.points[mover.index()], u64::from(proof.distance))) {
                Some((WHOLE, distance)) => (2, u64::MAX - distance, 0),
                Some((0, distance)) => (0, distance, 0),
                _ => (1, *visits, *points),
            }
        };
        let best = tried.reduce(|best, next| if worth(&next) > worth(&best) { next } else { best })?;
        let untried = edges.iter().find(|edge| edge.child.is_none()).filter(|_| worth(&best).0 == 0);
        Some(match untried {
            Some(edge) => Best { step: edge.step.clone(), child: None },
            None => Best { step: best.0.step.clone(), child: Some(best.1) },
        })
    }

    /// Whether it is certain what a node is worth.
    pub(super) fn is_settled(&self, node: usize) -> bool {
        self.nodes[node].proof.is_some()
    }

    /// The steps of a node that were tried, how often, and what they have won. Of what is certain as much as of the most often
    /// tried one.
    pub(super) fn tried(&self, node: usize) -> Vec<(&Step, u64, u64)> {
        let mover = self.nodes[node].mover;
        let edges = || self.nodes[node].edges.iter().flatten().filter_map(|edge| edge.child.map(|child| (edge, child)));
        let most = edges().map(|(_, child)| self.nodes[child].visits).max().unwrap_or(0);
        let mut tried = Vec::new();
        for (edge, child) in edges() {
            let Node { visits, points, proof, .. } = &self.nodes[child];
            let (visits, points) = match proof.as_ref().map(|proof| proof.points[mover.index()]) {
                Some(WHOLE) => (most.max(1), most.max(1) * WHOLE),
                Some(0) => (0, 0),
                _ => (*visits, *points),
            };
            tried.push((&edge.step, visits, points));
        }
        tried
    }

    /// The best lines from the root, each with a first move of its own, and what they are worth.
    pub(super) fn ranked(&self, count: usize) -> Vec<(Score, Vec<Step>)> {
        let mover = self.nodes[ROOT].mover;
        let mut lines: Vec<_> = Vec::new();
        self.first_moves(ROOT, &mut Vec::new(), &mut lines);
        lines.sort_by_key(|&(node, _)| {
            let Node { visits, points, .. } = &self.nodes[node];
            match self.score(node, mover) {
                Score::Win(moves) => Reverse((2, u64::MAX - u64::from(moves), 0)),
                Score::Loss(moves) => Reverse((0, u64::from(moves), 0)),
                _ => Reverse((1, *visits, *points)),
            }
        });
        let whole = |(node, mut steps): (usize, Vec<Step>)| {
            steps.extend(self.line(node));
            (self.score(node, mover), steps)
        };
        lines.into_iter().take(count).map(whole).collect()
    }

    /// The nodes to which whole moves from the root lead, and their steps.
    fn first_moves(&self, node: usize, steps: &mut Vec<Step>, found: &mut Vec<(usize, Vec<Step>)>) {
        for edge in self.nodes[node].edges.iter().flatten() {
            let Some(child) = edge.child else { continue };
            steps.push(edge.step.clone());
            if self.starts_move(child) {
                found.push((child, steps.clone()));
            } else {
                self.first_moves(child, steps, found);
            }
            steps.pop();
        }
    }

    /// The steps that are expected after a node.
    pub(super) fn line(&self, mut node: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some(best) = self.best(node) {
            steps.push(best.step);
            let Some(child) = best.child else { break };
            node = child;
        }
        steps
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
