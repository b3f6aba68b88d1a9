//! What surrounds a step: the stages of a move, the last part of a rule, and the invariants.
//!
//! A move begins with the stage before it, each of its steps with the stage before a step; then come the effects of the step,
//! the last part of its rule, the stage after a step and the invariants; and with the last step the stage after the move. A
//! `verify` that is false in one of them makes the step illegal.

use dagaz_base::{Id, Origin};
use dagaz_ir::{Player, Program};

use super::machine::{Ending, Machine};
use super::{Interpreter, Meter, Removal, Value};
use crate::executor::{Executor, Fault};
use crate::history::{History, NoHistory};
use crate::state::{Keys, Piece, State, Undo};
use crate::step::{Parameter, Step, StepRule};

/// What a program that surrounds a step may ask.
pub(super) struct Occasion<'a> {
    /// The past, the state that the move starts from included.
    pub(super) past: &'a Present<'a>,
    /// What the step has captured.
    pub(super) captured: &'a [Piece],
}

/// The past of a state with the state itself: what the moves that start from it look back on.
pub(super) struct Present<'a> {
    pub(super) history: &'a dyn History,
    /// The keys of the state; none in the middle of a move, whose start the history knows.
    pub(super) start: Option<Keys>,
    /// Whether the moves are replies that some move is judged by: these are not judged by theirs in turn.
    pub(super) reply: bool,
}

impl Present<'_> {
    /// Of a state about which only the state is known.
    pub(super) fn unknown() -> Self {
        Self { history: &NoHistory, start: None, reply: false }
    }
}

impl History for Present<'_> {
    fn moves(&self) -> usize {
        self.history.moves()
    }
    fn states(&self) -> Vec<Keys> {
        self.history.states().into_iter().chain(self.start).collect()
    }
    fn occurrences(&self, keys: Keys) -> usize {
        self.history.occurrences(keys) + usize::from(self.start.is_some_and(|start| start.state == keys.state))
    }
    fn board_occurrences(&self, keys: Keys) -> usize {
        self.history.board_occurrences(keys) + usize::from(self.start.is_some_and(|start| start.board == keys.board))
    }
    fn first_occurrence(&self, keys: Keys) -> Option<usize> {
        let here = || self.start.filter(|start| start.state == keys.state).map(|_| self.history.moves());
        self.history.first_occurrence(keys).or_else(here)
    }
    fn last_mover(&self) -> Option<Player> {
        self.history.last_mover()
    }
    fn captured(&self) -> &[Piece] {
        self.history.captured()
    }
}

/// The values of the bounds that the moves of a list are held against, in the order of the program.
pub(super) type Bounds = Option<Vec<Value>>;

impl Interpreter {
    /// The stages before a step: at the start of a move, or in its middle. Gives the place of the condition that was false.
    pub(super) fn prepare(&self, state: &mut State, undo: &mut Undo, meter: &Meter) -> Result<Option<Removal>, Fault> {
        let stages = &self.rules.stages;
        let start = if self.chain(state).is_none() { stages.before_move.as_ref() } else { None };
        for (name, stage) in [("before-move", start), ("before-step", stages.before_step.as_ref())] {
            if let Some(stage) = stage
                && let Some(origin) = self.surround(state, undo, stage, name, None, meter)?
            {
                return Ok(Some(Removal::Stage { stage: name, origin }));
            }
        }
        Ok(None)
    }

    /// The step itself, in a state that is prepared, with what comes after it. Gives the law that it breaks.
    pub(super) fn advance(
        &self,
        state: &mut State,
        undo: &mut Undo,
        step: &Step,
        meter: &Meter,
    ) -> Result<Option<Removal>, Fault> {
        self.perform_step(state, undo, step);
        let then = match step.rule {
            StepRule::Rule(rule) => self.rules.rules[rule].then.as_ref(),
            StepRule::Pass | StepRule::Stop => None,
        };
        for (name, part) in [("then", then), ("after-step", self.rules.stages.after_step.as_ref())] {
            if let Some(part) = part
                && let Some(origin) = self.surround(state, undo, part, name, Some(step), meter)?
            {
                return Ok(Some(Removal::Stage { stage: name, origin }));
            }
        }
        let broken = self.broken_invariant(state, &undo.captured, meter)?;
        Ok(broken.map(|invariant| Removal::Invariant { invariant }))
    }

