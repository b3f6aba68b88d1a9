//! Runs a rule for all sites at once. Sites that go the same way through it go together: a *group* knows which sites these are, and
//! what its locals are, said of each of them. Where a condition is true for some sites only the group parts, and groups whose
//! locals are the same again join. A loop is run as often as it can go on for any site of the board.

use dagaz_base::Id;
use dagaz_ir::{Expr, Kind, Local, Next, Op, Player, Rule, Stmt, StmtKind, Trigger, Type};

use super::place::Place;
use super::words::{Bound, Fact, Names, Scene, Set, both, has};
use crate::low::{Ex, V, c64};

/// How many groups there may be at a time.
const MOST_GROUPS: usize = 64;

/// How many rounds a loop may have.
const MOST_ROUNDS: usize = 500;

/// What is done to a place of each site of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Move(Place, Place),
    Capture(Place),
    /// Whether it comes from the hand.
    Put(Place, Player, Kind, bool),
    Retype(Place, Kind),
    Reown(Place, Player),
    Flip(Place),
}

/// An effect that was queued.
#[derive(Clone, Debug)]
pub(super) struct Queued {
    pub(super) deed: Deed,
    /// Whether it is done for all sites for which the step is made.
    pub(super) always: bool,
    number: usize,
}

/// A step that a rule makes for some sites.
#[derive(Clone, Debug)]
pub(super) struct Emission {
    pub(super) lanes: Set,
    pub(super) queue: Vec<Queued>,
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) choice: Option<i32>,
    /// Whether it surely changes the state.
    pub(super) changes: bool,
    /// What is known before it.
    pub(super) facts: Vec<Fact>,
    /// Whether it has all effects that its rule queues for these sites, and no site has another.
    pub(super) whole: bool,
    /// Whether it is made for all empty sites, and for no others.
    pub(super) wherever_empty: bool,
}

#[derive(Clone)]
struct Group {
    names: Names,
    lanes: Set,
    queue: Vec<Queued>,
    facts: Vec<Fact>,
    /// Whether nothing was asked but whether the site is empty.
    asked_empty: bool,
}

/// A run of a rule.
pub(super) struct Run<'s, 'a, 'r> {
    pub(super) scene: &'s mut Scene<'a, 'r>,
    rule: &'r Rule,
    /// Where what effects concern that are no displacements is gathered, in a run for one site.
    gathered: Option<Vec<V>>,
    emissions: Vec<Emission>,
    queued: usize,
    /// How often sites were left behind by a condition that ends a run.
    lost: usize,
    /// How many blocks are open that take back what was queued in them.
    attempts: usize,
}

impl Group {
    /// How far away the places are that its locals are.
    fn distance(&self) -> u64 {
        let far = |bound: &Bound| if let Bound::Site(place) = bound { place.furthest() } else { 0 };
        self.names.values().map(far).sum()
    }
}

impl Emission {
    /// Whether a place is known to be empty.
    pub(super) fn finds_empty(&self, place: &Place) -> bool {
        self.finds(Op::Empty, place)
    }

    /// Whether a piece of an adversary is known to stand at a place.
    pub(super) fn finds_enemy(&self, place: &Place) -> bool {
        self.finds(Op::Enemy, place)
    }

    fn finds(&self, op: Op, place: &Place) -> bool {
        self.facts.iter().any(|fact| fact.op == op && fact.holds && fact.place == *place)
    }
}

impl Deed {
    /// The site that it is done to first.
    pub(super) fn place(&self) -> &Place {
        match self {
            Self::Move(place, _) | Self::Capture(place) | Self::Put(place, ..) => place,
            Self::Retype(place, _) | Self::Reown(place, _) | Self::Flip(place) => place,
        }
    }

    /// Whether both are the same but for the place.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Capture(_), Self::Capture(_)) | (Self::Flip(_), Self::Flip(_)) => true,
            (Self::Retype(_, a), Self::Retype(_, b)) => a == b,
            (Self::Reown(_, a), Self::Reown(_, b)) => a == b,
            _ => false,
        }
    }

    /// Whether it is made before all others.
    pub(super) fn is_displacement(&self) -> bool {
        matches!(self, Self::Move(..) | Self::Put(_, _, _, true))
    }
}

