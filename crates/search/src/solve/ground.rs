//! What is solved: whether a game can be, what its ends are worth, and the state that is looked at.

use dagaz_base::Id as _;
use dagaz_base::random::mix;
use dagaz_engine::{Executor, Fault, History, Limits, Onward, Outcome, Share, Situation, State, Step, StepRule, Undo};
use dagaz_ir::{Op, Player, Role, Rules, Verdict, expressions::any_op, progress::never_repeats};

use crate::evaluation::{Side, Sides};

/// In what values are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// 1 a win, 0 a draw, -1 a loss.
    Outcome,
    /// By how much one scores more than the other.
    Margin,
}

/// In what the values of a game are counted: by margins, where two play and nobody wins or loses but by scores.
pub fn measure(rules: &Rules) -> Measure {
    let scored = |verdict: &Verdict| matches!(verdict, Verdict::Count | Verdict::Score(_));
    let persons = rules.players.values().filter(|player| player.role == Role::Person).count();
    let mut results = rules.ends.iter().map(|end| &end.result);
    let decided = results.clone().any(|result| matches!(result, Verdict::Win | Verdict::Loss));
    if persons == 2 && !decided && results.any(scored) { Measure::Margin } else { Measure::Outcome }
}

/// Why a game is not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolvable {
    /// There is chance in it.
    #[error("chance has a part in it")]
    Chance,
    /// Not all is seen.
    #[error("players do not see everything")]
    Hidden,
    /// There are too many players, or none.
    #[error("it has {players} players; only games of one or two are solved")]
    Players {
        /// How many.
        players: usize,
    },
    /// Nothing is left to solve.
    #[error("the game is over")]
    Over,
    /// The game can come back to where it was.
    #[error("play can go round in circles")]
    Circles,
    /// The worth of a state depends on the way to it.
    #[error("its rules ask which states stood before, and play can go round in circles")]
    Repetition,
    /// The same where states are enumerated.
    #[error("its rules ask for the last move or the number of moves, and states are enumerated without their past")]
    Way,
    /// A line of play is too long.
    #[error("a line of play has more than {limit} steps")]
    Deep {
        /// The limit it passed.
        limit: usize,
    },
    /// More states can be reached than there is room for.
    #[error("more than {limit} states can be reached")]
    ManyStates {
        /// The limit.
        limit: usize,
    },
    /// The rules could not be run.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Whether rules ask which states stood before, but for ends that are draws.
fn decides_by_past(rules: &Rules) -> bool {
    let mut others = rules.clone();
    others.ends.retain(|end| end.result != Verdict::Draw);
    any_op(&others, &|op| matches!(op, Op::Repetitions | Op::BoardRepetitions | Op::FirstStood))
}

/// Lines of play are not looked at beyond so many steps, so that the stack is safe.
pub(super) const LONGEST: usize = 1000;

/// What is asked of a state.
pub(super) enum Look {
    /// It is over, and worth so much to the player who asks.
    Over(i32),
    /// These steps can be made.
    Open(Vec<Step>),
}

/// A state that is looked at, and the way to it.
pub(super) struct Ground<'a> {
    pub(super) executor: &'a dyn Executor,
    pub(super) state: State,
    pub(super) past: Onward<'a>,
    pub(super) measure: Measure,
    me: Player,
    sides: Sides,
    undos: Vec<(Undo, bool)>,
    /// The keys of the states on the way, the first one's included.
    way: Vec<u64>,
    asks: Asks,
}

/// What rules ask that does not stand in the state.
#[derive(Clone, Copy)]
struct Asks {
    moves: bool,
    last: bool,
    /// Which states stood before, where more hangs on that than a draw: play that goes on for ever is one anyway.
    past: bool,
    /// Whether a state could stand twice.
    may_repeat: bool,
}

impl<'a> Ground<'a> {
    pub(super) fn new(executor: &'a dyn Executor, state: &State, history: &'a dyn History) -> Result<Self, Unsolvable> {
        let rules: &Rules = executor.rules();
        if !rules.concealments.is_empty() {
            return Err(Unsolvable::Hidden);
        }
        let plays = |role| rules.schedule.turns.iter().any(|turn| rules.players[turn.player].role == role);
        if plays(Role::Random) {
            return Err(Unsolvable::Chance);
        }
        let persons = rules.players.values().filter(|player| player.role == Role::Person).count();
        if !(1..=2).contains(&persons) {
            return Err(Unsolvable::Players { players: persons });
        }
        let me = executor.to_move(state);
        let asks = Asks {
            moves: any_op(rules, &|op| op == Op::MovesMade),
            last: any_op(rules, &|op| matches!(op, Op::LastMover | Op::Captured)),
            past: decides_by_past(rules),
            may_repeat: !never_repeats(rules),
        };
        let measure = measure(rules);
        let mut ground = Self {
            executor,
            state: state.clone(),
            past: Onward::new(history),
            measure,
            me,
            sides: Sides::of(executor, me),
            undos: Vec::new(),
            way: Vec::new(),
            asks,
        };
        ground.way.push(ground.key());
        Ok(ground)
    }

