//! One question's search: principal variation search (Marsland and Campbell 1982) over steps.
//!
//! The sign flips where the side to move changes, so that the steps of a chain and a second turn of the same player are
//! maximised together; depth counts whole moves. Steps that come late are looked at less deeply first (late-move
//! reductions), and a side that would be well off even without moving is not looked at closely (null move, Donninger
//! 1993), unless the search is told to overlook nothing.

use dagaz_engine::{Fault, Situation, Step};

use super::nature::{Identity, Nature};
use super::order::{Memory, Node, Ranked, name};
use super::table::{Bound, Known, Table};
use super::values::{INFINITE, PROVEN, WIN, is_proven, of_outcome, signed};
use crate::agent::Ask;
use crate::evaluation::{Evaluation, Side, Sides};
use crate::walk::Walk;
use dagaz_base::random::mix;

/// No search makes more steps than this, whatever they cost: the stack is safe.
const LONGEST: usize = 1000;
/// Forced moves of one line that cost no depth.
const MOST_FREE: u32 = 12;
/// How many steps are looked at in full before others are reduced.
const EARLY: usize = 3;
/// So near the root no move is left out: a win in so many moves is found by a search of that depth.
const CLOSE: u32 = 3;
/// With fewer steps a player may wish that he could pass.
const LEAST_TO_PASS: usize = 6;
/// What a quiet move may change of an estimate, as a rule: three quarters of a piece.
const QUIET: i32 = 75;
/// Plies of captures after the last move of a line.
pub(super) const NOISY_PLIES: u32 = 10;
/// Refers to no state before.
const NOWHERE: usize = usize::MAX;

/// Why a search came back early.
pub(super) enum Halt {
    Stop,
    Fault(Fault),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Where in the tree a node lies.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Whole moves still to look ahead.
    pub(super) depth: u32,
    /// Whole moves made since the root.
    pub(super) ply: u32,
    /// Forced moves that may still cost nothing.
    free: u32,
    /// Whether the side before has passed, to see what happens.
    passed: bool,
    /// Whether chance has moved since the root, so that the value counts, and no line is wanted.
    chanced: bool,
    /// The name of the step before.
    last: u32,
}

impl Place {
    pub(super) fn root(depth: u32) -> Self {
        Self { depth, ply: 0, free: MOST_FREE, passed: false, chanced: false, last: 0 }
    }
}

pub(super) struct Search<'a> {
    ask: &'a Ask<'a>,
    pub(super) walk: Walk<'a>,
    pub(super) sides: Sides,
    pub(super) evaluation: &'a Evaluation,
    nature: Nature,
    pub(super) nodes: u64,
    /// Whether anything but the ends of games was valued since this was last false.
    pub(super) was_cut: bool,
    /// The earliest state of the line that a repetition below referred to, as a number of steps.
    leans_on: usize,
    /// Whether nothing may be overlooked, and estimates do not matter.
    full: bool,
    /// The best of this iteration so far.
    pub(super) at_root: Option<(i32, Vec<Step>)>,
    memory: Memory,
    table: Table,
}

impl<'a> Search<'a> {
    pub(super) fn new(ask: &'a Ask<'a>, evaluation: &'a Evaluation) -> Self {
        let walk = Walk::new(ask);
        let sides = Sides::of(ask.executor, walk.mover());
        Self {
            ask,
            walk,
            sides,
            evaluation,
            nature: Nature::of(ask.executor.rules()),
            nodes: 0,
            was_cut: false,
            leans_on: NOWHERE,
            full: false,
            at_root: None,
            memory: Memory::new(),
            table: Table::new(ask.budget.nodes),
        }
    }

    /// The value of the root between bounds, looked at so deeply, and the best steps from there.
    pub(super) fn look(&mut self, depth: u32, alpha: i32, beta: i32, full: bool) -> Result<(i32, Vec<Step>), Halt> {
        self.walk.take_back_to(0);
        (self.was_cut, self.at_root, self.leans_on, self.full) = (false, None, NOWHERE, full);
        let mut line = Vec::new();
        let value = self.node(Place::root(depth), alpha, beta, &mut line)?;
        Ok((value, line))
    }

    /// Whether what is good for the asking player is good for whoever is to move.
    pub(super) fn ours(&self) -> bool {
        self.sides.side(self.walk.mover()) != Side::Theirs
    }

