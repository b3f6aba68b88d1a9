//! `dagaz analyze`: the best lines of a state with scores, better and better.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dagaz_engine::Situation;
use dagaz_play::Play;
use dagaz_search::{Analysis, Ask, Budget, Score};
use serde_json::{Value, json};

use super::solve::texts;
use crate::answer::{Answer, Out, tell};
use crate::args::Analyze;
use crate::game::Game;
use crate::{line, signals, words};

/// How long is thought where nothing is said about it.
const USUAL: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &Analyze, out: &mut Out) -> anyhow::Result<Answer> {
    let game = Game::load(&args.game, args.executor)?;
    game.located(look(args, &game, out))
}

fn look(args: &Analyze, game: &Game, out: &mut Out) -> anyhow::Result<Answer> {
    let play = line::play_from(game, &args.from)?;
    if let Situation::Over(outcome) = play.situation().map_err(Clone::clone)? {
        tell(format_args!("the game is over: {}", words::outcome(play.rules(), outcome)));
        return Ok(Answer::No);
    }
    let agent = game.agent(args.agent)?;
    let mut budget = args.agent.budget;
    budget.nodes = args.nodes.or(budget.nodes);
    // An agent that is written without a limit has a second, which is no limit that somebody asked for.
    let unlimited = args.agent.budget == Budget::default() && args.agent.time == Some(Duration::from_secs(1));
    let time = args.seconds.or(match unlimited {
        true => args.nodes.is_none().then_some(USUAL),
        false => args.agent.time,
    });
    let deadline = time.map(|time| Instant::now() + time);
    let stop = Arc::new(AtomicBool::new(false));
    signals::instead({
        let stop = stop.clone();
        move || stop.store(true, Ordering::Relaxed)
    });
    let keep_going = || !stop.load(Ordering::Relaxed) && deadline.is_none_or(|deadline| Instant::now() < deadline);
    let past = play.past();
    let ask = Ask {
        executor: &*game.executor,
        state: play.state(),
        history: &past,
        budget,
        keep_going: &keep_going,
        seed: args.seed,
    };
    let mut live = Live { drawn: 0, last: Vec::new(), terminal: io::stdout().is_terminal() && !out.json };
    let mut broken = None;
    let found = agent.analyze(&ask, args.lines, &mut |found| {
        if broken.is_none() && !out.json {
            broken = live.show(&play, found).err();
        }
    })?;
    if let Some(error) = broken {
        return Err(error);
    }
    if out.json {
        let to_move = &play.rules().players[play.to_move()].name;
        let lines = found.lines.iter().map(|line| {
            Ok(json!({ "score": line.score.map(score_value), "moves": texts(&*game.executor, play.state(), &line.moves)? }))
        });
        out.value(&json!({
            "to_move": to_move,
            "agent": agent.name(),
            "nodes": found.nodes,
            "depth": found.depth,
            "lines": lines.collect::<anyhow::Result<Vec<Value>>>()?,
        }))?;
    }
    Ok(Answer::Yes)
}

/// A score as JSON: `{"win": 3}`, `{"loss": 4}`, `{"pieces": 1.5}`, `{"expected": 0.61}`.
fn score_value(score: Score) -> Value {
    match score {
        Score::Win(moves) => json!({ "win": moves }),
        Score::Loss(moves) => json!({ "loss": moves }),
        Score::Pieces(hundredths) => json!({ "pieces": f64::from(hundredths) / 100.0 }),
        Score::Expected(thousandths) => json!({ "expected": f64::from(thousandths) / 1000.0 }),
    }
}

/// What is shown while it is looked for: drawn over and over in a terminal, and else each time that it changes.
struct Live {
    drawn: usize,
    last: Vec<String>,
    terminal: bool,
}

impl Live {
    fn show(&mut self, play: &Play, found: &Analysis) -> anyhow::Result<()> {
        let mut lines = Vec::new();
        for (index, line) in found.lines.iter().enumerate() {
            let moves = texts(&**play.executor(), play.state(), &line.moves)?.join("; ");
            let score = line.score.map_or("?".to_owned(), |score| score.to_string());
            lines.push(format!("{}. {score}  {moves}", index + 1));
        }
        if !self.terminal && lines == self.last {
            return Ok(());
        }
        let depth = if found.depth > 0 { format!("depth {}, ", found.depth) } else { String::new() };
        let mut stdout = io::stdout().lock();
        if self.terminal && self.drawn > 0 {
            write!(stdout, "\x1b[{}A\x1b[J", self.drawn)?;
        }
        writeln!(stdout, "{depth}{} nodes", found.nodes)?;
        for line in &lines {
            match self.terminal {
                // A line that wraps could not be drawn over.
                true => writeln!(stdout, "{}", line.chars().take(WIDTH).collect::<String>())?,
                false => writeln!(stdout, "{line}")?,
            }
        }
        stdout.flush()?;
        (self.drawn, self.last) = (lines.len() + 1, lines);
        Ok(())
    }
}

/// As wide as every terminal.
const WIDTH: usize = 79;
