//! Records saved by Zillions of Games (`.zsg`).
//!
//! ```text
//! Zillions Save Game File Version 0.02 HC     a letter for each player: H a person, C the computer
//! RulesFile=Name.zrf
//! VariantName=Title of the variant
//! (x b6)                                      set-up edits: remove,
//! (White Checker b6)                          place
//! 1. Checker c3 - d4                          a step: see `items`
//! 2. partial 2 Checker c3 - e5 x d4
//! 2. Pass
//! ```
//!
//! The raw reader here knows no rules. A step is then found by what it does, not by its text: the words are applied to
//! the state, and the legal step is sought that leads to the same pieces.

mod items;
mod matching;
mod write;

use std::borrow::Cow;
use std::sync::Arc;

use dagaz_engine::{Executor, StepRule};
use dagaz_play::Play;
use encoding_rs::{UTF_8, WINDOWS_1252};

pub use items::{Item, ItemsError, Moved, items};
pub use matching::resolve;
pub use write::{Heading, WriteError, write};

use crate::record::{self, Ply, Record, RecordError, SetUp};

/// A saved game, before any rules have judged it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Save {
    /// The format's version, such as `0.02`.
    pub version: String,
    /// Who moves for each player, random ones included: `H` a person, `C` the computer.
    pub controllers: String,
    /// The file of the rules, as it is written: it may have a path.
    pub rules_file: String,
    /// The variant's title.
    pub variant: Option<String>,
    /// Header lines that mean nothing here, with their numbers.
    pub other: Vec<(usize, String)>,
    /// Changes of the starting state, in order.
    pub set_up: Vec<SetUp>,
    /// The steps.
    pub steps: Vec<Numbered>,
}

/// One step's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The line of the file, from 1.
    pub line: usize,
    /// The number in front of it: the round.
    pub round: usize,
    /// The rest.
    pub text: String,
}

/// Why bytes are no saved game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The first line is another.
    #[error("a saved game starts with `{HEAD}`, and this with `{found}`")]
    Head {
        /// The first line.
        found: String,
    },
    /// A line is none of those that a saved game has.
    #[error("line {line}: `{text}` is neither a header, nor an edit, nor a move")]
    Line {
        /// The number, from 1.
        line: usize,
        /// The line.
        text: String,
    },
}

const HEAD: &str = "Zillions Save Game File Version";

/// The text of a file: UTF-8 where it is valid, else Windows-1252.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let encoding = if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 };
    encoding.decode(bytes).0
}

/// The bytes of a file: Windows-1252 where that has all characters, else UTF-8.
pub fn encode(text: &str) -> Cow<'_, [u8]> {
    let (bytes, _, failed) = WINDOWS_1252.encode(text);
    if failed { Cow::Borrowed(text.as_bytes()) } else { bytes }
}

/// Reads the bytes of a saved game.
pub fn read(bytes: &[u8]) -> Result<Save, ReadError> {
    read_text(&decode(bytes))
}

/// Reads the text of a saved game, for callers who know its encoding better.
pub fn read_text(text: &str) -> Result<Save, ReadError> {
    let mut lines = text.lines().map(str::trim).enumerate().map(|(index, line)| (index + 1, line));
    let first = lines.by_ref().map(|(_, line)| line).find(|line| !line.is_empty()).unwrap_or_default();
    let Some(head) = first.trim_start_matches('\u{feff}').strip_prefix(HEAD) else {
        return Err(ReadError::Head { found: first.chars().take(80).collect() });
    };
    let mut head = head.split_whitespace();
    let mut save = Save {
        version: head.next().unwrap_or_default().to_owned(),
        controllers: head.next().unwrap_or_default().to_owned(),
        ..Save::default()
    };
    for (line, text) in lines.filter(|(_, text)| !text.is_empty()) {
        if !save.take(line, text) {
            return Err(ReadError::Line { line, text: text.to_owned() });
        }
    }
    Ok(save)
}

