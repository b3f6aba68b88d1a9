//! Alpha-beta: plain and correct.
//!
//! Negamax (Knuth and Moore 1975) over *steps*: the sign flips where the side to move changes, so that the steps of a
//! chain and a second turn of the same player are maximised together. Chance turns are averaged over all their steps
//! (expectimax). With more than two players everybody else is taken to play against the one who asks. Depth counts
//! whole moves: steps inside a move are free. Iterative deepening; the principal variation, the table's step, killers
//! and captures come first. The table only orders steps, since a value may depend on the way to a state (repetition).

use dagaz_base::Id;
use dagaz_base::random::mix;
use dagaz_engine::{Effect, Fault, Move, Outcome, Share, Situation, Step};

use crate::agent::{Agent, Ask, Choice, NoChoice, Score};
use crate::analysis::{Analysis, by_depth};
use crate::evaluation::{Side, Sides, material};
use crate::walk::{Walk, whole_moves};

/// The alpha-beta agent; its limits come with each question.
#[derive(Clone, Copy, Debug, Default)]
pub struct AlphaBeta;

impl Agent for AlphaBeta {
    fn name(&self) -> String {
        "alphabeta".to_owned()
    }

    fn analyze(&self, ask: &Ask<'_>, count: usize, report: &mut dyn FnMut(&Analysis)) -> Result<Analysis, NoChoice> {
        by_depth(self, ask, count, report)
    }

    fn choose(&self, ask: &Ask<'_>) -> Result<Choice, NoChoice> {
        let mut search = Search::new(ask);
        if let Situation::Over(_) = search.walk.situation()? {
            return Err(NoChoice::Over);
        }
        let mut best = Found { value: None, line: Vec::new(), depth: 0 };
        for depth in 1..=ask.budget.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST) {
            match search.deepen(depth, &best.line) {
                Ok(found) => best = found,
                Err(Halt::Fault(fault)) => return Err(fault.into()),
                Err(Halt::Stop) => {
                    // The old best step is looked at first: whatever an unfinished search prefers, it found better.
                    if let Some((value, line)) = search.at_root.take() {
                        best = Found { value: Some(value), line, depth: best.depth };
                    }
                    break;
                }
            }
            let proven = best.value.is_some_and(|value| value.abs() >= PROVEN);
            if proven || !search.was_cut {
                break;
            }
        }
        let line = whole_moves(ask, &best.line)?;
        let chosen: Move = line.first().cloned().unwrap_or_default();
        Ok(Choice { chosen, score: best.value.map(score), line, nodes: search.nodes, depth: best.depth })
    }
}

/// The value of a win here and now, to the side that asked.
const WIN: i32 = 1_000_000;
/// Values beyond this are wins and losses that nobody can escape.
const PROVEN: i32 = WIN - 10_000;
/// More than every value.
const INFINITE: i32 = WIN + 1;
/// No search goes deeper, so that the stack is safe.
const DEEPEST: u32 = 200;
/// Nor does it make more steps than this, whatever they cost.
const LONGEST: usize = 1000;
/// How many states the ordering table remembers.
const TABLE: usize = 1 << 16;

fn score(value: i32) -> Score {
    if value >= PROVEN {
        Score::Win((WIN - value) as u32)
    } else if value <= -PROVEN {
        Score::Loss((WIN + value) as u32)
    } else {
        Score::Pieces(value)
    }
}

/// What a finished search found.
struct Found {
    value: Option<i32>,
    line: Vec<Step>,
    depth: u32,
}

/// Why a search came back early.
enum Halt {
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
struct Place {
    /// Whole moves still to look ahead.
    depth: u32,
    /// Whole moves made since the root.
    ply: u32,
}

struct Search<'a> {
    ask: &'a Ask<'a>,
    walk: Walk<'a>,
    sides: Sides,
    nodes: u64,
    /// Whether this iteration valued a state that is not over.
    was_cut: bool,
    /// The best of this iteration so far.
    at_root: Option<(i32, Vec<Step>)>,
    /// The last iteration's principal variation, as long as the search follows it.
    hint: Vec<Step>,
    killers: Vec<[Option<Step>; 2]>,
    table: Vec<(u64, u32)>,
}

impl<'a> Search<'a> {
    fn new(ask: &'a Ask<'a>) -> Self {
        let walk = Walk::new(ask);
        let sides = Sides::of(ask.executor, walk.mover());
        let (killers, table) = (Vec::new(), vec![(0, 0); TABLE]);
        Self { ask, walk, sides, nodes: 0, was_cut: false, at_root: None, hint: Vec::new(), killers, table }
    }

    fn deepen(&mut self, depth: u32, hint: &[Step]) -> Result<Found, Halt> {
        self.walk.take_back_to(0);
        (self.was_cut, self.at_root) = (false, None);
        self.hint = hint.to_vec();
        let mut line = Vec::new();
        let value = self.negamax(Place { depth, ply: 0 }, -INFINITE, INFINITE, &mut line)?;
        Ok(Found { value: Some(value), line, depth })
    }

    /// Whether what is good for the asking player is good for whoever is to move.
    fn ours(&self) -> bool {
        self.sides.side(self.walk.mover()) != Side::Theirs
    }

