//! The ways through a rule: for each step that it can make, the conditions under which it does, as conditions on one site. That
//! is the site that the rule is run for; or, in a rule of the turn, the site that its only loop is at.
//!
//! A slide ends at one of several sites, and what is said of it is said of two: where it starts and where it ends ([`crate::slides`]).
//!
//! Whoever knows the sites for which they are true knows how many steps the rule makes, without making any.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::Id;

use crate::code::{Expr, Local, Next, Stmt, StmtKind};
use crate::op::{Op, Type};
use crate::rules::{Kind, Rule, Trigger, View};
use crate::slides::Slide;

/// How many ways a rule may have: more are not worth looking at one by one.
const MOST_WAYS: usize = 24;

/// How large the conditions of all ways together may be, in operations.
const LARGEST: usize = 3_000;

/// One way to a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// What is true on the way. The site is local 0 here, and there are no other locals.
    pub conditions: Vec<Expr>,
    /// How it goes on from there, when it is a slide: then local 1 is the site where the slide ends.
    pub slide: Option<Slide>,
    /// Where the step starts, said alike.
    pub from: Expr,
    /// Where the step ends, said alike.
    pub to: Expr,
    /// The kind that is chosen with it, said alike.
    pub choice: Option<Expr>,
    /// How many effects it has at most.
    pub effects: usize,
    /// Its effects in the order in which they are queued, said alike; nothing when they cannot be.
    pub made: Option<Vec<Expr>>,
    /// How many parameters it has.
    pub parameters: usize,
    /// Whether it surely changes the state: a piece goes from the site to another, or comes to the site, which is empty.
    pub changes: bool,
    /// What follows it, said alike.
    pub next: Next,
}

/// All ways through a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    /// In the order in which the rule makes its steps for one site.
    pub ways: Vec<Way>,
    /// Which statement of the rule's body is the loop over sites, in a rule of the turn.
    pub round: Option<usize>,
    /// Whether the rule is run once, for no site: a rule of the turn without a loop, whose conditions speak of none.
    pub once: bool,
}

/// The ways through a rule; nothing for rules with other loops, or with anything else that cannot be said of one site at a
/// time.
pub fn ways(rule: &Rule) -> Option<Ways> {
    routes(rule).filter(|found| found.ways.iter().all(|way| way.slide.is_none()))
}

/// The same, slides among them.
pub fn routes(rule: &Rule) -> Option<Ways> {
    if rule.view != View::Before || rule.locals.is_empty() {
        return None;
    }
    let types: Vec<Type> = rule.locals.values().map(|local| local.ty).collect();
    let dropped = rule.kind.filter(|_| rule.trigger == Trigger::Drop);
    let mut walk = Walk { types, site: Local::from_index(0), dropped, ways: Vec::new(), size: 0 };
    let start = Path {
        values: BTreeMap::new(),
        conditions: Vec::new(),
        slide: None,
        effects: 0,
        made: Some(Vec::new()),
        changes: false,
    };
    if rule.trigger != Trigger::Turn {
        walk.block(&rule.body, start)?;
        return Some(Ways { ways: walk.ways, round: None, once: false });
    }
    let Some(round) = rule.body.iter().position(|statement| matches!(statement.kind, StmtKind::For(..))) else {
        // No local is the site then.
        walk.site = Local::from_index(walk.types.len());
        let mut path = start;
        path.values.insert(Local::from_index(0), Expr::leaf(Op::Nowhere));
        walk.block(&rule.body, path)?;
        return Some(Ways { ways: walk.ways, round: None, once: true });
    };
    // Some values, then the loop, and nothing after it that makes a difference.
    let (before, after) = (&rule.body[..round], &rule.body[round + 1..]);
    let StmtKind::For(site, set, inside) = &rule.body[round].kind else { return None };
    if !after.iter().all(|statement| matches!(statement.kind, StmtKind::Let(..))) {
        return None;
    }
    let mut path = start;
    for statement in before {
        let StmtKind::Let(local, value) = &statement.kind else { return None };
        let value = walk.constant(value, &path)?;
        path.values.insert(*local, value);
    }
    walk.site = *site;
    path.values.remove(site);
    path.conditions = walk.members(set, &path)?;
    walk.block(inside, path)?;
    Some(Ways { ways: walk.ways, round: Some(round), once: false })
}

