//! `dagaz uci`: an agent as an engine for chess programs, in UCI, or with `--protocol` in USI or UCCI.
//!
//! A search runs in a thread of its own, so that `stop` is heard; all lines are written by one. What is no command is
//! answered by an `info string`, as the protocol wants it: an engine never ends because of what it is told.

use std::io::BufRead as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use dagaz_arena::{hundredths, persons, thinking_time};
use dagaz_base::random::mix;
use dagaz_engine::{Executor, Line, Situation, State, Step};
use dagaz_ir::Role;
use dagaz_lang_zrf::MenuItem;
use dagaz_notation::coordinates::{Coordinates, Style};
use dagaz_notation::fen::{Counters, Fen};
use dagaz_search::{Agent, AgentSpec, Ask, Budget, Choice, NoChoice, Score};

use crate::answer::{Answer, Out};
use crate::args::{ChoiceArgs, ExecutorName, UciArgs};
use crate::game::{Game, Source};

pub(crate) fn run(args: &UciArgs, out: &mut Out) -> anyhow::Result<Answer> {
    let source = Source::find(&args.game.game)?;
    let (sender, events) = mpsc::channel();
    let lines = sender.clone();
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if lines.send(Event::Line(line)).is_err() {
                return;
            }
        }
        let _ = lines.send(Event::Closed);
    });
    let mut engine = Engine::new(args, source, sender)?;
    engine.talk(&events, out)?;
    Ok(Answer::Yes)
}

/// What the engine waits for.
enum Event {
    Line(String),
    /// Nobody will say anything more.
    Closed,
    /// The search is over.
    Found(Box<Found>),
}

struct Found {
    choice: Result<Choice, NoChoice>,
    took: Duration,
}

struct Engine {
    source: Source,
    style: Style,
    executor_name: ExecutorName,
    game: Game,
    /// All variants: the names by which programs know them, and their titles.
    variants: Vec<(String, String)>,
    spec: AgentSpec,
    agent: Arc<dyn Agent>,
    seed: u64,
    start: State,
    moves: Vec<Vec<Step>>,
    state: State,
    history: Line,
    sender: Sender<Event>,
    search: Option<Search>,
}

/// A search that runs.
struct Search {
    stop: Arc<AtomicBool>,
    /// It is not to be answered before somebody says `stop`.
    endless: bool,
    found: Option<Box<Found>>,
}

/// What `go` allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Go {
    budget: Budget,
    time: Option<Duration>,
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves_to_go: Option<u32>,
    endless: bool,
    perft: Option<u32>,
}

impl Engine {
    fn new(args: &UciArgs, source: Source, sender: Sender<Event>) -> anyhow::Result<Self> {
        let game = load(&source, &args.game.choice, args.executor)?;
        let agent = Arc::from(game.agent(args.agent)?);
        let variants = variants(&source, &game);
        let state = game.executor.initial();
        Ok(Self {
            source,
            style: args.protocol.into(),
            executor_name: args.executor,
            variants,
            spec: args.agent,
            agent,
            seed: args.seed,
            start: state.clone(),
            moves: Vec::new(),
            state,
            history: Line::new(),
            sender,
            search: None,
            game,
        })
    }

