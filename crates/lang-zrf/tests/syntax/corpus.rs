//! Every rules file of the corpus is read and expanded: no panic, and no findings but those whose reason is known.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "the corpus lies outside the project: this test finds and reads it, and says so when it cannot"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dagaz_base::{Diagnostics, Sources};
use dagaz_lang_zrf::{Document, EntryKind, Form};

/// How many files the corpus has.
const FILES: usize = 464;

/// Files with findings, by the end of their path.
const KNOWN: [(&str, &str, &str); 15] = [
    (
        "dagazproject-site/checkers-like/zrf/fandango.zrf",
        "zrf-unknown-macro-argument",
        "template: bump uses $2, has one",
    ),
    ("dagazproject-site/mancala/zrf/ohojichi.zrf", "zrf-unknown-macro-argument", "template: step uses $2, has one"),
    ("dagazproject-site/races/zrf/ginseng.zrf", "zrf-unbalanced", "board-setup lacks its parenthesis"),
    ("dagazproject-site/sliding-puzzles/zrf/common.zrf", "zrf-no-game", "is there to be included"),
    ("glukkazan-repo/sliding-puzzles/common.zrf", "zrf-no-game", "is there to be included"),
    ("zog/Rules/CheckersCollection.zrf", "zrf-redefined", "two definitions of ken-jump"),
    ("zrf/CheckersCollection/CheckersCollection.zrf", "zrf-redefined", "two definitions of ken-jump"),
    ("zog/Rules/levels_01_10.zrf", "zrf-include", SOKOBAN),
    ("zog/Rules/levels_11_20.zrf", "zrf-include", SOKOBAN),
    ("zog/Rules/levels_21_30.zrf", "zrf-include", SOKOBAN),
    ("zog/Rules/levels_41_50.zrf", "zrf-include", SOKOBAN),
    ("zrf/Sokoban/levels_01_10.zrf", "zrf-include", SOKOBAN),
    ("zrf/Sokoban/levels_11_20.zrf", "zrf-include", SOKOBAN),
    ("zrf/Sokoban/levels_21_30.zrf", "zrf-include", SOKOBAN),
    ("zrf/Sokoban/levels_41_50.zrf", "zrf-include", SOKOBAN),
];
const SOKOBAN: &str = "sokoban.inc is not in the corpus";

/// How many forms the greatest games become: a change of what macros mean would show here.
const FORMS: [(&str, usize); 4] = [
    ("zog/Rules/Tavreli.zrf", 2_110_008),
    ("zog/Rules/Focus.zrf", 2_853_882),
    ("zog/Rules/Chase.zrf", 1_184_839),
    ("zog/Rules/CheckersCollection.zrf", 664745),
];

#[test]
fn all_files_are_read_and_expanded() {
    let Some(corpus) = corpus() else {
        println!("skipped: {FILES} files (no corpus next to the project; DAGAZ_CORPUS may name it)");
        return;
    };
    let mut files = Vec::new();
    rules_files(&corpus.join("zrf"), &mut files);
    assert_eq!(files.len(), FILES);

    let (mut games, mut variants, mut separators) = (0, 0, 0);
    let mut found = BTreeMap::new();
    let mut forms = BTreeMap::new();
    for path in &files {
        let name = path.strip_prefix(&corpus).unwrap().to_string_lossy().replace('\\', "/");
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let mut loader = |included: &str| std::fs::read(path.with_file_name(included)).ok();
        let bytes = std::fs::read(path).unwrap();
        let document = Document::read(&name, &bytes, &mut loader, &mut sources, &mut diagnostics);
        for (index, entry) in document.entries.iter().enumerate() {
            let form = document.expand(index, &mut sources, &mut diagnostics);
            *forms.entry(name.clone()).or_insert(0) += size(&form);
            *if entry.kind == EntryKind::Game { &mut games } else { &mut variants } += 1;
            separators += usize::from(entry.separator);
            assert!(entry.title.is_some(), "{name}: entry {index} has no title");
        }
        let codes: BTreeSet<_> = diagnostics.iter().map(|finding| finding.code).collect();
        if !codes.is_empty() {
            println!("{name}\n{}", diagnostics.render(&sources));
            found.insert(name, codes.into_iter().collect::<Vec<_>>().join(" "));
        }
    }
    for (end, code, reason) in KNOWN {
        let names: Vec<String> = found.keys().filter(|name| name.ends_with(end)).cloned().collect();
        for name in &names {
            assert_eq!(found.remove(name).as_deref(), Some(code), "{name}: known is that {reason}");
        }
        assert_eq!(names.len(), 1, "{end}: {reason}");
    }
    assert_eq!(found, BTreeMap::new(), "findings whose reason is not known");
    assert_eq!((games, variants, separators), (462, 789, 74));
    for (end, count) in FORMS {
        let counts: Vec<_> = forms.iter().filter(|(name, _)| name.ends_with(end)).map(|(_, count)| *count).collect();
        assert_eq!(counts, [count], "{end}");
    }
}

fn corpus() -> Option<PathBuf> {
    let path = std::env::var("DAGAZ_CORPUS")
        .map_or_else(|_| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    path.join("zrf").is_dir().then_some(path)
}

fn rules_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            rules_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zrf")) {
            found.push(path);
        }
    }
}

fn size(form: &Form) -> usize {
    1 + form.list().unwrap_or_default().iter().map(size).sum::<usize>()
}
