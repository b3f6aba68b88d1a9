//! From what blocks make to what is legal: priorities, null moves, check, maximal captures, passing.

use crate::{GAME, Game, Trial, man};

fn game(rest: &str) -> Trial {
    Game { board: "(symmetry Black (n s) (s n))", rest, ..GAME }.start()
}

#[test]
fn only_the_first_class_that_has_a_move_counts() {
    let rest = |priorities: &str, setup: &str| {
        format!(
            "(piece (name Man) (moves (w add) (move-type step) (n (verify empty?) add) (move-type take) (e (verify enemy?) add)))
             {priorities} (board-setup (White (Man b1)) {setup})"
        )
    };
    let moves = |priorities: &str, setup: &str| game(&rest(priorities, setup)).moves();
    let enemy = "(Black (Man c1))";
    assert_eq!(moves("", enemy).len(), 3);
    assert_eq!(moves("(move-priorities take step)", enemy), ["b1 x c1 Man"]);
    assert_eq!(moves("(move-priorities take step)", ""), ["b1 - b2 Man"]);
    assert_eq!(moves("(move-priorities take)", ""), ["b1 - a1 Man", "b1 - b2 Man"], "the others come last, together");
    assert_eq!(moves("(move-priorities step take)", enemy), ["b1 - b2 Man"]);
}

#[test]
fn priorities_have_no_classes_of_several_types() {
    let rest = "(piece (name Man) (moves (move-type a) (n add) (move-type b) (e add))) (move-priorities (a b)) (board-setup (White (Man a1)))";
    let game = Game { rest, ..GAME };
    assert_eq!(game.codes(), ["zrf-malformed"]);
    assert_eq!(game.start_anyway().moves().len(), 2);
}

#[test]
fn moves_that_change_nothing_are_dropped() {
    assert!(man("(add)", "(White (Man b1))").moves().is_empty());
    assert!(man("(n s add)", "(White (Man b1))").moves().is_empty());
    assert!(
        man("((set-attribute tired false) (change-owner) (change-type Man) add)", "(White (Man b1))")
            .moves()
            .is_empty()
    );
}

#[test]
fn something_done_and_undone_is_a_change() {
    assert_eq!(man("(flip flip add)", "(White (Man b1))").moves(), ["b1 - b1 Man"]);
    assert_eq!(man("((set-attribute tired true) add)", "(White (Man b1))").moves(), ["b1 - b1 Man"]);
    assert_eq!(man("((create King d4) add)", "(White (Man b1)) (Black (King d4))").moves(), ["b1 - b1 Man"]);
}

const MATE: &str = "(loss-condition (White Black) (checkmated King))";
const CATS: &str = "(piece (name King) (moves (n (verify not-friend?) add) (e (verify not-friend?) add)))
    (piece (name Rook) (moves (w (while empty? add w) (verify enemy?) add) (s (while empty? add s) (verify enemy?) add) (n (while empty? add n) (verify enemy?) add)))";

#[test]
fn no_move_may_leave_a_royal_piece_attacked() {
    let moves = |setup: &str, goal: &str| {
        Game { rest: &format!("{CATS} (board-setup {setup}) {goal}"), ..GAME }.start().moves()
    };
    let setup = "(White (King a1) (Rook b2)) (Black (Rook d1))";
    assert_eq!(moves(setup, MATE), ["a1 - a2 King", "b2 - b1 Rook"], "the king goes, or the rook goes between");
    assert!(moves(setup, "").len() > 3, "without the goal nothing is forbidden");
    let pinned = "(White (King a1) (Rook b1)) (Black (Rook d1))";
    assert_eq!(moves(pinned, MATE), ["a1 - a2 King"]);
    assert_eq!(
        moves("(White (King a1)) (Black (Rook b4))", MATE),
        ["a1 - a2 King"],
        "nor may it go where it is attacked"
    );
}

#[test]
fn who_has_no_royal_piece_is_not_bound() {
    let rest = format!("{CATS} (board-setup (White (Rook d2)) (Black (King a1) (Rook d4))) {MATE}");
    assert!(Game { rest: &rest, ..GAME }.start().moves().len() > 3);
}

#[test]
fn each_listed_type_is_royal_and_each_piece_of_it() {
    let rest = |goal: &str| {
        format!(
            "{CATS} (piece (name Prince) (moves (n (verify empty?) add)))
             (board-setup (White (King a1 a3) (Prince b1)) (Black (Rook d3))) (loss-condition (White Black) (checkmated {goal}))"
        )
    };
    let moves = |goal: &str| Game { rest: &rest(goal), ..GAME }.start().moves();
    assert_eq!(moves("King"), ["a3 - a4 King"], "the king that is attacked must go");
    assert_eq!(moves("King Prince"), ["a3 - a4 King"]);
    assert_eq!(moves("Prince").len(), 4);
}

#[test]
fn the_class_is_chosen_before_check_is_looked_at() {
    let rest = format!(
        "(piece (name King) (moves (move-type quiet) (n add) (move-type take) (e (verify enemy?) add)))
         (piece (name Rook) (moves (s (while empty? add s) (verify enemy?) add)))
         (board-setup (White (King a1)) (Black (Rook b1 b4))) (move-priorities take quiet) {MATE}"
    );
    // The only capture goes where the other rook attacks: no move is left.
    assert!(Game { rest: &rest, ..GAME }.start().moves().is_empty());
}

