//! The board as text, for any game: sites stand where their areas lie in the picture.

mod numbers;

use std::collections::BTreeSet;

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Executor, Piece, Seen, State};
use dagaz_ir::{Kind, Player, Role};

use self::numbers::{Numbers, of_players};
use crate::codes::Codes;
use crate::picture::Picture;

/// Draws what is seen of a state: the board, what stands on sites without a place in the picture, the hands, what the rules
/// keep besides, and a legend.
pub(crate) fn draw(executor: &dyn Executor, seen: &Seen) -> String {
    let (rules, topology) = (executor.rules(), &executor.rules().topology);
    let codes = Codes::of(rules);
    let numbers = Numbers::of(executor, seen);
    let cell = |site: Site| match look(executor, seen, site) {
        Look::Nothing => numbers.at(executor, seen, site).unwrap_or_else(|| NOTHING.to_owned()),
        Look::Pieces(pieces) => stands(&pieces, &codes),
        Look::Unknown(owner) => codes.unknown(owner),
        Look::Unseen => UNSEEN.to_owned(),
    };
    let picture = Picture::of(topology);
    let mut text = picture.render(topology, &cell);
    let drawn = !picture.is_empty();
    let elsewhere: Vec<String> = picture
        .elsewhere
        .iter()
        .filter(|&&site| !drawn || cell(site) != NOTHING)
        .map(|&site| format!("{} {}", topology.site_name(site), cell(site)))
        .collect();
    if !elsewhere.is_empty() {
        text += &wrapped(if drawn { "elsewhere: " } else { "sites: " }, &elsewhere);
    }
    text += &columns(executor, seen, &codes);
    text += &numbers.told(executor, seen);
    text += &hands(executor, seen, &codes);
    text += &of_players(executor, seen);
    text += &legend(executor, seen, &codes, topology.sites().any(|site| cell(site) == UNSEEN));
    text
}

/// How a site is drawn where nothing stands and nothing is kept.
const NOTHING: &str = ".";

/// How a site is drawn of which it is not seen what stands there, and a number that is not seen.
const UNSEEN: &str = "?";

/// What is seen of a site.
enum Look {
    Nothing,
    /// The pieces, from the top.
    Pieces(Vec<Piece>),
    /// A piece of this player, and not which.
    Unknown(Player),
    Unseen,
}

fn look(executor: &dyn Executor, seen: &Seen, site: Site) -> Look {
    let layout = executor.layout();
    let [owner, kind] = [layout.known.owner, layout.known.kind].map(|field| layout.at(field, site));
    if seen.hides(owner) {
        return Look::Unseen;
    }
    match usize::try_from(seen.state.get(owner) - 1) {
        Ok(owner) if seen.hides(kind) => Look::Unknown(Player::from_index(owner)),
        Ok(_) => Look::Pieces(column(executor, &seen.state, site)),
        Err(_) => Look::Nothing,
    }
}

/// The pieces on a site, from the top. Of pieces that stand on each other one is as well known as the other.
fn column(executor: &dyn Executor, state: &State, site: Site) -> Vec<Piece> {
    let kinds = executor.rules().kinds.len();
    let below = executor.layout().stack(site).map_while(|cell| usize::try_from(state.get(cell) - 1).ok());
    let below =
        below.map(|code| Piece { owner: Player::from_index(code / kinds), kind: Kind::from_index(code % kinds) });
    piece_at(executor, state, site).into_iter().chain(below).collect()
}

/// The uppermost piece, and of how many it is.
fn stands(pieces: &[Piece], codes: &Codes) -> String {
    let top = pieces.first().map(|&piece| codes.piece(piece)).unwrap_or_default();
    if pieces.len() < 2 {
        return top;
    }
    let sign = if top.ends_with(|letter: char| letter.is_ascii_digit()) { "×" } else { "" };
    format!("{top}{sign}{}", pieces.len())
}

/// What stands in columns of more than one sort of piece.
fn columns(executor: &dyn Executor, seen: &Seen, codes: &Codes) -> String {
    let topology = &executor.rules().topology;
    let mixed = topology.sites().filter_map(|site| match look(executor, seen, site) {
        Look::Pieces(pieces) if pieces.windows(2).any(|pair| pair[0] != pair[1]) => Some((site, pieces)),
        _ => None,
    });
    let items: Vec<String> = mixed
        .map(|(site, pieces)| {
            let pieces: Vec<String> = pieces.into_iter().map(|piece| codes.piece(piece)).collect();
            format!("{} {}", topology.site_name(site), pieces.join(" "))
        })
        .collect();
    if items.is_empty() { String::new() } else { wrapped("columns from the top: ", &items) }
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

fn hands(executor: &dyn Executor, seen: &Seen, codes: &Codes) -> String {
    let rules = executor.rules();
    let mut text = String::new();
    for (player, info) in rules.players.iter() {
        let mut pieces: Vec<String> = hand(executor, &seen.state, player)
            .into_iter()
            .map(|(kind, count)| format!("{count} {}", codes.piece(Piece { owner: player, kind })))
            .collect();
        if info.role == Role::Person && hides_hand(executor, seen, player) {
            pieces.push(UNSEEN.to_owned());
        }
        if !pieces.is_empty() {
            text += &wrapped(&format!("{} in hand: ", info.name), &pieces);
        }
    }
    text
}

fn hides_hand(executor: &dyn Executor, seen: &Seen, player: Player) -> bool {
    let (layout, kinds) = (executor.layout(), executor.rules().kinds.len());
    let cells = |hand| (0..kinds).filter_map(move |kind| layout.cell(hand, player.index() * kinds + kind));
    layout.known.hand.is_some_and(|hand| cells(hand).any(|cell| seen.hides(cell)))
}

/// What the codes mean: the players and the kinds that are on the board or in a hand, and sites that are dark.
fn legend(executor: &dyn Executor, seen: &Seen, codes: &Codes, dark: bool) -> String {
    let rules = executor.rules();
    let (mut known, mut unknown, mut owners) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for site in rules.topology.sites() {
        match look(executor, seen, site) {
            Look::Nothing | Look::Unseen => {}
            Look::Pieces(pieces) => {
                known.extend(pieces.iter().map(|piece| piece.kind));
                owners.extend(pieces.iter().map(|piece| piece.owner));
            }
            Look::Unknown(owner) => _ = unknown.insert(owner),
        }
    }
    for (player, info) in rules.players.iter() {
        for (kind, _) in hand(executor, &seen.state, player) {
            known.insert(kind);
            owners.insert(player);
        }
        if info.role == Role::Person {
            owners.insert(player);
        }
    }
    if known.is_empty() && unknown.is_empty() && !dark {
        return String::new();
    }
    let players: Vec<String> =
        owners.iter().map(|&player| format!("{} {}", rules.players[player].name, codes.player(player))).collect();
    let mut meanings: Vec<String> =
        known.iter().map(|&kind| format!("{} {}", codes.kind(kind), rules.kinds[kind].name)).collect();
    meanings
        .extend(unknown.iter().map(|&owner| format!("{} one of {}", codes.unknown(owner), rules.players[owner].name)));
    meanings.extend(dark.then(|| format!("{UNSEEN} not seen")));
    wrapped(&format!("{} · ", players.join(", ")), &meanings)
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
