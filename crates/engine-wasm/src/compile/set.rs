//! Translates sets of sites. Small ones are words in locals; those of large boards lie in memory.

use std::collections::BTreeMap;

use dagaz_base::{Id, IdMap};
use dagaz_board::{Direction, SiteSet};
use dagaz_ir::{Compass, Expr, Local, Op, Rules};

use crate::low::{Binary, Body, Ex, Stmt as Low, Ty, V, Width, c64, pick, select};

use super::program::{Code, Slot};

/// What is asked of a site, and the steps that lead to it.
pub(super) type Lifted = (String, Vec<(Direction, bool)>);

/// How many words sets have at most that are kept in locals.
pub(super) const SMALL: u32 = 8;

/// What the words of a new set are, said of the words of others at the same place.
type Filling<'a> = dyn Fn(&dyn Fn(&Words) -> Ex) -> Ex + 'a;

/// Whether all of these steps move the sites of a set alike.
type Alike<'a> = dyn Fn(&[(Direction, bool)]) -> bool + 'a;

/// A set.
#[derive(Clone, Debug)]
pub(super) enum Words {
    /// A word for each 64 sites.
    Locals(Vec<V>),
    /// At an address, which is computed by cheap operations from locals that do not change while the set is in use.
    At(Ex),
}

impl Code<'_, '_> {
    fn words(&self) -> u32 {
        self.compiler.memory.words
    }

    pub(super) fn small(&self) -> bool {
        self.words() <= SMALL
    }

    /// Room for a set in the frame.
    fn room(&mut self) -> Words {
        let offset = self.frame_bytes;
        self.frame_bytes += self.compiler.memory.set_bytes();
        Words::At(self.frame + offset)
    }

    pub(super) fn new_set(&mut self) -> Words {
        match self.small() {
            true => Words::Locals((0..self.words()).map(|_| self.body.local(Ty::I64)).collect()),
            false => self.room(),
        }
    }

    /// A variable for a set, empty at the start.
    pub(super) fn empty_variable(&mut self) -> Words {
        let variable = self.new_set();
        self.clear(&variable);
        variable
    }

    fn clear(&mut self, set: &Words) {
        match set {
            Words::Locals(words) => words.iter().for_each(|&word| self.body.set(word, c64(0))),
            Words::At(at) => {
                self.compiler.pay_for_set(self.body);
                self.body.push(Low::Clear(at.clone(), self.compiler.memory.set_bytes().into()));
            }
        }
    }

    /// The word of this index.
    fn word(set: &Words, index: u32) -> Ex {
        match set {
            Words::Locals(words) => words[index as usize].into(),
            Words::At(at) => at.clone().load(Width::I64, index * 8),
        }
    }

    /// Gives a set, word by word, what `of` says of the words of others, which are found at an offset.
    fn fill(&mut self, to: &Words, of: &Filling<'_>) {
        match to {
            Words::Locals(words) => {
                let values: Vec<_> =
                    (0..words.len() as u32).map(|index| self.body.bind(of(&|set| Self::word(set, index)))).collect();
                words.iter().zip(values).for_each(|(&word, value)| self.body.set(word, value));
            }
            Words::At(at) => {
                self.compiler.pay_for_set(self.body);
                let (at, offset) = (self.body.bind(at.clone()), self.body.bind(0));
                let bytes = self.compiler.memory.set_bytes();
                self.body.repeat_while(offset.ne(bytes), |body, _| {
                    let value = of(&|set| match set {
                        Words::At(base) => (base.clone() + offset).load(Width::I64, 0),
                        Words::Locals(_) => unreachable!("sets of one board are of one size"),
                    });
                    body.store(Width::I64, at + offset, 0, value);
                    body.set(offset, offset + 8);
                });
            }
        }
    }

    /// A new set that is filled so.
    pub(super) fn built(&mut self, of: &Filling<'_>) -> Words {
        let set = self.new_set();
        self.fill(&set, of);
        set
    }

    pub(super) fn assign(&mut self, to: &Words, from: &Words) {
        match (to, from) {
            (Words::At(to), Words::Locals(words)) => {
                for (index, &word) in words.iter().enumerate() {
                    self.body.store(Width::I64, to.clone(), index as u32 * 8, word);
                }
            }
            (Words::Locals(words), Words::At(_)) => {
                for (index, &word) in words.iter().enumerate() {
                    self.body.set(word, Self::word(from, index as u32));
                }
            }
            _ => {
                let from = from.clone();
                self.fill(to, &|word| word(&from));
            }
        }
    }

    pub(super) fn copied(&mut self, set: &Words) -> Words {
        let copy = self.new_set();
        self.assign(&copy, set);
        copy
    }

    /// A set as it can be indexed by a local: in memory.
    fn in_memory(&mut self, set: &Words) -> Ex {
        match set {
            Words::At(at) => at.clone(),
            Words::Locals(_) => {
                let room = self.room();
                self.assign(&room, set);
                let Words::At(at) = room else { unreachable!("room is in memory") };
                at
            }
        }
    }

