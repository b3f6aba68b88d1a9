//! Steps and moves.

use dagaz_board::Site;
use dagaz_ir::{Field, Kind, Label, MoveType, Player, RuleId};

/// A partial move: what one rule makes of it. Most moves have one step; a chain of captures has one for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule that made it.
    pub rule: StepRule,
    /// Where it starts; nothing for a drop or a pass.
    pub from: Option<Site>,
    /// Where it ends; nothing for a pass.
    pub to: Option<Site>,
    /// The kind that was chosen, where the rule offers a choice.
    pub choice: Option<Kind>,
    /// What was chosen besides.
    pub parameters: Vec<Parameter>,
    /// What it does, in order; see the rule's [`View`](dagaz_ir::View).
    pub effects: Vec<Effect>,
    /// Set when the move may or must go on after it.
    pub chain: Option<Chain>,
}

/// A number or a site that was chosen with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Parameter {
    /// A number.
    Int(i32),
    /// A site, or nowhere.
    Site(Option<Site>),
}

impl Step {
    /// A step that is made by no rule of the game.
    pub(crate) fn without_sites(rule: StepRule) -> Self {
        let (parameters, effects) = (Vec::new(), Vec::new());
        Self { rule, from: None, to: None, choice: None, parameters, effects, chain: None }
    }
}

/// What made a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepRule {
    /// A rule of the game.
    Rule(RuleId),
    /// The player passes the turn.
    Pass,
    /// The player ends a chain that could go on.
    Stop,
}

/// How a move goes on after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chain {
    /// The site of the piece that goes on.
    pub site: Site,
    /// The move type that it goes on with, or any.
    pub move_type: Option<MoveType>,
}

/// One thing that a step does; see the operations of the same names in [`Op`](dagaz_ir::Op).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the fields are the operations' arguments")]
pub enum Effect {
    /// The piece goes; what stood on `to` is captured.
    Move { from: Site, to: Site },
    /// The same, and the piece also stays.
    Copy { from: Site, to: Site },
    /// The piece there, if any, is captured.
    Capture { site: Site },
    /// A new piece, in the place of what stood there.
    Create { site: Site, owner: Player, kind: Kind },
    /// A piece from the owner's hand; what stood there is captured.
    Drop { site: Site, owner: Player, kind: Kind },
    /// The piece there becomes another kind.
    Retype { site: Site, kind: Kind },
    /// The piece there becomes another player's.
    Reown { site: Site, owner: Player },
    /// The piece there becomes the next player's.
    Flip { site: Site },
    /// An attribute of the piece there, or a field of the site.
    SetAt { field: Field, site: Site, value: i32 },
    /// A field of the state.
    Set { field: Field, index: u32, value: i32 },
    /// A piece on top of what stands there.
    Push { site: Site, owner: Player, kind: Kind },
    /// The top piece is captured.
    Pop { site: Site },
    /// A piece under what stands there.
    Tuck { site: Site, owner: Player, kind: Kind },
    /// The turn that follows the move.
    Jump { label: Label },
}

impl Effect {
    /// Whether it takes a piece to a site, from another or from a hand.
    pub fn is_displacement(&self) -> bool {
        matches!(self, Self::Move { .. } | Self::Copy { .. } | Self::Drop { .. })
    }

    /// The site where a piece that stands there is captured by it.
    pub fn strikes(&self) -> Option<Site> {
        match *self {
            Self::Move { to, .. } | Self::Copy { to, .. } => Some(to),
            Self::Capture { site } | Self::Pop { site } | Self::Drop { site, .. } => Some(site),
            _ => None,
        }
    }
}

/// One decision of a player: the steps of one turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Move {
    /// The steps, at least one; the last ends the turn.
    pub steps: Vec<Step>,
}
