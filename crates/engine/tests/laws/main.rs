//! What the reference interpreter promises, on rules that are written by hand.

mod battery;
mod chains;
mod effects;
mod ends;
mod explanations;
mod extended;
mod game;
mod generated;
mod generation;
mod legality;
mod limits;
mod sight;
