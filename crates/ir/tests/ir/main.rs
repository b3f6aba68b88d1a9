//! The verifier, as a whole.

mod example;
mod laws;
