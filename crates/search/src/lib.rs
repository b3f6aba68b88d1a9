//! Agents: whoever chooses moves.
//!
//! An [`Agent`] is asked about one state and answers with one move. It holds no game, so one agent serves any number of
//! games; it knows steps, outcomes and counts of pieces, and no boards. Absent on purpose: clocks (the asker passes
//! `keep_going`), threads, notation, any game's name.

mod agent;
mod alphabeta;
mod analysis;
mod evaluation;
mod logarithm;
mod mcts;
pub mod solve;
mod spec;
mod training;
mod uniform;
mod walk;

pub use agent::{Agent, Ask, Budget, Choice, NoChoice, Score};
pub use alphabeta::{AlphaBeta, Others};
pub use analysis::{Analysis, Line};
pub use evaluation::{Weights, WeightsError};
pub use mcts::{Mcts, Tuning};
pub use spec::{AgentSpec, Method, SpecError};
pub use training::{Trainer, Untrainable};
pub use uniform::Uniform;
