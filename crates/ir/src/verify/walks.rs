//! The laws of locals with which expressions go through sets: what they hold is known while a site is asked about, and not
//! before or after.

use dagaz_base::IdMap;

use super::{Checker, Law};
use crate::code::{Block, Expr, Local, LocalInfo};
use crate::op::Op;

/// The locals of a program with which expressions go through sets.
#[derive(Default)]
pub(super) struct Walks {
    all: Vec<Local>,
    /// Those around the expression that is being checked.
    around: Vec<Local>,
}

impl Walks {
    /// Those of a program's statements.
    pub(super) fn of_block(block: &Block) -> Self {
        let mut walks = Self::default();
        walks.look_into(block);
        walks
    }

    /// Those of a condition.
    pub(super) fn of_expr(expr: &Expr) -> Self {
        let mut walks = Self::default();
        walks.look_at(expr);
        walks
    }

    fn look_into(&mut self, block: &Block) {
        for stmt in block {
            stmt.expressions().into_iter().for_each(|expr| self.look_at(expr));
            stmt.blocks().into_iter().for_each(|block| self.look_into(block));
        }
    }

    fn look_at(&mut self, expr: &Expr) {
        self.all.extend(walker(expr.op));
        expr.args.iter().for_each(|arg| self.look_at(arg));
    }
}

/// The local with which the operation goes through a set.
fn walker(op: Op) -> Option<Local> {
    match op {
        Op::Where(local) | Op::Any(local) | Op::Every(local) | Op::Sum(local) => Some(local),
        _ => None,
    }
}

impl<'r> Checker<'r> {
    /// Checks an argument of an operation: the second one of those that go through a set is asked of each site.
    pub(super) fn in_walk(&mut self, op: Op, argument: usize, check: impl FnOnce(&mut Self)) {
        let Some(local) = walker(op).filter(|_| argument == 1) else { return check(self) };
        let again = self.walks.around.contains(&local);
        self.require(Law::Within, !again, || {
            format!(
                "`{}` goes through a set with the local that what stands around it goes through one with",
                op.name()
            )
        });
        self.walks.around.push(local);
        check(self);
        self.walks.around.pop();
    }

    /// A local is read.
    pub(super) fn read(&mut self, local: Local, locals: &'r IdMap<Local, LocalInfo>) {
        let Some(info) = self.get(locals, local) else { return };
        let known = !self.walks.all.contains(&local) || self.walks.around.contains(&local);
        self.require(Law::Within, known, || {
            format!("`{}` goes through a set, and is read where nothing is asked of each site of it", info.name)
        });
    }

    /// A local has a meaning that no expression may touch.
    pub(super) fn no_walker(&mut self, local: Local, meaning: &str) {
        let free = !self.walks.all.contains(&local);
        self.require(Law::Within, free, || format!("an expression goes through a set with {meaning}"));
    }
}
