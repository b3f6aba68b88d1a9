//! The names of one game, for readers that must know which words are names.

use std::collections::BTreeMap;

use dagaz_board::Site;
use dagaz_ir::{Field, Kind, Player, Rules};

/// Lookup of names. Where a name is given twice, the first holds.
#[derive(Clone, Debug)]
pub struct Names<'a> {
    sites: BTreeMap<&'a str, Site>,
    kinds: BTreeMap<&'a str, Kind>,
    players: BTreeMap<&'a str, Player>,
    fields: BTreeMap<&'a str, Field>,
}

impl<'a> Names<'a> {
    /// The names of these rules.
    pub fn of(rules: &'a Rules) -> Self {
        let topology = &rules.topology;
        Self {
            sites: first_wins(topology.sites().map(|site| (topology.site_name(site), site))),
            kinds: first_wins(rules.kinds.iter().map(|(kind, info)| (info.name.as_str(), kind))),
            players: first_wins(rules.players.iter().map(|(player, info)| (info.name.as_str(), player))),
            fields: first_wins(rules.fields.iter().map(|(field, info)| (info.name.as_str(), field))),
        }
    }

    /// The site of this name.
    pub fn site(&self, name: &str) -> Option<Site> {
        self.sites.get(name).copied()
    }

    /// The kind of this name.
    pub fn kind(&self, name: &str) -> Option<Kind> {
        self.kinds.get(name).copied()
    }

    /// The player of this name.
    pub fn player(&self, name: &str) -> Option<Player> {
        self.players.get(name).copied()
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<Field> {
        self.fields.get(name).copied()
    }
}

fn first_wins<'a, T>(pairs: impl DoubleEndedIterator<Item = (&'a str, T)>) -> BTreeMap<&'a str, T> {
    pairs.rev().collect()
}
