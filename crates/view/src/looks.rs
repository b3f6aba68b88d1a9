//! How the pieces of a game look: as the view says; else by the names of their kinds; else a disc with a letter.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::IdMap;
use dagaz_ir::{Kind, Placement, Player, Role, Rules};

use crate::figures::{Figure, SYMBOLS, Shape, layers};
use crate::geometry::Point;
use crate::letters::letters;
use crate::paint::Paints;
use crate::path::Path;
use crate::scene::{Layer, Look};
use crate::view::{View, fits};

/// The looks of a game, made when they are needed.
pub(crate) struct Looks<'a> {
    rules: &'a Rules,
    view: &'a View,
    palette: &'a BTreeMap<String, [String; 2]>,
    letters: IdMap<Kind, String>,
    numbers: BTreeMap<(Option<Kind>, Player), usize>,
    made: Vec<Look>,
    /// How many kinds ever stand on the board as pieces: others are only marks of the rules.
    real: usize,
}

impl<'a> Looks<'a> {
    pub(crate) fn new(rules: &'a Rules, view: &'a View, palette: &'a BTreeMap<String, [String; 2]>) -> Self {
        let placed = rules.setup.iter().filter_map(|placement| match *placement {
            Placement::Piece(_, kind, _) | Placement::Hand(_, kind, _) => Some(kind),
            Placement::Cell(..) => None,
        });
        let real: BTreeSet<Kind> = placed.chain(rules.rules.values().filter_map(|rule| rule.kind)).collect();
        let letters = letters(rules, view);
        Self { rules, view, palette, letters, numbers: BTreeMap::new(), made: Vec::new(), real: real.len() }
    }

    /// All that were made, by their numbers.
    pub(crate) fn finish(self) -> Vec<Look> {
        self.made
    }

    pub(crate) fn get(&self, number: usize) -> &Look {
        &self.made[number]
    }

    /// What the bottom of a look is painted with, and its outline.
    pub(crate) fn paints(&self, number: usize) -> Paints {
        let bottom = self.made[number].layers.first();
        let fill = bottom.and_then(|layer| layer.fill.clone()).unwrap_or_default();
        let edge = bottom.and_then(|layer| layer.stroke.clone()).unwrap_or_default();
        Paints { ink: edge.clone(), fill, edge }
    }

    /// The number of the look of a piece, of which the kind may not be seen.
    pub(crate) fn number(&mut self, kind: Option<Kind>, owner: Player) -> usize {
        if let Some(&number) = self.numbers.get(&(kind, owner)) {
            return number;
        }
        let look = self.make(kind, owner);
        self.numbers.insert((kind, owner), self.made.len());
        self.made.push(look);
        self.made.len() - 1
    }

    /// The number of a look that belongs to no piece.
    pub(crate) fn other(&mut self, look: Look) -> usize {
        match self.made.iter().position(|known| *known == look) {
            Some(number) => number,
            None => {
                self.made.push(look);
                self.made.len() - 1
            }
        }
    }

    /// What is drawn of a kind, and whether the view says so.
    pub(crate) fn figures(&self, kind: Kind, owner: Player) -> (Vec<Figure>, bool) {
        let (name, owner_info) = (&self.rules.kinds[kind].name, &self.rules.players[owner]);
        let wanted = |rule: &&crate::view::LookRule| {
            fits(&rule.kind, name) && rule.owner.as_ref().is_none_or(|wanted| *wanted == owner_info.name)
        };
        match self.view.looks.iter().find(wanted) {
            Some(rule) => {
                let lettered = |figure: &Figure| match figure.shape {
                    Shape::Letter => Figure { shape: Shape::Text(self.written(kind)), ..figure.clone() },
                    _ => figure.clone(),
                };
                (rule.figures.iter().map(lettered).collect(), true)
            }
            None => (self.usual(kind, owner), false),
        }
    }

    /// What stands on a piece: its number, if its name ends in one, for the shape says the rest.
    fn written(&self, kind: Kind) -> String {
        let name = &self.rules.kinds[kind].name;
        let number = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { number.to_owned() } else { self.letters[kind].clone() }
    }

