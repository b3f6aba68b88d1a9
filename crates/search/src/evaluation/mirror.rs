//! Which sites are alike: to one player what another is to the other, and to all players what the board's symmetry gives.
//!
//! What is learned of a site then holds for all that are alike.

use dagaz_base::{Id, IdMap};
use dagaz_board::{Direction, Site};
use dagaz_ir::{Expr, Op, Placement, Player, Role, Rules, Stmt};

/// A symmetry of the board: where each site goes, and each direction.
struct Symmetry {
    sites: Vec<u32>,
    directions: Vec<Option<Direction>>,
}

/// For each player, each site as the first person sees it.
pub(super) struct Mirror {
    sites: IdMap<Player, Option<Vec<u32>>>,
    /// For each site the first of those that are alike.
    alike: Vec<u32>,
}

impl Mirror {
    pub(super) fn of(rules: &Rules) -> Self {
        let first = rules.players.position(|player| player.role == Role::Person);
        let symmetries = symmetries(rules);
        let map = |player: Player| first.and_then(|first| mirrored(rules, first, player, &symmetries));
        let sites = rules.players.ids().map(map).collect();
        let keeps = |symmetry: &&Symmetry| {
            let zones = rules.players.ids().all(|player| keeps_zones(rules, player, player, symmetry));
            zones && keeps_directions(rules, symmetry)
        };
        let alike: Vec<&Symmetry> = symmetries.iter().filter(keeps).collect();
        let least = |site: usize| alike.iter().map(|symmetry| symmetry.sites[site]).min();
        let alike = (0..rules.topology.site_count()).map(|site| least(site).unwrap_or(site as u32)).collect();
        Self { sites, alike }
    }

    /// The group of players with whom a player shares what is learned, and the site as the group sees it.
    pub(super) fn seen(&self, player: Player, site: usize) -> (usize, usize) {
        match &self.sites[player] {
            Some(sites) => (0, sites[site] as usize),
            None => (player.index() + 1, site),
        }
    }

    /// The first of the sites that are alike by the symmetry of the board.
    pub(super) fn alike(&self, site: usize) -> usize {
        self.alike[site] as usize
    }
}

/// The sites of the board as `first` would see them where `player` sees what they are: a symmetry that turns the one's zones
/// and set-up into the other's, rather one that goes with what directions mean to both.
fn mirrored(rules: &Rules, first: Player, player: Player, symmetries: &[Symmetry]) -> Option<Vec<u32>> {
    if player == first {
        return Some((0..rules.topology.site_count() as u32).collect());
    }
    let fits = |symmetry: &&Symmetry| {
        keeps_zones(rules, first, player, symmetry) && keeps_set_up(rules, first, player, symmetry)
    };
    let agrees = |symmetry: &Symmetry| {
        let (his, mine) = (&rules.players[first], &rules.players[player]);
        rules.topology.directions().all(|direction| {
            symmetry.directions[mine.seen(direction).index()].is_none_or(|image| image == his.seen(direction))
        })
    };
    let fitting: Vec<&Symmetry> = symmetries.iter().filter(fits).collect();
    let best = fitting.iter().find(|symmetry| agrees(symmetry)).or(fitting.first())?;
    Some(best.sites.clone())
}

/// The symmetries of the board that are told by two of its directions, which lead everywhere.
fn symmetries(rules: &Rules) -> Vec<Symmetry> {
    /// Boards with more sites and directions than this are taken as they are.
    const MOST: usize = 40_000;
    let (topology, opposites) = (&rules.topology, rules.topology.opposites());
    let directions: Vec<Direction> = topology.directions().collect();
    let Some(&one) = directions.first() else { return Vec::new() };
    let Some(&two) = directions.iter().find(|&&other| other != one && Some(other) != opposites[one]) else {
        return Vec::new();
    };
    if topology.site_count() * directions.len() * directions.len() > MOST {
        return Vec::new();
    }
    let mut found = Vec::new();
    for &one_image in &directions {
        for &two_image in directions.iter().filter(|&&image| image != one_image) {
            let mut pairs = vec![(one, one_image), (two, two_image)];
            for (direction, image) in [(one, one_image), (two, two_image)] {
                if let (Some(direction), Some(image)) = (opposites[direction], opposites[image]) {
                    pairs.push((direction, image));
                }
            }
            for start in topology.sites() {
                if let Some(sites) = followed(rules, &pairs, start) {
                    let directions = directions.iter().map(|&direction| image(rules, &sites, direction)).collect();
                    found.push(Symmetry { sites, directions });
                }
            }
        }
    }
    found
}

