//! Turns a module into bytes.

use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataSection, ExportKind, ExportSection, Function, FunctionSection,
    GlobalSection, GlobalType, Instruction as I, MemArg, MemorySection, MemoryType, NameMap, NameSection, TypeSection,
    ValType,
};

use super::{Binary, Body, Ex, Label, Module, Signature, Stmt, Ty, Unary, Width};

/// How large a function may be: its variables times its bytes. What turns it into machine code keeps a table of about
/// this size, and more than that is not worth its memory.
const LARGEST: u64 = 1 << 31;

/// How many bytes all functions may have: so many are turned into machine code in some seconds.
const MOST_BYTES: usize = 8 << 20;

pub(super) fn encode(module: &Module, pages: u32, most: u32) -> Option<Vec<u8>> {
    let mut out = wasm_encoder::Module::new();
    let mut types = TypeSection::new();
    for signature in &module.signatures {
        types.ty().function(signature.params.iter().map(|&ty| value(ty)), signature.result.map(value));
    }
    out.section(&types);
    let mut functions = FunctionSection::new();
    (0..module.signatures.len() as u32).for_each(|index| {
        functions.function(index);
    });
    out.section(&functions);
    let mut memories = MemorySection::new();
    let (minimum, maximum) = (u64::from(pages), Some(u64::from(most)));
    memories.memory(MemoryType { minimum, maximum, memory64: false, shared: false, page_size_log2: None });
    out.section(&memories);
    let mut globals = GlobalSection::new();
    for &(ty, initial, _) in &module.globals {
        let initial = match ty {
            Ty::I32 => ConstExpr::i32_const(initial as i32),
            Ty::I64 => ConstExpr::i64_const(initial),
        };
        globals.global(GlobalType { val_type: value(ty), mutable: true, shared: false }, &initial);
    }
    out.section(&globals);
    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0);
    for (index, (_, _, name)) in module.globals.iter().enumerate() {
        if let Some(name) = name {
            exports.export(name, ExportKind::Global, index as u32);
        }
    }
    for (index, signature) in module.signatures.iter().enumerate().filter(|(_, signature)| signature.exported) {
        exports.export(&signature.name, ExportKind::Func, index as u32);
    }
    out.section(&exports);
    let (mut code, mut bytes) = (CodeSection::new(), 0);
    for (signature, body) in module.signatures.iter().zip(&module.bodies) {
        let body = body.as_ref().unwrap_or_else(|| panic!("`{}` is declared and never defined", signature.name));
        let function = function(module, signature, body);
        bytes += function.byte_len();
        if bytes > MOST_BYTES || body.variables().len() as u64 * function.byte_len() as u64 > LARGEST {
            return None;
        }
        code.function(&function);
    }
    out.section(&code);
    let mut data = DataSection::new();
    for (address, bytes) in &module.data {
        data.active(0, &ConstExpr::i32_const(*address as i32), bytes.iter().copied());
    }
    out.section(&data);
    let mut names = NameMap::new();
    for (index, signature) in module.signatures.iter().enumerate() {
        names.append(index as u32, &signature.name);
    }
    let mut section = NameSection::new();
    section.functions(&names);
    out.section(&section);
    Some(out.finish())
}

fn value(ty: Ty) -> ValType {
    match ty {
        Ty::I32 => ValType::I32,
        Ty::I64 => ValType::I64,
    }
}

fn function(module: &Module, signature: &Signature, body: &Body) -> Function {
    let mut writer = Writer {
        module,
        out: Function::new_with_locals_types(body.variables().iter().map(|&ty| value(ty))),
        labels: Vec::new(),
    };
    writer.statements(body.statements());
    // A function that gives a value returns it before its end.
    if signature.result.is_some() {
        writer.out.instruction(&I::Unreachable);
    }
    writer.out.instruction(&I::End);
    writer.out
}

struct Writer<'m> {
    module: &'m Module,
    out: Function,
    /// The blocks that are open, the innermost last; those of `if` have no label.
    labels: Vec<Option<Label>>,
}

