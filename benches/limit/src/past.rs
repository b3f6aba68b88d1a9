//! Which positions have stood, for rules about repetition.

/// A list of 64-bit keys with a small filter before it. Two positions with one key would be taken for the same: once in
/// 2^64.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    keys: Vec<u64>,
    /// Whether a key has these low bits.
    filter: Box<[bool; SLOTS]>,
}

const SLOTS: usize = 1 << 12;

impl Default for Past {
    fn default() -> Self {
        Self { keys: Vec::new(), filter: Box::new([false; SLOTS]) }
    }
}

impl Past {
    /// How often a position has stood.
    #[inline]
    pub(crate) fn times(&self, key: u64) -> usize {
        if self.filter[slot(key)] { self.keys.iter().filter(|&&other| other == key).count() } else { 0 }
    }

    /// A position stands.
    #[inline]
    pub(crate) fn push(&mut self, key: u64) {
        self.keys.push(key);
        self.filter[slot(key)] = true;
    }

    /// The last position never stood. The filter keeps what it knew: it may send too many to the list, and never too few.
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Nothing that has stood can come back, or a new game begins.
    #[inline]
    pub(crate) fn clear(&mut self) {
        for key in self.keys.drain(..) {
            self.filter[slot(key)] = false;
        }
    }
}

fn slot(key: u64) -> usize {
    key as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted_until_they_cannot_come_back() {
        let mut past = Past::default();
        let same_slot = 7 + SLOTS as u64;
        for key in [7, 8, 7, same_slot] {
            past.push(key);
        }
        assert_eq!([7, 8, same_slot, 9].map(|key| past.times(key)), [2, 1, 1, 0]);
        past.clear();
        assert_eq!(past.times(7), 0);
    }
}
