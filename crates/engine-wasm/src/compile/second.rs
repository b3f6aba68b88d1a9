//! Moves of two steps that are drawn without listing them: the first one goes somewhere, and with some of them the piece goes on and
//! takes an enemy off a site that its rule names. A first step is drawn with one of the rules for the second: where that rule
//! makes no step, another pair is drawn. After many misses, and where two moves might come to the same, all are listed.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_ir::{Emit, Expr, Local, MoveType, Next, Op, Pass, Rule, RuleId, Stmt, StmtKind, Trigger, View};

use crate::low::{Body, Ex, Fun, Module, Ty, Width, pick};

use super::drive::Moves;
use super::{Compiler, record};

/// How many pairs are drawn before all moves are listed.
const MOST_DRAWS: i32 = 100;

/// What a local is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Here,
    Site(Site),
}

/// A rule for second steps, as far as it was read.
#[derive(Default)]
struct Reading {
    known: BTreeMap<Local, Known>,
    /// The sites on which an enemy is known to stand.
    enemies: Vec<Known>,
    captured: Vec<Site>,
    emits: usize,
}

impl Compiler<'_> {
    /// The rules for the second steps of moves, where the moves of a game are such.
    pub(super) fn second_steps(&self) -> Option<Vec<RuleId>> {
        let (rules, policy) = (self.rules, &self.rules.policy);
        let plain = self.lawless()
            && policy.filters.is_empty()
            && policy.pass == Pass::Never
            && !policy.chain_may_stop
            && !policy.recycle_captures
            && !self.compares_captures()
            && self.asks_whether_stuck();
        if !plain || !rules.rules.values().all(|rule| rule.view == View::Before && rule.then.is_none()) {
            return None;
        }
        let mut types = BTreeSet::new();
        for rule in rules.rules.values() {
            goes_on_with(&rule.body, &mut types);
        }
        let [Some(second)] = types.into_iter().collect::<Vec<_>>()[..] else { return None };
        let typed = |turn: &dagaz_ir::Turn| turn.move_type.is_some_and(|of| of != second);
        if !rules.schedule.turns.iter().all(typed) {
            return None;
        }
        let (seconds, firsts): (Vec<_>, Vec<_>) =
            rules.rules.iter().partition(|(_, rule)| rule.move_type == Some(second));
        let mut captured = BTreeSet::new();
        let all = seconds.iter().all(|(_, rule)| takes(rule).is_some_and(|site| captured.insert((rule.kind, site))));
        (all && firsts.iter().all(|(_, rule)| only_goes(rule))).then(|| seconds.iter().map(|&(id, _)| id).collect())
    }

    /// Draws among the candidates, some of which may go on: gives whether a move was made. What is not drawn in a while is not
    /// drawn here at all.
    pub(super) fn draw_pair(&self, body: &mut Body, below: Fun, attempt: Fun, pair: Fun) {
        let start = body.bind(self.globals.list_start);
        let at = body.bind(start);
        let (plain, count) = (body.bind(0), body.bind(0));
        let mistakable = body.bind(0);
        // Those that go on stand last.
        body.repeat_while(Ex::from(at).ne(self.globals.list_end), |body, _| {
            let step = body.bind(at.load(Width::I32, 0));
            let to = body.bind(self.part(step, record::TO));
            let taken = pick(to, self.owner(to), 1);
            body.set(mistakable, mistakable | taken | self.part(step, record::FROM).eq(to));
            body.when(self.part(step, record::CHAIN).eqz(), |body| {
                let place = body.bind(start + plain * 4);
                body.store(Width::I32, at, 0, place.load(Width::I32, 0));
                body.store(Width::I32, place, 0, step);
                body.set(plain, plain + 1);
            });
            body.set(count, count + 1);
            body.set(at, at + 4);
        });
        let pairs = self.second.as_ref().map_or(0, Vec::len) as i32;
        body.when(count.ne(plain) & mistakable.ne(0), |body| body.give(0));
        let left = body.bind(MOST_DRAWS);
        body.repeat_while(count.gt_s(0) & left.gt_s(0), |body, _| {
            self.tick(body);
            let number = body.bind(self.ask(below, [plain + (count - plain) * pairs]));
            let step = |number: Ex| (number * 4 + start).load(Width::I32, 0);
            body.either(
                number.lt_s(plain),
                |body| {
                    body.when(self.ask(attempt, [step(number.into())]), |body| body.give(1));
                    // It is not legal: the last of its kind comes to its place, and the last of all to that one's.
                    for (to, from) in [(number.into(), plain - 1), (plain - 1, count - 1)] {
                        let to = body.bind(to * 4 + start);
                        body.store(Width::I32, to, 0, step(from));
                    }
                    body.set(plain, plain - 1);
                    body.set(count, count - 1);
                },
                |body| {
                    let pair_number = body.bind(number - plain);
                    let first = Ex::binary(crate::low::Binary::DivS, pair_number, pairs) + plain;
                    let second = Ex::binary(crate::low::Binary::RemU, pair_number, pairs);
                    body.when(self.ask(pair, [step(first), second]), |body| body.give(1));
                    body.set(left, left - 1);
                },
            );
        });
        body.give(0);
    }

    /// A function that makes a step and then the one of a rule for second steps, by its number among them; or gives 0, if that rule
    /// makes none.
    pub(super) fn pair(&self, module: &mut Module, seconds: &[RuleId]) -> Fun {
        let (functions, globals, known) = (&self.functions, &self.globals, &self.memory.known);
        module.function("attempt of a pair", &[Ty::I32, Ty::I32], Some(Ty::I32), |body, params| {
            let step = params[0];
            let saved = self.save(body, &[globals.step_captures, globals.index, globals.arena]);
            let mark = self.hold(body);
            body.set_global(globals.step_captures, globals.captures);
            body.eval(self.ask(functions.advance, [step.into(), 0.into()]));
            self.open_chain(body, step);
            body.set_global(globals.emitted, 0);
            let (me, site) = (body.bind(self.me()), body.bind(self.cell(known.chain)));
            let kind = body.bind(self.kind(site));
            let listed = body.bind(globals.index);
            self.by_number(body, params[1], 0, seconds.len() as u32, &|body, number| {
                let id = seconds[number as usize];
                let own = self.rules.rules[id].kind.map_or(0, |kind| kind.index() as i32 + 1);
                body.when(kind.eq(own), |body| {
                    body.call(functions.rules[id.index()], vec![me.into(), site.into()]);
                });
            });
            body.when(listed.ne(globals.index), |body| {
                body.call(functions.make, vec![listed.load(Width::I32, 0)]);
                body.give(1);
            });
            self.go_back(body, &mark);
            self.restore(body, &saved);
            body.give(0);
        })
    }

    /// A draw that makes a move of the line, by way of another, or from the list of all moves.
    pub(super) fn draw_or_list(&self, module: &mut Module, moves: &Moves, below: Fun, draw: Fun) -> Fun {
        let globals = &self.globals;
        module.function("draw or list", &[], Some(Ty::I32), |body, _| {
            let line = self.save(body, &self.line());
            let made = body.bind(0);
            self.in_line(body, |body| body.set(made, self.ask(draw, [])));
            body.when(made, |body| body.give(1));
            self.restore(body, &line);
            body.set_global(globals.drawing, 0);
            body.set_global(globals.listed, 0);
            self.list(body);
            body.when(Ex::from(globals.list_start).eq(globals.list_end), |body| body.give(0));
            self.draw_move(body, moves, below);
            body.give(1);
        })
    }
}

