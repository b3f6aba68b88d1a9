//! Castling rights: what two pieces still have since the set-up.
//!
//! Rules say it with an attribute that each of the two has at the start and loses for ever. So a castling attribute is
//! one with two values, which rules only ever change from one to the other, and which is had by a piece that is the only
//! one of its kind and by others in its row. The right to the right of that piece is `K`, to its left `Q`; each belongs
//! to the outermost of the others on that side, and may also be written as the letter of that one's file.
//!
//! A piece has the attribute when it is 1 for new pieces of its kind. Where it is 0 for all kinds, every piece has it,
//! and the letter `K` tells which one castles.

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Executor, Layout, State};
use dagaz_ir::{Block, Expr, Field, Kind, Op, Player, Rules, Scope, StmtKind};

use super::grid::{Grid, file_and_rank};
use super::{Letters, ReadError};

/// The castling rights that a game knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Castling {
    rights: Vec<Right>,
    /// The attributes that hold them, each with its value at the start.
    attributes: Vec<(Field, i32)>,
    /// What stands on each site at the start.
    start: Vec<Option<(Player, Kind)>>,
}

/// One right.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Right {
    letter: char,
    /// The letter of the file on which `far` stands, in the same case.
    file: Option<char>,
    side: Player,
    /// Where the single piece stands at the start, and the outermost on this side.
    near: Site,
    far: Site,
}

impl Castling {
    pub(super) fn of(executor: &dyn Executor, grid: &Grid, letters: &Letters, sides: [Player; 2]) -> Self {
        let rules = executor.rules();
        let initial = executor.initial();
        let start = Pieces { layout: executor.layout(), state: &initial };
        let pieces = rules.topology.sites().map(|site| start.piece(site)).collect();
        let mut castling = Self { start: pieces, ..Self::default() };
        for (field, info) in rules.fields.iter() {
            let own = [start.layout.known.owner, start.layout.known.kind].contains(&field);
            if own || info.scope != Scope::Piece || (info.low, info.high) != (0, 1) {
                continue;
            }
            let rights: Vec<Right> =
                sides.iter().flat_map(|&side| start.rights(rules, grid, letters, field, side)).collect();
            let value = start_value(rules, field);
            if !rights.is_empty() && is_lost_for_ever(rules, field, value) {
                castling.attributes.push((field, value));
                castling.rights.extend(rights);
            }
        }
        castling.rights.dedup();
        for right in &mut castling.rights {
            if right.side == sides[1] {
                right.letter = right.letter.to_ascii_lowercase();
                right.file = right.file.map(|file| file.to_ascii_lowercase());
            }
        }
        castling
    }

    /// Gives the attributes the values that the field says, for all kinds that have them at the start. Pieces that stand
    /// where one of theirs stood at the start count as unmoved, all others as moved.
    pub(super) fn read(
        &self,
        executor: &dyn Executor,
        state: &mut State,
        grid: &Grid,
        text: &str,
    ) -> Result<(), ReadError> {
        let mut granted = Vec::new();
        for letter in text.chars().filter(|_| text != "-") {
            if self.rights.is_empty() {
                return Err(ReadError::NoCastling { text: text.to_owned() });
            }
            let means = |right: &&Right| right.letter == letter || right.file == Some(letter);
            let right = self.rights.iter().find(means).filter(|right| self.stands(right, executor, state));
            granted.push(right.ok_or(ReadError::Castling { letter })?);
        }
        for site in grid.rows().iter().flatten().copied() {
            let piece = Pieces { layout: executor.layout(), state }.piece(site);
            let Some((_, kind)) = piece else { continue };
            let takes_part = |right: &Right| right.near == site || right.far == site;
            let may_castle = self.rights.iter().any(takes_part);
            let unmoved =
                piece == self.start[site.index()] && (!may_castle || granted.iter().any(|&right| takes_part(right)));
            for &(field, value) in &self.attributes {
                let lost_with_every_move = value == 1 && initial_value(executor.rules(), kind, field) == Some(1);
                if lost_with_every_move || self.tells(field, kind) {
                    state.set(
                        executor.layout(),
                        executor.layout().at(field, site),
                        if unmoved { value } else { 1 - value },
                    );
                }
            }
        }
        Ok(())
    }

    pub(super) fn write(&self, executor: &dyn Executor, state: &State) -> String {
        let holds = |right: &&Right| {
            let now = Pieces { layout: executor.layout(), state };
            let kept = |site| self.attributes.iter().all(|&(field, value)| now.value(field, site) == value);
            self.stands(right, executor, state) && kept(right.near) && kept(right.far)
        };
        let text: String = self.rights.iter().filter(holds).map(|right| right.letter).collect();
        if text.is_empty() { "-".to_owned() } else { text }
    }

