//! The body of a function while it is written.

use super::{Ex, Fun, Global, Label, Ty, V, Width};

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Set(V, Ex),
    SetGlobal(Global, Ex),
    Store(Width, Ex, u32, Ex),
    If(Ex, Vec<Stmt>, Vec<Stmt>),
    /// Statements; going to the label leaves them.
    Block(Label, Vec<Stmt>),
    /// Statements; going to the label begins them anew. They run once otherwise.
    Loop(Label, Vec<Stmt>),
    Go(Label),
    Return(Option<Ex>),
    /// For what the expression does besides having a value.
    Eval(Ex),
    Call(Fun, Vec<Ex>),
    /// Copies bytes: to, from, how many.
    Copy(Ex, Ex, Ex),
    /// Zeros: where, how many bytes.
    Clear(Ex, Ex),
    /// Makes memory larger by so many pages; the local is true when that failed.
    Grow(V, Ex),
    Trap,
}

/// A function's local variables and statements.
#[derive(Debug)]
pub(crate) struct Body {
    params: usize,
    pub(super) locals: Vec<Ty>,
    pub(super) open: Vec<Vec<Stmt>>,
    labels: u32,
}

impl Body {
    pub(crate) fn new(params: &[Ty]) -> Self {
        Self { params: params.len(), locals: params.to_vec(), open: vec![Vec::new()], labels: 0 }
    }

    pub(super) fn variables(&self) -> &[Ty] {
        &self.locals[self.params..]
    }

    pub(super) fn statements(&self) -> &[Stmt] {
        assert_eq!(self.open.len(), 1, "every block is closed");
        &self.open[0]
    }

    pub(crate) fn push(&mut self, statement: Stmt) {
        self.open.last_mut().expect("a block is open").push(statement);
    }

    /// A new local; it is 0 at the start of the function only.
    pub(crate) fn local(&mut self, ty: Ty) -> V {
        self.locals.push(ty);
        V(self.locals.len() as u32 - 1, ty)
    }

    /// A new local with this value.
    pub(crate) fn bind(&mut self, value: impl Into<Ex>) -> V {
        let value = value.into();
        let local = self.local(value.ty());
        self.set(local, value);
        local
    }

    pub(crate) fn set(&mut self, local: V, value: impl Into<Ex>) {
        let value = value.into();
        debug_assert_eq!(local.1, value.ty(), "{value:?}");
        self.push(Stmt::Set(local, value));
    }

    pub(crate) fn set_global(&mut self, global: Global, value: impl Into<Ex>) {
        self.push(Stmt::SetGlobal(global, value.into()));
    }

    pub(crate) fn store(&mut self, width: Width, address: impl Into<Ex>, offset: u32, value: impl Into<Ex>) {
        self.push(Stmt::Store(width, address.into(), offset, value.into()));
    }

    /// Writes statements apart: what `write` says is given back, not added.
    pub(crate) fn apart<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> (Vec<Stmt>, R) {
        self.open_block();
        let result = write(self);
        (self.close_block(), result)
    }

    /// For who cannot write apart in a closure: statements go elsewhere until the block is closed.
    pub(crate) fn open_block(&mut self) {
        self.open.push(Vec::new());
    }

    /// The statements since the block was opened.
    pub(crate) fn close_block(&mut self) -> Vec<Stmt> {
        self.open.pop().expect("a block was opened")
    }

    pub(crate) fn when(&mut self, condition: impl Into<Ex>, then: impl FnOnce(&mut Self)) {
        self.either(condition, then, |_| {});
    }

    pub(crate) fn either(
        &mut self,
        condition: impl Into<Ex>,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let condition = condition.into();
        let then = self.apart(then).0;
        let otherwise = self.apart(otherwise).0;
        match condition {
            Ex::C32(0) => otherwise.into_iter().for_each(|statement| self.push(statement)),
            Ex::C32(_) => then.into_iter().for_each(|statement| self.push(statement)),
            condition => self.push(Stmt::If(condition, then, otherwise)),
        }
    }

    /// A label for a block that is written apart.
    pub(crate) fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }

    /// Statements that can be left by going to the label.
    pub(crate) fn block(&mut self, write: impl FnOnce(&mut Self, Label)) {
        let label = self.label();
        let inside = self.apart(|body| write(body, label)).0;
        self.push(Stmt::Block(label, inside));
    }

    /// Statements that are repeated until something goes to the label behind them.
    pub(crate) fn repeat(&mut self, write: impl FnOnce(&mut Self, Label)) {
        let (again, out) = (self.label(), self.label());
        let mut inside = self.apart(|body| write(body, out)).0;
        inside.push(Stmt::Go(again));
        self.push(Stmt::Block(out, vec![Stmt::Loop(again, inside)]));
    }

    /// Statements that are repeated while the condition, computed anew each time, is true.
    pub(crate) fn repeat_while(&mut self, condition: impl Into<Ex>, write: impl FnOnce(&mut Self, Label)) {
        let condition = condition.into();
        self.repeat(|body, out| {
            body.when(condition.eqz(), |body| body.go(out));
            write(body, out);
        });
    }

    /// Counts a new local from `low` up to, not including, `high`, which is computed once.
    pub(crate) fn count(&mut self, low: impl Into<Ex>, high: impl Into<Ex>, write: impl FnOnce(&mut Self, V, Label)) {
        let high = self.bind(high);
        let index = self.bind(low);
        self.repeat_while(index.lt_s(high), |body, out| {
            write(body, index, out);
            body.set(index, index + 1);
        });
    }

    pub(crate) fn go(&mut self, label: Label) {
        self.push(Stmt::Go(label));
    }

    pub(crate) fn give(&mut self, value: impl Into<Ex>) {
        self.push(Stmt::Return(Some(value.into())));
    }

    pub(crate) fn leave(&mut self) {
        self.push(Stmt::Return(None));
    }

    pub(crate) fn call(&mut self, function: Fun, arguments: Vec<Ex>) {
        self.push(Stmt::Call(function, arguments));
    }

    pub(crate) fn eval(&mut self, value: impl Into<Ex>) {
        self.push(Stmt::Eval(value.into()));
    }
}

impl Stmt {
    /// Whether it repeats something, or calls what might.
    pub(crate) fn repeats(&self) -> bool {
        let all = |statements: &[Stmt]| statements.iter().any(Stmt::repeats);
        match self {
            Self::Loop(..) | Self::Call(..) | Self::Copy(..) | Self::Clear(..) => true,
            Self::If(condition, then, otherwise) => condition.repeats() || all(then) || all(otherwise),
            Self::Block(_, inside) => all(inside),
            Self::Set(_, value) | Self::SetGlobal(_, value) | Self::Eval(value) => value.repeats(),
            Self::Store(_, address, _, value) => address.repeats() || value.repeats(),
            Self::Return(value) => value.as_ref().is_some_and(Ex::repeats),
            Self::Go(_) | Self::Grow(..) | Self::Trap => false,
        }
    }
}

impl Ex {
    fn repeats(&self) -> bool {
        match self {
            Self::C32(_) | Self::C64(_) | Self::Local(_) | Self::Global(_) => false,
            Self::Load(_, address, _) => address.repeats(),
            Self::Binary(_, operands) => operands.0.repeats() || operands.1.repeats(),
            Self::Unary(_, operand) => operand.repeats(),
            Self::Pick(parts) | Self::Select(parts) => parts.0.repeats() || parts.1.repeats() || parts.2.repeats(),
            Self::Call(..) => true,
            Self::After(statements, value) => statements.iter().any(Stmt::repeats) || value.repeats(),
        }
    }
}
