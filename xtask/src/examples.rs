//! The commands that a page shows print what the page says.
//!
//! A block of `console` is commands behind `$ ` and what they print, standard error included. A block of rules whose
//! fence names a file, as in `zrf race.zrf`, is that file, in the folder where the commands run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

/// The pages whose commands are run.
const PAGES: &[&str] = &["README.md", "docs/cases.md", "docs/solving.md"];

/// The pages with the commands' true outputs, by their paths.
fn pages() -> Result<Vec<(PathBuf, String, String)>> {
    let programs = programs()?;
    let page = |name: &&str| {
        let path = workspace::root().join(name);
        let text = std::fs::read_to_string(&path)?;
        let true_text = answered(&text, &programs).with_context(|| (*name).to_owned())?;
        Ok((path, text, true_text))
    };
    PAGES.iter().map(page).collect()
}

/// What the pages show wrongly.
#[cfg(test)]
fn findings() -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for (path, text, true_text) in pages()? {
        let differs = |(index, (shown, is)): (usize, (&str, &str))| {
            (shown != is).then(|| format!("{}:{}: shows `{shown}`, but it is `{is}`", path.display(), index + 1))
        };
        let ends = std::iter::repeat("");
        let count = text.lines().count().max(true_text.lines().count());
        let lines = text.lines().chain(ends.clone()).zip(true_text.lines().chain(ends)).take(count);
        findings.extend(lines.enumerate().find_map(differs));
    }
    Ok(findings)
}

/// Writes what the commands print into the pages.
pub(crate) fn write() -> Result<()> {
    for (path, _, true_text) in pages()? {
        std::fs::write(path, true_text)?;
    }
    Ok(())
}

/// The folder of the built programs.
fn programs() -> Result<PathBuf> {
    process::output(process::cargo(&["build", "--quiet", "--package", "dagaz-cli"]).env_remove("RUSTFLAGS"))?;
    let target = workspace::metadata(&["--no-deps"])?;
    let target = target["target_directory"].as_str().context("cargo metadata names no target directory")?;
    Ok(Path::new(target).join("debug"))
}

/// The page with what each command prints in the place of what the page says.
fn answered(page: &str, programs: &Path) -> Result<String> {
    let folder = std::env::temp_dir().join(format!("dagaz-examples-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut text = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        text += line;
        text.push('\n');
        let Some(fence) = line.strip_prefix("```").filter(|fence| !fence.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if fence == "console" {
            for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
                text += &format!("$ {command}\n{}", output(command, &folder, programs)?);
            }
        } else {
            if let Some((_, file)) = fence.split_once(' ') {
                std::fs::write(folder.join(file), block.join("\n") + "\n")?;
            }
            block.iter().for_each(|line| text += &format!("{line}\n"));
        }
        text += "```\n";
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(text)
}

/// What a command prints, as a page can show it.
fn output(command: &str, folder: &Path, programs: &Path) -> Result<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path));
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("({command}) 2>&1")]).current_dir(folder).env("PATH", std::env::join_paths(paths)?);
    let ran = shell.output().with_context(|| format!("cannot run `{command}`"))?;
    if ran.status.code().is_none_or(|code| code > 2) {
        bail!("`{command}`: {}", ran.status);
    }
    let printed = String::from_utf8(ran.stdout).with_context(|| format!("`{command}` printed no UTF-8"))?;
    Ok(printed.trim_end().lines().map(|line| line.trim_end().to_owned() + "\n").collect())
}

#[cfg(test)]
mod tests {
    use crate::report;

    #[test]
    #[cfg_attr(not(unix), ignore = "the commands are for a Unix shell")]
    fn the_pages_show_what_the_commands_print() {
        report::expect_none(&super::findings().unwrap());
    }

    #[test]
    #[cfg_attr(not(unix), ignore = "the commands are for a Unix shell")]
    fn a_wrong_answer_is_put_right() {
        let page = "A\n```zrf a.txt\nx\n```\n```console\n$ cat a.txt\nwrong\n$ echo y\n```\nB\n";
        let answered = super::answered(page, std::path::Path::new(".")).unwrap();
        assert_eq!(answered, "A\n```zrf a.txt\nx\n```\n```console\n$ cat a.txt\nx\n$ echo y\ny\n```\nB\n");
    }
}
