//! The text form, its parser and the verifier, as a whole.

mod example;
mod generate;
mod laws;
mod nests;
mod robustness;
mod round_trip;
