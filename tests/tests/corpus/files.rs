//! Every variant of every rule file of the corpus is compiled. What is refused stands in `docs/zrf-corpus.md`.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use dagaz_base::Severity;
use dagaz_lang_zrf::{Compiled, Settings};
use dagaz_tests::{compile_file, corpus, page};

/// What a file is.
enum Verdict {
    /// All that it offers is accepted.
    Good,
    /// Its moves are made by a program.
    Engine,
    /// An error was found in something that it offers.
    Refused,
}

/// That rules which are accepted keep the laws of the representation is part of compiling: rules that break one are refused,
/// and would not be in the table.
#[test]
fn each_file_is_accepted_or_refused_as_the_page_says() {
    let Some(corpus) = corpus(1) else { return };
    let folder = corpus.join("zrf");
    let files = rule_files(&folder);
    let verdicts = verdicts(&files);
    let (mut refused, mut engines, mut faults) = (BTreeSet::new(), 0, Vec::new());
    for (path, verdict) in files.iter().zip(verdicts) {
        let file = path.strip_prefix(&folder).expect("it lies in the folder").to_string_lossy().replace('\\', "/");
        match verdict {
            Ok(Verdict::Good) => {}
            Ok(Verdict::Engine) => engines += 1,
            Ok(Verdict::Refused) => {
                refused.insert(file);
            }
            Err(fault) => faults.push(format!("{file}: {fault}")),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let own = files.len() - engines;
    eprintln!(
        "{} files; {engines} with a program of their own; {} of {own} accepted",
        files.len(),
        own - refused.len()
    );
    let known: BTreeSet<String> = page::table("Rule files that are refused").into_keys().collect();
    let surprises: Vec<_> = refused.symmetric_difference(&known).collect();
    assert!(surprises.is_empty(), "refused and not on the page, or on the page and not refused: {surprises:#?}");
    assert!(refused.len() * 100 <= own * 4, "more than 4 % are refused");
}

/// All rule files below a folder, in order.
pub(crate) fn rule_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zrf")) {
            files.push(path);
        }
    }
}

/// In the order of the files; several are compiled at once. A panic is a fault of ours.
fn verdicts(files: &[PathBuf]) -> Vec<Result<Verdict, String>> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let work = || {
        while let Some((index, path)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, files.get(i)?)))
        {
            let verdict = catch_unwind(AssertUnwindSafe(|| verdict(path))).unwrap_or_else(|_| Err("it panics".into()));
            found.lock().expect("nobody panics with it in hand").push((index, verdict));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut found = found.into_inner().expect("nobody panics with it in hand");
    found.sort_by_key(|&(index, _)| index);
    found.into_iter().map(|(_, verdict)| verdict).collect()
}

fn verdict(path: &Path) -> Result<Verdict, String> {
    let first = compile_file(path, &Settings::default());
    if first.diagnostics.iter().any(|finding| finding.code == "zrf-engine") {
        return Ok(Verdict::Engine);
    }
    let mut good = is_good(&first)?;
    for item in first.menu.iter().filter(|item| !item.default) {
        let settings = Settings { variant: Some(item.title.clone()), ..Settings::default() };
        good &= is_good(&compile_file(path, &settings)).map_err(|fault| format!("`{}`: {fault}", item.title))?;
    }
    Ok(if good { Verdict::Good } else { Verdict::Refused })
}

/// There are rules, or an error that says why not.
fn is_good(compiled: &Compiled) -> Result<bool, String> {
    let error = compiled.diagnostics.iter().any(|finding| finding.severity == Severity::Error);
    match (&compiled.game, error) {
        (Some(_), false) => Ok(true),
        (None, true) => Ok(false),
        _ => Err("rules and an error, or neither".into()),
    }
}
