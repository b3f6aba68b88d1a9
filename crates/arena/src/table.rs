//! The table of a match: what everybody scored, against whom, and how surely.

use std::collections::BTreeMap;

use crate::elo::{Estimate, Z95, estimate, expected, ratings};
use crate::log::Finished;

/// The results of all games that count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    standings: Vec<Standing>,
    /// What is known of each two agents, the smaller index first.
    duels: BTreeMap<(usize, usize), Duel>,
}

/// What one agent scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// How many times it sat at a board.
    pub games: u64,
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
}

impl Standing {
    /// A point for a win, half a point for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// Two agents compared: in each game each seat of the one with each seat of the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Duel {
    /// How often the first was better, equal, worse.
    pub better: u64,
    /// How often equal.
    pub equal: u64,
    /// How often worse.
    pub worse: u64,
    /// For each set: halves that the first scored, comparisons, and games.
    sets: BTreeMap<u64, (u64, u64, u64)>,
}

impl Table {
    /// The table of these games, in sets of `set_size` games. Whatever their order, it is the same.
    pub fn of<'g>(agents: usize, set_size: u64, games: impl IntoIterator<Item = &'g Finished>) -> Self {
        let mut table = Self { standings: vec![Standing::default(); agents], duels: BTreeMap::new() };
        for game in games {
            table.add(game, set_size);
        }
        table
    }

    fn add(&mut self, game: &Finished, set_size: u64) {
        for (&agent, &halves) in game.agents.iter().zip(&game.halves) {
            let standing = &mut self.standings[agent];
            standing.games += 1;
            match halves {
                0 => standing.losses += 1,
                1 => standing.draws += 1,
                _ => standing.wins += 1,
            }
        }
        let mut met = BTreeMap::<(usize, usize), (u64, u64)>::new();
        let seats = || game.agents.iter().copied().zip(game.halves.iter().copied());
        for (index, (one, points)) in seats().enumerate() {
            for (other, others) in seats().skip(index + 1).filter(|&(other, _)| other != one) {
                let (pair, (ours, theirs)) =
                    if one < other { ((one, other), (points, others)) } else { ((other, one), (others, points)) };
                let halves = match ours.cmp(&theirs) {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                };
                let duel = self.duels.entry(pair).or_default();
                *[&mut duel.worse, &mut duel.equal, &mut duel.better][halves] += 1;
                let sum = met.entry(pair).or_default();
                *sum = (sum.0 + halves as u64, sum.1 + 1);
            }
        }
        for (pair, (halves, comparisons)) in met {
            let set = self.duels.entry(pair).or_default().sets.entry(game.number / set_size).or_default();
            *set = (set.0 + halves, set.1 + comparisons, set.2 + 1);
        }
        for duel in self.duels.values_mut() {
            // What is left of unfinished sets is told apart by the number of games.
            debug_assert!(duel.sets.values().all(|set| set.2 <= set_size), "a set has only so many games");
        }
    }

    /// What each agent scored.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// All who have met.
    pub fn duels(&self) -> impl Iterator<Item = ((usize, usize), &Duel)> {
        self.duels.iter().map(|(&pair, duel)| (pair, duel))
    }

    /// How two agents compare, the smaller index first.
    pub fn duel(&self, one: usize, other: usize) -> Option<&Duel> {
        self.duels.get(&(one, other))
    }

    /// The Elo of each agent with the mean 0, and the 95 % interval to either side when the others' are taken as they are.
    ///
    /// The error is that of the scores of whole sets around what the ratings let expect, over the slope of the expectation.
    pub fn ratings(&self, set_size: u64) -> Vec<(f64, f64)> {
        let agents = self.standings.len();
        let (mut scores, mut games) = (vec![vec![0.0; agents]; agents], vec![vec![0.0; agents]; agents]);
        for (&(one, other), duel) in &self.duels {
            let count = duel.better + duel.equal + duel.worse;
            (games[one][other], games[other][one]) = (count as f64, count as f64);
            scores[one][other] = duel.better as f64 + duel.equal as f64 / 2.0;
            scores[other][one] = duel.worse as f64 + duel.equal as f64 / 2.0;
        }
        let elos = ratings(&scores, &games);
        let error = |agent: usize| {
            let (mut variance, mut slope) = (0.0, 0.0);
            for (&(one, other), duel) in self.duels.iter().filter(|((one, other), _)| [one, other].contains(&&agent)) {
                let chance = expected(elos[one] - elos[other]);
                for &(halves, comparisons, _) in duel.sets.values().filter(|set| set.2 == set_size) {
                    variance += (halves as f64 / 2.0 - chance * comparisons as f64).powi(2);
                    slope += comparisons as f64 * chance * (1.0 - chance) * std::f64::consts::LN_10 / 400.0;
                }
            }
            // Sets that are all as expected say nothing of the error.
            if variance > 0.0 { Z95 * variance.sqrt() / slope } else { f64::INFINITY }
        };
        elos.iter().copied().zip((0..agents).map(error)).collect()
    }
}