    /// A set of expressions.
    pub(super) fn set(&mut self, expr: &Expr) -> Words {
        let args = &expr.args;
        if matches!(expr.op, Op::Union | Op::Ray(_))
            && let Some(rays) = self.rays(expr)
        {
            return rays;
        }
        match expr.op {
            Op::Local(local) => match &self.slots[local.index()] {
                Slot::Set(words) => words.clone(),
                Slot::One(_) => unreachable!("the verifier types expressions"),
            },
            Op::AllSites => self.all_sites(),
            Op::NoSites => {
                let set = self.new_set();
                self.clear(&set);
                set
            }
            Op::ZoneSites(zone) => {
                let (row, stride) = self.compiler.memory.zone_set(zone);
                let at = self.body.bind(self.me * stride + row);
                self.fetched(at.into())
            }
            Op::Union | Op::Intersection | Op::Difference => {
                let (a, b) = (self.set(&args[0]), self.set(&args[1]));
                let op = expr.op;
                self.built(&|word| match op {
                    Op::Union => word(&a) | word(&b),
                    Op::Intersection => word(&a) & word(&b),
                    _ => word(&a) & complement(word(&b)),
                })
            }
            Op::With | Op::Without => {
                let set = self.set(&args[0]);
                let set = self.copied(&set);
                let site = self.bound(&args[1]);
                self.change(&set, site, expr.op == Op::With);
                set
            }
            Op::Shift(direction) => {
                let set = self.set(&args[0]);
                self.shifted(&set, direction)
            }
            Op::Neighbours(compass) => {
                if let Some(near) = self.neighbours_of_one(compass, &args[0]) {
                    return near;
                }
                let set = self.set(&args[0]);
                let found = self.new_set();
                self.clear(&found);
                for direction in self.directions(compass) {
                    let shifted = self.shifted(&set, direction);
                    let before = found.clone();
                    self.fill(&found, &|word| word(&before) | word(&shifted));
                }
                found
            }
            Op::Flood(compass) => {
                let (start, within) = (self.set(&args[0]), self.set(&args[1]));
                self.flood(compass, &start, &within)
            }
            Op::Ray(direction) => {
                let start = self.bound(&args[0]);
                let through = self.set(&args[1]);
                self.ray(direction, start, &through)
            }
            Op::Where(local) => self.chosen(local, args),
            _ => panic!("the verifier types expressions: `{}` is no set", expr.op.name()),
        }
    }

    fn fetched(&mut self, at: Ex) -> Words {
        let place = Words::At(at);
        if self.small() { self.copied(&place) } else { place }
    }

    pub(super) fn all_sites(&mut self) -> Words {
        let sites = self.compiler.memory.sites;
        let words = self.words();
        let full = |index: u32| {
            let left = sites - (index * 64).min(sites);
            if left >= 64 { u64::MAX } else { (1 << left) - 1 }
        };
        let set = self.new_set();
        match &set {
            Words::Locals(locals) => {
                for (index, &local) in locals.iter().enumerate() {
                    self.body.set(local, c64(full(index as u32)));
                }
            }
            Words::At(at) => {
                for index in 0..words {
                    self.body.store(Width::I64, at.clone(), index * 8, c64(full(index)));
                }
            }
        }
        set
    }

    /// Whether all directions of a compass move the sites of a set alike.
    pub(super) fn moves_alike(&self, compass: Compass) -> bool {
        self.directions(compass).iter().all(|&direction| {
            let shifts = self.compiler.shifts[direction][0].as_ref();
            shifts.is_some_and(|shifts| shifts.iter().all(|shift| shift.0.len() == 1))
        })
    }

    /// The set of the first site, where any will do.
    pub(super) fn some_site(&mut self) -> Words {
        let set = self.empty_variable();
        let first = self.body.bind(1);
        self.change(&set, first, true);
        set
    }

    pub(super) fn directions(&self, compass: Compass) -> Vec<Direction> {
        self.compiler.rules.compasses[compass].clone()
    }

    /// Puts a site into a set or takes it out; nowhere changes nothing.
    pub(super) fn change(&mut self, set: &Words, site: V, insert: bool) {
        match set {
            Words::Locals(words) if words.len() == 1 => {
                let bit = (c64(1) << (site - 1).extend()) & mask_of(site);
                let word = words[0];
                let changed = if insert { word | bit } else { word & complement(bit) };
                self.body.set(word, changed);
            }
            Words::Locals(words) => {
                for (index, &word) in words.iter().enumerate() {
                    let here = (site - 1).shr_u(6).eq(index as i32) & site.ne(0);
                    let bit = select(here, c64(1) << (site - 1).extend(), c64(0));
                    let changed = if insert { word | bit } else { word & complement(bit) };
                    self.body.set(word, changed);
                }
            }
            Words::At(at) => {
                let at = self.body.bind(at.clone());
                self.body.when(site, |body| change_in_memory(body, at, site, insert));
            }
        }
    }

