//! Which sites a rule could touch at all: what its walk reaches when no test ever fails.
//!
//! Each site local is followed as the set of sites that it may stand for, through loops until nothing new comes. The
//! answer may be too large and is never too small, so whoever asks about one site may skip every rule out of whose
//! reach it lies.
//!
//! All starts are followed at once, each in a row of its own, as what is done to a row does not depend on the others.

use dagaz_base::{Id as _, IdMap};
use dagaz_board::{Direction, Site, SiteSet};

use crate::code::{Expr, Local, Stmt, StmtKind};
use crate::op::{Op, Type};
use crate::rules::{Player, Rule, RuleId, Rules};

/// How many rounds a loop is followed step by step: longer than a slide across any usual board.
const PATIENCE: usize = 24;

/// How many words all locals of the starts have that are followed at once.
const MOST_WORDS: usize = 1 << 15;

/// Answers for the rules of one game.
#[derive(Clone, Debug)]
pub struct Reach<'r> {
    rules: &'r Rules,
    opposites: &'r IdMap<Direction, Option<Direction>>,
    player: Player,
    /// How many starts are followed, and how many words a set has.
    starts: usize,
    words: usize,
    /// Which of the next a site or set local is; nothing for locals of other types.
    slots: IdMap<Local, Option<usize>>,
    /// What each of these may hold.
    held: Vec<Rows>,
    struck: Rows,
}

/// A set of sites for each start, in words.
type Rows = Vec<u64>;

impl<'r> Reach<'r> {
    /// Reach in these rules. `opposites` are those of their topology.
    pub fn new(rules: &'r Rules, opposites: &'r IdMap<Direction, Option<Direction>>) -> Self {
        let words = rules.topology.site_count().div_ceil(64);
        let (slots, held, struck) = (IdMap::new(), Vec::new(), Vec::new());
        Self { rules, opposites, player: Player::from_index(0), starts: 0, words, slots, held, struck }
    }

    /// The sites where a piece of `player` that stands on `start` could arrive, capture or be dropped by the rule.
    pub fn strikes(&mut self, rule: RuleId, player: Player, start: Site) -> SiteSet {
        self.follow(rule, player, &[start]).remove(0)
    }

    /// The same for every start.
    pub fn strikes_from_all(&mut self, rule: RuleId, player: Player) -> IdMap<Site, SiteSet> {
        let sites: Vec<Site> = self.rules.topology.sites().collect();
        let room = self.tracked(&self.rules.rules[rule]) * self.words;
        let at_once = (MOST_WORDS / room.max(1)).max(1);
        sites.chunks(at_once).flat_map(|starts| self.follow(rule, player, starts)).collect()
    }

    /// How many locals are followed.
    fn tracked(&self, rule: &Rule) -> usize {
        rule.locals.values().filter(|local| is_tracked(local.ty)).count()
    }

    fn follow(&mut self, rule: RuleId, player: Player, starts: &[Site]) -> Vec<SiteSet> {
        let rule = &self.rules.rules[rule];
        (self.player, self.starts) = (player, starts.len());
        let mut slots = 0..;
        self.slots = rule.locals.values().map(|local| is_tracked(local.ty).then(|| slots.next()).flatten()).collect();
        self.held = vec![self.none(); self.tracked(rule)];
        self.struck = self.none();
        if let (Some(Some(_)), Some(here)) = (self.slots.values().next(), self.held.first_mut()) {
            for (row, start) in here.chunks_mut(self.words).zip(starts) {
                row[start.index() / 64] |= 1 << (start.index() % 64);
            }
        }
        self.block(&rule.body);
        self.struck.chunks(self.words).map(SiteSet::from_words).collect()
    }

    fn none(&self) -> Rows {
        vec![0; self.starts * self.words]
    }

    /// The same set for each start.
    fn same(&self, set: &SiteSet) -> Rows {
        set.words().repeat(self.starts)
    }

