//! All states that can be reached, and what each is worth: forward in breadth, then backward from the ends (Thompson 1986).
//! Play that nobody can bring to an end is a draw. Nothing but hashes of 64 bits is kept of states.

use std::collections::{BTreeMap, VecDeque};

use dagaz_engine::{Executor, History, Keys, Piece, State};
use dagaz_ir::Player;

use super::ground::{Ground, Look, Unsolvable};

/// What a state is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// 1 a win of the player who is to move at the start, 0 a draw, -1 a loss.
    pub value: i8,
    /// How many whole moves away the end is, when who wins hurries and who loses does not; nothing where play need not end.
    pub distance: Option<u32>,
}

/// All states that can be reached.
#[derive(Clone, Debug)]
pub struct Space {
    /// What each state is worth, by the number of the state: the first one is where play starts.
    pub standings: Vec<Standing>,
    keys: BTreeMap<u64, u32>,
}

impl Space {
    /// How many states are worth so much.
    pub fn count(&self, value: i8) -> usize {
        self.standings.iter().filter(|standing| standing.value == value).count()
    }

    /// The most moves that a win or a loss takes.
    pub fn longest(&self) -> u32 {
        let decided = self.standings.iter().filter(|standing| standing.value != 0);
        decided.filter_map(|standing| standing.distance).max().unwrap_or(0)
    }

    /// What a state is worth, by the hash of the state.
    pub fn of(&self, state: &State) -> Option<Standing> {
        self.keys.get(&state.hash()).map(|&index| self.standings[index as usize])
    }
}

/// The past of a state as far as it may matter.
#[derive(Clone)]
struct Brief {
    moves: usize,
    last_mover: Option<Player>,
    captured: Vec<Piece>,
}

impl History for Brief {
    fn moves(&self) -> usize {
        self.moves
    }
    fn states(&self) -> Vec<Keys> {
        Vec::new()
    }
    fn last_mover(&self) -> Option<Player> {
        self.last_mover
    }
    fn captured(&self) -> &[Piece] {
        &self.captured
    }
}

/// A state of the graph.
struct Node {
    ours: bool,
    /// The value of an end.
    over: Option<i8>,
    /// Where steps lead, and whether they end the move.
    next: Vec<(u32, bool)>,
}

/// Enumerates the states after a state, no more than `most`, and says what each is worth. `watch` is told how many there are
/// so far; false stops.
pub fn enumerate(
    executor: &dyn Executor,
    state: &State,
    history: &dyn History,
    most: usize,
    watch: &mut dyn FnMut(usize) -> bool,
) -> Result<Option<Space>, Unsolvable> {
    let first =
        Brief { moves: history.moves(), last_mover: history.last_mover(), captured: history.captured().to_vec() };
    let probe = Ground::new(executor, state, &first)?;
    if probe.asks_for_circles() {
        return Err(Unsolvable::Repetition);
    }
    if probe.knows_the_way() {
        return Err(Unsolvable::Way);
    }
    let mut keys = BTreeMap::from([(state.hash(), 0)]);
    let mut nodes: Vec<Node> = Vec::new();
    let mut waiting = VecDeque::from([(state.clone(), first.clone())]);
    while let Some((state, brief)) = waiting.pop_front() {
        if nodes.len().is_multiple_of(256) && !watch(keys.len()) {
            return Ok(None);
        }
        let mut ground = probe.elsewhere(state, &brief);
        let mut node = Node { ours: ground.ours(), over: None, next: Vec::new() };
        match ground.look()? {
            Look::Over(_) => node.over = Some(ground.outcome()?),
            Look::Open(steps) => {
                for step in &steps {
                    ground.make(step)?;
                    let count = keys.len() as u32;
                    let index = *keys.entry(ground.state.hash()).or_insert(count);
                    if index == count {
                        if keys.len() > most {
                            return Err(Unsolvable::ManyStates { limit: most });
                        }
                        let past = Brief {
                            moves: ground.past_moves(),
                            last_mover: ground.past.last_mover(),
                            captured: ground.past.captured().to_vec(),
                        };
                        waiting.push_back((ground.state.clone(), past));
                    }
                    node.next.push((index, ground.ended_move()));
                    ground.take_back();
                }
            }
        }
        nodes.push(node);
    }
    Ok(Some(Space { standings: backward(&nodes), keys }))
}

/// From the ends back: a state is decided once a step decides it, or all have.
fn backward(nodes: &[Node]) -> Vec<Standing> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        node.next.iter().for_each(|&(next, _)| before[next as usize].push(index as u32));
    }
    let mut standings: Vec<Option<Standing>> = vec![None; nodes.len()];
    // Those that are decided so many moves before an end, to be gone back from in this order.
    let mut layers: Vec<Vec<u32>> = vec![Vec::new()];
    let mut left: Vec<usize> = nodes.iter().map(|node| node.next.len()).collect();
    for (index, node) in nodes.iter().enumerate() {
        if let Some(value) = node.over {
            standings[index] = Some(Standing { value, distance: Some(0) });
            layers[0].push(index as u32);
        }
    }
    let mut distance = 0;
    while distance < layers.len() {
        while let Some(index) = layers[distance].pop() {
            for &previous in &before[index as usize] {
                let node = &nodes[previous as usize];
                left[previous as usize] -= 1;
                if standings[previous as usize].is_some() {
                    continue;
                }
                let value = standings[index as usize].expect("only decided states are gone back from").value;
                let wanted = if node.ours { 1 } else { -1 };
                if value != wanted && left[previous as usize] > 0 {
                    continue;
                }
                let after = node.next.iter().filter_map(|&(next, ended)| {
                    standings[next as usize]
                        .map(|standing| (standing, standing.distance.unwrap_or(0) + u32::from(ended)))
                });
                let all: Vec<_> = after.collect();
                let best = all.iter().map(|(standing, _)| standing.value * wanted).max().expect("a step leads on");
                let ways = all.iter().filter(|(standing, _)| standing.value * wanted == best).map(|&(_, moves)| moves);
                let moves = if best > 0 { ways.min() } else { ways.max() };
                let moves = moves.expect("the best step leads on");
                standings[previous as usize] = Some(Standing { value: best * wanted, distance: Some(moves) });
                let layer = (moves as usize).max(distance);
                if layers.len() <= layer {
                    layers.resize(layer + 1, Vec::new());
                }
                layers[layer].push(previous);
            }
        }
        distance += 1;
    }
    standings.into_iter().map(|standing| standing.unwrap_or(Standing { value: 0, distance: None })).collect()
}
