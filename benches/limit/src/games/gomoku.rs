//! Gomoku on 15×15, five or more win (`games/arrange/gomoku`): one word a line and player, and only the four lines of the
//! last stone are looked at.

use crate::random::Random;
use crate::{End, Game, Known, Tally};

const SIZE: usize = 15;
const POINTS: usize = SIZE * SIZE;

/// Where lines of the four directions begin in the list of all: rows, columns, and the two kinds of diagonals.
const FIRST: [usize; 4] = [0, SIZE, 2 * SIZE, 4 * SIZE - 1];
const LINES: usize = 6 * SIZE - 2;

/// The tables, and the order of points of the last game, which is as good a start as any for the next shuffle.
#[derive(Clone, Debug)]
pub struct Gomoku {
    points: [Point; POINTS],
    order: [u8; POINTS],
}

/// Where a point lies on its four lines.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    lines: [u8; 4],
    /// Its bit on each line, in four lanes of sixteen bits. The highest bit of a lane stays empty.
    bits: u64,
}

impl Gomoku {
    /// The tables.
    pub fn new() -> Self {
        let point = |index: usize| {
            let (row, column) = (index / SIZE, index % SIZE);
            let lines = [(row, column), (column, row), (row + column, row), (row + SIZE - 1 - column, row)];
            let mut point = Point::default();
            for (direction, (line, bit)) in lines.into_iter().enumerate() {
                point.lines[direction] = (FIRST[direction] + line) as u8;
                point.bits |= 1 << (16 * direction + bit);
            }
            point
        };
        Self { points: std::array::from_fn(point), order: std::array::from_fn(|index| index as u8) }
    }
}

impl Default for Gomoku {
    fn default() -> Self {
        Self::new()
    }
}

/// Puts a stone. Whether it stands in a row of five or more.
#[inline(always)]
fn put(stones: &mut [u16; LINES], point: &Point) -> bool {
    let [a, b, c, d] = point.lines.map(usize::from);
    let lanes = point.bits
        | u64::from(stones[a])
        | u64::from(stones[b]) << 16
        | u64::from(stones[c]) << 32
        | u64::from(stones[d]) << 48;
    (stones[a], stones[b]) = (lanes as u16, (lanes >> 16) as u16);
    (stones[c], stones[d]) = ((lanes >> 32) as u16, (lanes >> 48) as u16);
    // The empty bit between the lanes keeps them apart: two in a row never reach over it, nor do four or five.
    let two = lanes & (lanes >> 1);
    let four = two & (two >> 2);
    four & (lanes >> 4) != 0
}

impl Game for Gomoku {
    fn name(&self) -> &'static str {
        "gomoku"
    }

    fn known(&self) -> Known {
        // Nobody has five before the ninth move.
        Known {
            perft: &[225, 225 * 224, 225 * 224 * 223],
            random: Some(Tally { games: 3000, plies: 326_856, squares: 37_492_578, first: 1574, second: 1426 }),
        }
    }

    #[inline]
    fn playout(&mut self, random: &mut Random) -> End {
        let mut stones = [[0; LINES]; 2];
        for ply in 0..POINTS {
            let drawn = ply + random.below((POINTS - ply) as u32) as usize;
            self.order.swap(ply, drawn);
            let point = &self.points[usize::from(self.order[ply])];
            if put(&mut stones[ply % 2], point) {
                return End::won(ply as u32 + 1);
            }
        }
        End::drawn(POINTS as u32)
    }

    fn perft(&mut self, depth: u32) -> u64 {
        self.count(&mut [[0; LINES]; 2], &mut [false; POINTS], 0, depth)
    }
}

impl Gomoku {
    fn count(&self, stones: &mut [[u16; LINES]; 2], taken: &mut [bool; POINTS], ply: usize, depth: u32) -> u64 {
        match depth {
            0 => return 1,
            1 => return (POINTS - ply) as u64,
            _ => {}
        }
        let mut sum = 0;
        for (index, point) in self.points.iter().enumerate() {
            if !taken[index] {
                let before = *stones;
                if !put(&mut stones[ply % 2], point) {
                    taken[index] = true;
                    sum += self.count(stones, taken, ply + 1, depth - 1);
                    taken[index] = false;
                }
                *stones = before;
            }
        }
        sum
    }
}
