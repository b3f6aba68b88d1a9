//! The past of a node, as rules may ask about it.

use dagaz_base::IdMap;
use dagaz_engine::{History, Keys, Piece};
use dagaz_ir::Player;

use crate::tree::{Node, NodeId, ancestors};

/// The line of moves that led to a node.
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    nodes: &'a IdMap<NodeId, Node>,
    node: NodeId,
}

impl<'a> Past<'a> {
    pub(crate) fn new(nodes: &'a IdMap<NodeId, Node>, node: NodeId) -> Self {
        Self { nodes, node }
    }

    /// The keys of the states before this one, between whole moves.
    fn before(&self) -> impl Iterator<Item = Keys> + '_ {
        let nodes = ancestors(self.nodes, self.node).skip(1).map(|node| &self.nodes[node]);
        nodes.filter(|node| node.between_moves()).map(|node| node.state.keys())
    }

    /// The node that the last whole move led to, if one was made.
    fn last_move(&self) -> Option<&'a Node> {
        let node = ancestors(self.nodes, self.node).map(|node| &self.nodes[node]).find(|node| node.between_moves())?;
        node.made.is_some().then_some(node)
    }
}

impl History for Past<'_> {
    fn moves(&self) -> usize {
        self.nodes[self.node].moves
    }

    fn states(&self) -> Vec<Keys> {
        let mut states: Vec<_> = self.before().collect();
        states.reverse();
        states
    }

    fn occurrences(&self, keys: Keys) -> usize {
        self.before().filter(|before| before.state == keys.state).count()
    }

    fn board_occurrences(&self, keys: Keys) -> usize {
        self.before().filter(|before| before.board == keys.board).count()
    }

    fn first_occurrence(&self, keys: Keys) -> Option<usize> {
        let nodes = ancestors(self.nodes, self.node).skip(1).map(|node| &self.nodes[node]);
        let same = nodes.filter(|node| node.between_moves() && node.state.keys().state == keys.state);
        same.map(|node| node.moves).last()
    }

    fn last_mover(&self) -> Option<Player> {
        Some(self.last_move()?.made.as_ref()?.mover)
    }

    fn captured(&self) -> &[Piece] {
        self.last_move().map_or(&[], |node| &node.captured)
    }
}
