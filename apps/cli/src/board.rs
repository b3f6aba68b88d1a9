//! The board as text, for any game: sites stand where their areas lie in the picture.

use std::collections::BTreeSet;

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Executor, Piece, State};
use dagaz_ir::{Field, Kind, Player, Role, Rules, Scope};

use crate::codes::Codes;
use crate::picture::Picture;

/// Draws a state: the board, what stands on sites without a place in the picture, the hands, what the rules keep besides,
/// and a legend.
pub(crate) fn draw(executor: &dyn Executor, state: &State) -> String {
    let (rules, topology) = (executor.rules(), &executor.rules().topology);
    let codes = Codes::of(rules);
    let numbers = Numbers::of(executor, state);
    let cell = |site: Site| match column(executor, state, site).as_slice() {
        [] => numbers.at(executor, state, site).unwrap_or_else(|| ".".to_owned()),
        [piece] => codes.piece(*piece),
        pieces => {
            let top = codes.piece(pieces[0]);
            let sign = if top.ends_with(|letter: char| letter.is_ascii_digit()) { "×" } else { "" };
            format!("{top}{sign}{}", pieces.len())
        }
    };
    let picture = Picture::of(topology);
    let mut text = picture.render(topology, &cell);
    let drawn = !picture.is_empty();
    let elsewhere: Vec<String> = picture
        .elsewhere
        .iter()
        .filter(|&&site| !drawn || cell(site) != ".")
        .map(|&site| format!("{} {}", topology.site_name(site), cell(site)))
        .collect();
    if !elsewhere.is_empty() {
        text += &wrapped(if drawn { "elsewhere: " } else { "sites: " }, &elsewhere);
    }
    text += &columns(executor, state, &codes);
    text += &numbers.told(executor, state);
    text += &hands(executor, state, &codes);
    text += &of_players(executor, state);
    text += &legend(executor, state, &codes);
    text
}

/// The variables of the rules that hold a number for each site, as far as they say something of sites without a piece.
struct Numbers {
    /// The first of them, which the picture shows.
    shown: Option<Field>,
    others: Vec<Field>,
}

impl Numbers {
    fn of(executor: &dyn Executor, state: &State) -> Self {
        let layout = executor.layout();
        let empty = |site: &Site| piece_at(executor, state, *site).is_none();
        let says_something = |field: &Field| {
            let mut sites = executor.rules().topology.sites().filter(empty);
            sites.any(|site| state.get(layout.at(*field, site)) != 0)
        };
        let mut fields = variables(executor.rules(), Scope::Site).filter(says_something);
        Self { shown: fields.next(), others: fields.collect() }
    }

    /// The number of a site without a piece, unless it is 0.
    fn at(&self, executor: &dyn Executor, state: &State, site: Site) -> Option<String> {
        let number = state.get(executor.layout().at(self.shown?, site));
        (number != 0).then(|| number.to_string())
    }

    /// Which numbers the picture shows, and the numbers that it does not show.
    fn told(&self, executor: &dyn Executor, state: &State) -> String {
        let rules = executor.rules();
        let shown = self.shown.map(|field| format!("numbers: {}\n", variable_name(rules, field)));
        let list = |&field: &Field| {
            let sites = rules.topology.sites().filter(|&site| piece_at(executor, state, site).is_none());
            let numbers = sites.map(|site| (site, state.get(executor.layout().at(field, site))));
            let items: Vec<String> = numbers
                .filter(|&(_, number)| number != 0)
                .map(|(site, number)| format!("{} {number}", rules.topology.site_name(site)))
                .collect();
            wrapped(&format!("{}: ", variable_name(rules, field)), &items)
        };
        shown.into_iter().chain(self.others.iter().map(list)).collect()
    }
}

/// The variables of the rules with this scope that last longer than a move and are more than a memory.
fn variables(rules: &Rules, scope: Scope) -> impl Iterator<Item = Field> + '_ {
    rules.fields.iter().filter_map(move |(field, info)| {
        let lasting = !info.transient && !info.memory && info.name.starts_with(VARIABLE);
        (info.scope == scope && lasting).then_some(field)
    })
}

/// How a rule language calls the fields that the author's variables become.
const VARIABLE: &str = "variable ";

fn variable_name(rules: &Rules, field: Field) -> &str {
    rules.fields[field].name.strip_prefix(VARIABLE).unwrap_or_default()
}

/// The variables that hold a number for each player, where one is not 0.
fn of_players(executor: &dyn Executor, state: &State) -> String {
    let (rules, layout) = (executor.rules(), executor.layout());
    let list = |field: Field| {
        let number = |player: Player| layout.cell(field, player.index()).map_or(0, |cell| state.get(cell));
        let persons: Vec<Player> =
            rules.players.iter().filter(|(_, info)| info.role == Role::Person).map(|(player, _)| player).collect();
        if persons.iter().all(|&player| number(player) == 0) {
            return String::new();
        }
        let items: Vec<String> =
            persons.iter().map(|&player| format!("{} {}", rules.players[player].name, number(player))).collect();
        wrapped(&format!("{}: ", variable_name(rules, field)), &items)
    };
    variables(rules, Scope::Player).map(list).collect()
}

/// The pieces on a site, from the top.
fn column(executor: &dyn Executor, state: &State, site: Site) -> Vec<Piece> {
    let kinds = executor.rules().kinds.len();
    let below = executor.layout().stack(site).map_while(|cell| usize::try_from(state.get(cell) - 1).ok());
    let below =
        below.map(|code| Piece { owner: Player::from_index(code / kinds), kind: Kind::from_index(code % kinds) });
    piece_at(executor, state, site).into_iter().chain(below).collect()
}

/// What stands in columns of more than one sort of piece.
fn columns(executor: &dyn Executor, state: &State, codes: &Codes) -> String {
    let topology = &executor.rules().topology;
    let mixed = topology.sites().map(|site| (site, column(executor, state, site)));
    let items: Vec<String> = mixed
        .filter(|(_, pieces)| pieces.windows(2).any(|pair| pair[0] != pair[1]))
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
    for piece in rules.topology.sites().flat_map(|site| column(executor, state, site)) {
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
