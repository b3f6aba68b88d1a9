//! Runs one rule and remembers how it went, for explanations.

use dagaz_board::Site;

use super::generate::Run;
use super::{Ending, Interpreter, Machine, Meter, Removal, Value};
use crate::executor::Fault;
use crate::history::History;
use crate::state::State;
use crate::step::Step;

/// How a run of a rule went.
pub(crate) struct Trace {
    pub(crate) ending: Ending,
    /// The steps that it made, legal or not.
    pub(crate) steps: Vec<Step>,
    /// The sites that the program had before its eyes when it ended: in its locals, and in the condition that ended it.
    pub(crate) looked_at: Vec<Site>,
}

impl Interpreter {
    /// Runs a rule of the turn.
    pub(crate) fn trace(&self, state: &State, run: Run) -> Result<Trace, Fault> {
        let meter = Meter::new(self.limits.work);
        let mut machine = Machine::new(self, state, self.turn(state).owner, &meter);
        machine.watched = Some(Vec::new());
        let ending = machine.run(run.rule, run.site)?;
        let mut looked_at = machine.watched.take().unwrap_or_default();
        looked_at.extend(machine.locals.iter().filter_map(|local| match local {
            Value::Site(site) => *site,
            Value::Int(_) | Value::Bool(_) | Value::Set(_) => None,
        }));
        Ok(Trace { ending, steps: machine.take_steps(), looked_at })
    }

    /// The legal steps; `log` is told of each step that is not.
    pub(crate) fn logged_steps(
        &self,
        state: &State,
        history: &dyn History,
        log: &mut dyn FnMut(Step, Removal),
    ) -> Result<Vec<Step>, Fault> {
        self.legal_steps(state, history, &Meter::new(self.limits.work), log)
    }
}