/// The types of steps with which pieces go on.
fn goes_on_with(block: &[Stmt], types: &mut BTreeSet<Option<MoveType>>) {
    for statement in block {
        if let StmtKind::Emit(emit) = &statement.kind
            && let Next::Again(_, of) = &emit.next
        {
            types.insert(*of);
        }
        statement.blocks().into_iter().for_each(|inside| goes_on_with(inside, types));
    }
}

/// Whether all that a rule does is to bring its piece somewhere.
fn only_goes(rule: &Rule) -> bool {
    fn block(rule: &Rule, body: &[Stmt]) -> bool {
        body.iter().all(|statement| match &statement.kind {
            StmtKind::Attempt(inside) => match &inside[..] {
                [Stmt { kind: StmtKind::Effect(effect), .. }, Stmt { kind: StmtKind::Emit(emit), .. }] => {
                    goes(rule, effect, emit)
                }
                _ => false,
            },
            StmtKind::Effect(_) | StmtKind::Emit(_) => false,
            StmtKind::Let(local, _) | StmtKind::For(local, ..) | StmtKind::Range(local, ..) if local.index() == 0 => {
                false
            }
            _ => statement.blocks().into_iter().all(|inside| block(rule, inside)),
        })
    }
    fn goes(rule: &Rule, effect: &Expr, emit: &Emit) -> bool {
        let here = Expr::local(Local::from_index(0));
        let to = &emit.to;
        let alone = emit.choice.is_none() && emit.parameters.is_empty() && matches!(to.op, Op::Local(_));
        let done = match rule.trigger {
            Trigger::Piece => {
                effect.op == Op::Move && effect.args[..] == [here.clone(), to.clone()] && emit.from == here
            }
            Trigger::Drop => {
                let own = rule.kind.map(|kind| Expr::leaf(Op::Kind(kind)));
                effect.op == Op::Drop
                    && effect.args[0] == *to
                    && effect.args[1].op == Op::Me
                    && own == Some(effect.args[2].clone())
            }
            Trigger::AnyPiece | Trigger::Turn => false,
        };
        let next = match &emit.next {
            Next::Done => true,
            Next::Again(site, _) => site == to,
        };
        alone && done && next
    }
    block(rule, &rule.body)
}

