//! Games of three and more players in which each plays for himself: max-n (Luckhardt and Irani 1986).
//!
//! Each state has a value for every player, and who moves takes what is best for him. Nothing is cut off, so this looks
//! less far ahead than a search against all others.

use dagaz_base::IdMap;
use dagaz_engine::{Outcome, Situation, Step};
use dagaz_ir::{Player, Role, Rules};

use super::search::Halt;
use super::values::{of_outcome, score};
use crate::agent::{Ask, Choice, NoChoice};
use crate::evaluation::{Evaluation, Sides};
use crate::walk::{Walk, whole_moves};

/// As deep as anybody can wait for.
const DEEPEST: u32 = 50;

/// What a state is worth, by player.
type Values = IdMap<Player, i32>;

/// Whether the rules have more than two persons.
pub(super) fn are_many(rules: &Rules) -> bool {
    rules.players.values().filter(|player| player.role == Role::Person).count() > 2
}

/// Chooses by max-n.
pub(super) fn choose(ask: &Ask<'_>, evaluation: &Evaluation) -> Result<Choice, NoChoice> {
    let mut search = MaxN::new(ask, evaluation);
    let (mut best, mut value, mut reached) = (Vec::new(), None, 0);
    let me = search.walk.mover();
    for depth in 1..=ask.budget.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST) {
        search.walk.take_back_to(0);
        search.was_cut = false;
        let mut line = Vec::new();
        match search.node(depth, 0, &mut line) {
            Ok(values) => (best, value, reached) = (line, Some(values[me]), depth),
            Err(Halt::Fault(fault)) => return Err(fault.into()),
            Err(Halt::Stop) => break,
        }
        if !search.was_cut {
            break;
        }
    }
    let line = whole_moves(ask, &best)?;
    let chosen = line.first().cloned().unwrap_or_default();
    Ok(Choice { chosen, score: value.map(score), line, nodes: search.nodes, depth: reached })
}

struct MaxN<'a> {
    ask: &'a Ask<'a>,
    walk: Walk<'a>,
    evaluation: &'a Evaluation,
    /// How each player sees the others.
    sides: IdMap<Player, Sides>,
    nodes: u64,
    was_cut: bool,
}

impl<'a> MaxN<'a> {
    fn new(ask: &'a Ask<'a>, evaluation: &'a Evaluation) -> Self {
        let players = ask.executor.rules().players.ids();
        let sides = players.map(|player| Sides::of(ask.executor, player)).collect();
        Self { ask, walk: Walk::new(ask), evaluation, sides, nodes: 0, was_cut: false }
    }

    fn node(&mut self, depth: u32, ply: u32, line: &mut Vec<Step>) -> Result<Values, Halt> {
        line.clear();
        if self.ask.budget.nodes.is_some_and(|limit| self.nodes >= limit) || !(self.ask.keep_going)() {
            return Err(Halt::Stop);
        }
        self.nodes += 1;
        let steps = match self.walk.situation()? {
            Situation::Over(outcome) => return Ok(self.of_outcome(&outcome, ply)),
            Situation::Open(steps) => steps,
        };
        if depth == 0 && self.walk.starts_move() || self.walk.steps_made() >= 1000 {
            self.was_cut = true;
            return Ok(self.estimates(steps.len()));
        }
        let (mover, is_chance) = (self.walk.mover(), self.walk.is_chance());
        let (mut best, mut sums): (Option<Values>, Vec<i64>) = (None, vec![0; self.sides.len()]);
        let mut below = Vec::new();
        for step in &steps {
            let moves = u32::from(self.walk.make(step)?);
            let values = self.node(depth - moves, ply + moves, &mut below)?;
            self.walk.take_back();
            sums.iter_mut().zip(values.values()).for_each(|(sum, &value)| *sum += i64::from(value));
            if best.as_ref().is_none_or(|best| values[mover] > best[mover]) {
                best = Some(values);
                line.clear();
                line.push(step.clone());
                line.append(&mut below);
            }
        }
        match best {
            Some(best) if !is_chance => Ok(best),
            _ => Ok(sums.iter().map(|sum| (sum / steps.len() as i64) as i32).collect()),
        }
    }

    fn of_outcome(&self, outcome: &Outcome, ply: u32) -> Values {
        self.sides.ids().map(|player| of_outcome(outcome, player, ply)).collect()
    }

    fn estimates(&mut self, steps: usize) -> Values {
        let (evaluation, walk) = (self.evaluation, &mut self.walk);
        self.sides.values().map(|sides| evaluation.value(walk, sides, steps)).collect()
    }
}
