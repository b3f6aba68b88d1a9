//! Runs other people's programs on what ours are measured by: counts of moves, which must be the published ones, and games
//! played at random. (`cozy-chess` plays in `benches/limit`.) A program that is not installed is named and left out.

#![allow(clippy::print_stdout, reason = "a tool of the command line speaks on standard output")]

mod fairy;
mod open_spiel;

use anyhow::Result;
use clap::Parser;

/// Measures other programs. Rates are per second of the time that their processes computed.
#[derive(Parser)]
struct Arguments {
    /// The program Fairy-Stockfish
    #[arg(long, default_value = "fairy-stockfish")]
    fairy: String,
    /// A Python that has OpenSpiel's module `pyspiel`
    #[arg(long, default_value = "python3")]
    python: String,
    /// How long OpenSpiel plays each game, in seconds
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
}

fn main() -> Result<()> {
    let Arguments { fairy, python, seconds } = Arguments::parse();
    println!("{:<16} {:<22} {:>6} {:>12} {:>10}", "program", "counts moves of", "depth", "moves", "M moves/s");
    if !fairy::measure(&fairy)? {
        println!("Fairy-Stockfish is not installed as `{fairy}`: left out");
    }
    println!("\n{:<16} {:<22} {:>11} {:>11} {:>9}", "program", "plays at random", "playouts/s", "moves/s", "length");
    if !open_spiel::measure(&python, seconds)? {
        println!("`{python}` has no module `pyspiel`: left out");
    }
    Ok(())
}
