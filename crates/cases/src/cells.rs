//! The names of a case, looked up in the rules that it speaks of.

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::Layout;
use dagaz_ir::{Field, Kind, Player, Rules, Scope};
use dagaz_notation::Names;

use crate::read::{CellName, Held, Pieces};

/// The names of one game. What it lacks is said in words.
pub(crate) struct Lookup<'a> {
    rules: &'a Rules,
    layout: &'a Layout,
    names: Names<'a>,
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(rules: &'a Rules, layout: &'a Layout) -> Self {
        Self { rules, layout, names: Names::of(rules) }
    }

    pub(crate) fn player(&self, name: &str) -> Result<Player, String> {
        let known = || self.rules.players.values().map(|player| player.name.as_str());
        self.names.player(name).ok_or_else(|| format!("there is no player `{name}`; there are {}", listed(known())))
    }

    pub(crate) fn kind(&self, name: &str) -> Result<Kind, String> {
        let known = || self.rules.kinds.values().map(|kind| kind.name.as_str());
        self.names.kind(name).ok_or_else(|| format!("there is no kind `{name}`; there are {}", listed(known())))
    }

    pub(crate) fn site(&self, name: &str) -> Result<Site, String> {
        self.names.site(name).ok_or_else(|| format!("the board has no site `{name}`"))
    }

    /// Each of the pieces with its site.
    pub(crate) fn pieces(&self, pieces: &Pieces) -> Result<Vec<(Player, Kind, Site)>, String> {
        let (player, kind) = (self.player(&pieces.player)?, self.kind(&pieces.kind)?);
        pieces.sites.iter().map(|site| Ok((player, kind, self.site(site)?))).collect()
    }

    /// The field of the hands and the index of these pieces in it.
    pub(crate) fn hand(&self, held: &Held) -> Result<(Field, usize), String> {
        self.hand_of(&held.player, &held.kind)
    }

    fn hand_of(&self, player: &str, kind: &str) -> Result<(Field, usize), String> {
        let hand = self.layout.known.hand.ok_or("pieces cannot wait off the board in this game")?;
        let (player, kind) = (self.player(player)?, self.kind(kind)?);
        Ok((hand, player.index() * self.rules.kinds.len() + kind.index()))
    }

    /// The field and the index of a cell of the state.
    pub(crate) fn cell(&self, words: &[String]) -> Result<(Field, usize), String> {
        let (field, element) = self.field(words)?;
        let info = &self.rules.fields[field];
        let index = match (info.scope, element) {
            (Scope::Global, None) => 0,
            (Scope::Piece | Scope::Site, Some(site)) => self.site(site)?.index(),
            (Scope::Player, Some(player)) => self.player(player)?.index(),
            (Scope::Array(count), Some(number)) => {
                let index = number.parse().ok().filter(|&index: &usize| index < count as usize);
                index.ok_or_else(|| format!("`{}` has the elements 0 to {}", info.name, count.saturating_sub(1)))?
            }
            (Scope::Stack(_), _) => return Err("pieces below others are said by naming a site several times".into()),
            (Scope::Hand, _) => return Err(format!("`{}` is said by `hand PLAYER KIND`", info.name)),
            (Scope::Global, Some(_)) => return Err(format!("`{}` has one value for the whole state", info.name)),
            (Scope::Piece | Scope::Site, None) => return Err(format!("`{}` has a value for each site", info.name)),
            (Scope::Player, None) => return Err(format!("`{}` has a value for each player", info.name)),
            (Scope::Array(count), None) => return Err(format!("`{}` has {count} elements", info.name)),
        };
        Ok((field, index))
    }

    /// The same of a cell that is only named.
    pub(crate) fn cell_named(&self, name: &CellName) -> Result<(Field, usize), String> {
        match name {
            CellName::Hand { player, kind } => self.hand_of(player, kind),
            CellName::Field(words) => self.cell(words),
        }
    }

    /// The field that the words begin with, and the word behind its name. Attributes and variables are called by their
    /// bare names.
    fn field<'w>(&self, words: &'w [String]) -> Result<(Field, Option<&'w str>), String> {
        for length in (words.len().saturating_sub(1).max(1)..=words.len()).rev() {
            let name = words[..length].join(" ");
            let known =
                ["", "variable ", "attribute "].iter().find_map(|mark| self.names.field(&format!("{mark}{name}")));
            if let Some(field) = known {
                return Ok((field, words.get(length).map(String::as_str)));
            }
        }
        let known = self.rules.fields.values().map(|field| field.name.as_str());
        Err(format!("the state has no field `{}`; it has {}", words.join(" "), listed(known)))
    }
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
