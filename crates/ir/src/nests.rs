//! Rules that choose one thing after the other: loops over sets, one inside the other, in whose midst a step is made, whatever the
//! members are. A queen goes somewhere and shoots from there: a step for each way that a target can be chosen after a goal.
//!
//! Whoever knows the sets knows how many steps the rule makes, without making any; and no two of them are the same.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::Id;

use crate::code::{Emit, Expr, Local, Next, Stmt, StmtKind};
use crate::op::{Op, Type};
use crate::rules::{Rule, Trigger, View};

/// How large the expressions of a nest may be together, in operations.
const LARGEST: usize = 2_000;

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The local that holds what was chosen.
    pub member: Local,
    /// Out of which sites, said of what was chosen before; nothing for the piece that the rule is run for.
    pub set: Option<Expr>,
    /// What must be true of it besides.
    pub conditions: Vec<Expr>,
}

/// A rule that makes one step for each tuple of members, all of them different. Its expressions name no locals but the members of
/// stages and what they bind themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nest {
    /// The choices in order: in a rule for pieces first the piece, which is local 0.
    pub stages: Vec<Stage>,
    /// The effects of a step in the order in which they are queued.
    pub effects: Vec<Expr>,
    /// Where it starts.
    pub from: Expr,
    /// Where it ends.
    pub to: Expr,
    /// How many parameters it has.
    pub parameters: usize,
    /// Whether its first displacement surely moves the piece.
    pub moves: bool,
    /// Whether it leaves one more site occupied than there were, and does nothing else: the piece goes to an empty site, and
    /// another appears on one that is empty by then.
    pub adds: bool,
    /// Whether the state after it tells which step it was: it is such a step, and the piece that appears is of another kind.
    pub tells: bool,
}

/// The choices of a rule; nothing for rules of other forms.
pub fn nest(rule: &Rule) -> Option<Nest> {
    let of_piece = match rule.trigger {
        Trigger::Piece => true,
        Trigger::Turn => false,
        Trigger::AnyPiece | Trigger::Drop => return None,
    };
    if rule.view != View::Before || rule.locals.is_empty() {
        return None;
    }
    // A member stays what it is.
    let (mut assigned, mut members) = (Vec::new(), BTreeSet::from([here()]));
    assigned_in(&rule.body, &mut assigned);
    let once = |local: Local| assigned.iter().filter(|&&other| other == local).count();
    if once(here()) > 0 {
        return None;
    }
    loops(&rule.body, &mut members);
    if members.iter().any(|&local| local != here() && once(local) > 1) {
        return None;
    }
    let start = |(local, ty): (Local, Type)| {
        let value = match ty {
            _ if local == here() && of_piece => Expr::local(local),
            Type::Int => Expr::int(0),
            Type::Bool => Expr::leaf(Op::Bool(false)),
            Type::Site => Expr::leaf(Op::Nowhere),
            Type::Set => Expr::leaf(Op::NoSites),
            Type::Effect => return (local, None),
        };
        (local, Some(value))
    };
    let values = rule.locals.iter().map(|(local, info)| start((local, info.ty))).collect();
    let piece = Stage { member: here(), set: None, conditions: Vec::new() };
    let mut walk = Walk {
        values,
        bound: Vec::new(),
        stages: if of_piece { vec![piece] } else { Vec::new() },
        effects: Vec::new(),
        step: None,
        size: 0,
    };
    walk.block(&rule.body, Within::default())?;
    let (from, to, parameters) = walk.step.take()?;
    let looped = walk.stages.last().is_some_and(|stage| stage.set.is_some());
    let seen = |stage: &Stage| {
        let member = Expr::local(stage.member);
        from == member || to == member || parameters.contains(&member)
    };
    if !looped || of_piece && from != Expr::local(here()) || !walk.stages.iter().all(seen) {
        return None;
    }
    let (moves, adds) = (of_piece && walk.moves(), of_piece && walk.adds());
    let appears = |effect: &Expr| effect.op == Op::Create && rule.kind.map(Op::Kind) == Some(effect.args[2].op);
    let tells = adds && !walk.effects.iter().any(appears);
    let Walk { stages, effects, .. } = walk;
    Some(Nest { stages, effects, from, to, parameters: parameters.len(), moves, adds, tells })
}