    /// Whether the site is in the set; nowhere is in none.
    pub(super) fn contains(&mut self, set: &Words, site: V) -> Ex {
        let bit = (site - 1).extend();
        match set {
            Words::Locals(words) => {
                let mut word: Ex = words[0].into();
                for (index, &other) in words.iter().enumerate().skip(1) {
                    word = select((site - 1).shr_u(6).eq(index as i32), other, word);
                }
                (word.shr_u(bit).wrap() & 1) & site.ne(0)
            }
            Words::At(at) => {
                let address = (site - 1).shr_u(6) * 8 + at.clone();
                pick(site, address.load(Width::I64, 0).shr_u(bit).wrap() & 1, 0)
            }
        }
    }

    pub(super) fn count(&mut self, set: &Words) -> Ex {
        match set {
            Words::Locals(words) => {
                let sum = words.iter().map(|&word| Ex::from(word).popcnt()).reduce(|a, b| a + b);
                sum.expect("a set has a word").wrap()
            }
            Words::At(at) => {
                self.compiler.pay_for_set(self.body);
                let (sum, offset) = (self.body.bind(c64(0)), self.body.bind(0));
                let bytes = self.compiler.memory.set_bytes();
                self.body.repeat_while(offset.ne(bytes), |body, _| {
                    body.set(sum, sum + (at.clone() + offset).load(Width::I64, 0).popcnt());
                    body.set(offset, offset + 8);
                });
                sum.wrap()
            }
        }
    }

    /// Whether the set has a member.
    pub(super) fn some(&mut self, set: &Words) -> Ex {
        match set {
            Words::Locals(words) => {
                let all = words.iter().map(|&word| Ex::from(word)).reduce(|a, b| a | b);
                all.expect("a set has a word").ne(c64(0))
            }
            Words::At(_) => self.count(set).ne(0),
        }
    }

    /// The first site, or nowhere.
    pub(super) fn first(&mut self, set: &Words) -> Ex {
        match set {
            Words::Locals(words) => {
                let mut first: Ex = 0.into();
                for (index, &word) in words.iter().enumerate().rev() {
                    let here = word.ctz().wrap() + (index as i32 * 64 + 1);
                    first = select(word.ne(c64(0)), here, first);
                }
                first
            }
            Words::At(_) => {
                let first = self.body.bind(0);
                self.each_site(set, |code, site, out| {
                    code.body.set(first, site);
                    code.body.go(out);
                });
                first.into()
            }
        }
    }

    /// Runs statements for each site of a set that does not change meanwhile, in order. They are given the way out.
    pub(super) fn each_site(&mut self, set: &Words, write: impl FnOnce(&mut Self, V, crate::low::Label)) {
        let compiler = self.compiler;
        let out = self.body.label();
        let rest = self.body.local(Ty::I64);
        let site = self.body.local(Ty::I32);
        let words = self.words();
        let single = match set {
            _ if words > 1 => None,
            set => Some(Self::word(set, 0)),
        };
        let base = match &single {
            Some(_) => None,
            None => {
                let at = self.in_memory(set);
                Some((self.body.bind(at), self.body.bind(0)))
            }
        };
        let (body_statements, ()) = self.apart(|code| write(code, site, out));
        // Whatever repeats something in a loop pays for each round.
        let pays = body_statements.iter().any(Low::repeats);
        let bits = |code: &mut Self, first: Ex| {
            code.body.repeat_while(Ex::from(rest).ne(c64(0)), |body, _| {
                body.set(site, rest.ctz().wrap() + first);
                body.set(rest, rest & (rest - c64(1)));
                if pays {
                    compiler.tick(body);
                }
                body_statements.iter().for_each(|statement| body.push(statement.clone()));
            });
        };
        let (statements, ()) = self.apart(|code| match (single, base) {
            (Some(word), _) => {
                code.body.set(rest, word);
                bits(code, 1.into());
            }
            (None, Some((at, index))) => {
                compiler.pay_for_set(code.body);
                let (again, done) = (code.body.label(), code.body.label());
                let (mut inside, ()) = code.apart(|code| {
                    code.body.when(index.eq(words), |body| body.go(done));
                    code.body.set(rest, (at + index * 8).load(Width::I64, 0));
                    bits(code, index * 64 + 1);
                    code.body.set(index, index + 1);
                });
                inside.push(Low::Go(again));
                code.body.push(Low::Block(done, vec![Low::Loop(again, inside)]));
            }
            (None, None) => unreachable!("a set is one word or in memory"),
        });
        self.body.push(Low::Block(out, statements));
    }

    /// The sites one step away in a direction.
    pub(super) fn shifted(&mut self, set: &Words, direction: Direction) -> Words {
        if let Some(turned) = self.turned(direction, false, set, false) {
            return turned;
        }
        let found = self.room();
        self.clear(&found);
        let Words::At(at) = found.clone() else { unreachable!("room is in memory") };
        let at = self.body.bind(at);
        self.each_site(set, |code, site, _| {
            let to = code.step(direction, false, site.into());
            let to = code.body.bind(to);
            code.body.when(to, |body| change_in_memory(body, at, to, true));
        });
        self.fetched(at.into())
    }

