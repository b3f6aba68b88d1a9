//! Translates statements.

use std::collections::BTreeSet;

use dagaz_base::Id;
use dagaz_ir::{Emit, Expr, Local, Next, Op, Stmt, StmtKind, Type};

use crate::low::{Ex, Stmt as Low, V, Width, select};

use super::effects::{code, on_field};
use super::program::{Code, Mode, Slot};
use super::{Compiler, mail, record};

impl Code<'_, '_> {
    pub(super) fn block(&mut self, statements: &[Stmt]) {
        let mut rest = statements;
        while let Some((statement, after)) = rest.split_first() {
            rest = match after.split_first() {
                Some((next, later)) if self.flood_and_question(statement, next) => later,
                _ => {
                    self.statement(statement);
                    after
                }
            };
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Let(local, value) => match self.slots[local.index()].clone() {
                Slot::One(variable) => {
                    let value = self.value(value);
                    self.body.set(variable, value);
                }
                Slot::Set(variable) => {
                    let value = self.set(value);
                    self.assign(&variable, &value);
                }
            },
            StmtKind::If(..) if self.guarded_question(statement) => {}
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.value(condition);
                let (then, ()) = self.apart(|code| code.block(then));
                let (otherwise, ()) = self.apart(|code| code.block(otherwise));
                self.body.push(Low::If(condition, then, otherwise));
            }
            StmtKind::While(condition, inside) => {
                let (again, out) = (self.body.label(), self.body.label());
                let (mut statements, ()) = self.apart(|code| {
                    let condition = code.value(condition);
                    code.body.when(condition.eqz(), |body| body.go(out));
                    code.compiler.tick(code.body);
                    code.block(inside);
                });
                statements.push(Low::Go(again));
                self.body.push(Low::Block(out, vec![Low::Loop(again, statements)]));
            }
            StmtKind::For(local, set, inside) => {
                let set = self.set(set);
                let Slot::One(variable) = self.slots[local.index()] else { unreachable!("the verifier types locals") };
                let set = self.copied(&set);
                self.each_site(&set, |code, site, _| {
                    code.body.set(variable, site);
                    code.block(inside);
                });
            }
            StmtKind::Range(local, low, high, inside) => {
                let (low, high) = (self.value(low), self.value(high));
                let Slot::One(variable) = self.slots[local.index()] else { unreachable!("the verifier types locals") };
                // Counted in 64 bits: the last number may be the largest there is.
                let (number, last) = (self.body.bind(low), self.body.bind(high));
                let (again, out) = (self.body.label(), self.body.label());
                let (mut statements, ()) = self.apart(|code| {
                    code.compiler.tick(code.body);
                    code.body.set(variable, number);
                    code.block(inside);
                    code.body.when(number.eq(last), |body| body.go(out));
                    code.body.set(number, number + 1);
                });
                statements.push(Low::Go(again));
                let looped = Low::Block(out, vec![Low::Loop(again, statements)]);
                self.body.push(Low::If(number.le_s(last), vec![looped], Vec::new()));
            }
            StmtKind::Verify(_) if matches!(self.mode, Mode::Make) => {}
            StmtKind::Verify(condition) => {
                let (condition, stop) = (self.value(condition), self.stop);
                self.body.when(condition.eqz(), |body| body.go(stop));
            }
            StmtKind::Effect(effect) => self.effect(effect),
            StmtKind::Attempt(inside) => self.attempt(inside),
            StmtKind::Try(inside) => self.try_block(inside),
            // The step is made already.
            StmtKind::Forget | StmtKind::Discard if matches!(self.mode, Mode::Make) => {}
            StmtKind::Forget => self.keep(true),
            StmtKind::Discard => self.keep(false),
            StmtKind::Emit(emit) => self.emit(emit),
        }
    }

    /// The rest of the queue from here on is taken back, and with it what it did.
    fn back_to(&mut self, length: V, changed: Ex) {
        let (compiler, queue, tentative) = (self.compiler, self.queue, self.tentative);
        self.body.set_global(compiler.globals.queue, length);
        if let Some(mark) = tentative {
            self.body.when(changed, |body| {
                body.call(compiler.functions.redo, vec![queue.into(), mark.log.into(), mark.captures.into()]);
            });
        }
    }

    fn attempt(&mut self, inside: &[Stmt]) {
        if matches!(self.mode, Mode::Make) {
            return self.block(inside);
        }
        let kept = self.body.bind(self.compiler.globals.queue);
        self.attempts.push(kept);
        self.block(inside);
        self.attempts.pop();
        let changed = Ex::from(self.compiler.globals.queue).ne(kept);
        let changed = self.body.bind(changed);
        self.back_to(kept, changed.into());
    }

    fn try_block(&mut self, inside: &[Stmt]) {
        if matches!(self.mode, Mode::Make) {
            return self.block(inside);
        }
        let compiler = self.compiler;
        let globals = &compiler.globals;
        let mut assigned = BTreeSet::new();
        collect_assigned(inside, &mut assigned);
        let locals: Vec<_> = assigned.iter().map(|local| self.slots[local.index()].clone()).collect();
        let saved: Vec<_> = locals
            .iter()
            .map(|slot| match slot {
                Slot::One(local) => Slot::One(self.body.bind(*local)),
                Slot::Set(words) => {
                    let words = words.clone();
                    Slot::Set(self.copied(&words))
                }
            })
            .collect();
        let length = self.body.bind(globals.queue);
        let attempts: Vec<_> = self.attempts.clone();
        let kept: Vec<_> = attempts.iter().map(|&attempt| self.body.bind(attempt)).collect();
        // What `forget` drops inside is there again afterwards: the queue so far is put aside.
        let drops = drops_effects(inside);
        let queue = self.queue;
        let aside = drops.then(|| {
            let bytes = self.body.bind(length - queue);
            let at = compiler.frame(self.body, bytes);
            self.body.push(Low::Copy(at.into(), queue.into(), bytes.into()));
            (at, bytes)
        });
        let frames = self.body.bind(globals.frames);
        self.aside.extend(aside.map(|(at, _)| at));
        self.guarded(|code| code.block(inside));
        self.aside.truncate(self.aside.len() - usize::from(drops));
        self.body.set_global(globals.frames, frames);
        for (slot, saved) in locals.iter().zip(&saved) {
            match (slot, saved) {
                (Slot::One(local), Slot::One(value)) => self.body.set(*local, *value),
                (Slot::Set(words), Slot::Set(value)) => self.assign(words, value),
                _ => unreachable!("a local is saved in one of its kind"),
            }
        }
        for (attempt, kept) in attempts.iter().zip(&kept) {
            self.body.set(*attempt, *kept);
        }
        let changed = match aside {
            Some((at, bytes)) => {
                self.body.push(Low::Copy(queue.into(), at.into(), bytes.into()));
                self.body.set_global(globals.frames, at);
                self.body.bind(1)
            }
            None => self.body.bind(Ex::from(globals.queue).ne(length)),
        };
        self.back_to(length, changed.into());
    }

    /// Takes everything back but displacements, or displacements alone.
    fn keep(&mut self, displacements: bool) {
        let (compiler, queue, tentative) = (self.compiler, self.queue, self.tentative);
        let functions = &compiler.functions;
        let kind: Ex = i32::from(displacements).into();
        for attempt in self.attempts.clone() {
            let kept = compiler.ask(functions.kept, [queue.into(), attempt.into(), kind.clone()]);
            self.body.set(attempt, kept);
        }
        self.body.call(functions.keep, vec![queue.into(), kind]);
        if let Some(mark) = tentative {
            self.body.call(functions.redo, vec![queue.into(), mark.log.into(), mark.captures.into()]);
        }
    }

    /// Queues an effect, unless it concerns no site, player, kind or cell that exists.
    fn effect(&mut self, effect: &Expr) {
        let (proper, what, operands) = self.prepared(effect);
        self.queue(proper, what, operands);
    }

    /// An effect as its record says it, and whether it is one.
    pub(super) fn prepared(&mut self, effect: &Expr) -> (Ex, i32, [Ex; 3]) {
        let args = &effect.args;
        let bind = |code: &mut Self, index: usize| {
            let value = code.value(&args[index]);
            code.body.bind(value)
        };
        let memory = &self.compiler.memory;
        let (players, kinds) = (memory.players, memory.kinds);
        let owns = |index: usize, number: V| match args[index].op {
            Op::Me | Op::Player(_) => Ex::from(1),
            _ => (number - 1).lt_u(players),
        };
        let is_kind = |index: usize, number: V| match args[index].op {
            Op::Kind(_) => Ex::from(1),
            _ => (number - 1).lt_u(kinds),
        };
        match effect.op {
            Op::Move | Op::Copy => {
                let (from, to) = (bind(self, 0), bind(self, 1));
                let what = if effect.op == Op::Move { code::MOVE } else { code::COPY };
                (from.ne(0) & to.ne(0) & from.ne(to), what, [from.into(), to.into(), 0.into()])
            }
            Op::Capture | Op::Flip | Op::Pop => {
                let site = bind(self, 0);
                let what = match effect.op {
                    Op::Capture => code::CAPTURE,
                    Op::Flip => code::FLIP,
                    _ => code::POP,
                };
                (site.into(), what, [site.into(), 0.into(), 0.into()])
            }
            Op::Create | Op::Drop | Op::Push | Op::Tuck => {
                let (site, owner, kind) = (bind(self, 0), bind(self, 1), bind(self, 2));
                let what = match effect.op {
                    Op::Create => code::CREATE,
                    Op::Drop => code::DROP,
                    Op::Push => code::PUSH,
                    _ => code::TUCK,
                };
                let proper = site.ne(0) & owns(1, owner) & is_kind(2, kind);
                (proper, what, [site.into(), owner.into(), kind.into()])
            }
            Op::Retype | Op::Reown => {
                let (site, value) = (bind(self, 0), bind(self, 1));
                let (what, exists) = match effect.op {
                    Op::Retype => (code::RETYPE, is_kind(1, value)),
                    _ => (code::REOWN, owns(1, value)),
                };
                (site.ne(0) & exists, what, [site.into(), value.into(), 0.into()])
            }
            Op::Jump(label) => (1.into(), code::JUMP, [(label.index() as i32).into(), 0.into(), 0.into()]),
            Op::SetAt(field) => {
                let (site, value) = (bind(self, 0), bind(self, 1));
                let value = self.compiler.clamped(field, value);
                (site.into(), on_field(code::SET_AT, field), [site.into(), value, 0.into()])
            }
            Op::Set(field) => {
                let (index, value) = (bind(self, 0), bind(self, 1));
                let value = self.compiler.clamped(field, value);
                let place = self.compiler.memory.fields[field];
                let count = place.count * place.stride;
                (index.lt_u(count), on_field(code::SET, field), [index.into(), value, 0.into()])
            }
            _ => panic!("the verifier types statements: `{}` is no effect", effect.op.name()),
        }
    }

    fn queue(&mut self, proper: Ex, what: i32, [a, b, c]: [Ex; 3]) {
        if matches!(self.mode, Mode::Make) || self.queueless && Compiler::is_made_alone(what) {
            let compiler = self.compiler;
            return self.body.when(proper, |body| compiler.make_effect(body, what, [a, b, c]));
        }
        let (compiler, tentative) = (self.compiler, self.tentative.is_some());
        let (queue, limit) = (compiler.globals.queue, compiler.memory.queue.end);
        self.body.when(proper, |body| {
            compiler.push(body, queue, limit, &[what.into(), a, b, c]);
            if tentative {
                body.call(compiler.functions.perform, vec![queue - record::EFFECT]);
            }
        });
    }

    fn emit(&mut self, emit: &Emit) {
        let bind = |code: &mut Self, expr: &Expr| {
            let value = code.value(expr);
            code.body.bind(value)
        };
        let (from, to) = (bind(self, &emit.from), bind(self, &emit.to));
        let choice = emit.choice.as_ref().map(|choice| bind(self, choice));
        let (chain, chain_type) = match &emit.next {
            Next::Done => (None, 0),
            Next::Again(site, of) => (Some(bind(self, site)), of.map_or(0, |of| of.index() as i32 + 1)),
        };
        let parameters: Vec<_> = emit
            .parameters
            .iter()
            .map(|parameter| {
                let site = match parameter.op {
                    Op::Local(local) => self.types[local.index()] == Type::Site,
                    op => op.result() == Type::Site,
                };
                (site, bind(self, parameter))
            })
            .collect();
        let compiler = self.compiler;
        let globals = &compiler.globals;
        match self.mode {
            Mode::Hit(target) => {
                let (queue, out, hit) = (self.queue, self.out, self.hit.expect("a question has an answer"));
                let aside = self.aside.first().copied();
                let at = self.body.bind(queue);
                self.body.repeat_while(Ex::from(at).ne(globals.queue), |body, _| {
                    let what = body.bind(at.load(Width::I32, 0) & 255);
                    let place = select(what.le_s(code::COPY), at.load(Width::I32, 8), at.load(Width::I32, 4));
                    let strikes = what.le_s(code::CAPTURE) | what.eq(code::POP);
                    body.when(strikes & place.eq(target), |body| {
                        body.set(hit, 1);
                        if let Some(aside) = aside {
                            body.set_global(globals.frames, aside);
                        }
                        body.go(out);
                    });
                    body.set(at, at + record::EFFECT);
                });
            }
            Mode::List(rule) => {
                let emit = compiler.functions.emit[&compiler.rules.rules[rule].view];
                let chosen = choice.map_or(0.into(), |choice| {
                    let kind = (choice - 1).lt_u(compiler.memory.kinds);
                    select(kind, choice, 0)
                });
                let chain = chain.map_or(Ex::from(0), Ex::from);
                let (number, count) = (rule.index() as i32, parameters.len() as i32);
                let asked = [number.into(), from.into(), to.into(), chosen, chain, chain_type.into()];
                let asked = asked.into_iter().chain([self.queue.into(), count.into()]);
                let body = &mut *self.body;
                let first = body.bind(compiler.ask(emit, asked));
                for (index, (site, value)) in parameters.iter().enumerate() {
                    let place = index as u32 * record::PARAMETER;
                    body.store(Width::I32, first, place, i32::from(*site));
                    body.store(Width::I32, first, place + 4, *value);
                }
            }
            Mode::Make => {
                if compiler.looks_at_steps() {
                    for (part, site) in [(record::FROM, from), (record::TO, to)] {
                        self.body.store(Width::I32, 0, mail::STEP + part, site);
                    }
                }
                let known = &compiler.memory.known;
                let lasts = [(known.last_from, from), (known.last_to, to)];
                if lasts.iter().any(|(field, _)| field.is_some()) {
                    self.body.when(from | to, |body| {
                        for (field, site) in lasts.into_iter().filter_map(|(field, site)| Some((field?, site))) {
                            compiler.put_global(body, field, site.into());
                        }
                    });
                }
                let out = self.out;
                self.body.go(out);
            }
            Mode::Stage | Mode::End | Mode::Ask => unreachable!("the verifier lets rules alone make steps"),
        }
    }
}

