//! Moves in several parts.

use crate::{GAME, Game, Trial};

/// White's man on a1 in a game with these blocks, further pieces, set-up for Black and options.
fn game(blocks: &str, black: &str, options: &str) -> Trial {
    let rest = format!(
        "(piece (name Man) (moves {blocks})) (piece (name King) (moves (move-type kings) (w add) (move-type hop) (w w add)))
         (board-setup (White (Man a1)) (Black (Man {black}))) {options}"
    );
    Game { board: "(symmetry Black (n s) (s n))", rest: &rest, ..GAME }.start()
}

const HOP: &str = "(move-type hop) (n (verify enemy?) capture n (verify empty?) (add-partial hop))
    (e (verify enemy?) capture e (verify empty?) (add-partial hop))";

#[test]
fn the_same_player_goes_on_with_the_same_piece() {
    let trial = game(HOP, "a2 b3 d1 d4", "");
    assert_eq!(trial.moves(), ["+ a1 - a3 Man"]);
    let trial = trial.after("a3");
    assert_eq!(trial.position(), "White to move\n(White (Man a3))\n(Black (Man b3 d4 d1))");
    assert_eq!(trial.moves(), ["a3 - c3 Man"]);
    assert_eq!(trial.after("c3").to_move(), "Black");
}

#[test]
fn each_part_is_made_at_once() {
    // Back and forth over the same man: it is gone after the first jump.
    let blocks = "(move-type hop) (n (verify enemy?) capture n (verify empty?) (add-partial hop))
        (s (verify enemy?) capture s (verify empty?) (add-partial hop))";
    let trial = game(blocks, "a2 d4", "").after("a3");
    assert_eq!(trial.to_move(), "Black");
    assert_eq!(trial.pieces(), "(White (Man a3)) (Black (Man d4))");
}

#[test]
fn a_move_that_cannot_go_on_is_over() {
    let trial = game(HOP, "a2 d4", "");
    assert_eq!(trial.moves(), ["a1 - a3 Man"], "no + in front");
    assert_eq!(trial.after("a3").to_move(), "Black");
}

#[test]
fn stopping_is_for_pass_partial() {
    assert_eq!(game(HOP, "a2 b3", "").after("a3").moves(), ["a3 - c3 Man"]);
    let trial = game(HOP, "a2 b3", "(option \"pass partial\" true)");
    assert_eq!(trial.moves(), ["+ a1 - a3 Man"], "at the start of a move there is nothing to stop");
    let trial = trial.after("a3");
    assert_eq!(trial.moves(), ["a3 - c3 Man", "+"]);
    assert_eq!(
        trial.after("pass").position(),
        "Black to move\n(White (Man a3))\n(Black (Man b3))",
        "a stop may be called a pass"
    );
}

#[test]
fn only_blocks_of_the_named_type_go_on() {
    let blocks =
        "(n (add-partial second)) (e add) (move-type second) (e (add-partial third)) (move-type third) (w add)";
    let trial = game(blocks, "d4", "").after("a2");
    assert_eq!(trial.moves(), ["+ a2 - b2 Man"]);
    assert_eq!(trial.after("b2").moves(), ["b2 - a2 Man"]);
}

#[test]
fn without_a_type_it_goes_on_with_the_type_of_its_own_block() {
    let blocks = "(e add) (move-type one) (n add-partial) (move-type two) (w add) (move-type one) (e (verify (not-empty? w)) add)";
    assert_eq!(game(blocks, "d1", "").after("a2").moves(), ["+ a2 - a3 Man", "a2 - b2 Man"]);
}

#[test]
fn without_any_type_it_goes_on_with_blocks_without_one() {
    let trial = game("(n add-partial) (e add) (move-type one) (ne add)", "d1", "").after("a2");
    assert_eq!(trial.moves(), ["+ a2 - a3 Man", "a2 - b2 Man"]);
    assert_eq!(game("(n add-partial) (e add)", "d1", "").after("a2").moves(), ["+ a2 - a3 Man", "a2 - b2 Man"]);
}

#[test]
fn an_empty_type_ends_the_move() {
    let trial = game("(n (add-partial King notype)) (move-type hop) (w add) (move-type notype)", "d4", "");
    assert_eq!(trial.moves(), ["a1 - a2 Man"]);
    assert_eq!(trial.after("a2").position(), "Black to move\n(White (King a2))\n(Black (Man d4))");
}

#[test]
fn a_promoted_piece_goes_on_with_blocks_of_its_new_type() {
    let trial = game("(move-type hop) (e e (add-partial King hop)) (n (add-partial hop))", "d4", "").after("c1");
    assert_eq!(trial.moves(), ["c1 - a1 King"]);
}

#[test]
fn types_may_be_chosen_for_a_part() {
    let trial = game("(move-type hop) (e e (add-partial Man King hop))", "d4", "");
    assert_eq!(trial.moves(), ["a1 - c1 Man Man", "+ a1 - c1 Man King"]);
}

#[test]
fn add_copy_partial_goes_on_with_the_copy() {
    let trial = game("(move-type hop) (n (verify empty?) (add-copy-partial hop))", "d4", "").after("a2, a3, a4");
    assert_eq!(trial.position(), "Black to move\n(White (Man a4 a3 a2 a1))\n(Black (Man d4))");
}

#[test]
fn the_turns_own_type_does_not_bind_the_parts_after_the_first() {
    let rest = "(piece (name Man) (moves (move-type one) (n (add-partial two)) (move-type two) (e add))) (board-setup (White (Man a1)))";
    let trial = Game { turns: "(White one) Black", rest, ..GAME }.start().after("a2");
    assert_eq!(trial.moves(), ["a2 - b2 Man"]);
}

#[test]
fn priorities_are_for_the_start_of_a_move() {
    let blocks = "(move-type first) (n (verify empty?) (add-partial second)) (move-type second) (e add)";
    let trial = game(blocks, "d4", "(move-priorities first second)").after("a2");
    assert_eq!(trial.moves(), ["a2 - b2 Man"]);
}

#[test]
fn last_to_is_of_the_last_part() {
    let blocks = "(move-type hop) (n (verify not-last-from?) (verify empty?) (add-partial hop))
        (s (verify not-last-from?) (verify empty?) (add-partial hop))";
    let trial = game(blocks, "d4", "").after("a2");
    assert_eq!(trial.moves(), ["+ a2 - a3 Man"], "it may not go back to where the last part began");
}

#[test]
fn nothing_ends_between_the_parts() {
    let goal = "(win-condition (White) (absolute-config Man (a3)))";
    let trial = game(HOP, "a2 b3 d1", goal).after("a3");
    assert_eq!(trial.outcome(), "open");
    assert_eq!(game(HOP, "a2 d1", goal).after("a3").outcome(), "White wins, Black loses: (absolute-config Man (a3))");
}
