//! Steps that are not listed but counted: for each way through a rule the set of the sites from which it leads to a step. How
//! many there are is a count of bits, and a random one is the bit of a random number; only that step is made.
//!
//! Rules take part whose ways are known ([`dagaz_ir::ways`]) and whose steps are never the same as others; the steps of the
//! others are listed beside them. The set of a slide holds the sites where it ends, each of which has one start.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::{Id, IdMap};
use dagaz_board::{Direction, Site};
use dagaz_ir::ways::{Way, Ways, routes};
use dagaz_ir::{Expr, Filter, Local, Op, Player, Rule, RuleId, Stmt, StmtKind, Trigger, View};

use crate::low::{Body, Ex, Fun, Global, Module, Stmt as Low, Ty, V, Width, c64};
use crate::plan::Shape as Planned;

use super::Compiler;
use super::program::{Code, Mode};
use super::recorded::Shape;
use super::set::{Words, steps_from};
use super::sieve::{Sieve, Sifted};
use super::sliding::Sliding;
use super::trial::in_order;

/// What counts steps.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// The rules, and how the steps of each come about.
    pub(super) rules: BTreeMap<RuleId, Planned>,
    /// How many bytes the sets and their numbers take.
    pub(super) bytes: u32,
    /// Where they lie.
    pub(super) place: Global,
    /// How many steps are left together.
    pub(super) left: Global,
    /// Writes what is known of each set for good.
    pub(super) prepare: Fun,
    /// Computes all sets.
    pub(super) count: Fun,
    /// Takes the step of this number out of the sets, and gives its record.
    pub(super) take: Fun,
    /// Takes the step of this number and makes it, as a whole move: where every step is sure to be legal.
    pub(super) play: Option<Fun>,
    /// Makes the step of this number as a whole move, if nothing refuses it; else it is taken out of the sets. Gives whether it was
    /// made. Where steps need no record for that.
    pub(super) attempt: Option<Fun>,
    /// Whether each step has one effect, which is made as the rule says it.
    pub(super) sure: bool,
    /// Lists the steps of the other rules, if there are any.
    pub(super) list_others: Option<Fun>,
    /// Puts the step that was taken last back into the sets.
    pub(super) put_back: Fun,
    /// What counts legal steps.
    pub(super) sifted: Option<Sifted>,
}

/// Steps that are counted in one set, which holds where they start; or where they end, when they are slides.
pub(super) struct Entry<'w> {
    pub(super) rule: RuleId,
    /// Whether the rule is run once, for no site.
    once: bool,
    /// Which way of the rule it is.
    index: usize,
    pub(super) way: &'w Way,
    pub(super) slide: Option<Sliding<'w>>,
    /// What writes the record of a step: else its rule is run.
    recorder: Option<Fun>,
    /// The sets of first steps that are the same as those of the slide, and its direction.
    pub(super) without: Vec<(usize, Direction)>,
}

/// How many entries are counted together at most, so that a step is found by few looks.
const CHUNK: usize = 8;

/// How the record of a drawn step is made. Steps of many entries are made alike, and what they differ in is looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Maker {
    /// The site is where a slide ends, which has jumped over so many obstacles.
    Slide(Fun, usize),
    /// It is where a step starts that goes so many sites far.
    Steps(Fun, usize),
    /// The rule of this entry is run.
    Run(usize),
}

/// What is looked up of each entry: its maker, its rule, and how its steps move.
const KNOWN: u32 = 16;

/// Gives the set of an entry that was computed before.
type Known<'a, 'c, 'r> = dyn Fn(&mut Code<'c, 'r>, usize) -> Words + 'a;

impl<'c, 'r> Code<'c, 'r> {
    /// The steps of an entry from the sites of a set: where they start, or where they end, when they are slides.
    pub(super) fn steps_of(&mut self, entry: &Entry<'_>, from: &Words, known: &Known<'_, 'c, 'r>) -> Words {
        self.of_piece = self.compiler.rules.rules[entry.rule].trigger == Trigger::Piece;
        let set = self.meeting(Local::from_index(0), from.clone(), &entry.way.conditions);
        let set = entry.slide.map_or(set.clone(), |sliding| self.slid(&set, sliding));
        entry.without.iter().fold(set, |set, &(other, direction)| {
            let known = known(self, other);
            let known = self.shifted(&known, direction);
            self.without(&set, &known)
        })
    }
}

