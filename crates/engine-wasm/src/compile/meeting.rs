//! Answers questions whether what can be reached from somewhere meets a set ([`dagaz_ir::meeting`]): site by site with tables of
//! neighbours, and no further than to the first that is met. And floods in which the sites of the board do not move alike.
//!
//! For sets in locals alone; those of larger boards are flooded whole, as `set` does it.

use dagaz_base::Id;
use dagaz_ir::meeting::{Meeting, asked_next, meeting};
use dagaz_ir::{Compass, Expr, Local, Op, Stmt, StmtKind};

use crate::low::{Body, Ex, Label, Stmt as Low, Ty, V, Width, c64};

use super::program::{Code, Slot};
use super::set::{Words, simple};

/// How many words of a set are moved at once as fast as a site is looked at.
const FEW: usize = 2;

/// The flood that is asked about, word by word: what is reached, and what of it was not looked at yet.
struct Growing {
    found: Vec<V>,
    open: Vec<V>,
}

/// What lies beside the site that a flood starts from, and the site itself.
struct Look {
    near: Vec<V>,
    own: Vec<V>,
}

/// What ends a flood early.
struct Goal<'a> {
    /// Whether neighbours are meant, and in which directions; else the sites of the flood themselves.
    beside: Option<Compass>,
    with: &'a [V],
    met: V,
}

impl Code<'_, '_> {
    /// The answer to a question of this kind, if an expression is one.
    pub(super) fn met(&mut self, expr: &Expr) -> Option<Ex> {
        let question = meeting(expr)?;
        let Op::Flood(_) = question.flood.op else { return None };
        if !self.can_meet(&question.flood, &question) {
            return None;
        }
        let (met, _) = self.meets(&question.flood, &question);
        Some(if question.meets { met.into() } else { met.eqz() })
    }

    /// Two statements, of which the first makes a flood and the second asks whether it meets something: the flood is known where
    /// it does not. Gives false when they are not of this kind.
    pub(super) fn flood_and_question(&mut self, first: &Stmt, second: &Stmt) -> bool {
        let Some((local, flood, question)) = asked_next(first, second) else { return false };
        if !self.asked.contains(&local) || !self.can_meet(flood, &question) {
            return false;
        }
        let StmtKind::If(_, then, otherwise) = &second.kind else { return false };
        let (met, found) = self.meets(flood, &question);
        let Slot::Set(variable) = self.slots[local.index()].clone() else { unreachable!("the verifier types locals") };
        let (then, ()) = self.apart(|code| {
            if !question.meets {
                code.assign(&variable, &Words::Locals(found.clone()));
            }
            code.block(then);
        });
        let (otherwise, ()) = self.apart(|code| {
            if question.meets {
                code.assign(&variable, &Words::Locals(found));
            }
            code.block(otherwise);
        });
        let condition = if question.meets { met.into() } else { met.eqz() };
        self.body.push(Low::If(condition, then, otherwise));
        true
    }

    /// A statement that asks such a question only where a condition on the first site holds, and does something only where the
    /// flood does not meet the set. What lies beside the site is looked at in any case, since that is cheap: so that there is one
    /// branch, which is hardly ever taken, instead of two that nobody can foresee. Gives false for other statements.
    pub(super) fn guarded_question(&mut self, statement: &Stmt) -> bool {
        let StmtKind::If(guard, then, otherwise) = &statement.kind else { return false };
        let ([first, second], []) = (&then[..], &otherwise[..]) else { return false };
        let Some((local, flood, question)) = asked_next(first, second) else { return false };
        if !self.asked.contains(&local) || !self.can_meet(flood, &question) {
            return false;
        }
        let StmtKind::If(_, yes, no) = &second.kind else { return false };
        let (met, missed) = if question.meets { (yes, no) } else { (no, yes) };
        let (Op::Flood(compass), Op::Where(_)) = (flood.op, question.with.op) else { return false };
        let (Some(start), Expr { op: Op::Where(each), args }) = (single(&flood.args[0]), &flood.args[1]) else {
            return false;
        };
        let cheap = [guard, start, &args[1]].into_iter().all(simple);
        if !met.is_empty() || args[0].op != Op::AllSites || !cheap {
            return false;
        }
        let inside = self.value(guard);
        let inside = self.body.bind(inside);
        let site = self.bound(start);
        let rest = unsaid(&args[1], *each, start, guard);
        if !rest.is_empty() {
            let Slot::One(variable) = self.slots[each.index()] else { unreachable!("the verifier types locals") };
            self.body.set(variable, site);
            let rest = self.value(&Expr::new(Op::And, rest));
            self.body.set(inside, crate::low::pick(inside & site.ne(0), rest, 0));
        }
        let with = self.set(&question.with);
        let with = self.locals(&with);
        let goal = Goal { beside: question.beside, with: &with, met: self.body.local(Ty::I32) };
        let look = self.first_look(compass, site, &goal);
        let Slot::Set(variable) = self.slots[local.index()].clone() else { unreachable!("the verifier types locals") };
        let (further, ()) = self.apart(|code| {
            let growing = Growing { found: code.zeros(), open: code.zeros() };
            code.look_further(compass, &look, &flood.args[1], &growing, &goal);
            let (missed, ()) = code.apart(|code| {
                code.assign(&variable, &Words::Locals(growing.found));
                code.block(missed);
            });
            code.body.push(Low::If(goal.met.eqz(), missed, Vec::new()));
        });
        self.body.push(Low::If(inside & goal.met.eqz(), further, Vec::new()));
        true
    }

