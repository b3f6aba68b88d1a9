//! Engines that other people wrote: programs that are spoken to over a protocol, and play games that they know.
//!
//! They are written as agents are: `uci:stockfish`, `usi:…`, `ucci:…`, `gtp:gnugo --mode gtp`, followed by settings such as
//! `nodes=1000` and options of the engine itself such as `UCI_Elo=1600`, all separated by commas.
//!
//! A program is never trusted: it has time limits for every answer, its lines are read only as fast as they are wanted, and
//! what it says is compared with the legal moves. One that ends is started again once in a game; after that it has lost.

mod gtp;
mod process;
mod uci;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use dagaz_arena::{Clock, Turn};
use dagaz_engine::Step;
use dagaz_notation::coordinates::Style;
use dagaz_search::{AgentSpec, Budget, Score};

use crate::game::Game;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// UCI or one of its relatives.
    Chess(Style),
    /// The Go Text Protocol.
    Go,
}

/// A program, as a person writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    text: String,
    pub(crate) protocol: Protocol,
    /// The program and its arguments.
    command: String,
    pub(crate) budget: Budget,
    pub(crate) time: Option<Duration>,
    /// A file for all that is said.
    log: Option<PathBuf>,
    /// Options of the engine.
    options: Vec<(String, String)>,
}

/// How much a player may use for a move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Allowance<'a> {
    /// The clocks of the game, which are judged.
    pub(crate) clock: Option<&'a Clock>,
    /// For each move.
    pub(crate) time: Option<Duration>,
    /// What else.
    pub(crate) budget: Budget,
}

/// What an engine answered.
pub(crate) enum Said {
    Move { steps: Vec<Step>, score: Option<Score> },
    Resigns,
}

/// Why it did not.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It ended.
    Ended,
    /// It took too long.
    Late,
    /// It said something that it must not say.
    Wrong(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended => f.write_str("the engine ended"),
            Self::Late => f.write_str("the engine does not answer"),
            Self::Wrong(what) => f.write_str(what),
        }
    }
}

/// A running program that speaks some protocol.
trait Speaker: Send {
    /// A new game starts.
    fn new_game(&mut self, turn: &Turn<'_>, allowance: &Allowance<'_>) -> Result<(), Trouble>;
    /// Its move.
    fn choose(&mut self, turn: &Turn<'_>, allowance: &Allowance<'_>) -> Result<Said, Trouble>;
}

/// A program and what is known of it.
pub(crate) struct Outside {
    program: Program,
    /// Names by which the engine may know the game.
    names: Vec<String>,
    speaker: Option<Box<dyn Speaker>>,
    /// Whether the present game has begun, and how often the program was started in it.
    in_game: bool,
    starts: u32,
}

/// How long a program may take to say that it is ready.
const READY: Duration = Duration::from_secs(20);
/// How much longer than it should a program may think before it is taken to hang.
const GRACE: Duration = Duration::from_secs(5);
/// How long it may think where nothing limits it.
const UNLIMITED: Duration = Duration::from_secs(600);

impl Outside {
    pub(crate) fn new(program: &Program, game: &Game) -> Self {
        let titles = game.menu.iter().filter(|item| match &game.variant {
            Some(variant) => item.title == *variant,
            None => item.default,
        });
        let mut names: Vec<String> = titles.map(|item| item.title.clone()).collect();
        names.extend(game.variant.is_none().then(|| game.name.clone()));
        Self { program: program.clone(), names, speaker: None, in_game: false, starts: 0 }
    }

    /// Starts the program and sees whether it answers, so that what is wrong is known before the first game.
    pub(crate) fn check(&mut self) -> anyhow::Result<()> {
        self.start().map_err(|trouble| anyhow::anyhow!("`{}`: {trouble}", self.program))
    }

    fn start(&mut self) -> Result<(), Trouble> {
        self.starts += 1;
        self.speaker = Some(match self.program.protocol {
            Protocol::Chess(style) => Box::new(uci::Uci::start(&self.program, style, &self.names)?),
            Protocol::Go => Box::new(gtp::Gtp::start(&self.program)?),
        });
        Ok(())
    }

    /// A new game starts.
    pub(crate) fn new_game(&mut self) {
        (self.in_game, self.starts) = (false, 0);
    }

