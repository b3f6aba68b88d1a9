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
    /// Print one JSON value a line, and leave out in silence what is not installed
    #[arg(long)]
    json: bool,
}

fn main() -> Result<()> {
    let Arguments { fairy, python, seconds, json } = Arguments::parse();
    let tell = |line: std::fmt::Arguments| {
        if !json {
            println!("{line}");
        }
    };
    tell(format_args!(
        "{:<16} {:<22} {:>6} {:>12} {:>10}",
        "program", "counts moves of", "depth", "moves", "M moves/s"
    ));
    if !fairy::measure(&fairy, json)? {
        tell(format_args!("Fairy-Stockfish is not installed as `{fairy}`: left out"));
    }
    tell(format_args!(
        "\n{:<16} {:<22} {:>11} {:>11} {:>9}",
        "program", "plays at random", "playouts/s", "moves/s", "length"
    ));
    if !open_spiel::measure(&python, seconds, json)? {
        tell(format_args!("`{python}` has no module `pyspiel`: left out"));
    }
    Ok(())
}