    fn talk(&mut self, events: &Receiver<Event>, out: &mut Out) -> anyhow::Result<()> {
        let mut closed = false;
        for event in events {
            match event {
                Event::Line(line) if line.split_whitespace().next() == Some("quit") => break,
                Event::Line(line) => {
                    if let Err(error) = self.obey(line.trim(), out) {
                        // A reader that is gone is no fault of the command.
                        if crate::answer::is_broken_pipe(&error) {
                            return Err(error);
                        }
                        out.line(format_args!("info string error: {error:#}"))?;
                    }
                }
                // Whoever only piped some commands in wants their answers.
                Event::Closed => {
                    closed = true;
                    self.stop(out, false)?;
                }
                Event::Found(found) => self.found(found, out)?,
            }
            out.flush()?;
            if closed && self.search.is_none() {
                break;
            }
        }
        if let Some(search) = &self.search {
            search.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn obey(&mut self, line: &str, out: &mut Out) -> anyhow::Result<()> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match command {
            "uci" | "usi" | "ucci" => self.introduce(command, out)?,
            "isready" => out.line("readyok")?,
            "setoption" => self.set_option(rest)?,
            "position" => self.position(rest)?,
            "go" => self.go(rest, out)?,
            "perft" => self.perft(rest.trim().parse().context("perft needs a depth")?, out)?,
            "stop" => self.stop(out, true)?,
            // The opponent made the expected move: from now on the search is as any other.
            "ponderhit" => self.stop(out, false)?,
            "d" => self.show(out)?,
            "" | "ucinewgame" | "usinewgame" | "debug" | "register" | "gameover" => {}
            _ => out.line(format_args!("info string unknown command `{command}`"))?,
        }
        Ok(())
    }

    fn introduce(&mut self, protocol: &str, out: &mut Out) -> anyhow::Result<()> {
        self.style = match protocol {
            "uci" => Style::Uci,
            "usi" => Style::Usi,
            _ => Style::Ucci,
        };
        let name = if self.style == Style::Ucci { "" } else { "name " };
        out.line(format_args!("id name Dagaz {} {}", env!("CARGO_PKG_VERSION"), self.game.texts.title))?;
        out.line("id author the Dagaz authors")?;
        out.line(format_args!("option {name}Agent type string default {}", self.spec))?;
        out.line(format_args!("option {name}Seed type spin default {} min 0 max 2147483647", self.seed))?;
        let title = self.game.variant.as_ref().unwrap_or(&self.game.texts.title);
        if let Some((default, _)) = self.variants.iter().find(|(_, known)| known == title) {
            let all: String = self.variants.iter().map(|(value, _)| format!(" var {value}")).collect();
            out.line(format_args!("option {name}UCI_Variant type combo default {default}{all}"))?;
        }
        Ok(out.line(format_args!("{protocol}ok"))?)
    }

    fn set_option(&mut self, text: &str) -> anyhow::Result<()> {
        let text = text.trim();
        let (name, value) = match text.strip_prefix("name ") {
            Some(text) => text.split_once(" value ").unwrap_or((text, "")),
            None => text.split_once(' ').unwrap_or((text, "")),
        };
        let value = value.trim();
        match name.trim().to_lowercase().as_str() {
            "agent" => {
                let spec: AgentSpec = value.parse()?;
                self.agent = Arc::from(self.game.agent(spec)?);
                self.spec = spec;
            }
            "seed" => self.seed = value.parse().context("a seed is a whole number")?,
            "uci_variant" => {
                let known =
                    self.variants.iter().find(|(name, title)| name == value || title.eq_ignore_ascii_case(value));
                let (_, title) = known.with_context(|| format!("there is no variant `{value}`"))?;
                let choice = ChoiceArgs { variant: Some(title.clone()) };
                let game = load(&self.source, &choice, self.executor_name)?;
                (self.agent, self.game) = (Arc::from(game.agent(self.spec)?), game);
                self.begin(self.game.executor.initial());
            }
            // What other engines have, and a program sets without asking.
            "hash" | "threads" | "ponder" | "multipv" | "usi_hash" | "usi_ponder" | "uci_analysemode"
            | "uci_showwdl" => {}
            other => bail!("there is no option `{other}`"),
        }
        Ok(())
    }

    fn begin(&mut self, state: State) {
        self.start = state.clone();
        (self.moves, self.state, self.history) = (Vec::new(), state, Line::new());
    }

    fn position(&mut self, text: &str) -> anyhow::Result<()> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let start = match words.first() {
            Some(&"startpos") => self.game.executor.initial(),
            Some(&("fen" | "sfen")) => {
                let fen = Fen::new(&*self.game.executor)?;
                fen.read(&words[1..end].join(" "))?.state
            }
            _ => bail!("a position is `startpos` or `fen` and a text"),
        };
        self.begin(start);
        let executor = self.game.executor.clone();
        let coordinates = coordinates(&*executor, self.style)?;
        for word in words.iter().skip(end + 1) {
            let steps = coordinates.read(&self.state, &self.history, word)?;
            let steps = steps.with_context(|| format!("illegal move `{word}`"))?;
            for step in &steps {
                let (before, mover) = (self.state.keys(), executor.to_move(&self.state));
                let undo = executor.apply(&mut self.state, step)?;
                self.history.push(before, mover, &undo);
            }
            self.moves.push(steps);
        }
        Ok(())
    }

