//! Which of the counted steps are legal without a trial: those of pieces that no invariant guards, which do nothing but take one piece
//! elsewhere, from and to sites that do not matter to what may not be attacked ([`super::watch`]). They are counted as sets, cut
//! down to these sites; the others are taken one by one and tried.
//!
//! That steps lead to states that differ is known here too, for what is counted in the end are states.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::Id;
use dagaz_board::Direction;
use dagaz_ir::ways::{Way, Ways};
use dagaz_ir::{Expr, Kind, Local, Next, Op, Rule, RuleId, Trigger};

use crate::low::{Body, Ex, Fun, Global, Module, Stmt as Low, Ty, c64, select};

use super::Compiler;
use super::counted::{Entry, begins, ends_apart, excludes};
use super::program::Code;
use super::set::{Words, steps_from};
use super::watch::Watch;

/// What is known of the steps of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// One piece goes elsewhere, which no invariant guards.
    Free,
    /// The same of a piece that one guards.
    Guarded,
    /// They do something else.
    Odd,
}

/// What counts legal steps, and lists those that must be tried.
#[derive(Clone, Debug)]
pub(super) struct Sieve {
    pub(super) watch: Watch,
    classes: BTreeMap<RuleId, Class>,
    /// The sites from which steps of the first class are counted, and to which, and those from which others are: words of sets.
    from: Vec<Global>,
    to: Vec<Global>,
    others: Vec<Global>,
    /// All bits where drops of the first class are counted.
    drops: Global,
}

/// The functions of it.
#[derive(Clone, Debug)]
pub(super) struct Sifted {
    pub(super) sieve: Sieve,
    /// Gives how many steps of the first class there are from and to the sites in question.
    pub(super) bulk: Fun,
    /// Computes the sets of all steps from and to them, like [`Counted::count`](super::counted::Counted::count).
    pub(super) sift: Fun,
}

