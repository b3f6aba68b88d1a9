//! Rules that are run only when they are drawn: each makes one step at most for a piece, and what it begins with tells for which pieces
//! it may ([`super::gates`]). A pair of a rule and a piece is drawn like a step; if it makes none, or one that a rule before it makes
//! too, another one is drawn.

use std::collections::BTreeSet;

use dagaz_base::Id;
use dagaz_ir::{Local, Op, Rule, RuleId, Stmt, StmtKind, Trigger};

use crate::low::{Body, Ex, Fun, Global, Module, Ty, V, Width, c64};

use super::Compiler;
use super::counted::ends_on_enemies;
use super::gates::{lets_pass, open_sets};

/// How many rules there may be.
const MOST_RULES: usize = 16;

/// Such rules, and what is known of a turn.
#[derive(Clone, Debug)]
pub(super) struct Deferred {
    rules: Vec<Pairs>,
    /// How many pairs are left.
    pub(super) left: Global,
    /// Finds all pairs of a turn.
    pub(super) count: Fun,
}

/// The pieces for which a rule may make a step: all, and those that were not drawn yet.
#[derive(Clone, Copy, Debug)]
struct Pairs {
    rule: RuleId,
    all: Global,
    open: Global,
}

impl Deferred {
    /// The rules that are run so.
    pub(super) fn rules(&self) -> impl Iterator<Item = RuleId> {
        self.rules.iter().map(|pairs| pairs.rule)
    }
}

impl Compiler<'_> {
    /// What all rules but these are, if they can be run so.
    pub(super) fn deferred(&self, module: &mut Module, counted: &BTreeSet<RuleId>) -> Option<Deferred> {
        let others: Vec<RuleId> = self.rules.rules.ids().filter(|id| !counted.contains(id)).collect();
        let typed = self.rules.schedule.turns.iter().any(|turn| turn.move_type.is_some());
        let apart = self.rules.players.iter().all(|(player, info)| !info.enemies.contains(&player));
        let few = !others.is_empty() && others.len() <= MOST_RULES && self.memory.words == 1;
        if !few || typed || !apart || self.staged.is_some() || !self.grouped() {
            return None;
        }
        let once = |id: &RuleId| {
            let rule = &self.rules.rules[*id];
            rule.trigger == Trigger::Piece && self.runs_up(rule) && ends_on_enemies(rule) && makes_one_at_most(rule)
        };
        if !others.iter().all(once) {
            return None;
        }
        let mut pairs = |rule| {
            let (all, open) = (module.global(Ty::I64, 0, None), module.global(Ty::I64, 0, None));
            Pairs { rule, all, open }
        };
        let rules: Vec<Pairs> = others.iter().map(|&rule| pairs(rule)).collect();
        let left = module.global(Ty::I32, 0, None);
        let count = module.function("count pairs", &[], None, |body, _| {
            let me = body.bind(self.me());
            let gates = self.gates(body, me, &|id| others.contains(&id));
            let total = body.bind(0);
            for pairs in &rules {
                let gate = gates.get(&pairs.rule).map_or(c64(0), |&gate| gate.into());
                let gate = body.bind(gate);
                body.set_global(pairs.all, gate);
                body.set_global(pairs.open, gate);
                body.set(total, total + Ex::from(gate).popcnt().wrap());
            }
            body.set_global(left, total);
        });
        Some(Deferred { rules, left, count })
    }

    /// A function that takes the pair of a number and makes its step as a whole move, or gives 0.
    pub(super) fn attempt_deferred(&self, module: &mut Module, deferred: &Deferred, attempt: Fun) -> Fun {
        let globals = &self.globals;
        module.function("attempt of a rule", &[Ty::I32], Some(Ty::I32), |body, params| {
            let number = body.bind(params[0]);
            let (drawn, bits) = (body.bind(-1), body.bind(c64(0)));
            for (index, pairs) in deferred.rules.iter().enumerate() {
                let here = body.bind(Ex::from(pairs.open).popcnt().wrap());
                body.when(drawn.lt_s(0) & number.lt_s(here), |body| {
                    body.set(drawn, index as i32);
                    body.set(bits, pairs.open);
                });
                body.when(drawn.lt_s(0), |body| body.set(number, number - here));
            }
            let place = self.member(body, bits, number);
            let place = body.bind(place);
            let site = body.bind(place + 1);
            let me = body.bind(self.me());
            let saved = self.save(body, &[globals.index, globals.arena]);
            let listed = body.bind(globals.index);
            body.set_global(globals.emitted, 0);
            let count = deferred.rules.len() as u32;
            let run = |body: &mut Body, rule: RuleId, site: V| {
                self.tick(body);
                body.call(self.functions.rules[rule.index()], vec![me.into(), site.into()]);
            };
            self.by_number(body, drawn, 0, count, &|body, number| {
                let pairs = deferred.rules[number as usize];
                body.set_global(pairs.open, Ex::from(pairs.open) ^ (c64(1) << place.extend()));
                run(body, pairs.rule, site);
            });
            body.set_global(deferred.left, deferred.left - 1);
            body.block(|body, none| {
                body.when(listed.eq(globals.index), |body| body.go(none));
                let step = body.bind(listed.load(Width::I32, 0));
                for (index, pairs) in deferred.rules.iter().enumerate().take(count as usize - 1) {
                    let all = body.bind(pairs.all);
                    body.when(drawn.gt_s(index as i32) & lets_pass(all, site), |body| {
                        body.set_global(globals.index, listed);
                        run(body, pairs.rule, site);
                        body.when(listed.ne(globals.index), |body| {
                            let same = self.ask(self.functions.same, [listed.load(Width::I32, 0), step.into()]);
                            body.when(same, |body| body.go(none));
                        });
                    });
                }
                self.restore(body, &saved[..1]);
                body.when(self.ask(attempt, [step.into()]), |body| body.give(1));
            });
            self.restore(body, &saved);
            body.give(0);
        })
    }
}

