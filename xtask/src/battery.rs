//! Seeded random games of the bundled games under the generic battery, until their end where they have one.
//!
//! Rows are printed in the order of the games, each as soon as its last game is played; what is printed is final. Whoever
//! interrupts a run goes on later with `--from` and the game behind the last row.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use dagaz_engine::{Executor, Interpreter};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{bundled, panics, process, written};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many random games of each
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// Only the game of this name
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// Only the games from this one on, in the order of the table
    #[arg(long, value_name = "NAME")]
    from: Option<String>,
    /// The most steps of a game, for those that find no end by chance
    #[arg(long, default_value_t = 1_000)]
    plies: usize,
    /// The seed of the first game of each; the next one has the next seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also every variant
    #[arg(long)]
    variants: bool,
    /// How many games are played at once; as many as there are cores when it is not given
    #[arg(long)]
    jobs: Option<usize>,
}

/// A bundled game or one of its variants, and what came of its random games so far.
struct Row {
    /// As it is printed: the name of the game, and the title of a variant.
    name: String,
    executor: Arc<dyn Executor>,
    tally: Mutex<Tally>,
}

#[derive(Default)]
struct Tally {
    games: u32,
    finished: u32,
    steps: u64,
    /// The longest list of steps.
    widest: usize,
    seconds: f64,
    /// Laws that did not hold.
    broken: Vec<String>,
}

/// Plays them all.
pub(crate) fn run(options: &Options) -> Result<()> {
    if cfg!(debug_assertions) {
        // Millions of steps are made: an optimised build is worth its time.
        let mut again = process::cargo(&["run", "--quiet", "--release", "--package", "xtask", "--"]);
        return process::run(again.args(std::env::args_os().skip(1)));
    }
    let rows = rows(options)?;
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    println!("{:width$} {:>6} {:>6} {:>9} {:>7} {:>8}  laws", "game", "games", "ended", "steps", "widest", "seconds");
    play_all(&rows, width, options)?;
    let tallies = || rows.iter().map(|row| row.tally.lock().expect("nobody panics with a tally in hand"));
    let (games, ended): (u32, u32) = tallies().fold((0, 0), |sum, of| (sum.0 + of.games, sum.1 + of.finished));
    let broken: usize = tallies().map(|tally| tally.broken.len()).sum();
    let steps: u64 = tallies().map(|tally| tally.steps).sum();
    println!("{games} games, {steps} steps; {} games were stopped after {} steps", games - ended, options.plies);
    if broken > 0 {
        bail!("a law is broken in {broken} games");
    }
    Ok(())
}

fn rows(options: &Options) -> Result<Vec<Row>> {
    let mut games = bundled::all()?;
    if let Some(from) = &options.from {
        let first = games.iter().position(|game| game.name == *from);
        games.drain(..first.with_context(|| format!("there is no bundled game `{from}`"))?);
    }
    if let Some(name) = &options.game {
        games.retain(|game| game.name == *name);
        ensure!(!games.is_empty(), "there is no bundled game `{name}`");
    }
    let mut rows = Vec::new();
    for game in &games {
        for item in game.compile(None)?.menu.into_iter().filter(|item| item.default || options.variants) {
            let compiled = game.compile(Some(&item.title))?.game;
            let rules = compiled.with_context(|| format!("`{}` is not accepted", item.title))?.rules;
            let name = if item.default { game.name.clone() } else { format!("{}, {}", game.name, item.title) };
            rows.push(Row { name, executor: Arc::new(Interpreter::new(Arc::new(rules))), tally: Mutex::default() });
        }
    }
    Ok(rows)
}

/// Plays the games in order, several at once, and prints each row when it and all before it are complete.
fn play_all(rows: &[Row], width: usize, options: &Options) -> Result<()> {
    let jobs = options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let total = rows.len() * options.games as usize;
    let bar = ProgressBar::new(total as u64);
    bar.set_style(ProgressStyle::with_template("{pos}/{len} {bar:30} {elapsed} left {eta}  {wide_msg}")?);
    let (next, printed) = (AtomicUsize::new(0), Mutex::new(0));
    let work = || {
        loop {
            let unit = next.fetch_add(1, Ordering::Relaxed);
            if unit >= total {
                break;
            }
            let row = &rows[unit / options.games as usize];
            bar.set_message(row.name.clone());
            play(row, options, (unit % options.games as usize) as u64);
            bar.inc(1);
            let mut printed = printed.lock().expect("nobody panics while printing");
            while let Some(line) = rows.get(*printed).and_then(|row| row.line(width, options.games)) {
                bar.suspend(|| println!("{line}"));
                *printed += 1;
            }
        }
    };
    panics::silently(|| {
        std::thread::scope(|scope| {
            let start = |_| panics::deep().spawn_scoped(scope, work).map(|_| ());
            (0..jobs.max(1)).try_for_each(start)
        })
    })?;
    bar.finish_and_clear();
    Ok(())
}

fn play(row: &Row, options: &Options, game: u64) {
    let (seed, started) = (options.seed.wrapping_add(game), Instant::now());
    let played = catch_unwind(AssertUnwindSafe(|| {
        let mut further: written::Law = Box::new(|_| Ok(()));
        written::battery(&row.executor, options.plies, seed, &mut further)
    }));
    let played = played.unwrap_or_else(|panic| Err(format!("seed {seed}: panic: {}", panics::message(&*panic))));
    let mut tally = row.tally.lock().expect("nobody panics with a tally in hand");
    tally.games += 1;
    tally.seconds += started.elapsed().as_secs_f64();
    match played {
        Ok(report) => {
            tally.finished += report.finished;
            tally.steps += report.plies;
            tally.widest = tally.widest.max(report.widest);
        }
        Err(law) => tally.broken.push(law),
    }
}

impl Row {
    /// Its line of the table, once all games are played: what is broken stands below it.
    fn line(&self, width: usize, games: u32) -> Option<String> {
        let tally = self.tally.lock().expect("nobody panics with a tally in hand");
        let Tally { games: played, finished, steps, widest, seconds, broken } = &*tally;
        let laws = if broken.is_empty() { "hold".to_owned() } else { format!("BROKEN\n  {}", broken.join("\n  ")) };
        let line =
            format!("{:width$} {played:>6} {finished:>6} {steps:>9} {widest:>7} {seconds:>8.1}  {laws}", self.name);
        (*played == games).then_some(line)
    }
}
