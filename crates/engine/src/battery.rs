//! The laws that hold in every game, tried on random games.
//!
//! Whoever has an executor and rules calls [`battery`] in a test; whoever has more laws, of notation or of another executor
//! that must agree, adds them with [`battery_with`]. Nothing is random but the seed: a broken law says how to run its
//! game again.

use std::collections::BTreeSet;
use std::fmt;

use dagaz_base::Random;
use dagaz_ir::{Player, Scope};

use crate::executor::{Executor, Fault, Outcome, Situation};
use crate::history::{History, Line};
use crate::layout::Cell;
use crate::perft::perft;
use crate::state::{State, Undo};
use crate::step::Step;

/// What the games that were played looked like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many games were played.
    pub games: u32,
    /// How many of them came to an end.
    pub finished: u32,
    /// How many steps were made in all of them.
    pub plies: u64,
    /// How many steps were listed in all of them.
    pub listed: u64,
    /// The longest list of steps.
    pub widest: usize,
    /// How the finished games ended, in order.
    pub outcomes: Vec<Outcome>,
}

/// A law that did not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{law}: game {game}, seed {seed}, ply {ply}; again with battery(executor, 1, {plies}, {seed})")]
pub struct Broken {
    /// The law.
    pub law: Law,
    /// The number of the game, from 0.
    pub game: u32,
    /// The seed of that game alone: a battery of one game with this seed plays it again.
    pub seed: u64,
    /// How many steps were made before.
    pub ply: usize,
    /// How many steps a game was allowed.
    pub plies: usize,
}

/// What holds in every game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Law {
    /// Rules come to an end.
    RulesEnd(Fault),
    /// The same state gives the same steps and the same situation, and an open situation lists the legal steps.
    StepsAreTheSame,
    /// An open situation has a step.
    OpenHasSteps,
    /// A game that is over has no moves.
    OverHasNone,
    /// No two steps of a list are the same.
    StepsDiffer(Box<Step>),
    /// A listed step can be made, and taken back so that nothing differs.
    UndoRestores(Box<Step>),
    /// A step ends the move if and only if no chain is left open.
    ChainsEnd(Box<Step>),
    /// The hashes that are kept are those of the cells.
    HashesAreKept,
    /// Every cell is within the range of its field: the cell, and its value.
    CellsAreInRange(Cell, i32),
    /// Where no piece stands, the fields of pieces are 0.
    NothingIsLeftBehind(Cell),
    /// What a player sees of a state is the state, but for the hidden cells, which are 0; everything where the rules conceal
    /// nothing.
    ViewsAreOfTheState(Player),
    /// The line of moves knows how many moves were made.
    LineCounts,
    /// Taking back every step leads to the start.
    RootIsReached,
    /// A law of the caller's.
    Other(String),
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RulesEnd(fault) => write!(f, "rules come to an end, but {fault}"),
            Self::StepsAreTheSame => f.write_str("asking twice gives the same steps"),
            Self::OpenHasSteps => f.write_str("an open situation has a step"),
            Self::OverHasNone => f.write_str("a game that is over has no moves"),
            Self::StepsDiffer(step) => write!(f, "no two steps are the same, but {step:?}"),
            Self::UndoRestores(step) => write!(f, "taking a step back restores the state, but not after {step:?}"),
            Self::ChainsEnd(step) => write!(f, "a move ends when its chain does, but not with {step:?}"),
            Self::HashesAreKept => f.write_str("the kept hashes are those of the cells"),
            Self::CellsAreInRange(cell, value) => write!(f, "cells are in their range, but cell {} is {value}", cell.0),
            Self::NothingIsLeftBehind(cell) => write!(f, "empty sites hold nothing, but cell {} does", cell.0),
            Self::ViewsAreOfTheState(player) => {
                write!(f, "a view is the state with 0 in the hidden cells, but not that of {player:?}")
            }
            Self::LineCounts => f.write_str("the line knows the number of moves"),
            Self::RootIsReached => f.write_str("taking everything back leads to the start"),
            Self::Other(law) => f.write_str(law),
        }
    }
}

/// A state between two steps of a game, as further laws see it.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// What runs the rules.
    pub executor: &'a dyn Executor,
    /// The state.
    pub state: &'a State,
    /// Its past.
    pub line: &'a Line,
    /// The legal steps when the game goes on, none when it is over.
    pub steps: &'a [Step],
}

/// Making and taking back every listed step costs more than all the rest: it is done at each of so many plies.
const STRIDE: usize = 4;

/// Plays so many random games of at most so many steps, and tries every law at every step.
pub fn battery(executor: &dyn Executor, games: u32, plies: usize, seed: u64) -> Result<Report, Broken> {
    battery_with(executor, games, plies, seed, &mut |_| Ok(()))
}

/// The same with further laws: `check` sees every state of every game, and says what is wrong with it.
pub fn battery_with(
    executor: &dyn Executor,
    games: u32,
    plies: usize,
    seed: u64,
    check: &mut dyn FnMut(Moment<'_>) -> Result<(), String>,
) -> Result<Report, Broken> {
    let mut report = Report { games, ..Report::default() };
    for game in 0..games {
        let seed = seed.wrapping_add(u64::from(game));
        let (start, line) = (executor.initial(), Line::new());
        let mut trial = Trial { executor, state: start.clone(), start, line, undos: Vec::new(), report: &mut report };
        trial.play(plies, &mut Random::new(seed), check).map_err(|law| Broken {
            law,
            game,
            seed,
            ply: trial.undos.len(),
            plies,
        })?;
    }
    Ok(report)
}

/// One game.
struct Trial<'a> {
    executor: &'a dyn Executor,
    start: State,
    state: State,
    line: Line,
    undos: Vec<Undo>,
    report: &'a mut Report,
}

