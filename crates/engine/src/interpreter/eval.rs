//! Evaluates expressions.

use dagaz_base::Id;
use dagaz_board::{Direction, Site, SiteSet};
use dagaz_ir::{Expr, Field, Local, Op, Player, Scope};

use super::Value;
use super::machine::{Halt, Machine};
use super::stages::{Occasion, Present};
use crate::executor::Executor;
use crate::history::History;
use crate::state::Piece;
use crate::step::StepRule;

/// The number by which programs know a player: from 1.
pub(super) fn number(player: Player) -> i32 {
    player.index() as i32 + 1
}

impl<'a> Machine<'a> {
    /// The value of an expression, of the type that the local for it has.
    pub(super) fn eval(&mut self, expr: &'a Expr, like: Local) -> Result<Value, Halt> {
        Ok(match self.locals[like.index()] {
            Value::Int(_) => Value::Int(self.int(expr)?),
            Value::Bool(_) => Value::Bool(self.bool(expr)?),
            Value::Site(_) => Value::Site(self.site(expr)?),
            Value::Set(_) => Value::Set(self.set(expr)?),
        })
    }

    /// A number.
    pub(super) fn int(&mut self, expr: &'a Expr) -> Result<i32, Halt> {
        self.charge(1)?;
        let args = &expr.args;
        Ok(match expr.op {
            Op::Local(local) => self.locals[local.index()].int(),
            Op::Int(value) => value,
            Op::Kind(kind) => kind.index() as i32 + 1,
            Op::Player(player) => number(player),
            Op::Me => number(self.me),
            Op::ToMove => number(self.engine.to_move(self.view())),
            Op::LastMover => match (self.asked, self.occasion) {
                (Some(asked), _) => asked.history.last_mover().map_or(0, number),
                (None, occasion) => occasion.map_or(0, |_| number(self.engine.to_move(self.base))),
            },
            Op::Add => self.int(&args[0])?.wrapping_add(self.int(&args[1])?),
            Op::Subtract => self.int(&args[0])?.wrapping_sub(self.int(&args[1])?),
            Op::Multiply => self.int(&args[0])?.wrapping_mul(self.int(&args[1])?),
            Op::Divide => {
                let (dividend, divisor) = (self.int(&args[0])?, self.int(&args[1])?);
                if divisor == 0 { 0 } else { dividend.wrapping_div(divisor) }
            }
            Op::Remainder => {
                let (dividend, divisor) = (self.int(&args[0])?, self.int(&args[1])?);
                if divisor == 0 { 0 } else { dividend.wrapping_rem(divisor) }
            }
            Op::Least => self.int(&args[0])?.min(self.int(&args[1])?),
            Op::Greatest => self.int(&args[0])?.max(self.int(&args[1])?),
            Op::Pick => {
                let chosen = if self.bool(&args[0])? { &args[1] } else { &args[2] };
                self.int(chosen)?
            }
            Op::Height => self.site(&args[0])?.map_or(0, |site| self.engine.height(self.view(), site) as i32),
            Op::OwnerBelow | Op::KindBelow => {
                let (site, level) = (self.site(&args[0])?, self.int(&args[1])?);
                let piece = site.and_then(|site| self.engine.below(self.view(), site, usize::try_from(level).ok()?));
                piece.map_or(0, |piece| match expr.op {
                    Op::OwnerBelow => number(piece.owner),
                    _ => piece.kind.index() as i32 + 1,
                })
            }
            Op::Truth => self.bool(&args[0])?.into(),
            Op::Number => self.site(&args[0])?.map_or(0, |site| site.index() as i32 + 1),
            Op::Read(field) => self.site(&args[0])?.map_or(0, |site| self.read(field, site)),
            Op::ReadNow(field) => self
                .site(&args[0])?
                .map_or(0, |site| self.queued(field, site).unwrap_or_else(|| self.read(field, site))),
            Op::Get(field) => {
                let index = usize::try_from(self.int(&args[0])?).ok();
                let cell = index.and_then(|index| self.engine.layout.cell(field, index));
                cell.map_or(0, |cell| self.view().get(cell))
            }
            Op::Count => self.set(&args[0])?.len() as i32,
            Op::Sum(local) => {
                let mut sum = 0_i32;
                for site in self.set(&args[0])?.iter() {
                    self.locals[local.index()] = Value::Site(Some(site));
                    sum = sum.wrapping_add(self.int(&args[1])?);
                }
                sum
            }
            Op::Repetitions | Op::BoardRepetitions => {
                let past = |history: &dyn History, keys| match expr.op {
                    Op::Repetitions => history.occurrences(keys),
                    _ => history.board_occurrences(keys),
                };
                let before = match (self.asked, self.occasion) {
                    (Some(asked), _) => past(asked.history, self.view().keys()),
                    (None, Some(occasion)) => {
                        self.charge(self.view().cells().len() as u64)?;
                        past(occasion.past, self.engine.next_turn(self.view()).keys())
                    }
                    (None, None) => 0,
                };
                before as i32 + 1
            }
            Op::FirstStood => {
                let (first, now) = match (self.asked, self.occasion) {
                    (Some(asked), _) => (asked.history.first_occurrence(self.view().keys()), asked.history.moves()),
                    (None, Some(occasion)) => {
                        self.charge(self.view().cells().len() as u64)?;
                        let keys = self.engine.next_turn(self.view()).keys();
                        (occasion.past.first_occurrence(keys), occasion.past.moves() + 1)
                    }
                    (None, None) => (None, 0),
                };
                i32::try_from(first.unwrap_or(now)).unwrap_or(i32::MAX)
            }
            Op::Replies => match self.occasion {
                Some(occasion) if !occasion.past.reply => {
                    self.charge(self.view().cells().len() as u64)?;
                    let after = self.engine.next_turn(self.view());
                    let past = Present { history: occasion.past, start: Some(after.keys()), reply: true };
                    let replies = self.engine.steps_after(&after, &past, self.meter, &mut |_, _| {});
                    let replies = replies.map_err(|fault| Halt::Fault(fault.into()))?;
                    replies.iter().filter(|step| step.rule != StepRule::Pass).count() as i32
                }
                _ => 1,
            },
            Op::MovesMade => {
                let of_move = |occasion: &'a Occasion<'a>| occasion.past as &dyn History;
                let history = self.asked.map(|asked| asked.history).or(self.occasion.map(of_move));
                history.map_or(0, |history| i32::try_from(history.moves()).unwrap_or(i32::MAX))
            }
            Op::MoveCount => match self.asked {
                Some(asked) => asked.move_count().map_err(|fault| Halt::Fault(fault.into()))? as i32,
                None => 0,
            },
            Op::Captured => {
                let (player, kind) = (self.int(&args[0])?, self.int(&args[1])?);
                let wanted = |piece: &&Piece| {
                    (player == 0 || player == number(piece.owner))
                        && (kind == 0 || kind == piece.kind.index() as i32 + 1)
                };
                let captured = match (self.asked, self.occasion) {
                    (Some(asked), _) => asked.history.captured(),
                    (None, occasion) => occasion.map_or(&[][..], |occasion| occasion.captured),
                };
                captured.iter().filter(wanted).count() as i32
            }
            _ => mistyped(expr, "a number"),
        })
    }

