//! Laws of programs: rules' bodies and conditions.

use dagaz_base::{Id, IdMap};

use super::walks::Walks;
use super::{Checker, Law, Part};
use crate::code::{Block, Emit, Expr, Function, Local, LocalInfo, Next, Program, Stmt, StmtKind};
use crate::limits;
use crate::op::{Arguments, Immediate, Op, Type};
use crate::rules::{Concealment, Field, Rule, Scope, Verdict};

/// What a program is for, and what it is made with.
#[derive(Clone, Copy)]
struct Context<'r> {
    purpose: Purpose,
    locals: &'r IdMap<Local, LocalInfo>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Rule,
    /// The last part of a rule, and the stages but the last.
    Stage,
    AfterMove,
    Invariant,
    End,
    Concealment,
}

/// The fields that everybody sees: what the turn order goes by.
const PUBLIC: [&str; 4] = ["turn", "chain", "chain-type", "next-turn"];

impl<'r> Checker<'r> {
    pub(super) fn programs(&mut self) {
        let rules = self.rules;
        for (id, rule) in rules.rules.iter() {
            self.from(rule.origin, Part::Thing("rule", id.index(), &rule.name), |this| this.rule(rule));
        }
        for (index, invariant) in rules.invariants.iter().enumerate() {
            self.from(invariant.origin, Part::Thing("invariant", index, &invariant.name), |this| {
                this.function(&invariant.condition, Type::Bool, Purpose::Invariant);
            });
        }
        let stages = &rules.stages;
        for (word, stage, purpose) in [
            ("before-move", &stages.before_move, Purpose::Stage),
            ("before-step", &stages.before_step, Purpose::Stage),
            ("after-step", &stages.after_step, Purpose::Stage),
            ("after-move", &stages.after_move, Purpose::AfterMove),
        ] {
            if let Some(stage) = stage {
                self.program(word, stage, purpose);
            }
        }
        for (index, end) in rules.ends.iter().enumerate() {
            self.from(end.origin, Part::Thing("end", index, &end.name), |this| {
                end.players.iter().for_each(|&player| this.check_id(&rules.players, player));
                if let Verdict::Score(score) = &end.result {
                    this.at(Part::Word("score"), |this| this.function(score, Type::Int, Purpose::End));
                }
                this.function(&end.condition, Type::Bool, Purpose::End);
            });
        }
        for (index, concealment) in rules.concealments.iter().enumerate() {
            self.from(concealment.origin, Part::Thing("concealment", index, &concealment.name), |this| {
                this.concealed(concealment);
                this.function(&concealment.condition, Type::Bool, Purpose::Concealment);
            });
        }
    }

    fn concealed(&mut self, concealment: &'r Concealment) {
        let mut first = None;
        for &field in &concealment.fields {
            let Some(info) = self.get(&self.rules.fields, field) else { continue };
            let scope = *first.get_or_insert(info.scope);
            self.require(Law::Concealments, info.scope.matches(scope), || {
                format!("`{}` has other elements than {scope:?}", info.name)
            });
            let public = PUBLIC.iter().any(|name| self.field_named(name) == Some(field));
            self.require(Law::Concealments, !public, || format!("everybody sees `{}`", info.name));
        }
        self.require(Law::Concealments, !concealment.fields.is_empty(), || "nothing is concealed".to_owned());
        let wanted = first.map_or(&[][..], Scope::element);
        let locals = concealment.condition.locals.values().map(|local| local.ty);
        let begins = locals.take(wanted.len()).eq(wanted.iter().copied());
        self.require(Law::Concealments, begins, || format!("its first locals are not {wanted:?}"));
    }

    fn rule(&mut self, rule: &'r Rule) {
        self.rule_head(rule);
        let first = rule.locals.values().next().map(|local| local.ty);
        self.require(Law::Locals, first == Some(Type::Site), || format!("its first local is {first:?}, not a site"));
        self.local_types(&rule.locals);
        self.walks = Walks::of_block(&rule.body);
        self.no_walker(Local::from_index(0), "the site that the rule is run for");
        let program = Context { purpose: Purpose::Rule, locals: &rule.locals };
        self.block("body", &rule.body, program, 1);
        if let Some(then) = &rule.then {
            self.program("then", then, Purpose::Stage);
        }
    }

    fn program(&mut self, word: &'static str, program: &'r Program, purpose: Purpose) {
        self.from(program.origin, Part::Word(word), |this| {
            let sites = program.locals.values().take(2).filter(|local| local.ty == Type::Site).count();
            this.require(Law::Locals, sites == 2, || "its first two locals are not sites".to_owned());
            this.local_types(&program.locals);
            program.bounds.iter().for_each(|&bound| this.check_id(&program.locals, bound));
            let bounded = program.bounds.is_empty() || purpose == Purpose::AfterMove;
            this.require(Law::Locals, bounded, || "bounds are for what comes after a move".to_owned());
            this.walks = Walks::of_block(&program.body);
            program.bounds.iter().for_each(|&bound| this.no_walker(bound, "a bound"));
            this.block("body", &program.body, Context { purpose, locals: &program.locals }, 1);
        });
    }

