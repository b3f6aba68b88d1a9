//! The arguments of all commands.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use dagaz_arena::{DrawRule, ResignRule, Sprt, TimeControl};
use dagaz_notation::coordinates::Style;
use dagaz_search::solve::Method;
use dagaz_search::{AgentSpec, SpecError};

/// An open engine for abstract board games: rules are a text file.
#[derive(Debug, Parser)]
#[command(name = "dagaz", version, max_term_width = 100)]
pub(crate) struct Args {
    /// Print one JSON value on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the bundled games: name, family, players, rules language
    List,
    /// Check rules files, every variant of them
    Check(Check),
    /// Run the test cases that stand beside rules files
    Test(Test),
    /// Describe a game: board, players, kinds, rules and variants
    Info(Info),
    /// List the legal moves
    Moves(Moves),
    /// Count the ways a game can go on for a number of moves
    Perft(PerftArgs),
    /// Say why a move is legal, illegal or the only one
    Explain(Explain),
    /// Measure random playouts
    Bench(Bench),
    /// Let agents play and collect statistics
    Selfplay(Selfplay),
    /// Play agents against each other: score, Elo with its error, sequential test
    Match(Match),
    /// Be an engine for chess programs: UCI, USI or UCCI on standard input and output
    Uci(UciArgs),
    /// Be an engine for Go programs: GTP on standard input and output
    Gtp(GtpArgs),
    /// Show the best lines of play with scores, better and better
    Analyze(Analyze),
    /// Find what a game is worth when nobody errs, and prove it
    Solve(Solve),
    /// Play a record through the rules, and name the first ply that does not fit
    Replay(Replay),
    /// Convert a record to another format
    Convert(Convert),
    /// Play a game
    Play(PlayArgs),
    /// Draw the board: SVG, PNG, or JSON of all that is drawn
    Render(Render),
    /// Train an evaluation by self-play: it is kept in a file `.weights`, which `alphabeta` uses beside the rules
    Train(Train),
}

/// Which game.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct GameArgs {
    /// A bundled name, such as `chess`, or the path of a rules file
    #[arg(value_name = "GAME")]
    pub(crate) game: String,

    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,
}

/// Which of the games that one rules file describes.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct ChoiceArgs {
    /// The variant: its title, its number in `dagaz info`, or a part of the title that no other has
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
}

/// From which state.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct FromArgs {
    /// Moves to make first, in universal notation or shorter; repeat it, or separate moves by `;`
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) after: Vec<String>,

    /// The position to start from, as FEN
    #[arg(long, value_name = "FEN", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
}

/// What runs the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExecutorName {
    /// A WebAssembly module that they are compiled to
    #[default]
    Wasm,
    /// The reference interpreter: slow and plain
    Interp,
}

impl ExecutorName {
    /// As it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Wasm => "wasm",
            Self::Interp => "interp",
        }
    }
}

/// `dagaz check`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Check {
    /// Rules files, or bundled names
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,

    /// Treat warnings as errors
    #[arg(long)]
    pub(crate) strict: bool,
}

/// `dagaz test`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Test {
    /// Rules files, `.cases` files, folders with all that is in them, or bundled names
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<String>,

    /// Run the slow cases, too
    #[arg(long)]
    pub(crate) slow: bool,

    /// Run only the games whose names hold this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz info`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// Print how the rules are compiled: how playouts choose moves, and how the steps of each rule come about
    #[arg(long, conflicts_with = "ir")]
    pub(crate) plan: bool,
    /// Print what the rules were compiled to
    #[arg(long)]
    pub(crate) ir: bool,
}

