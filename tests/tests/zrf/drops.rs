//! Pieces that come from off the board.

use crate::{GAME, Game, Trial};

/// Stones and stars off the board; two by two positions.
fn game(stone: &str, rest: &str) -> Trial {
    let rest = format!("(piece (name Stone) (drops {stone})) {rest}");
    let board = "(zone (name home) (players White) (positions a1 b1))";
    Game { files: "a/b", ranks: "2/1", board, rest: &rest, ..GAME }.start()
}

#[test]
fn a_block_is_run_for_each_position_while_there_are_pieces() {
    let trial = game("((verify empty?) add)", "(board-setup (White (Stone b2 off 1)))");
    assert_eq!(trial.moves(), ["a2 Stone", "a1 Stone", "b1 Stone"]);
    assert_eq!(trial.after("a1").position(), "Black to move\n(White (Stone a1 b2))");
}

#[test]
fn a_player_without_pieces_drops_nothing() {
    assert!(game("(add)", "(board-setup (White (Stone a1)) (Black (Stone off 4)))").moves().is_empty());
    assert!(game("(add)", "").moves().is_empty());
}

#[test]
fn the_candidate_is_where_the_block_starts() {
    assert_eq!(
        game("(n (verify empty?) add)", "(board-setup (White (Stone off 1)))").moves(),
        ["a2 Stone", "b2 Stone"]
    );
    assert_eq!(
        game("((verify (in-zone? home)) back add)", "(board-setup (White (Stone off 1)))").moves(),
        ["a1 Stone", "b1 Stone"]
    );
}

#[test]
fn a_zone_or_a_position_may_stand_first() {
    assert_eq!(
        game("(home (verify empty?) add)", "(board-setup (White (Stone off 1)))").moves(),
        ["a1 Stone", "b1 Stone"]
    );
    assert_eq!(game("(a2 (verify empty?) add)", "(board-setup (White (Stone off 1)))").moves(), ["a2 Stone"]);
}

#[test]
fn a_drop_displaces_what_stands_there() {
    let trial = game("((verify enemy?) add)", "(board-setup (White (Stone off 1)) (Black (Stone a1)))");
    assert_eq!(trial.moves(), ["a1 Stone"]);
    assert_eq!(trial.after("a1").pieces(), "(White (Stone a1))");
}

/// Bolotoudou.zsg, ply 30: `White Lock 2d … x 2d`. The lock is dropped on a man, whom that captures, and the noted `capture`
/// then takes the lock: the square is empty.
#[test]
fn a_drop_is_made_before_what_was_noted() {
    let setup = "(board-setup (White (Stone off 1)) (Black (Stone a1)))";
    assert_eq!(game("((verify enemy?) capture add)", setup).after("a1").pieces(), "");
    let star = "(piece (name Star)) (board-setup (White (Stone off 1)) (Black (Stone a1)))";
    assert_eq!(game("((verify enemy?) (change-type Star) add)", star).after("a1").pieces(), "(White (Star a1))");
    assert_eq!(game("((verify enemy?) flip add)", setup).after("a1").pieces(), "(Black (Stone a1))");
}

#[test]
fn drops_are_not_tried_on_dummies() {
    let drops = |dummies: &str| {
        let board = format!("(dummy {dummies}) (links up (a1 box))");
        let rest = "(piece (name Stone) (drops ((verify empty?) add) (up add))) (board-setup (White (Stone off 1)))";
        Game { files: "a/b", ranks: "1", board: &board, rest, ..GAME }.start().moves()
    };
    // A block may still walk to a dummy.
    assert_eq!(drops("box"), ["a1 Stone", "b1 Stone", "box Stone"]);
    assert_eq!(drops("box a1"), ["b1 Stone"]);
    assert_eq!(
        drops("box a1 b1"),
        ["a1 Stone", "b1 Stone", "box Stone"],
        "all are dummies: drops are tried everywhere"
    );
}