/// Conditions on the site that a rule is run for without which it makes no step: those that stand before its first branch, as far
/// as they can be said of one site. In a condition that the site is no member of a set, or is one, the set is said by its
/// members.
pub fn gate(rule: &Rule) -> Vec<Expr> {
    if rule.view != View::Before || rule.trigger == Trigger::Turn || rule.locals.is_empty() {
        return Vec::new();
    }
    let types: Vec<Type> = rule.locals.values().map(|local| local.ty).collect();
    let walk = Walk { types, site: Local::from_index(0), dropped: None, ways: Vec::new(), size: 0 };
    let path =
        Path { values: BTreeMap::new(), conditions: Vec::new(), slide: None, effects: 0, made: None, changes: false };
    let mut gate = Gate { walk, path, sets: BTreeMap::new(), unknown: BTreeSet::new() };
    gate.block(&rule.body);
    gate.path.conditions
}

/// The beginning of a rule, up to its first branch.
struct Gate {
    walk: Walk,
    path: Path,
    /// The members of the sets that locals are, where they have any.
    sets: BTreeMap<Local, Vec<Expr>>,
    /// The locals of which nothing can be said.
    unknown: BTreeSet<Local>,
}

impl Gate {
    /// Gives whether the end of the block is reached on one path.
    fn block(&mut self, block: &[Stmt]) -> bool {
        block.iter().all(|statement| match &statement.kind {
            StmtKind::Let(local, _) if local.index() == 0 => false,
            StmtKind::Let(local, value) => {
                self.unknown.remove(local);
                let known = match self.walk.types[local.index()] {
                    Type::Set => self.members(value).map(|members| _ = self.sets.insert(*local, members)),
                    _ => self.said(value).map(|value| _ = self.path.values.insert(*local, value)),
                };
                if known.is_none() {
                    self.unknown.insert(*local);
                }
                true
            }
            StmtKind::If(Expr { op: Op::Bool(condition), .. }, then, otherwise) => {
                self.block(if *condition { then } else { otherwise })
            }
            StmtKind::Verify(condition) => {
                let parts = match condition.op {
                    Op::And => &condition.args[..],
                    _ => std::slice::from_ref(condition),
                };
                for part in parts {
                    let said = self.said(part);
                    self.path.conditions.extend(said);
                }
                true
            }
            StmtKind::Effect(_) | StmtKind::Forget | StmtKind::Discard => true,
            _ => false,
        })
    }

    fn said(&mut self, expr: &Expr) -> Option<Expr> {
        let expr = self.resolved(expr)?;
        self.walk.said(&expr, &self.path)
    }

    fn members(&mut self, set: &Expr) -> Option<Vec<Expr>> {
        match set.op {
            Op::NoSites => Some(Vec::new()),
            Op::Local(local) if !self.unknown.contains(&local) => {
                Some(self.sets.get(&local).cloned().unwrap_or_default())
            }
            Op::With => {
                let mut members = self.members(&set.args[0])?;
                members.push(self.said(&set.args[1])?);
                Some(members)
            }
            _ => None,
        }
    }

    /// The expression without the sets that locals are; nothing when it rests on a local of which nothing can be said.
    fn resolved(&mut self, expr: &Expr) -> Option<Expr> {
        match expr.op {
            Op::Local(local) => (!self.unknown.contains(&local)).then(|| expr.clone()),
            Op::Contains if matches!(expr.args[0].op, Op::Local(_)) => {
                let site = self.resolved(&expr.args[1])?;
                let members = self.members(&expr.args[0])?;
                // Nowhere is a member of no set.
                let known = |member: &Expr| *member == subject();
                let same = |member: Expr| Expr::new(Op::Same, [member, site.clone()]);
                let all = members.iter().all(known);
                all.then(|| Expr::new(Op::Or, members.into_iter().map(same).collect::<Vec<_>>()))
            }
            op => {
                let args = expr.args.iter().map(|arg| self.resolved(arg)).collect::<Option<Vec<_>>>()?;
                Some(Expr::new(op, args))
            }
        }
    }
}

