//! Places in the log to come back to, with the hashes in locals: for what comes back in the function that it started from.
//! Unlike those that the function `mark` gives, nothing is noted in the log.

use crate::low::{Body, Ex, Width};

use super::program::Mark;
use super::{Compiler, mail};

/// The hashes that are kept up to date.
const KEYS: [u32; 2] = [mail::KEYS, mail::KEYS + 16];

impl Compiler<'_> {
    /// The place that the state is at.
    pub(super) fn hold(&self, body: &mut Body) -> Mark {
        let key = |at: u32| Ex::from(0).load(Width::I64, at);
        Mark {
            log: body.bind(self.globals.log),
            captures: body.bind(self.globals.captures),
            keys: self.hashing.then(|| KEYS.map(|at| body.bind(key(at)))),
        }
    }

    /// Takes back everything since then.
    pub(super) fn go_back(&self, body: &mut Body, mark: &Mark) {
        body.call(self.functions.undo, vec![mark.log.into()]);
        for (at, key) in mark.keys.into_iter().flat_map(|keys| KEYS.into_iter().zip(keys)) {
            body.store(Width::I64, 0, at, key);
        }
        body.set_global(self.globals.captures, mark.captures);
    }
}
