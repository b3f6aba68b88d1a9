//! Test cases of games: what must come out of rules, as text that stands beside them.
//!
//! `docs/cases.md` describes the form for those who write it. A file is [read](Cases::read) without any rules; each case
//! is then [judged](judge) by what an executor of the rules finds.
//!
//! Absent on purpose: files, rule languages (an executor is passed in), and how a failure is shown.

mod cells;
mod count;
mod judge;
mod read;
mod set_up;
mod stood;
mod whole;

pub use judge::{Failure, judge};
pub use read::{
    Case, Cases, CellName, Claim, Ending, Held, Item, Look, Pieces, Position, PositionId, ReadError, Reason, SetUp,
    Unused, Value,
};
pub use stood::{hidden_elsewhere, seen_on_board};