/// What is known at a place of the program.
#[derive(Clone)]
pub(crate) struct Path {
    /// What locals are, said of the first local.
    pub(crate) values: BTreeMap<Local, Expr>,
    pub(crate) conditions: Vec<Expr>,
    /// The slide that it is on, or has come to the end of.
    pub(crate) slide: Option<Slide>,
    /// How many effects were queued, some of which may not be in the end.
    effects: usize,
    /// See [`Way::made`].
    pub(crate) made: Option<Vec<Expr>>,
    /// See [`Way::changes`].
    changes: bool,
}

impl Path {
    /// Adds a condition, unless it is about both ends of a slide.
    fn hold(&mut self, condition: Expr) -> Option<()> {
        if condition.op == Op::OnBoard && self.is_on_board(&condition.args[0]) {
            return Some(());
        }
        let speaks_of = |site: Expr| condition.any(&|part| *part == site);
        match (speaks_of(subject()), speaks_of(end())) {
            (true, true) => return None,
            (_, false) => self.conditions.push(condition),
            (false, true) => self.slide.as_mut()?.ends.push(condition),
        }
        Some(())
    }

    /// Whether a place is known to be on the board.
    pub(crate) fn is_on_board(&self, place: &Expr) -> bool {
        let known = Expr::new(Op::OnBoard, [place.clone()]);
        let ends = self.slide.iter().flat_map(|slide| &slide.ends);
        *place == subject()
            || *place == end()
            || self.conditions.iter().chain(ends).any(|condition| *condition == known)
    }
}

pub(crate) struct Walk {
    types: Vec<Type>,
    /// The site that everything is said of.
    site: Local,
    /// The kind that a drop rule is run for.
    dropped: Option<Kind>,
    pub(crate) ways: Vec<Way>,
    size: usize,
}

impl Walk {
    /// The paths that reach the end of a block.
    pub(crate) fn block(&mut self, block: &[Stmt], path: Path) -> Option<Vec<Path>> {
        let mut paths = vec![path];
        for statement in block {
            let mut next = Vec::new();
            for path in paths {
                next.extend(self.statement(statement, path)?);
            }
            if next.len() > MOST_WAYS {
                return None;
            }
            paths = next;
        }
        Some(paths)
    }