/// Whether all steps of a rule for pieces start where the piece stands that it is run for.
pub fn starts_here(rule: &Rule) -> bool {
    let mut assigned = Vec::new();
    assigned_in(&rule.body, &mut assigned);
    let is_here = |local: Local| {
        let sets = |statement: &Stmt| statement.kind == StmtKind::Let(local, Expr::local(here()));
        let first = rule.body.iter().take_while(|statement| !holds_step(statement)).any(sets);
        match assigned.iter().filter(|&&other| other == local).count() {
            0 => local == here(),
            1 => local != here() && first && !assigned.contains(&here()),
            _ => false,
        }
    };
    let elsewhere = |statement: &Stmt| match &statement.kind {
        StmtKind::Emit(emit) => !matches!(emit.from.op, Op::Local(local) if is_here(local)),
        _ => false,
    };
    matches!(rule.trigger, Trigger::Piece | Trigger::AnyPiece) && !Stmt::any(&rule.body, &elsewhere)
}

/// What stands around a statement.
#[derive(Clone, Copy, Default)]
struct Within {
    looped: bool,
    /// The effects of a round are taken back at its end; and all that it does.
    cleared: bool,
    restored: bool,
}

impl Within {
    /// Whether nothing of what is done here is there in another round.
    fn free(self) -> bool {
        !self.looped || self.restored
    }
}

struct Walk {
    /// What locals are, as far as it is known.
    values: BTreeMap<Local, Option<Expr>>,
    /// The locals that the operations around have bound.
    bound: Vec<Local>,
    stages: Vec<Stage>,
    effects: Vec<Expr>,
    /// Where the step starts and ends, and its parameters.
    step: Option<(Expr, Expr, Vec<Expr>)>,
    size: usize,
}

impl Walk {
    /// Follows a block to the place where the step is made.
    fn block(&mut self, block: &[Stmt], within: Within) -> Option<()> {
        let place = block.iter().position(holds_step)?;
        block[..place].iter().try_for_each(|statement| self.before(statement, within))?;
        match &block[place].kind {
            StmtKind::Emit(emit) => self.emit(emit)?,
            StmtKind::For(member, set, inside) => {
                let set = Some(self.said(set)?);
                // What a round leaves behind is not known in the next.
                let mut left = Vec::new();
                left_by(inside, &mut left);
                self.values.extend(left.into_iter().map(|local| (local, None)));
                self.values.insert(*member, Some(Expr::local(*member)));
                self.stages.push(Stage { member: *member, set, conditions: Vec::new() });
                self.block(inside, Within { looped: true, ..Within::default() })?;
            }
            StmtKind::Try(inside) => self.block(inside, Within { cleared: true, restored: true, ..within })?,
            StmtKind::Attempt(inside) => self.block(inside, Within { cleared: true, ..within })?,
            _ => return None,
        }
        let harmless = |statement: &Stmt| match &statement.kind {
            StmtKind::Let(..) => true,
            StmtKind::Effect(_) => within.free() || within.cleared,
            StmtKind::Verify(_) | StmtKind::Forget | StmtKind::Discard => within.free(),
            _ => false,
        };
        block[place + 1..].iter().all(harmless).then_some(())
    }

    /// A statement on the way there.
    fn before(&mut self, statement: &Stmt, within: Within) -> Option<()> {
        match &statement.kind {
            StmtKind::Let(local, value) => {
                let value = self.said(value)?;
                self.values.insert(*local, Some(value));
            }
            StmtKind::Verify(condition) if within.free() => {
                let condition = self.said(condition)?;
                self.stages.last_mut()?.conditions.push(condition);
            }
            StmtKind::Effect(effect) if !within.looped || within.cleared => {
                let args = effect.args.iter().map(|arg| self.said(arg)).collect::<Option<Vec<_>>>()?;
                self.effects.push(Expr::new(effect.op, args));
            }
            StmtKind::Forget if within.free() => self.effects.retain(displaces),
            StmtKind::Discard if within.free() => self.effects.retain(|effect| !displaces(effect)),
            _ => return None,
        }
        Some(())
    }

