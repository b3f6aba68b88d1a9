//! Topology of a board: sites, the directions that link them, and sets of sites.
//!
//! A board here is a directed graph with named arcs and nothing more: no pieces, no players, no pictures but for the
//! optional [`Area`] of a site, which is a hint for whoever draws it.

mod grid;
mod sites;
mod topology;

pub use grid::{Grid, GridError};
pub use sites::SiteSet;
pub use topology::{Area, Direction, Site, Topology, Zone};
