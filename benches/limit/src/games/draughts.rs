//! English draughts (`games/draughts/english`): steps and jumps of all pieces at once, and chains of jumps one by one only
//! where somebody can capture.

use crate::past::Past;
use crate::random::Random;
use crate::select::{members, nth};
use crate::{End, Game, Known, Tally};

/// Positions since the last move that cannot be taken back, and the moves of a turn with captures.
#[derive(Clone, Debug, Default)]
pub struct Draughts {
    past: Past,
    captures: Vec<Board>,
}

/// Square 9 × (row / 2) + 5 × (row mod 2) + column / 2, of the dark squares. With the four bits that are left out, the
/// next square aslant is 4 or 5 away from every row, and what is beyond an edge is no square.
const SQUARES: u64 = 0xf_7fbf_dfef;
const STEPS: [u32; 2] = [4, 5];
const LOW_ROW: u64 = 0xf;
const HIGH_ROW: u64 = 0xf << 32;

/// The pieces, as the player to move sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Board {
    own: u64,
    enemy: u64,
    /// Of both.
    kings: u64,
    /// Whether the own men go towards higher squares.
    up: bool,
}

impl Board {
    const START: Self = Self { own: 0x1fef, enemy: 0xf_7f80_0000, kings: 0, up: true };

    fn empty(self) -> u64 {
        SQUARES & !(self.own | self.enemy)
    }

    /// Of these own pieces, those that may go towards higher squares, and those that may go towards lower.
    #[inline(always)]
    fn ways(self, pieces: u64) -> [u64; 2] {
        let kings = pieces & self.kings;
        if self.up { [pieces, kings] } else { [kings, pieces] }
    }

    /// Where the own pieces can step, in each of the four directions.
    #[inline(always)]
    fn steps(self) -> [u64; 4] {
        let ([up, down], empty) = (self.ways(self.own), self.empty());
        [up << STEPS[0], up << STEPS[1], down >> STEPS[0], down >> STEPS[1]].map(|targets| targets & empty)
    }

    /// Where pieces can jump, in each of the four directions.
    #[inline(always)]
    fn jumps(self, pieces: u64) -> [u64; 4] {
        let ([up, down], empty, enemy) = (self.ways(pieces), self.empty(), self.enemy);
        let [near, far] = STEPS;
        [
            ((up << near) & enemy) << near & empty,
            ((up << far) & enemy) << far & empty,
            ((down >> near) & enemy) >> near & empty,
            ((down >> far) & enemy) >> far & empty,
        ]
    }

    /// The board after a piece has come to a square, still seen by its owner.
    #[inline(always)]
    fn moved(self, from: u64, to: u64) -> Self {
        let king = if self.kings & from != 0 { from | to } else { to & (LOW_ROW | HIGH_ROW) };
        Self { own: self.own ^ from ^ to, kings: self.kings & !from | king & !from, ..self }
    }

    /// The board as the other player sees it.
    #[inline(always)]
    fn turned(self) -> Self {
        Self { own: self.enemy, enemy: self.own, up: !self.up, ..self }
    }

    /// The boards that captures lead to. Two ways to one board are one move, as everywhere in this project.
    fn captures(self, boards: &mut Vec<Self>) {
        boards.clear();
        self.chains(self.own, &mut |after| {
            if !boards.contains(&after) {
                boards.push(after);
            }
        });
    }

    /// Every end of a chain of jumps that these pieces can begin, once for each way there.
    fn chains(self, pieces: u64, found: &mut impl FnMut(Self)) {
        for (direction, targets) in self.jumps(pieces).into_iter().enumerate() {
            for to in members(targets) {
                let step = STEPS[direction % 2];
                let (victim, from) =
                    if direction < 2 { (to >> step, to >> (2 * step)) } else { (to << step, to << (2 * step)) };
                let mut after = self.moved(from, to);
                after.enemy &= !victim;
                after.kings &= !victim;
                // A man who is crowned stops.
                let crowned = after.kings & to != 0 && self.kings & from == 0;
                if crowned || after.jumps(to) == [0; 4] {
                    found(after);
                } else {
                    after.chains(to, found);
                }
            }
        }
    }

    fn can_capture(self) -> bool {
        self.jumps(self.own) != [0; 4]
    }

    /// The move that steps in a direction to a square.
    #[inline(always)]
    fn step(self, direction: usize, to: u64) -> (u64, Self) {
        let step = STEPS[direction % 2];
        let from = if direction < 2 { to >> step } else { to << step };
        (from, self.moved(from, to))
    }

    fn perft(self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut sum = 0;
        if self.can_capture() {
            let mut boards = Vec::new();
            self.captures(&mut boards);
            if depth == 1 {
                return boards.len() as u64;
            }
            sum = boards.into_iter().map(|after| after.turned().perft(depth - 1)).sum();
        } else if depth == 1 {
            sum = self.steps().map(|targets| u64::from(targets.count_ones())).iter().sum();
        } else {
            for (direction, targets) in self.steps().into_iter().enumerate() {
                for to in members(targets) {
                    sum += self.step(direction, to).1.turned().perft(depth - 1);
                }
            }
        }
        sum
    }

    /// What tells positions apart between which only kings have moved: where pieces stand, and whose turn it is.
    #[inline(always)]
    fn key(self) -> u64 {
        let wide = u128::from(self.own ^ 0x9e37_79b9_7f4a_7c15) * u128::from(self.enemy ^ 0xbf58_476d_1ce4_e5b9);
        (wide >> 64) as u64 ^ wide as u64 ^ u64::from(self.up)
    }
}

impl Draughts {
    /// The program.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Game for Draughts {
    fn name(&self) -> &'static str {
        "english"
    }

    fn known(&self) -> Known {
        Known {
            perft: &[7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931, 3_963_680],
            random: Some(Tally {
                games: 30_000,
                plies: 2_090_242,
                squares: 177_756_536,
                first: 14_130,
                second: 14_666,
            }),
        }
    }

    #[inline]
    fn playout(&mut self, random: &mut Random) -> End {
        let Self { past, captures } = self;
        past.clear();
        let mut board = Board::START;
        let mut plies = 0;
        loop {
            let mut only_kings_moved = false;
            if board.can_capture() {
                board.captures(captures);
                board = captures[random.below(captures.len() as u32) as usize];
            } else {
                let steps = board.steps();
                let counts = steps.map(u64::count_ones);
                let moves = counts.iter().sum();
                if moves == 0 {
                    return End::lost(plies);
                }
                let (mut n, mut direction) = (random.below(moves), 0);
                while n >= counts[direction] {
                    n -= counts[direction];
                    direction += 1;
                }
                let (from, after) = board.step(direction, nth(steps[direction], n));
                only_kings_moved = board.kings & from != 0;
                board = after;
            }
            board = board.turned();
            plies += 1;
            // Only steps of kings can be taken back; before there are any nothing has to be remembered.
            if !only_kings_moved {
                past.clear();
            }
            if board.kings != 0 {
                let key = board.key();
                if past.times(key) == 2 {
                    return End::drawn(plies);
                }
                past.push(key);
            }
        }
    }

    fn perft(&mut self, depth: u32) -> u64 {
        Board::START.perft(depth)
    }
}