    fn emit(&mut self, emit: &Emit) -> Option<()> {
        if emit.next != Next::Done || emit.choice.is_some() {
            return None;
        }
        let parameters = emit.parameters.iter().map(|parameter| self.said(parameter)).collect::<Option<_>>()?;
        self.step = Some((self.said(&emit.from)?, self.said(&emit.to)?, parameters));
        Some(())
    }

    /// An expression with every local said of the members.
    fn said(&mut self, expr: &Expr) -> Option<Expr> {
        self.size += 1;
        if self.size > LARGEST {
            return None;
        }
        match expr.op {
            Op::Local(local) => {
                let value = self.values.get(&local)?.clone()?;
                let (mut binds, mut size) = (false, 0);
                each(&value, &mut |part| {
                    size += 1;
                    binds |= binder(part).is_some_and(|local| self.bound.contains(&local));
                });
                self.size += size;
                (!binds).then_some(value)
            }
            // What was chosen is somewhere.
            Op::OrElse => match self.said(&expr.args[0])? {
                first if self.is_member(&first) => Some(first),
                first => Some(Expr::new(Op::OrElse, [first, self.said(&expr.args[1])?])),
            },
            Op::Where(local) | Op::Any(local) | Op::Every(local) | Op::Sum(local) => {
                let set = self.said(&expr.args[0])?;
                if self.bound.contains(&local) {
                    return None;
                }
                self.bound.push(local);
                self.values.insert(local, Some(Expr::local(local)));
                let value = self.said(&expr.args[1]);
                self.values.insert(local, None);
                self.bound.pop();
                Some(Expr::new(expr.op, [set, value?]))
            }
            // What was queued is not seen here, nor who asks.
            Op::ReadNow(_) | Op::Defended(_) => None,
            op => {
                let args = expr.args.iter().map(|arg| self.said(arg)).collect::<Option<Vec<_>>>()?;
                Some(Expr::new(op, args))
            }
        }
    }

    fn stage(&self, member: &Expr) -> Option<&Stage> {
        self.stages.iter().find(|stage| member.op == Op::Local(stage.member))
    }

    fn is_member(&self, expr: &Expr) -> bool {
        self.stage(expr).is_some()
    }

    /// See [`Nest::moves`].
    fn moves(&self) -> bool {
        let first = self.effects.iter().find(|effect| displaces(effect));
        first.is_some_and(|first| {
            let goes = first.op == Op::Move && first.args[0] == Expr::local(here());
            goes && self.stage(&first.args[1]).is_some_and(|goal| avoids(goal, &Expr::local(here())))
        })
    }

    /// See [`Nest::adds`].
    fn adds(&self) -> bool {
        let (moving, others): (Vec<&Expr>, Vec<&Expr>) = self.effects.iter().partition(|effect| displaces(effect));
        let ([moving], [adding]) = (&moving[..], &others[..]) else { return false };
        if moving.op != Op::Move || moving.args[0] != Expr::local(here()) || adding.op != Op::Create {
            return false;
        }
        let (Some(goal), Some(place)) = (self.stage(&moving.args[1]), self.stage(&adding.args[0])) else {
            return false;
        };
        let (owner, kind) = (adding.args[1].op, adding.args[2].op);
        let exists = matches!(owner, Op::Me | Op::Player(_)) && matches!(kind, Op::Kind(_));
        exists && vacant(goal, false) && vacant(place, true) && avoids(place, &Expr::local(goal.member))
    }
}

/// Whether no site that may be chosen is this one.
fn avoids(stage: &Stage, site: &Expr) -> bool {
    fn set_avoids(set: &Expr, site: &Expr) -> bool {
        let args = &set.args;
        match set.op {
            Op::NoSites => true,
            Op::Union => set_avoids(&args[0], site) && set_avoids(&args[1], site),
            Op::Intersection => set_avoids(&args[0], site) || set_avoids(&args[1], site),
            Op::Difference => set_avoids(&args[0], site),
            Op::Without => args[1] == *site || set_avoids(&args[0], site),
            // A ray does not come back to its start.
            Op::Ray(_) => args[0] == *site || set_avoids(&args[1], site),
            Op::Where(local) => condition_avoids(&args[1], local, site) || set_avoids(&args[0], site),
            _ => false,
        }
    }
    /// A piece of the player's own stands where a rule is run for it.
    fn condition_avoids(condition: &Expr, local: Local, site: &Expr) -> bool {
        let holds = |op: Op| conjuncts(condition).contains(&Expr::new(op, [Expr::local(local)]));
        *site == Expr::local(here()) && (holds(Op::Empty) || holds(Op::Enemy))
    }
    stage.set.as_ref().is_some_and(|set| set_avoids(set, site))
        || stage.conditions.iter().any(|condition| condition_avoids(condition, stage.member, site))
}

