//! How a block walks: directions, registers, conditions as steps.

use crate::{GAME, Game, ends, man};

#[test]
fn a_step_off_the_board_ends_the_block_and_keeps_its_moves() {
    assert_eq!(ends("(n add n add n add n add)", ""), ["b2", "b3", "b4"]);
    assert_eq!(ends("(e e e (if true) w add)", ""), Vec::<String>::new());
}

#[test]
fn a_slide_ends_by_itself() {
    assert_eq!(ends("(e (while empty? add e) (verify enemy?) add)", ""), ["c1", "d1"]);
    assert_eq!(ends("(e (while empty? add e) (verify enemy?) add)", "(Black (King d1))"), ["c1", "d1"]);
    assert_eq!(ends("(e (while empty? add e) (verify enemy?) add)", "(White (King d1))"), ["c1"]);
}

#[test]
fn a_position_is_jumped_to() {
    assert_eq!(ends("(d4 add w add)", ""), ["d4", "c4"]);
}

#[test]
fn opposite_goes_the_way_back_or_ends_the_block() {
    assert_eq!(ends("(n n (opposite ne) add)", ""), ["a2"]);
    assert_eq!(ends("((opposite n) add)", ""), Vec::<String>::new());
}

#[test]
fn the_mark_is_at_first_the_start() {
    assert_eq!(ends("(n n back e add)", ""), ["c1"]);
    assert_eq!(ends("(n mark n n back e add)", ""), ["c2"]);
    assert_eq!(ends("((mark ne) n n back e add)", ""), ["d2"]);
    assert_eq!(ends("((mark a4) back add)", ""), ["a4"]);
    assert_eq!(ends("(n mark n mark n back add)", ""), ["b3"], "there is one mark, not a pile of them");
}

#[test]
fn go_jumps_to_a_register() {
    assert_eq!(ends("(n mark n n (go mark) add)", ""), ["b2"]);
    assert_eq!(ends("(n n (go from) e add)", ""), ["c1"]);
    assert_eq!(ends("(n to n n (go to) e to add)", ""), ["c2"]);
}

#[test]
fn from_and_to_say_what_moves_and_where_to() {
    let trial = man("(n from e to n add)", "(White (Man b1)) (Black (King b2))");
    assert_eq!(trial.moves(), ["b2 - c2 Man"]);
    assert_eq!(trial.after("b2 - c2").pieces(), "(White (Man b1)) (Black (King c2))");
}

#[test]
fn verify_ends_the_whole_block_from_inside() {
    assert_eq!(ends("(n add (if true (verify false)) n add)", ""), ["b2"]);
    assert_eq!(ends("(n add (while empty? (verify (not-position? b3)) n) add)", ""), ["b2"]);
    assert_eq!(ends("(n (verify empty? true) add (verify empty? false) n add)", ""), ["b2"]);
}

#[test]
fn else_stands_bare_in_its_list() {
    let block = "(n (if enemy? capture else (if friend? e else w)) add)";
    assert_eq!(ends(block, ""), ["a2"]);
    assert_eq!(ends(block, "(White (King b2))"), ["c2"]);
    assert_eq!(ends(block, "(Black (King b2))"), ["b2"]);
    assert_eq!(ends("(n (if enemy? else e) add)", ""), ["c2"]);
    assert_eq!(ends("(n (if enemy?) add)", ""), ["b2"]);
    assert_eq!(ends("(n (if (empty?) e n else) add)", ""), ["c3"]);
}

#[test]
fn while_stops_when_its_condition_is_false() {
    assert_eq!(ends("(n (while (empty? n) n) add)", "(Black (King b4))"), ["b3"]);
    assert_eq!(ends("((while false n) n add)", ""), ["b2"]);
}

#[test]
fn a_loop_without_an_end_is_stopped_and_named() {
    let fault = man("((while true) add)", "(White (Man b1))").try_moves().unwrap_err();
    assert!(fault.contains("`Man`"), "{fault}");
}

#[test]
fn blocks_know_nothing_of_each_other() {
    let blocks = "((set-flag f true) (set-position-flag p true) (mark n) n add)
        ((verify (and (not-flag? f) (not-position-flag? p))) back e add (set-flag f true) (set-position-flag p true))";
    assert_eq!(ends(blocks, ""), ["b2", "c1"]);
    // Nor does the run of a block for one piece know of that for another.
    let trial = man("((if (not-flag? f) n (set-flag f true) add))", "(White (Man a1 c1))");
    assert_eq!(trial.moves(), ["a1 - a2 Man", "c1 - c2 Man"]);
}

#[test]
fn each_piece_of_the_owner_moves_in_the_order_of_the_board() {
    let trial = man("(n add) (e add)", "(White (Man c1 a1)) (Black (Man b3))");
    assert_eq!(trial.moves(), ["a1 - a2 Man", "a1 - b1 Man", "c1 - c2 Man", "c1 - d1 Man"]);
}

#[test]
fn steps_that_are_none_are_errors() {
    let codes = |block: &str| {
        let rest = format!("(piece (name Man) (moves {block}))");
        Game { rest: &rest, ..GAME }.codes()
    };
    assert_eq!(codes("(nn add)"), ["zrf-unknown-step"]);
    assert_eq!(codes("(n (verify) add)"), ["zrf-malformed-step"]);
    assert_eq!(codes("(n (change-type Queen) add)"), ["zrf-malformed-step"]);
    assert_eq!(codes("(n (set-attribute sleepy true) add)"), ["zrf-malformed-step"]);
    assert_eq!(codes("(n \"text\" add)"), ["zrf-malformed-step"]);
    assert_eq!(codes("n add"), ["zrf-malformed-step", "zrf-malformed-step"]);
    assert_eq!(codes("(n (add Queen))"), ["zrf-malformed-step"]);
    assert_eq!(codes("(n empty? add)"), ["zrf-unknown-step"], "a condition is no step");
}

#[test]
fn types_mark_the_blocks_after_them() {
    let rest =
        "(piece (name Man) (moves (n add) (move-type a) (e add) (ne add) (move-type b) (w add) (move-type empty)))
        (board-setup (White (Man b1)))";
    let moves = |turn: &str| Game { turns: &format!("(White {turn}) Black"), rest, ..GAME }.start_anyway().moves();
    assert_eq!(moves("a"), ["b1 - c1 Man", "b1 - c2 Man"]);
    assert_eq!(moves("b"), ["b1 - a1 Man"]);
    assert!(moves("empty").is_empty());
    assert!(moves("never-mentioned").is_empty());
}
