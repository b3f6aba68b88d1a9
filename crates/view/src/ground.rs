//! The board itself: what belongs to each site, and all that is drawn under the pieces.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::{Id, IdMap};
use dagaz_board::{Site, Topology};
use dagaz_ir::{Kind, Placement, Rules, Scope};

use crate::border::{self, common_end, common_start};
use crate::figures::layers;
use crate::geometry::{Bounds, Point, clipped, rectangle, rounded, simplified};
use crate::lattice::{self, Lattice, Part};
use crate::links::Links;
use crate::paint::Paints;
use crate::path::Path;
use crate::places::Places;
use crate::scene::{Decor, Frame, Outline};
use crate::view::{Board, Labels, Loop, View};

/// A board without pieces.
pub(crate) struct Ground {
    pub(crate) places: Places,
    /// What belongs to each site.
    pub(crate) outlines: IdMap<Site, Outline>,
    /// What each site is painted with, where it is drawn.
    pub(crate) paints: IdMap<Site, Option<String>>,
    /// The frame of each site.
    pub(crate) frame_of: IdMap<Site, usize>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) decor: Vec<Decor>,
    /// How many of these lie under the sites.
    pub(crate) planks: usize,
    /// Sites that the view hides.
    pub(crate) hidden: Vec<Site>,
    pub(crate) board: Board,
    /// Whether it is turned round.
    turned: bool,
    /// How much of a unit pieces have: cells may be narrower.
    pub(crate) room: f64,
}

/// The sites that names of sites and zones mean.
pub(crate) fn sites_named(rules: &Rules, names: &[String]) -> Vec<Site> {
    let of = |name: &String| -> Vec<Site> {
        if let Some(site) = rules.topology.site(name) {
            return vec![site];
        }
        let zones = rules.zones.values().filter(|zone| zone.name == *name);
        zones.flat_map(|zone| zone.sites.values().flat_map(dagaz_board::SiteSet::iter).collect::<Vec<_>>()).collect()
    };
    names.iter().flat_map(of).collect()
}

impl Ground {
    /// The board of these rules.
    pub(crate) fn of(rules: &Rules, view: &View, turned: bool) -> Self {
        let topology = &rules.topology;
        let moved: BTreeMap<Site, _> =
            view.areas.iter().filter_map(|(name, area)| Some((topology.site(name)?, *area))).collect();
        let mut places = Places::of(topology, |site| moved.get(&site).copied());
        if turned {
            places.turn_round();
        }
        let parts = lattice::parts(&places);
        let said = |direction| match &view.lines {
            Some(names) => names.iter().any(|name| name == topology.direction_name(direction)),
            None => true,
        };
        let links = Links::of(topology, &places, said);
        let board = view.board.unwrap_or_else(|| {
            let counts_seeds = rules.kinds.is_empty() && rules.fields.values().any(|field| field.scope == Scope::Site);
            match () {
                () if places.pyramid => Board::Holes,
                () if counts_seeds || view.seeds.is_some() => Board::Pits,
                () if links.matter() => Board::Points,
                () => Board::Cells,
            }
        });
        let count = topology.site_count();
        let mut ground = Self {
            outlines: IdMap::filled(count, Outline::Circle(0.4)),
            paints: IdMap::filled(count, None),
            frame_of: IdMap::filled(count, 0),
            frames: Vec::new(),
            decor: Vec::new(),
            planks: 0,
            hidden: sites_named(rules, &view.hidden),
            room: 1.0,
            board,
            turned,
            places,
        };
        // A dummy position that nothing shows is hidden unless something stands there.
        ground.frame(&parts);
        ground.outline(&parts);
        ground.spread_out(rules, view);
        ground.lay(&parts, rules, view, &links);
        ground.label(&parts, topology, view);
        ground
    }

    /// Whether a site is a place of the board that is seen.
    pub(crate) fn is_shown(&self, site: Site) -> bool {
        self.places.places[site].on_board && !self.hidden.contains(&site)
    }

    fn turn(&self, quarters: u8) -> u8 {
        (quarters + if self.turned { 2 } else { 0 }) % 4
    }

    pub(crate) fn at(&self, site: Site) -> Point {
        self.places.places[site].at
    }

    /// The corners of a site's outline.
    pub(crate) fn corners(&self, site: Site) -> Vec<Point> {
        match &self.outlines[site] {
            Outline::Polygon(corners) => corners.clone(),
            Outline::Circle(radius) => crate::geometry::round(self.at(site), *radius),
        }
    }

