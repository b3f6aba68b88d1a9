//! `solve` and `analyze`: what is best, and what is certain.

use crate::run::{Scratch, dagaz};

#[test]
fn a_value_is_found_proven_and_checked() {
    let folder = Scratch::new("solve");
    let proof = folder.path("proof.txt");
    let proof = proof.as_str();
    let solved = dagaz(&["solve", "tic-tac-toe", "--after", "a1 b2", "--proof", proof]).code(0);
    assert!(solved.stdout.starts_with("draw\nline: "), "{}", solved.stdout);
    dagaz(&["solve", "--verify", proof]).code(0).out("tic-tac-toe: draw; the proof holds, ");
    let text = std::fs::read_to_string(proof).unwrap();
    // Another claim, and a choice that is missing.
    std::fs::write(proof, text.replace("at least 0", "at least 1").replace("at most 0", "at most 1")).unwrap();
    dagaz(&["solve", "--verify", proof]).code(1).err("X wins is not proven: play that follows the proof ends with 0");
    let without: Vec<&str> = text.lines().enumerate().filter(|(index, _)| *index != 5).map(|(_, line)| line).collect();
    std::fs::write(proof, without.join("\n")).unwrap();
    dagaz(&["solve", "--verify", proof]).code(1).err("the proof has no choice for the state");
    std::fs::write(proof, "1-0\n").unwrap();
    dagaz(&["solve", "--verify", proof]).code(2).err("is no proof");
}

#[test]
fn a_variant_is_kept_in_the_proof() {
    let folder = Scratch::new("solve-variant");
    let proof = folder.path("proof.txt");
    let proof = proof.as_str();
    let args = ["solve", "reversi", "--variant", "4x4", "--proof", proof, "--json"];
    let solved = dagaz(&args).code(0).json();
    assert_eq!((&solved["value"], &solved["measure"]), (&(-8).into(), &"margin".into()));
    assert_eq!(solved["result"], "White wins by 8");
    dagaz(&["solve", "--verify", proof, "--json"]).code(0).json();
}

#[test]
fn what_cannot_be_solved_is_told() {
    dagaz(&["solve", "backgammon"]).code(1).err("chance has a part in it");
    dagaz(&["solve", "dark-chess"]).code(1).err("players do not see everything");
    dagaz(&["solve"]).code(2);
    let stopped = dagaz(&["solve", "chess", "--seconds", "0.2", "--memory", "1"]);
    assert!([1, 2].contains(&stopped.code), "{}", stopped.stderr);
}

#[test]
fn analysis_lists_lines_and_ends_in_time() {
    let args = ["analyze", "tic-tac-toe", "--after", "a1 b1 a2 b2", "--agent"];
    let by_depth = dagaz(&[&args[..], &["alphabeta:depth=4", "--lines", "2", "--json"]].concat()).code(0).json();
    assert_eq!(by_depth["lines"].as_array().unwrap().len(), 2);
    assert_eq!(by_depth["lines"][0]["score"]["win"], 1);
    let by_playouts = dagaz(&[&args[..], &["mcts", "--nodes", "500"]].concat()).code(0).stdout;
    assert!(by_playouts.contains("1. wins in 1  a3 place man"), "{by_playouts}");
    let begun = std::time::Instant::now();
    dagaz(&["analyze", "chess", "--seconds", "0.3"]).code(0).out("3. ");
    assert!(begun.elapsed() < std::time::Duration::from_secs(60));
    dagaz(&["analyze", "tic-tac-toe", "--after", "a1 b1 a2 b2 a3"]).code(1).err("the game is over");
}