    /// The value of the state to the side to move; `line` becomes the best steps from there.
    fn negamax(&mut self, at: Place, mut alpha: i32, beta: i32, line: &mut Vec<Step>) -> Result<i32, Halt> {
        line.clear();
        if self.ask.budget.nodes.is_some_and(|limit| self.nodes >= limit) || !(self.ask.keep_going)() {
            return Err(Halt::Stop);
        }
        self.nodes += 1;
        let ours = self.ours();
        let steps = match self.walk.situation()? {
            Situation::Over(outcome) => return Ok(signed(ours, self.outcome_value(&outcome, at.ply))),
            Situation::Open(steps) => steps,
        };
        if at.depth == 0 || self.walk.steps_made() >= LONGEST {
            self.was_cut = true;
            return Ok(signed(ours, material(self.walk.executor, &self.walk.state, &self.sides)));
        }
        if self.walk.is_chance() {
            return self.average(at, &steps);
        }
        let mut best = -INFINITE;
        let mut below = Vec::new();
        for index in self.order(&steps, at) {
            let step = &steps[index];
            let on_hint = self.hint.get(self.walk.steps_made()) == Some(step);
            if !on_hint {
                self.hint.truncate(self.walk.steps_made());
            }
            let value = self.child(step, at, alpha, beta, ours, &mut below)?;
            if value > best {
                best = value;
                line.clear();
                line.push(step.clone());
                line.append(&mut below);
                if self.walk.steps_made() == 0 {
                    self.at_root = Some((best, line.clone()));
                }
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                self.note_killer(step, at.ply);
                break;
            }
        }
        if let Some(first) = line.first() {
            let index = steps.iter().position(|step| step == first).unwrap_or(0);
            let hash = self.walk.state.hash();
            self.table[hash as usize % TABLE] = (hash, index as u32);
        }
        Ok(best)
    }

    /// The value of a step to the side that makes it.
    fn child(
        &mut self,
        step: &Step,
        at: Place,
        alpha: i32,
        beta: i32,
        ours: bool,
        line: &mut Vec<Step>,
    ) -> Result<i32, Halt> {
        let ended = self.walk.make(step)?;
        let below = if ended { Place { depth: at.depth - 1, ply: at.ply + 1 } } else { at };
        let value = if self.ours() == ours {
            self.negamax(below, alpha, beta, line)?
        } else {
            -self.negamax(below, -beta, -alpha, line)?
        };
        self.walk.take_back();
        Ok(value)
    }

    /// The mean over chance's steps, which are equally likely.
    fn average(&mut self, at: Place, steps: &[Step]) -> Result<i32, Halt> {
        let (ours, mut sum, mut below) = (self.ours(), 0_i64, Vec::new());
        self.hint.truncate(self.walk.steps_made());
        for step in steps {
            sum += i64::from(self.child(step, at, -INFINITE, INFINITE, ours, &mut below)?);
        }
        Ok((sum / steps.len() as i64) as i32)
    }

    /// What an outcome is worth to the asking player.
    fn outcome_value(&self, outcome: &Outcome, ply: u32) -> i32 {
        let me = self.ask.executor.to_move(self.ask.state);
        match outcome.shares.get(me.index()) {
            Some(Share::Win) => WIN - ply as i32,
            Some(Share::Loss) => ply as i32 - WIN,
            Some(Share::Draw | Share::None) | None => 0,
        }
    }

    /// The steps' indices, the most promising first.
    fn order(&self, steps: &[Step], at: Place) -> Vec<usize> {
        let hint = self.hint.get(self.walk.steps_made());
        let hash = self.walk.state.hash();
        let known = self.table[hash as usize % TABLE];
        let remembered = (known.0 == hash).then_some(known.1 as usize);
        let killers = self.killers.get(at.ply as usize);
        let rank = |index: usize| {
            let step = &steps[index];
            if hint == Some(step) {
                0
            } else if remembered == Some(index) {
                1
            } else if self.captures(step) {
                2
            } else if killers.is_some_and(|pair| pair.iter().flatten().any(|killer| killer == step)) {
                3
            } else {
                4
            }
        };
        // Of equally good steps the one that is looked at first is chosen: at the root that is left to chance.
        let at_root = self.walk.steps_made() == 0;
        let lot = |index: usize| if at_root { mix(self.ask.seed ^ mix(index as u64)) } else { 0 };
        let mut order: Vec<usize> = (0..steps.len()).collect();
        order.sort_by_cached_key(|&index| (rank(index), lot(index)));
        order
    }

    fn captures(&self, step: &Step) -> bool {
        let (state, layout) = (&self.walk.state, self.walk.executor.layout());
        step.effects.iter().any(|effect| match *effect {
            Effect::Capture { .. } => true,
            Effect::Move { to: site, .. } | Effect::Copy { to: site, .. } | Effect::Drop { site, .. } => {
                state.get(layout.at(layout.known.owner, site)) > 0
            }
            _ => false,
        })
    }

    fn note_killer(&mut self, step: &Step, ply: u32) {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None, None]);
        }
        if self.killers[ply][0].as_ref() != Some(step) {
            self.killers[ply][1] = self.killers[ply][0].replace(step.clone());
        }
    }
}

fn signed(ours: bool, value: i32) -> i32 {
    if ours { value } else { -value }
}
