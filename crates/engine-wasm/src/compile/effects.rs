//! Makes effects. Their record is 16 bytes: what is done and with which field, and three operands.

use dagaz_base::Id;
use dagaz_ir::{Field, Role, Scope};

use crate::low::{Body, Ex, Fun, Module, Stmt, Ty, V, Width, pick, select};

use super::{Compiler, Failure, record};

/// What an effect does: the first byte of its record. Those up to [`code::DROP`] are displacements.
pub(crate) mod code {
    pub(crate) const MOVE: i32 = 0;
    pub(crate) const COPY: i32 = 1;
    pub(crate) const DROP: i32 = 2;
    pub(crate) const CAPTURE: i32 = 3;
    pub(crate) const CREATE: i32 = 4;
    pub(crate) const RETYPE: i32 = 5;
    pub(crate) const REOWN: i32 = 6;
    pub(crate) const FLIP: i32 = 7;
    pub(crate) const SET_AT: i32 = 8;
    pub(crate) const SET: i32 = 9;
    pub(crate) const PUSH: i32 = 10;
    pub(crate) const POP: i32 = 11;
    pub(crate) const TUCK: i32 = 12;
    pub(crate) const JUMP: i32 = 13;
}

/// The first word of the record of an effect on a field.
pub(super) fn on_field(code: i32, field: Field) -> i32 {
    code | (field.index() as i32) << 8
}