impl Compiler<'_> {
    /// Defines what counts steps, where that pays and is possible.
    pub(super) fn count_sets(&mut self) {
        let prioritised = self.rules.policy.filters.iter().any(|filter| matches!(filter, Filter::Priority(_)));
        // Steps are drawn where the stages before a step are not made any more.
        let stages = [&self.rules.stages.before_move, &self.rules.stages.before_step];
        let changes = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Effect(_));
        let changed = stages.into_iter().flatten().any(|stage| Stmt::any(&stage.body, &changes));
        if prioritised || changed || !self.can_draw() {
            return;
        }
        let counted = self.countable();
        if counted.iter().all(|(_, found)| found.ways.is_empty()) {
            return;
        }
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let all = self.entries(&mut module, &counted);
        let chunks = self.chunks(&all);
        let sieve = self.sieve(&mut module).filter(|sieve| sieve.suits(&all));
        // All chunks have room for as many entries.
        let width = chunks.iter().map(|(first, end)| end - first).max().unwrap_or(0) as u32;
        let count = chunks.len() as u32 * width;
        let slot = |index: usize| {
            let chunk = chunks.iter().position(|&(_, end)| index < end).expect("every entry is in a chunk");
            chunk as u32 * width + (index - chunks[chunk].0) as u32
        };
        let bytes = self.memory.set_bytes();
        let mut global = || module.global(Ty::I32, 0, None);
        let (place, left, taken_from, taken, taken_chunk) = (global(), global(), global(), global(), global());
        // Beside the sets as far as they were not drawn those that were counted, the numbers of each, and of each chunk.
        let (sets, numbers) = (count * bytes, count * bytes * 2);
        let totals = numbers + count * 4;
        let known = totals + chunks.len() as u32 * 4;
        let size = known + count * KNOWN;

        // What runs a rule for one site.
        let runs: Vec<(RuleId, Fun)> = counted
            .iter()
            .map(|(id, found)| match found.round {
                Some(round) => (*id, self.round(&mut module, *id, round)),
                None => (*id, functions.rules[id.index()]),
            })
            .collect();

        let counting = |module: &mut Module, player: Option<u32>, sieve: Option<&Sieve>| {
            module.function("count sets", &[], None, |body, _| {
                let me = body.bind(player.map_or_else(|| self.me(), Ex::from));
                let typed = self.rules.schedule.turns.iter().any(|turn| turn.move_type.is_some());
                let wanted = body.bind(if typed { self.turn_part(2) } else { 0.into() });
                let total = body.bind(0);
                self.with_sites(body, me, |code| {
                    code.player = player;
                    let mut rest = &chunks[..];
                    while let [(first, _), ..] = rest {
                        let alike = rest.iter().take_while(|(other, _)| self.alike(&all[*first], &all[*other])).count();
                        let (group, others) = rest.split_at(alike);
                        let number = |chunk: usize| place + (totals + (chunks.len() - rest.len() + chunk) as u32 * 4);
                        let (from, some) = self.sources(code, &all[*first]);
                        let entries = &all[group[0].0..group[alike - 1].1];
                        let (starts, some) = match sieve {
                            None => (vec![from; entries.len()], some),
                            Some(sieve) => code.sifted_starts(entries, &from, some, sieve),
                        };
                        let cached = code.cache.clone();
                        let (then, ()) = code.apart(|code| {
                            for (index, &(first, end)) in group.iter().enumerate() {
                                let sum = code.body.bind(0);
                                for (at, index) in (first..end).zip(slot(first)..) {
                                    let entry = &all[at];
                                    let from = &starts[at - group[0].0];
                                    let from = self.wanted(code, entry.rule, from, typed.then_some(wanted));
                                    let set = code.steps_of(entry, &from, &|code, other| {
                                        code.copied(&Words::At(place + slot(other) * bytes))
                                    });
                                    let set = sieve.map_or(set.clone(), |sieve| code.ending(entry, &set, sieve));
                                    let found =
                                        code.deliver(&set, place + index * bytes, place + (numbers + index * 4));
                                    if entry.recorder.is_none() {
                                        code.assign(&Words::At(place + (sets + index * bytes)), &set);
                                    }
                                    code.body.set(sum, sum + found);
                                }
                                code.body.store(Width::I32, number(index), 0, sum);
                                code.body.set(total, total + sum);
                            }
                        });
                        code.cache = cached;
                        match some {
                            Some(some) => {
                                let (none, ()) = code.apart(|code| {
                                    (0..group.len()).for_each(|index| code.body.store(Width::I32, number(index), 0, 0));
                                });
                                code.body.push(Low::If(some, then, none));
                            }
                            None => then.into_iter().for_each(|statement| code.body.push(statement)),
                        }
                        rest = others;
                    }
                });
                body.set_global(left, total);
            })
        };
        let apart = self.counts_by_player() && all.iter().any(|entry| entry.slide.is_some());
        let compute = self.of_the_turn(&mut module, apart, None, &|module, player| counting(module, player, None));
        let sifted = sieve.map(|sieve| {
            let sift = |module: &mut Module, player| counting(module, player, Some(&sieve));
            let sift = self.of_the_turn(&mut module, apart, None, &sift);
            let bulk = |module: &mut Module, player| self.bulk(module, &all, &chunks, &sieve, player);
            let bulk = self.of_the_turn(&mut module, apart, Some(Ty::I32), &bulk);
            Sifted { sieve, bulk, sift }
        });

        // Takes the step of a number out of the sets: gives its way and its site to who goes on. The sums are compared without
        // branches, which nothing could foresee.
        let taking = |body: &mut Body, number: V| {
            let number = body.bind(number);
            let find = |body: &mut Body, at: V, count: u32| {
                let (found, sum, before) = (body.bind(0), body.bind(0), body.bind(0));
                for index in 0..count - 1 {
                    body.set(sum, sum + at.load(Width::I32, index * 4));
                    let beyond = body.bind(number.ge_s(sum));
                    body.set(found, found + beyond);
                    body.set(before, crate::low::select(beyond, sum, before));
                }
                body.set(number, number - before);
                found
            };
            let chunk = body.bind(place + totals);
            let first = body.bind(0);
            if chunks.len() > 1 {
                let found = find(body, chunk, chunks.len() as u32);
                body.set(first, found * width);
                body.set(chunk, chunk + found * 4);
            }
            let counts = body.bind(place + numbers);
            let here = body.bind(counts + first * 4);
            let found = find(body, here, width);
            let way = body.bind(first + found);
            let set = body.bind(place + way * bytes);
            let (word, site) = self.nth(body, set, number);
            (way, counts, word, site, chunk)
        };
        let mut makers: Vec<Maker> = Vec::new();
        let mut known_of: Vec<(u32, [i32; 4])> = Vec::new();
        for (index, entry) in all.iter().enumerate() {
            let steps = steps_from(&entry.way.to, Local::from_index(0)).unwrap_or_default();
            let (maker, steps) = match (entry.recorder, entry.slide) {
                (Some(recorder), Some(Sliding { slide, .. })) => {
                    (Maker::Slide(recorder, slide.hops.len()), vec![(slide.direction, true)])
                }
                (Some(recorder), None) if steps.len() <= 2 => (Maker::Steps(recorder, steps.len()), steps),
                _ => (Maker::Run(index), Vec::new()),
            };
            let number = makers.iter().position(|&other| other == maker).unwrap_or(makers.len());
            if number == makers.len() {
                makers.push(maker);
            }
            let mut words = [number as i32, entry.rule.index() as i32, 0, 0];
            for (word, &(direction, back)) in words[2..].iter_mut().zip(&steps) {
                *word = self.memory.step_row(direction, back);
            }
            known_of.push((slot(index), words));
        }
        let prepare = module.function("prepare sets", &[], None, |body, _| {
            body.push(Low::Clear(place.into(), size.into()));
            for (slot, words) in &known_of {
                for (index, &word) in words.iter().enumerate().filter(|(_, word)| **word != 0) {
                    body.store(Width::I32, place, known + slot * KNOWN + index as u32 * 4, word);
                }
            }
        });
        let take = module.function("take", &[Ty::I32], Some(Ty::I32), |body, params| {
            let (way, counts, word, site, chunk) = taking(body, params[0]);
            for at in [counts + way * 4, chunk.into()] {
                let at = body.bind(at);
                body.store(Width::I32, at, 0, at.load(Width::I32, 0) - 1);
            }
            body.set_global(left, left - 1);
            self.toggle(body, word.into(), site.into());
            body.set_global(taken_from, word);
            body.set_global(taken, site);
            body.set_global(taken_chunk, chunk);
            let me = body.bind(self.me());
            let at = body.bind(place + way * KNOWN);
            let word = |index: u32| at.load(Width::I32, known + index * 4);
            let row = |index: u32| me * self.memory.step_player() + word(index);
            let maker = body.bind(word(0));
            self.by_number(body, maker, 0, makers.len() as u32, &|body, number| {
                let record = |recorder, start: Ex, end: Ex| self.ask(recorder, [word(1), me.into(), start, end]);
                match makers[number as usize] {
                    Maker::Slide(recorder, hops) => {
                        let row = body.bind(row(2));
                        let start = self.walked_back(body, row, site, hops);
                        body.give(record(recorder, start.into(), site.into()));
                    }
                    Maker::Steps(recorder, count) => {
                        let step = |site: Ex, index: u32| (row(index) + site * 2).load(Width::U16, 0);
                        let end = (0..count as u32).fold(Ex::from(site), |site, index| step(site, 2 + index));
                        body.give(record(recorder, site.into(), end));
                    }
                    Maker::Run(index) => {
                        let entry = &all[index];
                        if let Some(recorder) = entry.recorder {
                            let end = self.stepped(body, me, site, &entry.way.to);
                            return body.give(record(recorder, site.into(), end.into()));
                        }
                        let start = body.bind(self.globals.index);
                        let (_, run) =
                            runs.iter().find(|(id, _)| *id == entry.rule).expect("every counted rule is run");
                        body.call(*run, vec![me.into(), if entry.once { 0.into() } else { site.into() }]);
                        // The ways before it that lead to a step from the same site.
                        let before = (index - entry.index..index).map(|other| {
                            let word = (site - 1).shr_u(6) * 8 + place + (sets + slot(other) * bytes);
                            word.load(Width::I64, 0).shr_u((site - 1).extend()).wrap() & 1
                        });
                        let before = before.reduce(|a, b| a + b).unwrap_or(0.into());
                        body.give((before * 4 + start).load(Width::I32, 0));
                    }
                }
            });
        });
        // A rule with one way and one effect, which changes something, needs no record of its step where nothing can refuse it.
        let sure = self.lawless()
            && counted.iter().all(|(id, found)| {
                let [way] = &found.ways[..] else { return false };
                let single = way.effects == 1 && way.changes && way.slide.is_none();
                let rule = &self.rules.rules[*id];
                single && rule.then.is_none() && makes_alone(&rule.body)
            });
        // Which entry stands in a slot; those that are empty are never drawn.
        let entry_of: Vec<usize> =
            (0..count).map(|number| (0..all.len()).find(|&index| slot(index) == number).unwrap_or(0)).collect();
        let step = |entry: &Entry<'_>| {
            let plain = !entry.once && entry.slide.is_none();
            self.cell_step(entry.rule, entry.way).filter(|_| plain)
        };
        let steps: Option<Vec<_>> = if sure || !self.lawless() { None } else { all.iter().map(step).collect() };
        let play = steps.map(|steps| {
            module.function("play of steps", &[Ty::I32], None, |body, params| {
                let (way, _, _, site, _) = taking(body, params[0]);
                self.by_number(body, way, 0, count, &|body, way| {
                    self.play_on_cells(body, &steps[entry_of[way as usize]], site);
                });
            })
        });
        let single = sure.then(|| {
            let makers: Vec<Fun> =
                counted.iter().map(|(id, found)| self.for_site(&mut module, *id, found.round, Mode::Make)).collect();
            module.function("play of sets", &[Ty::I32], None, |body, params| {
                let (way, _, _, site, _) = taking(body, params[0]);
                let me = body.bind(self.me());
                self.by_number(body, way, 0, count, &|body, way| {
                    body.call(makers[entry_of[way as usize]], vec![me.into(), site.into()]);
                });
                body.call(functions.pass_turn, vec![]);
            })
        });
        let play = single.or(play);
        let alone = counted.iter().all(|(id, found)| {
            let [way] = &found.ways[..] else { return false };
            let rule = &self.rules.rules[*id];
            let changes = way.changes || rule.trigger == Trigger::Turn || !self.rules.policy.no_null_moves;
            way.slide.is_none() && way.parameters == 0 && changes && in_order(&rule.body)
        });
        let attempt = (alone && play.is_none()).then(|| {
            let trials: Vec<Fun> = counted
                .iter()
                .map(|(id, found)| {
                    let make = self.for_site(&mut module, *id, found.round, Mode::Make);
                    self.trial(&mut module, *id, make)
                })
                .collect();
            module.function("attempt of sets", &[Ty::I32], Some(Ty::I32), |body, params| {
                let (way, counts, word, site, chunk) = taking(body, params[0]);
                let me = body.bind(self.me());
                self.by_number(body, way, 0, count, &|body, way| {
                    let index = entry_of[way as usize];
                    let site = if all[index].once { 0.into() } else { site.into() };
                    let made = self.ask(trials[index], [me.into(), site]);
                    body.when(made, |body| body.give(1));
                });
                for at in [counts + way * 4, chunk.into()] {
                    let at = body.bind(at);
                    body.store(Width::I32, at, 0, at.load(Width::I32, 0) - 1);
                }
                body.set_global(left, left - 1);
                self.toggle(body, word.into(), site.into());
                body.give(0);
            })
        });
        let put_back = module.function("put back", &[], None, |body, _| {
            self.toggle(body, taken_from.into(), taken.into());
            let way = Ex::binary(crate::low::Binary::DivS, taken_from - place, bytes as i32);
            let number = way * 4 + place + numbers;
            for at in [number, taken_chunk.into()] {
                let at = body.bind(at);
                body.store(Width::I32, at, 0, at.load(Width::I32, 0) + 1);
            }
        });
        let staged = self.staged.iter().flat_map(|staged| staged.rules.iter().copied());
        let known: BTreeSet<RuleId> = counted.iter().map(|(id, _)| *id).chain(staged).collect();
        let deferred = self.deferred(&mut module, &known);
        let drawn = deferred.iter().flat_map(super::deferred::Deferred::rules);
        let known: BTreeSet<RuleId> = known.iter().copied().chain(drawn).collect();
        let others = known.len() < self.rules.rules.len();
        let list_others =
            others.then(|| module.function("list others", &[], None, |body, _| self.raw(body, &self.drops, &known)));
        let planned = |found: &Ways| match found.ways.iter().any(|way| way.slide.is_some()) {
            true => Planned::Slides(found.ways.len()),
            false => Planned::Ways(found.ways.len()),
        };
        let rules = counted.iter().map(|(id, found)| (*id, planned(found))).collect();
        self.module = module;
        self.deferred = deferred;
        self.counted = Some(Counted {
            rules,
            bytes: size,
            place,
            left,
            prepare,
            count: compute,
            take,
            play,
            attempt,
            sure,
            list_others,
            put_back,
            sifted,
        });
    }

    /// A function that is written for each player apart, or for all.
    fn of_the_turn(
        &self,
        module: &mut Module,
        apart: bool,
        result: Option<Ty>,
        write: &dyn Fn(&mut Module, Option<u32>) -> Fun,
    ) -> Fun {
        if !apart {
            return write(module, None);
        }
        let each: Vec<Fun> = (1..=self.memory.players).map(|player| write(module, Some(player))).collect();
        module.function("of the turn", &[], result, |body, _| {
            let me = body.bind(self.me());
            self.by_number(body, me, 1, each.len() as u32 + 1, &|body, player| {
                let function = each[player as usize - 1];
                match result {
                    Some(ty) => body.give(Ex::Call(function, Vec::new(), ty)),
                    None => body.call(function, Vec::new()),
                }
            });
        })
    }

    /// The sites of a set, if the turn is for the rule's moves: its move type is given, where turns have one.
    pub(super) fn wanted(&self, code: &mut Code<'_, '_>, rule: RuleId, from: &Words, turn: Option<V>) -> Words {
        let own = self.rules.rules[rule].move_type.map_or(0, |of| of.index() as i32 + 1);
        match turn {
            Some(wanted) => code.if_so(from, wanted.eqz() | wanted.eq(own)),
            None => from.clone(),
        }
    }

    /// The sets that are counted, and what writes the records of their steps.
    fn entries<'w>(&self, module: &mut Module, counted: &'w [(RuleId, Ways)]) -> Vec<Entry<'w>> {
        let mut shapes: Vec<(Shape, Fun)> = Vec::new();
        let mut entries: Vec<Entry<'w>> = Vec::new();
        for (id, found) in counted {
            let trigger = self.rules.rules[*id].trigger;
            let shaped: Vec<Option<Shape>> = found
                .ways
                .iter()
                .map(|way| {
                    let apart = !found.once && (way.slide.is_some() || ends_by_steps(way));
                    Shape::of(way, trigger).filter(|_| apart)
                })
                .collect();
            // A rule that is run for one of its ways must find all of them in their order.
            let all = shaped.iter().all(Option::is_some);
            for (index, way) in found.ways.iter().enumerate() {
                let own = entries.iter().enumerate().filter(|(_, other)| self.alike_rules(other.rule, *id));
                let same = own.filter(|(_, other)| !differ(other.way, way));
                let without: Vec<(usize, Direction)> =
                    same.filter_map(|(at, other)| Some((at, begins(other.way, way, trigger)?))).collect();
                let last = entries.last_mut().filter(|last| last.rule == *id && without == last.without);
                if let Some((joined, last)) = last.and_then(|last| Some((Sliding::joined(last.way, way)?, last))) {
                    last.slide = Some(joined);
                    continue;
                }
                let recorder = shaped[index].clone().filter(|_| all).map(|shape| {
                    let known = shapes.iter().find(|(other, _)| *other == shape).map(|(_, recorder)| *recorder);
                    known.unwrap_or_else(|| {
                        let recorder = self.recorder(module, &shape);
                        shapes.push((shape, recorder));
                        recorder
                    })
                });
                let slide = way.slide.as_ref().map(Sliding::of);
                entries.push(Entry { rule: *id, once: found.once, index, way, slide, recorder, without });
            }
        }
        entries
    }

    /// Cuts the entries into pieces that are counted together: from where to where.
    fn chunks(&self, all: &[Entry<'_>]) -> Vec<(usize, usize)> {
        let mut chunks: Vec<(usize, usize)> = Vec::new();
        for index in 0..all.len() {
            match chunks.last_mut() {
                Some((first, end)) if self.alike(&all[*first], &all[index]) && index - *first < CHUNK => {
                    *end = index + 1;
                }
                _ => chunks.push((index, index + 1)),
            }
        }
        chunks
    }

    /// Whether the steps of two sets start from the same pieces.
    pub(super) fn alike(&self, a: &Entry<'_>, b: &Entry<'_>) -> bool {
        a.once == b.once && self.alike_rules(a.rule, b.rule)
    }

    fn alike_rules(&self, a: RuleId, b: RuleId) -> bool {
        let source = |rule: &Rule| (rule.trigger, rule.kind.filter(|_| rule.trigger != Trigger::Turn));
        source(&self.rules.rules[a]) == source(&self.rules.rules[b])
    }

    /// The sites that a rule is run for, and whether there are any, when that is not sure.
    pub(super) fn sources(&self, code: &mut Code<'_, '_>, entry: &Entry<'_>) -> (Words, Option<Ex>) {
        let rule = &self.rules.rules[entry.rule];
        let kind = rule.kind.map_or(0, |kind| kind.index() as u32 + 1);
        match rule.trigger {
            Trigger::Turn if entry.once => (code.some_site(), None),
            Trigger::Turn => (code.all_sites(), None),
            Trigger::Drop => {
                let hand = self.memory.known.hand.expect("drops come from hands");
                let waiting = self.hand(hand, code.me, kind).load(Width::I32, 0).gt_s(0);
                (code.all_sites(), Some(waiting))
            }
            Trigger::Piece | Trigger::AnyPiece => {
                let pieces = code.pieces(kind);
                let some = code.some(&pieces);
                (pieces, Some(some))
            }
        }
    }

    /// Where a step ends that is some steps from where it starts.
    fn stepped(&self, body: &mut Body, me: V, start: V, to: &Expr) -> V {
        let mut site = Ex::from(start);
        for (direction, back) in steps_from(to, Local::from_index(0)).into_iter().flatten() {
            let row = me * self.memory.step_player() + self.memory.step_row(direction, back);
            site = (row + site * 2).load(Width::U16, 0);
        }
        body.bind(site)
    }

    /// Where the word lies that holds the member of this number in a set in memory, and the member's site number.
    pub(super) fn nth(&self, body: &mut Body, set: V, number: V) -> (V, V) {
        let word = body.bind(set);
        let bits = body.bind(word.load(Width::I64, 0));
        let left = body.bind(number);
        if self.memory.words > 1 {
            let here = body.bind(Ex::from(bits).popcnt().wrap());
            body.repeat_while(left.ge_s(here), |body, _| {
                body.set(left, left - here);
                body.set(word, word + 8);
                body.set(bits, word.load(Width::I64, 0));
                body.set(here, Ex::from(bits).popcnt().wrap());
            });
        }
        let place = self.member(body, bits, left);
        let site = body.bind(place + (word - set) * 8 + 1);
        (word, site)
    }

    /// Which bit of a word is its member of this number, of which there are more: by sums over its bytes, as Sebastiano Vigna
    /// describes it (Broadword Implementation of Rank/Select Queries, 2008), and a table for the last one.
    pub(super) fn member(&self, body: &mut Body, bits: V, number: V) -> Ex {
        let each = |byte: u64| c64(byte * 0x0101_0101_0101_0101);
        let pairs = body.bind(bits - (bits.shr_u(c64(1)) & each(0x55)));
        let fours = body.bind((pairs & each(0x33)) + (pairs.shr_u(c64(2)) & each(0x33)));
        let sums = body.bind(((fours + fours.shr_u(c64(4))) & each(0x0f)) * each(1));
        let number = body.bind(number.extend());
        // The high bit of each byte up to which there are no more than that.
        let before = (((number * each(1)) | each(0x80)) - sums) & each(0x80);
        let place = body.bind(before.popcnt() * c64(8));
        let inside = number - ((sums << c64(8)).shr_u(place) & c64(0xff));
        let byte = bits.shr_u(place) & c64(0xff);
        place.wrap() + (inside * c64(256) + byte).wrap().load(Width::U8, self.memory.members)
    }

    /// Whether nothing but the rules themselves says what is legal, and nothing is done around their steps.
    pub(super) fn lawless(&self) -> bool {
        let stages = &self.rules.stages;
        let programs = [&stages.before_move, &stages.before_step, &stages.after_step, &stages.after_move];
        self.rules.invariants.is_empty() && programs.iter().all(|program| program.is_none())
    }

    /// Takes a site out of the word in memory that holds it, or puts it back.
    fn toggle(&self, body: &mut Body, word: Ex, site: Ex) {
        let bit = c64(1) << (site - 1).extend();
        let at = body.bind(word);
        body.store(Width::I64, at, 0, at.load(Width::I64, 0) ^ bit);
    }

    /// The rules whose steps can be counted, with their ways.
    pub(super) fn countable(&self) -> Vec<(RuleId, Ways)> {
        let rules = self.rules;
        let mut found: Vec<(RuleId, Ways)> = Vec::new();
        let kinds = || rules.kinds.ids().map(Some);
        let groups = kinds().map(|kind| (Trigger::Piece, kind)).chain(kinds().map(|kind| (Trigger::Drop, kind)));
        for (trigger, kind) in groups.chain([(Trigger::Turn, None)]) {
            // Steps from one site, or from none, may be the same: those of all rules for a kind, of all drops, of all turns.
            let alike = |rule: &Rule| match trigger {
                Trigger::Piece | Trigger::AnyPiece => {
                    rule.kind == kind && matches!(rule.trigger, Trigger::Piece | Trigger::AnyPiece)
                }
                Trigger::Drop | Trigger::Turn => {
                    rule.trigger == trigger && (trigger == Trigger::Turn || rule.kind == kind)
                }
            };
            let group: Vec<_> = rules.rules.iter().filter(|(_, rule)| alike(rule)).collect();
            if group.iter().any(|(_, rule)| rule.trigger != trigger) {
                continue;
            }
            let known: Vec<_> = group.iter().filter_map(|&(id, rule)| Some((id, routes(rule)?))).collect();
            let as_set = |way: &Way| {
                let piece = trigger == Trigger::Piece && Shape::of(way, trigger).is_some();
                way.slide.is_none() || piece && self.slides_as_set(way)
            };
            if !known.iter().flat_map(|(_, found)| &found.ways).all(as_set) {
                continue;
            }
            let sited: Vec<_> = known.iter().filter(|(_, found)| !found.once).cloned().collect();
            if let Some(apart) = [known, sited].into_iter().find(|known| self.are_apart(known, &group, trigger)) {
                found.extend(apart);
            }
        }
        found
    }

    /// Whether the steps of these rules of a group are never the same, nor the same as one of the others.
    fn are_apart(&self, known: &[(RuleId, Ways)], group: &[(RuleId, &Rule)], trigger: Trigger) -> bool {
        let all: Vec<&Way> = known.iter().flat_map(|(_, found)| &found.ways).collect();
        let mut others = group.iter().filter(|(id, _)| known.iter().all(|(known, _)| known != id)).peekable();
        // The others must end elsewhere: at no site, while those that are counted end at one; or where an enemy stands, while those
        // end where nobody does.
        let aside = others.peek().is_none()
            || all.iter().all(|way| ends_here(way)) && others.clone().all(|(_, rule)| ends_nowhere(rule))
            || all.iter().all(|way| ends_on_empty(way)) && others.all(|(_, rule)| ends_on_enemies(rule));
        let places: Vec<_> = all.iter().map(|way| self.endings(way)).collect();
        let differ = |a: usize, b: usize| {
            ends_apart(all[a], all[b])
                || differ(all[a], all[b])
                || are_elsewhere(places[a].as_ref(), places[b].as_ref())
                || begins(all[a], all[b], trigger).is_some()
        };
        aside && (0..all.len()).all(|b| (0..b).all(|a| differ(a, b)))
    }

    /// Whether two ways never lead to the same step from one site.
    pub(super) fn differ(&self, a: &Way, b: &Way) -> bool {
        ends_apart(a, b) || differ(a, b) || self.end_elsewhere(a, b)
    }

    /// Whether two ways never end at the same site when they start from one.
    pub(super) fn end_elsewhere(&self, a: &Way, b: &Way) -> bool {
        are_elsewhere(self.endings(a).as_ref(), self.endings(b).as_ref())
    }

    /// For each player and site where a way can end, as far as that is known.
    fn endings(&self, way: &Way) -> Option<Vec<Vec<Site>>> {
        let topology = &self.rules.topology;
        if let Some(slide) = &way.slide {
            let line = |player: Player, site| {
                let seen = self.rules.players[player].seen(slide.direction);
                let further = |&site: &Site| topology.step(seen, site);
                std::iter::successors(further(&site), further).take(topology.site_count()).collect()
            };
            let starts = self.rules.players.ids().flat_map(|player| topology.sites().map(move |site| (player, site)));
            return Some(starts.map(|(player, site)| line(player, site)).collect());
        }
        Some(self.places(&way.to)?.into_iter().map(|end| end.into_iter().collect()).collect())
    }

    /// For each player and site the place that some steps from there lead to; nothing when an expression says something else.
    pub(super) fn places(&self, place: &Expr) -> Option<Vec<Option<Site>>> {
        let steps = steps_from(place, Local::from_index(0))?;
        let topology = &self.rules.topology;
        let opposites: IdMap<Direction, Option<Direction>> = topology.opposites();
        let mut places = Vec::new();
        for player in self.rules.players.ids() {
            for site in topology.sites() {
                let end = steps.iter().try_fold(site, |site, &(direction, back)| {
                    let seen = self.rules.players[player].seen(direction);
                    let direction = if back { opposites[seen] } else { Some(seen) };
                    topology.step(direction?, site)
                });
                places.push(end);
            }
        }
        Some(places)
    }
}

