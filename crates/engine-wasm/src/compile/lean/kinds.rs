//! Pieces of several kinds that move alike: rules that are the same but for the kind that they are about are run once for all of
//! them.

use dagaz_ir::{Rule, Stmt, StmtKind, Trigger};

/// Rules with the numbers of the kinds that each is about, where it is about a kind: those that are alike stand for one.
pub(super) fn joined<'r>(rules: impl Iterator<Item = &'r Rule>) -> Vec<(&'r Rule, Vec<usize>)> {
    let mut found: Vec<(&Rule, Vec<usize>)> = Vec::new();
    for rule in rules {
        let kind = rule.kind.map(dagaz_base::Id::index);
        let known = found.iter_mut().find(|(other, kinds)| {
            rule.trigger == Trigger::Piece && kind.is_some_and(|kind| !kinds.contains(&kind)) && alike(other, rule)
        });
        match known {
            Some((_, kinds)) => kinds.extend(kind),
            None => found.push((rule, kind.into_iter().collect())),
        }
    }
    found
}

fn alike(a: &Rule, b: &Rule) -> bool {
    a.trigger == b.trigger && a.move_type == b.move_type && a.locals == b.locals && same_blocks(&a.body, &b.body)
}

fn same_blocks(a: &[Stmt], b: &[Stmt]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

/// Whether two statements are the same, wherever they stand in the source.
fn same(a: &Stmt, b: &Stmt) -> bool {
    let heads = match (&a.kind, &b.kind) {
        (StmtKind::Let(a, _), StmtKind::Let(b, _))
        | (StmtKind::For(a, ..), StmtKind::For(b, ..))
        | (StmtKind::Range(a, ..), StmtKind::Range(b, ..)) => a == b,
        (StmtKind::Emit(a), StmtKind::Emit(b)) => a == b,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    let (blocks, others) = (a.blocks(), b.blocks());
    heads
        && a.expressions() == b.expressions()
        && blocks.len() == others.len()
        && blocks.iter().zip(others).all(|(a, b)| same_blocks(a, b))
}