impl Compiler<'_> {
    /// What is known of counted rules, where it is enough to count with: the steps of the first two classes always lead to states that
    /// differ.
    pub(super) fn sieve(&self, module: &mut Module, counted: &[(RuleId, Ways)]) -> Option<Sieve> {
        let (rules, stages) = (self.rules, &self.rules.stages);
        let programs = [&stages.before_move, &stages.before_step, &stages.after_step, &stages.after_move];
        let all = counted.len() == rules.rules.len() && self.staged.is_none();
        let plain = programs.iter().all(|program| program.is_none()) && rules.policy.pass == dagaz_ir::Pass::Never;
        if !all || !plain || !self.knows_friends() {
            return None;
        }
        let watch = self.watch(module)?;
        let classes: BTreeMap<RuleId, Class> =
            counted.iter().map(|(id, found)| (*id, self.class(&rules.rules[*id], found, &watch.kinds))).collect();
        let sure = || counted.iter().filter(|(id, _)| classes[id] != Class::Odd);
        for (at, (a, first)) in sure().enumerate() {
            for (b, second) in sure().skip(at) {
                let (one, other) = (&rules.rules[*a], &rules.rules[*b]);
                let alike = (one.trigger, one.kind) == (other.trigger, other.kind);
                let pairs = first.ways.iter().enumerate().flat_map(|(index, way)| {
                    let rest = if a == b { index + 1 } else { 0 };
                    second.ways[rest..].iter().map(move |other| (way, other))
                });
                if alike && !pairs.into_iter().all(|(way, next)| self.lead_apart((one, way), (other, next))) {
                    return None;
                }
            }
        }
        let drops = module.global(Ty::I64, 0, None);
        let mut sets = || (0..self.memory.words).map(|_| module.global(Ty::I64, 0, None)).collect::<Vec<_>>();
        Some(Sieve { watch, classes, from: sets(), to: sets(), others: sets(), drops })
    }

    /// Whether everybody is his own friend and nobody his own enemy.
    fn knows_friends(&self) -> bool {
        self.rules.players.iter().all(|(id, info)| info.friends.contains(&id) && !info.enemies.contains(&id))
    }

    fn class(&self, rule: &Rule, found: &Ways, guarded: &[Kind]) -> Class {
        let kinds = found.ways.iter().map(|way| self.becomes(rule, way)).collect::<Option<Vec<_>>>();
        let (Some(own), Some(kinds)) = (rule.kind, kinds) else { return Class::Odd };
        let others = kinds.into_iter().flatten().any(|kind| kind != own && guarded.contains(&kind));
        match (guarded.contains(&own), others) {
            (true, _) if rule.trigger == Trigger::Piece => Class::Guarded,
            (false, false) => Class::Free,
            _ => Class::Odd,
        }
    }

    /// The kinds, one of which the piece has that a way puts on the site where it ends: when it does nothing else to the board but to
    /// take it there, from its start or from the hand, and there is surely no piece of the player's before.
    fn becomes(&self, rule: &Rule, way: &Way) -> Option<Vec<Kind>> {
        let (kind, known) = (rule.kind?, &self.memory.known);
        let here = Expr::local(Local::from_index(0));
        let drops = match rule.trigger {
            Trigger::Piece => false,
            Trigger::Drop => true,
            Trigger::AnyPiece | Trigger::Turn => return None,
        };
        let slides = way.slide.is_some();
        let from = if drops { way.from.op == Op::Nowhere } else { way.from == here };
        let plain = rule.then.is_none() && way.parameters == 0 && way.next == Next::Done && from;
        if !plain || drops && (way.to != here || slides) || !drops && way.to == here {
            return None;
        }
        let steps = steps_from(&way.to, Local::from_index(0));
        let alike = |&(direction, back): &(Direction, bool)| self.shifts[direction][usize::from(back)].is_some();
        if !slides && !steps.is_some_and(|steps| steps.iter().all(alike)) {
            return None;
        }
        let mut kinds = vec![kind];
        // What stood where it goes may come to its start, if it is captured there: so it is turned round before it goes to a hand.
        let (mut goes, mut swaps) = (0, false);
        for effect in way.made.as_ref()? {
            let args = &effect.args;
            let at = |place: &Expr| is_at(&args[0], place);
            match effect.op {
                Op::Move if !drops && args[0] == here && args[1] == way.to => goes += 1,
                Op::Move if !drops && args[0] == way.to && args[1] == here && !swaps => swaps = true,
                Op::Drop if drops && args[0] == here && args[1].op == Op::Me && args[2].op == Op::Kind(kind) => {
                    goes += 1
                }
                Op::Retype if !drops && at(&way.to) => {
                    let Op::Kind(kind) = args[1].op else { return None };
                    if args[0] == way.to {
                        kinds.clear();
                    }
                    kinds.push(kind);
                }
                Op::SetAt(field) if at(&way.to) && field != known.owner && field != known.kind => {}
                Op::Capture if !drops && args[0] == here => swaps = false,
                Op::Retype | Op::Reown | Op::Flip | Op::SetAt(_) | Op::Capture if !drops && at(&here) => {}
                _ => return None,
            }
        }
        let mut conditions: Vec<&Expr> = way.conditions.iter().collect();
        if let Some(slide) = &way.slide {
            conditions.extend(&slide.ends);
            conditions.extend(slide.through.iter().filter(|_| !slide.stops));
        }
        let says = |op: Op| Expr::new(op, [way.to.clone()]);
        let holds = |expr: Expr| conditions.contains(&&expr);
        let empty = holds(says(Op::Empty));
        let free = empty || holds(says(Op::Enemy)) || {
            let apart = holds(says(Op::Friend).negated()) || holds(says(Op::Mine).negated());
            apart && (slides || holds(says(Op::OnBoard)))
        };
        (goes == 1 && !swaps && if drops { empty } else { free }).then_some(kinds)
    }

    /// Whether steps of two ways of pieces of one kind lead to different states: from different starts they do.
    fn lead_apart(&self, (rule, a): (&Rule, &Way), (other, b): (&Rule, &Way)) -> bool {
        let slides = a.slide.as_ref().zip(b.slide.as_ref()).is_some_and(|(a, b)| a.differs(b));
        let begins = begins(a, b, rule.trigger).is_some() || begins(b, a, rule.trigger).is_some();
        let kinds = self.becomes(rule, a).zip(self.becomes(other, b));
        let becomes = kinds.is_some_and(|(a, b)| !a.iter().any(|kind| b.contains(kind)));
        slides || begins || becomes || excludes(a, b) || ends_apart(a, b) || self.end_elsewhere(a, b)
    }

    /// The function that counts, for a player.
    pub(super) fn bulk(
        &self,
        module: &mut Module,
        all: &[Entry<'_>],
        chunks: &[(usize, usize)],
        sieve: &Sieve,
        player: Option<u32>,
    ) -> Fun {
        module.function("bulk", &[], Some(Ty::I32), |body, _| {
            let me = body.bind(player.map_or_else(|| self.me(), Ex::from));
            let typed = self.rules.schedule.turns.iter().any(|turn| turn.move_type.is_some());
            let wanted = body.bind(if typed { self.turn_part(2) } else { 0.into() });
            let total = body.bind(0);
            self.with_sites(body, me, |code| {
                code.player = player;
                let mut known: Vec<Option<Words>> = vec![None; all.len()];
                let mut rest = chunks;
                while let [(first, _), ..] = rest {
                    let alike = rest.iter().take_while(|(other, _)| self.alike(&all[*first], &all[*other])).count();
                    let (group, others) = rest.split_at(alike);
                    rest = others;
                    let entries = group[0].0..group[group.len() - 1].1;
                    let free = |index: &usize| sieve.classes[&all[*index].rule] == Class::Free;
                    let entries: Vec<usize> = entries.filter(free).collect();
                    if entries.is_empty() {
                        continue;
                    }
                    let (from, waits) = self.sources(code, &all[*first]);
                    let from = code.sifted(&all[entries[0]], &from, sieve);
                    let some = code.some(&from);
                    let waits = waits.filter(|_| self.drops(all[*first].rule));
                    let cached = code.cache.clone();
                    let (then, ()) = code.apart(|code| {
                        for &index in &entries {
                            let entry = &all[index];
                            let from = self.wanted(code, entry.rule, &from, typed.then_some(wanted));
                            let set =
                                code.steps_of(entry, &from, &|_, other| known[other].clone().expect("it was counted"));
                            known[index] = Some(set.clone());
                            let set = if sieve.watch.opens { code.ending(entry, &set, sieve) } else { set };
                            let count = code.count(&set);
                            code.body.set(total, total + count);
                        }
                    });
                    code.cache = cached;
                    let asked = waits.map_or(some.clone(), |waits| waits & some);
                    code.body.push(Low::If(asked, then, Vec::new()));
                }
            });
            body.give(total);
        })
    }

    fn drops(&self, rule: RuleId) -> bool {
        self.rules.rules[rule].trigger == Trigger::Drop
    }
}