/// Runs a rule for the sites of a set, of which a piece of its kind may stand on each; a rule of the turn for all sites.
/// Nothing for rules that say more than can be said so. Where it runs for one site only, what effects concern that are no
/// displacements is gathered.
pub(super) fn run<'r>(
    scene: &mut Scene<'_, 'r>,
    rule: &'r Rule,
    lanes: Set,
    gathered: Option<Vec<V>>,
) -> Option<Vec<Emission>> {
    let outer = scene.relevant.clone();
    let mut run = Run { scene, rule, gathered, emissions: Vec::new(), queued: 0, lost: 0, attempts: 0 };
    let mut names = Names::new();
    for (local, info) in rule.locals.iter() {
        let start = match info.ty {
            Type::Site => Bound::Site(run.scene.nowhere()),
            Type::Int => Bound::Number(0),
            Type::Bool => Bound::Truth((0..lanes.words.len()).map(|_| run.scene.body.bind(c64(0))).collect()),
            Type::Set | Type::Effect => continue,
        };
        names.insert(local, start);
    }
    let mut group = Group { names, lanes, queue: Vec::new(), facts: Vec::new(), asked_empty: true };
    let done = if rule.trigger == Trigger::Turn {
        run.turn(group)
    } else {
        group.names.insert(Local::from_index(0), Bound::Site(run.scene.here()));
        run.block(&rule.body, vec![group]).map(|_| ())
    };
    let (mut emissions, queued) = (run.emissions, run.queued);
    (scene.relevant, scene.facts) = (outer, Vec::new());
    emissions.iter_mut().for_each(|emission| emission.whole = emission.queue.len() == queued);
    done.map(|()| emissions)
}

impl<'r> Run<'_, '_, 'r> {
    /// Some values, then a loop over sites, which are those that all is said of, and nothing after it that makes a difference; or
    /// all is said of the first site of a set.
    fn turn(&mut self, mut group: Group) -> Option<()> {
        let rule = self.rule;
        let Some(round) = rule.body.iter().position(|statement| matches!(statement.kind, StmtKind::For(..))) else {
            return self.about_first(group);
        };
        let (before, after) = (&rule.body[..round], &rule.body[round + 1..]);
        let StmtKind::For(local, set, inside) = &rule.body[round].kind else { return None };
        if !after.iter().all(|statement| matches!(statement.kind, StmtKind::Let(..))) {
            return None;
        }
        for statement in before {
            if !matches!(statement.kind, StmtKind::Let(..)) {
                return None;
            }
            group = self.statement(statement, group)?.pop()?;
        }
        let members = self.scene.set(&Names::new(), set)?;
        group.lanes = self.scene.meet(&group.lanes, &members);
        let place = self.scene.here();
        if says_empty(set) {
            // Nothing else is asked when this is all that is said of all sites.
            group.asked_empty &= set.args[0].op == Op::AllSites && set.args[1].op == Op::Empty;
            group.facts.push(Fact { op: Op::Empty, place: place.clone(), holds: true });
        }
        group.asked_empty &= says_empty(set) || set.op == Op::AllSites;
        group.names.insert(*local, Bound::Site(place));
        self.block(inside, vec![group]).map(|_| ())
    }

