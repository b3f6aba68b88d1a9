//! Questions whether what can be reached from somewhere meets a set: has this group a liberty, are these two edges joined. Who
//! answers one may stop as soon as it is met, and need not go through the whole group.

use std::collections::BTreeSet;

use crate::code::{Expr, Local, Stmt, StmtKind};
use crate::op::Op;
use crate::rules::Compass;

/// Whether a flood, or what lies beside one, and a set have a site in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// What is reached: a flood, or a local that holds one.
    pub flood: Expr,
    /// What must be met: by the flood itself, or by its neighbours in these directions.
    pub beside: Option<Compass>,
    /// The set.
    pub with: Expr,
    /// What is asked: whether they meet, or whether they do not.
    pub meets: bool,
}

/// The question that an expression asks, if it is such a one.
pub fn meeting(expr: &Expr) -> Option<Meeting> {
    let (set, meets) = members(expr)?;
    let (flood, beside, with) = match set {
        Members::Of(Expr { op: Op::Intersection, args }) => {
            let reached = |a: usize, b: usize| reached(&args[a]).map(|(flood, beside)| (flood, beside, &args[b]));
            let (flood, beside, with) = reached(0, 1).or_else(|| reached(1, 0))?;
            (flood, beside, with.clone())
        }
        Members::Of(Expr { op: Op::Where(local), args }) => that(*local, args)?,
        Members::That(local, args) => that(local, args)?,
        Members::Of(_) => return None,
    };
    Some(Meeting { flood: flood.clone(), beside, with, meets })
}

/// The locals that hold floods of which nothing but such questions is asked, each by the statement after the one that makes the
/// flood; and where the answer is that they do not meet, anything.
pub fn only_asked(body: &[Stmt]) -> BTreeSet<Local> {
    let mut found = Vec::new();
    collect(body, &mut found);
    let locals: BTreeSet<Local> = found.iter().map(|&(local, _)| local).collect();
    let read_there =
        |local: Local| -> usize { found.iter().filter(|(of, _)| *of == local).map(|(_, reads)| reads).sum() };
    locals.into_iter().filter(|&local| reads_in(body, local) == read_there(local)).collect()
}

/// The question that a statement asks of the flood that the statement before it put into a local, if these are such statements.
pub fn asked_next<'s>(first: &'s Stmt, second: &'s Stmt) -> Option<(Local, &'s Expr, Meeting)> {
    let StmtKind::Let(local, flood @ Expr { op: Op::Flood(_), .. }) = &first.kind else { return None };
    let StmtKind::If(condition, then, otherwise) = &second.kind else { return None };
    let question = meeting(condition)?;
    let met = if question.meets { then } else { otherwise };
    let asks = question.flood.op == Op::Local(*local) && reads(&question.with, *local) == 0;
    (asks && reads_in(met, *local) == 0).then_some((*local, flood, question))
}

