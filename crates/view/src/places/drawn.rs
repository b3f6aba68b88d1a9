//! Places for boards whose rules say nothing of a picture.

use dagaz_base::{Id, IdMap, Random};
use dagaz_board::{Direction, Site, Topology};

use crate::geometry::Point;

/// What words for directions say, in steps of a unit.
const WORDS: &[(&str, f64, f64)] = &[
    ("n", 0.0, -1.0),
    ("e", 1.0, 0.0),
    ("s", 0.0, 1.0),
    ("w", -1.0, 0.0),
    ("ne", 1.0, -1.0),
    ("se", 1.0, 1.0),
    ("sw", -1.0, 1.0),
    ("nw", -1.0, -1.0),
    ("north", 0.0, -1.0),
    ("east", 1.0, 0.0),
    ("south", 0.0, 1.0),
    ("west", -1.0, 0.0),
    ("northeast", 1.0, -1.0),
    ("southeast", 1.0, 1.0),
    ("southwest", -1.0, 1.0),
    ("northwest", -1.0, -1.0),
    ("up", 0.0, -1.0),
    ("right", 1.0, 0.0),
    ("down", 0.0, 1.0),
    ("left", -1.0, 0.0),
];

/// A point for each site.
pub(super) fn points(topology: &Topology) -> IdMap<Site, Point> {
    by_words(topology).unwrap_or_else(|| by_springs(topology))
}

/// By the directions whose names say where they lead, when these reach everything and nothing falls on something else.
fn by_words(topology: &Topology) -> Option<IdMap<Site, Point>> {
    let vectors: Vec<(Direction, Point)> = topology
        .directions()
        .filter_map(|direction| {
            let name = topology.direction_name(direction).to_ascii_lowercase();
            let &(_, x, y) = WORDS.iter().find(|(word, ..)| *word == name)?;
            Some((direction, Point::new(x, y)))
        })
        .collect();
    let mut points: IdMap<Site, Option<Point>> = IdMap::filled(topology.site_count(), None);
    let mut next_left = 0.0;
    for start in topology.sites() {
        if points[start].is_some() {
            continue;
        }
        let (mut part, mut reached) = (vec![(start, Point::default())], 0);
        points[start] = Some(Point::default());
        while let Some(&(from, at)) = part.get(reached) {
            reached += 1;
            for &(direction, vector) in &vectors {
                if let Some(to) = topology.step(direction, from)
                    && points[to].is_none()
                {
                    points[to] = Some(at + vector);
                    part.push((to, at + vector));
                }
            }
        }
        // Parts that hang together stand side by side.
        let left = part.iter().map(|(_, at)| at.x).fold(f64::INFINITY, f64::min);
        let right = part.iter().map(|(_, at)| at.x).fold(f64::NEG_INFINITY, f64::max);
        for &(site, at) in &part {
            points[site] = Some(at + Point::new(next_left - left, 0.0));
        }
        next_left += right - left + 2.0;
    }
    let points: IdMap<Site, Point> = points.values().copied().collect::<Option<Vec<_>>>()?.into_iter().collect();
    let mut cells: Vec<(i64, i64)> = points.values().map(|at| (at.x as i64, at.y as i64)).collect();
    cells.sort_unstable();
    let apart = cells.windows(2).all(|pair| pair[0] != pair[1]);
    let mostly_parts = vectors.is_empty();
    (apart && !mostly_parts).then_some(points)
}

/// As if links were springs and sites pushed each other away (after Fruchterman and Reingold, 1991), from a seeded start.
fn by_springs(topology: &Topology) -> IdMap<Site, Point> {
    /// So many pairs may be looked at in all.
    const WORK: usize = 20_000_000;
    let count = topology.site_count();
    let side = (count as f64).sqrt().max(1.0);
    let mut random = Random::new(1);
    let mut coordinate = || random.below(1 << 20) as f64 / f64::from(1 << 20) * side;
    let mut points: Vec<Point> = (0..count).map(|_| Point::new(coordinate(), coordinate())).collect();
    let rounds = (WORK / (count * count).max(1)).min(200);
    let links: Vec<(usize, usize)> = topology
        .directions()
        .flat_map(|direction| topology.sites().filter_map(move |from| Some((from, topology.step(direction, from)?))))
        .map(|(from, to)| (from.index().min(to.index()), from.index().max(to.index())))
        .filter(|(from, to)| from != to)
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    for round in 0..rounds {
        let mut pulls = vec![Point::default(); count];
        for one in 0..count {
            for other in 0..one {
                let apart = points[one] - points[other];
                let push = apart * (1.0 / apart.dot(apart).max(0.01));
                pulls[one] = pulls[one] + push;
                pulls[other] = pulls[other] - push;
            }
        }
        for &(from, to) in &links {
            let apart = points[to] - points[from];
            let pull = apart * apart.length();
            pulls[from] = pulls[from] + pull;
            pulls[to] = pulls[to] - pull;
        }
        let most = side * 0.1 * (1.0 - round as f64 / rounds as f64);
        for (point, pull) in points.iter_mut().zip(&pulls) {
            *point = *point + *pull * (most / pull.length().max(most.max(1e-9)));
        }
    }
    if rounds == 0 {
        // Too many to be drawn well: at least none lies on another.
        let columns = side.ceil() as usize;
        points = (0..count).map(|index| Point::new((index % columns) as f64, (index / columns) as f64)).collect();
    }
    points.into_iter().collect()
}