#[test]
fn captured_pieces_come_back_to_who_lost_them() {
    let recycle = "(option \"recycle captures\" true) (piece (name Star) (moves (n add)))
        (board-setup (White (Stone off 1)) (Black (Stone a1) (Star b1)))";
    let trial = game("((verify enemy?) add)", recycle);
    assert_eq!(trial.after("a1").pieces(), "(White (Stone a1)) (Black (Stone off 1) (Star b1))");
    let trial = game("((verify enemy?) add)", recycle).after("b1");
    assert_eq!(trial.pieces(), "(White (Stone b1)) (Black (Stone a1) (Star off 1))", "its type does not change");
    assert_eq!(trial.moves(), Vec::<String>::new(), "a star has no drops; and no stone of Black is off the board");
    let moves = "(piece (name Cat) (moves (n (verify enemy?) add))) (option \"recycle captures\" true)
        (board-setup (White (Cat a1)) (Black (Stone a2)))";
    let trial = game("((verify empty?) add)", moves).after("a1 x a2");
    assert_eq!(trial.moves(), ["a1 Stone", "b2 Stone", "b1 Stone"]);
}

#[test]
fn an_own_piece_that_is_displaced_comes_back_too() {
    let trial =
        game("((verify friend?) add)", "(option \"recycle captures\" true) (board-setup (White (Stone a1 off 1)))");
    assert_eq!(trial.after("a1").pieces(), "(White (Stone a1 off 1))");
}

#[test]
fn a_piece_that_create_replaces_does_not_come_back() {
    let trial = game(
        "((verify (empty?)) (create Stone b1) add)",
        "(option \"recycle captures\" true) (board-setup (White (Stone off 1)) (Black (Stone b1)))",
    );
    assert_eq!(trial.after("a1").pieces(), "(White (Stone a1 b1))");
}

#[test]
fn drops_have_effects_and_choices() {
    let trial = game(
        "((verify empty?) (flip n) (add Star Stone))",
        "(piece (name Star)) (board-setup (White (Stone a2 off 1)))",
    );
    let moves = trial.moves();
    assert_eq!(moves[..2], ["a1 Stone Star", "a1 Stone Stone"]);
    assert_eq!(trial.after("a1 Stone Star").pieces(), "(White (Star a1)) (Black (Stone a2))");
}

#[test]
fn an_owner_drops_from_his_own_store() {
    let rest =
        "(piece (name Stone) (drops ((verify (and empty? (in-zone? home))) add))) (board-setup (Black (Stone off 2)))";
    let board = "(zone (name home) (players Black) (positions b2))";
    let trial = Game { files: "a/b", ranks: "2/1", turns: "(White Black) Black", board, rest, ..GAME }.start();
    assert_eq!(trial.moves(), ["b2 Stone"]);
    assert_eq!(trial.after("b2").position(), "Black to move\n(Black (Stone b2 off 1))");
}

#[test]
fn moves_come_before_drops() {
    let trial = game(
        "((verify empty?) add)",
        "(piece (name Star) (moves (n (verify empty?) add))) (board-setup (White (Stone off 1) (Star b1)))",
    );
    assert_eq!(trial.moves(), ["b1 - b2 Star", "a2 Stone", "a1 Stone", "b2 Stone"]);
}

#[test]
fn off_needs_a_number() {
    let rest = "(piece (name Stone) (drops (add))) (board-setup (White (Stone off a1)))";
    assert_eq!(Game { rest, ..GAME }.codes(), ["zrf-malformed"]);
}

#[test]
fn a_zone_in_the_setup_is_all_of_its_positions() {
    assert_eq!(game("(add)", "(board-setup (White (Stone home)))").pieces(), "(White (Stone a1 b1))");
}

#[test]
fn a_drop_with_a_cascade_moves_pieces_as_well() {
    let trial = game("((verify (enemy? n)) cascade n add)", "(board-setup (White (Stone off 1)) (Black (Stone a2)))");
    // The stone lands on a1; nothing stood there to be moved on.
    assert_eq!(trial.after("a1").pieces(), "(White (Stone a1)) (Black (Stone a2))");
    let trial = game(
        "((verify enemy?) cascade n (verify empty?) add)",
        "(board-setup (White (Stone off 1)) (Black (Stone a1)))",
    );
    assert_eq!(trial.after("a1").pieces(), "(White (Stone a1)) (Black (Stone a2))");
}
