//! Where sites lie as seen from others: each at one of a few distances, in bits. On most boards a step leads all sites equally far;
//! where rows differ in length it does so for parts of the board.

use std::collections::BTreeMap;

use super::words::{Bits, both, either, has};

/// A place for each site, or nowhere: for each distance the sites from which it is that far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place(BTreeMap<i64, Bits>);

impl Place {
    pub(super) fn nowhere() -> Self {
        Self(BTreeMap::new())
    }

    /// At one distance from some sites.
    pub(super) fn shifted(by: i64, from: &[u64]) -> Self {
        Self::nowhere().or(by, from)
    }

    /// The same, and so far away from some more sites, from which it was nowhere.
    pub(super) fn or(mut self, by: i64, from: &[u64]) -> Self {
        if from.iter().any(|&word| word != 0) {
            let known = self.0.entry(by).or_insert_with(|| vec![0; from.len()]);
            *known = either(known, from);
        }
        self
    }

    /// The place as seen from this place.
    pub(super) fn then(&self, step: &Self) -> Self {
        let mut place = Self::nowhere();
        for (&by, from) in &self.0 {
            for (&further, movable) in &step.0 {
                let mut both = vec![0; from.len()];
                let sites = (0..from.len() as i64 * 64).filter(|&site| has(from, site) && has(movable, site + by));
                sites.for_each(|site| both[site as usize / 64] |= 1 << (site % 64));
                place = place.or(by + further, &both);
            }
        }
        place
    }

    /// The distances, and from where.
    pub(super) fn parts(&self) -> impl Iterator<Item = (i64, &Bits)> {
        self.0.iter().map(|(&by, from)| (by, from))
    }

    /// The place of one site.
    pub(super) fn of(&self, site: i64) -> Option<i64> {
        self.parts().find(|(_, from)| has(from, site)).map(|(by, _)| site + by)
    }

    /// The same from some sites only.
    pub(super) fn limited_to(&self, sites: &[u64]) -> Self {
        self.parts().fold(Self::nowhere(), |place, (by, from)| place.or(by, &both(from, sites)))
    }

    /// The distance, where it is the same from all of some sites.
    pub(super) fn distance_from(&self, sites: &[u64]) -> Option<i64> {
        self.parts().find(|(_, from)| both(from, sites) == sites).map(|(by, _)| by)
    }

    /// Whether it is on the board for all of some sites.
    pub(super) fn is_on_board_from(&self, sites: &[u64]) -> bool {
        let missing = |(index, &word): (usize, &u64)| self.0.values().fold(word, |rest, from| rest & !from[index]);
        sites.iter().enumerate().all(|word| missing(word) == 0)
    }

    /// Whether no site is its own place.
    pub(super) fn is_elsewhere(&self) -> bool {
        !self.0.contains_key(&0)
    }

    pub(super) fn furthest(&self) -> u64 {
        self.0.keys().map(|by| by.unsigned_abs()).max().unwrap_or(0)
    }
}
