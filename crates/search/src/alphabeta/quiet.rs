//! After the last move of a line: captures and promotions go on until nothing more is to be won (quiescence search).

use dagaz_engine::{Situation, Step};

use super::search::{Halt, Search};
use super::values::{INFINITE, PROVEN, of_outcome, signed};

/// What a capture may be worth beyond the piece: half a piece.
const MARGIN: i32 = 50;
/// So many captures at most are followed although each is forced.
const MOST_FORCED: usize = 8;

impl Search<'_> {
    /// The value of a state at the end of a line to the side to move.
    pub(super) fn leaf(&mut self, ply: u32, alpha: i32, beta: i32, plies: u32) -> Result<i32, Halt> {
        self.enter()?;
        let ours = self.ours();
        let looks_on = self.evaluation.counts_pieces() && plies > 0;
        if !looks_on && self.walk.starts_move() && !self.walk.is_chance() {
            // Without a list it is cheaper, and enough.
            let steps = self.walk.count()?;
            if steps > 0 {
                self.was_cut = true;
                return Ok(self.estimate(ours, steps));
            }
        }
        let steps = match self.walk.situation()? {
            Situation::Over(outcome) => {
                return Ok(signed(ours, of_outcome(&outcome, self.asker(), ply)));
            }
            Situation::Open(steps) => steps,
        };
        let calm = self.estimate(ours, steps.len());
        self.was_cut = true;
        if !looks_on || self.walk.is_chance() {
            return Ok(calm);
        }
        let mut noisy: Vec<(i32, usize)> = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let (gain, _) = self.evaluation.gain(&self.walk, step);
            if gain > 0 {
                noisy.push((gain, index));
            }
        }
        // Who must capture cannot leave it at that.
        let forced = noisy.len() == steps.len() && steps.len() <= MOST_FORCED;
        let mut best = if forced { -INFINITE } else { calm };
        if best >= beta {
            return Ok(best);
        }
        noisy.sort_by_key(|&(gain, index)| (-gain, index));
        let mut low = alpha.max(best);
        for (gain, index) in noisy {
            if !forced && calm + gain + MARGIN <= low && low > -PROVEN {
                best = best.max(calm + gain + MARGIN);
                break;
            }
            let value = self.noisy_child(&steps[index], ply, low, beta, plies, ours)?;
            best = best.max(value);
            low = low.max(best);
            if low >= beta {
                break;
            }
        }
        Ok(best)
    }

    fn noisy_child(&mut self, step: &Step, ply: u32, low: i32, high: i32, plies: u32, ours: bool) -> Result<i32, Halt> {
        let ended = self.walk.make(step)?;
        let (ply, plies) = if ended { (ply + 1, plies - 1) } else { (ply, plies) };
        let value = if self.ours() == ours {
            self.leaf(ply, low, high, plies)?
        } else {
            -self.leaf(ply, -high, -low, plies)?
        };
        self.walk.take_back();
        Ok(value)
    }
}
