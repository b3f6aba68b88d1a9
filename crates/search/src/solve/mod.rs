//! Solving: what a state is worth when nobody errs, and a proof of it.
//!
//! A value is found by questions "is it at least so much?" (memory-enhanced tests, Plaat et al. 1996), each answered by a
//! depth-first search to the ends of the game with a table of what is known, so that bounds are there at any time. Values are
//! those of the player to move at the start. Steps of one move, and turns of one player in a row, are chosen by the same player
//! one after the other.
//!
//! States that can stand again are the trouble of tables: what is known of a state must not depend on the way to it. Play that goes
//! round in circles is therefore refused here (`retrograde` solves such games where they are small), except for passes: what was
//! found by such a repetition is not kept beyond it.

mod ground;
mod proof;
mod proof_number;
mod retrograde;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::{Id as _, random::mix};
use dagaz_engine::{Executor, History, Move, State, Step};

pub use ground::{Measure, Unsolvable, measure};
pub use proof::{BadProof, Proof, Verified, verify};
pub use retrograde::{Space, Standing, enumerate};

use ground::{Ground, Look};
use proof_number::{NEVER, Numbers};
use table::{Known, Table, UNKNOWN};

/// How questions are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// In depth, step by step.
    Depth,
    /// By proof numbers: where it seems easiest.
    ProofNumber,
}

/// What is known so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many states were looked at.
    pub nodes: u64,
    /// The value is at least this, if anything is known.
    pub low: Option<i32>,
    /// And at most this.
    pub high: Option<i32>,
    /// How full the table is, in thousandths.
    pub full: u32,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// In what the value is counted.
    pub measure: Measure,
    /// What is known; the value, where low and high are equal.
    pub progress: Progress,
    /// How both play who do not err; empty while the value is not known.
    pub line: Vec<Move>,
}

impl Solution {
    /// The value to the player to move, where it is known.
    pub fn value(&self) -> Option<i32> {
        self.progress.low.filter(|&low| self.progress.high == Some(low))
    }
}

/// Finds the value of a state.
pub struct Solver<'a> {
    ground: Ground<'a>,
    method: Method,
    table: Table<Known>,
    numbers: Table<Numbers>,
    /// How often steps of a mover from a site to a site have decided.
    history: Vec<u32>,
    nodes: u64,
    low: Option<i32>,
    high: Option<i32>,
    /// Told how far it is, now and then; false stops.
    watch: &'a mut dyn FnMut(&Progress) -> bool,
}

/// Why a search came back early.
enum Halt {
    Stop,
    Unsolvable(Unsolvable),
}

impl From<Unsolvable> for Halt {
    fn from(reason: Unsolvable) -> Self {
        Self::Unsolvable(reason)
    }
}

/// States between two looks at the watch.
const PERIOD: u64 = 1024;
/// Places for what is known of steps.
const STEPS: usize = 1 << 14;
/// An answer that does not depend on the way to the state.
const ANYWHERE: usize = usize::MAX;

impl<'a> Solver<'a> {
    /// A solver for a state with its past, whose table has so many bytes. `watch` is told now and then how far it is; false stops.
    pub fn new(
        executor: &'a dyn Executor,
        state: &State,
        history: &'a dyn History,
        method: Method,
        memory: usize,
        watch: &'a mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Self, Unsolvable> {
        let ground = Ground::new(executor, state, history)?;
        if let Look::Over(_) = ground.look()? {
            return Err(Unsolvable::Over);
        }
        let (depth, numbers) = match method {
            Method::Depth => (memory, 0),
            Method::ProofNumber => (0, memory),
        };
        let nothing = Numbers { proof: NEVER, disproof: NEVER };
        let (table, numbers) = (Table::new(depth, UNKNOWN), Table::new(numbers, nothing));
        Ok(Self { ground, method, table, numbers, history: vec![0; STEPS], nodes: 0, low: None, high: None, watch })
    }

    /// Finds the value, or what is known of it when it was stopped.
    pub fn solve(&mut self) -> Result<Solution, Unsolvable> {
        let measure = self.ground.measure;
        let (mut guess, mut stride) = (1, 1);
        while self.low.is_none() || self.low != self.high {
            match self.at_least(guess) {
                Ok(true) => self.low = Some(self.known(self.low, guess, |known| known.low, i32::max)),
                Ok(false) => self.high = Some(self.known(self.high, guess - 1, |known| known.high, i32::min)),
                Err(Halt::Stop) => {
                    self.ground.take_back_to(0);
                    return Ok(Solution { measure, progress: self.progress(), line: Vec::new() });
                }
                Err(Halt::Unsolvable(reason)) => return Err(reason),
            }
            if measure == Measure::Outcome {
                self.low = self.low.or(self.high.filter(|&high| high == -1));
                self.high = self.high.or(self.low.filter(|&low| low == 1));
            }
            // Where both bounds are known the middle is asked, and else what lies next.
            guess = match (self.low, self.high) {
                (Some(low), Some(high)) => low + (high - low + 1) / 2,
                (Some(low), None) => low + stride,
                (None, Some(high)) => high + 1 - stride,
                (None, None) => unreachable!("each answer is a bound"),
            };
            if measure == Measure::Margin {
                stride *= 2;
            }
        }
        let line = self.line()?;
        Ok(Solution { measure, progress: self.progress(), line })
    }

