//! What every other crate stands on: spans and sources, diagnostics as data, typed ids, seeded randomness.
//!
//! Nothing here knows games, boards or rule languages, and nothing here touches the outside world.

pub mod diagnostic;
pub mod id;
pub mod random;
pub mod source;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use id::{Id, IdMap};
pub use random::Random;
pub use source::{Expansion, ExpansionId, FileId, Origin, Sources, Span};
