//! `dagaz bench`: random playouts on one thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use cpu_time::ProcessTime;
use dagaz_base::Random;
use dagaz_base::random::mix;
use dagaz_engine::{Executor, Fault, History as _, Interpreter, Line, NoHistory, State, playout};
use dagaz_engine_wasm::{Playouts, Wasm};
use indicatif::ProgressBar;
use serde_json::json;

use crate::answer::{Answer, Out, tell};
use crate::args::{Bench, ExecutorName};
use crate::cache::Cache;
use crate::game::Game;
use crate::{module, progress, signals};

/// Playouts that are begun together take about so long.
const BATCH: Duration = Duration::from_millis(50);

/// A batch that takes so much longer than all playouts should is ended.
const GRACE: Duration = Duration::from_secs(1);

/// How often somebody looks whether a batch should be ended.
const LOOK: Duration = Duration::from_millis(20);

/// Steps of the interpreter between two looks.
const STEPS: usize = 50;

pub(crate) fn run(args: &Bench, out: &mut Out) -> anyhow::Result<Answer> {
    let clock = ProcessTime::now();
    let game = Game::load(&args.game, ExecutorName::Interp)?;
    let rules = clock.elapsed();
    // Always compiled: what a cache saves is no speed of the compiler.
    let player = match module::wanted(game.executor.rules(), args.executor, None::<Cache>) {
        Some(module) => Player::Module(module),
        None => Player::Interpreter(game.interpreter.clone()),
    };
    let module = clock.elapsed() - rules;
    let start = player.executor().initial();
    game.located(player.executor().situation(&start, &NoHistory).map_err(Into::into))?;
    let first = clock.elapsed() - rules - module;
    let player = player.prepared(&game);
    let playing = clock.elapsed() - rules - module - first;
    let found = game.located(measure(&player, &start, args))?;
    let report = Report { executor: player.name(), rules, module, first, playing, found };
    if out.json {
        out.value(&report.value())?;
    } else {
        report.print(&game.name, args.max_moves, out)?;
    }
    Ok(Answer::Yes)
}

/// What plays.
enum Player {
    Module(Arc<Wasm>),
    Interpreter(Arc<Interpreter>),
}

/// What was played, and the processor time that it took.
#[derive(Default)]
struct Found {
    played: Playouts,
    time: Duration,
}

/// Plays until the time is over or somebody wants no more of it.
fn measure(player: &Player, start: &State, args: &Bench) -> anyhow::Result<Found> {
    let (stop, interrupted) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    signals::instead({
        let (stop, interrupted) = (stop.clone(), interrupted.clone());
        move || {
            interrupted.store(true, Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
        }
    });
    let bar = progress::counter("playouts");
    let begun = Instant::now();
    let played = watched(player, &stop, begun + args.seconds + GRACE, || play(player, start, args, begun, &stop, &bar));
    bar.finish_and_clear();
    let found = played?;
    if interrupted.load(Ordering::Relaxed) {
        tell("note: interrupted; this is what was reached");
    }
    if found.played.games == 0 {
        bail!(
            "no playout came to an end in {:.1} s; give it more `--seconds`, or fewer `--max-moves`",
            begun.elapsed().as_secs_f64()
        );
    }
    Ok(found)
}

fn play(
    player: &Player,
    start: &State,
    args: &Bench,
    begun: Instant,
    stop: &AtomicBool,
    bar: &ProgressBar,
) -> Result<Found, Fault> {
    let clock = ProcessTime::now();
    let mut found = Found::default();
    let (mut games, mut batches) = (1, 0);
    while begun.elapsed() < args.seconds && !stop.load(Ordering::Relaxed) {
        let batch = Instant::now();
        let played = match player.play(start, games, args.max_moves, mix(args.seed ^ mix(batches)), stop) {
            Err(Fault::Interrupted) => break,
            played => played?,
        };
        // What is cut off later counts in neither.
        found = Found { played: sum(found.played, played), time: clock.elapsed() };
        bar.inc(played.games);
        batches += 1;
        if batch.elapsed() < BATCH / 2 {
            games *= 2;
        }
    }
    Ok(found)
}

fn sum(one: Playouts, other: Playouts) -> Playouts {
    Playouts { games: one.games + other.games, moves: one.moves + other.moves, finished: one.finished + other.finished }
}

/// Works while another thread looks on, and ends what the module does when it should stop, or at a time.
fn watched<R>(player: &Player, stop: &AtomicBool, end: Instant, work: impl FnOnce() -> R) -> R {
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while waiting.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if Instant::now() >= end {
                    stop.store(true, Ordering::Relaxed);
                }
                if let (Player::Module(module), true) = (player, stop.load(Ordering::Relaxed)) {
                    module.interrupt();
                }
            }
        });
        let result = work();
        drop(done);
        result
    })
}

