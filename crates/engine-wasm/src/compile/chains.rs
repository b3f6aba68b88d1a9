//! Turns that are played on sets alone, where steps have classes of which the first counts, or go on with the same piece: a step
//! moves one piece, may capture others and may change the kind of its own.
//!
//! The steps of a class are counted as sets of sites ([`dagaz_ir::ways`]), class after class, up to the first that has one. A class
//! whose steps end the move is drawn from at once. Where steps go on, the whole moves that they begin are made one after the other
//! on the sets of owners and kinds, the cells being left as they are: the sets at its end are all that is kept of a move, and
//! what tells it from others. Those of the move that is drawn are put in place, and the cells follow where they changed.
//!
//! A turn in which other rules might have a step, or which has a great many moves, is listed as any other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use dagaz_base::Id;
use dagaz_ir::ways::{Way, gate, ways};
use dagaz_ir::{Expr, Filter, Local, MoveType, Next, Op, Pass, Program, RuleId, Stmt, StmtKind, Trigger, Type};

use crate::low::{Body, Ex, Fun, Global, Module, Ty, V, Width, c64};

use super::drive::Moves;
use super::effects::code;
use super::ends::{OPEN, drawing};
use super::program::{Code, Slot, bounds_bytes};
use super::set::{Words, mentions};
use super::{Compiler, mail, record};

/// How many whole moves of a turn are told apart, how many steps are made to find them, and how many steps a move has: a turn
/// with more is listed.
const MOST_MOVES: u32 = 64;
const MOST_STEPS: i32 = 4_096;
const LONGEST: usize = 100;

/// How many words all sets of a board have at most.
const MOST_WORDS: u32 = 24;

/// A way to a step, and what the step does to the sets.
#[derive(Clone, Debug)]
pub(super) struct Step {
    rule: RuleId,
    way: Way,
    /// The number of the kind of piece that moves, and of what it is afterwards.
    kind: u32,
    becomes: u32,
    captured: Vec<Expr>,
    /// With which type of steps the piece goes on, if it does.
    again: Option<Option<MoveType>>,
}

/// A rule whose steps are not made so.
#[derive(Clone, Debug)]
struct Other {
    rule: RuleId,
    /// Where it makes a step, all conditions of one of these rows hold.
    gates: Vec<Vec<Expr>>,
}

/// The steps of a turn as sets.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    /// Those of one class stand together.
    steps: Vec<Step>,
    classes: Vec<Range<usize>>,
    others: Vec<Other>,
    /// Where the sets lie of the ways that were counted.
    place: Global,
    /// Whether the turn is played so.
    pub(super) by_sets: Global,
    /// How many steps the class has that counts, and how many of them go on.
    left: Global,
    going_on: Global,
    class: Global,
    count: Fun,
}

impl Step {
    fn ends_on_empty(&self) -> bool {
        self.way.conditions.contains(&Expr::new(Op::Empty, [self.way.to.clone()]))
    }
}

impl Chains {
    /// How many steps the turn has, once they are counted.
    pub(super) fn left(&self) -> Ex {
        self.left.into()
    }
}

/// Where the parts lie that are kept for a turn, counted from the start of them.
struct Plan {
    counts: u32,
    before: u32,
    moves: u32,
    /// Bytes of a board, and of all.
    board: u32,
    size: u32,
}

/// Functions that go through whole moves.
struct Walks {
    /// Makes a step from a site on the sets; gives where it ends.
    makes: Vec<Fun>,
    /// Finds the moves that go on with the piece on a site; gives whether there are any. By its kind and the type of the steps.
    goes_on: BTreeMap<(u32, Option<MoveType>), Fun>,
    /// Notes the sets as those at the end of a move.
    ends: Fun,
    /// How many moves were found.
    found: Global,
    /// Whether there were too many.
    full: Global,
    made: Global,
    depth: Global,
}

