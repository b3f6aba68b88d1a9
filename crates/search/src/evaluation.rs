//! What a state that is not over is worth: the plainest count that fits every game.

use dagaz_base::{Id, IdMap};
use dagaz_engine::Executor;
use dagaz_engine::State;
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
}

/// The worth of one piece.
const PIECE: i32 = 100;
/// No material is worth a win.
const MOST: i32 = 500_000;

/// Our pieces on the board and in hand less theirs, in hundredths of a piece.
pub(crate) fn material(executor: &dyn Executor, state: &State, sides: &Sides) -> i32 {
    let (rules, layout) = (executor.rules(), executor.layout());
    let mut difference = 0;
    let mut count = |player: Player, pieces: i32| match sides.side(player) {
        Side::Ours => difference += pieces,
        Side::Theirs => difference -= pieces,
        Side::Nobodys => {}
    };
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