    /// Where it stands.
    fn progress(&self) -> Progress {
        let (used, all) = match self.method {
            Method::Depth => self.table.used(),
            Method::ProofNumber => self.numbers.used(),
        };
        Progress { nodes: self.nodes, low: self.low, high: self.high, full: (used * 1000 / all) as u32 }
    }

    /// A bound that was just found, or a better one that the table has.
    fn known(&self, old: Option<i32>, found: i32, part: impl Fn(Known) -> i16, better: fn(i32, i32) -> i32) -> i32 {
        let kept = self.table.get(self.ground.key()).map(|known| i32::from(part(known)));
        let kept = kept.filter(|&bound| bound > i32::from(i16::MIN) && bound < i32::from(i16::MAX));
        [old, kept].into_iter().flatten().fold(found, better)
    }

    /// Whether the value of the state at the start is at least so much.
    fn at_least(&mut self, wanted: i32) -> Result<bool, Halt> {
        self.ground.take_back_to(0);
        Ok(self.ask(wanted)?.0)
    }

    /// Whether the state is worth so much, and the earliest state on the way on which that depends.
    fn ask(&mut self, wanted: i32) -> Result<(bool, usize), Halt> {
        match self.method {
            Method::Depth => self.holds(wanted),
            Method::ProofNumber => self.settle(wanted),
        }
    }

    /// Counts a state that is looked at.
    fn count(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        let stop = self.nodes.is_multiple_of(PERIOD) && {
            let progress = self.progress();
            !(self.watch)(&progress)
        };
        if stop { Err(Halt::Stop) } else { Ok(()) }
    }

    /// The same in depth.
    fn holds(&mut self, wanted: i32) -> Result<(bool, usize), Halt> {
        let key = self.ground.key();
        let known = self.table.get(key).unwrap_or(UNKNOWN);
        if i32::from(known.low) >= wanted {
            return Ok((true, ANYWHERE));
        }
        if i32::from(known.high) < wanted {
            return Ok((false, ANYWHERE));
        }
        self.count()?;
        let begun = self.nodes;
        let stood = self.ground.stood()?;
        let steps = match self.ground.look()? {
            Look::Over(value) => {
                if stood.is_none() {
                    let value = value as i16;
                    self.table.put(key, Known { low: value, high: value, best: u16::MAX }, 1);
                }
                return Ok((value >= wanted, stood.unwrap_or(ANYWHERE)));
            }
            Look::Open(steps) => steps,
        };
        if stood.is_some() && self.ground.depth() >= ground::LONGEST / 2 {
            return Err(Unsolvable::Circles.into());
        }
        let (ours, depth) = (self.ground.ours(), self.ground.depth());
        let (mut depends, mut best) = (stood.unwrap_or(ANYWHERE), u16::MAX);
        let order = self.order(&steps, known.best);
        let mut answer = !ours;
        for (place, &index) in order.iter().enumerate() {
            let step = &steps[index];
            self.ground.make(step)?;
            let (holds, on) = self.holds(wanted)?;
            self.ground.take_back();
            depends = depends.min(on);
            if holds == ours {
                (answer, best) = (ours, u16::try_from(index).unwrap_or(u16::MAX));
                self.credit(&steps, &order[..place], step);
                break;
            }
        }
        // What depends on a state before this one is true on this way only.
        if depends >= depth {
            depends = ANYWHERE;
            let wanted = wanted.clamp(i32::from(i16::MIN) + 1, i32::from(i16::MAX)) as i16;
            let kept = if best == u16::MAX { known.best } else { best };
            let found = match answer {
                true => Known { low: wanted, high: known.high, best: kept },
                false => Known { low: known.low, high: wanted - 1, best: kept },
            };
            self.table.put(key, found, self.nodes - begun + 1);
        }
        Ok((answer, depends))
    }

