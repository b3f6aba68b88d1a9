//! What every executor of rules offers.

use std::sync::Arc;

use dagaz_base::{Id, Origin};
use dagaz_ir::{End, Player, Role, RuleId, Rules, Verdict};

use crate::history::History;
use crate::interpreter::Interpreter;
use crate::layout::Layout;
use crate::perft::perft;
use crate::playout::{Tally, tally};
use crate::seen::Seen;
use crate::state::{State, Undo};
use crate::step::Step;

/// Runs the rules of one game. Holds no state: states are passed in.
///
/// All executors of the same rules give the same steps in the same order, the same states and the same hashes.
pub trait Executor: Send + Sync {
    /// The rules that are run.
    fn rules(&self) -> &Arc<Rules>;

    /// The layout of the states.
    fn layout(&self) -> &Layout;

    /// The state in which the game starts.
    fn initial(&self) -> State;

    /// All legal steps in a state, in the order of the rules, whether or not the game is over: a pass and the end of a
    /// chain included where they are allowed. Rules that forbid repetitions ask the history.
    fn steps(&self, state: &State, history: &dyn History) -> Result<Vec<Step>, Fault>;

    /// Whether the game is over, or else what the player to move can do.
    fn situation(&self, state: &State, history: &dyn History) -> Result<Situation, Fault>;

    /// Makes a legal step. A chain that cannot go on ends, and with it the turn.
    fn apply(&self, state: &mut State, step: &Step) -> Result<Undo, Fault>;

    /// How many sequences of `depth` moves there are from a state, as [`perft`](crate::perft()) counts them, perhaps sooner.
    fn count(&self, state: &State, history: &dyn History, depth: u32) -> Result<u64, Fault> {
        perft(self, state, history, depth)
    }

    /// Plays games at random from a state with this past, of at most `limit` moves each, and says what they came to. The same
    /// seed gives the same games of the same executor.
    ///
    /// An executor that has no faster way makes them [step by step](tally()).
    fn tally(&self, state: &State, history: &dyn History, games: u32, limit: u32, seed: u64) -> Result<Tally, Fault> {
        tally(self, state, history, games, limit, seed)
    }

    /// What a player may see of a state: all of it that may leave a server. What he sees of steps that others make follows
    /// from it: [`Seen::changes`]. His own legal steps he is told by their texts alone, as their effects know more.
    ///
    /// An executor that does not say it faster leaves it to the reference interpreter.
    fn seen_by(&self, state: &State, player: Player) -> Result<Seen, Fault> {
        match self.rules().concealments.is_empty() {
            true => Ok(Seen::whole(state.clone())),
            false => Interpreter::new(self.rules().clone()).seen_by(state, player),
        }
    }

    /// Takes the last step back.
    fn undo(&self, state: &mut State, undo: &Undo) {
        for &(cell, value) in undo.old.iter().rev() {
            state.set(self.layout(), cell, value);
        }
    }

    /// The player whose turn it is.
    fn to_move(&self, state: &State) -> Player {
        let turn = state.get(self.layout().global(self.layout().known.turn));
        self.rules().schedule.turns[turn as usize].player
    }

    /// The site whose piece must go on, in the middle of a move.
    fn chain(&self, state: &State) -> Option<dagaz_board::Site> {
        let chain = state.get(self.layout().global(self.layout().known.chain));
        (chain > 0).then(|| dagaz_board::Site::from_index(chain as usize - 1))
    }
}

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Situation {
    /// It is over.
    Over(Outcome),
    /// The player to move has these legal steps, at least one.
    Open(Vec<Step>),
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What each player has of it, by player.
    pub shares: Vec<Share>,
    /// What each player scored, by player, where the end counts something.
    pub scores: Option<Box<[i32]>>,
    /// The end of the rules that was true, by its index; nothing when the player to move is stuck and no end says more.
    pub end: Option<usize>,
}

