//! Development tasks: everything that a Makefile line or the gate needs and that is longer than three lines.
//!
//! The checks are ordinary tests too, so `cargo test` runs them; the verbs exist to run one of them alone.

#![allow(clippy::print_stdout, reason = "a tool of the command line speaks on standard output")]

mod assets;
mod battery;
mod bench;
mod bundled;
mod catalogue;
mod check;
mod corpus;
mod examples;
mod fuzz;
mod glyphs;
mod goldens;
mod layers;
mod licences;
mod panics;
mod process;
mod report;
mod tidy;
mod workspace;
mod written;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Development tasks")]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Formatting, lints, documentation, tidiness, layers and licences: all that needs no test to run
    Check,
    /// The habits that no compiler checks, file by file
    Tidy,
    /// Each crate depends only on those above it
    Layers,
    /// Every dependency has a licence of the allow-list
    Licences,
    /// How fast games are played, once their move counts are right
    Bench(bench::Options),
    /// Plays seeded random games of every bundled game, and tries every law at every step
    Battery(battery::Options),
    /// Runs the fuzz targets, one after the other
    Fuzz(fuzz::Options),
    /// Tries the rule files that other people wrote
    Corpus(corpus::Options),
    /// Draws all bundled games on one sheet: `docs/games.png`
    Contact,
    /// Takes outlines of characters from fonts for `assets/glyphs.txt`
    Glyphs(glyphs::Options),
    /// Writes the expected outputs of the tests anew, to be reviewed as a diff
    Goldens(goldens::Options),
}

fn main() -> ExitCode {
    match run(&Arguments::parse().verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(verb: &Verb) -> Result<()> {
    match verb {
        Verb::Check => check::run(),
        Verb::Tidy => report::settle("tidy", &tidy::findings()?),
        Verb::Layers => report::settle("layers", &layers::findings(&workspace::members()?)),
        Verb::Licences => report::settle("licences", &licences::findings()?),
        Verb::Bench(options) => bench::run(options),
        Verb::Battery(options) => battery::run(options),
        Verb::Fuzz(options) => fuzz::run(options),
        Verb::Corpus(options) => corpus::run(options),
        Verb::Contact => contact(),
        Verb::Glyphs(options) => glyphs::run(options),
        Verb::Goldens(options) => goldens::run(options),
    }
}

/// The sheet of the front page. The same games look the same on every machine.
fn contact() -> Result<()> {
    let words = ["run", "-p", "dagaz-cli", "--", "render", "--all", "--size", "120", "-o", "docs/games.png"];
    process::run(&mut process::cargo(&words))
}