    fn function(&mut self, function: &'r Function, wanted: Type, purpose: Purpose) {
        self.local_types(&function.locals);
        self.walks = Walks::of_expr(&function.body);
        let program = Context { purpose, locals: &function.locals };
        self.expr("condition", &function.body, wanted, program, 1);
    }

    fn local_types(&mut self, locals: &'r IdMap<Local, LocalInfo>) {
        for local in locals.values() {
            self.require(Law::Locals, local.ty != Type::Effect, || format!("`{}` holds an effect", local.name));
        }
    }

    fn block(&mut self, word: &'static str, block: &'r Block, program: Context<'r>, depth: usize) {
        for (index, stmt) in block.iter().enumerate() {
            self.at(Part::Word(word), |this| {
                this.from(stmt.origin, Part::Index(index), |this| this.stmt(stmt, program, depth));
            });
        }
    }

    fn stmt(&mut self, stmt: &'r Stmt, program: Context<'r>, depth: usize) {
        if !self.may_nest(depth) {
            return;
        }
        let deeper = depth + 1;
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                if let Some(local) = self.get(program.locals, *local) {
                    self.expr("value", value, local.ty, program, deeper);
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                self.expr("condition", condition, Type::Bool, program, deeper);
                self.block("then", then, program, deeper);
                self.block("else", otherwise, program, deeper);
            }
            StmtKind::While(condition, body) => {
                self.expr("condition", condition, Type::Bool, program, deeper);
                self.block("do", body, program, deeper);
            }
            StmtKind::For(local, set, body) => {
                self.bound(*local, Type::Site, program);
                self.expr("set", set, Type::Set, program, deeper);
                self.block("do", body, program, deeper);
            }
            StmtKind::Range(local, low, high, body) => {
                self.bound(*local, Type::Int, program);
                self.expr("low", low, Type::Int, program, deeper);
                self.expr("high", high, Type::Int, program, deeper);
                self.block("do", body, program, deeper);
            }
            StmtKind::Verify(condition) => self.expr("condition", condition, Type::Bool, program, deeper),
            StmtKind::Effect(effect) => self.expr("effect", effect, Type::Effect, program, deeper),
            StmtKind::Attempt(body) => self.block("attempt", body, program, deeper),
            StmtKind::Try(body) => self.block("try", body, program, deeper),
            StmtKind::Forget | StmtKind::Discard => {}
            StmtKind::Emit(emit) => self.emit(emit, program, deeper),
        }
    }

    fn emit(&mut self, emit: &'r Emit, program: Context<'r>, depth: usize) {
        self.require(Law::Effects, program.purpose == Purpose::Rule, || "no step is made here".to_owned());
        for parameter in &emit.parameters {
            let ty = match parameter.op {
                Op::Local(local) => program.locals.get(local).map_or(Type::Int, |local| local.ty),
                op => op.result(),
            };
            let proper = matches!(ty, Type::Int | Type::Site);
            self.require(Law::Locals, proper, || format!("a parameter is {ty:?}, not a number or a site"));
            self.expr("parameter", parameter, ty, program, depth);
        }
        self.expr("from", &emit.from, Type::Site, program, depth);
        self.expr("to", &emit.to, Type::Site, program, depth);
        if let Some(choice) = &emit.choice {
            self.expr("choice", choice, Type::Int, program, depth);
        }
        if let Next::Again(site, move_type) = &emit.next {
            self.expr("again", site, Type::Site, program, depth);
            self.check_type(*move_type);
        }
    }

    fn expr(&mut self, word: &'static str, expr: &'r Expr, wanted: Type, program: Context<'r>, depth: usize) {
        self.at(Part::Word(word), |this| this.check_expr(expr, wanted, program, depth));
    }

    fn check_expr(&mut self, expr: &'r Expr, wanted: Type, program: Context<'r>, depth: usize) {
        if !self.may_nest(depth) {
            return;
        }
        let op = expr.op;
        self.immediate(op, program);
        self.operation(op, program.purpose);
        // Without a type the local is missing, which has been reported.
        let given = match op {
            Op::Local(local) => program.locals.get(local).map(|local| local.ty),
            _ => Some(op.result()),
        };
        if let Some(given) = given.filter(|&given| given != wanted) {
            let law = if [given, wanted].contains(&Type::Effect) { Law::Effects } else { Law::Types };
            self.report(law, format!("`{}` gives {given:?}, not {wanted:?}", op.name()));
        }
        let (given, arguments) = (expr.args.len(), op.arguments());
        if let Arguments::Fixed(types) = arguments {
            let wanted = types.len();
            self.require(Law::Types, given == wanted, || {
                format!("`{}` takes {wanted} arguments, not {given}", op.name())
            });
        }
        for (index, arg) in expr.args.iter().enumerate() {
            let ty = match arguments {
                Arguments::Fixed(types) => types.get(index).copied(),
                Arguments::Many(ty) => Some(ty),
            };
            let Some(ty) = ty else { break };
            self.at(Part::Word("argument"), |this| {
                this.at(Part::Index(index), |this| {
                    this.in_walk(op, index, |this| this.check_expr(arg, ty, program, depth + 1));
                });
            });
        }
    }

    fn immediate(&mut self, op: Op, program: Context<'r>) {
        let rules = self.rules;
        match op.immediate() {
            None | Some(Immediate::Int(_) | Immediate::Bool(_)) => {}
            Some(Immediate::Local(local)) if matches!(op, Op::Local(_)) => self.read(local, program.locals),
            // Every other operation with a local gives it the sites of a set, one after the other.
            Some(Immediate::Local(local)) => self.bound(local, Type::Site, program),
            Some(Immediate::Site(site)) => self.check_site(site),
            Some(Immediate::Direction(direction)) => self.check_direction(direction),
            Some(Immediate::Compass(compass)) => self.check_id(&rules.compasses, compass),
            Some(Immediate::Label(label)) => self.check_id(&rules.schedule.labels, label),
            Some(Immediate::Zone(zone)) => self.check_id(&rules.zones, zone),
            Some(Immediate::Kind(kind)) => self.check_id(&rules.kinds, kind),
            Some(Immediate::Player(player)) => self.check_id(&rules.players, player),
            Some(Immediate::Field(field)) => self.check_id(&rules.fields, field),
            Some(Immediate::MoveType(move_type)) => self.check_type(move_type),
        }
    }

    /// What single operations ask for.
    fn operation(&mut self, op: Op, purpose: Purpose) {
        match op {
            Op::Read(field) | Op::ReadNow(field) => self.scope(op, field, true),
            Op::SetAt(field) => {
                self.scope(op, field, true);
                let identity = self.is_identity(field);
                self.require(Law::Pieces, !identity, || {
                    "owner and kind are changed by `reown` and `retype`".to_owned()
                });
            }
            Op::Get(field) | Op::Set(field) => self.scope(op, field, false),
            Op::Drop => self.need_hand("`drop`"),
            Op::Push | Op::Tuck | Op::Pop => self.need_field("stack", "a stack"),
            Op::Jump(_) => self.need_field("next-turn", "`jump`"),
            Op::Repetitions | Op::BoardRepetitions | Op::FirstStood | Op::MovesMade | Op::LastMover => {
                let asks = matches!(purpose, Purpose::End | Purpose::AfterMove);
                self.require(Law::History, asks, || format!("`{}` is not in an end or after a move", op.name()));
            }
            Op::Replies => {
                let asks = purpose == Purpose::AfterMove;
                self.require(Law::History, asks, || format!("`{}` is not after a move", op.name()));
            }
            Op::MoveCount => {
                self.require(Law::History, purpose == Purpose::End, || format!("`{}` is not in an end", op.name()));
            }
            Op::Captured => {
                let asks = !matches!(purpose, Purpose::Rule | Purpose::Concealment);
                self.require(Law::History, asks, || format!("`{}` is in a rule or a concealment", op.name()));
            }
            _ => {}
        }
    }

    fn scope(&mut self, op: Op, field: Field, by_site: bool) {
        let Some(info) = self.rules.fields.get(field) else { return };
        let has_sites = matches!(info.scope, Scope::Piece | Scope::Site);
        let plain = !matches!(info.scope, Scope::Stack(_));
        self.require(Law::Scopes, plain && has_sites == by_site, || {
            format!("`{}` does not go with `{}`, whose scope is {:?}", op.name(), info.name, info.scope)
        });
    }

    fn bound(&mut self, local: Local, wanted: Type, program: Context<'r>) {
        let Some(local) = self.get(program.locals, local) else { return };
        self.require(Law::Bound, local.ty == wanted, || format!("`{}` is {:?}, not {wanted:?}", local.name, local.ty));
    }

    fn may_nest(&mut self, depth: usize) -> bool {
        let fits = depth <= limits::NESTING;
        self.require(Law::Nesting, fits, || format!("this is deeper than {} levels", limits::NESTING));
        fits
    }
}
