//! What must come out of a bundled game: its `.cases` file, one case a line.
//!
//! ```text
//! ; source: Chess Programming Wiki      a comment; every file names a source, or several
//! perft start 3 = 8902                  so many sequences of three moves from the start
//! perft start 4 = 197281 slow           counted only where the variable DAGAZ_SLOW is set: it takes seconds
//! position ending = fen 8/2p5/… w - -   a position with a name, for the lines below it
//! perft ending 2 = 191
//! variant "Misere" perft start 1 = 9    the same of a variant, by its title; also for `position`
//! ```

use std::collections::BTreeMap;

/// A file of cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    /// Where the numbers come from, in the order of the file.
    pub sources: Vec<String>,
    /// The counts.
    pub counts: Vec<Count>,
}

/// A number of sequences of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The line of the file, from 1.
    pub line: usize,
    /// The title of the variant; the game itself without one.
    pub variant: Option<String>,
    /// The position as FEN; the start without one.
    pub position: Option<String>,
    /// How many moves.
    pub depth: u32,
    /// How many sequences of them there are.
    pub count: u64,
    /// Whether it takes long.
    pub slow: bool,
}

impl Cases {
    /// Reads a file. Says which line it does not understand.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut cases = Self::default();
        let mut positions = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let line_number = index + 1;
            cases.read_line(line_number, line.trim(), &mut positions).ok_or(format!("line {line_number}: {line}"))?;
        }
        Ok(cases)
    }

    fn read_line(
        &mut self,
        number: usize,
        line: &str,
        positions: &mut BTreeMap<(Option<String>, String), String>,
    ) -> Option<()> {
        if let Some(comment) = line.strip_prefix(';') {
            self.sources.extend(comment.trim().strip_prefix("source:").map(|source| source.trim().to_owned()));
            return Some(());
        }
        let (variant, line) = match line.strip_prefix("variant \"") {
            None => (None, line),
            Some(rest) => {
                let (title, rest) = rest.split_once('"')?;
                (Some(title.to_owned()), rest.trim_start())
            }
        };
        if let Some(rest) = line.strip_prefix("position ") {
            let (name, text) = rest.split_once(" = fen ")?;
            positions.insert((variant, name.to_owned()), text.to_owned());
        } else if let Some(rest) = line.strip_prefix("perft ") {
            let words: Vec<&str> = rest.split_whitespace().collect();
            let (&[name, depth, "=", count], slow) = (match words.split_last()? {
                (&"slow", words) => (words, true),
                _ => (&words[..], false),
            }) else {
                return None;
            };
            let position = match name {
                "start" => None,
                name => Some(positions.get(&(variant.clone(), name.to_owned()))?.clone()),
            };
            let (depth, count) = (depth.parse().ok()?, count.parse().ok()?);
            self.counts.push(Count { line: number, variant, position, depth, count, slow });
        } else if !line.is_empty() {
            return None;
        }
        Some(())
    }
}
