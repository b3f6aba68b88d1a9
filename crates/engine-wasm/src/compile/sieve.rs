//! Which of the counted steps are legal without a trial: those of pieces that no invariant guards, which do nothing but take one piece
//! elsewhere, from and to sites that do not matter to what may not be attacked ([`super::watch`]). They are counted as sets, cut
//! down to these sites; the others are taken one by one and tried.

use std::collections::BTreeMap;

use dagaz_base::Id;
use dagaz_ir::{Kind, Local, RuleId, Trigger};

use crate::low::{Body, Ex, Fun, Global, Module, Stmt as Low, Ty, c64, select};

use super::Compiler;
use super::apart::Apart;
use super::counted::Entry;
use super::program::Code;
use super::set::{Words, steps_from};
use super::watch::Watch;

/// What is known of the steps of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// One piece goes elsewhere, which no invariant guards.
    Free,
    /// The same, but an invariant or a stage could refuse it for other reasons.
    Tried,
    /// They do something else.
    Odd,
}

/// What counts legal steps, and lists those that must be tried.
#[derive(Clone, Debug)]
pub(super) struct Sieve {
    pub(super) apart: Apart,
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
    /// What cuts down sets of steps, where the invariants are known to be such.
    pub(super) fn sieve(&self, module: &mut Module) -> Option<Sieve> {
        let apart = self.apart().filter(|_| self.staged.is_none())?;
        let watch = self.watch(module)?;
        let class = |id: RuleId| {
            let (rule, kinds) = (&self.rules.rules[id], apart.kinds(id));
            let guarded = |kind: &Kind| watch.kinds.contains(kind);
            let Some(kinds) = kinds else { return Class::Odd };
            match kinds.iter().chain(&rule.kind).any(guarded) || !self.is_accepted(rule) {
                true => Class::Tried,
                false => Class::Free,
            }
        };
        let classes = self.rules.rules.ids().map(|id| (id, class(id))).collect();
        let drops = module.global(Ty::I64, 0, None);
        let mut sets = || (0..self.memory.words).map(|_| module.global(Ty::I64, 0, None)).collect::<Vec<_>>();
        Some(Sieve { apart, watch, classes, from: sets(), to: sets(), others: sets(), drops })
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

impl Sieve {
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
            Class::Tried | Class::Odd => &sieve.others,
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
