//! `(board …)`: grids, positions, links and zones become a topology.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::{Diagnostic, Diagnostics, Id, IdMap, Origin};
use dagaz_board::{Area, Direction, Grid, GridError, Site, SiteSet, Topology, Zone};
use dagaz_ir::{Player, ZoneInfo, limits};

use crate::lower::names::{Names, unknown};
use crate::syntax::{Form, Node};

/// No board has more sites: a site's number fits 16 bits with room to spare.
const SITE_LIMIT: usize = 65_534;
/// No board has more arcs than this.
const LINK_LIMIT: usize = 20_000_000;

/// The name of the zone of all positions that are not dummies; no file can name it.
const SHOWN_ZONE: &str = "(shown)";

/// A board as read.
#[derive(Default)]
pub(crate) struct Board {
    pub(crate) topology: Topology,
    pub(crate) zones: Vec<ZoneInfo>,
    /// Where drops are tried, if not everywhere: on dummies nobody can put a piece by hand.
    pub(crate) droppable: Option<Zone>,
    /// For each player what he means by each direction.
    pub(crate) symmetry: BTreeMap<Player, IdMap<Direction, Direction>>,
}

/// Positions and arcs while the forms are still being read: killed positions leave gaps.
struct Builder<'a> {
    positions: Vec<Position>,
    by_name: BTreeMap<String, usize>,
    directions: Vec<String>,
    direction_places: BTreeMap<String, usize>,
    arcs: Vec<BTreeMap<usize, usize>>,
    arc_count: usize,
    /// How many arcs were looked at to unlink positions.
    unlink_work: usize,
    diagnostics: &'a mut Diagnostics,
}

struct Position {
    name: String,
    area: Option<Area>,
    dummy: bool,
    alive: bool,
}

/// Reads the board. `names` knows the players, and learns directions, positions and zones.
pub(crate) fn read(form: &Form, names: &mut Names, diagnostics: &mut Diagnostics) -> Board {
    let mut builder = Builder {
        positions: Vec::new(),
        by_name: BTreeMap::new(),
        directions: Vec::new(),
        direction_places: BTreeMap::new(),
        arcs: Vec::new(),
        arc_count: 0,
        unlink_work: 0,
        diagnostics,
    };
    let items = board_items(form);
    // Positions first, then what removes them, then links and their removal in the order of the text.
    for pass in [Builder::place, Builder::kill, Builder::arcs] {
        for item in &items {
            pass(&mut builder, item);
        }
    }
    for item in &items {
        builder.check_head(item);
    }
    let (topology, directions) = builder.topology(form.origin);
    for direction in topology.directions() {
        names.directions.insert(topology.direction_name(direction).to_owned(), direction);
    }
    for site in topology.sites() {
        names.sites.insert(topology.site_name(site).to_owned(), site);
    }
    let alive = builder.positions.iter().filter(|position| position.alive);
    let shown: Vec<bool> = alive.map(|position| !position.dummy).collect();
    let mut board = Board { topology, ..Board::default() };
    let mut given = BTreeMap::new();
    for item in &items {
        match item.head() {
            Some("symmetry") => read_symmetry(item, &directions, &mut board, names, diagnostics),
            Some("zone") => read_zone(item, &mut board, names, &mut given, diagnostics),
            _ => {}
        }
    }
    if shown.contains(&true) && shown.contains(&false) {
        let mut sites = SiteSet::empty(board.topology.site_count());
        board.topology.sites().zip(shown).filter(|&(_, shown)| shown).for_each(|(site, _)| sites.insert(site));
        board.droppable = Some(Zone::from_index(board.zones.len()));
        board.zones.push(ZoneInfo { name: SHOWN_ZONE.into(), sites: IdMap::filled(names.players.len(), sites) });
    }
    board
}

/// The items of a board; a macro that stands for a whole `(board …)` inside another is opened.
fn board_items(form: &Form) -> Vec<&Form> {
    let mut items = Vec::new();
    for item in form.rest() {
        if item.head() == Some("board") { items.extend(board_items(item)) } else { items.push(item) }
    }
    items
}

