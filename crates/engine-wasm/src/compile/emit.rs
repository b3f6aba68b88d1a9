//! Adds a step to the list that is being made: its record is written from what the rule has queued.

use dagaz_ir::View;

use crate::low::{Ex, Stmt as Low, V, Width, select};

use super::effects::code;
use super::{Compiler, Failure, record};

impl Compiler<'_> {
    /// A function for each view that rules have of the state. It is given the rule, where the step starts and ends, the chosen
    /// kind, the site and the type of what goes on, where the rule's part of the queue begins, and how many parameters the step
    /// has; it gives the place for these.
    pub(super) fn emit(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let globals = self.globals;
        for (&view, &emit) in &self.functions.emit {
            module.define(emit, |body, params| {
                let &[rule, from, to, choice, chain, chain_type, queue, parameters] = params else {
                    unreachable!("it is declared so")
                };
                let bytes = body.bind(globals.queue - queue);
                let size = bytes + Ex::from(parameters) * record::PARAMETER + record::SIZE;
                let step = body.bind(self.ask(self.functions.reserve, [size]));
                let typed = select(chain, chain_type, 0);
                let at_once = body.bind(0);
                let parts: [(u32, Ex); 8] = [
                    (record::RULE, rule.into()),
                    (record::FROM, from.into()),
                    (record::TO, to.into()),
                    (record::CHOICE, choice.into()),
                    (record::CHAIN, chain.into()),
                    (record::CHAIN_TYPE, typed),
                    (record::EFFECTS, bytes.shr_u(4)),
                    (record::PARAMETERS, parameters.into()),
                ];
                parts.into_iter().for_each(|(part, value)| body.store(Width::I32, step, part, value));
                match view {
                    View::Tentative => body.push(Low::Copy(step + record::SIZE, queue.into(), bytes.into())),
                    View::Before => self.in_order_of_making(body, queue, step, at_once),
                }
                body.store(Width::I32, step, record::AT_ONCE, at_once);
                self.push(body, globals.index, self.memory.index.end, &[step.into()]);
                body.set_global(globals.emitted, globals.emitted + 1);
                let many = Ex::from(globals.emitted).gt_s(self.limits.steps.min(i32::MAX as usize) as i32);
                body.when(many, |body| self.fail(body, Failure::Steps));
                body.give(bytes + step + record::SIZE);
            });
        }
        self.module = module;
    }

    /// Writes queued effects into a record: first the displacements, which are made all at once, then the others.
    fn in_order_of_making(&self, body: &mut crate::low::Body, queue: V, step: V, at_once: V) {
        let to = body.bind(step + record::SIZE);
        for displacements in [true, false] {
            let at = body.bind(queue);
            body.repeat_while(Ex::from(at).ne(self.globals.queue), |body, _| {
                let displaces = (at.load(Width::I32, 0) & 255).le_s(code::DROP);
                let wanted = if displacements { displaces } else { displaces.eqz() };
                body.when(wanted, |body| {
                    for part in [0, 8] {
                        body.store(Width::I64, to, part, at.load(Width::I64, part));
                    }
                    body.set(to, to + record::EFFECT);
                });
                body.set(at, at + record::EFFECT);
            });
            if displacements {
                body.set(at_once, (to - step - record::SIZE).shr_u(4));
            }
        }
    }
}
