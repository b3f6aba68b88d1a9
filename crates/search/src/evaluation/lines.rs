//! Rows of stones: found by what ended random games, valued by what is left of each.

use dagaz_base::Id;
use dagaz_board::{Direction, Site};
use dagaz_engine::{Cell, Layout, State};
use dagaz_ir::{Player, Rules};

use super::sides::Sides;

/// Rows are looked for from this length to that.
pub(super) const SHORTEST: usize = 3;
pub(super) const LONGEST: usize = 6;
/// What an open row with so many stones fewer than it needs is worth: the first for none missing.
const WORTH: [i32; LONGEST + 1] = [400, 120, 30, 8, 2, 1, 0];

/// What happened when a move made a row of so many stones.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Made {
    pub(super) won: u32,
    pub(super) lost: u32,
    pub(super) went_on: u32,
}

/// What happened, by the length of the longest row that a move made.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    by_length: [Made; LONGEST + 1],
}

impl Rows {
    /// Notes a move that made a row.
    pub(super) fn note(&mut self, length: usize, won: Option<bool>) {
        let made = &mut self.by_length[length.min(LONGEST)];
        match won {
            Some(true) => made.won += 1,
            Some(false) => made.lost += 1,
            None => made.went_on += 1,
        }
    }

    /// How long a row wins, if rows do.
    pub(super) fn winning(&self) -> Option<usize> {
        (SHORTEST..=LONGEST).find(|&length| {
            let at_least = &self.by_length[length..];
            let sum = |count: fn(&Made) -> u32| at_least.iter().map(count).sum::<u32>();
            let (won, lost, went_on) = (sum(|made| made.won), sum(|made| made.lost), sum(|made| made.went_on));
            let exactly = self.by_length[length];
            let (others, many) = (exactly.lost + exactly.went_on, exactly.won >= 5);
            many && others * 10 <= exactly.won && (lost + went_on) * 20 <= won
        })
    }
}

/// Two opposite directions, or one without an opposite, as the board names them.
pub(super) type Axis = (Direction, Option<Direction>);

/// The axes of a board.
pub(super) fn axes(rules: &Rules) -> Vec<Axis> {
    let opposites = rules.topology.opposites();
    let is_first = |&direction: &Direction| opposites[direction].is_none_or(|other| other.index() > direction.index());
    rules.topology.directions().filter(is_first).map(|direction| (direction, opposites[direction])).collect()
}

/// How long the longest row of the owner's stones through a site is.
pub(super) fn longest(rules: &Rules, axes: &[Axis], layout: &Layout, state: &State, site: Site) -> usize {
    let owner = |site| state.get(layout.at(layout.known.owner, site));
    let whose = owner(site);
    let run = |direction: Option<Direction>| {
        let mut next = direction.and_then(|direction| rules.topology.step(direction, site));
        let mut length = 0;
        while let (Some(at), Some(direction)) = (next, direction) {
            if owner(at) != whose || length >= LONGEST {
                break;
            }
            length += 1;
            next = rules.topology.step(direction, at);
        }
        length
    };
    let through = |&(direction, opposite): &Axis| 1 + run(Some(direction)) + run(opposite);
    axes.iter().map(through).max().unwrap_or(1).min(LONGEST)
}

/// All rows of the length that wins.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    length: usize,
    /// The sites of each, one after the other.
    sites: Vec<u32>,
}

impl Lines {
    pub(super) fn new(rules: &Rules, length: usize) -> Self {
        let mut sites = Vec::new();
        for (direction, _) in axes(rules) {
            for start in rules.topology.sites() {
                let mut row = vec![start.index() as u32];
                let mut at = Some(start);
                while row.len() < length {
                    at = at.and_then(|at| rules.topology.step(direction, at));
                    let Some(next) = at.filter(|next| next.index() as u32 != row[0]) else { break };
                    row.push(next.index() as u32);
                }
                if row.len() == length {
                    sites.extend(row);
                }
            }
        }
        Self { length, sites }
    }

    /// What the rows that are open to one side alone are worth to ours; those of who is to move are worth more.
    pub(super) fn value(&self, state: &State, owner_at: Cell, sides: &Sides, mover: Player) -> i32 {
        let (mut ours, mut theirs) = (0, 0);
        for row in self.sites.chunks_exact(self.length) {
            let (mut mine, mut his) = (0, 0);
            for &site in row {
                match state.get(Cell(owner_at.0 + site)) {
                    0 => {}
                    owner => match sides.sign(Player::from_index(owner as usize - 1)) {
                        1 => mine += 1,
                        -1 => his += 1,
                        // A stone of nobody is in everybody's way.
                        _ => (mine, his) = (mine + 1, his + 1),
                    },
                }
            }
            match (mine, his) {
                (0, 0) => {}
                (mine, 0) => ours += WORTH[self.length - mine],
                (0, his) => theirs += WORTH[self.length - his],
                _ => {}
            }
        }
        let to_move = sides.sign(mover);
        if to_move > 0 { ours * 5 / 4 - theirs } else { ours - theirs * 5 / 4 }
    }
}