/// `dagaz moves`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Moves {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    #[command(flatten)]
    pub(crate) from: FromArgs,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz perft`.
#[derive(Debug, ClapArgs)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// How many moves deep
    #[arg(long, value_name = "N", value_parser = whole::<u32>, allow_negative_numbers = true)]
    pub(crate) depth: u32,

    /// Print the count after each first move, too
    #[arg(long)]
    pub(crate) divide: bool,

    /// Count partial moves instead of whole ones
    #[arg(long)]
    pub(crate) steps: bool,

    #[command(flatten)]
    pub(crate) from: FromArgs,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz explain`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Explain {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// The move
    #[arg(value_name = "MOVE", allow_hyphen_values = true)]
    pub(crate) step: String,

    #[command(flatten)]
    pub(crate) from: FromArgs,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz bench`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Bench {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// How long, in seconds; rates are per second of processor time
    #[arg(long, value_name = "S", default_value = "3", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) seconds: Duration,

    /// The seed of the playouts
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// A playout ends after this many moves
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) max_moves: usize,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz selfplay`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Selfplay {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// How many games
    #[arg(long, value_name = "N", value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) games: u64,

    /// Who plays: one agent for everybody, or one for each player in order
    #[arg(long = "agent", value_name = "AGENT", default_value = "random")]
    pub(crate) agents: Vec<AgentSpec>,

    /// The same seed gives the same games, however many threads play them
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// Keep every game: JSON records, one a line, in a file `.jsonl`
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write what the games say of the rules (balance, length, drama …) to a file `.html`, `.json` or `.txt`
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    /// How many games are played at once; 0 for as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) threads: usize,

    /// A game that is not over after this many moves is unfinished
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) max_moves: usize,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz match`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Match {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// Who plays: agents such as `mcts:nodes=1000`, or programs such as `uci:stockfish,depth=3` or `gtp:gnugo --mode gtp`
    #[arg(value_name = "AGENT", required = true, num_args = 2..)]
    pub(crate) agents: Vec<String>,

    /// How many games at most, of all agents together; each opening is played once from every seat
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) games: u64,

    /// The first agent meets all others, instead of everybody everybody
    #[arg(long)]
    pub(crate) gauntlet: bool,

    /// Where games start: a line each, moves such as `e2e4 e7e5` or `fen` and a position; or a file `.epd`
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    pub(crate) openings: Option<PathBuf>,

    /// Games start with so many moves at random, the same from every seat
    #[arg(long, value_name = "K", value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) random_plies: Option<usize>,

    /// How many games are played at once
    #[arg(long, value_name = "C", default_value_t = 1, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) concurrency: usize,

    /// The clock of each player in seconds, as `60+0.6`; whose time runs out has lost
    #[arg(long, value_name = "BASE+INC", conflicts_with = "time")]
    pub(crate) clock: Option<TimeControl>,

    /// For each move of agents without a limit of their own, such as `100ms`
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<Time>,

    /// For each move of agents without a limit of their own
    #[arg(long, value_name = "N", value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) nodes: Option<u64>,

    /// Stop as soon as it is clear whether the first agent is better by ELO1 or only by ELO0; alpha and beta are 0.05
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,

    /// End games as drawn: from a move on, so many moves in a row worth no more than a score in hundredths of a piece
    #[arg(long, value_name = "move=40,count=8,score=10")]
    pub(crate) draw: Option<DrawRule>,

    /// End games as lost when both players agree on it: so many moves in a row, worth at least a score
    #[arg(long, value_name = "count=4,score=600")]
    pub(crate) resign: Option<ResignRule>,

    /// A game is drawn after so many moves
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) max_moves: usize,

    /// Keep the match: a heading, then a game a line with its record, in a file `.jsonl`; or its games alone as `.pgn`
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Go on with the match that the file of `--out` holds
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,

    /// The same seed gives the same games, as long as agents are limited by nodes or depth
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz uci`.
#[derive(Debug, ClapArgs)]
pub(crate) struct UciArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// Who plays: an agent, whose limits hold where `go` says none
    #[arg(long, value_name = "AGENT", default_value = "alphabeta:time=1s")]
    pub(crate) agent: AgentSpec,

    /// The protocol's coordinates and words
    #[arg(long, value_enum, default_value_t)]
    pub(crate) protocol: ProtocolName,

    /// The same seed gives the same moves, where nothing depends on time
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// A protocol of chess engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProtocolName {
    /// Of chess engines
    #[default]
    Uci,
    /// Of shogi engines
    Usi,
    /// Of xiangqi engines
    Ucci,
}

impl From<ProtocolName> for Style {
    fn from(name: ProtocolName) -> Self {
        match name {
            ProtocolName::Uci => Self::Uci,
            ProtocolName::Usi => Self::Usi,
            ProtocolName::Ucci => Self::Ucci,
        }
    }
}

