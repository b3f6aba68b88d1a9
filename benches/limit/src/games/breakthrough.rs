//! Breakthrough (`games/breakthrough/breakthrough`): a set of target squares for each of the three directions. The board
//! is turned round after every move, so that there is one kind of player only.

use crate::random::Random;
use crate::select::{members, nth};
use crate::{End, Game, Known, Tally};

/// Square 8 × row + column; the player to move goes up.
#[derive(Clone, Copy, Debug)]
pub struct Breakthrough;

const LEFT_EDGE: u64 = 0x0101_0101_0101_0101;
const RIGHT_EDGE: u64 = LEFT_EDGE << 7;
const GOAL: u64 = 0xff << 56;
const STRAIGHT: u32 = 8;
const LEFT: u32 = 7;
const RIGHT: u32 = 9;

#[derive(Clone, Copy)]
struct Board {
    own: u64,
    enemy: u64,
}

impl Board {
    const START: Self = Self { own: 0xffff, enemy: 0xffff << 48 };

    /// Where men can go straight, to the left and to the right.
    #[inline(always)]
    fn targets(self) -> [u64; 3] {
        [
            (self.own << STRAIGHT) & !(self.own | self.enemy),
            ((self.own & !LEFT_EDGE) << LEFT) & !self.own,
            ((self.own & !RIGHT_EDGE) << RIGHT) & !self.own,
        ]
    }

    /// The board after a move, as the other player sees it.
    #[inline(always)]
    fn after(self, target: u64, step: u32) -> Self {
        let own = self.own ^ (target >> step) | target;
        Self { own: (self.enemy & !target).swap_bytes(), enemy: own.swap_bytes() }
    }

    fn perft(self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let targets = self.targets();
        if depth == 1 {
            return targets.iter().map(|set| u64::from(set.count_ones())).sum();
        }
        let moves = targets.iter().zip([STRAIGHT, LEFT, RIGHT]).flat_map(|(&set, step)| {
            // Who has arrived has won.
            members(set & !GOAL).map(move |target| (target, step))
        });
        moves.map(|(target, step)| self.after(target, step).perft(depth - 1)).sum()
    }
}

impl Game for Breakthrough {
    fn name(&self) -> &'static str {
        "breakthrough"
    }

    fn known(&self) -> Known {
        Known {
            perft: &[22, 484, 11_132, 256_036, 6_182_818],
            random: Some(Tally { games: 20_000, plies: 1_285_033, squares: 87_779_005, first: 10_061, second: 9939 }),
        }
    }

    #[inline]
    fn playout(&mut self, random: &mut Random) -> End {
        let mut board = Board::START;
        let mut plies = 0;
        loop {
            let [straight, left, right] = board.targets();
            let [straights, lefts, rights] = [straight, left, right].map(u64::count_ones);
            let moves = straights + lefts + rights;
            // Whoever has a man has a move for the foremost: no move, no man.
            if moves == 0 {
                return End::lost(plies);
            }
            let n = random.below(moves);
            let (set, n, step) = if n < straights {
                (straight, n, STRAIGHT)
            } else if n < straights + lefts {
                (left, n - straights, LEFT)
            } else {
                (right, n - straights - lefts, RIGHT)
            };
            let target = nth(set, n);
            plies += 1;
            if target & GOAL != 0 {
                return End::won(plies);
            }
            board = board.after(target, step);
        }
    }

    fn perft(&mut self, depth: u32) -> u64 {
        Board::START.perft(depth)
    }
}
