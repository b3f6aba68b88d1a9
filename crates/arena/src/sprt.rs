//! The sequential test: whether one agent is stronger than another, with as few games as the errors allow.
//!
//! The generalised sequential probability ratio test (Van den Bergh 2017, *A practical introduction to the GSPRT*,
//! <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>; Wald 1945 for the bounds). Pairs of games, one opening with
//! both sides, score 0, ½, 1, 1½ or 2 together; nothing is supposed about how these five are distributed, except the mean
//! that each hypothesis says. The likelihood of either is that of the most likely distribution with its mean.

use std::str::FromStr;

use crate::elo::expected;

/// A test of two hypotheses about the difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The Elo of the first hypothesis, H0.
    pub elo0: f64,
    /// That of the second, H1; more than that of the first.
    pub elo1: f64,
    /// How often H1 may be accepted while H0 is true.
    pub alpha: f64,
    /// How often H0 may be accepted while H1 is true.
    pub beta: f64,
}

/// What the test has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// H0: the first agent is no stronger than `elo0`.
    Weaker,
    /// H1: it is as strong as `elo1`.
    Stronger,
}

/// Why a text is no test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// Not two or four numbers.
    #[error("a test is written `elo0,elo1` or `elo0,elo1,alpha,beta`, such as `0,10` or `-5,0,0.05,0.05`")]
    Shape,
    /// The hypotheses are the wrong way round.
    #[error("elo0 must be less than elo1")]
    Order,
    /// No probabilities of error.
    #[error("alpha and beta must lie between 0 and 0.5")]
    Errors,
}

/// What stands for a result that has not come about yet: without it, it would be impossible under both hypotheses.
const ALMOST_NEVER: f64 = 1e-3;

impl Sprt {
    /// The log-likelihood ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0, given how many pairs scored 0, ½, 1, 1½ and 2 points.
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| if count == 0 { ALMOST_NEVER } else { count as f64 });
        let (score0, score1) = (expected(self.elo0), expected(self.elo1));
        let (tilt0, tilt1) = (tilt(&counts, score0), tilt(&counts, score1));
        let part = |(score, count): (f64, &f64)| {
            count * ((1.0 + tilt0 * (score - score0)) / (1.0 + tilt1 * (score - score1))).ln()
        };
        SCORES.into_iter().zip(&counts).map(part).sum()
    }

    /// Whether the test is over.
    pub fn verdict(&self, llr: f64) -> Option<Verdict> {
        let (low, high) = self.bounds();
        match llr {
            _ if llr <= low => Some(Verdict::Weaker),
            _ if llr >= high => Some(Verdict::Stronger),
            _ => None,
        }
    }
}

