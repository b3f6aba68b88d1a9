//! Outlines in the words of SVG paths: `M`, `L`, `Q`, `C` and `Z` with absolute coordinates.

use crate::geometry::{Bounds, Point, rounded};

/// A part of an outline: a command and its points.
#[derive(Clone, Debug, PartialEq)]
struct Segment {
    command: char,
    points: Vec<Point>,
}

/// An outline.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Path {
    segments: Vec<Segment>,
}

impl Path {
    /// Reads commands and numbers; what is neither is passed over.
    pub(crate) fn parse(text: &str) -> Self {
        let mut segments: Vec<Segment> = Vec::new();
        let mut numbers: Vec<f64> = Vec::new();
        let mut rest = text;
        let finish = |segments: &mut Vec<Segment>, numbers: &mut Vec<f64>| {
            if let Some(last) = segments.last_mut() {
                last.points = numbers.chunks_exact(2).map(|pair| Point::new(pair[0], pair[1])).collect();
            }
            numbers.clear();
        };
        while let Some(first) = rest.chars().next() {
            if first.is_ascii_alphabetic() {
                finish(&mut segments, &mut numbers);
                segments.push(Segment { command: first, points: Vec::new() });
                rest = &rest[1..];
            } else if first == '-' || first.is_ascii_digit() {
                let inside = |(index, letter): &(usize, char)| {
                    letter.is_ascii_digit() || *letter == '.' || (*index == 0 && *letter == '-')
                };
                let length = rest.char_indices().take_while(inside).count();
                numbers.push(rest[..length].parse().unwrap_or(0.0));
                rest = &rest[length..];
            } else {
                rest = &rest[first.len_utf8()..];
            }
        }
        finish(&mut segments, &mut numbers);
        Self { segments }
    }

    /// A closed polygon.
    pub(crate) fn polygon(corners: impl IntoIterator<Item = Point>) -> Self {
        let mut path = Self::line(corners);
        path.segments.push(Segment { command: 'Z', points: Vec::new() });
        path
    }

    /// An open line through these points.
    pub(crate) fn line(points: impl IntoIterator<Item = Point>) -> Self {
        let segment = |(index, point)| Segment { command: if index == 0 { 'M' } else { 'L' }, points: vec![point] };
        Self { segments: points.into_iter().enumerate().map(segment).collect() }
    }

    /// A circle: four curves, nearer to it than a hair's breadth.
    pub(crate) fn circle(centre: Point, radius: f64) -> Self {
        Self::ellipse(centre, Point::new(radius, radius))
    }

    /// An upright ellipse.
    pub(crate) fn ellipse(centre: Point, radii: Point) -> Self {
        const K: f64 = 0.552_285;
        let at = |x: f64, y: f64| centre + Point::new(x * radii.x, y * radii.y);
        let curve = |points: [(f64, f64); 3]| Segment { command: 'C', points: points.map(|(x, y)| at(x, y)).to_vec() };
        Self {
            segments: vec![
                Segment { command: 'M', points: vec![at(0.0, -1.0)] },
                curve([(K, -1.0), (1.0, -K), (1.0, 0.0)]),
                curve([(1.0, K), (K, 1.0), (0.0, 1.0)]),
                curve([(-K, 1.0), (-1.0, K), (-1.0, 0.0)]),
                curve([(-1.0, -K), (-K, -1.0), (0.0, -1.0)]),
                Segment { command: 'Z', points: Vec::new() },
            ],
        }
    }

    /// Three quarters of a circle from one point to another, the long way round.
    pub(crate) fn three_quarters(centre: Point, from: Point, to: Point) -> Self {
        const K: f64 = 0.552_285;
        let sense = if (from - centre).cross(to - centre) > 0.0 { -1.0 } else { 1.0 };
        let turned = |vector: Point| Point::new(-vector.y, vector.x) * sense;
        let mut radius = from - centre;
        let mut segments = vec![Segment { command: 'M', points: vec![from] }];
        for _ in 0..3 {
            let next = turned(radius);
            let points = vec![centre + radius + next * K, centre + next + radius * K, centre + next];
            segments.push(Segment { command: 'C', points });
            radius = next;
        }
        Self { segments }
    }

