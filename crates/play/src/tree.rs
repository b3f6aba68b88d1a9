//! The tree of what was played: every node keeps its whole state, so that each is reached without replay.

use dagaz_base::{IdMap, id_type};
use dagaz_engine::{Piece, State, Step};
use dagaz_ir::Player;

id_type!(
    /// A state that was reached in a game, by one way.
    NodeId
);

/// A state that was reached, and how.
#[derive(Clone, Debug)]
pub struct Node {
    /// The node before; nothing for the start.
    pub parent: Option<NodeId>,
    /// The step that led here; nothing for the start.
    pub made: Option<Made>,
    /// The state.
    pub state: State,
    /// What follows, in the order in which it was first played.
    pub children: Vec<NodeId>,
    /// The round of the next step, from 1: it rises when the order of turns starts anew.
    pub round: usize,
    /// How many whole moves were made since the start.
    pub moves: usize,
    /// What the steps of the last move have captured; of the unfinished move, in the middle of one.
    pub captured: Vec<Piece>,
    /// What people wrote about it.
    pub comments: Vec<String>,
    /// The child that was visited last.
    pub(crate) latest: Option<NodeId>,
}

/// A step that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The step.
    pub step: Step,
    /// Who made it.
    pub mover: Player,
    /// Its round.
    pub round: usize,
    /// Whether it ended the move.
    pub ends_move: bool,
}

impl Node {
    pub(crate) fn root(state: State) -> Self {
        Self {
            parent: None,
            made: None,
            state,
            children: Vec::new(),
            round: 1,
            moves: 0,
            captured: Vec::new(),
            comments: Vec::new(),
            latest: None,
        }
    }

    /// Whether a new move starts here.
    pub(crate) fn between_moves(&self) -> bool {
        self.made.as_ref().is_none_or(|made| made.ends_move)
    }
}

/// The nodes from `node` back to the start.
pub(crate) fn ancestors(nodes: &IdMap<NodeId, Node>, node: NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(Some(node), |&node| nodes[node].parent)
}
