//! Steps that are chosen in stages ([`dagaz_ir::nests`]), drawn without listing or even counting all of them: a piece, where it
//! goes, what it does from there.
//!
//! The sets of all stages but the last are computed, which gives so many *beginnings*. The last set has at most `widest` members, so
//! there are at most beginnings × `widest` steps. A number below that is a beginning and a member, and so a step; or, where the set has
//! fewer members, none, and then another number is drawn. So each step is as likely as any other. After as many vain draws as there
//! are beginnings it is cheaper to count every last set.
//!
//! Rules take part none of whose steps anything can refuse: a step is made without a record of it.

use std::collections::BTreeSet;

use dagaz_base::Id;
use dagaz_board::{Direction, Site, SiteSet};
use dagaz_ir::nests::{Nest, Stage, nest, starts_here};
use dagaz_ir::{Expr, Filter, Local, Op, Pass, Rule, RuleId, Stmt, StmtKind, Trigger};

use crate::low::{Binary, Body, Ex, Fun, Global, Label, Module, Stmt as Low, Ty, V, Width, c64, select};

use super::Compiler;
use super::effects::code;
use super::program::{Code, Mode, Setting, Slot};
use super::ray::united;
use super::set::Words;

/// How many stages a rule may have: so many that there is one list of sets.
const STAGES: usize = 3;

/// How many draws are made at most before steps are counted; and how many beginnings are so few that they are counted at once.
const MOST_DRAWS: i32 = 64;
const FEW: i32 = 16;

/// How much room the sets of one state may take.
const ROOM: u64 = 8 << 20;

/// A list of sets lies in memory: for each member of the first stage the rule, the member, how many steps there are at most or, when
/// they are counted, exactly; and the set of the second stage.
mod entry {
    pub(super) const RULE: u32 = 0;
    pub(super) const FIRST: u32 = 4;
    pub(super) const STEPS: u32 = 8;
    pub(super) const SET: u32 = 16;
}

/// What draws steps in stages.
#[derive(Clone, Debug)]
pub(super) struct Staged {
    pub(super) rules: BTreeSet<RuleId>,
    /// Where the list of sets lies, and how many bytes it may have.
    pub(super) place: Global,
    pub(super) room: u32,
    /// How many steps there are at most; exactly so when they are counted.
    pub(super) most: Global,
    /// How many draws may still be in vain.
    pub(super) draws: Global,
    /// Computes the list, and how many steps there are at most.
    pub(super) prepare: Fun,
    /// Counts them.
    pub(super) settle: Fun,
    /// Makes the step of this number, as a whole move; gives 0 when there is none.
    pub(super) play: Fun,
    /// Whether there is a step.
    pub(super) some: Fun,
    /// Lists the steps of all other rules.
    pub(super) list_others: Fun,
    /// Whether there are no other moves, and each of them leads to another state.
    pub(super) tells: bool,
}

/// The functions of one rule. Each is given the player and the members of the stages before the last one.
#[derive(Clone, Copy)]
struct Stages {
    /// Adds to the list: given the player alone.
    list: Fun,
    /// How many members the last set has.
    count: Fun,
    /// The member of this number, or nowhere.
    member: Fun,
    /// Makes the step with this member.
    make: Fun,
    /// How many members the last set has at most.
    widest: u32,
}