    fn can_meet(&self, flood: &Expr, question: &Meeting) -> bool {
        let Op::Flood(compass) = flood.op else { return false };
        let known = |compass| self.compiler.memory.near_row(compass).is_some();
        let set = match &question.with {
            Expr { op: Op::Where(local), args } => self.compiler.is_lifted(&args[1], *local),
            _ => true,
        };
        self.small() && set && known(compass) && question.beside.is_none_or(known)
    }

    /// Whether a flood meets what is asked for, and as much of it as was looked at: all, if it does not.
    fn meets(&mut self, flood: &Expr, question: &Meeting) -> (V, Vec<V>) {
        let Op::Flood(compass) = flood.op else { unreachable!("a flood is asked about") };
        let (start, within) = (&flood.args[0], &flood.args[1]);
        let met = self.body.bind(0);
        let growing = Growing { found: self.zeros(), open: self.zeros() };
        let with = self.set(&question.with);
        let with = self.locals(&with);
        let goal = Goal { beside: question.beside, with: &with, met };
        let (statements, ()) = self.apart(|code| match (single(start), within) {
            // From one site most ways are short: before anything else it is asked what lies beside it.
            (Some(site), Expr { op: Op::Where(local), args }) if args[0].op == Op::AllSites => {
                let site = code.bound(site);
                let Slot::One(variable) = code.slots[local.index()] else { unreachable!("the verifier types locals") };
                code.body.set(variable, site);
                let (begins, ()) = code.apart(|code| {
                    let inside = code.value(&args[1]);
                    let (first, ()) = code.apart(|code| code.one_site(compass, site, within, &growing, &goal));
                    code.body.push(Low::If(inside, first, Vec::new()));
                });
                code.body.push(Low::If(site.ne(0), begins, Vec::new()));
            }
            _ => {
                let (start, within) = (code.set(start), code.set(within));
                let (start, within) = (code.locals(&start), code.locals(&within));
                for (index, (&start, &within)) in start.iter().zip(&within).enumerate() {
                    code.body.set(growing.found[index], start & within);
                    code.body.set(growing.open[index], growing.found[index]);
                }
                if goal.beside.is_none() {
                    let meets = any(growing.found.iter().zip(&with).map(|(&found, &with)| found & with));
                    code.body.set(met, meets);
                }
                let (rest, ()) = code.apart(|code| code.grow(compass, &within, &growing, Some(&goal)));
                code.body.push(Low::If(met.eqz(), rest, Vec::new()));
            }
        });
        statements.into_iter().for_each(|statement| self.body.push(statement));
        (met, growing.found)
    }

    /// Floods from one site that is in the set to stay in.
    fn one_site(&mut self, compass: Compass, site: V, within: &Expr, growing: &Growing, goal: &Goal<'_>) {
        let look = self.first_look(compass, site, goal);
        let (rest, ()) = self.apart(|code| code.look_further(compass, &look, within, growing, goal));
        self.body.push(Low::If(goal.met.eqz(), rest, Vec::new()));
    }

    /// Whether the site, or what lies beside it, meets the goal.
    fn first_look(&mut self, compass: Compass, site: V, goal: &Goal<'_>) -> Look {
        let (near, own) = (self.near(compass, site), self.bits(site));
        let meets = match goal.beside {
            Some(beside) if beside == compass => any(near.iter().zip(goal.with).map(|(&near, &with)| near & with)),
            Some(beside) => {
                let beside = self.near(beside, site);
                any(beside.iter().zip(goal.with).map(|(&near, &with)| near & with))
            }
            None => any(own.iter().zip(goal.with).map(|(&own, &with)| own & with)),
        };
        self.body.set(goal.met, meets);
        Look { near, own }
    }

