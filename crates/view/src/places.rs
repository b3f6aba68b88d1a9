//! Where the sites of a board lie: from the areas that rules give as hints; without them from the names of directions; and
//! without those from the links alone.
//!
//! The unit of length is the usual distance between neighbours.

mod drawn;

use dagaz_base::IdMap;
use dagaz_board::{Area, Site, Topology};

use crate::geometry::{Bounds, Point};
use crate::nearby::{Nearby, SAME};

/// Where one site lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// Its centre.
    pub(crate) at: Point,
    /// Half the width and half the height that the rules give it.
    pub(crate) half: Point,
    /// How many sites lie below it.
    pub(crate) level: u32,
    /// Whether it is a place of the board, and not only of the rules.
    pub(crate) on_board: bool,
}

/// Where all sites lie.
pub(crate) struct Places {
    /// By site.
    pub(crate) places: IdMap<Site, Place>,
    /// Whether levels are halves of a pyramid, on whose balls others lie, and not floors.
    pub(crate) pyramid: bool,
}

impl Places {
    /// The places of a board, where `moved` may say better for some sites, in the units of the areas.
    pub(crate) fn of(topology: &Topology, moved: impl Fn(Site) -> Option<Area>) -> Self {
        let area = |site| moved(site).or_else(|| topology.area(site)).filter(is_drawn);
        let given = topology.sites().filter(|&site| area(site).is_some()).count();
        if given * 2 < topology.site_count() || given == 0 {
            let points = drawn::points(topology);
            return Self::settled(&points.values().map(|&at| Some((at, Point::new(0.5, 0.5)))).collect());
        }
        Self::settled(&topology.sites().map(|site| area(site).map(|area| (centre(&area), half(&area)))).collect())
    }

    /// Brings the given rectangles (centre, half the size) to the unit, apart and into order.
    fn settled(given: &IdMap<Site, Option<(Point, Point)>>) -> Self {
        let known: Vec<(Site, Point, Point)> =
            given.iter().filter_map(|(site, place)| place.map(|(at, half)| (site, at, half))).collect();
        let levels = levels(&known);
        let mut places = IdMap::filled(
            given.len(),
            Place { at: Point::default(), half: Point::new(0.5, 0.5), level: 0, on_board: false },
        );
        for (&(site, at, half), &level) in known.iter().zip(&levels) {
            places[site] = Place { at, half, level, on_board: true };
        }
        let unit = unit(&places);
        for place in places.values_mut().filter(|place| place.on_board) {
            (place.at, place.half) = (place.at * (1.0 / unit), place.half * (1.0 / unit));
        }
        let mut settled = Self { places, pyramid: false };
        settled.pyramid = settled.is_pyramid();
        if !settled.pyramid {
            settled.lay_floors_side_by_side();
        }
        settled.line_up_the_others();
        settled
    }

    /// Whether the first sites that lie above others lie between them, and not straight above.
    fn is_pyramid(&self) -> bool {
        let of_level = |level| self.places.values().filter(move |place| place.on_board && place.level == level);
        let floor: Vec<Point> = of_level(0).map(|place| place.at).collect();
        let floor = Nearby::new(1.0, floor);
        let (mut straight, mut between) = (0, 0);
        for place in of_level(1) {
            match floor.within(place.at, SAME).is_empty() {
                true => between += 1,
                false => straight += 1,
            }
        }
        between > straight
    }

    fn lay_floors_side_by_side(&mut self) {
        let on_board = |place: &&Place| place.on_board;
        let Some(bounds) = Bounds::of(self.places.values().filter(on_board).map(|place| place.at)) else { return };
        let shift = bounds.size().x + 2.0;
        for place in self.places.values_mut() {
            place.at.x += shift * f64::from(place.level);
        }
    }

    /// Turns the board round: what was right is left, what was above is below.
    pub(crate) fn turn_round(&mut self) {
        let on_board = self.places.values().filter(|place| place.on_board).map(|place| place.at);
        let Some(bounds) = Bounds::of(on_board) else { return };
        for place in self.places.values_mut().filter(|place| place.on_board) {
            place.at = bounds.least + bounds.most - place.at;
        }
    }

    /// Sites without a place stand in rows below the board.
    fn line_up_the_others(&mut self) {
        let on_board = self.places.values().filter(|place| place.on_board).map(|place| place.at);
        let bounds = Bounds::of(on_board).unwrap_or(Bounds { least: Point::default(), most: Point::default() });
        let columns = (bounds.size().x + 1.0).floor().clamp(8.0, 64.0) as usize;
        let left_out = self.places.values_mut().filter(|place| !place.on_board);
        for (index, place) in left_out.enumerate() {
            let (row, column) = (index / columns, index % columns);
            place.at = Point::new(bounds.least.x + column as f64, bounds.most.y + 2.0 + row as f64);
        }
    }
}

/// Authors write zeros for sites that are nowhere in the picture.
fn is_drawn(area: &Area) -> bool {
    area.left < area.right && area.top < area.bottom
}

fn centre(area: &Area) -> Point {
    Point::new(f64::from(area.left) + f64::from(area.right), f64::from(area.top) + f64::from(area.bottom)) * 0.5
}

fn half(area: &Area) -> Point {
    Point::new(f64::from(area.right) - f64::from(area.left), f64::from(area.bottom) - f64::from(area.top)) * 0.5
}

/// The usual distance between neighbours of the ground floor.
fn unit(places: &IdMap<Site, Place>) -> f64 {
    let ground: Vec<&Place> = places.values().filter(|place| place.on_board && place.level == 0).collect();
    let side = median(ground.iter().map(|place| place.half.x.min(place.half.y) * 2.0).collect()).unwrap_or(1.0);
    let nearby = Nearby::new(side.max(1e-3), ground.iter().map(|place| place.at).collect());
    let nearest = (0..ground.len()).filter_map(|index| nearby.nearest(index)).collect();
    median(nearest).unwrap_or(side).max(1e-3)
}

pub(crate) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// The levels of rectangles (centre, half the size): each goes to the lowest where it covers no earlier one.
fn levels(known: &[(Site, Point, Point)]) -> Vec<u32> {
    /// More floors than this are no floors.
    const MOST: usize = 64;
    /// Rectangles cover each other when their centres are nearer than this part of their breadth.
    const COVERS: f64 = 0.75;
    let side = median(known.iter().map(|(_, _, half)| half.x.min(half.y) * 2.0).collect()).unwrap_or(1.0).max(1e-3);
    let nearby = Nearby::new(side, known.iter().map(|&(_, at, _)| at).collect());
    let mut levels: Vec<u32> = Vec::with_capacity(known.len());
    for (index, &(_, at, half)) in known.iter().enumerate() {
        let breadth = half.x.min(half.y) * 2.0;
        let covered = nearby.within(at, breadth * COVERS).into_iter().filter(|&(other, _)| other < index);
        let taken: Vec<u32> = covered.take(MOST).map(|(other, _)| levels[other]).collect();
        levels.push((0..).find(|level| !taken.contains(level)).expect("numbers never run out"));
    }
    levels
}