    fn go(&mut self, text: &str, out: &mut Out) -> anyhow::Result<()> {
        if self.search.is_some() {
            bail!("a search is running; `stop` ends it");
        }
        let go = Go::read(text, self.style);
        if let Some(depth) = go.perft {
            return self.perft(depth, out);
        }
        let seat =
            persons(self.game.rules()).iter().position(|&player| player == self.game.executor.to_move(&self.state));
        let (budget, time) = go.limits(seat.unwrap_or(0), &self.spec);
        let stop: Arc<AtomicBool> = Arc::default();
        self.search = Some(Search { stop: stop.clone(), endless: go.endless, found: None });
        let (executor, sender) = (self.game.executor.clone(), self.sender.clone());
        let (state, history) = (self.state.clone(), self.history.clone());
        let agent = self.agent.clone();
        let seed = mix(self.seed ^ mix(self.moves.len() as u64));
        thread::spawn(move || {
            let started = Instant::now();
            let deadline = time.map(|time| started + time);
            let keep_going =
                || !stop.load(Ordering::Relaxed) && deadline.is_none_or(|deadline| Instant::now() < deadline);
            let ask =
                Ask { executor: &*executor, state: &state, history: &history, budget, keep_going: &keep_going, seed };
            let choice = agent.choose(&ask);
            let _ = sender.send(Event::Found(Box::new(Found { choice, took: started.elapsed() })));
        });
        Ok(())
    }

    /// The search is to end; or only, if not `now`, no longer to go on for ever.
    fn stop(&mut self, out: &mut Out, now: bool) -> anyhow::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if now || search.endless {
            search.stop.store(true, Ordering::Relaxed);
        }
        search.endless = false;
        match search.found.take() {
            Some(found) => self.found(found, out),
            None => Ok(()),
        }
    }

    fn found(&mut self, found: Box<Found>, out: &mut Out) -> anyhow::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if search.endless {
            search.found = Some(found);
            return Ok(());
        }
        self.search = None;
        let coordinates = coordinates(&*self.game.executor, self.style)?;
        let choice = match found.choice {
            Ok(choice) => choice,
            Err(error) => {
                out.line(format_args!("info string {error}"))?;
                let none = match self.style {
                    Style::Uci => "bestmove (none)",
                    Style::Usi => "bestmove resign",
                    Style::Ucci => "nobestmove",
                };
                return Ok(out.line(none)?);
            }
        };
        let mut line = "info".to_owned();
        if choice.depth > 0 {
            line += &format!(" depth {}", choice.depth);
        }
        if let Some(score) = choice.score {
            line += &format!(" score {}", score_text(score, self.style));
        }
        let millis = found.took.as_millis();
        let rate = u128::from(choice.nodes) * 1000 / millis.max(1);
        line += &format!(" nodes {} nps {rate} time {millis}", choice.nodes);
        let variation: Vec<String> = choice.line.iter().map_while(|moves| coordinates.write(&moves.steps)).collect();
        if !variation.is_empty() {
            line += &format!(" pv {}", variation.join(" "));
        }
        out.line(line)?;
        let best = coordinates.write(&choice.chosen.steps).context("the move has no coordinates")?;
        Ok(out.line(format_args!("bestmove {best}"))?)
    }

    fn perft(&mut self, depth: u32, out: &mut Out) -> anyhow::Result<()> {
        let executor = &*self.game.executor;
        let coordinates = coordinates(executor, self.style)?;
        let mut total = 0_u64;
        let over = matches!(executor.situation(&self.state, &self.history)?, Situation::Over(_));
        let moves = if over || depth == 0 { Vec::new() } else { coordinates.moves(&self.state, &self.history)? };
        for (text, steps) in moves {
            let (mut state, mut line) = (self.state.clone(), self.history.clone());
            for step in &steps {
                let (before, mover) = (state.keys(), executor.to_move(&state));
                let undo = executor.apply(&mut state, step)?;
                line.push(before, mover, &undo);
            }
            let count = executor.count(&state, &line, depth - 1)?;
            total += count;
            out.line(format_args!("{text}: {count}"))?;
        }
        let total = if depth == 0 { 1 } else { total };
        out.line("")?;
        Ok(out.line(format_args!("Nodes searched: {total}"))?)
    }

    fn show(&self, out: &mut Out) -> anyhow::Result<()> {
        let written = Fen::new(&*self.game.executor)?.write(&self.state, &Counters::default())?;
        Ok(out.line(format_args!("Fen: {}", written.text))?)
    }
}

/// All variants, by names as programs write them: small letters and digits. The usual one has the name of the game.
fn variants(source: &Source, game: &Game) -> Vec<(String, String)> {
    let plain = |text: &str| -> String {
        text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let items = game.menu.iter().filter(|item| !plain(&item.title).is_empty());
    let name = |item: &MenuItem| match source {
        Source::Bundled(bundled) if item.default => plain(bundled.name),
        _ => plain(&item.title),
    };
    items.map(|item| (name(item), item.title.clone())).collect()
}

fn load(source: &Source, choice: &ChoiceArgs, executor: ExecutorName) -> anyhow::Result<Game> {
    let game = Game::load_from(source, choice, executor)?;
    let chance = game.rules().players.values().any(|player| player.role == Role::Random);
    if persons(game.rules()).len() != 2 || chance {
        bail!("the protocol is for two players without chance, and {} is another game", game.texts.title);
    }
    coordinates(&*game.executor, Style::Uci)?;
    Ok(game)
}

fn coordinates(executor: &dyn Executor, style: Style) -> anyhow::Result<Coordinates<'_>> {
    Coordinates::new(executor, style).context("the protocol is for boards that have a rectangle of sites")
}

