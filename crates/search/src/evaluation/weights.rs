//! What training has found out about rules, as a small text.
//!
//! ```text
//! dagaz weights 1
//! rules 8c2f0a11d09b6e57
//! seed 1
//! games 200
//! 32.5 278 0 …
//! ```
//!
//! The numbers are what a piece is worth by its kind; what each place adds, by group of players, kind and site; what a piece in hand
//! is worth; what mobility is; and what each number on a site or the like is. `rules` is a hash of the rules: trained for others, a
//! file is of no use.

use std::fmt;
use std::str::FromStr;

use dagaz_base::random::mix;
use dagaz_ir::Rules;
use dagaz_ir::text::print_without_origins;

const HEAD: &str = "dagaz weights 1";

/// What training has found out about rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// What the rules are known by.
    pub(crate) rules: u64,
    /// The seed of the games that were played.
    pub seed: u64,
    /// How many games were played.
    pub games: u64,
    /// The numbers, in hundredths of a piece.
    pub(crate) values: Vec<f64>,
}

/// Why a text is no weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// It begins otherwise, or is of another version.
    #[error("it does not begin with `dagaz weights 1`")]
    Head,
    /// A line says something else than it should.
    #[error("line {line} should be {wanted}")]
    Line {
        /// Which, counted from 1.
        line: usize,
        /// What it should be.
        wanted: &'static str,
    },
}

impl Weights {
    /// Whether they were made for these rules.
    pub fn fit(&self, rules: &Rules) -> bool {
        self.rules == fingerprint(rules)
    }
}

/// What rules are known by: a hash of all that they say.
pub(crate) fn fingerprint(rules: &Rules) -> u64 {
    let text = print_without_origins(rules);
    text.as_bytes().chunks(8).fold(0, |hash, chunk| {
        let word = chunk.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        mix(hash ^ word)
    })
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}\nrules {:016x}\nseed {}\ngames {}", self.rules, self.seed, self.games)?;
        for line in self.values.chunks(16) {
            let numbers: Vec<String> = line.iter().map(ToString::to_string).collect();
            writeln!(f, "{}", numbers.join(" "))?;
        }
        Ok(())
    }
}

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        if lines.next().map(|(_, line)| line) != Some(HEAD) {
            return Err(WeightsError::Head);
        }
        let mut field = |name: &'static str, wanted: &'static str, radix: u32| {
            let (line, text) = lines.next().unwrap_or((0, ""));
            let number = text.strip_prefix(name).and_then(|rest| u64::from_str_radix(rest.trim(), radix).ok());
            number.ok_or(WeightsError::Line { line, wanted })
        };
        let rules = field("rules ", "`rules` and a hash", 16)?;
        let seed = field("seed ", "`seed` and a number", 10)?;
        let games = field("games ", "`games` and a number", 10)?;
        let mut values = Vec::new();
        for (line, text) in lines {
            for number in text.split_whitespace() {
                let value = number.parse::<f64>().ok().filter(|value| value.abs() <= 1e6);
                values.push(value.ok_or(WeightsError::Line { line, wanted: "numbers" })?);
            }
        }
        Ok(Self { rules, seed, games, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_comes_back() {
        let values = (0..40).map(|index| f64::from(index) / 7.0 - 2.0).collect();
        let weights = Weights { rules: u64::MAX / 3, seed: 5, games: 17, values };
        assert_eq!(weights.to_string().parse(), Ok(weights));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |text: &str| text.parse::<Weights>().unwrap_err().to_string();
        assert_eq!(error(""), "it does not begin with `dagaz weights 1`");
        assert_eq!(error("dagaz weights 1\nrules x"), "line 2 should be `rules` and a hash");
        let head = "dagaz weights 1\nrules 1\nseed 1\ngames 1\n";
        assert_eq!(error(&format!("{head}1 2\n3 NaN")), "line 6 should be numbers");
        assert_eq!(error(&format!("{head}1e9")), "line 5 should be numbers");
    }
}
