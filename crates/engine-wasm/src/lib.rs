//! Compiles rules to WebAssembly modules, and runs them in a sandbox behind the engine's [`Executor`](dagaz_engine::Executor).
//!
//! A module holds the state of a game, lists its legal steps, makes them, counts and plays; it imports nothing. The reference
//! interpreter is the measure of what it does. Absent: source languages, clocks, files, threads.

mod artefact;
mod compile;
mod executor;
mod host;
mod low;
mod memory;
mod plan;
mod ways;

pub use artefact::Cache;
pub use compile::Refusal;
pub use executor::{Playouts, Wasm};
pub use plan::{Plan, Playing, Shape};
