//! What values mean: wins and losses with their distances, and estimates between them.

use dagaz_base::Id;
use dagaz_engine::{Outcome, Share};
use dagaz_ir::Player;

use crate::agent::Score;

/// The value of a win here and now, to the side that asked.
pub(super) const WIN: i32 = 1_000_000;
/// Values beyond this are wins and losses that nobody can escape.
pub(super) const PROVEN: i32 = WIN - 10_000;
/// More than every value.
pub(super) const INFINITE: i32 = WIN + 1;

/// Whether a value is a certain win or loss.
pub(super) fn is_proven(value: i32) -> bool {
    value.abs() >= PROVEN
}

/// A value as an answer says it.
pub(super) fn score(value: i32) -> Score {
    if value >= PROVEN {
        Score::Win((WIN - value) as u32)
    } else if value <= -PROVEN {
        Score::Loss((WIN + value) as u32)
    } else {
        Score::Pieces(value)
    }
}

/// What an outcome is worth to a player, so many whole moves after the root.
pub(super) fn of_outcome(outcome: &Outcome, player: Player, ply: u32) -> i32 {
    match outcome.shares.get(player.index()) {
        Some(Share::Win) => WIN - ply as i32,
        Some(Share::Loss) => ply as i32 - WIN,
        Some(Share::Draw | Share::None) | None => 0,
    }
}

/// A value of the asking player's side to the side that is to move, or back.
pub(super) fn signed(ours: bool, value: i32) -> i32 {
    if ours { value } else { -value }
}
