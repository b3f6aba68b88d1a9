//! Written forms of moves, positions and games: one file a format.
//!
//! A raw reader comes first and knows no rules; its result is then resolved against the legal steps of a state, so that
//! a record never says what is legal. Absent on purpose: files (texts and bytes are passed in and out) and rule
//! languages.

pub mod coordinates;
pub mod fen;
pub mod gtp;
pub mod json;
mod names;
pub mod record;
pub mod san;
pub mod universal;
pub mod zsg;

pub use names::Names;
pub use record::{Ply, Reason, Record, RecordError, SetUp, Variation};
