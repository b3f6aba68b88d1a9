//! Bounds of `after-move`: chapter 6.

use crate::{game, keeps_the_laws};

/// Jumpers that count what they take in the move, and what it is worth.
fn jumpers(setup: &str, after_move: &str, rest: &str) -> dagaz_tests::trial::Trial {
    let jump = |way: &str| {
        format!(
            "({way} (verify enemy?) capture (set taken (+ taken 1)) (if (piece? King) (set kings (+ kings 1)))
              {way} (verify empty?) (add-partial))"
        )
    };
    game(&format!(
        "(variable taken 0 move) (variable kings 0 move) {rest}
         (piece (name Man) (moves {} {})) (piece (name King) (moves {} {}))
         (board-setup {setup}) (after-move {after_move})",
        jump("e"),
        jump("n"),
        jump("e"),
        jump("n")
    ))
}

const MOST: &str = "(verify (>= taken most)) (if (> taken most) (let most taken))";

#[test]
fn whole_chains_are_compared_and_a_later_one_takes_earlier_ones_off() {
    // From a1 one to the north or, on two legs, b1 and c2.
    let setup = "(White (Man a1)) (Black (Man a2 b1 c2))";
    assert_eq!(jumpers(setup, "(verify true)", "").moves(), ["+ a1 - c1 Man", "a1 - a3 Man"]);
    assert_eq!(jumpers(setup, MOST, "").moves(), ["+ a1 - c1 Man"]);
    let trial = jumpers(setup, MOST, "").after("a1 - c1");
    assert_eq!(trial.moves(), ["c1 - c3 Man"]);
    assert_eq!(trial.after("c1 - c3").pieces(), "(White (Man c3)) (Black (Man a2))");
    keeps_the_laws(&jumpers(setup, MOST, ""));
}

#[test]
fn the_bound_holds_in_the_middle_of_a_chain() {
    // After a1 - c1 the chain goes on to the north alone.
    let setup = "(White (Man a1 d1)) (Black (Man b1 c2 d2))";
    let trial = jumpers(setup, MOST, "");
    assert_eq!(trial.moves(), ["+ a1 - c1 Man"]);
    assert_eq!(trial.after("a1 - c1").moves(), ["c1 - c3 Man"]);
}

/// What the last step captured is known where moves are held against each other, too.
#[test]
fn captures_of_the_last_step_are_compared() {
    let trial = game(
        "(piece (name Man) (moves (n add) (e (verify enemy?) capture e (verify empty?) add)))
         (board-setup (White (Man a1)) (Black (Man b1)))
         (after-move (verify (>= (captured) most)) (if (> (captured) most) (let most (captured))))",
    );
    assert_eq!(trial.moves(), ["a1 - c1 Man"]);
}

#[test]
fn equals_stay() {
    let setup = "(White (Man a1 d1)) (Black (Man a2 d2))";
    assert_eq!(jumpers(setup, MOST, "").moves(), ["a1 - a3 Man", "d1 - d3 Man"]);
}

const OLD_FRENCH: &str = "(verify (>= taken most-taken))
    (if (> taken most-taken) (let most-taken taken) (let most-kings kings) (let best value))
    (verify (>= kings most-kings))
    (if (> kings most-kings) (let most-kings kings) (let best value))
    (verify (>= value best))
    (let best value)";

#[test]
fn bounds_come_after_each_other() {
    let old_french = |setup: &str| {
        let rest = "(variable value 0 move) (after-step (if (piece? King) (set value 1)))";
        jumpers(setup, OLD_FRENCH, rest).moves()
    };
    // The number comes first, then kings that are taken, then the king that takes.
    assert_eq!(old_french("(White (Man a1 d1)) (Black (Man b1 c2) (King d2))"), ["+ a1 - c1 Man"]);
    assert_eq!(old_french("(White (King a1) (Man d1)) (Black (Man a2) (King d2))"), ["d1 - d3 Man"]);
    assert_eq!(old_french("(White (King a1) (Man d1)) (Black (Man a2 d2))"), ["a1 - a3 King"]);
    assert_eq!(old_french("(White (Man a1) (King d1)) (Black (Man a2 d2))"), ["d1 - d3 King"]);
}

#[test]
fn a_let_before_all_else_is_no_bound() {
    let rest = "(piece (name Man) (moves (e add) (n add))) (board-setup (White (Man a1)) (Black (Man a3)))
        (after-move (let x (number to)) (verify (> x 0)))";
    assert_eq!(game(rest).moves(), ["a1 - b1 Man", "a1 - a2 Man"]);
}
