//! The page as a list of games with what is said of each, and the page written anew.

use std::collections::BTreeMap;

use crate::check::Finding;

/// What the page holds, in its order.
pub(crate) struct Page<'a> {
    lines: Vec<&'a str>,
    pub(crate) games: Vec<Game<'a>>,
}

/// A block of rules.
pub(crate) struct Game<'a> {
    /// The line of its fence, from 1.
    pub(crate) line: usize,
    /// The rules, inside their frame where there is one.
    pub(crate) text: String,
    /// The files that stood before it.
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) claims: Vec<Claim<'a>>,
    /// Whether somebody must say what it does.
    pub(crate) whole: bool,
}

/// A block that says what a game does.
pub(crate) struct Claim<'a> {
    pub(crate) line: usize,
    pub(crate) what: &'a str,
    pub(crate) sections: Vec<Section<'a>>,
}

/// The part of a claim that speaks of one variant at one time.
#[derive(Default)]
pub(crate) struct Section<'a> {
    /// The lines that begin it.
    pub(crate) head: Vec<&'a str>,
    pub(crate) variant: Option<&'a str>,
    pub(crate) after: &'a str,
    pub(crate) said: Vec<&'a str>,
}

const CLAIMS: [&str; 7] = ["moves", "position", "seen", "outcome", "perft", "menu", "diagnostics"];

/// The word of a frame in whose place a fragment is put.
const HOLE: &str = "HERE";

impl<'a> Page<'a> {
    /// Reads a page. The error begins with its line.
    pub(crate) fn of(text: &'a str) -> Result<Self, String> {
        let mut page = Page { lines: text.lines().collect(), games: Vec::new() };
        let (mut files, mut frames) = (BTreeMap::new(), BTreeMap::new());
        let mut at = 0;
        while at < page.lines.len() {
            let Some(info) = page.lines[at].strip_prefix("```") else {
                at += 1;
                continue;
            };
            let length = page.lines[at + 1..].iter().position(|line| *line == "```");
            let length = length.ok_or_else(|| format!("{}: the block has no end", at + 1))?;
            let body = &page.lines[at + 1..=at + length];
            let (line, body) = (at + 1, body.to_vec());
            at += length + 2;
            let (language, attribute) = info.split_once(',').unwrap_or((info, ""));
            let (attribute, name) = attribute.split_once('=').unwrap_or((attribute, ""));
            let rules = body.join("\n") + "\n";
            let mut game = |text, whole| {
                let files = files.clone();
                page.games.push(Game { line, text, files, claims: Vec::new(), whole });
            };
            match (language, attribute) {
                ("zrf", "") => game(rules, true),
                ("zrf", "frame") => {
                    if !rules.contains(HOLE) {
                        return Err(format!("{line}: the frame `{name}` has no {HOLE}"));
                    }
                    game(rules.replace(HOLE, ""), false);
                    frames.insert(name, rules);
                }
                ("zrf", "fragment") => {
                    let frame: &String = frames.get(name).ok_or_else(|| format!("{line}: no frame `{name}`"))?;
                    game(frame.replace(HOLE, rules.trim_end()), false);
                }
                ("zrf", "file") => _ = files.insert(name.to_owned(), rules),
                ("text", "") => {}
                (what, "") if CLAIMS.contains(&what) => {
                    let game = page.games.last_mut().ok_or_else(|| format!("{line}: no game before this"))?;
                    game.claims.push(Claim { line, what, sections: sections(&body) });
                }
                _ => return Err(format!("{line}: nobody knows what `{info}` is")),
            }
        }
        Ok(page)
    }

    /// The page with what was found in the place of what is said.
    pub(crate) fn rewritten(&self, findings: &[Finding]) -> String {
        let mut lines: Vec<String> = self.lines.iter().map(ToString::to_string).collect();
        for finding in findings.iter().rev() {
            if let Some(found) = &finding.found {
                let end = finding.line
                    + self.lines[finding.line..].iter().position(|line| *line == "```").expect("the block has an end");
                lines.splice(finding.line..end, found.lines().map(str::to_owned));
            }
        }
        lines.join("\n") + "\n"
    }
}

fn sections<'a>(body: &[&'a str]) -> Vec<Section<'a>> {
    let mut sections = vec![Section::default()];
    for &line in body {
        let head = line.split_once(": ").filter(|(word, _)| matches!(*word, "variant" | "after"));
        let Some((word, value)) = head else {
            sections.last_mut().expect("there is always a section").said.push(line);
            continue;
        };
        let last = sections.last().expect("there is always a section");
        let goes_on = last.said.is_empty() && (last.head.is_empty() || (word == "after" && last.after.is_empty()));
        if !goes_on {
            sections.push(Section::default());
        }
        let section = sections.last_mut().expect("there is always a section");
        section.head.push(line);
        match word {
            "variant" => section.variant = Some(value),
            _ => section.after = value,
        }
    }
    sections
}
