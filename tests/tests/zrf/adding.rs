//! `add` and its relatives, and moves of several pieces.

use crate::{GAME, Game, man};

#[test]
fn add_with_types_is_a_choice() {
    let trial = man("(n (add Man King))", "(White (Man b1))");
    assert_eq!(trial.moves(), ["b1 - b2 Man Man", "b1 - b2 Man King"]);
    assert_eq!(trial.after("b2 King").pieces(), "(White (King b2))");
    assert_eq!(man("(n (add King))", "(White (Man b1))").moves(), ["b1 - b2 Man"], "one type is no choice");
}

#[test]
fn a_choice_comes_before_other_changes_of_its_square_only_if_written_so() {
    assert_eq!(man("(n (change-type Man) (add King))", "(White (Man b1))").after("b2").pieces(), "(White (King b2))");
}

#[test]
fn add_copy_leaves_the_mover_where_it_was() {
    let trial = man("(n add-copy)", "(White (Man b1)) (Black (King b2))");
    assert_eq!(trial.moves(), ["b1 x b2 Man"]);
    assert_eq!(trial.after("b2").pieces(), "(White (Man b2 b1))");
    assert_eq!(man("(n (add-copy King))", "(White (Man b1))").after("b2").pieces(), "(White (Man b1) (King b2))");
}

#[test]
fn one_block_may_add_many_times() {
    assert_eq!(man("(n add add-copy (add King) e add)", "(White (Man b1))").moves().len(), 4);
}

#[test]
fn the_same_move_is_listed_once() {
    assert_eq!(man("(n add) (n add) (e w n add)", "(White (Man b1))").moves(), ["b1 - b2 Man"]);
    // Other effects make it another move.
    assert_eq!(man("(n add) (n (create d4) add)", "(White (Man b1))").moves(), ["b1 - b2 Man", "b1 - b2 Man #2"]);
}

#[test]
fn castling_moves_two_pieces_at_once() {
    let block = "(e (verify empty?) e (verify empty?) cascade e (verify (piece? King)) from back e to add)";
    let rest =
        format!("(piece (name Man) (moves {block})) (piece (name King)) (board-setup (White (Man a1) (King d1)))");
    let trial = Game { rest: &rest, ..GAME }.start();
    assert_eq!(trial.moves(), ["a1 - c1 Man"], "it bears the name of the first piece");
    assert_eq!(trial.after("c1").pieces(), "(White (Man c1) (King b1))");
}

#[test]
fn capture_into_the_hand() {
    let trial = man("(n (verify enemy?) cascade a4 (verify empty?) flip add)", "(White (Man b1)) (Black (King b2))");
    assert_eq!(trial.moves(), ["b1 - b2 Man"]);
    assert_eq!(trial.after("b2").pieces(), "(White (Man b2) (King a4))");
}

#[test]
fn cascade_uses_to_when_it_is_set() {
    let trial = man("(n to n cascade e add)", "(White (Man b1)) (Black (King b3))");
    assert_eq!(trial.after("b2").pieces(), "(White (Man b2)) (Black (King c3))");
}

#[test]
fn all_pieces_are_lifted_before_any_is_set_down() {
    // A ring of three: each goes where the next one was.
    let block = "(n cascade e cascade (go from) s w add)";
    let setup = "(White (Man a1)) (Black (King a2)) (Black (Man b2))";
    let trial = man(block, setup);
    assert_eq!(trial.after("a2").pieces(), "(White (Man a2)) (Black (Man a1) (King b2))");
    // Two that change places.
    let trial = man("(n cascade s add)", "(White (Man a1)) (Black (King a2))");
    assert_eq!(trial.moves(), ["a1 - a2 Man"]);
    assert_eq!(trial.after("a2").pieces(), "(White (Man a2)) (Black (King a1))");
}

#[test]
fn a_cascade_captures_where_somebody_stays() {
    let trial = man("(n cascade e add)", "(White (Man a1)) (Black (King a2 b2))");
    assert_eq!(trial.after("a2").pieces(), "(White (Man a2)) (Black (King b2))");
}

#[test]
fn a_cascade_from_an_empty_square_moves_nothing() {
    assert_eq!(man("(n cascade e add)", "(White (Man a1))").after("a2").pieces(), "(White (Man a2))");
}

#[test]
fn cascades_are_kept_after_add_unless_they_are_discarded() {
    let text = |option: &str| {
        let rest = format!(
            "(piece (name Man) (moves (n cascade e add e add))) (piece (name King)) (board-setup (White (Man a1) (King a2))) {option}"
        );
        Game { rest: &rest, ..GAME }.start()
    };
    let pieces = |option: &str, number: usize| {
        let trial = text(option);
        let chosen = trial.moves()[number].clone();
        trial.after(&chosen).pieces()
    };
    assert_eq!(pieces("", 0), "(White (Man a2) (King b2))");
    assert_eq!(pieces("", 1), "(White (Man a2) (King c2))");
    let discard = "(option \"discard cascades\" true)";
    assert_eq!(pieces(discard, 0), "(White (Man a2) (King b2))");
    assert_eq!(pieces(discard, 1), "(White (Man a1) (King c2))");
}

#[test]
fn effects_of_a_cascade_come_after_all_displacements() {
    let trial = man("(n (change-type King) cascade e (change-owner) add)", "(White (Man a1)) (Black (Man a2))");
    assert_eq!(trial.after("a2").pieces(), "(White (Man b2) (King a2))");
}
