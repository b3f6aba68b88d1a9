//! The page `docs/games.md`: every bundled game on a line, as its folder says and not otherwise.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use dagaz_cases::{Cases, Claim};
use dagaz_ir::Role;

use crate::bundled::{self, Bundled};
use crate::workspace;

const TOP: &str = "\
# Bundled games

Each game lies in its folder with its rules, its cases and a page that names the sources of both. Cases are judged whenever Dagaz is
tested; perft numbers are those cases that count all ways in which a game may go on. `cargo xtask goldens` writes this page.

| game | family | players | variants | cases | perft numbers | rules |
|---|---|---|---|---|---|---|
";

/// Writes the page.
pub(crate) fn write() -> Result<()> {
    std::fs::write(path(), text()?)?;
    Ok(())
}

fn path() -> PathBuf {
    workspace::root().join("docs/games.md")
}

/// What the page says.
fn text() -> Result<String> {
    let games = bundled::all()?;
    let mut text = TOP.to_owned();
    let (mut all_cases, mut all_counts) = (0, 0);
    for game in &games {
        let read =
            |path: PathBuf| std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()));
        let cases =
            Cases::read(&read(game.file("cases"))?).with_context(|| format!("the cases of {}", game.name))?.cases;
        let counts = cases.iter().filter(|case| matches!(case.claim, Claim::Perft { .. })).count();
        let Bundled { name, family, .. } = game;
        let (players, variants) = players_and_variants(game)?;
        let source = source(&read(game.page())?).with_context(|| format!("the page of {name} has no **Rules**"))?;
        let cases = cases.len();
        writeln!(
            text,
            "| [{name}](../games/{family}/{name}/README.md) | {family} | {players} | {variants} | {cases} | {counts} | {source} |"
        )?;
        all_cases += cases;
        all_counts += counts;
    }
    writeln!(text, "\n{} games, {all_cases} cases, {all_counts} perft numbers among them.", games.len())?;
    Ok(text)
}

/// How many persons play, and how many variants there are beside the game.
fn players_and_variants(game: &Bundled) -> Result<(usize, usize)> {
    let compiled = game.compile(None)?;
    let rules = compiled.game.with_context(|| format!("{} is not accepted", game.name))?.rules;
    let persons = rules.players.values().filter(|player| player.role == Role::Person).count();
    Ok((persons, compiled.menu.len() - 1))
}

/// The first source that a page names behind **Rules**, up to a semicolon or the end of its sentence.
fn source(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("**Rules**:")?;
    let end = rest.find("\n- ").unwrap_or(rest.len());
    let said = rest[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    // A dot behind a bracket, or one that stands clear of an address, ends a sentence; that of an initial does not.
    let ends = [(";", 0), (" , ", 0), (" . ", 0), ("). ", 1)];
    let end = ends.iter().filter_map(|(mark, keep)| Some(said.find(mark)? + keep)).min().unwrap_or(said.len());
    Some(said[..end].trim_end_matches([' ', '.']).to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_says_what_the_folders_say() {
        let page = std::fs::read_to_string(super::path()).unwrap();
        assert!(page == super::text().unwrap(), "docs/games.md is stale: run `cargo xtask goldens --pages`");
    }

    #[test]
    fn the_first_source_ends_where_another_or_a_sentence_begins() {
        let source = |rules: &str| super::source(&format!("# A\n- **Rules**: {rules}\n- **B**: c")).unwrap();
        assert_eq!(source("R. C. Bell,\n  *Games* (1979). Bell adds rules."), "R. C. Bell, *Games* (1979)");
        assert_eq!(source("http://a.b/c ; http://d.e"), "http://a.b/c");
        assert_eq!(source("http://a.b/c . More."), "http://a.b/c");
        assert_eq!(super::source("# A"), None);
    }
}
