//! Chains from one zone to another: how many stones each player lacks to join them.

use std::collections::VecDeque;

use dagaz_base::{Id, IdMap};
use dagaz_board::{Site, Zone};
use dagaz_engine::{Cell, State};
use dagaz_ir::{Compass, End, Expr, Local, Op, Player, Role, Rules, Verdict};

use super::sides::Sides;

/// What one stone fewer to place is worth.
const STONE: i32 = 100;
/// Nobody can join what is cut off.
const CUT_OFF: i32 = 30;

/// Sites that are to be joined with others.
type Goal = (Vec<u32>, Vec<u32>);

/// What players try to join.
#[derive(Clone, Debug)]
pub(super) struct Joins {
    /// For each site those that a chain goes on to.
    next: Vec<Vec<u32>>,
    /// By player, what is to be joined with what: nothing for who has nothing to join.
    goals: IdMap<Player, Option<Goal>>,
}

impl Joins {
    /// What the rules' ends say of chains: a win when some site that a flood over one's pieces reaches, from sites that are
    /// told by the board alone, is one of others that are told so.
    pub(super) fn of(rules: &Rules) -> Option<Self> {
        let (end, compass) = rules.ends.iter().find_map(|end| Some((end, joined(end)?.0)))?;
        let next = rules.topology.sites().map(|site| {
            let steps = rules.compasses[compass].iter().filter_map(|&direction| rules.topology.step(direction, site));
            steps.map(|site| site.index() as u32).collect()
        });
        let goal = |player: Player| {
            let plays = rules.players[player].role == Role::Person && end.players.contains(&player);
            let (_, from, local, condition) = joined(end).filter(|_| plays)?;
            let board = Static { rules, player };
            let (from, to) = (board.sites(from), board.holds(condition, local));
            let some = |sites: &[u32]| !sites.is_empty() && sites.len() < rules.topology.site_count();
            (some(&from) && some(&to)).then_some((from, to))
        };
        let goals: IdMap<Player, _> = rules.players.ids().map(goal).collect();
        goals.values().any(Option::is_some).then(|| Self { next: next.collect(), goals })
    }

    /// What is lacking to them more than to us.
    pub(super) fn value(&self, state: &State, owner_at: Cell, sides: &Sides) -> i32 {
        let mut sum = 0;
        for (player, goal) in self.goals.iter() {
            if let Some((from, to)) = goal {
                let (lacking, ways) = self.lacking(state, owner_at, player, from, to);
                sum -= sides.sign(player) * (lacking * STONE - ways);
            }
        }
        sum
    }

    /// How many stones a player lacks at least, and in how many places a way of so many ends, up to a limit: breadth first,
    /// own stones costing nothing.
    fn lacking(&self, state: &State, owner_at: Cell, player: Player, from: &[u32], to: &[u32]) -> (i32, i32) {
        const FAR: i32 = i32::MAX;
        let mut distance = vec![FAR; self.next.len()];
        let mut queue = VecDeque::new();
        let cost = |site: u32| match state.get(Cell(owner_at.0 + site)) {
            0 => Some(1),
            owner if owner as usize == player.index() + 1 => Some(0),
            _ => None,
        };
        let reach = |site: u32, so_far: i32, distance: &mut [i32], queue: &mut VecDeque<(u32, i32)>| {
            let Some(cost) = cost(site) else { return };
            if so_far + cost < distance[site as usize] {
                distance[site as usize] = so_far + cost;
                if cost == 0 { queue.push_front((site, so_far)) } else { queue.push_back((site, so_far + 1)) }
            }
        };
        for &site in from {
            reach(site, 0, &mut distance, &mut queue);
        }
        while let Some((site, so_far)) = queue.pop_front() {
            if so_far == distance[site as usize] {
                for &next in &self.next[site as usize] {
                    reach(next, so_far, &mut distance, &mut queue);
                }
            }
        }
        let ends = || to.iter().map(|&site| distance[site as usize]);
        let least = ends().min().unwrap_or(FAR);
        let ways = ends().filter(|&end| end == least).count() as i32;
        if least == FAR { (CUT_OFF, 0) } else { (least, ways.min(8) * 4) }
    }
}

