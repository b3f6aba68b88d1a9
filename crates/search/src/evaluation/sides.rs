//! Who plays with whom.

use dagaz_base::IdMap;
use dagaz_engine::Executor;
use dagaz_ir::{Player, Role};

/// Who plays with whom, seen by one player: everybody else is taken to play against him ("paranoid" search, Sturtevant
/// and Korf 2000), so that games of three and more players are searched like games of two.
#[derive(Clone)]
pub(crate) struct Sides(IdMap<Player, Side>);

/// Where a player stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The asking player or his friend.
    Ours,
    /// Against him.
    Theirs,
    /// Chance, or owner of neutral pieces.
    Nobodys,
}

impl Sides {
    pub(crate) fn of(executor: &dyn Executor, me: Player) -> Self {
        let players = &executor.rules().players;
        let side = |player: Player| match players[player].role {
            _ if player == me => Side::Ours,
            Role::Person if players[me].friends.contains(&player) => Side::Ours,
            Role::Person => Side::Theirs,
            Role::Random | Role::Neutral => Side::Nobodys,
        };
        Self(players.ids().map(side).collect())
    }

    pub(crate) fn side(&self, player: Player) -> Side {
        self.0[player]
    }

    /// What a player's good is to us: 1, -1 or 0.
    pub(crate) fn sign(&self, player: Player) -> i32 {
        match self.side(player) {
            Side::Ours => 1,
            Side::Theirs => -1,
            Side::Nobodys => 0,
        }
    }
}
