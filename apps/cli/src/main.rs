//! The command line: `dagaz`.
//!
//! Others script against it: what goes to standard output and the exit codes are a promise (0 good, 1 the answer is no,
//! 2 bad input). Everything that is meant for a person only goes to standard error.

// `eprintln!` panics where standard error is closed or full.
#![warn(clippy::print_stderr)]

mod answer;
mod args;
mod board;
mod bundled;
mod cache;
mod codes;
mod commands;
mod contestants;
mod files;
mod game;
mod line;
mod module;
mod outside;
mod pgn;
mod picture;
mod pixels;
mod progress;
mod records;
mod report;
mod seats;
mod sight;
mod signals;
mod views;
mod weights;
mod words;

use std::process::ExitCode;

use clap::Parser as _;

use answer::{Answer, Out, is_broken_pipe, tell};

fn main() -> ExitCode {
    let args = args::Args::parse();
    let mut out = Out::stdout(args.json);
    let answer = commands::run(&args.command, &mut out).and_then(|answer| Ok(out.flush().map(|()| answer)?));
    match answer {
        Ok(answer) => answer.into(),
        // Whoever reads us has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell(format_args!("error: {error:#}"));
            Answer::of_error(&error).into()
        }
    }
}
