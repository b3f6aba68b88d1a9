//! Variables of the state, and attributes that are numbers: chapter 2.

use crate::game;

/// Checks which conditions are true after a move that does what `set` says.
fn asked(variables: &str, set: &str, questions: &[(&str, bool)]) {
    for (condition, wanted) in questions {
        let trial = game(&format!(
            "{variables} (variable asked 0)
             (moves ((verify (= asked 0)) {set} (set asked 1) add))
             (turn-order White)
             (piece (name Man) (moves ((verify (= asked 1)) (verify {condition}) n add)))
             (board-setup (White (Man b2)))"
        ));
        let trial = trial.after("move");
        assert_eq!(!trial.moves().is_empty(), *wanted, "{condition}");
    }
}

#[test]
fn each_scope_has_its_cells() {
    asked(
        "(variable one 7) (variable site 1 positions (at 5 a1 home)) (variable side 2 players (at 3 Black))
         (variable list 0 (array 3) (at 4 0 2))",
        "(set one 8) (set site c3 9) (set side Black 6) (set side 4) (set list 1 2) (set list 7 1) (set site nowhere 3)",
        &[
            ("(= one 8)", true),
            ("(= (site c3) 9)", true),
            ("(= (site a1) (site b1) 5)", true),
            ("(= (sum everywhere site) 28)", true),
            ("(= (side White) (side) side 4)", true),
            ("(= (side Black) 6)", true),
            ("(= (list 0) 4)", true),
            ("(= (list 1) 2)", true),
            ("(= (list 3) (list -1) (side 0) (side 3) (site nowhere) 0)", true),
            ("(one)", true),
            ("(list 0)", true),
            ("(list 5)", false),
        ],
    );
}

#[test]
fn values_beyond_the_range_are_cut_to_it() {
    asked(
        "(variable die 1 (range 1 6)) (variable low 0 (range -2 2))",
        "(set die 9) (set low -50)",
        &[("(= die 6)", true), ("(= low -2)", true)],
    );
}

#[test]
fn a_variable_of_the_move_forgets_when_the_move_is_complete() {
    asked(
        "(variable kept 0) (variable lost 3 move) (variable marks 1 positions move)",
        "(set kept 5) (set lost 5) (set marks a1 9)",
        &[("(= kept 5)", true), ("(= lost 3)", true), ("(= (marks a1) 1)", true)],
    );
}

#[test]
fn a_variable_of_the_move_lasts_for_the_whole_chain() {
    let rest = "(variable steps 0 move)
        (piece (name Man) (moves (e (verify (< steps 2)) (set steps (+ steps 1)) (add-partial))))
        (board-setup (White (Man a1)) (Black (Man a3)))";
    let trial = game(rest).after("a1 - b1, b1 - c1");
    assert_eq!(trial.to_move(), "Black", "the third step is not made");
    assert_eq!(trial.after("a3 - b3, b3 - c3").moves(), ["c1 - d1 Man"]);
}

/// Round and round, with a counter of moves.
fn circling(option: &str) -> String {
    let rest = format!(
        "(variable counter 0 {option}) (after-move (set counter (+ counter 1)))
         (piece (name Man) (moves (e add) (w add))) (board-setup (White (Man a1)) (Black (Man a3)))"
    );
    let round = "a1 - b1, a3 - b3, b1 - a1, b3 - a3";
    game(&rest).after(&format!("{round}, {round}")).outcome()
}

#[test]
fn memory_is_no_part_of_what_repeats() {
    assert_eq!(circling(""), "open");
    assert_eq!(circling("memory"), "White draws, Black draws: repetition");
}

#[test]
fn attributes_are_numbers_and_travel_with_their_piece() {
    let rest = "(piece (name Man) (attribute load 2)
            (moves ((verify (> load 0)) e (verify empty?) (set load (- (load from) 1)) add)))
        (board-setup (White (Man a1)) (Black (Man a3)))";
    let trial = game(rest).after("b1, b3, c1, c3");
    assert!(trial.moves().is_empty(), "the load is used up");
}

#[test]
fn what_the_game_names_is_meant_by_its_name() {
    let rest = "(variable mover 5)
        (piece (name Man) (attribute height 3) (moves ((verify (= height 3)) (verify (= mover 5)) n add)))
        (board-setup (White (Man a1)))";
    assert_eq!(game(rest).moves(), ["a1 - a2 Man"]);
}

#[test]
fn changes_are_taken_back_with_the_move() {
    let trial = game(
        "(variable n1 0) (variable marks 0 positions)
         (piece (name Man) (moves (n (set n1 (+ n1 1)) (set marks 1) add) (e (set n1 (* n1 3)) (set marks n 2) add)))
         (board-setup (White (Man a1)) (Black (Man b3)))",
    );
    crate::keeps_the_laws(&trial);
}
