//! Lists the steps that rules make, and thins the list by what can be seen of the steps alone.

use std::collections::BTreeSet;

use dagaz_base::Id;
use dagaz_ir::{Expr, Filter, Kind, Local, MoveType, Op, Rule, RuleId, Stmt, StmtKind, Trigger};

use crate::low::{Body, Ex, Fun, Stmt as Low, Ty, V, Width, c64, pick};

use super::gates::lets_pass;
use super::{Compiler, record};

impl Compiler<'_> {
    pub(super) fn steps(&mut self) {
        let candidates = self.drop_sites();
        self.drops.clone_from(&candidates);
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let rules = self.rules;
        module.define(functions.raw, |body, _| self.raw_by_class(body, &candidates));

        // Whether two steps are the same, apart from the rules that made them.
        module.define(functions.same, |body, params| {
            let (a, b) = (params[0], params[1]);
            let at = body.bind(4);
            let size = a.load(Width::I32, record::EFFECTS) * record::EFFECT
                + a.load(Width::I32, record::PARAMETERS) * record::PARAMETER
                + record::SIZE;
            let end = body.bind(size);
            body.repeat_while(at.ne(end), |body, _| {
                let differs = (a + at).load(Width::I32, 0).ne((b + at).load(Width::I32, 0));
                let counts = at.ne(record::AT_ONCE) & at.ne(record::HASH);
                body.when(pick(counts, differs, 0), |body| body.give(0));
                body.set(at, at + 4);
            });
            body.give(1);
        });

        // Of steps that are the same only the first stays: from a place in the index on.
        module.define(functions.distinct, |body, params| {
            let (start, globals) = (params[0], &self.globals);
            let bytes = body.bind(globals.index - start);
            body.when(bytes.lt_u(8), Body::leave);
            if self.grouped() {
                self.distinct_by_site(body, start);
                return;
            }
            let mask = body.bind(self.table_mask(bytes.into()));
            let arena = body.bind(globals.arena);
            let table = body.bind(self.ask(functions.reserve, [mask + 4]));
            body.push(Low::Clear(table.into(), mask + 4));
            let (at, to) = (body.bind(start), body.bind(start));
            body.repeat_while(Ex::from(at).ne(globals.index), |body, _| {
                let step = body.bind(at.load(Width::I32, 0));
                body.set(at, at + 4);
                let hash = body.bind(0);
                let (word, end) = (body.bind(step + 4), body.bind(step + record::HASH));
                let mix = |body: &mut Body, value: Ex| {
                    body.set(hash, (Ex::from(hash) ^ value) * 0x9E37_79B1_u32 as i32);
                    body.set(hash, Ex::from(hash).rotl(15));
                };
                body.repeat_while(word.ne(end), |body, _| {
                    body.when((word - step).ne(record::AT_ONCE), |body| mix(body, word.load(Width::I32, 0)));
                    body.set(word, word + 4);
                });
                body.set(word, step + record::SIZE);
                let more = step.load(Width::I32, record::EFFECTS) * record::EFFECT
                    + step.load(Width::I32, record::PARAMETERS) * record::PARAMETER;
                body.set(end, word + more);
                body.repeat_while(word.ne(end), |body, _| {
                    mix(body, word.load(Width::I32, 0));
                    body.set(word, word + 4);
                });
                body.store(Width::I32, step, record::HASH, hash);
                let slot = body.bind((hash ^ hash.shr_u(16)) & mask & -4);
                body.block(|body, known| {
                    body.repeat(|body, out| {
                        let other = body.bind((table + slot).load(Width::I32, 0));
                        body.when(other.eqz(), |body| body.go(out));
                        let equal = other.load(Width::I32, record::HASH).eq(hash);
                        let same = self.ask(functions.same, [other.into(), step.into()]);
                        body.when(pick(equal, same, 0), |body| body.go(known));
                        body.set(slot, (slot + 4) & mask);
                    });
                    body.store(Width::I32, table + slot, 0, step);
                    body.store(Width::I32, to, 0, step);
                    body.set(to, to + 4);
                });
            });
            body.set_global(globals.index, to);
            body.set_global(globals.arena, arena);
        });

        // Only the steps of the first class that has one stay, for each list of classes in turn.
        let priorities: Vec<_> = rules
            .policy
            .filters
            .iter()
            .filter_map(|filter| match filter {
                Filter::Priority(classes) => Some(classes),
                Filter::MostCaptured | Filter::MostValuable(_) => None,
            })
            .collect();
        let ranks: Vec<Fun> = priorities
            .iter()
            .map(|classes| {
                module.function("rank", &[Ty::I32], Some(Ty::I32), |body, params| {
                    for (id, rule) in rules.rules.iter() {
                        let place = classes.iter().position(|&class| rule.move_type == Some(class));
                        if let Some(place) = place {
                            body.when(params[0].eq(id.index() as i32), |body| body.give(place as i32));
                        }
                    }
                    body.give(classes.len() as i32);
                })
            })
            .collect();
        module.define(functions.first_class, |body, params| {
            for &rank in &ranks {
                let of = |at: V| self.ask(rank, [self.part(at.load(Width::I32, 0), record::RULE)]);
                let (at, least) = (body.bind(params[0]), body.bind(i32::MAX));
                body.repeat_while(Ex::from(at).ne(self.globals.index), |body, _| {
                    let own = body.bind(of(at));
                    body.set(least, crate::low::select(own.lt_s(least), own, least));
                    body.set(at, at + 4);
                });
                self.keep_listed(body, params[0], |_, at, _| of(at).eq(least));
            }
        });
        self.module = module;
    }

    /// Runs the rules of the turn: where steps have classes of which the first counts, up to the first class that has one.
    fn raw_by_class(&self, body: &mut Body, candidates: &[(RuleId, Fun)]) {
        let orders = self.rules.policy.filters.iter().filter(|filter| matches!(filter, Filter::Priority(_)));
        if orders.count() != 1 {
            return self.raw(body, candidates, &BTreeSet::new());
        }
        body.when(self.cell(self.memory.known.chain), |body| {
            self.raw(body, candidates, &BTreeSet::new());
            body.leave();
        });
        let start = body.bind(self.globals.index);
        for class in 0..self.class_count() {
            let others: BTreeSet<RuleId> = self.rules.rules.ids().filter(|&id| self.class_of(id) != class).collect();
            if others.len() < self.rules.rules.len() {
                self.raw(body, candidates, &others);
                body.when(start.ne(self.globals.index), Body::leave);
            }
        }
    }

    /// Runs the rules of the turn, but for those that are left out.
    pub(super) fn raw(&self, body: &mut Body, candidates: &[(RuleId, Fun)], without: &BTreeSet<RuleId>) {
        let (rules, functions) = (self.rules, &self.functions);
        let of_kind = |triggers: &[Trigger], kind: Kind| -> Vec<(RuleId, &Rule)> {
            let of = |id: RuleId, rule: &Rule| {
                triggers.contains(&rule.trigger) && rule.kind == Some(kind) && !without.contains(&id)
            };
            rules.rules.iter().filter(|&(id, rule)| of(id, rule)).collect()
        };
        let of_turn = |id: RuleId, rule: &Rule| rule.trigger == Trigger::Turn && !without.contains(&id);
        let turn_rules: Vec<_> = rules.rules.iter().filter(|&(id, rule)| of_turn(id, rule)).collect();
        let on_board = [Trigger::Piece, Trigger::AnyPiece];
        let run = |body: &mut Body, id: RuleId, me: V, site: Ex| {
            body.call(functions.rules[id.index()], vec![me.into(), site]);
        };

        body.set_global(self.globals.emitted, 0);
        let me = body.bind(self.me());
        let known = &self.memory.known;
        let chain = body.bind(self.cell(known.chain));
        body.when(chain, |body| {
            let wanted = body.bind(self.cell(known.chain_type));
            let kind = body.bind(self.kind(chain));
            for of in rules.kinds.ids() {
                let of_kind = of_kind(&on_board, of);
                if of_kind.is_empty() {
                    continue;
                }
                body.when(kind.eq(of.index() as i32 + 1), |body| {
                    for (id, rule) in of_kind {
                        let right = wanted.eqz() | wanted.eq(number(rule.move_type));
                        body.when(right, |body| run(body, id, me, chain.into()));
                    }
                });
            }
            body.when(wanted, |body| {
                for &(id, rule) in &turn_rules {
                    let right = wanted.eq(number(rule.move_type));
                    body.when(right, |body| run(body, id, me, 0.into()));
                }
            });
            body.leave();
        });
        // Of one type or of any: known for all turns of most games.
        let typed = rules.schedule.turns.iter().any(|turn| turn.move_type.is_some());
        let wanted = body.bind(if typed { self.turn_part(2) } else { 0.into() });
        let right = |rule: &Rule| -> Ex {
            match typed {
                true => wanted.eqz() | wanted.eq(number(rule.move_type)),
                false => 1.into(),
            }
        };
        let any = rules.rules.values().any(|rule| rule.trigger == Trigger::AnyPiece);
        if rules.rules.iter().any(|(id, rule)| on_board.contains(&rule.trigger) && !without.contains(&id)) {
            let gates = self.gates(body, me, &|id| !without.contains(&id));
            self.each_piece(body, me, any, |body, site| {
                let kind = body.bind(self.kind(site));
                let own = body.bind(if any { self.owner(site).eq(me) } else { 1.into() });
                self.by_number(body, kind, 1, self.memory.kinds + 1, &|body, number| {
                    for (id, rule) in of_kind(&on_board, Kind::from_index(number as usize - 1)) {
                        let free = rule.trigger == Trigger::AnyPiece || !any;
                        let may = if free { right(rule) } else { right(rule) & own };
                        let may = match gates.get(&id) {
                            Some(&gate) => may & lets_pass(gate, site),
                            None => may,
                        };
                        body.when(may, |body| run(body, id, me, site.into()));
                    }
                });
            });
        }
        if let Some(hand) = known.hand {
            for kind in rules.kinds.ids() {
                let drops = of_kind(&[Trigger::Drop], kind);
                if drops.is_empty() {
                    continue;
                }
                let waiting = self.hand(hand, me, kind.index() as i32 + 1).load(Width::I32, 0);
                body.when(waiting.gt_s(0), |body| {
                    for (id, rule) in drops {
                        body.when(right(rule), |body| match candidates.iter().find(|(drop, _)| *drop == id) {
                            Some((_, sites)) => body.call(*sites, vec![me.into()]),
                            None => body.count(1, self.memory.sites + 1, |body, site, _| {
                                self.tick(body);
                                run(body, id, me, site.into());
                            }),
                        });
                    }
                });
            }
        }
        for &(id, rule) in &turn_rules {
            body.when(right(rule), |body| run(body, id, me, 0.into()));
        }
    }

    /// Whether the steps of a list stand together by the sites that they start from: so that two of them can be the same only
    /// if they start from one site and end at one.
    pub(super) fn grouped(&self) -> bool {
        let here = Op::Local(Local::from_index(0));
        let elsewhere = |statement: &Stmt| match &statement.kind {
            StmtKind::Let(local, _) | StmtKind::For(local, ..) | StmtKind::Range(local, ..) => local.index() == 0,
            _ => false,
        };
        let from = |rule: &Rule, from: &Expr| match from.op {
            op if op == here => true,
            Op::Local(local) => is_here(rule, local),
            _ => false,
        };
        let starts = |rule: &Rule| {
            !Stmt::any(&rule.body, &|statement| match &statement.kind {
                StmtKind::Emit(emit) => !from(rule, &emit.from),
                _ => elsewhere(statement),
            })
        };
        let somewhere = |statement: &Stmt| match &statement.kind {
            StmtKind::Emit(emit) => emit.from.op != Op::Nowhere,
            _ => false,
        };
        // Those from nowhere come last.
        self.rules.rules.values().all(|rule| match rule.trigger {
            Trigger::Piece | Trigger::AnyPiece => starts(rule),
            Trigger::Drop => !Stmt::any(&rule.body, &somewhere),
            // All of them may end at one site.
            Trigger::Turn => false,
        })
    }

    /// The same for lists that are grouped so: a step to a site to which none went before is like no other.
    fn distinct_by_site(&self, body: &mut Body, start: V) {
        let bytes = self.memory.set_bytes();
        let frame = self.frame(body, bytes);
        let (first, from) = (body.bind(start), body.bind(-1));
        self.keep_listed(body, start, |body, at, kept| {
            let step = body.bind(at.load(Width::I32, 0));
            let own = body.bind(self.part(step, record::FROM));
            let new = body.bind(1);
            body.when(own.ne(from), |body| {
                body.set(from, own);
                body.set(first, kept);
                (0..self.memory.words).for_each(|word| body.store(Width::I64, frame, word * 8, c64(0)));
            });
            // Nowhere is not told apart from the last site: then the steps are compared.
            let to = body.bind(Ex::binary(
                crate::low::Binary::RemU,
                self.part(step, record::TO) + (self.memory.sites - 1),
                self.memory.sites,
            ));
            let word = body.bind(to.shr_u(6) * 8 + frame);
            let bit = body.bind(c64(1) << to.extend());
            let known = word.load(Width::I64, 0) & bit;
            body.when(known.ne(c64(0)), |body| {
                let other = body.bind(first);
                body.repeat_while(other.ne(kept), |body, out| {
                    let same = self.ask(self.functions.same, [other.load(Width::I32, 0), step.into()]);
                    body.when(same, |body| {
                        body.set(new, 0);
                        body.go(out);
                    });
                    body.set(other, other + 4);
                });
            });
            body.store(Width::I64, word, 0, word.load(Width::I64, 0) | bit);
            new.into()
        });
        body.set_global(self.globals.frames, frame);
    }

    /// Keeps the entries of the index, from a place on, for which the condition is true: it is given the address of the entry, and
    /// the one where it will go.
    pub(super) fn keep_listed(&self, body: &mut Body, start: V, condition: impl FnOnce(&mut Body, V, V) -> Ex) {
        let (at, to) = (body.bind(start), body.bind(start));
        let mut condition = Some(condition);
        body.repeat_while(Ex::from(at).ne(self.globals.index), |body, _| {
            let keeps = (condition.take().expect("written once"))(body, at, to);
            body.when(keeps, |body| {
                body.store(Width::I32, to, 0, at.load(Width::I32, 0));
                body.set(to, to + 4);
            });
            body.set(at, at + 4);
        });
        body.set_global(self.globals.index, to);
    }

    /// A mask for places in a table of words that has room for twice as many as there are words in `bytes`.
    pub(super) fn table_mask(&self, bytes: Ex) -> Ex {
        let zeros = (bytes * 2) | 64;
        // All bits below the highest one are set, and the lowest two cleared.
        let spread = [1, 2, 4, 8, 16].into_iter().fold(zeros, |value, shift| value.clone() | value.shr_u(shift));
        spread & -4
    }

    /// Runs statements for each piece of the owner, or for each piece, in the order of the sites.
    fn each_piece(&self, body: &mut Body, me: V, any: bool, write: impl FnOnce(&mut Body, V)) {
        let (words, bytes) = (self.memory.words, self.memory.set_bytes());
        let index = body.bind(0);
        let mut write = Some(write);
        body.repeat_while(index.lt_s(words), |body, _| {
            let own = (me * bytes + index * 8).load(Width::I64, self.memory.owner_sets);
            let rest = match any {
                false => own,
                true => (1..=self.memory.players)
                    .map(|player| (index * 8).load(Width::I64, self.memory.owner_sets + player * bytes))
                    .reduce(|a, b| a | b)
                    .expect("there is a player"),
            };
            let rest = body.bind(rest);
            body.repeat_while(Ex::from(rest).ne(c64(0)), |body, _| {
                let site = body.bind(rest.ctz().wrap() + index * 64 + 1);
                body.set(rest, rest & (rest - c64(1)));
                self.tick(body);
                (write.take().expect("written once"))(body, site);
            });
            body.set(index, index + 1);
        });
    }

    /// Runs the statements for the number, which is one of a range, by halving it.
    pub(super) fn by_number(&self, body: &mut Body, number: V, low: u32, high: u32, write: &dyn Fn(&mut Body, u32)) {
        if high - low == 1 {
            return write(body, low);
        }
        let middle = low + (high - low) / 2;
        body.either(
            number.lt_s(middle),
            |body| self.by_number(body, number, low, middle, write),
            |body| self.by_number(body, number, middle, high, write),
        );
    }

    /// For drop rules that begin with a condition on their site: a function that runs them where it is true.
    fn drop_sites(&mut self) -> Vec<(RuleId, Fun)> {
        let mut module = std::mem::take(&mut self.module);
        let mut found = Vec::new();
        for (id, rule) in self.rules.rules.iter().filter(|(_, rule)| rule.trigger == Trigger::Drop) {
            let Some(StmtKind::Verify(condition)) = rule.body.first().map(|statement| &statement.kind) else {
                continue;
            };
            let name = format!("sites of rule {}", id.index());
            let function = module.declare(name, &[Ty::I32], None);
            module.define(function, |body, params| {
                self.each_candidate(body, params[0], rule, condition, |body, site| {
                    body.call(self.functions.rules[id.index()], vec![params[0].into(), site.into()]);
                });
            });
            found.push((id, function));
        }
        self.module = module;
        found
    }
}

/// Whether a local is the piece's site from the first statements of a rule on.
fn is_here(rule: &Rule, local: Local) -> bool {
    let sets = |statement: &Stmt| match &statement.kind {
        StmtKind::Let(other, _) | StmtKind::For(other, ..) | StmtKind::Range(other, ..) => *other == local,
        _ => false,
    };
    let first = rule.body.iter().position(|statement| !matches!(statement.kind, StmtKind::Let(..)));
    let (first, rest) = rule.body.split_at(first.unwrap_or(rule.body.len()));
    let here = Expr::local(Local::from_index(0));
    let given = |statement: &Stmt| matches!(&statement.kind, StmtKind::Let(_, value) if *value == here);
    let mut found = first.iter().filter(|statement| sets(statement));
    found.next().is_some_and(given) && found.next().is_none() && !Stmt::any(rest, &sets)
}

/// A move type as programs know it: counted from 1, 0 for none.
fn number(of: Option<MoveType>) -> i32 {
    of.map_or(0, |of| of.index() as i32 + 1)
}
