//! Proof-number search in depth-first order (df-pn, Nagai 2002): questions are answered where that seems to take the fewest states.
//!
//! The proof number of a state says how many states at least must still be shown to be worth enough, its disproof number how many
//! must be shown not to be. Both are kept in a table of a fixed size.

use super::ground::Look;
use super::{ANYWHERE, Halt, Solver};

/// The proof and the disproof number of a state for one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

/// The number of what cannot be shown.
pub(super) const NEVER: u32 = 1 << 30;

impl Numbers {
    const NEW: Self = Self { proof: 1, disproof: 1 };
    const TRUE: Self = Self { proof: 0, disproof: NEVER };
    const FALSE: Self = Self { proof: NEVER, disproof: 0 };

    fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// The same, seen by the other side.
    fn turned(self) -> Self {
        Self { proof: self.disproof, disproof: self.proof }
    }

    fn turned_if(self, turn: bool) -> Self {
        if turn { self.turned() } else { self }
    }
}

impl Solver<'_> {
    /// Whether the state is worth so much, and the earliest state on the way on which that depends.
    pub(super) fn settle(&mut self, wanted: i32) -> Result<(bool, usize), Halt> {
        let (numbers, depends) = self.deepen(wanted, Numbers { proof: NEVER, disproof: NEVER })?;
        Ok((numbers.proof == 0, depends))
    }

    /// Looks at a state until one of its numbers is as large as the limit.
    fn deepen(&mut self, wanted: i32, limit: Numbers) -> Result<(Numbers, usize), Halt> {
        let key = Self::question(self.ground.key(), wanted);
        if let Some(known) = self.numbers.get(key).filter(|known| known.is_settled()) {
            return Ok((known, ANYWHERE));
        }
        let begun = self.nodes;
        self.count()?;
        let stood = self.ground.stood()?;
        let steps = match self.ground.look()? {
            Look::Over(value) => {
                let numbers = if value >= wanted { Numbers::TRUE } else { Numbers::FALSE };
                if stood.is_none() {
                    self.numbers.put(key, numbers, 1);
                }
                return Ok((numbers, stood.unwrap_or(ANYWHERE)));
            }
            Look::Open(steps) => steps,
        };
        // Who chooses wants his own number small: seen by him, a state is proven once one step is.
        let (turn, depth) = (!self.ground.ours(), self.ground.depth());
        let limit = limit.turned_if(turn);
        let mut depends = stood.unwrap_or(ANYWHERE);
        let mut below = Vec::with_capacity(steps.len());
        for step in &steps {
            self.ground.make(step)?;
            let known = self.numbers.get(Self::question(self.ground.key(), wanted));
            self.ground.take_back();
            below.push(known.unwrap_or(Numbers::NEW).turned_if(turn));
        }
        let numbers = loop {
            let (mut best, mut second, mut sum) = (0, NEVER, 0_u32);
            for (index, numbers) in below.iter().enumerate() {
                sum = sum.saturating_add(numbers.disproof).min(NEVER);
                if index == 0 {
                    continue;
                }
                if numbers.proof < below[best].proof {
                    second = below[best].proof;
                    best = index;
                } else {
                    second = second.min(numbers.proof);
                }
            }
            let now = Numbers { proof: below[best].proof, disproof: if below[best].proof == 0 { NEVER } else { sum } };
            if now.proof >= limit.proof || now.disproof >= limit.disproof || now.is_settled() {
                break now;
            }
            // A little more than the next best, so that it is not gone to and fro between two.
            let most = second.saturating_add(second / 4 + 1);
            let within = Numbers {
                proof: limit.proof.min(most),
                disproof: (limit.disproof - sum).saturating_add(below[best].disproof).min(NEVER),
            };
            self.ground.make(&steps[best])?;
            let (found, on) = self.deepen(wanted, within.turned_if(turn))?;
            self.ground.take_back();
            below[best] = found.turned_if(turn);
            depends = depends.min(on);
        };
        let numbers = numbers.turned_if(turn);
        if depends >= depth {
            depends = ANYWHERE;
            self.numbers.put(key, numbers, self.nodes - begun);
        }
        Ok((numbers, depends))
    }

    fn question(key: u64, wanted: i32) -> u64 {
        key ^ dagaz_base::random::mix(wanted as u64)
    }
}
