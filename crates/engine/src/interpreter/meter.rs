//! How much work is left: what keeps the rules of a stranger from hanging the program. That they do not overflow its stack
//! is the verifier's law about nesting.

use std::cell::Cell;

/// The work that one list of moves, one end or one step may still take.
#[derive(Debug)]
pub(crate) struct Meter {
    limit: u64,
    left: Cell<u64>,
}

impl Meter {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, left: Cell::new(limit) }
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
}
