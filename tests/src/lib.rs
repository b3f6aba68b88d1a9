//! What the tests of several crates share: where the corpus lies, and games compiled from files and from text.

pub mod trial;

use std::path::{Path, PathBuf};
use std::sync::Arc;

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
