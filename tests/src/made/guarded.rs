//! Rules files of games in which some pieces may not be left attacked: steps, leaps, slides and what jumps over others, on boards of one
//! word and of two, among moves that capture beside their end, turn pieces round or bring them from the hand.

use std::fmt::Write as _;

use dagaz_base::Random;

/// Moves of a piece in two directions. Most of them take one piece elsewhere and do nothing else.
const MOVES: [&str; 22] = [
    "($1 (verify not-friend?) add)",
    "($1 $1 $2 (verify not-friend?) add)",
    "($1 (while empty? add $1) (verify not-friend?) add)",
    "($1 (while empty? add $1) (verify enemy?) add)",
    "($1 (while empty? $1) (verify not-friend?) add)",
    "($1 (while empty? add $1) $1 (while empty? $1) (verify enemy?) add)",
    "($1 (while empty? $1) $1 (while empty? add $1) (verify not-friend?) add)",
    "($1 (while empty? $1) $1 (while empty? $1) $1 (while empty? add $1) (verify not-friend?) add)",
    "($1 (verify empty?) $2 (verify not-friend?) add)",
    "((verify (empty? $2)) $1 $1 (verify not-friend?) add)",
    "((verify (enemy? $2)) $1 (verify not-friend?) add)",
    "($1 (verify not-friend?) (set-attribute moved? true) add)",
    "((verify (not moved?)) $1 (verify empty?) $1 (verify empty?) (set-attribute moved? true) add)",
    "($1 (verify empty?) (if (in-zone? mire) (add A B) else add))",
    "($1 (verify enemy?) (if (in-zone? mire) (add B) else add))",
    "($1 (verify enemy?) capture $1 (verify empty?) add)",
    "($1 (verify enemy?) capture $2 (verify empty?) add)",
    "($1 (verify enemy?) flip $1 (verify empty?) add)",
    "($1 (verify not-friend?) (verify not-attacked?) add)",
    "($1 (verify friend?) cascade $1 (verify not-friend?) add)",
    "((verify (not-friend? $2)) $1 (verify empty?) (add King A))",
    "($1 (verify not-friend?) (while (on-board? $2) $2 (verify empty?)) add)",
];

const DROPS: [&str; 3] = [
    "((verify empty?) add)",
    "((verify (and empty? (not-in-zone? mire))) add)",
    "((verify empty?) (verify (empty? $1)) add)",
];

const ENDS: [&str; 6] = [
    "(loss-condition (White Black) (checkmated King))",
    "(loss-condition (White) (checkmated King))",
    "(loss-condition (White Black) (checkmated King A))",
    "(loss-condition (White Black) (checkmated King)) (draw-condition (White Black) stalemated)",
    "(loss-condition (White Black) (checkmated King)) (draw-condition (White Black) repetition)",
    "(loss-condition (White Black) (pieces-remaining 1))",
];

/// The rules of a seed.
pub fn guarded(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut below = |bound: usize| random.below(bound);
    let (width, height) = (4 + below(7), 4 + below(7));
    let letters: Vec<String> = ('a'..).take(width).map(String::from).collect();
    let numbers: Vec<String> = (1..=height).rev().map(|number| number.to_string()).collect();
    let directions = ["n", "ne", "nw", "e", "s", "w", "se", "sw"];
    let (mut defined, mut pieces) = (String::new(), String::new());
    let drops = below(4) == 0;
    let mut macros = 0;
    for kind in ["A", "B", "C", "King"] {
        let mut moves = String::new();
        // Steps of two kinds often lead to the same states.
        for _ in 0..1 + usize::from(below(4) == 0) {
            // Most of the moves are of the first few kinds.
            let body = MOVES[if below(5) == 0 { below(MOVES.len()) } else { below(9) }];
            let _ = writeln!(defined, "(define m{macros} {body})");
            let first = below(8);
            for index in 0..1 + below(5) {
                let _ = write!(moves, " (m{macros} {} {})", directions[(first + index) % 8], directions[below(8)]);
            }
            macros += 1;
        }
        let mut dropped = String::new();
        if drops && kind != "King" {
            let body = DROPS[below(3)];
            let _ = writeln!(defined, "(define m{macros} {body})");
            let _ = write!(dropped, " (drops (m{macros} {}))", directions[below(8)]);
            macros += 1;
        }
        let _ = write!(pieces, " (piece (name {kind}) (attribute moved? false) (moves{moves}){dropped})");
    }
    let mut free: Vec<String> =
        letters.iter().flat_map(|letter| (1..=height).map(move |number| format!("{letter}{number}"))).collect();
    let mut side = |below: &mut dyn FnMut(usize) -> usize| {
        let mut setup = String::new();
        for (kind, most) in [("King", 2), ("A", 4), ("B", 4), ("C", 3)] {
            let count = 1 + below(most);
            // Most have one king.
            let count = if kind == "King" && below(4) != 0 { 1 } else { count };
            let count = count.min(free.len().saturating_sub(4));
            let sites: Vec<String> = (0..count).map(|_| free.swap_remove(below(free.len()))).collect();
            if !sites.is_empty() {
                let hand = if drops && kind != "King" { format!("off {} ", below(3)) } else { String::new() };
                let _ = write!(setup, " ({kind} {hand}{})", sites.join(" "));
            }
        }
        setup
    };
    let (white, black) = (side(&mut below), side(&mut below));
    let option = if drops { "(option \"recycle captures\" true)" } else { "" };
    let mire: Vec<String> =
        letters.iter().flat_map(|letter| [1, height].map(|number| format!("{letter}{number}"))).collect();
    let mut text = format!(
        "{defined}(game (title \"Guarded\") (players White Black) (turn-order White Black) {option}
          (board (grid (start-rectangle 0 0 9 9) (dimensions (\"{}\" (10 0)) (\"{}\" (0 10)))
              (directions (n 0 -1) (ne 1 -1) (nw -1 -1) (e 1 0) (s 0 1) (sw -1 1) (se 1 1) (w -1 0)))
            (symmetry Black (n s) (s n) (ne se) (se ne) (nw sw) (sw nw))
            (zone (name mire) (players White Black) (positions {})))
          {pieces} (board-setup (White{white}) (Black{black}))",
        letters.join("/"),
        numbers.join("/"),
        mire.join(" "),
    );
    for _ in 0..1 + below(2) {
        let _ = write!(text, " {}", ENDS[below(ENDS.len())]);
    }
    text.push(')');
    text
}
