//! Stages, invariants, and what a move can ask about the past and the future: chapter 6.

use dagaz_tests::trial::Trial;

use crate::{game, keeps_the_laws};

#[test]
fn the_stages_come_in_their_order() {
    // Each writes its digit behind those before it.
    let digit = |number: u32| format!("(set order (+ (* order 10) {number}))");
    let rest = format!(
        "(variable order 0)
         (piece (name Man) (moves (e {} (add-partial) (then {}))))
         (board-setup (White (Man b1)) (Black (Man a3)))
         (before-move {}) (before-step {}) (after-step {}) (after-move {})
         (draw-condition (= order 1234523456))",
        digit(3),
        digit(4),
        digit(1),
        digit(2),
        digit(5),
        digit(6)
    );
    // Two steps, 1 2 3 4 5 and 2 3 4 5, and 6 at the end.
    let trial = game(&rest).after("b1 - c1, c1 - d1");
    assert_eq!(trial.outcome(), "White draws, Black draws: (= order 1234523456)");
}

#[test]
fn a_stage_before_can_forbid_all_moves_or_all_steps() {
    let rest = |stage: &str| {
        format!(
            "(piece (name Man) (moves (e (verify empty?) (add-partial)))) {stage}
             (board-setup (White (Man a1)) (Black (Man a3)))"
        )
    };
    assert!(game(&rest("(before-move (verify (empty? a1)))")).moves().is_empty());
    assert!(game(&rest("(before-step (verify (empty? a1)))")).moves().is_empty());
    let trial = game(&rest("(before-move (verify (not-empty? a1)))")).after("a1 - b1");
    assert_eq!(trial.moves(), ["+ b1 - c1 Man"], "it is asked when the move begins, and not again");
    let trial = game(&rest("(before-step (verify (or (not-empty? a1) (= mover Black))))")).after("a1 - b1");
    assert_eq!(trial.to_move(), "Black", "the second step is forbidden");
}

#[test]
fn a_stage_starts_at_the_end_of_the_step_and_may_mark() {
    let rest = "(piece (name Man) (moves (e add))) (board-setup (White (Man a1)) (Black (Man a3)))
        (after-step (verify (same? here to)) mark n (create Man) back (verify (same? here to)) (verify (same? from a1)))";
    assert_eq!(game(rest).after("b1").pieces(), "(White (Man b2 b1)) (Black (Man a3))");
}

#[test]
fn what_a_block_set_is_seen_by_the_stages_after_it() {
    let rest = "(variable cost 0 move)
        (piece (name Man) (moves (e (set cost 1) add) (n (set cost 2) add)))
        (board-setup (White (Man a1)) (Black (Man a3)))
        (after-move (verify (= cost 2)))";
    assert_eq!(game(rest).moves(), ["a1 - a2 Man"]);
}

#[test]
fn stages_count_what_the_step_captured() {
    let rest = "(piece (name Man) (moves (e add) (e (capture (n here)) add))) (piece (name King))
        (board-setup (White (Man a1)) (Black (Man b1) (King b2)))
        (after-move (verify (= (captured) 2)) (verify (= (captured Black King) 1)) (verify (= (captured White) 0)))";
    assert_eq!(game(rest).moves(), ["a1 x b1 Man"]);
}

const KINGS: &str = "(piece (name King) (moves (n (verify not-friend?) add) (e (verify not-friend?) add)))
    (piece (name Rook) (moves (s (while empty? add s) (verify enemy?) add)))
    (verify (or (> (count (pieces my? (is-piece? King))) 1)
                (= (count (pieces my? (is-piece? King) is-attacked?)) 0)))";

#[test]
fn a_king_may_stand_attacked_while_there_is_a_second_one() {
    let one = format!("{KINGS} (board-setup (White (King a1)) (Black (Rook b3)))");
    assert_eq!(game(&one).moves(), ["a1 - a2 King"]);
    let two = format!("{KINGS} (board-setup (White (King a1 d1)) (Black (Rook b3)))");
    assert_eq!(game(&two).moves(), ["a1 - a2 King", "a1 - b1 King", "d1 - d2 King"]);
}

/// Men on two circles: a and b, c and d.
fn circle(rest: &str) -> Trial {
    Trial::of(&format!(
        "(game (title \"Circle\") (players White Black)
           (board (positions (a 0 0 9 9) (b 10 0 19 9) (c 20 0 29 9) (d 30 0 39 9)) (links on (a b) (b a) (c d) (d c)))
           (piece (name Man) (moves (on add))) (board-setup (White (Man a)) (Black (Man c))) {rest})"
    ))
}

#[test]
fn superko_forbids_what_stood_before() {
    for law in ["(verify (= repetitions 1))", "(verify (= board-repetitions 1))"] {
        let trial = circle(&format!("(after-move {law})"));
        assert!(trial.after("a - b, c - d, b - a").moves().is_empty(), "{law}");
    }
}

/// With three moves of one player the board stands again with the other to move.
#[test]
fn positional_and_situational_superko_differ_by_the_mover() {
    let order = "(turn-order White White Black)";
    let after = |law: &str| circle(&format!("{order} (after-move (verify (= {law} 1)))")).after("a - b").moves();
    assert_eq!(after("repetitions"), ["b - a Man"]);
    assert!(after("board-repetitions").is_empty());
}

#[test]
fn a_goal_about_repetitions_replaces_the_third_one() {
    let round = "a - b, c - d, b - a, d - c";
    let twice = format!("{round}, {round}");
    assert_eq!(circle("").after(&twice).outcome(), "White draws, Black draws: repetition");
    let trial = circle("(draw-condition (= repetitions 4))").after(&twice);
    assert_eq!(trial.outcome(), "open");
    assert_eq!(trial.after(round).outcome(), "White draws, Black draws: (= repetitions 4)");
}

#[test]
fn moves_made_and_first_stood_count_from_the_start() {
    let trial = circle("(draw-condition (and (= moves-made 5) (= first-stood 1)))");
    let trial = trial.after("a - b, c - d, b - a, d - c");
    assert_eq!(trial.outcome(), "open");
    assert_eq!(trial.after("a - b").outcome(), "White draws, Black draws: (and (= moves-made 5) (= first-stood 1))");
}

#[test]
fn a_move_may_be_judged_by_the_replies_to_it() {
    let rest = |law: &str| {
        format!(
            "(piece (name Man) (moves (e (verify empty?) add) (n (verify empty?) add)))
             (board-setup (White (Man a1 b2)) (Black (Man a3))) {law}"
        )
    };
    // Black's man has b3 alone.
    assert_eq!(game(&rest("")).moves(), ["a1 - b1 Man", "a1 - a2 Man", "b2 - c2 Man", "b2 - b3 Man"]);
    let judged = game(&rest("(after-move (verify (> (count replies) 0)))"));
    assert_eq!(judged.moves(), ["a1 - b1 Man", "a1 - a2 Man", "b2 - c2 Man"]);
    keeps_the_laws(&judged);
}
