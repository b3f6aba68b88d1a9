//! The spelling of options, and those that change nothing.

use crate::{GAME, Game};

fn rest(options: &str) -> String {
    format!("(piece (name Man) (moves (s add))) (board-setup (White (Man a1))) {options}")
}

fn moves(options: &str) -> Vec<String> {
    Game { rest: &rest(options), ..GAME }.start().moves()
}

fn codes(options: &str) -> Vec<&'static str> {
    Game { rest: &rest(options), ..GAME }.codes()
}

#[test]
fn names_are_compared_without_case_and_with_blanks_for_hyphens() {
    for name in ["pass turn", "pass-turn", "Pass Turn", "PASS-TURN"] {
        assert_eq!(moves(&format!("(option \"{name}\" forced)")), ["pass"], "{name}");
    }
}

#[test]
fn version_one_wrote_options_as_sections() {
    assert_eq!(moves("(pass-turn forced)"), ["pass"]);
    let legacy = ["allow-flipping", "animate-captures", "animate-drops", "include-off-pieces", "pass-partial"];
    let more = ["maximal-captures", "recycle-captures", "highlight-goals", "show-moves-list"];
    for name in legacy.iter().chain(&more) {
        assert_eq!(codes(&format!("({name} true)")), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn of_one_option_twice_the_last_holds() {
    let options = rest("(pass-turn forced) (option \"pass turn\" false)");
    assert!(Game { rest: &options, ..GAME }.start_anyway().moves().is_empty());
}

#[test]
fn options_of_the_window_are_accepted() {
    for option in [
        "\"animate captures\" false",
        "\"smart moves\" from",
        "\"smart-moves\" to",
        "\"prevent flipping\" 2",
        "\"silent ? moves\" true",
        "\"progressive levels\" true",
        "\"selection screen\" true",
    ] {
        assert_eq!(codes(&format!("(option {option})")), Vec::<&str>::new(), "{option}");
    }
}

#[test]
fn unknown_options_and_values_are_ignored_with_a_warning() {
    assert_eq!(codes("(option \"shared pieces\" true)"), ["zrf-unknown-option"]);
    assert_eq!(codes("(option \"pass turn\" perhaps)"), ["zrf-option-value"]);
    assert_eq!(codes("(option)"), ["zrf-malformed"]);
    assert_eq!(codes("(option \"recycle promotions\" true)"), ["zrf-unknown-option"]);
    assert_eq!(codes("(recycle-promotions false)"), Vec::<&str>::new());
}