    /// Counts a node; an error when there may be no more.
    pub(super) fn enter(&mut self) -> Result<(), Halt> {
        if self.ask.budget.nodes.is_some_and(|limit| self.nodes >= limit) || !(self.ask.keep_going)() {
            return Err(Halt::Stop);
        }
        self.nodes += 1;
        Ok(())
    }

    /// The value of the state to the side to move; `line` becomes the best steps from there.
    fn node(&mut self, at: Place, alpha: i32, beta: i32, line: &mut Vec<Step>) -> Result<i32, Halt> {
        line.clear();
        let starts_move = self.walk.starts_move();
        if at.depth == 0 && !self.full && starts_move {
            return self.leaf(at.ply, alpha, beta, NOISY_PLIES);
        }
        self.enter()?;
        if self.nature.repetition_draws
            && let Some(steps) = self.walk.stood_in_search()
        {
            self.leans_on = self.leans_on.min(steps);
            return Ok(0);
        }
        // No win is nearer than here and now.
        let (alpha, beta) = (alpha.max(at.ply as i32 - WIN), beta.min(WIN - at.ply as i32));
        if alpha >= beta {
            return Ok(alpha);
        }
        let outer = (self.was_cut, self.leans_on);
        (self.was_cut, self.leans_on) = (false, NOWHERE);
        let early = (self.nature.identity != Identity::Steps).then(|| self.key(&[]));
        if let Some(value) = early.and_then(|key| self.recall(key, at, alpha, beta)) {
            self.merge(outer);
            return Ok(value);
        }
        let ours = self.ours();
        let steps = match self.walk.situation()? {
            Situation::Over(outcome) => {
                self.merge(outer);
                return Ok(signed(ours, of_outcome(&outcome, self.asker(), at.ply)));
            }
            Situation::Open(steps) => steps,
        };
        if at.depth == 0 && starts_move || self.walk.steps_made() >= LONGEST {
            self.was_cut = true;
            let value = if self.full { 0 } else { self.estimate(ours, steps.len()) };
            self.merge(outer);
            return Ok(value);
        }
        if self.walk.is_chance() {
            let value = self.average(at, &steps);
            self.merge(outer);
            return value;
        }
        if at.passed && steps.iter().any(|step| self.evaluation.takes_royal(&self.walk, step)) {
            self.merge(outer);
            return Ok(WIN - at.ply as i32);
        }
        let names: Vec<u32> = steps.iter().map(name).collect();
        let key = early.unwrap_or_else(|| self.key(&names));
        if early.is_none()
            && let Some(value) = self.recall(key, at, alpha, beta)
        {
            self.merge(outer);
            return Ok(value);
        }
        let value = self.choose(at, (alpha, beta), &steps, &names, key, line)?;
        self.merge(outer);
        Ok(value)
    }

    /// What was found below counts for the nodes above, too.
    fn merge(&mut self, (was_cut, leans_on): (bool, usize)) {
        self.was_cut |= was_cut;
        self.leans_on = self.leans_on.min(leans_on);
    }

    pub(super) fn asker(&self) -> dagaz_ir::Player {
        self.ask.executor.to_move(self.ask.state)
    }

    /// What equal states have in common, so far as their values go.
    fn key(&self, names: &[u32]) -> u64 {
        match self.nature.identity {
            Identity::Memory => self.walk.state.hash(),
            Identity::State => self.walk.state.keys().state,
            Identity::Steps => {
                let state = self.walk.state.keys().state;
                names.iter().fold(state, |key, &name| key.wrapping_add(mix(u64::from(name))))
            }
        }
    }

    /// What the table says of the value, if it says enough.
    fn recall(&mut self, key: u64, at: Place, alpha: i32, beta: i32) -> Option<i32> {
        // On the principal variation and at the root all is looked at: there the line is wanted.
        if self.walk.steps_made() == 0 || beta - alpha > 1 && !at.chanced {
            return None;
        }
        let known = self.table.get(key, at.ply)?;
        let value = known.answer(at.depth, self.full, alpha, beta)?;
        self.was_cut = !known.complete && !is_proven(value);
        Some(value)
    }

