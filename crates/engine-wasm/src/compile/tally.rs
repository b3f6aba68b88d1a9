//! Counts the ways a game can go on for a number of moves, where each step is a move: the last one of each way is not made. How many
//! there are is mostly a count of bits ([`super::sieve`]); only what could be illegal is tried.
//!
//! Steps that do more than take a piece elsewhere are compared with the others by the state that they lead to. Where that does not tell
//! them apart for sure, the moves are counted as everywhere else.

use std::collections::BTreeSet;

use dagaz_base::Id;
use dagaz_ir::Kind;

use crate::low::{Body, Ex, Fun, Global, Module, Ty, V, Width, c64, pick};

use super::apart::Apart;
use super::counted::Counted;
use super::drive::Moves;
use super::ends::{OPEN, drawing};
use super::sieve::Sifted;
use super::{Compiler, record};

/// How many steps of one position are compared with each other, one by one.
const MOST_COMPARED: u32 = 256;

/// What a trial of such a step gives: besides whether it is legal and leads to a new state, that this is not known.
const UNKNOWN: i32 = -1;

impl Compiler<'_> {
    /// A function that gives how many ways there are for so many moves, or -1 when that is not known: where rules allow one. It is given
    /// what says how the game stands, what makes a step if it is legal, and what counts whatever is asked.
    pub(super) fn tally(
        &self,
        module: &mut Module,
        (ended, attempt): (Fun, Fun),
        (moves, below): (&Moves, Fun),
    ) -> Option<Fun> {
        // Rules that are run when they are drawn stand in no list beside what is counted.
        let complete = self.deferred.is_none() && self.rounds.is_none();
        let counted = self.counted.as_ref().filter(|_| complete);
        let counted = counted.and_then(|counted| Some((counted, counted.sifted.as_ref()?)));
        let Some((counted, sifted)) = counted else {
            let apart = self.apart().filter(|_| self.staged.is_none())?;
            let odd = self.odd_trial(module, &apart, attempt, moves);
            return Some(self.tally_listed(module, &apart, odd, below));
        };
        let apart = &sifted.sieve.apart;
        let odd = self.odd_trial(module, apart, attempt, moves);
        let leaf = self.leaf(module, (counted, sifted), odd);
        let globals = self.globals;
        let tally = module.function("tally", &[Ty::I32], Some(Ty::I64), |body, params| {
            let depth = params[0];
            let saved = self.save(body, &[globals.index, globals.arena, globals.captures]);
            body.set_global(globals.listed, 0);
            let open = self.ask(ended, [drawing::SUPPOSES.into()]).eq(OPEN);
            self.restore(body, &saved);
            body.when(open.eqz(), |body| body.give(c64(0)));
            self.see_the_past(body);
            let seen = self.seen_states(body, apart);
            body.when(depth.eq(1), |body| {
                let count = body.bind(self.ask(leaf, [seen.into()]));
                self.restore(body, &saved);
                body.give(pick(count.lt_s(0), Ex::C64(-1), count.extend()));
            });
            body.call(counted.count, Vec::new());
            let start = body.bind(globals.index);
            body.repeat_while(counted.left, |body, _| {
                let at = body.bind(globals.index);
                let step = body.bind(self.ask(counted.take, [0.into()]));
                body.set_global(globals.index, at);
                self.push(body, globals.index, self.memory.index.end, &[step.into()]);
            });
            self.list_uncounted(body, counted);
            let (at, end, sum) = (body.bind(start), body.bind(globals.index), body.bind(c64(0)));
            let line = self.save(body, &self.line());
            body.repeat_while(at.ne(end), |body, _| {
                let step = body.bind(at.load(Width::I32, 0));
                let goes = self.goes(body, (apart, odd), step, seen, &saved);
                body.when(goes, |body| {
                    let mark = self.hold(body);
                    let made = body.bind(0);
                    self.in_line(body, |body| body.set(made, self.ask(attempt, [step.into()])));
                    body.when(made, |body| {
                        body.set(sum, sum + Ex::Call(below, vec![depth - 1], Ty::I64));
                        self.go_back(body, &mark);
                    });
                    self.restore(body, &line);
                });
                body.set(at, at + 4);
            });
            self.restore(body, &saved);
            body.give(sum);
        });
        Some(tally)
    }

    /// The same from lists of legal steps.
    fn tally_listed(&self, module: &mut Module, apart: &Apart, odd: Fun, below: Fun) -> Fun {
        let (functions, globals) = (&self.functions, self.globals);
        module.function("tally of lists", &[Ty::I32], Some(Ty::I64), |body, params| {
            let depth = params[0];
            let saved = self.save(body, &[globals.index, globals.arena, globals.captures]);
            let open = self.ask(functions.stand, []).eq(OPEN);
            body.when(open.eqz(), |body| {
                self.restore(body, &saved);
                body.give(c64(0));
            });
            let seen = self.seen_states(body, apart);
            let (at, end, sum) = (body.bind(globals.list_start), body.bind(globals.list_end), body.bind(c64(0)));
            if apart.odd.is_empty() {
                body.when(depth.eq(1), |body| {
                    self.restore(body, &saved);
                    body.give((end - at).shr_u(2).extend());
                });
            }
            let line = self.save(body, &self.line());
            body.repeat_while(at.ne(end), |body, _| {
                let step = body.bind(at.load(Width::I32, 0));
                let goes = self.goes(body, (apart, odd), step, seen, &saved);
                body.when(depth.eq(1), |body| body.set(sum, sum + goes.extend()));
                body.when(goes & depth.gt_s(1), |body| {
                    let mark = self.hold(body);
                    self.in_line(body, |body| body.call(functions.make, vec![step.into()]));
                    body.set(sum, sum + Ex::Call(below, vec![depth - 1], Ty::I64));
                    self.go_back(body, &mark);
                    self.restore(body, &line);
                });
                body.set(at, at + 4);
            });
            self.restore(body, &saved);
            body.give(sum);
        })
    }

    /// Whether a step of a list leads to a state of which none is known so far; where that is not known, the count is given up.
    fn goes(&self, body: &mut Body, (apart, odd): (&Apart, Fun), step: V, seen: V, saved: &[(Global, V)]) -> V {
        let goes = body.bind(1);
        if let Some(asks) = self.is_odd(apart, step) {
            body.when(asks, |body| body.set(goes, self.ask(odd, [step.into(), seen.into()])));
            body.when(goes.lt_s(0), |body| {
                self.restore(body, saved);
                body.give(Ex::C64(-1));
            });
        }
        goes
    }

    /// Adds the steps of the rules to the index that are not counted, legal or not.
    fn list_uncounted(&self, body: &mut Body, counted: &Counted) {
        let Some(list) = counted.list_others else { return };
        let start = body.bind(self.globals.index);
        body.call(list, Vec::new());
        body.call(self.functions.first_class, vec![start.into()]);
        body.call(self.functions.distinct, vec![start.into()]);
    }

    /// Room for what is known of the states that odd steps lead to: how many there are, and a number for each.
    fn seen_states(&self, body: &mut Body, apart: &Apart) -> V {
        if apart.odd.is_empty() {
            return body.bind(0);
        }
        let bytes = 8 + MOST_COMPARED * 8;
        let seen = body.bind(self.ask(self.functions.reserve, [bytes.into()]));
        body.store(Width::I32, seen, 0, 0);
        seen
    }

    /// Whether a step does more than take a piece elsewhere; nothing when none does.
    fn is_odd(&self, apart: &Apart, step: V) -> Option<Ex> {
        let rule = || self.part(step, record::RULE);
        apart.odd.iter().map(|id| rule().eq(id.index() as i32)).reduce(|a, b| a | b)
    }

    /// A function that gives how many legal steps there are; negative when that is not known.
    fn leaf(&self, module: &mut Module, (counted, sifted): (&Counted, &Sifted), odd: Fun) -> Fun {
        let (sieve, watch) = (&sifted.sieve, &sifted.sieve.watch);
        let trials = self.trials(module, (counted, sifted), odd);
        let globals = self.globals;
        let bulk = || self.ask(sifted.bulk, []);
        let not = |word: Global| Ex::binary(crate::low::Binary::Xor, word, c64(u64::MAX));
        let all = || c64(u64::MAX);
        let some = |of: &[Global]| {
            let words = of.iter().map(|&word| Ex::from(word)).reduce(|a, b| a | b);
            words.expect("a set has a word").ne(c64(0))
        };
        let add = |body: &mut Body, total: V, seen: V| {
            let more = body.bind(self.ask(trials, [seen.into()]));
            body.when(more.lt_s(0), |body| body.give(UNKNOWN));
            body.set(total, total + more);
        };
        module.function("legal moves", &[Ty::I32], Some(Ty::I32), |body, params| {
            let seen = params[0];
            let listed = body.bind(0);
            if counted.list_others.is_some() {
                let at = body.bind(globals.index);
                self.list_uncounted(body, counted);
                let end = body.bind(globals.index);
                body.repeat_while(at.ne(end), |body, _| {
                    self.tick(body);
                    let step = body.bind(at.load(Width::I32, 0));
                    let lawful = self.tried(body, (&sieve.apart, odd), step, seen);
                    body.when(lawful.lt_s(0), |body| body.give(UNKNOWN));
                    body.set(listed, listed + lawful);
                    body.set(at, at + 4);
                });
            }
            if watch.kinds.is_empty() {
                sieve.want(body, |_| (all(), all()), 1.into(), 1.into());
                let total = body.bind(listed + bulk());
                if !sieve.is_free() {
                    sieve.want(body, |_| (c64(0), all()), 0.into(), 1.into());
                    add(body, total, seen);
                }
                return body.give(total);
            }
            let attacked = body.bind(self.ask(watch.look, []));
            let total = body.bind(listed);
            if watch.recent && !watch.opens {
                // That is rare enough to try all.
                body.when(attacked.eqz() & some(&watch.to), |body| {
                    sieve.want(body, |_| (all(), all()), 1.into(), 1.into());
                    add(body, total, seen);
                    body.give(total);
                });
            }
            body.either(
                attacked,
                |body| sieve.want(body, |word| (all(), watch.to[word].into()), 1.into(), 1.into()),
                |body| {
                    sieve.want(body, |word| (not(watch.from[word]), not(watch.to[word])), 1.into(), 0.into());
                    body.set(total, total + bulk());
                    sieve.want(body, |word| (watch.from[word].into(), all()), 0.into(), 1.into());
                },
            );
            add(body, total, seen);
            if watch.opens || watch.recent {
                let more = body.bind(pick(attacked, some(&watch.from), some(&watch.to)));
                body.when(more, |body| {
                    body.either(
                        attacked,
                        |body| {
                            sieve.want(body, |word| (watch.from[word].into(), not(watch.to[word])), 0.into(), 0.into());
                        },
                        |body| {
                            sieve.want(body, |word| (not(watch.from[word]), watch.to[word].into()), 1.into(), 0.into());
                        },
                    );
                    add(body, total, seen);
                });
            }
            body.give(total);
        })
    }

    /// A function that gives how many of the steps that are wanted are legal.
    fn trials(&self, module: &mut Module, (counted, sifted): (&Counted, &Sifted), odd: Fun) -> Fun {
        let globals = self.globals;
        module.function("trials", &[Ty::I32], Some(Ty::I32), |body, params| {
            let seen = params[0];
            body.call(sifted.sift, Vec::new());
            let found = body.bind(0);
            let kept = self.save(body, &[globals.index, globals.arena]);
            body.repeat_while(counted.left, |body, _| {
                self.tick(body);
                let step = body.bind(self.ask(counted.take, [0.into()]));
                let lawful = self.tried(body, (&sifted.sieve.apart, odd), step, seen);
                self.restore(body, &kept);
                body.when(lawful.lt_s(0), |body| body.give(UNKNOWN));
                body.set(found, found + lawful);
            });
            body.give(found);
        })
    }

    /// Whether a step is legal and leads to a state of which none is known so far; or that this is not known.
    fn tried(&self, body: &mut Body, (apart, odd): (&Apart, Fun), step: V, seen: V) -> V {
        let lawful = body.bind(0);
        let plain = |body: &mut Body| body.set(lawful, self.in_prepared(step.into()));
        match self.is_odd(apart, step) {
            Some(asks) => {
                body.either(asks, |body| body.set(lawful, self.ask(odd, [step.into(), seen.into()])), plain);
            }
            None => plain(body),
        }
        lawful
    }

    /// A function that tries a step which does more than take a piece elsewhere: gives whether it is legal and leads to a state of which
    /// none is known so far; or that this is not known.
    fn odd_trial(&self, module: &mut Module, apart: &Apart, attempt: Fun, moves: &Moves) -> Fun {
        let memory = &self.memory;
        let (globals, bytes) = (self.globals, memory.set_bytes());
        module.function("odd trial", &[Ty::I32, Ty::I32], Some(Ty::I32), |body, params| {
            let (step, seen) = (params[0], params[1]);
            let me = body.bind(self.me());
            let owned =
                |owner: u32, word: u32| Ex::from(0).load(Width::I64, memory.owner_sets + owner * bytes + word * 8);
            let before: Vec<Vec<V>> = (1..=memory.players)
                .map(|player| (0..memory.words).map(|word| body.bind(owned(player, word))).collect())
                .collect();
            let saved = self.save(body, &[globals.captures]);
            let mark = self.hold(body);
            body.set_global(moves.root, globals.log);
            body.when(self.ask(attempt, [step.into()]).eqz(), |body| body.give(0));
            let signature = body.bind(Ex::Call(moves.signature, Vec::new(), Ty::I64));
            // Another step takes at most one piece of the player's away, puts one on one site, and changes nothing but there.
            let (gone, come) = (body.bind(0), body.bind(0));
            // The last site of either.
            let (from, to) = (body.bind(0), body.bind(0));
            let elsewhere = body.bind(c64(0));
            for word in 0..memory.words {
                let mut new = c64(0);
                for (player, before) in (1..=memory.players).zip(&before) {
                    let (old, now) = (before[word as usize], body.bind(owned(player, word)));
                    let own = me.eq(player as i32);
                    let not = |word: V| Ex::binary(crate::low::Binary::Xor, word, c64(u64::MAX));
                    let (leaves, comes) = (body.bind(old & not(now)), body.bind(now & not(old)));
                    body.set(gone, gone + pick(own.clone(), Ex::from(leaves).popcnt().wrap(), 0));
                    body.set(come, come + pick(own.clone(), Ex::from(comes).popcnt().wrap(), 0));
                    for (site, bits) in [(from, leaves), (to, comes)] {
                        let here = bits.ctz().wrap() + (word as i32 * 64 + 1);
                        body.set(site, pick(own.clone() & Ex::from(bits).ne(c64(0)), here, site));
                    }
                    new = pick(own, comes, new);
                }
                let new = body.bind(new);
                for (player, before) in (1..=memory.players).zip(&before) {
                    let changed = Ex::binary(crate::low::Binary::Xor, before[word as usize], owned(player, word));
                    let aside = changed & Ex::binary(crate::low::Binary::Xor, new, c64(u64::MAX));
                    body.set(elsewhere, elsewhere | pick(me.eq(player as i32), c64(0), aside));
                }
            }
            let comes = body.bind(self.kind(to));
            self.go_back(body, &mark);
            self.restore(body, &saved);
            let is_one = |kind: Ex, of: &BTreeSet<Kind>| {
                let all = of.iter().map(|one| kind.clone().eq(one.index() as i32 + 1));
                all.reduce(|a, b| a | b).unwrap_or(0.into())
            };
            let moved = gone.eq(1) & is_one(self.kind(from), &apart.moved);
            let dropped = gone.eqz() & is_one(comes.into(), &apart.dropped);
            let alike = body.bind(come.eq(1) & elsewhere.eq(c64(0)) & (moved | dropped));
            let count = body.bind(seen.load(Width::I32, 0));
            body.when(alike | count.ge_s(MOST_COMPARED as i32), |body| body.give(UNKNOWN));
            let (at, end) = (body.bind(seen + 8), body.bind(count * 8 + seen + 8));
            body.repeat_while(at.ne(end), |body, _| {
                body.when(at.load(Width::I64, 0).eq(signature), |body| body.give(0));
                body.set(at, at + 8);
            });
            body.store(Width::I64, end, 0, signature);
            body.store(Width::I32, seen, 0, count + 1);
            body.give(1);
        })
    }
}
