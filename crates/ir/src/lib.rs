//! The typed intermediate representation that all rule languages and executors share.
//!
//! A front end builds [`Rules`]; an executor runs them; neither knows the other. The representation prints as text and
//! parses back to itself ([`text`]), and its laws are checked by [`verify`](verify::verify).
//!
//! Absent on purpose: source languages, pictures, search, and any game's name.

pub mod code;
pub mod expressions;
pub mod limits;
pub mod meeting;
pub mod nests;
pub mod op;
pub mod passes;
pub mod progress;
pub mod reach;
pub mod rules;
pub mod slides;
pub mod strikes;
pub mod text;
pub mod verify;
pub mod ways;

pub use code::{Block, Emit, Expr, Function, Local, LocalInfo, Next, Program, Stmt, StmtKind};
pub use op::{Op, Type};
pub use rules::{
    Compass, Concealment, End, Field, FieldInfo, Filter, Invariant, Kind, KindInfo, Known, Label, LabelInfo, MoveType,
    Pass, Placement, Player, PlayerInfo, Policy, Role, Rule, RuleId, Rules, Schedule, Scope, Stages, Trigger, Turn,
    Verdict, View, ZoneInfo,
};
