//! The board as a graph.

use dagaz_base::{Id, IdMap, id_type};

id_type!(
    /// A place where a piece may stand.
    Site
);
id_type!(
    /// A named kind of arc between sites.
    Direction
);
id_type!(
    /// A named set of sites, which may differ from player to player.
    Zone
);

/// Where a site is drawn: a rectangle in pixels, origin at the top left, right and bottom exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Left edge.
    pub left: i32,
    /// Top edge.
    pub top: i32,
    /// Right edge.
    pub right: i32,
    /// Bottom edge.
    pub bottom: i32,
}

/// One site's name and picture.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    name: String,
    area: Option<Area>,
}

/// Sites, directions, and for each direction at most one arc out of each site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    places: IdMap<Site, Place>,
    directions: IdMap<Direction, String>,
    links: IdMap<Direction, Vec<Option<Site>>>,
}

impl Topology {
    /// A board without sites.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a site. Names are the caller's to keep apart.
    pub fn add_site(&mut self, name: impl Into<String>, area: Option<Area>) -> Site {
        for links in self.links.values_mut() {
            links.push(None);
        }
        self.places.push(Place { name: name.into(), area })
    }

    /// Adds a direction that links nothing yet.
    pub fn add_direction(&mut self, name: impl Into<String>) -> Direction {
        self.links.push(vec![None; self.places.len()]);
        self.directions.push(name.into())
    }

    /// Sets or removes the arc out of `from` in `direction`.
    pub fn link(&mut self, direction: Direction, from: Site, to: Option<Site>) {
        self.links[direction][from.index()] = to;
    }

    /// The site that `direction` leads to from `from`, if any.
    pub fn step(&self, direction: Direction, from: Site) -> Option<Site> {
        self.links[direction][from.index()]
    }

    /// How many sites there are.
    pub fn site_count(&self) -> usize {
        self.places.len()
    }

    /// All sites in order.
    pub fn sites(&self) -> impl DoubleEndedIterator<Item = Site> + ExactSizeIterator + use<> {
        self.places.ids()
    }

    /// All directions in order.
    pub fn directions(&self) -> impl DoubleEndedIterator<Item = Direction> + ExactSizeIterator + use<> {
        self.directions.ids()
    }

    /// A site's name.
    pub fn site_name(&self, site: Site) -> &str {
        &self.places[site].name
    }

    /// Where a site is drawn, if the rules say so.
    pub fn area(&self, site: Site) -> Option<Area> {
        self.places[site].area
    }

    /// A direction's name.
    pub fn direction_name(&self, direction: Direction) -> &str {
        &self.directions[direction]
    }

    /// The site of this name.
    pub fn site(&self, name: &str) -> Option<Site> {
        self.places.position(|place| place.name == name)
    }

    /// The direction of this name.
    pub fn direction(&self, name: &str) -> Option<Direction> {
        self.directions.position(|other| other == name)
    }

    /// For each direction the one that undoes it: the direction that reverses most of its arcs, and reverses more than
    /// it contradicts. Of several the first in order of definition.
    pub fn opposites(&self) -> IdMap<Direction, Option<Direction>> {
        self.directions().map(|direction| self.opposite(direction)).collect()
    }

    fn opposite(&self, direction: Direction) -> Option<Direction> {
        let mut best: Option<(usize, Direction)> = None;
        for candidate in self.directions() {
            let (mut reversed, mut contradicted) = (0, 0);
            for from in self.sites() {
                let Some(to) = self.step(direction, from) else { continue };
                match self.step(candidate, to) {
                    Some(back) if back == from => reversed += 1,
                    Some(_) => contradicted += 1,
                    None => {}
                }
            }
            if reversed > contradicted && best.is_none_or(|(most, _)| reversed > most) {
                best = Some((reversed, candidate));
            }
        }
        best.map(|(_, direction)| direction)
    }
}
