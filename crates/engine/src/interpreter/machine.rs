//! Runs the statements of one rule and keeps what it queues.

use dagaz_base::{Id, Origin};
use dagaz_board::Site;
use dagaz_ir::{
    Block, Emit, Expr, Function, Local, Next, Op, Player, Program, Rule, RuleId, Scope, Stmt, StmtKind, Type, View,
};

use super::ends::Asked;
use super::stages::Occasion;
use super::trace::Watch;
use super::{Interpreter, Meter, Value};
use crate::executor::Fault;
use crate::state::{State, Undo};
use crate::step::{Chain, Effect, Parameter, Step, StepRule};

/// How a run of a rule came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It ran to its last statement.
    Ran,
    /// A `verify` ended it: the origin of that statement.
    Stopped(Option<Origin>),
    /// It made the step that was looked for.
    Hit,
}

/// Why statements are not run any further.
pub(super) enum Halt {
    Stopped,
    Hit,
    /// Boxed, for it is rare and large.
    Fault(Box<Fault>),
}

/// What becomes of the steps that a rule makes.
#[derive(Debug)]
pub(super) enum Goal {
    /// They are listed.
    List(Vec<Step>),
    /// The run ends at the first that captures on this site or ends there.
    Hit(Site),
}

/// Runs programs that look at one state from one player's side, one after the other.
pub(crate) struct Machine<'a> {
    pub(super) engine: &'a Interpreter,
    pub(super) base: &'a State,
    /// The state with the effects so far, in rules with the view [`View::Tentative`].
    scratch: Option<State>,
    scratch_undo: Undo,
    pub(super) me: Player,
    pub(super) meter: &'a Meter,
    /// What only ends may ask.
    pub(super) asked: Option<&'a Asked<'a>>,
    /// What only stages and invariants may ask.
    pub(super) occasion: Option<&'a Occasion<'a>>,
    /// Whether this run answers a question about attacks, so that further ones are answered with no.
    pub(super) cut: bool,
    pub(super) locals: Vec<Value>,
    /// The values that the first locals of a condition start with.
    subject: Vec<Value>,
    /// What the move that is being made will do, in the order in which it was said.
    pub(super) queue: Vec<Effect>,
    /// How much of the queue each open `attempt` leaves when it ends, the outermost first.
    attempts: Vec<usize>,
    goal: Goal,
    /// What runs: a rule, or the name of a condition.
    pub(super) rule: Option<(RuleId, &'a Rule)>,
    name: &'a str,
    /// The statement that runs, or where the condition stands.
    pub(super) origin: Option<Origin>,
    /// What a run is watched for, when somebody wants to know.
    pub(super) watch: Option<Watch>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(engine: &'a Interpreter, state: &'a State, me: Player, meter: &'a Meter) -> Self {
        Self {
            engine,
            base: state,
            scratch: None,
            scratch_undo: Undo::default(),
            me,
            meter,
            asked: None,
            occasion: None,
            cut: false,
            locals: Vec::new(),
            subject: Vec::new(),
            queue: Vec::new(),
            attempts: Vec::new(),
            goal: Goal::List(Vec::new()),
            rule: None,
            name: "",
            origin: None,
            watch: None,
        }
    }

    /// The same for a question about attacks on a site.
    pub(super) fn looking_for(mut self, site: Site) -> Self {
        self.goal = Goal::Hit(site);
        self.cut = true;
        self
    }

    /// The same for what surrounds a step.
    pub(super) fn on(mut self, occasion: &'a Occasion<'a>) -> Self {
        self.occasion = Some(occasion);
        self
    }

    /// The same for the condition of an end.
    pub(super) fn asked(mut self, asked: &'a Asked<'a>) -> Self {
        self.asked = Some(asked);
        self
    }

    /// The same for a condition about something: the values of its first locals.
    pub(super) fn about(mut self, subject: Vec<Value>) -> Self {
        self.subject = subject;
        self
    }

    /// The steps made since the last call.
    pub(crate) fn take_steps(&mut self) -> Vec<Step> {
        match &mut self.goal {
            Goal::List(steps) => std::mem::take(steps),
            Goal::Hit(_) => Vec::new(),
        }
    }

    /// The state that reads see.
    pub(super) fn view(&self) -> &State {
        self.scratch.as_ref().unwrap_or(self.base)
    }

    /// Runs a rule for one site, or for none. The steps that it makes are added to the list.
    pub(crate) fn run(&mut self, id: RuleId, site: Option<Site>) -> Result<Ending, Fault> {
        let engine = self.engine;
        let rule = &engine.rules.rules[id];
        (self.rule, self.name, self.origin) = (Some((id, rule)), &rule.name, rule.origin);
        self.queue.clear();
        self.attempts.clear();
        self.scratch = (rule.view == View::Tentative).then(|| self.base.clone());
        self.scratch_undo = Undo::default();
        self.start_locals(rule.locals.values().map(|local| local.ty));
        if let Some(first) = self.locals.first_mut() {
            *first = Value::Site(site);
        }
        let copied = self.scratch.as_ref().map_or(0, |scratch| scratch.cells().len());
        let preparation = (1 + self.locals.len() + copied) as u64;
        self.finish(preparation, &rule.body)
    }

    /// Runs what surrounds a step. What it queues can be taken then. `known` are the values of the first
    /// locals.
    pub(super) fn run_program(
        &mut self,
        program: &'a Program,
        name: &'a str,
        known: impl Iterator<Item = Value>,
        bounds: impl Iterator<Item = (Local, Value)>,
    ) -> Result<Ending, Fault> {
        (self.rule, self.name, self.origin) = (None, name, program.origin);
        self.queue.clear();
        self.attempts.clear();
        self.scratch = Some(self.base.clone());
        self.scratch_undo = Undo::default();
        self.start_locals(program.locals.values().map(|local| local.ty));
        for (local, value) in self.locals.iter_mut().zip(known) {
            if std::mem::discriminant(local) == std::mem::discriminant(&value) {
                *local = value;
            }
        }
        for (bound, value) in bounds {
            self.locals[bound.index()] = value;
        }
        let preparation = 1 + self.locals.len() + self.base.cells().len();
        self.finish(preparation as u64, &program.body)
    }

    fn finish(&mut self, preparation: u64, body: &'a Block) -> Result<Ending, Fault> {
        match self.charge(preparation).and_then(|()| self.block(body)) {
            Ok(()) => Ok(Ending::Ran),
            Err(Halt::Stopped) => Ok(Ending::Stopped(self.origin)),
            Err(Halt::Hit) => Ok(Ending::Hit),
            Err(Halt::Fault(fault)) => Err(*fault),
        }
    }

    /// The value of a condition.
    pub(super) fn holds(
        &mut self,
        function: &'a Function,
        name: &'a str,
        origin: Option<Origin>,
    ) -> Result<bool, Fault> {
        self.value(function, name, origin, Self::bool)
    }

    /// The value of a function that gives a number.
    pub(super) fn score(
        &mut self,
        function: &'a Function,
        name: &'a str,
        origin: Option<Origin>,
    ) -> Result<i32, Fault> {
        self.value(function, name, origin, Self::int)
    }

    fn value<T>(
        &mut self,
        function: &'a Function,
        name: &'a str,
        origin: Option<Origin>,
        eval: impl FnOnce(&mut Self, &'a Expr) -> Result<T, Halt>,
    ) -> Result<T, Fault> {
        (self.rule, self.name, self.origin) = (None, name, origin);
        self.start_locals(function.locals.values().map(|local| local.ty));
        for (local, value) in self.locals.iter_mut().zip(&self.subject) {
            *local = value.clone();
        }
        match eval(self, &function.body) {
            Ok(value) => Ok(value),
            Err(Halt::Fault(fault)) => Err(*fault),
            Err(Halt::Stopped | Halt::Hit) => unreachable!("only statements stop or make steps"),
        }
    }

    fn start_locals(&mut self, types: impl Iterator<Item = Type>) {
        let sites = self.engine.topology().site_count();
        self.locals.clear();
        self.locals.extend(types.map(|ty| Value::zero(ty, sites)));
    }

    fn block(&mut self, block: &'a Block) -> Result<(), Halt> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Result<(), Halt> {
        self.origin = stmt.origin;
        self.charge(1)?;
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = self.eval(value, *local)?;
                self.locals[local.index()] = value;
            }
            StmtKind::If(condition, then, otherwise) => {
                let block = if self.bool(condition)? { then } else { otherwise };
                self.block(block)?;
            }
            StmtKind::While(condition, body) => {
                while self.bool(condition)? {
                    self.block(body)?;
                    self.origin = stmt.origin;
                }
            }
            StmtKind::For(local, set, body) => {
                for site in self.set(set)?.iter() {
                    self.locals[local.index()] = Value::Site(Some(site));
                    self.block(body)?;
                    self.charge(1)?;
                }
            }
            StmtKind::Range(local, low, high, body) => {
                let (low, high) = (self.int(low)?, self.int(high)?);
                for number in low..=high {
                    self.locals[local.index()] = Value::Int(number);
                    self.block(body)?;
                    self.charge(1)?;
                }
            }
            StmtKind::Verify(condition) => {
                if let Some(watch) = &mut self.watch {
                    watch.asked.clear();
                }
                if !self.bool(condition)? {
                    return Err(Halt::Stopped);
                }
            }
            StmtKind::Effect(effect) => {
                if let Some(effect) = self.effect(effect)? {
                    self.queue(effect);
                }
            }
            StmtKind::Attempt(body) => self.attempt(body)?,
            StmtKind::Try(body) => {
                self.charge((self.locals.len() + self.queue.len()) as u64)?;
                // What `forget` drops inside is there again, too: the next try starts from the same.
                let before = (self.locals.clone(), self.queue.clone(), self.attempts.clone());
                match self.block(body) {
                    Ok(()) => {}
                    Err(Halt::Stopped) => self.note_stop(),
                    Err(halt) => return Err(halt),
                }
                let changed = self.queue != before.1;
                (self.locals, self.queue, self.attempts) = before;
                if changed {
                    self.rebuild_scratch();
                }
            }
            StmtKind::Forget => self.keep(Effect::is_displacement),
            StmtKind::Discard => self.keep(|effect| !effect.is_displacement()),
            StmtKind::Emit(emit) => self.emit(emit)?,
        }
        Ok(())
    }

    fn attempt(&mut self, body: &'a Block) -> Result<(), Halt> {
        self.attempts.push(self.queue.len());
        self.block(body)?;
        let kept = self.attempts.pop().expect("an attempt is open until its block ends");
        if self.queue.len() > kept {
            self.queue.truncate(kept);
            self.rebuild_scratch();
        }
        Ok(())
    }

    /// The effect that an expression stands for; nothing when it concerns no site, player, kind or cell that exists.
    fn effect(&mut self, expr: &'a Expr) -> Result<Option<Effect>, Halt> {
        self.charge(1)?;
        let args = &expr.args;
        Ok(match expr.op {
            Op::Move | Op::Copy => {
                let (from, to) = (self.site(&args[0])?, self.site(&args[1])?);
                match (from, to) {
                    (Some(from), Some(to)) if from == to => None,
                    (Some(from), Some(to)) if expr.op == Op::Move => Some(Effect::Move { from, to }),
                    (Some(from), Some(to)) => Some(Effect::Copy { from, to }),
                    _ => None,
                }
            }
            Op::Capture => self.site(&args[0])?.map(|site| Effect::Capture { site }),
            Op::Create | Op::Drop | Op::Push | Op::Tuck => {
                let (site, owner, kind) = (self.site(&args[0])?, self.int(&args[1])?, self.int(&args[2])?);
                match (site, self.engine.player(owner), self.engine.kind(kind)) {
                    (Some(site), Some(owner), Some(kind)) => Some(match expr.op {
                        Op::Create => Effect::Create { site, owner, kind },
                        Op::Push => Effect::Push { site, owner, kind },
                        Op::Tuck => Effect::Tuck { site, owner, kind },
                        _ => Effect::Drop { site, owner, kind },
                    }),
                    _ => None,
                }
            }
            Op::Retype => {
                let (site, kind) = (self.site(&args[0])?, self.int(&args[1])?);
                site.zip(self.engine.kind(kind)).map(|(site, kind)| Effect::Retype { site, kind })
            }
            Op::Reown => {
                let (site, owner) = (self.site(&args[0])?, self.int(&args[1])?);
                site.zip(self.engine.player(owner)).map(|(site, owner)| Effect::Reown { site, owner })
            }
            Op::Pop => self.site(&args[0])?.map(|site| Effect::Pop { site }),
            Op::Jump(label) => Some(Effect::Jump { label }),
            Op::Flip => self.site(&args[0])?.map(|site| Effect::Flip { site }),
            Op::SetAt(field) => {
                let (site, value) = (self.site(&args[0])?, self.int(&args[1])?);
                site.map(|site| Effect::SetAt { field, site, value: self.engine.clamped(field, value) })
            }
            Op::Set(field) => {
                let (index, value) = (self.int(&args[0])?, self.int(&args[1])?);
                let exists = usize::try_from(index).is_ok_and(|index| index < self.engine.layout.count(field));
                let value = self.engine.clamped(field, value);
                exists.then_some(Effect::Set { field, index: index as u32, value })
            }
            _ => panic!("the verifier types statements: `{}` is no effect", expr.op.name()),
        })
    }

    fn queue(&mut self, effect: Effect) {
        if let Some(scratch) = &mut self.scratch {
            self.engine.perform(scratch, &mut self.scratch_undo, &effect);
        }
        self.queue.push(effect);
    }

    /// Takes everything else back, from before the open attempts too.
    fn keep(&mut self, stays: impl Fn(&Effect) -> bool) {
        for kept in &mut self.attempts {
            *kept = self.queue[..*kept].iter().filter(|effect| stays(effect)).count();
        }
        self.queue.retain(stays);
        self.rebuild_scratch();
    }

    /// Makes the scratch state anew from the queue.
    fn rebuild_scratch(&mut self) {
        if let Some(scratch) = &mut self.scratch {
            for &(cell, value) in self.scratch_undo.old.iter().rev() {
                scratch.set(&self.engine.layout, cell, value);
            }
            self.scratch_undo = Undo::default();
            for effect in &self.queue {
                self.engine.perform(scratch, &mut self.scratch_undo, effect);
            }
        }
    }

    fn emit(&mut self, emit: &'a Emit) -> Result<(), Halt> {
        let (from, to) = (self.site(&emit.from)?, self.site(&emit.to)?);
        let choice = match &emit.choice {
            Some(choice) => self.int(choice)?,
            None => 0,
        };
        let chain = match &emit.next {
            Next::Done => None,
            Next::Again(site, move_type) => self.site(site)?.map(|site| Chain { site, move_type: *move_type }),
        };
        let mut parameters = Vec::with_capacity(emit.parameters.len());
        for parameter in &emit.parameters {
            let site = match parameter.op {
                Op::Local(local) => matches!(self.locals[local.index()], Value::Site(_)),
                op => op.result() == Type::Site,
            };
            parameters.push(match site {
                true => Parameter::Site(self.site(parameter)?),
                false => Parameter::Int(self.int(parameter)?),
            });
        }
        self.charge(self.queue.len() as u64)?;
        match &mut self.goal {
            Goal::Hit(site) => {
                if self.queue.iter().any(|effect| effect.strikes() == Some(*site)) {
                    return Err(Halt::Hit);
                }
            }
            Goal::List(steps) => {
                let Some((id, rule)) = self.rule else { unreachable!("only rules make steps") };
                let mut effects = self.queue.clone();
                if rule.view == View::Before {
                    effects.sort_by_key(|effect| !effect.is_displacement());
                }
                steps.push(Step {
                    rule: StepRule::Rule(id),
                    from,
                    to,
                    choice: self.engine.kind(choice),
                    parameters,
                    effects,
                    chain,
                });
                let limit = self.engine.limits.steps;
                if steps.len() > limit {
                    let name = rule.name.clone();
                    return Err(Halt::Fault(Fault::TooManySteps { name, limit, origin: self.origin }.into()));
                }
            }
        }
        Ok(())
    }

    /// Pays for work that is about to be done.
    #[inline]
    pub(super) fn charge(&self, work: u64) -> Result<(), Halt> {
        if self.meter.spend(work) { Ok(()) } else { Err(self.endless()) }
    }

    #[cold]
    fn endless(&self) -> Halt {
        let rule = self.rule.map(|(id, _)| id);
        let (name, limit) = (self.name.to_owned(), self.meter.limit());
        Halt::Fault(Fault::Endless { rule, name, limit, origin: self.origin }.into())
    }

    /// The setting of the field there that was queued last, if a read would see it.
    pub(super) fn queued(&self, field: dagaz_ir::Field, site: Site) -> Option<i32> {
        if self.engine.rules.fields[field].scope == Scope::Piece {
            let piece = self.engine.piece(self.view(), site)?;
            self.engine.attribute(piece.kind, field)?;
        }
        self.queue.iter().rev().find_map(|effect| match *effect {
            Effect::SetAt { field: other, site: there, value } if (other, there) == (field, site) => Some(value),
            _ => None,
        })
    }
}