    /// The same question about another state.
    pub(super) fn elsewhere<'b>(&self, state: State, history: &'b dyn History) -> Ground<'b>
    where
        'a: 'b,
    {
        let (sides, undos, past) = (self.sides.clone(), Vec::new(), Onward::new(history));
        let (measure, me, asks) = (self.measure, self.me, self.asks);
        let mut ground =
            Ground { executor: self.executor, state, past, measure, me, sides, undos, way: Vec::new(), asks };
        ground.way.push(ground.key());
        ground
    }

    /// Whether the player who asks chooses here.
    pub(super) fn ours(&self) -> bool {
        self.sides.side(self.executor.to_move(&self.state)) != Side::Theirs
    }

    /// How many steps were made.
    pub(super) fn depth(&self) -> usize {
        self.undos.len()
    }

    /// What tells the state from all others that are worth something else.
    pub(super) fn key(&self) -> u64 {
        let mut key = self.state.hash();
        if self.asks.moves {
            key ^= mix(!(self.past.moves() as u64));
        }
        if self.asks.last {
            let mut last = self.past.last_mover().map_or(0, |mover| mover.index() as u64 + 1);
            for piece in self.past.captured() {
                last = mix(last ^ (piece.owner.index() as u64) << 32 ^ piece.kind.index() as u64);
            }
            key ^= mix(mix(last));
        }
        key
    }

    /// Where the state stood before on this way: how many steps had been made then. Play that has moved pieces in between goes round
    /// in circles, which is an error.
    pub(super) fn stood(&self) -> Result<Option<usize>, Unsolvable> {
        if !self.asks.may_repeat {
            return Ok(None);
        }
        let (now, before) = self.way.split_last().expect("the first state is on the way");
        let Some(first) = before.iter().position(|key| key == now) else { return Ok(None) };
        if self.undos[first..].iter().all(|&(_, passed)| passed) {
            return Ok(Some(first));
        }
        Err(if self.asks.past { Unsolvable::Repetition } else { Unsolvable::Circles })
    }

    pub(super) fn look(&self) -> Result<Look, Unsolvable> {
        Ok(match self.executor.situation(&self.state, &self.past)? {
            Situation::Over(outcome) => Look::Over(self.worth(&outcome)),
            Situation::Open(steps) => Look::Open(steps),
        })
    }

    /// What an outcome is worth to the player who asks.
    fn worth(&self, outcome: &Outcome) -> i32 {
        if let (Measure::Margin, Some(scores)) = (self.measure, &outcome.scores) {
            let rules = self.executor.rules();
            let persons = rules.players.iter().filter(|(_, info)| info.role == Role::Person);
            let signed = persons.map(|(player, _)| match self.sides.side(player) {
                Side::Theirs => -i64::from(scores[player.index()]),
                _ => i64::from(scores[player.index()]),
            });
            return signed.sum::<i64>().clamp(-MOST, MOST) as i32;
        }
        self.share(outcome).into()
    }

    fn share(&self, outcome: &Outcome) -> i8 {
        match outcome.shares.get(self.me.index()) {
            Some(Share::Win) => 1,
            Some(Share::Loss) => -1,
            _ => 0,
        }
    }

    pub(super) fn make(&mut self, step: &Step) -> Result<(), Unsolvable> {
        if self.undos.len() >= LONGEST.min(Limits::default().chain) {
            return Err(Unsolvable::Deep { limit: LONGEST });
        }
        let (before, mover) = (self.state.keys(), self.executor.to_move(&self.state));
        let undo = self.executor.apply(&mut self.state, step)?;
        self.past.line.push(before, mover, &undo);
        self.undos.push((undo, step.rule == StepRule::Pass));
        self.way.push(self.key());
        Ok(())
    }

    pub(super) fn take_back(&mut self) {
        let (undo, _) = self.undos.pop().expect("only steps that were made are taken back");
        self.executor.undo(&mut self.state, &undo);
        self.past.line.pop();
        self.way.pop();
    }

    pub(super) fn take_back_to(&mut self, depth: usize) {
        while self.undos.len() > depth {
            self.take_back();
        }
    }

    /// Whether the worth of a state depends on the states before it.
    pub(super) fn asks_for_circles(&self) -> bool {
        self.asks.past && self.asks.may_repeat
    }

    /// Whether it depends on how many moves were made, or on the last of them.
    pub(super) fn knows_the_way(&self) -> bool {
        self.asks.moves || self.asks.last
    }

    /// What the player who asks has of the game, which is over.
    pub(super) fn outcome(&self) -> Result<i8, Unsolvable> {
        match self.executor.situation(&self.state, &self.past)? {
            Situation::Over(outcome) => Ok(self.share(&outcome)),
            Situation::Open(_) => Ok(0),
        }
    }

    /// Whether the last step ended the move.
    pub(super) fn ended_move(&self) -> bool {
        self.undos.last().is_some_and(|(undo, _)| undo.ends_move)
    }

    /// How many whole moves were made, those of the game included.
    pub(super) fn past_moves(&self) -> usize {
        self.past.moves()
    }
}

/// No value is beyond this.
const MOST: i64 = 30_000;
