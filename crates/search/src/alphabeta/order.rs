//! Which steps are looked at first: those that were best before, captures, and quiet steps that cut elsewhere.
//!
//! Killers (Akl and Newborn 1977) are quiet steps that cut at the same distance from the root, a counter is one that cut
//! after the same move, and the history (Schaeffer 1989) counts cuts anywhere.

use dagaz_base::Id;
use dagaz_base::random::mix;
use dagaz_engine::{Parameter, Step, StepRule};

use super::table::STEP_MASK;

/// What a step is called in other states, where the same step may be legal: never 0.
pub(super) fn name(step: &Step) -> u32 {
    let rule = match step.rule {
        StepRule::Rule(rule) => rule.index() as u64 + 2,
        StepRule::Pass => 0,
        StepRule::Stop => 1,
    };
    let site = |site: Option<dagaz_board::Site>| site.map_or(0, |site| site.index() as u64 + 1);
    let choice = step.choice.map_or(0, |kind| kind.index() as u64 + 1);
    let mut hash = mix(rule << 48 ^ site(step.from) << 32 ^ site(step.to) << 16 ^ choice);
    for parameter in &step.parameters {
        hash = mix(hash
            ^ match *parameter {
                Parameter::Int(value) => u64::from(value as u32),
                Parameter::Site(at) => site(at) | 1 << 40,
            });
    }
    (hash as u32 & STEP_MASK).max(1)
}

/// How many steps the history tells apart, for each side.
const HISTORY: usize = 1 << 14;
const COUNTERS: usize = 1 << 12;
/// No count of the history grows beyond this.
const MOST: i32 = 1 << 20;

/// What cut off where, in one search.
pub(super) struct Memory {
    killers: Vec<[u32; 2]>,
    counters: Vec<u32>,
    history: Vec<i32>,
}

/// What is asked about the steps of one node.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) ply: u32,
    /// The name of the step before.
    pub(super) last: u32,
    pub(super) ours: bool,
    /// The step that was best before, or 0.
    pub(super) known: u32,
}

/// A step of a node, and how promising it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) index: usize,
    pub(super) name: u32,
    pub(super) rank: i64,
    /// What it wins at once.
    pub(super) gain: i32,
}

const BEST: i64 = 1 << 40;
const CAPTURE: i64 = 1 << 32;
const KILLER: i64 = 1 << 30;

impl Memory {
    pub(super) fn new() -> Self {
        Self { killers: Vec::new(), counters: vec![0; COUNTERS], history: vec![0; 2 * HISTORY] }
    }

    /// How promising a step is: the greater, the sooner.
    pub(super) fn rank(&self, node: Node, name: u32, gain: i32, drift: i32) -> i64 {
        if name == node.known {
            return BEST;
        }
        if gain > 0 {
            return CAPTURE + i64::from(gain);
        }
        let killers = self.killers.get(node.ply as usize).copied().unwrap_or_default();
        if name == killers[0] {
            KILLER + 2
        } else if name == killers[1] {
            KILLER + 1
        } else if name == self.counters[node.last as usize % COUNTERS] {
            KILLER
        } else {
            i64::from(self.history[slot(node.ours, name)]) * 4 + i64::from(drift)
        }
    }

    /// A quiet step has cut off, after others that have not.
    pub(super) fn note(&mut self, node: Node, step: u32, depth: u32, before: &[Ranked]) {
        let ply = node.ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [0, 0]);
        }
        if self.killers[ply][0] != step {
            self.killers[ply] = [step, self.killers[ply][0]];
        }
        self.counters[node.last as usize % COUNTERS] = step;
        let weight = (depth * depth).min(400) as i32;
        self.count(node.ours, step, weight);
        for other in before.iter().filter(|other| other.gain <= 0) {
            self.count(node.ours, other.name, -weight);
        }
    }

    fn count(&mut self, ours: bool, name: u32, by: i32) {
        let count = &mut self.history[slot(ours, name)];
        *count = (*count + by).clamp(-MOST, MOST);
        if count.abs() == MOST {
            self.history.iter_mut().for_each(|count| *count /= 2);
        }
    }
}

fn slot(ours: bool, name: u32) -> usize {
    usize::from(ours) * HISTORY + name as usize % HISTORY
}
