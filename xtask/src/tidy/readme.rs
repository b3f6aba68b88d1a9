//! What our pages tell people to type exists: each `make` verb is in the Makefile, each `cargo xtask` verb in this tool.

use anyhow::{Context, Result};
use clap::CommandFactory;

use super::at;
use crate::workspace::{self, File};

pub(super) fn findings(file: &File) -> Result<Vec<String>> {
    let makefile = workspace::root().join("Makefile");
    let makefile = std::fs::read_to_string(&makefile).context("cannot read the Makefile")?;
    let made: Vec<&str> = makefile.lines().filter_map(|line| Some(line.split_once(':')?.0)).collect();
    let tool = crate::Arguments::command();
    let tasks: Vec<&str> = tool.get_subcommands().map(clap::Command::get_name).collect();
    let mut findings = Vec::new();
    for (program, verbs) in [("make ", made), ("cargo xtask ", tasks)] {
        let unknown = typed(&file.text, program).filter(|(_, verb)| !verbs.contains(verb));
        findings.extend(unknown.map(|(number, verb)| at(file, number, &format!("`{program}{verb}` does not exist"))));
    }
    Ok(findings)
}

/// The words that follow a program where a page shows a command: at the start of a line of code or of a code span.
fn typed<'a>(text: &'a str, program: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let mut in_code = false;
    text.lines().enumerate().flat_map(move |(index, line)| {
        in_code ^= line.starts_with("```");
        let shown: Vec<&str> =
            if in_code { vec![line.trim_start_matches("$ ")] } else { line.split('`').skip(1).step_by(2).collect() };
        let verbs = shown.into_iter().filter_map(move |code| code.strip_prefix(program)?.split_whitespace().next());
        verbs.map(move |verb| (index + 1, verb)).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn commands_are_read_from_code_only() {
        let text = "We make noise; run `make test` or\n```sh\n$ make play\nmake it\n```\n";
        let found: Vec<_> = super::typed(text, "make ").collect();
        assert_eq!(found, [(1, "test"), (3, "play"), (4, "it")]);
    }
}
