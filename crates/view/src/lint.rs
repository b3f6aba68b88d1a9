//! What is wrong with a picture: of a board that nobody can hit, of pieces that nobody can tell apart.

use std::collections::BTreeMap;

use dagaz_base::{Diagnostic, FileId, Origin, Span};
use dagaz_board::Site;
use dagaz_ir::{Kind, Placement, Player, Role, Rules};

use crate::figures::{Figure, Shape};
use crate::geometry::{Bounds, area, common};
use crate::glyphs::can_write;
use crate::ground::Ground;
use crate::looks::Looks;
use crate::nearby::Nearby;
use crate::paint::{Paints, contrast, palette};
use crate::stands::variable;
use crate::view::{Name, View, fits};

/// Names in a view file that mean nothing in any of these games, the variants of one file of rules.
pub fn unknown_names(view: &View, games: &[&Rules]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (name, span) in &view.used {
        if games.iter().any(|rules| is_known(rules, name)) {
            continue;
        }
        let (code, what) = match name {
            Name::Kind(_) => ("view-unknown-kind", "piece"),
            Name::Player(_) => ("view-unknown-player", "player"),
            Name::Site(_) => ("view-unknown-site", "position"),
            Name::Sites(_) => ("view-unknown-site", "position or zone"),
            Name::Direction(_) => ("view-unknown-direction", "direction"),
            Name::Variable(_) => ("view-unknown-variable", "variable"),
        };
        let message = format!("the rules have no {what} `{}`", name.text());
        let origin = Origin { span: *span, expansion: None };
        found.push(Diagnostic::error(code, origin, message).label("in no variant of the game"));
    }
    found
}

fn is_known(rules: &Rules, name: &Name) -> bool {
    match name {
        Name::Kind(name) => rules.kinds.values().any(|kind| fits(name, &kind.name)),
        Name::Player(name) => rules.players.values().any(|player| player.name == *name),
        Name::Site(name) => rules.topology.site(name).is_some(),
        Name::Sites(name) => rules.topology.site(name).is_some() || rules.zones.values().any(|zone| zone.name == *name),
        Name::Direction(name) => rules.topology.direction(name).is_some(),
        Name::Variable(name) => variable(rules, name).is_some(),
    }
}

/// What makes the picture of a game hard to see, to hit or to hear. What has no place of its own in the file is told at its start.
pub fn lint(view: &View, rules: &Rules, file: FileId) -> Vec<Diagnostic> {
    let start = Span { file, start: 0, end: 0 };
    let mut linter = Linter { view, rules, start, found: Vec::new() };
    let ground = Ground::of(rules, view, false);
    linter.places(&ground);
    linter.overlaps(&ground);
    linter.hits(&ground);
    linter.pieces(&ground);
    linter.words();
    linter.found
}

struct Linter<'a> {
    view: &'a View,
    rules: &'a Rules,
    start: Span,
    found: Vec<Diagnostic>,
}

/// Names in a message: no more than these.
const NAMED: usize = 6;

