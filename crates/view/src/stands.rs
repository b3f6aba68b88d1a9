//! What a viewer sees to stand on a site, to wait in a hand, and of the numbers that rules keep.

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Cell, Executor, Piece, Seen};
use dagaz_ir::{Field, Kind, Player, Rules, Scope};

/// What is seen of a site.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stands {
    Nothing,
    /// The pieces, from below.
    Pieces(Vec<Piece>),
    /// A piece of this player, and not which.
    Unknown(Player),
    /// Not even whether there is one.
    Unseen,
}

pub(crate) fn stands(executor: &dyn Executor, seen: &Seen, site: Site) -> Stands {
    let (layout, rules) = (executor.layout(), executor.rules());
    let [owner, kind] = [layout.known.owner, layout.known.kind].map(|field| layout.at(field, site));
    if seen.hides(owner) {
        return Stands::Unseen;
    }
    let number = |cell: Cell, count: usize| {
        usize::try_from(seen.state.get(cell)).ok().and_then(|value| value.checked_sub(1)).filter(|&index| index < count)
    };
    let Some(owner) = number(owner, rules.players.len()) else { return Stands::Nothing };
    let owner = Player::from_index(owner);
    if seen.hides(kind) {
        return Stands::Unknown(owner);
    }
    let kinds = rules.kinds.len();
    let Some(kind) = number(kind, kinds) else { return Stands::Nothing };
    let below = layout.stack(site).map_while(|cell| number(cell, kinds * rules.players.len()));
    let below =
        below.map(|code| Piece { owner: Player::from_index(code / kinds), kind: Kind::from_index(code % kinds) });
    let mut pieces: Vec<Piece> = std::iter::once(Piece { owner, kind: Kind::from_index(kind) }).chain(below).collect();
    pieces.reverse();
    Stands::Pieces(pieces)
}

/// How many pieces of each kind wait in a player's hand; nothing for the number that is not seen.
pub(crate) fn hand(executor: &dyn Executor, seen: &Seen, player: Player) -> Vec<(Kind, Option<i32>)> {
    let (rules, layout) = (executor.rules(), executor.layout());
    let Some(field) = layout.known.hand else { return Vec::new() };
    let count = |kind: Kind| {
        let cell = layout.cell(field, player.index() * rules.kinds.len() + kind.index())?;
        match seen.hides(cell) {
            true => Some((kind, None)),
            false => Some((kind, Some(seen.state.get(cell)))).filter(|(_, count)| *count != Some(0)),
        }
    };
    rules.kinds.ids().filter_map(count).collect()
}

/// The sites that look otherwise in a later view of the same player, pieces or numbers.
pub fn changed(executor: &dyn Executor, before: &Seen, after: &Seen) -> Vec<Site> {
    let (layout, rules) = (executor.layout(), executor.rules());
    let cells = before.changes(after);
    let numbers: Vec<Field> = variables(rules, |scope| scope == Scope::Site).collect();
    let touched = |site: &Site| {
        let own = layout.piece_cells(*site).chain(numbers.iter().map(|&field| layout.at(field, *site)));
        own.into_iter().any(|cell| cells.binary_search(&cell).is_ok())
    };
    rules.topology.sites().filter(touched).collect()
}

/// The variables of the rules with a scope like this that last longer than a move and are more than a memory.
pub(crate) fn variables(rules: &Rules, fits: impl Fn(Scope) -> bool) -> impl Iterator<Item = Field> {
    rules.fields.iter().filter_map(move |(field, info)| {
        let lasting = !info.transient && !info.memory && info.name.starts_with(VARIABLE);
        (fits(info.scope) && lasting).then_some(field)
    })
}

/// The variable of this name.
pub(crate) fn variable(rules: &Rules, name: &str) -> Option<Field> {
    rules.fields.position(|info| info.name.strip_prefix(VARIABLE) == Some(name))
}

/// How an author calls a variable.
pub(crate) fn variable_name(rules: &Rules, field: Field) -> &str {
    rules.fields[field].name.strip_prefix(VARIABLE).unwrap_or_default()
}

/// How rule languages call the fields that an author's variables become.
const VARIABLE: &str = "variable ";
