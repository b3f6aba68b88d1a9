//! Runs one rule and remembers how it went, for explanations.

use dagaz_base::Origin;
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
    /// The conditions that ended a part of it, one choice among others, which had the site in question before its eyes.
    pub(crate) stops: Vec<Option<Origin>>,
}

/// What a run is watched for.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The site in question.
    site: Option<Site>,
    /// The sites that the last `verify` asked about.
    pub(super) asked: Vec<Site>,
    stops: Vec<Option<Origin>>,
}

impl Interpreter {
    /// Runs a rule of the turn, of which one wants to know why it does not lead to a site.
    pub(crate) fn trace(&self, state: &State, run: Run, site: Option<Site>) -> Result<Trace, Fault> {
        let meter = Meter::new(self.limits.work);
        let mut machine = Machine::new(self, state, self.turn(state).owner, &meter);
        machine.watch = Some(Watch { site, ..Watch::default() });
        let ending = machine.run(run.rule, run.site)?;
        let looked_at = machine.looked_at().collect();
        let stops = machine.watch.take().unwrap_or_default().stops;
        Ok(Trace { ending, steps: machine.take_steps(), looked_at, stops })
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

impl Machine<'_> {
    /// The sites that the program has before its eyes.
    fn looked_at(&self) -> impl Iterator<Item = Site> {
        let held = self.locals.iter().filter_map(|local| match local {
            Value::Site(site) => *site,
            Value::Int(_) | Value::Bool(_) | Value::Set(_) => None,
        });
        self.watch.iter().flat_map(|watch| watch.asked.iter().copied()).chain(held)
    }

    /// A condition has ended a part of the run.
    pub(super) fn note_stop(&mut self) {
        let Some(site) = self.watch.as_ref().and_then(|watch| watch.site) else { return };
        if !self.looked_at().any(|seen| seen == site) {
            return;
        }
        let origin = self.origin;
        if let Some(watch) = &mut self.watch
            && !watch.stops.contains(&origin)
        {
            watch.stops.push(origin);
        }
    }
}
