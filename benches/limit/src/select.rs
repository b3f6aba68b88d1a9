//! The n-th member of a set of bits: with it and a count, a random move needs no list of moves.

/// The `n`-th lowest bit of `set`, counted from 0, alone. The set has more than `n`.
#[inline(always)]
pub(crate) fn nth(set: u64, n: u32) -> u64 {
    #[cfg(target_feature = "bmi2")]
    return safe_arch::population_deposit_u64(1 << n, set);
    #[cfg(not(target_feature = "bmi2"))]
    {
        let mut rest = set;
        for _ in 0..n {
            rest &= rest.wrapping_sub(1);
        }
        rest & rest.wrapping_neg()
    }
}

/// The same of a set of up to 128.
#[inline(always)]
pub(crate) fn nth_wide(set: u128, n: u32) -> u128 {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let below = low.count_ones();
    if n < below { u128::from(nth(low, n)) } else { u128::from(nth(high, n - below)) << 64 }
}

/// The members of a set from the lowest, each alone.
pub(crate) fn members(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_in_order() {
        let set: u64 = 0x8000_0100_0040_0012;
        let found: Vec<u64> = (0..set.count_ones()).map(|n| nth(set, n)).collect();
        assert_eq!(found, members(set).collect::<Vec<_>>());
        assert_eq!(nth_wide(u128::from(set) << 60, 2), 1 << 82);
    }
}
