//! From a moment of a game and a view to a scene.

use std::collections::BTreeMap;

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Executor, Piece, Seen};
use dagaz_ir::{Field, Player, Role, Rules, Scope};

use crate::figures::{Figure, Shape, layers};
use crate::geometry::{Bounds, Point, rectangle, rounded};
use crate::ground::{Ground, quarter, sites_named};
use crate::looks::Looks;
use crate::nearby::Nearby;
use crate::paint::{Paints, palette};
use crate::path::Path;
use crate::scene::{Heap, Item, Layer, Look, Mark, Outline, Scene, SiteLook};
use crate::stands::{Stands, stands, variable, variables};
use crate::trays;
use crate::view::{Board, View, fits};

/// What is to be drawn: a state as somebody sees it, and what draws his attention.
pub struct Moment<'a> {
    /// What runs the rules.
    pub executor: &'a dyn Executor,
    /// The state, without what the viewer does not see.
    pub seen: &'a Seen,
    /// The name of the game.
    pub title: &'a str,
    /// What the last move is known to have changed.
    pub changed: Vec<Site>,
    /// Where the last move came from and where it went, when that is known.
    pub last: Option<(Site, Site)>,
    /// The site whose moves are shown.
    pub selected: Option<Site>,
    /// Where they go.
    pub targets: Vec<Site>,
    /// Whether the board is turned round.
    pub turned: bool,
}

/// The scene of a moment: always the same for the same moment and view.
pub fn scene(moment: &Moment<'_>, view: &View) -> Scene {
    let rules = moment.executor.rules();
    let paints = palette(rules, view);
    let mut drawing = Drawing {
        moment,
        view,
        rules,
        ground: Ground::of(rules, view, moment.turned),
        looks: Looks::new(rules, view, &paints),
        facing: facing(rules, view),
        items: Vec::new(),
        heaps: Vec::new(),
        spoken: BTreeMap::new(),
    };
    let seeds = drawing.seeds();
    for site in rules.topology.sites() {
        drawing.site(site, seeds);
    }
    drawing.join();
    let trays = trays::trays(&mut drawing);
    let marks = drawing.marks();
    let sites: Vec<SiteLook> = rules.topology.sites().map(|site| drawing.site_look(site)).collect();
    let spoken = drawing.spoken_board();
    let Drawing { ground, looks, items, heaps, .. } = drawing;
    let shown = Bounds::of(
        sites
            .iter()
            .filter(|site| site.paint.is_some())
            .flat_map(corners)
            .chain(ground.bounds().into_iter().flat_map(|bounds| [bounds.least, bounds.most]))
            .chain(ground.decor.iter().flat_map(crate::svg::extent))
            .chain(items.iter().flat_map(|item| {
                let reach = Point::new(item.size, item.size) * 0.5;
                let at = Point::new(item.at[0], item.at[1]);
                [at - reach, at + reach]
            }))
            .chain(trays.iter().flat_map(|tray| {
                let [x, y, width, height] = tray.bounds;
                [Point::new(x, y), Point::new(x + width, y + height)]
            })),
    );
    let shown = shown.unwrap_or(Bounds { least: Point::default(), most: Point::new(1.0, 1.0) }).wider(0.3);
    let size = shown.size();
    Scene {
        title: moment.title.to_owned(),
        spoken,
        bounds: [shown.least.x, shown.least.y, size.x, size.y].map(rounded),
        frames: ground.frames,
        decor: ground.decor,
        planks: ground.planks,
        sites,
        looks: looks.finish(),
        items,
        heaps,
        trays,
        marks,
        paints,
    }
}

fn corners(site: &SiteLook) -> Vec<Point> {
    match &site.outline {
        Outline::Polygon(corners) => corners.clone(),
        Outline::Circle(radius) => crate::geometry::round(Point::new(site.at[0], site.at[1]), *radius),
    }
}

