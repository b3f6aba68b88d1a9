//! `define`, `include` and what may stand beside them.

use std::collections::BTreeMap;

use dagaz_lang_zrf::Settings;
use dagaz_tests::trial::{Trial, compile_text};

use crate::{GAME, Game, codes};

/// The moves of White's man on a1 with these definitions and blocks.
fn moves(definitions: &str, blocks: &str) -> Vec<String> {
    Trial::of(&text(definitions, blocks)).moves()
}

fn text(definitions: &str, blocks: &str) -> String {
    let rest = format!("(piece (name Man) (moves {blocks})) (board-setup (White (Man a1)))");
    definitions.to_owned() + &Game { rest: &rest, ..GAME }.text()
}

#[test]
fn a_body_is_one_list_or_several_items() {
    assert_eq!(moves("(define step ($1 (verify empty?) add))", "(step n)"), ["a1 - a2 step n"]);
    assert_eq!(moves("(define steps (n add) (e add))", "(steps)"), ["a1 - a2 Man", "a1 - b1 Man"]);
    assert_eq!(moves("(define finish (verify empty?) add)", "(n (finish))"), ["a1 - a2 Man"]);
    assert_eq!(moves("(define nothing)", "(n (nothing) add)"), ["a1 - a2 Man"]);
}

#[test]
fn a_use_may_stand_wherever_a_list_may() {
    let text = "
        (define grid-of (grid (start-rectangle 0 0 9 9) (dimensions (\"a/b\" (10 0)) (\"2/1\" (0 10))) (directions (n 0 -1))))
        (define men (White (Man a1)))
        (define free empty?)
        (define at-top (absolute-config Man (a2)))
        (define sections (players White Black) (turn-order White Black))
        (define all-of-it
          (game (title \"T\") (sections) (board (grid-of))
            (piece (name Man) (moves (n (if (free) add))))
            (board-setup (men))
            (win-condition (White) (at-top))))
        (all-of-it)";
    let trial = Trial::of(text);
    assert_eq!(trial.moves(), ["a1 - a2 Man"]);
    assert_eq!(trial.after("a2").outcome(), "White wins, Black loses: (absolute-config Man (a2))");
}

#[test]
fn arguments_are_put_into_words_and_strings() {
    assert_eq!(moves("(define go ($1$2 add))", "(go n e)"), ["a1 - b2 go n e"]);
    let define = "(define flagged (n (set-flag is-a false) (set-flag is-$1 true) (verify (flag? is-a)) add))";
    assert_eq!(moves(define, "(flagged a)"), ["a1 - a2 flagged a"]);
    assert!(moves(define, "(flagged b)").is_empty());
    let text = "(define named (title \"$1 of $2`s\")) (game (named Game X) (players W) (turn-order W) (board (positions (a 0 0 1 1))))";
    assert_eq!(Trial::of(text).rules().name, "Game of X\"s");
}

#[test]
fn the_longest_run_of_digits_is_the_number() {
    let define = "(define tenth ($10 add))";
    assert_eq!(moves(define, "(tenth 1 2 3 4 5 6 7 8 9 e)"), ["a1 - b1 tenth 1 2 3 4 5 6 7 8 9 e"]);
    assert_eq!(codes(&text(define, "(tenth n)")), ["zrf-unknown-macro-argument", "zrf-unknown-step"]);
}

#[test]
fn missing_arguments_come_from_the_use_around() {
    let define = "(define inner ($1 (verify empty?) $2 add)) (define outer (inner) (inner $2))";
    // (inner) takes both; (inner $2) has its first and takes the second.
    assert_eq!(moves(define, "(outer e n)"), ["a1 - b2 inner", "a1 - a3 inner n"]);
}

#[test]
fn extra_arguments_are_left_over() {
    assert_eq!(moves("(define step ($1 add))", "(step n e s w)"), ["a1 - a2 step n e s w"]);
}

#[test]
fn an_argument_may_be_a_list_and_a_macro_may_be_an_argument() {
    assert_eq!(moves("(define if-so (n (verify $1) add))", "(if-so (not-enemy? e))").len(), 1);
    assert_eq!(moves("(define twice ($1) ($1)) (define up n)", "((twice up) add)"), ["a1 - a3 Man"]);
}

#[test]
fn of_two_definitions_the_last_holds() {
    let define = "(define step (n add)) (define step (e add))";
    assert_eq!(codes(&text(define, "(step)")), ["zrf-redefined"]);
    assert_eq!(Trial::despite_findings(&text(define, "(step)")).moves(), ["a1 - b1 step"]);
    assert_eq!(moves("(define step (n add)) (define step (n add))", "(step)"), ["a1 - a2 step"]);
}

#[test]
fn definitions_may_come_after_their_use() {
    let text = text("", "(step n)") + "(define step ($1 add))";
    assert_eq!(Trial::of(&text).moves(), ["a1 - a2 step n"]);
}

#[test]
fn a_macro_that_uses_itself_is_refused() {
    assert_eq!(codes(&text("(define a (b)) (define b (a))", "(n (a) add)"))[0], "zrf-macro-recursion");
}

#[test]
fn includes_are_relative_to_their_file_and_read_once() {
    let files = BTreeMap::from([
        ("lib/a.inc".to_owned(), "(include \"b.inc\") (define up (step n))".to_owned()),
        ("lib/b.inc".to_owned(), "(define step ($1 add))".to_owned()),
    ]);
    let text = text("(include \"lib\\a.inc\") (include \"lib/b.inc\")", "(up)");
    let compiled = compile_text(&text, &files, &Settings::default());
    assert_eq!(compiled.diagnostics.render(&compiled.sources), "");
    assert_eq!(Trial::new(compiled.game.unwrap().rules).moves(), ["a1 - a2 up"]);
    assert_eq!(codes("(include \"gone.inc\")"), ["zrf-include", "zrf-no-game"]);
}

#[test]
fn version_has_no_effect_and_translate_warns() {
    assert_eq!(moves("(version \"3.0\")", "(n add)"), ["a1 - a2 Man"]);
    assert_eq!(codes(&text("(translate (\"a\" \"b\"))", "(n add)")), ["zrf-unknown-form"]);
}