    /// The sites to which a step leads from a set, or from which it leads into it, where a step moves the bits of all sites alike.
    pub(super) fn turned(&mut self, direction: Direction, back: bool, set: &Words, from: bool) -> Option<Words> {
        let shifts = self.compiler.shifts[direction][usize::from(back)].as_ref()?;
        let Words::Locals(words) = set else { return None };
        let mut players = shifts.iter().enumerate().filter(|(index, _)| {
            let wanted = self.player.map_or(*index, |player| player as usize - 1);
            wanted == *index
        });
        let (_, first) = players.next()?;
        let mut turned = first.moved(words, from);
        for (index, shift) in players.filter(|(_, shift)| *shift != first) {
            let mine = self.body.bind(self.me.eq(index as i32 + 1));
            let own = shift.moved(words, from);
            turned = own.into_iter().zip(turned).map(|(own, other)| select(mine, own, other)).collect();
        }
        Some(self.in_locals(turned))
    }

    /// The same as the first player means it.
    pub(super) fn turned_by_first(&mut self, direction: Direction, set: &Words, from: bool) -> Option<Words> {
        let first = self.compiler.shifts[direction][0].as_ref()?.first()?;
        let Words::Locals(words) = set else { return None };
        let turned = first.moved(words, from);
        Some(self.in_locals(turned))
    }

    fn in_locals(&mut self, words: Vec<Ex>) -> Words {
        Words::Locals(words.into_iter().map(|word| self.body.bind(word)).collect())
    }

    /// What can be reached from the start through a set.
    fn flood(&mut self, compass: Compass, start: &Words, within: &Words) -> Words {
        let directions = self.directions(compass);
        let found = {
            let (start, within) = (start.clone(), within.clone());
            self.built(&|word| word(&start) & word(&within))
        };
        if self.moves_alike(compass) && matches!((&found, within), (Words::Locals(_), Words::Locals(_))) {
            let before = self.new_set();
            let (again, out) = (self.body.label(), self.body.label());
            let (mut statements, ()) = self.apart(|code| {
                code.assign(&before, &found);
                for &direction in &directions {
                    let next = code.shifted(&found, direction);
                    let known = found.clone();
                    code.fill(&found, &|word| word(&known) | (word(&next) & word(within)));
                }
                let more = code.built(&|word| word(&found) ^ word(&before));
                let more = code.some(&more);
                code.body.when(more.eqz(), |body| body.go(out));
                code.compiler.tick(code.body);
            });
            statements.push(Low::Go(again));
            self.body.push(Low::Block(out, vec![Low::Loop(again, statements)]));
            return found;
        }
        if let Some(found) = self.flooded(compass, start, within) {
            return found;
        }
        let found = self.in_memory(&found);
        let found = self.body.bind(found);
        let within = self.in_memory(within);
        let within = self.body.bind(within);
        let open = self.room();
        self.assign(&open, &Words::At(found.into()));
        let Words::At(open) = open else { unreachable!("room is in memory") };
        let open = self.body.bind(open);
        let bytes = self.compiler.memory.set_bytes();
        let compiler = self.compiler;
        let offset = self.body.bind(0);
        let (again, out) = (self.body.label(), self.body.label());
        let (mut statements, ()) = self.apart(|code| {
            code.body.when(offset.eq(bytes), |body| body.go(out));
            let word = code.body.bind((open + offset).load(Width::I64, 0));
            let (some, ()) = code.apart(|code| {
                compiler.tick(code.body);
                let site = code.body.bind(word.ctz().wrap() + offset * 8 + 1);
                code.body.store(Width::I64, open + offset, 0, word & (word - c64(1)));
                for &direction in &directions {
                    let to = code.step(direction, false, site.into());
                    let to = code.body.bind(to);
                    let fresh = {
                        let inside = code.contains(&Words::At(within.into()), to);
                        let known = code.contains(&Words::At(found.into()), to);
                        pick(inside, known.eqz(), 0)
                    };
                    code.body.when(fresh, |body| {
                        change_in_memory(body, found, to, true);
                        change_in_memory(body, open, to, true);
                        // Words before this one are open again.
                        let word = body.bind((to - 1).shr_u(6) * 8);
                        body.set(offset, select(word.lt_s(offset), word, offset));
                    });
                }
            });
            code.body.push(Low::If(word.ne(c64(0)), some, vec![Low::Set(offset, offset + 8)]));
        });
        statements.push(Low::Go(again));
        self.body.push(Low::Block(out, vec![Low::Loop(again, statements)]));
        self.fetched(found.into())
    }

    fn ray(&mut self, direction: Direction, start: V, through: &Words) -> Words {
        let found = self.new_set();
        self.clear(&found);
        let site = self.body.bind(start);
        let (again, out) = (self.body.label(), self.body.label());
        let (mut statements, ()) = self.apart(|code| {
            let next = code.step(direction, false, site.into());
            code.body.set(site, next);
            let inside = code.contains(through, site);
            let known = code.contains(&found, site);
            let stops = pick(inside, known | site.eq(start), 1);
            code.body.when(stops, |body| body.go(out));
            code.compiler.tick(code.body);
            code.change(&found, site, true);
        });
        statements.push(Low::Go(again));
        self.body.push(Low::Block(out, vec![Low::Loop(again, statements)]));
        found
    }