impl Compiler<'_> {
    pub(super) fn effects(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let known = self.memory.known;
        let log = |body: &mut Body, address: Ex, value: Ex| body.call(functions.put, vec![address, value]);

        // What stood on the site goes, without being noted as captured.
        module.define(functions.clear, |body, params| {
            let site = params[0];
            for &field in &self.memory.piece_fields {
                self.write(body, field, site, 0);
            }
            self.each_level(body, site, |body, cell| log(body, cell.into(), 0.into()));
        });

        module.define(functions.capture, |body, params| {
            let site = params[0];
            let owner = body.bind(self.owner(site));
            body.when(owner, |body| {
                let kind = body.bind(self.kind(site));
                self.push(body, self.globals.captures, self.memory.captures.end, &[owner.into(), kind.into()]);
                body.call(functions.clear, vec![site.into()]);
                self.recycle(body, owner, kind);
            });
        });

        // A new piece in the place of the one on top.
        module.define(functions.top, |body, params| {
            let (site, owner, kind) = (params[0], params[1], params[2]);
            for &field in &self.memory.piece_fields {
                let value: Ex = if field == known.owner {
                    owner.into()
                } else if field == known.kind {
                    kind.into()
                } else {
                    self.attribute(field, kind)
                };
                self.write(body, field, site, value);
            }
        });

        // A new piece, alone.
        module.define(functions.place, |body, params| {
            body.call(functions.top, params.iter().map(|&param| param.into()).collect());
            self.each_level(body, params[0], |body, cell| log(body, cell.into(), 0.into()));
        });

        let lift = self.lift(&mut module);
        let (displace, drop) = self.displace(&mut module);
        self.displacing = Some((lift, drop));
        let stacks = self.stacks(&mut module);
        self.stack_reads(&mut module);

        module.define(functions.perform, |body, params| {
            let effect = params[0];
            let word = body.bind(effect.load(Width::I32, 0));
            let code = body.bind(word & 255);
            let field = || word.shr_u(8);
            let operand = |index: u32| effect.load(Width::I32, 4 * index);
            let is = |what: i32| code.eq(what);
            body.when(code.le_s(code::COPY), |body| {
                body.call(lift, vec![operand(1), operand(2), is(code::COPY)]);
                body.leave();
            });
            body.when(is(code::CAPTURE), |body| {
                body.call(functions.capture, vec![operand(1)]);
                body.leave();
            });
            body.when(is(code::CREATE), |body| {
                body.call(functions.place, vec![operand(1), operand(2), operand(3)]);
                body.leave();
            });
            body.when(is(code::DROP), |body| {
                body.call(drop, vec![operand(1), operand(2), operand(3)]);
                body.leave();
            });
            body.when(is(code::RETYPE), |body| {
                self.retype(body, operand(1), operand(2));
                body.leave();
            });
            body.when(is(code::REOWN), |body| {
                let site = body.bind(operand(1));
                body.when(self.owner(site), |body| self.write(body, known.owner, site, operand(2)));
                body.leave();
            });
            body.when(is(code::FLIP), |body| {
                let site = body.bind(operand(1));
                let owner = body.bind(self.owner(site));
                body.when(owner, |body| self.write(body, known.owner, site, self.next_person(owner)));
                body.leave();
            });
            body.when(is(code::SET_AT), |body| {
                let (field, site) = (body.bind(field()), body.bind(operand(1)));
                for (id, info) in self.rules.fields.iter() {
                    let own = id == known.owner || id == known.kind;
                    let settable = match info.scope {
                        Scope::Piece if own => continue,
                        Scope::Piece => pick(self.owner(site), self.has_attribute(id, self.kind(site)), 0),
                        Scope::Site => 1.into(),
                        _ => continue,
                    };
                    body.when(field.eq(id.index() as i32), |body| {
                        body.when(settable, |body| log(body, site * 4 + self.memory.fields[id].base, operand(2)));
                        body.leave();
                    });
                }
                body.leave();
            });
            body.when(is(code::SET), |body| {
                let (field, index) = (body.bind(field()), body.bind(operand(1)));
                for (id, _) in self.rules.fields.iter().filter(|&(id, _)| self.is_settable(id)) {
                    let place = self.memory.fields[id];
                    body.when(field.eq(id.index() as i32), |body| {
                        body.when(index.lt_u(place.count), |body| log(body, index * 4 + place.base, operand(2)));
                        body.leave();
                    });
                }
                body.leave();
            });
            if let Some(jump) = known.next_turn {
                body.when(is(code::JUMP), |body| {
                    let turns = self.rules.schedule.turns.len();
                    let row = operand(1) * (turns as i32 * 4) + self.cell(known.turn) * 4;
                    let target = row.load(Width::I32, self.memory.label_row(0, turns));
                    log(body, self.memory.global(jump).into(), target);
                    body.leave();
                });
            }
            if let Some(stacks) = stacks {
                body.when(is(code::PUSH), |body| {
                    body.call(stacks.push, vec![operand(1), operand(2), operand(3)]);
                    body.leave();
                });
                body.when(is(code::POP), |body| {
                    body.call(stacks.pop, vec![operand(1)]);
                    body.leave();
                });
                body.when(is(code::TUCK), |body| body.call(stacks.tuck, vec![operand(1), operand(2), operand(3)]));
            } else {
                // Without stacks a piece on top takes the place of the one there, and one below is put on empty sites alone.
                body.when(is(code::PUSH), |body| {
                    body.call(functions.top, vec![operand(1), operand(2), operand(3)]);
                    body.leave();
                });
                body.when(is(code::POP), |body| {
                    body.call(functions.capture, vec![operand(1)]);
                    body.leave();
                });
                body.when(is(code::TUCK), |body| {
                    let site = body.bind(operand(1));
                    body.when(self.owner(site).eqz(), |body| {
                        body.call(functions.top, vec![site.into(), operand(2), operand(3)]);
                    });
                });
            }
        });

        // The effects of a step: displacements that are made at once, then the others in order.
        module.define(functions.perform_effects, |body, params| {
            let step = params[0];
            let effect = body.bind(step + record::SIZE);
            let end = body.bind(effect + self.part(step, record::EFFECTS) * record::EFFECT);
            let at_once = body.bind(self.part(step, record::AT_ONCE));
            body.when(at_once.gt_s(1), |body| {
                body.call(displace, vec![effect.into(), at_once.into()]);
                body.set(effect, effect + at_once * record::EFFECT);
            });
            body.repeat_while(effect.ne(end), |body, _| {
                body.call(functions.perform, vec![effect.into()]);
                body.set(effect, effect + record::EFFECT);
            });
        });

        module.define(functions.perform_step, |body, params| {
            let step = params[0];
            body.call(functions.perform_effects, vec![step.into()]);
            let (from, to) = (body.bind(self.part(step, record::FROM)), body.bind(self.part(step, record::TO)));
            body.when(from | to, |body| {
                for (field, site) in [(known.last_from, from), (known.last_to, to)] {
                    if let Some(field) = field {
                        log(body, self.memory.global(field).into(), site.into());
                    }
                }
            });
        });
        self.module = module;
    }

    /// Makes an effect whose kind is known; one that can stand alone in a step, see [`Compiler::makes_alone`].
    pub(super) fn make_effect(&self, body: &mut Body, what: i32, [a, b, c]: [Ex; 3]) {
        let (lift, drop) = self.displacing.expect("effects are defined before programs");
        match what & 255 {
            code::MOVE => body.call(lift, vec![a, b, 0.into()]),
            code::DROP => body.call(drop, vec![a, b, c]),
            code::CREATE => body.call(self.functions.place, vec![a, b, c]),
            code::CAPTURE => body.call(self.functions.capture, vec![a]),
            code::SET => {
                let field = Field::from_index(what as usize >> 8);
                let place = self.memory.fields[field];
                if self.is_settable(field) && self.rules.fields[field].scope == Scope::Global {
                    let only = a.eqz();
                    body.when(only, |body| self.put_global(body, field, b));
                } else if self.is_settable(field) {
                    let index = body.bind(a);
                    let settable = if place.stride == 1 { 1.into() } else { index.lt_u(place.count) };
                    body.when(settable, |body| body.call(self.functions.put, vec![index * 4 + place.base, b]));
                }
            }
            other => unreachable!("effects of this kind are not made alone: {other}"),
        }
    }

    /// Whether [`Compiler::make_effect`] knows the operation.
    pub(super) fn makes_alone(op: dagaz_ir::Op) -> bool {
        use dagaz_ir::Op;
        matches!(op, Op::Move | Op::Drop | Op::Create | Op::Capture | Op::Set(_))
    }

    /// The same of the first word of its record.
    pub(super) fn is_made_alone(what: i32) -> bool {
        matches!(what & 255, code::MOVE | code::DROP | code::CREATE | code::CAPTURE | code::SET)
    }

    /// Whether effects may set a field that belongs to no site.
    fn is_settable(&self, field: Field) -> bool {
        let known = &self.memory.known;
        let own = [Some(known.turn), Some(known.chain), Some(known.chain_type), known.next_turn];
        !own.contains(&Some(field)) && !self.memory.fields[field].per_site
    }

    /// Writes a field of a site.
    pub(super) fn write(&self, body: &mut Body, field: Field, site: V, value: impl Into<Ex>) {
        let value = value.into();
        let known = &self.memory.known;
        if field == known.owner {
            body.call(self.functions.put_owner, vec![site.into(), value]);
        } else if field == known.kind {
            body.call(self.functions.put_kind, vec![site.into(), value]);
        } else {
            // Most attributes stay as they are.
            let value = body.bind(value);
            let address = body.bind(site * 4 + self.memory.fields[field].base);
            body.when(address.load(Width::I32, 0).ne(value), |body| {
                body.call(self.functions.put, vec![address.into(), value.into()]);
            });
        }
    }

    /// The address where the pieces of a player and kind are counted that wait off the board.
    pub(super) fn hand(&self, hand: Field, owner: impl Into<Ex>, kind: impl Into<Ex>) -> Ex {
        let index = (owner.into() - 1) * self.memory.kinds + kind.into() - 1;
        index * 4 + self.memory.fields[hand].base
    }

    /// What an attribute of a new piece of the kind is.
    fn attribute(&self, field: Field, kind: impl Into<Ex>) -> Ex {
        let (values, _, stride) = self.memory.attribute_row(field);
        (kind.into() * (stride * 4)).load(Width::I32, values)
    }

    /// Whether pieces of the kind have the attribute.
    pub(super) fn has_attribute(&self, field: Field, kind: impl Into<Ex>) -> Ex {
        let (_, flags, stride) = self.memory.attribute_row(field);
        (kind.into() * stride).load(Width::U8, flags)
    }

    /// The next person in the order of the players; a lone person follows himself.
    fn next_person(&self, owner: V) -> Ex {
        let mut next = Ex::from(owner);
        for (index, person) in self.next_persons().into_iter().enumerate() {
            next = select(owner.eq(index as i32 + 1), person as i32 + 1, next);
        }
        next
    }

    /// To whom a piece of each player turns: the next person in the order of the players, by index.
    pub(super) fn next_persons(&self) -> Vec<usize> {
        let players: Vec<_> = self.rules.players.values().collect();
        let count = players.len();
        let next = |player: usize| {
            let mut after = (1..=count).map(|ahead| (player + ahead) % count);
            after.find(|&next| players[next].role == Role::Person).unwrap_or(player)
        };
        (0..count).map(next).collect()
    }

    /// Shows the address of each cell of the pieces below the one on a site.
    fn each_level(&self, body: &mut Body, site: V, write: impl FnOnce(&mut Body, V)) {
        let Some(stack) = self.memory.known.stack else { return };
        let row = body.bind(self.levels(stack, site));
        let end = body.bind(row + self.memory.stack_depth * 4);
        body.repeat_while(row.ne(end), |body, _| {
            write(body, row);
            body.set(row, row + 4);
        });
    }

    /// The address of the cell of the piece just below the one on a site.
    pub(super) fn levels(&self, stack: Field, site: impl Into<Ex>) -> Ex {
        site.into() * (self.memory.stack_depth * 4) + self.memory.fields[stack].base
    }

    pub(super) fn retype(&self, body: &mut Body, site: Ex, kind: Ex) {
        let known = &self.memory.known;
        let (site, kind) = (body.bind(site), body.bind(kind));
        let old = body.bind(self.kind(site));
        body.when(old, |body| {
            for &field in &self.memory.piece_fields {
                if field == known.kind {
                    self.write(body, field, site, kind);
                } else if field != known.owner {
                    let both = self.has_attribute(field, old) & self.has_attribute(field, kind);
                    body.when(both.eqz(), |body| self.write(body, field, site, self.attribute(field, kind)));
                }
            }
        });
    }

    /// One piece goes from a site to another, with all that it carries: from, to, whether it also stays.
    fn lift(&self, module: &mut Module) -> Fun {
        let functions = self.functions.clone();
        module.function("lift", &[Ty::I32, Ty::I32, Ty::I32], None, |body, params| {
            let (from, to, stays) = (params[0], params[1], params[2]);
            body.when(self.owner(from).eqz() | from.eq(to), Body::leave);
            let values: Vec<_> =
                self.memory.piece_fields.iter().map(|&field| (field, body.bind(self.at(field, from)))).collect();
            let depth = self.memory.stack_depth * 4;
            let below = self.memory.known.stack.map(|stack| {
                let frame = self.frame(body, depth);
                body.push(Stmt::Copy(frame.into(), self.levels(stack, from), depth.into()));
                (stack, frame)
            });
            body.when(stays.eqz(), |body| body.call(functions.clear, vec![from.into()]));
            if below.is_some() {
                body.call(functions.capture, vec![to.into()]);
            } else {
                // All that stands there is written over.
                let owner = body.bind(self.owner(to));
                body.when(owner, |body| {
                    let kind = body.bind(self.kind(to));
                    self.push(body, self.globals.captures, self.memory.captures.end, &[owner.into(), kind.into()]);
                    self.recycle(body, owner, kind);
                });
            }
            for (field, value) in values {
                self.write(body, field, to, value);
            }
            if let Some((stack, frame)) = below {
                self.put_row(body, self.levels(stack, to), frame, depth);
                body.set_global(self.globals.frames, frame);
            }
        })
    }

    /// A captured piece comes to its owner's hand, where the rules say so.
    fn recycle(&self, body: &mut Body, owner: V, kind: V) {
        let Some(hand) = self.memory.known.hand.filter(|_| self.rules.policy.recycle_captures) else { return };
        let cell = body.bind(self.hand(hand, owner, kind));
        let count = body.bind(cell.load(Width::I32, 0));
        let more = body.bind(select(count.eq(i32::MAX), count, count + 1));
        body.call(self.functions.put, vec![cell.into(), self.clamped(hand, more)]);
    }

    /// Writes words to cells in a row.
    fn put_row(&self, body: &mut Body, cells: Ex, words: V, bytes: u32) {
        let (at, from) = (body.bind(cells), body.bind(words));
        let end = body.bind(at + bytes);
        body.repeat_while(at.ne(end), |body, _| {
            body.call(self.functions.put, vec![at.into(), from.load(Width::I32, 0)]);
            body.set(at, at + 4);
            body.set(from, from + 4);
        });
    }

    /// Room for a while; setting the global `frames` to the address gives it back.
    pub(super) fn frame(&self, body: &mut Body, bytes: impl Into<Ex>) -> V {
        let frame = body.bind(self.globals.frames);
        let end = body.bind(frame + bytes);
        body.when(end.ge_u(self.memory.frames.end) | end.lt_u(frame), |body| self.fail(body, Failure::Memory));
        body.set_global(self.globals.frames, end);
        frame
    }

    /// All displacements of a list at once: lifts every piece, then sets them down in order. And a drop alone.
    fn displace(&self, module: &mut Module) -> (Fun, Fun) {
        let functions = self.functions.clone();
        let known = self.memory.known;
        let drop = module.function("drop", &[Ty::I32, Ty::I32, Ty::I32], None, |body, params| {
            let (site, owner, kind) = (params[0], params[1], params[2]);
            if let Some(hand) = known.hand {
                let cell = body.bind(self.hand(hand, owner, kind));
                body.when(cell.load(Width::I32, 0).le_s(0), Body::leave);
                body.call(functions.put, vec![cell.into(), cell.load(Width::I32, 0) - 1]);
            }
            body.call(functions.capture, vec![site.into()]);
            body.call(functions.place, vec![site.into(), owner.into(), kind.into()]);
        });
        let displace = module.function("displace", &[Ty::I32, Ty::I32], None, |body, params| {
            let (first, count) = (params[0], params[1]);
            let fields = self.memory.piece_fields.clone();
            let depth = self.memory.stack_depth * 4;
            let row = 4 + fields.len() as u32 * 4 + depth;
            let frame = self.frame(body, count * row);
            let end = body.bind(first + count * record::EFFECT);
            let (effect, saved) = (body.local(Ty::I32), body.local(Ty::I32));
            let each = |body: &mut Body, write: &dyn Fn(&mut Body, Ex, V, V)| {
                body.set(effect, first);
                body.set(saved, frame);
                body.repeat_while(effect.ne(end), |body, _| {
                    let code = effect.load(Width::I32, 0) & 255;
                    let (from, to) = (body.bind(effect.load(Width::I32, 4)), body.bind(effect.load(Width::I32, 8)));
                    write(body, code, from, to);
                    body.set(effect, effect + record::EFFECT);
                    body.set(saved, saved + row);
                });
            };
            each(body, &|body, what, from, to| {
                body.store(Width::I32, saved, 0, 0);
                let goes = what.le_s(code::COPY);
                body.when(pick(goes, pick(from.ne(to), self.owner(from), 0), 0), |body| {
                    body.store(Width::I32, saved, 0, 1);
                    for (index, &field) in fields.iter().enumerate() {
                        body.store(Width::I32, saved, 4 + index as u32 * 4, self.at(field, from));
                    }
                    if let Some(stack) = known.stack {
                        let to = saved + (4 + fields.len() as u32 * 4);
                        body.push(Stmt::Copy(to, self.levels(stack, from), depth.into()));
                    }
                });
            });
            each(body, &|body, what, from, to| {
                body.when(what.eq(code::MOVE) & from.ne(to), |body| {
                    body.call(functions.clear, vec![from.into()]);
                });
            });
            each(body, &|body, what, from, to| {
                body.either(
                    saved.load(Width::I32, 0),
                    |body| {
                        body.call(functions.capture, vec![to.into()]);
                        for (index, &field) in fields.iter().enumerate() {
                            self.write(body, field, to, saved.load(Width::I32, 4 + index as u32 * 4));
                        }
                        if let Some(stack) = known.stack {
                            let words = body.bind(saved + (4 + fields.len() as u32 * 4));
                            self.put_row(body, self.levels(stack, to), words, depth);
                        }
                    },
                    |body| {
                        body.when(what.eq(code::DROP), |body| {
                            body.call(drop, vec![from.into(), to.into(), effect.load(Width::I32, 12)]);
                        });
                    },
                );
            });
            body.set_global(self.globals.frames, frame);
        });
        (displace, drop)
    }
}