    /// What is drawn of the board.
    pub(crate) fn bounds(&self) -> Option<Bounds> {
        let sites = self.places.places.ids().filter(|&site| self.is_shown(site));
        Bounds::of(sites.flat_map(|site| self.corners(site)))
    }

    /// Larger parts are frames of their own; the rest keeps together, a frame for each level.
    fn frame(&mut self, parts: &[Part]) {
        const LEAST: usize = 4;
        const MOST: usize = 512;
        let own: Vec<&Part> = parts.iter().filter(|part| part.sites.len() >= LEAST).take(MOST).collect();
        let mut members: Vec<(u32, Vec<Site>)> = own.iter().map(|part| (part.level, part.sites.clone())).collect();
        let placed: BTreeSet<Site> = members.iter().flat_map(|(_, sites)| sites.clone()).collect();
        let mut rest = BTreeMap::<u32, Vec<Site>>::new();
        for (site, place) in self.places.places.iter().filter(|(site, _)| !placed.contains(site)) {
            rest.entry(place.level).or_default().push(site);
        }
        members.extend(rest);
        for (number, (level, sites)) in members.iter().enumerate() {
            let bounds = Bounds::of(sites.iter().map(|&site| self.at(site)));
            self.frames.push(Frame {
                at: bounds.map_or(Point::default(), Bounds::centre),
                level: *level,
                sites: sites.iter().map(|site| site.index()).collect(),
            });
            for &site in sites {
                self.frame_of[site] = number;
            }
        }
    }

    fn outline(&mut self, parts: &[Part]) {
        for part in parts {
            let cells = lattice::cells(part, &self.places.places);
            for (site, corners) in cells {
                let place = self.places.places[site];
                let long = place.half.x > place.half.y * 1.3 || place.half.y > place.half.x * 1.3;
                self.outlines[site] = match self.board {
                    _ if !place.on_board => Outline::Polygon(corners),
                    Board::Cells if part.lattice == Lattice::Free && part.sites.len() > 1 => {
                        Outline::Circle(rounded(round_radius(&corners, place.at)))
                    }
                    Board::Cells => Outline::Polygon(corners),
                    Board::Pits if long => Outline::Polygon(rectangle(place.at, place.half)),
                    Board::Pits => Outline::Circle(rounded(place.half.x.min(place.half.y).min(0.5))),
                    Board::Points | Board::Holes => Outline::Circle(0.46),
                };
            }
        }
        if self.board == Board::Cells
            && let Some(part) = parts.first()
        {
            let half = self
                .corners(part.sites[0])
                .iter()
                .map(|&corner| corner - self.at(part.sites[0]))
                .fold(Point::default(), |most, corner| {
                    Point::new(most.x.max(corner.x.abs()), most.y.max(corner.y.abs()))
                });
            self.room = match part.lattice {
                Lattice::Triangles => 0.62,
                Lattice::Hexagons => 0.94,
                _ => (half.x.min(half.y) * 2.0).clamp(0.2, 1.2),
            };
        }
    }

    /// Sites whose heaps are spread out are as long as the place for them.
    fn spread_out(&mut self, rules: &Rules, view: &View) {
        for spread in &view.spreads {
            for site in sites_named(rules, &spread.sites) {
                let (at, length) = (self.at(site), f64::from(spread.length));
                let way = quarter(self.turn(spread.quarters));
                let centre = at + way * ((length - 1.0) / 2.0);
                let half =
                    Point::new(0.5 + way.x.abs() * (length - 1.0) / 2.0, 0.5 + way.y.abs() * (length - 1.0) / 2.0);
                self.outlines[site] = Outline::Polygon(rectangle(centre, half));
            }
        }
    }

