//! One game of a match: from its opening to its end, by whoever answers for the players.

use std::collections::VecDeque;

use dagaz_base::random::mix;
use dagaz_base::{Id as _, Random};
use dagaz_engine::{Executor, Fault, History, Line, Outcome, Share, Situation, State, Step};
use dagaz_ir::{Player, Role, Rules};
use dagaz_notation::record::{self, SetUp};
use dagaz_notation::{Record, universal};
use dagaz_play::Edit;
use dagaz_search::Score;

use crate::adjudicate::{Adjudication, Decision};
use crate::opening::Opening;

/// What whoever answers for a player is asked.
pub struct Turn<'a> {
    /// What runs the rules.
    pub executor: &'a dyn Executor,
    /// The state from which the game started, before its opening.
    pub start: &'a State,
    /// All whole moves since, those of the opening and of chance included.
    pub line: &'a [Ply],
    /// The state to move in.
    pub state: &'a State,
    /// Its past.
    pub history: &'a dyn History,
    /// Who is to move: the seat, from 0.
    pub seat: usize,
    /// What chance depends on here: another number for each step of each game.
    pub seed: u64,
}

/// A whole move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The state that it was made in.
    pub before: State,
    /// Who made it.
    pub mover: Player,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A move.
    Move {
        /// Its steps: at least one.
        steps: Vec<Step>,
        /// What the player thinks that it is worth to him.
        score: Option<Score>,
    },
    /// The player loses, for this reason.
    Forfeit(String),
    /// The game is not to be finished.
    Abandon,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// What each seat has of it: 2 for a win, 1 for a draw, 0 for a loss.
    pub halves: Vec<u8>,
    /// How it ended, in words.
    pub by: String,
    /// How many whole moves it had, those of the opening included.
    pub moves: usize,
    /// What was played.
    pub record: Record,
}

/// The seats of a game: the players who are persons and have a turn, in the order of the rules.
pub fn persons(rules: &Rules) -> Vec<Player> {
    // Only who has a turn is a player for people; others own pieces and no more.
    let has_turn = |player: Player| rules.schedule.turns.iter().any(|turn| turn.player == player);
    let persons = rules.players.iter().filter(|(_, info)| info.role == Role::Person).map(|(player, _)| player);
    persons.filter(|&player| has_turn(player)).collect()
}

/// Plays a game, which depends on nothing but its arguments and the answers. Nothing when it was abandoned.
pub fn play<E: From<Fault>>(
    executor: &dyn Executor,
    opening: &Opening,
    seed: u64,
    adjudication: &Adjudication,
    answer: &mut dyn FnMut(&Turn<'_>) -> Result<Reply, E>,
) -> Result<Option<Game>, E> {
    let mut board = Board::new(executor, opening);
    let mut ready: VecDeque<Step> = opening.steps.iter().cloned().collect();
    loop {
        let legal = match executor.situation(&board.state, &board.history)? {
            Situation::Over(outcome) => return Ok(Some(board.over(&outcome))),
            Situation::Open(legal) => legal,
        };
        let mover = executor.to_move(&board.state);
        let seat = board.persons.iter().position(|&person| person == mover);
        if ready.is_empty() {
            if board.current.is_empty()
                && let Some(decision) = adjudication.decide(&board.scores, board.persons.len())
            {
                return Ok(Some(board.decided(decision)));
            }
            let seed = mix(seed ^ mix(board.steps as u64));
            let Some(seat) = seat else {
                ready.extend(Random::new(seed).choose(&legal).cloned());
                continue;
            };
            let turn = Turn {
                executor,
                start: &opening.state,
                line: &board.line,
                state: &board.state,
                history: &board.history,
                seat,
                seed,
            };
            match answer(&turn)? {
                Reply::Abandon => return Ok(None),
                Reply::Forfeit(why) => return Ok(Some(board.lost(seat, &why))),
                Reply::Move { steps, .. } if steps.is_empty() => return Ok(Some(board.lost(seat, "no move"))),
                Reply::Move { steps, score } => {
                    ready.extend(steps);
                    board.said = score;
                }
            }
        }
        let step = ready.pop_front().expect("a step was just chosen");
        if !legal.contains(&step) {
            return Ok(Some(board.lost(seat.unwrap_or(0), "an illegal move")));
        }
        board.make(&legal, step, seat)?;
    }
}

/// A game in progress.
struct Board<'a> {
    executor: &'a dyn Executor,
    persons: Vec<Player>,
    start: &'a State,
    opening: usize,
    state: State,
    history: Line,
    line: Vec<Ply>,
    /// The unfinished move, and the state that it was begun in.
    current: Vec<Step>,
    before: State,
    steps: usize,
    /// What the player to move has said of his move, and what all have said of theirs.
    said: Option<Score>,
    scores: Vec<(usize, Option<Score>)>,
    plies: Vec<record::Ply>,
}

