//! Random numbers that cost next to nothing, and exact choices made of them.

/// The generator wyrand of Wang Yi (<https://github.com/wangyi-fudan/wyhash>), as the crate `fastrand` has it: its next
/// number does not wait for anything that the last one was used for.
///
/// The engine draws from Xoshiro256++, so the games of one seed differ; that choices are uniform is the same.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Sixty-four uniform bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A uniform number in `0..bound`, by Lemire's multiply-and-reject (<https://arxiv.org/abs/1805.10941>). The division
    /// is made only in the one case of 2^64 / `bound` in which it could matter. `bound` is not 0.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound);
        loop {
            let wide = u128::from(self.bits()) * u128::from(bound);
            let rest = wide as u64;
            if rest >= bound || rest >= bound.wrapping_neg() % bound {
                return (wide >> 64) as u32;
            }
        }
    }

    /// Choices whose numbers of alternatives are known beforehand, from one draw. `product` is the product of them all.
    #[inline(always)]
    pub fn choices(&mut self, product: u64) -> Choices {
        loop {
            let fraction = self.bits();
            if fraction.wrapping_mul(product) >= product.wrapping_neg() % product {
                return Choices(fraction);
            }
        }
    }
}

/// A fraction of 2^64 that is read digit by digit, each in its own base.
#[derive(Clone, Copy, Debug)]
pub struct Choices(u64);

impl Choices {
    /// A uniform number in `0..bound`, whatever the choices before it were.
    #[inline(always)]
    pub fn below(&mut self, bound: u64) -> u32 {
        let wide = u128::from(self.0) * u128::from(bound);
        self.0 = wide as u64;
        (wide >> 64) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_of_four_things_is_as_likely() {
        let mut random = Random::new(5);
        let mut seen = [0_u32; 24];
        for _ in 0..24_000 {
            let mut choices = random.choices(24);
            let order = [4, 3, 2].iter().fold(0, |order, &bound| order * bound as u32 + choices.below(bound));
            seen[order as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
    }

    #[test]
    fn below_reaches_everything_equally() {
        let mut random = Random::new(6);
        let mut seen = [0_u32; 6];
        (0..6000).for_each(|_| seen[random.below(6) as usize] += 1);
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
    }
}
