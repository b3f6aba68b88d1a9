//! What conditions see.

use dagaz_lang_zrf::{AttributeView, Settings};
use dagaz_tests::trial::Trial;

use crate::{GAME, Game, ends, holds, man};

#[test]
fn who_stands_there() {
    let setup = "(White (King b2)) (Black (Man c1))";
    assert!(holds("(and friend? (friend? n) (enemy? e) (empty? w))", setup));
    assert!(holds("(and (not-friend? e) (not-enemy? n) (not-empty? e) (not-neutral? n))", setup));
    assert!(holds("(and (piece? King n) (piece? Man e) (not-piece? King e) (not-piece? Man w))", setup));
    assert!(holds("(and (enemy? c1) (friend? (opposite s)) (empty? (opposite e)))", setup));
}

#[test]
fn off_the_board_a_condition_is_false_and_its_contrary_true() {
    for word in [
        "empty?",
        "friend?",
        "enemy?",
        "neutral?",
        "on-board?",
        "last-to?",
        "last-from?",
        "marked?",
        "attacked?",
        "defended?",
    ] {
        assert!(!holds(&format!("({word} s)"), ""), "{word}");
        assert!(holds(&format!("(not-{word} s)"), ""), "not-{word}");
    }
    for word in ["piece? Man", "position? a1", "goal-position?", "adjacent-to-enemy?"] {
        assert!(!holds(&format!("({word} s)"), "(Black (King a1 c1 b2))"), "{word}");
        assert!(holds(&format!("(not-{word} s)"), "(Black (King a1 c1 b2))"), "not-{word}");
    }
    assert!(!holds("(tired s)", "") && holds("(not-tired s)", ""));
    let flag = |test: &str| ends(&format!("((set-position-flag p true) (verify ({test} p s)) a4 add)"), "").len();
    assert_eq!([flag("position-flag?"), flag("not-position-flag?")], [0, 1]);
}

#[test]
fn on_board_without_a_place_is_true() {
    assert!(holds("on-board?", "") && holds("(on-board? n)", "") && !holds("not-on-board?", ""));
}

#[test]
fn and_or_not_and_words_in_a_row() {
    assert!(holds("(and)", "") && !holds("(or)", ""));
    assert!(holds("(and true true true)", "") && !holds("(and true false)", ""));
    assert!(holds("(or false false true)", "") && holds("(not (or false false))", ""));
    assert!(!holds("(not (empty? n))", "") && !holds("(not-empty? n)", "") && !holds("(not not-empty?)", ""));
}

#[test]
fn the_mark_is_asked_for() {
    assert_eq!(ends("((mark n) (verify (and not-marked? (marked? n))) n (verify marked?) add)", ""), ["b2"]);
}

#[test]
fn flags_are_seen_at_once() {
    assert_eq!(
        ends("((set-flag f true) (verify (flag? f)) (set-flag f false) (verify (not-flag? f)) n add)", ""),
        ["b2"]
    );
    assert_eq!(
        ends("((set-position-flag p true n) (verify (not-position-flag? p)) n (verify (position-flag? p)) add)", ""),
        ["b2"]
    );
    assert_eq!(
        ends("(n (set-position-flag p true) (set-position-flag p false) (verify (not-position-flag? p)) add)", ""),
        ["b2"]
    );
}

#[test]
fn a_flag_takes_the_value_of_any_condition() {
    let block = "((set-flag f (enemy? n)) e (if (flag? f) n) add)";
    assert_eq!(ends(block, ""), ["c1"]);
    assert_eq!(ends(block, "(Black (King b2))"), ["c2"]);
}

#[test]
fn effects_are_not_seen() {
    let enemy = "(Black (King b2))";
    assert_eq!(ends("(n capture (verify enemy?) n add)", enemy), ["b3"]);
    assert_eq!(ends("(n (create Man) (verify empty?) n add)", ""), ["b3"]);
    assert_eq!(ends("(n flip (verify enemy?) n add)", enemy), ["b3"]);
    assert_eq!(ends("(n (change-owner) (verify enemy?) n add)", enemy), ["b3"]);
    assert_eq!(ends("(n (change-type Man) (verify (piece? King)) n add)", enemy), ["b3"]);
}