    /// Tries the steps of a node.
    fn choose(
        &mut self,
        mut at: Place,
        (alpha, beta): (i32, i32),
        steps: &[Step],
        names: &[u32],
        key: u64,
        line: &mut Vec<Step>,
    ) -> Result<i32, Halt> {
        let (ours, starts_move) = (self.ours(), self.walk.starts_move());
        if steps.len() == 1 && at.free > 0 && !self.full {
            (at.depth, at.free) = (at.depth + 1, at.free - 1);
        }
        let narrow = beta - alpha == 1;
        let prunes = !self.full && narrow && starts_move && self.walk.steps_made() > 0 && !is_proven(beta);
        let estimate = if prunes { self.estimate(ours, steps.len()) } else { 0 };
        let may_pass = self.nature.alternates && self.evaluation.may_pass() && steps.len() >= LEAST_TO_PASS;
        if prunes && may_pass && !at.passed && at.depth >= 3 && estimate >= beta {
            let value = self.without_moving(at, beta)?;
            if value >= beta && !is_proven(value) {
                self.was_cut = true;
                return Ok(value);
            }
        }
        let known = self.table.get(key, at.ply).map_or(0, |known| known.step);
        let node = Node { ply: at.ply, last: at.last, ours, known };
        let mut ranked = self.ranked(node, steps, names);
        let hopeless = prunes && at.depth == 1 && at.ply >= CLOSE && self.evaluation.counts_pieces();
        let (mut best, mut best_name, mut low) = (-INFINITE, 0, alpha);
        let mut leans_on = NOWHERE;
        let mut below = Vec::new();
        for tried in 0..ranked.len() {
            next_best(&mut ranked, tried);
            let Ranked { index, name, gain, rank } = ranked[tried];
            // A quiet move does not make up for so much.
            if hopeless && tried > 0 && best > -PROVEN && estimate + gain + QUIET <= alpha {
                self.was_cut = true;
                best = best.max(estimate + gain + QUIET);
                continue;
            }
            self.leans_on = NOWHERE;
            let reduction = if self.full || tried < EARLY || at.depth < 3 || at.ply == 0 || gain > 0 || rank >= 1 << 29
            {
                0
            } else {
                1 + u32::from(tried >= 12 && at.depth >= 5)
            };
            let value = self.child(&steps[index], name, at, (low, beta), tried == 0, reduction, ours, &mut below)?;
            if value > best {
                best = value;
                if value > alpha || tried == 0 {
                    best_name = name;
                }
                if value > low || self.walk.steps_made() > 0 || tried == 0 {
                    line.clear();
                    line.push(steps[index].clone());
                    line.append(&mut below);
                }
                if self.walk.steps_made() == 0 && value > alpha {
                    self.at_root = Some((best, line.clone()));
                }
            }
            low = low.max(best);
            if low >= beta {
                // Only the step that cuts says why.
                leans_on = self.leans_on;
                if gain <= 0 {
                    self.memory.note(node, name, at.depth, &ranked[..tried]);
                }
                break;
            }
            leans_on = leans_on.min(self.leans_on);
        }
        self.leans_on = leans_on;
        self.remember(key, at, best, (alpha, beta), best_name);
        Ok(best)
    }

