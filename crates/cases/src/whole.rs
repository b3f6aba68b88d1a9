//! Whole moves as a case writes them: a chain is one word of all its sites, such as `a1xc3xe5`, `a1-c3-e5` or `a1c3e5`.
//!
//! Moves of one step are read as universal notation, in any form. Moves that lead to the same state are one, as they are
//! where moves are counted.

use std::collections::BTreeMap;

use dagaz_engine::perft::without_last;
use dagaz_engine::{Executor, Fault, History, Move, Situation, State, Step, StepRule, whole_moves};
use dagaz_notation::universal::{self, ReadError};
use dagaz_play::Play;

/// All whole moves of a position.
pub(crate) struct Moves<'a> {
    play: &'a Play,
    steps: &'a [Step],
    /// Their texts, each unique, in the order of the moves.
    pub(crate) texts: Vec<String>,
    /// The moves by the states they lead to.
    ends: BTreeMap<Box<[i32]>, usize>,
}

/// What a text means among them.
pub(crate) enum Meaning {
    /// The move of this index.
    Move(usize),
    /// One of several, whose texts are these.
    Several(Vec<String>),
    /// None; and why.
    Nothing(String),
}

impl<'a> Moves<'a> {
    pub(crate) fn of(play: &'a Play) -> Result<Self, Fault> {
        let executor = &**play.executor();
        let mut moves = Self { play, steps: &[], texts: Vec::new(), ends: BTreeMap::new() };
        let Situation::Open(steps) = play.situation().map_err(Clone::clone)? else { return Ok(moves) };
        moves.steps = steps;
        let mut seen = BTreeMap::<String, usize>::new();
        for made in whole_moves(executor, play.state(), &play.past())? {
            let text = written(executor, play.state(), steps, &made)?;
            let count = seen.entry(text.clone()).or_default();
            *count += 1;
            moves.texts.push(if *count == 1 { text } else { format!("{text} #{count}") });
            moves.ends.insert(end(executor, play.state(), &made)?, moves.ends.len());
        }
        Ok(moves)
    }

    /// What a text means, which must be of a whole move.
    pub(crate) fn read(&self, text: &str) -> Result<Meaning, Fault> {
        let (executor, state) = (&**self.play.executor(), self.play.state());
        if let Some(index) = self.texts.iter().position(|known| *known == text) {
            return Ok(Meaning::Move(index));
        }
        let mut made = match universal::read_move(executor, state, self.steps, text) {
            Ok(steps) => Move { steps },
            Err(ReadError::Ambiguous { candidates, .. }) => return Ok(Meaning::Several(candidates)),
            Err(_) if self.steps.is_empty() => return Ok(Meaning::Nothing(format!("`{text}`: the game is over"))),
            Err(error) => return Ok(Meaning::Nothing(error.to_string())),
        };
        if let Some(&index) = self.ends.get(&end(executor, state, &made)?) {
            return Ok(Meaning::Move(index));
        }
        // Who stops says nothing more.
        if let Some(stop) = stop_after(executor, state, &self.play.past(), &made)? {
            made.steps.push(stop);
        }
        Ok(match self.ends.get(&end(executor, state, &made)?) {
            Some(&index) => Meaning::Move(index),
            None => Meaning::Nothing(format!("`{text}` only begins a move, which must go on")),
        })
    }
}

/// Makes a move, whole or partial. The inner error says why there is no such move.
pub(crate) fn make(play: &mut Play, text: &str) -> Result<Result<(), String>, Fault> {
    let steps = match play.situation().map_err(Clone::clone)? {
        Situation::Over(_) => return Ok(Err(format!("`{text}` cannot be played: the game is over"))),
        Situation::Open(steps) => steps,
    };
    let made = match universal::read_move(&**play.executor(), play.state(), steps, text) {
        Ok(made) => made,
        Err(error) => return Ok(Err(error.to_string())),
    };
    for step in &made {
        if let Err(error) = play.play(step) {
            return Ok(Err(error.to_string()));
        }
    }
    Ok(Ok(()))
}

/// The step that stops a chain, where it may stop.
fn stop_after(
    executor: &dyn Executor,
    state: &State,
    history: &dyn History,
    made: &Move,
) -> Result<Option<Step>, Fault> {
    let mut state = state.clone();
    for step in &made.steps {
        executor.apply(&mut state, step)?;
    }
    if executor.chain(&state).is_none() {
        return Ok(None);
    }
    Ok(executor.steps(&state, history)?.into_iter().find(|step| step.rule == StepRule::Stop))
}

/// The text of a whole move. Others may have the same.
fn written(executor: &dyn Executor, state: &State, steps: &[Step], made: &Move) -> Result<String, Fault> {
    if let [step] = made.steps.as_slice() {
        return universal::write(executor, state, steps, step);
    }
    let name = |site| executor.rules().topology.site_name(site);
    let mut state = state.clone();
    let mut text = made.steps.first().and_then(|step| step.from).map_or(String::new(), |site| name(site).to_owned());
    for step in &made.steps {
        let captured = !executor.apply(&mut state, step)?.captured.is_empty();
        text += &step.to.map_or(String::new(), |to| format!("{}{}", if captured { "x" } else { "-" }, name(to)));
    }
    Ok(text)
}

/// Where a move leads.
fn end(executor: &dyn Executor, state: &State, made: &Move) -> Result<Box<[i32]>, Fault> {
    let mut state = state.clone();
    for step in &made.steps {
        executor.apply(&mut state, step)?;
    }
    Ok(without_last(executor, &state))
}
