//! What a state that is not over is worth. It comes from the rules: from what they say, and from what is seen in random games.
//!
//! No game is named. A *study* plays at random and notes how far pieces of each kind get from each site, what ends a game,
//! and what winners had; an *evaluation* is made of that once, and is whole numbers only. It belongs to rules, not to a
//! game in progress.

mod fit;
mod joins;
mod learner;
mod lines;
mod material;
mod mirror;
mod prepare;
mod sides;
mod study;
mod weights;

use dagaz_base::Id;
use dagaz_engine::{Cell, Effect, Step};
use dagaz_ir::{Kind, Player};

pub(crate) use self::learner::Learner;
pub(crate) use self::prepare::Prepared;
pub(crate) use self::sides::{Side, Sides};
pub(crate) use self::study::Sample;
pub(crate) use self::weights::fingerprint;
pub use self::weights::{Weights, WeightsError};

use self::joins::Joins;
use self::lines::Lines;
use crate::walk::Walk;

/// The worth of one piece, as a rule.
const PIECE: i32 = 100;
/// No estimate is worth a win.
const MOST: i32 = 500_000;

/// How states of one game are valued. All values are hundredths of a piece, as far as there are pieces.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    sites: usize,
    kinds: usize,
    /// What a piece is worth on the board, for its owner: by player, kind and site.
    table: Vec<i32>,
    /// What it is worth in hand: by player and kind.
    hand: Vec<i32>,
    /// What it is worth by its kind alone.
    worth: Vec<i32>,
    /// Kinds that are never captured, because that is not let happen.
    royal: Vec<bool>,
    /// Whether captures change who is ahead: then they are followed to their end.
    counts_pieces: bool,
    /// Whether to move is never worse than to pass, as far as one knows.
    may_pass: bool,
    /// What being the only one who can move is worth; 0 where mobility is not counted.
    mobility: i32,
    /// What numbers on sites and the like are worth to a player, where a game is played with them.
    cells: Vec<(Cell, i32, Player)>,
    lines: Option<Lines>,
    joins: Option<Joins>,
}

impl Evaluation {
    /// What the state of a walk is worth to our side, when who is to move has so many steps.
    pub(crate) fn value(&self, walk: &mut Walk<'_>, sides: &Sides, steps: usize) -> i32 {
        let (state, layout) = (&walk.state, walk.executor.layout());
        let (owners, kinds) = (layout.known.owner, layout.known.kind);
        let (owner_at, kind_at) = (layout.at(owners, first_site()), layout.at(kinds, first_site()));
        let mut sum = 0;
        for site in 0..self.sites {
            let owner = state.get(Cell(owner_at.0 + site as u32));
            if owner > 0 {
                let kind = state.get(Cell(kind_at.0 + site as u32));
                let player = Player::from_index(owner as usize - 1);
                sum += sides.sign(player) * self.table[self.index(owner as usize - 1, kind as usize - 1, site)];
            }
        }
        if let Some(hand) = layout.known.hand {
            for (index, worth) in self.hand.iter().enumerate().filter(|(_, worth)| **worth != 0) {
                let player = Player::from_index(index / self.kinds);
                let count = layout.cell(hand, index).map_or(0, |cell| state.get(cell));
                sum += sides.sign(player) * worth.saturating_mul(count.clamp(-1000, 1000));
            }
        }
        for &(cell, worth, player) in &self.cells {
            sum += sides.sign(player) * (worth.saturating_mul(state.get(cell)) / 16);
        }
        sum += self.shaped(walk, sides);
        if self.mobility != 0 {
            sum += self.mobility_of(walk, sides, steps);
        }
        sum.clamp(-MOST, MOST)
    }

    /// What rows and chains are worth.
    fn shaped(&self, walk: &Walk<'_>, sides: &Sides) -> i32 {
        let (state, layout) = (&walk.state, walk.executor.layout());
        let owner_at = layout.at(layout.known.owner, first_site());
        let lines = self.lines.as_ref().map_or(0, |lines| lines.value(state, owner_at, sides, walk.mover()));
        lines + self.joins.as_ref().map_or(0, |joins| joins.value(state, owner_at, sides))
    }

    /// The same to one player.
    fn shapes(&self, walk: &Walk<'_>, player: Player) -> i32 {
        self.shaped(walk, &Sides::of(walk.executor, player))
    }

    fn mobility_of(&self, walk: &mut Walk<'_>, sides: &Sides, steps: usize) -> i32 {
        let sign = sides.sign(walk.mover());
        match balance(walk, steps) {
            Some(balance) => sign * (balance * self.mobility / 1000),
            None => 0,
        }
    }

