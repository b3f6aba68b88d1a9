//! Which site is to one player what another site is to another: so that what is learned of one side holds for both.

use dagaz_base::{Id, IdMap};
use dagaz_board::Site;
use dagaz_ir::{Placement, Player, Role, Rules};

/// For each player, each site as the first person sees it.
pub(super) struct Mirror {
    sites: IdMap<Player, Option<Vec<u32>>>,
}

impl Mirror {
    pub(super) fn of(rules: &Rules) -> Self {
        let first = rules.players.position(|player| player.role == Role::Person);
        let map = |player: Player| first.and_then(|first| mirrored(rules, first, player));
        Self { sites: rules.players.ids().map(map).collect() }
    }

    /// The group of players with whom a player shares what is learned, and the site as the group sees it.
    pub(super) fn seen(&self, player: Player, site: usize) -> (usize, usize) {
        match &self.sites[player] {
            Some(sites) => (0, sites[site] as usize),
            None => (player.index() + 1, site),
        }
    }
}

/// The sites of the board as `first` would see them where `player` sees what they are: a symmetry of the board that
/// turns what each direction means to the one into what it means to the other, and the one's set-up into the other's.
fn mirrored(rules: &Rules, first: Player, player: Player) -> Option<Vec<u32>> {
    let sites = rules.topology.site_count();
    if player == first {
        return Some((0..sites as u32).collect());
    }
    let candidates = rules.topology.sites().map(|start| symmetry(rules, first, player, start));
    candidates.flatten().find(|map| keeps_set_up(rules, first, player, map))
}

/// The symmetry that takes the first site to this one, if there is one: it is followed along the directions.
fn symmetry(rules: &Rules, first: Player, player: Player, start: Site) -> Option<Vec<u32>> {
    const NOT_YET: u32 = u32::MAX;
    let (topology, sites) = (&rules.topology, rules.topology.site_count());
    let mut map = vec![NOT_YET; sites];
    let mut taken = vec![false; sites];
    let mut open = Vec::new();
    let pairs: Vec<_> = topology
        .directions()
        .map(|direction| (rules.players[player].seen(direction), rules.players[first].seen(direction)))
        .collect();
    (map[0], taken[start.index()]) = (start.index() as u32, true);
    open.push(Site::from_index(0));
    // Parts of the board that hang together with nothing stay where they are.
    let mut rest = 1;
    loop {
        while let Some(site) = open.pop() {
            let image = Site::from_index(map[site.index()] as usize);
            for &(mine, his) in &pairs {
                match (topology.step(mine, site), topology.step(his, image)) {
                    (None, None) => {}
                    (Some(next), Some(next_image)) if map[next.index()] == NOT_YET => {
                        if std::mem::replace(&mut taken[next_image.index()], true) {
                            return None;
                        }
                        map[next.index()] = next_image.index() as u32;
                        open.push(next);
                    }
                    (Some(next), Some(next_image)) if map[next.index()] as usize == next_image.index() => {}
                    _ => return None,
                }
            }
        }
        while rest < sites && map[rest] != NOT_YET {
            rest += 1;
        }
        if rest == sites {
            return Some(map);
        }
        if std::mem::replace(&mut taken[rest], true) {
            return None;
        }
        map[rest] = rest as u32;
        open.push(Site::from_index(rest));
    }
}

/// Whether the symmetry takes the pieces of the one at the start to those of the other, or at least a half of them.
fn keeps_set_up(rules: &Rules, first: Player, player: Player, map: &[u32]) -> bool {
    let of = |whose: Player| {
        rules.setup.iter().filter_map(move |placement| match *placement {
            Placement::Piece(owner, kind, site) if owner == whose => Some((kind, site.index() as u32)),
            _ => None,
        })
    };
    let firsts: Vec<_> = of(first).collect();
    let (mut same, mut all) = (0, 0);
    for (kind, site) in of(player) {
        all += 1;
        same += usize::from(firsts.contains(&(kind, map[site as usize])));
    }
    same * 2 >= all && firsts.len() == all
}
