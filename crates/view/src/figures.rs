//! The shapes that pieces are made of: our own, and characters.

use crate::geometry::{Point, rectangle};
use crate::glyphs::{can_write, glyph, text_path};
use crate::paint::{Paints, luminance};
use crate::path::Path;
use crate::scene::Layer;

/// A part of a look, as a view file says it.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Which shape.
    pub shape: Shape,
    /// How large it is, 1 being usual.
    pub size: f64,
    /// What it is painted with instead of the owner's colour.
    pub paint: Option<String>,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Its name is one of the list.
    Named(&'static str),
    /// A piece whose character, hollow and solid, is one of the list.
    Symbol(char, char),
    /// Letters.
    Text(String),
    /// The letters of the kind.
    Letter,
}

impl Figure {
    /// The shape of this name, as it is.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let shape = NAMES.iter().find(|known| **known == name).map(|name| Shape::Named(name));
        let symbol = || {
            SYMBOLS.iter().find(|(known, ..)| *known == name).map(|&(_, hollow, solid)| Shape::Symbol(hollow, solid))
        };
        let letter = || (name == "letter").then_some(Shape::Letter);
        shape.or_else(symbol).or_else(letter).map(Self::of)
    }

    pub(crate) fn of(shape: Shape) -> Self {
        Self { shape, size: 1.0, paint: None }
    }

    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::of(Shape::Text(text.into()))
    }
}

/// Shapes that are drawn here.
pub(crate) const NAMES: &[&str] = &[
    "disc", "crowned", "ring", "ball", "square", "tile", "block", "octagon", "triangle", "pyramid", "diamond", "wedge",
    "cone", "cross", "nought", "dot", "star", "arrow", "hole", "person", "ghost", "box", "rosette",
];

/// Shapes that are characters: the name, the hollow character, the solid one.
pub(crate) const SYMBOLS: &[(&str, char, char)] = &[
    ("king", '♔', '♚'),
    ("queen", '♕', '♛'),
    ("rook", '♖', '♜'),
    ("bishop", '♗', '♝'),
    ("knight", '♘', '♞'),
    ("pawn", '♙', '♟'),
    ("queen-knight", '🩎', '🩑'),
    ("rook-knight", '🩏', '🩒'),
    ("bishop-knight", '🩐', '🩓'),
];

/// How broad outlines are.
const EDGE: f64 = 0.028;

