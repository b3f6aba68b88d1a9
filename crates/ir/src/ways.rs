//! The ways through a rule: for each step that it can make, the conditions under which it does, as conditions on one site. That
//! is the site that the rule is run for; or, in a rule of the turn, the site that its only loop is at.
//!
//! Whoever knows the sites for which they are true knows how many steps the rule makes, without making any.

use std::collections::BTreeMap;

use dagaz_base::Id;

use crate::code::{Expr, Local, Stmt, StmtKind};
use crate::op::{Op, Type};
use crate::rules::{Kind, Rule, Trigger, View};

/// How many ways a rule may have: more are not worth looking at one by one.
const MOST_WAYS: usize = 24;

/// How large the conditions of all ways together may be, in operations.
const LARGEST: usize = 2_000;

/// One way to a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// What is true on the way. The site is local 0 here, and there are no other locals.
    pub conditions: Vec<Expr>,
    /// Where the step ends, said alike.
    pub to: Expr,
    /// The kind that is chosen with it, said alike.
    pub choice: Option<Expr>,
    /// How many effects it has at most.
    pub effects: usize,
    /// How many parameters it has.
    pub parameters: usize,
    /// Whether it surely changes the state: a piece goes from the site to another, or comes to the site, which is empty.
    pub changes: bool,
}

/// All ways through a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    /// In the order in which the rule makes its steps for one site.
    pub ways: Vec<Way>,
    /// Which statement of the rule's body is the loop over sites, in a rule of the turn.
    pub round: Option<usize>,
}

/// The ways through a rule; nothing for rules with other loops, or with anything else that cannot be said of one site at a
/// time.
pub fn ways(rule: &Rule) -> Option<Ways> {
    if rule.view != View::Before || rule.locals.is_empty() {
        return None;
    }
    let types: Vec<Type> = rule.locals.values().map(|local| local.ty).collect();
    let dropped = rule.kind.filter(|_| rule.trigger == Trigger::Drop);
    let mut walk = Walk { types, site: Local::from_index(0), dropped, ways: Vec::new(), size: 0 };
    let start = Path { values: BTreeMap::new(), conditions: Vec::new(), effects: 0, changes: false };
    if rule.trigger != Trigger::Turn {
        walk.block(&rule.body, start)?;
        return Some(Ways { ways: walk.ways, round: None });
    }
    // Some values, then the loop, and nothing after it that makes a difference.
    let round = rule.body.iter().position(|statement| matches!(statement.kind, StmtKind::For(..)))?;
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
    Some(Ways { ways: walk.ways, round: Some(round) })
}

/// What is known at a place of the program.
#[derive(Clone)]
struct Path {
    /// What locals are, said of the first local.
    values: BTreeMap<Local, Expr>,
    conditions: Vec<Expr>,
    /// How many effects were queued, some of which may not be in the end.
    effects: usize,
    /// See [`Way::changes`].
    changes: bool,
}

struct Walk {
    types: Vec<Type>,
    /// The site that everything is said of.
    site: Local,
    /// The kind that a drop rule is run for.
    dropped: Option<Kind>,
    ways: Vec<Way>,
    size: usize,
}

impl Walk {
    /// The paths that reach the end of a block.
    fn block(&mut self, block: &[Stmt], path: Path) -> Option<Vec<Path>> {
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
                let mut other = path.clone();
                other.conditions.push(condition.clone().negated());
                path.conditions.push(condition);
                let mut paths = self.block(then, path)?;
                paths.extend(self.block(otherwise, other)?);
                return Some(paths);
            }
            StmtKind::Verify(condition) => {
                let condition = self.said(condition, &path)?;
                path.conditions.push(condition);
            }
            StmtKind::Effect(effect) => {
                path.effects += 1;
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
            StmtKind::Forget | StmtKind::Discard => path.changes = false,
            StmtKind::Emit(emit) => {
                let to = self.said(&emit.to, &path)?;
                let choice = match &emit.choice {
                    Some(choice) => Some(self.said(choice, &path)?),
                    None => None,
                };
                let (conditions, effects) = (path.conditions.clone(), path.effects);
                let parameters = emit.parameters.len();
                self.ways.push(Way { conditions, to, choice, effects, parameters, changes: path.changes });
                if self.ways.len() > MOST_WAYS {
                    return None;
                }
            }
            StmtKind::Attempt(inside) => {
                let (effects, changes) = (path.effects, path.changes);
                let mut paths = self.block(inside, path)?;
                paths.iter_mut().for_each(|path| (path.effects, path.changes) = (effects, changes));
                return Some(paths);
            }
            // What is true at its end is forgotten, and a condition that is false ends only this block.
            StmtKind::Try(inside) => {
                self.block(inside, path.clone())?;
            }
            StmtKind::While(..) | StmtKind::For(..) | StmtKind::Range(..) => return None,
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
    fn said(&mut self, expr: &Expr, path: &Path) -> Option<Expr> {
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
            // The site is somewhere.
            Op::OrElse if self.said(&expr.args[0], path)?.op == subject().op => Some(subject()),
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
fn subject() -> Expr {
    Expr::local(Local::from_index(0))
}

fn size(expr: &Expr) -> usize {
    1 + expr.args.iter().map(size).sum::<usize>()
}
