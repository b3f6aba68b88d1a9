//! Turns a module into bytes.

use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, Encode as _, ExportKind, ExportSection, FunctionSection, GlobalSection,
    GlobalType, Instruction as I, MemorySection, MemoryType, NameMap, NameSection, TypeSection, ValType,
};

use super::merged::{self, Merged};
use super::{Binary, Fun, Module, Ty, Unary, called};

/// How large a function may be: its variables times its bytes. What turns it into machine code keeps a table of about
/// this size, and more than that is not worth its memory.
const LARGEST: u64 = 1 << 31;

/// How many bytes all functions may have: so many are turned into machine code in some seconds.
const MOST_BYTES: usize = 8 << 20;

pub(super) fn encode(module: &Module, pages: u32, most: u32, merges: bool) -> Option<Vec<u8>> {
    let mut out = wasm_encoder::Module::new();
    let used = called::used(module);
    let merged = if merges { merged::merged(module, &used) } else { vec![Merged::Alone; used.len()] };
    let mut next = 0..;
    let stands = |index: usize| used[index] && !matches!(merged[index], Merged::Follows { .. });
    let numbers: Vec<Option<u32>> = (0..used.len()).map(|index| stands(index).then(|| next.next()).flatten()).collect();
    let standing: Vec<usize> = (0..used.len()).filter(|&index| stands(index)).collect();
    let (mut types, mut functions) = (TypeSection::new(), FunctionSection::new());
    let mut known: Vec<(Vec<Ty>, Option<Ty>)> = Vec::new();
    for &index in &standing {
        let signature = &module.signatures[index];
        let added = std::iter::repeat_n(Ty::I32, merged[index].numbers().len());
        let ty = (signature.params.iter().copied().chain(added).collect(), signature.result);
        let place = known.iter().position(|known| *known == ty).unwrap_or_else(|| {
            types.ty().function(ty.0.iter().map(|&ty| value(ty)), ty.1.map(value));
            known.push(ty);
            known.len() - 1
        });
        functions.function(place as u32);
    }
    out.section(&types);
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
    for (&index, number) in standing.iter().zip(0..) {
        let signature = &module.signatures[index];
        if signature.exported {
            exports.export(&signature.name, ExportKind::Func, number);
        }
    }
    out.section(&exports);
    let call = |function: Fun, out: &mut Vec<u8>| {
        let mut index = function.0 as usize;
        merged[index].numbers().iter().for_each(|&number| I::I32Const(number).encode(out));
        if let Merged::Follows { leader, .. } = merged[index] {
            index = leader;
        }
        I::Call(numbers[index].expect("what is called stands in the module")).encode(out);
    };
    let (mut code, mut bytes) = (CodeSection::new(), 0);
    for &index in &standing {
        let (piece, merged) = (module.piece(index), &merged[index]);
        let function = piece.fill(merged.numbers().len() as u32, call, |gap| merged.parameter(gap));
        bytes += function.len();
        if bytes > MOST_BYTES || piece.variables.len() as u64 * function.len() as u64 > LARGEST {
            return None;
        }
        code.raw(&function);
    }
    out.section(&code);
    let mut data = DataSection::new();
    for (address, bytes) in &module.data {
        data.active(0, &ConstExpr::i32_const(*address as i32), bytes.iter().copied());
    }
    out.section(&data);
    let mut names = NameMap::new();
    for (&index, number) in standing.iter().zip(0..) {
        names.append(number, &module.signatures[index].name);
    }
    let mut section = NameSection::new();
    section.functions(&names);
    out.section(&section);
    Some(out.finish())
}

pub(super) fn value(ty: Ty) -> ValType {
    match ty {
        Ty::I32 => ValType::I32,
        Ty::I64 => ValType::I64,
    }
}

pub(super) fn binary(op: Binary, ty: Ty) -> I<'static> {
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

pub(super) fn unary(op: Unary, ty: Ty) -> I<'static> {
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
