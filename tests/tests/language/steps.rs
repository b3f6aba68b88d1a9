//! Steps of blocks, moves without a piece, views and the last part: chapter 4.

use crate::{after, game, keeps_the_laws, man};

fn moves(block: &str, setup: &str) -> Vec<String> {
    man(block, &format!("(White (Man b1)) {setup}")).moves()
}

#[test]
fn choices_name_the_move_unless_it_starts_or_ends_there() {
    assert_eq!(
        moves("((choose k (range 1 2) (choose p home n add)))", ""),
        ["b1 - a2 Man 1 a1", "b1 - b2 Man 1 b1", "b1 - a2 Man 2 a1", "b1 - b2 Man 2 b1"]
    );
    assert_eq!(moves("((choose k (range 2 3) n add))", ""), ["b1 - b2 Man 2", "b1 - b2 Man 3"]);
    assert_eq!(moves("((choose p (set-of c3 a3) (to p) add))", ""), ["b1 - a3 Man", "b1 - c3 Man"]);
    assert_eq!(moves("((choose k (range 3 2) n add))", ""), [""; 0], "an empty range");
    assert_eq!(moves("((choose k (of King 7) n add))", ""), ["b1 - b2 Man 2", "b1 - b2 Man 7"]);
}

#[test]
fn what_a_choice_did_is_taken_back_before_the_next() {
    let trial =
        man("((choose p (pieces enemy?) (capture p) (go from) n add))", "(White (Man b1)) (Black (King a3 c3))");
    assert_eq!(trial.moves(), ["b1 - b2 Man a3", "b1 - b2 Man c3"]);
    assert_eq!(trial.after("b1 - b2 Man c3").pieces(), "(White (Man b2)) (Black (King a3))");
}

#[test]
fn a_verify_that_fails_ends_its_choice_alone() {
    assert_eq!(
        moves("((choose p everywhere (verify enemy?) (to p) add) n add)", "(Black (King a3 c3))"),
        ["b1 x a3 Man", "b1 x c3 Man", "b1 - b2 Man"]
    );
}

#[test]
fn try_takes_back_effects_variables_and_the_place() {
    assert_eq!(
        after("((let x 1) (try n (let x 2) (capture a3) (verify false)) (verify (= x 1)) n add)", "(Black (King a3))"),
        "(White (Man b2)) (Black (King a3))"
    );
    assert_eq!(
        moves("((try n (try n (verify empty?) add) (verify false)) (try e add) n add)", ""),
        ["b1 - b3 Man", "b1 - c1 Man", "b1 - b2 Man"]
    );
}

#[test]
fn for_keeps_effects_and_comes_back() {
    assert_eq!(
        after(
            "((for p (pieces enemy?) (capture p)) (for i (range 1 2) (create King (place i))) n add)",
            "(Black (King a1 c3))"
        ),
        "(White (Man b2) (King a3 a2))"
    );
    assert_eq!(
        after("((for p (pieces enemy?) (verify (= (number p) (number))) (capture)) n add)", "(Black (King a1 c3))"),
        "(White (Man b2))"
    );
}

#[test]
fn a_verify_that_fails_inside_of_for_ends_the_block() {
    assert!(moves("((for p (pieces) (verify my?)) n add)", "(Black (King c3))").is_empty());
}

#[test]
fn for_each_writes_steps_out_for_words_of_any_sort() {
    assert_eq!(moves("((for-each d (n e w) (try d add)))", ""), ["b1 - b2 Man", "b1 - c1 Man", "b1 - a1 Man"]);
    assert_eq!(after("((for-each x (King Man) (create x (n n))) n add)", ""), "(White (Man b3 b2))");
}

#[test]
fn names_may_be_used_again_inside() {
    assert_eq!(moves("((let x 1) (for x (range 5 6) (verify (> x 4))) (verify (= x 1)) n add)", ""), ["b1 - b2 Man"]);
    assert_eq!(moves("((let x 1) (if (empty? n) (let x (+ x 1))) (verify (= x 2)) n add)", ""), ["b1 - b2 Man"]);
}

#[test]
fn displacements_turn_a_ring() {
    let ring = "((displace a1 a2) (displace a2 b2) (displace b2 b1) (displace b1 a1) add)";
    let trial = game(&format!(
        "(moves {ring}) (piece (name A)) (piece (name B)) (board-setup (White (A a1 a2)) (Black (B b2 b1)))"
    ));
    assert_eq!(trial.moves(), ["move"]);
    assert_eq!(trial.after("move").pieces(), "(White (A a2 b2)) (Black (B a1 b1))");
}

