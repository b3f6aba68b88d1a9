//! How much work is left: what keeps the rules of a stranger from hanging the program or overflowing its stack.

use std::cell::Cell;

/// How deep statements and expressions may nest while they run. Each level takes stack, so the caller has no say in this:
/// unoptimised, a thousand levels take between half a megabyte and one, and a thread has two.
pub(super) const DEPTH: u32 = 1_000;

/// The work that one list of moves, one end or one step may still take.
#[derive(Debug)]
pub(crate) struct Meter {
    limit: u64,
    left: Cell<u64>,
    depth: Cell<u32>,
}

impl Meter {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, left: Cell::new(limit), depth: Cell::new(0) }
    }

    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// Takes so much away; says no when there is less.
    #[inline]
    pub(super) fn spend(&self, work: u64) -> bool {
        match self.left.get().checked_sub(work) {
            Some(left) => {
                self.left.set(left);
                true
            }
            None => false,
        }
    }

    /// Goes one level deeper; says no at the bottom. Each `enter`, refused or not, is followed by a `leave`.
    pub(super) fn enter(&self) -> bool {
        self.depth.set(self.depth.get() + 1);
        self.depth.get() <= DEPTH
    }

    pub(super) fn leave(&self) {
        self.depth.set(self.depth.get() - 1);
    }
}
