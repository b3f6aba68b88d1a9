//! Compares moves by what they capture, over whole chains of steps.

use dagaz_ir::Filter;

use super::legal::{Log, Removal};
use super::stages::Present;
use super::{Interpreter, Meter};
use crate::executor::Fault;
use crate::state::{Piece, State};
use crate::step::Step;

/// What a move captures: a number for each filter that compares captures, in their order. The first counts most.
type Gain = Vec<i64>;

impl Interpreter {
    /// Keeps the steps with which a move begins, or goes on, that captures most: the most pieces, or those worth most, as the
    /// filters say.
    pub(super) fn keep_best_captures(
        &self,
        state: &State,
        past: &Present<'_>,
        steps: &mut Vec<Step>,
        meter: &Meter,
        log: Log<'_>,
    ) -> Result<(), Fault> {
        let none = self.gain(&[]);
        if none.is_empty() || steps.is_empty() {
            return Ok(());
        }
        let mut scratch = state.clone();
        let mut gains = Vec::with_capacity(steps.len());
        for step in steps.iter() {
            gains.push(self.best_gain(&mut scratch, step, past, meter)?);
        }
        let best = gains.iter().max().cloned().unwrap_or(none);
        let mut gains = gains.into_iter();
        let mut lost = Vec::new();
        for step in std::mem::take(steps) {
            match gains.next() {
                Some(own) if own < best => lost.push((step, own)),
                _ => steps.push(step),
            }
        }
        for (step, own) in lost {
            log(step, Removal::Captures { own, best: best.clone() });
        }
        Ok(())
    }

    /// What the best move captures that starts with this step. Each way in which the chain can go on is tried, whether or not it
    /// captures most from there.
    fn best_gain(&self, state: &mut State, step: &Step, past: &Present<'_>, meter: &Meter) -> Result<Gain, Fault> {
        let mut best = None;
        self.each_move(state, past, step, meter, &mut |_, made| {
            best = best.take().max(Some(self.gain(made.taken)));
            Ok(())
        })?;
        Ok(best.unwrap_or_default())
    }

    /// What these pieces are worth to each filter that compares captures.
    fn gain(&self, captured: &[Piece]) -> Gain {
        let worth = |values: &[(dagaz_ir::Kind, i32)], piece: &Piece| {
            values.iter().find(|(kind, _)| *kind == piece.kind).map_or(0, |&(_, value)| i64::from(value))
        };
        self.rules
            .policy
            .filters
            .iter()
            .filter_map(|filter| match filter {
                Filter::Priority(_) => None,
                Filter::MostCaptured => Some(captured.len() as i64),
                Filter::MostValuable(values) => Some(captured.iter().map(|piece| worth(values, piece)).sum()),
            })
            .collect()
    }
}
