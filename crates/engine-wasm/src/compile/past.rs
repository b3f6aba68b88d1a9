//! What rules ask about the past: the line of the states that stood before, which the host writes and the module goes on with.

use dagaz_ir::{Op, Scope};

use crate::low::{Body, Ex, Ty, V, Width, pick};
use crate::memory::Region;

use super::{Compiler, mail, record};

/// What of the past can be seen: the bits of the global `past`.
pub(super) mod seen {
    pub(crate) const NOTHING: i32 = 0;
    /// The past of the turn.
    pub(crate) const TURN: i32 = 1;
    /// The state from which a reply starts that a move is judged by.
    pub(crate) const REPLY: i32 = 2;
}

/// Bytes of a state in the line: two hashes.
const ENTRY: u32 = 16;

impl Compiler<'_> {
    pub(super) fn past(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let Region { start, .. } = self.memory.line;

        // How many states of the line have the same hash: 0 of everything, 1 of the board.
        let count = module.function("count states", &[Ty::I32, Ty::I64, Ty::I64], Some(Ty::I32), |body, params| {
            let (which, state, board) = (params[0], params[1], params[2]);
            let key = body.bind(crate::low::select(which, board, state));
            body.when(self.is_fresh(which.into(), key), |body| body.give(0));
            let at = body.bind(which * 8 + start);
            let end = body.bind(which * 8 + self.globals.line);
            let found = body.bind(0);
            body.repeat_while(at.ne(end), |body, _| {
                body.set(found, found + at.load(Width::I64, 0).eq(key));
                body.set(at, at + ENTRY);
            });
            body.give(found);
        });

        // After how many moves a state of the hash stood first; -1 when none did.
        let first = module.function("first of states", &[Ty::I64], Some(Ty::I32), |body, params| {
            let state = params[0];
            let at = body.bind(start);
            body.repeat_while(Ex::from(at).ne(self.globals.line), |body, _| {
                body.when(at.load(Width::I64, 0).eq(state), |body| {
                    body.give((at - start).shr_u(4));
                });
                body.set(at, at + ENTRY);
            });
            body.give(-1);
        });

        let key = |at: u32| Ex::from(0).load(Width::I64, at);
        // In ends: how many times the state stands, now included.
        module.define(functions.occurrences, |body, params| {
            let asked = body.bind((params[0] * 16).load(Width::I64, mail::KEYS));
            body.when(self.is_fresh(params[0].into(), asked), |body| body.give(1));
            let now = [params[0].into(), key(mail::KEYS), key(mail::KEYS + 16)];
            body.give(self.ask(count, now) + 1);
        });
        // In ends: after how many moves it stood first.
        module.define(functions.first, |body, _| {
            let found = body.bind(self.ask(first, [key(mail::KEYS)]));
            body.give(crate::low::select(found.lt_s(0), self.globals.moves, found));
        });

        // After a move the same about the state in which the next player is to move: 0 how often it stands, 1 its board, 2 when it
        // stood first.
        module.define(functions.after, |body, params| {
            let which = params[0];
            body.when(Ex::from(self.globals.past).eq(seen::NOTHING), |body| body.give(1));
            let turn = body.bind(self.globals.past & seen::TURN);
            let (state, board) = (body.local(Ty::I64), body.local(Ty::I64));
            let look = |body: &mut Body| {
                body.set(state, key(mail::KEYS));
                body.set(board, key(mail::KEYS + 16));
            };
            // The board alone is what it is before the turn passes, unless something on it ends with the turn.
            let stays = self.rules.fields.values().all(|info| !info.transient || info.scope != Scope::Piece);
            body.either(if stays { which.eq(1) } else { 0.into() }, look, |body| {
                let mark = self.hold(body);
                body.call(functions.pass_turn, vec![]);
                look(body);
                self.go_back(body, &mark);
            });
            let starts = |body: &mut Body, which: V| {
                let wanted = body.bind(crate::low::select(which.eq(1), board, state));
                let at = body.bind(which.eq(1) * 8);
                let own = turn & self.globals.start & at.load(Width::I64, mail::START).eq(wanted);
                let again = (self.globals.past & seen::REPLY).ne(0) & at.load(Width::I64, mail::START_AGAIN).eq(wanted);
                (body.bind(own), body.bind(again))
            };
            body.when(which.le_s(1), |body| {
                let (own, again) = starts(body, which);
                let key = body.bind(crate::low::select(which, board, state));
                let seen = turn & self.is_fresh(which.into(), key).eqz();
                let before = pick(seen, self.ask(count, [which.into(), state.into(), board.into()]), 0);
                body.give(before + own + again + 1);
            });
            let found = body.bind(pick(turn, self.ask(first, [state.into()]), -1));
            body.when(found.ge_s(0), |body| body.give(found));
            let (own, again) = starts(body, which);
            body.when(own | again, |body| body.give(self.moves_made()));
            body.give(self.moves_made() + 1);
        });

        // How many legal moves the next player has, passing not included; in the midst of such replies 1.
        module.define(functions.replies, |body, _| {
            let globals = &self.globals;
            body.when(globals.past & seen::REPLY, |body| body.give(1));
            let kept =
                [globals.past, globals.arena, globals.index, globals.captures, globals.step_captures, globals.emitted];
            let saved = self.save(body, &kept);
            let mark = body.bind(self.ask(functions.mark, []));
            body.call(functions.pass_turn, vec![]);
            body.store(Width::I64, 0, mail::START_AGAIN, key(mail::KEYS));
            body.store(Width::I64, 0, mail::START_AGAIN + 8, key(mail::KEYS + 16));
            body.set_global(globals.past, globals.past | seen::REPLY);
            let at = body.bind(globals.index);
            body.call(functions.legal, vec![]);
            let replies = body.bind(0);
            body.repeat_while(Ex::from(at).ne(globals.index), |body, _| {
                let rule = self.part(at.load(Width::I32, 0), record::RULE);
                body.set(replies, replies + rule.ne(record::PASS));
                body.set(at, at + 4);
            });
            body.call(functions.undo, vec![mark.into()]);
            self.restore(body, &saved);
            body.give(replies);
        });

        // How many pieces of an owner and kind, 0 standing for any, there are among captured ones.
        module.define(functions.captured, |body, params| {
            let (at, end, owner, kind) = (body.bind(params[0]), params[1], params[2], params[3]);
            let found = body.bind(0);
            body.repeat_while(at.ne(end), |body, _| {
                let of_owner = owner.eqz() | at.load(Width::I32, 0).eq(owner);
                let of_kind = kind.eqz() | at.load(Width::I32, 4).eq(kind);
                body.set(found, found + (of_owner & of_kind));
                body.set(at, at + 8);
            });
            body.give(found);
        });
        self.module = module;
    }

    /// In ends: whether the state stands so many times, now included. The filter often says that it does not.
    pub(super) fn stood_as_often(&self, least: V) -> Ex {
        if !self.hashing {
            return least.le_s(1);
        }
        let key = Ex::from(0).load(Width::I64, mail::KEYS);
        let at_most = self.filter(key).load(Width::U8, mail::FILTER) + 1;
        // A count that is as high as it can be says nothing.
        let few = Ex::from(self.globals.filtering) & at_most.clone().lt_s(least) & at_most.le_s(255);
        let counted = self.ask(self.functions.occurrences, [0.into()]);
        pick(few, 0, least.le_s(counted))
    }

    /// After a move: how many were made before the turn, as far as that is known.
    pub(super) fn moves_made(&self) -> Ex {
        pick(self.globals.past & seen::TURN, self.globals.moves, 0)
    }

    /// Adds the state to the line: a move starts from it.
    pub(super) fn enter_line(&self, body: &mut Body) {
        let key = |at: u32| self.word(at);
        let words = [0, 4, 16, 20].map(|part| key(mail::KEYS + part));
        self.push(body, self.globals.line, self.memory.line.end, &words);
        body.when(self.globals.filtering, |body| {
            self.count_in_filters(body, |offset| Ex::from(0).load(Width::I64, mail::KEYS + offset * 2));
        });
    }

    /// Notes a state of the line, whose hashes stand 8 bytes apart, in the filters.
    pub(super) fn count_in_filters(&self, body: &mut Body, key: impl Fn(u32) -> Ex) {
        self.count_in_filter(body, 0, key(0));
        let mut asked = false;
        super::each_op(self.rules, &mut |op| asked |= op == Op::BoardRepetitions);
        if asked {
            self.count_in_filter(body, mail::FILTERS, key(8));
        }
    }

    /// Notes a hash in a filter. A count that is as high as it can be stays there.
    fn count_in_filter(&self, body: &mut Body, filter: u32, key: Ex) {
        let at = body.bind(self.filter(key) + filter);
        let count = body.bind(at.load(Width::U8, mail::FILTER) + 1);
        body.store(Width::U8, at, mail::FILTER, crate::low::select(count.gt_s(255), 255, count));
    }

    /// Whether a filter says that no state of the line has this hash.
    fn is_fresh(&self, which: Ex, key: V) -> Ex {
        let slot = self.filter(key) + which * mail::FILTERS;
        Ex::from(self.globals.filtering) & slot.load(Width::U8, mail::FILTER).eqz()
    }

    fn filter(&self, key: impl Into<Ex>) -> Ex {
        key.into().wrap() & (mail::FILTERS - 1)
    }
}