impl Player {
    /// Compiles what only playouts need. Rules that are too large for that are left to the interpreter, with a note.
    fn prepared(self, game: &Game) -> Self {
        match &self {
            Self::Module(module) if let Err(refusal) = module.prepare() => {
                tell(format_args!("note: {refusal}; the interpreter plays them instead, which is slower"));
                Self::Interpreter(game.interpreter.clone())
            }
            _ => self,
        }
    }

    fn executor(&self) -> &dyn Executor {
        match self {
            Self::Module(module) => &**module,
            Self::Interpreter(interpreter) => &**interpreter,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Module(_) => ExecutorName::Wasm.text(),
            Self::Interpreter(_) => ExecutorName::Interp.text(),
        }
    }

    fn play(&self, start: &State, games: u32, limit: usize, seed: u64, stop: &AtomicBool) -> Result<Playouts, Fault> {
        match self {
            Self::Module(module) => {
                let limit = u32::try_from(limit).unwrap_or(u32::MAX);
                module.playouts(start, &NoHistory, games, limit, seed)
            }
            Self::Interpreter(interpreter) => interpret(interpreter, start, games, limit, seed, stop),
        }
    }
}

/// The same by the interpreter, which draws steps and not whole moves.
fn interpret(
    interpreter: &Interpreter,
    start: &State,
    games: u32,
    limit: usize,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Playouts, Fault> {
    let mut random = Random::new(seed);
    let mut found = Playouts::default();
    for _ in 0..games {
        let (mut state, mut line) = (start.clone(), Line::new());
        let finished = loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Fault::Interrupted);
            }
            let steps = STEPS.min(limit - line.moves());
            let played = playout(interpreter, &mut state, &mut line, &mut random, steps)?;
            if played.outcome.is_some() || line.moves() >= limit {
                break played.outcome.is_some();
            }
        };
        found = sum(found, Playouts { games: 1, moves: line.moves() as u64, finished: finished.into() });
    }
    Ok(found)
}

/// What is told. All times are of the processor, by all threads of this process, in user and in system mode.
struct Report {
    executor: &'static str,
    rules: Duration,
    module: Duration,
    first: Duration,
    playing: Duration,
    found: Found,
}

impl Report {
    fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.found.time.as_secs_f64()
    }

    fn print(&self, game: &str, max_moves: usize, out: &mut Out) -> anyhow::Result<()> {
        let Playouts { games, moves, finished } = self.found.played;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let cut = if finished < games { format!(", others cut after {max_moves}") } else { String::new() };
        out.line(format_args!(
            "{game}, {}: {games} playouts in {:.2} s of processor time",
            self.executor,
            self.found.time.as_secs_f64()
        ))?;
        out.line(format_args!("playouts/s {:.1}", self.per_second(games)))?;
        out.line(format_args!("moves/s {:.0}", self.per_second(moves)))?;
        out.line(format_args!("moves per playout {:.1}", moves as f64 / games as f64))?;
        out.line(format_args!("finished {:.1} %{cut}", 100.0 * finished as f64 / games as f64))?;
        out.line(format_args!(
            "ready after {:.1} ms: rules {:.1}, module {:.1}, first moves {:.1}; to play after {:.1} more",
            ms(self.rules + self.module + self.first),
            ms(self.rules),
            ms(self.module),
            ms(self.first),
            ms(self.playing)
        ))?;
        Ok(())
    }

    fn value(&self) -> serde_json::Value {
        let Playouts { games, moves, finished } = self.found.played;
        json!({
            "executor": self.executor,
            "seconds": self.found.time.as_secs_f64(),
            "playouts": games,
            "moves": moves,
            "unfinished": games - finished,
            "playouts_per_second": self.per_second(games),
            "moves_per_second": self.per_second(moves),
            "ready": {
                "rules": self.rules.as_secs_f64(),
                "module": self.module.as_secs_f64(),
                "first_moves": self.first.as_secs_f64(),
                "playing": self.playing.as_secs_f64(),
            },
        })
    }
}