    /// Paints sites and draws what lies under them.
    fn lay(&mut self, parts: &[Part], rules: &Rules, view: &View, links: &Links) {
        let topology = &rules.topology;
        match self.board {
            Board::Cells => self.lay_cells(parts, rules, view),
            Board::Points => self.lay_lines(topology, view, links),
            Board::Pits => {
                self.lay_plank(0.25);
                self.paint_all("pit");
            }
            Board::Holes => self.lay_holes(parts),
        }
        self.planks = self.decor.len();
        for (paint, names) in &view.fills {
            for site in sites_named(rules, names) {
                self.paints[site] = Some(paint.clone());
            }
        }
        for site in self.hidden.clone() {
            self.paints[site] = None;
        }
        let nobody = Paints { fill: "line".into(), edge: "line".into(), ink: "line".into() };
        for (figure, names) in &view.signs {
            for site in sites_named(rules, names).into_iter().filter(|&site| self.places.places[site].on_board) {
                let at = self.at(site);
                for layer in layers(figure, &nobody, "#000000") {
                    let path = Path::parse(&layer.path).mapped(1.0, at).to_string();
                    if let Some(paint) = layer.fill {
                        self.decor.push(Decor::Fill { path: path.clone(), paint });
                    }
                    if let Some(paint) = layer.stroke {
                        self.decor.push(Decor::Line { path, paint, width: layer.width });
                    }
                }
            }
        }
        let place = |name: &String| Some(self.at(topology.site(name)?));
        let mut drawn = Vec::new();
        for stroke in &view.strokes {
            if let Some(points) = stroke.iter().map(place).collect::<Option<Vec<_>>>() {
                drawn.push(Decor::Line { path: Path::line(points).to_string(), paint: "line".into(), width: 0.025 });
            }
        }
        for frame in &view.frames {
            let corners = sites_named(rules, frame).into_iter().flat_map(|site| self.corners(site));
            if let Some(bounds) = Bounds::of(corners) {
                let path = Path::polygon(rectangle(bounds.centre(), bounds.size() * 0.5)).to_string();
                drawn.push(Decor::Line { path, paint: "line".into(), width: 0.09 });
            }
        }
        for Loop { centre, from, to } in &view.loops {
            if let (Some(centre), Some(from), Some(to)) = (place(centre), place(from), place(to)) {
                let path = Path::three_quarters(centre, from, to).to_string();
                drawn.push(Decor::Line { path, paint: "line".into(), width: 0.025 });
            }
        }
        for (size, names) in &view.dots {
            if size.is_some_and(|size| size != topology.site_count()) {
                continue;
            }
            for at in names.iter().filter_map(place) {
                drawn.push(Decor::Fill { path: Path::circle(at, 0.1).to_string(), paint: "line".into() });
            }
        }
        self.decor.extend(drawn);
    }

    fn paint_all(&mut self, paint: &str) {
        let shown: Vec<Site> = self.places.places.ids().filter(|&site| self.is_shown(site)).collect();
        for site in shown {
            self.paints[site] = Some(paint.to_owned());
        }
    }

    /// A rectangle under all of the board.
    fn lay_plank(&mut self, margin: f64) {
        if let Some(bounds) = self.bounds() {
            let bounds = bounds.wider(margin);
            let path = Path::rounded(bounds.centre(), bounds.size() * 0.5, 0.2).to_string();
            self.decor.push(Decor::Fill { path, paint: "board".to_owned() });
        }
    }

    fn lay_cells(&mut self, parts: &[Part], rules: &Rules, view: &View) {
        let checkered = view.checkered.unwrap_or_else(|| looks_checkered(rules));
        self.paint_all("board");
        for part in parts {
            let places = &self.places.places;
            let Some(bounds) = Bounds::of(part.sites.iter().map(|&site| places[site].at)) else { continue };
            let step = self.outlines[part.sites[0]].clone();
            let Outline::Polygon(corners) = step else { continue };
            let Some(cell) = Bounds::of(corners).map(Bounds::size) else { continue };
            match part.lattice {
                Lattice::Checkered if part.sites.len() > 3 && places[part.sites[0]].on_board => {
                    let all = Bounds { least: bounds.least - cell * 0.5, most: bounds.most + cell * 0.5 };
                    let path = Path::polygon(rectangle(all.centre(), all.size() * 0.5)).to_string();
                    self.decor.push(Decor::Fill { path: path.clone(), paint: "light".to_owned() });
                    self.decor.push(Decor::Line { path, paint: "line".to_owned(), width: 0.03 });
                    for &site in &part.sites {
                        self.paints[site] = Some("dark".to_owned());
                    }
                }
                Lattice::Squares => {
                    let parity = |site: Site| {
                        let at = places[site].at;
                        let (column, row) = ((at.x - bounds.least.x) / cell.x, (bounds.most.y - at.y) / cell.y);
                        (column.round() as i64 + row.round() as i64).rem_euclid(2)
                    };
                    // Where all men stand on cells of one colour, it is the dark one.
                    let inside: BTreeSet<Site> = part.sites.iter().copied().collect();
                    let men: Vec<Site> =
                        standing(rules).map(|(_, site)| site).filter(|site| inside.contains(site)).collect();
                    let used: BTreeSet<i64> = men.iter().map(|&site| parity(site)).collect();
                    let one_colour = used.len() == 1 && men.len() >= 6 && part.sites.len() >= 16;
                    if !(checkered || one_colour && view.checkered.is_none()) {
                        continue;
                    }
                    let dark = if one_colour { used.first().copied().unwrap_or(0) } else { 0 };
                    let cells: Vec<(Site, bool)> =
                        part.sites.iter().map(|&site| (site, parity(site) == dark)).collect();
                    for (site, is_dark) in cells {
                        let paint = if is_dark { "dark" } else { "light" };
                        self.paints[site] = self.is_shown(site).then(|| paint.to_owned());
                    }
                }
                _ => {}
            }
        }
        self.lay_spreads(rules, view);
    }

