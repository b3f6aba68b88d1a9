//! Connect four (`games/arrange/connect-four`): seven bits a column, of which the highest stays empty, so that a line
//! never runs on into the next column.

use crate::random::Random;
use crate::select::members;
use crate::{End, Game, Known, Tally};

/// Square 7 × column + row, rows from the bottom.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFour;

const COLUMN: u64 = (1 << 6) - 1;
const BOTTOM: u64 = 0x0000_0408_1020_4081;
const BOARD: u64 = BOTTOM * COLUMN;

/// The lowest empty square of each column: adding one to a column of ones carries into it.
#[inline(always)]
fn landings(stones: u64) -> u64 {
    (stones + BOTTOM) & BOARD
}

#[inline(always)]
fn has_four(stones: u64) -> bool {
    let along = |step: u32| {
        let pairs = stones & (stones >> step);
        pairs & (pairs >> (2 * step))
    };
    along(1) | along(6) | along(7) | along(8) != 0
}

impl Game for ConnectFour {
    fn name(&self) -> &'static str {
        "connect-four"
    }

    fn known(&self) -> Known {
        Known {
            perft: &[7, 49, 343, 2401, 16_807, 117_649, 823_536],
            random: Some(Tally { games: 40_000, plies: 853_096, squares: 20_344_296, first: 22_188, second: 17_710 }),
        }
    }

    #[inline]
    fn playout(&mut self, random: &mut Random) -> End {
        let (mut own, mut enemy) = (0, 0);
        for plies in 1..=42 {
            // A column is drawn without asking which are full: so the draw need not wait for the board. Drawing again when it
            // was full leaves the others as likely as each other.
            let landing = loop {
                let landing = landings(own | enemy) & (COLUMN << (7 * random.below(7)));
                if landing != 0 {
                    break landing;
                }
            };
            own |= landing;
            if has_four(own) {
                return End::won(plies);
            }
            (own, enemy) = (enemy, own);
        }
        End::drawn(42)
    }

    fn perft(&mut self, depth: u32) -> u64 {
        perft(0, 0, depth)
    }
}

fn perft(own: u64, enemy: u64, depth: u32) -> u64 {
    if depth == 0 || has_four(enemy) {
        return u64::from(depth == 0);
    }
    let landings = landings(own | enemy);
    if depth == 1 {
        return u64::from(landings.count_ones());
    }
    members(landings).map(|landing| perft(enemy, own | landing, depth - 1)).sum()
}