/// Two ways to jump: over one man to the right, over two upwards.
fn jumps(option: &str, setup: &str) -> Trial {
    let rest = format!(
        "(piece (name Man) (moves (move-type jump)
            (n (verify enemy?) capture n (verify empty?) (add-partial jump))
            (e (verify enemy?) capture e (verify empty?) (add-partial jump))
            (move-type walk) (w add)))
         (piece (name Queen) (moves (n (verify (in-zone? none)) (add Queen)))) {option} (board-setup {setup})"
    );
    let board = "(zone (name none) (players White) (positions))";
    Game { files: "a/b/c/d/e", ranks: "5/4/3/2/1", board, rest: &rest, ..GAME }.start()
}

#[test]
fn maximal_captures_count_over_whole_moves() {
    let setup = "(White (Man b1)) (Black (Man b2 b4 c1))";
    assert_eq!(jumps("", setup).moves(), ["+ b1 - b3 Man", "b1 - d1 Man", "b1 - a1 Man"]);
    let maximal = "(option \"maximal captures\" true)";
    assert_eq!(jumps(maximal, setup).moves(), ["+ b1 - b3 Man"]);
    assert_eq!(jumps(maximal, setup).after("b3").moves(), ["b3 - b5 Man"]);
    assert_eq!(jumps(maximal, "(White (Man b1)) (Black (Man b2 c1))").moves(), ["b1 - b3 Man", "b1 - d1 Man"]);
    assert_eq!(jumps(maximal, "(White (Man b1))").moves(), ["b1 - a1 Man"], "no capture is most as well");
}

#[test]
fn maximal_captures_look_within_the_class() {
    let rest = "(piece (name Man) (moves (move-type weak) (n (verify enemy?) capture n add)
          (move-type strong) (n (verify enemy?) capture n (capture n) (verify empty?) add)
          (move-type first) (e (verify enemy?) add)))
        (move-priorities first weak) (option \"maximal captures\" true) (board-setup (White (Man a1)) (Black (Man a2 a4 b1)))";
    assert_eq!(Game { rest, ..GAME }.start().moves(), ["a1 x b1 Man"], "one capture of the first class beats two");
}

/// Northern_Kings.zsg, ply 7: a king jumps a king, which becomes a man; that counts as a capture.
#[test]
fn maximal_captures_count_enemies_that_become_something_else() {
    let moves = |turn: &str, there: &str| {
        let rest = format!(
            "(piece (name Man) (moves (n {turn} n (verify empty?) add) (e (verify empty?) add)))
             (piece (name King)) (option \"maximal captures\" true) (board-setup {there})"
        );
        game(&rest).moves().len()
    };
    let enemy = "(White (Man a1)) (Black (King a2))";
    assert_eq!([moves("", enemy), moves("capture", enemy)], [2, 1]);
    assert_eq!([moves("(change-type Man)", enemy), moves("flip", enemy), moves("change-owner", enemy)], [1, 1, 1]);
    assert_eq!(moves("(change-type Man)", "(White (Man a1) (King a2))"), 2, "an own piece does not count");
    // What is turned and then captured is one piece.
    let twice = "(piece (name Man) (moves (n (change-type King) capture n (verify empty?) add) (e capture e add)))
        (piece (name King)) (option \"maximal captures\" true) (board-setup (White (Man a1)) (Black (King a2 b1)))";
    assert_eq!(game(twice).moves(), ["a1 - a3 Man", "a1 - c1 Man"]);
}

#[test]
fn maximal_captures_two_weighs_types_that_are_promoted_to() {
    // Pieces become queens somewhere in the rules, so queens are worth more.
    let setup = "(White (Man b1)) (Black (Man b2) (Queen c1))";
    assert_eq!(jumps("(option \"maximal captures\" true)", setup).moves(), ["b1 - b3 Man", "b1 - d1 Man"]);
    assert_eq!(jumps("(option \"maximal captures\" 2)", setup).moves(), ["b1 - d1 Man"]);
    let more = "(White (Man b1)) (Black (Man b2 b4) (Queen c1))";
    assert_eq!(jumps("(option \"maximal captures\" 2)", more).moves(), ["+ b1 - b3 Man"], "first the number counts");
}

#[test]
fn passing_is_never_allowed_always_or_forced() {
    let moves = |option: &str, block: &str| {
        let rest = format!("(piece (name Man) (moves {block})) (board-setup (White (Man a1))) {option}");
        game(&rest).moves()
    };
    assert_eq!(moves("", "(n add)"), ["a1 - a2 Man"]);
    assert_eq!(moves("(option \"pass turn\" true)", "(n add)"), ["a1 - a2 Man", "pass"]);
    assert_eq!(moves("(option \"pass turn\" forced)", "(n add)"), ["a1 - a2 Man"]);
    for value in ["true", "forced", "2"] {
        assert_eq!(moves(&format!("(option \"pass turn\" {value})"), "(s add)"), ["pass"], "{value}");
    }
    assert!(moves("(option \"pass turn\" false)", "(s add)").is_empty());
}

#[test]
fn a_pass_goes_to_the_next_turn_and_changes_nothing() {
    let rest = "(piece (name Man) (moves (n add))) (board-setup (White (Man a1)) (Black (Man d4))) (option \"pass turn\" true)";
    assert_eq!(game(rest).after("pass").position(), "Black to move\n(White (Man a1))\n(Black (Man d4))");
}
