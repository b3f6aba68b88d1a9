//! Measures the programs of this crate, once what they count and how their games go has been found right.

#![allow(clippy::print_stdout, reason = "a tool of the command line speaks on standard output")]

use anyhow::{Result, bail, ensure};
use clap::Parser;
use dagaz_limit::random::Random;
use dagaz_limit::{Game, Tally, clock, games};

/// Plays games at random by programs made for one game each. Rates are per second of processor time.
#[derive(Parser)]
struct Arguments {
    /// The games, by their names; all of them if none is given
    games: Vec<String>,
    /// How long each round takes, in seconds of processor time
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// In how many rounds; the rate printed is the median
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Print one JSON value a line
    #[arg(long)]
    json: bool,
}

/// Games that are played between two looks at the clock.
const AT_ONCE: u64 = 100;

fn main() -> Result<()> {
    let Arguments { games: wanted, seconds, rounds, json } = Arguments::parse();
    let mut games = games::all();
    if let Some(unknown) = wanted.iter().find(|wanted| games.iter().all(|game| game.name() != **wanted)) {
        let names: Vec<_> = games.iter().map(|game| game.name()).collect();
        bail!("no program for `{unknown}`; there are {}", names.join(", "));
    }
    games.retain(|game| wanted.is_empty() || wanted.iter().any(|wanted| game.name() == wanted));
    if !json {
        println!(
            "{:<13} {:>11} {:>6} {:>11} {:>15} {:>15} {:>6} {:>9}",
            "game", "playouts/s", "spread", "moves/s", "length", "interpreter's", "perft", "M moves/s"
        );
    }
    games.iter_mut().try_for_each(|game| measure(&mut **game, seconds, rounds, json))
}

fn measure(game: &mut dyn Game, seconds: f64, rounds: u32, json: bool) -> Result<()> {
    let (depth, counted) = count(game)?;
    let mut all = Tally::default();
    let mut rates = Vec::new();
    for round in 0..rounds {
        let mut random = Random::new(round.into());
        let mut tally = Tally::default();
        let started = clock::cpu();
        let mut passed = 0.0;
        while passed < seconds {
            tally = tally.and(game.playouts(AT_ONCE, &mut random));
            passed = (clock::cpu() - started).as_secs_f64();
        }
        rates.push(tally.games as f64 / passed);
        all = all.and(tally);
    }
    rates.sort_by(f64::total_cmp);
    let (median, spread) = (rates[rates.len() / 2], rates[rates.len() - 1] / rates[0]);
    let length = all.length();
    let known = game.known().random;
    if let Some(known) = known {
        let wrong = known.differs(&all);
        ensure!(wrong.is_none(), "{}: {}", game.name(), wrong.unwrap_or_default());
    }
    if json {
        let row = serde_json::json!({
            "program": "limit",
            "game": game.name(),
            "playouts_per_second": median,
            "moves_per_second": median * length.mean,
            "perft_per_second": counted * 1e6,
        });
        println!("{row}");
        return Ok(());
    }
    println!(
        "{:<13} {median:>11.0} {spread:>6.2} {:>11.0} {:>15} {:>15} {depth:>6} {counted:>9.0}",
        game.name(),
        median * length.mean,
        length.to_string(),
        known.map_or_else(String::new, |known| known.length().to_string()),
    );
    Ok(())
}

/// Counts what is known; at the last depth also how many million moves a second.
fn count(game: &mut dyn Game) -> Result<(u32, f64)> {
    let mut rate = 0.0;
    let mut depth = 0;
    for &known in game.known().perft {
        depth += 1;
        let started = clock::cpu();
        let (mut times, mut passed) = (0, 0.0);
        while passed < 0.05 {
            let count = game.perft(depth);
            ensure!(count == known, "{}: {count} sequences of {depth} moves, not {known}", game.name());
            times += 1;
            passed = (clock::cpu() - started).as_secs_f64();
        }
        rate = known as f64 * f64::from(times) / passed / 1e6;
    }
    Ok((depth, rate))
}