/// `cp 31`, `mate -3`. UCCI knows numbers alone.
fn score_text(score: Score, style: Style) -> String {
    match (score, style) {
        (_, Style::Ucci) => hundredths(score).to_string(),
        (Score::Win(plies), _) => format!("mate {}", plies.div_ceil(2).max(1)),
        (Score::Loss(plies), _) => format!("mate -{}", plies.div_ceil(2).max(1)),
        _ => format!("cp {}", hundredths(score)),
    }
}

impl Go {
    /// Reads what follows `go`. Words that nobody knows are passed over.
    fn read(text: &str, style: Style) -> Self {
        let mut go = Self::default();
        let mut words = text.split_whitespace();
        // White of chess moves first, and black of shogi.
        let seat = |word: &str| usize::from(word.starts_with('b') != (style == Style::Usi));
        while let Some(word) = words.next() {
            let number =
                || words.clone().next().and_then(|word| word.parse::<i64>().ok()).map(|number| number.max(0) as u64);
            match word {
                "infinite" | "ponder" => go.endless = true,
                "depth" => go.budget.depth = number().map(|depth| depth.clamp(1, u64::from(u32::MAX)) as u32),
                "nodes" => go.budget.nodes = number().map(|nodes| nodes.max(1)),
                "movetime" | "byoyomi" => go.time = number().map(Duration::from_millis),
                "wtime" | "btime" => go.left[seat(word)] = number().map(Duration::from_millis),
                "winc" | "binc" => go.increment[seat(word)] = number().map(Duration::from_millis).unwrap_or_default(),
                // UCCI speaks only to who is to move.
                "time" if style == Style::Ucci => go.left = [number().map(Duration::from_millis); 2],
                "increment" if style == Style::Ucci => {
                    go.increment = [number().map(Duration::from_millis).unwrap_or_default(); 2];
                }
                "movestogo" => go.moves_to_go = number().map(|moves| moves.clamp(1, 1000) as u32),
                "perft" => go.perft = number().map(|depth| depth.min(1000) as u32),
                _ => {}
            }
        }
        go
    }

    /// How much the player on this seat may use; what the agent itself says, where nothing else is said.
    fn limits(&self, seat: usize, spec: &AgentSpec) -> (Budget, Option<Duration>) {
        if self.endless {
            return (Budget { nodes: None, ..self.budget }, None);
        }
        let clock = self.left[seat].map(|left| thinking_time(left, self.increment[seat], self.moves_to_go));
        let time = match (clock, self.time) {
            // In byo-yomi there is time left after that.
            (Some(clock), Some(time)) => Some(clock + time * 9 / 10),
            (one, other) => one.or(other),
        };
        if time.is_none() && self.budget == Budget::default() { (spec.budget, spec.time) } else { (self.budget, time) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_player_to_move() {
        let go = Go::read("wtime 60000 btime 30000 winc 1000 binc 0 movestogo 30 whatever 3", Style::Uci);
        assert_eq!(
            (go.left, go.moves_to_go),
            ([Some(Duration::from_secs(60)), Some(Duration::from_secs(30))], Some(30))
        );
        let usi = Go::read("btime 0 wtime 9000 byoyomi 1000", Style::Usi);
        assert_eq!(usi.left, [Some(Duration::ZERO), Some(Duration::from_secs(9))]);
        let spec: AgentSpec = "alphabeta:depth=2".parse().unwrap();
        assert_eq!(usi.limits(0, &spec).1, Some(Duration::from_millis(900)));
        assert_eq!(Go::read("", Style::Uci).limits(0, &spec), (spec.budget, None));
        assert!(Go::read("infinite", Style::Uci).endless);
    }

    #[test]
    fn scores_are_in_the_words_of_the_protocol() {
        assert_eq!(score_text(Score::Win(1), Style::Uci), "mate 1");
        assert_eq!(score_text(Score::Win(3), Style::Uci), "mate 2");
        assert_eq!(score_text(Score::Loss(2), Style::Uci), "mate -1");
        assert_eq!(score_text(Score::Pieces(-30), Style::Uci), "cp -30");
        assert_eq!(score_text(Score::Expected(500), Style::Uci), "cp 0");
    }
}