impl Builder<'_> {
    fn check_head(&mut self, item: &Form) {
        const PLAYED: [&str; 8] =
            ["grid", "positions", "links", "unlink", "kill-positions", "dummy", "symmetry", "zone"];
        const SHOWN: [&str; 2] = ["image", "music"];
        match item.head() {
            Some(head) if PLAYED.contains(&head) || SHOWN.contains(&head) => {}
            Some(head) => {
                let message = format!("a board has no `{head}`");
                let finding = unknown("zrf-unknown-item", item.origin, message, head, &PLAYED, &SHOWN, "remove it");
                self.diagnostics.push(finding);
            }
            None => self.diagnostics.push(
                Diagnostic::warning("zrf-unknown-item", item.origin, "a board holds lists that start with a word")
                    .label("this is skipped"),
            ),
        }
    }

    fn place(&mut self, item: &Form) {
        match item.head() {
            Some("grid") => self.grid(item),
            Some("positions") => {
                for position in item.rest() {
                    let Some(name) = position.head() else {
                        self.malformed(position, "a position is written `(name left top right bottom)`");
                        continue;
                    };
                    let area = self.area(position);
                    self.add(name, area, position.origin);
                }
            }
            Some("dummy") => {
                for position in item.rest() {
                    match position.symbol() {
                        Some(name) => {
                            if !self.by_name.contains_key(name) {
                                self.add(name, None, position.origin);
                            }
                            if let Some(&index) = self.by_name.get(name) {
                                (self.positions[index].area, self.positions[index].dummy) = (None, true);
                            }
                        }
                        None => self.malformed(position, "a dummy position is one word"),
                    }
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, name: &str, area: Option<Area>, origin: Origin) {
        if self.by_name.contains_key(name) {
            self.diagnostics.push(
                Diagnostic::warning("zrf-duplicate-position", origin, format!("the position `{name}` exists already"))
                    .label("both are the same position")
                    .help("give the labels of the two grids different letters"),
            );
            return;
        }
        if self.positions.len() >= SITE_LIMIT {
            self.too_large(origin);
            return;
        }
        self.by_name.insert(name.to_owned(), self.positions.len());
        self.positions.push(Position { name: name.to_owned(), area, dummy: false, alive: true });
    }

    fn too_large(&mut self, origin: Origin) {
        self.diagnostics.push(
            Diagnostic::error("zrf-board-too-large", origin, "the board is too large")
                .label(format!("more than {SITE_LIMIT} positions or {LINK_LIMIT} links"))
                .help("make the dimensions smaller"),
        );
    }

    fn malformed(&mut self, form: &Form, what: &str) {
        self.diagnostics
            .push(Diagnostic::warning("zrf-malformed", form.origin, what.to_owned()).label("this is skipped"));
    }

    fn direction(&mut self, name: &str) -> usize {
        if let Some(&index) = self.direction_places.get(name) {
            return index;
        }
        self.direction_places.insert(name.to_owned(), self.directions.len());
        self.directions.push(name.to_owned());
        self.arcs.push(BTreeMap::new());
        self.directions.len() - 1
    }

    fn arc(&mut self, direction: usize, from: usize, to: usize, origin: Origin) {
        if self.arc_count >= LINK_LIMIT {
            self.too_large(origin);
            return;
        }
        if self.arcs[direction].insert(from, to).is_none() {
            self.arc_count += 1;
        }
    }

    /// A grid. Several `dimensions` are several blocks of positions with the same directions.
    fn grid(&mut self, item: &Form) {
        let mut start = None;
        let mut blocks = Vec::new();
        let mut vectors = Vec::new();
        for part in item.rest() {
            let rest = part.rest();
            match part.head() {
                Some("start-rectangle") => {
                    if start.is_some() {
                        self.diagnostics.push(
                            Diagnostic::warning("zrf-duplicate", part.origin, "a second start rectangle of one grid")
                                .label("this one holds"),
                        );
                    }
                    start = self.area(part);
                }
                Some("dimensions") => blocks.push(self.dimensions(rest)),
                Some("directions") => self.vectors(rest, &mut vectors),
                _ => self.malformed(part, "a grid has `start-rectangle`, `dimensions` and `directions`"),
            }
        }
        let vectors: Vec<_> = vectors.into_iter().map(|(name, vector)| (self.direction(&name), vector)).collect();
        for (labels, steps) in blocks {
            let grid = Grid { labels, picture: start.map(|area| (area, steps)) };
            if let Err(GridError::TooLarge { .. }) = grid.site_count(SITE_LIMIT) {
                self.too_large(item.origin);
                return;
            }
            for at in grid.coordinates() {
                self.add(&grid.name(&at), grid.area(&at), item.origin);
            }
            for (direction, vector) in &vectors {
                for at in grid.coordinates() {
                    if let Some(next) = grid.shifted(&at, vector)
                        && let (Some(&from), Some(&to)) =
                            (self.by_name.get(&grid.name(&at)), self.by_name.get(&grid.name(&next)))
                    {
                        self.arc(*direction, from, to, item.origin);
                    }
                }
            }
        }
    }

    /// The labels of each dimension, and the pixels of a step along it.
    fn dimensions(&mut self, forms: &[Form]) -> (Vec<Vec<String>>, Vec<(i32, i32)>) {
        let (mut labels, mut steps) = (Vec::new(), Vec::new());
        for dimension in forms {
            let parts = dimension.list().unwrap_or_default();
            let Some(text) = parts.first().and_then(|form| form.text().or(form.symbol())) else {
                self.malformed(dimension, "a dimension is written `(\"a/b/c\" (dx dy))`");
                continue;
            };
            if text.contains(char::is_whitespace) {
                // No name in a rule could be the same word, and no record could be read again.
                self.diagnostics.push(
                    Diagnostic::warning("zrf-malformed", parts[0].origin, "a label has no white space in it")
                        .label("the positions are named without it"),
                );
            }
            let label = |label: &str| label.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
            labels.push(text.split('/').map(label).collect());
            steps.push(self.pixels(dimension));
        }
        (labels, steps)
    }

    /// The rectangle that stands in a list behind its first word. It matters only for the picture.
    fn area(&mut self, form: &Form) -> Option<Area> {
        let words = form.rest();
        match words.iter().map(coordinate).collect::<Option<Vec<_>>>().as_deref() {
            Some(&[left, top, right, bottom]) => Some(Area { left, top, right, bottom }),
            _ => {
                self.not_drawn(
                    form,
                    "a rectangle is four whole numbers: left, top, right and bottom",
                    "no rectangle is taken",
                );
                None
            }
        }
    }

    /// The pixels from one label of a dimension to the next.
    fn pixels(&mut self, dimension: &Form) -> (i32, i32) {
        let step = match dimension.list() {
            Some([_, step]) => pair(step),
            _ => None,
        };
        step.unwrap_or_else(|| {
            self.not_drawn(dimension, "the step of a dimension is two whole numbers: `(dx dy)`", "0 pixels are taken");
            (0, 0)
        })
    }

    fn not_drawn(&mut self, form: &Form, what: &str, taken: &str) {
        self.diagnostics.push(
            Diagnostic::warning("zrf-malformed", form.origin, what)
                .label(taken)
                .help("the rules stay as they are; the board cannot be drawn as it is meant"),
        );
    }

    fn vectors(&mut self, forms: &[Form], vectors: &mut Vec<(String, Vec<i64>)>) {
        let mut seen = BTreeSet::new();
        for vector in forms {
            let Some(name) = vector.head() else {
                self.malformed(vector, "a direction is written `(name dx dy …)`");
                continue;
            };
            let numbers = vector.rest();
            for number in numbers.iter().filter(|number| number.integer().is_none()) {
                self.malformed(number, "a direction's steps are whole numbers");
            }
            if !seen.insert(name) {
                self.diagnostics.push(
                    Diagnostic::warning(
                        "zrf-duplicate",
                        vector.origin,
                        format!("the direction `{name}` is given twice"),
                    )
                    .label("where both lead somewhere, this one holds"),
                );
            }
            vectors.push((name.to_owned(), numbers.iter().filter_map(Form::integer).collect()));
        }
    }

    /// The position of this name, or a warning that there is none.
    fn known(&mut self, form: &Form) -> Option<usize> {
        let found = form.symbol().and_then(|name| self.by_name.get(name).copied());
        match found.filter(|&index| self.positions[index].alive) {
            Some(index) => Some(index),
            None => {
                self.diagnostics.push(
                    Diagnostic::warning("zrf-unknown-position", form.origin, format!("no position is named `{form}`"))
                        .label("this is left out"),
                );
                None
            }
        }
    }

    fn kill(&mut self, item: &Form) {
        if item.head() != Some("kill-positions") {
            return;
        }
        for form in flattened(item.rest()) {
            if let Some(index) = self.known(form) {
                self.positions[index].alive = false;
            }
        }
    }

    fn arcs(&mut self, item: &Form) {
        match item.head() {
            Some("links") => self.link(item),
            Some("unlink") => self.unlink(item),
            _ => {}
        }
    }

    fn link(&mut self, item: &Form) {
        let parts = item.list().unwrap_or_default();
        let Some(name) = parts.get(1).and_then(Form::symbol) else {
            self.malformed(item, "links are written `(links direction (from to) …)`");
            return;
        };
        let direction = self.direction(name);
        for pair in &parts[2..] {
            match pair.list() {
                Some([from, to]) => {
                    if let (Some(from), Some(to)) = (self.known(from), self.known(to)) {
                        self.arc(direction, from, to, pair.origin);
                    }
                }
                _ => self.malformed(pair, "a link is written `(from to)`"),
            }
        }
    }

    fn unlink(&mut self, item: &Form) {
        for what in item.rest() {
            match what.list() {
                None => {
                    if let Some(gone) = self.known(what) {
                        self.unlink_work += self.directions.len() + self.arc_count;
                        if self.unlink_work > LINK_LIMIT {
                            return self.too_large(what.origin);
                        }
                        for arcs in &mut self.arcs {
                            arcs.retain(|&from, &mut to| from != gone && to != gone);
                        }
                    }
                }
                Some([from, to]) => {
                    let Some(start) = self.known(from) else { continue };
                    let along = to.symbol().and_then(|name| self.direction_places.get(name).copied());
                    if let Some(direction) = along {
                        self.arcs[direction].remove(&start);
                    } else if let Some(end) = self.known(to) {
                        self.unlink_work += self.directions.len();
                        if self.unlink_work > LINK_LIMIT {
                            return self.too_large(what.origin);
                        }
                        for arcs in &mut self.arcs {
                            if arcs.get(&start) == Some(&end) {
                                arcs.remove(&start);
                            }
                        }
                    }
                }
                Some(_) => self.malformed(what, "unlink takes positions and pairs `(from to)`"),
            }
        }
    }

    fn topology(&mut self, origin: Origin) -> (Topology, BTreeMap<String, Direction>) {
        let mut topology = Topology::new();
        let mut sites: Vec<Option<Site>> = Vec::new();
        for position in &self.positions {
            sites.push(position.alive.then(|| topology.add_site(position.name.clone(), position.area)));
        }
        if self.directions.len().saturating_mul(topology.site_count()) > LINK_LIMIT {
            self.too_large(origin);
            return Default::default();
        }
        let mut directions = BTreeMap::new();
        for (name, arcs) in self.directions.iter().zip(&self.arcs) {
            let direction = topology.add_direction(name.clone());
            directions.insert(name.clone(), direction);
            for (&from, &to) in arcs {
                if let (Some(from), Some(to)) = (sites[from], sites[to]) {
                    topology.link(direction, from, Some(to));
                }
            }
        }
        (topology, directions)
    }
}

fn read_symmetry(
    item: &Form,
    directions: &BTreeMap<String, Direction>,
    board: &mut Board,
    names: &Names,
    diagnostics: &mut Diagnostics,
) {
    let parts = item.list().unwrap_or_default();
    let Some(player) = parts.get(1).and_then(Form::symbol).and_then(|name| names.players.get(name)) else {
        diagnostics.push(
            Diagnostic::warning("zrf-unknown-player", item.origin, "this symmetry is for a player that does not play")
                .label("it is left out"),
        );
        return;
    };
    let identity = || board.topology.directions().collect();
    let map = board.symmetry.entry(*player).or_insert_with(identity);
    for pair in &parts[2..] {
        let find = |form: &Form| form.symbol().and_then(|name| directions.get(name)).copied();
        match pair.list() {
            Some([said, meant]) => match (find(said), find(meant)) {
                (Some(said), Some(meant)) => map[said] = meant,
                _ => diagnostics.push(
                    Diagnostic::warning("zrf-unknown-direction", pair.origin, "one of these is not a direction")
                        .label("this pair is left out"),
                ),
            },
            _ => diagnostics.push(
                Diagnostic::warning("zrf-malformed", pair.origin, "a symmetry is written `(said meant)`")
                    .label("this is skipped"),
            ),
        }
    }
}

/// `given` says where each player's part of a zone was made.
fn read_zone(
    item: &Form,
    board: &mut Board,
    names: &mut Names,
    given: &mut BTreeMap<(Zone, Player), Origin>,
    diagnostics: &mut Diagnostics,
) {
    let (mut name, mut players, mut sites) = (None, None, SiteSet::empty(board.topology.site_count()));
    for part in item.rest() {
        let rest = part.rest();
        match part.head() {
            Some("name") => name = rest.first().and_then(Form::symbol),
            Some("players") => {
                let players = players.get_or_insert_with(Vec::new);
                for form in flattened(rest) {
                    match form.symbol().and_then(|name| names.players.get(name)) {
                        Some(&player) => players.push(player),
                        None => diagnostics.push(
                            Diagnostic::warning(
                                "zrf-unknown-player",
                                form.origin,
                                format!("no player is named `{form}`"),
                            )
                            .label("the zone is not made for it"),
                        ),
                    }
                }
            }
            Some("positions") => {
                for form in flattened(rest) {
                    match form.symbol().and_then(|name| names.sites.get(name)) {
                        Some(&site) => sites.insert(site),
                        None => diagnostics.push(
                            Diagnostic::warning(
                                "zrf-unknown-position",
                                form.origin,
                                format!("no position is named `{form}`"),
                            )
                            .label("the zone is made without it"),
                        ),
                    }
                }
            }
            head => {
                const PLAYED: [&str; 3] = ["name", "players", "positions"];
                let message = "a zone has `name`, `players` and `positions`".to_owned();
                let head = head.unwrap_or_default();
                diagnostics.push(unknown("zrf-unknown-item", part.origin, message, head, &PLAYED, &[], "remove it"));
            }
        }
    }
    let Some(name) = name else {
        diagnostics.push(
            Diagnostic::warning("zrf-malformed", item.origin, "a zone needs a name")
                .label("this zone is left out")
                .help("write `(zone (name home) (players White) (positions a1 b1))`"),
        );
        return;
    };
    let sets = names.players.len();
    let bits = limits::zone_bits(board.topology.site_count()).saturating_mul(sets);
    if bits.saturating_mul(board.zones.len() + 1) > limits::ZONE_BITS {
        diagnostics.push(
            Diagnostic::error("zrf-too-complex", item.origin, "board, players and zones together are too large")
                .label(format!("more than {} for each position, player and zone", limits::ZONE_BITS))
                .help("make the board smaller, or the zones fewer"),
        );
        return;
    }
    let zone = *names.zones.entry(name.to_owned()).or_insert_with(|| {
        let nothing = SiteSet::empty(board.topology.site_count());
        board.zones.push(ZoneInfo { name: name.to_owned(), sites: IdMap::filled(sets, nothing) });
        Zone::from_index(board.zones.len() - 1)
    });
    for player in players.unwrap_or_else(|| names.players.values().copied().collect()) {
        if let Some(first) = given.insert((zone, player), item.head_origin()) {
            diagnostics.push(
                Diagnostic::warning(
                    "zrf-duplicate",
                    item.head_origin(),
                    format!("the zone `{name}` is made twice for one player"),
                )
                .label("both together are the zone")
                .related(first.span, "this is the other"),
            );
        }
        let all = &mut board.zones[zone.index()].sites[player];
        *all = all.union(&sites);
    }
}

/// The words of a list and of the lists in it: macros often bring brackets of their own.
fn flattened(forms: &[Form]) -> Vec<&Form> {
    let mut found = Vec::new();
    for form in forms {
        match &form.node {
            Node::List(list) => found.extend(flattened(list)),
            _ => found.push(form),
        }
    }
    found
}

fn pair(form: &Form) -> Option<(i32, i32)> {
    match form.list()? {
        [x, y] => Some((coordinate(x)?, coordinate(y)?)),
        _ => None,
    }
}

fn coordinate(form: &Form) -> Option<i32> {
    form.integer().and_then(|number| i32::try_from(number).ok())
}