#[test]
fn the_moving_piece_still_stands_on_its_start() {
    assert_eq!(ends("(n s (verify friend?) e add)", ""), ["c1"]);
    assert_eq!(ends("(n cascade s (verify friend?) e add)", "(White (King b2))").len(), 1);
}

/// Gwangsanghui.zsg, plies 47, 160 and 161: the capture of a general marks pieces and goes on to test the marks, and the
/// recorded moves come out only if each test sees what was there before.
#[test]
fn an_attribute_is_tested_as_it_was_before_the_move() {
    assert!(ends("((set-attribute tired true) (verify tired) n add)", "").is_empty());
    assert_eq!(ends("((set-attribute tired true) (verify not-tired) n add)", ""), ["b2"]);
    assert_eq!(ends("((set-attribute tired true e) (verify (not-tired e)) n add)", "(Black (Man c1))"), ["b2"]);
    // Values are computed when they are noted: the second setting does not see the first.
    let twice = "(n (set-attribute tired (not-tired s)) (set-attribute tired (not-tired s)) add)";
    assert_eq!(man(twice, "(White (Man b1))").after("b2").pieces(), "(White (Man b2[tired]))");
}

#[test]
fn the_next_part_sees_an_attribute_that_the_last_one_set() {
    let blocks =
        "(move-type go) ((verify not-tired) n (set-attribute tired true) (add-partial go)) ((verify tired) e add)";
    let trial = man(blocks, "(White (Man b1))");
    assert_eq!(trial.moves(), ["+ b1 - b2 Man"]);
    assert_eq!(trial.after("b2").moves(), ["b2 - c2 Man"]);
}

#[test]
fn programs_may_choose_that_attributes_are_seen_at_once() {
    let rest = "(piece (name Man) (attribute tired false) (moves ((set-attribute tired true) (verify tired) n add)))
        (board-setup (White (Man b1)))";
    let text = Game { rest, ..GAME }.text();
    let moves = |attributes| Trial::with(&text, &Settings { attributes, ..Settings::default() }).moves().len();
    assert_eq!([moves(AttributeView::Now), moves(AttributeView::Before)], [1, 0]);
    assert_eq!(AttributeView::default(), AttributeView::Before);
}

#[test]
fn an_attribute_that_the_type_does_not_declare_starts_false() {
    assert!(holds("(not-tired n)", "(White (King b2))") && !holds("(tired n)", "(White (King b2))"));
    assert!(holds("(and (not-tired n) (not (tired n)))", ""), "nor does an empty square have it");
}

/// Gwangsanghui.zsg, plies 160 and 161: the first marks an EastGuard, whose type does not declare the mark, and the second
/// takes the mark off again.
#[test]
fn every_piece_can_carry_every_attribute() {
    let toggle = "((set-attribute tired (not-tired b2) b2) w add)";
    let trial = || man(toggle, "(White (Man c1) (King b2)) (Black (Man d4))");
    assert_eq!(trial().after("b1").pieces(), "(White (Man b1) (King b2[tired])) (Black (Man d4))");
    assert_eq!(trial().after("b1, c4").pieces(), "(White (Man b1) (King b2)) (Black (Man c4))");
}

#[test]
fn zones_are_empty_for_who_has_none() {
    let game = Game {
        board: "(zone (name z) (players Black) (positions a1 b1 a2))",
        rest: "(piece (name Man) (moves ((verify (in-zone? z)) n add) ((verify (not-in-zone? z n)) e add)))
            (board-setup (White (Man a1)))",
        ..GAME
    };
    assert_eq!(game.start().moves(), ["a1 - b1 Man"]);
}

#[test]
fn last_from_and_last_to_are_of_the_last_move() {
    let block = "(n add) (s (verify (last-from? a3)) (verify (last-to? b3)) add) (e add)";
    let trial = man(block, "(White (Man a3)) (Black (Man d3))").after("a3 - b3");
    assert_eq!(trial.moves(), ["d3 - d4 Man", "d3 - d2 Man"]);
    assert!(holds("(and not-last-from? not-last-to? (not-last-from? n))", ""), "there is none at the start");
    let trial =
        man("(n add) ((go last-to) s add) ((go last-from) add)", "(White (Man a1)) (Black (Man d1))").after("a2");
    assert_eq!(trial.moves(), ["d1 - d2 Man", "d1 - a1 Man"]);
}

