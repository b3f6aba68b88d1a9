//! `dagaz train`: an agent plays against itself, and what it learns about a game is kept in a small file.
//!
//! The file is written whole, now and then and at the end. Training goes on with what is in it, as if it had not been stopped:
//! each game has a seed of its own, and what was learned depends on their number alone.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use dagaz_search::{Trainer, Weights};
use serde_json::json;

use crate::answer::{Answer, Out, tell};
use crate::args::Train;
use crate::game::{Game, Source};
use crate::{files, progress, signals, weights, words};

/// How long what was learned may wait to be written.
const SAVED: Duration = Duration::from_secs(20);

pub(crate) fn run(args: &Train, out: &mut Out) -> anyhow::Result<Answer> {
    let source = Source::find(&args.game.game)?;
    let game = Game::load_from(&source, &args.game.choice, args.executor)?;
    let path = args.out.clone().unwrap_or_else(|| usual_path(&source));
    let trained = train(args, &game, &path);
    let (played, weights) = game.located(trained)?;
    if out.json {
        out.value(&json!({
            "game": game.name,
            "variant": game.variant,
            "seed": weights.seed,
            "played": played,
            "games": weights.games,
            "out": path.display().to_string(),
        }))?;
    } else {
        let (played, all) = (words::counted(played as usize, "game"), words::counted(weights.games as usize, "game"));
        out.line(format_args!("{}: {played} played; `{}` knows {all}", game.name, path.display()))?;
    }
    Ok(Answer::Yes)
}

/// Beside the rules where agents find it; in the folder where one is for rules that have none.
fn usual_path(source: &Source) -> PathBuf {
    match source {
        Source::Bundled(bundled) => Path::new(bundled.name).with_extension(weights::ENDING),
        Source::File { path, .. } => path.with_extension(weights::ENDING),
    }
}

/// Plays until there is enough, and says how many games that were.
fn train(args: &Train, game: &Game, path: &Path) -> anyhow::Result<(u64, Weights)> {
    let known = match path.exists() {
        true => Some(weights::read(path)?),
        false => None,
    };
    if let Some(known) = &known {
        if !known.fit(game.rules()) {
            bail!("`{}` was trained for other rules; name another file with `--out`, or remove it", path.display());
        }
        if args.seed.is_some_and(|seed| seed != known.seed) {
            bail!("`{}` was trained with the seed {}, and goes on with it", path.display(), known.seed);
        }
    }
    let mut trainer = Trainer::new(&*game.executor, args.seed.unwrap_or(1), known.as_ref())
        .with_context(|| format!("{} cannot be trained", game.name))?;
    let stop = Arc::new(AtomicBool::new(false));
    signals::instead({
        let stop = stop.clone();
        move || stop.store(true, Ordering::Relaxed)
    });
    let (begun, before, mut saved) = (Instant::now(), trainer.games(), Instant::now());
    let keep_going = || !stop.load(Ordering::Relaxed) && args.seconds.is_none_or(|seconds| begun.elapsed() < seconds);
    let bar = args.games.map_or_else(|| progress::counter("games"), |games| progress::bar(games, "games"));
    while args.games.is_none_or(|games| trainer.games() - before < games) && trainer.play(&keep_going)? {
        bar.inc(1);
        if saved.elapsed() >= SAVED {
            save(&trainer, path)?;
            saved = Instant::now();
        }
    }
    bar.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        tell("note: interrupted; the same command goes on from here");
    }
    save(&trainer, path)?;
    Ok((trainer.games() - before, trainer.weights()))
}

fn save(trainer: &Trainer<'_>, path: &Path) -> anyhow::Result<()> {
    files::write(path, trainer.weights().to_string().as_bytes())
}