fn list(names: &[&str]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let shown = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

impl Linter<'_> {
    fn warn(&mut self, code: &'static str, about: Option<&Name>, message: String, label: &str, help: &str) {
        let place = about.and_then(|name| self.view.used.iter().find(|(used, _)| used == name).map(|(_, span)| *span));
        let origin = Origin { span: place.unwrap_or(self.start), expansion: None };
        self.found.push(Diagnostic::warning(code, origin, message).label(label).help(help));
    }

    fn site_name(&self, site: Site) -> &str {
        self.rules.topology.site_name(site)
    }

    fn places(&mut self, ground: &Ground) {
        let lost = ground.places.places.iter().filter(|(site, place)| !place.on_board && !ground.hidden.contains(site));
        let names: Vec<&str> = lost.map(|(site, _)| self.rules.topology.site_name(site)).collect();
        if !names.is_empty() {
            let message = format!("{} of the board has no place in the picture", list(&names));
            let help = "give it one by `(place SITE left top right bottom)`, or leave it out by `(hide SITE…)`";
            self.warn("view-no-place", None, message, "drawn below the board", help);
        }
    }

    fn overlaps(&mut self, ground: &Ground) {
        /// So much of the smaller outline may lie in another.
        const TOLERANCE: f64 = 0.08;
        let sites: Vec<Site> = self.rules.topology.sites().filter(|&site| ground.is_shown(site)).collect();
        for (one, other, part) in overlaps(ground, &sites) {
            if part > TOLERANCE {
                let (first, second) = (self.site_name(one).to_owned(), self.site_name(other).to_owned());
                let message = format!("`{first}` and `{second}` lie over each other");
                self.warn(
                    "view-overlap",
                    Some(&Name::Site(second)),
                    message,
                    "nobody can tell which is meant",
                    "move one of them by `(place SITE left top right bottom)`",
                );
                return;
            }
        }
    }

    /// A finger hits 24 of the 320 pixels that a small screen is broad: where a site is smaller, it must at least be as large as its
    /// neighbours let it be.
    fn hits(&mut self, ground: &Ground) {
        let Some(bounds) = ground.bounds() else { return };
        let pixels = 320.0 / (bounds.size().x + 1.2).max(1.0);
        let sites: Vec<Site> = self.rules.topology.sites().filter(|&site| ground.is_shown(site)).collect();
        let nearby = Nearby::new(1.0, sites.iter().map(|&site| ground.at(site)).collect());
        let small = sites.iter().enumerate().filter(|&(index, &site)| {
            let Some(size) = Bounds::of(ground.corners(site)).map(Bounds::size) else { return false };
            let breadth = size.x.min(size.y);
            let is_small = breadth * pixels < 24.0 && size.x * size.y * pixels * pixels < 24.0 * 24.0;
            is_small && breadth < 0.7 * nearby.nearest(index).unwrap_or(1.0)
        });
        let names: Vec<&str> = small.map(|(_, &site)| self.rules.topology.site_name(site)).collect();
        if !names.is_empty() {
            let message = format!("{} is hard to hit on a small screen", list(&names));
            let help = "make its area larger by `(place SITE left top right bottom)`";
            self.warn("view-small", None, message, "less than 24 of 320 pixels, and there is room", help);
        }
    }

    fn pieces(&mut self, ground: &Ground) {
        let paints = palette(self.rules, self.view);
        let looks = Looks::new(self.rules, self.view, &paints);
        let pieces = pieces(self.rules);
        let mut cells: Vec<&str> = ground.paints.values().flatten().map(String::as_str).collect();
        cells.sort_unstable();
        cells.dedup();
        if cells.is_empty() {
            cells.push("board");
        }
        let colour = |paint: &str, theme: usize| -> String {
            paints.get(paint).map_or_else(|| paint.to_owned(), |colours| colours[theme].clone())
        };
        let mut faint: BTreeMap<Player, String> = BTreeMap::new();
        let mut shapes: BTreeMap<Kind, Vec<(Player, Vec<Figure>)>> = BTreeMap::new();
        for &(kind, owner) in &pieces {
            let (figures, said) = looks.figures(kind, owner);
            let is_letter = matches!(figures.last().map(|figure| &figure.shape), Some(Shape::Text(_)));
            if !said && is_letter && !self.view.looks.is_empty() {
                let (name, player) = (&self.rules.kinds[kind].name, &self.rules.players[owner].name);
                let message = format!("`{name}` of {player} has no look");
                self.warn(
                    "view-no-look",
                    None,
                    message,
                    "drawn as a disc with a letter",
                    "say how it looks by `(look KIND FIGURE…)`",
                );
            }
            for figure in &figures {
                if let Shape::Text(text) = &figure.shape
                    && !can_write(text)
                {
                    let name = self.rules.kinds[kind].name.clone();
                    let message = format!("there are no outlines of `{text}`, which `{name}` is drawn with");
                    self.warn(
                        "view-no-glyph",
                        Some(&Name::Kind(name)),
                        message,
                        "not drawn",
                        "the characters are in assets/characters.txt",
                    );
                }
            }
            let names = Paints::of(owner);
            let fill = figures.first().and_then(|figure| figure.paint.clone()).unwrap_or(names.fill);
            for theme in [0, 1] {
                for cell in &cells {
                    let under = colour(cell, theme);
                    let best =
                        contrast(&colour(&fill, theme), &under).max(contrast(&colour(&names.edge, theme), &under));
                    if best < 3.0 {
                        faint.insert(owner, (*cell).to_owned());
                    }
                }
            }
            shapes.entry(kind).or_default().push((owner, figures));
        }
        for (owner, cell) in faint {
            let name = self.rules.players[owner].name.clone();
            let message = format!("the pieces of {name} can hardly be told from `{cell}` cells: contrast below 3:1");
            self.warn(
                "view-contrast",
                Some(&Name::Player(name)),
                message,
                "both its fill and its edge",
                "choose another colour by `(colour PLAYER \"#rrggbb\")`",
            );
        }
        self.alike(&shapes, &|player| colour(&Paints::of(player).fill, 0));
    }

    /// Players whose pieces look alike, unless they point another way.
    fn alike(&mut self, shapes: &BTreeMap<Kind, Vec<(Player, Vec<Figure>)>>, colour: &dyn Fn(Player) -> String) {
        let persons = self.rules.players.values().filter(|info| info.role == Role::Person).count();
        // More than two players have pips; pieces that point somewhere tell by that.
        if self.view.facing || persons > 2 {
            return;
        }
        for (&kind, owners) in shapes {
            for (index, (one, figures)) in owners.iter().enumerate() {
                for (other, others) in &owners[index + 1..] {
                    let ratio = contrast(&colour(*one), &colour(*other));
                    let (first, second) =
                        (self.rules.players[*one].name.clone(), self.rules.players[*other].name.clone());
                    let painted = figures.iter().all(|figure| figure.paint.is_some());
                    if figures != others || (ratio >= 3.0 && !painted) {
                        continue;
                    }
                    let kind = &self.rules.kinds[kind].name;
                    let help = "choose other colours by `(colour PLAYER \"#rrggbb\")`, or other looks by `(look (KIND PLAYER) FIGURE…)`";
                    match ratio < 1.1 || painted {
                        true => {
                            let message = format!("`{kind}` looks the same for {first} and {second}");
                            self.warn(
                                "view-same-look",
                                Some(&Name::Player(second)),
                                message,
                                "nothing tells whose it is",
                                help,
                            );
                        }
                        false => {
                            let message = format!("the colours of {first} and {second} have a contrast below 3:1");
                            self.warn(
                                "view-owners",
                                Some(&Name::Player(second)),
                                message,
                                "and nothing else tells them apart",
                                help,
                            );
                        }
                    }
                    return;
                }
            }
        }
    }

    /// What a kind is called, and its letter.
    fn words(&mut self) {
        for (kind, _) in pieces(self.rules) {
            let name = &self.rules.kinds[kind].name;
            let said = self.view.names.iter().any(|(known, _)| known == name);
            if !said && !name.chars().any(char::is_alphabetic) {
                let message = format!("`{name}` cannot be spoken");
                self.warn(
                    "view-no-name",
                    None,
                    message,
                    "no letter in it",
                    "say what it is called by `(name KIND \"words\")`",
                );
            }
            let letters: Vec<&(String, String)> = self.view.letters.iter().filter(|(known, _)| known == name).collect();
            if let Some((_, letter)) = letters.first()
                && self.view.letters.iter().filter(|(_, other)| other == letter).count() > 1
            {
                let message = format!("two kinds have the letter `{letter}`");
                self.warn(
                    "view-letter",
                    Some(&Name::Kind(name.clone())),
                    message,
                    "one of them",
                    "give each its own letter",
                );
            }
        }
    }
}