#[test]
fn effects_take_numbers_and_do_nothing_for_what_does_not_exist() {
    assert_eq!(after("((put (owner n) (kind n) a3) n add)", ""), "(White (Man b2))");
    assert_eq!(
        after("((put (owner n) (kind n) a3) (own White n) (own 9 n) (retype Man n) e add)", "(Black (King b2))"),
        "(White (Man b2 c1)) (Black (King a3))"
    );
    assert_eq!(after("((put 0 Man a3) (put White 9 a3) (put White Man nowhere) n add)", ""), "(White (Man b2))");
}

#[test]
fn take_brings_a_piece_from_the_hand() {
    let rest = "(piece (name Man)) (moves ((choose k (of Man) (verify (> (hand k) 0)) (take me k b2) add)))
        (board-setup (White (Man off 1)) (Black (Man off 2)))";
    let trial = game(rest).after("move 1");
    assert_eq!(trial.pieces(), "(White (Man b2)) (Black (Man off 2))");
    assert_eq!(trial.after("move 1").pieces(), "(Black (Man b2 off 1))");
}

#[test]
fn blocks_of_any_owner_are_run_for_every_piece() {
    let rest = "(piece (name Man) (moves (w add) (owner any) ((verify enemy?) n add) (owner mine) (e add)))
        (board-setup (White (Man b1)) (Black (Man d1)))";
    assert_eq!(game(rest).moves(), ["b1 - a1 Man", "b1 - c1 Man", "d1 - d2 Man"]);
}

#[test]
fn moves_without_a_piece_move_one_if_both_ends_are_said() {
    let rest = "(piece (name Man)) (board-setup (White (Man a1)) (Black (Man c1)))
        (moves ((choose p (pieces) (from p) (to (n p)) add)) ((verify (same? here nowhere)) (put me Man c3) add))";
    assert_eq!(game(rest).moves(), ["a1 - a2 move", "c1 - c2 move", "move"]);
}

#[test]
fn a_tentative_block_sees_its_own_effects() {
    let block = "((capture n) (verify (empty? n)) n add)";
    let setup = "(White (Man b1)) (Black (King b2))";
    assert!(man(block, setup).moves().is_empty());
    assert_eq!(man(&format!("(view tentative) {block}"), setup).after("b2").pieces(), "(White (Man b2))");
    assert_eq!(man(&format!("(view tentative) {block} (view before) {block}"), setup).moves(), ["b1 x b2 Man"]);
}

#[test]
fn the_last_part_starts_where_the_move_ended_and_sees_the_board() {
    assert_eq!(
        after("(n n add (then (verify (piece? Man)) (verify (empty? from)) (create King s)))", ""),
        "(White (Man b3) (King b2))"
    );
    assert_eq!(
        after("(n add (then (put me King w) (if (piece? King w) (put me King e))))", ""),
        "(White (Man b2) (King a2 c2))"
    );
}

/// What was chosen read 0 in the last part once.
#[test]
fn the_last_part_knows_what_was_chosen() {
    let trial =
        man("((choose k (range 1 2) (choose p home (go from) n add)) (then (put me k (n (n p)))))", "(White (Man d1))");
    assert_eq!(trial.moves().len(), 4);
    assert_eq!(trial.after("d1 - d2 Man 2 a1").pieces(), "(White (Man d2) (King a3))");
}

#[test]
fn a_verify_that_fails_in_the_last_part_makes_the_move_illegal() {
    assert_eq!(moves("(n add e add (then (verify (empty? w))))", "(Black (King a2))"), ["b1 - c2 Man"]);
}

#[test]
fn blocks_keep_the_laws() {
    keeps_the_laws(&man(
        "((choose p (neighbours here) (verify (not (my? p))) (to p) add)
          (then (if (my? n) (own Black n)) (for q (where everywhere empty?) (if (= (number q) 5) (create King q)))))",
        "(White (Man a1 b1)) (Black (Man c3 d3))",
    ));
}

#[test]
fn a_number_of_the_block_is_a_condition() {
    for (value, holds) in [("0", false), ("3", true), ("(- 1 2)", true), ("(count (pieces enemy?))", false)] {
        for condition in ["q", "(q)", "(not (not (q)))", "(and (q) true)"] {
            let block = format!("((let q {value}) (verify {condition}) n add)");
            assert_eq!(man(&block, "(White (Man b1))").moves().len(), usize::from(holds), "{value} {condition}");
        }
    }
}
