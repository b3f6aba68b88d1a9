//! Front end for Zillions rule files (ZRF).

pub mod syntax;

pub use syntax::{Form, MacroUse, Node};
