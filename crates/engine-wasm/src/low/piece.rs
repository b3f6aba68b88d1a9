//! A function's body as bytes, with gaps for what is not known while it is written: the numbers of functions, and constants for
//! which a function that stands for several has parameters.

use wasm_encoder::{BlockType, Encode as _, Instruction as I, MemArg};

use super::encode::{binary, unary, value};
use super::{Binary, Body, Ex, Fun, Label, Signature, Stmt, Ty, Width};

/// How many parameters a function may get for constants: so many local variables stand before its own, which so keep their
/// numbers.
pub(super) const SPARE: u32 = 24;

/// What fills a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    /// A constant.
    Number(i32),
    /// What is added to the address that was just computed, when it is no constant; it is followed by the next.
    Shift(u32),
    /// What is added to an address, when it is a constant.
    Offset(u32),
    /// The number of a function.
    Call(Fun),
}

impl Item {
    /// The constant, if it is one.
    pub(super) fn constant(self) -> Option<i32> {
        match self {
            Self::Number(number) => Some(number),
            Self::Shift(offset) | Self::Offset(offset) => Some(offset as i32),
            Self::Call(_) => None,
        }
    }

    /// The same item with another constant.
    pub(super) fn with(self, constant: i32) -> Self {
        match self {
            Self::Number(_) => Self::Number(constant),
            Self::Shift(_) => Self::Shift(constant as u32),
            Self::Offset(_) => Self::Offset(constant as u32),
            Self::Call(_) => self,
        }
    }
}

/// The body of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    pub(super) params: u32,
    pub(super) variables: Vec<Ty>,
    pub(super) bytes: Vec<u8>,
    /// What stands in gaps, and before which byte each is.
    pub(super) items: Vec<(u32, Item)>,
}

impl Piece {
    /// Writes a body; the signatures say what called functions give.
    pub(super) fn of(signatures: &[Signature], signature: &Signature, body: &Body) -> Self {
        let params = signature.params.len() as u32;
        let mut writer = Writer { signatures, params, bytes: Vec::new(), items: Vec::new(), labels: Vec::new() };
        writer.statements(body.statements());
        // A function that gives a value returns it before its end.
        if signature.result.is_some() {
            writer.op(&I::Unreachable);
        }
        writer.op(&I::End);
        let Writer { bytes, items, .. } = writer;
        Self { params, variables: body.variables().to_vec(), bytes, items }
    }

    /// The bytes of the function. `number` says what a function is called; `parameter` which parameter stands for the constant in a
    /// gap, counted from the first that was added.
    pub(super) fn fill(
        &self,
        added: u32,
        number: impl Fn(Fun, &mut Vec<u8>),
        parameter: impl Fn(usize) -> Option<u32>,
    ) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len() + self.items.len() * 4 + 16);
        let spare = std::iter::repeat_n(Ty::I32, (SPARE - added) as usize);
        let mut runs: Vec<(u32, Ty)> = Vec::new();
        for ty in spare.chain(self.variables.iter().copied()) {
            match runs.last_mut() {
                Some((count, last)) if *last == ty => *count += 1,
                _ => runs.push((1, ty)),
            }
        }
        (runs.len() as u32).encode(&mut out);
        for (count, ty) in runs {
            count.encode(&mut out);
            value(ty).encode(&mut out);
        }
        let mut done = 0;
        for (index, &(at, item)) in self.items.iter().enumerate() {
            out.extend_from_slice(&self.bytes[done..at as usize]);
            done = at as usize;
            match (item, parameter(index)) {
                (Item::Call(function), _) => number(function, &mut out),
                (Item::Number(constant), None) => I::I32Const(constant).encode(&mut out),
                (Item::Number(_), Some(parameter)) => I::LocalGet(self.params + parameter).encode(&mut out),
                (Item::Shift(_), None) => {}
                (Item::Shift(_), Some(parameter)) => {
                    I::LocalGet(self.params + parameter).encode(&mut out);
                    I::I32Add.encode(&mut out);
                }
                (Item::Offset(offset), None) => offset.encode(&mut out),
                (Item::Offset(_), Some(_)) => 0_u32.encode(&mut out),
            }
        }
        out.extend_from_slice(&self.bytes[done..]);
        out
    }
}

struct Writer<'m> {
    signatures: &'m [Signature],
    params: u32,
    bytes: Vec<u8>,
    items: Vec<(u32, Item)>,
    /// The blocks that are open, the innermost last; those of `if` have no label.
    labels: Vec<Option<Label>>,
}

