//! Text to forms: lexer, parser and the tree that they make. Knows parentheses, strings and symbols,
//! and of keywords only which ones stand outside all lists.

mod form;
mod lexer;
mod parser;

pub use form::{Form, MacroUse, Node};
pub(crate) use parser::is_top_level_keyword;
pub use parser::parse;

/// How many lists may stand in one another, in the source and after expansion: whoever walks forms may recurse.
///
/// The deepest known file has 64.
pub const MAX_NESTING: usize = 256;
