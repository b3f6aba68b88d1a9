//! What is written at the border of a board: names of rows and columns, found from the names of sites.

use dagaz_board::{Site, Topology};

use crate::geometry::{Bounds, Point};
use crate::places::Places;
use crate::scene::Decor;

/// How large these letters are.
const SIZE: f64 = 0.36;

/// So many sites have names of rows and columns.
const MOST: usize = 1_000;

/// Lines of sites that share the beginning of their names, or the end, and what they share.
struct Family {
    /// The way that the lines go.
    along: Point,
    /// The sites of each line, and the part of the names.
    lines: Vec<(Vec<Site>, String)>,
    /// Whether it is the beginning.
    first: bool,
}

/// The names of lines, where every site is called by two of them; nothing where names are made otherwise.
pub(crate) fn labels(
    topology: &Topology,
    places: &Places,
    sites: &[Site],
    vectors: &[Point],
    straight: bool,
    away: f64,
) -> Vec<Decor> {
    // More than this nobody reads at a border, and pairs of lines are compared below.
    if sites.len() > MOST {
        return Vec::new();
    }
    let families: Vec<Family> =
        ways(vectors).into_iter().flat_map(|along| families(topology, places, sites, along)).collect();
    let part = |family: &Family, site: Site| {
        family.lines.iter().find(|(line, _)| line.contains(&site)).map(|(_, label)| label.clone()).unwrap_or_default()
    };
    let pairs = families.iter().flat_map(|one| families.iter().map(move |other| (one, other)));
    let fit = pairs.filter(|(one, other)| one.first && !other.first).find(|(one, other)| {
        sites.iter().all(|&site| topology.site_name(site) == part(one, site) + &part(other, site))
    });
    let Some((one, other)) = fit else { return Vec::new() };
    let bounds = Bounds::of(sites.iter().map(|&site| places.places[site].at));
    let Some(bounds) = bounds else { return Vec::new() };
    [one, other].into_iter().flat_map(|family| beside(family, places, bounds, straight, away)).collect()
}

/// The ways that vectors lead, each once: to the left or downward.
fn ways(vectors: &[Point]) -> Vec<Point> {
    let outward = |vector: &Point| {
        let is_outward = if vector.x.abs() > vector.y.abs() * 1.2 { vector.x < 0.0 } else { vector.y > 0.0 };
        if is_outward { *vector } else { -*vector }
    };
    let mut ways: Vec<Point> = Vec::new();
    for way in vectors.iter().map(outward) {
        if ways.iter().all(|other| other.cross(way).abs() > 0.2) {
            ways.push(way);
        }
    }
    ways
}

fn families(topology: &Topology, places: &Places, sites: &[Site], along: Point) -> Vec<Family> {
    let across = |site: Site| along.cross(places.places[site].at) / along.length();
    let mut sorted: Vec<Site> = sites.to_vec();
    sorted.sort_by(|&one, &other| across(one).total_cmp(&across(other)));
    let mut lines: Vec<Vec<Site>> = Vec::new();
    for site in sorted {
        match lines.last_mut() {
            Some(line) if (across(line[0]) - across(site)).abs() < 0.2 => line.push(site),
            _ => lines.push(vec![site]),
        }
    }
    let name = |site: &Site| topology.site_name(*site);
    // A line of one site does not tell which part of the name is meant: that follows from the other family.
    [true, false]
        .into_iter()
        .filter_map(|first| {
            let label = |line: &Vec<Site>| {
                let names: Vec<&str> = line.iter().map(name).collect();
                let shared = if first { common_start(&names) } else { common_end(&names) };
                match line.len() {
                    1 => alone(&shared, first),
                    _ => shared,
                }
            };
            let lines: Vec<(Vec<Site>, String)> = lines.iter().map(|line| (line.clone(), label(line))).collect();
            lines.iter().all(|(_, label)| !label.is_empty()).then_some(Family { along, lines, first })
        })
        .collect()
}

/// The letters, or the digits, at one end of a name.
fn alone(name: &str, first: bool) -> String {
    let like = |one: char, other: char| one.is_ascii_digit() == other.is_ascii_digit();
    match first {
        true => {
            let Some(start) = name.chars().next() else { return String::new() };
            name.chars().take_while(|&letter| like(letter, start)).collect()
        }
        false => {
            let Some(end) = name.chars().next_back() else { return String::new() };
            let reversed: Vec<char> = name.chars().rev().take_while(|&letter| like(letter, end)).collect();
            reversed.into_iter().rev().collect()
        }
    }
}

/// The label of each line beyond its end; all in one row or column where lines are straight.
fn beside(family: &Family, places: &Places, bounds: Bounds, straight: bool, away: f64) -> Vec<Decor> {
    let unit = family.along * (1.0 / family.along.length());
    let text = |(line, label): &(Vec<Site>, String)| {
        let ends = line.iter().map(|&site| places.places[site].at);
        let mut end = ends.fold(None, |end: Option<Point>, at| match end {
            Some(end) if unit.dot(end) >= unit.dot(at) => Some(end),
            _ => Some(at),
        })?;
        if straight && unit.x < -0.9 {
            end.x = bounds.least.x;
        } else if straight && unit.y > 0.9 {
            end.y = bounds.most.y;
        }
        Some(Decor::Text { at: end + unit * away, text: label.clone(), size: SIZE, paint: "text".to_owned() })
    };
    family.lines.iter().filter_map(text).collect()
}

pub(crate) fn common_start(names: &[&str]) -> String {
    let Some((first, rest)) = names.split_first() else { return String::new() };
    let shared = |(index, letter): &(usize, char)| rest.iter().all(|name| name.chars().nth(*index) == Some(*letter));
    first.chars().enumerate().take_while(shared).map(|(_, letter)| letter).collect()
}

pub(crate) fn common_end(names: &[&str]) -> String {
    let reversed: Vec<String> = names.iter().map(|name| name.chars().rev().collect()).collect();
    let reversed: Vec<&str> = reversed.iter().map(String::as_str).collect();
    common_start(&reversed).chars().rev().collect()
}
