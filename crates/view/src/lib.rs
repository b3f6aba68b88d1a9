//! What a board looks like: a [`Scene`], made from what a viewer sees of a state and from a view file, and the same as SVG.
//!
//! A scene is a function of these alone. Nothing here knows a rule language, decides what is legal, or keeps anything: a client
//! draws the scene, whatever it draws with. Without a view file everything is worked out from the rules.

mod border;
mod build;
mod figures;
mod form;
mod geometry;
mod glyphs;
mod ground;
mod lattice;
mod letters;
mod links;
mod lint;
mod looks;
mod nearby;
mod paint;
mod path;
mod places;
mod read;
mod scene;
mod stands;
mod svg;
mod trays;
mod view;

pub use build::{Moment, scene};
pub use geometry::Point;
pub use lint::{lint, unknown_names};
pub use scene::*;
pub use stands::changed;
pub use svg::{Picture, Theme, lettering, svg};
pub use view::View;
