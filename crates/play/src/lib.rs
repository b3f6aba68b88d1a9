//! A game in progress: turns, history, repetition, outcome and the tree of what was played.
//!
//! Absent on purpose: clocks, notation, agents, and every rule; what is legal is the executor's to say.

mod edit;
mod past;
mod play;
mod tree;

pub use edit::{Edit, EditError};
pub use past::Past;
pub use play::{Play, PlayError};
pub use tree::{Made, Node, NodeId};
