//! Engines that speak UCI, or USI or UCCI, which are UCI with other words and other coordinates.
//!
//! Sources: see `dagaz_notation::coordinates`.

use std::time::{Duration, Instant};

use dagaz_arena::Turn;
use dagaz_notation::coordinates::{Coordinates, Style};
use dagaz_notation::fen::{Counters, Fen};
use dagaz_search::Score;

use super::process::Process;
use super::{Allowance, Program, READY, Said, Speaker, Trouble, deadline};

/// A running engine.
pub(crate) struct Uci {
    process: Process,
    style: Style,
    /// The moves of the present game that were put into words.
    said: Vec<String>,
}

/// An option that an engine says it has.
struct Known {
    name: String,
    values: Vec<String>,
}

impl Uci {
    pub(crate) fn start(program: &Program, style: Style, names: &[String]) -> Result<Self, Trouble> {
        let (hello, ok) = match style {
            Style::Uci => ("uci", "uciok"),
            Style::Usi => ("usi", "usiok"),
            Style::Ucci => ("ucci", "ucciok"),
        };
        let mut engine = Self { process: Process::start(program)?, style, said: Vec::new() };
        engine.process.tell(hello)?;
        let mut known = Vec::new();
        let patience = Instant::now() + READY;
        loop {
            let line = engine.process.line(patience)?;
            match line.split_whitespace().next() {
                Some(word) if word == ok => break,
                Some("option") => known.extend(option(&line)),
                _ => {}
            }
        }
        engine.set_options(program, &known, names)?;
        engine.ready()?;
        Ok(engine)
    }

    /// The options that were asked for; and the variant, where the engine knows one of this name and nobody says which.
    fn set_options(&mut self, program: &Program, known: &[Known], names: &[String]) -> Result<(), Trouble> {
        const VARIANT: &str = "UCI_Variant";
        let find = |name: &str| known.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        for (name, value) in &program.options {
            let Some(option) = find(name) else {
                let all: Vec<&str> = known.iter().map(|option| option.name.as_str()).collect();
                return Err(Trouble::Wrong(format!("the engine has no option `{name}`; it has {}", all.join(", "))));
            };
            self.set(&option.name, value)?;
        }
        let told = program.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(VARIANT));
        if let Some(option) = find(VARIANT).filter(|_| !told) {
            let plain = |text: &str| -> String {
                text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
            };
            let meant = option.values.iter().find(|value| names.iter().any(|name| plain(name) == plain(value)));
            let Some(value) = meant else {
                let (game, all) = (names.first().map_or("", String::as_str), option.values.join(", "));
                let what =
                    format!("the engine knows no `{game}`; `{VARIANT}=…` says which of its own games it is: {all}");
                return Err(Trouble::Wrong(what));
            };
            self.set(&option.name, value)?;
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Trouble> {
        let line = match (self.style, value) {
            (Style::Ucci, _) => format!("setoption {name} {value}"),
            (_, "") => format!("setoption name {name}"),
            _ => format!("setoption name {name} value {value}"),
        };
        self.process.tell(line.trim_end())
    }

    fn ready(&mut self) -> Result<(), Trouble> {
        self.process.tell("isready")?;
        let patience = Instant::now() + READY;
        while self.process.line(patience)? != "readyok" {}
        Ok(())
    }

    /// The line that says where the game stands.
    fn position(&mut self, turn: &Turn<'_>, coordinates: &Coordinates<'_>) -> Result<String, Trouble> {
        for ply in &turn.line[self.said.len()..] {
            let text = coordinates.write(&ply.steps);
            self.said.push(text.ok_or_else(|| Trouble::Wrong("a move has no coordinates".to_owned()))?);
        }
        let start = if *turn.start == turn.executor.initial() {
            "startpos".to_owned()
        } else {
            let wrong = |why: String| Trouble::Wrong(format!("the opening has no FEN: {why}"));
            let fen = Fen::new(turn.executor).map_err(|error| wrong(error.to_string()))?;
            let written = fen.write(turn.start, &Counters::default()).map_err(|error| wrong(error.to_string()))?;
            let word = if self.style == Style::Usi { "sfen" } else { "fen" };
            format!("{word} {}", written.text)
        };
        let moves = if self.said.is_empty() { String::new() } else { format!(" moves {}", self.said.join(" ")) };
        Ok(format!("position {start}{moves}"))
    }
}

/// `option name NAME type TYPE default … var A var B`; UCCI leaves out `name`.
fn option(line: &str) -> Option<Known> {
    let rest = line.strip_prefix("option")?.trim();
    let rest = rest.strip_prefix("name ").unwrap_or(rest);
    let (name, rest) = rest.split_once(" type ")?;
    let values = rest.split(" var ").skip(1).map(|value| value.trim().to_owned());
    Some(Known { name: name.trim().to_owned(), values: values.collect() })
}

/// What `go` says about limits. The first seat is white's of chess, and black's of shogi: who moves first.
fn go(style: Style, turn: &Turn<'_>, allowance: &Allowance<'_>) -> String {
    let millis = |time: Duration| time.as_millis().max(1);
    let mut text = "go".to_owned();
    if let Some(nodes) = allowance.budget.nodes {
        text += &format!(" nodes {nodes}");
    }
    if let Some(depth) = allowance.budget.depth {
        text += &format!(" depth {depth}");
    }
    match (allowance.clock, allowance.time, style) {
        (_, Some(time), Style::Usi) => text += &format!(" byoyomi {}", millis(time)),
        (_, Some(time), Style::Uci) => text += &format!(" movetime {}", millis(time)),
        // All the time until there is more of it.
        (_, Some(time), Style::Ucci) => text += &format!(" time {} movestogo 1", millis(time)),
        (Some(clock), None, Style::Ucci) => {
            let (left, increment) = (millis(clock.left(turn.seat)), clock.control().increment.as_millis());
            text += &format!(" time {left} increment {increment}");
        }
        (Some(clock), None, _) => {
            let increment = clock.control().increment.as_millis();
            let [first, second] = if style == Style::Usi { ["b", "w"] } else { ["w", "b"] };
            for (seat, side) in [first, second].into_iter().enumerate() {
                text += &format!(" {side}time {}", millis(clock.left(seat)));
            }
            for side in [first, second] {
                text += &format!(" {side}inc {increment}");
            }
        }
        (None, None, _) if text == "go" => text += " infinite",
        (None, None, _) => {}
    }
    text
}

impl Speaker for Uci {
    fn new_game(&mut self, turn: &Turn<'_>, _: &Allowance<'_>) -> Result<(), Trouble> {
        let seats = dagaz_arena::persons(turn.executor.rules()).len();
        if seats != 2 {
            return Err(Trouble::Wrong(format!("the protocol is for two players, and this game has {seats}")));
        }
        self.said.clear();
        match self.style {
            Style::Uci => self.process.tell("ucinewgame")?,
            Style::Usi => self.process.tell("usinewgame")?,
            Style::Ucci => {}
        }
        self.ready()
    }

