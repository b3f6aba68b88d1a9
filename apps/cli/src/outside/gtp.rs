//! Engines that speak the Go Text Protocol, version 2 (Farnebäck 2002, <https://www.lysator.liu.se/~gunnar/gtp/>).

use std::time::{Duration, Instant};

use dagaz_arena::{Clock, Turn};
use dagaz_engine::Step;
use dagaz_notation::gtp::{Points, Scoring};

use super::process::Process;
use super::{Allowance, Program, READY, Said, Speaker, Trouble, deadline};

/// A running engine.
pub(crate) struct Gtp {
    process: Process,
    commands: Vec<String>,
    /// How many moves of the present game it knows.
    known: usize,
}

impl Gtp {
    pub(crate) fn start(program: &Program) -> Result<Self, Trouble> {
        let mut engine = Self { process: Process::start(program)?, commands: Vec::new(), known: 0 };
        let list = engine.ask("list_commands", READY)?;
        engine.commands = list.lines().map(|line| line.trim().to_owned()).collect();
        // What the engine calls options are its own commands.
        for (name, value) in &program.options {
            engine.ask(format!("{name} {value}").trim_end(), READY)?;
        }
        Ok(engine)
    }

    /// The answer to a command, without the sign and the empty line after it.
    fn ask(&mut self, command: &str, patience: Duration) -> Result<String, Trouble> {
        self.process.tell(command)?;
        let patience = Instant::now() + patience;
        let mut answer: Option<String> = None;
        loop {
            let line = self.process.line(patience)?;
            match &mut answer {
                None if line.starts_with(['=', '?']) => answer = Some(line),
                None => {}
                Some(answer) if line.is_empty() => {
                    // An identity may follow the sign; we give none.
                    let text = answer[1..].trim().to_owned();
                    return if answer.starts_with('=') {
                        Ok(text)
                    } else {
                        Err(Trouble::Wrong(format!("`{command}`: {text}")))
                    };
                }
                Some(answer) => *answer += &format!("\n{line}"),
            }
        }
    }

    fn ask_if_known(&mut self, command: &str) -> Result<(), Trouble> {
        let name = command.split(' ').next().unwrap_or_default();
        if self.commands.iter().any(|known| known == name) {
            self.ask(command, READY)?;
        }
        Ok(())
    }

    fn time_left(&mut self, colour: &str, clock: &Clock, seat: usize) -> Result<(), Trouble> {
        self.ask_if_known(&format!("time_left {colour} {} 0", clock.left(seat).as_secs()))
    }
}

/// Who moves first is black.
const COLOURS: [&str; 2] = ["b", "w"];

fn points(turn: &Turn<'_>) -> Result<Points, Trouble> {
    Points::of(turn.executor)
        .ok_or_else(|| Trouble::Wrong("the board has no points that the protocol could name".to_owned()))
}

/// The single step of a move.
fn single(steps: &[Step]) -> Option<&Step> {
    if let [step] = steps { Some(step) } else { None }
}

impl Speaker for Gtp {
    fn new_game(&mut self, turn: &Turn<'_>, allowance: &Allowance<'_>) -> Result<(), Trouble> {
        if dagaz_arena::persons(turn.executor.rules()).len() != 2 || *turn.start != turn.executor.initial() {
            return Err(Trouble::Wrong(
                "the protocol is for two players who begin at the start of the rules".to_owned(),
            ));
        }
        let (columns, rows) = points(turn)?.size();
        if columns != rows {
            return Err(Trouble::Wrong(format!(
                "the protocol is for square boards, and this one has {columns} columns and {rows} rows"
            )));
        }
        self.ask(&format!("boardsize {rows}"), READY)?;
        self.ask("clear_board", READY)?;
        let scoring = Scoring::of(turn.executor).map_err(|fault| Trouble::Wrong(fault.to_string()))?;
        if let Some(scoring) = scoring {
            self.ask(&format!("komi {}", scoring.points()), READY)?;
        }
        if let Some(clock) = allowance.clock {
            // Where there is an increment, it comes as a period for one stone.
            let control = clock.control();
            let (base, increment) = (control.base.as_secs(), control.increment.as_secs());
            let stones = u64::from(increment > 0);
            self.ask_if_known(&format!("time_settings {base} {increment} {stones}"))?;
        } else if let Some(time) = allowance.time {
            self.ask_if_known(&format!("time_settings 0 {} 1", time.as_secs().max(1)))?;
        }
        self.known = 0;
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>, allowance: &Allowance<'_>) -> Result<Said, Trouble> {
        let points = points(turn)?;
        let persons = dagaz_arena::persons(turn.executor.rules());
        for ply in &turn.line[self.known.min(turn.line.len())..] {
            let colour = COLOURS[usize::from(ply.mover != persons[0])];
            let text = single(&ply.steps).and_then(|step| points.write(step));
            let text = text.ok_or_else(|| Trouble::Wrong("a move that the protocol cannot say".to_owned()))?;
            self.ask(&format!("play {colour} {text}"), READY)?;
        }
        self.known = turn.line.len();
        let colour = COLOURS[turn.seat.min(1)];
        if let Some(clock) = allowance.clock {
            self.time_left(colour, clock, turn.seat)?;
        }
        let answer = self.ask(&format!("genmove {colour}"), deadline(turn, allowance))?;
        if answer.eq_ignore_ascii_case("resign") {
            return Ok(Said::Resigns);
        }
        let legal = turn.executor.steps(turn.state, turn.history).map_err(|fault| Trouble::Wrong(fault.to_string()))?;
        let step = points.read(&answer).and_then(|point| points.find(&legal, point));
        let step = step.ok_or_else(|| Trouble::Wrong(format!("illegal move `{answer}`")))?.clone();
        // The engine has made its own move already.
        self.known += 1;
        Ok(Said::Move { steps: vec![step], score: None })
    }
}