    /// A truth value.
    pub(super) fn bool(&mut self, expr: &'a Expr) -> Result<bool, Halt> {
        self.charge(1)?;
        let args = &expr.args;
        Ok(match expr.op {
            Op::Local(local) => self.locals[local.index()].bool(),
            Op::Bool(value) => value,
            Op::Equal => self.int(&args[0])? == self.int(&args[1])?,
            Op::Less => self.int(&args[0])? < self.int(&args[1])?,
            Op::AtMost => self.int(&args[0])? <= self.int(&args[1])?,
            Op::Same => self.site(&args[0])? == self.site(&args[1])?,
            Op::And => {
                for arg in args {
                    if !self.bool(arg)? {
                        return Ok(false);
                    }
                }
                true
            }
            Op::Or => {
                for arg in args {
                    if self.bool(arg)? {
                        return Ok(true);
                    }
                }
                false
            }
            Op::Not => !self.bool(&args[0])?,
            Op::OnBoard => self.site(&args[0])?.is_some(),
            Op::InZone(zone) => {
                let sites = self.engine.rules.zones[zone].sites.get(self.me);
                self.site(&args[0])?.is_some_and(|site| sites.is_some_and(|sites| sites.contains(site)))
            }
            Op::InZoneOf(zone) => {
                let (site, player) = (self.site(&args[0])?, self.engine.player(self.int(&args[1])?));
                let sites = player.and_then(|player| self.engine.rules.zones[zone].sites.get(player));
                site.is_some_and(|site| sites.is_some_and(|sites| sites.contains(site)))
            }
            Op::Empty => {
                let site = self.site(&args[0])?;
                site.is_some_and(|site| self.piece(site).is_none())
            }
            Op::Mine => {
                let site = self.site(&args[0])?;
                self.owned(site, |owner| owner == self.me)
            }
            Op::Friend => {
                let site = self.site(&args[0])?;
                self.owned(site, |owner| self.is_friend(owner))
            }
            Op::Enemy => {
                let site = self.site(&args[0])?;
                self.owned(site, |owner| self.is_enemy(owner))
            }
            Op::Neutral => {
                let site = self.site(&args[0])?;
                self.owned(site, |owner| !self.is_friend(owner) && !self.is_enemy(owner))
            }
            Op::Attacked(move_type) => match self.site(&args[0])? {
                Some(site) => self.attacked(site, move_type)?,
                None => false,
            },
            Op::Defended(move_type) => match self.site(&args[0])? {
                Some(site) => self.defended(site, move_type)?,
                None => false,
            },
            Op::Contains => {
                let (set, site) = (self.set(&args[0])?, self.site(&args[1])?);
                site.is_some_and(|site| set.contains(site))
            }
            Op::Any(local) => {
                for site in self.set(&args[0])?.iter() {
                    if self.bool_at(local, site, &args[1])? {
                        return Ok(true);
                    }
                }
                false
            }
            Op::Every(local) => {
                for site in self.set(&args[0])?.iter() {
                    if !self.bool_at(local, site, &args[1])? {
                        return Ok(false);
                    }
                }
                true
            }
            _ => mistyped(expr, "a truth value"),
        })
    }

