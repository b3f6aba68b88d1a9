//! Makes a step with all that surrounds it, and then the chain goes on or the turn does.

use crate::low::{Body, Ex, V, Width};

use super::past::seen;
use super::{Compiler, record};

impl Compiler<'_> {
    pub(super) fn turn(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let globals = self.globals;
        let known = self.memory.known;

        module.define(functions.pass_turn, |body, _| {
            let put = |body: &mut Body, field, value: Ex| self.put_global(body, field, value);
            put(body, known.chain, 0.into());
            put(body, known.chain_type, 0.into());
            let next = body.bind(self.turn_part(3));
            if let Some(jump) = known.next_turn {
                let wanted = body.bind(self.cell(jump));
                body.when(wanted.gt_s(0), |body| {
                    body.set(next, wanted - 1);
                    put(body, jump, 0.into());
                });
            }
            put(body, known.turn, next.into());
            for (field, info) in self.rules.fields.iter().filter(|(_, info)| info.transient) {
                let place = self.memory.fields[field];
                let first = place.base + u32::from(place.per_site) * place.stride * 4;
                let count = place.count * place.stride;
                let at = body.bind(first);
                body.repeat_while(at.ne(first + count * 4), |body, _| {
                    body.call(functions.put, vec![at.into(), info.initial.into()]);
                    body.set(at, at + 4);
                });
            }
        });

        module.define(functions.make, |body, params| {
            let step = params[0];
            let saved = self.save(body, &[globals.past]);
            body.set_global(globals.past, seen::NOTHING);
            body.set_global(globals.ends_move, 0);
            body.eval(self.ask(functions.prepare, []));
            body.eval(self.ask(functions.advance, [step.into(), 0.into()]));
            body.when(self.part(step, record::CHAIN), |body| {
                self.open_chain(body, step);
                body.when(self.ask(functions.can_go_on, []), |body| {
                    self.restore(body, &saved);
                    body.leave();
                });
            });
            if let Some(stage) = functions.after_move {
                body.eval(self.ask(stage, [step.into(), 0.into()]));
            }
            body.call(functions.pass_turn, vec![]);
            body.set_global(globals.ends_move, 1);
            self.restore(body, &saved);
        });
        self.module = module;
    }

    /// Notes in the state that the piece of the step's chain must go on.
    pub(super) fn open_chain(&self, body: &mut Body, step: V) {
        let known = &self.memory.known;
        for (field, part) in [(known.chain, record::CHAIN), (known.chain_type, record::CHAIN_TYPE)] {
            let value = step.load(Width::I32, part);
            body.call(self.functions.put, vec![self.memory.global(field).into(), value]);
        }
    }
}