    /// The sites of a set for which a condition is true.
    fn chosen(&mut self, local: Local, args: &[Expr]) -> Words {
        let set = self.set(&args[0]);
        let (lifted, rest) = self.lifted(local, &args[1]);
        let set = self.within(set, lifted);
        if rest.is_empty() {
            return set;
        }
        self.asked_of_each(local, set, &rest)
    }

    fn asked_of_each(&mut self, local: Local, set: Words, rest: &[Expr]) -> Words {
        let chosen = self.new_set();
        self.clear(&chosen);
        let variable = self.one(local);
        let set = if self.small() { self.copied(&set) } else { set };
        self.each_site(&set, |code, site, _| {
            code.body.set(variable, site);
            let condition = code.all(rest);
            let (statements, ()) = code.apart(|code| code.change(&chosen, site, true));
            code.body.push(Low::If(condition, statements, Vec::new()));
        });
        chosen
    }

    /// Whether a condition is true for some site of a set, or for every one.
    pub(super) fn quantified(&mut self, local: Local, args: &[Expr], some: bool) -> Ex {
        let set = self.set(&args[0]);
        let negated;
        let condition = if some {
            &args[1]
        } else {
            negated = args[1].clone().negated();
            &negated
        };
        let (lifted, rest) = self.lifted(local, condition);
        let set = self.within(set, lifted);
        let found = if rest.is_empty() {
            self.some(&set)
        } else {
            let found = self.body.bind(0);
            let variable = self.one(local);
            self.each_site(&set, |code, site, out| {
                code.body.set(variable, site);
                let condition = code.all(&rest);
                code.body.when(condition, |body| {
                    body.set(found, 1);
                    body.go(out);
                });
            });
            found.into()
        };
        if some { found } else { found.eqz() }
    }

    pub(super) fn sum(&mut self, local: Local, args: &[Expr]) -> Ex {
        let set = self.set(&args[0]);
        let sum = self.body.bind(0);
        let variable = self.one(local);
        self.each_site(&set, |code, site, _| {
            code.body.set(variable, site);
            let value = code.value(&args[1]);
            code.body.set(sum, sum + value);
        });
        sum.into()
    }

    fn one(&self, local: Local) -> V {
        match self.slots[local.index()] {
            Slot::One(variable) => variable,
            Slot::Set(_) => unreachable!("the verifier types locals"),
        }
    }

    fn all(&mut self, conditions: &[Expr]) -> Ex {
        match conditions {
            [one] => self.value(one),
            several => {
                let all = Expr::new(Op::And, several.to_vec());
                self.value(&all)
            }
        }
    }

    pub(super) fn within(&mut self, set: Words, lifted: Vec<Words>) -> Words {
        lifted.into_iter().fold(set, |set, other| self.built(&|word| word(&set) & word(&other)))
    }

    /// The sites of a set for which all conditions on a local are true.
    pub(super) fn meeting(&mut self, local: Local, set: Words, conditions: &[Expr]) -> Words {
        let (mut set, mut rest) = (set, Vec::new());
        for condition in conditions {
            let (lifted, asked) = self.lifted(local, condition);
            set = self.within(set, lifted);
            rest.extend(asked);
        }
        if rest.is_empty() { set } else { self.asked_of_each(local, set, &rest) }
    }

    /// The words of a set, and how many sites it has, go to an address each.
    pub(super) fn deliver(&mut self, set: &Words, at: Ex, count_at: Ex) -> V {
        let at = self.body.bind(at);
        self.assign(&Words::At(at.into()), set);
        let count = self.count(set);
        let count = self.body.bind(count);
        self.body.store(Width::I32, count_at, 0, count);
        count
    }

    /// The sites where pieces of a kind stand: the player's own, or all.
    pub(super) fn pieces(&mut self, kind: u32) -> Words {
        let memory = &self.compiler.memory;
        let bytes = memory.set_bytes();
        let kinds = Words::At(((memory.kind_sets + kind * bytes) as i32).into());
        let own = self.body.bind(self.me * bytes + memory.owner_sets);
        let own = Words::At(own.into());
        self.built(&|word| word(&kinds) & word(&own))
    }

    /// The sites of the first set that are not in the second.
    pub(super) fn without(&mut self, set: &Words, other: &Words) -> Words {
        self.built(&|word| word(set) & complement(word(other)))
    }

    /// The set where a condition is true, else none.
    pub(super) fn if_so(&mut self, set: &Words, condition: Ex) -> Words {
        let mask = self.body.bind(select(condition, c64(u64::MAX), c64(0)));
        self.built(&|word| word(set) & mask)
    }

    /// The sites for which as much of a condition on the first local is true as can be said of sets.
    pub(super) fn candidates(&mut self, condition: &Expr) -> Words {
        let (lifted, _) = self.lifted(Local::from_index(0), condition);
        let all = self.all_sites();
        self.within(all, lifted)
    }

    /// Splits a condition on a site: what is true for a whole set of sites at once, and what must be asked for each.
    fn lifted(&mut self, local: Local, condition: &Expr) -> (Vec<Words>, Vec<Expr>) {
        let parts: Vec<&Expr> = match condition.op {
            Op::And => condition.args.iter().collect(),
            _ => vec![condition],
        };
        let (mut sets, mut rest) = (Vec::new(), Vec::new());
        // What one part has computed, the others need not.
        let alone = self.cache.is_none();
        self.cache.get_or_insert_default();
        for part in parts {
            match self.lift(local, part) {
                Some(set) => sets.push(set),
                None => rest.push(part.clone()),
            }
        }
        if alone {
            self.cache = None;
        }
        (sets, rest)
    }

