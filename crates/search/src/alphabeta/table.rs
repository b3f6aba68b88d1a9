//! The transposition table: what was found out about states that can come about in several ways.
//!
//! Two entries share a bucket: the first is kept as long as it was searched more deeply, the second is always replaced.
//! Distances of wins and losses are kept from the state on, not from the root. The table lives as long as one question, so
//! that an answer depends on nothing else.

use super::values::{PROVEN, is_proven};

/// Entries for each node that may be looked at, and at most so many.
const MOST_ENTRIES: usize = 1 << 20;
const LEAST_ENTRIES: usize = 1 << 12;

/// Which values the true one can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// Nothing is known of it: only a step is remembered.
    None,
    /// It is at least the value.
    Lower,
    /// It is at most the value.
    Upper,
    /// It is the value.
    Exact,
}

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// Its value to the side to move, from the root on.
    pub(super) value: i32,
    pub(super) bound: Bound,
    /// How many whole moves were looked ahead.
    pub(super) depth: u32,
    /// Whether no line was cut before the end of the game: then the depth does not matter.
    pub(super) complete: bool,
    /// Whether nothing was left out that might have been shorter.
    pub(super) full: bool,
    /// The name of the best step, or 0; see [`name`](super::order::name).
    pub(super) step: u32,
}

/// Two words for an entry, so that a new table costs nothing until it is written.
pub(super) struct Table {
    words: Vec<u64>,
    buckets: usize,
}

impl Table {
    /// A table for so many nodes, or for as many as there is room for.
    pub(super) fn new(nodes: Option<u64>) -> Self {
        let wanted = nodes.and_then(|nodes| usize::try_from(nodes).ok()).unwrap_or(MOST_ENTRIES);
        let entries = wanted.clamp(LEAST_ENTRIES, MOST_ENTRIES).next_power_of_two();
        Self { words: vec![0; entries * 2], buckets: entries / 2 }
    }

    /// What is known of the state with this key, which stands `ply` moves after the root.
    pub(super) fn get(&self, key: u64, ply: u32) -> Option<Known> {
        let at = self.bucket(key);
        let entry = [at, at + 2].into_iter().find(|&at| self.words[at] == key && self.words[at + 1] != 0)?;
        Some(unpack(self.words[entry + 1], ply))
    }

    /// Notes what was found.
    pub(super) fn put(&mut self, key: u64, ply: u32, known: Known) {
        let first = self.bucket(key);
        let word = pack(known, ply);
        let keeps =
            self.words[first + 1] != 0 && (self.words[first] != key && depth(self.words[first + 1]) > known.depth);
        // Who has to leave the first place takes the second.
        if !keeps && self.words[first] != key {
            (self.words[first + 2], self.words[first + 3]) = (self.words[first], self.words[first + 1]);
        }
        let at = if keeps { first + 2 } else { first };
        (self.words[at], self.words[at + 1]) = (key, word);
    }

    fn bucket(&self, key: u64) -> usize {
        key as usize % self.buckets * 4
    }
}

/// From the lowest bit: the value (22 bits, shifted to be positive), bound (2), depth (8), complete, full, step (29), one bit set.
fn pack(known: Known, ply: u32) -> u64 {
    let value = from_here(known.value, ply);
    let bound = match known.bound {
        Bound::None => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    ((value + OFFSET) as u64 & 0x3f_ffff)
        | bound << 22
        | u64::from(known.depth.min(255)) << 24
        | u64::from(known.complete) << 32
        | u64::from(known.full) << 33
        | u64::from(known.step & STEP_MASK) << 34
        | 1 << 63
}

/// What of a step's name the table keeps.
pub(super) const STEP_MASK: u32 = (1 << 29) - 1;
const OFFSET: i32 = 1 << 21;

fn unpack(word: u64, ply: u32) -> Known {
    let bound = match word >> 22 & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        3 => Bound::Exact,
        _ => Bound::None,
    };
    Known {
        value: from_root((word & 0x3f_ffff) as i32 - OFFSET, ply),
        bound,
        depth: depth(word),
        complete: word >> 32 & 1 == 1,
        full: word >> 33 & 1 == 1,
        step: (word >> 34) as u32 & STEP_MASK,
    }
}

