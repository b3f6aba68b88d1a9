//! What a view file says: all that a picture needs and that cannot be worked out from rules.

use std::collections::BTreeMap;

use dagaz_base::Span;
use dagaz_board::Area;

use crate::figures::Figure;

/// A view of a game, or of all variants of it. The empty one leaves everything to be worked out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// How the board is drawn.
    pub board: Option<Board>,
    /// Whether cells are light and dark in turn.
    pub checkered: Option<bool>,
    /// What is written at the border.
    pub labels: Option<Labels>,
    /// Whether two sides are told by the way that their pieces point.
    pub facing: bool,
    /// Colours of paints, in the light theme and the dark one.
    pub paints: BTreeMap<String, [String; 2]>,
    /// Colours of players, by name.
    pub colours: Vec<(String, String)>,
    /// How pieces look: the first that fits counts.
    pub looks: Vec<LookRule>,
    /// The letters of kinds.
    pub letters: Vec<(String, String)>,
    /// What kinds are called.
    pub names: Vec<(String, String)>,
    /// The directions whose links are drawn.
    pub lines: Option<Vec<String>>,
    /// Links that are not drawn.
    pub gaps: Vec<(String, String)>,
    /// Lines through these sites.
    pub strokes: Vec<Vec<String>>,
    /// Loops: three quarters of a circle.
    pub loops: Vec<Loop>,
    /// Points that are marked: for boards with so many sites, or all.
    pub dots: Vec<(Option<usize>, Vec<String>)>,
    /// What sites are painted with: sites and zones.
    pub fills: Vec<(String, Vec<String>)>,
    /// What is drawn on sites.
    pub signs: Vec<(Figure, Vec<String>)>,
    /// Parts of the board with a border of their own.
    pub frames: Vec<Vec<String>>,
    /// Sites that are not drawn.
    pub hidden: Vec<String>,
    /// Where sites lie, in the units of the rules.
    pub areas: Vec<(String, Area)>,
    /// Heaps that are spread out from their sites.
    pub spreads: Vec<Spread>,
    /// The variable that is drawn as seeds.
    pub seeds: Option<String>,
    /// The variable that is drawn as dice, and how many sides they have.
    pub dice: Option<(String, Dice)>,
    /// Whether hands are shown; else those that could run out.
    pub hands: Option<bool>,
    /// Whether numbers of players are shown.
    pub scores: Option<bool>,
    /// Kinds whose neighbouring pieces are one.
    pub joined: Vec<String>,
    /// Names that were used, with their places: whether there are such things only rules can tell.
    pub used: Vec<(Name, Span)>,
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    /// Cells side by side.
    Cells,
    /// Points on lines.
    Points,
    /// Pits in a plank.
    Pits,
    /// Holes in a plank.
    Holes,
}

/// What is written at the border of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Nothing.
    None,
    /// Names of rows and columns.
    Border,
    /// The name of each site, in it.
    Sites,
}

/// What dice look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dice {
    /// Cubes with one to six eyes.
    Cubes,
    /// Tetrahedra, some of whose corners are marked.
    Corners,
}

/// How pieces of a kind look.
#[derive(Clone, Debug, PartialEq)]
pub struct LookRule {
    /// The kind.
    pub kind: String,
    /// Whose they are, if that makes a difference.
    pub owner: Option<String>,
    /// What is drawn, from below.
    pub figures: Vec<Figure>,
}

/// Three quarters of a circle, outside of a corner of the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its centre.
    pub centre: String,
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
}

/// Heaps that are spread out.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The sites.
    pub sites: Vec<String>,
    /// Which way: so many quarters clockwise from upward.
    pub quarters: u8,
    /// How many cells the place has.
    pub length: u32,
}

/// A name that a view uses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// Of a piece kind.
    Kind(String),
    /// Of a player.
    Player(String),
    /// Of a site.
    Site(String),
    /// Of a site or a zone.
    Sites(String),
    /// Of a direction.
    Direction(String),
    /// Of a variable.
    Variable(String),
}

/// Whether a name is of the form that a view gives: in it `*` stands for anything.
pub(crate) fn fits(form: &str, name: &str) -> bool {
    match form.split_once('*') {
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
        None => form == name,
    }
}

impl Name {
    /// As it is written.
    pub fn text(&self) -> &str {
        match self {
            Self::Kind(text)
            | Self::Player(text)
            | Self::Site(text)
            | Self::Sites(text)
            | Self::Direction(text)
            | Self::Variable(text) => text,
        }
    }
}