/// Whether steps of a way end at the site that it is about.
fn ends_here(way: &Way) -> bool {
    way.to.op == Op::Local(Local::from_index(0))
}

/// Whether the steps of a way end where nobody stands.
fn ends_on_empty(way: &Way) -> bool {
    way.slide.is_none() && way.conditions.contains(&Expr::new(Op::Empty, [way.to.clone()]))
}

/// Whether the steps of a rule end where an enemy is known to stand.
pub(super) fn ends_on_enemies(rule: &Rule) -> bool {
    fn asked(condition: &Expr) -> Vec<Local> {
        match (condition.op, &condition.args[..]) {
            (Op::Enemy, [Expr { op: Op::Local(local), .. }]) => vec![*local],
            (Op::And, parts) => parts.iter().flat_map(asked).collect(),
            _ => Vec::new(),
        }
    }
    // What is set in a block is not known before it, if it may be run again, nor behind it.
    fn set(block: &[Stmt], known: &mut BTreeSet<Local>) {
        for statement in block {
            if let StmtKind::Let(local, _) | StmtKind::For(local, ..) | StmtKind::Range(local, ..) = &statement.kind {
                known.remove(local);
            }
            statement.blocks().into_iter().for_each(|inside| set(inside, known));
        }
    }
    fn block(statements: &[Stmt], mut known: BTreeSet<Local>) -> bool {
        statements.iter().all(|statement| {
            let holds = match &statement.kind {
                StmtKind::Verify(condition) => {
                    known.extend(asked(condition));
                    true
                }
                StmtKind::Emit(emit) => matches!(emit.to.op, Op::Local(local) if known.contains(&local)),
                StmtKind::If(condition, then, otherwise) => {
                    let told = known.iter().copied().chain(asked(condition)).collect();
                    block(then, told) && block(otherwise, known.clone())
                }
                _ => statement.blocks().into_iter().all(|inside| {
                    let mut open = known.clone();
                    set(inside, &mut open);
                    block(inside, open)
                }),
            };
            set(std::slice::from_ref(statement), &mut known);
            holds
        })
    }
    rule.view == View::Before && block(&rule.body, BTreeSet::new())
}

