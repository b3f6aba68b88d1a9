//! Whether a game always goes on to states that never stood before, so that nobody needs to look for repetitions.
//!
//! Two kinds of games are seen to do so, in which nobody can pass: those in which every step puts a piece on an empty site, and
//! nothing is ever taken off or moved; and those in which no piece is ever added, and every step takes some piece further
//! along ways that never lead back. "No" may be too cautious, "yes" is certain.

use dagaz_base::{Id, IdMap};
use dagaz_board::{Direction, Site};

use crate::code::{Expr, Local, Stmt, StmtKind};
use crate::op::Op;
use crate::reach::Reach;
use crate::rules::{Pass, Player, Rule, Rules, Trigger};
use crate::ways::ways;

/// Whether no state can stand twice between whole moves of a game.
pub fn never_repeats(rules: &Rules) -> bool {
    let stages = &rules.stages;
    let programs = [&stages.before_move, &stages.before_step, &stages.after_step, &stages.after_move];
    let plain =
        programs.iter().all(|program| program.is_none()) && rules.rules.values().all(|rule| rule.then.is_none());
    plain && rules.policy.pass == Pass::Never && (only_fills(rules) || only_advances(rules))
}

/// Whether every step fills an empty site and does nothing else.
fn only_fills(rules: &Rules) -> bool {
    let fills = |rule: &Rule| {
        let effects = effects(&rule.body);
        let places = effects.iter().all(|effect| matches!(effect.op, Op::Drop | Op::Create));
        let Some(found) = ways(rule) else { return false };
        // The only effect of a step concerns its site: what else could it, in one that leads from nowhere to there?
        let subject = Expr::leaf(here());
        let empty = Expr::new(Op::Empty, [subject.clone()]);
        let onto_empty =
            found.ways.iter().all(|way| way.effects == 1 && way.to == subject && way.conditions.contains(&empty));
        let at_site = places && effects.iter().all(|effect| stands_for_site(&effect.args[0], rule, found.round));
        rule.trigger != Trigger::Piece && rule.trigger != Trigger::AnyPiece && places && onto_empty && at_site
    };
    !rules.rules.is_empty() && rules.rules.values().all(fills)
}

/// Whether a place is always the site of the rule's ways: its name, or one of a local that is never anything else.
fn stands_for_site(place: &Expr, rule: &Rule, round: Option<usize>) -> bool {
    let Op::Local(local) = place.op else { return false };
    let (site, body) = match round.map(|round| &rule.body[round].kind) {
        Some(StmtKind::For(site, _, inside)) => (*site, inside),
        _ => (Local::from_index(0), &rule.body),
    };
    let mut values = Vec::new();
    assigned(body, local, &mut values);
    local == site || !values.is_empty() && values.iter().all(|value| value.op == Op::Local(site))
}

/// The values that a block gives to a local.
fn assigned<'r>(block: &'r [Stmt], local: Local, values: &mut Vec<&'r Expr>) {
    for statement in block {
        match &statement.kind {
            StmtKind::Let(other, value) if *other == local => values.push(value),
            StmtKind::If(_, then, otherwise) => {
                assigned(then, local, values);
                assigned(otherwise, local, values);
            }
            StmtKind::While(_, inside)
            | StmtKind::For(_, _, inside)
            | StmtKind::Range(_, _, _, inside)
            | StmtKind::Attempt(inside)
            | StmtKind::Try(inside) => assigned(inside, local, values),
            _ => {}
        }
    }
}

fn here() -> Op {
    Op::Local(Local::from_index(0))
}

/// Whether pieces are only moved and captured, and all that a player moves goes along a graph without circles.
fn only_advances(rules: &Rules) -> bool {
    let allowed = |rule: &Rule| {
        let moves = |effect: &Expr| matches!(effect.op, Op::Move | Op::Capture);
        let effects = effects(&rule.body);
        rule.trigger == Trigger::Piece && effects.iter().all(|effect| moves(effect)) && always_moves(&rule.body)
    };
    if rules.policy.recycle_captures || !rules.rules.values().all(allowed) {
        return false;
    }
    let opposites = rules.topology.opposites();
    rules.players.ids().all(|player| is_acyclic(rules, player, &opposites))
}

/// Whether each step of a block is made with a displacement of the piece before it, in the innermost block at least.
fn always_moves(block: &[Stmt]) -> bool {
    let mut moved = false;
    block.iter().all(|statement| match &statement.kind {
        StmtKind::Effect(effect) => {
            moved |= effect.op == Op::Move && effect.args[0].op == here();
            true
        }
        StmtKind::Emit(_) => moved,
        StmtKind::Discard => {
            moved = false;
            true
        }
        StmtKind::If(_, then, otherwise) => always_moves(then) && always_moves(otherwise),
        StmtKind::While(_, inside)
        | StmtKind::For(_, _, inside)
        | StmtKind::Range(_, _, _, inside)
        | StmtKind::Attempt(inside)
        | StmtKind::Try(inside) => always_moves(inside),
        StmtKind::Let(local, _) => local.index() != 0,
        StmtKind::Verify(_) | StmtKind::Forget => true,
    })
}

/// Every effect that a block may queue.
fn effects(block: &[Stmt]) -> Vec<&Expr> {
    block
        .iter()
        .flat_map(|statement| match &statement.kind {
            StmtKind::Effect(effect) => vec![effect],
            StmtKind::If(_, then, otherwise) => [effects(then), effects(otherwise)].concat(),
            StmtKind::While(_, inside)
            | StmtKind::For(_, _, inside)
            | StmtKind::Range(_, _, _, inside)
            | StmtKind::Attempt(inside)
            | StmtKind::Try(inside) => effects(inside),
            _ => Vec::new(),
        })
        .collect()
}

/// Whether no way of the player's pieces leads back to where it began. Sites from which nothing leads on are taken away until
/// none is left, or a circle.
fn is_acyclic(rules: &Rules, player: Player, opposites: &IdMap<Direction, Option<Direction>>) -> bool {
    let mut reach = Reach::new(rules, opposites);
    let sites: Vec<Site> = rules.topology.sites().collect();
    let mut next: Vec<Vec<usize>> = sites
        .iter()
        .map(|&site| {
            let to = rules.rules.ids().flat_map(|rule| reach.strikes(rule, player, site).iter().collect::<Vec<_>>());
            to.map(Id::index).collect()
        })
        .collect();
    let mut open: Vec<bool> = vec![true; sites.len()];
    loop {
        let ends: Vec<usize> = (0..sites.len()).filter(|&site| open[site] && next[site].is_empty()).collect();
        if ends.is_empty() {
            return open.iter().all(|open| !open);
        }
        ends.iter().for_each(|&site| open[site] = false);
        next.iter_mut().for_each(|next| next.retain(|&site| open[site]));
    }
}