/// The site from which a rule takes an enemy with its only step, its piece staying where it is.
fn takes(rule: &Rule) -> Option<Site> {
    if rule.trigger != Trigger::Piece {
        return None;
    }
    let mut reading = Reading::default();
    reading.known.insert(Local::from_index(0), Known::Here);
    reading.block(&rule.body)?;
    let [site] = reading.captured[..] else { return None };
    (reading.emits == 1 && reading.enemies.contains(&Known::Site(site))).then_some(site)
}

impl Reading {
    fn value(&self, expr: &Expr) -> Option<Known> {
        match expr.op {
            Op::Local(local) => self.known.get(&local).copied(),
            Op::Site(site) => Some(Known::Site(site)),
            _ => None,
        }
    }

    /// Reads a block that is run once.
    fn block(&mut self, block: &[Stmt]) -> Option<()> {
        for statement in block {
            match &statement.kind {
                StmtKind::Let(local, value) => match self.value(value) {
                    Some(known) => _ = self.known.insert(*local, known),
                    None => _ = self.known.remove(local),
                },
                StmtKind::Verify(Expr { op: Op::Enemy, args }) => self.enemies.extend(self.value(&args[0])),
                StmtKind::Verify(_) | StmtKind::Forget => {}
                StmtKind::Effect(effect) => match (effect.op, self.value(&effect.args[0])?) {
                    (Op::Capture, Known::Site(site)) => self.captured.push(site),
                    (Op::Move, Known::Here) if self.value(&effect.args[1]) == Some(Known::Here) => {}
                    _ => return None,
                },
                StmtKind::Emit(emit) => {
                    let alone = emit.choice.is_none() && emit.parameters.is_empty() && emit.next == Next::Done;
                    self.emits += usize::from(alone);
                    alone.then_some(())?;
                }
                StmtKind::Attempt(inside) => self.block(inside)?,
                _ => {
                    let acts =
                        |stmt: &Stmt| matches!(stmt.kind, StmtKind::Effect(_) | StmtKind::Emit(_) | StmtKind::Discard);
                    if Stmt::any(std::slice::from_ref(statement), &acts) {
                        return None;
                    }
                    self.forget(std::slice::from_ref(statement));
                }
            }
        }
        Some(())
    }

    /// What statements change that may be run is not known any more.
    fn forget(&mut self, block: &[Stmt]) {
        for statement in block {
            if let StmtKind::Let(local, _) | StmtKind::For(local, ..) | StmtKind::Range(local, ..) = &statement.kind {
                self.known.remove(local);
            }
            statement.blocks().into_iter().for_each(|inside| self.forget(inside));
        }
    }
}
