//! What a move does when it is made, and in which order.

use crate::{GAME, Game, ends, man};

/// What stands where after the only move of a man on b1 with this block.
fn after(block: &str, setup: &str) -> String {
    let trial = man(block, &format!("(White (Man b1)) {setup}"));
    let moves = trial.moves();
    assert_eq!(moves.len(), 1, "{moves:?}");
    trial.after(&moves[0]).pieces()
}

#[test]
fn capture_takes_the_piece_there_or_where_it_says() {
    assert_eq!(after("(n capture n add)", "(Black (King b2 c1))"), "(White (Man b3)) (Black (King c1))");
    assert_eq!(after("(n (capture (opposite w)) add)", "(Black (King c2 c1))"), "(White (Man b2)) (Black (King c1))");
    assert_eq!(after("(n (capture d4) add)", "(White (King d4))"), "(White (Man b2))", "own pieces too");
}

#[test]
fn capture_off_the_board_or_of_nothing_is_ignored() {
    assert_eq!(after("((capture s) n (capture w) capture n add)", ""), "(White (Man b3))");
}

#[test]
fn a_landing_captures() {
    assert_eq!(after("(n add)", "(Black (King b2))"), "(White (Man b2))");
    assert_eq!(after("(n add)", "(White (King b2))"), "(White (Man b2))", "unless the block asks, also an own piece");
}

#[test]
fn displacements_come_first_so_that_a_capture_on_the_destination_takes_the_mover() {
    assert_eq!(after("(capture n capture add)", "(Black (King b2 d4))"), "(Black (King d4))");
    assert_eq!(after("(n (capture n) n add)", "(Black (King b2 d4))"), "(Black (King b2 d4))");
    // The start is empty by then: a capture there does nothing.
    assert_eq!(after("(capture n add)", ""), "(White (Man b2))");
}

#[test]
fn create_replaces_even_the_mover() {
    assert_eq!(after("(n (create King) add)", ""), "(White (King b2))");
    assert_eq!(after("(n (create Black King b2) add)", ""), "(Black (King b2))");
}

#[test]
fn create_knows_its_arguments_by_what_they_name() {
    assert_eq!(after("((create) n add)", ""), "(White (Man b2 b1))");
    assert_eq!(after("(n (create Black s) add)", ""), "(White (Man b2)) (Black (Man b1))");
    assert_eq!(after("(n (create King a4) add)", ""), "(White (Man b2) (King a4))");
    assert_eq!(after("(n (create a4) add)", ""), "(White (Man a4 b2))");
    assert_eq!(after("(n (create Black King (opposite n)) add)", ""), "(White (Man b2)) (Black (King b1))");
}

#[test]
fn create_is_not_confused_by_one_word_for_a_player_and_a_piece() {
    let rest = "(piece (name X) (moves (n (create X Y a4) (create X d4) (create Y d1) add))) (piece (name Y))
        (board-setup (X (X b1)))";
    let trial = Game { players: "X Y", turns: "X Y", rest, ..GAME }.start();
    // A piece of that name comes before the player, unless a piece follows.
    assert_eq!(trial.after("b2").pieces(), "(X (X b2 d4) (Y a4 d1))");
}

#[test]
fn effects_happen_in_the_order_in_which_they_are_written() {
    let enemy = "(Black (Man b3))";
    assert_eq!(after("(n (capture n) (create King n) add)", enemy), "(White (Man b2) (King b3))");
    assert_eq!(after("(n (create King n) (capture n) add)", enemy), "(White (Man b2))");
    assert_eq!(after("(n (change-owner n) (flip n) add)", enemy), "(White (Man b2)) (Black (Man b3))");
    assert_eq!(after("(n (flip n) (change-owner n) add)", enemy), "(White (Man b3 b2))");
    assert_eq!(
        after("(n (create King n) (change-type Man n) (set-attribute tired true n) add)", ""),
        "(White (Man b3[tired] b2))"
    );
}

#[test]
fn change_type_and_owner_concern_what_stands_there_after_the_move() {
    assert_eq!(after("(n (change-type King) add)", "(Black (Man b2))"), "(White (King b2))");
    assert_eq!(after("((change-type King) n add)", ""), "(White (Man b2))", "the start is empty by then");
    assert_eq!(
        after("(n (change-type King n) (change-owner n) add)", "(Black (Man b3))"),
        "(White (Man b2) (King b3))"
    );
    assert_eq!(after("(n (change-type King e) (flip w) add)", ""), "(White (Man b2))", "nothing stands there");
}