#[test]
fn last_from_and_last_to_are_of_the_first_piece_of_a_cascade_and_a_drop_has_only_an_end() {
    let game = Game {
        rest: "(piece (name Man)
              (moves (n cascade e add) ((verify (and (last-from? a1) (last-to? a2))) w add))
              (drops ((verify (position? c4)) add)))
            (piece (name Scout) (moves ((verify (last-to? c4)) (verify (not-last-from? c4)) w add)))
            (board-setup (White (Man a1 off 1) (King a2)) (Black (Man d1) (Scout d3)))
            (piece (name King))",
        ..GAME
    };
    assert!(game.start().after("a1 - a2").moves().contains(&"d1 - c1 Man".to_owned()));
    assert!(game.start().after("c4 Man").moves().contains(&"d3 - c3 Scout".to_owned()));
}

#[test]
fn attacked_means_that_an_enemy_can_land_or_capture_there() {
    let blocks = |black: &str| {
        format!(
            "(piece (name Man) (moves ((verify (attacked? n)) n add) ((verify attacked?) e add)))
             (piece (name Cat) (moves {black})) (board-setup (White (Man b1)) (Black (Cat b3 d1)))"
        )
    };
    let moves = |black: &str| Game { rest: &blocks(black), ..GAME }.start().moves();
    assert_eq!(moves("(s add)"), ["b1 - b2 Man"], "an empty square is attacked by who can go there");
    assert_eq!(moves("(s (verify enemy?) add)"), Vec::<String>::new());
    assert_eq!(moves("(w (while empty? add w) (verify enemy?) add)"), ["b1 - c1 Man"]);
    assert_eq!(moves("(w w (verify enemy?) capture e add)"), ["b1 - c1 Man"], "a capture on the way counts");
    assert_eq!(moves("(s s (create White) n add)"), ["b1 - b2 Man"]);
}

#[test]
fn the_mover_still_shields_what_is_behind_it() {
    let rest = "(piece (name Man) (moves (w (verify not-attacked?) add)))
        (piece (name Rook) (moves (w (while empty? add w) (verify enemy?) add)))
        (board-setup (White (Man b1)) (Black (Rook d1)))";
    assert_eq!(Game { rest, ..GAME }.start().moves(), ["b1 - a1 Man"]);
}

#[test]
fn attacked_may_name_a_move_type() {
    let rest = "(piece (name Man) (moves ((verify (attacked? hit n)) n add) ((verify (attacked? hit)) e add) ((verify (not-attacked? hit w)) w add)))
        (piece (name Cat) (moves (w add) (move-type hit) (s add)))
        (board-setup (White (Man b1)) (Black (Cat b3 c1)))";
    assert_eq!(Game { rest, ..GAME }.start().moves(), ["b1 - b2 Man", "b1 - a1 Man"]);
}

#[test]
fn whether_an_attack_would_be_legal_is_not_asked() {
    let rest = "(piece (name Man) (moves ((verify (attacked? n)) e add)))
        (piece (name Cat) (moves (s add))) (piece (name King))
        (board-setup (White (Man a1)) (Black (Cat a3) (King c3)) (White (Cat a4)))
        (loss-condition (White Black) (checkmated King))";
    assert_eq!(Game { rest, ..GAME }.start().moves()[0], "a4 x a3 Cat");
    assert!(Game { rest, ..GAME }.start().moves().contains(&"a1 - b1 Man".to_owned()));
}