    /// The steps' indices: the one that decided before, then those that decide most often.
    fn order(&self, steps: &[Step], best: u16) -> Vec<usize> {
        let mut order: Vec<usize> = (0..steps.len()).collect();
        if steps.len() > 1 {
            order.sort_by_cached_key(|&index| {
                let merit = self.history[self.place(&steps[index])];
                (index != usize::from(best), std::cmp::Reverse(merit))
            });
        }
        order
    }

    /// A step has decided, and those that were tried before it have not.
    fn credit(&mut self, steps: &[Step], failed: &[usize], decided: &Step) {
        let place = self.place(decided);
        self.history[place] = self.history[place].saturating_add(1 + failed.len() as u32);
        for &index in failed {
            let place = self.place(&steps[index]);
            self.history[place] = self.history[place].saturating_sub(1);
        }
    }

    fn place(&self, step: &Step) -> usize {
        let [from, to] = [step.from, step.to].map(|site| site.map_or(0, |site| site.index() as u64 + 1));
        let mover = self.ground.executor.to_move(&self.ground.state).index() as u64;
        mix(from << 40 ^ to << 16 ^ mover) as usize % STEPS
    }

    /// A strategy for each of both bounds, of no more choices than `most` in all; nothing when there would be more, or the search was
    /// stopped.
    pub fn prove(&mut self, most: usize) -> Result<Option<Proof>, Unsolvable> {
        let (Some(low), Some(high)) = (self.low, self.high) else { return Ok(None) };
        let mut proof =
            Proof { measure: self.ground.measure, low, high, holds: BTreeMap::new(), limits: BTreeMap::new() };
        for at_least in [true, false] {
            let mut seen = BTreeSet::new();
            self.ground.take_back_to(0);
            let bound = if at_least { low } else { high };
            match self.cover(at_least, bound, most, &mut seen, &mut proof) {
                Ok(()) => {}
                Err(Halt::Stop) => return Ok(None),
                Err(Halt::Unsolvable(reason)) => return Err(reason),
            }
        }
        self.ground.take_back_to(0);
        Ok(Some(proof))
    }

    /// Adds the choices of a strategy from a state on.
    fn cover(
        &mut self,
        at_least: bool,
        bound: i32,
        most: usize,
        seen: &mut BTreeSet<u64>,
        proof: &mut Proof,
    ) -> Result<(), Halt> {
        let key = self.ground.key();
        if !seen.insert(key) {
            return Ok(());
        }
        if seen.len() > most {
            return Err(Halt::Stop);
        }
        let Look::Open(steps) = self.ground.look()? else { return Ok(()) };
        if self.ground.ours() == at_least {
            let step = self.keeper(bound, &steps)?.ok_or(Halt::Stop)?;
            let index = steps.iter().position(|other| *other == step).expect("the step is one of them");
            let choices = if at_least { &mut proof.holds } else { &mut proof.limits };
            choices.insert(key, index as u32);
            self.ground.make(&step)?;
            self.cover(at_least, bound, most, seen, proof)?;
            self.ground.take_back();
            return Ok(());
        }
        for step in &steps {
            self.ground.make(step)?;
            self.cover(at_least, bound, most, seen, proof)?;
            self.ground.take_back();
        }
        Ok(())
    }

    /// How both play who do not err: each time the first step that keeps the value.
    fn line(&mut self) -> Result<Vec<Move>, Unsolvable> {
        let (Some(value), true) = (self.low, self.low == self.high) else { return Ok(Vec::new()) };
        let (mut moves, mut current) = (Vec::new(), Move::default());
        self.ground.take_back_to(0);
        while let Look::Open(steps) = self.ground.look()? {
            let Some(step) = self.keeper(value, &steps)? else { break };
            let before = self.ground.past_moves();
            self.ground.make(&step)?;
            current.steps.push(step);
            if self.ground.past_moves() > before {
                moves.push(std::mem::take(&mut current));
            }
        }
        self.ground.take_back_to(0);
        Ok(moves)
    }

    /// A step after which the state is still worth as much; nothing when the search was stopped.
    fn keeper(&mut self, value: i32, steps: &[Step]) -> Result<Option<Step>, Unsolvable> {
        let ours = self.ground.ours();
        let best = self.table.get(self.ground.key()).map_or(u16::MAX, |known| known.best);
        let depth = self.ground.depth();
        for index in self.order(steps, best) {
            let step = &steps[index];
            self.ground.make(step)?;
            let keeps = self.ask(if ours { value } else { value + 1 }).map(|(holds, _)| holds == ours);
            self.ground.take_back_to(depth);
            match keeps {
                Ok(true) => return Ok(Some(step.clone())),
                Ok(false) => {}
                Err(Halt::Stop) => return Ok(None),
                Err(Halt::Unsolvable(reason)) => return Err(reason),
            }
        }
        Ok(None)
    }
}
