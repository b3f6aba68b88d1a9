//! Programs: structured statements over typed locals.

use dagaz_base::{IdMap, Origin, id_type};

use crate::op::{Op, Type};
use crate::rules::MoveType;

id_type!(
    /// A local variable of one function.
    Local
);

/// A local variable. It starts as 0, false, nowhere or the empty set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalInfo {
    /// Its name, for the text form and for explanations.
    pub name: String,
    /// The type of its value.
    pub ty: Type,
}

/// An expression: an operation and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What is done.
    pub op: Op,
    /// To what.
    pub args: Box<[Expr]>,
}

impl Expr {
    /// The operation applied to these arguments.
    pub fn new(op: Op, args: impl Into<Box<[Expr]>>) -> Self {
        Self { op, args: args.into() }
    }

    /// An operation without arguments.
    pub fn leaf(op: Op) -> Self {
        Self { op, args: Box::default() }
    }

    /// A local's value.
    pub fn local(local: Local) -> Self {
        Self::leaf(Op::Local(local))
    }

    /// A number.
    pub fn int(value: i32) -> Self {
        Self::leaf(Op::Int(value))
    }

    /// Whether something is true of the expression or of a part of it.
    pub fn any(&self, test: &dyn Fn(&Self) -> bool) -> bool {
        test(self) || self.args.iter().any(|arg| arg.any(test))
    }

    /// The negation, without stacking one on another.
    #[must_use]
    pub fn negated(mut self) -> Self {
        match self.op {
            Op::Not => std::mem::take(&mut self.args).into_vec().remove(0),
            Op::Bool(value) => Self::leaf(Op::Bool(!value)),
            _ => Self::new(Op::Not, [self]),
        }
    }
}

/// Statements in order.
pub type Block = Vec<Stmt>;

/// One statement and where it stands in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it comes from; nothing for what a front end made up.
    pub origin: Option<Origin>,
}

impl Stmt {
    /// Whether something is true of a statement of a block, or of one inside it.
    pub fn any(block: &[Stmt], test: &dyn Fn(&Stmt) -> bool) -> bool {
        block.iter().any(|stmt| test(stmt) || stmt.blocks().into_iter().any(|inside| Self::any(inside, test)))
    }

    /// The expressions that stand in it, without those of the statements inside it.
    pub fn expressions(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Let(_, value) | StmtKind::Verify(value) | StmtKind::Effect(value) => vec![value],
            StmtKind::If(value, ..) | StmtKind::While(value, _) | StmtKind::For(_, value, _) => vec![value],
            StmtKind::Range(_, low, high, _) => vec![low, high],
            StmtKind::Attempt(_) | StmtKind::Try(_) | StmtKind::Forget | StmtKind::Discard => Vec::new(),
            StmtKind::Emit(emit) => {
                let again = match &emit.next {
                    Next::Done => None,
                    Next::Again(site, _) => Some(site),
                };
                let sites = [&emit.from, &emit.to].into_iter();
                sites.chain(&emit.choice).chain(&emit.parameters).chain(again).collect()
            }
        }
    }

    /// The blocks inside it.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::If(_, then, otherwise) => vec![then, otherwise],
            StmtKind::While(_, body)
            | StmtKind::For(_, _, body)
            | StmtKind::Range(_, _, _, body)
            | StmtKind::Attempt(body)
            | StmtKind::Try(body) => vec![body],
            _ => Vec::new(),
        }
    }
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// Gives a local a value.
    Let(Local, Expr),
    /// Goes one way or the other.
    If(Expr, Block, Block),
    /// Repeats while the condition is true.
    While(Expr, Block),
    /// Runs once for each site of a set, in order; the set is computed first.
    For(Local, Expr, Block),
    /// Ends the function unless the condition is true.
    Verify(Expr),
    /// Queues an effect on the move; an effect on nowhere is none.
    Effect(Expr),
    /// Runs once for each number from the first to the second, both included.
    Range(Local, Expr, Expr, Block),
    /// Runs the block; the effects that it queued are then taken back.
    Attempt(Block),
    /// The same, and a `verify` that is false ends only the block. Locals, and effects from before that are taken back inside,
    /// are put back too.
    Try(Block),
    /// Takes back all queued effects but the displacements ([`Op::Move`], [`Op::Copy`] and [`Op::Drop`]).
    Forget,
    /// Takes back all queued displacements.
    Discard,
    /// Makes a step out of the effects queued so far; generation goes on.
    Emit(Box<Emit>),
}

/// The step that is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emit {
    /// The site it starts from, or nowhere (a drop).
    pub from: Expr,
    /// The site it ends at, or nowhere.
    pub to: Expr,
    /// The kind that was chosen, when the rule offers a choice: part of the move's name.
    pub choice: Option<Expr>,
    /// Numbers and sites that were chosen besides: part of the move's name, and known to the rule's last part.
    pub parameters: Vec<Expr>,
    /// Whether it ends the move.
    pub next: Next,
}

/// What follows a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The move is complete.
    Done,
    /// The piece on this site goes on, with rules of this move type, or with any.
    Again(Expr, Option<MoveType>),
}

/// A condition with locals of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its local variables.
    pub locals: IdMap<Local, LocalInfo>,
    /// Its value.
    pub body: Expr,
}

/// Statements with locals of their own that are run while a step is made. They see the state as it is by then, and their
/// effects are made at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The local variables. The first two are sites: where the step starts and where it ends. In the last part of a rule
    /// those of the step's parameters follow.
    pub locals: IdMap<Local, LocalInfo>,
    /// The locals that keep their values from one move of a list to the next: bounds that all moves of the list are held
    /// against. They start as 0.
    pub bounds: Vec<Local>,
    /// The statements.
    pub body: Block,
    /// Where it stands.
    pub origin: Option<Origin>,
}