impl Duel {
    /// The mean scores of the first in all complete sets, from 0 to 1, in their order.
    fn scores(&self, set_size: u64) -> Vec<f64> {
        let complete = self.sets.values().filter(|set| set.2 == set_size);
        complete.map(|&(halves, comparisons, _)| halves as f64 / (2 * comparisons) as f64).collect()
    }

    /// What the complete sets say about the first agent.
    pub fn estimate(&self, set_size: u64) -> Option<Estimate> {
        estimate(&self.scores(set_size))
    }

    /// How many complete pairs of games the first scored 0, ½, 1, 1½ and 2 points in.
    pub fn pairs(&self) -> [u64; 5] {
        let mut pairs = [0; 5];
        for &(halves, _, _) in self.sets.values().filter(|&&(_, comparisons, games)| (comparisons, games) == (2, 2)) {
            pairs[halves as usize] += 1;
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::{Pairing, Scheme};

    fn game(number: u64, agents: &[usize], halves: &[u8]) -> Finished {
        Finished { number, agents: agents.to_vec(), halves: halves.to_vec(), by: String::new(), moves: 0, record: None }
    }

    #[test]
    fn pairs_are_scored_together() {
        // Two pairs, won 2–0 and drawn 1–1 by a win each, and a game without its fellow.
        let games = [
            game(0, &[0, 1], &[2, 0]),
            game(1, &[1, 0], &[0, 2]),
            game(2, &[0, 1], &[2, 0]),
            game(3, &[1, 0], &[2, 0]),
            game(4, &[0, 1], &[1, 1]),
        ];
        let table = Table::of(2, 2, &games);
        let duel = table.duel(0, 1).unwrap();
        assert_eq!((duel.better, duel.equal, duel.worse), (3, 1, 1));
        assert_eq!(duel.pairs(), [0, 0, 1, 0, 1]);
        assert_eq!(duel.estimate(2).unwrap().score, 0.75);
        assert_eq!(table.standings()[0], Standing { games: 5, wins: 3, draws: 1, losses: 1 });
        assert_eq!(table.standings()[0].points(), 3.5);
        assert_eq!(table, Table::of(2, 2, games.iter().rev()));
    }

    #[test]
    fn seats_that_are_paired_make_the_error_smaller() {
        // Whoever begins wins: nothing is uncertain about two equal agents, although every game is decided.
        let pairing = Pairing::new(Scheme::RoundRobin, 2, 2).unwrap();
        let games: Vec<Finished> = (0..200).map(|number| game(number, &pairing.game(number).agents, &[2, 0])).collect();
        let estimate = Table::of(2, 2, &games).duel(0, 1).unwrap().estimate(2).unwrap();
        assert_eq!(estimate.score, 0.5);
        assert!(estimate.high < 13.0 && estimate.low > -13.0, "{estimate:?}");
    }

    #[test]
    fn three_players_are_compared_two_by_two() {
        let games = [game(0, &[0, 1, 2], &[2, 0, 0]), game(1, &[1, 2, 0], &[2, 0, 0]), game(2, &[2, 0, 1], &[1, 1, 1])];
        let table = Table::of(3, 3, &games);
        let counts = |one, other| table.duel(one, other).map(|duel| (duel.better, duel.equal, duel.worse)).unwrap();
        assert_eq!((counts(0, 1), counts(0, 2), counts(1, 2)), ((1, 1, 1), (1, 2, 0), (1, 2, 0)));
        let elos: Vec<f64> = table.ratings(3).into_iter().map(|(elo, _)| elo).collect();
        assert!((elos[0] - elos[1]).abs() < 1e-6 && elos[0] > elos[2], "{elos:?}");
    }
}
