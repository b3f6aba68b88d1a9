//! What the extended language means, one statement a test, on rules as small as they can be. The words for authors are in
//! `docs/language.md`; a test here that fails says which of them is not true any more.

mod ends;
mod hidden;
mod life;
mod majority;
mod numbers;
mod refused;
mod sets;
mod stacks;
mod steps;
mod turns;
mod variables;

use dagaz_tests::trial::Trial;

/// A game of White and Black on four files and three ranks, with these further items.
fn text(rest: &str) -> String {
    let homes =
        "(zone (name home) (players White) (positions a1 b1)) (zone (name home) (players Black) (positions c3 d3))";
    // Other players have no homes.
    let (players, homes) = if rest.contains("(players ") { ("", "") } else { ("(players White Black)", homes) };
    format!(
        "(game (title \"Test\") {players}
           (board
             (grid
               (start-rectangle 0 0 9 9) (dimensions (\"a/b/c/d\" (10 0)) (\"3/2/1\" (0 10)))
               (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0)))
             {homes})
           {rest})"
    )
}

/// The start of that game.
fn game(rest: &str) -> Trial {
    Trial::of(&text(rest))
}

/// A man with these blocks, a king that cannot move, and this set-up.
fn man(blocks: &str, setup: &str) -> Trial {
    game(&format!("(piece (name Man) (moves {blocks})) (piece (name King)) (board-setup {setup})"))
}

/// Whether a condition holds for White's man on b2, with a king of his on a2 and a black man on c2.
fn holds(condition: &str) -> bool {
    let block = format!("((verify {condition}) n add)");
    !man(&block, "(White (Man b2) (King a2)) (Black (Man c2))").moves().is_empty()
}

/// Checks that all of these hold.
fn all_hold(conditions: &[&str]) {
    for condition in conditions {
        assert!(holds(condition), "{condition}");
    }
}

/// What stands where after the only move of White's man on b1 with this block.
fn after(block: &str, setup: &str) -> String {
    let trial = man(block, &format!("(White (Man b1)) {setup}"));
    let moves = trial.moves();
    assert_eq!(moves.len(), 1, "{moves:?}");
    trial.after(&moves[0]).pieces()
}

/// The codes of what is found in that game.
fn codes(rest: &str) -> Vec<&'static str> {
    dagaz_tests::trial::compile_text(&text(rest), &Default::default(), &Default::default())
        .diagnostics
        .iter()
        .map(|finding| finding.code)
        .collect()
}

/// Plays some games under the laws that hold for any rules: taking back restores every bit, both hashes agree, and so on.
fn keeps_the_laws(trial: &Trial) {
    let executor = trial.play().executor();
    dagaz_engine::battery(&**executor, 4, 40, 1).unwrap_or_else(|broken| panic!("{broken}"));
}
