//! A small language just above WebAssembly: expressions as trees that operators build, structured statements, and functions
//! that are declared before they are defined. What the compiler says in it, [`encode`] turns into a module's bytes.
//!
//! It knows nothing of games. Addresses and numbers are `i32`, words of sets and hashes `i64`.

mod body;
mod called;
mod encode;
mod expr;
mod merged;
mod piece;

pub(crate) use body::{Body, Stmt};
pub(crate) use expr::{Binary, Ex, Unary, Width, c64, pick, select};
use piece::Piece;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ty {
    I32,
    I64,
}

/// A local variable of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct V(pub(crate) u32, pub(crate) Ty);

/// A function of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fun(pub(crate) u32);

/// A variable of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Global(pub(crate) u32, pub(crate) Ty);

/// The end of a block or the head of a loop, to which control can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label(u32);

/// What a function takes and gives.
#[derive(Clone, Debug)]
struct Signature {
    name: String,
    params: Vec<Ty>,
    result: Option<Ty>,
    exported: bool,
}

/// A module that is being made. It imports nothing; its one memory is exported as `memory`.
#[derive(Debug, Default)]
pub(crate) struct Module {
    signatures: Vec<Signature>,
    bodies: Vec<Option<Piece>>,
    globals: Vec<(Ty, i64, Option<&'static str>)>,
    data: Vec<(u32, Vec<u8>)>,
}

impl Module {
    /// Announces a function, so that others can call it.
    pub(crate) fn declare(&mut self, name: impl Into<String>, params: &[Ty], result: Option<Ty>) -> Fun {
        self.signatures.push(Signature { name: name.into(), params: params.to_vec(), result, exported: false });
        self.bodies.push(None);
        Fun(self.signatures.len() as u32 - 1)
    }

    /// Makes a function known to the host by its name.
    pub(crate) fn export(&mut self, function: Fun) {
        self.signatures[function.0 as usize].exported = true;
    }

    /// Says what a declared function does: `write` is given its parameters.
    pub(crate) fn define(&mut self, function: Fun, write: impl FnOnce(&mut Body, &[V])) {
        let index = function.0 as usize;
        let params = self.signatures[index].params.clone();
        let mut body = Body::new(&params);
        let variables: Vec<V> = params.iter().enumerate().map(|(index, &ty)| V(index as u32, ty)).collect();
        write(&mut body, &variables);
        self.close(index, &body);
    }

    /// Whether it was said what a function does.
    pub(crate) fn is_defined(&self, function: Fun) -> bool {
        self.bodies[function.0 as usize].is_some()
    }

    /// Declares and defines a function that does not call itself.
    pub(crate) fn function(
        &mut self,
        name: impl Into<String>,
        params: &[Ty],
        result: Option<Ty>,
        write: impl FnOnce(&mut Body, &[V]),
    ) -> Fun {
        let function = self.declare(name, params, result);
        self.define(function, write);
        function
    }

    /// The same, unless `write` finds that it cannot be said.
    pub(crate) fn function_if(
        &mut self,
        name: impl Into<String>,
        params: &[Ty],
        result: Option<Ty>,
        write: impl FnOnce(&mut Body, &[V]) -> Option<()>,
    ) -> Option<Fun> {
        let mut body = Body::new(params);
        let variables: Vec<V> = params.iter().enumerate().map(|(index, &ty)| V(index as u32, ty)).collect();
        write(&mut body, &variables)?;
        let function = self.declare(name, params, result);
        self.close(function.0 as usize, &body);
        Some(function)
    }

    fn close(&mut self, index: usize, body: &Body) {
        let signature = &self.signatures[index];
        assert!(self.bodies[index].is_none(), "{} is defined once", signature.name);
        self.bodies[index] = Some(Piece::of(&self.signatures, signature, body));
    }

    fn piece(&self, index: usize) -> &Piece {
        let piece = &self.bodies[index];
        piece.as_ref().unwrap_or_else(|| panic!("`{}` is declared and never defined", self.signatures[index].name))
    }

    /// A variable of the module; the host sees it when it has a name.
    pub(crate) fn global(&mut self, ty: Ty, initial: i64, name: Option<&'static str>) -> Global {
        self.globals.push((ty, initial, name));
        Global(self.globals.len() as u32 - 1, ty)
    }

    /// Bytes that stand in memory from the start.
    pub(crate) fn data(&mut self, address: u32, bytes: Vec<u8>) {
        self.data.push((address, bytes));
    }

    /// The bytes of the module, with so many pages of memory at the start and at most; nothing when its functions are too large
    /// to be turned into machine code. Functions that no exported one comes to call are left out. Where
    /// `merges` is set, functions that differ in numbers alone become one.
    pub(crate) fn encode(&self, pages: u32, most: u32, merges: bool) -> Option<Vec<u8>> {
        encode::encode(self, pages, most, merges)
    }
}