/// Whether the steps of a rule end at no site.
fn ends_nowhere(rule: &Rule) -> bool {
    !Stmt::any(&rule.body, &|statement| match &statement.kind {
        StmtKind::Emit(emit) => emit.to.op != Op::Nowhere,
        _ => false,
    })
}

/// Whether two ways end at sites that differ by what is said of them alone.
pub(super) fn ends_apart(a: &Way, b: &Way) -> bool {
    let ends = |way: &Way| match way.to.op {
        Op::Nowhere | Op::Site(_) => Some(way.to.op),
        _ => None,
    };
    match (ends(a), ends(b)) {
        (Some(a), Some(b)) => a != b,
        (Some(Op::Nowhere), None) => ends_here(b),
        (None, Some(Op::Nowhere)) => ends_here(a),
        _ => false,
    }
}

/// The direction of a slide, when the first of two ways is its first step: then their steps are the same where both end there.
pub(super) fn begins(first: &Way, slide: &Way, trigger: Trigger) -> Option<Direction> {
    let sliding = slide.slide.as_ref().filter(|slide| slide.hops.is_empty())?;
    let steps = steps_from(&first.to, Local::from_index(0)).filter(|_| first.slide.is_none())?;
    let same = steps == [(sliding.direction, false)] && Shape::of(first, trigger)? == Shape::of(slide, trigger)?;
    same.then_some(sliding.direction)
}