    fn choose(&mut self, turn: &Turn<'_>, allowance: &Allowance<'_>) -> Result<Said, Trouble> {
        let coordinates = Coordinates::new(turn.executor, self.style);
        let coordinates = coordinates.ok_or_else(|| Trouble::Wrong("the board is no rectangle".to_owned()))?;
        let position = self.position(turn, &coordinates)?;
        self.process.tell(&position)?;
        self.process.tell(&go(self.style, turn, allowance))?;
        let patience = Instant::now() + deadline(turn, allowance);
        let mut score = None;
        loop {
            let line = self.process.line(patience)?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => score = score_of(&line).or(score),
                Some("nobestmove") => return Ok(Said::Resigns),
                Some("bestmove") => {
                    let text = words.next().unwrap_or_default();
                    if ["resign", "(none)"].contains(&text) {
                        return Ok(Said::Resigns);
                    }
                    let found = coordinates.read(turn.state, turn.history, text);
                    let found = found.map_err(|fault| Trouble::Wrong(fault.to_string()))?;
                    let steps = found.ok_or_else(|| Trouble::Wrong(format!("illegal move `{text}`")))?;
                    return Ok(Said::Move { steps, score });
                }
                _ => {}
            }
        }
    }
}

/// `info … score cp 31 …`, `score mate -3`: moves of the player, of whom the last has no answer. UCCI leaves out `cp`.
fn score_of(line: &str) -> Option<Score> {
    let mut words = line.split_whitespace().skip_while(|word| *word != "score").skip(1);
    match words.next()? {
        "cp" => Some(Score::Pieces(words.next()?.parse().ok()?)),
        "mate" => {
            let moves: i64 = words.next()?.trim_start_matches('+').parse().ok()?;
            let plies = u32::try_from(moves.unsigned_abs().saturating_mul(2)).unwrap_or(u32::MAX);
            Some(if moves > 0 { Score::Win(plies - 1) } else { Score::Loss(plies) })
        }
        number => Some(Score::Pieces(number.parse().ok()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_options_are_read() {
        assert_eq!(score_of("info depth 3 score cp -31 nodes 9"), Some(Score::Pieces(-31)));
        assert_eq!(score_of("info depth 3 score mate 2 pv a"), Some(Score::Win(3)));
        assert_eq!(score_of("info depth 3 score mate -2"), Some(Score::Loss(4)));
        assert_eq!(score_of("info depth 3 score 12 pv h2e2"), Some(Score::Pieces(12)));
        assert_eq!(score_of("info string score"), None);
        let known = option("option name UCI_Variant type combo default chess var chess var mini xiangqi").unwrap();
        assert_eq!(
            (known.name.as_str(), known.values),
            ("UCI_Variant", vec!["chess".to_owned(), "mini xiangqi".to_owned()])
        );
        assert_eq!(option("option hashsize type spin min 0 max 1024").unwrap().name, "hashsize");
    }
}