impl Outcome {
    /// What it means that an end of the rules is true for a player. `scores` are what each player scored, by player, where
    /// the end compares scores.
    pub fn decided(rules: &Rules, end: usize, player: Player, scores: Option<Box<[i32]>>) -> Self {
        let End { result, players, .. } = &rules.ends[end];
        // A player's friends win and lose with him.
        let team = |other: Player| rules.players[player].friends.contains(&other);
        let shares = match (result, &scores) {
            (Verdict::Win, _) => share_out(rules, |other| if team(other) { Share::Win } else { Share::Loss }),
            (Verdict::Loss, _) => share_out(rules, |other| if team(other) { Share::Loss } else { Share::Win }),
            (Verdict::Count | Verdict::Score(_), Some(scores)) => {
                let most = players.iter().map(|player| scores[player.index()]).max();
                let first: Vec<_> = players.iter().filter(|player| Some(scores[player.index()]) == most).collect();
                share_out(rules, |player| match first.contains(&&player) {
                    true if first.len() == 1 => Share::Win,
                    true => Share::Draw,
                    false => Share::Loss,
                })
            }
            (Verdict::Draw | Verdict::Count | Verdict::Score(_), _) => share_out(rules, |_| Share::Draw),
        };
        Self { shares, scores, end: Some(end) }
    }

    /// The player to move can do nothing, and no end says what that means.
    pub fn stuck(rules: &Rules) -> Self {
        Self { shares: share_out(rules, |_| Share::Draw), scores: None, end: None }
    }
}

fn share_out(rules: &Rules, share: impl Fn(Player) -> Share) -> Vec<Share> {
    let players = rules.players.iter();
    players.map(|(player, info)| if info.role == Role::Person { share(player) } else { Share::None }).collect()
}

/// What one player has of the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Share {
    /// He lost.
    Loss,
    /// He drew.
    Draw,
    /// He won.
    Win,
    /// He takes no part in it: chance and neutral players.
    None,
}

/// How much work rules may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Statements and operations that one list of moves may take.
    pub work: u64,
    /// Steps in one list.
    pub steps: usize,
    /// Steps in one move.
    pub chain: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { work: 200_000_000, steps: 1_000_000, chain: 10_000 }
    }
}

/// Why rules could not be run to their end: the fault is theirs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A rule does not come to an end, or needs far too long.
    #[error("this takes more than {limit} operations, the last of them in `{name}`")]
    Endless {
        /// The rule that ran when the work was used up, when it was one: others may have done more of it.
        rule: Option<RuleId>,
        /// Its name; or that of the stage, the law or the end.
        name: String,
        /// The limit it passed.
        limit: u64,
        /// The statement that was running.
        origin: Option<Origin>,
    },
    /// There are too many legal moves to list.
    #[error("a turn has more than {limit} moves; the last came from the rule `{name}`")]
    TooManySteps {
        /// The rule that made the last one.
        name: String,
        /// The limit it passed.
        limit: usize,
        /// The statement that made it.
        origin: Option<Origin>,
    },
    /// The moves of a turn need more memory than a game may have.
    #[error("a turn needs more than {limit} bytes of memory")]
    TooMuchMemory {
        /// The limit it passed.
        limit: u64,
    },
    /// Whoever runs the rules wanted no more of it.
    #[error("the work was interrupted")]
    Interrupted,
    /// A chain of steps does not come to an end.
    #[error("a move has more than {limit} steps")]
    EndlessChain {
        /// The limit it passed.
        limit: usize,
    },
}

impl Fault {
    /// The statement of the rules, or the condition, that ran when it came about.
    pub fn origin(&self) -> Option<Origin> {
        match self {
            Self::Endless { origin, .. } | Self::TooManySteps { origin, .. } => *origin,
            Self::EndlessChain { .. } | Self::TooMuchMemory { .. } | Self::Interrupted => None,
        }
    }
}
