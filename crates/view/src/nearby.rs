//! Points by where they lie, so that neighbours are found without looking at all of them.

use std::collections::BTreeMap;

use crate::geometry::Point;

/// Numbered points in square boxes.
pub(crate) struct Nearby {
    side: f64,
    boxes: BTreeMap<(i64, i64), Vec<usize>>,
    points: Vec<Point>,
}

impl Nearby {
    /// Points in boxes of about the usual distance between them.
    pub(crate) fn new(side: f64, points: Vec<Point>) -> Self {
        let mut boxes = BTreeMap::<_, Vec<usize>>::new();
        for (index, &point) in points.iter().enumerate() {
            let members = boxes.entry(box_of(point, side)).or_default();
            if members.len() < CROWD {
                members.push(index);
            }
        }
        Self { side, boxes, points }
    }

    /// The points that are no further than `radius` from `point`, nearest first, with their distances.
    pub(crate) fn within(&self, point: Point, radius: f64) -> Vec<(usize, f64)> {
        let ((left, top), (right, bottom)) = (
            box_of(point - Point::new(radius, radius), self.side),
            box_of(point + Point::new(radius, radius), self.side),
        );
        let columns = (left..=right).flat_map(|x| self.boxes.range((x, top)..=(x, bottom)));
        let candidates = columns.flat_map(|(_, members)| members.iter().copied());
        let mut found: Vec<(usize, f64)> =
            candidates.map(|index| (index, self.points[index].distance(point))).collect();
        found.retain(|&(_, distance)| distance <= radius);
        found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        found
    }

    /// How far the nearest other point is that does not lie in the same place.
    pub(crate) fn nearest(&self, index: usize) -> Option<f64> {
        let apart = |&(_, distance): &(usize, f64)| distance > self.side * SAME;
        let rings = [1.0, 2.0, 4.0, 8.0, 16.0];
        rings.iter().find_map(|ring| {
            let near = self.within(self.points[index], self.side * ring);
            near.into_iter().find(apart).map(|(_, distance)| distance)
        })
    }
}

/// No more points of one box are anybody's neighbours: a file of a stranger may put all of its sites in one place.
const CROWD: usize = 200;

/// Points that are nearer than this part of the usual distance lie in one place.
pub(crate) const SAME: f64 = 0.2;

fn box_of(point: Point, side: f64) -> (i64, i64) {
    ((point.x / side).floor() as i64, (point.y / side).floor() as i64)
}
