//! Whether a game always goes on to states that never stood before, so that nobody needs to look for repetitions.
//!
//! Three kinds of games are seen to do so, in which nobody can pass: those in which every step leaves one more site occupied, by a
//! piece that comes to an empty one, and nothing is ever taken off; those in which no piece is ever added, and every step
//! takes some piece further along ways that never lead back; and those in which no piece is added and every step takes one off.
//! "No" may be too cautious, "yes" is certain.

use dagaz_base::{Id, IdMap};
use dagaz_board::Direction;

use crate::code::{Expr, Local, Stmt, StmtKind};
use crate::nests::nest;
use crate::op::Op;
use crate::reach::Reach;
use crate::rules::{Pass, Player, Rule, Rules, Trigger};
use crate::ways::{Way, ways};

/// Whether no state can stand twice between whole moves of a game.
pub fn never_repeats(rules: &Rules) -> bool {
    let stages = &rules.stages;
    let programs = [&stages.before_move, &stages.before_step, &stages.after_step, &stages.after_move];
    let plain =
        programs.iter().all(|program| program.is_none()) && rules.rules.values().all(|rule| rule.then.is_none());
    plain && rules.policy.pass == Pass::Never && (only_grows(rules) || only_advances(rules) || only_captures(rules))
}

/// Whether a rule makes no steps but such as fill an empty site and do nothing else.
fn fills(rule: &Rule) -> bool {
    let adds = effects(&rule.body).iter().all(|effect| matches!(effect.op, Op::Drop | Op::Create));
    adds && ways(rule).is_some_and(|found| found.ways.iter().all(|way| way.effects == 1 && way.changes))
}

/// Whether every step leaves one more site occupied.
fn only_grows(rules: &Rules) -> bool {
    let grows = |rule: &Rule| fills(rule) || nest(rule).is_some_and(|found| found.adds);
    !rules.rules.is_empty() && rules.rules.values().all(grows)
}

/// Whether pieces are only moved and captured, and every step captures one: a piece of an adversary, or the one that it is about,
/// which does not go elsewhere.
fn only_captures(rules: &Rules) -> bool {
    let captures = |way: &Way| {
        let Some(made) = &way.made else { return false };
        let here = Expr::leaf(here());
        let goes = |effect: &&Expr| effect.op == Op::Move && effect.args[0] != effect.args[1];
        let victims = made.iter().filter(|effect| effect.op == Op::Capture).map(|effect| &effect.args[0]);
        let stays = !made.iter().any(|effect| goes(&effect));
        let taken = |place: &Expr| {
            let enemy = way.conditions.contains(&Expr::new(Op::Enemy, [place.clone()]));
            // What goes may only go where the victim does not stand.
            let empty = |to: &Expr| way.conditions.contains(&Expr::new(Op::Empty, [to.clone()]));
            let beside = made.iter().filter(goes).all(|effect| effect.args[0] == here && empty(&effect.args[1]));
            enemy && beside || *place == here && stays
        };
        let only = made.iter().all(|effect| matches!(effect.op, Op::Move | Op::Capture));
        only && victims.into_iter().any(taken)
    };
    let all =
        |rule: &Rule| rule.trigger == Trigger::Piece && ways(rule).is_some_and(|found| found.ways.iter().all(captures));
    !rules.rules.is_empty() && !rules.policy.recycle_captures && rules.rules.values().all(all)
}

fn here() -> Op {
    Op::Local(Local::from_index(0))
}

/// Whether pieces are only moved and captured, and all that a player moves goes along a graph without circles.
fn only_advances(rules: &Rules) -> bool {
    let allowed = |rule: &Rule| {
        let moves = effects(&rule.body).iter().all(|effect| matches!(effect.op, Op::Move | Op::Capture));
        rule.trigger == Trigger::Piece && moves && always_moves(&rule.body)
    };
    // A step to nowhere moves nothing: it must not be legal.
    let changes = rules.policy.no_null_moves;
    if !changes || rules.policy.recycle_captures || !rules.rules.values().all(allowed) {
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
    let own = |stmt| match stmt {
        &Stmt { kind: StmtKind::Effect(ref effect), .. } => Some(effect),
        _ => None,
    };
    block
        .iter()
        .flat_map(|stmt| own(stmt).into_iter().chain(stmt.blocks().into_iter().flat_map(|inside| effects(inside))))
        .collect()
}

/// Whether no way of the player's pieces leads back to where it began. Sites from which nothing leads on are taken away until
/// none is left, or a circle.
fn is_acyclic(rules: &Rules, player: Player, opposites: &IdMap<Direction, Option<Direction>>) -> bool {
    let mut reach = Reach::new(rules, opposites);
    let sites = rules.topology.site_count();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); sites];
    for rule in rules.rules.ids() {
        for (site, struck) in reach.strikes_from_all(rule, player).iter() {
            next[site.index()].extend(struck.iter().map(Id::index));
        }
    }
    let mut open: Vec<bool> = vec![true; sites];
    loop {
        let ends: Vec<usize> = (0..sites).filter(|&site| open[site] && next[site].is_empty()).collect();
        if ends.is_empty() {
            return open.iter().all(|open| !open);
        }
        ends.iter().for_each(|&site| open[site] = false);
        next.iter_mut().for_each(|next| next.retain(|&site| open[site]));
    }
}
