//! Tic-tac-toe (`games/arrange/tic-tac-toe`): nine bits a player, and a table of the winning sets.

use crate::random::Random;
use crate::select::{members, nth};
use crate::{End, Game, Known, Tally};

/// Square 3 × row + column.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe;

const ALL: usize = (1 << 9) - 1;

const WINS: [bool; ALL + 1] = {
    const LINES: [usize; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut wins = [false; ALL + 1];
    let mut stones = 0;
    while stones <= ALL {
        let mut line = 0;
        while line < LINES.len() {
            wins[stones] |= stones & LINES[line] == LINES[line];
            line += 1;
        }
        stones += 1;
    }
    wins
};

impl Game for TicTacToe {
    fn name(&self) -> &'static str {
        "tic-tac-toe"
    }

    fn known(&self) -> Known {
        Known {
            perft: &[9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872],
            random: Some(Tally { games: 100_000, plies: 762_114, squares: 5_977_068, first: 58_686, second: 28_760 }),
        }
    }

    #[inline]
    fn playout(&mut self, random: &mut Random) -> End {
        const ORDERS: u64 = 362_880;
        let mut choices = random.choices(ORDERS);
        let (mut own, mut enemy) = (0, 0);
        for plies in 1..=9 {
            let empty = ALL & !(own | enemy);
            own |= nth(empty as u64, choices.below(u64::from(10 - plies))) as usize;
            // Nobody has three before the fifth move.
            if plies >= 5 && WINS[own & ALL] {
                return End::won(plies);
            }
            (own, enemy) = (enemy, own);
        }
        End::drawn(9)
    }

    fn perft(&mut self, depth: u32) -> u64 {
        perft(0, 0, depth)
    }
}

fn perft(own: usize, enemy: usize, depth: u32) -> u64 {
    let empty = (ALL & !(own | enemy)) as u64;
    if WINS[enemy] {
        return u64::from(depth == 0);
    }
    match depth {
        0 => 1,
        1 => u64::from(empty.count_ones()),
        _ => members(empty).map(|square| perft(enemy, own | square as usize, depth - 1)).sum(),
    }
}
