//! Points and polygons of the plane. x goes right, y goes down.
//!
//! Only arithmetic that every platform rounds alike, square roots included and sines not: a scene is the same everywhere.

use serde::Serialize;

/// A place, or a vector from one place to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Serialize for Point {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (rounded(self.x), rounded(self.y)).serialize(serializer)
    }
}

/// Three decimals are more than any screen shows.
pub(crate) fn rounded(number: f64) -> f64 {
    // Adding 0 makes -0 an ordinary 0.
    (number * 1000.0).round() / 1000.0 + 0.0
}

impl Point {
    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub(crate) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    pub(crate) fn distance(self, other: Self) -> f64 {
        (self - other).length()
    }

    pub(crate) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Twice the area of the triangle that the two vectors span, positive when the other lies clockwise on the screen.
    pub(crate) fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    pub(crate) fn middle(self, other: Self) -> Self {
        (self + other) * 0.5
    }
}

impl std::ops::Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl std::ops::Sub for Point {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl std::ops::Neg for Point {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl std::ops::Mul<f64> for Point {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

/// The smallest upright rectangle around something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// The corner at the top left.
    pub least: Point,
    /// The corner at the bottom right.
    pub most: Point,
}

impl Bounds {
    /// Around points; nothing without any.
    pub(crate) fn of(points: impl IntoIterator<Item = Point>) -> Option<Self> {
        points.into_iter().fold(None, |bounds: Option<Self>, point| {
            let so_far = bounds.unwrap_or(Self { least: point, most: point });
            Some(so_far.with(Self { least: point, most: point }))
        })
    }

    /// Around both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            least: Point::new(self.least.x.min(other.least.x), self.least.y.min(other.least.y)),
            most: Point::new(self.most.x.max(other.most.x), self.most.y.max(other.most.y)),
        }
    }

    pub(crate) fn wider(self, by: f64) -> Self {
        Self { least: self.least - Point::new(by, by), most: self.most + Point::new(by, by) }
    }

    pub(crate) fn size(self) -> Point {
        self.most - self.least
    }

    pub(crate) fn centre(self) -> Point {
        self.least.middle(self.most)
    }
}

/// An upright rectangle around a point, clockwise from the top left.
pub(crate) fn rectangle(centre: Point, half: Point) -> Vec<Point> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, y)| centre + Point::new(x * half.x, y * half.y))
        .to_vec()
}

/// The part of a convex polygon that is no further along `normal` than `limit`.
pub(crate) fn clipped(polygon: &[Point], normal: Point, limit: f64) -> Vec<Point> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (index, &from) in polygon.iter().enumerate() {
        let to = polygon[(index + 1) % polygon.len()];
        let (before, after) = (normal.dot(from) - limit, normal.dot(to) - limit);
        if before <= 0.0 {
            kept.push(from);
        }
        if (before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0) {
            kept.push(from + (to - from) * (before / (before - after)));
        }
    }
    kept
}

/// A polygon without corners that lie in each other's place or in the middle of a side.
pub(crate) fn simplified(polygon: &[Point]) -> Vec<Point> {
    const LEAST: f64 = 1e-4;
    let mut corners: Vec<Point> = Vec::new();
    for &point in polygon {
        if corners.last().is_none_or(|last| last.distance(point) > LEAST) {
            corners.push(point);
        }
    }
    while corners.len() > 1 && corners[0].distance(corners[corners.len() - 1]) <= LEAST {
        corners.pop();
    }
    let count = corners.len();
    let turns = |index: &usize| {
        let (before, here, after) =
            (corners[(index + count - 1) % count], corners[*index], corners[(index + 1) % count]);
        (here - before).cross(after - here).abs() > LEAST
    };
    (0..count).filter(turns).map(|index| corners[index]).collect()
}

/// The area of a polygon whose corners go round in either sense.
pub(crate) fn area(polygon: &[Point]) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    polygon.iter().zip(next).map(|(&from, &to)| from.cross(to)).sum::<f64>().abs() / 2.0
}

/// The part of one convex polygon that lies in another, whose corners go round clockwise.
pub(crate) fn common(one: &[Point], other: &[Point]) -> Vec<Point> {
    let sides = other.iter().zip(other.iter().cycle().skip(1));
    sides.fold(one.to_vec(), |rest, (&from, &to)| {
        let outward = Point::new((to - from).y, -(to - from).x);
        clipped(&rest, outward, outward.dot(from))
    })
}

/// Sixteen corners on a circle of radius 1, clockwise from the top: no sines, so no differences between platforms.
pub(crate) fn round(centre: Point, radius: f64) -> Vec<Point> {
    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const EIGHTH: [(f64, f64); 4] = [(0.0, -1.0), (0.382_683, -0.923_880), (HALF, -HALF), (0.923_880, -0.382_683)];
    let quarter = |turns: u32, (x, y): (f64, f64)| match turns {
        0 => (x, y),
        1 => (-y, x),
        2 => (-x, -y),
        _ => (y, -x),
    };
    let corners = (0..4).flat_map(|turns| EIGHTH.map(|corner| quarter(turns, corner)));
    corners.map(|(x, y)| centre + Point::new(x, y) * radius).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_cut_by_its_diagonal_is_half_a_square() {
        let square = rectangle(Point::default(), Point::new(1.0, 1.0));
        let half = clipped(&square, Point::new(1.0, 1.0), 0.0);
        assert!((area(&half) - 2.0).abs() < 1e-9);
        assert_eq!(simplified(&half).len(), 3);
    }

    #[test]
    fn what_two_squares_have_in_common_is_their_overlap() {
        let square = |x| rectangle(Point::new(x, 0.0), Point::new(0.5, 0.5));
        assert!((area(&common(&square(0.0), &square(0.25))) - 0.75).abs() < 1e-9);
        assert!(area(&common(&square(0.0), &square(1.0))) < 1e-9);
    }

    #[test]
    fn a_circle_has_nearly_its_area() {
        let area = area(&round(Point::default(), 1.0));
        assert!((3.0..3.15).contains(&area), "{area}");
    }
}
