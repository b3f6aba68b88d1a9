//! Games of a match: openings, answers good and bad, and their records.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use dagaz_arena::{Adjudication, Game, Opening, OpeningError, Openings, Reply, Turn, persons, play};
use dagaz_engine::{Executor, Fault, Interpreter, Step};
use dagaz_lang_zrf::{Settings, compile};
use dagaz_notation::{record, universal};

/// Men step forward; who cannot move has lost.
const RACE: &str = r#"
(define step ($1 (verify empty?) add))
(game
   (title "Race")
   (players White Black)
   (turn-order White Black)
   (board
      (grid (start-rectangle 0 0 80 80) (dimensions ("a/b/c" (80 0)) ("4/3/2/1" (0 80))) (directions (n 0 -1) (s 0 1)))
      (symmetry Black (n s)))
   (piece (name man) (moves (step n)))
   (board-setup (White (man a1 b1 c1)) (Black (man a4 b4 c4)))
   (loss-condition (White Black) stalemated))
"#;

fn executor() -> Arc<dyn Executor> {
    let compiled = compile("race.zrf", RACE.as_bytes(), &mut |_: &str| None, &Settings::default());
    Arc::new(Interpreter::new(Arc::new(compiled.game.unwrap().rules)))
}

/// The legal steps of a turn.
fn legal(turn: &Turn<'_>) -> Vec<Step> {
    turn.executor.steps(turn.state, turn.history).unwrap()
}

/// A game in which the player on a seat answers like this, and everybody else by a step that the seed chooses.
fn game(
    opening: &Opening,
    seed: u64,
    rules: &Adjudication,
    seat: usize,
    bad: &dyn Fn(&Turn<'_>) -> Reply,
) -> Option<Game> {
    let executor = executor();
    let mut answer = |turn: &Turn<'_>| -> Result<Reply, Fault> {
        if turn.seat == seat {
            return Ok(bad(turn));
        }
        let steps = legal(turn);
        Ok(Reply::Move { steps: vec![steps[turn.seed as usize % steps.len()].clone()], score: None })
    };
    play(&*executor, opening, seed, rules, &mut answer).unwrap()
}

const NOBODY: usize = 9;

fn start() -> Opening {
    Openings::Start.opening(&*executor(), 1, 0).unwrap()
}

fn never(_: &Turn<'_>) -> Reply {
    unreachable!("nobody sits there")
}

#[test]
fn a_game_follows_from_its_seed_and_its_record_replays() {
    let rules = Adjudication::default();
    let one = game(&start(), 7, &rules, NOBODY, &never).unwrap();
    assert_eq!(Some(&one), game(&start(), 7, &rules, NOBODY, &never).as_ref());
    assert!((1..20).any(|seed| game(&start(), seed, &rules, NOBODY, &never).unwrap().record != one.record));
    assert_eq!((one.moves, one.halves.iter().sum::<u8>()), (6, 2), "six steps fit between two rows of three");
    let replayed = record::replay(&one.record, executor()).unwrap();
    assert!(replayed.outcome().unwrap().is_some());
}

#[test]
fn bad_answers_lose() {
    let rules = Adjudication::default();
    let by = |bad: &dyn Fn(&Turn<'_>) -> Reply| {
        let game = game(&start(), 1, &rules, 1, bad).unwrap();
        assert_eq!(game.halves, [2, 0]);
        game.by
    };
    assert_eq!(by(&|_| Reply::Forfeit("out of time".into())), "Black: out of time");
    assert_eq!(by(&|_| Reply::Move { steps: Vec::new(), score: None }), "Black: no move");
    let foreign = |turn: &Turn<'_>| Reply::Move { steps: vec![turn.line[0].steps[0].clone()], score: None };
    assert_eq!(by(&foreign), "Black: an illegal move");
    assert_eq!(game(&start(), 1, &rules, 1, &|_| Reply::Abandon), None);
}

#[test]
fn long_games_are_drawn() {
    let rules = Adjudication { max_moves: Some(3), ..Adjudication::default() };
    let game = game(&start(), 1, &rules, NOBODY, &never).unwrap();
    assert_eq!((game.moves, game.halves, game.by.as_str()), (3, vec![1, 1], "too many moves"));
}

#[test]
fn openings_are_the_same_for_a_number_and_others_for_others() {
    let executor = executor();
    let opening = |number| Openings::Random(2).opening(&*executor, 5, number).unwrap();
    assert_eq!(opening(3), opening(3));
    assert!((0..9).any(|number| opening(number) != opening(3)));
    assert_eq!(opening(3).steps.len(), 2);
    // So many moves no game has: fewer will do.
    assert!(!Openings::Random(100).opening(&*executor, 5, 0).unwrap().steps.is_empty());
    let game = game(&opening(3), 1, &Adjudication::default(), NOBODY, &never).unwrap();
    assert_eq!(game.moves, 6, "the moves of the opening are moves");
}

#[test]
fn openings_are_read_from_a_text() {
    let executor = executor();
    let list = Openings::read("# two\na1 - a2 a4a3; b1b2\n\nfen 3/mmm/3/MMM w - -\n", false).unwrap();
    list.check(&*executor).unwrap();
    let first = list.opening(&*executor, 1, 0).unwrap();
    assert_eq!(first.steps.len(), 3);
    assert_eq!(list.opening(&*executor, 1, 2).unwrap(), first, "after the last comes the first");
    assert_ne!(list.opening(&*executor, 1, 1).unwrap().state, executor.initial());
    let fault = |text: &str| Openings::read(text, false).unwrap().check(&*executor).unwrap_err();
    assert!(matches!(fault("a1a2\na1a4\n"), OpeningError::Move { line: 2, .. }));
    assert!(matches!(fault("fen 3/3 w - -"), OpeningError::Position { line: 1, .. }));
    assert!(matches!(fault("a1a2 a4a3 b1b2 b4b3 c1c2 c4c3"), OpeningError::Over { line: 1 }));
    assert_eq!(Openings::read("# nothing\n", false), Err(OpeningError::None));
    let positions = Openings::read("mmm/3/MMM/3 b - - bm a4; id \"x\";\n", true).unwrap();
    let state = positions.opening(&*executor, 1, 0).unwrap().state;
    assert_eq!(executor.to_move(&state), persons(executor.rules())[1]);
    assert!(
        !universal::write_all(&*executor, &state, &executor.steps(&state, &dagaz_engine::NoHistory).unwrap())
            .unwrap()
            .is_empty()
    );
}