/// A scene that is being made.
pub(crate) struct Drawing<'a> {
    pub(crate) moment: &'a Moment<'a>,
    pub(crate) view: &'a View,
    pub(crate) rules: &'a Rules,
    pub(crate) ground: Ground,
    pub(crate) looks: Looks<'a>,
    /// How many quarters each player's pieces are turned.
    facing: Vec<u8>,
    items: Vec<Item>,
    heaps: Vec<Heap>,
    /// What stands on each site, in words.
    spoken: BTreeMap<Site, String>,
}

/// More pieces of a column than this are only counted.
const HIGHEST: usize = 12;

impl Drawing<'_> {
    /// The variable that is shown as seeds: said by the view, or the first of a game without pieces that says something.
    fn seeds(&self) -> Option<Field> {
        let (rules, layout) = (self.rules, self.moment.executor.layout());
        if let Some(name) = &self.view.seeds {
            return variable(rules, name).filter(|&field| rules.fields[field].scope == Scope::Site);
        }
        let says_something =
            |field: &Field| rules.topology.sites().any(|site| self.moment.seen.state.get(layout.at(*field, site)) != 0);
        let all = variables(rules, |scope| scope == Scope::Site);
        rules.kinds.is_empty().then(|| all.into_iter().find(says_something)).flatten()
    }

    fn site(&mut self, site: Site, seeds: Option<Field>) {
        let (executor, seen) = (self.moment.executor, self.moment.seen);
        match stands(executor, seen, site) {
            Stands::Pieces(pieces) => self.pieces(site, &pieces),
            Stands::Unknown(owner) => {
                let look = self.looks.number(None, owner);
                let spoken = self.looks.get(look).spoken.clone();
                let at = self.ground.at(site);
                let mut item = self.item(site, look, at, 0, owner);
                item.hidden = true;
                self.items.push(item);
                self.spoken.insert(site, spoken);
            }
            Stands::Unseen => _ = self.spoken.insert(site, "not seen".to_owned()),
            Stands::Nothing => {
                if let Some(field) = seeds {
                    self.pile(site, field);
                }
            }
        }
    }

    fn pieces(&mut self, site: Site, pieces: &[Piece]) {
        let looks: Vec<usize> = pieces.iter().map(|piece| self.looks.number(Some(piece.kind), piece.owner)).collect();
        let names: Vec<String> = looks.iter().rev().map(|&look| self.looks.get(look).spoken.clone()).collect();
        let spread = self.spread_of(site);
        let at = self.ground.at(site);
        let count = pieces.len();
        let first = if spread.is_some() { 0 } else { count.saturating_sub(HIGHEST) };
        let rise = if count > 1 { (0.6 / (count - first) as f64).min(0.13) } else { 0.0 };
        for index in first..count {
            let above = (index - first) as f64;
            let place = match spread {
                Some((quarters, length)) => {
                    // What is too much for one row lies on it.
                    let (along, upon) = (index as u32 % length, index as u32 / length);
                    let way = quarter(quarters + if self.moment.turned { 2 } else { 0 });
                    at + way * (f64::from(along) + 0.25 * f64::from(upon))
                }
                None => at - Point::new(0.0, rise * above),
            };
            let mut item = self.item(site, looks[index], place, index - first, pieces[index].owner);
            if index + 1 == count {
                item.attributes = self.attributes(site);
            }
            self.items.push(item);
        }
        let counted = match spread {
            Some((_, length)) => count > length as usize,
            None => count > 2,
        };
        if count > 1 {
            let corner = at + Point::new(0.33, -rise * (count - first - 1) as f64 - 0.02) * self.ground.room;
            self.heaps.push(Heap { site: site.index(), count: count as i64, at: counted.then_some(corner) });
        }
        self.spoken.insert(site, names.join(" on "));
    }

    /// Seeds in a pit: so many, as far as they can be counted at a glance, and their number.
    fn pile(&mut self, site: Site, field: Field) {
        let cell = self.moment.executor.layout().at(field, site);
        if self.moment.seen.hides(cell) {
            self.spoken.insert(site, "not seen".to_owned());
            return;
        }
        let count = i64::from(self.moment.seen.state.get(cell));
        self.spoken.insert(site, if count == 1 { "1 seed".to_owned() } else { format!("{count} seeds") });
        if count == 0 {
            return;
        }
        let at = self.ground.at(site);
        let look = self.looks.other(seed());
        let (room, long) = match &self.ground.outlines[site] {
            Outline::Circle(radius) => (*radius, 0.0),
            Outline::Polygon(corners) => {
                let half =
                    Bounds::of(corners.iter().copied()).map_or(Point::new(0.4, 0.4), |bounds| bounds.size() * 0.5);
                (half.x.min(half.y), half.y - half.x)
            }
        };
        let spots = spots(count.clamp(0, 37) as usize);
        let reach = spots.iter().map(|spot| spot.length()).fold(0.0, f64::max);
        let step = (room * 0.7 / reach.max(1.0)).min(room * 0.42);
        for spot in spots {
            let item = Item {
                site: Some(site.index()),
                look,
                at: spatial(at + spot * step, 0.0),
                size: rounded(step * 0.94),
                quarters: 0,
                attributes: BTreeMap::new(),
                hidden: false,
            };
            self.items.push(item);
        }
        // Below the seeds: beyond the pit, or at the end of a long one.
        let below = if long > 0.2 { room + long - 0.22 } else { room + 0.0 };
        self.heaps.push(Heap { site: site.index(), count, at: Some(at + Point::new(0.0, below)) });
    }

    fn item(&self, site: Site, look: usize, at: Point, above: usize, owner: Player) -> Item {
        let level = f64::from(self.ground.places.places[site].level);
        let height = if self.ground.places.pyramid { level * 0.707 } else { 0.0 };
        let size = match self.ground.board {
            Board::Cells => self.ground.room,
            Board::Points => 0.98,
            Board::Pits => 0.8,
            Board::Holes => 1.1,
        };
        let turned = if self.moment.turned && self.view.facing { 2 } else { 0 };
        Item {
            site: Some(site.index()),
            look,
            at: spatial(at, height + above as f64 * 0.2),
            size: rounded(size),
            quarters: (self.facing[owner.index()] + turned) % 4,
            attributes: BTreeMap::new(),
            hidden: false,
        }
    }

    /// The attributes of the piece on a site that are seen and not 0.
    fn attributes(&self, site: Site) -> BTreeMap<String, i32> {
        let (layout, seen) = (self.moment.executor.layout(), self.moment.seen);
        let own = self.rules.fields.iter().filter(|(field, info)| {
            info.scope == Scope::Piece && *field != layout.known.owner && *field != layout.known.kind
        });
        let value = |(field, info): (Field, &dagaz_ir::FieldInfo)| {
            let cell = layout.at(field, site);
            let name = info.name.rsplit(' ').next().unwrap_or_default().to_owned();
            (!seen.hides(cell) && seen.state.get(cell) != 0).then(|| (name, seen.state.get(cell)))
        };
        own.filter_map(value).collect()
    }

    fn spread_of(&self, site: Site) -> Option<(u8, u32)> {
        let spread = self.view.spreads.iter().find(|spread| sites_named(self.rules, &spread.sites).contains(&site))?;
        Some((spread.quarters, spread.length))
    }

    /// Neighbouring pieces of a joined kind grow together.
    fn join(&mut self) {
        if self.view.joined.is_empty() {
            return;
        }
        let is_joined = |item: &Item| {
            let kind = self.looks.get(item.look).kind.as_ref();
            kind.is_some_and(|kind| self.view.joined.iter().any(|form| fits(form, kind)))
        };
        let blocks: Vec<(usize, Point)> = self
            .items
            .iter()
            .filter(|item| is_joined(item))
            .map(|item| (item.look, Point::new(item.at[0], item.at[1])))
            .collect();
        let nearby = Nearby::new(1.0, blocks.iter().map(|&(_, at)| at).collect());
        let is_alike =
            |look: usize, at: Point| nearby.within(at, 0.1).iter().any(|&(other, _)| blocks[other].0 == look);
        let (right, down) = (Point::new(1.0, 0.0), Point::new(0.0, 1.0));
        let mut plugs = Vec::new();
        for &(look, at) in &blocks {
            let [beside, below, aslant] = [right, down, right + down].map(|way| is_alike(look, at + way));
            let paints = self.looks.paints(look);
            let mut put = |middle: Point, quarters: u8, bridge: Look| {
                let look = self.looks.other(bridge);
                self.items.push(Item {
                    site: None,
                    look,
                    at: spatial(middle, 0.0),
                    size: 1.0,
                    quarters,
                    attributes: BTreeMap::new(),
                    hidden: false,
                });
            };
            if beside {
                put(at + right * 0.5, 0, bridge(&paints, Point::new(0.1, 0.446)));
            }
            if below {
                put(at + down * 0.5, 1, bridge(&paints, Point::new(0.1, 0.446)));
            }
            // Where four meet, the ends of the edges between them are covered in the end.
            if beside && below && aslant {
                put(at + (right + down) * 0.5, 0, bridge(&paints, Point::new(0.14, 0.14)));
                plugs.extend(self.items.pop());
            }
        }
        self.items.extend(plugs);
    }

    fn site_look(&self, site: Site) -> SiteLook {
        let (at, place) = (self.ground.at(site), self.ground.places.places[site]);
        let height = if self.ground.places.pyramid { f64::from(place.level) * 0.707 } else { 0.0 };
        let name = self.rules.topology.site_name(site);
        let stands = self.spoken.get(&site).map_or("empty", String::as_str);
        SiteLook {
            name: name.to_owned(),
            frame: self.ground.frame_of[site],
            at: spatial(at, height),
            outline: self.ground.outlines[site].clone(),
            paint: self.ground.paints[site].clone(),
            spoken: format!("{name}, {stands}"),
        }
    }

    fn marks(&self) -> Vec<Mark> {
        let moment = self.moment;
        let index = |site: &Site| site.index();
        let shown = |site: &&Site| self.ground.is_shown(**site);
        let mut marks: Vec<Mark> = moment.changed.iter().filter(shown).map(|site| Mark::Last(index(site))).collect();
        if let Some((from, to)) = moment.last.filter(|(from, to)| from != to)
            && [from, to].iter().all(|site| self.ground.is_shown(*site))
        {
            marks.push(Mark::Arrow { from: from.index(), to: to.index() });
        }
        marks.extend(moment.selected.iter().map(|site| Mark::Selected(index(site))));
        marks.extend(moment.targets.iter().map(|site| Mark::Target(index(site))));
        let unseen =
            self.rules.topology.sites().filter(|&site| stands(moment.executor, moment.seen, site) == Stands::Unseen);
        marks.extend(unseen.map(|site| Mark::Unseen(site.index())));
        marks
    }

    /// The whole board in sentences.
    fn spoken_board(&self) -> String {
        let (rules, executor) = (self.rules, self.moment.executor);
        let to_move = executor.to_move(&self.moment.seen.state);
        let mut by_look: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (&site, spoken) in &self.spoken {
            by_look.entry(spoken).or_default().push(rules.topology.site_name(site));
        }
        let lists = by_look.iter().map(|(spoken, sites)| format!("{spoken}: {}", sites.join(" ")));
        let what = lists.collect::<Vec<_>>().join("; ");
        let name = rules.players[to_move].name.trim_start_matches('?');
        let board = if what.is_empty() { "The board is empty".to_owned() } else { what };
        format!("{board}. {name} to move.")
    }
}