    /// The sites for which a condition on them, or on what lies some steps from them, is true, when that is known as a set.
    pub(super) fn lift(&mut self, local: Local, condition: &Expr) -> Option<Words> {
        if !self.compiler.is_lifted(condition, local) {
            return None;
        }
        let args = &condition.args;
        match condition.op {
            Op::Not => {
                let set = self.lift(local, &args[0])?;
                Some(self.built(&|word| complement(word(&set))))
            }
            Op::And | Op::Or => {
                let all = condition.op == Op::And;
                let mut joined = self.lift(local, &args[0])?;
                for arg in &args[1..] {
                    let other = self.lift(local, arg)?;
                    let before = joined;
                    joined = self.built(&|word| {
                        if all { word(&before) & word(&other) } else { word(&before) | word(&other) }
                    });
                }
                Some(joined)
            }
            _ if !mentions(condition, local) => {
                let value = self.uncached(|code| code.value(condition));
                let mask = self.body.bind(select(value, c64(u64::MAX), c64(0)));
                Some(self.built(&|_| mask.into()))
            }
            _ => {
                let (place, steps) = place_of(condition, local)?;
                let key = (lifted_key(condition), steps);
                self.reaching(local, condition, place, key)
            }
        }
    }

    /// Writes what may be run under a condition only: what it computes is not known elsewhere.
    fn uncached<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let kept = self.cache.take();
        let result = write(self);
        self.cache = kept;
        result
    }

    /// The sites from which these steps lead to one for which the condition is true.
    fn reaching(&mut self, local: Local, condition: &Expr, place: usize, key: Lifted) -> Option<Words> {
        if let Some(known) = self.cache.as_ref().and_then(|cache| cache.get(&key)) {
            return Some(known.clone());
        }
        let set = match key.1.split_first() {
            None => self.lift_here(local, condition, place)?,
            Some((&first, rest)) => {
                let there = self.reaching(local, condition, place, (key.0.clone(), rest.to_vec()))?;
                self.preimage(first, &there)
            }
        };
        if let Some(cache) = &mut self.cache {
            cache.insert(key, set.clone());
        }
        Some(set)
    }

    /// The sites from which a step leads into a set.
    fn preimage(&mut self, (direction, back): (Direction, bool), set: &Words) -> Words {
        self.turned(direction, back, set, true).expect("conditions are lifted where steps move all sites alike")
    }

    /// The sites for which a condition on the site itself is true.
    fn lift_here(&mut self, local: Local, condition: &Expr, place: usize) -> Option<Words> {
        let args = &condition.args;
        let memory = &self.compiler.memory;
        let bytes = memory.set_bytes();
        match condition.op {
            Op::OnBoard => Some(self.all_sites()),
            Op::Empty => Some(self.fetched((memory.owner_sets as i32).into())),
            Op::Mine => {
                let at = self.body.bind(self.me * bytes + memory.owner_sets);
                Some(self.fetched(at.into()))
            }
            Op::Enemy | Op::Friend => {
                let flag = if condition.op == Op::Friend { 1 } else { 2 };
                let (row, stride) = memory.relation_row();
                let (players, owners, me) = (memory.players, memory.owner_sets, self.me);
                let set = self.new_set();
                self.clear(&set);
                for player in 1..=players {
                    let mask: Ex = match self.player.map(|me| self.compiler.related(me, player, flag)) {
                        Some(true) => c64(u64::MAX),
                        Some(false) => continue,
                        None => {
                            let related = (me * stride + row + player).load(Width::U8, 0) & flag;
                            self.body.bind(select(related, c64(u64::MAX), c64(0))).into()
                        }
                    };
                    let (before, owned) = (set.clone(), Words::At(((owners + player * bytes) as i32).into()));
                    self.fill(&set, &|word| word(&before) | (word(&owned) & mask.clone()));
                }
                Some(set)
            }
            Op::InZone(zone) => {
                let (row, stride) = memory.zone_set(zone);
                let at = self.body.bind(self.me * stride + row);
                Some(self.fetched(at.into()))
            }
            Op::Equal => {
                let (sets, number) = equality(&args[1 - place], &args[place], memory)?;
                let number = number.map_or(self.me.into(), Ex::from);
                let at = self.body.bind(number * bytes + sets);
                Some(self.fetched(at.into()))
            }
            Op::Contains => {
                debug_assert!(!mentions(&args[0], local));
                Some(self.uncached(|code| code.set(&args[0])))
            }
            _ => None,
        }
    }
}