impl Compiler<'_> {
    /// Defines what draws in stages, where there are rules for it.
    pub(super) fn stage_sets(&mut self) {
        let found = self.staged_rules();
        let entry_bytes = entry::SET + self.memory.set_bytes();
        let room = found.len() as u64 * u64::from(self.memory.sites) * u64::from(entry_bytes);
        let steps = u64::from(self.memory.sites).pow(STAGES as u32) * found.len() as u64;
        if found.is_empty() || room > ROOM || steps > i32::MAX as u64 {
            return;
        }
        let mut module = std::mem::take(&mut self.module);
        let mut global = || module.global(Ty::I32, 0, None);
        let (place, end, most, draws, counted) = (global(), global(), global(), global(), global());
        let lists = Lists { end, most, draws, entry_bytes };
        let stages: Vec<Stages> = found
            .iter()
            .enumerate()
            .map(|(index, (id, nest))| self.stages_of(&mut module, lists, index, *id, nest))
            .collect();
        let rules: Vec<&Rule> = found.iter().map(|(id, _)| &self.rules.rules[*id]).collect();

        // Runs statements for each beginning of an entry: they are given the last set's functions and what to ask them.
        let each_beginning = |body: &mut Body, me: V, entry: V, write: &dyn Fn(&mut Body, Ex, V, Label)| {
            let rule = body.bind(entry.load(Width::I32, entry::RULE));
            let first = body.bind(entry.load(Width::I32, entry::FIRST));
            let set = body.bind(entry + entry::SET);
            self.each_in_memory(body, set, |body, second, out| {
                self.tick(body);
                let found = body.local(Ty::I32);
                self.by_number(body, rule, 0, stages.len() as u32, &|body, rule| {
                    let asked = [me.into(), first.into(), second.into()];
                    body.set(found, self.ask(stages[rule as usize].count, asked));
                });
                write(body, found.into(), second, out);
            });
        };
        let each_entry = |body: &mut Body, write: &dyn Fn(&mut Body, V)| {
            let entry = body.bind(place);
            body.repeat_while(entry.ne(end), |body, _| {
                write(body, entry);
                body.set(entry, entry + entry_bytes);
            });
        };

        let settle = module.function("count stages", &[], None, |body, _| {
            let me = body.bind(self.me());
            body.set_global(most, 0);
            body.set_global(counted, 1);
            each_entry(body, &|body, entry| {
                let steps = body.bind(0);
                each_beginning(body, me, entry, &|body, found, _, _| body.set(steps, steps + found));
                body.store(Width::I32, entry, entry::STEPS, steps);
                body.set_global(most, most + steps);
            });
        });
        let prepare = module.function("prepare stages", &[], None, |body, _| {
            let me = body.bind(self.me());
            body.set_global(end, place);
            [most, draws, counted].into_iter().for_each(|global| body.set_global(global, 0));
            let typed = self.rules.schedule.turns.iter().any(|turn| turn.move_type.is_some());
            let wanted = body.bind(if typed { self.turn_part(2) } else { 0.into() });
            for (rule, stages) in rules.iter().zip(&stages) {
                let own = rule.move_type.map_or(0, |of| of.index() as i32 + 1);
                let right: Ex = if typed { wanted.eqz() | wanted.eq(own) } else { 1.into() };
                body.when(right, |body| body.call(stages.list, vec![me.into()]));
            }
            body.set_global(draws, select(Ex::from(draws).lt_s(MOST_DRAWS), draws, MOST_DRAWS));
            body.when(Ex::from(draws).lt_s(FEW), |body| body.call(settle, vec![]));
        });
        let some = module.function("some stage", &[], Some(Ty::I32), |body, _| {
            body.when(counted, |body| body.give(most));
            let me = body.bind(self.me());
            each_entry(body, &|body, entry| {
                each_beginning(body, me, entry, &|body, found, _, _| body.when(found, |body| body.give(1)));
            });
            body.give(0);
        });
        let play = module.function("play stages", &[Ty::I32], Some(Ty::I32), |body, params| {
            let me = body.bind(self.me());
            let (number, entry) = (body.bind(params[0]), body.bind(place));
            let steps = body.bind(entry.load(Width::I32, entry::STEPS));
            body.repeat_while(number.ge_s(steps), |body, _| {
                body.set(number, number - steps);
                body.set(entry, entry + entry_bytes);
                body.set(steps, entry.load(Width::I32, entry::STEPS));
            });
            let second = body.local(Ty::I32);
            body.when(counted, |body| {
                each_beginning(body, me, entry, &|body, found, site, out| {
                    let found = body.bind(found);
                    body.when(number.lt_s(found), |body| {
                        body.set(second, site);
                        body.go(out);
                    });
                    body.set(number, number - found);
                });
            });
            let rule = body.bind(entry.load(Width::I32, entry::RULE));
            let first = body.bind(entry.load(Width::I32, entry::FIRST));
            self.by_number(body, rule, 0, stages.len() as u32, &|body, rule| {
                let stages = &stages[rule as usize];
                body.when(Ex::from(counted).eqz(), |body| {
                    let beginning = body.bind(Ex::binary(Binary::DivS, number, stages.widest));
                    let set = body.bind(entry + entry::SET);
                    let (_, site) = self.nth(body, set, beginning);
                    body.set(second, site);
                    body.set(number, number - beginning * stages.widest);
                });
                let asked = |last: V| vec![me.into(), first.into(), second.into(), last.into()];
                let last = body.bind(self.ask(stages.member, asked(number)));
                body.when(last.eqz(), |body| body.give(0));
                body.call(stages.make, asked(last));
            });
            body.call(self.functions.pass_turn, vec![]);
            body.give(1);
        });
        let kinds: BTreeSet<_> = rules.iter().filter_map(|rule| rule.kind).collect();
        let all = found.len() == self.rules.rules.len() && self.rules.policy.pass == Pass::Never;
        let tells = all && kinds.len() == found.len() && found.iter().all(|(_, nest)| nest.tells);
        let rules = found.iter().map(|(id, _)| *id).collect();
        let list_others = module.function("list unstaged", &[], None, |body, _| self.raw(body, &self.drops, &rules));
        self.module = module;
        let room = room as u32;
        self.staged = Some(Staged { rules, place, room, most, draws, prepare, settle, play, some, list_others, tells });
    }

    /// The rules whose steps are drawn in stages.
    fn staged_rules(&self) -> Vec<(RuleId, Nest)> {
        let rules = self.rules;
        let prioritised = rules.policy.filters.iter().any(|filter| matches!(filter, Filter::Priority(_)));
        if prioritised || !self.can_draw() || !self.lawless() {
            return Vec::new();
        }
        let mut found: Vec<(RuleId, Nest)> = Vec::new();
        for (id, rule) in rules.rules.iter() {
            let Some(nest) = nest(rule).filter(|nest| nest.stages.len() <= STAGES) else { continue };
            let changes = nest.moves || rule.trigger == Trigger::Turn || !rules.policy.no_null_moves;
            let made = nest.effects.iter().all(|effect| matches!(effect.op, Op::Move | Op::Drop | Op::Create));
            let single = nest.effects.iter().filter(|effect| effect.op != Op::Create).count() <= 1;
            let apart = rules.rules.iter().all(|(other, info)| other == id || apart(rule, nest.parameters, info));
            if changes && made && single && apart && rule.then.is_none() {
                found.push((id, nest));
            }
        }
        // Rules that are counted need no draws in vain.
        if !found.is_empty() {
            let counted: BTreeSet<RuleId> = self.countable().into_iter().map(|(id, _)| id).collect();
            found.retain(|(id, _)| !counted.contains(id));
        }
        found
    }

    fn stages_of(&self, module: &mut Module, lists: Lists, index: usize, id: RuleId, nest: &Nest) -> Stages {
        let rule = &self.rules.rules[id];
        // Where there are fewer stages the first ones have one member, which stands for nothing.
        let missing = STAGES - nest.stages.len();
        let stage = |place: usize| place.checked_sub(missing).map(|place| &nest.stages[place]);
        let last = stage(STAGES - 1).expect("there is a stage");
        let widest = last.set.as_ref().map_or(self.memory.sites, |set| self.most_members(set)).max(1);
        let local = |place: usize| stage(place).map(|stage| stage.member);
        let function = |module: &mut Module, name: &str, params: usize, result, write: &Writing<'_>| {
            module.function(format!("{name} of rule {}", id.index()), &vec![Ty::I32; params], result, |body, params| {
                let locals = rule.locals.values().collect();
                let setting = Setting { mode: Mode::Ask, locals, tentative: false, queueless: false, of_piece: false };
                let given = result.map(|_| body.bind(0));
                self.write_program(body, params[0], &setting, |code| {
                    for (place, &value) in params[1..].iter().enumerate().take(STAGES) {
                        local(place).into_iter().for_each(|local| code.choose(local, value));
                    }
                    write(code, params, given);
                });
                given.into_iter().for_each(|given| body.give(given));
            })
        };
        let give = |code: &mut Code<'_, '_>, given: Option<V>, value: Ex| {
            given.into_iter().for_each(|given| code.body.set(given, value.clone()));
        };

        let list = function(module, "first stages", 1, None, &|code, _, _| {
            let second = |code: &mut Code<'_, '_>, first: Ex| {
                let set = match stage(1) {
                    Some(stage) => code.stage(rule, stage),
                    None => code.single(),
                };
                let count = code.count(&set);
                let count = code.body.bind(count);
                let (statements, ()) = code.apart(|code| {
                    let at = code.body.bind(lists.end);
                    let steps = code.body.bind(count * widest);
                    let parts: [(u32, Ex); 3] =
                        [(entry::RULE, (index as i32).into()), (entry::FIRST, first), (entry::STEPS, steps.into())];
                    parts.into_iter().for_each(|(part, value)| code.body.store(Width::I32, at, part, value));
                    code.assign(&Words::At(at + entry::SET), &set);
                    code.body.set_global(lists.end, at + lists.entry_bytes);
                    code.body.set_global(lists.most, lists.most + steps);
                    code.body.set_global(lists.draws, lists.draws + count);
                });
                code.body.push(Low::If(count.into(), statements, Vec::new()));
            };
            match stage(0) {
                None => second(code, 0.into()),
                Some(stage) => {
                    let set = code.stage(rule, stage);
                    let set = code.copied(&set);
                    code.each_site(&set, |code, site, _| {
                        code.compiler.tick(code.body);
                        code.choose(stage.member, site);
                        second(code, site.into());
                    });
                }
            }
        });
        let count = function(module, "last stage", 3, Some(Ty::I32), &|code, _, given| {
            let set = code.stage(rule, last);
            let count = code.count(&set);
            give(code, given, count);
        });
        let member = function(module, "member of last stage", 4, Some(Ty::I32), &|code, params, given| {
            let set = code.stage(rule, last);
            let number = code.body.bind(params[3]);
            let count = code.count(&set);
            let (statements, ()) = code.apart(|code| {
                let site = code.nth(&set, number);
                give(code, given, site.into());
            });
            code.body.push(Low::If(number.lt_s(count), statements, Vec::new()));
        });
        let make = function(module, "step", 4, None, &|code, params, _| {
            // Given as the last member, not as its number.
            code.choose(last.member, params[3]);
            code.make(nest);
        });
        Stages { list, count, member, make, widest }
    }

    /// How many members a set has at most, whatever the state.
    fn most_members(&self, set: &Expr) -> u32 {
        let sites = self.memory.sites;
        let mut parts = Vec::new();
        united(set, &mut parts);
        let mut sum = 0_u32;
        while let Some(part) = parts.first().copied() {
            let args = &part.args;
            let alike = |other: &Expr| matches!(other.op, Op::Ray(_)) && other.args[0] == args[0];
            let most = match part.op {
                Op::Ray(_) => {
                    let direction = |other: &&Expr| match other.op {
                        Op::Ray(direction) if alike(other) => Some(direction),
                        _ => None,
                    };
                    let star: Vec<Direction> = parts.iter().filter_map(direction).collect();
                    parts.retain(|other| !alike(other));
                    parts.insert(0, part);
                    self.largest_star(&star)
                }
                Op::With => self.most_members(&args[0]) + 1,
                Op::Where(_) | Op::Difference | Op::Without => self.most_members(&args[0]),
                Op::Intersection => self.most_members(&args[0]).min(self.most_members(&args[1])),
                Op::NoSites => 0,
                _ => sites,
            };
            parts.remove(0);
            sum = sum.saturating_add(most).min(sites);
        }
        sum
    }

    /// How many sites the rays of some directions from one site have at most together.
    fn largest_star(&self, directions: &[Direction]) -> u32 {
        let topology = &self.rules.topology;
        let star = |player: &dagaz_ir::PlayerInfo, start: Site| {
            let mut found = SiteSet::empty(topology.site_count());
            for &direction in directions {
                let (mut site, mut ray) = (start, SiteSet::empty(topology.site_count()));
                while let Some(next) = topology.step(player.seen(direction), site).filter(|&next| !ray.contains(next)) {
                    ray.insert(next);
                    found.insert(next);
                    site = next;
                }
            }
            found.iter().count() as u32
        };
        let players = self.rules.players.values();
        players.flat_map(|player| topology.sites().map(move |site| star(player, site))).max().unwrap_or(0)
    }

    /// Runs statements for each member of a set in memory. They are given the way out.
    fn each_in_memory(&self, body: &mut Body, set: V, write: impl FnOnce(&mut Body, V, Label)) {
        let (offset, bytes) = (body.bind(0), self.memory.set_bytes());
        body.repeat_while(offset.ne(bytes), |body, out| {
            let rest = body.bind((set + offset).load(Width::I64, 0));
            body.repeat_while(rest.ne(c64(0)), |body, _| {
                let site = body.bind(rest.ctz().wrap() + offset * 8 + 1);
                body.set(rest, rest & (rest - c64(1)));
                write(body, site, out);
            });
            body.set(offset, offset + 8);
        });
    }
}