    fn remember(&mut self, key: u64, at: Place, best: i32, (alpha, beta): (i32, i32), step: u32) {
        // A value that rests on a state before this one holds for this way to it alone.
        let made = self.walk.steps_made();
        let bound = match best {
            _ if self.leans_on < made => Bound::None,
            best if best >= beta => Bound::Lower,
            best if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        if self.leans_on >= made {
            self.leans_on = NOWHERE;
        }
        let depth = if bound == Bound::None { 0 } else { at.depth };
        let (complete, full) = (!self.was_cut && bound != Bound::None, self.full);
        self.table.put(key, at.ply, Known { value: best, bound, depth, complete, full, step });
    }

    /// The value of a step to the side that makes it: in full for the first one, for others only when they seem better.
    #[expect(clippy::too_many_arguments, reason = "a node's loop, cut out")]
    fn child(
        &mut self,
        step: &Step,
        name: u32,
        at: Place,
        (alpha, beta): (i32, i32),
        first: bool,
        reduction: u32,
        ours: bool,
        line: &mut Vec<Step>,
    ) -> Result<i32, Halt> {
        let ended = self.walk.make(step)?;
        let moves = u32::from(ended);
        let below = Place { depth: at.depth - moves, ply: at.ply + moves, passed: false, last: name, ..at };
        let turns = self.ours() != ours;
        let ask = |search: &mut Self, place: Place, low: i32, high: i32, line: &mut Vec<Step>| {
            if turns {
                search.node(place, -high, -low, line).map(|value| -value)
            } else {
                search.node(place, low, high, line)
            }
        };
        let reduced = if ended { reduction.min(below.depth) } else { 0 };
        let value = if first {
            ask(self, below, alpha, beta, line)?
        } else {
            let mut value = ask(self, Place { depth: below.depth - reduced, ..below }, alpha, alpha + 1, line)?;
            if value > alpha && reduced > 0 {
                value = ask(self, below, alpha, alpha + 1, line)?;
            }
            if value > alpha && value < beta {
                value = ask(self, below, alpha, beta, line)?;
            }
            value
        };
        self.walk.take_back();
        Ok(value)
    }

    /// A lower bound of the value, if the side to move passed.
    fn without_moving(&mut self, at: Place, beta: i32) -> Result<i32, Halt> {
        let reduction = 2 + at.depth / 4;
        let depth = (at.depth - 1).saturating_sub(reduction);
        self.walk.pass();
        let below = Place { depth, ply: at.ply + 1, passed: true, last: 0, ..at };
        let value = self.node(below, -beta, -beta + 1, &mut Vec::new()).map(|value| -value);
        self.walk.take_back();
        let value = value?;
        if value < beta || at.depth < 7 {
            return Ok(value);
        }
        // Deep down it is verified that the side is not in zugzwang (Tabibi and Netanyahu 2002).
        let checked = Place { depth: at.depth - reduction, passed: true, ..at };
        let verified = self.node_again(checked, beta)?;
        Ok(value.min(verified))
    }

    /// The node itself, less deeply and without passing.
    fn node_again(&mut self, at: Place, beta: i32) -> Result<i32, Halt> {
        let Situation::Open(steps) = self.walk.situation()? else { return Ok(-INFINITE) };
        let names: Vec<u32> = steps.iter().map(name).collect();
        let key = self.key(&names);
        self.choose(at, (beta - 1, beta), &steps, &names, key, &mut Vec::new())
    }

    /// The mean over chance's steps, which are equally likely. What is certain whatever comes is as far away as the worst
    /// of chance.
    fn average(&mut self, at: Place, steps: &[Step]) -> Result<i32, Halt> {
        let (ours, at) = (self.ours(), Place { chanced: true, ..at });
        let (mut sum, mut least, mut most, mut below) = (0_i64, INFINITE, -INFINITE, Vec::new());
        for step in steps {
            let value = self.child(step, 0, at, (-INFINITE, INFINITE), true, 0, ours, &mut below)?;
            (sum, least, most) = (sum + i64::from(value), least.min(value), most.max(value));
        }
        if least >= PROVEN || most <= -PROVEN {
            return Ok(if least > 0 { least } else { most });
        }
        Ok(((sum / steps.len() as i64) as i32).clamp(1 - PROVEN, PROVEN - 1))
    }

    /// What the state seems to be worth to the side to move, who has so many steps.
    pub(super) fn estimate(&mut self, ours: bool, steps: usize) -> i32 {
        signed(ours, self.evaluation.value(&mut self.walk, &self.sides, steps))
    }

    /// The steps with their ranks.
    fn ranked(&self, node: Node, steps: &[Step], names: &[u32]) -> Vec<Ranked> {
        // Of equally good steps the one that is looked at first is chosen: at the root that is left to chance.
        let lot = |index: usize| match self.walk.steps_made() {
            0 => mix(self.ask.seed ^ mix(index as u64)) as i64 & 7,
            _ => 0,
        };
        let ranked = steps.iter().zip(names).enumerate().map(|(index, (step, &name))| {
            let (gain, drift) = self.evaluation.gain(&self.walk, step);
            let rank = self.memory.rank(node, name, gain, drift) * 8 + lot(index);
            Ranked { index, name, rank, gain }
        });
        ranked.collect()
    }
}

/// Brings the most promising of the steps from here on to the front, the first of equals.
fn next_best(ranked: &mut [Ranked], from: usize) {
    let rest = ranked[from..].iter().enumerate();
    let best = rest.max_by_key(|(index, step)| (step.rank, std::cmp::Reverse(*index)));
    if let Some((index, _)) = best {
        // Kept in order, so that equals stay as the rules list them.
        ranked[from..=from + index].rotate_right(1);
    }
}
