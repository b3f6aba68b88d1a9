//! Conditions that say the same with fewer words. Front ends write down what an author wrote, and macros make much of it: `and` of
//! one condition, a piece that is mine and not nothing, the only kind there is.

use crate::code::Expr;
use crate::op::Op;
use crate::rules::{Known, Rules};

pub(super) fn pass(rules: &mut Rules) {
    let known = rules.known();
    let one_kind = rules.kinds.len() == 1;
    super::each_expr(rules, &|expr| simplify(expr, &known, one_kind));
}

fn simplify(expr: &mut Expr, known: &Known, one_kind: bool) {
    expr.args.iter_mut().for_each(|arg| simplify(arg, known, one_kind));
    match expr.op {
        Op::And | Op::Or => join(expr, known, one_kind),
        Op::Not => match &mut expr.args[0] {
            Expr { op: Op::Not, args } => *expr = args[0].clone(),
            Expr { op: Op::Bool(truth), .. } => *expr = Expr::leaf(Op::Bool(!*truth)),
            _ => {}
        },
        // The owner of nothing is 0, and nobody has that number.
        Op::Equal if expr.args[1].op == Op::Me && expr.args[0].op == Op::Read(known.owner) => {
            *expr = Expr::new(Op::Mine, expr.args[0].args.clone());
        }
        _ => {}
    }
}

/// Flattens `and` and `or`, and leaves out what is true or false anyway.
fn join(expr: &mut Expr, known: &Known, one_kind: bool) {
    let (op, neutral) = (expr.op, expr.op == Op::And);
    let mut parts: Vec<Expr> = Vec::new();
    for arg in std::mem::take(&mut expr.args) {
        match arg.op {
            Op::Bool(truth) if truth == neutral => {}
            inner if inner == op => parts.extend(arg.args),
            _ => parts.push(arg),
        }
    }
    if op == Op::And {
        // Wherever a piece of somebody's stands there is one, and it is of the only kind.
        let taken: Vec<Expr> =
            parts.iter().filter(|part| is_somebodys(part.op)).map(|part| part.args[0].clone()).collect();
        parts.retain(|part| !taken.iter().any(|site| is_of_any(part, site, known, one_kind)));
    }
    *expr = match parts.len() {
        0 => Expr::leaf(Op::Bool(neutral)),
        1 => parts.swap_remove(0),
        _ => Expr::new(op, parts),
    };
}

fn is_somebodys(op: Op) -> bool {
    matches!(op, Op::Mine | Op::Friend | Op::Enemy | Op::Neutral)
}

/// Whether a condition is true of every piece that stands on a site.
fn is_of_any(condition: &Expr, site: &Expr, known: &Known, one_kind: bool) -> bool {
    match condition.op {
        Op::OnBoard => condition.args[0] == *site,
        Op::Not => condition.args[0].op == Op::Empty && condition.args[0].args[0] == *site,
        Op::Equal if one_kind => {
            let (read, kind) = (&condition.args[0], &condition.args[1]);
            read.op == Op::Read(known.kind) && read.args[0] == *site && matches!(kind.op, Op::Kind(_))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use dagaz_base::{Id as _, IdMap};

    use super::*;
    use crate::code::Local;
    use crate::rules::{Field, FieldInfo, Kind, Scope};

    fn known() -> Known {
        let field = |name: &str| FieldInfo {
            name: name.to_owned(),
            scope: Scope::Piece,
            low: 0,
            high: 1,
            initial: 0,
            transient: false,
            memory: false,
        };
        Known::of(&["owner", "kind", "turn", "chain", "chain-type"].into_iter().map(field).collect::<IdMap<Field, _>>())
    }

    fn here() -> Expr {
        Expr::local(Local::from_index(0))
    }

    fn asked(op: Op) -> Expr {
        Expr::new(op, [here()])
    }

    fn is_man() -> Expr {
        Expr::new(Op::Equal, [asked(Op::Read(known().kind)), Expr::leaf(Op::Kind(Kind::from_index(0)))])
    }

    fn simple(mut expr: Expr, one_kind: bool) -> Expr {
        simplify(&mut expr, &known(), one_kind);
        expr
    }

    #[test]
    fn one_condition_needs_no_and() {
        let nested = Expr::new(Op::Or, [Expr::new(Op::And, [asked(Op::Mine)])]);
        assert_eq!(simple(nested, false), asked(Op::Mine));
        assert_eq!(simple(Expr::new(Op::And, []), false), Expr::leaf(Op::Bool(true)));
        assert_eq!(simple(Expr::new(Op::Or, [Expr::leaf(Op::Bool(false))]), false), Expr::leaf(Op::Bool(false)));
    }

    #[test]
    fn what_belongs_to_somebody_is_something() {
        let taken = asked(Op::Empty).negated();
        let all = Expr::new(Op::And, [taken.clone(), asked(Op::Mine), is_man()]);
        assert_eq!(simple(all.clone(), true), asked(Op::Mine));
        // Where there are other kinds the piece may be one of them.
        assert_eq!(simple(all, false), Expr::new(Op::And, [asked(Op::Mine), is_man()]));
        // Nobody's: nowhere is not empty either.
        let nobodys = Expr::new(Op::And, [taken, is_man()]);
        assert_eq!(simple(nobodys.clone(), true), nobodys);
    }

    #[test]
    fn whose_owner_is_me_is_mine() {
        let owner = Expr::new(Op::Equal, [asked(Op::Read(known().owner)), Expr::leaf(Op::Me)]);
        assert_eq!(simple(owner, false), asked(Op::Mine));
    }
}
