//! A match in progress: which games are over, which are missing, and whether more are needed.
//!
//! Whatever the order in which games end, and whether or not the match was interrupted, the same games count in the end: a
//! sequential test looks at them in the order of their numbers, and those beyond its end do not count.

use std::collections::BTreeMap;

use crate::log::Finished;
use crate::pairing::Pairing;
use crate::sprt::{Sprt, Verdict};
use crate::table::Table;

/// The state of a match.
#[derive(Clone, Debug)]
pub struct Contest {
    pairing: Pairing,
    agents: usize,
    games: u64,
    finished: BTreeMap<u64, Finished>,
    test: Option<Test>,
}

/// A sequential test, as far as games have come in without a gap.
#[derive(Clone, Debug)]
struct Test {
    sprt: Sprt,
    pairs: [u64; 5],
    /// How many games it has looked at: whole sets.
    seen: u64,
    verdict: Option<Verdict>,
}

impl Contest {
    /// A match of so many games, or fewer when the test ends before. Tests are for two agents in a game for two.
    pub fn new(pairing: Pairing, agents: usize, games: u64, sprt: Option<Sprt>) -> Self {
        let sprt = sprt.filter(|_| agents == 2 && pairing.set_size() == 2);
        let test = sprt.map(|sprt| Test { sprt, pairs: [0; 5], seen: 0, verdict: None });
        Self { pairing, agents, games, finished: BTreeMap::new(), test }
    }

    /// Notes a finished game. One that the match does not have, or that is known, changes nothing.
    pub fn add(&mut self, game: Finished) {
        if game.number < self.games {
            self.finished.entry(game.number).or_insert(Finished { record: None, ..game });
        }
        let Some(test) = &mut self.test else { return };
        while test.verdict.is_none()
            && let (Some(one), Some(other)) = (self.finished.get(&test.seen), self.finished.get(&(test.seen + 1)))
        {
            let halves: u8 = [one, other].iter().map(|game| game.halves[usize::from(game.agents[0] != 0)]).sum();
            test.pairs[usize::from(halves)] += 1;
            test.seen += 2;
            test.verdict = test.sprt.verdict(test.sprt.llr(&test.pairs));
        }
    }

    /// The numbers of the games that are still to be played, if the test does not end before.
    pub fn missing(&self) -> Vec<u64> {
        if self.is_over() {
            Vec::new()
        } else {
            (0..self.games).filter(|number| !self.finished.contains_key(number)).collect()
        }
    }

    /// Whether all games are over, or the test is.
    pub fn is_over(&self) -> bool {
        self.verdict().is_some() || self.finished.len() as u64 >= self.games
    }

    /// What the test has found.
    pub fn verdict(&self) -> Option<Verdict> {
        self.test.as_ref()?.verdict
    }

    /// The test and its log-likelihood ratio.
    pub fn test(&self) -> Option<(Sprt, f64)> {
        self.test.as_ref().map(|test| (test.sprt, test.sprt.llr(&test.pairs)))
    }

    /// The games that count.
    pub fn counted(&self) -> impl Iterator<Item = &Finished> {
        let end = self.test.as_ref().filter(|test| test.verdict.is_some()).map_or(self.games, |test| test.seen);
        self.finished.range(..end).map(|(_, game)| game)
    }

    /// The table of the games that count.
    pub fn table(&self) -> Table {
        Table::of(self.agents, self.pairing.set_size(), self.counted())
    }

    /// The plan.
    pub fn pairing(&self) -> &Pairing {
        &self.pairing
    }
}

#[cfg(test)]
mod tests {
    use dagaz_base::Random;

    use super::*;
    use crate::pairing::Scheme;

    #[test]
    fn the_order_in_which_games_end_changes_nothing() {
        let sprt = "0,100".parse().unwrap();
        let pairing = Pairing::new(Scheme::RoundRobin, 2, 2).unwrap();
        let mut random = Random::new(3);
        let results: Vec<Finished> = (0..400)
            .map(|number| {
                let agents = pairing.game(number).agents;
                let halves = [2, 2, 1, 0][random.below(4)];
                let halves = if agents[0] == 0 { vec![halves, 2 - halves] } else { vec![2 - halves, halves] };
                Finished { number, agents, halves, by: String::new(), moves: 1, record: None }
            })
            .collect();
        let whole = |order: &mut dyn Iterator<Item = &Finished>| {
            let mut contest = Contest::new(pairing.clone(), 2, 400, Some(sprt));
            for game in order {
                if contest.is_over() {
                    break;
                }
                contest.add(game.clone());
            }
            assert_eq!(contest.verdict(), Some(Verdict::Stronger));
            (contest.table(), contest.counted().count())
        };
        let straight = whole(&mut results.iter());
        let mut disorder: Vec<&Finished> = results.iter().collect();
        for chunk in disorder.chunks_mut(7) {
            chunk.reverse();
        }
        assert_eq!(whole(&mut disorder.into_iter()), straight);
        assert!(straight.1 < 400 && straight.1 % 2 == 0);
    }

    #[test]
    fn missing_games_are_those_that_nobody_has_played() {
        let pairing = Pairing::new(Scheme::RoundRobin, 2, 2).unwrap();
        let mut contest = Contest::new(pairing.clone(), 2, 4, None);
        for number in [2, 0, 9] {
            let agents = pairing.game(number).agents;
            contest.add(Finished { number, agents, halves: vec![1, 1], by: String::new(), moves: 1, record: None });
        }
        assert_eq!(contest.missing(), [1, 3]);
        assert!(!contest.is_over());
    }
}