impl Trial<'_> {
    fn play(
        &mut self,
        plies: usize,
        random: &mut Random,
        check: &mut dyn FnMut(Moment<'_>) -> Result<(), String>,
    ) -> Result<(), Law> {
        loop {
            self.check_state(&self.state)?;
            self.check_views()?;
            let steps = self.check_situation()?;
            let moment = Moment { executor: self.executor, state: &self.state, line: &self.line, steps: &steps };
            check(moment).map_err(Law::Other)?;
            if self.undos.len() >= plies {
                break;
            }
            let Some(step) = random.choose(&steps) else { break };
            let (before, mover) = (self.state.keys(), self.executor.to_move(&self.state));
            let undo = self.executor.apply(&mut self.state, step).map_err(Law::RulesEnd)?;
            self.line.push(before, mover, &undo);
            self.undos.push(undo);
            self.report.plies += 1;
        }
        self.check_root()
    }

    /// The steps with which the game can go on; none when it is over.
    fn check_situation(&mut self) -> Result<Vec<Step>, Law> {
        match self.executor.situation(&self.state, &self.line).map_err(Law::RulesEnd)? {
            Situation::Over(outcome) => {
                let counted = perft(self.executor, &self.state, &self.line, 1).map_err(Law::RulesEnd)?;
                if counted > 0 {
                    return Err(Law::OverHasNone);
                }
                self.report.finished += 1;
                self.report.outcomes.push(outcome);
                Ok(Vec::new())
            }
            Situation::Open(steps) => {
                if steps.is_empty() {
                    return Err(Law::OpenHasSteps);
                }
                if steps != self.executor.steps(&self.state, &self.line).map_err(Law::RulesEnd)? {
                    return Err(Law::StepsAreTheSame);
                }
                if self.undos.len().is_multiple_of(STRIDE) {
                    self.check_steps(&steps)?;
                }
                self.report.listed += steps.len() as u64;
                self.report.widest = self.report.widest.max(steps.len());
                Ok(steps)
            }
        }
    }

    fn check_steps(&self, steps: &[Step]) -> Result<(), Law> {
        let mut seen = BTreeSet::new();
        let mut scratch = self.state.clone();
        for step in steps {
            // A pass and a stop differ from each other, and from other steps that go nowhere, by their names alone.
            let made = matches!(step.rule, crate::step::StepRule::Rule(_));
            if !seen.insert((made, step.from, step.to, step.choice, &step.parameters, &step.effects, step.chain)) {
                return Err(Law::StepsDiffer(Box::new(step.clone())));
            }
            let undo = self.executor.apply(&mut scratch, step).map_err(Law::RulesEnd)?;
            if undo.ends_move != self.executor.chain(&scratch).is_none() {
                return Err(Law::ChainsEnd(Box::new(step.clone())));
            }
            self.check_state(&scratch)?;
            self.executor.undo(&mut scratch, &undo);
            if scratch != self.state {
                return Err(Law::UndoRestores(Box::new(step.clone())));
            }
        }
        Ok(())
    }

    fn check_state(&self, state: &State) -> Result<(), Law> {
        let (rules, layout) = (self.executor.rules(), self.executor.layout());
        if state.rehash(layout) != (state.hash(), state.keys()) {
            return Err(Law::HashesAreKept);
        }
        for (field, info) in rules.fields.iter() {
            for cell in (0..layout.count(field)).filter_map(|index| layout.cell(field, index)) {
                let value = state.get(cell);
                let nothing = info.scope == Scope::Piece && value == 0;
                if !nothing && !(info.low..=info.high).contains(&value) {
                    return Err(Law::CellsAreInRange(cell, value));
                }
            }
        }
        for site in rules.topology.sites() {
            if state.get(layout.at(layout.known.owner, site)) == 0 {
                let cells = layout.piece_cells(site);
                if let Some(cell) = cells.into_iter().find(|&cell| state.get(cell) != 0) {
                    return Err(Law::NothingIsLeftBehind(cell));
                }
            }
        }
        Ok(())
    }

    fn check_views(&self) -> Result<(), Law> {
        let (rules, layout) = (self.executor.rules(), self.executor.layout());
        for player in rules.players.ids() {
            let seen = self.executor.seen_by(&self.state, player).map_err(Law::RulesEnd)?;
            let mut view = self.state.clone();
            for &cell in &seen.hidden {
                view.set(layout, cell, 0);
            }
            let open = !rules.concealments.is_empty() || seen.hidden.is_empty();
            if view != seen.state || !open {
                return Err(Law::ViewsAreOfTheState(player));
            }
        }
        Ok(())
    }

    fn check_root(&mut self) -> Result<(), Law> {
        let whole = self.undos.iter().filter(|undo| undo.ends_move).count();
        if self.line.moves() != whole {
            return Err(Law::LineCounts);
        }
        for undo in self.undos.iter().rev() {
            self.executor.undo(&mut self.state, undo);
            self.line.pop();
        }
        if self.line.moves() != 0 || self.line.occurrences(self.start.keys()) != 0 {
            return Err(Law::LineCounts);
        }
        if self.state != self.start { Err(Law::RootIsReached) } else { Ok(()) }
    }
}