/// What a pair may score, as a part of the whole.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Of all distributions with this mean, the most likely has p / (1 + t (a - mean)) for each score a that was seen with the
/// frequency p; this is t, the root of a falling function.
fn tilt(counts: &[f64; 5], mean: f64) -> f64 {
    let excess = |tilt: f64| -> f64 {
        SCORES
            .into_iter()
            .zip(counts)
            .map(|(score, count)| count * (score - mean) / (1.0 + tilt * (score - mean)))
            .sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // Each halving gains a bit: more than a number has.
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let numbers: Vec<f64> = text
            .split(',')
            .map(|part| part.trim().parse().ok().filter(|number: &f64| number.is_finite()))
            .collect::<Option<_>>()
            .ok_or(SprtError::Shape)?;
        let (elo0, elo1, alpha, beta) = match *numbers.as_slice() {
            [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => return Err(SprtError::Shape),
        };
        let possible = |error: f64| error > 0.0 && error < 0.5;
        match () {
            () if elo0 >= elo1 => Err(SprtError::Order),
            () if !possible(alpha) || !possible(beta) => Err(SprtError::Errors),
            () => Ok(Self { elo0, elo1, alpha, beta }),
        }
    }
}

#[cfg(test)]
mod tests {
    use dagaz_base::Random;

    use super::*;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// The ratios that Fishtest published for tests with logistic Elo: the pull requests 2598, 2920, 2951, 2971, 3209 and
    /// 3331 of official-stockfish/Stockfish quote them, with the bounds (-2.94, 2.94).
    #[test]
    fn published_ratios_come_out() {
        let published = [
            (-0.25, 1.25, [253, 4282, 17604, 4431, 286], 2.94),
            (0.25, 1.25, [58, 3302, 33130, 3518, 84], 2.97),
            (-0.5, 1.5, [59, 754, 2467, 865, 75], 2.95),
            (-1.5, 0.5, [444, 5546, 17841, 5604, 428], 2.63),
            (-0.5, 1.5, [17, 253, 1042, 337, 39], 2.96),
            (0.25, 1.25, [14, 1030, 14318, 1163, 19], 2.93),
            (0.25, 1.75, [328, 4564, 15580, 4789, 371], 2.98),
        ];
        for (elo0, elo1, pairs, llr) in published {
            assert_eq!(format!("{:.2}", test(elo0, elo1).llr(&pairs)), format!("{llr:.2}"), "{pairs:?}");
        }
        let (low, high) = test(0.0, 5.0).bounds();
        assert_eq!((format!("{low:.2}"), format!("{high:.2}")), ("-2.94".to_owned(), "2.94".to_owned()));
    }

    #[test]
    fn nothing_says_nothing_and_sweeps_say_much() {
        assert_eq!(test(0.0, 10.0).llr(&[0; 5]), 0.0);
        assert_eq!(test(0.0, 100.0).verdict(test(0.0, 100.0).llr(&[0, 0, 0, 0, 30])), Some(Verdict::Stronger));
        assert_eq!(test(0.0, 100.0).verdict(test(0.0, 100.0).llr(&[30, 0, 0, 0, 0])), Some(Verdict::Weaker));
        let even = test(-5.0, 5.0).llr(&[3, 5, 9, 5, 3]);
        assert!(even.abs() < 1e-9, "{even}");
    }

    /// Simulated tests go wrong about as rarely as they promise: 1 in 20, of 400 tests with either hypothesis true.
    #[test]
    fn errors_are_as_rare_as_promised() {
        let sprt = test(0.0, 60.0);
        for (elo, wrong) in [(0.0, Verdict::Stronger), (60.0, Verdict::Weaker)] {
            let (mut random, mut errors) = (Random::new(7), 0);
            // A third of the games is drawn, the rest won as often as makes up the score.
            let win = expected(elo) - 1.0 / 6.0;
            let mut halves = || match random.below(1_000_000) as f64 / 1e6 {
                lot if lot < win => 2,
                lot if lot < win + 1.0 / 3.0 => 1,
                _ => 0_usize,
            };
            for _ in 0..400 {
                let mut pairs = [0; 5];
                let verdict = loop {
                    pairs[halves() + halves()] += 1;
                    if let Some(verdict) = sprt.verdict(sprt.llr(&pairs)) {
                        break verdict;
                    }
                };
                errors += u32::from(verdict == wrong);
            }
            // The mean is 20 and the deviation 4.4 when the rate is exactly as promised.
            assert!((5..=33).contains(&errors), "{errors} of 400 tests were wrong about {elo}");
        }
    }

    #[test]
    fn tests_are_read() {
        assert_eq!("0,5".parse(), Ok(test(0.0, 5.0)));
        assert_eq!("-3, 1, 0.1, 0.2".parse(), Ok(Sprt { elo0: -3.0, elo1: 1.0, alpha: 0.1, beta: 0.2 }));
        for (text, error) in [
            ("5", SprtError::Shape),
            ("5,0", SprtError::Order),
            ("0,5,0,1", SprtError::Errors),
            ("0,nan", SprtError::Shape),
        ] {
            assert_eq!(text.parse::<Sprt>(), Err(error), "{text}");
        }
    }
}
