//! What a client draws: everything has its place, its shape and its paint, and nothing needs to be known of rules.
//!
//! `docs/views.md` describes the same as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::geometry::Point;

/// All that is to be drawn, from the first to the last: decor, sites, items, trays, marks.
///
/// The unit of length is the distance between neighbours; x goes right, y goes down.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    /// The name of the game.
    pub title: String,
    /// The whole in a few sentences, for who does not see it.
    pub spoken: String,
    /// The least x and y, and how broad and how high all of it is.
    pub bounds: [f64; 4],
    /// The colours of paints that are names: in the light theme, and in the dark one.
    pub paints: BTreeMap<String, [String; 2]>,
    /// The rigid parts.
    pub frames: Vec<Frame>,
    /// What is drawn under the pieces.
    pub decor: Vec<Decor>,
    /// How many of these, the first ones, lie under the sites; the others lie on them.
    pub planks: usize,
    /// The sites of the board, in their order.
    pub sites: Vec<SiteLook>,
    /// How pieces look: items name these by their numbers.
    pub looks: Vec<Look>,
    /// What stands on the board, site by site and from below.
    pub items: Vec<Item>,
    /// What several items on one site make.
    pub heaps: Vec<Heap>,
    /// What lies beside the board.
    pub trays: Vec<Tray>,
    /// What draws attention.
    pub marks: Vec<Mark>,
}

/// A rigid part of the board, whose sites keep together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Frame {
    /// Its centre.
    pub at: Point,
    /// How many sites lie below its own.
    pub level: u32,
    /// Its sites, by their numbers.
    pub sites: Vec<usize>,
}

/// A site.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SiteLook {
    /// Its name in the rules.
    pub name: String,
    /// The number of its frame.
    pub frame: usize,
    /// Where: right, down, and up to the viewer.
    pub at: [f64; 3],
    /// What belongs to it: where a pointer means this site.
    pub outline: Outline,
    /// What it is painted with, if it is drawn.
    pub paint: Option<String>,
    /// What it is and what stands there.
    pub spoken: String,
}

/// What belongs to a site.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outline {
    /// The corners, clockwise.
    Polygon(Vec<Point>),
    /// A circle round the site's place, with this radius.
    Circle(f64),
}

/// Something that is only looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decor {
    /// A filled shape: its outline in the words of SVG paths.
    Fill {
        /// The path.
        path: String,
        /// What it is painted with.
        paint: String,
    },
    /// A line.
    Line {
        /// The path.
        path: String,
        /// What it is painted with.
        paint: String,
        /// How broad it is.
        width: f64,
    },
    /// A few letters.
    Text {
        /// The middle of them.
        at: Point,
        /// What they say.
        text: String,
        /// How high a capital letter is, times 1.4.
        size: f64,
        /// What they are painted with.
        paint: String,
    },
}

/// How pieces of one kind and one owner look.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Look {
    /// Whose they are, by name; nobody's are neutral.
    pub owner: Option<String>,
    /// What they are, by name; nothing where that is not seen.
    pub kind: Option<String>,
    /// What is drawn, from below, in a box from -0.5 to 0.5 both ways.
    pub layers: Vec<Layer>,
    /// One or two letters that stand for it.
    pub letter: String,
    /// What it is called.
    pub spoken: String,
}

/// A part of a look.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Layer {
    /// Its outline, in the words of SVG paths.
    pub path: String,
    /// What it is filled with.
    pub fill: Option<String>,
    /// What its outline is drawn with.
    pub stroke: Option<String>,
    /// How broad that is.
    #[serde(skip_serializing_if = "is_zero")]
    pub width: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// A piece, or a pile of seeds, somewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// The number of its site; nothing for what lies beside the board.
    pub site: Option<usize>,
    /// The number of its look.
    pub look: usize,
    /// Where its middle is: right, down, and up to the viewer.
    pub at: [f64; 3],
    /// How large it is: 1 for all of a cell.
    pub size: f64,
    /// How many quarters it is turned clockwise.
    #[serde(skip_serializing_if = "is_none")]
    pub quarters: u8,
    /// The attributes of the piece that are not 0.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, i32>,
    /// Whether the viewer does not see what it is.
    #[serde(skip_serializing_if = "is_false")]
    pub hidden: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_none(number: &u8) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// Several items on one site, or a number of seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Heap {
    /// The number of the site.
    pub site: usize,
    /// How many there are.
    pub count: i64,
    /// Where the number is written, if it is.
    pub at: Option<Point>,
}

/// Something beside the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tray {
    /// What it holds.
    pub kind: TrayKind,
    /// Whose it is, by name.
    pub owner: Option<String>,
    /// The corner at the top left, the breadth and the height.
    pub bounds: [f64; 4],
    /// What is written in it.
    pub texts: Vec<TrayText>,
    /// The items in it.
    pub items: Vec<Item>,
    /// What it is and what it holds.
    pub spoken: String,
}

/// What a tray holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TrayKind {
    /// Pieces that wait.
    Hand,
    /// Dice.
    Dice,
    /// Numbers.
    Score,
}

/// Words in a tray.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrayText {
    /// Where they begin, on their middle line.
    pub at: Point,
    /// What they say.
    pub text: String,
    /// How high a capital letter is, times 1.4.
    pub size: f64,
}

/// Something that draws attention.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// A site that the last move changed.
    Last(usize),
    /// The way of the last move.
    Arrow {
        /// From this site.
        from: usize,
        /// To this one.
        to: usize,
    },
    /// The site whose moves are shown.
    Selected(usize),
    /// A site where a move may go.
    Target(usize),
    /// A site of which it is not seen what stands there.
    Unseen(usize),
}
