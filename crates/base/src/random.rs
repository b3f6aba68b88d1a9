//! Seeded randomness: the same seed gives the same numbers on every platform and in every version.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Xoshiro256++ seeded through SplitMix64 (Blackman and Vigna 2019, <https://prng.di.unimi.it>).
///
/// The algorithm is part of the record format: changing it would change every seeded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Sixty-four uniform bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number in `0..bound`, by Lemire's multiply-and-reject (<https://arxiv.org/abs/1805.10941>).
    ///
    /// Panics when `bound` is 0: there is nothing to choose from.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "a random choice needs at least one alternative");
        let bound = bound as u64;
        let reject_under = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.bits()) * u128::from(bound);
            if wide as u64 >= reject_under {
                return (wide >> 64) as usize;
            }
        }
    }

    /// A uniformly chosen item, or nothing from an empty slice.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}

/// Mixes a number into 64 well-spread bits: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
pub const fn mix(value: u64) -> u64 {
    let mut bits = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_for_ever() {
        // First outputs of Xoshiro256++ whose state is filled by SplitMix64 from 0 (reference C code of the authors).
        let mut random = Random::new(0);
        assert_eq!(random.bits(), 0x53175d61490b23df);
        assert_eq!(random.bits(), 0x61da6f3dc380d507);
    }

    #[test]
    fn below_stays_below_and_reaches_everything() {
        let mut random = Random::new(7);
        let mut seen = [0_u32; 6];
        for _ in 0..6000 {
            seen[random.below(6)] += 1;
        }
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
    }
}
