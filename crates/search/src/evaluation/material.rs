//! What pieces are worth: by how freely their kind moves, and by what they can come to from where they stand.
//!
//! A kind is worth as much more than another as it has more steps in random states, which is near what players of chess say
//! of it. A piece that can become a better one, or win by arriving somewhere, is worth part of that before: the more the
//! nearer it is, and the likelier the way there is open.

use dagaz_base::Id;
use dagaz_ir::{Player, Rules};

use super::PIECE;
use super::joins::goals;
use super::study::Study;

/// What a piece is worth that wins by its next step, if nothing stands in its way.
const WINNING: f64 = 1000.0;
/// What is left of a hope for each step to it.
const HOPE: f64 = 0.6;
/// Hopes are followed so many steps.
const FAR: usize = 12;
/// What a step nearer to a goal is worth.
const NEARER: f64 = 8.0;

/// What pieces are worth.
pub(super) struct Material {
    /// By kind.
    pub(super) worth: Vec<i32>,
    /// By place, as the study numbers them.
    pub(super) places: Vec<i32>,
    /// Kinds that are never captured.
    pub(super) royal: Vec<bool>,
    /// Whether any piece moves from one site to another.
    pub(super) moves: bool,
}

impl Material {
    pub(super) fn of(study: &Study) -> Self {
        let rules = &*study.rules;
        let (kinds, sites) = (rules.kinds.len(), rules.topology.site_count());
        let kind_of = |place: usize| place / sites % kinds;
        let (mut present, mut steps) = (vec![0_u64; kinds], vec![0_u64; kinds]);
        for place in 0..study.present.len() {
            present[kind_of(place)] += u64::from(study.present[place]);
            steps[kind_of(place)] += u64::from(study.steps[place]);
        }
        let all_steps: u64 = steps.iter().sum();
        let moves = all_steps > 0;
        let mean = (all_steps.max(1)) as f64 / present.iter().sum::<u64>().max(1) as f64;
        // What was hardly seen counts as what is usual.
        let freedom = |kind: usize| (steps[kind] as f64 + 10.0 * mean) / (present[kind] as f64 + 10.0);
        let worth: Vec<i32> = (0..kinds)
            .map(|kind| if moves { (f64::from(PIECE) * freedom(kind) / mean) as i32 } else { PIECE })
            .map(|worth| worth.clamp(PIECE / 5, PIECE * 12))
            .collect();
        let mut places: Vec<f64> = hopes(study, &worth, kind_of);
        for (place, value) in places.iter_mut().enumerate().filter(|_| moves) {
            let usual = freedom(kind_of(place));
            let here = (f64::from(study.steps[place]) + 20.0 * usual) / (f64::from(study.present[place]) + 20.0);
            *value += (f64::from(PIECE) * 0.3 * (here - usual) / mean).clamp(-30.0, 30.0);
        }
        if moves {
            for player in rules.players.ids() {
                draw_near(study, player, &mut places);
            }
        }
        let victims: u32 = study.victims.iter().sum();
        let is_royal = |kind: usize| victims >= 100 && study.victims[kind] == 0 && at_start(rules, kind);
        let royal = (0..kinds).map(is_royal).collect();
        Self { worth, places: places.into_iter().map(|value| value as i32).collect(), royal, moves }
    }
}

fn at_start(rules: &Rules, kind: usize) -> bool {
    rules
        .setup
        .iter()
        .any(|placement| matches!(placement, dagaz_ir::Placement::Piece(_, other, _) if other.index() == kind))
}

/// The worth of places with what can be hoped for from there.
fn hopes(study: &Study, worth: &[i32], kind_of: impl Fn(usize) -> usize) -> Vec<f64> {
    let own: Vec<f64> = (0..study.present.len()).map(|place| f64::from(worth[kind_of(place)])).collect();
    let wins = |place: usize| study.wins[place] >= 3 && study.wins[place] * 5 >= study.visits[place] * 3;
    let mut values: Vec<f64> = own.iter().enumerate().map(|(at, &own)| if wins(at) { WINNING } else { own }).collect();
    for _ in 0..FAR {
        let mut next = values.clone();
        for (&(from, to), &count) in &study.ways {
            let (from, to) = (from as usize, to as usize);
            if wins(from) {
                continue;
            }
            let open = f64::from(count) / (f64::from(study.present[from]) + 3.0);
            let hope = own[from] + HOPE * open.min(1.0) * (values[to] - own[from]);
            next[from] = next[from].max(hope);
        }
        values = next;
    }
    values
}

/// Where rules speak of zones in which a player wins, and nobody has come there by chance: the nearer, the better.
fn draw_near(study: &Study, player: Player, places: &mut [f64]) {
    let rules = &*study.rules;
    let goals = goals(rules, player);
    let (kinds, sites) = (rules.kinds.len(), rules.topology.site_count());
    let reached = |site: usize| (0..kinds).any(|kind| study.wins[study.place(player.index(), kind, site)] >= 3);
    if goals.is_empty() || goals.len() == sites || goals.iter().any(|goal| reached(goal.index())) {
        return;
    }
    // How far each site is, breadth first.
    let mut distance = vec![usize::MAX; sites];
    let mut queue: std::collections::VecDeque<_> = goals.iter().copied().collect();
    goals.iter().for_each(|goal| distance[goal.index()] = 0);
    while let Some(site) = queue.pop_front() {
        for direction in rules.topology.directions() {
            if let Some(next) = rules.topology.step(direction, site)
                && distance[next.index()] == usize::MAX
            {
                distance[next.index()] = distance[site.index()] + 1;
                queue.push_back(next);
            }
        }
    }
    let (group, _) = study.mirror.seen(player, 0);
    let is_first = rules.players.ids().find(|&other| study.mirror.seen(other, 0).0 == group) == Some(player);
    if is_first {
        for (site, distance) in distance.iter().enumerate().filter(|(_, distance)| **distance != usize::MAX) {
            for kind in 0..kinds {
                places[study.place(player.index(), kind, site)] -= NEARER * *distance as f64;
            }
        }
    }
}