fn depth(word: u64) -> u32 {
    (word >> 24 & 255) as u32
}

/// Distances are counted from the state on.
fn from_here(value: i32, ply: u32) -> i32 {
    if value >= PROVEN {
        value + ply as i32
    } else if value <= -PROVEN {
        value - ply as i32
    } else {
        value
    }
}

fn from_root(value: i32, ply: u32) -> i32 {
    if value >= PROVEN {
        value - ply as i32
    } else if value <= -PROVEN {
        value + ply as i32
    } else {
        value
    }
}

impl Known {
    /// The value, where it answers a question about the state: searched so deeply, between these bounds. In a search that
    /// must not overlook anything (`full`), only what has not left out anything counts.
    pub(super) fn answer(&self, depth: u32, full: bool, alpha: i32, beta: i32) -> Option<i32> {
        // A win stays one however deeply it was looked for; that there is none is known as deep as one has looked.
        let proven = is_proven(self.value)
            && match self.bound {
                Bound::Lower => self.value > 0,
                Bound::Upper => self.value < 0,
                Bound::Exact | Bound::None => false,
            };
        if !(proven || self.complete || self.depth >= depth && (self.full || !full)) {
            return None;
        }
        let holds = match self.bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        };
        holds.then_some(self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::WIN;
    use super::*;

    fn known(value: i32, bound: Bound, depth: u32, step: u32) -> Known {
        Known { value, bound, depth, complete: false, full: true, step }
    }

    #[test]
    fn what_is_put_comes_back() {
        let mut table = Table::new(Some(1));
        for (key, value) in [(1, -3), (2, 0), (3, WIN - 7), (4, 7 - WIN), (5, 900_000)] {
            let entry = known(value, Bound::Lower, 9, 77);
            table.put(key, 5, entry);
            assert_eq!(table.get(key, 5), Some(entry));
        }
        assert_eq!(table.get(6, 5), None);
    }

    #[test]
    fn distances_are_counted_from_the_state() {
        let mut table = Table::new(Some(1));
        table.put(1, 5, known(WIN - 7, Bound::Exact, 2, 1));
        assert_eq!(table.get(1, 3).unwrap().value, WIN - 5);
        table.put(1, 5, known(7 - WIN, Bound::Exact, 2, 1));
        assert_eq!(table.get(1, 3).unwrap().value, 5 - WIN);
    }

    #[test]
    fn the_deeper_entry_of_a_bucket_stays() {
        let mut table = Table::new(Some(1));
        let same_bucket = LEAST_ENTRIES as u64 / 2;
        table.put(1, 0, known(1, Bound::Exact, 9, 1));
        table.put(1 + same_bucket, 0, known(2, Bound::Exact, 1, 1));
        table.put(1 + 2 * same_bucket, 0, known(3, Bound::Exact, 1, 1));
        assert_eq!(table.get(1, 0).unwrap().value, 1);
        assert_eq!(table.get(1 + same_bucket, 0), None);
        assert_eq!(table.get(1 + 2 * same_bucket, 0).unwrap().value, 3);
        table.put(1 + 2 * same_bucket, 0, known(4, Bound::Exact, 10, 1));
        assert_eq!(table.get(1, 0).unwrap().value, 1);
        assert_eq!(table.get(1 + 2 * same_bucket, 0).unwrap().value, 4);
    }

    #[test]
    fn an_answer_is_deep_enough_or_holds_for_ever() {
        let estimate = known(50, Bound::Lower, 3, 0);
        assert_eq!(estimate.answer(3, true, 0, 50), Some(50));
        assert_eq!(estimate.answer(4, true, 0, 50), None);
        assert_eq!(estimate.answer(3, true, 0, 51), None);
        assert_eq!(Known { full: false, ..estimate }.answer(3, true, 0, 50), None);
        assert_eq!(Known { complete: true, ..estimate }.answer(9, true, 0, 50), Some(50));
        let win = known(WIN - 4, Bound::Lower, 3, 0);
        assert_eq!(win.answer(9, true, 0, 50), Some(WIN - 4));
        // That a win is no nearer says nothing about deeper searches.
        assert_eq!(known(WIN - 4, Bound::Upper, 3, 0).answer(9, true, WIN - 2, WIN), None);
    }
}