impl Writer<'_> {
    fn op(&mut self, instruction: &I<'_>) {
        instruction.encode(&mut self.bytes);
    }

    fn gap(&mut self, item: Item) {
        self.items.push((self.bytes.len() as u32, item));
    }

    /// The number of a local variable, behind those that are kept for parameters.
    fn local(&self, local: u32) -> u32 {
        if local < self.params { local } else { local + SPARE }
    }

    /// An instruction that reads or writes memory.
    fn memory(&mut self, code: &I<'_>, offset: u32) {
        self.op(code);
        // The last byte is the offset of 0, which is filled in.
        assert_eq!(self.bytes.pop(), Some(0), "the offset comes last");
        self.gap(Item::Offset(offset));
    }

    fn call(&mut self, function: Fun) {
        self.gap(Item::Call(function));
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn inside(&mut self, label: Option<Label>, statements: &[Stmt]) {
        self.labels.push(label);
        self.statements(statements);
        self.labels.pop();
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Set(local, value) => {
                self.expr(value);
                self.op(&I::LocalSet(self.local(local.0)));
            }
            Stmt::SetGlobal(global, value) => {
                self.expr(value);
                self.op(&I::GlobalSet(global.0));
            }
            Stmt::Store(width, address, offset, value) => {
                let (address, offset) = match address {
                    Ex::Binary(Binary::Add, operands) => match &**operands {
                        (base, Ex::C32(more)) if *more >= 0 => (base, offset + *more as u32),
                        _ => (address, *offset),
                    },
                    _ => (address, *offset),
                };
                self.expr(address);
                self.gap(Item::Shift(offset));
                self.expr(value);
                let code = match width {
                    Width::U8 => I::I32Store8(at(0)),
                    Width::U16 => I::I32Store16(at(1)),
                    Width::I32 => I::I32Store(at(2)),
                    Width::I64 => I::I64Store(at(2)),
                };
                self.memory(&code, offset);
            }
            Stmt::If(condition, then, otherwise) => {
                self.expr(condition);
                self.op(&I::If(BlockType::Empty));
                self.inside(None, then);
                if !otherwise.is_empty() {
                    self.op(&I::Else);
                    self.inside(None, otherwise);
                }
                self.op(&I::End);
            }
            Stmt::Block(label, inside) => {
                self.op(&I::Block(BlockType::Empty));
                self.inside(Some(*label), inside);
                self.op(&I::End);
            }
            Stmt::Loop(label, inside) => {
                self.op(&I::Loop(BlockType::Empty));
                self.inside(Some(*label), inside);
                self.op(&I::End);
            }
            Stmt::Go(label) => {
                let depth = self.labels.iter().rev().position(|open| *open == Some(*label));
                self.op(&I::Br(depth.expect("control goes to an open block") as u32));
            }
            Stmt::Return(result) => {
                if let Some(result) = result {
                    self.expr(result);
                }
                self.op(&I::Return);
            }
            Stmt::Eval(value) => {
                self.expr(value);
                self.op(&I::Drop);
            }
            Stmt::Call(function, arguments) => {
                arguments.iter().for_each(|argument| self.expr(argument));
                self.call(*function);
                if self.signatures[function.0 as usize].result.is_some() {
                    self.op(&I::Drop);
                }
            }
            Stmt::Copy(to, from, count) => {
                [to, from, count].into_iter().for_each(|operand| self.expr(operand));
                self.op(&I::MemoryCopy { src_mem: 0, dst_mem: 0 });
            }
            Stmt::Clear(at, count) => {
                self.expr(at);
                self.op(&I::I32Const(0));
                self.expr(count);
                self.op(&I::MemoryFill(0));
            }
            Stmt::Grow(failed, pages) => {
                self.expr(pages);
                self.op(&I::MemoryGrow(0));
                self.op(&I::I32Const(-1));
                self.op(&I::I32Eq);
                self.op(&I::LocalSet(self.local(failed.0)));
            }
            Stmt::Trap => self.op(&I::Unreachable),
        }
    }

    fn expr(&mut self, expr: &Ex) {
        match expr {
            Ex::C32(value) => self.gap(Item::Number(*value)),
            Ex::C64(value) => self.op(&I::I64Const(*value)),
            Ex::Local(local) => self.op(&I::LocalGet(self.local(local.0))),
            Ex::Global(global) => self.op(&I::GlobalGet(global.0)),
            Ex::Load(width, address, offset) => {
                self.expr(address);
                self.gap(Item::Shift(*offset));
                let code = match width {
                    Width::U8 => I::I32Load8U(at(0)),
                    Width::U16 => I::I32Load16U(at(1)),
                    Width::I32 => I::I32Load(at(2)),
                    Width::I64 => I::I64Load(at(2)),
                };
                self.memory(&code, *offset);
            }
            Ex::Binary(op, operands) => {
                let (left, right) = &**operands;
                self.expr(left);
                self.expr(right);
                self.op(&binary(*op, left.ty()));
            }
            Ex::Unary(op, operand) => {
                self.expr(operand);
                self.op(&unary(*op, operand.ty()));
            }
            Ex::Pick(parts) => {
                let (condition, yes, no) = &**parts;
                self.expr(condition);
                self.op(&I::If(BlockType::Result(value(yes.ty()))));
                self.labels.push(None);
                self.expr(yes);
                self.op(&I::Else);
                self.expr(no);
                self.labels.pop();
                self.op(&I::End);
            }
            Ex::Select(parts) => {
                let (condition, yes, no) = &**parts;
                [yes, no, condition].into_iter().for_each(|operand| self.expr(operand));
                self.op(&I::Select);
            }
            Ex::Call(function, arguments, _) => {
                arguments.iter().for_each(|argument| self.expr(argument));
                self.call(*function);
            }
            Ex::After(statements, value) => {
                self.statements(statements);
                self.expr(value);
            }
        }
    }
}

fn at(align: u32) -> MemArg {
    MemArg { offset: 0, align, memory_index: 0 }
}
