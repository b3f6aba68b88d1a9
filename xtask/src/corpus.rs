//! Rule files that other people wrote: each is checked, and each accepted one is played under the generic battery.
//!
//! What comes out is a table on the terminal and the generated part of `docs/zrf-corpus.md`. The same files, seeds and
//! rules of Dagaz give the same page on every machine: times stand in the table alone.

mod page;
mod trial;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{panics, process, workspace};
use trial::{Found, Verdict};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only files whose path contains this
    only: Option<String>,
    /// Random games of each accepted file
    #[arg(long, default_value_t = 20)]
    games: u32,
    /// The most steps of a game
    #[arg(long, default_value_t = 300)]
    steps: usize,
    /// The seed of the first game
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many files are tried at once; as many as there are cores when it is not given
    #[arg(long)]
    jobs: Option<usize>,
    /// Play every variant of a file, not only the one that is opened first
    #[arg(long)]
    variants: bool,
    /// Compare the rules as compiled modules with the interpreter at every step
    #[arg(long)]
    executors: bool,
    /// Write the generated part of docs/zrf-corpus.md
    #[arg(long)]
    write: bool,
    /// It is an error when docs/zrf-corpus.md does not say what was found
    #[arg(long)]
    check: bool,
}

/// What was found out about one file.
struct Row {
    /// The file, relative to the corpus.
    file: String,
    /// What it is.
    found: Found,
    /// How long that took.
    seconds: f64,
}

/// A file that takes longer than this many seconds is worth a line.
const SLOW: f64 = 10.0;

/// Tries all files.
pub(crate) fn run(options: &Options) -> Result<()> {
    if cfg!(debug_assertions) || options.executors && cfg!(not(feature = "executors")) {
        // Millions of steps are made: an optimised build is worth its time.
        let features = if options.executors { "executors" } else { "" };
        let build = ["run", "--quiet", "--release", "--package", "xtask", "--features", features, "--"];
        return process::run(process::cargo(&build).args(std::env::args_os().skip(1)));
    }
    let Some(folder) = folder() else { return Ok(()) };
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    if let Some(part) = &options.only {
        files.retain(|file| file.to_string_lossy().contains(part.as_str()));
    }
    let rows = try_all(&folder, &files, options)?;
    print_table(&rows);
    if options.write {
        page::write(&rows)?;
    }
    if options.check {
        page::check(&rows)?;
    }
    let broken = rows.iter().filter(|row| matches!(row.found.verdict, Verdict::Broken(_))).count();
    if broken > 0 {
        bail!("{broken} files are accepted and break a law");
    }
    Ok(())
}

/// Where the rule files are, if anywhere.
fn folder() -> Option<PathBuf> {
    let corpus = std::env::var_os("DAGAZ_CORPUS")
        .map_or_else(|| workspace::root().join("../shared/corpus"), PathBuf::from)
        .join("zrf");
    if !corpus.is_dir() {
        println!("skipped: there is no corpus at {}; DAGAZ_CORPUS may say where it is", corpus.display());
        return None;
    }
    Some(corpus)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zrf")) {
            files.push(path);
        }
    }
    Ok(())
}

/// The rows in the order of the files, however many are tried at once.
fn try_all(folder: &Path, files: &[PathBuf], options: &Options) -> Result<Vec<Row>> {
    let jobs = options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let bar = ProgressBar::new(files.len() as u64);
    bar.set_style(ProgressStyle::with_template("{pos}/{len} {bar:30} {elapsed} left {eta}  {wide_msg}")?);
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = files.get(index) else { break };
            let file = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
            bar.set_message(file.clone());
            let started = Instant::now();
            let found = trial::of(path, options);
            if let Verdict::Broken(law) = &found.verdict {
                bar.suspend(|| println!("{file}: {law}"));
            }
            let row = Row { file, found, seconds: started.elapsed().as_secs_f64() };
            bar.inc(1);
            if bar.is_hidden() && (row.seconds > SLOW || bar.position().is_multiple_of(50)) {
                println!("{}/{}: {} took {:.1} s", bar.position(), files.len(), row.file, row.seconds);
            }
            rows.lock().expect("no thread panics with the rows in hand").insert(index, row);
        }
    };
    panics::silently(|| {
        std::thread::scope(|scope| {
            let start = |_| panics::deep().spawn_scoped(scope, work).map(|_| ());
            (0..jobs.max(1)).try_for_each(start)
        })
    })?;
    bar.finish_and_clear();
    Ok(rows.into_inner().expect("no thread panics with the rows in hand").into_values().collect())
}

fn print_table(rows: &[Row]) {
    let count = |test: fn(&Verdict) -> bool| rows.iter().filter(|row| test(&row.found.verdict)).count();
    let accepted = count(|verdict| matches!(verdict, Verdict::Accepted(_) | Verdict::Broken(_)));
    let engines = count(|verdict| matches!(verdict, Verdict::Engine(_)));
    let reports = || {
        rows.iter().filter_map(|row| match &row.found.verdict {
            Verdict::Accepted(report) => Some(report),
            _ => None,
        })
    };
    let total = |of: fn(&trial::Report) -> u64| reports().map(of).sum::<u64>();
    for row in rows {
        match &row.found.verdict {
            Verdict::Refused(findings) => println!("refused  {}: {}", row.file, findings.join("; ")),
            Verdict::Broken(law) => println!("BROKEN   {}: {law}", row.file),
            Verdict::Accepted(_) | Verdict::Engine(_) => {}
        }
    }
    let mut slowest: Vec<&Row> = rows.iter().collect();
    slowest.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    for row in slowest.iter().take(10).filter(|row| row.seconds > SLOW) {
        println!("slow     {}: {:.1} s", row.file, row.seconds);
    }
    println!("files                  {:>8}", rows.len());
    println!("for an outside engine  {engines:>8}");
    let own = (rows.len() - engines).max(1);
    println!("accepted               {accepted:>8}  {:.1} %", 100.0 * accepted as f64 / own as f64);
    println!("refused                {:>8}", count(|verdict| matches!(verdict, Verdict::Refused(_))));
    println!("breaking a law         {:>8}", count(|verdict| matches!(verdict, Verdict::Broken(_))));
    println!("games                  {:>8}", total(|report| report.games));
    println!("  that came to an end  {:>8}", total(|report| report.finished));
    println!("steps                  {:>8}", total(|report| report.plies));
}