    /// What is drawn where the view says nothing.
    fn usual(&self, kind: Kind, owner: Player) -> Vec<Figure> {
        let name = self.rules.kinds[kind].name.to_ascii_lowercase();
        let symbol = |name: &str| SYMBOLS.iter().find(|(known, ..)| *known == name);
        let symbols =
            self.rules.kinds.values().filter(|kind| symbol(&kind.name.to_ascii_lowercase()).is_some()).count();
        if symbols >= 3
            && let Some(&(_, hollow, solid)) = symbol(&name)
        {
            return vec![Figure::of(Shape::Symbol(hollow, solid))];
        }
        let disc = |shape| Figure::of(Shape::Named(shape));
        let numbered = name.ends_with(|letter: char| letter.is_ascii_digit());
        let persons = self.rules.players.values().filter(|info| info.role == Role::Person).count();
        let kinds = self.real;
        match () {
            () if numbered && persons < 2 => vec![disc("tile"), Figure::text(self.letters[kind].clone())],
            () if self.rules.players[owner].role != Role::Person && kinds > 1 => {
                vec![disc("square"), Figure::text(self.letters[kind].clone())]
            }
            () if kinds <= 1 => vec![disc("disc")],
            () if kinds <= 3 && CROWNED.contains(&name.as_str()) => vec![disc("crowned")],
            () if kinds == 2
                && self
                    .rules
                    .kinds
                    .values()
                    .any(|other| CROWNED.contains(&other.name.to_ascii_lowercase().as_str())) =>
            {
                vec![disc("disc")]
            }
            () => vec![disc("disc"), Figure::text(self.letters[kind].clone())],
        }
    }

    fn make(&self, kind: Option<Kind>, owner: Player) -> Look {
        let info = &self.rules.players[owner];
        let paints = Paints::of(owner);
        let colour = self.palette.get(&paints.fill).map_or("#8c8478", |[light, _]| light.as_str());
        let figures = match kind {
            Some(kind) => self.figures(kind, owner).0,
            None => {
                let kinds = || self.rules.kinds.ids();
                // What is not seen looks like what is, as far as that gives nothing away.
                let under = kinds().find_map(|kind| self.figures(kind, owner).0.into_iter().next().filter(plain));
                vec![under.unwrap_or_else(|| Figure::of(Shape::Named("disc"))), Figure::text("?")]
            }
        };
        let spoken_kind = match kind {
            Some(kind) => self.spoken(kind),
            None => "unknown piece".to_owned(),
        };
        Look {
            owner: Some(info.name.clone()),
            kind: kind.map(|kind| self.rules.kinds[kind].name.clone()),
            layers: figures
                .iter()
                .flat_map(|figure| layers(figure, &paints, colour))
                .chain(self.pips(owner, &paints))
                .collect(),
            letter: kind.map_or_else(|| "?".to_owned(), |kind| self.letters[kind].clone()),
            spoken: match info.role {
                Role::Neutral => spoken_kind,
                Role::Person | Role::Random => format!("{} {spoken_kind}", info.name.trim_start_matches('?')),
            },
        }
    }

    /// Among more than two players colours alone do not tell whose a piece is: the second has one pip, the third two.
    fn pips(&self, owner: Player, paints: &Paints) -> Option<Layer> {
        let persons: Vec<Player> =
            self.rules.players.iter().filter(|(_, info)| info.role == Role::Person).map(|(player, _)| player).collect();
        let pips = persons.iter().position(|&person| person == owner).filter(|_| persons.len() > 2)?;
        let left = (pips as f64 - 1.0) * -0.06;
        let pip = |index: usize| Path::circle(Point::new(left + 0.12 * index as f64, 0.3), 0.042);
        let path = (0..pips).map(pip).fold(Path::default(), Path::and);
        (pips > 0).then(|| Layer { path: path.to_string(), fill: Some(paints.ink.clone()), stroke: None, width: 0.0 })
    }

    /// What a kind is called.
    fn spoken(&self, kind: Kind) -> String {
        let name = &self.rules.kinds[kind].name;
        match self.view.names.iter().find(|(known, _)| known == name) {
            Some((_, spoken)) => spoken.clone(),
            None => name.replace(['-', '_'], " ").to_lowercase(),
        }
    }
}

/// Whether a figure is a shape of ours that says nothing by itself.
fn plain(figure: &Figure) -> bool {
    matches!(figure.shape, Shape::Named(_))
}

/// Kinds that men become on the last row, when there are hardly any others.
const CROWNED: &[&str] = &["king", "dama", "queen", "lord", "crowned", "officer"];
