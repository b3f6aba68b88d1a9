//! The board as text.

use crate::rules::TINY;
use crate::run::{Scratch, dagaz_with};

/// What `dagaz play` shows first, without the names of the players.
fn drawn(game: &str, players: usize) -> String {
    let agents = ["--agent", "person"].repeat(players);
    let said = dagaz_with(&[&["play", game, "--terminal"], &agents[..]].concat(), "").code(0).stdout;
    let start = said.find("\n\n").expect("an empty line before the board") + 2;
    said[start..].trim_end_matches("> \n").to_owned()
}

/// Rules with a board of its own, on which one man stands.
fn with_board(board: &str, set_up: &str) -> String {
    format!(
        r#"(game (title "Board") (players First Second) (turn-order First Second) (board {board})
        (board-setup {set_up}) (piece (name Man) (moves (e add))) (win-condition (First Second) stalemated))"#
    )
}

#[test]
fn chess_looks_like_chess() {
    let board = "\
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P P P P P
1 R N B Q K B N R
  a b c d e f g h
White upper case, Black lower case · K King, Q Queen, R Rook, B Bishop, N Knight, P Pawn
White to move.
";
    assert_eq!(drawn("chess", 2), board);
}

#[test]
fn holes_and_distances_stay() {
    let board = "\
7 .     .     .
6   .   .   .
5     . . .
4 . . .   . . .
3     . . .
2   .   .   .
1 .     .     .
  a b c d e f g
";
    assert!(drawn("nine-mens-morris", 2).starts_with(board));
}

#[test]
fn numbers_of_kinds_are_their_codes() {
    assert!(drawn("fifteen", 1).starts_with("4 8  6  14 9\n3 11 1  15 5\n"));
}

#[test]
fn hexagons_are_staggered() {
    let scratch = Scratch::new("hex");
    let row = |name: &str, left: i32, top: i32, count: i32| -> String {
        let site = |i: i32| format!("({name}{} {} {top} {} {})", i + 1, left + 20 * i, left + 20 * i + 20, top + 20);
        (0..count).map(site).collect()
    };
    let sites = [row("a", 10, 0, 2), row("b", 0, 15, 3), row("c", 10, 30, 2)].concat();
    let board = format!("(positions {sites}) (links e (a1 a2) (b1 b2) (b2 b3) (c1 c2))");
    let file = scratch.file("hex.zrf", &with_board(&board, "(First (Man b1)) (Second (Man c2))"));
    assert!(drawn(&file, 2).starts_with("a1  . .  a2\nb1 M . .  b3\nc1  . m  c2\n"), "{}", drawn(&file, 2));
}

#[test]
fn what_lies_over_each_other_comes_in_layers() {
    let scratch = Scratch::new("layers");
    let grid = r#"(grid (start-rectangle 0 0 10 10) (dimensions ("a/b" (10 0)) ("2/1" (0 10)) ("x/y" (0 0)))
        (directions (e 1 0 0)))"#;
    let file = scratch.file("layers.zrf", &with_board(grid, "(First (Man a1x)) (Second (Man b2y))"));
    assert!(drawn(&file, 2).starts_with("2x . .\n1x M .\n   a b\n\n2y . m\n1y . .\n   a b\n"), "{}", drawn(&file, 2));
}

#[test]
fn three_players_have_prefixes() {
    let scratch = Scratch::new("three");
    let rules = TINY
        .replace("First Second", "Red Green Blue")
        .replace("(First (Man off 5)) (Second (Man off 5))", "(Red (Man b1)) (Green (Man c1)) (Blue (Man off 2))");
    let board = drawn(&scratch.file("three.zrf", &rules), 3);
    assert!(
        board.starts_with("1 .  rM gM\n  a  b  c\nBlue in hand: 2 bM\nRed r…, Green g…, Blue b… · M Man\n"),
        "{board}"
    );
}

#[test]
fn without_a_picture_sites_are_listed() {
    let scratch = Scratch::new("listed");
    let board = "(positions (a1 0 0 0 0) (b1 0 0 0 0)) (links e (a1 b1))";
    let file = scratch.file("listed.zrf", &with_board(board, "(First (Man b1))"));
    assert!(drawn(&file, 2).starts_with("sites: a1 ., b1 M\n"), "{}", drawn(&file, 2));
}
