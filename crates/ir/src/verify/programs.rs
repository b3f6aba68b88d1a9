//! Laws of programs: rules' bodies and conditions.

use dagaz_base::{Id, IdMap};

use super::{Checker, Law, Part};
use crate::code::{Block, Emit, Expr, Function, Local, LocalInfo, Next, Stmt, StmtKind};
use crate::limits;
use crate::op::{Arguments, Immediate, Op, Type};
use crate::rules::{Field, Rule, Scope};

/// What a program is for, and what it is made with.
#[derive(Clone, Copy)]
struct Program<'r> {
    purpose: Purpose,
    locals: &'r IdMap<Local, LocalInfo>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Rule,
    Invariant,
    End,
}

impl<'r> Checker<'r> {
    pub(super) fn programs(&mut self) {
        let rules = self.rules;
        for (id, rule) in rules.rules.iter() {
            self.from(rule.origin, Part::Thing("rule", id.index(), &rule.name), |this| this.rule(rule));
        }
        for (index, invariant) in rules.invariants.iter().enumerate() {
            self.from(invariant.origin, Part::Thing("invariant", index, &invariant.name), |this| {
                this.function(&invariant.condition, Purpose::Invariant);
            });
        }
        for (index, end) in rules.ends.iter().enumerate() {
            self.from(end.origin, Part::Thing("end", index, &end.name), |this| {
                end.players.iter().for_each(|&player| this.check_id(&rules.players, player));
                this.function(&end.condition, Purpose::End);
            });
        }
    }

    fn rule(&mut self, rule: &'r Rule) {
        self.rule_head(rule);
        let first = rule.locals.values().next().map(|local| local.ty);
        self.require(Law::Locals, first == Some(Type::Site), || format!("its first local is {first:?}, not a site"));
        self.local_types(&rule.locals);
        let program = Program { purpose: Purpose::Rule, locals: &rule.locals };
        self.block("body", &rule.body, program, 1);
    }

    fn function(&mut self, function: &'r Function, purpose: Purpose) {
        self.local_types(&function.locals);
        let program = Program { purpose, locals: &function.locals };
        self.expr("condition", &function.body, Type::Bool, program, 1);
    }

    fn local_types(&mut self, locals: &'r IdMap<Local, LocalInfo>) {
        for local in locals.values() {
            self.require(Law::Locals, local.ty != Type::Effect, || format!("`{}` holds an effect", local.name));
        }
    }

    fn block(&mut self, word: &'static str, block: &'r Block, program: Program<'r>, depth: usize) {
        for (index, stmt) in block.iter().enumerate() {
            self.at(Part::Word(word), |this| {
                this.from(stmt.origin, Part::Index(index), |this| this.stmt(stmt, program, depth));
            });
        }
    }

    fn stmt(&mut self, stmt: &'r Stmt, program: Program<'r>, depth: usize) {
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
                self.bound(*local, program);
                self.expr("set", set, Type::Set, program, deeper);
                self.block("do", body, program, deeper);
            }
            StmtKind::Verify(condition) => self.expr("condition", condition, Type::Bool, program, deeper),
            StmtKind::Effect(effect) => self.expr("effect", effect, Type::Effect, program, deeper),
            StmtKind::Attempt(body) => self.block("attempt", body, program, deeper),
            StmtKind::Forget | StmtKind::Discard => {}
            StmtKind::Emit(emit) => self.emit(emit, program, deeper),
        }
    }

    fn emit(&mut self, emit: &'r Emit, program: Program<'r>, depth: usize) {
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

    fn expr(&mut self, word: &'static str, expr: &'r Expr, wanted: Type, program: Program<'r>, depth: usize) {
        self.at(Part::Word(word), |this| this.check_expr(expr, wanted, program, depth));
    }

    fn check_expr(&mut self, expr: &'r Expr, wanted: Type, program: Program<'r>, depth: usize) {
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
                this.at(Part::Index(index), |this| this.check_expr(arg, ty, program, depth + 1));
            });
        }
    }

    fn immediate(&mut self, op: Op, program: Program<'r>) {
        let rules = self.rules;
        match op.immediate() {
            None | Some(Immediate::Int(_) | Immediate::Bool(_)) => {}
            Some(Immediate::Local(local)) if matches!(op, Op::Local(_)) => self.check_id(program.locals, local),
            // Every other operation with a local gives it the sites of a set, one after the other.
            Some(Immediate::Local(local)) => self.bound(local, program),
            Some(Immediate::Site(site)) => self.check_site(site),
            Some(Immediate::Direction(direction)) => {
                let count = rules.topology.directions().len();
                let exists = direction.index() < count;
                self.require(Law::Ids, exists, || format!("there is no {direction:?} among {count}"));
            }
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
            Op::Repetitions | Op::MoveCount | Op::LastMover => {
                self.require(Law::History, purpose == Purpose::End, || format!("`{}` is not in an end", op.name()));
            }
            Op::Captured => {
                self.require(Law::History, purpose != Purpose::Rule, || format!("`{}` is in a rule", op.name()));
            }
            _ => {}
        }
    }

    fn scope(&mut self, op: Op, field: Field, by_site: bool) {
        let Some(info) = self.rules.fields.get(field) else { return };
        let has_sites = matches!(info.scope, Scope::Piece | Scope::Site);
        self.require(Law::Scopes, has_sites == by_site, || {
            format!("`{}` does not go with `{}`, whose scope is {:?}", op.name(), info.name, info.scope)
        });
    }

    fn bound(&mut self, local: Local, program: Program<'r>) {
        let Some(local) = self.get(program.locals, local) else { return };
        self.require(Law::Bound, local.ty == Type::Site, || format!("`{}` is {:?}, not a site", local.name, local.ty));
    }

    fn may_nest(&mut self, depth: usize) -> bool {
        let fits = depth <= limits::NESTING;
        self.require(Law::Nesting, fits, || format!("this is deeper than {} levels", limits::NESTING));
        fits
    }
}
