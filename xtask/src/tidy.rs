//! The habits that no compiler checks: one rule a file, each with its reason, each found by path and line.

mod games;
mod length;
mod links;
mod names;
mod opening;
mod readme;
mod source;
mod space;
mod unwraps;

use anyhow::Result;

use crate::workspace::{self, File};

/// All that is untidy in the files of the workspace.
pub(crate) fn findings() -> Result<Vec<String>> {
    let rust = workspace::files(&["rs"])?;
    let prose = workspace::files(&["md"])?;
    let all = workspace::files(&["rs", "md", "toml", "zrf", "txt", "yml", "json"])?;
    let games = games::names()?;
    let mut findings = Vec::new();
    for file in &rust {
        findings.extend(opening::findings(file));
        findings.extend(length::findings(file));
        findings.extend(names::findings(file));
        findings.extend(unwraps::findings(file));
        findings.extend(games::findings(file, &games));
    }
    for file in &prose {
        findings.extend(links::findings(file));
        findings.extend(readme::findings(file)?);
    }
    for file in &all {
        findings.extend(space::findings(file));
    }
    Ok(findings)
}

/// A finding, written so that an editor can jump there. Lines count from 1.
fn at(file: &File, line: usize, what: &str) -> String {
    format!("{}:{line}: {what}", file.path)
}

#[cfg(test)]
mod tests {
    use crate::report;

    #[test]
    fn the_workspace_is_tidy() {
        report::expect_none(&super::findings().unwrap());
    }

    /// What a rule finds in a file of this path and text.
    pub(super) fn file(path: &str, text: &str) -> crate::workspace::File {
        crate::workspace::File { path: path.to_owned(), text: text.to_owned() }
    }
}
