//! Rules files whose games are nothing but sets: small boards of many shapes, some with holes, forward moves and drops, now and then
//! with a step that takes over a piece, ends of many kinds. What is made is text, so that these are games as authors write them.

use std::fmt::Write as _;

use dagaz_base::Random;

/// Moves of a piece in a direction that never leads back, and of no piece at all in the second list.
const MOVES: [&str; 8] = [
    "($1 (verify empty?) add)",
    "($1 (verify not-friend?) add)",
    "($1 $2 (verify not-friend?) add)",
    "($1 (verify enemy?) capture $1 (verify empty?) add)",
    "($1 (while empty? add $1) (verify enemy?) add)",
    "($1 (while enemy? $1) (verify empty?) add)",
    "($1 (if enemy? $2 else $1) (verify empty?) add)",
    "($1 (verify (or empty? (enemy? $2))) (verify not-friend?) add)",
];

/// See [`MOVES`].
const DROPS: [&str; 6] = [
    "((verify empty?) add)",
    "((verify empty?) (verify (or (not-on-board? $1) (not-empty? $1))) add)",
    "((verify empty?) (if (enemy? $1) (flip $1)) add)",
    "((verify empty?) (set-flag seen false) mark
        (while (enemy? $1) $1) (if (friend? $1) (while enemy? flip (set-flag seen true) (opposite $1))) back
        (while (enemy? $2) $2) (if (friend? $2) (while enemy? flip (set-flag seen true) (opposite $2))) back
        (verify (flag? seen)) add)",
    "((verify empty?) (verify (not-enemy? $1)) (if (friend? $2) (flip $2)) add)",
    "((verify (and empty? (not-in-zone? edge))) add)",
];

/// The first piece of the enemy becomes one's own.
const SWAP: &str = "((verify (and (= me Black) (> 2 (count (pieces my?)))))
    (let stone (first (pieces enemy?))) (to stone) (own me stone) add)";

const ENDS: [&str; 6] = [
    "(win-condition (White Black) (relative-config A n A n A))",
    "(win-condition (White Black) (or (relative-config A ne A ne A ne A) (relative-config A e A e A e A)))",
    "(win-condition (White Black) (absolute-config A (edge)))",
    "(loss-condition (White Black) (pieces-remaining 2))",
    "(draw-condition (White) (total-piece-count 7))",
    "(loss-condition (White Black) stalemated)",
];

/// The rules of a seed.
pub fn plain(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut below = |bound: usize| random.below(bound);
    let (width, height) = (3 + below(8), 3 + below(8));
    let letters: Vec<String> = ('a'..).take(width).map(String::from).collect();
    let numbers: Vec<String> = (1..=height).rev().map(|number| number.to_string()).collect();
    let directions = ["n", "ne", "nw", "e"];
    let drops = below(2) == 0;
    let mut text = String::from("(game (title \"Plain\") (players White Black) (turn-order White Black)");
    if drops && below(2) == 0 {
        text.push_str(" (option \"pass turn\" forced)");
    }
    let chosen: Vec<&str> = (0..1 + below(3)).map(|_| if drops { DROPS[below(6)] } else { MOVES[below(8)] }).collect();
    let mut moves = String::new();
    for (index, _) in chosen.iter().enumerate() {
        let (first, second) = (directions[below(4)], directions[below(4)]);
        write!(moves, " (m{index} {first} {second})").expect("a text grows");
    }
    let inside = |random: &mut Random| 2 + random.below(height - 2);
    let killed: Vec<String> = (0..random.below(4))
        .map(|_| format!("{}{}", letters[random.below(width)], inside(&mut random)))
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    let holes = if killed.is_empty() { String::new() } else { format!("(kill-positions {})", killed.join(" ")) };
    let swaps = drops && random.below(4) == 0;
    let mut below = |bound: usize| random.below(bound);
    let _ = write!(
        text,
        " (board (grid (start-rectangle 0 0 9 9) (dimensions (\"{}\" (10 0)) (\"{}\" (0 10)))
            (directions (n 0 -1) (ne 1 -1) (nw -1 -1) (e 1 0) (s 0 1) (sw -1 1) (se 1 1) (w -1 0)))
          (symmetry Black (n s) (s n) (ne se) (se ne) (nw sw) (sw nw))
          {holes}
          (zone (name edge) (players White) (positions {})) (zone (name edge) (players Black) (positions {})))",
        letters.join("/"),
        numbers.join("/"),
        row(&letters, height),
        row(&letters, 1),
    );
    let kind = if drops { "drops" } else { "moves" };
    let _ = write!(text, " (piece (name A) ({kind}{moves}))");
    if drops {
        let _ = write!(text, " (board-setup (White (A off {0}) (A a1)) (Black (A off {0}) (A b2)))", 3 + below(60));
    } else {
        let _ = write!(text, " (board-setup (White (A {})) (Black (A {})))", row(&letters, 1), row(&letters, height));
    }
    if swaps {
        text.push_str(" (moves (swap))");
    }
    for _ in 0..1 + below(2) {
        text.push_str(ENDS[below(6)]);
    }
    text.push(')');
    let defined: String =
        chosen.iter().enumerate().map(|(index, body)| format!("(define m{index} {body})\n")).collect();
    format!("{defined}(define swap {SWAP})\n{text}")
}

fn row(letters: &[String], number: usize) -> String {
    letters.iter().map(|letter| format!("{letter}{number} ")).collect()
}