    /// Some values and conditions, then the first site of a set, which is the one that all is said of.
    fn about_first(&mut self, mut group: Group) -> Option<()> {
        let rule = self.rule;
        let first = |statement: &'r Stmt| match &statement.kind {
            StmtKind::Let(local, value) if value.op == Op::First => Some((*local, &value.args[0])),
            _ => None,
        };
        let at = rule.body.iter().position(|statement| first(statement).is_some())?;
        for statement in &rule.body[..at] {
            if !matches!(statement.kind, StmtKind::Let(..) | StmtKind::Verify(_)) {
                return None;
            }
            group = self.statement(statement, group)?.pop()?;
        }
        if group.lanes.is_empty() {
            return Some(());
        }
        let (local, set) = first(&rule.body[at])?;
        // Where the set is empty the rule goes on with nowhere.
        let Op::Where(each) = set.op else { return None };
        self.scene.present.filter(|&owner| self.scene.has_all_of(owner, set))?;
        let members = self.scene.set(&Names::new(), set)?;
        let members = self.scene.meet(&group.lanes, &members);
        group.lanes = self.scene.first(&members);
        let here = Bound::Site(self.scene.here());
        group.names.insert(each, here.clone());
        self.learn(&set.args[1], true, &mut group)?;
        group.names.insert(local, here);
        group.asked_empty = false;
        self.block(&rule.body[at + 1..], vec![group]).map(|_| ())
    }

    /// What the groups are after a block.
    fn block(&mut self, block: &'r [Stmt], mut groups: Vec<Group>) -> Option<Vec<Group>> {
        // As long as no site is left behind, the sites of one group are those of all groups that come of it.
        let mut whole = None;
        for statement in block {
            if let [group] = &groups[..] {
                whole = Some((group.lanes.clone(), self.lost));
            }
            let next = match &statement.kind {
                StmtKind::If(condition, then, otherwise) => self.branch(condition, then, otherwise, groups)?,
                StmtKind::While(condition, inside) => self.repeat(condition, inside, groups)?,
                _ => {
                    let mut next = Vec::new();
                    for group in groups {
                        next.extend(self.statement(statement, group)?);
                    }
                    next
                }
            };
            let parts_of = whole.as_ref().filter(|(_, lost)| *lost == self.lost).map(|(lanes, _)| lanes);
            groups = self.joined(next, parts_of)?;
        }
        Some(groups)
    }

    /// Groups of the same locals are one. When it is one at last, and the others were parts of a set of sites of which none was
    /// lost, it has these.
    fn joined(&mut self, groups: Vec<Group>, parts_of: Option<&Set>) -> Option<Vec<Group>> {
        let groups: Vec<Group> = groups.into_iter().filter(|group| !group.lanes.is_empty()).collect();
        let whole = parts_of.filter(|_| groups.windows(2).all(|pair| pair[0].names == pair[1].names));
        let mut joined: Vec<Group> = Vec::new();
        for group in groups {
            match joined.iter_mut().find(|known| known.names == group.names) {
                None => joined.push(group),
                Some(known) => {
                    if whole.is_none() {
                        known.lanes = self.scene.join(&known.lanes, &group.lanes);
                    }
                    known.facts.retain(|fact| group.facts.contains(fact));
                    known.asked_empty = false;
                    let shared = known.queue.iter().zip(&group.queue).take_while(|(a, b)| a.number == b.number).count();
                    known.queue.extend(group.queue.into_iter().skip(shared));
                    known.queue.iter_mut().skip(shared).for_each(|queued| queued.always = false);
                }
            }
        }
        if let ([group], Some(whole)) = (&mut joined[..], whole) {
            group.lanes = whole.clone();
        }
        (joined.len() <= MOST_GROUPS).then_some(joined)
    }

    fn narrowed(&mut self, mut group: Group, set: &Set) -> Group {
        group.lanes = self.scene.meet(&group.lanes, set);
        group
    }

    /// The group of the sites for which a condition is true or false.
    fn told(&mut self, group: Group, condition: &Expr, set: &Set, holds: bool) -> Option<Group> {
        let mut group = self.narrowed(group, set);
        self.look_at(&group);
        let of_here = condition.args.first().filter(|_| condition.op == Op::Empty && holds);
        let here = self.scene.here();
        group.asked_empty &= match of_here {
            Some(site) => self.scene.place(&group.names, site)? == here,
            None => set.within == self.scene.all() && matches!(set.words[0], Ex::C64(_)),
        };
        self.learn(condition, holds, &mut group)?;
        Some(group)
    }

    /// The scene is seen by this group.
    fn look_at(&mut self, group: &Group) {
        self.scene.relevant.clone_from(&group.lanes.within);
        self.scene.facts.clone_from(&group.facts);
    }

    /// Notes what a condition says that is true or false.
    fn learn(&mut self, condition: &Expr, holds: bool, group: &mut Group) -> Option<()> {
        match condition.op {
            Op::Not => self.learn(&condition.args[0], !holds, group),
            Op::And if holds => condition.args.iter().try_for_each(|part| self.learn(part, holds, group)),
            Op::Or if !holds => condition.args.iter().try_for_each(|part| self.learn(part, holds, group)),
            Op::Empty | Op::Mine | Op::Friend | Op::Enemy => {
                let place = self.scene.place(&group.names, &condition.args[0])?;
                group.facts.push(Fact { op: condition.op, place, holds });
                Some(())
            }
            _ => Some(()),
        }
    }

    fn statement(&mut self, statement: &'r Stmt, mut group: Group) -> Option<Vec<Group>> {
        self.look_at(&group);
        match &statement.kind {
            StmtKind::Let(local, value) => self.give(*local, value, &mut group)?,
            StmtKind::Verify(condition) => {
                let set = self.scene.condition(&group.names, condition)?;
                self.lost += usize::from(set.within != self.scene.all() || !matches!(set.words[0], Ex::C64(_)));
                group = self.told(group, condition, &set, true)?;
            }
            StmtKind::Effect(effect) => self.effect(effect, &mut group)?,
            StmtKind::Emit(emit) => {
                if emit.next != Next::Done || !emit.parameters.is_empty() {
                    return None;
                }
                let choice = match &emit.choice {
                    None => None,
                    Some(choice) => match self.scene.value(choice)? {
                        Ex::C32(number) => Some(number),
                        _ => return None,
                    },
                };
                let from = self.scene.place(&group.names, &emit.from)?;
                let to = self.scene.place(&group.names, &emit.to)?;
                let (lanes, queue) = (group.lanes.clone(), group.queue.clone());
                let changes = self.changes(&group);
                let facts = group.facts.clone();
                let empty = Fact { op: Op::Empty, place: self.scene.here(), holds: true };
                let wherever_empty = group.asked_empty && facts.contains(&empty);
                let whole = false;
                self.emissions.push(Emission { lanes, queue, from, to, choice, changes, facts, whole, wherever_empty });
            }
            StmtKind::Attempt(inside) => {
                let queue = group.queue.clone();
                self.attempts += 1;
                let mut groups = self.block(inside, vec![group])?;
                self.attempts -= 1;
                groups.iter_mut().for_each(|group| group.queue.clone_from(&queue));
                return Some(groups);
            }
            StmtKind::Try(inside) => {
                if Stmt::any(inside, &|inner| self.sets_truth(inner)) {
                    return None;
                }
                let before = group.clone();
                self.block(inside, vec![group])?;
                return Some(vec![before]);
            }
            // Effects from before an attempt would have to come back.
            StmtKind::Forget | StmtKind::Discard if self.attempts > 0 => return None,
            StmtKind::Forget => group.queue.retain(|queued| queued.deed.is_displacement()),
            StmtKind::Discard => group.queue.retain(|queued| !queued.deed.is_displacement()),
            StmtKind::For(..) | StmtKind::Range(..) => return None,
            StmtKind::If(..) | StmtKind::While(..) => unreachable!("these are for all groups at once"),
        }
        Some(vec![group])
    }

    fn sets_truth(&self, statement: &Stmt) -> bool {
        matches!(&statement.kind, StmtKind::Let(local, _) if self.rule.locals[*local].ty == Type::Bool)
    }

    fn give(&mut self, local: Local, value: &Expr, group: &mut Group) -> Option<()> {
        let bound = match self.rule.locals[local].ty {
            Type::Site => Bound::Site(self.scene.place(&group.names, value)?),
            Type::Int => match self.scene.value(value)? {
                Ex::C32(number) => Bound::Number(number),
                _ => return None,
            },
            Type::Bool => {
                let known = Fact { op: Op::Local(local), place: self.scene.here(), holds: true };
                if value.op == Op::Bool(true) && group.facts.contains(&known) {
                    return Some(());
                }
                let Some(Bound::Truth(words)) = group.names.get(&local).cloned() else { return None };
                group.facts.retain(|fact| fact.op != known.op);
                if value.op == Op::Bool(true) {
                    group.facts.push(known);
                    for (&word, lanes) in words.iter().zip(&group.lanes.words) {
                        self.scene.body.set(word, word | lanes.clone());
                    }
                    return Some(());
                }
                let set = self.scene.condition(&group.names, value)?;
                let true_for = self.scene.meet(&set, &group.lanes);
                let others = self.scene.complement(&group.lanes);
                for (index, &word) in words.iter().enumerate() {
                    let kept = Ex::from(word) & others.words[index].clone();
                    self.scene.body.set(word, kept | true_for.words[index].clone());
                }
                return Some(());
            }
            Type::Set | Type::Effect => return None,
        };
        group.names.insert(local, bound);
        Some(())
    }

    /// The groups of the sites for which a condition is true, and for which it is false.
    fn parted(&mut self, condition: &Expr, group: Group) -> Option<[Group; 2]> {
        self.look_at(&group);
        let set = self.scene.condition(&group.names, condition)?;
        let rest = self.scene.complement(&set);
        let yes = self.told(group.clone(), condition, &set, true)?;
        Some([yes, self.told(group, condition, &rest, false)?])
    }

    fn branch(
        &mut self,
        condition: &'r Expr,
        then: &'r [Stmt],
        otherwise: &'r [Stmt],
        groups: Vec<Group>,
    ) -> Option<Vec<Group>> {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for group in groups {
            let [first, second] = self.parted(condition, group)?;
            yes.push(first);
            no.push(second);
        }
        let mut left = Vec::new();
        for (block, groups) in [(then, yes), (otherwise, no)] {
            let groups = self.joined(groups, None)?;
            left.extend(self.block(block, groups)?);
        }
        Some(left)
    }

    /// Groups that are furthest away go first: those that come back meet the others.
    fn repeat(&mut self, condition: &'r Expr, inside: &'r [Stmt], groups: Vec<Group>) -> Option<Vec<Group>> {
        let (mut open, mut left) = (groups, Vec::new());
        for _ in 0..MOST_ROUNDS {
            open = self.joined(open, None)?;
            let Some(furthest) = (0..open.len()).max_by_key(|&index| open[index].distance()) else {
                return self.joined(left, None);
            };
            let [on, off] = self.parted(condition, open.swap_remove(furthest))?;
            left.push(off);
            if !on.lanes.is_empty() {
                open.extend(self.block(inside, vec![on])?);
            }
        }
        None
    }

    fn effect(&mut self, effect: &Expr, group: &mut Group) -> Option<()> {
        let args = &effect.args;
        let names = &group.names;
        let at = self.scene.place(names, args.first()?)?;
        let to = if effect.op == Op::Move { self.scene.place(names, &args[1])? } else { self.scene.nowhere() };
        let rules = self.scene.compiler.rules;
        let mut number = |index: usize| match self.scene.value(&args[index])? {
            Ex::C32(number) => usize::try_from(number).ok()?.checked_sub(1),
            _ => None,
        };
        let player = |number: usize| (number < rules.players.len()).then(|| Player::from_index(number));
        let kind = |number: usize| (number < rules.kinds.len()).then(|| Kind::from_index(number));
        let deed = match effect.op {
            Op::Move => Deed::Move(at, to),
            Op::Capture => Deed::Capture(at),
            Op::Create | Op::Drop => Deed::Put(at, player(number(1)?)?, kind(number(2)?)?, effect.op == Op::Drop),
            Op::Retype => Deed::Retype(at, kind(number(1)?)?),
            Op::Reown => Deed::Reown(at, player(number(1)?)?),
            Op::Flip => Deed::Flip(at),
            _ => return None,
        };
        self.queued += 1;
        if let Some(gathered) = self.gathered.clone().filter(|_| !deed.is_displacement()) {
            // Twice the same is once, but for what turns each time.
            let turns = matches!(deed, Deed::Flip(_));
            let there = self.scene.sent_to(deed.place(), &group.lanes);
            for (&word, there) in gathered.iter().zip(there.words) {
                self.scene.body.set(word, if turns { word ^ there } else { word | there });
            }
        }
        group.queue.push(Queued { deed, always: true, number: self.queued });
        Some(())
    }

    /// Whether what is queued surely changes the state: a piece goes from its site to another, or comes to an empty one.
    fn changes(&self, group: &Group) -> bool {
        let on_board = |place: &Place| place.is_on_board_from(&group.lanes.within);
        let enemies = &self.scene.compiler.rules.players[self.scene.me].enemies;
        group.queue.iter().filter(|queued| queued.always).any(|queued| match &queued.deed {
            Deed::Move(from, to) => *from == self.scene.here() && to.is_elsewhere() && on_board(to),
            Deed::Put(place, _, _, from_hand) => {
                let empty = Fact { op: Op::Empty, place: place.clone(), holds: true };
                on_board(place) && (*from_hand || group.facts.contains(&empty))
            }
            Deed::Reown(place, owner) => {
                let enemy = Fact { op: Op::Enemy, place: place.clone(), holds: true };
                on_board(place) && group.facts.contains(&enemy) && !enemies.contains(owner)
            }
            _ => false,
        })
    }
}

