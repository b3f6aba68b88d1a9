//! What playouts say of sites, whenever a piece comes there: "all moves as first" (Brügmann 1993), shared with the nodes
//! below (GRAVE, Cazenave 2015). A playout tells where each player's pieces stood when it ended: so who had his way there is known
//! without the moves.

use dagaz_base::Id;
use dagaz_engine::{Step, Tally};
use dagaz_ir::Player;

/// For each player and site: in how many playouts he held it, and what he had of them.
pub(super) struct Amaf {
    seen: u32,
    sites: usize,
    entries: Box<[(u32, u32)]>,
}

impl Amaf {
    pub(super) fn new(players: usize, sites: usize) -> Self {
        Self { seen: 0, sites, entries: vec![(0, 0); players * sites].into() }
    }

    /// Bytes of one.
    pub(super) fn size(players: usize, sites: usize) -> usize {
        players * sites * size_of::<(u32, u32)>()
    }

    /// Adds a playout: where players held sites, and what each has of it.
    pub(super) fn add(&mut self, held: &[u64], points: &[u64]) {
        let words = Tally::words(self.sites);
        if self.seen == u32::MAX >> 8 {
            return;
        }
        self.seen += 1;
        for ((set, entries), &points) in held.chunks(words).zip(self.entries.chunks_mut(self.sites)).zip(points) {
            for (index, &word) in set.iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    let entry = &mut entries[index * 64 + left.trailing_zeros() as usize];
                    entry.0 += 1;
                    entry.1 += points as u32;
                    left &= left - 1;
                }
            }
        }
    }

    /// How many playouts it knows of.
    pub(super) fn seen(&self) -> u32 {
        self.seen
    }

    /// Of how many playouts it knows that the player held the site, and his points.
    pub(super) fn of(&self, player: Player, site: u32) -> (f64, f64) {
        let (visits, points) = self.entries[player.index() * self.sites + site as usize];
        (f64::from(visits), f64::from(points))
    }
}

/// The site that a step puts a new piece on.
pub(super) fn site(step: &Step) -> Option<u32> {
    step.to.filter(|_| step.from.is_none()).map(|site| site.index() as u32)
}