/// The variables of the list of sets.
#[derive(Clone, Copy)]
struct Lists {
    end: Global,
    most: Global,
    draws: Global,
    entry_bytes: u32,
}

/// What a function of a rule does, given its parameters and what it gives.
type Writing<'a> = dyn Fn(&mut Code<'_, '_>, &[V], Option<V>) + 'a;

impl Code<'_, '_> {
    /// The local holds what was chosen.
    fn choose(&mut self, local: Local, site: V) {
        if let Slot::One(variable) = self.slots[local.index()] {
            self.body.set(variable, site);
        }
    }

    /// The sites out of which one is chosen.
    fn stage(&mut self, rule: &Rule, stage: &Stage) -> Words {
        let set = match &stage.set {
            Some(set) => self.set(set),
            None => self.pieces(rule.kind.map_or(0, |kind| kind.index() as u32 + 1)),
        };
        self.meeting(stage.member, set, &stage.conditions)
    }

    /// A set of one member, the first site.
    fn single(&mut self) -> Words {
        let set = self.empty_variable();
        let first = self.body.bind(1);
        self.change(&set, first, true);
        set
    }

    /// The member of this number, of which there is one.
    fn nth(&mut self, set: &Words, number: V) -> V {
        let compiler = self.compiler;
        let body = &mut *self.body;
        let words = match set {
            Words::Locals(words) => words,
            Words::At(at) => {
                let at = body.bind(at.clone());
                return compiler.nth(body, at, number).1;
            }
        };
        let (word, left, first) = (body.bind(words[0]), body.bind(number), body.bind(1));
        for (index, &next) in words.iter().enumerate().skip(1) {
            let here = body.bind(Ex::from(word).popcnt().wrap());
            body.when(left.ge_s(here), |body| {
                body.set(left, left - here);
                body.set(word, next);
                body.set(first, index as i32 * 64 + 1);
            });
        }
        let place = compiler.member(body, word, left);
        body.bind(place + first)
    }