/// The pieces that a game may have, as far as its start and its hands say: every kind for each of its owners.
fn pieces(rules: &Rules) -> Vec<(Kind, Player)> {
    let mut placed: Vec<(Kind, Player)> = rules
        .setup
        .iter()
        .filter_map(|placement| match *placement {
            Placement::Piece(player, kind, _) | Placement::Hand(player, kind, _) => Some((kind, player)),
            Placement::Cell(..) => None,
        })
        .collect();
    let owners: Vec<Player> = rules
        .players
        .iter()
        .filter(|(player, info)| info.role == Role::Person && placed.iter().any(|(_, owner)| owner == player))
        .map(|(player, _)| player)
        .collect();
    // What a piece may become belongs to the same players; kinds without moves of their own are often only marks.
    let moving = rules.rules.values().filter_map(|rule| rule.kind);
    placed.extend(moving.flat_map(|kind| owners.iter().map(move |&owner| (kind, owner))));
    placed.sort_unstable();
    placed.dedup();
    placed
}

/// Pairs of sites of one level whose outlines overlap, and which part of the smaller one lies in the other.
pub(crate) fn overlaps(ground: &Ground, sites: &[Site]) -> Vec<(Site, Site, f64)> {
    let nearby = Nearby::new(1.0, sites.iter().map(|&site| ground.at(site)).collect());
    let mut found = Vec::new();
    for (index, &site) in sites.iter().enumerate() {
        let corners = ground.corners(site);
        let Some(bounds) = Bounds::of(corners.iter().copied()) else { continue };
        let reach = bounds.size().length() / 2.0 + 1.0;
        for (other, _) in nearby.within(ground.at(site), reach) {
            let level = |site: Site| ground.places.places[site].level;
            if other <= index || level(sites[other]) != level(site) {
                continue;
            }
            let others = ground.corners(sites[other]);
            let shared = area(&common(&corners, &others));
            let part = shared / area(&corners).min(area(&others)).max(1e-9);
            if part > 1e-6 {
                found.push((site, sites[other], part));
            }
        }
    }
    found
}
