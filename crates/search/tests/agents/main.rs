//! The agents on tiny games.

mod alphabeta;
mod any;
mod game;
mod mcts;
mod reference;
mod training;