/// `dagaz gtp`.
#[derive(Debug, ClapArgs)]
pub(crate) struct GtpArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// Who plays: an agent, whose limits hold where the protocol sets no time
    #[arg(long, value_name = "AGENT", default_value = "mcts:time=1s")]
    pub(crate) agent: AgentSpec,

    /// The same seed gives the same moves, where nothing depends on time
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz analyze`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Analyze {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    #[command(flatten)]
    pub(crate) from: FromArgs,

    /// How many lines
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) lines: usize,

    /// Who looks
    #[arg(long, value_name = "AGENT", default_value = "alphabeta")]
    pub(crate) agent: AgentSpec,

    /// How long, in seconds: 5 where nothing else is a limit
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) seconds: Option<Duration>,

    /// How many states or playouts
    #[arg(long, value_name = "N", value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) nodes: Option<u64>,

    /// The seed of the agent
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// How a game is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchName {
    /// Step by step to the end, what decided most often first
    #[default]
    Depth,
    /// Where it seems to take the fewest states
    ProofNumber,
}

impl SearchName {
    /// What it stands for.
    pub(crate) fn method(self) -> Method {
        match self {
            Self::Depth => Method::Depth,
            Self::ProofNumber => Method::ProofNumber,
        }
    }
}

/// `dagaz solve`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Solve {
    /// A bundled name, such as `tic-tac-toe`, or the path of a rules file
    #[arg(value_name = "GAME", required_unless_present = "verify")]
    pub(crate) game: Option<String>,

    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,

    #[command(flatten)]
    pub(crate) from: FromArgs,

    /// How questions are answered: in depth, or by proof numbers
    #[arg(long, value_enum, default_value_t)]
    pub(crate) search: SearchName,

    /// How many MiB of memory the table of known states may take
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) memory: usize,

    /// Stop after so many seconds with what is known then
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) seconds: Option<Duration>,

    /// Write a proof of the value
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,

    /// Check a proof by the reference interpreter, and search nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["proof", "after", "position"])]
    pub(crate) verify: Option<PathBuf>,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz replay`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Replay {
    /// The record: `.zsg` or `.json`; or several, one a line: `.jsonl`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The game, where the record does not name a bundled one
    #[arg(long, value_name = "GAME")]
    pub(crate) rules: Option<String>,

    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz convert`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Convert {
    /// The record: `.zsg` or `.json`
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,

    /// The new record: `.zsg` or `.json`
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,

    /// The game, where the record does not name a bundled one
    #[arg(long, value_name = "GAME")]
    pub(crate) rules: Option<String>,

    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz play`.
#[derive(Debug, ClapArgs)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// Play in the terminal
    #[arg(long)]
    pub(crate) terminal: bool,

    /// Who plays: `PLAYER=AGENT`, or one for each player in order, or one for all but you; `person` is you.
    /// Without it you play first, against `alphabeta:time=500ms`, or `random` where players do not see everything
    #[arg(long = "agent", value_name = "AGENT")]
    pub(crate) agents: Vec<String>,

    /// The seed of dice and agents
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) from: FromArgs,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz train`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Train {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// How many games more; without this and `--seconds` until Ctrl-C
    #[arg(long, value_name = "N", value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) games: Option<u64>,

    /// How long, in seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) seconds: Option<Duration>,

    /// The file, with which training goes on: beside the rules, or `GAME.weights` for a bundled game
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// The same seed and number of games give the same file; 1 for a new one
    #[arg(long, value_name = "S", value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// `dagaz render`.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Render {
    /// A bundled name, such as `chess`, or the path of a rules file; a view is read from the file `.view` beside it
    #[arg(value_name = "GAME")]
    pub(crate) game: Option<String>,

    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,

    #[command(flatten)]
    pub(crate) from: FromArgs,

    /// Who looks; without it everything is seen
    #[arg(long, value_name = "PLAYER")]
    pub(crate) viewer: Option<String>,

    /// Turn the board round
    #[arg(long)]
    pub(crate) flip: bool,

    /// Show where the piece on this site may go
    #[arg(long, value_name = "SITE")]
    pub(crate) select: Option<String>,

    /// The colours
    #[arg(long, value_enum, default_value_t)]
    pub(crate) theme: ThemeName,

    /// The longer side, in pixels; of each picture, with `--all`
    #[arg(long, value_name = "N", default_value = "640", value_parser = pixels, allow_negative_numbers = true)]
    pub(crate) size: u32,

    /// The file: `.svg`, `.png` or `.json`. Without it SVG goes to standard output, with `--json` the scene
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Draw every bundled game on one sheet, as it starts; empty boards after some random moves
    #[arg(long, conflicts_with_all = ["variant", "after", "position", "viewer", "select"])]
    pub(crate) all: bool,

    /// What runs the rules
    #[arg(long, value_enum, default_value_t)]
    pub(crate) executor: ExecutorName,
}

/// Which colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeName {
    /// Dark on light
    #[default]
    Light,
    /// Light on dark
    Dark,
}

/// A number of pixels.
fn pixels(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (16..=4096).contains(number));
    number.ok_or_else(|| "it must be a whole number from 16 to 4096".to_owned())
}

/// A whole number. Negative ones come here, and not among the unknown options, so that it can be said what is allowed.
fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let most = u64::MAX >> (u64::BITS as usize - 8 * size_of::<T>());
    let number = text.parse::<u64>().ok().and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("it must be a whole number from 0 to {most}"))
}

/// A length of time in seconds.
fn seconds(text: &str) -> Result<Duration, &'static str> {
    let length = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    length.filter(|length| !length.is_zero()).ok_or("it must be more than 0, such as `3` or `0.5`, and not endless")
}

/// A length of time, as agents write it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time(pub(crate) Duration);

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let spec: AgentSpec = format!("mcts:time={text}").parse().map_err(|error: SpecError| error.to_string())?;
        spec.time.map(Self).ok_or_else(|| "it must be a time such as `100ms`".to_owned())
    }
}
