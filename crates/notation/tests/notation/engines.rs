//! Moves as engine protocols write them.

use dagaz_engine::{History, Line, NoHistory};
use dagaz_notation::coordinates::{Coordinates, Style};
use dagaz_notation::gtp::{Points, Scoring};
use dagaz_notation::san::pgn;

use crate::games::{DROPS, PAWNS, executor, played};

/// A chain of captures across a board of four rows.
const JUMPS: &str = r#"
(define jump ($1 (verify enemy?) capture $1 (verify empty?) (add-partial jumping)))
(game
   (title "Jumps")
   (players White Black)
   (turn-order White Black)
   (board
      (grid (start-rectangle 0 0 9 9) (dimensions ("x1/x2/x3/x4/x5" (10 0)) ("d/c" (0 10))) (directions (e 1 0) (w -1 0))))
   (piece (name Man) (moves (move-type jumping) (jump e) (jump w)))
   (board-setup (White (Man x1d)) (Black (Man x2d x4d))))
"#;

/// Stones on a board without a capture, scored by how many there are; the second player gets three.
const STONES: &str = r#"
(define stone ((choose p (positions empty?) (to p) (put me Stone) (set passes 0) add)))
(define pass ((set passes (+ passes 1)) add))
(game
   (title "Stones")
   (players Black White)
   (turn-order Black White)
   (board
      (grid (start-rectangle 0 0 9 9) (dimensions ("p/q/r" (10 0)) ("1/2/3" (0 10))) (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0))))
   (variable passes 0 memory)
   (piece (name Stone))
   (moves (stone) (pass))
   (score-condition (>= passes 2) (+ (* 9 (count (pieces my?))) (if (= me White) 3 0))))
"#;

fn texts(rules: &str, style: Style) -> Vec<String> {
    let executor = executor(rules);
    let coordinates = Coordinates::new(&*executor, style).unwrap();
    let moves = coordinates.moves(&executor.initial(), &NoHistory).unwrap();
    moves.into_iter().map(|(text, _)| text).collect()
}

#[test]
fn sites_are_named_by_their_place_whatever_the_rules_call_them() {
    assert_eq!(texts(JUMPS, Style::Uci), ["a2c2e2"], "both jumps are one move");
    assert_eq!(texts(JUMPS, Style::Ucci), ["a1c1e1"]);
    assert_eq!(texts(JUMPS, Style::Usi), ["5a3a1a"]);
}

#[test]
fn promotions_drops_and_passes_have_their_forms() {
    let play = played(PAWNS, &["a1 - a2", "pass"]);
    let executor = &**play.executor();
    let coordinates = Coordinates::new(executor, Style::Uci).unwrap();
    let read = |text: &str| coordinates.read(play.state(), &play.past(), text).unwrap();
    let all: Vec<String> =
        coordinates.moves(play.state(), &play.past()).unwrap().into_iter().map(|(text, _)| text).collect();
    for text in ["a2a3q", "a2a3r", "0000"] {
        assert!(all.contains(&text.to_owned()), "{all:?}");
        assert_eq!(coordinates.write(&read(text).unwrap()).as_deref(), Some(text));
    }
    assert_eq!(read("a2a3Q"), read("a2a3q"), "either case will do");
    assert_eq!((read("a2a3"), read("a2a3+")), (None, None), "there are several to choose from");
    let drops = texts(DROPS, Style::Usi);
    assert!(drops.contains(&"S*4a".to_owned()), "{drops:?}");
    assert!(texts(DROPS, Style::Uci).contains(&"S@a2".to_owned()));
}

/// A pawn that becomes another kind of man by the rule alone, and one whose name ends in the name of another.
const TURNS: &str = r#"
(define turn ($1 (verify empty?) (change-type $2) add))
(define stay ($1 (verify empty?) add))
(game
   (title "Turns")
   (players White Black)
   (turn-order White Black)
   (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("3/2/1" (0 10))) (directions (n 0 -1))))
   (piece (name Knight))
   (piece (name Promoted-Knight))
   (piece (name Pawn) (moves (turn n Promoted-Knight) (stay n)))
   (board-setup (White (Pawn a2)) (Black (Knight c1))))
"#;

#[test]
fn who_becomes_another_by_the_rule_promotes() {
    assert_eq!(texts(TURNS, Style::Uci), ["a2a3k", "a2a3"]);
    assert_eq!(texts(TURNS, Style::Usi), ["3b3a+", "3b3a"]);
    let play = played(TURNS, &["a2 - a3 turn"]);
    assert!(pgn(&play, &[], "*").unwrap().ends_with("1. a3=K *\n\n"));
}

#[test]
fn points_are_named_without_the_letter_i_from_the_bottom() {
    let executor = executor(STONES);
    let points = Points::of(&*executor).unwrap();
    assert_eq!(points.size(), (3, 3));
    // The rules count rows from the top here.
    let site = |name: &str| executor.rules().topology.site(name).unwrap();
    assert_eq!(points.vertex(site("p3")).as_deref(), Some("A3"));
    assert_eq!(points.read("c1"), Some(Some(site("r1"))));
    assert_eq!(
        (points.read("PASS"), points.read("i1"), points.read("a0"), points.read("a4")),
        (Some(None), None, None, None)
    );
}

#[test]
fn the_komi_of_the_rules_is_found() {
    let executor = executor(STONES);
    let scoring = Scoring::of(&*executor).unwrap().unwrap();
    // A stone counts nine, of nine points: a unit is a point.
    assert_eq!((scoring.komi, scoring.unit, scoring.points()), (3, 1, 3.0));
    let (mut state, line) = (executor.initial(), Line::new());
    let step = executor.steps(&state, &line).unwrap().swap_remove(4);
    executor.apply(&mut state, &step).unwrap();
    assert_eq!(scoring.margin(&*executor, &state).unwrap(), Some(9.0));
    assert_eq!(line.moves(), 0);
    assert_eq!(Scoring::of(&*crate::games::executor(PAWNS)).unwrap(), None);
}

#[test]
fn algebraic_notation_says_what_is_needed_and_no_more() {
    let play = played(PAWNS, &["a1xb2", "c3xb2 take"]);
    let text = pgn(&play, &[("Event", "a \"test\""), ("White", "A")], "*").unwrap();
    assert_eq!(text, "[Event \"a \\\"test\\\"\"]\n[White \"A\"]\n\n1. axb2 cxb2 *\n\n");
    let play = played(PAWNS, &["a1 - a2", "b2 - b1 push n Rook", "a2a3 Queen"]);
    assert!(pgn(&play, &[], "1-0").unwrap().ends_with("\n1. a2 b1=R 2. a3=Q 1-0\n\n"));
}