/// Where a rule stands that ends its steps on enemies.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// No step was made.
    Open,
    /// One may have been made, which ended on the enemy where this local is.
    Made(Local),
    /// Nothing gets here.
    Ended,
}

/// Whether a rule that ends its steps on enemies makes one at most: what may follow a step is a condition that is false then.
fn makes_one_at_most(rule: &Rule) -> bool {
    let open = open_sets(rule);
    walk(&rule.body, State::Open, &open).is_some()
}

/// The state at the end of a block; nothing where a second step might be made.
fn walk(block: &[Stmt], mut state: State, open: &BTreeSet<Local>) -> Option<State> {
    for statement in block {
        if state == State::Ended {
            break;
        }
        state = match (&statement.kind, state) {
            (StmtKind::Emit(emit), State::Open) => match emit.to.op {
                Op::Local(local) => State::Made(local),
                _ => return None,
            },
            (StmtKind::Verify(condition), _) if condition.op == Op::Bool(false) => State::Ended,
            (StmtKind::Verify(condition), State::Made(enemy)) => match (condition.op, &condition.args[..]) {
                // No enemy stands where nobody does.
                (Op::Contains, [set, site]) => match (set.op, site.op) {
                    (Op::Local(set), Op::Local(site)) if open.contains(&set) && site == enemy => State::Open,
                    _ => return None,
                },
                _ => return None,
            },
            (StmtKind::Let(local, _), State::Made(enemy)) if *local == enemy => return None,
            (
                StmtKind::Verify(_) | StmtKind::Let(..) | StmtKind::Effect(_) | StmtKind::Forget | StmtKind::Discard,
                _,
            ) => state,
            (StmtKind::Attempt(inside), _) => walk(inside, state, open)?,
            (StmtKind::If(_, then, otherwise), State::Open) => {
                match (walk(then, state, open)?, walk(otherwise, state, open)?) {
                    (State::Ended, other) | (other, State::Ended) => other,
                    (State::Open, other) | (other, State::Open) => other,
                    (one, other) if one == other => one,
                    _ => return None,
                }
            }
            (StmtKind::While(..) | StmtKind::For(..) | StmtKind::Range(..) | StmtKind::Try(_), State::Open) => {
                let emits = |inner: &Stmt| matches!(inner.kind, StmtKind::Emit(_));
                if Stmt::any(std::slice::from_ref(statement), &emits) {
                    return None;
                }
                state
            }
            _ => return None,
        };
    }
    Some(state)
}