/// Whether a condition of one way is the negation of one of the other.
pub(super) fn excludes(a: &Way, b: &Way) -> bool {
    a.conditions.iter().any(|condition| b.conditions.contains(&condition.clone().negated()))
}

/// Whether two ways never lead to the same step from one site, as far as that is seen without the board.
fn differ(a: &Way, b: &Way) -> bool {
    let number = |way: &Way| way.choice.as_ref().map(|choice| choice.op);
    let chosen = match (number(a), number(b)) {
        (Some(Op::Kind(a)), Some(Op::Kind(b))) => a != b,
        (Some(Op::Int(a)), Some(Op::Int(b))) => a != b,
        _ => false,
    };
    let slides = a.slide.as_ref().zip(b.slide.as_ref()).is_some_and(|(a, b)| a.differs(b));
    let effects = differs_by_effect(a, b) || differs_by_effect(b, a);
    excludes(a, b) || chosen || slides || effects || a.parameters != b.parameters
}

/// Whether two ways never end at the same site when they start from one: their places are given.
fn are_elsewhere(a: Option<&Vec<Vec<Site>>>, b: Option<&Vec<Vec<Site>>>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    a.iter().zip(b).all(|(a, b)| a.iter().all(|site| !b.contains(site)))
}

/// Whether the steps of a way surely have an effect that those of the other never have.
fn differs_by_effect(a: &Way, b: &Way) -> bool {
    let is_on_board = |site: &Expr| {
        let known = [Expr::local(Local::from_index(0)), Expr::local(Local::from_index(1))].contains(site);
        known || a.conditions.contains(&Expr::new(Op::OnBoard, [site.clone()]))
    };
    let is_sure = |effect: &Expr| match effect.op {
        Op::Capture | Op::Flip | Op::Pop | Op::SetAt(_) => is_on_board(&effect.args[0]),
        Op::Retype => is_on_board(&effect.args[0]) && matches!(effect.args[1].op, Op::Kind(_)),
        Op::Reown => is_on_board(&effect.args[0]) && matches!(effect.args[1].op, Op::Player(_) | Op::Me),
        _ => false,
    };
    let is_fixed = |arg: &Expr| matches!(arg.op, Op::Kind(_) | Op::Player(_) | Op::Int(_));
    let may_equal = |a: &Expr, b: &Expr| {
        let mut args = a.args.iter().zip(&b.args);
        a.op == b.op && args.all(|(a, b)| a == b || !is_fixed(a) || !is_fixed(b))
    };
    let never = |effect: &Expr| b.made.as_ref().is_some_and(|made| !made.iter().any(|other| may_equal(effect, other)));
    a.made.iter().flatten().any(|effect| is_sure(effect) && never(effect))
}