    fn every(&self) -> Rows {
        self.same(&SiteSet::all(self.rules.topology.site_count()))
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                if let Some(slot) = self.slots[*local] {
                    self.held[slot] = self.sites(value);
                }
            }
            StmtKind::If(_, then, otherwise) => {
                let before = self.held.clone();
                self.block(then);
                let after_then = std::mem::replace(&mut self.held, before);
                self.block(otherwise);
                self.join(&after_then);
            }
            StmtKind::While(_, body) => self.repeat(|reach| reach.block(body)),
            StmtKind::For(local, set, body) => {
                let set = self.sites(set);
                self.repeat(|reach| {
                    if let Some(slot) = reach.slots[*local] {
                        reach.held[slot].clone_from(&set);
                    }
                    reach.block(body);
                });
            }
            StmtKind::Range(_, _, _, body) => self.repeat(|reach| reach.block(body)),
            StmtKind::Attempt(body) => self.block(body),
            // It may be left before its end, with its locals put back.
            StmtKind::Try(body) => {
                let before = self.held.clone();
                self.block(body);
                self.held = before;
            }
            StmtKind::Effect(effect) => {
                let struck = match effect.op {
                    Op::Move | Op::Copy => self.sites(&effect.args[1]),
                    Op::Capture | Op::Drop | Op::Pop => self.sites(&effect.args[0]),
                    _ => return,
                };
                unite(&mut self.struck, &struck);
            }
            StmtKind::Verify(_) | StmtKind::Forget | StmtKind::Discard | StmtKind::Emit(_) => {}
        }
    }

    /// Runs a body no times, once and again, until the locals hold nothing new. What still grows after many rounds may be
    /// anywhere. A start for which nothing is new is not changed by rounds that others need.
    fn repeat(&mut self, mut body: impl FnMut(&mut Self)) {
        for round in 0.. {
            let before = self.held.clone();
            body(self);
            self.join(&before);
            if self.held == before {
                return;
            }
            if round >= PATIENCE {
                let every = SiteSet::all(self.rules.topology.site_count());
                for (mine, before) in self.held.iter_mut().zip(&before) {
                    for (mine, before) in mine.chunks_mut(self.words).zip(before.chunks(self.words)) {
                        if mine != before {
                            mine.copy_from_slice(every.words());
                        }
                    }
                }
            }
        }
    }

    fn join(&mut self, other: &[Rows]) {
        self.held.iter_mut().zip(other).for_each(|(mine, other)| unite(mine, other));
    }

    /// The sites that an expression for a site may stand for, or that one for a set may hold.
    fn sites(&self, expr: &Expr) -> Rows {
        let args = &expr.args;
        match expr.op {
            Op::Local(local) => self.slots[local].map_or_else(|| self.every(), |slot| self.held[slot].clone()),
            Op::Site(site) => {
                let mut set = SiteSet::empty(self.rules.topology.site_count());
                set.insert(site);
                self.same(&set)
            }
            Op::Nowhere | Op::NoSites => self.none(),
            Op::Step(direction) | Op::Shift(direction) => self.moved(&args[0], Some(self.seen(direction))),
            Op::StepBack(direction) => self.moved(&args[0], self.opposites[self.seen(direction)]),
            Op::OrElse | Op::Union | Op::With => {
                let mut rows = self.sites(&args[0]);
                unite(&mut rows, &self.sites(&args[1]));
                rows
            }
            Op::Intersection => {
                let mut rows = self.sites(&args[0]);
                rows.iter_mut().zip(self.sites(&args[1])).for_each(|(mine, other)| *mine &= other);
                rows
            }
            Op::Difference | Op::Without | Op::Where(_) | Op::First => self.sites(&args[0]),
            Op::Flood(_) | Op::Ray(_) => self.sites(&args[1]),
            Op::ZoneSites(zone) => self.same(&self.rules.zones[zone].sites[self.player]),
            _ => self.every(),
        }
    }

    /// What the player means by a direction.
    fn seen(&self, direction: Direction) -> Direction {
        self.rules.players[self.player].directions[direction]
    }

    /// Where a direction leads.
    fn moved(&self, from: &Expr, direction: Option<Direction>) -> Rows {
        let mut rows = self.none();
        let Some(direction) = direction else { return rows };
        for (to, from) in rows.chunks_mut(self.words).zip(self.sites(from).chunks(self.words)) {
            for (index, &word) in from.iter().enumerate() {
                let mut rest = word;
                while rest != 0 {
                    let site = Site::from_index(index * 64 + rest.trailing_zeros() as usize);
                    if let Some(site) = self.rules.topology.step(direction, site) {
                        to[site.index() / 64] |= 1 << (site.index() % 64);
                    }
                    rest &= rest - 1;
                }
            }
        }
        rows
    }
}

/// Whether a local of this type is followed.
fn is_tracked(ty: Type) -> bool {
    matches!(ty, Type::Site | Type::Set)
}

fn unite(mine: &mut [u64], other: &[u64]) {
    mine.iter_mut().zip(other).for_each(|(mine, &other)| *mine |= other);
}
