//! Holds whole moves against the stage after a move, and against each other by its bounds.
//!
//! Every move that begins with a listed step is made to its end and judged by the stage, in the order of the list; the bounds
//! that one move raises hold for the next. Then all are judged once more by the bounds as they are in the end: this is how a
//! later, better move takes earlier ones off the list. A step stays if some move that begins with it is accepted. In the
//! middle of a move its continuations are judged alike.

use dagaz_base::Origin;
use dagaz_ir::{Block, Expr, Local, Op, StmtKind};

use super::legal::{Log, Removal};
use super::stages::{Bounds, Present};
use super::whole::Whole;
use super::{Interpreter, Meter};
use crate::executor::{Executor, Fault};
use crate::state::{State, Undo};
use crate::step::Step;

impl Interpreter {
    /// Keeps the steps that begin a move which the stage after a move accepts.
    pub(super) fn keep_within_bounds(
        &self,
        state: &State,
        past: &Present<'_>,
        steps: &mut Vec<Step>,
        meter: &Meter,
        log: Log<'_>,
    ) -> Result<(), Fault> {
        let Some(stage) = &self.rules.stages.after_move else { return Ok(()) };
        let compares = !stage.bounds.is_empty();
        if !compares && steps.iter().all(|step| step.chain.is_none()) {
            // Each was asked when it was listed.
            return Ok(());
        }
        let (mut scratch, mut bounds) = (state.clone(), None);
        if compares {
            for step in steps.iter() {
                self.judge(&mut scratch, past, step, &mut bounds, meter)?;
            }
        }
        let mut lost = Vec::new();
        for step in std::mem::take(steps) {
            let judgements = self.judge_each(&mut scratch, past, &step, &bounds, meter)?;
            match judgements.iter().flatten().next() {
                Some(removal) if judgements.iter().all(Option::is_some) => lost.push((step, removal.clone())),
                _ => steps.push(step),
            }
        }
        let better = steps.first().map(|step| (step.from, step.to));
        for (step, removal) in lost {
            let Removal::Stage { origin, .. } = removal else { continue };
            let mut own = None;
            if compares {
                self.judge(&mut scratch, past, &step, &mut own, meter)?;
            }
            let values = own.into_iter().flatten().zip(bounds.iter().flatten().cloned());
            let mut held: Vec<_> =
                stage.bounds.iter().zip(values).map(|(&bound, (own, best))| (bound, own, best)).collect();
            if let Some(condition) = origin.and_then(|origin| condition_at(&stage.body, origin))
                && stage.bounds.iter().any(|&bound| mentions(condition, bound))
            {
                // The others did not decide.
                held.retain(|(bound, ..)| mentions(condition, *bound));
            }
            log(step, if compares { Removal::Bounds { origin, bounds: held, better } } else { removal });
        }
        Ok(())
    }

    /// Judges every move that begins with the step, and raises the bounds.
    fn judge(
        &self,
        state: &mut State,
        past: &Present<'_>,
        step: &Step,
        bounds: &mut Bounds,
        meter: &Meter,
    ) -> Result<(), Fault> {
        self.each_move(state, past, step, meter, &mut |state, made| {
            self.judgement(state, past, &made, bounds, meter).map(|_| ())
        })
    }

    /// The judgements of every move that begins with the step, by bounds that stay as they are.
    fn judge_each(
        &self,
        state: &mut State,
        past: &Present<'_>,
        step: &Step,
        bounds: &Bounds,
        meter: &Meter,
    ) -> Result<Vec<Option<Removal>>, Fault> {
        let mut judgements = Vec::new();
        self.each_move(state, past, step, meter, &mut |state, made| {
            judgements.push(self.judgement(state, past, &made, &mut bounds.clone(), meter)?);
            Ok(())
        })?;
        Ok(judgements)
    }

    /// What the stage after a move says of a whole one. The state is left as it was.
    fn judgement(
        &self,
        state: &mut State,
        past: &Present<'_>,
        made: &Whole<'_>,
        bounds: &mut Bounds,
        meter: &Meter,
    ) -> Result<Option<Removal>, Fault> {
        let mut undo = Undo { captured: made.captured.to_vec(), ..Undo::default() };
        let judged = self.finish_move(state, &mut undo, made.last, past, bounds, meter);
        self.undo(state, &undo);
        judged
    }
}

/// The condition of the `verify` that stands there.
fn condition_at(block: &Block, origin: Origin) -> Option<&Expr> {
    block.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Verify(condition) => (stmt.origin == Some(origin)).then_some(condition),
        StmtKind::If(_, then, otherwise) => condition_at(then, origin).or_else(|| condition_at(otherwise, origin)),
        StmtKind::While(_, body)
        | StmtKind::For(_, _, body)
        | StmtKind::Range(_, _, _, body)
        | StmtKind::Attempt(body)
        | StmtKind::Try(body) => condition_at(body, origin),
        _ => None,
    })
}

fn mentions(expr: &Expr, local: Local) -> bool {
    expr.op == Op::Local(local) || expr.args.iter().any(|arg| mentions(arg, local))
}
