//! Analysis: several lines of play with scores, better and better until it is stopped.
//!
//! Monte Carlo looks at all moves anyway (`mcts`). An agent that deepens is asked about each move by itself, depth by depth, so that
//! every move gets a score of its own and not only a bound.

use dagaz_base::Id as _;
use dagaz_engine::{Executor, Fault, Move, Onward, Outcome, Share, Situation, State, whole_moves};

use crate::agent::{Agent, Ask, Budget, NoChoice, Score};

/// A line of play that starts with one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is worth to the player who begins it, when the agent has an opinion.
    pub score: Option<Score>,
    /// Its whole moves.
    pub moves: Vec<Move>,
}

/// What is found so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The best lines, the best one first.
    pub lines: Vec<Line>,
    /// How many states or playouts it took.
    pub nodes: u64,
    /// How many whole moves ahead was looked in every line; 0 when the agent does not work that way.
    pub depth: u32,
}

/// Scores in the order of their worth.
pub(crate) fn worth(score: Option<Score>) -> (i32, i64) {
    match score {
        Some(Score::Win(moves)) => (2, -i64::from(moves)),
        Some(Score::Loss(moves)) => (0, i64::from(moves)),
        Some(Score::Pieces(pieces)) => (1, i64::from(pieces)),
        Some(Score::Expected(thousandths)) => (1, i64::from(thousandths)),
        None => (1, 0),
    }
}

/// A first move and the state after it.
struct Branch<'a> {
    first: Move,
    state: State,
    past: Onward<'a>,
    /// What an end is worth to the one who asks, where the move ends the game.
    over: Option<Score>,
    line: Line,
}

/// Asks an agent about each move, one whole move deeper each time, as far as its budget goes.
pub(crate) fn by_depth(
    agent: &dyn Agent,
    ask: &Ask<'_>,
    count: usize,
    report: &mut dyn FnMut(&Analysis),
) -> Result<Analysis, NoChoice> {
    let mut branches = branches(ask)?;
    let mut found = Analysis::default();
    // The first move is one of those that are looked ahead.
    for depth in 1..=ask.budget.depth.map_or(u32::MAX, |depth| depth.saturating_sub(1).max(1)) {
        let mut asked = 0;
        for branch in &mut branches {
            if !(ask.keep_going)() || ask.budget.nodes.is_some_and(|most| found.nodes >= most) {
                break;
            }
            branch.look(agent, ask, depth, &mut found.nodes)?;
            asked += 1;
        }
        let whole = asked == branches.len();
        if whole || found.lines.is_empty() {
            // What was looked at deepest is listed alone while it is all that there is.
            let known = if whole { branches.len() } else { asked.max(1) };
            let mut order: Vec<&Branch<'_>> = branches[..known.min(branches.len())].iter().collect();
            order.sort_by_key(|branch| std::cmp::Reverse(worth(branch.line.score)));
            let lines = order.into_iter().take(count).map(|branch| branch.line.clone()).collect();
            (found.lines, found.depth) = (lines, if whole { depth + 1 } else { 0 });
            report(&found);
        }
        let certain = |branch: &Branch<'_>| matches!(branch.line.score, Some(Score::Win(_) | Score::Loss(_)));
        if !whole || branches.iter().all(certain) {
            break;
        }
        branches.sort_by_key(|branch| std::cmp::Reverse(worth(branch.line.score)));
    }
    Ok(found)
}

fn branches<'a>(ask: &Ask<'a>) -> Result<Vec<Branch<'a>>, NoChoice> {
    if let Situation::Over(_) = ask.executor.situation(ask.state, ask.history)? {
        return Err(NoChoice::Over);
    }
    let mut branches = Vec::new();
    for first in whole_moves(ask.executor, ask.state, ask.history)? {
        let (mut state, mut past) = (ask.state.clone(), Onward::new(ask.history));
        make(ask.executor, &mut state, &mut past, &first)?;
        let over = match ask.executor.situation(&state, &past)? {
            Situation::Over(outcome) => Some(score_of(ask, &outcome)),
            Situation::Open(_) => None,
        };
        let line = Line { score: over, moves: vec![first.clone()] };
        branches.push(Branch { first, state, past, over, line });
    }
    Ok(branches)
}

fn make(executor: &dyn Executor, state: &mut State, past: &mut Onward<'_>, made: &Move) -> Result<(), Fault> {
    for step in &made.steps {
        let (before, mover) = (state.keys(), executor.to_move(state));
        let undo = executor.apply(state, step)?;
        past.line.push(before, mover, &undo);
    }
    Ok(())
}

/// What an end one move away is worth to the one who asks.
fn score_of(ask: &Ask<'_>, outcome: &Outcome) -> Score {
    match outcome.shares.get(ask.executor.to_move(ask.state).index()) {
        Some(Share::Win) => Score::Win(1),
        Some(Share::Loss) => Score::Loss(1),
        _ => Score::Pieces(0),
    }
}

impl Branch<'_> {
    fn look(&mut self, agent: &dyn Agent, ask: &Ask<'_>, depth: u32, nodes: &mut u64) -> Result<(), NoChoice> {
        if self.over.is_some() || matches!(self.line.score, Some(Score::Win(_) | Score::Loss(_))) {
            return Ok(());
        }
        let left = ask.budget.nodes.map(|most| most.saturating_sub(*nodes).max(1));
        let budget = Budget { nodes: left, depth: Some(depth) };
        let below = Ask {
            executor: ask.executor,
            state: &self.state,
            history: &self.past,
            budget,
            keep_going: ask.keep_going,
            seed: ask.seed,
        };
        let choice = agent.choose(&below)?;
        *nodes += choice.nodes;
        // A search that was stopped says less than the one before it.
        if choice.depth == 0 && self.line.score.is_some() {
            return Ok(());
        }
        let same = ask.executor.to_move(&self.state) == ask.executor.to_move(ask.state);
        let score = choice.score.map(|score| seen_before(score, same));
        self.line = Line { score, moves: std::iter::once(self.first.clone()).chain(choice.line).collect() };
        Ok(())
    }
}

/// A score one move earlier, and to the adversary unless the same player moves.
fn seen_before(score: Score, same: bool) -> Score {
    match (score, same) {
        (Score::Win(moves), true) | (Score::Loss(moves), false) => Score::Win(moves + 1),
        (Score::Loss(moves), true) | (Score::Win(moves), false) => Score::Loss(moves + 1),
        (Score::Pieces(pieces), _) => Score::Pieces(if same { pieces } else { -pieces }),
        (Score::Expected(part), _) => Score::Expected(if same { part } else { 1000 - part }),
    }
}
