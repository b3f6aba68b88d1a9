//! Sets of sites.

use std::fmt;

use dagaz_base::Id;

use crate::topology::Site;

/// A set of sites of one board, one bit a site.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SiteSet {
    words: Box<[u64]>,
}

impl SiteSet {
    /// The empty set of a board with `sites` sites.
    pub fn empty(sites: usize) -> Self {
        Self { words: vec![0; sites.div_ceil(64)].into() }
    }

    /// All sites of a board with `sites` sites.
    pub fn all(sites: usize) -> Self {
        let mut set = Self::empty(sites);
        for index in 0..sites {
            set.insert(Site::from_index(index));
        }
        set
    }

    /// The set whose words these are, as [`words`](Self::words()) gives them.
    pub fn from_words(words: &[u64]) -> Self {
        Self { words: words.into() }
    }

    /// A bit for each site, the lowest of the first word being that of the first site.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Whether `site` is in the set.
    pub fn contains(&self, site: Site) -> bool {
        let index = site.index();
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Adds a site of the board.
    pub fn insert(&mut self, site: Site) {
        self.words[site.index() / 64] |= 1 << (site.index() % 64);
    }

    /// Takes a site away.
    pub fn remove(&mut self, site: Site) {
        self.words[site.index() / 64] &= !(1 << (site.index() % 64));
    }

    /// How many sites are in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no site is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The sites, in order.
    pub fn iter(&self) -> impl Iterator<Item = Site> {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| Site::from_index(index * 64 + rest.trailing_zeros() as usize))
        })
    }

    /// The sites of either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// The sites of both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// The sites of this set that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    fn zip(&self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        assert_eq!(self.words.len(), other.words.len(), "sets of one board have one size");
        Self { words: self.words.iter().zip(&other.words).map(|(&a, &b)| combine(a, b)).collect() }
    }
}

impl fmt::Debug for SiteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Id::index)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_order_across_words() {
        let mut set = SiteSet::empty(200);
        for index in [199, 3, 64, 63] {
            set.insert(Site::from_index(index));
        }
        assert_eq!(set.iter().map(Id::index).collect::<Vec<_>>(), [3, 63, 64, 199]);
        set.remove(Site::from_index(64));
        assert_eq!(set.len(), 3);
        assert_eq!(SiteSet::all(200).difference(&set).len(), 197);
    }
}