    fn statement(&mut self, statement: &Stmt, mut path: Path) -> Option<Vec<Path>> {
        match &statement.kind {
            StmtKind::Let(local, value) => {
                if self.types[local.index()] == Type::Set || *local == self.site {
                    return None;
                }
                let value = self.said(value, &path)?;
                path.values.insert(*local, value);
            }
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.said(condition, &path)?;
                let (mut one, mut other) = (path.clone(), path.clone());
                one.hold(condition.clone())?;
                other.hold(condition.clone().negated())?;
                let known = (one.clone(), other.clone());
                let before = self.ways.len();
                let mut paths = self.block(then, one)?;
                let others = self.block(otherwise, other)?;
                if let ([one], [other]) = (&paths[..], &others[..])
                    && before == self.ways.len()
                    && let Some(joined) = joined(&path, &condition, (one, &known.0), (other, &known.1))
                {
                    return Some(vec![joined]);
                }
                paths.extend(others);
                return Some(paths);
            }
            StmtKind::Verify(condition) => {
                let condition = self.said(condition, &path)?;
                path.hold(condition)?;
            }
            StmtKind::Effect(effect) => {
                path.effects += 1;
                let said = self.said(effect, &path);
                path.made = path.made.take().zip(said).map(|(mut made, effect)| {
                    made.push(effect);
                    made
                });
                if let Some(arg) = effect.args.first() {
                    let place = self.said(arg, &path)?;
                    path.changes |= match effect.op {
                        Op::Move => {
                            let to = self.said(&effect.args[1], &path)?;
                            place == subject() && is_elsewhere(&path.conditions, &to)
                        }
                        Op::Create | Op::Drop => {
                            let empty = path.conditions.contains(&Expr::new(Op::Empty, [subject()]));
                            place == subject() && empty && self.comes(effect)
                        }
                        _ => false,
                    };
                }
            }
            StmtKind::Forget | StmtKind::Discard => {
                path.changes = false;
                let displacements = matches!(statement.kind, StmtKind::Forget);
                path.made.iter_mut().for_each(|made| made.retain(|effect| displaces(effect) == displacements));
            }
            StmtKind::Emit(emit) => {
                let from = self.said(&emit.from, &path)?;
                let to = self.said(&emit.to, &path)?;
                let choice = match &emit.choice {
                    Some(choice) => Some(self.said(choice, &path)?),
                    None => None,
                };
                let (conditions, effects) = (path.conditions.clone(), path.effects);
                let parameters = emit.parameters.len();
                let next = match &emit.next {
                    Next::Done => Next::Done,
                    Next::Again(site, of) => Next::Again(self.said(site, &path)?, *of),
                };
                let (slide, made, changes) = (path.slide.clone(), path.made.clone(), path.changes);
                self.ways.push(Way { conditions, slide, from, to, choice, effects, made, parameters, changes, next });
                if self.ways.len() > MOST_WAYS {
                    return None;
                }
            }
            StmtKind::Attempt(inside) => {
                let (effects, changes, made) = (path.effects, path.changes, path.made.clone());
                let forgets = Stmt::any(inside, &|stmt| matches!(stmt.kind, StmtKind::Forget | StmtKind::Discard));
                let mut paths = self.block(inside, path)?;
                for path in &mut paths {
                    (path.effects, path.changes) = (effects, changes);
                    // What was dropped inside, and stood before, is not there again.
                    path.made = made.clone().filter(|_| !forgets);
                }
                return Some(paths);
            }
            // What is true at its end is forgotten, and a condition that is false ends only this block.
            StmtKind::Try(inside) => {
                self.block(inside, path.clone())?;
            }
            StmtKind::While(condition, inside) => return Some(vec![self.slide(condition, inside, path)?]),
            StmtKind::For(..) | StmtKind::Range(..) => return None,
        }
        Some(vec![path])
    }

    /// Whether there is such a piece: of a player and a kind; and in the hand, if it comes from there.
    fn comes(&self, effect: &Expr) -> bool {
        let (owner, kind) = (effect.args[1].op, effect.args[2].op);
        match effect.op {
            // A drop rule is run when its player has a piece of its kind in hand.
            Op::Drop => self.dropped.is_some_and(|own| owner == Op::Me && kind == Op::Kind(own)),
            _ => matches!(owner, Op::Me | Op::Player(_)) && matches!(kind, Op::Kind(_)),
        }
    }

    /// A value that is the same for all sites: a site that no member of the loop is, or what a rule is run for.
    fn constant(&mut self, expr: &Expr, path: &Path) -> Option<Expr> {
        match expr.op {
            // A rule of the turn is run for no site.
            Op::Local(local) if local.index() == 0 => Some(Expr::leaf(Op::Nowhere)),
            _ => self.said(expr, path).filter(|value| value.args.is_empty()),
        }
    }

    /// The conditions for a site to be in a set.
    fn members(&mut self, set: &Expr, path: &Path) -> Option<Vec<Expr>> {
        match set.op {
            Op::AllSites => Some(Vec::new()),
            Op::ZoneSites(zone) => Some(vec![Expr::new(Op::InZone(zone), [subject()])]),
            Op::Where(local) => {
                let mut conditions = self.members(&set.args[0], path)?;
                let outer = std::mem::replace(&mut self.site, local);
                let condition = self.said(&set.args[1], path);
                self.site = outer;
                match condition? {
                    Expr { op: Op::And, args } => conditions.extend(args),
                    condition => conditions.push(condition),
                }
                Some(conditions)
            }
            _ => None,
        }
    }

    /// An expression with every local said of the site.
    pub(crate) fn said(&mut self, expr: &Expr, path: &Path) -> Option<Expr> {
        self.size += 1;
        if self.size > LARGEST {
            return None;
        }
        match expr.op {
            Op::Local(local) if local == self.site => Some(subject()),
            Op::Local(local) => match (path.values.get(&local), self.types[local.index()]) {
                (Some(value), _) => {
                    self.size += size(value);
                    Some(value.clone())
                }
                (None, Type::Int) => Some(Expr::int(0)),
                (None, Type::Bool) => Some(Expr::leaf(Op::Bool(false))),
                (None, Type::Site) => Some(Expr::leaf(Op::Nowhere)),
                (None, Type::Set | Type::Effect) => None,
            },
            Op::OrElse => {
                let first = self.said(&expr.args[0], path)?;
                if first.op == Op::Nowhere {
                    return self.said(&expr.args[1], path);
                }
                if path.is_on_board(&first) {
                    return Some(first);
                }
                Some(Expr::new(Op::OrElse, [first, self.said(&expr.args[1], path)?]))
            }
            // What such an operation binds would have to be kept apart; and what was queued is not seen here.
            Op::Where(_) | Op::Any(_) | Op::Every(_) | Op::Sum(_) | Op::ReadNow(_) => None,
            op => {
                let args = expr.args.iter().map(|arg| self.said(arg, path)).collect::<Option<Vec<_>>>()?;
                Some(Expr::new(op, args))
            }
        }
    }
}

