//! Programs: statements in every order, around the few shapes by which rules make steps at all.

use dagaz_base::{Id, IdMap};
use dagaz_ir::{Block, Emit, Expr, Function, Local, LocalInfo, Next, Op, Program, Stmt, StmtKind, Trigger, Type};

use super::Maker;

/// How deep statements nest.
const DEPTH: usize = 3;

/// How many sets one inside the other an expression may go through: each has a local of its own.
pub(super) const QUANTIFIERS: usize = 3;

/// What a program is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Purpose {
    #[default]
    Rule,
    Stage,
    AfterMove,
    Invariant,
    End,
}

/// The program that is being made.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) purpose: Purpose,
    pub(super) locals: IdMap<Local, LocalInfo>,
    /// How many of the last locals go through a set at the moment: the first ones of them may be read.
    pub(super) open: usize,
}

/// The types of the locals of every program; those for the sites of sets come after them.
const TYPES: [Type; 10] =
    [Type::Site, Type::Site, Type::Int, Type::Site, Type::Int, Type::Set, Type::Bool, Type::Site, Type::Int, Type::Set];

/// Where a piece is about to go, and what counts the rounds of a loop.
const TARGET: usize = 3;
const ROUNDS: usize = 8;

impl Frame {
    pub(super) fn of(purpose: Purpose) -> Self {
        let types = TYPES.into_iter().chain([Type::Site; QUANTIFIERS]);
        let locals = types.enumerate().map(|(index, ty)| LocalInfo { name: format!("x{index}"), ty }).collect();
        Self { purpose, locals, open: 0 }
    }

    /// The locals of a type that may be read.
    pub(super) fn readable(&self, ty: Type) -> Vec<Local> {
        let count = TYPES.len() + self.open;
        self.locals.iter().take(count).filter(|(_, info)| info.ty == ty).map(|(local, _)| local).collect()
    }

    /// The local for the sites of the next set.
    pub(super) fn next(&self) -> Option<Local> {
        (self.open < QUANTIFIERS).then(|| Local::from_index(TYPES.len() + self.open))
    }
}

pub(super) fn statement(kind: StmtKind) -> Stmt {
    Stmt { kind, origin: None }
}

pub(super) fn local(index: usize) -> Expr {
    Expr::local(Local::from_index(index))
}