    /// Whether captures decide who is ahead.
    pub(crate) fn counts_pieces(&self) -> bool {
        self.counts_pieces
    }

    /// Whether one may suppose that to move is no disadvantage.
    pub(crate) fn may_pass(&self) -> bool {
        self.may_pass
    }

    /// What a step captures or promotes at once, for who makes it, and what else it changes for the places of pieces.
    pub(crate) fn gain(&self, walk: &Walk<'_>, step: &Step) -> (i32, i32) {
        let (state, layout) = (&walk.state, walk.executor.layout());
        let owner = |site| state.get(layout.at(layout.known.owner, site));
        let kind = |site| state.get(layout.at(layout.known.kind, site));
        let me = walk.mover();
        let mine = me.index() as i32 + 1;
        // A piece of mine is a loss, one of another a gain.
        let taken = |site| match owner(site) {
            0 => 0,
            whose if whose == mine => -self.worth[kind(site) as usize - 1],
            _ => self.worth[kind(site) as usize - 1],
        };
        let place = |whose: i32, what: i32, site: dagaz_board::Site| match (whose, what) {
            (1.., 1..) => self.table[self.index(whose as usize - 1, what as usize - 1, site.index())],
            _ => 0,
        };
        let (mut gain, mut drift) = (0, 0);
        for effect in &step.effects {
            match *effect {
                Effect::Move { from, to } if from != to => {
                    gain += taken(to);
                    let sign = if owner(from) == mine { 1 } else { -1 };
                    let (whose, what) = (owner(from), kind(from));
                    drift += sign * (place(whose, what, to) - place(whose, what, from));
                }
                Effect::Copy { to, .. } => gain += taken(to),
                Effect::Capture { site } | Effect::Pop { site } => gain += taken(site),
                Effect::Drop { site, owner, kind } | Effect::Create { site, owner, kind } => {
                    gain += taken(site);
                    if owner == me {
                        drift += place(mine, kind.index() as i32 + 1, site);
                    }
                }
                Effect::Retype { site, kind: new } => gain += self.retyped(walk, step, site, new),
                Effect::Reown { site, .. } | Effect::Flip { site } => {
                    let (whose, what) = (owner(site), kind(site));
                    drift += if whose == mine { -place(mine, what, site) } else { place(mine, what, site) };
                }
                _ => {}
            }
        }
        (gain, drift)
    }

    /// What a piece of the mover is worth more in its new kind: one that comes to the site, or stands there.
    fn retyped(&self, walk: &Walk<'_>, step: &Step, site: dagaz_board::Site, new: Kind) -> i32 {
        let (state, layout) = (&walk.state, walk.executor.layout());
        let comes_from = step.effects.iter().find_map(|effect| match *effect {
            Effect::Move { from, to } if to == site => Some(from),
            _ => None,
        });
        let was_at = comes_from.unwrap_or(site);
        let (owner, kind) =
            (state.get(layout.at(layout.known.owner, was_at)), state.get(layout.at(layout.known.kind, was_at)));
        if kind == 0 {
            return 0;
        }
        let more = self.worth[new.index()] - self.worth[kind as usize - 1];
        if owner == walk.mover().index() as i32 + 1 { more } else { -more }
    }

    /// Whether a step captures what may never be captured.
    pub(crate) fn takes_royal(&self, walk: &Walk<'_>, step: &Step) -> bool {
        let (state, layout) = (&walk.state, walk.executor.layout());
        let mine = walk.mover().index() as i32 + 1;
        step.effects.iter().filter_map(Effect::strikes).any(|site| {
            let (owner, kind) =
                (state.get(layout.at(layout.known.owner, site)), state.get(layout.at(layout.known.kind, site)));
            owner > 0 && owner != mine && self.royal[kind as usize - 1]
        })
    }

    fn index(&self, player: usize, kind: usize, site: usize) -> usize {
        (player * self.kinds + kind) * self.sites + site
    }
}

/// How much more freely who is to move can move than who is next, in thousandths; nothing where that cannot be told.
fn balance(walk: &mut Walk<'_>, steps: usize) -> Option<i32> {
    if !walk.starts_move() {
        return None;
    }
    let mover = walk.mover();
    walk.pass();
    let others = if walk.mover() == mover { None } else { walk.count().ok() };
    walk.take_back();
    let (mine, theirs) = (steps.min(1 << 20) as i64, others?.min(1 << 20) as i64);
    Some(((mine - theirs) * 1000 / (mine + theirs + 1)) as i32)
}

fn first_site() -> dagaz_board::Site {
    dagaz_board::Site::from_index(0)
}