pub(crate) fn spatial(at: Point, height: f64) -> [f64; 3] {
    [at.x, at.y, height].map(rounded)
}

/// How many quarters each player's pieces are turned: as far as what he calls the first one's forward.
fn facing(rules: &Rules, view: &View) -> Vec<u8> {
    if !view.facing {
        return vec![0; rules.players.len()];
    }
    let topology = &rules.topology;
    let places = crate::places::Places::of(topology, |_| None);
    let vector = |direction: dagaz_board::Direction| {
        let links = topology.sites().filter_map(|from| Some((from, topology.step(direction, from)?)));
        let mut vectors: Vec<Point> = links.map(|(from, to)| places.places[to].at - places.places[from].at).collect();
        vectors.sort_by(|a, b| a.length().total_cmp(&b.length()));
        vectors.first().copied()
    };
    let first = rules.players.iter().find(|(_, info)| info.role == Role::Person);
    let upward = |vector: &Point| vector.y < -0.4 && vector.x.abs() < 0.2;
    let up = first.and_then(|(_, info)| {
        topology.directions().find(|&direction| vector(info.seen(direction)).is_some_and(|vector| upward(&vector)))
    });
    let quarters = |info: &dagaz_ir::PlayerInfo| {
        let vector = up.and_then(|up| vector(info.seen(up)))?;
        (0..4).find(|&quarters| quarter(quarters).dot(vector) > 0.8 * vector.length())
    };
    rules.players.values().map(|info| quarters(info).unwrap_or(0)).collect()
}