    /// The engine's move, or why it has lost.
    pub(crate) fn choose(&mut self, turn: &Turn<'_>, allowance: &Allowance<'_>) -> Result<Said, Trouble> {
        loop {
            match self.attempt(turn, allowance) {
                // A program that has ended gets one more chance in each game.
                Err(Trouble::Ended) if self.starts < 2 => (self.speaker, self.in_game) = (None, false),
                Err(trouble) => {
                    self.speaker = None;
                    return Err(trouble);
                }
                Ok(said) => return Ok(said),
            }
        }
    }

    fn attempt(&mut self, turn: &Turn<'_>, allowance: &Allowance<'_>) -> Result<Said, Trouble> {
        if self.speaker.is_none() {
            self.start()?;
        }
        let Some(speaker) = &mut self.speaker else { return Err(Trouble::Ended) };
        if !self.in_game {
            speaker.new_game(turn, allowance)?;
            self.in_game = true;
        }
        speaker.choose(turn, allowance)
    }
}

/// When an engine that should answer by now is given up.
fn deadline(turn: &Turn<'_>, allowance: &Allowance<'_>) -> Duration {
    let clock = allowance.clock.map(|clock| clock.left(turn.seat));
    let limit = [clock, allowance.time].into_iter().flatten().min();
    limit.map_or(UNLIMITED, |limit| limit + GRACE)
}

impl Program {
    /// Whether a text is written like one: the protocol first.
    pub(crate) fn is_one(text: &str) -> bool {
        text.split_once(':').is_some_and(|(protocol, _)| protocol_of(protocol).is_some())
    }
}

fn protocol_of(name: &str) -> Option<Protocol> {
    Some(match name.trim() {
        "uci" => Protocol::Chess(Style::Uci),
        "usi" => Protocol::Chess(Style::Usi),
        "ucci" => Protocol::Chess(Style::Ucci),
        "gtp" => Protocol::Go,
        _ => return None,
    })
}

impl FromStr for Program {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (protocol, rest) = text.split_once(':').unwrap_or((text, ""));
        let Some(protocol) = protocol_of(protocol) else {
            anyhow::bail!("`{protocol}` is no protocol; there are `uci`, `usi`, `ucci` and `gtp`")
        };
        let mut parts = rest.split(',').map(str::trim);
        let command = parts.next().unwrap_or_default().to_owned();
        anyhow::ensure!(
            !command.is_empty(),
            "`{text}` names no program; it is written like `uci:stockfish,nodes=1000`"
        );
        let (budget, time) = (Budget::default(), None);
        let mut program =
            Self { text: text.to_owned(), protocol, command, budget, time, log: None, options: Vec::new() };
        for part in parts.filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').map_or((part, ""), |(key, value)| (key.trim(), value.trim()));
            match key {
                "time" | "nodes" | "depth" => {
                    // As our own agents read it.
                    let limits: AgentSpec = format!("alphabeta:{key}={value}").parse()?;
                    program.time = program.time.or(limits.time);
                    program.budget.nodes = program.budget.nodes.or(limits.budget.nodes);
                    program.budget.depth = program.budget.depth.or(limits.budget.depth);
                }
                "log" => program.log = Some(value.into()),
                _ => program.options.push((key.to_owned(), value.to_owned())),
            }
        }
        Ok(program)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_written_with_their_options() {
        let program: Program = "uci:./my engine --quiet,nodes=9,time=1.5s,UCI_Elo=1600,Clear Hash".parse().unwrap();
        assert_eq!((program.command.as_str(), program.budget.nodes), ("./my engine --quiet", Some(9)));
        assert_eq!(program.time, Some(Duration::from_millis(1500)));
        assert_eq!(program.options, [("UCI_Elo".into(), "1600".into()), ("Clear Hash".into(), String::new())]);
        let error = |text: &str| text.parse::<Program>().unwrap_err().to_string();
        assert_eq!(error("uci:"), "`uci:` names no program; it is written like `uci:stockfish,nodes=1000`");
        assert_eq!(error("xboard:crafty"), "`xboard` is no protocol; there are `uci`, `usi`, `ucci` and `gtp`");
        assert!(error("uci:x,nodes=none").contains("`none` is no value for `nodes`"));
    }
}
