//! What the tests of several crates share: where the corpus and the bundled games lie, and games compiled from files
//! and from text.

pub mod equal;
pub mod made;
pub mod page;
pub mod trial;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use dagaz_ir::Rules;
use dagaz_lang_zrf::{Compiled, Settings, compile};

/// The root of the project.
pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests lie in the project")
}

/// The folder of rule files and records that nobody here wrote, where there is one: `DAGAZ_CORPUS`, or `shared/corpus`
/// beside the project. Without it prints how many tests are skipped, and gives nothing.
pub fn corpus(tests: usize) -> Option<PathBuf> {
    let path = std::env::var_os("DAGAZ_CORPUS").map_or_else(|| project().join("../shared/corpus"), PathBuf::from);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("skipped {tests} tests: there is no corpus at {}", path.display());
    None
}

/// A bundled game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// Its name, which is that of its folder.
    pub name: String,
    /// The folder with everything that belongs to it.
    pub folder: PathBuf,
}

impl Bundled {
    /// Its file of this ending.
    pub fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }

    /// The rules of the game or of a variant. Panics when there is anything to say about them.
    pub fn rules(&self, variant: Option<&str>) -> Arc<Rules> {
        let settings = Settings { variant: variant.map(str::to_owned), ..Settings::default() };
        let compiled = compile_file(&self.file("zrf"), &settings);
        let findings = compiled.diagnostics.render(&compiled.sources);
        assert!(findings.is_empty(), "{findings}");
        Arc::new(compiled.game.expect("a game without findings").rules)
    }

    /// All that its menu offers, by title.
    pub fn menu(&self) -> Vec<(String, Arc<Rules>)> {
        let menu = compile_file(&self.file("zrf"), &Settings::default()).menu;
        menu.into_iter().map(|item| (item.title.clone(), self.rules(Some(&item.title)))).collect()
    }
}

/// All bundled games: every folder of a family under `games/`.
pub fn bundled() -> Vec<Bundled> {
    let folders = |path: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let entries = entries.map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", path.display())).path());
        let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
    };
    let games = folders(&project().join("games")).into_iter().flat_map(|family| folders(&family));
    games
        .map(|folder| {
            let name = folder.file_name().expect("a folder has a name").to_string_lossy().into_owned();
            Bundled { name, folder }
        })
        .collect()
}

/// Tries something on every game, or on those that `DAGAZ_GAME` names, several at once. Panics with the names of the games
/// that fail: what fails stands above.
pub fn each_game(check: impl Fn(&Bundled) + Sync) {
    let only = std::env::var("DAGAZ_GAME").ok();
    let games = bundled();
    let wanted: Vec<&Bundled> =
        games.iter().filter(|game| only.as_ref().is_none_or(|only| *only == game.name)).collect();
    let failed: Vec<_> = failures(&wanted, |game| check(game)).into_iter().map(|game| game.name.as_str()).collect();
    assert!(failed.is_empty(), "these games fail: {}", failed.join(", "));
}

/// Tries something on all of these, several at once. Gives those on which it panics; why stands above.
pub fn failures<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) -> Vec<&T> {
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if catch_unwind(AssertUnwindSafe(|| check(item))).is_err() {
                        failed.lock().expect("nobody fails while holding it").push(item);
                    }
                }
            });
        }
    });
    failed.into_inner().expect("nobody fails while holding it")
}

/// Whether the slow cases are wanted too: whether the variable `DAGAZ_SLOW` is set.
pub fn slow() -> bool {
    std::env::var_os("DAGAZ_SLOW").is_some()
}

/// Compiles a file, with what it includes from beside it.
pub fn compile_file(path: &Path, settings: &Settings) -> Compiled {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    compile(&name, &bytes, &mut |include: &str| std::fs::read(folder.join(include)).ok(), settings)
}

/// The rules in a file. Panics with the diagnostics when there are none.
pub fn rules_of(path: &Path, settings: &Settings) -> Arc<Rules> {
    expect_rules(compile_file(path, settings))
}

/// The rules in a text. Panics with the diagnostics when there are none.
pub fn rules(text: &str) -> Arc<Rules> {
    expect_rules(compile("test.zrf", text.as_bytes(), &mut |_: &str| None, &Settings::default()))
}

fn expect_rules(compiled: Compiled) -> Arc<Rules> {
    match compiled.game {
        Some(game) => Arc::new(game.rules),
        None => panic!("{}", compiled.diagnostics.render(&compiled.sources)),
    }
}
