//! Front end for Zillions rule files (ZRF).

pub mod document;
mod encoding;
mod macros;
pub mod syntax;

pub use document::{Document, Entry, EntryKind, Loader, display_text};
pub use syntax::{Form, MacroUse, Node};
