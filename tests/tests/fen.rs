//! FEN of bundled games: reading and writing, and published move counts of positions that are given as FEN.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use dagaz_engine::{Executor, Interpreter, NoHistory, perft};
use dagaz_lang_zrf::Settings;
use dagaz_notation::fen::{Counters, Fen, Letters, ReadError};
use dagaz_notation::{Record, json, record, universal};
use dagaz_play::Play;
use dagaz_tests::{project, rules_of};

fn game(path: &str) -> Arc<dyn Executor> {
    let rules = rules_of(&project().join("games").join(path), &Settings::default());
    Arc::new(Interpreter::new(rules))
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_start_is_written_as_everybody_writes_it() {
    let executor = game("chess/chess/chess.zrf");
    let fen = Fen::new(&*executor).unwrap();
    let written = fen.write(&executor.initial(), &Counters::default()).unwrap();
    assert_eq!((written.text.as_str(), written.unsaid.as_slice()), (START, &[][..]));
    assert_eq!(fen.read(START).unwrap().state, executor.initial());
}

#[test]
fn published_positions_have_the_published_numbers_of_moves() {
    let executor = game("chess/chess/chess.zrf");
    let fen = Fen::new(&*executor).unwrap();
    // Chess Programming Wiki, "Perft Results".
    for (text, depth, count) in [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 2039),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2812),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 2, 264),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2, 1486),
        // The pawn on e5 may take in passing.
        ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", 1, 31),
        ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3", 1, 30),
    ] {
        let position = fen.read(text).unwrap();
        let found = perft(&*executor, &position.state, &NoHistory, depth).unwrap();
        assert_eq!(found, count, "{text}");
        let written = fen.write(&position.state, &position.counters).unwrap();
        assert_eq!((written.text.as_str(), written.unsaid.as_slice()), (text, &[][..]));
    }
}

#[test]
fn what_was_played_is_what_is_written() {
    let executor = game("chess/chess/chess.zrf");
    let fen = Fen::new(&*executor).unwrap();
    let mut state = executor.initial();
    for (text, expected) in [
        ("e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        ("h7h5", "rnbqkbnr/ppppppp1/8/7p/4P3/8/PPPP1PPP/RNBQKBNR w KQkq h6 0 1"),
        ("f1e2", "rnbqkbnr/ppppppp1/8/7p/4P3/8/PPPPBPPP/RNBQK1NR b KQkq - 0 1"),
        ("h8h6", "rnbqkbn1/ppppppp1/7r/7p/4P3/8/PPPPBPPP/RNBQK1NR w KQq - 0 1"),
        ("e1f1", "rnbqkbn1/ppppppp1/7r/7p/4P3/8/PPPPBPPP/RNBQ1KNR b q - 0 1"),
        ("h6h8", "rnbqkbnr/ppppppp1/8/7p/4P3/8/PPPPBPPP/RNBQ1KNR w q - 0 1"),
    ] {
        let steps = executor.steps(&state, &NoHistory).unwrap();
        let step = universal::read(&*executor, &state, &steps, text).unwrap().clone();
        executor.apply(&mut state, &step).unwrap();
        let written = fen.write(&state, &Counters::default()).unwrap();
        assert_eq!((written.text.as_str(), written.unsaid.as_slice()), (expected, &[][..]));
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let executor = game("chess/chess/chess.zrf");
    let fen = Fen::new(&*executor).unwrap();
    let message = |text: &str| fen.read(text).expect_err("a fault").to_string();
    assert_eq!(message(""), "the text ends before the field for the pieces");
    assert_eq!(message("8/8 w - -"), "the text has 2 rows, and the board 8");
    assert_eq!(message("8/8/8/8/8/8/8/K8 w - -"), "row 8, `K8`, has 9 sites, and the board's rows have 8");
    assert_eq!(
        message("8/8/8/8/8/8/8/99999999999999999999 w - -"),
        "row 8, `99999999999999999999`, has 9 sites, and the board's rows have 8"
    );
    assert_eq!(message("8/8/8/8/8/8/8/Z7 w - -"), "`Z` stands for no kind of piece; these do: KQRBNP");
    assert_eq!(
        message("8/8/8/8/8/8/8/8[P] w - -"),
        "pieces cannot wait off the board in this game, and the text has some in hand"
    );
    assert_eq!(message("8/8/8/8/8/8/8/8 x - -"), "`x` is no side to move: `w` is the first player, `b` the second");
    assert_eq!(
        message("8/8/8/8/8/8/8/4K3 w K -"),
        "the castling right `K` needs two pieces where they stood at the start, and they do not stand there"
    );
    assert_eq!(
        message(&START.replace("- 0", "e3 0")),
        "no double step can have passed over `e3`: no pawn of the other side stands beyond it, with nothing behind"
    );
    assert_eq!(fen.read(&format!("{START} 7")), Err(ReadError::TooMany { text: "7".into() }));
    let executor = game("chess/xiangqi/xiangqi.zrf");
    let fen = Fen::new(&*executor).unwrap();
    let start = fen.write(&executor.initial(), &Counters::default()).unwrap().text;
    assert_eq!(fen.read(&start.replacen(" - ", " K ", 1)), Err(ReadError::NoCastling { text: "K".into() }), "{start}");
}

#[test]
fn letters_may_be_the_callers() {
    let executor = game("chess/xiangqi/xiangqi.zrf");
    let rules = executor.rules();
    let usual = |kind| match rules.kinds[kind].name.as_str() {
        "General" => Some('k'),
        "Horse" => Some('n'),
        "Elephant" => Some('b'),
        "Chariot" => Some('r'),
        "Soldier" => Some('p'),
        other => other.chars().next(),
    };
    let fen = Fen::with_letters(&*executor, Letters::new(rules, &usual)).unwrap();
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    assert_eq!(fen.write(&executor.initial(), &Counters::default()).unwrap().text, start);
    // The first player's own initial will do for `w`.
    assert_eq!(fen.read(&start.replace(" w ", " r ")).unwrap().state, executor.initial());
}

#[test]
fn pieces_in_hand_stand_in_brackets() {
    let executor = game("chess/shogi/shogi.zrf");
    let fen = Fen::new(&*executor).unwrap();
    let text = "4k4/9/9/9/9/9/9/9/4K4[GPPp] b - - 0 1";
    let position = fen.read(text).unwrap();
    assert_eq!(fen.write(&position.state, &position.counters).unwrap().text, text);
}

#[test]
fn a_record_keeps_the_state_that_a_game_started_from() {
    let executor = game("chess/chess/chess.zrf");
    let fen = Fen::new(&*executor).unwrap();
    let state = fen.read("4k2r/8/8/3pP3/8/8/8/4K2R w K d6 0 1").unwrap().state;
    let play = Play::from_state(executor.clone(), state);
    let json = json::write(&Record::of(&play).unwrap());
    let again = record::replay(&json::read(&json).unwrap(), executor).unwrap();
    assert_eq!(again.state(), play.state());
}
