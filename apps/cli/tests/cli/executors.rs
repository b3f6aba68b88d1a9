//! `--executor`, and the cache of compiled rules.

use std::fs;
use std::process::Stdio;

use crate::run::{Scratch, command, dagaz};

#[test]
fn both_executors_say_the_same() {
    let commands: [&[&str]; 5] = [
        &["moves", "english", "--after", "c3b4 b6a5 e3f4 a5c3"],
        &["perft", "reversi", "--depth", "4", "--divide"],
        &["perft", "english", "--depth", "3", "--steps"],
        &["explain", "chess", "e2e5"],
        &["selfplay", "tic-tac-toe", "--games", "20", "--agent", "alphabeta:depth=2"],
    ];
    for command in commands {
        let by = |executor| dagaz(&[command, &["--executor", executor]].concat()).stdout;
        assert_eq!(by("wasm"), by("interp"), "{command:?}");
    }
    let by = |executor| dagaz(&["test", "tic-tac-toe", "--executor", executor]).code(0).stdout;
    assert_eq!(by("wasm"), by("interp"));
}

/// One that lists and makes steps, one that plays and counts.
const MODULES: usize = 2;

/// What `dagaz perft` counts with its cache in a folder.
fn count(cache: &str) -> String {
    let output = command(&["perft", "tic-tac-toe", "--depth", "3"])
        .env("DAGAZ_CACHE", cache)
        .output()
        .expect("the program runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the answer is text")
}

#[test]
fn compiled_rules_are_kept_and_damage_is_mended() {
    let scratch = Scratch::new("kept");
    let cache = scratch.path("code");
    assert_eq!(count(&cache), "504\n");
    let kept = scratch.names_in("code");
    assert_eq!(kept.len(), MODULES);
    for path in kept.iter().map(|kept| scratch.path(&format!("code/{kept}"))) {
        let whole = fs::read(&path).unwrap();
        for at in [0, 20, 60, 100, whole.len() / 2, whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            for bytes in [&damaged[..], &whole[..at]] {
                fs::write(&path, bytes).unwrap();
                assert_eq!(count(&cache), "504\n", "byte {at}");
                assert!(fs::read(&path).unwrap() == whole, "byte {at}");
            }
        }
    }
}

#[test]
fn no_cache_is_no_fault() {
    let scratch = Scratch::new("no-cache");
    for cache in ["off", "OFF", "", &scratch.file("file", "no folder")] {
        assert_eq!(count(cache), "504\n");
    }
    assert_eq!(scratch.names(), ["file"]);
}

#[test]
fn many_may_fill_the_cache_at_once() {
    let scratch = Scratch::new("at-once");
    let cache = scratch.path("code");
    let start = || {
        let mut command = command(&["perft", "tic-tac-toe", "--depth", "3"]);
        command.env("DAGAZ_CACHE", &cache).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let runs: Vec<_> = (0..6).map(|_| start()).collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).expect("the answer is text"), "504\n");
    }
    assert_eq!(scratch.names_in("code").len(), MODULES, "whole files under their names, and no others");
    assert_eq!(count(&cache), "504\n");
}
