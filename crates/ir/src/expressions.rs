//! All expressions of rules, wherever they stand.

use crate::code::{Expr, Stmt};
use crate::op::Op;
use crate::rules::{Rules, Verdict};

/// Whether such an operation is anywhere in the rules.
pub fn any_op(rules: &Rules, is: &dyn Fn(Op) -> bool) -> bool {
    let mut found = false;
    each_expr(rules, &mut |expr| found |= expr.any(&|part| is(part.op)));
    found
}

/// Shows every expression that stands for itself in the rules.
pub fn each_expr<'r>(rules: &'r Rules, look: &mut dyn FnMut(&'r Expr)) {
    for rule in rules.rules.values() {
        block(&rule.body, look);
        if let Some(then) = &rule.then {
            block(&then.body, look);
        }
    }
    let stages = &rules.stages;
    for program in
        [&stages.before_move, &stages.before_step, &stages.after_step, &stages.after_move].into_iter().flatten()
    {
        block(&program.body, look);
    }
    rules.invariants.iter().for_each(|invariant| look(&invariant.condition.body));
    for end in &rules.ends {
        look(&end.condition.body);
        if let Verdict::Score(score) = &end.result {
            look(&score.body);
        }
    }
}

fn block<'r>(statements: &'r [Stmt], look: &mut dyn FnMut(&'r Expr)) {
    for statement in statements {
        statement.expressions().into_iter().for_each(&mut *look);
        statement.blocks().into_iter().for_each(|inside| block(inside, look));
    }
}