    /// Makes a step: everything is looked at before anything is done; then comes the displacement, then the other effects in order.
    fn make(&mut self, nest: &Nest) {
        let compiler = self.compiler;
        let mut effects = Vec::new();
        for effect in &nest.effects {
            let operands: Vec<V> = effect.args.iter().map(|arg| self.bound(arg)).collect();
            effects.push((effect.op, operands));
        }
        let (from, to) = (self.bound(&nest.from), self.bound(&nest.to));
        effects.sort_by_key(|(op, _)| *op == Op::Create);
        let memory = &compiler.memory;
        for (op, operands) in effects {
            let (a, b, c) = (operands[0], operands[1], operands.get(2).copied());
            let exists = |number: V, count: u32| (number - 1).lt_u(count);
            let (what, proper) = match (op, c) {
                (Op::Move, _) => (code::MOVE, a.ne(0) & b.ne(0)),
                (_, Some(c)) => {
                    let what = if op == Op::Create { code::CREATE } else { code::DROP };
                    (what, a.ne(0) & exists(b, memory.players) & exists(c, memory.kinds))
                }
                (_, None) => unreachable!("pieces that appear have an owner and a kind"),
            };
            let third = c.map_or(Ex::from(0), Ex::from);
            self.body.when(proper, |body| compiler.make_effect(body, what, [a.into(), b.into(), third]));
        }
        self.body.when(from | to, |body| {
            for (field, site) in [(memory.known.last_from, from), (memory.known.last_to, to)] {
                if let Some(field) = field {
                    body.call(compiler.functions.put, vec![memory.global(field).into(), site.into()]);
                }
            }
        });
    }
}

/// Whether no step of another rule can be the same as one of a nest with so many parameters.
fn apart(rule: &Rule, parameters: usize, other: &Rule) -> bool {
    let alike = |statement: &Stmt| match &statement.kind {
        StmtKind::Emit(emit) => emit.parameters.len() == parameters,
        _ => false,
    };
    // Pieces of different kinds stand on different sites.
    let elsewhere = rule.trigger == Trigger::Piece && other.kind != rule.kind && starts_here(other);
    elsewhere || !Stmt::any(&other.body, &alike)
}