    /// An upright rectangle with round corners.
    pub(crate) fn rounded(centre: Point, half: Point, radius: f64) -> Self {
        let radius = radius.min(half.x).min(half.y);
        let at = |x: f64, y: f64| centre + Point::new(x, y);
        let (x, y, k) = (half.x, half.y, radius * 0.447_715);
        let to = |x, y| Segment { command: 'L', points: vec![at(x, y)] };
        let curve = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| Segment {
            command: 'C',
            points: [a, b, c].map(|(x, y)| at(x, y)).to_vec(),
        };
        Self {
            segments: vec![
                Segment { command: 'M', points: vec![at(radius - x, -y)] },
                to(x - radius, -y),
                curve((x - k, -y), (x, k - y), (x, radius - y)),
                to(x, y - radius),
                curve((x, y - k), (x - k, y), (x - radius, y)),
                to(radius - x, y),
                curve((k - x, y), (-x, y - k), (-x, y - radius)),
                to(-x, radius - y),
                curve((-x, k - y), (k - x, -y), (radius - x, -y)),
                Segment { command: 'Z', points: Vec::new() },
            ],
        }
    }

    /// This and what follows.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.segments.extend(other.segments);
        self
    }

    /// Every point scaled, then moved.
    pub(crate) fn mapped(&self, scale: f64, by: Point) -> Self {
        let map = |segment: &Segment| Segment {
            command: segment.command,
            points: segment.points.iter().map(|&point| point * scale + by).collect(),
        };
        Self { segments: self.segments.iter().map(map).collect() }
    }

    /// The box that the outline lies in: of curves a few points are looked at.
    pub(crate) fn bounds(&self) -> Option<Bounds> {
        Bounds::of(Self::touched(&self.segments))
    }

    fn touched(segments: &[Segment]) -> Vec<Point> {
        const PARTS: u32 = 8;
        let mut touched: Vec<Point> = Vec::new();
        let mut from = Point::default();
        for Segment { points, .. } in segments {
            for part in 1..=PARTS {
                let t = f64::from(part) / f64::from(PARTS);
                let u = 1.0 - t;
                match points[..] {
                    [bend, to] => touched.push(from * (u * u) + bend * (2.0 * u * t) + to * (t * t)),
                    [first, second, to] => touched.push(
                        from * (u * u * u) + first * (3.0 * u * u * t) + second * (3.0 * u * t * t) + to * (t * t * t),
                    ),
                    [to] if part == PARTS => touched.push(to),
                    _ => {}
                }
            }
            from = points.last().copied().unwrap_or(from);
        }
        touched
    }

    /// Fits the outline into a box of this size around the middle.
    pub(crate) fn fitted(&self, size: Point) -> Self {
        let Some(bounds) = self.bounds() else { return self.clone() };
        let own = bounds.size();
        let scale = (size.x / own.x.max(1e-9)).min(size.y / own.y.max(1e-9));
        self.mapped(scale, -(bounds.centre() * scale))
    }

    /// Only the closed lines that no other one of it encloses: the silhouette of a character.
    pub(crate) fn silhouette(&self) -> Self {
        let mut lines: Vec<Vec<Segment>> = Vec::new();
        for segment in &self.segments {
            if segment.command == 'M' || lines.is_empty() {
                lines.push(Vec::new());
            }
            lines.last_mut().expect("one was just begun").push(segment.clone());
        }
        let bounds: Vec<Option<Bounds>> = lines.iter().map(|line| Bounds::of(Self::touched(line))).collect();
        let inside = |inner: usize| {
            let Some(box_) = bounds[inner] else { return true };
            bounds.iter().enumerate().any(|(outer, other)| {
                other.is_some_and(|other| {
                    outer != inner
                        && other.least.x < box_.least.x
                        && other.least.y < box_.least.y
                        && other.most.x > box_.most.x
                        && other.most.y > box_.most.y
                })
            })
        };
        let kept = (0..lines.len()).filter(|&line| !inside(line));
        Self { segments: kept.flat_map(|line| lines[line].clone()).collect() }
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for Segment { command, points } in &self.segments {
            write!(f, "{command}")?;
            for (index, point) in points.iter().enumerate() {
                let separator = if index == 0 { "" } else { " " };
                write!(f, "{separator}{},{}", rounded(point.x), rounded(point.y))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_as_it_is_written() {
        let text = "M0,-1L2.5,3Q1,2 3,4Z";
        assert_eq!(Path::parse(text).to_string(), text);
        assert_eq!(Path::parse("M-3-4L5-6 zz é"), Path::parse("M-3 -4 L5,-6 z z"));
    }

    #[test]
    fn the_silhouette_of_a_ring_is_a_disc() {
        let disc = Path::circle(Point::default(), 2.0);
        let ring = disc.clone().and(Path::circle(Point::default(), 1.0));
        assert_eq!(ring.silhouette(), disc);
    }
}
