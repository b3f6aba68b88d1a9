//! Forgets where statements come from, so that rules which are the same are equal: for who never tells anybody.

use crate::code::{Block, StmtKind};
use crate::rules::Rules;

/// Rules whose statements have no origin.
pub(super) fn pass(rules: &mut Rules) {
    rules.rules.values_mut().for_each(|rule| block(&mut rule.body));
}

fn block(statements: &mut Block) {
    for statement in statements {
        statement.origin = None;
        match &mut statement.kind {
            StmtKind::If(_, then, otherwise) => {
                block(then);
                block(otherwise);
            }
            StmtKind::While(_, inside)
            | StmtKind::For(_, _, inside)
            | StmtKind::Range(_, _, _, inside)
            | StmtKind::Attempt(inside)
            | StmtKind::Try(inside) => block(inside),
            _ => {}
        }
    }
}
