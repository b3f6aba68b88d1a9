//! Statements and expressions out of text.

use dagaz_base::IdMap;

use super::Parser;
use crate::code::{Block, Emit, Expr, Function, Local, LocalInfo, Next, Stmt, StmtKind};
use crate::op::{Immediate, ImmediateKind, Op, Type};
use crate::text::items::{Items, Result, Table, number, word};
use crate::text::read::{Shape, Tree, Wrong};
use crate::text::words::is_constant;

impl Parser {
    pub(super) fn function(&self, mut items: Items<'_>) -> Result<Function> {
        let none = Items { rest: &[], end: items.end };
        let (locals, table) = self.locals(items.clause("locals").unwrap_or(none))?;
        let body = self.next_expr(&mut items, &table)?;
        items.finish().map(|()| Function { locals, body })
    }

    pub(super) fn locals(&self, mut items: Items<'_>) -> Result<(IdMap<Local, LocalInfo>, Table<Local>)> {
        let locals: IdMap<Local, LocalInfo> = items.each(|tree| {
            let mut items = Items::of(tree, "`(name type)`")?;
            let local = LocalInfo { name: items.name()?, ty: items.choice::<Type>()? };
            items.finish().map(|()| local)
        })?;
        let table = Table::new("a local", locals.values().map(|local| local.name.clone()));
        Ok((locals, table))
    }

    pub(super) fn block(&self, mut items: Items<'_>, locals: &Table<Local>) -> Result<Block> {
        items.each(|tree| self.stmt(tree, locals))
    }

    fn stmt(&self, tree: &Tree<'_>, locals: &Table<Local>) -> Result<Stmt> {
        let mut items = Items::of(tree, "a statement")?;
        let head = items.next("a statement")?;
        let origin = self.origin(&mut items)?;
        let kind = match word(head).unwrap_or_default() {
            "let" => StmtKind::Let(locals.next(&mut items)?, self.next_expr(&mut items, locals)?),
            "if" => self.branch(&mut items, locals)?,
            "while" => StmtKind::While(self.next_expr(&mut items, locals)?, self.rest(&mut items, locals)?),
            "for" => {
                let (local, set) = (locals.next(&mut items)?, self.next_expr(&mut items, locals)?);
                StmtKind::For(local, set, self.rest(&mut items, locals)?)
            }
            "range" => StmtKind::Range(
                locals.next(&mut items)?,
                self.next_expr(&mut items, locals)?,
                self.next_expr(&mut items, locals)?,
                self.rest(&mut items, locals)?,
            ),
            "verify" => StmtKind::Verify(self.next_expr(&mut items, locals)?),
            "effect" => StmtKind::Effect(self.next_expr(&mut items, locals)?),
            "attempt" => StmtKind::Attempt(self.rest(&mut items, locals)?),
            "try" => StmtKind::Try(self.rest(&mut items, locals)?),
            "forget" => StmtKind::Forget,
            "discard" => StmtKind::Discard,
            "emit" => StmtKind::Emit(Box::new(self.emit(&mut items, locals)?)),
            _ => {
                let effect = self.operation(head, &mut items, locals, "a statement")?;
                if effect.op.result() != Type::Effect {
                    return Err(Wrong::new(head.at, "a statement"));
                }
                StmtKind::Effect(effect)
            }
        };
        items.finish().map(|()| Stmt { kind, origin })
    }

    /// Statements up to the end of the list.
    fn rest(&self, items: &mut Items<'_>, locals: &Table<Local>) -> Result<Block> {
        self.block(std::mem::replace(items, Items { rest: &[], end: items.end }), locals)
    }

    fn branch(&self, items: &mut Items<'_>, locals: &Table<Local>) -> Result<StmtKind> {
        let condition = self.next_expr(items, locals)?;
        let (mut then, mut otherwise) = (Block::new(), Block::new());
        while !items.rest.is_empty() {
            if let Some(block) = items.clause("else") {
                otherwise = self.block(block, locals)?;
                break;
            }
            then.push(self.stmt(items.next("a statement")?, locals)?);
        }
        Ok(StmtKind::If(condition, then, otherwise))
    }

    fn emit(&self, items: &mut Items<'_>, locals: &Table<Local>) -> Result<Emit> {
        let (from, to) = (self.next_expr(items, locals)?, self.next_expr(items, locals)?);
        let choice = items.clause("choice").map(|mut items| {
            let choice = self.next_expr(&mut items, locals)?;
            items.finish().map(|()| choice)
        });
        let choice = choice.transpose()?;
        let parameters = match items.clause("parameters") {
            Some(mut items) => items.each(|tree| self.expr(tree, locals))?,
            None => Vec::new(),
        };
        let next = match items.clause("again") {
            None => Next::Done,
            Some(mut items) => {
                let next = Next::Again(self.next_expr(&mut items, locals)?, self.move_type(&mut items)?);
                items.finish()?;
                next
            }
        };
        Ok(Emit { from, to, choice, parameters, next })
    }

    fn next_expr(&self, items: &mut Items<'_>, locals: &Table<Local>) -> Result<Expr> {
        self.expr(items.next("an expression")?, locals)
    }

    fn expr(&self, tree: &Tree<'_>, locals: &Table<Local>) -> Result<Expr> {
        match &tree.shape {
            Shape::Word("true") => Ok(Expr::leaf(Op::Bool(true))),
            Shape::Word("false") => Ok(Expr::leaf(Op::Bool(false))),
            Shape::Word(word) if is_constant(word) => Ok(Expr::int(number(tree)?)),
            Shape::Word(_) | Shape::Quoted(..) => Ok(Expr::local(locals.find(tree)?)),
            Shape::List(..) => {
                let mut items = Items::of(tree, "an expression")?;
                let head = items.next("an operation")?;
                self.operation(head, &mut items, locals, "an operation")
            }
        }
    }

    /// The operation that `head` names, of all the items.
    fn operation(&self, head: &Tree<'_>, items: &mut Items<'_>, locals: &Table<Local>, what: &str) -> Result<Expr> {
        let wrong = || Wrong::new(head.at, what);
        let name = word(head).ok_or_else(wrong)?;
        let immediate = match Op::immediate_of(name).ok_or_else(wrong)? {
            None => None,
            Some(ImmediateKind::Int) => Some(Immediate::Int(items.number()?)),
            Some(ImmediateKind::Bool) => Some(Immediate::Bool(items.number()?)),
            Some(ImmediateKind::Local) => Some(Immediate::Local(locals.next(items)?)),
            Some(ImmediateKind::Site) => Some(Immediate::Site(self.sites.next(items)?)),
            Some(ImmediateKind::Direction) => Some(Immediate::Direction(self.directions.next(items)?)),
            Some(ImmediateKind::Zone) => Some(Immediate::Zone(self.zones.next(items)?)),
            Some(ImmediateKind::Kind) => Some(Immediate::Kind(self.kinds.next(items)?)),
            Some(ImmediateKind::Player) => Some(Immediate::Player(self.players.next(items)?)),
            Some(ImmediateKind::Field) => Some(Immediate::Field(self.fields.next(items)?)),
            Some(ImmediateKind::Compass) => Some(Immediate::Compass(self.compasses.next(items)?)),
            Some(ImmediateKind::Label) => Some(Immediate::Label(self.labels.next(items)?)),
            Some(ImmediateKind::MoveType) => Some(Immediate::MoveType(self.move_type(items)?)),
        };
        let op = Op::of(name, immediate).ok_or_else(wrong)?;
        Ok(Expr { op, args: items.each(|tree| self.expr(tree, locals))? })
    }
}
