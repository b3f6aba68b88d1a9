//! What the cells of a board look like, from where its sites lie: squares, hexagons, triangles, or nothing regular.
//!
//! Decided by geometry: which vectors lead from sites to their nearest neighbours. A cell is what lies nearer to its site than to
//! any neighbour, missing neighbours at the border included.

use std::collections::BTreeMap;

use dagaz_base::IdMap;
use dagaz_board::Site;

use crate::geometry::{Point, clipped, rectangle, round, simplified};
use crate::nearby::Nearby;
use crate::places::{Place, Places};

/// How the sites of a part of a board lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lattice {
    /// Rows and columns.
    Squares,
    /// Every other cell of rows and columns: neighbours lie aslant.
    Checkered,
    /// Six neighbours all round.
    Hexagons,
    /// Three neighbours, every other site turned round.
    Triangles,
    /// Nothing of the kind.
    Free,
}

/// Sites that lie side by side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// How they lie.
    pub(crate) lattice: Lattice,
    /// The vectors to neighbours that occur, and their opposites.
    pub(crate) vectors: Vec<Point>,
    /// The sites, in order.
    pub(crate) sites: Vec<Site>,
    /// Of which level they are.
    pub(crate) level: u32,
}

/// Neighbours are no further away than so many units: sides of a rectangle and not its diagonals.
const REACH: f64 = 1.3;
/// Vectors that differ by less are one.
const LIKE: f64 = 0.15;

/// The parts of a board, the largest first.
pub(crate) fn parts(places: &Places) -> Vec<Part> {
    let levels = places.places.values().map(|place| place.level).max().unwrap_or(0);
    let mut parts: Vec<Part> = (0..=levels).flat_map(|level| parts_of_level(&places.places, level)).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.sites.len()));
    // Small parts of a regular board continue it: a block of three cells knows too little of itself.
    if let Some(first) = parts.first().filter(|first| first.lattice != Lattice::Free).cloned() {
        for part in &mut parts {
            let fits = part.vectors.iter().all(|vector| first.vectors.iter().any(|other| like(*vector, *other)));
            let alone = part.sites.len() == 1 && is_long(places.places[part.sites[0]].half);
            if fits && !alone && places.places[part.sites[0]].on_board {
                part.lattice = first.lattice;
                part.vectors.clone_from(&first.vectors);
            }
        }
    }
    parts
}

/// Whether the rules give a site a rectangle that is no square.
fn is_long(half: Point) -> bool {
    half.x > half.y * 1.3 || half.y > half.x * 1.3
}

fn parts_of_level(places: &IdMap<Site, Place>, level: u32) -> Vec<Part> {
    let sites: Vec<Site> = places.iter().filter(|(_, place)| place.level == level).map(|(site, _)| site).collect();
    let nearby = Nearby::new(1.0, sites.iter().map(|&site| places[site].at).collect());
    let mut part_of: Vec<Option<usize>> = vec![None; sites.len()];
    let mut parts = Vec::new();
    for start in 0..sites.len() {
        if part_of[start].is_some() {
            continue;
        }
        let number = parts.len();
        part_of[start] = Some(number);
        let (mut members, mut reached) = (vec![start], 0);
        let mut stars: Vec<Vec<Point>> = Vec::new();
        while let Some(&member) = members.get(reached) {
            reached += 1;
            let at = places[sites[member]].at;
            let mut star = Vec::new();
            for (other, _) in nearby.within(at, REACH).into_iter().filter(|&(other, _)| other != member) {
                if places[sites[other]].on_board != places[sites[member]].on_board {
                    continue;
                }
                star.push(places[sites[other]].at - at);
                if part_of[other].is_none() {
                    part_of[other] = Some(number);
                    members.push(other);
                }
            }
            stars.push(star);
        }
        members.sort_unstable();
        let vectors = usual_vectors(&stars);
        let mut lattice = lattice_of(&vectors, &stars);
        if members.len() == 1 && places[sites[start]].on_board {
            lattice = Lattice::Free;
        }
        parts.push(Part { lattice, vectors, sites: members.into_iter().map(|member| sites[member]).collect(), level });
    }
    parts
}

fn like(one: Point, other: Point) -> bool {
    one.distance(other) < LIKE
}

/// The vectors that occur more than now and then, each with its opposite.
fn usual_vectors(stars: &[Vec<Point>]) -> Vec<Point> {
    let mut counted: Vec<(Point, usize)> = Vec::new();
    for &vector in stars.iter().flatten() {
        match counted.iter().position(|(known, _)| like(*known, vector)) {
            Some(known) => counted[known].1 += 1,
            // More kinds of vectors than this are no lattice.
            None if counted.len() < 40 => counted.push((vector, 1)),
            None => {}
        }
    }
    let all: usize = counted.iter().map(|(_, count)| count).sum();
    counted.retain(|(_, count)| count * 50 >= all);
    let mut vectors: Vec<Point> = counted.into_iter().map(|(vector, _)| vector).collect();
    for vector in vectors.clone() {
        if !vectors.iter().any(|other| like(*other, -vector)) {
            vectors.push(-vector);
        }
    }
    vectors
}