/// Members of a set, or those for which a condition holds.
enum Members<'e> {
    Of(&'e Expr),
    That(Local, &'e [Expr]),
}

/// The set of which an expression asks whether it has members, and whether it says so or denies it.
fn members(expr: &Expr) -> Option<(Members<'_>, bool)> {
    let args = &expr.args;
    let counted = |expr: &'_ Expr| expr.op == Op::Count;
    match (&expr.op, &args[..]) {
        (Op::Not, [inner]) => members(inner).map(|(set, some)| (set, !some)),
        (Op::And | Op::Or, [only]) => members(only),
        (Op::Any(local), _) => Some((Members::That(*local, args), true)),
        (Op::Less, [least, count]) if least.op == Op::Int(0) && counted(count) => {
            Some((Members::Of(&count.args[0]), true))
        }
        (Op::AtMost, [least, count]) if least.op == Op::Int(1) && counted(count) => {
            Some((Members::Of(&count.args[0]), true))
        }
        (Op::Equal, [a, b]) if a.op == Op::Int(0) && counted(b) => Some((Members::Of(&b.args[0]), false)),
        (Op::Equal, [a, b]) if b.op == Op::Int(0) && counted(a) => Some((Members::Of(&a.args[0]), false)),
        _ => None,
    }
}

/// What is reached, and the sites of the board for which a condition on members is true.
fn that(local: Local, args: &[Expr]) -> Option<(&Expr, Option<Compass>, Expr)> {
    let (flood, beside) = reached(&args[0])?;
    Some((flood, beside, Expr::new(Op::Where(local), [Expr::leaf(Op::AllSites), args[1].clone()])))
}

/// A flood, or a local, and in which directions its neighbours are meant.
fn reached(set: &Expr) -> Option<(&Expr, Option<Compass>)> {
    let flood = |set: &Expr| matches!(set.op, Op::Flood(_) | Op::Local(_));
    match set.op {
        Op::Neighbours(compass) if flood(&set.args[0]) => Some((&set.args[0], Some(compass))),
        _ => flood(set).then_some((set, None)),
    }
}

/// The floods that are asked next, and how often each is read there.
fn collect(block: &[Stmt], found: &mut Vec<(Local, usize)>) {
    for pair in block.windows(2) {
        if let Some((local, ..)) = asked_next(&pair[0], &pair[1]) {
            found.push((local, reads_in(&pair[1..], local)));
        }
    }
    block.iter().flat_map(Stmt::blocks).for_each(|inside| collect(inside, found));
}

fn reads_in(block: &[Stmt], local: Local) -> usize {
    let own = |stmt: &Stmt| stmt.expressions().into_iter().map(|expr| reads(expr, local)).sum::<usize>();
    let inside = |stmt: &Stmt| stmt.blocks().into_iter().map(|block| reads_in(block, local)).sum::<usize>();
    block.iter().map(|stmt| own(stmt) + inside(stmt)).sum()
}

fn reads(expr: &Expr, local: Local) -> usize {
    usize::from(expr.op == Op::Local(local)) + expr.args.iter().map(|arg| reads(arg, local)).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use dagaz_base::Id;

    use super::*;

    fn compass() -> Compass {
        Compass::from_index(0)
    }

    fn local(index: usize) -> Local {
        Local::from_index(index)
    }

    fn statement(kind: StmtKind) -> Stmt {
        Stmt { kind, origin: None }
    }

    fn flood() -> Expr {
        Expr::new(Op::Flood(compass()), [Expr::leaf(Op::AllSites), Expr::leaf(Op::AllSites)])
    }

    /// The empty sites beside a set.
    fn liberties(of: Expr) -> Expr {
        let empty = Expr::new(Op::Empty, [Expr::local(local(0))]);
        let sites = Expr::new(Op::Where(local(0)), [Expr::leaf(Op::AllSites), empty]);
        Expr::new(Op::Intersection, [Expr::new(Op::Neighbours(compass()), [of]), sites])
    }

    fn some(set: Expr) -> Expr {
        Expr::new(Op::Less, [Expr::int(0), Expr::new(Op::Count, [set])])
    }

    #[test]
    fn questions_are_known_in_their_forms() {
        let asked = meeting(&some(liberties(flood()))).expect("a question about liberties");
        assert!(asked.meets && asked.flood == flood() && asked.beside == Some(compass()));
        let denied = meeting(&some(liberties(flood())).negated()).expect("the same, denied");
        assert!(!denied.meets);
        let none = Expr::new(Op::Equal, [Expr::new(Op::Count, [liberties(flood())]), Expr::int(0)]);
        assert_eq!(meeting(&none), Some(denied));
        let edge = Expr::new(Op::Not, [Expr::new(Op::OnBoard, [Expr::local(local(0))])]);
        let joined = meeting(&Expr::new(Op::Any(local(0)), [flood(), edge.clone()])).expect("a question about an edge");
        assert_eq!(joined.beside, None);
        assert_eq!(joined.with, Expr::new(Op::Where(local(0)), [Expr::leaf(Op::AllSites), edge]));
    }

    #[test]
    fn what_counts_more_than_one_is_no_such_question() {
        let two = Expr::new(Op::Less, [Expr::int(1), Expr::new(Op::Count, [liberties(flood())])]);
        assert_eq!(meeting(&two), None);
        assert_eq!(meeting(&some(liberties(Expr::leaf(Op::AllSites)))), None);
    }

    /// `(let group (flood …)) (if (not (< 0 (count …))) (for x group …))`, and what is done with the group besides.
    fn program(elsewhere: Vec<Stmt>, met: Vec<Stmt>) -> Vec<Stmt> {
        let group = || Expr::local(local(1));
        let taken = statement(StmtKind::For(local(2), group(), Vec::new()));
        let mut body = vec![
            statement(StmtKind::Let(local(1), flood())),
            statement(StmtKind::If(some(liberties(group())).negated(), vec![taken], met)),
        ];
        body.extend(elsewhere);
        body
    }

    #[test]
    fn floods_are_asked_only_when_nothing_else_reads_them() {
        let reads = || vec![statement(StmtKind::For(local(2), Expr::local(local(1)), Vec::new()))];
        assert!(only_asked(&program(Vec::new(), Vec::new())).contains(&local(1)));
        assert!(only_asked(&program(program(Vec::new(), Vec::new()), Vec::new())).contains(&local(1)));
        assert!(only_asked(&program(reads(), Vec::new())).is_empty());
        // Where it meets, the flood is not known.
        assert!(only_asked(&program(Vec::new(), reads())).is_empty());
    }
}
