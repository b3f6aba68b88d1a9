//! What stands where, as a case says it: `White Man a1 b1; Black ? c3; ? d1 d2`.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Executor, Seen};
use dagaz_ir::{Kind, Player, Rules, Scope};

/// What stands where, each with its level, the lowest 1. Whoever looks may not know whose a piece is, or which.
#[derive(Default)]
pub(crate) struct Stood {
    pub(crate) pieces: BTreeSet<(Site, usize, Option<Player>, Option<Kind>)>,
}

impl Stood {
    /// What is seen. Of pieces that stand on each other one is as well known as the other.
    pub(crate) fn of(executor: &dyn Executor, seen: &Seen) -> Self {
        let (rules, layout, state) = (executor.rules(), executor.layout(), &seen.state);
        let mut stood = Self::default();
        for site in rules.topology.sites() {
            let [owner, kind] = [layout.known.owner, layout.known.kind].map(|field| layout.at(field, site));
            if seen.hides(owner) {
                stood.add(None, None, site);
                continue;
            }
            let number = |cell| usize::try_from(state.get(cell) - 1).ok();
            let Some(owner) = number(owner) else { continue };
            if seen.hides(kind) {
                stood.add(Some(Player::from_index(owner)), None, site);
                continue;
            }
            let Some(kind) = number(kind) else { continue };
            let mut below: Vec<_> = layout.stack(site).map_while(number).collect();
            below.reverse();
            for code in below.into_iter().chain([owner * rules.kinds.len() + kind]) {
                let (owner, kind) = (code / rules.kinds.len(), code % rules.kinds.len());
                stood.add(Some(Player::from_index(owner)), Some(Kind::from_index(kind)), site);
            }
        }
        stood
    }

    /// On top of what stands there.
    pub(crate) fn add(&mut self, player: Option<Player>, kind: Option<Kind>, site: Site) {
        let level = 1 + self.pieces.iter().filter(|piece| piece.0 == site).count();
        self.pieces.insert((site, level, player, kind));
    }

    /// What the other has not, each by itself.
    pub(crate) fn without(&self, other: &Self, rules: &Rules) -> Vec<String> {
        let name = |&(site, level, player, kind)| {
            let level = if level > 1 { format!(" ({level} pieces high)") } else { String::new() };
            format!("{} {}{level}", piece(rules, player, kind), rules.topology.site_name(site))
        };
        self.pieces.difference(&other.pieces).map(name).collect()
    }
}

/// What a player sees on the board, as a `seen` case has it; what stands below others comes before them.
pub fn seen_on_board(executor: &dyn Executor, seen: &Seen) -> String {
    let rules = executor.rules();
    let mut sorts = BTreeMap::<_, Vec<&str>>::new();
    for (site, level, player, kind) in Stood::of(executor, seen).pieces {
        let unknown = (level, player.is_none(), player, kind.is_none(), kind);
        sorts.entry(unknown).or_default().push(rules.topology.site_name(site));
    }
    let text = |((_, _, player, _, kind), sites): (_, Vec<&str>)| {
        format!("{} {}", piece(rules, player, kind), sites.join(" "))
    };
    sorts.into_iter().map(text).collect::<Vec<_>>().join("; ")
}

fn piece(rules: &Rules, player: Option<Player>, kind: Option<Kind>) -> String {
    let Some(player) = player else { return "?".to_owned() };
    format!("{} {}", rules.players[player].name, kind.map_or("?", |kind| &rules.kinds[kind].name))
}

/// What a player does not see besides what stands on the board, as `hidden` cases have it: `hand Black Card`, `moved a1`,
/// `stake Black`.
pub fn hidden_elsewhere(executor: &dyn Executor, seen: &Seen) -> Vec<String> {
    let (rules, layout) = (executor.rules(), executor.layout());
    let known = layout.known;
    let mut hidden = Vec::new();
    for (field, info) in rules.fields.iter() {
        if [Some(known.owner), Some(known.kind), known.stack].contains(&Some(field)) {
            continue;
        }
        let name = ["variable ", "attribute "].iter().find_map(|mark| info.name.strip_prefix(mark));
        let name = name.unwrap_or(&info.name);
        for index in 0..layout.count(field) {
            let cell = layout.cell(field, index).expect("the field has so many cells");
            // Attributes go without saying where it is not known which piece stands there.
            let of_unknown = |site| info.scope == Scope::Piece && seen.hides(layout.at(known.kind, site));
            if !seen.hides(cell) {
                continue;
            }
            hidden.push(match info.scope {
                Scope::Piece | Scope::Site if of_unknown(Site::from_index(index)) => continue,
                Scope::Piece | Scope::Site | Scope::Stack(_) => {
                    format!("{name} {}", rules.topology.site_name(Site::from_index(index)))
                }
                Scope::Player => format!("{name} {}", rules.players[Player::from_index(index)].name),
                Scope::Hand => {
                    let (player, kind) = (index / rules.kinds.len(), index % rules.kinds.len());
                    let (player, kind) = (Player::from_index(player), Kind::from_index(kind));
                    format!("{name} {}", piece(rules, Some(player), Some(kind)))
                }
                Scope::Array(_) => format!("{name} {index}"),
                Scope::Global => name.to_owned(),
            });
        }
    }
    hidden
}
