//! Training: an agent plays against itself, and what states are worth is moved towards how the games went on.
//!
//! Each move is chosen by a short alpha-beta search. The state at the end of its principal variation is what was expected
//! (as in TD-leaf, Baxter, Tridgell and Weaver 1998); a step of logistic regression then brings its value nearer to the result of
//! the game. Games come from seeds of their own, one after the other: training that was stopped goes on as if it had not been.

use std::sync::Arc;

use dagaz_base::random::mix;
use dagaz_base::{Id, Random};
use dagaz_engine::{Executor, Fault, History as _, Line, Outcome, Share, Situation, State};

use crate::agent::{Ask, Budget};
use crate::alphabeta::expected;
use crate::evaluation::{Evaluation, Learner, Sample, Weights, fingerprint};

/// States that a search for one move looks at.
const NODES: u64 = 300;
/// Moves at the beginning that are made at random: up to so many.
const OPENING: usize = 8;
/// One move of so many is made at random later on.
const STRAY: usize = 12;
/// A game that is not over after so many moves is a draw.
const LONGEST: usize = 300;
/// How fast is learned: hundredths of a piece for a game, at the beginning.
const PACE: f64 = 0.6;
/// After so many games it is half as fast.
const HALF: f64 = 400.0;
/// The advantage that wins three games of four is about so many hundredths of a piece.
const SCALE: f64 = 250.0;

/// Trains an evaluation.
pub struct Trainer<'a> {
    executor: &'a dyn Executor,
    learner: Learner,
    seed: u64,
    games: u64,
}

/// Why rules cannot be trained for: only games of two players have an evaluation that is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("only games of two players can be trained")]
pub struct Untrainable;

impl<'a> Trainer<'a> {
    /// Begins training, or goes on with what was found before, if that is for the same rules.
    pub fn new(executor: &'a dyn Executor, seed: u64, known: Option<&Weights>) -> Result<Self, Untrainable> {
        let mut learner = Learner::new(executor).ok_or(Untrainable)?;
        let known = known.filter(|known| known.rules == fingerprint(executor.rules()));
        let known = known.filter(|known| learner.take(&known.values));
        let (seed, games) = known.map_or((seed, 0), |known| (known.seed, known.games));
        Ok(Self { executor, learner, seed, games })
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// What was found out.
    pub fn weights(&self) -> Weights {
        let values = self.learner.values().to_vec();
        Weights { rules: fingerprint(self.executor.rules()), seed: self.seed, games: self.games, values }
    }

    /// Plays a game and learns from it; false when it was told to stop before the end, and has learned nothing.
    pub fn play(&mut self, keep_going: &dyn Fn() -> bool) -> Result<bool, Fault> {
        let evaluation = self.learner.evaluation();
        let mut random = Random::new(mix(self.seed ^ mix(self.games)));
        let opening = random.below(OPENING + 1);
        let (mut state, mut line) = (self.executor.initial(), Line::new());
        let mut samples: Vec<Sample> = Vec::new();
        let outcome = loop {
            let steps = match self.executor.situation(&state, &line)? {
                Situation::Over(outcome) => break Some(outcome),
                Situation::Open(_) if line.moves() >= LONGEST => break None,
                Situation::Open(steps) => steps,
            };
            if !keep_going() {
                return Ok(false);
            }
            let strays = line.moves() < opening || random.below(STRAY) == 0 || self.learner.is_chance(&state);
            let chosen = if strays {
                vec![steps[random.below(steps.len())].clone()]
            } else {
                let (steps, sample) = self.think(&evaluation, &state, &line, random.bits())?;
                samples.extend(sample);
                steps
            };
            for step in chosen {
                let (before, mover) = (state.keys(), self.executor.to_move(&state));
                let undo = self.executor.apply(&mut state, &step)?;
                line.push(before, mover, &undo);
            }
        };
        self.learn(&samples, outcome.as_ref());
        self.games += 1;
        Ok(true)
    }

    /// The steps of a move, and what is expected after it.
    fn think(
        &self,
        evaluation: &Arc<Evaluation>,
        state: &State,
        line: &Line,
        seed: u64,
    ) -> Result<(Vec<dagaz_engine::Step>, Option<Sample>), Fault> {
        let budget = Budget { nodes: Some(NODES), depth: None };
        let ask = Ask { executor: self.executor, state, history: line, budget, keep_going: &|| true, seed };
        let (chosen, walk) = expected(&ask, evaluation)?;
        Ok((chosen.steps, walk.and_then(|mut walk| self.learner.sample(&mut walk))))
    }

    /// Moves the values of what was expected towards the result.
    fn learn(&mut self, samples: &[Sample], outcome: Option<&Outcome>) {
        let share = outcome.map(|outcome| outcome.shares[self.learner.first().index()]);
        let result = match share {
            Some(Share::Win) => 1.0,
            Some(Share::Loss) => 0.0,
            Some(Share::Draw | Share::None) | None => 0.5,
        };
        // States of one game have one result: together they count less than as many games.
        let pace = PACE / (1.0 + self.games as f64 / HALF) / (samples.len().max(1) as f64).sqrt();
        for sample in samples {
            let error = result - logistic(self.learner.value(sample) / SCALE);
            self.learner.move_by(sample, pace * error);
        }
    }
}

/// The logistic function, by products and quotients alone: the same on every platform.
fn logistic(value: f64) -> f64 {
    // e^x is (1 + x / 1024) multiplied with itself ten times, nearly; beyond these bounds nothing changes.
    let mut power = 1.0 - value.clamp(-20.0, 20.0) / 1024.0;
    for _ in 0..10 {
        power *= power;
    }
    1.0 / (1.0 + power)
}

#[cfg(test)]
mod tests {
    use super::logistic;

    #[test]
    fn the_logistic_function_is_one() {
        for value in [-8.0_f64, -1.5, 0.0, 0.3, 4.0] {
            assert!((logistic(value) - 1.0 / (1.0 + (-value).exp())).abs() < 0.005, "{value}");
        }
    }
}