impl Compiler<'_> {
    /// Defines what counts the steps of turns that are played so, where there are any.
    pub(super) fn count_chains(&mut self) {
        let Some((steps, others)) = self.set_steps() else { return };
        let classes: Vec<Range<usize>> = (0..self.class_count())
            .map(|class| {
                let before = |limit| steps.iter().filter(|step| self.class_of(step.rule) < limit).count();
                before(class)..before(class + 1)
            })
            .collect();
        let mut module = std::mem::take(&mut self.module);
        let mut global = || module.global(Ty::I32, 0, None);
        let (place, by_sets, left) = (global(), global(), global());
        let (going_on, class) = (global(), global());
        let plan = self.chain_plan(steps.len() as u32);
        let bytes = self.memory.set_bytes();

        let count = module.function("count steps by class", &[], None, |body, _| {
            let me = body.bind(self.me());
            let typed = self.turns_are_typed();
            let wanted = body.bind(if typed { self.turn_part(2) } else { 0.into() });
            body.set_global(left, 0);
            let write = |code: &mut Code<'_, '_>| {
                let out = code.out;
                let mut pieces = BTreeMap::new();
                let mut movers = |code: &mut Code<'_, '_>, rule: RuleId| {
                    let of = (self.kind_of(rule), self.rules.rules[rule].move_type.filter(|_| typed));
                    let known = pieces.entry(of).or_insert_with(|| {
                        let set = code.pieces(of.0);
                        let own = of.1.map_or(0, |of| of.index() as i32 + 1);
                        if typed { code.if_so(&set, wanted.eqz() | wanted.eq(own)) } else { set }
                    });
                    known.clone()
                };
                for (number, range) in classes.iter().enumerate() {
                    let mut open: Ex = 0.into();
                    for other in others.iter().filter(|other| self.class_of(other.rule) == number) {
                        for gate in &other.gates {
                            let from = movers(code, other.rule);
                            let set = code.meeting(Local::from_index(0), from, gate);
                            open = code.some(&set) | open;
                        }
                    }
                    code.body.when(open, |body| {
                        body.set_global(by_sets, 0);
                        body.go(out);
                    });
                    let (total, go_on) = (code.body.bind(0), code.body.bind(0));
                    let sets: Vec<Words> = range
                        .clone()
                        .map(|index| {
                            let from = movers(code, steps[index].rule);
                            code.meeting(Local::from_index(0), from, &steps[index].way.conditions)
                        })
                        .collect();
                    for (index, set) in range.clone().zip(sets) {
                        let number = index as u32;
                        let found = code.deliver(&set, place + number * bytes, place + (plan.counts + number * 4));
                        code.body.set(total, total + found);
                        if steps[index].again.is_some() {
                            code.body.set(go_on, go_on + found);
                        }
                    }
                    code.body.when(total, |body| {
                        body.set_global(left, total);
                        body.set_global(going_on, go_on);
                        body.set_global(class, number as i32);
                        if let Some(stage) = self.functions.after_move {
                            // It says the same of all moves: bounds are raised, and held against what raised them.
                            let frame = self.frame(body, bounds_bytes(self));
                            body.store(Width::I32, frame, 0, 0);
                            body.eval(self.ask(stage, [0.into(), frame.into()]));
                            body.set_global(by_sets, self.ask(stage, [0.into(), frame.into()]));
                            body.set_global(self.globals.frames, frame);
                        }
                        body.go(out);
                    });
                }
            };
            self.with_sites(body, me, |code| code.for_each_player(&|code| write(code)));
        });
        self.module = module;
        (self.counted, self.deferred) = (None, None);
        self.chains = Some(Chains { steps, classes, others, place, by_sets, left, going_on, class, count });
    }

    /// Counts the steps of the turn, unless they are known; it may turn out that they must be listed.
    pub(super) fn count_turn(&self, body: &mut Body, chains: &Chains) {
        let listed = self.globals.listed;
        body.when(Ex::from(listed).eqz(), |body| {
            body.call(chains.count, vec![]);
            body.set_global(listed, chains.by_sets);
        });
    }

    /// Makes room for what is kept for a turn.
    pub(super) fn reserve_chains(&self, body: &mut Body, chains: &Chains) {
        let size = self.chain_plan(chains.steps.len() as u32).size;
        body.set_global(chains.place, self.ask(self.functions.reserve, [size.into()]));
    }

    /// Whether the game is over; and a draw among the whole moves, which is made as the next one of the line: it gives 0 when there
    /// is none.
    pub(super) fn draw_chains(&self, module: &mut Module, chains: &Chains, moves: &Moves, below: Fun) -> (Fun, Fun) {
        let functions = &self.functions;
        let globals = self.globals;
        let plan = self.chain_plan(chains.steps.len() as u32);
        let bytes = self.memory.set_bytes();
        let settle = self.settle(module);
        let walks = self.walks(module, chains, &plan);
        let plays: Vec<Fun> = chains
            .steps
            .iter()
            .map(|step| {
                module.function("play a step", &[Ty::I32], None, |body, params| {
                    if !self.is_plain() {
                        return self.play_on_cells(body, step, params[0]);
                    }
                    let touched = self.make_on_sets(body, step, params[0]);
                    let me = body.bind(self.me());
                    let nobody = || [Ex::from(0), 0.into()];
                    let change = body.bind(c64(0));
                    let (to, captured) = (touched[0], &touched[1..touched.len() - 1]);
                    self.put_piece(body, change, params[0], [me.into(), step.kind.into()], nobody());
                    for &site in captured {
                        let old = self.piece(body, site);
                        self.put_piece(body, change, site, old, nobody());
                    }
                    let old = if step.ends_on_empty() { nobody() } else { self.piece(body, to) };
                    self.put_piece(body, change, to, old, [me.into(), step.becomes.into()]);
                    self.toggle_keys(body, change, true);
                    self.next_turn(body);
                })
            })
            .collect();
        let explores: Vec<Option<Fun>> = chains
            .classes
            .iter()
            .map(|range| {
                let goes_on = chains.steps[range.clone()].iter().any(|step| step.again.is_some());
                goes_on.then(|| self.explore(module, chains, range, &walks))
            })
            .collect();

        // Whether somebody can move is known before the draw, whatever is asked of it.
        let ended = module.function("ended by sets", &[Ty::I32], Some(Ty::I32), |body, _| {
            body.set_global(globals.listed, 0);
            let known = &self.memory.known;
            body.set_global(chains.by_sets, (self.cell(known.chain) | self.cell(known.chain_type)).eqz());
            // In the midst of a move what may go on is listed.
            body.when(Ex::from(chains.by_sets).eqz(), |body| body.give(self.ask(functions.stand, [])));
            body.set_global(globals.drawing, drawing::LISTS);
            self.each_end(body, false);
            body.give(OPEN);
        });

        let draw = module.function("draw by sets", &[], Some(Ty::I32), |body, _| {
            body.when(chains.by_sets, |body| self.count_turn(body, chains));
            body.block(|body, list| {
                body.when(Ex::from(chains.by_sets).eqz(), |body| body.go(list));
                body.when(Ex::from(chains.left).eqz(), |body| {
                    if self.rules.policy.pass == Pass::Forced {
                        self.in_line(body, |body| {
                            body.call(functions.single, vec![record::PASS.into()]);
                            body.call(functions.make, vec![(globals.index - 4).load(Width::I32, 0)]);
                        });
                        body.give(1);
                    }
                    body.give(0);
                });
                body.when(chains.going_on, |body| {
                    self.keep_board(body, chains.place + plan.before);
                    for global in [walks.found, walks.full, walks.made, walks.depth] {
                        body.set_global(global, 0);
                    }
                    for (number, explore) in explores.iter().enumerate() {
                        let Some(explore) = explore else { continue };
                        let here = Ex::from(chains.class).eq(number as i32);
                        body.when(here, |body| body.call(*explore, vec![]));
                    }
                    body.when(walks.full, |body| body.go(list));
                    let number = self.number_below(body, walks.found, below);
                    self.in_line(body, |body| {
                        let drawn = body.bind(number * plan.board + chains.place + plan.moves);
                        self.put_board(body, drawn, chains.place + plan.before, settle);
                    });
                    body.give(1);
                });
                let number = self.number_below(body, chains.left, below);
                let way = body.bind(0);
                for (class, range) in chains.classes.iter().enumerate().skip(1) {
                    body.when(Ex::from(chains.class).eq(class as i32), |body| body.set(way, range.start as i32));
                }
                let count = |way: V| (chains.place + way * 4).load(Width::I32, plan.counts);
                let here = body.bind(count(way));
                body.repeat_while(number.ge_s(here), |body, _| {
                    body.set(number, number - here);
                    body.set(way, way + 1);
                    body.set(here, count(way));
                });
                let set = body.bind(chains.place + way * bytes);
                let (_, site) = self.nth(body, set, number);
                self.in_line(body, |body| {
                    self.by_number(body, way, 0, plays.len() as u32, &|body, way| {
                        body.call(plays[way as usize], vec![site.into()]);
                    });
                });
                body.give(1);
            });
            body.when(globals.drawing, |body| {
                body.set_global(globals.drawing, 0);
                body.set_global(globals.listed, 0);
            });
            self.list(body);
            body.when(Ex::from(globals.list_start).eq(globals.list_end), |body| body.give(0));
            self.draw_move(body, moves, below);
            body.give(1);
        });
        (ended, draw)
    }

    /// A random number below what the global holds; 0 below 1 needs no draw.
    fn number_below(&self, body: &mut Body, bound: Global, below: Fun) -> V {
        let number = body.bind(0);
        body.when(Ex::from(bound).gt_s(1), |body| body.set(number, self.ask(below, [bound.into()])));
        number
    }

    /// The addresses of all words of the board's sets.
    fn board(&self) -> Vec<u32> {
        let memory = &self.memory;
        let row = |start: u32, count: u32| (0..(count + 1) * memory.words).map(move |word| start + word * 8);
        row(memory.owner_sets, memory.players).chain(row(memory.kind_sets, memory.kinds)).collect()
    }

    fn chain_plan(&self, ways: u32) -> Plan {
        let board = self.board().len() as u32 * 8;
        let counts = ways * self.memory.set_bytes();
        let before = counts + (ways * 4).next_multiple_of(8);
        let moves = before + board;
        Plan { counts, before, moves, board, size: moves + MOST_MOVES * board }
    }

    fn board_in_locals(&self, body: &mut Body) -> Vec<V> {
        self.board().iter().map(|&at| body.bind(Ex::from(0).load(Width::I64, at))).collect()
    }

    fn keep_board(&self, body: &mut Body, to: Ex) {
        let to = body.bind(to);
        for (index, at) in self.board().into_iter().enumerate() {
            body.store(Width::I64, to, index as u32 * 8, Ex::from(0).load(Width::I64, at));
        }
    }

    /// Puts the sets in place that lie at an address. The cells of the sites follow where these differ from those before.
    fn put_board(&self, body: &mut Body, from: V, before: Ex, settle: Fun) {
        let before = body.bind(before);
        let words = self.memory.words as usize;
        let mut changed = vec![c64(0); words];
        for (index, at) in self.board().into_iter().enumerate() {
            let offset = index as u32 * 8;
            let new = body.bind(from.load(Width::I64, offset));
            body.store(Width::I64, 0, at, new);
            changed[index % words] = changed[index % words].clone() | (before.load(Width::I64, offset) ^ new);
        }
        for (word, changed) in changed.into_iter().enumerate() {
            let rest = body.bind(changed);
            body.repeat_while(Ex::from(rest).ne(c64(0)), |body, _| {
                body.call(settle, vec![rest.ctz().wrap() + (word as i32 * 64 + 1)]);
                body.set(rest, rest & (rest - c64(1)));
            });
        }
        self.next_turn(body);
    }

    /// The piece on a site as the cells say: the numbers of its owner and its kind.
    fn piece(&self, body: &mut Body, site: V) -> [Ex; 2] {
        [body.bind(self.owner(site)).into(), body.bind(self.kind(site)).into()]
    }

    /// Writes the cells of a site where another piece stands now, or none. That is not noted: nobody takes it back. What changes in
    /// the hashes is added to a local.
    fn put_piece(&self, body: &mut Body, change: V, site: V, old: [Ex; 2], new: [Ex; 2]) {
        let memory = &self.memory;
        for (field, value) in [(memory.known.owner, &new[0]), (memory.known.kind, &new[1])] {
            body.store(Width::I32, site * 4, memory.fields[field].base, value.clone());
        }
        if let (true, Some(keys)) = (self.hashing, memory.piece_keys()) {
            let key = |[owner, kind]: [Ex; 2]| {
                let (owners, kinds) = (memory.players + 1, memory.kinds + 1);
                match (owner, kind) {
                    (Ex::C32(0), Ex::C32(0)) => c64(0),
                    (owner, kind) => ((site * owners + owner) * kinds * 8 + kind * 8).load(Width::I64, keys),
                }
            };
            body.set(change, change ^ key(old) ^ key(new));
        }
    }

    /// Brings the hashes up to date with a change, which may be one of the board.
    fn toggle_keys(&self, body: &mut Body, change: impl Into<Ex>, of_board: bool) {
        if self.hashing {
            let change = body.bind(change);
            let keys = [Some(mail::KEYS), of_board.then_some(mail::KEYS + 16)];
            for at in keys.into_iter().flatten() {
                body.store(Width::I64, 0, at, Ex::from(0).load(Width::I64, at) ^ change);
            }
        }
    }

    /// The next turn begins. That is not noted either.
    fn next_turn(&self, body: &mut Body) {
        let known = &self.memory.known;
        if known.next_turn.is_some() || self.rules.fields.values().any(|field| field.transient) {
            return body.call(self.functions.pass_turn, vec![]);
        }
        let (old, new) = (body.bind(self.cell(known.turn)), body.bind(self.turn_part(3)));
        body.store(Width::I32, 0, self.memory.global(known.turn), new);
        let key = |turn: V| (turn * 8).load(Width::I64, self.memory.turn_keys);
        self.toggle_keys(body, key(old) ^ key(new), false);
    }

    /// Brings the cells of a site up to what the sets say of it. It is not noted: nobody takes it back.
    fn settle(&self, module: &mut Module) -> Fun {
        let memory = &self.memory;
        module.function("settle", &[Ty::I32], None, |body, params| {
            let (offset, bit) = self.spot(body, params[0]);
            let parts = [(memory.owner_sets, memory.players), (memory.kind_sets, memory.kinds)];
            let mut new = Vec::new();
            for (sets, count) in parts {
                let mut value: Ex = 0.into();
                for number in 1..=count {
                    let word = (offset.clone() + sets + number * memory.set_bytes()).load(Width::I64, 0);
                    value = crate::low::select((word & bit).ne(c64(0)), number, value);
                }
                new.push(body.bind(value));
            }
            let change = body.bind(c64(0));
            let old = self.piece(body, params[0]);
            self.put_piece(body, change, params[0], old, [new[0].into(), new[1].into()]);
            self.toggle_keys(body, change, true);
        })
    }

    /// Where the word of a site lies in a set, counted from its start, and the bit of the site.
    fn spot(&self, body: &mut Body, site: V) -> (Ex, V) {
        let bit = body.bind(c64(1) << (site - 1).extend());
        let offset = match self.memory.words {
            1 => 0.into(),
            _ => body.bind((site - 1).shr_u(6) * 8).into(),
        };
        (offset, bit)
    }

    /// Makes a step from a site on the sets: gives the sites that it concerns, the one where it ends first.
    fn make_on_sets(&self, body: &mut Body, step: &Step, site: V) -> Vec<V> {
        let me = body.bind(self.me());
        let mut touched = Vec::new();
        self.with_sites(body, me, |code| {
            if let Slot::One(local) = code.slots[0] {
                code.body.set(local, site);
            }
            touched = [&step.way.to].into_iter().chain(&step.captured).map(|place| code.bound(place)).collect();
        });
        let memory = &self.memory;
        let bytes = memory.set_bytes();
        let change = |body: &mut Body, set: Ex, (offset, bit): &(Ex, V), insert: bool| {
            let at = body.bind(set + offset.clone());
            let word = at.load(Width::I64, 0);
            let changed = if insert { word | *bit } else { word & (*bit ^ c64(u64::MAX)) };
            body.store(Width::I64, at, 0, changed);
        };
        let zeros = |body: &mut Body, spot: &(Ex, V), insert: bool| {
            for set in [memory.owner_sets, memory.kind_sets] {
                change(body, set.into(), spot, insert);
            }
        };
        let vacate = |body: &mut Body, spot: &(Ex, V)| {
            for (sets, count) in [(memory.owner_sets, memory.players), (memory.kind_sets, memory.kinds)] {
                (1..=count).for_each(|number| change(body, (sets + number * bytes).into(), spot, false));
            }
            zeros(body, spot, true);
        };
        let own = |body: &mut Body, kind: u32, spot: &(Ex, V), insert: bool| {
            change(body, me * bytes + memory.owner_sets, spot, insert);
            change(body, (memory.kind_sets + kind * bytes).into(), spot, insert);
            zeros(body, spot, !insert);
        };
        let spots: Vec<(Ex, V)> = touched.iter().map(|&site| self.spot(body, site)).collect();
        spots[1..].iter().for_each(|spot| vacate(body, spot));
        let start = self.spot(body, site);
        own(body, step.kind, &start, false);
        if !step.ends_on_empty() {
            vacate(body, &spots[0]);
        }
        own(body, step.becomes, &spots[0], true);
        touched.push(site);
        touched
    }

    /// Makes a step from a site as effects are made one by one, and ends the turn.
    pub(super) fn play_on_cells(&self, body: &mut Body, step: &Step, site: V) {
        let me = body.bind(self.me());
        let (mut to, mut captured) = (site, Vec::new());
        self.with_sites(body, me, |code| {
            if let Slot::One(local) = code.slots[0] {
                code.body.set(local, site);
            }
            to = code.bound(&step.way.to);
            captured = step.captured.iter().map(|place| code.bound(place)).collect();
        });
        self.make_effect(body, code::MOVE, [site.into(), to.into(), 0.into()]);
        captured.into_iter().for_each(|site| body.call(self.functions.capture, vec![site.into()]));
        if step.becomes != step.kind {
            self.retype(body, to.into(), step.becomes.into());
        }
        body.call(self.functions.pass_turn, vec![]);
    }

    /// What goes through the whole moves of a turn.
    fn walks(&self, module: &mut Module, chains: &Chains, plan: &Plan) -> Walks {
        let mut global = || module.global(Ty::I32, 0, None);
        let (found, full, made, depth) = (global(), global(), global(), global());
        let makes = chains
            .steps
            .iter()
            .map(|step| {
                module.function("make on sets", &[Ty::I32], Some(Ty::I32), |body, params| {
                    let touched = self.make_on_sets(body, step, params[0]);
                    body.give(touched[0]);
                })
            })
            .collect();
        let ends = module.function("end of a move", &[], None, |body, _| {
            let board = self.board_in_locals(body);
            let at = body.bind(chains.place + plan.moves);
            let end = body.bind(found * plan.board + at);
            body.repeat_while(at.ne(end), |body, _| {
                let differs =
                    board.iter().enumerate().map(|(index, &word)| at.load(Width::I64, index as u32 * 8) ^ word);
                let differs = differs.reduce(|a, b| a | b).expect("a board has sets");
                body.when(differs.eq(c64(0)), Body::leave);
                body.set(at, at + plan.board);
            });
            body.either(
                Ex::from(found).eq(MOST_MOVES as i32),
                |body| body.set_global(full, 1),
                |body| {
                    for (index, &word) in board.iter().enumerate() {
                        body.store(Width::I64, at, index as u32 * 8, word);
                    }
                    body.set_global(found, found + 1);
                },
            );
        });
        let groups: BTreeSet<(u32, Option<MoveType>)> =
            chains.steps.iter().filter_map(|step| Some((step.becomes, step.again?))).collect();
        let goes_on = groups.into_iter().map(|group| (group, module.declare("go on", &[Ty::I32], Some(Ty::I32))));
        let walks = Walks { makes, goes_on: goes_on.collect(), ends, found, full, made, depth };
        for (&(kind, of), &function) in &walks.goes_on {
            let belongs =
                |rule: RuleId| self.kind_of(rule) == kind && (of.is_none() || self.rules.rules[rule].move_type == of);
            module.define(function, |body, params| {
                body.set_global(made, made + 1);
                // The next step would be that of this number and two more.
                let limit = self.limits.chain.min(LONGEST) as i32 - 1;
                let deep = body.bind(depth).ge_s(limit) | Ex::from(made).gt_s(MOST_STEPS);
                let unknown = chains.others.iter().any(|other| belongs(other.rule));
                body.when(if unknown { 1.into() } else { deep }, |body| {
                    body.set_global(full, 1);
                    body.give(1);
                });
                if unknown {
                    return;
                }
                let me = body.bind(self.me());
                let any = body.bind(0);
                self.with_sites(body, me, |code| {
                    let out = code.out;
                    let from = code.empty_variable();
                    code.change(&from, params[0], true);
                    code.for_each_player(&|code| {
                        let members = chains.steps.iter().enumerate().filter(|(_, step)| belongs(step.rule));
                        let sets: Vec<(usize, Ex)> = members
                            .map(|(index, step)| {
                                let set = code.meeting(Local::from_index(0), from.clone(), &step.way.conditions);
                                let some = code.some(&set);
                                (index, code.body.bind(some).into())
                            })
                            .collect();
                        let some = sets.iter().map(|(_, some)| some.clone()).reduce(|a, b| a | b).unwrap_or(0.into());
                        code.body.when(some.eqz(), |body| body.go(out));
                        code.body.set(any, 1);
                        code.body.set_global(depth, depth + 1);
                        let board = self.board_in_locals(code.body);
                        for (index, some) in sets {
                            code.body.when(some, |body| {
                                self.whole_moves_after(body, chains, &walks, index, params[0]);
                                self.restore_board(body, &board);
                            });
                        }
                        code.body.set_global(depth, depth - 1);
                    });
                });
                body.give(any);
            });
        }
        walks
    }

    /// Finds the moves that begin with a step from a site, or go on with it.
    fn whole_moves_after(&self, body: &mut Body, chains: &Chains, walks: &Walks, index: usize, site: V) {
        let step = &chains.steps[index];
        let to = body.bind(self.ask(walks.makes[index], [site.into()]));
        let more = step.again.map(|of| self.ask(walks.goes_on[&(step.becomes, of)], [to.into()]));
        let more = body.bind(more.unwrap_or(0.into()));
        let ends = if self.rules.policy.chain_may_stop { 1.into() } else { more.eqz() };
        body.when(ends, |body| body.call(walks.ends, vec![]));
    }

    fn restore_board(&self, body: &mut Body, words: &[V]) {
        for (at, &word) in self.board().into_iter().zip(words) {
            body.store(Width::I64, 0, at, word);
        }
    }

    /// Finds all whole moves that begin with a step of a class; the sets are as they were afterwards.
    fn explore(&self, module: &mut Module, chains: &Chains, class: &Range<usize>, walks: &Walks) -> Fun {
        let bytes = self.memory.set_bytes();
        module.function("moves of a class", &[], None, |body, _| {
            let me = body.bind(self.me());
            let board = self.board_in_locals(body);
            self.with_sites(body, me, |code| {
                for index in class.clone() {
                    let set = Words::At(chains.place + index as u32 * bytes);
                    code.each_site(&set, |code, site, _| {
                        self.whole_moves_after(code.body, chains, walks, index, site);
                        self.restore_board(code.body, &board);
                    });
                }
            });
        })
    }

    /// Whether pieces are owners and kinds and nothing else, and few enough for their sets to be kept and compared.
    fn is_plain(&self) -> bool {
        let memory = &self.memory;
        memory.piece_keys().is_some() && memory.known.stack.is_none() && self.board().len() as u32 <= MOST_WORDS
    }

    /// Whether nothing but the rules themselves tells the moves of a list apart, and nothing is done around their steps.
    fn moves_are_alike(&self) -> bool {
        let stages = &self.rules.stages;
        let programs = [&stages.before_move, &stages.before_step, &stages.after_step];
        let alone = self.rules.invariants.is_empty() && programs.iter().all(|program| program.is_none());
        alone && stages.after_move.as_ref().is_none_or(|program| self.is_alike(program))
    }

    /// Whether a program after a move changes nothing and looks at nothing that steps on sets change.
    fn is_alike(&self, program: &Program) -> bool {
        let number = |local: Local| matches!(program.locals[local].ty, Type::Int | Type::Bool);
        !Stmt::any(&program.body, &|statement| match &statement.kind {
            StmtKind::Let(local, value) if number(*local) => !self.is_number(value),
            StmtKind::Let(local, _) => program.locals[*local].ty != Type::Site,
            StmtKind::If(condition, ..) | StmtKind::Verify(condition) => !self.is_number(condition),
            _ => true,
        })
    }

    /// Whether an expression is computed from numbers that stand in locals or apart from the board.
    fn is_number(&self, expr: &Expr) -> bool {
        let known = &self.memory.known;
        let fields = [Some(known.turn), Some(known.chain), Some(known.chain_type), known.next_turn];
        let number = match expr.op {
            Op::Get(field) => !fields.contains(&Some(field)),
            Op::Local(_) | Op::Int(_) | Op::Bool(_) | Op::Add | Op::Subtract | Op::Equal | Op::Less | Op::AtMost => {
                true
            }
            Op::And | Op::Or | Op::Not | Op::Truth | Op::Multiply | Op::Least | Op::Greatest | Op::Pick => true,
            _ => false,
        };
        number && expr.args.iter().all(|arg| self.is_number(arg))
    }

    /// All steps that can be made on sets, class by class, and the other rules; nothing where turns are not to be played so.
    fn set_steps(&self) -> Option<(Vec<Step>, Vec<Other>)> {
        let (rules, memory) = (self.rules, &self.memory);
        let known = &memory.known;
        let unmarked = known.stack.is_none() && known.last_from.is_none() && known.last_to.is_none();
        let lists = |filter: &&Filter| matches!(filter, Filter::Priority(_));
        let ordered = rules.policy.filters.iter().filter(lists).count() <= 1 && !rules.policy.recycle_captures;
        let alike = self.moves_are_alike() && rules.rules.values().all(|rule| rule.then.is_none());
        let of_pieces = rules.rules.values().all(|rule| rule.trigger == Trigger::Piece && rule.kind.is_some());
        let mut sees_captures = false;
        super::each_op(rules, &mut |op| sees_captures |= op == Op::Captured);
        let asks = unmarked && ordered && alike && of_pieces && !sees_captures && self.asks_whether_stuck();
        let sure = self.counted.as_ref().is_some_and(|counted| counted.sure);
        if !asks || sure || rules.policy.pass == Pass::Always {
            return None;
        }
        let (mut steps, mut others) = (Vec::new(), Vec::new());
        for (id, rule) in rules.rules.iter() {
            let found = ways(rule).map(|found| found.ways);
            let made = found
                .clone()
                .and_then(|found| found.into_iter().map(|way| self.set_step(id, way)).collect::<Option<Vec<_>>>());
            let gates = match found {
                _ if made.is_some() => Vec::new(),
                Some(found) => found.into_iter().map(|way| way.conditions).collect(),
                None => vec![gate(rule)],
            };
            if !gates.is_empty() {
                let gates = gates.iter().map(|conditions| self.lifted_parts(conditions)).collect();
                others.push(Other { rule: id, gates });
            }
            steps.extend(made.into_iter().flatten());
        }
        // Steps that can be judged one by one need no list even where these sets do not tell them all.
        if !others.is_empty() && self.can_draw() {
            return None;
        }
        steps.sort_by_key(|step: &Step| self.class_of(step.rule));
        let distinct = (0..steps.len())
            .all(|b| (0..b).all(|a| !self.may_meet(&steps, a, b) || self.differ(&steps[a].way, &steps[b].way)));
        (distinct && !steps.is_empty()).then_some((steps, others))
    }

    /// A step that is made on cells, where the sites are known from which it can be made.
    pub(super) fn cell_step(&self, id: RuleId, way: &Way) -> Option<Step> {
        let (rule, known) = (&self.rules.rules[id], &self.memory.known);
        let unmarked = known.last_from.is_none() && known.last_to.is_none();
        let alone = rule.trigger == Trigger::Piece && rule.then.is_none() && way.next == Next::Done;
        if unmarked && alone { self.step(id, way.clone()) } else { None }
    }

    /// A step of which all that it depends on is known from the sets.
    fn set_step(&self, id: RuleId, way: Way) -> Option<Step> {
        let of_sets = way.conditions.iter().all(|condition| self.is_of_sets(condition));
        if of_sets { self.step(id, way) } else { None }
    }

    /// What a step does, when it does nothing but move a piece, capture others and give its own another kind.
    fn step(&self, id: RuleId, way: Way) -> Option<Step> {
        let conditions = &way.conditions;
        let here = Expr::local(Local::from_index(0));
        let stands = |place: &Expr| {
            let ops = [Op::Empty, Op::Enemy, Op::Mine, Op::Friend, Op::OnBoard];
            ops.into_iter().any(|op| conditions.contains(&Expr::new(op, [place.clone()])))
        };
        let kind = self.kind_of(id);
        let (mut moved, mut becomes, mut captured) = (false, kind, Vec::new());
        for effect in way.made.as_ref()? {
            match (effect.op, &effect.args[..]) {
                (Op::Move, [from, to]) if !moved && *from == here && *to == way.to => moved = true,
                (Op::Retype, [site, to]) if *site == way.to => {
                    let Op::Kind(to) = to.op else { return None };
                    becomes = to.index() as u32 + 1;
                }
                (Op::Capture, [site]) if stands(site) => captured.push(site.clone()),
                _ => return None,
            }
        }
        let again = match &way.next {
            Next::Done => None,
            Next::Again(site, of) if *site == way.to => Some(*of),
            Next::Again(..) => return None,
        };
        // All sites that it concerns differ from each other, wherever it starts.
        let mut places = vec![self.places(&here)?];
        for place in [&way.to].into_iter().chain(&captured) {
            let leads = self.places(place)?;
            let apart = |other: &Vec<_>| other.iter().zip(&leads).all(|(a, b)| b.is_none() || a != b);
            if !places.iter().all(apart) {
                return None;
            }
            places.push(leads);
        }
        let ends_on_empty = conditions.contains(&Expr::new(Op::Empty, [way.to.clone()]));
        // Nothing that is compared by its captures captures anything; and whole moves are found on plain boards alone.
        if self.compares_captures() && !(captured.is_empty() && ends_on_empty) || again.is_some() && !self.is_plain() {
            return None;
        }
        let changes = way.changes || again.is_some() || !self.rules.policy.no_null_moves;
        (moved && stands(&way.to) && changes).then_some(Step { rule: id, way, kind, becomes, captured, again })
    }

    /// The parts of conditions on the first local that are known as sets.
    fn lifted_parts(&self, conditions: &[Expr]) -> Vec<Expr> {
        let parts = conditions.iter().flat_map(|condition| match condition.op {
            Op::And => condition.args.to_vec(),
            _ => vec![condition.clone()],
        });
        parts.map(|part| self.told_apart(&part)).filter(|part| self.is_lifted(part, Local::from_index(0))).collect()
    }

    /// The condition without questions whether two places are the same that never are.
    fn told_apart(&self, condition: &Expr) -> Expr {
        let args: Vec<Expr> = condition.args.iter().map(|arg| self.told_apart(arg)).collect();
        if condition.op == Op::Same
            && let (Some(first), Some(second)) = (self.places(&args[0]), self.places(&args[1]))
            && first.iter().zip(&second).all(|(a, b)| a != b)
        {
            return Expr::leaf(Op::Bool(false));
        }
        Expr::new(condition.op, args)
    }

    /// Whether a condition on the first local can be told from the sets of owners and kinds, and from what no such step changes.
    fn is_of_sets(&self, condition: &Expr) -> bool {
        let site = Local::from_index(0);
        match condition.op {
            Op::Not | Op::And | Op::Or => condition.args.iter().all(|arg| self.is_of_sets(arg)),
            Op::Contains => false,
            _ => {
                self.is_apart_from_the_board(condition) || mentions(condition, site) && self.is_lifted(condition, site)
            }
        }
    }

    /// Whether an expression is computed without a look at the board, or at where a chain stands.
    fn is_apart_from_the_board(&self, expr: &Expr) -> bool {
        let known = &self.memory.known;
        let apart = match expr.op {
            Op::Get(field) => field != known.chain && field != known.chain_type,
            Op::Int(_) | Op::Bool(_) | Op::Kind(_) | Op::Player(_) | Op::Me | Op::ToMove => true,
            Op::Add | Op::Subtract | Op::Equal | Op::Less | Op::AtMost | Op::And | Op::Or | Op::Not | Op::Truth => true,
            _ => false,
        };
        apart && expr.args.iter().all(|arg| self.is_apart_from_the_board(arg))
    }

    /// Whether two steps may stand in one list.
    fn may_meet(&self, steps: &[Step], a: usize, b: usize) -> bool {
        let (a, b) = (&steps[a], &steps[b]);
        let of = |step: &Step| self.rules.rules[step.rule].move_type;
        let one_class = self.class_of(a.rule) == self.class_of(b.rule);
        let untyped = self.rules.schedule.turns.iter().any(|turn| turn.move_type.is_none());
        let freely = steps.iter().any(|step| step.again == Some(None));
        a.kind == b.kind && (of(a) == of(b) || freely || untyped && one_class)
    }

    fn turns_are_typed(&self) -> bool {
        self.rules.schedule.turns.iter().any(|turn| turn.move_type.is_some())
    }

    /// The number of the kind whose rule it is.
    fn kind_of(&self, rule: RuleId) -> u32 {
        self.rules.rules[rule].kind.map_or(0, |kind| kind.index() as u32 + 1)
    }

    fn priorities(&self) -> &[MoveType] {
        let filters = self.rules.policy.filters.iter();
        let mut classes = filters.filter_map(|filter| match filter {
            Filter::Priority(classes) => Some(classes),
            Filter::MostCaptured | Filter::MostValuable(_) => None,
        });
        classes.next().map_or(&[], |classes| classes)
    }

    /// The place of a rule's class in the order of classes; those that are not named come last.
    pub(super) fn class_of(&self, rule: RuleId) -> usize {
        let of = self.rules.rules[rule].move_type;
        let classes = self.priorities();
        classes.iter().position(|&class| of == Some(class)).unwrap_or(classes.len())
    }

    pub(super) fn class_count(&self) -> usize {
        self.priorities().len() + 1
    }
}
