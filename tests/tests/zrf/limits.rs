//! Files of a megabyte and less whose rules would grow as a square of their text: each ends with an error that names the
//! limit, and soon.

use crate::{GAME, Game, codes};

/// So many things, each made from its number.
fn many(count: usize, thing: impl Fn(usize) -> String) -> String {
    (0..count).map(thing).collect()
}

#[test]
fn players() {
    let players = |count| many(count, |n| format!("P{n} "));
    let codes = |count| Game { players: &players(count), turns: "P0", ..GAME }.codes();
    assert_eq!(codes(1000), [""; 0]);
    assert_eq!(codes(1001), ["zrf-too-complex"]);
}

#[test]
fn games_and_variants() {
    let text = |count| GAME.text() + &many(count, |n| format!("(variant (title \"{n}\"))"));
    assert_eq!(codes(&text(999)), [""; 0]);
    assert_eq!(codes(&text(1000)), ["zrf-too-large"]);
    let untitled = crate::compiled(&(GAME.text() + &"(variant)".repeat(900)));
    assert_eq!(untitled.menu.last().expect("a menu").title, "untitled #900");
}

#[test]
fn attributes_of_pieces() {
    let pieces = |count| many(count, |n| format!("(piece (name M{n}) (attribute a{n} true))"));
    assert_eq!(Game { rest: &pieces(500), ..GAME }.codes(), [""; 0]);
    assert_eq!(Game { rest: &pieces(2049), ..GAME }.codes(), ["zrf-too-complex"]);
}

#[test]
fn zones_of_players() {
    let players = many(1000, |n| format!("P{n} "));
    let zones = many(3000, |n| format!("(zone (name z{n}) (players P1) (positions a1))"));
    let found = Game { players: &players, turns: "P0", board: &zones, ..GAME }.codes();
    assert!(!found.is_empty() && found.iter().all(|&code| code == "zrf-too-complex"), "{found:?}");
}

#[test]
fn one_word_for_all_pieces_players_or_directions() {
    let pieces = many(5000, |n| format!("(piece (name M{n}))"));
    let royal = many(5000, |n| format!(" M{n}"));
    let goals = |goal: &str| goal.repeat(2000);
    let stuck = goals("(loss-condition (White) stalemated)");
    let count = goals("(loss-condition (White) (pieces-remaining 1))");
    let links = many(3000, |n| format!("(links l{n} (a1 a2))"));
    let beside = "(verify adjacent-to-enemy?)".repeat(3000);
    for (board, rest) in [
        ("", format!("{pieces} (loss-condition (White) (checkmated{royal})) {stuck}")),
        ("", format!("{pieces} (option \"include off-pieces\" true) (board-setup (White (M0 off 1))) {count}")),
        (&links, format!("(piece (name Man) (moves ({beside} add)))")),
    ] {
        assert!(Game { board, rest: &rest, ..GAME }.codes().contains(&"zrf-too-complex"));
    }
}

#[test]
fn steps() {
    let ten = |name: &str, inner: &str| format!("(define {name} {})", inner.repeat(10));
    let macros =
        [ten("one", "n "), ten("two", "(one)"), ten("three", "(two)"), ten("four", "(three)"), ten("five", "(four)")];
    let macros = macros.concat();
    let rest = |uses: usize| format!("(piece (name Man) (moves ({} add)))", "(five)".repeat(uses));
    assert_eq!(codes(&(macros.clone() + &Game { rest: &rest(1), ..GAME }.text())), [""; 0]);
    assert_eq!(codes(&(macros + &Game { rest: &rest(10), ..GAME }.text())), ["zrf-too-complex"]);
}