impl Writer<'_> {
    fn op(&mut self, instruction: &I<'_>) {
        self.out.instruction(instruction);
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
                self.op(&I::LocalSet(local.0));
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
                self.expr(value);
                let at = |align| MemArg { offset: offset.into(), align, memory_index: 0 };
                self.op(&match width {
                    Width::U8 => I::I32Store8(at(0)),
                    Width::U16 => I::I32Store16(at(1)),
                    Width::I32 => I::I32Store(at(2)),
                    Width::I64 => I::I64Store(at(2)),
                });
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
                self.op(&I::Call(function.0));
                if self.module.signature(*function).result.is_some() {
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
                self.op(&I::LocalSet(failed.0));
            }
            Stmt::Trap => self.op(&I::Unreachable),
        }
    }

    fn expr(&mut self, expr: &Ex) {
        match expr {
            Ex::C32(value) => self.op(&I::I32Const(*value)),
            Ex::C64(value) => self.op(&I::I64Const(*value)),
            Ex::Local(local) => self.op(&I::LocalGet(local.0)),
            Ex::Global(global) => self.op(&I::GlobalGet(global.0)),
            Ex::Load(width, address, offset) => {
                self.expr(address);
                let at = |align| MemArg { offset: (*offset).into(), align, memory_index: 0 };
                self.op(&match width {
                    Width::U8 => I::I32Load8U(at(0)),
                    Width::U16 => I::I32Load16U(at(1)),
                    Width::I32 => I::I32Load(at(2)),
                    Width::I64 => I::I64Load(at(2)),
                });
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
                self.op(&I::Call(function.0));
            }
            Ex::After(statements, value) => {
                self.statements(statements);
                self.expr(value);
            }
        }
    }
}

fn binary(op: Binary, ty: Ty) -> I<'static> {
    match (ty, op) {
        (Ty::I32, Binary::Add) => I::I32Add,
        (Ty::I32, Binary::Sub) => I::I32Sub,
        (Ty::I32, Binary::Mul) => I::I32Mul,
        (Ty::I32, Binary::DivS) => I::I32DivS,
        (Ty::I32, Binary::RemS) => I::I32RemS,
        (Ty::I32, Binary::RemU) => I::I32RemU,
        (Ty::I32, Binary::And) => I::I32And,
        (Ty::I32, Binary::Or) => I::I32Or,
        (Ty::I32, Binary::Xor) => I::I32Xor,
        (Ty::I32, Binary::Shl) => I::I32Shl,
        (Ty::I32, Binary::ShrU) => I::I32ShrU,
        (Ty::I32, Binary::Rotl) => I::I32Rotl,
        (Ty::I32, Binary::Eq) => I::I32Eq,
        (Ty::I32, Binary::Ne) => I::I32Ne,
        (Ty::I32, Binary::LtS) => I::I32LtS,
        (Ty::I32, Binary::LtU) => I::I32LtU,
        (Ty::I32, Binary::LeS) => I::I32LeS,
        (Ty::I32, Binary::GtS) => I::I32GtS,
        (Ty::I32, Binary::GeS) => I::I32GeS,
        (Ty::I32, Binary::GeU) => I::I32GeU,
        (Ty::I64, Binary::Add) => I::I64Add,
        (Ty::I64, Binary::Sub) => I::I64Sub,
        (Ty::I64, Binary::Mul) => I::I64Mul,
        (Ty::I64, Binary::DivS) => I::I64DivS,
        (Ty::I64, Binary::RemS) => I::I64RemS,
        (Ty::I64, Binary::RemU) => I::I64RemU,
        (Ty::I64, Binary::And) => I::I64And,
        (Ty::I64, Binary::Or) => I::I64Or,
        (Ty::I64, Binary::Xor) => I::I64Xor,
        (Ty::I64, Binary::Shl) => I::I64Shl,
        (Ty::I64, Binary::ShrU) => I::I64ShrU,
        (Ty::I64, Binary::Rotl) => I::I64Rotl,
        (Ty::I64, Binary::Eq) => I::I64Eq,
        (Ty::I64, Binary::Ne) => I::I64Ne,
        (Ty::I64, Binary::LtS) => I::I64LtS,
        (Ty::I64, Binary::LtU) => I::I64LtU,
        (Ty::I64, Binary::LeS) => I::I64LeS,
        (Ty::I64, Binary::GtS) => I::I64GtS,
        (Ty::I64, Binary::GeS) => I::I64GeS,
        (Ty::I64, Binary::GeU) => I::I64GeU,
    }
}

fn unary(op: Unary, ty: Ty) -> I<'static> {
    match (ty, op) {
        (Ty::I32, Unary::Eqz) => I::I32Eqz,
        (Ty::I32, Unary::Ctz) => I::I32Ctz,
        (Ty::I32, Unary::Clz) => I::I32Clz,
        (Ty::I32, Unary::Popcnt) => I::I32Popcnt,
        (Ty::I64, Unary::Eqz) => I::I64Eqz,
        (Ty::I64, Unary::Ctz) => I::I64Ctz,
        (Ty::I64, Unary::Clz) => I::I64Clz,
        (Ty::I64, Unary::Popcnt) => I::I64Popcnt,
        (_, Unary::Wrap) => I::I32WrapI64,
        (_, Unary::Extend) => I::I64ExtendI32U,
    }
}
