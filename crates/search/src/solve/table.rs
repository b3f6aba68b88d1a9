//! What is known of states: a table of a fixed size, in which what took least work gives way.

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Its value is at least this.
    pub(super) low: i16,
    /// And at most this.
    pub(super) high: i16,
    /// The step that decided it, in the order of the rules.
    pub(super) best: u16,
}

#[derive(Clone, Copy)]
struct Entry<K> {
    key: u64,
    known: K,
    /// The logarithm of the states that it took; 0 for nothing.
    work: u8,
}

/// So many entries lie together: a state is in one of them.
const WAYS: usize = 4;

pub(super) struct Table<K> {
    entries: Vec<Entry<K>>,
    used: usize,
}

pub(super) const UNKNOWN: Known = Known { low: i16::MIN, high: i16::MAX, best: u16::MAX };

impl<K: Copy> Table<K> {
    /// A table of so many bytes at most; `nothing` stands where nothing is known.
    pub(super) fn new(bytes: usize, nothing: K) -> Self {
        let entries = (bytes / size_of::<Entry<K>>()).max(WAYS) / WAYS * WAYS;
        Self { entries: vec![Entry { key: 0, known: nothing, work: 0 }; entries], used: 0 }
    }

    /// How many states are known, of so many at most.
    pub(super) fn used(&self) -> (usize, usize) {
        (self.used, self.entries.len())
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.entries.len() / WAYS) as u128;
        ((u128::from(key) * buckets) >> 64) as usize * WAYS
    }

    pub(super) fn get(&self, key: u64) -> Option<K> {
        let bucket = &self.entries[self.bucket(key)..][..WAYS];
        bucket.iter().find(|entry| entry.work > 0 && entry.key == key).map(|entry| entry.known)
    }

    /// Notes what is known of a state after so much work.
    pub(super) fn put(&mut self, key: u64, known: K, work: u64) {
        let at = self.bucket(key);
        let work = (work.max(1).ilog2() + 1) as u8;
        let bucket = &mut self.entries[at..][..WAYS];
        if let Some(entry) = bucket.iter_mut().find(|entry| entry.work > 0 && entry.key == key) {
            *entry = Entry { key, known, work: entry.work.max(work) };
            return;
        }
        let least = bucket.iter_mut().min_by_key(|entry| entry.work).expect("a bucket has entries");
        self.used += usize::from(least.work == 0);
        *least = Entry { key, known, work };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_least_work_gives_way() {
        let mut table = Table::new(size_of::<Entry<Known>>() * WAYS, UNKNOWN);
        for (key, work) in [(1, 100), (2, 5), (3, 100), (4, 100), (5, 50)] {
            table.put(key, Known { low: key as i16, ..UNKNOWN }, work);
        }
        assert!(table.get(2).is_none());
        assert_eq!([1, 3, 4, 5].map(|key| table.get(key).map(|known| known.low)), [1, 3, 4, 5].map(Some));
        assert_eq!(table.used(), (4, 4));
    }
}