/// What is drawn of a figure, with the colour that its owner's paint has.
pub(crate) fn layers(figure: &Figure, paints: &Paints, colour: &str) -> Vec<Layer> {
    let own = figure.paint.clone().unwrap_or_else(|| paints.fill.clone());
    let solid = |path: &Path| Layer {
        path: path.mapped(figure.size, Point::default()).to_string(),
        fill: Some(own.clone()),
        stroke: Some(paints.edge.clone()),
        width: EDGE,
    };
    let inked = |path: &Path| Layer {
        path: path.mapped(figure.size, Point::default()).to_string(),
        fill: None,
        stroke: Some(figure.paint.clone().unwrap_or_else(|| paints.ink.clone())),
        width: EDGE,
    };
    let filled = |path: &Path, paint: &str| Layer {
        path: path.mapped(figure.size, Point::default()).to_string(),
        fill: Some(paint.to_owned()),
        stroke: None,
        width: 0.0,
    };
    let middle = Point::default();
    let corners = |points: &[(f64, f64)]| Path::polygon(points.iter().map(|&(x, y)| Point::new(x, y)));
    match &figure.shape {
        Shape::Symbol(hollow, full) => {
            let [hollow, full] = [hollow, full].map(|letter| glyph(*letter).map(|glyph| glyph.path.clone()));
            let (Some(hollow), full) = (hollow, full) else { return Vec::new() };
            // Pawns are lower than kings: characters keep their sizes, and stand on one line.
            let height = hollow.bounds().map_or(1.0, |bounds| bounds.size().y);
            let scale = (0.84 / height.max(0.1)).min(0.92);
            let placed = |path: &Path| path.mapped(scale, Point::new(-scale * centre_of(path), 0.33));
            let full = placed(full.as_ref().unwrap_or(&hollow));
            let silhouette = full.silhouette();
            match luminance(colour) > 0.3 && figure.paint.is_none() {
                true => vec![filled(&placed(&hollow).silhouette(), &own), filled(&placed(&hollow), &paints.ink)],
                false => vec![
                    Layer { stroke: Some(paints.ink.clone()), width: 0.03, ..filled(&silhouette, &paints.ink) },
                    filled(&full, &own),
                ],
            }
        }
        // Whoever knows the kind has put its letters here.
        Shape::Letter => Vec::new(),
        Shape::Text(text) if !can_write(text) => Vec::new(),
        Shape::Text(text) => {
            let box_ = if text.chars().count() > 1 { Point::new(0.56, 0.34) } else { Point::new(0.5, 0.42) };
            let path = text_path(text).fitted(box_);
            vec![filled(&path, figure.paint.as_deref().unwrap_or(&paints.ink))]
        }
        Shape::Named(name) => match *name {
            "disc" => vec![solid(&Path::circle(middle, 0.4)), ring_on(&paints.ink, figure.size * 0.31)],
            "crowned" => vec![
                solid(&Path::circle(Point::new(0.0, 0.05), 0.39)),
                solid(&Path::circle(Point::new(0.0, -0.05), 0.39)),
                filled(&crown(), &paints.ink),
            ],
            "ring" => vec![
                Layer {
                    stroke: Some(paints.edge.clone()),
                    width: 0.19 * figure.size,
                    ..inked(&Path::circle(middle, 0.32))
                },
                Layer { stroke: Some(own), width: 0.13 * figure.size, ..inked(&Path::circle(middle, 0.32)) },
            ],
            "ball" => vec![
                solid(&Path::circle(middle, 0.43)),
                filled(
                    &Path::ellipse(Point::new(-0.13, -0.17), Point::new(0.11, 0.08)),
                    if luminance(colour) > 0.3 { "#ffffff" } else { "#8d8781" },
                ),
            ],
            "square" => vec![solid(&Path::rounded(middle, Point::new(0.36, 0.36), 0.04))],
            "tile" => vec![solid(&Path::rounded(middle, Point::new(0.46, 0.46), 0.06))],
            "block" => vec![
                solid(&Path::rounded(middle, Point::new(0.49, 0.49), 0.02)),
                inked(&Path::line([(-0.49, 0.0), (0.49, 0.0)].map(|(x, y)| Point::new(x, y)))),
                inked(&Path::line([(0.0, -0.49), (0.0, 0.0)].map(|(x, y)| Point::new(x, y)))),
                inked(&Path::line([(-0.25, 0.0), (-0.25, 0.49)].map(|(x, y)| Point::new(x, y)))),
                inked(&Path::line([(0.25, 0.0), (0.25, 0.49)].map(|(x, y)| Point::new(x, y)))),
            ],
            "octagon" => vec![solid(&corners(&[
                (-0.17, -0.41),
                (0.17, -0.41),
                (0.41, -0.17),
                (0.41, 0.17),
                (0.17, 0.41),
                (-0.17, 0.41),
                (-0.41, 0.17),
                (-0.41, -0.17),
            ]))],
            "triangle" => vec![solid(&corners(&[(0.0, -0.42), (0.44, 0.36), (-0.44, 0.36)]))],
            "pyramid" => vec![
                solid(&Path::polygon(rectangle(middle, Point::new(0.4, 0.4)))),
                inked(&Path::line([(-0.4, -0.4), (0.4, 0.4)].map(|(x, y)| Point::new(x, y)))),
                inked(&Path::line([(-0.4, 0.4), (0.4, -0.4)].map(|(x, y)| Point::new(x, y)))),
            ],
            "diamond" => vec![solid(&corners(&[(0.0, -0.45), (0.45, 0.0), (0.0, 0.45), (-0.45, 0.0)]))],
            "wedge" => vec![solid(&corners(&[(0.0, -0.45), (0.3, -0.3), (0.38, 0.42), (-0.38, 0.42), (-0.3, -0.3)]))],
            "cone" => vec![solid(
                &corners(&[(0.0, -0.44), (0.34, 0.36), (-0.34, 0.36)])
                    .and(Path::ellipse(Point::new(0.0, 0.36), Point::new(0.34, 0.08))),
            )],
            "cross" => vec![
                crossed(&paints.edge, 0.19 * figure.size, figure.size),
                crossed(&own, 0.13 * figure.size, figure.size * 0.985),
            ],
            "nought" => vec![
                Layer {
                    stroke: Some(paints.edge.clone()),
                    width: 0.19 * figure.size,
                    ..inked(&Path::circle(middle, 0.29))
                },
                Layer { stroke: Some(own), width: 0.13 * figure.size, ..inked(&Path::circle(middle, 0.29)) },
            ],
            "dot" => vec![solid(&Path::circle(middle, 0.17))],
            "hole" => vec![filled(&Path::circle(middle, 0.2), figure.paint.as_deref().unwrap_or("line"))],
            "star" => vec![solid(&corners(&[
                (0.0, -0.45),
                (0.12, -0.14),
                (0.44, -0.14),
                (0.18, 0.06),
                (0.28, 0.38),
                (0.0, 0.19),
                (-0.28, 0.38),
                (-0.18, 0.06),
                (-0.44, -0.14),
                (-0.12, -0.14),
            ]))],
            "arrow" => vec![
                filled(&Path::circle(middle, 0.3), &paints.edge),
                filled(
                    &corners(&[
                        (0.0, -0.24),
                        (0.16, 0.0),
                        (0.06, 0.0),
                        (0.06, 0.22),
                        (-0.06, 0.22),
                        (-0.06, 0.0),
                        (-0.16, 0.0),
                    ]),
                    &own,
                ),
            ],
            "person" => vec![
                solid(&Path::rounded(Point::new(0.0, 0.22), Point::new(0.25, 0.2), 0.16)),
                solid(&Path::circle(Point::new(0.0, -0.17), 0.2)),
            ],
            "ghost" => vec![
                solid(&Path::parse(
                    "M-0.28,0.4C-0.28,0.1 -0.34,-0.42 0,-0.42C0.34,-0.42 0.28,0.1 0.28,0.4L0.14,0.3L0,0.4L-0.14,0.3Z",
                )),
                filled(
                    &Path::circle(Point::new(-0.1, -0.14), 0.045).and(Path::circle(Point::new(0.1, -0.14), 0.045)),
                    &paints.ink,
                ),
            ],
            "box" => vec![
                solid(&Path::rounded(middle, Point::new(0.4, 0.4), 0.04)),
                inked(&Path::polygon(rectangle(middle, Point::new(0.29, 0.29)))),
                inked(&Path::line([(-0.29, -0.29), (0.29, 0.29)].map(|(x, y)| Point::new(x, y)))),
            ],
            "rosette" => {
                let petals = [
                    (0.0, -0.2),
                    (0.14, -0.14),
                    (0.2, 0.0),
                    (0.14, 0.14),
                    (0.0, 0.2),
                    (-0.14, 0.14),
                    (-0.2, 0.0),
                    (-0.14, -0.14),
                ];
                let petal = |&(x, y): &(f64, f64)| Path::circle(Point::new(x, y) * 1.25, 0.095);
                let flower = petals.iter().map(petal).fold(Path::circle(middle, 0.08), Path::and);
                vec![filled(&flower, figure.paint.as_deref().unwrap_or("line"))]
            }
            _ => Vec::new(),
        },
    }
}

