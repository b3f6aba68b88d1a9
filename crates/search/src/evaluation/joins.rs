//! Chains from one zone to another: how many stones each player lacks to join them.

use std::collections::VecDeque;

use dagaz_base::{Id, IdMap};
use dagaz_board::{Site, SiteSet, Zone};
use dagaz_engine::{Cell, State};
use dagaz_ir::{Compass, End, Expr, Op, Player, Role, Rules, Verdict};

use super::sides::Sides;

/// What one stone fewer to place is worth.
const STONE: i32 = 100;
/// Nobody can join what is cut off.
const CUT_OFF: i32 = 30;

/// What players try to join.
#[derive(Clone, Debug)]
pub(super) struct Joins {
    /// For each site those that a chain goes on to.
    next: Vec<Vec<u32>>,
    /// By player, what is to be joined with what: nothing for who has nothing to join.
    goals: IdMap<Player, Option<(Vec<u32>, SiteSet)>>,
}

impl Joins {
    /// What the rules' ends say of chains: a win by a flood from a zone that must meet another one.
    pub(super) fn of(rules: &Rules) -> Option<Self> {
        let end = rules.ends.iter().find(|end| end.result == Verdict::Win && compass(end).is_some())?;
        let compass = compass(end)?;
        let zones = zones(&end.condition.body);
        let [from, to] = zones.as_slice() else { return None };
        let next = rules.topology.sites().map(|site| {
            let steps = rules.compasses[compass].iter().filter_map(|&direction| rules.topology.step(direction, site));
            steps.map(|site| site.index() as u32).collect()
        });
        let goal = |player: Player| {
            let plays = rules.players[player].role == Role::Person && end.players.contains(&player);
            let (from, to) = (&rules.zones[*from].sites[player], &rules.zones[*to].sites[player]);
            let is_goal = plays && !from.is_empty() && !to.is_empty();
            is_goal.then(|| (from.iter().map(|site| site.index() as u32).collect(), to.clone()))
        };
        Some(Self { next: next.collect(), goals: rules.players.ids().map(goal).collect() })
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
    fn lacking(&self, state: &State, owner_at: Cell, player: Player, from: &[u32], to: &SiteSet) -> (i32, i32) {
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
        let ends = || to.iter().map(|site| distance[site.index()]);
        let least = ends().min().unwrap_or(FAR);
        let ways = ends().filter(|&end| end == least).count() as i32;
        if least == FAR { (CUT_OFF, 0) } else { (least, ways.min(8) * 4) }
    }
}

fn compass(end: &End) -> Option<Compass> {
    let mut found = None;
    visit(&end.condition.body, &mut |op| {
        if let Op::Flood(compass) = op {
            found = Some(*compass);
        }
    });
    found
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