/// Whether a way ends a fixed number of steps from where it starts.
fn ends_by_steps(way: &Way) -> bool {
    steps_from(&way.to, Local::from_index(0)).is_some()
}

/// Whether a rule can be run while its effect is made at once: the effect is of a kind that can be made alone, and nothing but the
/// board itself is looked at besides conditions, which are not asked again.
fn makes_alone(rule: &[Stmt]) -> bool {
    let plain = |expr: &Expr| looks_at_nothing(expr);
    !Stmt::any(rule, &|statement| match &statement.kind {
        StmtKind::Effect(effect) => !Compiler::makes_alone(effect.op) || !effect.args.iter().all(plain),
        StmtKind::Let(_, value) => !plain(value),
        StmtKind::Emit(_) => !statement.expressions().into_iter().all(plain),
        StmtKind::Verify(_) | StmtKind::For(..) | StmtKind::Attempt(_) | StmtKind::Try(_) => false,
        StmtKind::Forget | StmtKind::Discard => false,
        StmtKind::If(..) | StmtKind::While(..) | StmtKind::Range(..) => true,
    })
}

/// Whether an expression means the same whatever the state.
pub(super) fn looks_at_nothing(expr: &Expr) -> bool {
    let fixed = matches!(
        expr.op,
        Op::Local(_)
            | Op::Int(_)
            | Op::Kind(_)
            | Op::Player(_)
            | Op::Me
            | Op::Site(_)
            | Op::Nowhere
            | Op::OrElse
            | Op::Step(_)
            | Op::StepBack(_)
    );
    fixed && expr.args.iter().all(looks_at_nothing)
}
