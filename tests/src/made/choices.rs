//! Bytes as choices: every byte is one, and when none are left the first alternative is taken, so that whatever is made comes
//! to an end.

use dagaz_base::{Id, Random};

/// Bytes that are used up choice by choice.
pub(super) struct Choices<'b> {
    bytes: &'b [u8],
}

/// The bytes of a seed: more or fewer of them, for small rules and large ones.
pub fn bytes(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let count = 256 + random.below(4096);
    (0..count).map(|_| random.bits() as u8).collect()
}

impl<'b> Choices<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// A number under `bound`: two bytes make it where one is not enough.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let number = self.byte() + if bound > 256 { 256 * self.byte() } else { 0 };
        number % bound
    }

    fn byte(&mut self) -> usize {
        let Some((&byte, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        byte.into()
    }

    /// True once in so many times.
    pub(super) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub(super) fn id<I: Id>(&mut self, count: usize) -> I {
        I::from_index(self.below(count))
    }

    /// How many there are of something: from `least` to `most`.
    pub(super) fn count(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }
}
