//! Amazons on 10×10: a move is a queen, where she goes, and where her arrow goes from there. Each line of the board is one
//! word of occupied squares, so that the way to the next obstacle is a count of zeros.

use crate::random::Random;
use crate::{End, Game, Known};

const SIZE: usize = 10;
/// A queen in the middle of an empty board reaches so many squares, and none more.
const MOST: u32 = 35;

/// Where lines of the four directions begin in the list of all: rows, columns, and the two kinds of diagonals.
const FIRST: [usize; 4] = [0, SIZE, 2 * SIZE, 4 * SIZE - 1];
/// There are 58 lines and 100 squares; tables of powers of two need no test of an index.
const LINES: usize = 64;
const SQUARES: usize = 256;
/// From a square to the next on its four lines; square 10 × row + column.
const STEPS: [usize; 4] = [1, 10, 9, 11];

const QUEENS: [[u8; 4]; 2] = [[3, 6, 30, 39], [60, 69, 93, 96]];

/// The tables.
#[derive(Clone, Debug)]
pub struct Amazons {
    squares: [[Place; 4]; SQUARES],
    /// The start, without queens.
    empty: [u32; LINES],
}

/// A place on a line.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    line: u8,
    /// The bit of the square. Bits beyond the ends of a line count as occupied, and bit 0 is one of them.
    bit: u8,
}

/// How many squares are free next to a square: towards lower squares and towards higher ones, on each of its lines.
type Free = [[u32; 2]; 4];

fn total(free: &Free) -> u32 {
    free.iter().map(|[below, above]| below + above).sum()
}

/// The `n`-th of the free squares around one.
#[inline(always)]
fn reached(from: usize, free: &Free, mut n: u32) -> usize {
    for (step, [below, above]) in STEPS.into_iter().zip(*free) {
        if n < below {
            return from - step * (n as usize + 1);
        }
        n -= below;
        if n < above {
            return from + step * (n as usize + 1);
        }
        n -= above;
    }
    unreachable!("n is below the number of free squares")
}

#[derive(Clone)]
struct Board<'a> {
    tables: &'a Amazons,
    lines: [u32; LINES],
    queens: [[u8; 4]; 2],
}

impl<'a> Board<'a> {
    fn start(tables: &'a Amazons) -> Self {
        let mut board = Self { tables, lines: tables.empty, queens: QUEENS };
        QUEENS.as_flattened().iter().for_each(|&queen| board.toggle(queen.into()));
        board
    }

    /// An empty square becomes occupied, or the other way round.
    #[inline(always)]
    fn toggle(&mut self, square: usize) {
        for place in self.tables.squares[square % SQUARES] {
            self.lines[usize::from(place.line) % LINES] ^= 1 << place.bit;
        }
    }

    #[inline(always)]
    fn free(&self, square: usize) -> Free {
        let mut free = Free::default();
        for (free, place) in free.iter_mut().zip(&self.tables.squares[square % SQUARES]) {
            let (line, bit) = (self.lines[usize::from(place.line) % LINES], u32::from(place.bit));
            *free = [(line << (31 - bit) << 1).leading_zeros(), (line >> bit >> 1).trailing_zeros()];
        }
        free
    }

    /// Every way for a queen to go, with the number of her arrows.
    fn each_step(&mut self, mover: usize, mut see: impl FnMut(&mut Self, usize, usize, u32)) {
        for queen in 0..4 {
            let from = usize::from(self.queens[mover][queen]);
            self.toggle(from);
            let free = self.free(from);
            for n in 0..total(&free) {
                let to = reached(from, &free, n);
                let arrows = total(&self.free(to));
                see(self, queen, to, arrows);
            }
            self.toggle(from);
        }
    }

    fn perft(&mut self, mover: usize, depth: u32) -> u64 {
        let mut sum = 0;
        if depth == 0 {
            return 1;
        }
        self.each_step(mover, |board, queen, to, arrows| {
            if depth == 1 {
                sum += u64::from(arrows);
                return;
            }
            let free = board.free(to);
            let from = std::mem::replace(&mut board.queens[mover][queen], to as u8);
            board.toggle(to);
            for n in 0..arrows {
                let arrow = reached(to, &free, n);
                board.toggle(arrow);
                sum += board.perft(1 - mover, depth - 1);
                board.toggle(arrow);
            }
            board.toggle(to);
            board.queens[mover][queen] = from;
        });
        sum
    }

    /// Where the queens can go.
    #[inline(always)]
    fn list_ways(&self, mover: usize, ways: &mut Ways) {
        ways.count = 0;
        for (queen, before) in self.queens[mover].into_iter().zip(0..) {
            ways.before[before] = ways.count;
            for ([below, above], [down, up]) in self.free(queen.into()).into_iter().zip(RAYS) {
                ways.add(below, down.map(|step| queen.wrapping_add(step)), above as u8 + 1);
                ways.add(above, up.map(|step| queen.wrapping_add(step)), below as u8 + 1);
            }
        }
    }

