//! The game and its variants: the menu, what a variant takes over, and what cannot be played.

use std::collections::BTreeMap;

use dagaz_lang_zrf::Settings;
use dagaz_tests::trial::{Trial, compile_text};

use crate::{GAME, Game, codes, compiled};

/// A game with a man that goes north or east, and these variants before and after it.
fn file(before: &str, after: &str) -> String {
    let rest = "(piece (name Man) (moves (n add) (e add))) (piece (name King) (moves (n n add)))
        (board-setup (White (Man a1) (King c1)) (Black (Man d4)))
        (option \"pass turn\" true) (option \"pass partial\" false)
        (win-condition (White Black) (absolute-config Man (a2))) (draw-condition (White Black) (pieces-remaining 1))";
    format!("{before} {} {after}", Game { rest, ..GAME }.text())
}

fn menu(text: &str) -> Vec<(String, bool)> {
    compiled(text).menu.into_iter().map(|item| (item.title, item.default)).collect()
}

#[test]
fn variants_may_come_before_the_game() {
    let text = file("(variant (title \"First\") (piece (name Man) (moves (n n add))))", "");
    assert_eq!(menu(&text), [("First".to_owned(), false), ("Test".to_owned(), true)]);
    let first = Trial::of_variant(&text, "First");
    assert_eq!(first.moves(), ["a1 - a3 Man", "c1 - c3 King", "pass"]);
    assert_eq!(Trial::of(&text).moves().len(), 4, "the game itself is not touched");
}

#[test]
fn separators_are_not_offered_whatever_they_hold() {
    let text = file("", "(variant (title \"-\") (default) (board)) (variant (title \"Other\"))");
    assert_eq!(menu(&text), [("Test".to_owned(), true), ("Other".to_owned(), false)]);
}

#[test]
fn the_default_is_marked_or_else_the_game() {
    let text = file("(variant (title \"A\"))", "(variant (title \"B\") (default) (option \"pass turn\" false))");
    assert_eq!(menu(&text).iter().position(|(_, default)| *default), Some(2));
    assert_eq!(Trial::of(&text).moves().last().unwrap(), "c1 - c3 King", "the default is loaded");
}

#[test]
fn sections_that_stand_once_are_replaced_whole() {
    let text = file("", "(variant (title \"V\") (board-setup (Black (Man a1))) (turn-order Black White))");
    let variant = Trial::of_variant(&text, "V");
    assert_eq!(variant.position(), "Black to move\n(Black (Man a1))");
}

#[test]
fn pieces_are_replaced_by_name_and_others_stay() {
    let variant = "(variant (title \"V\") (piece (name Man)) (piece (name Rook) (moves (s add)))
        (board-setup (White (Man a1) (King c1) (Rook d2))))";
    let variant = Trial::of_variant(&file("", variant), "V");
    assert_eq!(
        variant.moves(),
        ["c1 - c3 King", "d2 - d1 Rook", "pass"],
        "a man of which only the name is said cannot move"
    );
}

#[test]
fn options_are_replaced_by_name() {
    let variant = Trial::of_variant(&file("", "(variant (title \"V\") (option \"Pass-Turn\" false))"), "V");
    assert_eq!(variant.moves().len(), 3);
}

#[test]
fn a_variant_that_states_a_goal_states_them_all() {
    let text = file(
        "",
        "(variant (title \"Same\")) (variant (title \"Lose\") (loss-condition (White Black) (absolute-config Man (a2))))",
    );
    let won = "White wins, Black loses: (absolute-config Man (a2))";
    let lost = "White loses, Black wins: (absolute-config Man (a2))";
    assert_eq!(Trial::of(&text).after("a1 - a2").outcome(), won);
    assert_eq!(Trial::of_variant(&text, "Same").after("a1 - a2").outcome(), won);
    assert_eq!(Trial::of_variant(&text, "Lose").after("a1 - a2").outcome(), lost);
    assert_eq!(Trial::of(&text).after("c1 - c3").outcome(), "White draws, Black draws: (pieces-remaining 1)");
    assert_eq!(Trial::of_variant(&text, "Lose").after("c1 - c3").outcome(), "open");
}

