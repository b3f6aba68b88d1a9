//! The raw reader of saved games takes in every real file whole: nothing but headers, edits and steps in it.
#![expect(clippy::disallowed_methods, reason = "a test may read the corpus")]

use std::path::{Path, PathBuf};

use dagaz_notation::zsg;

fn corpus() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    std::env::var_os("DAGAZ_CORPUS").map_or_else(beside, PathBuf::from)
}

#[test]
fn every_saved_game_of_the_corpus_reads() {
    let Ok(folder) = std::fs::read_dir(corpus().join("zsg")) else {
        eprintln!("skipped: 0 saved games read, there is no corpus");
        return;
    };
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "zsg"));
    paths.sort();
    for path in &paths {
        let bytes = std::fs::read(path).expect("a file");
        let save = zsg::read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(save.rules_name().ends_with(".zrf") && save.variant.is_some(), "{}", path.display());
        assert!(save.other.is_empty() && save.steps.len() + save.set_up.len() > 0, "{}", path.display());
        let lines = zsg::decode(&bytes).lines().filter(|line| !line.trim().is_empty()).count();
        assert_eq!(lines, 3 + save.set_up.len() + save.steps.len(), "{}", path.display());
        let rounds: Vec<usize> = save.steps.iter().map(|step| step.round).collect();
        assert!(rounds.is_sorted() && rounds.first().is_none_or(|&first| first == 1), "{}", path.display());
    }
    eprintln!("{} saved games read", paths.len());
}