    /// The stage after a move. `bounds` are held against it, and raised.
    pub(super) fn finish_move(
        &self,
        state: &mut State,
        undo: &mut Undo,
        step: &Step,
        past: &Present<'_>,
        bounds: &mut Bounds,
        meter: &Meter,
    ) -> Result<Option<Removal>, Fault> {
        let Some(stage) = &self.rules.stages.after_move else { return Ok(None) };
        let captured = undo.captured.clone();
        let occasion = Occasion { past, captured: &captured };
        let me = self.turn(state).owner;
        let (ending, queue, locals) = {
            let mut machine = Machine::new(self, state, me, meter).on(&occasion);
            let kept = bounds.iter().flat_map(|values| stage.bounds.iter().copied().zip(values.iter().cloned()));
            let ending = machine.run_program(stage, "after-move", known(Some(step)), kept)?;
            (ending, std::mem::take(&mut machine.queue), std::mem::take(&mut machine.locals))
        };
        if !stage.bounds.is_empty() {
            *bounds = Some(stage.bounds.iter().map(|&bound| locals[bound.index()].clone()).collect());
        }
        if let Ending::Stopped(origin) = ending {
            return Ok(Some(Removal::Stage { stage: "after-move", origin }));
        }
        for effect in &queue {
            self.perform(state, undo, effect);
        }
        Ok(None)
    }

    /// Runs a program and makes its effects; gives the place of the condition that was false, and makes none then.
    fn surround(
        &self,
        state: &mut State,
        undo: &mut Undo,
        program: &Program,
        name: &str,
        step: Option<&Step>,
        meter: &Meter,
    ) -> Result<Option<Option<Origin>>, Fault> {
        let captured = undo.captured.clone();
        let occasion = Occasion { past: &Present::unknown(), captured: &captured };
        let (ending, queue) = {
            let mut machine = Machine::new(self, state, self.turn(state).owner, meter).on(&occasion);
            let ending = machine.run_program(program, name, known(step), std::iter::empty())?;
            (ending, std::mem::take(&mut machine.queue))
        };
        if let Ending::Stopped(origin) = ending {
            return Ok(Some(origin));
        }
        for effect in &queue {
            self.perform(state, undo, effect);
        }
        Ok(None)
    }

    /// The first invariant that is false, asked for the owner of the turn.
    fn broken_invariant(&self, state: &State, captured: &[Piece], meter: &Meter) -> Result<Option<usize>, Fault> {
        if self.rules.invariants.is_empty() {
            return Ok(None);
        }
        let me = self.turn(state).owner;
        let occasion = Occasion { past: &Present::unknown(), captured };
        for (index, invariant) in self.rules.invariants.iter().enumerate() {
            let mut machine = Machine::new(self, state, me, meter).on(&occasion);
            if !machine.holds(&invariant.condition, &invariant.name, invariant.origin)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }
}

/// What the first locals of a program are: the sites of the step, and its parameters.
fn known(step: Option<&Step>) -> impl Iterator<Item = Value> + '_ {
    let sites = [step.and_then(|step| step.from), step.and_then(|step| step.to)];
    let parameters = step.map_or(&[][..], |step| &step.parameters).iter().map(|parameter| match *parameter {
        Parameter::Int(number) => Value::Int(number),
        Parameter::Site(site) => Value::Site(site),
    });
    sites.into_iter().map(Value::Site).chain(parameters)
}
