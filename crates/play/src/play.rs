//! The game itself: a tree of states and a cursor in it.

use std::sync::{Arc, OnceLock};

use dagaz_base::{Id, IdMap};
use dagaz_engine::{Executor, Fault, Outcome, Situation, State, Step};
use dagaz_ir::{Player, Rules};

use crate::edit::{Edit, EditError};
use crate::past::Past;
use crate::tree::{Made, Node, NodeId, ancestors};

/// One game in progress.
///
/// What was played is a tree; the cursor is at one of its nodes, and everything that is said of *the* state, the
/// legal steps or the history is said of that node.
#[derive(Clone)]
pub struct Play {
    executor: Arc<dyn Executor>,
    edits: Vec<Edit>,
    nodes: IdMap<NodeId, Node>,
    cursor: NodeId,
    /// The situation at the cursor, once it was asked for.
    situation: OnceLock<Result<Situation, Fault>>,
}

/// Why a step was not made. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The rules do not allow it here.
    #[error("the step is not legal here")]
    Illegal {
        /// The step.
        step: Box<Step>,
    },
    /// The game is over.
    #[error("the game is over")]
    Over {
        /// The step.
        step: Box<Step>,
        /// How the game ended.
        outcome: Outcome,
    },
    /// The rules could not be run to their end.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Play {
    /// A game from the start of its rules.
    pub fn new(executor: Arc<dyn Executor>) -> Self {
        let state = executor.initial();
        Self::from_state(executor, state)
    }

    /// A game from a start that is changed by hand, in the order of the edits.
    pub fn from_edits(executor: Arc<dyn Executor>, edits: Vec<Edit>) -> Result<Self, EditError> {
        let mut state = executor.initial();
        for edit in &edits {
            edit.apply(executor.rules(), executor.layout(), &mut state)?;
        }
        Ok(Self::rooted(executor, state, edits))
    }

    /// A game from any state of these rules, without a past.
    pub fn from_state(executor: Arc<dyn Executor>, state: State) -> Self {
        let edits = Edit::between(executor.rules(), executor.layout(), &executor.initial(), &state);
        Self::rooted(executor, state, edits)
    }

    fn rooted(executor: Arc<dyn Executor>, state: State, edits: Vec<Edit>) -> Self {
        let mut nodes = IdMap::new();
        let cursor = nodes.push(Node::root(state));
        Self { executor, edits, nodes, cursor, situation: OnceLock::new() }
    }

    /// What runs the rules.
    pub fn executor(&self) -> &Arc<dyn Executor> {
        &self.executor
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Rules> {
        self.executor.rules()
    }

    /// The edits that make the start of the game out of the start of the rules.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The state at the cursor.
    pub fn state(&self) -> &State {
        &self.nodes[self.cursor].state
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Player {
        self.executor.to_move(self.state())
    }

    /// The round of the next step, from 1: it rises when the order of turns starts anew.
    pub fn round(&self) -> usize {
        self.nodes[self.cursor].round
    }

    /// Whether the last step left its move unfinished.
    pub fn in_chain(&self) -> bool {
        !self.nodes[self.cursor].between_moves()
    }

    /// Whether the game is over, or else what the player to move can do.
    pub fn situation(&self) -> Result<&Situation, &Fault> {
        let ask = || self.executor.situation(self.state(), &self.past());
        self.situation.get_or_init(ask).as_ref()
    }

    /// What the player to move can do: nothing when the game is over.
    pub fn legal_steps(&self) -> Result<&[Step], &Fault> {
        Ok(match self.situation()? {
            Situation::Open(steps) => steps,
            Situation::Over(_) => &[],
        })
    }

    /// How the game ended, when it is over.
    pub fn outcome(&self) -> Result<Option<&Outcome>, &Fault> {
        Ok(match self.situation()? {
            Situation::Open(_) => None,
            Situation::Over(outcome) => Some(outcome),
        })
    }

    /// The past of the state at the cursor.
    pub fn past(&self) -> Past<'_> {
        self.past_of(self.cursor)
    }

    /// The past of a node.
    pub fn past_of(&self, node: NodeId) -> Past<'_> {
        Past::new(&self.nodes, node)
    }

    /// Makes a legal step and moves the cursor there. A step that was made here before leads to the same node.
    pub fn play(&mut self, step: &Step) -> Result<NodeId, PlayError> {
        match self.situation().map_err(Clone::clone)? {
            Situation::Over(outcome) => {
                return Err(PlayError::Over { step: Box::new(step.clone()), outcome: outcome.clone() });
            }
            Situation::Open(steps) if !steps.contains(step) => {
                return Err(PlayError::Illegal { step: Box::new(step.clone()) });
            }
            Situation::Open(_) => {}
        }
        let known = |&&child: &&NodeId| self.nodes[child].made.as_ref().is_some_and(|made| made.step == *step);
        let child = match self.nodes[self.cursor].children.iter().find(known) {
            Some(&child) => child,
            None => self.grow(step)?,
        };
        self.go(child);
        Ok(child)
    }

    /// Adds the node that the step leads to.
    fn grow(&mut self, step: &Step) -> Result<NodeId, Fault> {
        let here = &self.nodes[self.cursor];
        let mut state = here.state.clone();
        let undo = self.executor.apply(&mut state, step)?;
        let mut captured = if here.between_moves() { Vec::new() } else { here.captured.clone() };
        captured.extend_from_slice(&undo.captured);
        let turn = self.executor.layout().global(self.executor.layout().known.turn);
        let wraps = undo.ends_move && state.get(turn) <= here.state.get(turn);
        let made = Made {
            step: step.clone(),
            mover: self.executor.to_move(&here.state),
            round: here.round,
            ends_move: undo.ends_move,
        };
        let node = Node {
            parent: Some(self.cursor),
            made: Some(made),
            round: here.round + usize::from(wraps),
            moves: here.moves + usize::from(undo.ends_move),
            captured,
            ..Node::root(state)
        };
        let child = self.nodes.push(node);
        self.nodes[self.cursor].children.push(child);
        Ok(child)
    }

    /// Goes back one step. False at the start.
    pub fn undo(&mut self) -> bool {
        let Some(parent) = self.nodes[self.cursor].parent else { return false };
        self.nodes[parent].latest = Some(self.cursor);
        self.go(parent);
        true
    }

    /// Goes forward one step, to the child that was visited last, or else to the first. False at the end of a line.
    pub fn redo(&mut self) -> bool {
        let here = &self.nodes[self.cursor];
        let Some(child) = here.latest.or_else(|| here.children.first().copied()) else { return false };
        self.go(child);
        true
    }

    /// Goes back to the start of the last move, all steps of a chain at once. False at the start.
    pub fn undo_move(&mut self) -> bool {
        let moved = self.undo();
        while self.in_chain() && self.undo() {}
        moved
    }

    /// Goes forward to the end of the next move, or of the line when the move is unfinished.
    pub fn redo_move(&mut self) -> bool {
        let moved = self.redo();
        while self.in_chain() && self.redo() {}
        moved
    }

    /// Goes to any node. Panics when it is another game's.
    pub fn jump(&mut self, node: NodeId) {
        let line: Vec<NodeId> = ancestors(&self.nodes, node).collect();
        for pair in line.windows(2) {
            self.nodes[pair[1]].latest = Some(pair[0]);
        }
        self.go(node);
    }

    fn go(&mut self, node: NodeId) {
        if node != self.cursor {
            if self.nodes[node].parent == Some(self.cursor) {
                self.nodes[self.cursor].latest = Some(node);
            }
            self.cursor = node;
            self.situation = OnceLock::new();
        }
    }

    /// Where the cursor is.
    pub fn cursor(&self) -> NodeId {
        self.cursor
    }

    /// The start.
    pub fn root(&self) -> NodeId {
        NodeId::from_index(0)
    }

    /// A node. Panics when it is another game's.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node]
    }

    /// All nodes, parents before their children.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> + ExactSizeIterator {
        self.nodes.iter()
    }

    /// The nodes from the start to `node`, both included.
    pub fn line_to(&self, node: NodeId) -> Vec<NodeId> {
        let mut line: Vec<NodeId> = ancestors(&self.nodes, node).collect();
        line.reverse();
        line
    }

    /// The steps from the start to the cursor.
    pub fn steps_made(&self) -> impl Iterator<Item = &Made> {
        self.line_to(self.cursor).into_iter().filter_map(|node| self.nodes[node].made.as_ref())
    }

    /// Makes `node` the first of its siblings, and so part of what is played first. Panics when it is another game's.
    pub fn promote(&mut self, node: NodeId) {
        let Some(parent) = self.nodes[node].parent else { return };
        let children = &mut self.nodes[parent].children;
        if let Some(at) = children.iter().position(|&child| child == node) {
            children[..=at].rotate_right(1);
        }
    }

    /// Adds a comment to a node. Panics when it is another game's.
    pub fn comment(&mut self, node: NodeId, text: impl Into<String>) {
        self.nodes[node].comments.push(text.into());
    }
}

impl std::fmt::Debug for Play {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (game, nodes) = (&self.rules().name, self.nodes.len());
        f.debug_struct("Play").field("game", game).field("nodes", &nodes).field("cursor", &self.cursor).finish()
    }
}
