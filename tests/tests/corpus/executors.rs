//! Compiled rules and the reference interpreter agree on the first moves of games that others wrote.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dagaz_engine::Limits;
use dagaz_lang_zrf::Settings;
use dagaz_tests::equal::{Compared, compare};
use dagaz_tests::{compile_file, corpus, failures, slow};

use crate::files::rule_files;

/// Each of so many files is tried, unless slow tests are wanted: then all are.
const STRIDE: usize = 6;

/// How long the random game of a file is.
const PLIES: usize = 15;

/// Less than usual: rules that need more take long in a test. Those of the corpus come to an end with it.
const LIMITS: Limits = Limits { work: 2_000_000, steps: 10_000, chain: 200 };

#[test]
fn modules_do_what_the_interpreter_does_in_games_that_others_wrote() {
    let Some(corpus) = corpus(1) else { return };
    let files = rule_files(&corpus.join("zrf"));
    let files: Vec<_> = files.into_iter().step_by(if slow() { 1 } else { STRIDE }).collect();
    let [steps, played, endless, refused] = [0; 4].map(AtomicU64::new);
    let failed = failures(&files, |path| {
        let Some(game) = compile_file(path, &Settings::default()).game else { return };
        match compare(&Arc::new(game.rules), LIMITS, 1, PLIES, 1) {
            Ok(Compared::Same(report)) => _ = steps.fetch_add(report.plies, Ordering::Relaxed),
            Ok(Compared::Endless) => _ = endless.fetch_add(1, Ordering::Relaxed),
            Ok(Compared::Refused) => _ = refused.fetch_add(1, Ordering::Relaxed),
            Err(difference) => panic!("{}: {difference}", path.display()),
        }
        played.fetch_add(1, Ordering::Relaxed);
    });
    let [steps, played, endless, refused] = [steps, played, endless, refused].map(AtomicU64::into_inner);
    eprintln!(
        "{played} of {} files: {steps} steps; {endless} went beyond the limits, {refused} are too large for a module",
        files.len()
    );
    assert!(failed.is_empty(), "these differ: {failed:#?}");
    assert!((endless + refused) * 10 <= played, "most games should be compared to their end");
}
