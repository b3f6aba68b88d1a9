//! The text form of rules: S-expressions that people read, and that parse back to the same rules.
//!
//! ```text
//! (rules NAME
//!   (sites SITE… | (SITE LEFT TOP RIGHT BOTTOM)…)
//!   (direction DIRECTION (SITE SITE…)…)                  links, each list one line of the board
//!   (player PLAYER ROLE (directions (FROM TO)…) (friends PLAYER…) (enemies PLAYER…))
//!   (zone ZONE (PLAYER SITE…)…)                          or (* SITE…), the same for every player
//!   (kind KIND (FIELD VALUE)…)
//!   (field FIELD SCOPE (range LOW HIGH) (initial VALUE) memory)
//!   (move-types TYPE…)
//!   (setup (piece PLAYER KIND SITE…) (hand PLAYER KIND COUNT) (cell FIELD INDEX VALUE) …)
//!   (schedule (turn PLAYER (owner PLAYER) (type TYPE))… (repeat INDEX))
//!   (policy (pass PASS) chain-may-stop no-null-moves recycle-captures
//!     (priority TYPE…) (most-captured) (most-valuable (KIND VALUE)…) …)
//!   (rule NAME @ORIGIN (arguments TEXT…) (kind KIND) (trigger TRIGGER) (type TYPE) (view VIEW)
//!     (locals (LOCAL TYPE)…)
//!     (body STATEMENT…))
//!   (invariant NAME @ORIGIN (locals …) EXPRESSION)
//!   (end NAME @ORIGIN VERDICT (players PLAYER…) (locals …) EXPRESSION)
//!   (conceal NAME @ORIGIN (fields FIELD…) (locals …) EXPRESSION)
//!   (origins (FILE START END EXPANSION)…))
//! ```
//!
//! Statements are `(let LOCAL E)`, `(if E STATEMENT… (else STATEMENT…))`, `(while E STATEMENT…)`,
//! `(for LOCAL E STATEMENT…)`, `(verify E)`, `(attempt STATEMENT…)`, `(forget)`, `(discard)`,
//! `(emit FROM TO (choice E) (again E TYPE))`, and effects as they are: `(move E E)`. An expression is a number, `true`,
//! `false`, the name of a local, or `(OPERATION IMMEDIATE E…)`.
//!
//! A name is bare when it is a plain symbol, otherwise quoted. Every table has its own names; the second thing of one
//! name in a table is `name#2`, and `#5` is whatever has the index 5. `*` stands for any move type. `@5` after a head
//! is the place in the source, by its index in `origins`. A `;` starts a comment.

mod items;
mod layout;
mod parse;
mod print;
mod read;
mod words;

pub use parse::{ParseError, parse};
pub use print::{print, print_without_origins};
