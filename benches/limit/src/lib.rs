//! Programs that play one game each, and nothing else: how near the general engine comes to them is its measure.
//!
//! Each plays from the start to the end by the rules of the file in `games/` that it names, every legal move as likely as
//! every other, and knows afterwards who has won. None of them may be slow for want of effort: that would be cheating.
//! They share random numbers, bit sets and a clock; no rule of a game is shared.

pub mod clock;
pub mod games;
mod past;
pub mod random;
mod select;

use std::fmt;

use random::Random;

/// A program for one game. It keeps tables between the games that it plays, and nothing that changes them.
pub trait Game {
    /// The game, by the name of its rules.
    fn name(&self) -> &'static str;

    /// What is known of the game, and must come out.
    fn known(&self) -> Known;

    /// Plays one game from the start to the end, each legal move as likely as every other.
    fn playout(&mut self, random: &mut Random) -> End;

    /// How many sequences of `depth` moves there are from the start; games that end sooner are none. A depth of 0 is 1.
    fn perft(&mut self, depth: u32) -> u64;

    /// Plays many games.
    fn playouts(&mut self, games: u64, random: &mut Random) -> Tally {
        let mut tally = Tally::default();
        for _ in 0..games {
            tally.count(self.playout(random));
        }
        tally
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// How many moves it had; a forced pass is one.
    pub plies: u32,
    /// Who has won.
    pub winner: Winner,
}

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs)]
pub enum Winner {
    First,
    Second,
    Nobody,
}

impl End {
    /// The player who made the last move has won.
    #[inline(always)]
    fn won(plies: u32) -> Self {
        Self { plies, winner: if plies % 2 == 1 { Winner::First } else { Winner::Second } }
    }

    /// The player who should move, and perhaps cannot, has lost. It is the same: his opponent made the last move, or at the
    /// start would have made one.
    #[inline(always)]
    fn lost(plies: u32) -> Self {
        Self::won(plies)
    }

    #[inline(always)]
    fn drawn(plies: u32) -> Self {
        Self { plies, winner: Winner::Nobody }
    }
}

/// What many games came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many games.
    pub games: u64,
    /// Their moves together.
    pub plies: u64,
    /// The squares of their moves together, for the deviation.
    pub squares: u64,
    /// How many the first player won.
    pub first: u64,
    /// How many the second player won.
    pub second: u64,
}

impl Tally {
    /// One game more.
    #[inline(always)]
    pub fn count(&mut self, end: End) {
        let plies = u64::from(end.plies);
        self.games += 1;
        self.plies += plies;
        self.squares += plies * plies;
        self.first += u64::from(end.winner == Winner::First);
        self.second += u64::from(end.winner == Winner::Second);
    }

    /// These games and those.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            plies: self.plies + other.plies,
            squares: self.squares + other.squares,
            first: self.first + other.first,
            second: self.second + other.second,
        }
    }

    /// The average length in moves.
    pub fn length(&self) -> Estimate {
        let (games, mean) = (self.games as f64, self.plies as f64 / self.games as f64);
        let variance = self.squares as f64 / games - mean * mean;
        Estimate { mean, error: (variance.max(0.0) / games).sqrt() }
    }

    /// In what these games cannot be of one kind with those, if chance alone is to explain it: their length, or how often
    /// one of the players won.
    pub fn differs(&self, other: &Self) -> Option<String> {
        let share = |of: fn(&Self) -> u64| [self, other].map(|tally| Estimate::share(of(tally), tally.games));
        let compared = [
            ("average length", [self.length(), other.length()]),
            ("share of the first player", share(|tally| tally.first)),
            ("share of the second player", share(|tally| tally.second)),
        ];
        let (what, [one, another]) = compared.into_iter().find(|(_, [one, another])| !one.agrees(another))?;
        Some(format!("{what}: {one} and {another}"))
    }
}

/// A number that was found by playing at random.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The average.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    fn share(of: u64, games: u64) -> Self {
        let mean = of as f64 / games as f64;
        Self { mean, error: (mean * (1.0 - mean) / games as f64).sqrt() }
    }

    /// Whether two estimates can be of the same number. By more than four standard errors they would differ once in 16,000
    /// times.
    fn agrees(&self, other: &Self) -> bool {
        (self.mean - other.mean).abs() <= 4.0 * self.error.hypot(other.error)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:.3} ± {:.3}", self.mean, self.error)
    }
}

/// What is known of a game from elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The numbers of sequences of 1, 2, ... moves. Where nothing else is said, their sources stand in the `.cases` of the
    /// game.
    pub perft: &'static [u64],
    /// What random games came to that the reference interpreter played by the rules in `games/`, if they are there: see
    /// `examples/reference.rs`.
    pub random: Option<Tally>,
}
