//! All checks that need no test to run, in the order of their cost.

use anyhow::Result;

use crate::{assets, layers, licences, process, report, tidy, workspace};

/// Runs them all; stops at the first that fails.
pub(crate) fn run() -> Result<()> {
    report::settle("tidy", &tidy::findings()?)?;
    report::settle("layers", &layers::findings(&workspace::members()?))?;
    report::settle("licences", &licences::findings()?)?;
    report::settle("assets", &assets::findings()?)?;
    process::run(&mut process::cargo(&["fmt", "--all", "--check"]))?;
    process::run(&mut process::cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]))?;
    process::run(&mut process::cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    let mut doc = process::cargo(&["doc", "--workspace", "--no-deps"]);
    process::run(doc.env("RUSTDOCFLAGS", "-D warnings"))
}
