//! Standard algebraic notation and PGN, for games that have FEN: a game as chess programs exchange it.
//!
//! ```text
//! e4  exd5  Nbd2  R1e2  Qxg7#  O-O  a8=Q  N@f3
//! ```
//!
//! Written, not read. Sources: *Portable Game Notation Specification and Implementation Guide* (Edwards 1994), sections 8
//! and C; drops as Fairy-Stockfish writes them. A mark for check is left out, as the import format allows: no rules say in
//! general what check is. A move that wins ends in `#`.

use dagaz_board::Site;
use dagaz_engine::{Effect, Executor, Fault, History, Situation, State, Step};
use dagaz_ir::Kind;
use dagaz_play::{NodeId, Play};

use crate::coordinates::{Coordinates, Style, promoted};
use crate::fen::{Counters, Fen};

/// Standard algebraic notation for the moves of one game.
pub struct San<'a> {
    executor: &'a dyn Executor,
    coordinates: Coordinates<'a>,
}

/// Why a game cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// The game has no FEN.
    #[error(transparent)]
    Unsuited(#[from] crate::fen::Unsuited),
    /// The position at the start has none.
    #[error(transparent)]
    Start(#[from] crate::fen::WriteError),
    /// A move has no form.
    #[error("ply {ply} has no form in algebraic notation")]
    Move {
        /// Which, from 1.
        ply: usize,
    },
    /// The rules could not be run.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl<'a> San<'a> {
    /// Notation for this game. Nothing when its board is no rectangle.
    pub fn new(executor: &'a dyn Executor) -> Option<Self> {
        Some(Self { executor, coordinates: Coordinates::new(executor, Style::Uci)? })
    }

    /// The text of a legal step, which is a whole move; `legal` are all of its state. Nothing when it has no form.
    pub fn write(&self, state: &State, legal: &[Step], step: &Step) -> Option<String> {
        let to = step.to?;
        let mut text = match step.from {
            None => {
                let kind = self.coordinates.dropped(step)?;
                format!("{}@{}", self.coordinates.letter(kind)?, self.coordinates.site(to)?)
            }
            Some(from) if self.castles(state, step) => {
                let column = |site| self.coordinates.place(site).map(|(_, column)| column);
                if column(to)? > column(from)? { "O-O".to_owned() } else { "O-O-O".to_owned() }
            }
            Some(from) => {
                let kind = self.kind(state, from)?;
                let letter = self.coordinates.letter(kind)?;
                let captures = self.captures(state, step);
                let start = match letter {
                    'P' if captures => self.file(from)?,
                    'P' => String::new(),
                    _ => format!("{letter}{}", self.told_apart(state, legal, step, from, letter)?),
                };
                format!("{start}{}{}", if captures { "x" } else { "" }, self.coordinates.site(to)?)
            }
        };
        if let Some(kind) = promoted(step) {
            text += &format!("={}", self.coordinates.letter(kind)?);
        }
        Some(text)
    }

    /// What tells a piece from others of its kind that may go to the same site: its file, or else its rank, or else both.
    fn told_apart(&self, state: &State, legal: &[Step], step: &Step, from: Site, letter: char) -> Option<String> {
        let others = legal.iter().filter(|other| other.to == step.to && other.from != step.from);
        let others: Vec<Site> = others
            .filter_map(|other| other.from)
            .filter(|&site| self.kind(state, site).and_then(|kind| self.coordinates.letter(kind)) == Some(letter))
            .collect();
        let (row, column) = self.coordinates.place(from)?;
        let place = |site: &Site| self.coordinates.place(*site);
        if others.is_empty() {
            return Some(String::new());
        }
        if others.iter().all(|other| place(other).is_none_or(|(_, other)| other != column)) {
            return self.file(from);
        }
        if others.iter().all(|other| place(other).is_none_or(|(other, _)| other != row)) {
            let (site, file) = (self.coordinates.site(from)?, self.file(from)?);
            return Some(site[file.len()..].to_owned());
        }
        self.coordinates.site(from)
    }

    fn file(&self, site: Site) -> Option<String> {
        Some(self.coordinates.site(site)?.chars().take(1).collect())
    }

    fn kind(&self, state: &State, site: Site) -> Option<Kind> {
        let layout = self.executor.layout();
        let kind = usize::try_from(state.get(layout.at(layout.known.kind, site)) - 1).ok()?;
        self.executor.rules().kinds.ids().nth(kind)
    }

    fn owner(&self, state: &State, site: Site) -> i32 {
        let layout = self.executor.layout();
        state.get(layout.at(layout.known.owner, site))
    }

    /// Whether two pieces of the player change places with one step, and nothing is captured.
    fn castles(&self, state: &State, step: &Step) -> bool {
        let own = step.from.map(|from| self.owner(state, from));
        let moved: Vec<Site> = step
            .effects
            .iter()
            .filter_map(|effect| match *effect {
                Effect::Move { from, to } if from != to && Some(self.owner(state, from)) == own => Some(from),
                _ => None,
            })
            .collect();
        moved.len() == 2 && moved[0] != moved[1] && moved.iter().any(|&site| Some(site) == step.from)
    }

    fn captures(&self, state: &State, step: &Step) -> bool {
        step.effects.iter().any(|effect| match *effect {
            Effect::Capture { site } => self.owner(state, site) != 0,
            Effect::Move { from, to } => from != to && self.owner(state, to) != 0,
            _ => false,
        })
    }
}

/// A game in PGN, from the start of the line to the cursor. Tags come in the order in which they are given.
pub fn pgn(play: &Play, tags: &[(&str, &str)], result: &str) -> Result<String, SanError> {
    let executor = &**play.executor();
    let fen = Fen::new(executor)?;
    let san = San::new(executor).ok_or(SanError::Move { ply: 1 })?;
    let start = play.node(play.root());
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        text += &format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""));
    };
    tags.iter().for_each(|(name, value)| tag(name, value));
    let written = fen.write(&start.state, &Counters::default())?.text;
    if start.state != executor.initial() {
        tag("SetUp", "1");
        tag("FEN", &written);
    }
    let begun_by_second = written.split(' ').nth(1) == Some("b");
    let line = play.line_to(play.cursor());
    let mut words = Vec::new();
    for (index, pair) in line.windows(2).enumerate() {
        let half = index + usize::from(begun_by_second);
        if half.is_multiple_of(2) {
            words.push(format!("{}.", half / 2 + 1));
        } else if index == 0 {
            words.push("1...".to_owned());
        }
        words.push(ply(play, &san, pair[0], pair[1])?.ok_or(SanError::Move { ply: index + 1 })?);
    }
    words.push(result.to_owned());
    text.push('\n');
    let mut width = 0;
    for word in words {
        // Lines have less than 80 characters.
        let length = word.chars().count();
        if width > 0 {
            text.push(if width + length > 78 { '\n' } else { ' ' });
            width = if width + length > 78 { 0 } else { width + 1 };
        }
        text += &word;
        width += length;
    }
    Ok(text + "\n\n")
}

fn ply(play: &Play, san: &San<'_>, node: NodeId, child: NodeId) -> Result<Option<String>, Fault> {
    let (state, made) = (&play.node(node).state, &play.node(child).made);
    let Some(made) = made.as_ref().filter(|made| made.ends_move) else { return Ok(None) };
    let past = play.past_of(node);
    let legal = san.executor.steps(state, &past as &dyn History)?;
    let Some(text) = san.write(state, &legal, &made.step) else { return Ok(None) };
    let wins = match san.executor.situation(&play.node(child).state, &play.past_of(child))? {
        Situation::Over(outcome) => {
            let index = play.rules().players.ids().position(|player| player == made.mover);
            index.and_then(|index| outcome.shares.get(index)) == Some(&dagaz_engine::Share::Win)
        }
        Situation::Open(_) => false,
    };
    Ok(Some(if wins { text + "#" } else { text }))
}
