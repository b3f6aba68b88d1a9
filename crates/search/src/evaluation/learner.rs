//! The numbers of an evaluation that can be learned, and what each of them has to do with a state.

use std::sync::Arc;

use dagaz_base::Id;
use dagaz_engine::{Executor, State};
use dagaz_ir::{Player, Role};

use super::prepare::studied;
use super::study::{Sample, Study};
use super::{Evaluation, balance};
use crate::walk::Walk;

/// An evaluation that learns: of two players, seen by the first.
pub(crate) struct Learner {
    study: Study,
    base: Evaluation,
    first: Player,
    players: usize,
    chance: Vec<bool>,
    turn: dagaz_engine::Cell,
    turns: Vec<Player>,
    values: Vec<f64>,
}

impl Learner {
    /// What is known before any game was played; nothing for games of more or fewer than two.
    pub(crate) fn new(executor: &dyn Executor) -> Option<Self> {
        let (study, base) = studied(executor);
        let (first, _) = study.persons?;
        let rules = executor.rules();
        let mut learner = Self {
            first,
            players: rules.players.len(),
            chance: rules.players.values().map(|player| player.role == Role::Random).collect(),
            turn: executor.layout().global(executor.layout().known.turn),
            turns: rules.schedule.turns.iter().map(|turn| turn.player).collect(),
            values: Vec::new(),
            study,
            base,
        };
        learner.values = learner.known();
        Some(learner)
    }

    /// The values that the study has found.
    fn known(&self) -> Vec<f64> {
        let (base, sites) = (&self.base, self.base.sites);
        let mut values: Vec<f64> = base.worth.iter().map(|&worth| f64::from(worth)).collect();
        let mut places = vec![0.0; self.study.present.len()];
        for player in 0..self.players {
            for kind in 0..base.kinds {
                for site in 0..sites {
                    let here = base.table[base.index(player, kind, site)] - base.worth[kind];
                    places[self.study.place(player, kind, site)] = f64::from(here);
                }
            }
        }
        values.extend(places);
        values.extend((0..base.kinds).map(|kind| f64::from(base.hand[self.first.index() * base.kinds + kind])));
        values.push(f64::from(base.mobility));
        let of_cell =
            |cell| base.cells.iter().find(|(other, ..)| *other == cell).map_or(0.0, |known| f64::from(known.1));
        values.extend(self.study.numbers.iter().map(|&cell| of_cell(cell) / 16.0));
        values
    }

    /// Takes other values; false when they are not as many.
    pub(crate) fn take(&mut self, values: &[f64]) -> bool {
        let fits = values.len() == self.values.len();
        if fits {
            self.values = values.to_vec();
        }
        fits
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The player whose values they are.
    pub(crate) fn first(&self) -> Player {
        self.first
    }

    pub(crate) fn is_chance(&self, state: &State) -> bool {
        self.chance[self.turns[state.get(self.turn) as usize].index()]
    }

    /// The evaluation with these values.
    pub(crate) fn evaluation(&self) -> Arc<Evaluation> {
        let mut made = self.base.clone();
        let (kinds, sites) = (made.kinds, made.sites);
        let (worth, rest) = self.values.split_at(kinds);
        let (places, rest) = rest.split_at(self.study.present.len());
        let (hands, rest) = rest.split_at(kinds);
        for player in 0..self.players {
            for kind in 0..kinds {
                for site in 0..sites {
                    let index = made.index(player, kind, site);
                    made.table[index] = (worth[kind] + places[self.study.place(player, kind, site)]) as i32;
                }
                made.hand[player * kinds + kind] = hands[kind] as i32;
            }
        }
        // Captures are followed by what kinds are worth: always something.
        made.worth = worth.iter().map(|&worth| (worth as i32).max(i32::from(made.counts_pieces))).collect();
        made.mobility = rest[0] as i32;
        made.cells = self
            .study
            .numbers
            .iter()
            .zip(&rest[1..])
            .map(|(&cell, &value)| (cell, (value * 16.0) as i32, self.first))
            .filter(|&(_, value, _)| value != 0)
            .collect();
        Arc::new(made)
    }

    /// What a state has of everything; nothing when the game is over there.
    pub(crate) fn sample(&self, walk: &mut Walk<'_>) -> Option<Sample> {
        let steps = match walk.situation() {
            Ok(dagaz_engine::Situation::Open(steps)) if walk.starts_move() && !walk.is_chance() => steps.len(),
            _ => return None,
        };
        let mut sample = self.study.seen(walk)?;
        if self.base.mobility != 0 {
            let sign = if walk.mover() == self.first { 1 } else { -1 };
            sample.mobility = balance(walk, steps).map(|balance| balance * sign);
        }
        // What is not learned counts as it is.
        sample.fixed = self.base.shapes(walk, self.first);
        Some(sample)
    }

    /// What a state is worth to the first player.
    pub(crate) fn value(&self, sample: &Sample) -> f64 {
        let mut sum = f64::from(sample.fixed);
        self.each(sample, |index, count| sum += self.values[index] * count);
        sum
    }

    /// Moves all that a state has towards a greater value, or a smaller one.
    pub(crate) fn move_by(&mut self, sample: &Sample, by: f64) {
        let mut changes = Vec::with_capacity(2 * sample.pieces.len());
        self.each(sample, |index, count| changes.push((index, count * by)));
        for (index, change) in changes {
            self.values[index] += change;
        }
    }

    /// Each value that a state has something of, and how much.
    fn each(&self, sample: &Sample, mut see: impl FnMut(usize, f64)) {
        let (kinds, sites, places) = (self.base.kinds, self.base.sites, self.study.present.len());
        for &(place, sign) in &sample.pieces {
            see(place as usize / sites % kinds, f64::from(sign));
            see(kinds + place as usize, f64::from(sign));
        }
        for (kind, &count) in sample.hands.iter().enumerate().filter(|(_, count)| **count != 0) {
            see(kinds + places + kind, f64::from(count));
        }
        if self.base.mobility != 0 {
            see(2 * kinds + places, f64::from(sample.mobility.unwrap_or(0)) / 1000.0);
        }
        for (index, &number) in sample.numbers.iter().enumerate().filter(|(_, number)| **number != 0) {
            // Numbers may be large: their values move less.
            see(2 * kinds + places + 1 + index, f64::from(number));
        }
    }
}
