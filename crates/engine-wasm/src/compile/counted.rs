//! Steps that are not listed but counted: for each way through a rule the set of the sites from which it leads to a step. How
//! many there are is a count of bits, and a random one is the bit of a random number; only that step is made.
//!
//! Rules take part whose ways are known ([`dagaz_ir::ways`]) and whose steps are never the same as others; the steps of the
//! others are listed beside them.

use std::collections::BTreeSet;

use dagaz_base::{Id, IdMap};
use dagaz_board::{Direction, Site};
use dagaz_ir::ways::{Way, Ways, ways};
use dagaz_ir::{Expr, Filter, Local, Op, Rule, RuleId, Stmt, StmtKind, Trigger};

use crate::low::{Body, Ex, Fun, Global, Stmt as Low, Ty, V, Width, c64};

use super::Compiler;
use super::program::Mode;
use super::set::steps_from;

/// What counts steps.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// How many ways they have together.
    pub(super) ways: u32,
    /// Where the sets of the ways lie, as they were counted; then as far as they were not drawn; then how many are left of each.
    pub(super) place: Global,
    /// How many steps are left together.
    pub(super) left: Global,
    /// Computes all sets.
    pub(super) count: Fun,
    /// Takes the step of this number out of the sets, and gives its record.
    pub(super) take: Fun,
    /// Takes the step of this number and makes it, as a whole move: where every step is sure to be legal.
    pub(super) play: Option<Fun>,
    /// Lists the steps of the other rules.
    pub(super) list_others: Fun,
    /// Puts the step that was taken last back into the sets.
    pub(super) put_back: Fun,
}