/// A thin ring on a disc.
fn ring_on(paint: &str, radius: f64) -> Layer {
    Layer {
        path: Path::circle(Point::default(), radius).to_string(),
        fill: None,
        stroke: Some(paint.to_owned()),
        width: 0.012,
    }
}

fn crossed(paint: &str, width: f64, size: f64) -> Layer {
    let line = |points: [(f64, f64); 2]| Path::line(points.map(|(x, y)| Point::new(x, y) * size));
    let path = line([(-0.28, -0.28), (0.28, 0.28)]).and(line([(-0.28, 0.28), (0.28, -0.28)]));
    Layer { path: path.to_string(), fill: None, stroke: Some(paint.to_owned()), width }
}

fn crown() -> Path {
    Path::polygon(
        [(-0.2, 0.1), (-0.24, -0.2), (-0.1, -0.06), (0.0, -0.24), (0.1, -0.06), (0.24, -0.2), (0.2, 0.1)]
            .map(|(x, y)| Point::new(x, y)),
    )
}

fn centre_of(path: &Path) -> f64 {
    path.bounds().map_or(0.0, |bounds| bounds.centre().x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_drawn_and_stays_in_its_box() {
        let paints = Paints { fill: "own".into(), edge: "edge".into(), ink: "ink".into() };
        let symbols = SYMBOLS.iter().map(|(name, ..)| *name);
        for name in NAMES.iter().copied().chain(symbols) {
            let figure = Figure::named(name).expect("a name of the list");
            for colour in ["#ffffff", "#000000"] {
                let layers = layers(&figure, &paints, colour);
                assert!(!layers.is_empty(), "{name}");
                for layer in layers {
                    let bounds =
                        Path::parse(&layer.path).bounds().expect("a path with points").wider(layer.width / 2.0);
                    let inside = bounds.least.x >= -0.56
                        && bounds.most.x <= 0.56
                        && bounds.least.y >= -0.56
                        && bounds.most.y <= 0.56;
                    assert!(inside, "{name}: {bounds:?}");
                }
            }
        }
    }
}