/// Whether every site that may be chosen is empty before the step; or the one that the piece of the rule leaves.
fn vacant(stage: &Stage, or_here: bool) -> bool {
    fn set_vacant(set: &Expr, or_here: bool) -> bool {
        let args = &set.args;
        match set.op {
            Op::NoSites => true,
            Op::Union => set_vacant(&args[0], or_here) && set_vacant(&args[1], or_here),
            Op::Intersection => set_vacant(&args[0], or_here) || set_vacant(&args[1], or_here),
            Op::Difference | Op::Without => set_vacant(&args[0], or_here),
            Op::With => or_here && args[1] == Expr::local(here()) && set_vacant(&args[0], or_here),
            Op::Ray(_) => set_vacant(&args[1], or_here),
            Op::Where(local) => is_empty(&args[1], local) || set_vacant(&args[0], or_here),
            _ => false,
        }
    }
    fn is_empty(condition: &Expr, local: Local) -> bool {
        conjuncts(condition).contains(&Expr::new(Op::Empty, [Expr::local(local)]))
    }
    stage.set.as_ref().is_some_and(|set| set_vacant(set, or_here))
        || stage.conditions.iter().any(|condition| is_empty(condition, stage.member))
}

fn conjuncts(condition: &Expr) -> &[Expr] {
    if condition.op == Op::And { &condition.args } else { std::slice::from_ref(condition) }
}

/// The site that a rule for pieces is run for.
fn here() -> Local {
    Local::from_index(0)
}

fn displaces(effect: &Expr) -> bool {
    matches!(effect.op, Op::Move | Op::Copy | Op::Drop)
}

/// Whether a step is made in a statement.
fn holds_step(statement: &Stmt) -> bool {
    Stmt::any(std::slice::from_ref(statement), &|statement| matches!(statement.kind, StmtKind::Emit(_)))
}

/// The members of all loops over sets.
fn loops(block: &[Stmt], members: &mut BTreeSet<Local>) {
    for statement in block {
        if let StmtKind::For(member, ..) = statement.kind {
            members.insert(member);
        }
        statement.blocks().into_iter().for_each(|inside| loops(inside, members));
    }
}

/// Every local that is given a value in a block, as often as that is done.
fn assigned_in(block: &[Stmt], assigned: &mut Vec<Local>) {
    for statement in block {
        assigned_by(statement, assigned);
        statement.blocks().into_iter().for_each(|inside| assigned_in(inside, assigned));
    }
}

/// Those that may have another value after it: a `try` puts them back.
fn left_by(block: &[Stmt], left: &mut Vec<Local>) {
    for statement in block.iter().filter(|statement| !matches!(statement.kind, StmtKind::Try(_))) {
        assigned_by(statement, left);
        statement.blocks().into_iter().for_each(|inside| left_by(inside, left));
    }
}

fn assigned_by(statement: &Stmt, assigned: &mut Vec<Local>) {
    if let StmtKind::Let(local, _) | StmtKind::For(local, ..) | StmtKind::Range(local, ..) = statement.kind {
        assigned.push(local);
    }
    for expr in statement.expressions() {
        each(expr, &mut |part| assigned.extend(binder(part)));
    }
}

/// The local that an operation binds.
fn binder(expr: &Expr) -> Option<Local> {
    match expr.op {
        Op::Where(local) | Op::Any(local) | Op::Every(local) | Op::Sum(local) => Some(local),
        _ => None,
    }
}

/// Shows an expression and all its parts.
fn each(expr: &Expr, look: &mut dyn FnMut(&Expr)) {
    look(expr);
    expr.args.iter().for_each(|arg| each(arg, look));
}