/// Where sites go when the first goes to `start`, followed along the directions and their images.
fn followed(rules: &Rules, pairs: &[(Direction, Direction)], start: Site) -> Option<Vec<u32>> {
    const NOT_YET: u32 = u32::MAX;
    let (topology, count) = (&rules.topology, rules.topology.site_count());
    let (mut map, mut taken) = (vec![NOT_YET; count], vec![false; count]);
    let mut open = vec![0];
    (map[0], taken[start.index()]) = (start.index() as u32, true);
    // Sites that hang together with nothing stay where they are.
    let mut rest = 1;
    loop {
        while let Some(site) = open.pop() {
            let image = Site::from_index(map[site] as usize);
            for &(direction, other) in pairs {
                match (topology.step(direction, Site::from_index(site)), topology.step(other, image)) {
                    (None, None) => {}
                    (Some(next), Some(to)) if map[next.index()] == NOT_YET && !taken[to.index()] => {
                        (map[next.index()], taken[to.index()]) = (to.index() as u32, true);
                        open.push(next.index());
                    }
                    (Some(next), Some(to)) if map[next.index()] as usize == to.index() => {}
                    _ => return None,
                }
            }
        }
        while rest < count && map[rest] != NOT_YET {
            rest += 1;
        }
        if rest == count {
            return Some(map);
        }
        if std::mem::replace(&mut taken[rest], true) {
            return None;
        }
        map[rest] = rest as u32;
        open.push(rest);
    }
}

/// Where a direction goes with the sites, if it goes anywhere as a whole.
fn image(rules: &Rules, sites: &[u32], direction: Direction) -> Option<Direction> {
    let topology = &rules.topology;
    let image_of = |site: Site| Site::from_index(sites[site.index()] as usize);
    topology.directions().find(|&other| {
        topology
            .sites()
            .all(|site| topology.step(direction, site).map(image_of) == topology.step(other, image_of(site)))
    })
}

/// Whether the one's zones go to the other's.
fn keeps_zones(rules: &Rules, first: Player, player: Player, symmetry: &Symmetry) -> bool {
    rules.zones.values().all(|zone| {
        let (his, mine) = (&zone.sites[first], &zone.sites[player]);
        let goes = |site: Site| his.contains(Site::from_index(symmetry.sites[site.index()] as usize));
        his.len() == mine.len() && mine.iter().all(goes)
    })
}

/// Whether the one's pieces at the start go to the other's.
fn keeps_set_up(rules: &Rules, first: Player, player: Player, symmetry: &Symmetry) -> bool {
    let of = |whose: Player| {
        rules.setup.iter().filter_map(move |placement| match *placement {
            Placement::Piece(owner, kind, site) if owner == whose => Some((kind, site.index() as u32)),
            _ => None,
        })
    };
    let firsts: Vec<_> = of(first).collect();
    let all = of(player).count();
    all == firsts.len() && of(player).all(|(kind, site)| firsts.contains(&(kind, symmetry.sites[site as usize])))
}

/// Whether the directions that move rules and ends by edges speak of are the same after it: on a board with an above and a
/// below they are not alike.
fn keeps_directions(rules: &Rules, symmetry: &Symmetry) -> bool {
    let mut spoken = vec![false; rules.topology.directions().len()];
    let mut see = |op: &Op| {
        if let Op::Step(direction) | Op::StepBack(direction) | Op::Shift(direction) | Op::Ray(direction) = op {
            spoken[direction.index()] = true;
        }
    };
    for rule in rules.rules.values() {
        in_block(&rule.body, &mut see);
    }
    for end in &rules.ends {
        // Edges are told by what lies beyond them; rows go in any direction.
        in_expression(&end.condition.body, &mut |expr| {
            if expr.op == Op::OnBoard {
                in_expression(expr, &mut |part| see(&part.op));
            }
        });
    }
    let goes = |direction: Direction| symmetry.directions[direction.index()].is_some_and(|image| spoken[image.index()]);
    rules.topology.directions().filter(|direction| spoken[direction.index()]).all(goes)
}

fn in_block(block: &[Stmt], see: &mut dyn FnMut(&Op)) {
    for stmt in block {
        stmt.expressions().into_iter().for_each(|expr| in_expression(expr, &mut |part| see(&part.op)));
        stmt.blocks().into_iter().for_each(|block| in_block(block, see));
    }
}

fn in_expression(expr: &Expr, see: &mut dyn FnMut(&Expr)) {
    see(expr);
    expr.args.iter().for_each(|arg| in_expression(arg, see));
}
