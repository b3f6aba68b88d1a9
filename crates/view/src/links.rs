//! Which links of a board are lines that players see.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_board::{Direction, Site, Topology};

use crate::geometry::Point;
use crate::nearby::Nearby;
use crate::places::Places;
use crate::view::View;

/// The links of a board, each pair of sites once, where both lie on the board and on one level.
pub(crate) struct Links {
    pairs: BTreeSet<(Site, Site)>,
    /// Pairs of sites that are neighbours aslant, in rows and columns, linked or not.
    aslant: usize,
    linked_aslant: usize,
    /// Links that lead far, over no site between.
    far: usize,
}

/// Longer links than this lead over a gap of the board, or jump.
const FAR: f64 = 1.6;

impl Links {
    /// The links in these directions.
    pub(crate) fn of(topology: &Topology, places: &Places, directions: impl Fn(Direction) -> bool) -> Self {
        let on_ground = |site: &Site| places.places[*site].on_board;
        let sites: Vec<Site> = topology.sites().filter(on_ground).collect();
        let nearby = Nearby::new(1.0, sites.iter().map(|&site| places.places[site].at).collect());
        let at = |site: Site| places.places[site].at;
        let mut pairs = BTreeSet::new();
        let mut lengths: BTreeMap<Direction, (f64, f64)> = BTreeMap::new();
        let mut far_pairs: BTreeMap<(Site, Site), Direction> = BTreeMap::new();
        for direction in topology.directions().filter(|direction| directions(*direction)) {
            for &from in &sites {
                let Some(to) = topology.step(direction, from) else { continue };
                let one_level = places.places[from].level == places.places[to].level;
                let is_between = |(index, _): (usize, f64)| {
                    sites[index] != from && sites[index] != to && is_between(at(sites[index]), at(from), at(to))
                };
                let length = at(from).distance(at(to));
                if from == to || !on_ground(&to) || !one_level || length > 12.0 {
                    continue;
                }
                if nearby.within(at(from).middle(at(to)), length / 2.0).into_iter().any(is_between) {
                    continue;
                }
                let pair = (from.min(to), from.max(to));
                let known = lengths.entry(direction).or_insert((length, length));
                *known = (known.0.min(length), known.1.max(length));
                if length > FAR {
                    far_pairs.insert(pair, direction);
                }
                pairs.insert(pair);
            }
        }
        // A leap is as long everywhere; a line over a gap is as long as the gap.
        let varies = |direction: &Direction| lengths[direction].1 > lengths[direction].0 * 1.6;
        let straight = |(from, to): &(Site, Site)| is_straight(at(*to) - at(*from));
        let leaps =
            far_pairs.iter().filter(|(pair, direction)| !varies(direction) || !straight(pair)).map(|(pair, _)| *pair);
        for leap in leaps.collect::<Vec<_>>() {
            pairs.remove(&leap);
        }
        let far = far_pairs.iter().filter(|(pair, direction)| varies(direction) && straight(pair)).count();
        let (mut aslant, mut linked_aslant) = (0, 0);
        for (index, &site) in sites.iter().enumerate() {
            for (other, _) in nearby.within(at(site), FAR) {
                if other > index && is_aslant(at(sites[other]) - at(site)) {
                    aslant += 1;
                    let pair = (site.min(sites[other]), site.max(sites[other]));
                    linked_aslant += usize::from(pairs.contains(&pair));
                }
            }
        }
        Self { pairs, aslant, linked_aslant, far }
    }

    /// Whether it differs from site to site where links lead, so that the board must show them.
    pub(crate) fn matter(&self) -> bool {
        let some_aslant = self.linked_aslant * 5 > self.aslant && self.linked_aslant * 5 < self.aslant * 4;
        (self.aslant >= 8 && some_aslant) || (self.far >= 4 && self.far * 8 >= self.pairs.len())
    }

    /// The links to be drawn. Diagonals that are everywhere are no lines.
    pub(crate) fn lines(&self, places: &Places, view: &View, topology: &Topology) -> Vec<(Site, Site)> {
        let all_aslant = view.lines.is_none() && self.linked_aslant * 5 >= self.aslant * 4;
        let gaps: BTreeSet<(Site, Site)> = view
            .gaps
            .iter()
            .filter_map(|(from, to)| {
                let (from, to) = (topology.site(from)?, topology.site(to)?);
                Some((from.min(to), from.max(to)))
            })
            .collect();
        let wanted = |(from, to): &(Site, Site)| {
            let aslant = is_aslant(places.places[*to].at - places.places[*from].at);
            !(gaps.contains(&(*from, *to)) || all_aslant && aslant)
        };
        self.pairs.iter().copied().filter(wanted).collect()
    }
}

/// Whether a vector leads to a neighbour aslant.
fn is_aslant(vector: Point) -> bool {
    let (x, y) = (vector.x.abs(), vector.y.abs());
    vector.length() <= FAR && vector.length() > 1.2 && x.min(y) > 0.7 * x.max(y)
}

/// Whether a vector leads along a row, a column or a diagonal.
fn is_straight(vector: Point) -> bool {
    let (x, y) = (vector.x.abs(), vector.y.abs());
    x.min(y) < 0.15 || (x - y).abs() < 0.15
}

fn is_between(point: Point, from: Point, to: Point) -> bool {
    let along = to - from;
    let part = (point - from).dot(along) / along.dot(along).max(1e-9);
    (0.05..=0.95).contains(&part) && (from + along * part).distance(point) < 0.25
}
