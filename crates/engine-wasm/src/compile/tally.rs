//! Counts the ways a game can go on for a number of moves, where each step is a move: the last one of each way is not made. How many
//! there are is mostly a count of bits ([`super::sieve`]); only what could be illegal is tried.
//!
//! Steps that do more than take a piece elsewhere are compared with the others by the state that they lead to. Where that does not tell
//! them apart for sure, the moves are counted as everywhere else.

use crate::low::{Body, Ex, Fun, Global, Module, Ty, V, Width, c64, pick};

use super::drive::Moves;
use super::ends::{OPEN, drawing};
use super::sieve::Sifted;
use super::{Compiler, record};

/// How many steps of one position are compared with each other, one by one.
const MOST_COMPARED: u32 = 64;

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
        let counted = self.counted.as_ref()?;
        let sifted = counted.sifted.as_ref()?;
        let globals = self.globals;
        let odd = self.odd_trial(module, attempt, moves);
        let trials = self.trials(module, sifted, odd);
        let leaf = self.leaf(module, sifted, trials);
        let tally = module.function("tally", &[Ty::I32], Some(Ty::I64), |body, params| {
            let depth = params[0];
            let saved = self.save(body, &[globals.index, globals.arena, globals.captures]);
            body.set_global(globals.listed, 0);
            let open = self.ask(ended, [drawing::SUPPOSES.into()]).eq(OPEN);
            let sum = body.bind(c64(0));
            body.when(open, |body| {
                self.restore(body, &saved);
                self.see_the_past(body);
                let seen = self.seen_states(body, sifted);
                body.when(depth.eq(1), |body| {
                    let count = body.bind(self.ask(leaf, [seen.into()]));
                    body.set(sum, pick(count.lt_s(0), Ex::C64(-1), count.extend()));
                    self.restore(body, &saved);
                    body.give(sum);
                });
                body.call(counted.count, Vec::new());
                let start = body.bind(globals.index);
                body.repeat_while(counted.left, |body, _| {
                    let at = body.bind(globals.index);
                    let step = body.bind(self.ask(counted.take, [0.into()]));
                    body.set_global(globals.index, at);
                    self.push(body, globals.index, self.memory.index.end, &[step.into()]);
                });
                let (at, end) = (body.bind(start), body.bind(globals.index));
                let line = self.save(body, &self.line());
                body.repeat_while(at.ne(end), |body, _| {
                    let step = body.bind(at.load(Width::I32, 0));
                    let goes = body.bind(1);
                    if let Some(asks) = self.is_odd(sifted, step) {
                        body.when(asks, |body| body.set(goes, self.ask(odd, [step.into(), seen.into()])));
                        body.when(goes.lt_s(0), |body| {
                            self.restore(body, &saved);
                            body.give(Ex::C64(-1));
                        });
                    }
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
            });
            self.restore(body, &saved);
            body.give(sum);
        });
        Some(tally)
    }

    /// Room for what is known of the states that odd steps lead to: how many there are, and a number for each.
    fn seen_states(&self, body: &mut Body, sifted: &Sifted) -> V {
        if sifted.sieve.odd().is_empty() {
            return body.bind(0);
        }
        let bytes = 8 + MOST_COMPARED * 8;
        let seen = body.bind(self.ask(self.functions.reserve, [bytes.into()]));
        body.store(Width::I32, seen, 0, 0);
        seen
    }

    /// Whether a step does more than take a piece elsewhere; nothing when none does.
    fn is_odd(&self, sifted: &Sifted, step: V) -> Option<Ex> {
        use dagaz_base::Id;
        let rule = || self.part(step, record::RULE);
        sifted.sieve.odd().into_iter().map(|id| rule().eq(id.index() as i32)).reduce(|a, b| a | b)
    }

    /// A function that gives how many legal steps there are; negative when that is not known.
    fn leaf(&self, module: &mut Module, sifted: &Sifted, trials: Fun) -> Fun {
        let (sieve, watch) = (&sifted.sieve, &sifted.sieve.watch);
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
            if watch.kinds.is_empty() {
                sieve.want(body, |_| (all(), all()), 1.into(), 1.into());
                let total = body.bind(bulk());
                if !sieve.is_free() {
                    sieve.want(body, |_| (c64(0), all()), 0.into(), 1.into());
                    add(body, total, seen);
                }
                return body.give(total);
            }
            let attacked = body.bind(self.ask(watch.look, []));
            let total = body.bind(0);
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
                    body.set(total, bulk());
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
    fn trials(&self, module: &mut Module, sifted: &Sifted, odd: Fun) -> Fun {
        let counted = self.counted.as_ref().expect("steps are counted");
        let globals = self.globals;
        module.function("trials", &[Ty::I32], Some(Ty::I32), |body, params| {
            let seen = params[0];
            body.call(sifted.sift, Vec::new());
            let found = body.bind(0);
            let kept = self.save(body, &[globals.index, globals.arena]);
            body.repeat_while(counted.left, |body, _| {
                self.tick(body);
                let step = body.bind(self.ask(counted.take, [0.into()]));
                let lawful = body.bind(0);
                match self.is_odd(sifted, step) {
                    Some(asks) => body.either(
                        asks,
                        |body| body.set(lawful, self.ask(odd, [step.into(), seen.into()])),
                        |body| body.set(lawful, self.in_prepared(step.into())),
                    ),
                    None => body.set(lawful, self.in_prepared(step.into())),
                }
                self.restore(body, &kept);
                body.when(lawful.lt_s(0), |body| body.give(UNKNOWN));
                body.set(found, found + lawful);
            });
            body.give(found);
        })
    }

    /// A function that tries a step which does more than take a piece elsewhere: gives whether it is legal and leads to a state of which
    /// none is known so far; or that this is not known.
    fn odd_trial(&self, module: &mut Module, attempt: Fun, moves: &Moves) -> Fun {
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
                    new = pick(own, comes, new);
                }
                let new = body.bind(new);
                for (player, before) in (1..=memory.players).zip(&before) {
                    let changed = Ex::binary(crate::low::Binary::Xor, before[word as usize], owned(player, word));
                    let aside = changed & Ex::binary(crate::low::Binary::Xor, new, c64(u64::MAX));
                    body.set(elsewhere, elsewhere | pick(me.eq(player as i32), c64(0), aside));
                }
            }
            self.go_back(body, &mark);
            self.restore(body, &saved);
            let alike = come.eq(1) & gone.le_s(1) & elsewhere.eq(c64(0));
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
