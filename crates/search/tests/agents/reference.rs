//! Alpha-beta with all that it leaves out, against the plainest search, which leaves out nothing.

use dagaz_base::{Id, Random};
use dagaz_engine::{Share, Situation};
use dagaz_notation::fen::Fen;
use dagaz_play::Play;
use dagaz_search::{AlphaBeta, Score};

use crate::game::{TIC_TAC_TOE, after, ask, depth};

/// Pieces step forward, straight or to the side, and capture to the side; who comes to the last row has won, who cannot move has
/// lost.
const THROUGH: &str = r#"
(define step ($1 (verify empty?) add))
(define slant ($1 (verify (not-friend? )) add))
(game
   (title "Through")
   (players White Black)
   (turn-order White Black)
   (board
      (grid (start-rectangle 0 0 10 10) (dimensions ("a/b/c" (10 0)) ("5/4/3/2/1" (0 10)))
            (directions (n 0 -1) (s 0 1) (nw -1 -1) (ne 1 -1) (sw -1 1) (se 1 1)))
      (symmetry Black (n s) (s n) (nw sw) (sw nw) (ne se) (se ne))
      (zone (name goal) (players White) (positions a5 b5 c5))
      (zone (name goal) (players Black) (positions a1 b1 c1)))
   (piece (name Man) (moves (step n) (slant nw) (slant ne)))
   (board-setup (White (Man a1 b1 c1)) (Black (Man a5 b5 c5)))
   (win-condition (White Black) (absolute-config Man (goal)))
   (loss-condition (White Black) stalemated)
)
"#;

/// Three men on a ring of points move to any empty neighbour, or capture there; who has lost two men has lost. States come back.
const RING: &str = r#"
(define go ($1 (verify not-friend?) add))
(game
   (title "Ring")
   (players White Black)
   (turn-order White Black)
   (board
      (grid (start-rectangle 0 0 10 10) (dimensions ("a/b/c" (10 0)) ("2/1" (0 10)))
            (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0))))
   (piece (name Man) (moves (go n) (go s) (go e) (go w)))
   (board-setup (White (Man a1 b1)) (Black (Man c2 b2)))
   (loss-condition (White Black) (pieces-remaining 0))
   (loss-condition (White Black) stalemated)
)
"#;

/// What the player to move can reach within so many moves: a win or a loss with its distance, or neither. Every step is tried, with
/// no bounds.
fn solve(play: &mut Play, depth: u32) -> Option<(bool, u32)> {
    let mover = play.to_move();
    let steps = match play.situation().expect("rules that run") {
        Situation::Over(outcome) => {
            return match outcome.shares[mover.index()] {
                Share::Win => Some((true, 0)),
                Share::Loss => Some((false, 0)),
                _ => None,
            };
        }
        Situation::Open(steps) => steps.clone(),
    };
    if depth == 0 {
        return None;
    }
    let (mut win, mut loss, mut open) = (None::<u32>, 0, false);
    for step in &steps {
        play.play(step).expect("a legal step");
        match solve(play, depth - 1) {
            Some((false, moves)) => win = Some(win.map_or(moves + 1, |least| least.min(moves + 1))),
            Some((true, moves)) => loss = loss.max(moves + 1),
            None => open = true,
        }
        assert!(play.undo());
    }
    match win {
        Some(moves) => Some((true, moves)),
        None if open => None,
        None => Some((false, loss)),
    }
}

fn said(score: Option<Score>) -> Option<(bool, u32)> {
    match score {
        Some(Score::Win(moves)) => Some((true, moves)),
        Some(Score::Loss(moves)) => Some((false, moves)),
        _ => None,
    }
}

/// States after random moves, held against the reference.
fn compare(rules: &str, seeds: u64, moves: usize, plies: u32) -> usize {
    let (agent, start, mut proven) = (AlphaBeta::default(), after(rules, ""), 0);
    for seed in 0..seeds {
        let (mut random, mut play) = (Random::new(seed), start.clone());
        for _ in 0..moves {
            let step = match play.situation().expect("rules that run") {
                Situation::Over(_) => break,
                Situation::Open(steps) => random.choose(steps).expect("a step").clone(),
            };
            play.play(&step).expect("a legal step");
        }
        if matches!(play.situation(), Ok(Situation::Over(_))) {
            continue;
        }
        let expected = solve(&mut play.clone(), plies);
        let choice = ask(&agent, &play, depth(plies));
        // Captures that go on and moves that are forced may show more than so many moves ahead; never less, and never wrongly.
        match (expected, said(choice.score)) {
            (Some(expected), found) => assert_eq!(found, Some(expected), "seed {seed}"),
            (None, Some((_, moves))) => assert!(moves > plies, "seed {seed}: {moves} moves"),
            (None, None) => {}
        }
        proven += usize::from(expected.is_some());
    }
    proven
}

#[test]
fn it_agrees_with_the_plainest_search() {
    assert!(compare(TIC_TAC_TOE, 20, 4, 5) > 5);
    assert!(compare(THROUGH, 20, 5, 4) > 5);
}

#[test]
fn it_agrees_where_states_come_back() {
    assert!(compare(RING, 20, 4, 5) > 5);
}

/// The position of chess in which Paul Morphy's problem begins, and one move later.
const MORPHY: [(&str, Score); 2] =
    [("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Score::Win(3)), ("kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1", Score::Loss(2))];

#[test]
fn it_solves_a_mate_in_two() {
    for (text, score) in MORPHY {
        let play = chess(text);
        let choice = ask(&AlphaBeta::default(), &play, depth(3));
        assert_eq!(choice.score, Some(score), "{text}");
    }
    let first = ask(&AlphaBeta::default(), &chess(MORPHY[0].0), depth(3));
    let topology = &chess(MORPHY[0].0).rules().topology.clone();
    assert_eq!(topology.site_name(first.chosen.steps[0].to.expect("a site")), "a6");
}

fn chess(fen: &str) -> Play {
    let rules = include_str!("../../../../games/chess/chess/chess.zrf");
    let play = after(rules, "");
    let position = Fen::new(&**play.executor()).expect("a board").read(fen).expect("a position");
    Play::from_state(play.executor().clone(), position.state)
}
