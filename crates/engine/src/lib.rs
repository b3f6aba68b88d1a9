//! State, steps, hashing, undo, the [`Executor`] trait and the reference interpreter.
//!
//! Absent on purpose: the history of a game (it is passed in as a [`History`]), agents, notation, source languages.

mod agree;
pub mod battery;
pub mod executor;
pub mod explain;
pub mod history;
pub mod interpreter;
pub mod layout;
pub mod perft;
pub mod playout;
pub mod seen;
pub mod state;
pub mod step;

pub use agree::{agree, are_few};
pub use battery::{Broken, Law, Moment, Report, battery, battery_with};
pub use executor::{Executor, Fault, Limits, Outcome, Share, Situation};
pub use explain::{Explanation, Obstacle, Question, RuleRun, explain};
pub use history::{History, Line, NoHistory, Onward};
pub use interpreter::{Interpreter, Removal};
pub use layout::{Cell, Layout};
pub use perft::{divide, perft, perft_steps, whole_moves};
pub use playout::{Playout, Tally, playout, tally};
pub use seen::Seen;
pub use state::{Keys, Made, Piece, State, Undo, contribution};
pub use step::{Chain, Effect, Move, Parameter, Step, StepRule};
