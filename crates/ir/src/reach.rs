//! Which sites a rule could touch at all: what its walk reaches when no test ever fails.
//!
//! Each site local is followed as the set of sites that it may stand for, through loops until nothing new comes. The
//! answer may be too large and is never too small, so whoever asks about one site may skip every rule out of whose
//! reach it lies.

use dagaz_base::{Id as _, IdMap};
use dagaz_board::{Direction, Site, SiteSet};

use crate::code::{Expr, Local, Stmt, StmtKind};
use crate::op::{Op, Type};
use crate::rules::{Player, RuleId, Rules};

/// How many rounds a loop is followed step by step: longer than a slide across any usual board.
const PATIENCE: usize = 24;

/// Answers for the rules of one game.
#[derive(Clone, Debug)]
pub struct Reach<'r> {
    rules: &'r Rules,
    opposites: &'r IdMap<Direction, Option<Direction>>,
    player: Player,
    /// What each site or set local may hold; nothing for locals of other types.
    locals: IdMap<Local, Option<SiteSet>>,
    struck: SiteSet,
}

impl<'r> Reach<'r> {
    /// Reach in these rules. `opposites` are those of their topology.
    pub fn new(rules: &'r Rules, opposites: &'r IdMap<Direction, Option<Direction>>) -> Self {
        let struck = SiteSet::empty(rules.topology.site_count());
        Self { rules, opposites, player: Player::from_index(0), locals: IdMap::new(), struck }
    }

    /// The sites where a piece of `player` that stands on `start` could arrive, capture or be dropped by the rule.
    pub fn strikes(&mut self, rule: RuleId, player: Player, start: Site) -> SiteSet {
        let rule = &self.rules.rules[rule];
        self.player = player;
        let tracked = |ty| matches!(ty, Type::Site | Type::Set);
        self.locals = rule.locals.values().map(|local| tracked(local.ty).then(|| self.none())).collect();
        self.struck = self.none();
        if let Some(Some(here)) = self.locals.values_mut().next() {
            here.insert(start);
        }
        self.block(&rule.body);
        self.struck.clone()
    }

    fn none(&self) -> SiteSet {
        SiteSet::empty(self.rules.topology.site_count())
    }

    fn every(&self) -> SiteSet {
        SiteSet::all(self.rules.topology.site_count())
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                if self.locals[*local].is_some() {
                    self.locals[*local] = Some(self.sites(value));
                }
            }
            StmtKind::If(_, then, otherwise) => {
                let before = self.locals.clone();
                self.block(then);
                let after_then = std::mem::replace(&mut self.locals, before);
                self.block(otherwise);
                self.join(&after_then);
            }
            StmtKind::While(_, body) => self.repeat(|reach| reach.block(body)),
            StmtKind::For(local, set, body) => {
                let set = self.sites(set);
                self.repeat(|reach| {
                    reach.locals[*local] = Some(set.clone());
                    reach.block(body);
                });
            }
            StmtKind::Range(_, _, _, body) => self.repeat(|reach| reach.block(body)),
            StmtKind::Attempt(body) => self.block(body),
            // It may be left before its end, with its locals put back.
            StmtKind::Try(body) => {
                let before = self.locals.clone();
                self.block(body);
                self.locals = before;
            }
            StmtKind::Effect(effect) => {
                let struck = match effect.op {
                    Op::Move | Op::Copy => self.sites(&effect.args[1]),
                    Op::Capture | Op::Drop | Op::Pop => self.sites(&effect.args[0]),
                    _ => return,
                };
                self.struck = self.struck.union(&struck);
            }
            StmtKind::Verify(_) | StmtKind::Forget | StmtKind::Discard | StmtKind::Emit(_) => {}
        }
    }

    /// Runs a body no times, once and again, until the locals hold nothing new. What still grows after many rounds may be
    /// anywhere.
    fn repeat(&mut self, mut body: impl FnMut(&mut Self)) {
        for round in 0.. {
            let before = self.locals.clone();
            body(self);
            self.join(&before);
            if self.locals == before {
                return;
            }
            if round >= PATIENCE {
                let every = self.every();
                for (mine, before) in self.locals.values_mut().zip(before.values()) {
                    if mine != before {
                        *mine = Some(every.clone());
                    }
                }
            }
        }
    }

    fn join(&mut self, other: &IdMap<Local, Option<SiteSet>>) {
        for (mine, other) in self.locals.values_mut().zip(other.values()) {
            if let (Some(mine), Some(other)) = (mine, other) {
                *mine = mine.union(other);
            }
        }
    }

    /// The sites that an expression for a site may stand for, or that one for a set may hold.
    fn sites(&self, expr: &Expr) -> SiteSet {
        let args = &expr.args;
        match expr.op {
            Op::Local(local) => self.locals[local].clone().unwrap_or_else(|| self.every()),
            Op::Site(site) => {
                let mut set = self.none();
                set.insert(site);
                set
            }
            Op::Nowhere | Op::NoSites => self.none(),
            Op::Step(direction) | Op::Shift(direction) => self.moved(&args[0], Some(self.seen(direction))),
            Op::StepBack(direction) => self.moved(&args[0], self.opposites[self.seen(direction)]),
            Op::OrElse | Op::Union | Op::With => self.sites(&args[0]).union(&self.sites(&args[1])),
            Op::Intersection => self.sites(&args[0]).intersection(&self.sites(&args[1])),
            Op::Difference | Op::Without | Op::Where(_) | Op::First => self.sites(&args[0]),
            Op::Flood(_) | Op::Ray(_) => self.sites(&args[1]),
            Op::ZoneSites(zone) => self.rules.zones[zone].sites[self.player].clone(),
            _ => self.every(),
        }
    }

    /// What the player means by a direction.
    fn seen(&self, direction: Direction) -> Direction {
        self.rules.players[self.player].directions[direction]
    }

    /// Where a direction leads.
    fn moved(&self, from: &Expr, direction: Option<Direction>) -> SiteSet {
        let mut set = self.none();
        if let Some(direction) = direction {
            let topology = &self.rules.topology;
            self.sites(from).iter().filter_map(|site| topology.step(direction, site)).for_each(|site| set.insert(site));
        }
        set
    }
}
