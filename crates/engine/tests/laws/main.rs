//! What the reference interpreter promises, on rules that are written by hand.

mod chains;
mod effects;
mod ends;
mod game;
mod generation;
mod legality;
mod limits;
