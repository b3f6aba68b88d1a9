//! What there is in the workspace: its crates as cargo sees them, its files as a reader sees them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;

/// The folder that holds the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// A crate of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its name, such as `dagaz-base`.
    pub(crate) name: String,
    /// Its folder, relative to the root, such as `crates/base`.
    pub(crate) folder: String,
    /// The names of the crates of this workspace that it is built from; those of its tests are not among them.
    pub(crate) uses: Vec<String>,
}

/// All crates of the workspace.
pub(crate) fn members() -> Result<Vec<Member>> {
    let metadata = metadata(&["--no-deps"])?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let names: Vec<String> = packages.iter().map(|package| text(&package["name"])).collect();
    let mut members = Vec::new();
    for package in packages {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let uses = package["dependencies"].as_array().into_iter().flatten();
        let uses = uses.filter(|dependency| dependency["kind"] != "dev").map(|dependency| text(&dependency["name"]));
        members.push(Member {
            name: text(&package["name"]),
            folder: relative(manifest.parent().context("a manifest lies in a folder")?),
            uses: uses.filter(|name| names.contains(name)).collect(),
        });
    }
    Ok(members)
}

/// What `cargo metadata` says, with these further arguments.
pub(crate) fn metadata(arguments: &[&str]) -> Result<Value> {
    let mut command = process::cargo(&["metadata", "--format-version", "1"]);
    Ok(serde_json::from_str(&process::output(command.args(arguments))?)?)
}

/// A path under the root as it is written everywhere: relative, with slashes.
pub(crate) fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// A text file of the workspace.
pub(crate) struct File {
    /// Where, relative to the root, with slashes.
    pub(crate) path: String,
    /// What it says.
    pub(crate) text: String,
}

/// All files with one of these endings that belong to the project, in order of their paths.
pub(crate) fn files(endings: &[&str]) -> Result<Vec<File>> {
    let mut paths = Vec::new();
    collect(root(), &mut paths)?;
    paths.retain(|path| path.extension().is_some_and(|ending| endings.iter().any(|other| ending == *other)));
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(File { path: relative(&path), text })
    };
    paths.into_iter().map(read).collect()
}

/// Folders that hold nothing written by hand.
const MADE: &[&str] = &["target", "node_modules", "fuzz/corpus", "fuzz/artifacts", "fuzz/coverage"];

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let place = relative(&path);
        let made = MADE.iter().any(|made| place == *made || (!made.contains('/') && path.ends_with(made)));
        if hidden || made {
            continue;
        }
        if path.is_dir() {
            collect(&path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}
