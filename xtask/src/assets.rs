//! Every file of `assets/` is listed in `assets/LICENSES.toml`, with a licence of the list below and the text that it asks for.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::workspace;

/// Licences that let everybody use a picture or an outline with the program, and ask for no more than their own text.
const ALLOWED: &[&str] = &["Apache-2.0", "CC0-1.0", "MIT", "MIT OR Apache-2.0", "OFL-1.1"];

/// The list itself, which lists what others made.
const LIST: &str = "LICENSES.toml";

/// What is wrong with the list, or with the folder.
pub(crate) fn findings() -> Result<Vec<String>> {
    let folder = workspace::root().join("assets");
    let list = std::fs::read_to_string(folder.join(LIST)).context("cannot read assets/LICENSES.toml")?;
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder).context("cannot list assets/")? {
        files.push(entry?.file_name().to_string_lossy().into_owned());
    }
    files.sort();
    Ok(compared(&list, &files))
}

/// One entry of the list: its keys and their texts.
type Asset = BTreeMap<String, String>;

/// The entries: tables `[[asset]]` of texts, which is all of TOML that the list needs.
fn read(list: &str) -> Vec<Asset> {
    let mut assets: Vec<Asset> = Vec::new();
    for line in list.lines().map(str::trim) {
        if line == "[[asset]]" {
            assets.push(Asset::new());
        } else if let (Some(asset), Some((key, value))) = (assets.last_mut(), line.split_once(" = ")) {
            asset.insert(key.to_owned(), value.trim_matches('"').to_owned());
        }
    }
    assets
}

fn compared(list: &str, files: &[String]) -> Vec<String> {
    let assets = read(list);
    let mut findings = Vec::new();
    let mut known = vec![LIST.to_owned()];
    for asset in &assets {
        let text = |key: &str| asset.get(key).map_or("", String::as_str);
        let file = text("file");
        known.extend([file.to_owned(), text("text").to_owned()]);
        let mut find = |what: String| findings.push(format!("assets/{LIST}: {file}: {what}"));
        if !ALLOWED.contains(&text("licence")) {
            find(format!("`{}` is not on the list in xtask/src/assets.rs", text("licence")));
        }
        if text("source").is_empty() {
            find("it is not said where it comes from".to_owned());
        }
        if text("licence") == "OFL-1.1" && text("text").is_empty() {
            find("the text of its licence must lie beside it".to_owned());
        }
        for wanted in [file, text("text")].into_iter().filter(|name| !name.is_empty()) {
            if !files.iter().any(|file| file == wanted) {
                find(format!("there is no `{wanted}`"));
            }
        }
    }
    let unknown = files.iter().filter(|file| !known.contains(file));
    findings.extend(unknown.map(|file| format!("assets/{file}: not listed in assets/{LIST}")));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report;

    #[test]
    fn every_asset_is_listed_with_an_allowed_licence() {
        report::expect_none(&findings().unwrap());
    }

    #[test]
    fn what_is_wrong_with_the_list_is_found() {
        let files = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let entry =
            |licence: &str| format!("[[asset]]\nfile = \"a.svg\"\nlicence = \"{licence}\"\nsource = \"made here\"\n");
        assert_eq!(compared(&entry("MIT"), &files(&[LIST, "a.svg"])), Vec::<String>::new());
        assert_eq!(compared(&entry("GPL-3.0-only"), &files(&[LIST, "a.svg"])).len(), 1, "licence");
        assert_eq!(compared(&entry("OFL-1.1"), &files(&[LIST, "a.svg"])).len(), 1, "no text");
        assert_eq!(compared(&entry("MIT"), &files(&[LIST, "a.svg", "b.svg"])).len(), 1, "not listed");
        assert_eq!(compared(&entry("MIT"), &files(&[LIST])).len(), 1, "not there");
        assert_eq!(compared("[[asset]]\nfile = \"a\"\nlicence = \"MIT\"\n", &files(&["a"])).len(), 1, "no source");
    }
}
