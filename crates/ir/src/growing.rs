//! What only a player's own new pieces can make true, in games in which pieces come and none ever goes: his two edges being
//! joined, say. Where it was false before a piece came, it need only be asked about that piece.
//!
//! "No" may be too cautious, "yes" is certain.

use crate::code::Expr;
use crate::op::Op;

/// Whether more own pieces can only make a set larger, and nothing else of the state changes it.
pub fn only_grows(set: &Expr) -> bool {
    let args = &set.args;
    match set.op {
        Op::AllSites | Op::NoSites | Op::ZoneSites(_) => true,
        Op::Union | Op::Intersection | Op::Flood(_) | Op::Neighbours(_) | Op::Shift(_) => args.iter().all(only_grows),
        Op::Where(_) => only_grows(&args[0]) && only_becomes_true(&args[1]),
        _ => false,
    }
}

/// The same of a condition.
fn only_becomes_true(condition: &Expr) -> bool {
    let args = &condition.args;
    match condition.op {
        Op::And => {
            // Where an own piece stands it is not empty.
            let own = |site: &Expr| args.iter().any(|arg| arg.op == Op::Mine && arg.args[0] == *site);
            let said = |arg: &Expr| arg.op == Op::Not && arg.args[0].op == Op::Empty && own(&arg.args[0].args[0]);
            args.iter().all(|arg| said(arg) || only_becomes_true(arg))
        }
        Op::Or => args.iter().all(only_becomes_true),
        Op::Mine => is_fixed(&args[0]),
        _ => is_fixed(condition),
    }
}

/// Whether an expression means the same in all states.
fn is_fixed(expr: &Expr) -> bool {
    let fixed = matches!(
        expr.op,
        Op::Local(_)
            | Op::Bool(_)
            | Op::Site(_)
            | Op::Nowhere
            | Op::Step(_)
            | Op::StepBack(_)
            | Op::OrElse
            | Op::OnBoard
            | Op::InZone(_)
            | Op::Same
            | Op::And
            | Op::Or
            | Op::Not
    );
    fixed && expr.args.iter().all(is_fixed)
}

#[cfg(test)]
mod tests {
    use dagaz_base::Id;

    use super::*;
    use crate::code::Local;

    fn site() -> Local {
        Local::from_index(0)
    }

    fn those(conditions: impl Into<Box<[Expr]>>) -> Expr {
        Expr::new(Op::Where(site()), [Expr::leaf(Op::AllSites), Expr::new(Op::And, conditions)])
    }

    fn of_site(op: Op) -> Expr {
        Expr::new(op, [Expr::local(site())])
    }

    #[test]
    fn own_pieces_grow() {
        assert!(only_grows(&those([of_site(Op::Mine)])));
        assert!(only_grows(&those([of_site(Op::Empty).negated(), of_site(Op::Mine)])));
        assert!(only_grows(&those([of_site(Op::Mine), of_site(Op::OnBoard).negated()])));
    }

    #[test]
    fn what_others_change_does_not_only_grow() {
        assert!(!only_grows(&those([of_site(Op::Empty)])));
        assert!(!only_grows(&those([of_site(Op::Enemy)])));
        assert!(!only_grows(&those([of_site(Op::Empty).negated()])));
        assert!(!only_grows(&those([of_site(Op::Mine).negated()])));
        let all = Expr::leaf(Op::AllSites);
        assert!(!only_grows(&Expr::new(Op::Difference, [all, those([of_site(Op::Mine)])])));
    }
}
