//! What the games of a page do, against what the page says.

use std::fmt;

use dagaz_lang_zrf::{Compiled, Settings};
use dagaz_tests::trial::{Trial, compile_text};

use crate::page::{Claim, Game, Page, Section};

/// Where the page is wrong.
pub(crate) struct Finding {
    /// The line of the block's fence, from 1.
    pub(crate) line: usize,
    message: String,
    /// What the block should say, where that can be known.
    pub(crate) found: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

/// Everything that is wrong, in the order of the page.
pub(crate) fn findings(page: &Page<'_>) -> Vec<Finding> {
    page.games.iter().flat_map(of_game).collect()
}

fn of_game(game: &Game<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut complain = |line, message| findings.push(Finding { line, message, found: None });
    if game.whole && game.claims.is_empty() {
        complain(game.line, "nothing is said of this game".to_owned());
    }
    if !game.claims.iter().any(|claim| claim.what == "diagnostics") {
        let variants = game.claims.iter().flat_map(|claim| &claim.sections).map(|section| section.variant);
        let mut variants: Vec<_> = std::iter::once(None).chain(variants).collect();
        variants.dedup();
        for variant in variants {
            let compiled = compiled(game, variant);
            let rendered = compiled.diagnostics.render(&compiled.sources);
            if !rendered.is_empty() {
                complain(game.line, format!("this game has findings\n{rendered}"));
                return findings;
            }
        }
    }
    findings.extend(game.claims.iter().filter_map(|claim| of_claim(game, claim)));
    findings.sort_by_key(|finding| finding.line);
    findings
}

fn of_claim(game: &Game<'_>, claim: &Claim<'_>) -> Option<Finding> {
    let (mut said, mut found) = (Vec::new(), Vec::new());
    for section in &claim.sections {
        for lines in [&mut said, &mut found] {
            lines.extend(section.head.iter().map(ToString::to_string));
        }
        said.extend(section.said.iter().map(ToString::to_string));
        match answer(game, claim.what, section) {
            Ok(answer) => found.extend(answer.lines().map(str::to_owned)),
            Err(error) => {
                let message = format!("{}: {error}", section.head.join("; "));
                return Some(Finding { line: claim.line, message, found: None });
            }
        }
    }
    if said == found {
        return None;
    }
    let message = format!("said:\n{}\nfound:\n{}\n", indented(&said), indented(&found));
    Some(Finding { line: claim.line, message, found: Some(found.join("\n")) })
}

fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

fn answer(game: &Game<'_>, what: &str, section: &Section<'_>) -> Result<String, String> {
    let compiled = compiled(game, section.variant);
    if what == "diagnostics" {
        return Ok(compiled.diagnostics.render(&compiled.sources));
    }
    if what == "menu" {
        let mark = |default| if default { " (default)" } else { "" };
        let lines = compiled.menu.iter().map(|item| format!("{}{}", item.title, mark(item.default)));
        return Ok(lines.collect::<Vec<_>>().join("\n"));
    }
    let rules = compiled.game.ok_or("the game has errors")?.rules;
    let trial = Trial::new(rules).try_after(section.after)?;
    Ok(match what {
        "moves" => match trial.try_moves()? {
            moves if moves.is_empty() => "(none)".to_owned(),
            moves => moves.join("\n"),
        },
        "position" => trial.position(),
        "seen" => trial.seen(),
        "outcome" => trial.outcome(),
        _ => {
            let depths = section.said.iter().map(|line| {
                let depth = line.split('=').next().unwrap_or_default().trim();
                depth.parse::<u32>().map(|depth| format!("{depth} = {}", trial.perft(depth))).map_err(|_| depth)
            });
            let lines: Result<Vec<_>, _> = depths.collect();
            lines.map_err(|depth| format!("`{depth}` is no depth"))?.join("\n")
        }
    })
}

fn compiled(game: &Game<'_>, variant: Option<&str>) -> Compiled {
    let settings = Settings { variant: variant.map(str::to_owned), ..Settings::default() };
    compile_text(&game.text, &game.files, &settings)
}