impl super::Compiler<'_> {
    /// Whether the second player is a friend of the first, for flag 1, or an enemy.
    fn related(&self, first: u32, second: u32, flag: i32) -> bool {
        let players = self.rules.players.values().collect::<Vec<_>>();
        let info = players[first as usize - 1];
        let of = if flag == 1 { &info.friends } else { &info.enemies };
        of.iter().any(|other| other.index() as u32 + 1 == second)
    }

    /// Whether the sites for which a condition on them is true are known as a set.
    pub(super) fn is_lifted(&self, condition: &Expr, local: Local) -> bool {
        let alike = |steps: &[(Direction, bool)]| {
            steps.iter().all(|&(direction, back)| self.shifts[direction][usize::from(back)].is_some())
        };
        liftable(condition, local, &self.memory, &alike)
    }
}

/// Whether [`Code::lift`] knows the condition as a set.
fn liftable(condition: &Expr, local: Local, memory: &crate::memory::Memory, alike: &Alike<'_>) -> bool {
    let args = &condition.args;
    match condition.op {
        Op::Not => liftable(&args[0], local, memory, alike),
        Op::And | Op::Or => !args.is_empty() && args.iter().all(|arg| liftable(arg, local, memory, alike)),
        _ if !mentions(condition, local) => simple(condition),
        _ => match (condition.op, place_of(condition, local).filter(|(_, steps)| alike(steps))) {
            (Op::Enemy | Op::Friend, Some(_)) => memory.players <= 4,
            (Op::Equal, Some((place, _))) => equality(&args[1 - place], &args[place], memory).is_some(),
            (Op::Contains, Some(_)) => !mentions(&args[0], local),
            (_, place) => place.is_some(),
        },
    }
}

/// Where a condition on one site names it, among the operands, and the steps that lead there from the local, the first one
/// first.
fn place_of(condition: &Expr, local: Local) -> Option<(usize, Vec<(Direction, bool)>)> {
    let args = &condition.args;
    let (place, site) = match condition.op {
        Op::Empty | Op::Mine | Op::Enemy | Op::Friend | Op::InZone(_) | Op::OnBoard => (0, &args[0]),
        Op::Contains => (1, &args[1]),
        Op::Equal => {
            let read = args.iter().position(|arg| matches!(arg.op, Op::Read(_)) && mentions(arg, local))?;
            (read, &args[read].args[0])
        }
        _ => return None,
    };
    Some((place, steps_from(site, local)?))
}

/// The steps that lead from a local to the site that an expression stands for, the first one first.
pub(super) fn steps_from(mut site: &Expr, local: Local) -> Option<Vec<(Direction, bool)>> {
    let mut steps = Vec::new();
    loop {
        match site.op {
            Op::Step(direction) => steps.push((direction, false)),
            Op::StepBack(direction) => steps.push((direction, true)),
            op => {
                steps.reverse();
                return (op == Op::Local(local)).then_some(steps);
            }
        }
        site = &site.args[0];
    }
}

/// What a condition says, whatever the site.
fn lifted_key(condition: &Expr) -> String {
    match condition.op {
        Op::Equal | Op::Contains => {
            let part = |(place, arg): (usize, &Expr)| match (condition.op, arg.op) {
                (Op::Contains, _) if place == 1 => String::new(),
                (_, Op::Read(field)) => format!("{field:?}"),
                _ => format!("{arg:?}"),
            };
            let without: Vec<_> = condition.args.iter().enumerate().map(part).collect();
            format!("{:?} {without:?}", condition.op)
        }
        op => format!("{op:?}"),
    }
}

/// Whether an expression is computed without a loop and without looking at the past.
pub(super) fn simple(expr: &Expr) -> bool {
    let alone = !matches!(
        expr.op,
        Op::Attacked(_)
            | Op::Defended(_)
            | Op::Where(_)
            | Op::Any(_)
            | Op::Every(_)
            | Op::Sum(_)
            | Op::Flood(_)
            | Op::Ray(_)
            | Op::Neighbours(_)
            | Op::Shift(_)
            | Op::ReadNow(_)
            | Op::MoveCount
            | Op::Replies
            | Op::Repetitions
            | Op::BoardRepetitions
            | Op::FirstStood
    );
    alone && expr.args.iter().all(simple)
}

/// Where the sets of owners or kinds lie, when an equation says that a field is one of them, and which: a number, or the player
/// whom the program is about.
fn equality(value: &Expr, read: &Expr, memory: &crate::memory::Memory) -> Option<(u32, Option<u32>)> {
    let Op::Read(field) = read.op else { return None };
    let (sets, count) = match field {
        field if field == memory.known.owner => (memory.owner_sets, memory.players),
        field if field == memory.known.kind => (memory.kind_sets, memory.kinds),
        _ => return None,
    };
    let number = match value.op {
        Op::Me => return (field == memory.known.owner).then_some((sets, None)),
        Op::Kind(kind) => kind.index() as u32 + 1,
        Op::Player(player) => player.index() as u32 + 1,
        // Nowhere equals 0, too, and is in no set.
        Op::Int(number) => u32::try_from(number).ok().filter(|&number| number > 0)?,
        _ => return None,
    };
    (number <= count).then_some((sets, Some(number)))
}

/// Whether an expression depends on a local.
pub(super) fn mentions(expr: &Expr, local: Local) -> bool {
    expr.op == Op::Local(local) || expr.args.iter().any(|arg| mentions(arg, local))
}

