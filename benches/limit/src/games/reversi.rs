//! Reversi (`games/custodian/reversi`): all moves at once by filling along the eight directions; the discs that one move
//! turns over by looking for the first that is no enemy on each ray.

use crate::random::Random;
use crate::select::{members, nth};
use crate::{End, Game, Known, Tally, Winner};

/// The rays; square 8 × row + column.
#[derive(Clone, Debug)]
pub struct Reversi {
    rays: [Rays; 64],
}

/// The squares that lie from one on in each direction: four towards higher squares, and the four that oppose them.
#[derive(Clone, Copy, Debug, Default)]
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

/// How far the next square is in the four directions towards higher squares: east, south-west, south, south-east.
const STEPS: [u32; 4] = [1, 7, 8, 9];
/// Where a disc can lie between two others in these directions.
const INNER: [u64; 4] = [0x7e7e_7e7e_7e7e_7e7e, 0x7e7e_7e7e_7e7e_7e7e, !0, 0x7e7e_7e7e_7e7e_7e7e];

#[derive(Clone, Copy)]
struct Board {
    own: u64,
    enemy: u64,
}

impl Board {
    const START: Self = Self { own: 1 << 28 | 1 << 35, enemy: 1 << 27 | 1 << 36 };

    fn passed(self) -> Self {
        Self { own: self.enemy, enemy: self.own }
    }

    #[inline(always)]
    fn moves(self) -> u64 {
        let mut beyond = 0;
        for (step, inner) in STEPS.into_iter().zip(INNER) {
            // One enemy, two, four and six next to each other with an own disc before them, both ways.
            let enemy = self.enemy & inner;
            let mut up = enemy & (self.own << step);
            let mut down = enemy & (self.own >> step);
            up |= enemy & (up << step);
            down |= enemy & (down >> step);
            let pairs_up = enemy & (enemy << step);
            let pairs_down = pairs_up >> step;
            up |= pairs_up & (up << (2 * step));
            down |= pairs_down & (down >> (2 * step));
            up |= pairs_up & (up << (2 * step));
            down |= pairs_down & (down >> (2 * step));
            beyond |= (up << step) | (down >> step);
        }
        beyond & !(self.own | self.enemy)
    }

    /// The board after a move, as the other player sees it.
    #[inline(always)]
    fn after(self, disc: u64, rays: &Rays) -> Self {
        let mut turned = 0;
        for ray in rays.up {
            let stops = ray & !self.enemy;
            let end = stops & stops.wrapping_neg() & self.own;
            turned |= ray & end.saturating_sub(1);
        }
        for ray in rays.down {
            let stops = ray & !self.enemy;
            // Where nothing stops, the bit is the highest, and nothing lies above it.
            let end = 1_u64.rotate_right(1 + stops.leading_zeros()) & self.own;
            turned |= ray & (end.wrapping_neg() << 1);
        }
        Self { own: self.enemy & !turned, enemy: self.own | disc | turned }
    }
}

impl Reversi {
    /// The tables.
    pub fn new() -> Self {
        let along = |square: usize, down: i32, right: i32| {
            let (mut row, mut column, mut ray) = (square as i32 / 8, square as i32 % 8, 0);
            loop {
                (row, column) = (row + down, column + right);
                if !(0..8).contains(&row) || !(0..8).contains(&column) {
                    return ray;
                }
                ray |= 1 << (8 * row + column);
            }
        };
        let rays = |square: usize| {
            let ways = [(0, 1), (1, -1), (1, 0), (1, 1)];
            Rays {
                up: ways.map(|(down, right)| along(square, down, right)),
                down: ways.map(|(down, right)| along(square, -down, -right)),
            }
        };
        Self { rays: std::array::from_fn(rays) }
    }

    #[inline(always)]
    fn after(&self, board: Board, disc: u64) -> Board {
        board.after(disc, &self.rays[disc.trailing_zeros() as usize & 63])
    }

    fn count(&self, board: Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = board.moves();
        if moves == 0 {
            let over = board.passed().moves() == 0;
            return if over { 0 } else { self.count(board.passed(), depth - 1) };
        }
        if depth == 1 {
            return u64::from(moves.count_ones());
        }
        members(moves).map(|disc| self.count(self.after(board, disc), depth - 1)).sum()
    }
}

impl Default for Reversi {
    fn default() -> Self {
        Self::new()
    }
}

impl Game for Reversi {
    fn name(&self) -> &'static str {
        "reversi"
    }

    fn known(&self) -> Known {
        Known {
            perft: &[4, 12, 56, 244, 1396, 8200, 55_092, 390_216],
            random: Some(Tally {
                games: 40_000,
                plies: 2_416_219,
                squares: 146_022_103,
                first: 17_995,
                second: 20_307,
            }),
        }
    }

    #[inline]
    fn playout(&mut self, random: &mut Random) -> End {
        let mut board = Board::START;
        let mut plies = 0;
        loop {
            let mut moves = board.moves();
            if moves == 0 {
                board = board.passed();
                moves = board.moves();
                if moves == 0 {
                    break;
                }
                plies += 1;
            }
            board = self.after(board, nth(moves, random.below(moves.count_ones())));
            plies += 1;
        }
        // The last pass, which is none, has turned the board.
        let (first, second) = if plies % 2 == 1 { (board.own, board.enemy) } else { (board.enemy, board.own) };
        let winner = match first.count_ones().cmp(&second.count_ones()) {
            std::cmp::Ordering::Greater => Winner::First,
            std::cmp::Ordering::Less => Winner::Second,
            std::cmp::Ordering::Equal => Winner::Nobody,
        };
        End { plies, winner }
    }

    fn perft(&mut self, depth: u32) -> u64 {
        self.count(Board::START, depth)
    }
}
