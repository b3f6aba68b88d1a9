//! `test`: the cases that stand beside rules files.

use crate::rules::TINY;
use crate::run::{Scratch, dagaz};

const RIGHT: &str = "; source: proved by hand\nperft start 2 = 6\nperft start 3 = 99 slow\nmoves start = a1, b1, c1\n";

#[test]
fn right_cases_are_counted() {
    let scratch = Scratch::new("cases-right");
    let rules = scratch.file("tiny.zrf", TINY);
    let cases = scratch.file("tiny.cases", RIGHT);
    let told =
        "1 game, 3 cases: 2 passed, 0 failed, 1 slow skipped\nperft numbers: 1 passed, 0 failed, 1 slow skipped\n";
    for path in [&rules, &cases, &scratch.path("")] {
        assert_eq!(dagaz(&["test", path]).code(0).stdout, told);
    }
    let json = dagaz(&["test", &rules, "--json"]).code(0).json();
    assert_eq!(json["cases"], serde_json::json!({ "passed": 2, "failed": 0, "skipped": 1 }));
    dagaz(&["test", &rules, "--slow"]).code(1).out("tiny.cases:3: perft start 3 = 99 slow\n  expected 99, found ");
}

#[test]
fn a_wrong_case_hides_no_other() {
    let scratch = Scratch::new("cases-wrong");
    scratch.file("a/tiny.zrf", TINY);
    let cases =
        RIGHT.replace("= 6", "= 7").replace("b1, c1", "b1") + "result start = open\nresult start = First wins\n";
    scratch.file("a/tiny.cases", &cases);
    scratch.file("b/small.zrf", TINY);
    scratch.file("b/small.cases", RIGHT);
    let answer = dagaz(&["test", &scratch.path("")]).code(1);
    let answer = answer.out("tiny.cases:2: perft start 2 = 7\n  expected 7, found 6\n").out("surplus c1 drop Man\n");
    let answer = answer.out("expected First wins, found open\n2 games, 8 cases: 3 passed, 3 failed, 2 slow skipped\n");
    assert_eq!(answer.stderr, "");
    let json = dagaz(&["test", &scratch.path(""), "--json"]).code(1).json();
    let failures = json["failures"].as_array().unwrap();
    assert_eq!((&failures[0]["line"], &failures[0]["found"]), (&2.into(), &"6".into()));
    assert_eq!(failures[1]["surplus"], serde_json::json!(["c1 drop Man"]));
    dagaz(&["test", &scratch.path(""), "--only", "SMALL"]).code(0).out("1 game, 3 cases");
    dagaz(&["test", &scratch.path(""), "--only", "large"]).code(2).err("there are no cases of a game `large`");
}

#[test]
fn what_no_case_speaks_of_is_told() {
    let scratch = Scratch::new("cases-unused");
    let rules = scratch.file("tiny.zrf", TINY);
    scratch.file("tiny.cases", &format!("{RIGHT}position later = after start: a1\n"));
    dagaz(&["test", &rules]).code(0).err("tiny.cases:5: no case speaks of the position `later`\n");
    let json = dagaz(&["test", &rules, "--json"]).code(0).json();
    assert!(json["warnings"][0].as_str().unwrap().contains("tiny.cases:5: "), "{json}");
}

#[test]
fn bad_files_are_told_from_wrong_answers() {
    let scratch = Scratch::new("cases-bad");
    let rules = scratch.file("tiny.zrf", TINY);
    dagaz(&["test", &rules]).code(2).err("tiny.cases");
    dagaz(&["test", "ches"]).code(2).err("did you mean `chess`?");
    for (cases, said) in [
        ("count start = 3", "tiny.cases:1: each case names its source"),
        ("; source: me\ncount start = x", "tiny.cases:2: this is written `count NAME = NUMBER`"),
        ("; source: me\nvariant \"Huge\" count start = 3", "tiny.cases:2: `"),
        ("; source: me\nboard start = First King a1", "tiny.cases:2: there is no kind `King`; there are `Man`"),
    ] {
        scratch.file("tiny.cases", cases);
        dagaz(&["test", &rules]).code(2).err(said);
    }
    // The others are run all the same.
    scratch.file("tiny.cases", &(RIGHT.to_owned() + "variant \"Huge\" count start = 3\n"));
    dagaz(&["test", &rules, "chess"]).code(2).out("2 games, ").err("has no variant `Huge`");
    scratch.file("tiny.zrf", "(game");
    dagaz(&["test", &rules]).code(2).err("the rules of");
}

#[test]
fn bundled_games_bring_their_cases() {
    dagaz(&["test", "tic-tac-toe", "fifteen"]).code(0).out("2 games, ");
    dagaz(&["info", "tic-tac-toe"]).code(0);
}