    /// Makes one move of all, each as likely. Whether there was one.
    ///
    /// A way for a queen and an arrow out of `MOST` are drawn; where the queen has not so many arrows, all is drawn again.
    /// So ways with many arrows come up as much more often as they have moves, and nobody had to count them.
    #[inline(always)]
    fn move_at_random(&mut self, mover: usize, ways: &mut Ways, random: &mut Random) -> bool {
        self.list_ways(mover, ways);
        if ways.count == 0 {
            return false;
        }
        let (way, arrow) = loop {
            let drawn = random.below(ways.count * MOST);
            let (way, arrow) = ((drawn / MOST) as usize, drawn % MOST);
            if arrow < total(&self.free(ways.to[way].into())) + u32::from(ways.more[way]) {
                break (way, arrow);
            }
        };
        let queen = ways.before[1..].iter().filter(|&&before| before as usize <= way).count();
        let to = ways.to[way];
        self.toggle(self.queens[mover][queen].into());
        self.queens[mover][queen] = to;
        let arrows = self.free(to.into());
        self.toggle(to.into());
        self.toggle(reached(to.into(), &arrows, arrow));
        true
    }
}

/// The ways of all queens of a player, one queen after the other.
struct Ways {
    to: [u8; ROOM],
    /// How many arrows a queen has because she left the line that she came along.
    more: [u8; ROOM],
    /// How many ways the queens before each have.
    before: [u32; 4],
    count: u32,
}

/// Four queens have fewer than 141 ways; the last ones are written with what is beyond them.
const ROOM: usize = 160;
const LONGEST: usize = 16;

/// What lies along the four lines of a square, towards lower squares and towards higher ones.
const RAYS: [[[u8; LONGEST]; 2]; 4] = {
    let mut rays = [[[0; LONGEST]; 2]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut distance = 0;
        while distance < LONGEST {
            let step = (STEPS[direction] * (distance + 1)) as u8;
            rays[direction][0][distance] = step.wrapping_neg();
            rays[direction][1][distance] = step;
            distance += 1;
        }
        direction += 1;
    }
    rays
};

impl Ways {
    /// The first `count` of these. All are written, which is faster than to ask how many.
    #[inline(always)]
    fn add(&mut self, count: u32, to: [u8; LONGEST], more: u8) {
        for (list, new) in [(&mut self.to, to), (&mut self.more, [more; LONGEST])] {
            *list[self.count as usize..].first_chunk_mut().expect("the last ways end before the room does") = new;
        }
        self.count += count;
    }
}

impl Amazons {
    /// The tables.
    pub fn new() -> Self {
        let place = |square: usize| {
            let (row, column) = (square / SIZE, square % SIZE);
            let lines = [(row, column), (column, row), (row + column, row), (row + SIZE - 1 - column, row)];
            let mut places = [Place::default(); 4];
            for (direction, (line, bit)) in lines.into_iter().enumerate() {
                places[direction] = Place { line: (FIRST[direction] + line) as u8, bit: bit as u8 + 1 };
            }
            places
        };
        let mut squares = [[Place::default(); 4]; SQUARES];
        let mut empty = [!0; LINES];
        for (square, places) in squares.iter_mut().enumerate().take(SIZE * SIZE) {
            *places = place(square);
            places.iter().for_each(|place| empty[usize::from(place.line)] &= !(1 << place.bit));
        }
        Self { squares, empty }
    }
}

impl Default for Amazons {
    fn default() -> Self {
        Self::new()
    }
}

impl Game for Amazons {
    fn name(&self) -> &'static str {
        "amazons"
    }

    fn known(&self) -> Known {
        Known { perft: &[2176, 4_307_152], random: None }
    }

    #[inline]
    fn playout(&mut self, random: &mut Random) -> End {
        let mut board = Board::start(self);
        let mut ways = Ways { to: [0; ROOM], more: [0; ROOM], before: [0; 4], count: 0 };
        let mut plies = 0;
        while board.move_at_random(plies as usize % 2, &mut ways, random) {
            plies += 1;
        }
        End::lost(plies)
    }

    fn perft(&mut self, depth: u32) -> u64 {
        Board::start(self).perft(0, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tally;

    const QUEEN_WAYS: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

    /// The squares that a queen reaches, found one by one.
    fn seen(taken: &[bool; 100], from: usize) -> Vec<usize> {
        let mut seen = Vec::new();
        for (down, right) in QUEEN_WAYS {
            let (mut row, mut column) = (from as i32 / 10, from as i32 % 10);
            loop {
                (row, column) = (row + down, column + right);
                let square = (10 * row + column) as usize;
                if !(0..10).contains(&row) || !(0..10).contains(&column) || taken[square] {
                    break;
                }
                seen.push(square);
            }
        }
        seen
    }

    /// A game in which all moves are written down and one of them is drawn.
    fn plain_playout(random: &mut Random) -> End {
        let mut queens = QUEENS.map(|queens| queens.map(usize::from));
        let mut taken = [false; 100];
        queens.as_flattened().iter().for_each(|&queen| taken[queen] = true);
        for plies in 0.. {
            let mover = plies as usize % 2;
            let mut moves = Vec::new();
            for (queen, from) in queens[mover].into_iter().enumerate() {
                taken[from] = false;
                for to in seen(&taken, from) {
                    moves.extend(seen(&taken, to).into_iter().map(|arrow| (queen, to, arrow)));
                }
                taken[from] = true;
            }
            if moves.is_empty() {
                return End::lost(plies);
            }
            let (queen, to, arrow) = moves[random.below(moves.len() as u32) as usize];
            taken[std::mem::replace(&mut queens[mover][queen], to)] = false;
            (taken[to], taken[arrow]) = (true, true);
        }
        unreachable!("the board fills up")
    }

    #[test]
    fn games_are_like_those_of_a_plain_program() {
        let mut plain = Tally::default();
        let mut random = Random::new(3);
        (0..1000).for_each(|_| plain.count(plain_playout(&mut random)));
        assert_eq!(plain.differs(&Amazons::new().playouts(20_000, &mut random)), None);
    }
}
