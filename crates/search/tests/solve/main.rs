//! Solved games: what others have found must come out, and every proof must pass its check.

use std::collections::BTreeMap;
use std::sync::Arc;

use dagaz_engine::{Executor, Interpreter, NoHistory};
use dagaz_lang_zrf::{Settings, compile};
use dagaz_search::solve::{BadProof, Measure, Method, Proof, Solution, Solver, Unsolvable, enumerate, verify};

const TIC_TAC_TOE: &str = include_str!("../../../../games/arrange/tic-tac-toe/tic-tac-toe.zrf");
const REVERSI: &str = include_str!("../../../../games/custodian/reversi/reversi.zrf");
const HEX: &str = include_str!("../../../../games/connection/hex/hex.zrf");
const KALAH: &str = include_str!("../../../../games/sowing/kalah/kalah.zrf");

fn executor(rules: &str, variant: Option<&str>) -> Arc<dyn Executor> {
    let settings = Settings { variant: variant.map(str::to_owned), ..Settings::default() };
    let compiled = compile("test.zrf", rules.as_bytes(), &mut |_: &str| None, &settings);
    let report = compiled.diagnostics.render(&compiled.sources);
    let game = compiled.game.unwrap_or_else(|| panic!("{report}"));
    Arc::new(Interpreter::new(Arc::new(game.rules)))
}

/// Solves a game from its start in both ways, and checks the proofs, also as they are written and read.
fn solved(rules: &str, variant: Option<&str>) -> (Solution, Proof) {
    let executor = executor(rules, variant);
    let start = executor.initial();
    let by = |method| {
        let mut watch = |_: &_| true;
        let mut solver =
            Solver::new(&*executor, &start, &NoHistory, method, 1 << 24, &mut watch).expect("a game to solve");
        let solution = solver.solve().expect("a solution");
        let proof = solver.prove(1 << 20).expect("rules that run").expect("a proof");
        assert_eq!(Proof::read(&proof.to_string(), 1), Ok(proof.clone()));
        assert_eq!((Some(proof.low), proof.high), (solution.value(), proof.low));
        verify(&proof, &*executor, &start, &NoHistory, &mut |_| true).expect("a proof that holds");
        (solution, proof)
    };
    let (found, other) = (by(Method::Depth), by(Method::ProofNumber));
    assert_eq!(found.0.value(), other.0.value());
    found
}

fn value(rules: &str, variant: Option<&str>) -> i32 {
    solved(rules, variant).0.value().expect("a value")
}

/// Stones are put on a row, none beside another; who cannot has lost.
fn dawson(length: usize) -> String {
    let names: Vec<String> = (0..length).map(|index| format!("p{index}")).collect();
    format!(
        r#"
(define free (or (not-on-board? $1) (empty? $1)))
(game
   (title "Dawson's chess")
   (players Left Right)
   (turn-order Left Right)
   (board (grid (start-rectangle 0 0 10 10) (dimensions ("{}" (10 0)) ("/" (0 10))) (directions (e 1 0) (w -1 0))))
   (board-setup (Left (Stone off 20)) (Right (Stone off 20)))
   (piece (name Stone) (drops ((verify empty?) (verify (free e)) (verify (free w)) add)))
   (loss-condition (Left Right) stalemated))
"#,
        names.join("/")
    )
}

#[test]
fn noughts_and_crosses_are_drawn() {
    // Among many: Berlekamp, Conway, Guy, "Winning Ways for your Mathematical Plays" (1982), chapter 22.
    let (solution, _) = solved(TIC_TAC_TOE, None);
    assert_eq!((solution.measure, solution.value()), (Measure::Outcome, Some(0)));
    assert_eq!(solution.line.len(), 9);
    assert_eq!(value(TIC_TAC_TOE, Some("Misere tic-tac-toe")), 0);
}

#[test]
fn octal_games_follow_their_theory() {
    // Dawson's chess is 0.137, whose nim-values are 0 for the lengths 4, 8 and 14 and for no others below 16: "Winning Ways", chapter 4.
    for length in 1..=10 {
        let expected = if [4, 8].contains(&length) { -1 } else { 1 };
        assert_eq!(value(&dawson(length), None), expected, "{length}");
    }
}

#[test]
fn margins_are_counted() {
    // 4x4 Othello: the second player wins (https://en.wikipedia.org/wiki/Computer_Othello), by 11 discs to 3.
    let (solution, _) = solved(REVERSI, Some("Reversi 4x4"));
    assert_eq!((solution.measure, solution.value()), (Measure::Margin, Some(-8)));
}