#[test]
fn flip_gives_to_the_next_person() {
    assert_eq!(after("(n flip add)", ""), "(Black (Man b2))");
    let rest =
        "(piece (name Man) (moves (n flip add))) (board-setup (A (Man a1)) (B (Man b1)) (C (Man c1)) (N (Man d1)))";
    let game = Game { players: "A ?R B N C", turns: "A ?R B C", rest, ..GAME };
    let trial = game.start().after("a2");
    assert_eq!(trial.pieces(), "(B (Man a2 b1)) (N (Man d1)) (C (Man c1))", "chance is passed over");
    let rest = rest.replace("(A (Man a1)) (B (Man b1))", "(B (Man b1))");
    let trial = Game { turns: "C A B", rest: &rest, ..game }.start().after("c2");
    assert_eq!(trial.pieces(), "(A (Man c2)) (B (Man b1)) (N (Man d1))", "from the last to the first");
}

#[test]
fn attributes_travel_with_their_piece_and_start_as_declared() {
    let game = Game {
        rest: "(piece (name Man) (attribute fresh true) (attribute tired false)
              (moves (n (set-attribute fresh false) (set-attribute tired (not-empty? e)) add)))
            (board-setup (White (Man a1)) (Black (Man b2)))",
        ..GAME
    };
    assert_eq!(game.start().pieces(), "(White (Man a1[fresh])) (Black (Man b2[fresh]))");
    let trial = game.start().after("a2");
    assert_eq!(trial.pieces(), "(White (Man a2[tired])) (Black (Man b2[fresh]))");
    assert_eq!(trial.after("b3, a3").pieces(), "(White (Man a3[tired])) (Black (Man b3))");
}

#[test]
fn attributes_on_empty_squares_are_ignored() {
    assert_eq!(
        after("((set-attribute tired true n) n (set-attribute tired true) n (verify empty?) add)", ""),
        "(White (Man b3))"
    );
}

/// A declaration speaks of new pieces only: see Gwangsanghui.zsg, ply 160.
#[test]
fn a_promoted_piece_keeps_all_its_attributes() {
    let rest = "(piece (name Man) (attribute a false) (attribute b false)
            (moves (n (set-attribute a true) (set-attribute b true) (add Queen))))
        (piece (name Queen) (attribute a false) (attribute c true) (moves (n (set-attribute a false) (add Man))))
        (piece (name Stone) (moves (n add)))
        (board-setup (White (Man a1) (Queen c1)) (Black (Stone d1)))";
    let trial = Game { rest, ..GAME }.start();
    assert_eq!(trial.pieces(), "(White (Man a1) (Queen c1[c])) (Black (Stone d1))");
    let trial = trial.after("a2");
    assert_eq!(trial.pieces(), "(White (Queen a2[a b] c1[c])) (Black (Stone d1))");
    assert_eq!(trial.after("d2, a3").pieces(), "(White (Man a3[b]) (Queen c1[c])) (Black (Stone d2))");
}

#[test]
fn add_forgets_what_was_noted() {
    let trial = man("(n capture n (change-type King) add n add)", "(White (Man b1)) (Black (King b2))");
    assert_eq!(trial.moves(), ["b1 - b3 Man", "b1 - b4 Man"]);
    assert_eq!(
        man("(n capture n (change-type King) add n add)", "(White (Man b1)) (Black (King b2))").after("b3").pieces(),
        "(White (King b3))"
    );
    assert_eq!(trial.after("b4").pieces(), "(White (Man b4)) (Black (King b2))", "neither captured nor promoted");
}

#[test]
fn add_keeps_current_mark_flags_and_from() {
    assert_eq!(
        ends(
            "(n mark (set-flag f true) (set-position-flag p true) add n add back (verify (flag? f)) (verify (position-flag? p)) e add)",
            ""
        ),
        ["b2", "b3", "c2"]
    );
    assert_eq!(
        man("(n from n add n add)", "(White (Man b1)) (Black (King b2))").moves(),
        ["b2 - b3 Man", "b2 - b4 Man"]
    );
}

#[test]
fn add_forgets_to() {
    assert_eq!(ends("(n to n add n add)", ""), ["b2", "b4"]);
}