#[test]
fn an_attack_that_asks_about_attacks_is_answered_with_no() {
    let king = "(verify not-attacked?)";
    let rest = format!(
        "(piece (name King) (moves (n {king} add) (s {king} add) (e {king} add))) (board-setup (White (King a1)) (Black (King a3)))"
    );
    assert_eq!(Game { rest: &rest, ..GAME }.start().moves(), ["a1 - b1 King"], "a2 is attacked by the other king");
    let rest = rest
        .replace("(board-setup", "(piece (name Cat) (moves (s (verify attacked?) add))) (board-setup (Black (Cat b2))");
    assert_eq!(Game { rest: &rest, ..GAME }.start().moves(), ["a1 - b1 King"], "within, attacked? itself is false");
}

#[test]
fn all_enemies_attack() {
    let rest = "(piece (name Man) (moves (e (verify not-attacked?) add) (n (verify not-attacked?) add) (ne (verify not-attacked?) add)))
        (piece (name Cat) (moves (s add))) (board-setup (A (Man a1)) (B (Cat b2)) (C (Cat a3)) (N (Cat b3)))";
    let game = Game { players: "A B C N", turns: "A B C", rest, ..GAME };
    assert_eq!(game.start().moves(), ["a1 x b2 Man"], "neutral pieces attack nothing");
}

#[test]
fn defended_is_the_same_for_own_pieces() {
    let rest = "(piece (name Man) (moves ((verify (defended? n)) n add) ((verify (not-defended? e)) e add) ((verify not-defended?) w add)))
        (piece (name Cat) (moves (w (verify not-friend?) add))) (board-setup (White (Man b1) (Cat c2 d1)))";
    // The cat on c2 covers b2 and the one on d1 covers c1; the man covers himself with nobody.
    assert_eq!(Game { rest, ..GAME }.start().moves()[..2], ["b1 - b2 Man", "b1 - a1 Man"]);
    let rest = rest.replace("Cat c2 d1", "Cat c1");
    let moves = Game { rest: &rest, ..GAME }.start().moves();
    assert!(
        !moves.contains(&"b1 - a1 Man".to_owned()),
        "an own piece is defended by who could capture it if it were not own"
    );
}

#[test]
fn the_piece_that_asks_does_not_defend() {
    let game = |cat: &str| {
        let rest = format!(
            "(piece (name Man) (moves (n (verify not-defended?) (add Man Cat)) (nw e add)))
             (piece (name Cat) (moves (w add))) (board-setup (White (Man b1) (Cat {cat})))"
        );
        Game { rest: &rest, ..GAME }.start().moves().contains(&"b1 - b2 Man Cat".to_owned())
    };
    // The man himself can go to b2, by another of his blocks: that is not what he asks.
    assert!(game("d4") && !game("c2"));
}

#[test]
fn unknown_conditions_are_errors_and_unknown_things_warnings() {
    let codes = |condition: &str| {
        let rest = format!("(piece (name Man) (moves (n (verify {condition}) add))) (board-setup (White (Man a1)))");
        Game { rest: &rest, ..GAME }.codes()
    };
    assert_eq!(codes("free?"), ["zrf-unknown-condition"]);
    assert_eq!(codes("(piece? Queen)"), ["zrf-unknown-name"]);
    assert_eq!(codes("(not-in-zone? far)"), ["zrf-unknown-name"]);
    assert_eq!(codes("(enemy? up)"), ["zrf-malformed-step"]);
}

#[test]
fn goal_positions_and_neighbours() {
    let rest = "(piece (name Man) (moves (n (verify goal-position?) add) (e (verify not-goal-position?) add) (w (verify adjacent-to-enemy?) add)))
        (board-setup (White (Man b1 c3)) (Black (Man a2))) (win-condition (White) (absolute-config Man (b2 c4)))";
    assert_eq!(
        Game { rest, ..GAME }.start().moves(),
        ["b1 - b2 Man", "b1 - c1 Man", "b1 - a1 Man", "c3 - c4 Man", "c3 - d3 Man", "c3 - b3 Man"]
    );
}

#[test]
fn a_condition_that_lacks_its_name_is_one_finding() {
    for word in ["piece?", "not-piece?", "in-zone?", "position?", "flag?", "not-position-flag?"] {
        let rest = format!("(piece (name Man) (moves (n (verify ({word})) add)))");
        assert_eq!(Game { rest: &rest, ..GAME }.codes(), ["zrf-malformed-step"], "{word}");
    }
}