impl<'a> Board<'a> {
    fn new(executor: &'a dyn Executor, opening: &'a Opening) -> Self {
        Self {
            executor,
            persons: persons(executor.rules()),
            start: &opening.state,
            opening: opening.steps.len(),
            state: opening.state.clone(),
            history: Line::new(),
            line: Vec::new(),
            current: Vec::new(),
            before: opening.state.clone(),
            steps: 0,
            said: None,
            scores: Vec::new(),
            plies: Vec::new(),
        }
    }

    fn make(&mut self, legal: &[Step], step: Step, seat: Option<usize>) -> Result<(), Fault> {
        self.plies.push(record::Ply::new(universal::write(self.executor, &self.state, legal, &step)?));
        let (keys, mover) = (self.state.keys(), self.executor.to_move(&self.state));
        let undo = self.executor.apply(&mut self.state, &step)?;
        self.history.push(keys, mover, &undo);
        self.current.push(step);
        self.steps += 1;
        if undo.ends_move {
            let before = std::mem::replace(&mut self.before, self.state.clone());
            self.line.push(Ply { before, mover, steps: std::mem::take(&mut self.current) });
            let said = self.said.take();
            if let Some(seat) = seat.filter(|_| self.steps > self.opening) {
                self.scores.push((seat, said));
            }
        }
        Ok(())
    }

    fn over(self, outcome: &Outcome) -> Game {
        let halves = |player: &Player| match outcome.shares[player.index()] {
            Share::Win => 2,
            Share::Draw => 1,
            Share::Loss | Share::None => 0,
        };
        let rules = self.executor.rules();
        let end = outcome.end.and_then(|end| rules.ends.get(end)).map_or("no moves left", |end| &end.name);
        let (halves, end) = (self.persons.iter().map(halves).collect(), end.to_owned());
        self.game(halves, end)
    }

    /// The player on this seat has lost, and all others have won.
    fn lost(self, seat: usize, why: &str) -> Game {
        let halves = (0..self.persons.len()).map(|other| if other == seat { 0 } else { 2 }).collect();
        let by = format!("{}: {why}", self.executor.rules().players[self.persons[seat]].name);
        self.game(halves, by)
    }

    fn decided(self, decision: Decision) -> Game {
        match decision {
            Decision::Draw(why) => {
                let halves = vec![1; self.persons.len()];
                self.game(halves, why.to_owned())
            }
            Decision::Lost(seat) => self.lost(seat, "loss by adjudication"),
        }
    }

    fn game(self, halves: Vec<u8>, by: String) -> Game {
        let (rules, layout) = (self.executor.rules(), self.executor.layout());
        let edits = Edit::between(rules, layout, &self.executor.initial(), self.start);
        let share = |halves: u8| [Share::Loss, Share::Draw, Share::Win][usize::from(halves)];
        let names = self.persons.iter().map(|&player| rules.players[player].name.clone());
        let record = Record {
            game: rules.name.clone(),
            set_up: edits.into_iter().map(|edit| SetUp::of(edit, rules)).collect(),
            result: names.zip(halves.iter().map(|&half| share(half))).collect(),
            plies: self.plies,
            ..Record::default()
        };
        Game { halves, by, moves: self.line.len(), record }
    }
}
