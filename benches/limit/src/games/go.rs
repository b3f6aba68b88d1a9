//! Go with area scoring and positional superko, without suicide (`games/go/go`): sets of points, and for every group its
//! stones and its liberties.
//!
//! All legal moves count, also those that fill an own eye; the pass is one of them as long as the game lasts, so two of
//! them in a row come about by chance. White gets 7½ points.

use crate::past::Past;
use crate::random::Random;
use crate::select::nth_wide;
use crate::{End, Game, Known, Tally, Winner};

/// The tables, and the positions of the game at hand. `SIZE` is 10 at most.
#[derive(Clone, Debug)]
pub struct Go<const SIZE: usize> {
    /// The neighbours of a point.
    near: [u128; 128],
    /// For a stone of either colour on a point, what it adds to the key of a position.
    keys: [[u64; 128]; 2],
    past: Past,
}

#[derive(Clone)]
struct Board {
    stones: [u128; 2],
    /// For a point with a stone, the group it belongs to.
    group: [u8; 128],
    groups: [Group; 128],
    /// Zobrist's key of the stones.
    key: u64,
}

#[derive(Clone, Copy, Default)]
struct Group {
    stones: u128,
    liberties: u128,
    key: u64,
}

/// A stone that may be put, and what it would do.
struct Stone {
    point: usize,
    captured: u128,
    /// The position after it.
    key: u64,
}

/// The points of a set, in order.
fn points(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let point = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (point < 128).then_some(point)
    })
}

impl Board {
    fn empty() -> Self {
        Self { stones: [0; 2], group: [0; 128], groups: [Group::default(); 128], key: 0 }
    }

    fn group_at(&self, point: usize) -> &Group {
        &self.groups[usize::from(self.group[point & 127]) & 127]
    }

    /// The groups that have a stone among these.
    #[inline(always)]
    fn each_group(&self, mut stones: u128, mut see: impl FnMut(&Group)) {
        while stones != 0 {
            let group = self.group_at(stones.trailing_zeros() as usize);
            see(group);
            stones &= !group.stones;
        }
    }
}

impl<const SIZE: usize> Go<SIZE> {
    /// From a point to the next below it: one more than the size, so that the point after the last of a row is none.
    const WIDTH: usize = SIZE + 1;
    const ROW: u128 = (1 << SIZE) - 1;
    const POINTS: u128 = {
        let (mut points, mut row) = (0, 0);
        while row < SIZE {
            points |= Self::ROW << (row * Self::WIDTH);
            row += 1;
        }
        points
    };
    const KOMI_IN_HALVES: u32 = 15;

    /// The tables.
    pub fn new() -> Self {
        const { assert!(SIZE >= 1 && SIZE <= 10, "a point is a bit of 128") };
        let mut random = Random::new(0);
        let near = std::array::from_fn(|point| {
            let on_board = Self::POINTS & (1_u128.checked_shl(point as u32).unwrap_or(0)) != 0;
            if on_board { Self::beside(1 << point) & Self::POINTS } else { 0 }
        });
        let keys = [(); 2].map(|()| std::array::from_fn(|_| random.bits()));
        Self { near, keys, past: Past::default() }
    }

    /// The neighbours of all points of a set, with some of the set and some beyond the edges.
    #[inline(always)]
    fn beside(set: u128) -> u128 {
        (set << 1) | (set >> 1) | (set << Self::WIDTH) | (set >> Self::WIDTH)
    }

    fn free(board: &Board) -> u128 {
        Self::POINTS & !(board.stones[0] | board.stones[1])
    }

    /// What a stone on a free point would do, or nothing where it may not be put.
    #[inline(always)]
    fn judge(&self, board: &Board, mover: usize, point: usize) -> Option<Stone> {
        let (stone, near) = (1_u128 << point, self.near[point & 127]);
        let mut key = board.key ^ self.keys[mover][point & 127];
        let mut captured = 0;
        board.each_group(near & board.stones[1 - mover], |group| {
            if group.liberties == stone {
                captured |= group.stones;
                key ^= group.key;
            }
        });
        if near & Self::free(board) == 0 && captured == 0 {
            let mut lives = false;
            board.each_group(near & board.stones[mover], |group| lives |= group.liberties != stone);
            if !lives {
                return None;
            }
        }
        (self.past.times(key) == 0).then_some(Stone { point, captured, key })
    }