/// Whether all members of a set are said to be empty sites.
fn says_empty(set: &Expr) -> bool {
    let Op::Where(local) = set.op else { return false };
    let empty = |expr: &Expr| expr.op == Op::Empty && expr.args[0].op == Op::Local(local);
    let condition = &set.args[1];
    empty(condition) || condition.op == Op::And && condition.args.iter().any(empty)
}

/// Whether two steps of rules for the same piece, or for the same piece in hand, are never the same for a site.
pub(super) fn differ(a: &Emission, b: &Emission) -> bool {
    let apart = both(&a.lanes.within, &b.lanes.within).iter().all(|&word| word == 0);
    let sites = 0..a.lanes.within.len() as i64 * 64;
    let elsewhere = sites
        .filter(|&site| has(&a.lanes.within, site) && has(&b.lanes.within, site))
        .all(|site| a.to.of(site) != b.to.of(site));
    let chosen = matches!((a.choice, b.choice), (Some(a), Some(b)) if a != b);
    let taken = |fact: &Fact| fact.holds && matches!(fact.op, Op::Mine | Op::Friend | Op::Enemy);
    let here = |facts: &[Fact], is: &dyn Fn(&Fact) -> bool| facts.iter().any(|fact| is(fact) && fact.place == a.to);
    let empty = |fact: &Fact| fact.holds && fact.op == Op::Empty;
    let filled = here(&a.facts, &taken) && here(&b.facts, &empty) || here(&a.facts, &empty) && here(&b.facts, &taken);
    apart || elsewhere || chosen || filled && a.to == b.to
}
