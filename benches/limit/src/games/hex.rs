//! Hex (`games/connection/hex`): of each player's stones, those that are joined to his first edge and those that are
//! joined to his second. A new stone changes a set only where it touches it, and each stone enters it once; the game is over
//! when the new stone is in both.

use crate::random::Random;
use crate::{End, Game, Known, Tally};

/// Cell `SIZE` × row + column, each row half a cell further to the right. The edges are four more cells, which the cells
/// beside them touch. `SIZE` is 11 at most.
#[derive(Clone, Debug)]
pub struct Hex<const SIZE: usize> {
    /// The cells and the edges that touch a cell.
    near: [u128; 128],
    /// The order of cells in the last game, which is as good a start as any for the next shuffle.
    order: [u8; 128],
}

#[derive(Clone, Copy, Default)]
struct Side {
    stones: u128,
    /// What is joined to the one edge and to the other, with the edge itself.
    joined: [u128; 2],
}

impl<const SIZE: usize> Hex<SIZE> {
    const CELLS: usize = SIZE * SIZE;
    /// Red's two edges, above and below, and Blue's two, left and right.
    const EDGES: [u128; 4] = [1 << Self::CELLS, 2 << Self::CELLS, 4 << Self::CELLS, 8 << Self::CELLS];

    /// The tables.
    pub fn new() -> Self {
        const { assert!(SIZE >= 1 && Self::CELLS + 4 <= 128, "a cell and an edge is a bit of 128") };
        let size = SIZE as isize;
        let touched = |index: usize| {
            let (row, column) = (index as isize / size, index as isize % size);
            let mut near = 0;
            for (down, right) in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)] {
                let (row, column) = (row + down, column + right);
                if (0..size).contains(&row) && (0..size).contains(&column) {
                    near |= 1 << (row * size + column);
                }
            }
            let beside = [row == 0, row == size - 1, column == 0, column == size - 1];
            beside.iter().zip(Self::EDGES).filter(|(beside, _)| **beside).fold(near, |near, (_, edge)| near | edge)
        };
        let near = std::array::from_fn(|index| if index < Self::CELLS { touched(index) } else { 0 });
        Self { near, order: std::array::from_fn(|index| index as u8) }
    }

    fn start() -> [Side; 2] {
        let [above, below, left, right] = Self::EDGES;
        [[above, below], [left, right]].map(|joined| Side { stones: 0, joined })
    }

    /// Puts a stone. Whether it joins the edges.
    #[inline(always)]
    fn put(&self, side: &mut Side, cell: usize) -> bool {
        let (stone, near) = (1 << cell, self.near[cell]);
        side.stones |= stone;
        let touches = side.joined.map(|joined| joined & near != 0);
        for (joined, touches) in side.joined.iter_mut().zip(touches) {
            if touches {
                self.spread(joined, side.stones, cell);
            }
        }
        touches == [true, true]
    }

    /// Adds a stone to a set, and whatever stones hang together with it.
    #[inline(always)]
    fn spread(&self, joined: &mut u128, stones: u128, cell: usize) {
        *joined |= 1 << cell;
        let mut fresh = self.near[cell] & stones & !*joined;
        while fresh != 0 {
            *joined |= fresh;
            let mut next = 0;
            while fresh != 0 {
                next |= self.near[fresh.trailing_zeros() as usize & 127];
                fresh &= fresh - 1;
            }
            fresh = next & stones & !*joined;
        }
    }

    fn count(&self, sides: [Side; 2], ply: usize, depth: u32) -> u64 {
        match depth {
            0 => return 1,
            1 => return (Self::CELLS - ply) as u64,
            _ => {}
        }
        let mut sum = 0;
        for cell in (0..Self::CELLS).filter(|cell| (sides[0].stones | sides[1].stones) >> cell & 1 == 0) {
            let mut sides = sides;
            if !self.put(&mut sides[ply % 2], cell) {
                sum += self.count(sides, ply + 1, depth - 1);
            }
        }
        sum
    }
}

impl<const SIZE: usize> Default for Hex<SIZE> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const SIZE: usize> Game for Hex<SIZE> {
    fn name(&self) -> &'static str {
        "hex"
    }

    fn known(&self) -> Known {
        // Nobody joins his edges before the 21st move.
        Known {
            perft: &[121, 121 * 120, 121 * 120 * 119],
            random: Some(Tally { games: 8000, plies: 860_069, squares: 93_369_147, first: 4203, second: 3797 }),
        }
    }

    #[inline]
    fn playout(&mut self, random: &mut Random) -> End {
        let mut sides = Self::start();
        for ply in 0..Self::CELLS {
            let drawn = ply + random.below((Self::CELLS - ply) as u32) as usize;
            self.order.swap(ply, drawn);
            if self.put(&mut sides[ply % 2], usize::from(self.order[ply])) {
                return End::won(ply as u32 + 1);
            }
        }
        unreachable!("on a full board one of the two has joined his edges")
    }

    fn perft(&mut self, depth: u32) -> u64 {
        self.count(Self::start(), 0, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_are_counted_to_the_end() {
        // games/connection/hex/hex.cases
        let counts = |game: &mut dyn Game, depth: u32| (1..=depth).map(|depth| game.perft(depth)).collect::<Vec<_>>();
        assert_eq!(counts(&mut Hex::<2>::new(), 4), [4, 12, 24, 12]);
        let small = [9, 72, 504, 3024, 15_120, 54_720, 146_880, 207_360];
        assert_eq!(counts(&mut Hex::<3>::new(), 8), small);
        assert_eq!(counts(&mut Hex::<4>::new(), 4), [16, 240, 3360, 43_680]);
    }
}
