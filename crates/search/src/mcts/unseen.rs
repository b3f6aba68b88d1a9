//! Play where not everything is seen: states that fit what is seen are drawn at random, each is searched as if it were the true
//! one, and what was looked at most often in all of them is played ("determinization"; Ginsberg 2001, Frank and Basin 1998 on what it
//! cannot know: it never plays to learn or to hide something).
//!
//! A state is drawn by permuting what is hidden among the places that look alike: which pieces there are is known, as if captures had
//! been counted, and where they are is not. That a piece could not stand there by the rules (a pawn on the last row), and what
//! could be concluded from moves before, is not considered.

use std::collections::BTreeMap;

use dagaz_base::Random;
use dagaz_engine::{Cell, Executor, Fault, History, Keys, Move, Piece, Seen, Situation, State, Step};
use dagaz_ir::{Field, Player, Scope};

use super::tree::{ROOT, Tree};
use super::{Mcts, expected};
use crate::agent::{Agent, Ask, Choice, NoChoice};
use crate::walk::Walk;

/// So many states are drawn.
const SAMPLES: usize = 12;
/// Playouts of one state before the next has its turn.
const SLICE: u64 = 32;

/// Monte Carlo tree search that knows no more than its player sees.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unseen(pub(crate) Mcts);

impl Agent for Unseen {
    fn name(&self) -> String {
        self.0.name()
    }

    fn choose(&self, ask: &Ask<'_>) -> Result<Choice, NoChoice> {
        let mut walk = Walk::new(ask);
        let me = walk.mover();
        let (mut chosen, mut score, mut nodes) = (Move::default(), None, 0);
        while let Situation::Open(steps) = walk.situation()? {
            if walk.mover() != me {
                break;
            }
            let (best, found) = self.step(ask, &walk.state, &steps, chosen.steps.len() as u64, &mut nodes)?;
            score = score.or(found);
            let ended = walk.make(&steps[best])?;
            chosen.steps.push(steps[best].clone());
            if ended {
                break;
            }
        }
        if chosen.steps.is_empty() {
            return Err(NoChoice::Over);
        }
        Ok(Choice { line: vec![chosen.clone()], chosen, score, nodes, depth: 0 })
    }
}

impl Unseen {
    /// The best of the legal steps, which the player is told, and what it is worth.
    fn step(
        &self,
        ask: &Ask<'_>,
        state: &State,
        legal: &[Step],
        made: u64,
        nodes: &mut u64,
    ) -> Result<(usize, Option<crate::agent::Score>), Fault> {
        let me = ask.executor.to_move(state);
        let seen = ask.executor.seen_by(state, me)?;
        let mut random = Random::new(ask.seed ^ dagaz_base::random::mix(made));
        let past = Unknown(ask.history);
        let states: Vec<State> = (0..SAMPLES).map(|_| draw(ask.executor, state, &seen, &mut random)).collect();
        let asks: Vec<Ask<'_>> = states
            .iter()
            .map(|state| Ask { executor: ask.executor, state, history: &past, seed: random.bits(), ..*ask })
            .collect();
        let mut trees = Vec::new();
        for ask in &asks {
            if let Situation::Open(_) = ask.executor.situation(ask.state, ask.history)? {
                trees.push(Tree::new(self.0.tuning, self.0.playout_limit, ask));
            }
        }
        let most = ask.budget.nodes.map(|nodes| nodes.div_ceil(trees.len().max(1) as u64));
        let mut wanted = 0;
        while legal.len() > 1 && !trees.is_empty() && most.is_none_or(|most| wanted < most) && (ask.keep_going)() {
            wanted = most.map_or(wanted + SLICE, |most| most.min(wanted + SLICE));
            for tree in &mut trees {
                tree.grow(wanted)?;
            }
            if trees.iter().all(|tree| tree.is_settled(ROOT)) {
                break;
            }
        }
        let (mut visits, mut points) = (vec![0; legal.len()], vec![0; legal.len()]);
        for tree in &trees {
            *nodes += tree.playouts();
            for (step, tried, won) in tree.tried(ROOT) {
                if let Some(index) = legal.iter().position(|other| looks_like(other, step)) {
                    visits[index] += tried;
                    points[index] += won;
                }
            }
        }
        let best = (0..legal.len()).rev().max_by_key(|&index| (visits[index], points[index])).unwrap_or(0);
        Ok((best, (visits[best] > 0).then(|| expected(points[best], visits[best]))))
    }
}

/// Whether two steps are told to a player by the same text.
fn looks_like(one: &Step, other: &Step) -> bool {
    let text = |step: &Step| (step.rule, step.from, step.to, step.choice, step.parameters.clone());
    text(one) == text(other)
}

/// A state that looks the same.
fn draw(executor: &dyn Executor, state: &State, seen: &Seen, random: &mut Random) -> State {
    let (rules, layout) = (executor.rules(), executor.layout());
    let mut drawn = state.clone();
    let mut done: Vec<Field> = Vec::new();
    for concealment in &rules.concealments {
        let fields: Vec<Field> = concealment.fields.iter().copied().filter(|field| !done.contains(field)).collect();
        let Some(&first) = fields.first() else { continue };
        done.extend(&fields);
        let cells = |element: usize| fields.iter().filter_map(move |&field| layout.cell(field, element));
        let kinds = rules.kinds.len().max(1);
        // What looks alike: the same of the piece is seen, or it is in the same hand.
        let mut alike: BTreeMap<Vec<i32>, Vec<usize>> = BTreeMap::new();
        for element in 0..layout.count(first) {
            if !cells(element).all(|cell| seen.hides(cell)) {
                continue;
            }
            let visible = match rules.fields[first].scope {
                Scope::Piece | Scope::Site => {
                    let look = |cell: Cell| if seen.hides(cell) { -1 } else { seen.state.get(cell) };
                    layout.piece_fields().iter().filter_map(|&field| layout.cell(field, element)).map(look).collect()
                }
                Scope::Hand => vec![(element / kinds) as i32],
                _ => vec![element as i32],
            };
            alike.entry(visible).or_default().push(element);
        }
        for places in alike.values() {
            let mut from = places.clone();
            for last in (1..from.len()).rev() {
                from.swap(last, random.below(last + 1));
            }
            for (&to, &from) in places.iter().zip(&from) {
                cells(to).zip(cells(from)).for_each(|(to, from)| drawn.set(layout, to, state.get(from)));
            }
        }
    }
    drawn
}

/// What a player knows of the past: how long it is. States that stood before may not have looked like this.
struct Unknown<'a>(&'a dyn History);

impl History for Unknown<'_> {
    fn moves(&self) -> usize {
        self.0.moves()
    }
    fn states(&self) -> Vec<Keys> {
        Vec::new()
    }
    fn last_mover(&self) -> Option<Player> {
        self.0.last_mover()
    }
    fn captured(&self) -> &[Piece] {
        &[]
    }
}
