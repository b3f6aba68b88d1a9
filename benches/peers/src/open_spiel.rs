//! OpenSpiel, through its Python module: <https://github.com/google-deepmind/open_spiel>. Its own evaluator plays at random in
//! C++, so that Python costs nothing.

use std::io;
use std::process::Command;

use anyhow::{Context, Result, ensure};

const SCRIPT: &str = include_str!("open_spiel.py");

/// Says that there is no such module.
const MISSING: i32 = 3;

/// Our games, as OpenSpiel names them. Its draughts are the English ones, its amazons count three turns for a move.
const GAMES: &[(&str, &str)] = &[
    ("tic-tac-toe", "tic_tac_toe"),
    ("connect-four", "connect_four"),
    ("breakthrough", "breakthrough"),
    ("gomoku", "gomoku"),
    ("hex", "hex"),
    ("reversi", "othello"),
    ("amazons", "amazons"),
    ("english", "checkers"),
    ("go 9x9", "go(board_size=9)"),
    ("chess", "chess"),
];

/// Plays with this Python. False when it or the module is missing.
pub(crate) fn measure(python: &str, seconds: f64, json: bool) -> Result<bool> {
    for &(game, name) in GAMES {
        let run = Command::new(python).args(["-c", SCRIPT, name, &seconds.to_string()]).output();
        let output = match run {
            Ok(output) if output.status.code() == Some(MISSING) => return Ok(false),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(false),
            run => run.with_context(|| format!("cannot run {python}"))?,
        };
        let (said, complaint) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        ensure!(output.status.success(), "OpenSpiel does not play {name}: {complaint}");
        let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [playouts, length] = numbers[..] else { anyhow::bail!("OpenSpiel says `{said}` of {name}") };
        if json {
            let row = serde_json::json!({
                "program": "OpenSpiel",
                "game": game,
                "playouts_per_second": playouts,
                "moves_per_second": playouts * length,
            });
            println!("{row}");
            continue;
        }
        println!("{:<16} {game:<22} {playouts:>11.0} {:>11.0} {length:>9.2}", "OpenSpiel", playouts * length);
    }
    Ok(true)
}