/// What lies between two pieces that are one.
fn bridge(paints: &Paints, half: Point) -> Look {
    let fill = Path::polygon(rectangle(Point::default(), half)).to_string();
    let edge = |y: f64| Path::line([Point::new(-half.x, y), Point::new(half.x, y)]);
    let edges = edge(-half.y - 0.014).and(edge(half.y + 0.014)).to_string();
    let mut layers = vec![Layer { path: fill, fill: Some(paints.fill.clone()), stroke: None, width: 0.0 }];
    if half.y > half.x {
        layers.push(Layer { path: edges, fill: None, stroke: Some(paints.edge.clone()), width: 0.028 });
    }
    Look { owner: None, kind: None, layers, letter: String::new(), spoken: String::new() }
}

/// A seed.
fn seed() -> Look {
    let paints = Paints { fill: "seed".into(), edge: "seed-edge".into(), ink: "seed-edge".into() };
    let circle = Figure { size: 1.15, ..Figure::of(Shape::Named("ball")) };
    let layers: Vec<Layer> = layers(&circle, &paints, "#ffffff").into_iter().take(1).collect();
    let layers = layers.into_iter().map(|layer| Layer { width: 0.09, ..layer }).collect();
    Look { owner: None, kind: None, layers, letter: "o".to_owned(), spoken: "seed".to_owned() }
}

/// So many places close around a middle, as far as possible from each other at distance 1: on hexagons, nearest first.
fn spots(count: usize) -> Vec<Point> {
    const DOWN: f64 = 0.866_025;
    let mut all: Vec<Point> = (-4..=4)
        .flat_map(|row| (-6..=6).map(move |column| (row, column)))
        .map(|(row, column)| Point::new(f64::from(column) + f64::from(row) * 0.5, f64::from(row) * DOWN))
        .collect();
    let middle = match count {
        2 | 4 => Point::new(0.5, if count == 4 { 0.433 } else { 0.0 }),
        3 => Point::new(0.5, 0.288),
        _ => Point::default(),
    };
    let key = |spot: &Point| {
        ((spot.distance(middle) * 1000.0).round() as i64, (spot.y * 1000.0) as i64, (spot.x * 1000.0) as i64)
    };
    all.sort_by_key(key);
    all.truncate(count);
    all.into_iter().map(|spot| spot - middle).collect()
}
