//! Rules made simpler without a change of what they mean: the same steps in the same order, the same states, the same outcomes.
//! One pass a file; the verifier's laws hold after each.

mod placeless;
mod simplify;

use crate::code::{Block, Expr, StmtKind};
use crate::rules::{Rules, Verdict};

/// All passes, in order.
const PASSES: &[fn(&mut Rules)] = &[simplify::pass, placeless::pass];

/// Rules after all passes.
pub fn simplified(rules: &Rules) -> Rules {
    let mut rules = rules.clone();
    for pass in PASSES {
        pass(&mut rules);
        debug_assert_eq!(crate::verify::verify(&rules), Ok(()), "a pass keeps the laws");
    }
    rules
}

/// Puts another expression in the place of each of a program's that stands for itself.
fn each_expr(rules: &mut Rules, put: &dyn Fn(&mut Expr)) {
    for rule in rules.rules.values_mut() {
        block(&mut rule.body, put);
        if let Some(then) = &mut rule.then {
            block(&mut then.body, put);
        }
    }
    let stages = &mut rules.stages;
    for program in [&mut stages.before_move, &mut stages.before_step, &mut stages.after_step, &mut stages.after_move] {
        program.iter_mut().for_each(|program| block(&mut program.body, put));
    }
    rules.invariants.iter_mut().for_each(|invariant| put(&mut invariant.condition.body));
    for end in &mut rules.ends {
        put(&mut end.condition.body);
        if let Verdict::Score(score) = &mut end.result {
            put(&mut score.body);
        }
    }
}

fn block(statements: &mut Block, put: &dyn Fn(&mut Expr)) {
    for statement in statements {
        match &mut statement.kind {
            StmtKind::Let(_, value) | StmtKind::Verify(value) | StmtKind::Effect(value) => put(value),
            StmtKind::If(value, then, otherwise) => {
                put(value);
                block(then, put);
                block(otherwise, put);
            }
            StmtKind::While(value, inside) | StmtKind::For(_, value, inside) => {
                put(value);
                block(inside, put);
            }
            StmtKind::Range(_, low, high, inside) => {
                put(low);
                put(high);
                block(inside, put);
            }
            StmtKind::Attempt(inside) | StmtKind::Try(inside) => block(inside, put),
            StmtKind::Forget | StmtKind::Discard | StmtKind::Emit(_) => {}
        }
    }
}
