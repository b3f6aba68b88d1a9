//! The bundled games: where each lies, and what its rules say.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use dagaz_lang_zrf::{Compiled, Settings, compile};

use crate::workspace;

/// A bundled game: a folder `games/FAMILY/NAME`.
pub(crate) struct Bundled {
    /// Its name.
    pub(crate) name: String,
    /// The folder of its relatives.
    pub(crate) family: String,
    folder: PathBuf,
}

impl Bundled {
    /// Its file `NAME.ENDING`.
    pub(crate) fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }

    /// The page about it.
    pub(crate) fn page(&self) -> PathBuf {
        self.folder.join("README.md")
    }

    /// Its rules, or those of a variant.
    pub(crate) fn compile(&self, variant: Option<&str>) -> Result<Compiled> {
        let path = self.file("zrf");
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let settings = Settings { variant: variant.map(str::to_owned), ..Settings::default() };
        let load = &mut |include: &str| std::fs::read(self.folder.join(include)).ok();
        Ok(compile(&workspace::relative(&path), &bytes, load, &settings))
    }
}

/// All of them, by family and name.
pub(crate) fn all() -> Result<Vec<Bundled>> {
    let mut games = Vec::new();
    for family in folders(&workspace::root().join("games"))? {
        for folder in folders(&family)? {
            games.push(Bundled { name: last(&folder), family: last(&family), folder });
        }
    }
    Ok(games)
}

fn folders(path: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))? {
        folders.push(entry?.path());
    }
    folders.retain(|path| path.is_dir());
    folders.sort();
    Ok(folders)
}

fn last(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