    /// A site, or nowhere.
    pub(super) fn site(&mut self, expr: &'a Expr) -> Result<Option<Site>, Halt> {
        let site = self.site_value(expr)?;
        if let (Some(watch), Some(site)) = (&mut self.watch, site) {
            watch.asked.push(site);
        }
        Ok(site)
    }

    fn site_value(&mut self, expr: &'a Expr) -> Result<Option<Site>, Halt> {
        self.charge(1)?;
        let args = &expr.args;
        Ok(match expr.op {
            Op::Local(local) => self.locals[local.index()].site(),
            Op::Site(site) => Some(site),
            Op::Nowhere => None,
            Op::OrElse => match self.site(&args[0])? {
                Some(site) => Some(site),
                None => self.site(&args[1])?,
            },
            Op::Numbered => {
                let index = usize::try_from(self.int(&args[0])?).ok().and_then(|number| number.checked_sub(1));
                index.filter(|&index| index < self.sites()).map(Site::from_index)
            }
            Op::Step(direction) => {
                let site = self.site(&args[0])?;
                site.and_then(|site| self.engine.step(self.me, direction, site))
            }
            Op::StepBack(direction) => {
                let site = self.site(&args[0])?;
                site.and_then(|site| self.engine.step_back(self.me, direction, site))
            }
            Op::First => self.set(&args[0])?.iter().next(),
            _ => mistyped(expr, "a site, or nowhere"),
        })
    }