    /// Whether the field tells all that matters of this attribute of this kind: the kind castles.
    pub(super) fn tells(&self, field: Field, kind: Kind) -> bool {
        let castles = |site: Site| self.start[site.index()].is_some_and(|(_, other)| other == kind);
        self.attributes.iter().any(|&(other, _)| other == field)
            && self.rights.iter().any(|right| castles(right.near) || castles(right.far))
    }

    /// Whether both pieces stand where they stood at the start.
    fn stands(&self, right: &Right, executor: &dyn Executor, state: &State) -> bool {
        let now = Pieces { layout: executor.layout(), state };
        [right.near, right.far].into_iter().all(|site| now.piece(site) == self.start[site.index()])
    }
}

/// A state, asked for its pieces.
struct Pieces<'a> {
    layout: &'a Layout,
    state: &'a State,
}

impl Pieces<'_> {
    fn value(&self, field: Field, site: Site) -> i32 {
        self.state.get(self.layout.at(field, site))
    }

    fn piece(&self, site: Site) -> Option<(Player, Kind)> {
        let owner = usize::try_from(self.value(self.layout.known.owner, site) - 1).ok()?;
        let kind = usize::try_from(self.value(self.layout.known.kind, site) - 1).ok()?;
        Some((Player::from_index(owner), Kind::from_index(kind)))
    }

    /// The rights of one side that rest on this attribute.
    fn rights(&self, rules: &Rules, grid: &Grid, letters: &Letters, field: Field, side: Player) -> Vec<Right> {
        let carries = |kind: Kind| initial_value(rules, kind, field) == Some(start_value(rules, field));
        let kind =
            |site: Site| self.piece(site).filter(|&(owner, kind)| owner == side && carries(kind)).map(|(_, kind)| kind);
        let all: Vec<(Site, Kind)> =
            grid.rows().iter().flatten().filter_map(|&site| Some((site, kind(site)?))).collect();
        let mut single: Vec<(Site, Kind)> = all
            .iter()
            .filter(|(_, kind)| all.iter().filter(|(_, other)| other == kind).count() == 1)
            .copied()
            .collect();
        if single.len() > 1 {
            // Where every piece carries the attribute, the letter tells which one castles.
            single.retain(|&(_, kind)| letters.letter(kind) == Some('K'));
        }
        let &[(near, _)] = single.as_slice() else { return Vec::new() };
        let Some((row, column)) = grid.place(near) else { return Vec::new() };
        let row = &grid.rows()[row];
        let outermost = |mut sites: Box<dyn Iterator<Item = Site> + '_>| sites.find(|&site| kind(site).is_some());
        let right = outermost(Box::new(row[column + 1..].iter().rev().copied()));
        let left = outermost(Box::new(row[..column].iter().copied()));
        let file = |site| file_and_rank(rules.topology.site_name(site))?.0.to_ascii_uppercase().chars().next();
        let make = |(letter, far): (char, Option<Site>)| {
            let far = far?;
            Some(Right { letter, file: file(far), side, near, far })
        };
        [('K', right), ('Q', left)].into_iter().filter_map(make).collect()
    }
}

/// The attribute of a new piece of this kind.
fn initial_value(rules: &Rules, kind: Kind, field: Field) -> Option<i32> {
    rules.kinds[kind].attributes.iter().find(|&&(other, _)| other == field).map(|&(_, value)| value)
}

/// The attribute of new pieces that may lose it: 1, if it is that for any kind.
fn start_value(rules: &Rules, field: Field) -> i32 {
    i32::from(rules.kinds.ids().any(|kind| initial_value(rules, kind, field) == Some(1)))
}

/// Whether rules change the attribute, and only ever from this value to the other.
fn is_lost_for_ever(rules: &Rules, field: Field, value: i32) -> bool {
    let mut values = Vec::new();
    for rule in rules.rules.values() {
        settings(&rule.body, field, &mut values);
    }
    !values.is_empty() && values.iter().all(|&set| set == Some(1 - value))
}

/// The values that these statements give the attribute; nothing for one that is computed.
fn settings(block: &Block, field: Field, values: &mut Vec<Option<i32>>) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Effect(effect) if effect.op == Op::SetAt(field) => values.push(constant(&effect.args[1])),
            StmtKind::If(_, yes, no) => {
                settings(yes, field, values);
                settings(no, field, values);
            }
            StmtKind::While(_, body) | StmtKind::For(_, _, body) | StmtKind::Attempt(body) => {
                settings(body, field, values);
            }
            _ => {}
        }
    }
}

fn constant(value: &Expr) -> Option<i32> {
    match value.op {
        Op::Int(number) => Some(number),
        Op::Truth => match value.args[0].op {
            Op::Bool(truth) => Some(i32::from(truth)),
            _ => None,
        },
        _ => None,
    }
}
