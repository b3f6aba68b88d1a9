//! `moves`, `perft`, `bench`: what the rules do.

use crate::rules::TINY;
use crate::run::{Scratch, dagaz};

#[test]
fn moves_are_listed_in_universal_notation() {
    let moves = dagaz(&["moves", "chess"]).code(0);
    assert_eq!(moves.stdout.lines().count(), 20);
    assert!(moves.stdout.lines().any(|line| line == "e2 - e4 pawn-double n"));
    let moves = dagaz(&["moves", "chess", "--json"]).code(0).json();
    assert_eq!(moves["to_move"], "White");
    assert_eq!(moves["moves"].as_array().unwrap().len(), 20);
}

#[test]
fn moves_after_others_are_read_in_any_form() {
    let forms: [&[&str]; 5] = [
        &["--after", "e2 - e4 pawn-double n; e7 - e5 pawn-double n"],
        &["--after", "e2 - e4 pawn-double n", "--after", "e7 - e5 pawn-double n"],
        &["--after", "e2e4 e7e5"],
        &["--after", "1. e2e4 e7-e5"],
        &["--after", "e2 - e4 e7 - e5 pawn-double n"],
    ];
    for form in forms {
        let moves = dagaz(&[&["moves", "chess"], form].concat()).code(0);
        assert_eq!(moves.stdout.lines().count(), 29, "{form:?}");
    }
}

/// Black must jump from g5 over two men to c1.
pub(crate) const BEFORE_A_CHAIN: &str = "c3b4 b6a5 e3f4 a5c3 d2b4 f6g5 c1d2";

#[test]
fn a_chain_may_be_written_at_once() {
    let by_steps = dagaz(&["moves", "english", "--after", &format!("{BEFORE_A_CHAIN}; g5e3; e3c1")]).code(0).stdout;
    for text in ["g5e3c1", "g5-e3-c1", "g5xe3xc1", "g5 x e3 x c1", "g5 e3 c1"] {
        let at_once = dagaz(&["moves", "english", "--after", &format!("{BEFORE_A_CHAIN} {text}")]).code(0).stdout;
        assert_eq!(at_once, by_steps, "{text}");
    }
    let wrong = ["moves", "english", "--after", &format!("{BEFORE_A_CHAIN}; g5e3d2")];
    dagaz(&wrong).code(1).err("`g5e3d2` is not a legal move here; legal `g5 - e3 man-jump nw`");
}

#[test]
fn what_names_no_site_is_bad_input() {
    dagaz(&["moves", "chess", "--after", "e2e4 zz"]).code(2).err("step 2: `zz` names no site of the board");
    dagaz(&["explain", "chess", "e2e4", "--after", "zz"]).code(2).err("step 1: `zz` names no site of the board");
    dagaz(&["moves", "chess", "--after", "pass"]).code(1).err("`pass` is not a legal move here");
}

#[test]
fn an_illegal_move_is_answered_no() {
    let answer =
        dagaz(&["moves", "chess", "--after", "e2e4 e7e4"]).code(1).err("step 2: `e7e4` is not a legal move here");
    assert_eq!(answer.stdout, "");
    answer.err("e7 - e5 pawn-double n");
}

#[test]
fn a_finished_game_has_no_moves() {
    let scratch = Scratch::new("finished");
    let tiny = scratch.file("tiny.zrf", TINY);
    let answer = dagaz(&["moves", &tiny, "--after", "a1 c1 b1"]).code(0).err("the game is over: First wins");
    assert_eq!(answer.stdout, "");
    let json = dagaz(&["moves", &tiny, "--after", "a1 c1 b1", "--json"]).code(0).json();
    assert_eq!(json["outcome"]["shares"]["First"], "win");
    dagaz(&["moves", &tiny, "--after", "a1 c1 b1 a1"]).code(1).err("the game is over: First wins");
}

#[test]
fn perft_prints_the_count_alone_on_the_last_line() {
    assert_eq!(dagaz(&["perft", "chess", "--depth", "0"]).code(0).last_line(), "1");
    assert_eq!(dagaz(&["perft", "chess", "--depth", "3"]).code(0).last_line(), "8902");
    let divided = dagaz(&["perft", "chess", "--depth", "2", "--divide"]).code(0).out("e2 - e4 pawn-double n: 20");
    assert_eq!((divided.stdout.lines().count(), divided.last_line()), (21, "400"));
    let json = dagaz(&["perft", "chess", "--depth", "2", "--divide", "--json"]).code(0).json();
    assert_eq!((&json["count"], &json["divide"]["a2 - a3 pawn-step n"]), (&400.into(), &20.into()));
    dagaz(&["perft", "chess", "--after", "e2e4", "--depth", "1"]).code(0).out("20");
    dagaz(&["perft", "chess", "--depth", "1", "--executor", "abacus"]).code(2);
}

#[test]
fn numbers_out_of_range_are_told_what_is_allowed() {
    for depth in ["-1", "nan", "1.5", "4294967296"] {
        let answer = dagaz(&["perft", "chess", "--depth", depth]).code(2);
        answer.err(&format!("'{depth}' for '--depth <N>': it must be a whole number from 0 to 4294967295"));
    }
    for option in ["--seed", "--threads", "--max-moves"] {
        let answer = dagaz(&["selfplay", "chess", "--games", "1", option, "-3"]).code(2);
        answer.err("it must be a whole number from 0 to");
    }
}

#[test]
fn positions_are_read_as_fen() {
    // "Kiwipete" (https://www.chessprogramming.org/Perft_Results).
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(dagaz(&["perft", "chess", "--position", kiwipete, "--depth", "2"]).code(0).last_line(), "2039");
    let moves = dagaz(&["moves", "chess", "--position", kiwipete, "--after", "e1 - g1"]).code(0);
    assert_eq!(moves.stdout.lines().count(), 43);
    dagaz(&["moves", "chess", "--position", "8/8 w - -"]).code(2).err("the text has 2 rows, and the board 8");
    dagaz(&["moves", "nine-mens-morris", "--position", "8/8 w - -"]).code(2).err("FEN is for a board");
}

#[test]
fn perft_counts_chains_once_and_steps_apart() {
    assert_eq!(dagaz(&["perft", "english", "--depth", "5"]).code(0).last_line(), "7361");
    assert_eq!(dagaz(&["perft", "english", "--depth", "4", "--steps"]).code(0).last_line(), "1469");
}

#[test]
fn bench_prints_its_two_speeds() {
    dagaz(&["bench", "tic-tac-toe", "--seconds", "0.1"]).code(0).out("playouts/s ").out("moves/s ");
    for executor in ["wasm", "interp"] {
        let command =
            ["bench", "tic-tac-toe", "--seconds", "0.1", "--max-moves", "6", "--executor", executor, "--json"];
        let json = dagaz(&command).code(0).json();
        let number = |key: &str| json[key].as_f64().unwrap();
        assert_eq!(json["executor"], executor);
        assert!(
            number("playouts") > 0.0 && number("moves_per_second") > 0.0 && json["ready"]["rules"].as_f64() > Some(0.0)
        );
        let length = number("moves") / number("playouts");
        assert!((5.0..=6.0).contains(&length) && number("unfinished") > 0.0, "{length}");
    }
    for seconds in ["0", "-1", "inf", "nan", "soon"] {
        let answer = dagaz(&["bench", "chess", "--seconds", seconds]).code(2);
        answer.err(&format!("'{seconds}' for '--seconds <S>': it must be more than 0, such as `3` or `0.5`"));
    }
}
