//! Running cargo and its kin from the root of the workspace.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace;

/// A command that will run `program` in the root of the workspace.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(workspace::root());
    command
}

/// Cargo, the one that runs this very program.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()), arguments)
}

/// Runs it, showing what it prints; anything but success is an error that says how to run it alone.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = describe(command);
    println!("$ {line}");
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}`: {status}");
    }
    Ok(())
}

/// Runs it and returns what it printed on standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = describe(command);
    let output = command.output().with_context(|| format!("cannot start `{line}`"))?;
    if !output.status.success() {
        bail!("`{line}`: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` printed no UTF-8"))
}

fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let words = std::iter::once(program.file_stem().unwrap_or(command.get_program())).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
