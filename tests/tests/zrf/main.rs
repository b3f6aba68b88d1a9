//! What rules written in ZRF mean, one statement a test, on rules as small as they can be. The words for authors are in
//! `docs/zrf.md`; a test here that fails says which of them is not true any more.

mod adding;
mod board;
mod conditions;
mod drops;
mod effects;
mod goals;
mod legality;
mod lexis;
mod limits;
mod macros;
mod menu;
mod options;
mod partial;
mod records;
mod slips;
mod steps;
mod turns;

use std::collections::BTreeMap;

use dagaz_lang_zrf::{Compiled, Settings};
use dagaz_tests::trial::{Trial, compile_text};

/// A game on a board of files and ranks with eight directions.
#[derive(Clone, Copy)]
struct Game<'a> {
    players: &'a str,
    turns: &'a str,
    files: &'a str,
    ranks: &'a str,
    /// Further items of the board.
    board: &'a str,
    /// Pieces, set-up and the rest of the game.
    rest: &'a str,
}

/// White and Black in turn on a board of four by four.
const GAME: Game<'static> =
    Game { players: "White Black", turns: "White Black", files: "a/b/c/d", ranks: "4/3/2/1", board: "", rest: "" };

impl Game<'_> {
    fn text(self) -> String {
        let Game { players, turns, files, ranks, board, rest } = self;
        format!(
            "(game (title \"Test\") (players {players}) (turn-order {turns})
               (board
                 (grid
                   (start-rectangle 0 0 9 9) (dimensions (\"{files}\" (10 0)) (\"{ranks}\" (0 10)))
                   (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0) (ne 1 -1) (nw -1 -1) (se 1 1) (sw -1 1)))
                 {board})
               {rest})"
        )
    }

    fn start(self) -> Trial {
        Trial::of(&self.text())
    }

    /// The codes of what is found in it.
    fn codes(self) -> Vec<&'static str> {
        codes(&self.text())
    }

    /// The start, whatever is found in it.
    fn start_anyway(self) -> Trial {
        Trial::despite_findings(&self.text())
    }
}

/// A man with these blocks, a king that cannot move, and this set-up, on the board of [`GAME`].
fn man(blocks: &str, setup: &str) -> Trial {
    let rest = format!(
        "(piece (name Man) (attribute tired false) (moves {blocks})) (piece (name King)) (board-setup {setup})"
    );
    Game { rest: &rest, ..GAME }.start()
}

/// The squares on which White's man on b1 can end, with this block.
fn ends(block: &str, setup: &str) -> Vec<String> {
    let setup = format!("(White (Man b1)) {setup}");
    let moves = man(block, &setup).moves();
    let ends = moves.iter().map(|text| text.trim_start_matches("+ ").split(' ').nth(2).unwrap_or_default().to_owned());
    ends.collect()
}

/// Whether a condition holds for White's man on b1, with this further set-up.
fn holds(condition: &str, setup: &str) -> bool {
    !ends(&format!("((verify {condition}) a4 add)"), setup).is_empty()
}

fn compiled(text: &str) -> Compiled {
    compile_text(text, &BTreeMap::new(), &Settings::default())
}

/// The codes of what is found in a text.
fn codes(text: &str) -> Vec<&'static str> {
    compiled(text).diagnostics.iter().map(|finding| finding.code).collect()
}
