//! Pieces on each other: chapter 7.

use dagaz_tests::trial::Trial;

use crate::{game, keeps_the_laws};

/// A white man on b1 on two of Black's, with stacks of up to four.
fn stack(block: &str, goal: &str) -> Trial {
    game(&format!(
        "(stacks 4) (piece (name Man) (moves {block})) (piece (name King))
         (board-setup (Black (King b1) (Man b1 d3)) (White (Man b1)))
         (win-condition (White) {goal})"
    ))
}

/// Checks what is so after the only move with this block.
fn then(block: &str, goal: &str) {
    let trial = stack(block, goal);
    let moves = trial.moves();
    assert_eq!(moves.len(), 1, "{moves:?}");
    assert!(trial.after(&moves[0]).outcome().starts_with("White wins"), "{block}: {goal}");
    keeps_the_laws(&stack(block, goal));
}

#[test]
fn the_set_up_stacks_in_its_order_and_all_go_along() {
    then(
        "((verify (= height 3)) (verify (= (height n) 0)) n add)",
        "(and (= (height b2) 3) (= (height b1) 0) (= (owner b2) White)
              (= (kind-below 1 b2) Man) (= (owner-below 1 b2) Black) (= (kind-below 2 b2) King)
              (= (kind-below 3 b2) (owner-below 0 a1) 0) (= (kind-below 0 b2) Man))",
    );
}

#[test]
fn push_pop_and_tuck() {
    then("((push Black King) add)", "(and (= (height b1) 4) (= (owner b1) Black) (= (owner-below 1 b1) White))");
    then("(pop add)", "(and (= (height b1) 2) (= (owner b1) Black) (= (kind b1) Man) (= (captured White Man) 1))");
    then("(pop pop pop pop add)", "(and (= (height b1) 0) (= (captured) 3))");
    then("((tuck White King) add)", "(and (= (height b1) 4) (= (owner-below 3 b1) White) (= (kind-below 3 b1) King))");
    then("((tuck White King a3) add)", "(and (= (height a3) 1) (= (kind a3) King))");
    then("((push White King a3) add)", "(and (= (height a3) 1) (= (kind a3) King))");
}

#[test]
fn a_full_stack_loses_its_lowest_or_has_no_room() {
    then(
        "((push me Man) (push me King) add)",
        "(and (= (height b1) 4) (= (kind b1) King) (= (kind-below 2 b1) Man) (= (owner-below 3 b1) Black) (= (kind-below 3 b1) Man))",
    );
    then("((push me Man) (tuck me King) add)", "(and (= (height b1) 4) (= (owner-below 3 b1) Black))");
}

#[test]
fn what_is_landed_on_goes_with_all_that_is_below() {
    then("((go d3) add)", "(and (= (height d3) 3) (= (captured Black Man) 1))");
    let trial = stack("(n add)", "(= 1 0)").after("b2");
    assert_eq!(trial.pieces(), "(White (Man b2)) (Black (Man d3))");
}

#[test]
fn without_stacks_there_is_one_piece() {
    assert!(crate::holds("(= (height) (height e) 1)"));
    assert!(crate::holds("(= (height n) (owner-below 1) 0)"));
    assert_eq!(crate::codes("(piece (name Man) (moves (pop add)))"), ["zrf-malformed-step"]);
}