    /// Spread heaps lie on long triangles, in two colours in turn.
    fn lay_spreads(&mut self, rules: &Rules, view: &View) {
        for spread in &view.spreads {
            let sites = sites_named(rules, &spread.sites);
            let alone = sites.len() == 1;
            for (index, site) in sites.into_iter().enumerate() {
                if alone {
                    continue;
                }
                let (at, way) = (self.at(site), quarter(self.turn(spread.quarters)));
                let side = Point::new(way.y, way.x) * 0.48;
                let foot = at - way * 0.5;
                let tip = at + way * (f64::from(spread.length) - 0.6);
                let path = Path::polygon([foot - side, foot + side, tip]).to_string();
                let paint = if (index + usize::from(spread.quarters) / 2) % 2 == 0 { "dark" } else { "light" };
                self.decor.push(Decor::Fill { path: path.clone(), paint: paint.to_owned() });
                self.decor.push(Decor::Line { path, paint: "line".to_owned(), width: 0.02 });
                self.paints[site] = None;
            }
        }
        if !view.spreads.is_empty()
            && let Some(bounds) = self.bounds()
        {
            let bounds = bounds.wider(0.15);
            let path = Path::rounded(bounds.centre(), bounds.size() * 0.5, 0.15).to_string();
            self.decor.insert(0, Decor::Fill { path, paint: "board".to_owned() });
        }
    }

    fn lay_lines(&mut self, topology: &Topology, view: &View, links: &Links) {
        self.lay_plank(0.12);
        let lines = links.lines(&self.places, view, topology);
        let seen = lines.into_iter().filter(|(from, to)| self.is_shown(*from) && self.is_shown(*to));
        let path = seen.fold(Path::default(), |path, (from, to)| path.and(Path::line([self.at(from), self.at(to)])));
        self.decor.push(Decor::Line { path: path.to_string(), paint: "line".to_owned(), width: 0.025 });
        if view.board.is_none() {
            let shown = topology.sites().filter(|&site| self.is_shown(site));
            let dots = shown.fold(Path::default(), |dots, site| dots.and(Path::circle(self.at(site), 0.07)));
            self.decor.push(Decor::Fill { path: dots.to_string(), paint: "line".to_owned() });
        }
    }

