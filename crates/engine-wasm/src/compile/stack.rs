//! Pieces on top of each other. One below is written as 1 + player × number of kinds + kind, or 0.

use crate::low::{Body, Ex, Fun, Module, Ty, Width, pick};

use super::Compiler;

/// The functions for stacks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stacks {
    pub(super) push: Fun,
    pub(super) pop: Fun,
    pub(super) tuck: Fun,
}

impl Compiler<'_> {
    /// Defines what games with stacks need; nothing for others.
    pub(super) fn stacks(&self, module: &mut Module) -> Option<Stacks> {
        let stack = self.memory.known.stack?;
        let functions = self.functions.clone();
        let put = |body: &mut Body, cell: Ex, value: Ex| body.call(functions.put, vec![cell, value]);
        let depth = self.memory.stack_depth * 4;
        let code = |owner: Ex, kind: Ex| (owner - 1) * self.memory.kinds + kind;

        // A piece on top of what stands there. A stack that is full loses its lowest piece.
        let push = module.function("push", &[Ty::I32, Ty::I32, Ty::I32], None, |body, params| {
            let site = params[0];
            let above = body.bind(pick(self.owner(site), code(self.owner(site), self.kind(site)), 0));
            let row = body.bind(self.levels(stack, site));
            let end = body.bind(row + depth);
            body.repeat_while(row.ne(end), |body, _| {
                let here = body.bind(row.load(Width::I32, 0));
                put(body, row.into(), above.into());
                body.set(above, here);
                body.set(row, row + 4);
            });
            body.call(functions.top, params.iter().map(|&param| param.into()).collect());
        });

        // The top piece is captured, and the next one is the top.
        let pop = module.function("pop", &[Ty::I32], None, |body, params| {
            let site = params[0];
            let owner = body.bind(self.owner(site));
            body.when(owner.eqz(), Body::leave);
            let row = body.bind(self.levels(stack, site));
            let end = body.bind(row + depth);
            let next = body.bind(if depth == 0 { 0.into() } else { row.load(Width::I32, 0) });
            body.when(next.eqz(), |body| {
                body.call(functions.capture, vec![site.into()]);
                body.leave();
            });
            self.push(body, self.globals.captures, self.memory.captures.end, &[owner.into(), self.kind(site)]);
            let (below_owner, below_kind) = self.decode(next.into());
            body.call(functions.top, vec![site.into(), below_owner, below_kind]);
            body.repeat_while(row.ne(end), |body, _| {
                let under = body.bind(pick((row + 4).eq(end), 0, row.load(Width::I32, 4)));
                put(body, row.into(), under.into());
                body.set(row, row + 4);
            });
        });

        // A piece under all that stand there. Under a stack that is full there is no room: the piece is lost.
        let tuck = module.function("tuck", &[Ty::I32, Ty::I32, Ty::I32], None, |body, params| {
            let site = params[0];
            body.when(self.owner(site).eqz(), |body| {
                body.call(functions.top, params.iter().map(|&param| param.into()).collect());
                body.leave();
            });
            let row = body.bind(self.levels(stack, site));
            let end = body.bind(row + depth);
            body.repeat_while(row.ne(end), |body, _| {
                body.when(row.load(Width::I32, 0).eqz(), |body| {
                    put(body, row.into(), code(params[1].into(), params[2].into()));
                    body.leave();
                });
                body.set(row, row + 4);
            });
        });
        Some(Stacks { push, pop, tuck })
    }

    /// The numbers of the owner and the kind that the code of a piece below another stands for.
    pub(super) fn decode(&self, code: Ex) -> (Ex, Ex) {
        let kinds = self.memory.kinds as i32;
        let index = code - 1;
        let divided = Ex::binary(crate::low::Binary::DivS, index.clone(), kinds);
        let rest = Ex::binary(crate::low::Binary::RemS, index, kinds);
        (divided + 1, rest + 1)
    }

    /// How many pieces stand on each other, and what stands so many levels below the top.
    pub(super) fn stack_reads(&self, module: &mut Module) {
        module.define(self.functions.height, |body, params| {
            let site = params[0];
            let height = body.bind(self.owner(site).truth());
            if let Some(stack) = self.memory.known.stack {
                let row = body.bind(self.levels(stack, site));
                let end = body.bind(row + self.memory.stack_depth * 4);
                body.repeat_while(row.ne(end), |body, _| {
                    body.set(height, height + row.load(Width::I32, 0).truth());
                    body.set(row, row + 4);
                });
            }
            body.give(height);
        });
        // Site, level, and whether the kind is wanted instead of the owner.
        module.define(self.functions.below, |body, params| {
            let (site, level, kind) = (params[0], params[1], params[2]);
            body.when(level.lt_s(0) | site.eqz(), |body| body.give(0));
            body.when(level.eqz(), |body| body.give(pick(kind, self.kind(site), self.owner(site))));
            if let Some(stack) = self.memory.known.stack {
                body.when(level.le_s(self.memory.stack_depth), |body| {
                    let code = body.bind((self.levels(stack, site) + (level - 1) * 4).load(Width::I32, 0));
                    body.when(code, |body| {
                        let (owner, of_kind) = self.decode(code.into());
                        body.give(pick(kind, of_kind, owner));
                    });
                });
            }
            body.give(0);
        });
    }
}
