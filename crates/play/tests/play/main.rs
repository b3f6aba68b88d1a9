//! A game in progress, on draughts for one rank: its tree, its past and its starts.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use dagaz_engine::{Executor, History, Interpreter, Situation, Step};
use dagaz_ir::Placement;
use dagaz_lang_zrf::{Settings, compile};
use dagaz_play::{Edit, EditError, Play, PlayError};

/// Men of two sides on one rank, who step either way and jump in chains. Chance turns a coin between the sides' turns.
const RANK: &str = r#"
(define step ($1 (verify empty?) add))
(define jump ($1 (verify enemy?) capture $1 (verify empty?) (add-partial jumping)))
(game
   (title "Rank")
   (players White Black ?Coin)
   (turn-order White ?Coin Black)
   (option "pass partial" true)
   (board
      (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e/f/g/h/i/j" (10 0))) (directions (e 1) (w -1)))
      (positions (coin 0 10 9 19)))
   (piece (name Man)
      (moves (move-type jumping) (jump e) (jump w) (move-type stepping) (step e) (step w)))
   (piece (name Heads) (moves ((change-type Tails) add)))
   (piece (name Tails) (moves ((change-type Heads) add)))
   (board-setup (White (Man a f)) (Black (Man b d j)) (?Coin (Heads coin)))
   (loss-condition (White Black) (pieces-remaining 0)))
"#;

fn executor() -> Arc<dyn Executor> {
    let compiled = compile("rank.zrf", RANK.as_bytes(), &mut |_: &str| None, &Settings::default());
    let text = compiled.diagnostics.render(&compiled.sources);
    Arc::new(Interpreter::new(Arc::new(compiled.game.unwrap_or_else(|| panic!("{text}")).rules)))
}

/// The first legal step between these sites.
fn step(play: &Play, from: &str, to: &str) -> Step {
    let site = |name| play.rules().topology.site(name);
    let found = play.legal_steps().unwrap().iter().find(|step| step.from == site(from) && step.to == site(to));
    found.unwrap_or_else(|| panic!("{from} - {to} is not legal")).clone()
}

fn go(play: &mut Play, from: &str, to: &str) {
    let step = step(play, from, to);
    play.play(&step).unwrap();
}

fn name(play: &Play) -> &str {
    &play.rules().players[play.to_move()].name
}

#[test]
fn rounds_rise_when_the_order_of_turns_starts_anew() {
    let mut play = Play::new(executor());
    let mut seen = Vec::new();
    for (from, to) in [("f", "g"), ("coin", "coin"), ("j", "i"), ("a", "c")] {
        go(&mut play, from, to);
        seen.push((name(&play).to_owned(), play.round()));
    }
    let expected = [("?Coin", 1), ("Black", 1), ("White", 2), ("White", 2)];
    assert_eq!(seen, expected.map(|(name, round)| (name.to_owned(), round)));
    assert!(play.in_chain());
}

#[test]
fn the_past_is_the_line_to_the_cursor() {
    let mut play = Play::new(executor());
    assert_eq!((play.past().moves(), play.past().last_mover()), (0, None));
    go(&mut play, "a", "c");
    // The jump goes on: the move is not made yet.
    assert_eq!((play.past().moves(), play.past().captured().len()), (0, 0));
    assert_eq!(play.node(play.cursor()).captured.len(), 1);
    let stop = play.legal_steps().unwrap().last().unwrap().clone();
    play.play(&stop).unwrap();
    assert_eq!((play.past().moves(), play.past().captured().len()), (1, 1));
    let white = play.rules().players.ids().next();
    assert_eq!(play.past().last_mover(), white);
    go(&mut play, "coin", "coin");
    assert_eq!((play.past().moves(), play.past().captured().len()), (2, 0));
}

#[test]
fn a_state_occurs_as_often_as_it_stood_between_moves() {
    let mut play = Play::new(executor());
    assert_eq!(play.past().occurrences(play.state().keys()), 0);
    for (from, to) in [("f", "g"), ("coin", "coin"), ("j", "i"), ("g", "f"), ("coin", "coin"), ("i", "j")] {
        go(&mut play, from, to);
    }
    assert_eq!(play.past().occurrences(play.state().keys()), 1);
    assert_eq!(play.past().occurrences(play.executor().initial().keys()), 1);
    play.undo();
    assert_eq!(play.past().occurrences(play.executor().initial().keys()), 1);
    play.jump(play.root());
    assert_eq!(play.past().occurrences(play.executor().initial().keys()), 0);
}

#[test]
fn branches_are_kept_and_every_state_is_reached_at_once() {
    let mut play = Play::new(executor());
    go(&mut play, "f", "g");
    go(&mut play, "coin", "coin");
    let main = play.cursor();
    assert!(play.undo() && play.undo() && !play.undo());
    go(&mut play, "a", "c");
    let branch = play.cursor();
    assert_eq!(play.node(play.root()).children.len(), 2);
    // The same step from the same state leads to the same node.
    play.jump(play.root());
    go(&mut play, "a", "c");
    assert_eq!(play.cursor(), branch);
    assert_eq!(play.nodes().len(), 4);
    // Forward goes where one has been last.
    play.undo();
    play.redo();
    assert_eq!(play.cursor(), branch);
    play.jump(main);
    assert_eq!(play.steps_made().count(), 2);
    play.jump(play.root());
    assert!(play.redo() && play.redo() && !play.redo());
    assert_eq!(play.cursor(), main);
    play.promote(branch);
    assert_eq!(play.node(play.root()).children[0], branch);
}

#[test]
fn a_move_is_taken_back_with_all_its_steps() {
    let mut play = Play::new(executor());
    go(&mut play, "a", "c");
    let stop = play.legal_steps().unwrap().last().unwrap().clone();
    play.play(&stop).unwrap();
    let end = play.cursor();
    assert!(play.undo_move());
    assert_eq!(play.cursor(), play.root());
    assert!(play.redo_move());
    assert_eq!(play.cursor(), end);
    assert_eq!(play.line_to(end).len(), 3);
}

#[test]
fn what_is_refused_changes_nothing_and_is_kept() {
    let mut play = Play::new(executor());
    let wrong = Step { to: None, ..step(&play, "f", "g") };
    let before = play.cursor();
    assert_eq!(play.play(&wrong), Err(PlayError::Illegal { step: Box::new(wrong.clone()) }));
    assert_eq!((play.cursor(), play.nodes().len()), (before, 1));
}

#[test]
fn a_game_ends_and_lets_nobody_move() {
    let rules = executor().rules().clone();
    let black = rules.players.ids().nth(1).unwrap();
    let site = |name| rules.topology.site(name).unwrap();
    let man = rules.kinds.ids().next().unwrap();
    let edits = vec![
        Edit::Remove(site("b")),
        Edit::Remove(site("j")),
        Edit::Place(Placement::Piece(black, man, site("d"))),
        Edit::Remove(site("d")),
        Edit::Place(Placement::Piece(black, man, site("g"))),
    ];
    let mut play = Play::from_edits(executor(), edits.clone()).unwrap();
    assert_eq!(play.edits(), edits);
    let last = step(&play, "f", "h");
    play.play(&last).unwrap();
    let outcome = play.outcome().unwrap().expect("no man is left").clone();
    assert!(matches!(play.situation(), Ok(Situation::Over(_))));
    assert_eq!(play.legal_steps(), Ok(&[][..]));
    assert_eq!(play.play(&last), Err(PlayError::Over { step: Box::new(last.clone()), outcome }));
    // The same state, reached without a past, knows how it differs from the start.
    let again = Play::from_state(executor(), play.state().clone());
    let rebuilt = Play::from_edits(executor(), again.edits().to_vec()).unwrap();
    assert_eq!(rebuilt.state(), play.state());
}

#[test]
fn edits_that_cannot_be_are_refused() {
    let executor = executor();
    let rules = executor.rules().clone();
    let (white, man) = (rules.players.ids().next().unwrap(), rules.kinds.ids().next().unwrap());
    let turn = rules.known().turn;
    let fault = |edit| Play::from_edits(executor.clone(), vec![edit]).unwrap_err();
    let hand = Edit::Place(Placement::Hand(white, man, 1));
    assert_eq!(fault(hand), EditError::NoHands { edit: hand });
    let cell = |index, value| Edit::Place(Placement::Cell(turn, index, value));
    assert_eq!(fault(cell(1, 0)), EditError::NoSuchCell { field: turn, index: 1, count: 1 });
    assert_eq!(fault(cell(0, 3)), EditError::OutOfRange { field: turn, low: 0, high: 2, value: 3 });
}
