//! From where games start: the rules' own start, some moves at random, or a list.

use dagaz_base::Random;
use dagaz_base::random::mix;
use dagaz_engine::{Executor, Fault, History as _, Line, Situation, State, Step};
use dagaz_notation::fen::{Fen, ReadError, Unsuited};
use dagaz_notation::universal;

/// The openings of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// The rules' own start.
    Start,
    /// So many moves at random, others for each opening.
    Random(usize),
    /// These, in turn, and again from the first.
    List(Vec<Written>),
}

/// An opening as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The line of the file, from 1.
    pub line: usize,
    /// The position, as FEN, when it is not the start.
    pub position: Option<String>,
    /// Moves from there.
    pub moves: Vec<String>,
}

/// An opening: a state, and what is played from there before anybody is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The state.
    pub state: State,
    /// The steps.
    pub steps: Vec<Step>,
}

/// Why an opening cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// The file holds none.
    #[error("there is no opening in it")]
    None,
    /// The game has no positions.
    #[error("line {line}: {reason}")]
    Unsuited {
        /// The line, from 1.
        line: usize,
        /// Why.
        reason: Unsuited,
    },
    /// The position cannot be read.
    #[error("line {line}: the position `{position}`: {reason}")]
    Position {
        /// The line, from 1.
        line: usize,
        /// What was written.
        position: String,
        /// Why not.
        reason: Box<ReadError>,
    },
    /// A move cannot be made.
    #[error("line {line}: {reason}")]
    Move {
        /// The line, from 1.
        line: usize,
        /// Why not.
        reason: Box<universal::ReadError>,
    },
    /// The game is over before anybody is asked.
    #[error("line {line}: the game is over")]
    Over {
        /// The line, from 1.
        line: usize,
    },
    /// The rules could not be run.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Openings {
    /// Reads a file of openings, a line each.
    ///
    /// ```text
    /// e2e4 e7e5; g1 - f3 leap n ne        moves, as they are read everywhere
    /// fen 8/8/8/4k3/8/8/4P3/4K3 w - -     a position
    /// fen 8/8/8/4k3/8/8/4P3/4K3 w - -; e2e4
    /// # a remark
    /// ```
    ///
    /// In a file of positions (`EPD`) all lines are positions, of which operations such as `bm Nf3; id "x"` are left out.
    pub fn read(text: &str, positions: bool) -> Result<Self, OpeningError> {
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let written: Vec<Written> = lines.map(|(line, text)| Written::read(line, text, positions)).collect();
        if written.is_empty() { Err(OpeningError::None) } else { Ok(Self::List(written)) }
    }

    /// The opening of this number, from 0, in a match with this seed.
    pub fn opening(&self, executor: &dyn Executor, seed: u64, number: u64) -> Result<Opening, OpeningError> {
        match self {
            Self::Start => Ok(Opening { state: executor.initial(), steps: Vec::new() }),
            Self::Random(moves) => Ok(at_random(executor, *moves, mix(seed ^ mix(!number)))?),
            Self::List(list) => list[(number % list.len() as u64) as usize].play(executor),
        }
    }

    /// Plays each opening of a list once, so that what is wrong with any is known before the first game.
    pub fn check(&self, executor: &dyn Executor) -> Result<(), OpeningError> {
        match self {
            Self::List(list) => list.iter().try_for_each(|written| written.play(executor).map(drop)),
            _ => Ok(()),
        }
    }
}

impl Written {
    fn read(line: usize, text: &str, positions: bool) -> Self {
        if positions {
            let fields: Vec<&str> = text.split(';').next().unwrap_or_default().split_whitespace().collect();
            let counters = fields.iter().skip(4).take(2).take_while(|field| field.parse::<u32>().is_ok()).count();
            let position = fields[..fields.len().min(4 + counters)].join(" ");
            return Self { line, position: Some(position), moves: Vec::new() };
        }
        let mut parts = text.split(';').map(str::trim).filter(|part| !part.is_empty()).peekable();
        let position = parts.next_if(|part| part.starts_with("fen ")).map(|part| part[4..].trim().to_owned());
        Self { line, position, moves: parts.map(str::to_owned).collect() }
    }

    fn play(&self, executor: &dyn Executor) -> Result<Opening, OpeningError> {
        let line = self.line;
        let state = match &self.position {
            None => executor.initial(),
            Some(position) => {
                let fen = Fen::new(executor).map_err(|reason| OpeningError::Unsuited { line, reason })?;
                let wrong =
                    |reason| OpeningError::Position { line, position: position.clone(), reason: Box::new(reason) };
                fen.read(position).map_err(wrong)?.state
            }
        };
        let mut road = Road::new(executor, state.clone());
        for text in &self.moves {
            let words: Vec<&str> = text.split_whitespace().collect();
            let mut rest = words.as_slice();
            while !rest.is_empty() {
                let Situation::Open(legal) = road.situation()? else { return Err(OpeningError::Over { line }) };
                let (steps, length) = longest(&road, &legal, rest)
                    .map_err(|reason| OpeningError::Move { line, reason: Box::new(reason) })?;
                for step in steps {
                    road.make(step)?;
                }
                rest = &rest[length..];
            }
        }
        match road.situation()? {
            Situation::Open(_) => Ok(Opening { state, steps: road.steps }),
            Situation::Over(_) => Err(OpeningError::Over { line }),
        }
    }
}

/// The move that the longest beginning of these words means, and how many they are.
fn longest(road: &Road<'_>, legal: &[Step], words: &[&str]) -> Result<(Vec<Step>, usize), universal::ReadError> {
    let mut refused = None;
    for length in (1..=words.len()).rev() {
        match universal::read_move(road.executor, &road.state, legal, &words[..length].join(" ")) {
            Ok(steps) => return Ok((steps, length)),
            Err(error) => refused = Some(error),
        }
    }
    Err(refused.expect("at least one word was tried"))
}

/// So many moves at random that do not end the game; after some vain attempts fewer.
fn at_random(executor: &dyn Executor, moves: usize, seed: u64) -> Result<Opening, Fault> {
    const ATTEMPTS: u64 = 100;
    let state = executor.initial();
    for attempt in 0..ATTEMPTS {
        let mut random = Random::new(mix(seed ^ attempt));
        let mut road = Road::new(executor, state.clone());
        while let Situation::Open(legal) = road.situation()? {
            if road.ended && road.line.moves() >= moves {
                return Ok(Opening { state, steps: road.steps });
            }
            let step = random.choose(&legal).expect("an open game has a step").clone();
            road.make(step)?;
        }
    }
    if moves == 0 { Ok(Opening { state, steps: Vec::new() }) } else { at_random(executor, moves / 2, seed) }
}

/// A way from a state.
struct Road<'a> {
    executor: &'a dyn Executor,
    state: State,
    line: Line,
    steps: Vec<Step>,
    /// Whether the last step ended its move.
    ended: bool,
}

impl<'a> Road<'a> {
    fn new(executor: &'a dyn Executor, state: State) -> Self {
        Self { executor, state, line: Line::new(), steps: Vec::new(), ended: true }
    }

    fn situation(&self) -> Result<Situation, Fault> {
        self.executor.situation(&self.state, &self.line)
    }

    fn make(&mut self, step: Step) -> Result<(), Fault> {
        let (before, mover) = (self.state.keys(), self.executor.to_move(&self.state));
        let undo = self.executor.apply(&mut self.state, &step)?;
        self.line.push(before, mover, &undo);
        self.ended = undo.ends_move;
        self.steps.push(step);
        Ok(())
    }
}