impl Compiler<'_> {
    /// Defines what counts steps, where that pays and is possible.
    pub(super) fn count_sets(&mut self) {
        let prioritised = self.rules.policy.filters.iter().any(|filter| matches!(filter, Filter::Priority(_)));
        if prioritised || !self.can_draw() {
            return;
        }
        let counted = self.countable();
        let all: Vec<(RuleId, usize, &Way)> = counted
            .iter()
            .flat_map(|(id, found)| found.ways.iter().enumerate().map(|(index, way)| (*id, index, way)))
            .collect();
        if all.is_empty() {
            return;
        }
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let count = all.len() as u32;
        let bytes = self.memory.set_bytes();
        let mut global = || module.global(Ty::I32, 0, None);
        let (place, left, taken_from, taken) = (global(), global(), global(), global());

        // What runs a rule for one site.
        let runs: Vec<(RuleId, Fun)> = counted
            .iter()
            .map(|(id, found)| match found.round {
                Some(round) => (*id, self.round(&mut module, *id, round)),
                None => (*id, functions.rules[id.index()]),
            })
            .collect();

        let compute = module.function("count sets", &[], None, |body, _| {
            let me = body.bind(self.me());
            let typed = self.rules.schedule.turns.iter().any(|turn| turn.move_type.is_some());
            let wanted = body.bind(if typed { self.turn_part(2) } else { 0.into() });
            let total = body.bind(0);
            self.with_site(body, me, |code| {
                for (index, (id, _, way)) in all.iter().enumerate() {
                    let rule = &self.rules.rules[*id];
                    let kind = rule.kind.map_or(0, |kind| kind.index() as u32 + 1);
                    let mut from = match rule.trigger {
                        Trigger::Turn => code.all_sites(),
                        Trigger::Drop => {
                            let hand = self.memory.known.hand.expect("drops come from hands");
                            let waiting = self.hand(hand, me, kind).load(Width::I32, 0).gt_s(0);
                            let all = code.all_sites();
                            code.if_so(&all, waiting)
                        }
                        _ => code.pieces(kind),
                    };
                    if typed {
                        let own = rule.move_type.map_or(0, |of| of.index() as i32 + 1);
                        from = code.if_so(&from, wanted.eqz() | wanted.eq(own));
                    }
                    code.of_piece = rule.trigger == Trigger::Piece;
                    let set = code.meeting(Local::from_index(0), from, &way.conditions);
                    let at = place + index as u32 * bytes;
                    let number = place + (count * bytes * 2 + index as u32 * 4);
                    let found = code.deliver(&set, at, number);
                    code.body.set(total, total + found);
                }
            });
            body.push(Low::Copy(place + count * bytes, place.into(), (count * bytes).into()));
            body.set_global(left, total);
        });

        // Takes the step of a number out of the sets: gives its way and its site to who goes on.
        let taking = |body: &mut Body, number: V| {
            let number = body.bind(number);
            let way = body.bind(0);
            let counts = body.bind(place + count * bytes * 2);
            let at = |way: V| (counts + way * 4).load(Width::I32, 0);
            let here = body.bind(at(way));
            body.repeat_while(number.ge_s(here), |body, _| {
                body.set(number, number - here);
                body.set(way, way + 1);
                body.set(here, at(way));
            });
            let set = body.bind(place + count * bytes + way * bytes);
            let (word, site) = self.nth(body, set, number);
            (way, counts, here, word, site)
        };
        let take = module.function("take", &[Ty::I32], Some(Ty::I32), |body, params| {
            let (way, counts, here, word, site) = taking(body, params[0]);
            body.store(Width::I32, counts + way * 4, 0, here - 1);
            body.set_global(left, left - 1);
            self.toggle(body, word.into(), site.into());
            body.set_global(taken_from, word);
            body.set_global(taken, site);
            let me = body.bind(self.me());
            let start = body.bind(self.globals.index);
            self.by_number(body, way, 0, count, &|body, way| {
                let (id, index, _) = all[way as usize];
                let (_, run) = runs.iter().find(|(rule, _)| *rule == id).expect("every counted rule is run");
                body.call(*run, vec![me.into(), site.into()]);
                // The ways before it that lead to a step from the same site.
                let before = (way - index as u32..way).map(|other| {
                    let word = (site - 1).shr_u(6) * 8 + place + other * bytes;
                    word.load(Width::I64, 0).shr_u((site - 1).extend()).wrap() & 1
                });
                let before = before.reduce(|a, b| a + b).unwrap_or(0.into());
                body.give((before * 4 + start).load(Width::I32, 0));
            });
        });
        // A rule with one way and one effect, which changes something, needs no record of its step where nothing can refuse it.
        let sure = self.lawless()
            && counted.iter().all(|(id, found)| {
                let single = found.ways.len() == 1 && found.ways[0].effects == 1 && found.ways[0].changes;
                let rule = &self.rules.rules[*id];
                single && rule.then.is_none() && makes_alone(&rule.body)
            });
        let play = sure.then(|| {
            let makers: Vec<Fun> =
                counted.iter().map(|(id, found)| self.for_site(&mut module, *id, found.round, Mode::Make)).collect();
            module.function("play of sets", &[Ty::I32], None, |body, params| {
                let (way, _, _, _, site) = taking(body, params[0]);
                let me = body.bind(self.me());
                self.by_number(body, way, 0, count, &|body, way| {
                    body.call(makers[way as usize], vec![me.into(), site.into()]);
                });
                body.call(functions.pass_turn, vec![]);
            })
        });
        let put_back = module.function("put back", &[], None, |body, _| {
            self.toggle(body, taken_from.into(), taken.into());
            let way = Ex::binary(crate::low::Binary::DivS, taken_from - place - count * bytes, bytes as i32);
            let number = body.bind(way * 4 + place + count * bytes * 2);
            body.store(Width::I32, number, 0, number.load(Width::I32, 0) + 1);
        });
        let rules: BTreeSet<RuleId> = counted.iter().map(|(id, _)| *id).collect();
        let list_others = module.function("list others", &[], None, |body, _| self.raw(body, &self.drops, &rules));
        self.module = module;
        self.counted = Some(Counted { ways: count, place, left, count: compute, take, play, list_others, put_back });
    }

    /// Where the word lies that holds the member of this number in a set in memory, and the member's site number.
    fn nth(&self, body: &mut Body, set: V, number: V) -> (V, V) {
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
        body.repeat_while(left, |body, _| {
            body.set(bits, bits & (bits - c64(1)));
            body.set(left, left - 1);
        });
        let site = body.bind(bits.ctz().wrap() + (word - set) * 8 + 1);
        (word, site)
    }

    /// Whether nothing but the rules themselves says what is legal, and nothing is done around their steps.
    fn lawless(&self) -> bool {
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
    fn countable(&self) -> Vec<(RuleId, Ways)> {
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
            let known: Option<Vec<_>> = group.iter().map(|&(id, rule)| Some((id, ways(rule)?))).collect();
            let Some(known) = known else { continue };
            let all: Vec<&Way> = known.iter().flat_map(|(_, found)| &found.ways).collect();
            let differ = (0..all.len()).all(|b| (0..b).all(|a| self.differ(all[a], all[b])));
            if differ {
                found.extend(known);
            }
        }
        found
    }

    /// Whether two ways never lead to the same step from one site.
    fn differ(&self, a: &Way, b: &Way) -> bool {
        let excluded = a.conditions.iter().any(|condition| b.conditions.contains(&condition.clone().negated()));
        let number = |way: &Way| way.choice.as_ref().map(|choice| choice.op);
        let chosen = match (number(a), number(b)) {
            (Some(Op::Kind(a)), Some(Op::Kind(b))) => a != b,
            (Some(Op::Int(a)), Some(Op::Int(b))) => a != b,
            _ => false,
        };
        let (Some(first), Some(second)) = (self.places(a), self.places(b)) else { return excluded || chosen };
        let elsewhere = first.iter().zip(&second).all(|(a, b)| a.is_none() || a != b);
        excluded || chosen || elsewhere || a.parameters != b.parameters
    }

    /// For each player and site where a way ends, as far as that is known.
    fn places(&self, way: &Way) -> Option<Vec<Option<Site>>> {
        let steps = steps_from(&way.to, Local::from_index(0))?;
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
fn looks_at_nothing(expr: &Expr) -> bool {
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