/// Whether an effect is on a place, or on none.
fn is_at(target: &Expr, place: &Expr) -> bool {
    let guarded = || {
        let number = target.args.first().filter(|_| target.op == Op::Numbered)?;
        let [_, site, none] = &number.args[..] else { return None };
        let picks = number.op == Op::Pick && site.op == Op::Number && site.args[0] == *place;
        Some(picks && none.op == Op::Int(0))
    };
    target == place || guarded() == Some(true)
}

impl Sieve {
    /// The rules whose steps do more than take a piece elsewhere.
    pub(super) fn odd(&self) -> BTreeSet<RuleId> {
        self.classes.iter().filter(|(_, class)| **class == Class::Odd).map(|(id, _)| *id).collect()
    }

    /// Whether all steps are of the first class.
    pub(super) fn is_free(&self) -> bool {
        self.classes.values().all(|class| *class == Class::Free)
    }

    /// Whether what is left out of the steps of one slide is of the same class.
    pub(super) fn suits(&self, all: &[Entry<'_>]) -> bool {
        let class = |entry: &Entry<'_>| self.classes[&entry.rule];
        all.iter().all(|entry| entry.without.iter().all(|&(other, _)| class(&all[other]) == class(entry)))
    }

    /// Says which steps are wanted: word by word the sites from which those of the first class go and to which, whether their drops
    /// are, and whether the steps of other classes are.
    pub(super) fn want(&self, body: &mut Body, of: impl Fn(usize) -> (Ex, Ex), drops: Ex, others: Ex) {
        let every = |some: Ex| select(some, c64(u64::MAX), c64(0));
        body.set_global(self.drops, every(drops));
        let others = body.bind(every(others));
        for word in 0..self.from.len() {
            let (from, to) = of(word);
            body.set_global(self.from[word], from);
            body.set_global(self.to[word], to);
            body.set_global(self.others[word], others);
        }
    }
}

impl Code<'_, '_> {
    /// The starts of an entry's steps that are wanted.
    pub(super) fn sifted(&mut self, entry: &Entry<'_>, from: &Words, sieve: &Sieve) -> Words {
        let drops = vec![sieve.drops; sieve.from.len()];
        let mask = match sieve.classes[&entry.rule] {
            Class::Free if self.compiler.drops(entry.rule) => &drops,
            Class::Free => &sieve.from,
            Class::Guarded | Class::Odd => &sieve.others,
        };
        let mask = Words::Locals(mask.iter().map(|&word| self.body.bind(word)).collect());
        self.built(&|word| word(from) & word(&mask))
    }

    /// The same for each of some entries with the same starts, and whether there are any: it is given whether there may be.
    pub(super) fn sifted_starts(
        &mut self,
        entries: &[Entry<'_>],
        from: &Words,
        may: Option<Ex>,
        sieve: &Sieve,
    ) -> (Vec<Words>, Option<Ex>) {
        let mut known: Vec<(Class, Words)> = Vec::new();
        let mut starts = Vec::new();
        for entry in entries {
            let class = sieve.classes[&entry.rule];
            let found = known.iter().find(|(other, _)| *other == class).map(|(_, set)| set.clone());
            starts.push(found.unwrap_or_else(|| {
                let set = self.sifted(entry, from, sieve);
                known.push((class, set.clone()));
                set
            }));
        }
        let all = known.into_iter().map(|(_, set)| set).reduce(|a, b| self.built(&|word| word(&a) | word(&b)));
        let some = all.map(|all| self.some(&all));
        let some = match (may, some) {
            (Some(may), Some(some)) => Some(may & some),
            (may, some) => some.or(may),
        };
        (starts, some)
    }

    /// The steps of an entry that end where it is wanted.
    pub(super) fn ending(&mut self, entry: &Entry<'_>, set: &Words, sieve: &Sieve) -> Words {
        if sieve.classes[&entry.rule] != Class::Free {
            return set.clone();
        }
        let mut mask = Words::Locals(sieve.to.iter().map(|&word| self.body.bind(word)).collect());
        if entry.slide.is_none() {
            let steps = steps_from(&entry.way.to, Local::from_index(0)).expect("it ends some steps away");
            for &(direction, back) in steps.iter().rev() {
                mask = self.turned(direction, back, &mask, true).expect("these steps move all sites alike");
            }
        }
        self.built(&|word| word(set) & word(&mask))
    }
}
