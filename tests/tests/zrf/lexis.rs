//! Bytes, words, strings, comments and brackets.

use crate::{GAME, Game, codes, compiled, holds, man};
use dagaz_lang_zrf::compile;
use dagaz_tests::trial::Trial;

/// A game with one piece that can go from `a` to `b`.
const LINE: &str = "(game (title \"T\") (players W) (turn-order W)
    (board (positions (a 0 0 9 9) (b 10 0 19 9)) (links n (a b)))
    (piece (name Man) (moves (n add))) (board-setup (W (Man a))))";

#[test]
fn line_ends_do_not_matter() {
    let text = LINE.replace('\n', "\r\n") + "\r; the end\r\n\u{1a}";
    assert_eq!(Trial::of(&text).moves(), ["a - b Man"]);
}

#[test]
fn comments_end_with_their_line_and_may_follow_the_last_bracket() {
    let text = LINE.replace("(moves", "; (moves (n n add))\n(moves ; )))\n") + " ; done )";
    assert_eq!(Trial::of(&text).moves(), ["a - b Man"]);
    assert_eq!(compiled(&LINE.replace("\"T\"", "\"T;U\"")).menu[0].title, "T;U");
}

#[test]
fn code_pages_are_guessed_and_utf8_is_known() {
    let text = |title: &[u8]| [b"(game (title \"", title, &LINE.as_bytes()["(game (title \"T".len()..]].concat();
    let title =
        |title: &[u8]| compile("a.zrf", &text(title), &mut |_: &str| None, &Default::default()).menu[0].title.clone();
    assert_eq!(title("Šachy ♜".as_bytes()), "Šachy ♜");
    assert_eq!(title(b"Mis\xE8re"), "Misère");
    assert_eq!(title(b"\xD8\xE0\xF8\xEA\xE8"), "Шашки");
    assert_eq!(title(b"a\xA0b"), "a\u{a0}b");
}

#[test]
fn names_may_begin_with_digits_and_hold_almost_anything() {
    let text =
        LINE.replace("(a ", "(1a ").replace(" a)", " 1a)").replace("(b ", "(it's+b.?! ").replace(" b)", " it's+b.?!)");
    let text = text
        .replace("links n (a it's", "links n (1a it's")
        .replace("(n add)", "(5x5 add)")
        .replace("links n", "links 5x5");
    assert_eq!(Trial::of(&text).moves(), ["1a - it's+b.?! Man"]);
}

#[test]
fn upper_and_lower_case_differ() {
    let rest = "(piece (name Y) (moves (n add))) (piece (name y) (moves (s add))) (board-setup (White (Y a1) (y b4)))";
    assert_eq!(Game { rest, ..GAME }.start().moves(), ["a1 - a2 Y", "b4 - b3 y"]);
    let rest = "(piece (name B) (moves (N add)))";
    assert_eq!(Game { rest, ..GAME }.codes(), ["zrf-unknown-step"]);
}

#[test]
fn one_word_names_many_things() {
    let rest = "(piece (name e) (attribute e true)
          (moves (move-type e) (e (verify (and e (piece? e w) (in-zone? e w) (position? e w))) add)))
        (board-setup (White (e e)))";
    let board = "(positions (e 90 0 99 9)) (links e (e a1)) (links w (a1 e))
        (zone (name e) (players White) (positions e)) (zone (name e) (players e) (positions a1))";
    let game = Game { players: "White e", turns: "(White White e) (e e)", board, rest, ..GAME };
    // The test of the attribute is on a1, where nothing stands.
    assert!(game.start().moves().is_empty());
    let rest = rest.replace("(and e ", "(and (e w) ");
    assert_eq!(Game { rest: &rest, ..game }.start().moves(), ["e - a1 e"]);
}

#[test]
fn in_a_block_a_direction_comes_before_a_position() {
    let game = Game {
        board: "(positions (n 90 0 99 9) (p 90 0 99 9))",
        rest: "(piece (name Man) (moves (n add) (p add))) (board-setup (White (Man a1)))",
        ..GAME
    };
    assert_eq!(game.start().moves(), ["a1 - a2 Man", "a1 - p Man"]);
}

#[test]
fn a_file_that_runs_out_is_closed_with_a_warning() {
    let text = LINE.strip_suffix("))").unwrap();
    assert_eq!(codes(text), ["zrf-unbalanced"]);
    assert_eq!(Trial::despite_findings(text).moves(), ["a - b Man"]);
}

#[test]
fn a_bracket_too_many_is_skipped_with_a_warning() {
    let text = format!("{LINE}) (version \"2.0\")");
    assert_eq!(codes(&text), ["zrf-unbalanced"]);
    assert_eq!(Trial::despite_findings(&text).moves(), ["a - b Man"]);
}

#[test]
fn strings_span_lines_and_show_backslashes_as_new_lines() {
    let rest = "(description \"One\n  line.\\Another:\\\\`quoted`\")";
    let game = compiled(&Game { rest, ..GAME }.text()).game.unwrap();
    assert_eq!(game.texts.description.as_deref(), Some("One line.\nAnother:\n\n\"quoted\""));
}

#[test]
fn a_condition_word_in_brackets_is_the_bare_word() {
    assert!(holds("(or (not-neutral?) (empty?))", ""));
    assert!(holds("((friend?))", ""));
    assert_eq!(man("((n) ((add)))", "(White (Man a1))").moves(), ["a1 - a2 Man"]);
}