#[test]
fn the_first_player_wins_hex() {
    // J. Nash, by a strategy that is stolen: M. Gardner, "The Scientific American Book of Mathematical Puzzles and Diversions" (1959), chapter 8.
    assert_eq!(value(HEX, Some("Hex 2x2")), 1);
    assert_eq!(value(HEX, Some("Hex 3x3")), 1);
    // With the swap it is the second one.
    assert_eq!(value(HEX, Some("Hex 3x3 with swap")), -1);
}

#[test]
fn small_kalah_is_won_by_the_first_player() {
    // G. Irving, J. Donkers, J. Uiterwijk, "Solving Kalah", ICGA Journal 23 (2000), table of results: a win for four houses of three
    // seeds. By how much is our own count.
    let variant = Some("Kalah, four houses of three seeds");
    let executor = executor(KALAH, variant);
    let (start, mut watch) = (executor.initial(), |_: &_| true);
    let mut solver = Solver::new(&*executor, &start, &NoHistory, Method::Depth, 1 << 24, &mut watch).unwrap();
    let solution = solver.solve().unwrap();
    assert_eq!((solution.measure, solution.value()), (Measure::Margin, Some(6)));
}

#[test]
fn a_proof_that_is_wrong_is_found_out() {
    let executor = executor(TIC_TAC_TOE, None);
    let start = executor.initial();
    let (_, proof) = solved(TIC_TAC_TOE, None);
    let check = |proof: &Proof| verify(proof, &*executor, &start, &NoHistory, &mut |_| true);
    assert!(matches!(check(&Proof { low: 1, high: 1, ..proof.clone() }), Err(BadProof::Wrong { .. })));
    assert!(matches!(check(&Proof { holds: BTreeMap::new(), ..proof.clone() }), Err(BadProof::Gap { after: 0, .. })));
    let mut wild = proof.clone();
    wild.holds.insert(start.hash(), 99);
    assert!(matches!(check(&wild), Err(BadProof::Illegal { index: 99, .. })));
    assert_eq!(check(&Proof { measure: Measure::Margin, ..proof }), Err(BadProof::Measure));
    assert_eq!(Proof::read("outcome at most 1\n", 5), Err(BadProof::Line { line: 5 }));
}

#[test]
fn who_is_stopped_knows_bounds_or_nothing() {
    let executor = executor(REVERSI, Some("Reversi 4x4"));
    let start = executor.initial();
    let mut looks = 0;
    let mut watch = |_: &_| {
        looks += 1;
        looks < 3
    };
    let solution =
        Solver::new(&*executor, &start, &NoHistory, Method::Depth, 1 << 20, &mut watch).unwrap().solve().unwrap();
    assert_eq!(solution.value(), None);
    assert!(solution.line.is_empty());
    assert_eq!(looks, 3);
}

/// A king against a king on a row of five: who is stalemated has lost, and nobody need be.
const CIRCLES: &str = r#"
(game
   (title "Circles")
   (players White Black)
   (turn-order White Black)
   (board (grid (start-rectangle 0 0 10 10) (dimensions ("a/b/c/d/e/f" (10 0)) ("1" (0 10))) (directions (e 1 0) (w -1 0))))
   (board-setup (White (King a1)) (Black (King f1)))
   (piece (name King) (moves (e (verify empty?) add) (w (verify empty?) add)))
   (loss-condition (White Black) stalemated))
"#;

#[test]
fn circles_are_refused_and_enumerated() {
    let executor = executor(CIRCLES, None);
    let start = executor.initial();
    let mut watch = |_: &_| true;
    let solution = Solver::new(&*executor, &start, &NoHistory, Method::Depth, 1 << 20, &mut watch).unwrap().solve();
    assert_eq!(solution, Err(Unsolvable::Circles));
    let space = enumerate(&*executor, &start, &NoHistory, 100, &mut |_| true).unwrap().unwrap();
    // Two kings that do not pass each other stand in 15 ways, each with one of them to move; but nothing leads to e1 and f1, where
    // White would be to move. With an even number of points between them, as at the start, who is to move is driven back.
    assert_eq!(space.standings.len(), 14);
    assert_eq!(space.standings[0].value, -1);
    assert_eq!(space.of(&start), Some(space.standings[0]));
    let few = enumerate(&*executor, &start, &NoHistory, 10, &mut |_| true);
    assert!(matches!(few, Err(Unsolvable::ManyStates { limit: 10 })));
}

#[test]
fn both_ways_to_solve_agree() {
    for length in 1..=9 {
        let rules = dawson(length);
        let executor = executor(&rules, None);
        let space = enumerate(&*executor, &executor.initial(), &NoHistory, 100_000, &mut |_| true).unwrap().unwrap();
        assert_eq!(i32::from(space.standings[0].value), value(&rules, None), "{length}");
    }
}