/// Whether conditions say that a place is on the board and is not the site itself, where a piece of the player's own stands.
fn is_elsewhere(conditions: &[Expr], place: &Expr) -> bool {
    let holds = |op: Op| conditions.contains(&Expr::new(op, [place.clone()]));
    let fails = |op: Op| conditions.contains(&Expr::new(op, [place.clone()]).negated());
    holds(Op::Empty) || holds(Op::Enemy) || holds(Op::OnBoard) && (fails(Op::Friend) || fails(Op::Mine))
}

/// The site that ways speak of.
pub(crate) fn subject() -> Expr {
    Expr::local(Local::from_index(0))
}

/// The site where a slide ends.
pub(crate) fn end() -> Expr {
    Expr::local(Local::from_index(1))
}

/// The path behind a condition whose two branches differ in their effects alone: these are effects on nowhere when it is false, or
/// true. Each branch is given with what was known at its start.
fn joined(path: &Path, condition: &Expr, one: (&Path, &Path), other: (&Path, &Path)) -> Option<Path> {
    let says_no_more = |(end, start): (&Path, &Path)| end.conditions == start.conditions && end.slide == start.slide;
    if !says_no_more(one) || !says_no_more(other) || one.0.values != other.0.values {
        return None;
    }
    let mut made = path.made.clone()?;
    let queued = made.len();
    for (branch, condition) in [(one.0, condition.clone()), (other.0, condition.clone().negated())] {
        let own = branch.made.as_ref().filter(|own| own.len() >= queued && own[..queued] == made[..queued])?;
        for effect in &own[queued..] {
            if matches!(effect.op, Op::Set(_) | Op::Jump(_)) {
                return None;
            }
            let mut effect = effect.clone();
            let number = Expr::new(Op::Number, [effect.args[0].clone()]);
            let guarded = Expr::new(Op::Pick, [condition.clone(), number, Expr::int(0)]);
            effect.args[0] = Expr::new(Op::Numbered, [guarded]);
            made.push(effect);
        }
    }
    let effects = one.0.effects.max(other.0.effects);
    let (values, changes) = (one.0.values.clone(), path.changes && one.0.changes && other.0.changes);
    Some(Path { values, effects, changes, made: Some(made), ..path.clone() })
}

/// Whether an effect is a displacement.
fn displaces(effect: &Expr) -> bool {
    matches!(effect.op, Op::Move | Op::Copy | Op::Drop)
}