fn lattice_of(vectors: &[Point], stars: &[Vec<Point>]) -> Lattice {
    let upright = |vector: &Point| vector.x.abs() < LIKE || vector.y.abs() < LIKE;
    let aslant = |vector: &Point| (vector.x.abs() - vector.y.abs()).abs() < LIKE;
    let sixth = |one: Point, other: Point| (one.dot(other) / (one.length() * other.length()) - 0.5).abs() < 0.12;
    let opposite_all = vectors.iter().filter(|one| vectors.iter().any(|other| sixth(**one, *other))).count();
    if vectors.len() <= 4 && vectors.iter().all(upright) {
        return Lattice::Squares;
    }
    if vectors.len() <= 4 && vectors.iter().all(aslant) {
        return Lattice::Checkered;
    }
    if vectors.len() <= 6 && opposite_all == vectors.len() {
        let sixths = |star: &Vec<Point>| star.iter().any(|one| star.iter().any(|other| sixth(*one, *other)));
        let with_sixths = stars.iter().filter(|star| sixths(star)).count();
        return if with_sixths == 0 && stars.len() > 3 { Lattice::Triangles } else { Lattice::Hexagons };
    }
    Lattice::Free
}

/// What each site of a part covers.
pub(crate) fn cells(part: &Part, places: &IdMap<Site, Place>) -> BTreeMap<Site, Vec<Point>> {
    let half = |pick: fn(&Point) -> f64| {
        let steps = part.vectors.iter().map(pick).map(f64::abs).filter(|step| *step > LIKE);
        steps.fold(None, |least: Option<f64>, step| Some(least.map_or(step, |least| least.min(step))))
    };
    let (across, down) = (half(|vector| vector.x), half(|vector| vector.y));
    let across = across.or(down).unwrap_or(1.0) / 2.0;
    let rectangular = Point::new(across, down.map_or(across, |down| down / 2.0));
    let nearby = Nearby::new(1.0, part.sites.iter().map(|&site| places[site].at).collect());
    let cell = |site: Site| {
        let Place { at, half, on_board, .. } = places[site];
        match part.lattice {
            _ if !on_board => rectangle(at, Point::new(0.42, 0.42)),
            Lattice::Squares | Lattice::Checkered => rectangle(at, rectangular),
            Lattice::Hexagons => {
                part.vectors.iter().fold(rectangle(at, Point::new(1.5, 1.5)), |cell, vector| nearer(&cell, at, *vector))
            }
            Lattice::Triangles => {
                let near = nearby.within(at, REACH).into_iter().filter(|&(_, distance)| distance > 0.1);
                let own: Vec<Point> = near.map(|(other, _)| places[part.sites[other]].at - at).collect();
                let mine = |vector: &&Point| own.iter().all(|own| like(*own, **vector) || own.dot(**vector) < 0.0);
                part.vectors
                    .iter()
                    .filter(mine)
                    .fold(rectangle(at, Point::new(2.0, 2.0)), |cell, vector| nearer(&cell, at, *vector))
            }
            Lattice::Free => match nearby.within(at, 4.0).into_iter().find(|&(_, distance)| distance > 0.1) {
                Some((_, distance)) => round(at, distance.min(1.2) * 0.46),
                None if is_long(half) => rectangle(at, half),
                None => round(at, half.x.clamp(0.2, 2.0)),
            },
        }
    };
    part.sites.iter().map(|&site| (site, simplified(&cell(site)))).collect()
}

/// The part of a cell that is nearer to `at` than to the neighbour in this direction.
fn nearer(cell: &[Point], at: Point, vector: Point) -> Vec<Point> {
    clipped(cell, vector, vector.dot(at) + vector.dot(vector) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::area;

    fn board(points: impl IntoIterator<Item = (f64, f64)>) -> Places {
        let place = |(x, y)| Place { at: Point::new(x, y), half: Point::new(0.5, 0.5), level: 0, on_board: true };
        Places { places: points.into_iter().map(place).collect(), pyramid: false }
    }

    fn grid(vectors: [(f64, f64); 2], wanted: impl Fn(i32, i32) -> bool) -> Places {
        let [(a, b), (c, d)] = vectors;
        let cells = (0..6).flat_map(|x| (0..6).map(move |y| (x, y))).filter(|&(x, y)| wanted(x, y));
        board(cells.map(|(x, y)| (f64::from(x) * a + f64::from(y) * c, f64::from(x) * b + f64::from(y) * d)))
    }

    fn only(places: &Places) -> (Lattice, f64) {
        let parts = parts(places);
        assert_eq!(parts.len(), 1, "{parts:?}");
        let areas = cells(&parts[0], &places.places).values().map(|cell| area(cell)).collect();
        (parts[0].lattice, (crate::places::median(areas).unwrap() * 100.0).round())
    }

    #[test]
    fn rows_and_columns_are_squares() {
        assert_eq!(only(&grid([(1.0, 0.0), (0.0, 1.0)], |_, _| true)), (Lattice::Squares, 100.0));
    }

    #[test]
    fn every_other_square_is_a_square_still() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let dark = grid([(half, 0.0), (0.0, half)], |x, y| (x + y) % 2 == 0);
        assert_eq!(only(&dark), (Lattice::Checkered, 50.0));
    }

    #[test]
    fn slanting_rows_are_hexagons() {
        assert_eq!(only(&grid([(1.0, 0.0), (0.5, 0.866)], |_, _| true)), (Lattice::Hexagons, 87.0));
    }

    #[test]
    fn sites_with_three_neighbours_are_triangles() {
        // Centres of triangles: hexagons without their middle.
        let centres = grid([(0.866, 0.5), (0.0, 1.0)], |x, y| (x + 2 * y).rem_euclid(3) != 0 || x > 90);
        let honeycomb: Vec<(f64, f64)> = centres.places.values().map(|place| (place.at.x, place.at.y)).collect();
        let (lattice, area) = only(&board(honeycomb));
        assert_eq!(lattice, Lattice::Triangles);
        assert!((area - 130.0).abs() < 2.0, "{area}");
    }
}