impl Save {
    /// Takes in one line. False when it is none that a saved game has.
    fn take(&mut self, line: usize, text: &str) -> bool {
        if let Some(step) = numbered(line, text) {
            self.steps.push(step);
        } else if let Some(edit) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            let words: Vec<String> = edit.split_whitespace().map(str::to_owned).collect();
            match <[String; 3]>::try_from(words) {
                Ok([owner, kind, site]) => self.set_up.push(SetUp::Place(owner, kind, site)),
                Err(words) => match words.as_slice() {
                    [x, site] if x == "x" => self.set_up.push(SetUp::Remove(site.clone())),
                    _ => return false,
                },
            }
        } else if let Some((name, value)) = text.split_once('=') {
            match name.trim() {
                "RulesFile" => value.trim().clone_into(&mut self.rules_file),
                "VariantName" => self.variant = Some(value.trim().to_owned()),
                _ if self.steps.is_empty() => self.other.push((line, text.to_owned())),
                _ => return false,
            }
        } else {
            return false;
        }
        true
    }

    /// The name of the rules file without its path.
    pub fn rules_name(&self) -> &str {
        self.rules_file.rsplit(['\\', '/']).next().unwrap_or_default()
    }

    /// The record, whose texts are those of the file.
    pub fn record(&self) -> Record {
        let ply = |step: &Numbered| Ply { line: Some(step.line), ..Ply::new(step.text.as_str()) };
        Record {
            game: self.rules_name().to_owned(),
            variant: self.variant.clone(),
            set_up: self.set_up.clone(),
            plies: self.steps.iter().map(ply).collect(),
            ..Record::default()
        }
    }

    /// Replays the game through its rules.
    ///
    /// The end of a chain that could go on may be missing: a step that fits only after it implies it.
    pub fn replay(&self, executor: Arc<dyn Executor>) -> Result<Play, RecordError> {
        record::replay_with(&self.record(), executor, |play, steps, ply| {
            let executor = &**play.executor();
            let reason = match resolve(executor, play.state(), steps, &ply.text) {
                Ok(step) => return Ok(vec![step.clone()]),
                Err(reason) => reason,
            };
            let Some(stop) = steps.iter().find(|step| step.rule == StepRule::Stop) else { return Err(reason) };
            let mut after = play.state().clone();
            executor.apply(&mut after, stop)?;
            match resolve(executor, &after, &executor.steps(&after, &play.past())?, &ply.text) {
                Ok(step) => Ok(vec![stop.clone(), step.clone()]),
                Err(_) => Err(reason),
            }
        })
    }
}

fn numbered(line: usize, text: &str) -> Option<Numbered> {
    let (round, rest) = text.split_once('.')?;
    let text = rest.trim();
    Some(Numbered { line, round: round.parse().ok()?, text: (!text.is_empty()).then(|| text.to_owned())? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAVED: &str = "Zillions Save Game File Version 0.02 HC\r\nRulesFile=.\\Some Dir\\Name.zrf\r\n\
        VariantName=A (b) = c\r\n(x b6)\r\n(White King! b6)\r\n\r\n1. Man a1 - b2\r\n1. Pass\r\n";

    #[test]
    fn a_saved_game_falls_into_its_parts() {
        let save = read(SAVED.as_bytes()).expect("a saved game");
        assert_eq!((save.version.as_str(), save.controllers.as_str()), ("0.02", "HC"));
        assert_eq!((save.rules_name(), save.variant.as_deref()), ("Name.zrf", Some("A (b) = c")));
        let king = SetUp::Place("White".into(), "King!".into(), "b6".into());
        assert_eq!(save.set_up, [SetUp::Remove("b6".into()), king]);
        assert_eq!(save.steps[1], Numbered { line: 8, round: 1, text: "Pass".into() });
    }

    #[test]
    fn other_lines_are_refused_by_their_number() {
        let text = SAVED.replace("1. Pass", "resigns");
        assert_eq!(read_text(&text), Err(ReadError::Line { line: 8, text: "resigns".into() }));
        assert!(matches!(read(b"[Event \"x\"]"), Err(ReadError::Head { .. })));
    }

    #[test]
    fn windows_1252_reads_and_writes() {
        let bytes = SAVED.replace("Man", "Höfðingi").chars().map(|c| c as u8).collect::<Vec<_>>();
        let save = read(&bytes).expect("a saved game");
        assert_eq!(save.steps[0].text, "Höfðingi a1 - b2");
        assert_eq!(*encode("Höfðingi a1 - b2"), *b"H\xF6f\xF0ingi a1 - b2");
        assert_eq!(*encode("Волк"), *"Волк".as_bytes());
    }
}