    /// Goes on from there, where it does not.
    fn look_further(&mut self, compass: Compass, look: &Look, within: &Expr, growing: &Growing, goal: &Goal<'_>) {
        let within = self.set(within);
        let within = self.locals(&within);
        for (index, &within) in within.iter().enumerate() {
            let (near, own) = (look.near[index], look.own[index]);
            self.body.set(growing.open[index], near & within & complement(own.into()));
            self.body.set(growing.found[index], own | growing.open[index]);
        }
        if goal.beside.is_none() {
            let meets = any(growing.open.iter().zip(goal.with).map(|(&open, &with)| open & with));
            self.body.set(goal.met, meets);
        }
        let (more, ()) = self.apart(|code| code.grow(compass, &within, growing, Some(goal)));
        self.body.push(Low::If(goal.met.eqz(), more, Vec::new()));
    }

    /// Floods until there is nothing more to reach or the goal is met.
    fn grow(&mut self, compass: Compass, within: &[V], growing: &Growing, goal: Option<&Goal<'_>>) {
        self.compiler.tick(self.body);
        let alike = |compass| self.moves_alike(compass);
        match goal {
            Some(goal) if within.len() <= FEW && alike(compass) && goal.beside.is_none_or(alike) => {
                self.grow_at_once(compass, within, growing, goal);
            }
            _ => self.grow_by_site(compass, within, growing, goal),
        }
    }

    /// Goes a step further from all sites at once, where a step moves them alike.
    fn grow_at_once(&mut self, compass: Compass, within: &[V], growing: &Growing, goal: &Goal<'_>) {
        let found = &growing.found;
        // The sites that are beside what is to be met.
        let beside: Vec<V> = match goal.beside {
            None => goal.with.to_vec(),
            Some(beside) => {
                let with = Words::Locals(goal.with.to_vec());
                let sites = self.around(beside, &with, true);
                sites.into_iter().zip(within).map(|(site, &within)| self.body.bind(site & within)).collect()
            }
        };
        let (again, out) = (self.body.label(), self.body.label());
        let (mut statements, ()) = self.apart(|code| {
            code.body.set(goal.met, any(found.iter().zip(&beside).map(|(&found, &beside)| found & beside)));
            code.body.when(goal.met, |body| body.go(out));
            let around = code.around(compass, &Words::Locals(found.clone()), false);
            let fresh = code.fresh(around, within, found);
            code.body.when(any(fresh.iter().map(|&fresh| fresh.into())).eqz(), |body| body.go(out));
            found.iter().zip(fresh).for_each(|(&found, fresh)| code.body.set(found, found | fresh));
        });
        statements.push(Low::Go(again));
        self.body.push(Low::Block(out, vec![Low::Loop(again, statements)]));
    }

    /// The sites one step from a set in the directions of a compass, or those from which a step leads into it.
    fn around(&mut self, compass: Compass, set: &Words, from: bool) -> Vec<Ex> {
        let mut around = vec![c64(0); self.compiler.memory.words as usize];
        let directions = self.directions(compass);
        // Players who turn the board often mean the same neighbours, each by other directions.
        let everybody = self.compiler.means_the_same(&directions);
        for direction in directions {
            let turned = if everybody { self.turned_by_first(direction, set, from) } else { None };
            let sites = turned.or_else(|| self.turned(direction, false, set, from)).expect("sites move alike");
            let sites = self.locals(&sites);
            around = around.into_iter().zip(sites).map(|(around, site)| around | site).collect();
        }
        around
    }

    /// What of some sites is inside and was not found before.
    fn fresh(&mut self, sites: Vec<Ex>, within: &[V], found: &[V]) -> Vec<V> {
        let inside = sites.into_iter().zip(within).map(|(site, &within)| site & within);
        inside.zip(found).map(|(inside, &found)| self.body.bind(inside & complement(found.into()))).collect()
    }

    /// Looks at one open site after the other.
    fn grow_by_site(&mut self, compass: Compass, within: &[V], growing: &Growing, goal: Option<&Goal<'_>>) {
        let site = self.body.local(Ty::I32);
        let (again, out) = (self.body.label(), self.body.label());
        let (mut statements, ()) = self.apart(|code| {
            take_first(code.body, &growing.open, site, out);
            let near = code.near(compass, site);
            if let Some(Goal { beside: Some(beside), with, met }) = goal {
                let around = if *beside == compass { near.clone() } else { code.near(*beside, site) };
                code.body.set(*met, any(around.iter().zip(*with).map(|(&near, &with)| near & with)));
                code.body.when(*met, |body| body.go(out));
            }
            let fresh = code.fresh(near.into_iter().map(Ex::from).collect(), within, &growing.found);
            for (index, &fresh) in fresh.iter().enumerate() {
                code.body.set(growing.found[index], growing.found[index] | fresh);
                code.body.set(growing.open[index], growing.open[index] | fresh);
            }
            if let Some(Goal { beside: None, with, met }) = goal {
                code.body.set(*met, any(fresh.iter().zip(*with).map(|(&fresh, &with)| fresh & with)));
                code.body.when(*met, |body| body.go(out));
            }
        });
        statements.push(Low::Go(again));
        self.body.push(Low::Block(out, vec![Low::Loop(again, statements)]));
    }

