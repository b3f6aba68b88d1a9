//! Cells are written here alone, and each write is noted with the old value, so that it can be taken back.

use crate::low::{Body, Ex, Fun, Module, Stmt, Ty, V, Width, c64, pick};
use dagaz_ir::{Field, Scope};

use crate::memory::{MEMORY_CELL, PAGE, PIECE_CELL, key_row_bytes};

use super::{Compiler, Failure, mail};

/// Bytes of an entry in the log: an address, the old value there, the new one.
pub(super) const ENTRY: u32 = 12;

impl Compiler<'_> {
    pub(super) fn writes(&mut self) {
        let contribution = self.hashing.then_some(self.contribution);
        let functions = self.functions.clone();
        let mut module = std::mem::take(&mut self.module);

        // Gives the cell at an address a value; what stays the same is no write.
        module.define(functions.put, |body, params| {
            let (address, value) = (params[0], params[1]);
            let old = body.bind(address.load(Width::I32, 0));
            body.when(old.ne(value), |body| {
                self.push(body, self.globals.log, self.memory.log.end, &[address.into(), old.into(), value.into()]);
                body.store(Width::I32, address, 0, value);
                if let Some(contribution) = contribution {
                    self.touch(body, contribution, address, old, value);
                }
            });
        });

        let known = self.memory.known;
        for (function, field, sets) in [
            (functions.put_owner, known.owner, self.memory.owner_sets),
            (functions.put_kind, known.kind, self.memory.kind_sets),
        ] {
            module.define(function, |body, params| {
                let (site, value) = (params[0], params[1]);
                let address = body.bind(site * 4 + self.memory.fields[field].base);
                let old = body.bind(address.load(Width::I32, 0));
                body.when(old.ne(value), |body| {
                    let bit = body.bind(site - 1);
                    let half = body.bind(bit.shr_u(5) * 4 + sets);
                    let mask = body.bind(Ex::from(1) << (bit & 31));
                    let [gone, come] = [old, value].map(|owner| body.bind(owner * self.memory.set_bytes() + half));
                    let word = |at: V| at.load(Width::I32, 0);
                    // Only the cell's own entry tells the new value: the sets follow from it.
                    let entry = [
                        address.into(),
                        old.into(),
                        value.into(),
                        gone.into(),
                        word(gone),
                        0.into(),
                        come.into(),
                        word(come),
                        0.into(),
                    ];
                    self.push(body, self.globals.log, self.memory.log.end, &entry);
                    body.store(Width::I32, address, 0, value);
                    body.store(Width::I32, gone, 0, word(gone) ^ mask);
                    body.store(Width::I32, come, 0, word(come) ^ mask);
                    if let Some(contribution) = contribution {
                        self.touch_field(body, field, Some(site), (address, old, value), contribution);
                    }
                });
            });
        }

        // A place in the log to come back to. The hashes go there too, as they are not noted with every write.
        module.define(functions.mark, |body, _| {
            let mark = body.bind(self.globals.log);
            if self.hashing {
                let words = [0, 1, 4, 5].into_iter().flat_map(|word| {
                    let at = mail::KEYS + word * 4;
                    [Ex::from(at), self.word(at), 0.into()]
                });
                self.push(body, self.globals.log, self.memory.log.end, &words.collect::<Vec<_>>());
            }
            body.give(mark);
        });

        module.define(functions.undo, |body, params| {
            let at = body.bind(self.globals.log);
            body.repeat_while(Ex::from(at).ne(params[0]), |body, _| {
                body.set(at, at - ENTRY);
                body.store(Width::I32, at.load(Width::I32, 0), 0, at.load(Width::I32, 4));
            });
            body.set_global(self.globals.log, params[0]);
        });

        // Room at the end of the arena; memory grows when there is none.
        module.define(functions.reserve, |body, params| {
            let at = body.bind(self.globals.arena);
            let end = body.bind(at + params[0]);
            body.when(end.lt_u(at), |body| self.fail(body, Failure::Memory));
            let top = self.globals.top;
            body.when(end.ge_u(top), |body| {
                let pages = body.bind((end - top).shr_u(16) + 64);
                let failed = body.local(Ty::I32);
                body.push(Stmt::Grow(failed, pages.into()));
                body.when(failed, |body| self.fail(body, Failure::Memory));
                body.set_global(top, pages * PAGE + top);
            });
            body.set_global(self.globals.arena, end);
            body.give(at);
        });
        self.module = module;
    }

    /// Gives a global field of the state a value.
    pub(super) fn put_global(&self, body: &mut Body, field: Field, value: Ex) {
        let address = self.memory.global(field);
        let counts = self.hashing && !self.rules.fields[field].memory;
        if counts && self.memory.key_row(field).is_none() {
            return body.call(self.functions.put, vec![address.into(), value]);
        }
        let (old, value) = (body.bind(self.cell(field)), body.bind(value));
        body.when(old.ne(value), |body| {
            self.push(body, self.globals.log, self.memory.log.end, &[address.into(), old.into(), value.into()]);
            body.store(Width::I32, 0, address, value);
            if counts {
                let address = body.bind(address);
                self.touch_field(body, field, None, (address, old, value), self.contribution);
            }
        });
    }

    /// Brings the hashes up to date with a write to a field: of a site, or of the state.
    fn touch_field(&self, body: &mut Body, field: Field, site: Option<V>, write: (V, V, V), contribution: Fun) {
        let (address, old, new) = write;
        let Some(table) = self.memory.key_row(field) else {
            return self.touch(body, contribution, address, old, new);
        };
        let info = &self.rules.fields[field];
        let row = body.bind(site.map_or(Ex::from(0), |site| site * key_row_bytes(info) as i32));
        let part = |value: V| (row + value * 8).load(Width::I64, table);
        let change = body.bind(part(old) ^ part(new));
        self.toggle_key(body, mail::KEYS, change);
        if info.scope == Scope::Piece {
            self.toggle_key(body, mail::KEYS + 16, change);
        }
    }

    /// The same for any cell, by its address.
    pub(super) fn touch(&self, body: &mut Body, contribution: Fun, address: V, old: V, new: V) {
        let number = body.bind((address - self.memory.cells.start).load(Width::I32, self.memory.cell_numbers));
        body.when((number & MEMORY_CELL).eqz(), |body| {
            let cell = body.bind(number & !PIECE_CELL);
            let part = |value: V| Ex::Call(contribution, vec![cell.into(), value.into()], Ty::I64);
            let change = body.bind(part(old) ^ part(new));
            self.toggle_key(body, mail::KEYS, change);
            body.when(number & PIECE_CELL, |body| self.toggle_key(body, mail::KEYS + 16, change));
        });
    }

    fn toggle_key(&self, body: &mut Body, at: u32, change: V) {
        body.store(Width::I64, 0, at, Ex::from(0).load(Width::I64, at) ^ change);
    }
}

/// Defines what a cell of a value adds to a hash: as the states of the host count it, when the cell is known by its number there.
pub(super) fn contribution(module: &mut Module) -> Fun {
    module.function("contribution", &[Ty::I32, Ty::I32], Some(Ty::I64), |body, params| {
        let key = (params[0].extend() << c64(32)) | params[1].extend();
        let bits = body.bind(key + c64(0x9e37_79b9_7f4a_7c15));
        for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
            body.set(bits, (Ex::from(bits) ^ bits.shr_u(c64(shift))) * c64(factor));
        }
        body.give(pick(params[1], Ex::from(bits) ^ bits.shr_u(c64(31)), c64(0)));
    })
}
