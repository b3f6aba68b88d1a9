//! Goes through the whole moves that begin with a step: to compare what they capture, and to hold them against the stage
//! after a move.

use dagaz_ir::Filter;

use crate::low::{Body, Ex, Fun, Global, Stmt as Low, Ty, V, Width, select};

use super::effects::code;
use super::program::bounds_bytes;
use super::{Compiler, Failure, record};

/// What is done with the end of a move.
mod purpose {
    /// What it captures is compared with the best.
    pub(super) const GAIN: i32 = 0;
    /// Bounds are raised by it.
    pub(super) const RAISE: i32 = 1;
    /// It is judged by the bounds as they are.
    pub(super) const JUDGE: i32 = 2;
}

impl Compiler<'_> {
    pub(super) fn whole(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let globals = self.globals;
        let comparing: Vec<&Filter> =
            self.rules.policy.filters.iter().filter(|filter| !matches!(filter, Filter::Priority(_))).collect();
        let count = comparing.len() as u32;
        let bytes = count * 8;
        // Where the gains of the move lie that is being made, and those of the best one; the bounds; whether a move was accepted;
        // the step that stops a chain.
        let mut global = || module.global(Ty::I32, 0, None);
        let gains = global();
        let best: Global = global();
        let bounds = global();
        let accepted = global();
        let stop = global();

        // Another piece of a kind is taken.
        module.define(functions.gains, |body, params| {
            for (index, filter) in comparing.iter().enumerate() {
                let worth: Ex = match filter {
                    Filter::MostValuable(values) => values.iter().rev().fold(Ex::C64(0), |otherwise, (kind, value)| {
                        let number = dagaz_base::Id::index(*kind) as i32 + 1;
                        select(params[0].eq(number), Ex::C64(i64::from(*value)), otherwise)
                    }),
                    Filter::MostCaptured | Filter::Priority(_) => Ex::C64(1),
                };
                let at = index as u32 * 8;
                body.store(Width::I64, gains, at, Ex::from(gains).load(Width::I64, at) + worth);
            }
        });

        // Counts the pieces of others that a step turns into something else, without capturing them.
        module.define(functions.turned, |body, params| {
            let step = params[0];
            let owner = body.bind(self.me());
            let first = body.bind(step + record::SIZE);
            let end = body.bind(first + self.part(step, record::EFFECTS) * record::EFFECT);
            let at = body.bind(first);
            let what = |at: V| at.load(Width::I32, 0) & 255;
            body.repeat_while(at.ne(end), |body, _| {
                let turns = what(at).eq(code::RETYPE) | what(at).eq(code::REOWN) | what(at).eq(code::FLIP);
                body.when(turns, |body| {
                    let site = body.bind(at.load(Width::I32, 4));
                    let theirs = self.owner(site).ne(0) & self.owner(site).ne(owner);
                    let other = body.bind(first);
                    body.block(|body, captured| {
                        body.repeat_while(other.ne(end), |body, _| {
                            let here = what(other).eq(code::CAPTURE) & other.load(Width::I32, 4).eq(site);
                            body.when(here, |body| body.go(captured));
                            body.set(other, other + record::EFFECT);
                        });
                        body.when(theirs, |body| body.call(functions.gains, vec![self.kind(site)]));
                    });
                });
                body.set(at, at + record::EFFECT);
            });
        });

        let look = self.look(&mut module, (gains, best, count), (bounds, accepted));
        let depth = module.global(Ty::I32, 0, None);
        module.define(functions.enter, |body, params| {
            let (purpose, step) = (params[0], params[1]);
            self.tick(body);
            let saved =
                self.save(body, &[globals.captures, globals.step_captures, globals.index, globals.arena, depth]);
            body.set_global(depth, depth + 1);
            let limit = self.limits.chain.min(i32::MAX as usize) as i32;
            body.when(Ex::from(depth).gt_s(limit), |body| self.fail(body, Failure::Chain));
            let gain = purpose.eq(purpose::GAIN);
            let kept: Vec<V> = (0..count).map(|_| body.local(Ty::I64)).collect();
            if count > 0 {
                body.when(gain.clone(), |body| {
                    for (index, &local) in kept.iter().enumerate() {
                        body.set(local, Ex::from(gains).load(Width::I64, index as u32 * 8));
                    }
                });
            }
            let mark = body.bind(self.ask(functions.mark, []));
            body.eval(self.ask(functions.prepare, []));
            if count > 0 {
                body.when(gain.clone(), |body| body.call(functions.turned, vec![step.into()]));
            }
            body.eval(self.ask(functions.advance, [step.into(), 0.into()]));
            if count > 0 {
                body.when(gain.clone(), |body| {
                    let at = body.bind(globals.step_captures);
                    body.repeat_while(Ex::from(at).ne(globals.captures), |body, _| {
                        body.call(functions.gains, vec![at.load(Width::I32, 4)]);
                        body.set(at, at + 8);
                    });
                });
            }
            body.block(|body, seen| {
                body.when(self.part(step, record::CHAIN), |body| {
                    self.open_chain(body, step);
                    let at = body.bind(globals.index);
                    body.call(functions.possible, vec![]);
                    let end = body.bind(globals.index);
                    body.when(at.ne(end), |body| {
                        body.repeat_while(at.ne(end), |body, _| {
                            body.call(functions.enter, vec![purpose.into(), at.load(Width::I32, 0)]);
                            body.set(at, at + 4);
                        });
                        if self.rules.policy.chain_may_stop {
                            body.set_global(globals.step_captures, globals.captures);
                            body.call(look, vec![purpose.into(), stop.into()]);
                        }
                        body.go(seen);
                    });
                });
                body.call(look, vec![purpose.into(), step.into()]);
            });
            body.call(functions.undo, vec![mark.into()]);
            self.restore(body, &saved);
            if count > 0 {
                body.when(gain, |body| {
                    for (index, &local) in kept.iter().enumerate() {
                        body.store(Width::I64, gains, index as u32 * 8, local);
                    }
                });
            }
        });

        // Keeps the steps, from a place in the index on, with which a move begins that captures most.
        module.define(functions.best, |body, params| {
            let start = params[0];
            body.when(start.eq(Ex::from(globals.index)), Body::leave);
            let saved = self.save(body, &[gains, best, stop, globals.index, globals.arena, depth]);
            body.set_global(depth, 0);
            self.stopping(body, stop);
            body.set_global(globals.index, saved[3].1);
            let listed = body.bind(saved[3].1);
            // The gains of the move that is made, the best of all, and those of each step.
            let rows = body.bind((listed - start).shr_u(2) + 2);
            let frame = self.frame(body, rows * bytes);
            body.push(Low::Clear(frame.into(), rows * bytes));
            body.set_global(gains, frame);
            let all = body.bind(frame + bytes);
            let (at, row) = (body.bind(start), body.bind(frame + bytes * 2));
            let least = i64::MIN;
            let unset = |body: &mut Body, row: V| {
                (0..count).for_each(|index| body.store(Width::I64, row, index * 8, Ex::C64(least)));
            };
            unset(body, all);
            body.repeat_while(at.ne(listed), |body, _| {
                unset(body, row);
                body.set_global(best, row);
                body.call(functions.enter, vec![purpose::GAIN.into(), at.load(Width::I32, 0)]);
                body.when(self.greater(row, all, count), |body| {
                    body.push(Low::Copy(all.into(), row.into(), bytes.into()));
                });
                body.set(at, at + 4);
                body.set(row, row + bytes);
            });
            body.set(row, frame + bytes * 2);
            body.set_global(globals.index, listed);
            self.keep_listed(body, start, |body, _, _| {
                let keeps = body.bind(self.greater(all, row, count).eqz());
                body.set(row, row + bytes);
                keeps.into()
            });
            let kept = body.bind(globals.index);
            self.restore(body, &saved);
            body.set_global(globals.index, kept);
            body.set_global(globals.frames, frame);
        });

        // Keeps the steps that begin a move which the stage after a move accepts.
        let compares = self.rules.stages.after_move.as_ref().is_some_and(|stage| !stage.bounds.is_empty());
        let size = bounds_bytes(self);
        module.define(functions.bounded, |body, params| {
            let start = params[0];
            if !compares {
                let (at, chained) = (body.bind(start), body.bind(0));
                body.repeat_while(Ex::from(at).ne(globals.index), |body, _| {
                    body.set(chained, chained | self.part(at.load(Width::I32, 0), record::CHAIN));
                    body.set(at, at + 4);
                });
                // Each was asked when it was listed.
                body.when(chained.eqz(), Body::leave);
            }
            let saved = self.save(body, &[bounds, accepted, stop, globals.index, globals.arena, depth]);
            body.set_global(depth, 0);
            self.stopping(body, stop);
            let listed = body.bind(saved[3].1);
            body.set_global(globals.index, listed);
            let frame = self.frame(body, size * 2);
            body.store(Width::I32, frame, 0, 0);
            body.set_global(bounds, frame);
            if compares {
                let at = body.bind(start);
                body.repeat_while(at.ne(listed), |body, _| {
                    body.call(functions.enter, vec![purpose::RAISE.into(), at.load(Width::I32, 0)]);
                    body.set(at, at + 4);
                });
            }
            body.set_global(globals.index, listed);
            self.keep_listed(body, start, |body, at, _| {
                body.set_global(accepted, 0);
                body.call(functions.enter, vec![purpose::JUDGE.into(), at.load(Width::I32, 0)]);
                accepted.into()
            });
            let kept = body.bind(globals.index);
            self.restore(body, &saved);
            body.set_global(globals.index, kept);
            body.set_global(globals.frames, frame);
        });
        self.module = module;
    }

    /// What is done with the end of a move, whose last step is given.
    fn look(
        &self,
        module: &mut crate::low::Module,
        (gains, best, count): (Global, Global, u32),
        (bounds, accepted): (Global, Global),
    ) -> Fun {
        let functions = self.functions.clone();
        let size = bounds_bytes(self);
        module.function("look", &[Ty::I32, Ty::I32], None, |body, params| {
            let (purpose, step) = (params[0], params[1]);
            body.when(purpose.eq(purpose::GAIN), |body| {
                if count > 0 {
                    let (own, other) = (body.bind(gains), body.bind(best));
                    body.when(self.greater(own, other, count), |body| {
                        body.push(Low::Copy(other.into(), own.into(), (count * 8).into()));
                    });
                }
                body.leave();
            });
            let Some(stage) = functions.after_move else { return };
            let kept = self.save(body, &[self.globals.captures]);
            let mark = body.bind(self.ask(functions.mark, []));
            let scratch = body.bind(bounds + size);
            let held = body.bind(select(purpose.eq(purpose::RAISE), bounds, scratch));
            body.when(purpose.eq(purpose::JUDGE), |body| {
                body.push(Low::Copy(scratch.into(), bounds.into(), size.into()));
            });
            let judged = body.bind(self.ask(stage, [step.into(), held.into()]));
            body.when(purpose.eq(purpose::JUDGE), |body| body.set_global(accepted, accepted | judged));
            body.call(functions.undo, vec![mark.into()]);
            self.restore(body, &kept);
        })
    }

    /// Makes the step that stops a chain.
    fn stopping(&self, body: &mut Body, stop: Global) {
        body.call(self.functions.single, vec![record::STOP.into()]);
        body.set_global(stop, (self.globals.index - 4).load(Width::I32, 0));
    }

    /// Whether the first row of numbers is greater than the second: the first number counts most.
    fn greater(&self, first: V, second: V, count: u32) -> Ex {
        let mut greater: Ex = 0.into();
        for index in (0..count).rev() {
            let at = |row: V| row.load(Width::I64, index * 8);
            greater = at(first).gt_s(at(second)) | (at(first).eq(at(second)) & greater);
        }
        greater
    }
}
