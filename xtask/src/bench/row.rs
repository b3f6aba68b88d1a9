//! What one program makes of one game: a line of JSON, as `dagaz-limit` and `dagaz-peers` print it with `--json`.
//!
//! ```text
//! {"program": "limit", "game": "hex", "playouts_per_second": 5e5, "moves_per_second": 5e7, "perft_per_second": 1e8}
//! ```
//!
//! All rates are per second of processor time. What a program does not measure is left out.

use anyhow::{Context, Result};
use serde_json::Value;

/// What one program makes of one game.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Row {
    /// Who plays.
    pub(crate) program: String,
    /// What, by the name of its folder under `games/`.
    pub(crate) game: String,
    /// Random games.
    pub(crate) playouts: Option<f64>,
    /// Moves of them.
    pub(crate) moves: Option<f64>,
    /// Sequences of moves that were counted.
    pub(crate) perft: Option<f64>,
    /// Milliseconds from the text of the rules to the first moves.
    pub(crate) ready: Option<f64>,
}

impl Row {
    /// The rows of a program's output; what is no JSON is for people.
    pub(crate) fn read_all(output: &str) -> Result<Vec<Self>> {
        output.lines().filter(|line| line.starts_with('{')).map(Self::read).collect()
    }

    fn read(line: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(line).with_context(|| format!("`{line}` is no row"))?;
        let text =
            |key: &str| value[key].as_str().map(str::to_owned).with_context(|| format!("`{line}` has no `{key}`"));
        let rate = |key: &str| value[key].as_f64().filter(|rate| *rate > 0.0);
        Ok(Self {
            program: text("program")?,
            game: text("game")?,
            playouts: rate("playouts_per_second"),
            moves: rate("moves_per_second"),
            perft: rate("perft_per_second"),
            ready: None,
        })
    }
}

/// The head of the table.
pub(crate) const HEAD: &str = "\
| game | program | playouts/s | × | moves/s | × | perft/s | × | ready, ms |
|---|---|--:|--:|--:|--:|--:|--:|--:|";

/// A row of the table, with how many times the rates of another row its rates are.
pub(crate) fn line(row: &Row, measure: &Row) -> String {
    let pair = |of: fn(&Row) -> Option<f64>| {
        let ratio = of(row).zip(of(measure)).map(|(own, other)| own / other);
        format!("{} | {}", of(row).map_or_else(String::new, number), ratio.map_or_else(String::new, short))
    };
    format!(
        "| {} | {} | {} | {} | {} | {} |",
        row.game,
        row.program,
        pair(|row| row.playouts),
        pair(|row| row.moves),
        pair(|row| row.perft),
        row.ready.map_or_else(String::new, |ready| format!("{ready:.0}"))
    )
}

/// A number in groups of three digits.
fn number(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A ratio in about three digits.
fn short(ratio: f64) -> String {
    let places = if ratio < 0.1 {
        4
    } else if ratio < 10.0 {
        2
    } else {
        0
    };
    format!("{ratio:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_other_programs_stand_beside_ours() {
        let output = "counting\n{\"program\": \"limit\", \"game\": \"hex\", \"playouts_per_second\": 1234567, \"perft_per_second\": 0}\n";
        let rows = Row::read_all(output).unwrap();
        let ours = Row { playouts: Some(617_283.5), perft: Some(5.0), ..rows[0].clone() };
        assert_eq!(line(&rows[0], &ours), "| hex | limit | 1,234,567 | 2.00 |  |  |  |  |  |");
        assert_eq!(line(&ours, &ours), "| hex | limit | 617,284 | 1.00 |  |  | 5 | 1.00 |  |");
        assert!(Row::read_all("{\"game\": \"hex\"}").is_err());
    }
}
