//! How fast games are played: a published count of moves is asserted first, and only then is a time printed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use dagaz_base::Random;
use dagaz_engine::{Executor, Interpreter, Line, perft, playout};
use dagaz_lang_zrf::{Settings, compile};

use crate::{process, workspace};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How long each game is played at random
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
}

/// A bundled game with a published count, whose source stands in the game's `.cases`.
struct Bench {
    rules: &'static str,
    depth: u32,
    moves: u64,
}

const BENCHES: &[Bench] = &[
    Bench { rules: "games/arrange/tic-tac-toe/tic-tac-toe.zrf", depth: 6, moves: 54_720 },
    Bench { rules: "games/breakthrough/breakthrough/breakthrough.zrf", depth: 3, moves: 11_132 },
    Bench { rules: "games/chess/chess/chess.zrf", depth: 3, moves: 8_902 },
    Bench { rules: "games/draughts/international/international.zrf", depth: 5, moves: 27_117 },
    Bench { rules: "games/custodian/reversi/reversi.zrf", depth: 5, moves: 1_396 },
];

/// Random games are stopped here.
const LONGEST: usize = 1_000;

/// Counts and plays.
pub(crate) fn run(options: &Options) -> Result<()> {
    if cfg!(debug_assertions) {
        let mut again = process::cargo(&["run", "--quiet", "--release", "--package", "xtask", "--"]);
        return process::run(again.args(std::env::args_os().skip(1)));
    }
    println!("{:<16} {:>6} {:>10} {:>12} {:>12} {:>12}", "game", "depth", "moves", "perft/s", "playouts/s", "steps/s");
    BENCHES.iter().try_for_each(|bench| measure(bench, options))
}

fn measure(bench: &Bench, options: &Options) -> Result<()> {
    let path = workspace::root().join(bench.rules);
    let bytes = std::fs::read(&path).with_context(|| bench.rules.to_owned())?;
    let compiled = compile(bench.rules, &bytes, &mut |_: &str| None, &Settings::default());
    let game = compiled.game.with_context(|| format!("{} is not accepted", bench.rules))?;
    let executor = Interpreter::new(Arc::new(game.rules));
    let started = Instant::now();
    let moves = perft(&executor, &executor.initial(), &mut Line::new(), bench.depth)?;
    let counting = started.elapsed().as_secs_f64();
    ensure!(moves == bench.moves, "{}: {moves} moves at depth {}, not {}", bench.rules, bench.depth, bench.moves);

    let (mut games, mut steps, mut random) = (0_u64, 0_u64, Random::new(1));
    let (limit, started) = (Duration::from_secs_f64(options.seconds), Instant::now());
    while started.elapsed() < limit {
        steps += playout(&executor, &mut executor.initial(), &mut Line::new(), &mut random, LONGEST)?.steps as u64;
        games += 1;
    }
    let playing = started.elapsed().as_secs_f64();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let (per_count, per_game, per_step) = (moves as f64 / counting, games as f64 / playing, steps as f64 / playing);
    println!("{name:<16} {:>6} {moves:>10} {per_count:>12.0} {per_game:>12.1} {per_step:>12.0}", bench.depth);
    Ok(())
}
