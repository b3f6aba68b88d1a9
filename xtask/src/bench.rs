//! How fast the bundled games are played, by both executors and beside programs made for one game each: counts of moves are
//! asserted first, from the games' cases, and only then is a rate printed.
//!
//! Nothing is measured here: `dagaz bench` and `dagaz perft` measure themselves, in processor time, as users see it.

mod row;

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use dagaz_cases::{Cases, Claim};
use serde_json::Value;

use crate::bundled::{self, Bundled};
use crate::{process, workspace};
use row::Row;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The games, by their names; all of them if none is given
    games: Vec<String>,
    /// How long each executor plays each game at random
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Without the programs of `benches/limit`
    #[arg(long)]
    alone: bool,
    /// With the programs of other people that `benches/peers` finds on this machine
    #[arg(long)]
    peers: bool,
}

/// An executor, and how many sequences of moves it is given to count, at most.
const EXECUTORS: [(&str, u64); 2] = [("wasm", 20_000_000), ("interp", 200_000)];

/// Measures and prints.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut games = bundled::all()?;
    if let Some(unknown) = options.games.iter().find(|wanted| games.iter().all(|game| game.name != **wanted)) {
        bail!("no game is called `{unknown}`");
    }
    games.retain(|game| options.games.is_empty() || options.games.contains(&game.name));
    let others = others(options)?;
    let dagaz = build()?;
    println!("{}", row::HEAD);
    for game in &games {
        let mut rows = Vec::new();
        for (executor, most) in EXECUTORS {
            rows.push(dagaz.measure(game, executor, most, options.seconds)?);
        }
        rows.extend(others.iter().filter(|row| row.game == game.name).cloned());
        rows.iter().for_each(|row| println!("{}", row::line(row, &rows[0])));
    }
    // What others play and we do not has nothing to be compared with.
    let apart = others.iter().filter(|row| options.games.is_empty() && games.iter().all(|game| game.name != row.game));
    apart.for_each(|row| println!("{}", row::line(row, &Row::default())));
    Ok(())
}

/// The rows of programs that are not ours, or not for every game.
fn others(options: &Options) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    if !options.alone {
        rows.extend(Row::read_all(&process::output(&mut process::cargo(&["limit", "--json"]))?)?);
    }
    if options.peers {
        let run = ["run", "--release", "--quiet", "--package", "dagaz-peers", "--", "--json"];
        rows.extend(Row::read_all(&process::output(&mut process::cargo(&run))?)?);
    }
    Ok(rows)
}

/// The program, as its users have it.
struct Dagaz(PathBuf);

fn build() -> Result<Dagaz> {
    process::run(&mut process::cargo(&["build", "--quiet", "--release", "--package", "dagaz-cli"]))?;
    let metadata = workspace::metadata(&["--no-deps"])?;
    let folder = metadata["target_directory"].as_str().context("cargo has a folder for what it builds")?;
    Ok(Dagaz(PathBuf::from(folder).join("release").join(format!("dagaz{}", std::env::consts::EXE_SUFFIX))))
}

impl Dagaz {
    fn measure(&self, game: &Bundled, executor: &str, most: u64, seconds: f64) -> Result<Row> {
        let perft = match count(game, most)? {
            Some((depth, moves)) => Some(self.count(game, executor, depth, moves)?),
            None => None,
        };
        let value = self.ask(&["bench", &game.name, "--executor", executor, "--seconds", &seconds.to_string()])?;
        let ready = ["rules", "module", "first_moves"].iter().filter_map(|part| value["ready"][part].as_f64());
        Ok(Row {
            program: value["executor"].as_str().unwrap_or(executor).to_owned(),
            game: game.name.clone(),
            playouts: value["playouts_per_second"].as_f64(),
            moves: value["moves_per_second"].as_f64(),
            perft,
            ready: Some(ready.sum::<f64>() * 1e3),
        })
    }

    /// How many sequences of moves are counted in a second, when they are as many as they should be.
    fn count(&self, game: &Bundled, executor: &str, depth: u32, moves: u64) -> Result<f64> {
        let value = self.ask(&["perft", &game.name, "--executor", executor, "--depth", &depth.to_string()])?;
        let found = value["count"].as_u64().context("a count is a number")?;
        ensure!(found == moves, "{}, {executor}: {found} moves at depth {depth}, not {moves}", game.name);
        Ok(moves as f64 / value["seconds"].as_f64().context("it says how long it counted")?)
    }

    fn ask(&self, arguments: &[&str]) -> Result<Value> {
        let mut command = process::command(&self.0.to_string_lossy(), arguments);
        Ok(serde_json::from_str(&process::output(command.arg("--json"))?)?)
    }
}

/// The greatest known count of a game from its start, up to a number: its depth, and how many sequences there are.
fn count(game: &Bundled, most: u64) -> Result<Option<(u32, u64)>> {
    let path = game.file("cases");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let cases =
        Cases::read(&text).map_err(|error| anyhow::anyhow!("{}:{}: {}", path.display(), error.line, error.reason))?;
    let known = cases.cases.iter().filter(|case| case.variant.is_none() && case.position.is_none());
    let known = known.filter_map(|case| match case.claim {
        Claim::Perft { depth, count, .. } if count <= most => Some((depth, count)),
        _ => None,
    });
    Ok(known.max_by_key(|(_, count)| *count))
}