/// Of an end that is a win by a chain: the directions in which chains go, where they start, and what is true where they end, of
/// the site in the local.
fn joined(end: &End) -> Option<(Compass, &Expr, Local, &Expr)> {
    let body = &end.condition.body;
    match (&end.result, body.op, body.args.first()?) {
        (Verdict::Win, Op::Any(local), Expr { op: Op::Flood(compass), args }) => {
            Some((*compass, &args[0], local, &body.args[1]))
        }
        _ => None,
    }
}

/// What a player's conditions say of sites, as far as the board alone tells.
struct Static<'a> {
    rules: &'a Rules,
    player: Player,
}

impl Static<'_> {
    /// The sites that may be in a set.
    fn sites(&self, set: &Expr) -> Vec<u32> {
        match set.op {
            Op::Where(local) => {
                let base = self.sites(&set.args[0]);
                let holds = self.holds(&set.args[1], local);
                base.into_iter().filter(|site| holds.contains(site)).collect()
            }
            Op::Intersection => {
                let other = self.sites(&set.args[1]);
                self.sites(&set.args[0]).into_iter().filter(|site| other.contains(site)).collect()
            }
            Op::ZoneSites(zone) => {
                self.rules.zones[zone].sites[self.player].iter().map(|site| site.index() as u32).collect()
            }
            _ => self.rules.topology.sites().map(|site| site.index() as u32).collect(),
        }
    }

    /// The sites for which a condition may be true.
    fn holds(&self, condition: &Expr, local: Local) -> Vec<u32> {
        let may = |site: &Site| self.truth(condition, local, *site) != Some(false);
        self.rules.topology.sites().filter(may).map(|site| site.index() as u32).collect()
    }

    /// Whether a condition is true of a site; nothing where the board does not tell.
    fn truth(&self, condition: &Expr, local: Local, site: Site) -> Option<bool> {
        let arg = |index: usize| self.truth(&condition.args[index], local, site);
        let place = |index: usize| self.site(&condition.args[index], local, site);
        match condition.op {
            Op::Not => Some(!arg(0)?),
            Op::Bool(value) => Some(value),
            Op::And => condition
                .args
                .iter()
                .try_fold(Some(true), |so_far, part| match self.truth(part, local, site) {
                    Some(false) => Err(()),
                    other => Ok(so_far.and(other)),
                })
                .unwrap_or(Some(false)),
            Op::Or => condition
                .args
                .iter()
                .try_fold(Some(false), |so_far, part| match self.truth(part, local, site) {
                    Some(true) => Err(()),
                    other => Ok(so_far.and(other)),
                })
                .unwrap_or(Some(true)),
            Op::OnBoard => Some(place(0)?.is_some()),
            Op::InZone(zone) => {
                Some(place(0)?.is_some_and(|site| self.rules.zones[zone].sites[self.player].contains(site)))
            }
            _ => None,
        }
    }

    /// The site that an expression means, if the board tells: perhaps nowhere.
    fn site(&self, expr: &Expr, local: Local, site: Site) -> Option<Option<Site>> {
        match expr.op {
            Op::Local(other) if other == local => Some(Some(site)),
            Op::Site(site) => Some(Some(site)),
            Op::Step(direction) => {
                let from = self.site(&expr.args[0], local, site)?;
                let seen = self.rules.players[self.player].seen(direction);
                Some(from.and_then(|from| self.rules.topology.step(seen, from)))
            }
            _ => None,
        }
    }
}

/// The zones that a condition speaks of, each once.
fn zones(condition: &Expr) -> Vec<Zone> {
    let mut found: Vec<Zone> = Vec::new();
    visit(condition, &mut |op| {
        if let Op::ZoneSites(zone) | Op::InZone(zone) = op
            && !found.contains(zone)
        {
            found.push(*zone);
        }
    });
    found
}

fn visit(expr: &Expr, see: &mut dyn FnMut(&Op)) {
    see(&expr.op);
    expr.args.iter().for_each(|arg| visit(arg, see));
}

/// The sites that ends of the rules speak of as zones, for a player who wins there: where his pieces want to go.
pub(super) fn goals(rules: &Rules, player: Player) -> Vec<Site> {
    let wins = rules.ends.iter().filter(|end| end.result == Verdict::Win && end.players.contains(&player));
    let zones = wins.flat_map(|end| zones(&end.condition.body));
    let mut sites: Vec<Site> =
        zones.flat_map(|zone| rules.zones[zone].sites[player].iter().collect::<Vec<_>>()).collect();
    sites.sort();
    sites.dedup();
    sites
}
