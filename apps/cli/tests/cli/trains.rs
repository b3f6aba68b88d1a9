//! `dagaz train`: what was learned is kept, and training goes on from it.

use std::fs;

use crate::run::{Scratch, dagaz};

#[test]
fn training_goes_on_from_its_file_as_if_it_had_never_stopped() {
    let scratch = Scratch::new("trained");
    let (once, twice) = (scratch.path("once.weights"), scratch.path("twice.weights"));
    let train =
        |games: &str, file: &str| dagaz(&["train", "tic-tac-toe", "--games", games, "--out", file]).code(0).stdout;
    train("4", &once);
    train("1", &twice);
    let said = train("3", &twice);
    assert!(said.contains("3 games played") && said.contains("knows 4 games"), "{said}");
    assert_eq!(fs::read_to_string(&once).unwrap(), fs::read_to_string(&twice).unwrap());
}

#[test]
fn a_file_that_holds_no_weights_is_refused_and_left_alone() {
    let scratch = Scratch::new("not-trained");
    let file = scratch.file("other.weights", "something else\n");
    let refused = dagaz(&["train", "tic-tac-toe", "--games", "1", "--out", &file]).code(2);
    assert!(refused.stderr.contains("holds no weights"), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), "something else\n");
}
