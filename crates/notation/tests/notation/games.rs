//! The games that notation is judged on.

use std::sync::Arc;

use dagaz_engine::{Executor, Interpreter, Step};
use dagaz_lang_zrf::{Settings, compile};
use dagaz_notation::universal;
use dagaz_play::Play;

/// Pawns that go straight, take aslant and promote by choice; a player may pass.
pub(crate) const PAWNS: &str = r#"
(define push ($1 (verify empty?) (if (in-zone? far) (add Queen Quail Rook) else add)))
(define take ($1 (verify enemy?) (if (in-zone? far) (add Queen Quail Rook) else add)))
(define slide ($1 (while empty? add $1) (verify enemy?) add))
(game
   (title "Pawns")
   (players White Black)
   (turn-order White Black)
   (option "pass turn" true)
   (board
      (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("3/2/1" (0 10)))
            (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0) (ne 1 -1) (nw -1 -1) (se 1 1) (sw -1 1)))
      (symmetry Black (n s) (s n) (ne se) (nw sw) (se ne) (sw nw))
      (zone (name far) (players White) (positions a3 b3 c3))
      (zone (name far) (players Black) (positions a1 b1 c1)))
   (piece (name Pawn) (moves (push n) (take ne) (take nw)))
   (piece (name Queen) (moves (slide n) (slide s) (slide e) (slide w)))
   (piece (name Quail) (moves (slide ne)))
   (piece (name Rook) (moves (slide n) (slide e)))
   (board-setup (White (Pawn a1) (Queen c1)) (Black (Pawn b2 c3))))
"#;

/// Jumps in chains that may stop, and steps that may age a man, on sites whose names hold signs, digits and each other.
pub(crate) const CHAINS: &str = r#"
(define step ($1 (verify empty?) add (set-attribute old? true) add))
(define jump ($1 (verify enemy?) capture $1 (verify empty?) (add-partial jumping)))
(game
   (title "Chains")
   (players White Black)
   (turn-order White Black)
   (option "pass partial" true)
   (board
      (grid (start-rectangle 0 0 9 9) (dimensions ("x/-/+1/x-/1/11/x1/-x/pass" (10 0))) (directions (e 1) (w -1))))
   (piece (name Man) (attribute tired? false) (attribute old? false)
      (moves (move-type jumping) (jump e) (jump w)
             (move-type stepping) (step e) (step w)))
   (board-setup (White (Man x 11)) (Black (Man - x- -x)))
   (loss-condition (White Black) (pieces-remaining 0)))
"#;

/// Pieces from the hand, captured pieces that go back there, a shove of two and a piece that changes sides.
pub(crate) const DROPS: &str = r#"
(define put ((verify empty?) add))
(define shove ($1 (verify not-empty?) cascade $1 (verify empty?) add))
(define turn ($1 (verify enemy?) change-owner (change-type Wall) back $2 (verify empty?) add))
(define take ($1 (verify enemy?) add))
(define roll ($1 (verify empty?) (create Stone) back flip add))
(game
   (title "Drops")
   (players First Second)
   (turn-order First Second)
   (option "recycle captures" true)
   (board
      (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)) ("2/1" (0 10)))
            (directions (e 1 0) (w -1 0) (n 0 -1) (s 0 1))))
   (piece (name Stone) (drops (put)) (moves (shove e) (shove w) (take e) (take w) (turn e n) (roll s)))
   (piece (name Wall) (drops (put)) (moves (take n) (take s)))
   (board-setup (First (Stone a1 off 2) (Wall off 1)) (Second (Stone c1 d2 off 2)))
   (draw-condition (First Second) (pieces-remaining 0)))
"#;

pub(crate) const ALL: [&str; 3] = [PAWNS, CHAINS, DROPS];

/// What runs the rules of a text.
pub(crate) fn executor(text: &str) -> Arc<dyn Executor> {
    let compiled = compile("test.zrf", text.as_bytes(), &mut |_: &str| None, &Settings::default());
    let faults = compiled.diagnostics.render(&compiled.sources);
    Arc::new(Interpreter::new(Arc::new(compiled.game.unwrap_or_else(|| panic!("{faults}")).rules)))
}

/// A game in which these steps were made, in any form that reads.
pub(crate) fn played(text: &str, steps: &[&str]) -> Play {
    let mut play = Play::new(executor(text));
    for text in steps {
        let step = read(&play, text).unwrap_or_else(|error| panic!("{error}"));
        play.play(&step).unwrap();
    }
    play
}

/// Reads a step in universal notation.
pub(crate) fn read(play: &Play, text: &str) -> Result<Step, universal::ReadError> {
    let steps = play.legal_steps().unwrap();
    universal::read(&**play.executor(), play.state(), steps, text).cloned()
}

/// Reads a whole move.
pub(crate) fn read_move(play: &Play, text: &str) -> Result<Vec<Step>, universal::ReadError> {
    universal::read_move(&**play.executor(), play.state(), play.legal_steps().unwrap(), text)
}

/// The texts of all legal steps.
pub(crate) fn texts(play: &Play) -> Vec<String> {
    universal::write_all(&**play.executor(), play.state(), play.legal_steps().unwrap()).unwrap()
}
