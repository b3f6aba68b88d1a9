//! The plainest count that fits every game: what a node's state seems to be worth before anything was played from there.

use dagaz_base::Id;
use dagaz_engine::{Executor, State};
use dagaz_ir::Player;

use crate::evaluation::Sides;

/// The worth of one piece.
const PIECE: i32 = 100;
/// No material is worth a win.
const MOST: i32 = 500_000;

/// Our pieces on the board and in hand less theirs, in hundredths of a piece.
pub(super) fn material(executor: &dyn Executor, state: &State, sides: &Sides) -> i32 {
    let (rules, layout) = (executor.rules(), executor.layout());
    let mut difference = 0;
    let mut count = |player: Player, pieces: i32| difference += sides.sign(player) * pieces;
    let owners = layout.known.owner;
    for cell in (0..layout.count(owners)).filter_map(|index| layout.cell(owners, index)) {
        let owner = state.get(cell);
        if owner > 0 {
            count(Player::from_index(owner as usize - 1), 1);
        }
    }
    if let Some(hand) = layout.known.hand {
        let kinds = rules.kinds.len();
        for player in rules.players.ids() {
            for kind in 0..kinds {
                if let Some(cell) = layout.cell(hand, player.index() * kinds + kind) {
                    count(player, state.get(cell));
                }
            }
        }
    }
    difference.saturating_mul(PIECE).clamp(-MOST, MOST)
}