    #[inline(always)]
    fn put(&self, board: &mut Board, mover: usize, stone: &Stone) {
        let Stone { point, captured, key } = *stone;
        let (own, near) = (1_u128 << point, self.near[point & 127]);
        board.key = key;
        board.stones[1 - mover] &= !captured;

        // Enemies lose a liberty.
        let mut enemies = near & board.stones[1 - mover];
        while enemies != 0 {
            let group = &mut board.groups[usize::from(board.group[enemies.trailing_zeros() as usize]) & 127];
            group.liberties &= !own;
            enemies &= !group.stones;
        }

        // Friends become one group, under the name of the largest.
        let mut joined = Group { stones: own, liberties: near & Self::free(board), key: self.keys[mover][point & 127] };
        let mut name = point as u8;
        let mut largest = 0;
        board.each_group(near & board.stones[mover], |group| {
            joined.stones |= group.stones;
            joined.liberties |= group.liberties;
            joined.key ^= group.key;
            if group.stones.count_ones() > largest {
                largest = group.stones.count_ones();
                name = board.group[group.stones.trailing_zeros() as usize];
            }
        });
        joined.liberties &= !own;
        let renamed = if largest == 0 { own } else { joined.stones & !board.groups[usize::from(name) & 127].stones };
        points(renamed).for_each(|point| board.group[point & 127] = name);
        board.groups[usize::from(name) & 127] = joined;
        board.stones[mover] |= own;

        // Whoever stands beside a captured stone gets its point as a liberty.
        if captured != 0 {
            let mut friends = Self::beside(captured) & board.stones[mover];
            while friends != 0 {
                let group = &mut board.groups[usize::from(board.group[friends.trailing_zeros() as usize]) & 127];
                group.liberties |= Self::beside(group.stones) & captured;
                friends &= !group.stones;
            }
        }
    }

    /// Stones, and the empty points that only they reach.
    fn area(board: &Board, player: usize) -> u32 {
        let free = Self::free(board);
        let [own, enemy] = [player, 1 - player].map(|player| {
            let mut reached = Self::beside(board.stones[player]) & free;
            loop {
                let further = reached | Self::beside(reached) & free;
                if further == reached {
                    return reached;
                }
                reached = further;
            }
        });
        (board.stones[player] | own & !enemy).count_ones()
    }

    fn count(&mut self, board: &Board, mover: usize, passed: bool, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let free = points(Self::free(board));
        if depth == 1 {
            return 1 + free.filter(|&point| self.judge(board, mover, point).is_some()).count() as u64;
        }
        let mut sum = 0;
        for point in free {
            if let Some(stone) = self.judge(board, mover, point) {
                let mut after = board.clone();
                self.put(&mut after, mover, &stone);
                self.past.push(stone.key);
                sum += self.count(&after, 1 - mover, false, depth - 1);
                self.past.pop();
            }
        }
        if passed { sum } else { sum + self.count(board, 1 - mover, true, depth - 1) }
    }
}

impl<const SIZE: usize> Default for Go<SIZE> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const SIZE: usize> Game for Go<SIZE> {
    fn name(&self) -> &'static str {
        "go 9x9"
    }

    fn known(&self) -> Known {
        Known {
            perft: &[82, 6643],
            random: Some(Tally { games: 4000, plies: 501_802, squares: 70_481_680, first: 1539, second: 2461 }),
        }
    }

    #[inline]
    fn playout(&mut self, random: &mut Random) -> End {
        self.past.clear();
        let mut board = Board::empty();
        let (mut plies, mut passes) = (0, 0);
        while passes < 2 {
            let mover = plies as usize % 2;
            let mut points = Self::free(&board);
            // A point is drawn first and judged then; if it may not be used, the rest stays as likely as before. The last
            // number is the pass.
            loop {
                let n = points.count_ones();
                let drawn = random.below(n + 1);
                if drawn == n {
                    passes += 1;
                    break;
                }
                let point = nth_wide(points, drawn);
                if let Some(stone) = self.judge(&board, mover, point.trailing_zeros() as usize) {
                    self.put(&mut board, mover, &stone);
                    self.past.push(stone.key);
                    passes = 0;
                    break;
                }
                points ^= point;
            }
            plies += 1;
        }
        let [black, white] = [0, 1].map(|player| 2 * Self::area(&board, player));
        let winner = if black > white + Self::KOMI_IN_HALVES { Winner::First } else { Winner::Second };
        End { plies, winner }
    }

    fn perft(&mut self, depth: u32) -> u64 {
        self.past.clear();
        self.past.push(0);
        self.count(&Board::empty(), 0, false, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_are_counted() {
        // games/go/go/go.cases
        let counts = |game: &mut dyn Game, depth: u32| (1..=depth).map(|depth| game.perft(depth)).collect::<Vec<_>>();
        assert_eq!(counts(&mut Go::<1>::new(), 3), [1, 1, 0]);
        assert_eq!(counts(&mut Go::<2>::new(), 7), [5, 21, 68, 156, 316, 604, 1088]);
        assert_eq!(counts(&mut Go::<3>::new(), 5), [10, 91, 738, 5281, 33_384]);
        assert_eq!(counts(&mut Go::<4>::new(), 4), [17, 273, 4112, 57_984]);
        assert_eq!(counts(&mut Go::<5>::new(), 3), [26, 651, 15_650]);
    }
}
