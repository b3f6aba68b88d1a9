//! Rules that were made to hang or to eat memory: every command says what is wrong, and ends.

use crate::run::{Scratch, dagaz, dagaz_with};

/// Rules with these moves of a man, and this among the rest.
fn rules(moves: &str, rest: &str) -> String {
    format!(
        "(game (title \"Odd\") (players White Black) (turn-order White Black)
           (board (grid (start-rectangle 0 0 10 10) (dimensions (\"a/b/c/d\" (10 0)) (\"4/3/2/1\" (0 10)))
             (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0))))
           {rest}
           (piece (name Man) (moves {moves}))
           (board-setup (White (Man a1 b1)) (Black (Man c4 d4))))"
    )
}

const STEP: &str = "(n (verify empty?) add)";

#[test]
fn whatever_does_not_end_is_ended() {
    let scratch = Scratch::new("endless");
    let cases = [
        ("loop", rules("(n (while (empty? c3) e w) add)", ""), "more than 200000000 operations"),
        ("range", rules("((for i (range 0 2147483647) (set x i)) n add)", "(variable x 0)"), "operations"),
        (
            "stage",
            rules(STEP, "(variable x 0) (after-move (while (empty? c3) (set x 1)))"),
            "last of them in `after-move`",
        ),
        ("list", rules("((choose i (range 0 3000000) (set x i) add))", "(variable x 0)"), "more than 1000000 moves"),
    ];
    for (name, text, complaint) in cases {
        let file = scratch.file(&format!("{name}.zrf"), &text);
        dagaz(&["moves", &file]).code(2).err(complaint).err(&format!("{name}.zrf:"));
    }
    let chain =
        scratch.file("chain.zrf", &rules("(e (verify empty?) add-partial) (w (verify empty?) add-partial)", ""));
    dagaz(&["perft", &chain, "--depth", "1"]).code(2).err("a move has more than 10000 steps");
}

#[test]
fn every_command_ends() {
    let scratch = Scratch::new("commands");
    let file = scratch.file("odd.zrf", &rules("(n (while (empty? c3) e w) add)", ""));
    let commands: [&[&str]; 5] = [
        &["perft", &file, "--depth", "2"],
        &["bench", &file, "--seconds", "0.1"],
        &["selfplay", &file, "--games", "1", "--agent", "mcts:nodes=5"],
        &["explain", &file, "a1a2"],
        &["perft", &file, "--depth", "2", "--executor", "interp"],
    ];
    for command in commands {
        dagaz(command).code(2).err("more than 200000000 operations");
    }
    dagaz_with(&["play", &file, "--terminal"], "a1a2\n").code(2).err("more than 200000000 operations");
}
