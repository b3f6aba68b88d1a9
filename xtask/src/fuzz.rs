//! Builds the fuzz targets and runs them from seeds that are the bundled games.
//!
//! The targets link libFuzzer. The instrumentation that it needs is a pass of the stable compiler, so neither a nightly
//! toolchain nor another tool is wanted; libFuzzer itself is C++, so a C++ compiler is.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{licences, process, workspace};

/// The targets; the laws that they state stand in `fuzz/targets/`.
const TARGETS: &[&str] = &["zrf_parse", "zrf_lower", "interpret"];

/// A target that is run only when it is named: a whole compiler is built for it.
const EXECUTORS: &str = "executors";

/// Coverage of edges and comparisons, as libFuzzer reads it; arithmetic and assertions are checked.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions=yes -Coverflow-checks=yes";

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The targets to run; all but `executors`, for which a compiler must be built, when none is named
    targets: Vec<String>,
    /// How long each target runs
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The seed of the mutations: another one goes another way
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Longest input, in bytes
    #[arg(long, default_value_t = 32_768)]
    length: usize,
    /// Run this one input and no others: a crash is looked at again by it
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
}

/// Runs the targets; an input that breaks a law stays in `fuzz/artifacts/TARGET/`.
pub(crate) fn run(options: &Options) -> Result<()> {
    let targets: Vec<&str> = match options.targets.as_slice() {
        [] => TARGETS.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    };
    if let Some(unknown) = targets.iter().find(|target| !TARGETS.contains(target) && **target != EXECUTORS) {
        bail!("no target is called `{unknown}`: there are {}, {EXECUTORS}", TARGETS.join(", "));
    }
    let programs = build(targets.contains(&EXECUTORS))?;
    for target in targets {
        let program = programs.join(target);
        match &options.input {
            Some(input) => process::run(process::command(&program.to_string_lossy(), &[]).arg(input))?,
            None => mutate(target, &program, options)?,
        }
    }
    Ok(())
}

/// Builds the targets and returns the folder of the programs.
fn build(executors: bool) -> Result<PathBuf> {
    let host = licences::host()?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace::root().join("target"), PathBuf::from);
    let target = target.join("fuzz");
    // The fuzzers test the very versions that the product is built from.
    std::fs::copy(workspace::root().join("Cargo.lock"), workspace::root().join("fuzz/Cargo.lock"))?;
    let mut build = process::cargo(&["build", "--manifest-path", "fuzz/Cargo.toml", "--release", "--target", &host]);
    if executors {
        build.args(["--features", EXECUTORS]);
    }
    process::run(build.env("RUSTFLAGS", FLAGS).env("CARGO_TARGET_DIR", &target))?;
    Ok(target.join(host).join("release"))
}

/// Lets libFuzzer look for an input that breaks a law.
fn mutate(target: &str, program: &Path, options: &Options) -> Result<()> {
    let fuzz = workspace::root().join("fuzz");
    let (corpus, seeds) = (fuzz.join("corpus").join(target), fuzz.join("corpus/seeds"));
    let artifacts = fuzz.join("artifacts").join(target);
    for folder in [&corpus, &seeds, &artifacts] {
        std::fs::create_dir_all(folder)?;
    }
    let count = write_seeds(&seeds)?;
    println!("{target}: {} seconds from {count} seeds", options.seconds);
    let mut fuzzer = process::command(&program.to_string_lossy(), &[]);
    fuzzer.arg(&corpus).arg(&seeds);
    fuzzer.arg(format!("-artifact_prefix={}/", artifacts.display()));
    fuzzer.arg(format!("-dict={}", fuzz.join("zrf.dict").display()));
    fuzzer.arg(format!("-max_total_time={}", options.seconds));
    fuzzer.arg(format!("-max_len={}", options.length));
    fuzzer.arg(format!("-seed={}", options.seed));
    // An input takes a second at most, but time is that of the wall, and the machine may be busy.
    fuzzer.args(["-timeout=120", "-rss_limit_mb=4096", "-print_final_stats=1", "-verbosity=0"]);
    let ran = fuzzer.output().with_context(|| format!("cannot start {target}"))?;
    let said = String::from_utf8_lossy(&ran.stderr);
    if !ran.status.success() {
        println!("{said}");
        bail!("a law is broken: look at the input again with `cargo xtask fuzz {target} --input FILE`");
    }
    let inputs = said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    println!("{target}: {} inputs, no law broken", inputs.map_or("no", str::trim));
    Ok(())
}

/// Every bundled game is a seed. Returns how many there are.
fn write_seeds(folder: &Path) -> Result<usize> {
    let games = workspace::files(&["zrf"])?;
    for game in &games {
        std::fs::write(folder.join(game.path.replace('/', "-")), &game.text)?;
    }
    Ok(games.len())
}
