//! The board as text, for any game: sites stand where their areas lie in the picture.

use std::collections::BTreeSet;

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Executor, Piece, State};
use dagaz_ir::{Kind, Player, Role};

use crate::codes::Codes;
use crate::picture::Picture;

/// Draws a state: the board, what stands on sites without a place in the picture, the hands, and a legend.
pub(crate) fn draw(executor: &dyn Executor, state: &State) -> String {
    let (rules, topology) = (executor.rules(), &executor.rules().topology);
    let codes = Codes::of(rules);
    let cell = |site: Site| piece_at(executor, state, site).map_or(".".to_owned(), |piece| codes.piece(piece));
    let picture = Picture::of(topology);
    let mut text = picture.render(topology, &cell);
    let drawn = !picture.is_empty();
    let elsewhere: Vec<String> = picture
        .elsewhere
        .iter()
        .filter(|&&site| !drawn || piece_at(executor, state, site).is_some())
        .map(|&site| format!("{} {}", topology.site_name(site), cell(site)))
        .collect();
    if !elsewhere.is_empty() {
        text += &wrapped(if drawn { "elsewhere: " } else { "sites: " }, &elsewhere);
    }
    text += &hands(executor, state, &codes);
    text += &legend(executor, state, &codes);
    text
}

/// The piece on a site, if one stands there.
pub(crate) fn piece_at(executor: &dyn Executor, state: &State, site: Site) -> Option<Piece> {
    let layout = executor.layout();
    let number = |field| usize::try_from(state.get(layout.at(field, site))).ok()?.checked_sub(1);
    let (owner, kind) = (number(layout.known.owner)?, number(layout.known.kind)?);
    Some(Piece { owner: Player::from_index(owner), kind: Kind::from_index(kind) })
}

/// How many pieces of each kind wait in a player's hand.
pub(crate) fn hand(executor: &dyn Executor, state: &State, player: Player) -> Vec<(Kind, i32)> {
    let (rules, layout) = (executor.rules(), executor.layout());
    let Some(field) = layout.known.hand else { return Vec::new() };
    let count = |kind: Kind| {
        let cell = layout.cell(field, player.index() * rules.kinds.len() + kind.index())?;
        Some((kind, state.get(cell))).filter(|&(_, count)| count != 0)
    };
    rules.kinds.ids().filter_map(count).collect()
}

fn hands(executor: &dyn Executor, state: &State, codes: &Codes) -> String {
    let rules = executor.rules();
    let mut text = String::new();
    for (player, info) in rules.players.iter() {
        let pieces: Vec<String> = hand(executor, state, player)
            .into_iter()
            .map(|(kind, count)| format!("{count} {}", codes.piece(Piece { owner: player, kind })))
            .collect();
        if !pieces.is_empty() {
            text += &wrapped(&format!("{} in hand: ", info.name), &pieces);
        }
    }
    text
}

/// What the codes mean: the players and the kinds that are on the board or in a hand.
fn legend(executor: &dyn Executor, state: &State, codes: &Codes) -> String {
    let rules = executor.rules();
    let (mut seen, mut owners) = (BTreeSet::new(), BTreeSet::new());
    for piece in rules.topology.sites().filter_map(|site| piece_at(executor, state, site)) {
        seen.insert(piece.kind);
        owners.insert(piece.owner);
    }
    for (player, info) in rules.players.iter() {
        for (kind, _) in hand(executor, state, player) {
            seen.insert(kind);
            owners.insert(player);
        }
        if info.role == Role::Person {
            owners.insert(player);
        }
    }
    if seen.is_empty() {
        return String::new();
    }
    let players: Vec<String> =
        owners.iter().map(|&player| format!("{} {}", rules.players[player].name, codes.player(player))).collect();
    let kinds: Vec<String> =
        seen.iter().map(|&kind| format!("{} {}", codes.kind(kind), rules.kinds[kind].name)).collect();
    wrapped(&format!("{} · ", players.join(", ")), &kinds)
}

/// A list in lines of the usual width.
fn wrapped(intro: &str, items: &[String]) -> String {
    const WIDTH: usize = 100;
    let (mut text, mut width) = (intro.to_owned(), intro.chars().count());
    for (index, item) in items.iter().enumerate() {
        let length = item.chars().count() + 2;
        if width + length > WIDTH && index > 0 {
            text.truncate(text.trim_end().len());
            text += "\n  ";
            width = 2;
        }
        text += item;
        text += if index + 1 < items.len() { ", " } else { "\n" };
        width += length;
    }
    text
}
