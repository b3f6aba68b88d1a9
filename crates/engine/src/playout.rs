//! Plays at random.

use dagaz_base::{Id, Random};
use dagaz_ir::Rules;

use crate::executor::{Executor, Fault, Limits, Outcome, Share, Situation};
use crate::history::{History, Line, Onward};
use crate::state::State;

/// How a random game went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How it ended; nothing when the limit came first.
    pub outcome: Option<Outcome>,
    /// How many steps were made.
    pub steps: usize,
}

/// What many random games from one state came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// How many games were played.
    pub games: u64,
    /// How many whole moves were made in all of them.
    pub moves: u64,
    /// How many games were not over when the limit came: nobody has points of them.
    pub open: u64,
    /// What each player has of the others: 2 for a win, 1 for a draw.
    pub points: Vec<u64>,
    /// Where pieces of each player stood when the last game was left: a bit for each site, in words, player by player.
    pub held: Vec<u64>,
}

impl Tally {
    /// Of no games.
    pub fn new(rules: &Rules) -> Self {
        Self { games: 0, moves: 0, open: 0, points: vec![0; rules.players.len()], held: Vec::new() }
    }

    /// Gives the players what they have of so many games.
    pub fn add(&mut self, shares: &[Share], games: u64) {
        for (points, share) in self.points.iter_mut().zip(shares) {
            *points += games
                * match share {
                    Share::Win => 2,
                    Share::Draw => 1,
                    Share::Loss | Share::None => 0,
                };
        }
    }

    /// How many words the set of a player has in `held`.
    pub fn words(sites: usize) -> usize {
        sites.div_ceil(64).max(1)
    }
}

/// Plays games at random step by step; see [`Executor::tally`].
pub fn tally<E: Executor + ?Sized>(
    executor: &E,
    state: &State,
    history: &dyn History,
    games: u32,
    limit: u32,
    seed: u64,
) -> Result<Tally, Fault> {
    let rules = executor.rules();
    let (mut tally, mut random) = (Tally::new(rules), Random::new(seed));
    let mut last = state.clone();
    for _ in 0..games {
        last = state.clone();
        let mut past = Onward::new(history);
        let (mut moves, mut steps) = (0, 0);
        loop {
            let legal = match executor.situation(&last, &past)? {
                Situation::Over(outcome) => {
                    tally.add(&outcome.shares, 1);
                    break;
                }
                Situation::Open(legal) => legal,
            };
            if moves >= limit {
                tally.open += 1;
                break;
            }
            let step = random.choose(&legal).expect("an open situation has a step");
            let (before, mover) = (last.keys(), executor.to_move(&last));
            let undo = executor.apply(&mut last, step)?;
            past.line.push(before, mover, &undo);
            steps = if undo.ends_move { 0 } else { steps + 1 };
            moves += u32::from(undo.ends_move);
            let chain = Limits::default().chain;
            if steps >= chain {
                return Err(Fault::EndlessChain { limit: chain });
            }
        }
        tally.games += 1;
        tally.moves += u64::from(moves);
    }
    let (sites, layout) = (rules.topology.site_count(), executor.layout());
    let words = Tally::words(sites);
    tally.held = vec![0; rules.players.len() * words];
    for site in rules.topology.sites() {
        let owner = last.get(layout.at(layout.known.owner, site));
        if owner > 0 {
            tally.held[(owner as usize - 1) * words + site.index() / 64] |= 1 << (site.index() % 64);
        }
    }
    Ok(tally)
}

/// Makes steps at random, each legal step equally likely, until the game is over or `limit` steps are made. The line is the
/// state's past; both go along with the game.
pub fn playout(
    executor: &dyn Executor,
    state: &mut State,
    line: &mut Line,
    random: &mut Random,
    limit: usize,
) -> Result<Playout, Fault> {
    let mut made = 0;
    loop {
        let steps = match executor.situation(state, line)? {
            Situation::Over(outcome) => return Ok(Playout { outcome: Some(outcome), steps: made }),
            Situation::Open(steps) => steps,
        };
        if made >= limit {
            return Ok(Playout { outcome: None, steps: made });
        }
        let step = random.choose(&steps).expect("an open situation has a step");
        let (before, mover) = (state.keys(), executor.to_move(state));
        let undo = executor.apply(state, step)?;
        line.push(before, mover, &undo);
        made += 1;
    }
}