    /// Holes lie in planks that have the shape of what lies on them: a hexagon of hexagons stays one.
    fn lay_holes(&mut self, parts: &[Part]) {
        for part in parts.iter().filter(|part| part.level == 0) {
            let centres: Vec<Point> =
                part.sites.iter().filter(|&&site| self.is_shown(site)).map(|&site| self.at(site)).collect();
            let Some(bounds) = Bounds::of(centres.iter().copied()) else { continue };
            let start = rectangle(bounds.centre(), bounds.size() * 0.5 + Point::new(9.0, 9.0));
            let pairs = part.vectors.iter().flat_map(|&one| part.vectors.iter().map(move |&other| (one, other)));
            // The border of hexagons goes along their rows, that of squares across.
            let normals: Vec<Point> = match part.lattice {
                Lattice::Hexagons => pairs
                    .filter(|(one, other)| one != other && one.dot(*other) > 0.3)
                    .map(|(one, other)| one + other)
                    .collect(),
                _ => [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)].map(|(x, y)| Point::new(x, y)).to_vec(),
            };
            let plank = normals.iter().fold(start, |plank, &normal| {
                let most = centres.iter().map(|&at| normal.dot(at)).fold(f64::NEG_INFINITY, f64::max);
                clipped(&plank, normal, most + 0.62 * normal.length())
            });
            let path = Path::polygon(simplified(&plank)).to_string();
            self.decor.push(Decor::Fill { path: path.clone(), paint: "board".to_owned() });
            self.decor.push(Decor::Line { path, paint: "line".to_owned(), width: 0.03 });
            let holes = centres.iter().fold(Path::default(), |holes, &at| holes.and(Path::circle(at, 0.3)));
            self.decor.push(Decor::Fill { path: holes.to_string(), paint: "pit".to_owned() });
        }
    }

    fn label(&mut self, parts: &[Part], topology: &Topology, view: &View) {
        let shown: Vec<Site> =
            topology.sites().filter(|&site| self.is_shown(site) && self.places.places[site].level == 0).collect();
        let largest = parts.first().map_or(Lattice::Free, |part| part.lattice);
        let straight = self.board == Board::Points || largest != Lattice::Hexagons;
        let vectors: Vec<Point> = match (straight, parts.first()) {
            (false, Some(part)) => part.vectors.clone(),
            _ => vec![Point::new(1.0, 0.0), Point::new(0.0, 1.0)],
        };
        let border = || {
            border::labels(
                topology,
                &self.places,
                &shown,
                &vectors,
                straight,
                if self.board == Board::Holes { 0.98 } else { 0.82 },
            )
        };
        let found = match view.labels {
            Some(Labels::None) => Vec::new(),
            Some(Labels::Border) => border(),
            Some(Labels::Sites) => self.names_in_sites(topology, &shown),
            None => {
                let border = border();
                let short = shown.iter().all(|&site| topology.site_name(site).chars().count() <= 3);
                // Rows of floors side by side have no names in common.
                let floors = !self.places.pyramid && self.places.places.values().any(|place| place.level > 0);
                match border.is_empty() || floors {
                    false => border,
                    true if short && self.board == Board::Cells && shown.len() > 1 => {
                        self.names_in_sites(topology, &shown)
                    }
                    true => self.names_of_frames(topology),
                }
            }
        };
        self.decor.extend(found);
    }

    fn names_in_sites(&self, topology: &Topology, shown: &[Site]) -> Vec<Decor> {
        let text = |&site: &Site| {
            let bounds = Bounds::of(self.corners(site))?;
            let text = topology.site_name(site).to_owned();
            let size = 0.2;
            let broad = crate::glyphs::breadth(&text) * size;
            let at = match &self.outlines[site] {
                Outline::Polygon(corners) if corners.len() == 4 => bounds.least + Point::new(0.05 + broad / 2.0, 0.13),
                _ => Point::new(bounds.centre().x, bounds.most.y - 0.14),
            };
            Some(Decor::Text { at, text, size, paint: "line".to_owned() })
        };
        shown.iter().filter_map(text).collect()
    }

    /// What the names of a frame's sites share, above it.
    fn names_of_frames(&self, topology: &Topology) -> Vec<Decor> {
        if self.frames.len() < 2 {
            return Vec::new();
        }
        let text = |frame: &Frame| {
            let sites: Vec<Site> = frame.sites.iter().map(|&index| Site::from_index(index)).collect();
            if sites.len() < 4 || !sites.iter().all(|&site| self.is_shown(site)) {
                return None;
            }
            let names: Vec<&str> = sites.iter().map(|&site| topology.site_name(site)).collect();
            let (start, end) = (common_start(&names), common_end(&names));
            let shared = if start.is_empty() { end } else { start };
            let shared = shared.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned();
            let bounds = Bounds::of(sites.iter().flat_map(|&site| self.corners(site)))?;
            let at = Point::new(bounds.centre().x, bounds.least.y - 0.26);
            (!shared.is_empty()).then(|| Decor::Text { at, text: shared, size: 0.34, paint: "text".to_owned() })
        };
        self.frames.iter().filter_map(text).collect()
    }
}

/// The vector that so many quarters clockwise from upward are.
pub(crate) fn quarter(quarters: u8) -> Point {
    let (x, y) = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)][usize::from(quarters % 4)];
    Point::new(x, y)
}

fn round_radius(corners: &[Point], at: Point) -> f64 {
    corners.iter().map(|corner| corner.distance(at)).fold(0.0, f64::max)
}

/// Whether cells are light and dark in turn: boards on which pieces of several kinds stand from the beginning usually are.
fn looks_checkered(rules: &Rules) -> bool {
    let kinds: BTreeSet<Kind> = standing(rules).map(|(kind, _)| kind).collect();
    kinds.len() >= 3
}

/// What stands on the board at the start.
fn standing(rules: &Rules) -> impl Iterator<Item = (Kind, Site)> {
    rules.setup.iter().filter_map(|placement| match *placement {
        Placement::Piece(_, kind, site) => Some((kind, site)),
        Placement::Hand(..) | Placement::Cell(..) => None,
    })
}
