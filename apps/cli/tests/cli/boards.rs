//! The board as text.

use crate::rules::TINY;
use crate::run::{Scratch, dagaz_with};

/// What `dagaz play` shows first, without the names of the players.
fn drawn(game: &str, players: usize) -> String {
    drawn_after(game, players, "")
}

/// The same after some moves.
fn drawn_after(game: &str, players: usize, moves: &str) -> String {
    let agents = ["--agent", "person"].repeat(players);
    let after = if moves.is_empty() { Vec::new() } else { vec!["--after", moves] };
    let said = dagaz_with(&[&["play", game, "--terminal"], &agents[..], &after].concat(), "").code(0).stdout;
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

/// A column is its top piece and its height; what it is made of stands below, unless it is all of a kind.
#[test]
fn columns_have_heights_and_contents() {
    let bashni = "\
8 .  m  .  m  .  m  .  m
7 m  .  m  .  m  .  .  .
6 .  m  .  m  .  m  .  m
5 .  .  .  .  m2 .  .  .
4 .  .  .  .  .  .  .  .
3 M  .  .  .  M  .  M  .
2 .  M  .  M  .  M  .  M
1 M  .  M  .  M  .  M  .
  a  b  c  d  e  f  g  h
columns from the top: e5 m M
White upper case, Black lower case · M Man
White to move.
";
    assert_eq!(drawn_after("bashni", 2, "c3d4 f6e5 d4f6 g7e5"), bashni);
    let lasca = "\
4 .  S2 .  .  .  .  .
3 S  .  S  .  S  .  S
2 .  S  .  .  .  S  .
1 S  .  S  .  S  .  S
  a  b  c  d  e  f  g
columns from the top: b4 S s
White upper case, Black lower case · S Soldier
Black to move.
";
    assert!(drawn_after("lasca", 2, "c3d4 e5c3 d2b4").ends_with(lasca));
    assert!(drawn("nard", 2).contains("M15  p24\n       p12     m15 ."), "{}", drawn("nard", 2));
}

/// What the rules keep for each place is shown where no piece stands, and what they keep for each player below.
#[test]
fn seeds_are_numbers() {
    let kalah = "         a2   4 4 4 4 4 4  f2
north-store .             1  south-store
         a1   4 4 . 5 5 5  f1
numbers: seeds
South to move.
";
    assert_eq!(drawn_after("kalah", 2, "c1 sow"), kalah);
    let bao = "\
4 . . . . . . . .
3 . 2 2 6 . . . .
2 . . . . 6 2 2 .
1 . . . . . . . .
  a b c d e f g h
numbers: seeds
house: d3 1, e2 1
reserve: South 22, North 22
South to move.
";
    assert_eq!(drawn("bao", 2), bao);
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