#[test]
fn what_the_variant_does_not_have_is_left_out_with_a_warning() {
    let variant = "(variant (title \"V\") (players White) (turn-order White)
        (board (grid (dimensions (\"a\" (10 0)) (\"3/2/1\" (0 10))) (directions (n 0 -1) (e 1 0)))))";
    let settings = Settings { variant: Some("V".into()), ..Settings::default() };
    let compiled = compile_text(&file("", variant), &BTreeMap::new(), &settings);
    let mut codes: Vec<_> = compiled.diagnostics.iter().map(|finding| finding.code).collect();
    codes.dedup();
    assert_eq!(codes, ["zrf-unknown-position", "zrf-unknown-player"]);
    assert_eq!(Trial::new(compiled.game.unwrap().rules).moves(), ["a1 - a2 Man", "pass"]);
}

#[test]
fn unknown_items_are_skipped_with_a_warning() {
    let rest = "(descriprion \"text\") (piece (name Man) (moves (n add)) (colour red)) (board-setup (White (Man a1)))";
    let game = Game { rest, ..GAME };
    assert_eq!(game.codes(), ["zrf-unknown-item", "zrf-unknown-item"]);
    assert_eq!(game.start_anyway().moves(), ["a1 - a2 Man"]);
}

/// What looks like a slip of a word on which play depends would make another game of it.
#[test]
fn a_slip_in_what_is_played_is_an_error() {
    for slip in ["(turn-ordr White)", "(los-condition (White) stalemated)", "(peice (name Lord))", "(pass-trun true)"] {
        let game = Game { rest: &format!("(piece (name Man) (moves (n add))) {slip}"), ..GAME };
        assert_eq!(game.codes(), ["zrf-unknown-item"], "{slip}");
        assert!(compiled(&game.text()).game.is_none(), "{slip}");
    }
    for (slip, code) in [
        ("(piece (name Man) (mvoes (n add)))", "zrf-unknown-item"),
        ("(piece (name Man) (moves (n add))) (option \"pass trun\" true)", "zrf-unknown-option"),
    ] {
        let game = Game { rest: slip, ..GAME };
        assert!(game.codes().contains(&code), "{slip}");
        assert!(compiled(&game.text()).game.is_none(), "{slip}");
    }
}

#[test]
fn a_file_has_one_game_and_the_title_must_exist() {
    assert_eq!(codes("(define a b)"), ["zrf-no-game"]);
    assert_eq!(codes(&(GAME.text() + &GAME.text())), ["zrf-several-games"]);
    let settings = Settings { variant: Some("Gone".into()), ..Settings::default() };
    let compiled = compile_text(&GAME.text(), &BTreeMap::new(), &settings);
    assert_eq!(compiled.diagnostics.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["zrf-no-variant"]);
}

#[test]
fn a_game_without_rules_is_a_board_to_look_at() {
    let rest = "(piece (name Man)) (board-setup (White (Man a1)))";
    let trial = Game { rest, ..GAME }.start();
    assert_eq!(trial.pieces(), "(White (Man a1))");
    assert!(trial.moves().is_empty());
}

#[test]
fn a_game_with_an_engine_is_refused_by_name() {
    let game = Game { rest: "(engine \"Axiom\\game.dll\") (piece (name Man) (moves (from)))", ..GAME };
    assert_eq!(game.codes(), ["zrf-engine"]);
    let compiled = compiled(&game.text());
    assert!(compiled.game.is_none());
    assert!(compiled.diagnostics.render(&compiled.sources).contains("`Axiom\\game.dll`"));
}

#[test]
fn pictures_and_sounds_change_nothing() {
    let rest = "(move-sound \"\") (music \"a.mid\") (solution \"a.zsg\") (history \"h\")
        (piece (name Man) (image White \"a.bmp\" \"b.bmp\" Black \"c.bmp\") (help \"h\") (notation \"\") (dummy) (moves (n add)))
        (board-setup (White (Man a1)))";
    assert_eq!(Game { board: "(image \"board.bmp\")", rest, ..GAME }.start().moves(), ["a1 - a2 Man"]);
}