pub(super) fn complement(word: Ex) -> Ex {
    Ex::binary(Binary::Xor, word, c64(u64::MAX))
}

/// All ones for a site, all zeros for nowhere.
fn mask_of(site: V) -> Ex {
    select(site, c64(u64::MAX), c64(0))
}

/// Puts a site, which is none of nowhere, into a set in memory or takes it out.
fn change_in_memory(body: &mut Body, at: V, site: V, insert: bool) {
    let address = body.bind((site - 1).shr_u(6) * 8 + at);
    let bit = c64(1) << (site - 1).extend();
    let word = address.load(Width::I64, 0);
    let changed = if insert { word | bit } else { word & complement(bit) };
    body.store(Width::I64, address, 0, changed);
}

/// How a step moves the sites of a set: in parts that move alike, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shift(pub(super) Vec<Part>);

impl Shift {
    /// The words of a set after the step, or before it.
    fn moved(&self, words: &[V], from: bool) -> Vec<Ex> {
        let words: Vec<Ex> = words.iter().map(|&word| word.into()).collect();
        let part = |part: &Part| -> Vec<Ex> {
            let masked = |words: Vec<Ex>| -> Vec<Ex> {
                words.into_iter().zip(&part.movable).map(|(word, &mask)| word & c64(mask)).collect()
            };
            match from {
                true => masked(shifted_words(&words, -part.by)),
                false => shifted_words(&masked(words.clone()), part.by),
            }
        };
        let join = |a: Vec<Ex>, b: Vec<Ex>| a.into_iter().zip(b).map(|(a, b)| a | b).collect();
        self.0.iter().map(part).reduce(join).expect("a shift has a part")
    }
}

impl super::Compiler<'_> {
    /// Whether all players mean the same steps by these directions together, if each of them moves all sites alike.
    pub(super) fn means_the_same(&self, directions: &[Direction]) -> bool {
        let shifts: Option<Vec<&Vec<Shift>>> =
            directions.iter().map(|&direction| self.shifts[direction][0].as_ref()).collect();
        let Some(shifts) = shifts else { return false };
        let meant = |player: usize| -> Vec<&Shift> { shifts.iter().filter_map(|of| of.get(player)).collect() };
        let first = meant(0);
        (1..self.rules.players.len()).map(meant).all(|other| {
            first.iter().all(|shift| other.contains(shift)) && other.iter().all(|shift| first.contains(shift))
        })
    }
}

/// Which sites move by how many bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) movable: Vec<u64>,
    pub(super) by: i64,
}

/// How many words may move, in all parts together: where there are more, site by site is as good.
const MOST_MOVED: usize = 24;

/// The words of a set whose bits are moved up, by so many.
pub(super) fn shifted_words(words: &[Ex], by: i64) -> Vec<Ex> {
    let (whole, bits) = (by.div_euclid(64), by.rem_euclid(64) as u64);
    let at = |index: i64| usize::try_from(index).ok().and_then(|index| words.get(index).cloned()).unwrap_or(c64(0));
    (0..words.len() as i64)
        .map(|index| {
            let low = at(index - whole);
            if bits == 0 {
                return low;
            }
            let carried = Ex::binary(Binary::ShrU, at(index - whole - 1), c64(64 - bits));
            Ex::binary(Binary::Or, Ex::binary(Binary::Shl, low, c64(bits)), carried)
        })
        .collect()
}

/// For each direction, and for its opposite, how each player moves the sites of a small set. Nothing where too few of them move
/// alike.
pub(super) type Shifts = IdMap<Direction, [Option<Vec<Shift>>; 2]>;

/// How all directions move the sites of sets of so many words.
pub(super) fn shifts(rules: &Rules, words: u32) -> Shifts {
    let topology = &rules.topology;
    let opposites = topology.opposites();
    let of_player = |player: &dagaz_ir::PlayerInfo, direction: Direction, back: bool| {
        let seen = player.seen(direction);
        let seen = if back { opposites[seen] } else { Some(seen) };
        let mut parts = BTreeMap::new();
        for site in topology.sites() {
            if let Some(to) = seen.and_then(|seen| topology.step(seen, site)) {
                let by = to.index() as i64 - site.index() as i64;
                parts.entry(by).or_insert_with(|| SiteSet::empty(topology.site_count())).insert(site);
            }
        }
        if parts.is_empty() {
            parts.insert(0, SiteSet::empty(topology.site_count()));
        }
        let part = |(by, sites): (i64, SiteSet)| {
            let bytes = crate::memory::set_bytes(&sites, words as usize);
            let words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
            Part { movable: words.collect(), by }
        };
        let parts: Vec<Part> = parts.into_iter().map(part).collect();
        let moved = parts.iter().flat_map(|part| &part.movable).filter(|&&word| word != 0).count();
        (parts.len() == 1 || moved <= MOST_MOVED).then_some(Shift(parts))
    };
    let each = |direction: Direction| {
        [false, true].map(|back| {
            let players = rules.players.values();
            if words > SMALL { None } else { players.map(|player| of_player(player, direction, back)).collect() }
        })
    };
    topology.directions().map(each).collect()
}
