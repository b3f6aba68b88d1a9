//! What was recognised in rules: how their games are played, and how the steps of each rule come about.

use std::fmt;

use dagaz_ir::RuleId;

/// How a game was compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How playouts choose and make their moves.
    pub playouts: Playing,
    /// Whether perft counts the last move of each line without making it, from sets.
    pub counts_last_moves: bool,
    /// Whether the states of a line are remembered, because rules ask for repetitions and there can be some.
    pub remembers: bool,
    /// How the steps of each rule come about.
    pub rules: Vec<(RuleId, Shape)>,
}

/// How playouts choose and make their moves. Each is mostly faster than the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playing {
    /// Every move fills an empty site: the order of the sites is drawn.
    Filling,
    /// The state is nothing but sets in variables; steps are counted, and the drawn one is made.
    Sets,
    /// The first class that has a step is found on sets, and whole moves of several steps are made on them before one is drawn.
    Chains,
    /// Steps are counted or listed, legal or not; one is drawn, and it is tried.
    Drawing,
    /// All legal moves are listed, and one is drawn.
    Listing,
}

/// How the steps of a rule come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// In so many ways, each of which is a set of sites: how many steps there are is a count of bits.
    Ways(usize),
    /// The same, where sets hold the sites at which slides end.
    Slides(usize),
    /// In stages, the choices of which are sets.
    Stages,
    /// Site by site, with a record of each step.
    Listed,
}

impl fmt::Display for Playing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Filling => "an order of the sites is drawn",
            Self::Sets => "sets in variables, the drawn step is made",
            Self::Chains => "classes and chains on sets, one move is drawn",
            Self::Drawing => "a step is drawn, then tried",
            Self::Listing => "all moves are listed, then one is drawn",
        })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ways(1) => f.write_str("counted as a set"),
            Self::Ways(ways) => write!(f, "counted as {ways} sets"),
            Self::Slides(1) => f.write_str("counted as a set of ends"),
            Self::Slides(ways) => write!(f, "counted as {ways} sets of ends"),
            Self::Stages => f.write_str("drawn in stages"),
            Self::Listed => f.write_str("listed step by step"),
        }
    }
}