    /// A set of sites.
    pub(super) fn set(&mut self, expr: &'a Expr) -> Result<SiteSet, Halt> {
        self.charge(1)?;
        let args = &expr.args;
        Ok(match expr.op {
            Op::Local(local) => self.locals[local.index()].set().clone(),
            Op::AllSites => {
                self.charge_set()?;
                SiteSet::all(self.sites())
            }
            Op::NoSites => {
                self.charge_set()?;
                SiteSet::empty(self.sites())
            }
            Op::ZoneSites(zone) => {
                self.charge_set()?;
                let sites = self.engine.rules.zones[zone].sites.get(self.me);
                sites.cloned().unwrap_or_else(|| SiteSet::empty(self.sites()))
            }
            Op::Union => {
                let (a, b) = self.two_sets(args)?;
                a.union(&b)
            }
            Op::Intersection => {
                let (a, b) = self.two_sets(args)?;
                a.intersection(&b)
            }
            Op::Difference => {
                let (a, b) = self.two_sets(args)?;
                a.difference(&b)
            }
            Op::With => {
                let (mut set, site) = (self.set(&args[0])?, self.site(&args[1])?);
                if let Some(site) = site {
                    set.insert(site);
                }
                set
            }
            Op::Without => {
                let (mut set, site) = (self.set(&args[0])?, self.site(&args[1])?);
                if let Some(site) = site {
                    set.remove(site);
                }
                set
            }
            Op::Shift(direction) => {
                let set = self.set(&args[0])?;
                self.charge(set.len() as u64)?;
                self.shifted(&set, direction)
            }
            Op::Neighbours(compass) => {
                let (set, mut found) = (self.set(&args[0])?, SiteSet::empty(self.sites()));
                for &direction in &self.engine.rules.compasses[compass] {
                    self.charge(set.len() as u64)?;
                    found = found.union(&self.shifted(&set, direction));
                }
                found
            }
            Op::Flood(compass) => {
                let (start, within) = self.two_sets(args)?;
                let mut found = start.intersection(&within);
                let mut open: Vec<Site> = found.iter().collect();
                while let Some(site) = open.pop() {
                    for &direction in &self.engine.rules.compasses[compass] {
                        self.charge(1)?;
                        let next = self.engine.step(self.me, direction, site);
                        if let Some(next) = next.filter(|&next| within.contains(next) && !found.contains(next)) {
                            found.insert(next);
                            open.push(next);
                        }
                    }
                }
                found
            }
            Op::Ray(direction) => {
                let (start, through) = (self.site(&args[0])?, self.set(&args[1])?);
                let (mut site, mut found) = (start, SiteSet::empty(self.sites()));
                loop {
                    self.charge(1)?;
                    site = site.and_then(|site| self.engine.step(self.me, direction, site));
                    let new = |site: &Site| through.contains(*site) && !found.contains(*site) && Some(*site) != start;
                    match site.filter(new) {
                        Some(site) => found.insert(site),
                        None => return Ok(found),
                    }
                }
            }
            Op::Where(local) => {
                let mut chosen = SiteSet::empty(self.sites());
                for site in self.set(&args[0])?.iter() {
                    if self.bool_at(local, site, &args[1])? {
                        chosen.insert(site);
                    }
                }
                chosen
            }
            _ => mistyped(expr, "a set of sites"),
        })
    }

    /// The condition with the local standing for the site.
    fn bool_at(&mut self, local: Local, site: Site, condition: &'a Expr) -> Result<bool, Halt> {
        self.locals[local.index()] = Value::Site(Some(site));
        // Whoever watches is told nothing by a look at each site of a set.
        let watch = self.watch.take();
        let value = self.bool(condition);
        self.watch = watch;
        value
    }

    fn two_sets(&mut self, args: &'a [Expr]) -> Result<(SiteSet, SiteSet), Halt> {
        self.charge_set()?;
        Ok((self.set(&args[0])?, self.set(&args[1])?))
    }

    /// Pays for going through a whole set, word by word.
    fn charge_set(&self) -> Result<(), Halt> {
        self.charge(self.sites() as u64 / 64)
    }

    fn sites(&self) -> usize {
        self.engine.topology().site_count()
    }

    fn shifted(&self, set: &SiteSet, direction: Direction) -> SiteSet {
        let mut shifted = SiteSet::empty(self.sites());
        for site in set.iter().filter_map(|site| self.engine.step(self.me, direction, site)) {
            shifted.insert(site);
        }
        shifted
    }

    /// A field of a site, or of the piece there.
    fn read(&self, field: Field, site: Site) -> i32 {
        let per_site = matches!(self.engine.rules.fields[field].scope, Scope::Piece | Scope::Site);
        assert!(per_site, "the verifier lets `read` name fields of sites and pieces only");
        self.view().get(self.engine.layout.at(field, site))
    }

    fn piece(&self, site: Site) -> Option<Piece> {
        self.engine.piece(self.view(), site)
    }

    fn owned(&self, site: Option<Site>, test: impl Fn(Player) -> bool) -> bool {
        site.and_then(|site| self.piece(site)).is_some_and(|piece| test(piece.owner))
    }

    fn is_friend(&self, owner: Player) -> bool {
        self.engine.rules.players[self.me].friends.contains(&owner)
    }

    fn is_enemy(&self, owner: Player) -> bool {
        self.engine.rules.players[self.me].enemies.contains(&owner)
    }
}

fn mistyped(expr: &Expr, wanted: &str) -> ! {
    panic!("the verifier types expressions: `{}` is not {wanted}", expr.op.name())
}