impl Maker<'_> {
    pub(super) fn function(&mut self, ty: Type, purpose: Purpose) -> Function {
        self.frame = Frame::of(purpose);
        Function { body: self.expr(ty), locals: std::mem::take(&mut self.frame.locals) }
    }

    /// A program of a stage once in so many times.
    pub(super) fn stage(&mut self, purpose: Purpose, times: usize) -> Option<Program> {
        if !self.choices.one_in(times) {
            return None;
        }
        self.frame = Frame::of(purpose);
        let bounded = purpose == Purpose::AfterMove && self.choices.one_in(2);
        let bounds = if bounded { [4, 5, 6].map(Local::from_index).into() } else { Vec::new() };
        let mut body = self.block(DEPTH, 3);
        if bounded {
            // A number is raised to the greatest, and the moves that do not reach it are refused.
            let (bound, number) = (Local::from_index(4), self.expr(Type::Int));
            body.push(statement(StmtKind::Let(Local::from_index(2), number)));
            let greatest = Expr::new(Op::Greatest, [local(2), local(4)]);
            body.push(statement(StmtKind::Let(bound, greatest)));
            body.push(statement(StmtKind::Verify(Expr::new(Op::AtMost, [local(4), local(2)]))));
        }
        Some(Program { locals: self.frame.locals.clone(), bounds, body, origin: None })
    }

    /// The body of a rule: it tries to make a step.
    pub(super) fn rule_body(&mut self, trigger: Trigger) -> Block {
        let mut body = self.block(DEPTH, 1);
        let target = Local::from_index(TARGET);
        match trigger {
            Trigger::Piece | Trigger::AnyPiece if self.choices.one_in(4) => return self.slide(),
            Trigger::Piece | Trigger::AnyPiece if self.choices.below(5) > 0 => {
                let step = |this: &mut Self, from: Expr| Expr::new(Op::Step(this.direction()), [from]);
                let slides = self.choices.one_in(3);
                let first = step(self, local(0));
                body.push(statement(StmtKind::Let(target, first)));
                let mut inside = self.block(DEPTH, 1);
                inside.push(statement(StmtKind::Effect(Expr::new(Op::Move, [local(0), local(TARGET)]))));
                inside.extend(self.block(DEPTH, 2));
                inside.push(self.emit(local(0), local(TARGET)));
                if slides {
                    let attempt = statement(StmtKind::Attempt(inside));
                    let further = statement(StmtKind::Let(target, step(self, local(TARGET))));
                    let round = self.counted(vec![attempt, further]);
                    let condition = Expr::new(Op::And, [Expr::new(Op::Empty, [local(TARGET)]), few_rounds()]);
                    body.push(statement(StmtKind::While(condition, round)));
                } else {
                    let on_board = Expr::new(Op::OnBoard, [local(TARGET)]);
                    body.push(statement(StmtKind::Verify(on_board)));
                    body.extend(inside);
                }
            }
            Trigger::Drop => {
                if self.choices.one_in(2) {
                    body.insert(0, statement(StmtKind::Verify(self.expr(Type::Bool))));
                }
                let kind = self.some_number();
                let drop = Expr::new(Op::Drop, [local(0), Expr::leaf(Op::Me), kind]);
                body.push(statement(StmtKind::Effect(drop)));
                body.push(self.emit(Expr::leaf(Op::Nowhere), local(0)));
            }
            Trigger::Piece | Trigger::AnyPiece | Trigger::Turn => {
                let mut inside = vec![statement(StmtKind::Effect(self.effect()))];
                inside.extend(self.block(DEPTH, 1));
                inside.push(self.emit(Expr::leaf(Op::Nowhere), local(TARGET)));
                let inside = vec![statement(StmtKind::Attempt(inside))];
                body.push(statement(StmtKind::For(target, self.expr(Type::Set), inside)));
            }
        }
        body
    }

    /// The body of a rule whose piece slides: to sites that it passes, to the one where it stops, or beyond an obstacle. Now and then
    /// something in it is not as slides are.
    fn slide(&mut self) -> Block {
        let (at, direction) = (Local::from_index(TARGET), self.direction());
        let further = |from: usize| {
            let next = statement(StmtKind::Let(at, Expr::new(Op::Step(direction), [local(from)])));
            [next, statement(StmtKind::Verify(Expr::new(Op::OnBoard, [local(TARGET)])))]
        };
        let mut body = if self.choices.one_in(6) { self.block(1, 1) } else { Vec::new() };
        body.extend(further(0));
        let hops = self.choices.pick(&[0, 0, 0, 1, 2]);
        for hop in 0..=hops {
            let mut round = Vec::new();
            if self.choices.one_in(5) {
                round.push(statement(StmtKind::Verify(self.expr(Type::Bool))));
            }
            if hop == hops && self.choices.below(3) > 0 {
                round.extend(self.step_of_slide());
            }
            round.extend(further(if self.choices.one_in(12) { 0 } else { TARGET }));
            let empty = Expr::new(Op::Empty, [local(TARGET)]);
            let condition = if self.choices.one_in(8) { Expr::new(Op::And, [empty, few_rounds()]) } else { empty };
            body.push(statement(StmtKind::While(condition, round)));
            if hop < hops {
                body.extend(further(TARGET));
            }
        }
        if self.choices.below(3) > 0 {
            let asked = self.choices.pick(&[Op::Enemy, Op::Friend, Op::OnBoard, Op::Empty, Op::Mine]);
            let asked = Expr::new(asked, [local(TARGET)]);
            let asked = if self.choices.one_in(2) { asked } else { asked.negated() };
            body.push(statement(StmtKind::Verify(asked)));
            body.extend(self.step_of_slide());
        }
        body
    }

    /// A step to where a sliding piece has come, with an effect before it or after it now and then.
    fn step_of_slide(&mut self) -> Block {
        let mut inside = vec![statement(StmtKind::Effect(Expr::new(Op::Move, [local(0), local(TARGET)])))];
        if self.choices.one_in(3) {
            let place = self.choices.below(2);
            inside.insert(place, statement(StmtKind::Effect(self.effect())));
        }
        let emit = match self.choices.one_in(5) {
            true => self.emit(local(0), local(TARGET)).kind,
            false => StmtKind::Emit(Box::new(Emit {
                from: local(0),
                to: local(TARGET),
                choice: None,
                parameters: Vec::new(),
                next: Next::Done,
            })),
        };
        inside.push(statement(emit));
        vec![statement(StmtKind::Attempt(inside)), statement(StmtKind::Forget)]
    }

    pub(super) fn block(&mut self, depth: usize, most: usize) -> Block {
        (0..self.choices.below(most + 1)).map(|_| self.stmt(depth)).collect()
    }

    /// A round of a loop, which counts it.
    fn counted(&mut self, mut inside: Block) -> Block {
        let next = Expr::new(Op::Add, [local(ROUNDS), Expr::int(1)]);
        inside.push(statement(StmtKind::Let(Local::from_index(ROUNDS), next)));
        inside
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        let deep = depth > 0;
        let inner = depth.saturating_sub(1);
        statement(match self.choices.below(18) {
            1 if deep => StmtKind::If(self.expr(Type::Bool), self.block(inner, 2), self.block(inner, 2)),
            2 if deep => {
                let condition = Expr::new(Op::And, [few_rounds(), self.expr(Type::Bool)]);
                let inside = self.block(inner, 2);
                StmtKind::While(condition, self.counted(inside))
            }
            3 if deep => {
                let site = self.variable(Type::Site);
                StmtKind::For(site, self.expr(Type::Set), self.block(inner, 2))
            }
            4 if deep => {
                let number = self.variable(Type::Int);
                let low = self.expr(Type::Int);
                let high = match self.choices.below(3) {
                    0 => self.expr(Type::Int),
                    _ => Expr::new(Op::Add, [low.clone(), Expr::int(2)]),
                };
                StmtKind::Range(number, low, high, self.block(inner, 2))
            }
            5 | 6 if deep => StmtKind::Attempt(self.block(inner, 3)),
            7 | 8 if deep => StmtKind::Try(self.block(inner, 3)),
            9 => StmtKind::Forget,
            10 => StmtKind::Discard,
            11 => {
                // Most conditions are asked where they do no harm to all that follows.
                let condition = self.expr(Type::Bool);
                let verify = statement(StmtKind::Verify(condition));
                if self.choices.one_in(3) { verify.kind } else { StmtKind::Try(vec![verify, self.stmt(inner)]) }
            }
            12 if self.frame.purpose == Purpose::Rule => {
                let (from, to) = (self.expr(Type::Site), self.expr(Type::Site));
                return self.emit(from, to);
            }
            13..=16 => StmtKind::Effect(self.effect()),
            _ => {
                let ty = self.choices.pick(&[Type::Int, Type::Site, Type::Set, Type::Bool]);
                StmtKind::Let(self.variable(ty), self.expr(ty))
            }
        })
    }

    /// A local that statements may change.
    fn variable(&mut self, ty: Type) -> Local {
        let locals = self.frame.readable(ty);
        self.choices.pick(&locals)
    }

    fn emit(&mut self, from: Expr, to: Expr) -> Stmt {
        let choice = self.choices.one_in(4).then(|| self.some_number());
        let parameters = (0..self.choices.pick(&[0, 0, 1, 2])).map(|_| {
            let ty = self.choices.pick(&[Type::Int, Type::Site]);
            self.expr(ty)
        });
        let parameters = parameters.collect();
        let next = match self.choices.below(8) {
            6 => Next::Again(to.clone(), self.move_type()),
            7 => Next::Again(self.expr(Type::Site), self.move_type()),
            _ => Next::Done,
        };
        statement(StmtKind::Emit(Box::new(Emit { from, to, choice, parameters, next })))
    }
}

/// Whether a loop has not gone round often.
fn few_rounds() -> Expr {
    Expr::new(Op::Less, [local(ROUNDS), Expr::int(5)])
}