fn size(expr: &Expr) -> usize {
    1 + expr.args.iter().map(size).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use dagaz_board::Direction;

    use super::*;
    use crate::code::{Emit, LocalInfo};

    fn at() -> Expr {
        Expr::local(Local::from_index(1))
    }

    fn ahead(site: Expr) -> Expr {
        Expr::new(Op::Step(Direction::from_index(0)), [site])
    }

    fn stmt(kind: StmtKind) -> Stmt {
        Stmt { kind, origin: None }
    }

    fn effect(op: Op, args: impl Into<Box<[Expr]>>) -> Stmt {
        stmt(StmtKind::Effect(Expr::new(op, args)))
    }

    fn verify(condition: Expr) -> Stmt {
        stmt(StmtKind::Verify(condition))
    }

    fn go() -> Stmt {
        stmt(StmtKind::Let(Local::from_index(1), ahead(at())))
    }

    fn rule(body: Vec<Stmt>) -> Rule {
        let local = |ty| LocalInfo { name: String::new(), ty };
        Rule {
            name: String::new(),
            arguments: Vec::new(),
            kind: None,
            trigger: Trigger::Piece,
            move_type: None,
            view: View::Before,
            locals: [Type::Site, Type::Site, Type::Set, Type::Bool].into_iter().map(local).collect(),
            body,
            then: None,
            origin: None,
        }
    }

    /// A jump over an adversary, after which the same piece goes on.
    fn jump() -> Rule {
        let emit =
            Emit { from: subject(), to: at(), choice: None, parameters: Vec::new(), next: Next::Again(at(), None) };
        let arrives = vec![effect(Op::Move, [subject(), at()]), stmt(StmtKind::Emit(Box::new(emit)))];
        rule(vec![
            stmt(StmtKind::Let(Local::from_index(1), subject())),
            go(),
            verify(Expr::new(Op::Enemy, [at()])),
            effect(Op::Capture, [at()]),
            go(),
            verify(Expr::new(Op::Empty, [at()])),
            stmt(StmtKind::Attempt(arrives)),
            stmt(StmtKind::Forget),
        ])
    }

    #[test]
    fn a_way_says_what_is_made_and_what_follows() {
        let found = ways(&jump()).expect("a jump has a way").ways;
        let (victim, end) = (ahead(subject()), ahead(ahead(subject())));
        let made = vec![Expr::new(Op::Capture, [victim.clone()]), Expr::new(Op::Move, [subject(), end.clone()])];
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].conditions, [Expr::new(Op::Enemy, [victim]), Expr::new(Op::Empty, [end.clone()])]);
        assert_eq!(found[0].made, Some(made));
        assert_eq!(found[0].next, Next::Again(end, None));
    }

    #[test]
    fn what_was_dropped_inside_an_attempt_is_not_known_after_it() {
        let mut rule = jump();
        rule.body.insert(4, stmt(StmtKind::Attempt(vec![stmt(StmtKind::Forget)])));
        assert_eq!(ways(&rule).expect("the way is known").ways[0].made, None);
    }

    #[test]
    fn a_gate_ends_at_a_branch_and_leaves_out_what_cannot_be_said() {
        let (set, flag) = (Local::from_index(2), Local::from_index(3));
        let inside = |site| Expr::new(Op::Contains, [Expr::local(set), site]);
        let left = Expr::new(Op::With, [Expr::leaf(Op::NoSites), subject()]);
        let mut body = jump().body[..3].to_vec();
        body.extend([
            stmt(StmtKind::Let(set, left)),
            verify(Expr::new(Op::And, [inside(at()), Expr::new(Op::OnBoard, [at()])])),
            stmt(StmtKind::Let(set, Expr::new(Op::With, [Expr::local(set), at()]))),
            verify(inside(at())),
            stmt(StmtKind::Let(flag, inside(at()))),
            verify(Expr::local(flag)),
            stmt(StmtKind::While(Expr::new(Op::Empty, [at()]), Vec::new())),
            verify(Expr::new(Op::Mine, [at()])),
        ]);
        let place = ahead(subject());
        let same = Expr::new(Op::Or, [Expr::new(Op::Same, [subject(), place.clone()])]);
        let enemy = Expr::new(Op::Enemy, [place.clone()]);
        assert_eq!(gate(&rule(body)), [enemy, same, Expr::new(Op::OnBoard, [place])]);
    }
}
