//! Makes the only step of a counted rule at a site as a whole move, without a record of it, and takes it back when something
//! refuses it: what comes after the step's effects, a stage or an invariant.

use dagaz_base::Id;
use dagaz_ir::{Op, RuleId, Stmt, StmtKind};

use crate::low::{Fun, Module, Ty};

use super::counted::looks_at_nothing;
use super::{Compiler, mail};

impl Compiler<'_> {
    /// A function that does so, by way of one that makes the effects: it gives whether the step is legal.
    pub(super) fn trial(&self, module: &mut Module, id: RuleId, make: Fun) -> Fun {
        let (functions, globals) = (&self.functions, &self.globals);
        let stages = &self.rules.stages;
        module.function("trial", &[Ty::I32, Ty::I32], Some(Ty::I32), |body, params| {
            let saved = self.save(body, &[globals.step_captures]);
            let mark = self.hold(body);
            body.block(|body, refused| {
                match stages.before_move.is_some() || stages.before_step.is_some() {
                    true => body.when(self.ask(functions.prepare, []).eqz(), |body| body.go(refused)),
                    false => body.set_global(globals.step_captures, globals.captures),
                }
                body.call(make, params.iter().map(|&param| param.into()).collect());
                if let Some(then) = functions.thens[id.index()] {
                    body.when(self.ask(then, [mail::STEP.into()]).eqz(), |body| body.go(refused));
                }
                self.objections(body, mail::STEP.into(), 1.into(), &|body| body.go(refused));
                if let Some(stage) = functions.after_move {
                    let accepts = self.ask(stage, [mail::STEP.into(), 0.into()]);
                    body.when(accepts.eqz(), |body| body.go(refused));
                }
                body.call(functions.pass_turn, vec![]);
                body.give(1);
            });
            self.go_back(body, &mark);
            self.restore(body, &saved);
            body.give(0);
        })
    }

    /// Whether a program looks at the step that is being made.
    pub(super) fn looks_at_steps(&self) -> bool {
        let stages = &self.rules.stages;
        let after = stages.after_step.is_some() || stages.after_move.is_some();
        after || self.rules.rules.values().any(|rule| rule.then.is_some())
    }
}

/// Whether the effects of a rule, up to its step, can be made one after the other as they come: none is taken back before, none but
/// the first would be made before its turn, and what comes after an effect does not look at the state.
pub(super) fn in_order(rule: &[Stmt]) -> bool {
    let mut order = Order { effects: 0, ordered: true, made: false };
    order.block(rule);
    order.ordered && order.made
}

struct Order {
    effects: usize,
    ordered: bool,
    /// Whether the step was made.
    made: bool,
}

impl Order {
    fn block(&mut self, block: &[Stmt]) {
        for statement in block {
            if self.made {
                return;
            }
            let blind = || statement.expressions().into_iter().all(looks_at_nothing);
            match &statement.kind {
                StmtKind::Effect(effect) => {
                    let displaces = matches!(effect.op, Op::Move | Op::Copy | Op::Drop);
                    self.ordered &= Compiler::makes_alone(effect.op);
                    self.ordered &= self.effects == 0 || !displaces && effect.args.iter().all(looks_at_nothing);
                    self.effects += 1;
                }
                StmtKind::Let(..) => self.ordered &= self.effects == 0 || blind(),
                StmtKind::Emit(_) => {
                    self.ordered &= self.effects == 0 || blind();
                    self.made = true;
                }
                // It is known to be true.
                StmtKind::Verify(_) => {}
                StmtKind::For(.., inside) | StmtKind::Attempt(inside) | StmtKind::Try(inside) => self.block(inside),
                StmtKind::Forget | StmtKind::Discard => self.ordered = false,
                StmtKind::If(..) | StmtKind::While(..) | StmtKind::Range(..) => self.ordered = false,
            }
        }
    }
}