    /// What can be reached from the start through a set, both in locals; nothing when there is no table of neighbours.
    pub(super) fn flooded(&mut self, compass: Compass, start: &Words, within: &Words) -> Option<Words> {
        let (Words::Locals(start), Words::Locals(within)) = (start, within) else { return None };
        self.compiler.memory.near_row(compass)?;
        let growing = Growing { found: self.zeros(), open: self.zeros() };
        for (index, (&start, &within)) in start.iter().zip(within).enumerate() {
            self.body.set(growing.found[index], start & within);
            self.body.set(growing.open[index], growing.found[index]);
        }
        self.grow(compass, within, &growing, None);
        Some(Words::Locals(growing.found))
    }

    /// The neighbours of one site, as they stand in the table; nothing when the set is not of one site, or there is no table.
    pub(super) fn neighbours_of_one(&mut self, compass: Compass, set: &Expr) -> Option<Words> {
        let site = single(set).filter(|_| self.small())?;
        self.compiler.memory.near_row(compass)?;
        let site = self.bound(site);
        Some(Words::Locals(self.near(compass, site)))
    }

    /// The neighbours of a site, or none of nowhere.
    fn near(&mut self, compass: Compass, site: V) -> Vec<V> {
        let memory = &self.compiler.memory;
        let (row, stride) = memory.near_row(compass).expect("there is a table");
        let at = self.body.bind(self.me * stride + row + site * memory.set_bytes());
        (0..memory.words).map(|word| self.body.bind(at.load(Width::I64, word * 8))).collect()
    }

    /// The set of one site.
    fn bits(&mut self, site: V) -> Vec<V> {
        let bit = self.body.bind(c64(1) << (site - 1).extend());
        match self.compiler.memory.words {
            1 => vec![bit],
            words => {
                let word = self.body.bind((site - 1).shr_u(6));
                let part = |index: u32| crate::low::select(word.eq(index), bit, c64(0));
                (0..words).map(|index| self.body.bind(part(index))).collect()
            }
        }
    }

    fn zeros(&mut self) -> Vec<V> {
        (0..self.compiler.memory.words).map(|_| self.body.bind(c64(0))).collect()
    }

    fn locals(&mut self, set: &Words) -> Vec<V> {
        match set {
            Words::Locals(words) => words.clone(),
            Words::At(_) => unreachable!("small sets are in locals"),
        }
    }
}

/// The only site of a set that is written as one.
fn single(set: &Expr) -> Option<&Expr> {
    (set.op == Op::With && set.args[0].op == Op::NoSites).then(|| &set.args[1])
}

/// What a condition on each site says of one site besides what is known to be true of it.
fn unsaid(condition: &Expr, each: Local, site: &Expr, known: &Expr) -> Vec<Expr> {
    let parts: Vec<&Expr> = match condition.op {
        Op::And => condition.args.iter().collect(),
        _ => vec![condition],
    };
    let said = |part: &Expr| part.args.len() == 1 && part.args[0] == Expr::local(each) && part.op == known.op;
    let is_known = known.args.len() == 1 && known.args[0] == *site && parts.iter().any(|part| said(part));
    // Where somebody's piece stands it is not empty.
    let stands = is_known && matches!(known.op, Op::Mine | Op::Enemy | Op::Friend);
    let full = Expr::new(Op::Empty, [Expr::local(each)]).negated();
    let goes_without = |part: &Expr| is_known && said(part) || stands && *part == full;
    match stands {
        true => parts.into_iter().filter(|part| !goes_without(part)).cloned().collect(),
        false => parts.into_iter().cloned().collect(),
    }
}

/// Whether any of these words has a bit.
fn any(words: impl Iterator<Item = Ex>) -> Ex {
    words.reduce(|a, b| a | b).expect("a set has a word").ne(c64(0))
}

fn complement(word: Ex) -> Ex {
    word ^ c64(u64::MAX)
}

/// Takes the first site out of a set, or goes where there is none.
fn take_first(body: &mut Body, words: &[V], site: V, none: Label) {
    body.block(|body, taken| {
        for (index, &word) in words.iter().enumerate() {
            body.when(Ex::from(word).ne(c64(0)), |body| {
                body.set(site, word.ctz().wrap() + (index as i32 * 64 + 1));
                body.set(word, word & (word - c64(1)));
                body.go(taken);
            });
        }
        body.go(none);
    });
}
