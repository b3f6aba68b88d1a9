//! Points and moves as the Go Text Protocol writes them: `D4`, `pass`.
//!
//! Columns are letters without I, rows are numbers from the bottom, whatever the rules call their sites (Farnebäck 2002,
//! *Specification of the Go Text Protocol, version 2*, 2.11). Only games whose moves put a stone on a point or pass have
//! such texts.

use dagaz_board::Site;
use dagaz_engine::{Executor, Fault, Line, NoHistory, Situation, State, Step};

use crate::fen::Grid;

/// The points of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    grid: Grid,
}

/// The letters of columns.
const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

impl Points {
    /// The points of this game's board. Nothing when it is no rectangle of at most 25 columns and rows.
    pub fn of(executor: &dyn Executor) -> Option<Self> {
        let grid = Grid::of(&executor.rules().topology)?;
        (grid.rows().len() <= 25 && grid.rows()[0].len() <= 25).then_some(Self { grid })
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.grid.rows()[0].len(), self.grid.rows().len())
    }

    /// The rows from the top.
    pub fn rows(&self) -> &[Vec<Site>] {
        self.grid.rows()
    }

    /// A move that puts a stone somewhere or passes.
    pub fn write(&self, step: &Step) -> Option<String> {
        match (step.from, step.to) {
            (None, Some(to)) => self.vertex(to),
            (None, None) => Some("pass".to_owned()),
            _ => None,
        }
    }

    /// The name of a point.
    pub fn vertex(&self, site: Site) -> Option<String> {
        let (row, column) = self.grid.place(site)?;
        Some(format!("{}{}", char::from(*COLUMNS.get(column)?), self.size().1 - row))
    }

    /// The point of a text, `None` for a pass; nothing when it is neither.
    pub fn read(&self, text: &str) -> Option<Option<Site>> {
        if text.eq_ignore_ascii_case("pass") {
            return Some(None);
        }
        let letter = text.bytes().next()?.to_ascii_uppercase();
        let column = COLUMNS.iter().position(|&column| column == letter)?;
        let number: usize = text.get(1..)?.parse().ok()?;
        let row = self.size().1.checked_sub(number)?;
        self.grid.rows().get(row).filter(|_| number > 0)?.get(column).map(|&site| Some(site))
    }

    /// Where a handicap of so many stones stands (4.1.1). Nothing when this board has no such handicap.
    pub fn handicap(&self, stones: usize) -> Option<Vec<Site>> {
        let (size, rows) = self.size();
        let most = if size == 7 || size.is_multiple_of(2) { 4 } else { 9 };
        if size != rows || size < 7 || !(2..=most).contains(&stones) {
            return None;
        }
        // Columns and rows from the corner at the bottom: near, middle, far.
        let near = if size < 12 { 2 } else { 3 };
        let (middle, far) = (size / 2, size - 1 - near);
        let corners = [(near, near), (far, far), (near, far), (far, near)];
        let sides = [(near, middle), (far, middle), (middle, near), (middle, far)];
        let mut places = corners[..stones.min(4)].to_vec();
        places.extend_from_slice(&sides[..if stones < 6 { 0 } else { (stones - 4) / 2 * 2 }]);
        places.extend((stones > 4 && stones % 2 == 1).then_some((middle, middle)));
        places.into_iter().map(|(column, row)| Some(*self.grid.rows().get(size - 1 - row)?.get(column)?)).collect()
    }

    /// The legal step at this point, or the pass.
    pub fn find<'s>(&self, legal: &'s [Step], point: Option<Site>) -> Option<&'s Step> {
        legal.iter().find(|step| step.from.is_none() && step.to == point)
    }
}

/// How a game that ends by two passes is scored, found by trying: an empty board, and a board with a single stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scoring {
    /// What the second player gets for going second, in units of the score.
    pub komi: i32,
    /// How many units of the score are a point.
    pub unit: i32,
}

impl Scoring {
    /// The scoring of this game. Nothing when two passes do not end it with a score for each of two players.
    pub fn of(executor: &dyn Executor) -> Result<Option<Self>, Fault> {
        let Some(komi) = margin_after(executor, false)?.map(|margin| -margin) else { return Ok(None) };
        let Some(stone) = margin_after(executor, true)? else { return Ok(None) };
        // The stone owns the board: all points of it, or all but the one where it stands.
        let sites = executor.rules().topology.site_count().max(1) as i32;
        let unit = (f64::from(stone + komi) / f64::from(sites)).round() as i32;
        Ok((unit > 0).then_some(Self { komi, unit }))
    }

    /// The komi in points.
    pub fn points(&self) -> f64 {
        f64::from(self.komi) / f64::from(self.unit)
    }

    /// By how many points the first player is ahead, komi apart, where both pass now.
    pub fn margin(&self, executor: &dyn Executor, state: &State) -> Result<Option<f64>, Fault> {
        let Some(margin) = passed(executor, state.clone())? else { return Ok(None) };
        Ok(Some(f64::from(margin + self.komi) / f64::from(self.unit)))
    }
}

/// The first player's margin after two passes, perhaps after he put a stone in the middle of the list of sites.
fn margin_after(executor: &dyn Executor, stone: bool) -> Result<Option<i32>, Fault> {
    let mut state = executor.initial();
    if stone {
        let steps = executor.steps(&state, &NoHistory)?;
        let put: Vec<&Step> = steps.iter().filter(|step| step.from.is_none() && step.to.is_some()).collect();
        let Some(step) = put.get(put.len() / 2) else { return Ok(None) };
        executor.apply(&mut state, step)?;
    }
    passed(executor, state)
}

/// The first player's margin when everybody passes from here on, as the rules score it: after two passes, or more where the
/// rules want them. A game that is over already is scored by a pass beyond its end.
fn passed(executor: &dyn Executor, mut state: State) -> Result<Option<i32>, Fault> {
    let mut line = Line::new();
    for _ in 0..4 {
        let steps = executor.steps(&state, &line)?;
        let Some(pass) = steps.iter().find(|step| step.from.is_none() && step.to.is_none()) else { return Ok(None) };
        let (before, mover) = (state.keys(), executor.to_move(&state));
        let undo = executor.apply(&mut state, pass)?;
        line.push(before, mover, &undo);
        if let Situation::Over(outcome) = executor.situation(&state, &line)? {
            let scores = outcome.scores.as_deref();
            return Ok(scores.and_then(
                |scores| {
                    if let [first, second] = *scores { first.checked_sub(second) } else { None }
                },
            ));
        }
    }
    Ok(None)
}