/// Functions that work on the queue.
impl Compiler<'_> {
    pub(super) fn queues(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let globals = self.globals;
        let stays = |at: V, displacements: V| (at.load(Width::I32, 0) & 255).le_s(code::DROP).eq(displacements);

        // From a place in the queue on only displacements stay, or only the others.
        module.define(functions.keep, |body, params| {
            let (at, to) = (body.bind(params[0]), body.bind(params[0]));
            body.repeat_while(Ex::from(at).ne(globals.queue), |body, _| {
                body.when(stays(at, params[1]), |body| {
                    for part in [0, 8] {
                        body.store(Width::I64, to, part, at.load(Width::I64, part));
                    }
                    body.set(to, to + record::EFFECT);
                });
                body.set(at, at + record::EFFECT);
            });
            body.set_global(globals.queue, to);
        });

        // Where a later place in the queue will be then.
        module.define(functions.kept, |body, params| {
            let (at, to) = (body.bind(params[0]), body.bind(params[0]));
            body.repeat_while(at.lt_u(params[1]), |body, _| {
                body.set(to, to + stays(at, params[2]) * record::EFFECT);
                body.set(at, at + record::EFFECT);
            });
            body.give(to);
        });

        // Makes the queued effects anew, from a mark on.
        module.define(functions.redo, |body, params| {
            let (at, log, captures) = (body.bind(params[0]), params[1], params[2]);
            body.call(functions.undo, vec![log.into()]);
            body.set_global(globals.captures, captures);
            body.eval(self.ask(functions.mark, []));
            body.repeat_while(Ex::from(at).ne(globals.queue), |body, _| {
                body.call(functions.perform, vec![at.into()]);
                body.set(at, at + record::EFFECT);
            });
        });

        // The setting of a field of a site that was queued last: the first word of such an effect, the site, where the queue
        // begins, and the value when there is none.
        module.define(functions.queued, |body, params| {
            let (what, site, start, otherwise) = (params[0], params[1], params[2], params[3]);
            let at = body.bind(globals.queue);
            body.repeat_while(at.ne(start), |body, _| {
                body.set(at, at - record::EFFECT);
                let same = at.load(Width::I32, 0).eq(what) & at.load(Width::I32, 4).eq(site);
                body.when(same, |body| body.give(at.load(Width::I32, 8)));
            });
            body.give(otherwise);
        });
        self.module = module;
    }

    /// The value itself or the bound of the field that it passes.
    pub(super) fn clamped(&self, field: dagaz_ir::Field, value: V) -> Ex {
        let info = &self.rules.fields[field];
        let least = select(value.lt_s(info.high), value, info.high);
        select(least.clone().gt_s(info.low), least, info.low)
    }
}

/// Whether statements take queued effects back from before them.
fn drops_effects(statements: &[Stmt]) -> bool {
    Stmt::any(statements, &|statement| matches!(statement.kind, StmtKind::Forget | StmtKind::Discard))
}

/// The locals that statements may give another value.
fn collect_assigned(statements: &[Stmt], assigned: &mut BTreeSet<Local>) {
    for statement in statements {
        if let StmtKind::Let(local, _) | StmtKind::For(local, ..) | StmtKind::Range(local, ..) = statement.kind {
            assigned.insert(local);
        }
        statement.expressions().into_iter().for_each(|expr| assigned_in(expr, assigned));
        statement.blocks().into_iter().for_each(|inside| collect_assigned(inside, assigned));
    }
}

fn assigned_in(expr: &Expr, assigned: &mut BTreeSet<Local>) {
    if let Op::Where(local) | Op::Any(local) | Op::Every(local) | Op::Sum(local) = expr.op {
        assigned.insert(local);
    }
    expr.args.iter().for_each(|arg| assigned_in(arg, assigned));
}
