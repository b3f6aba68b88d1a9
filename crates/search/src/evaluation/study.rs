//! Random games, and what is seen in them: how pieces get about, what is captured, what ends a game, what winners have.
//!
//! The games come from a fixed seed, so that what is learned depends on the rules alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use dagaz_base::{Id, Random};
use dagaz_engine::{Cell, Effect, Executor, Fault, NoHistory, Outcome, Share, Situation, Step};
use dagaz_ir::{Field, Player, Role, Rules, Scope};

use super::balance;
use super::lines::{Axis, Rows, axes, longest};
use super::mirror::Mirror;
use crate::walk::Walk;

/// So much is looked at: states, and steps that are listed in them.
const MOST_STATES: usize = 4000;
const MOST_LISTED: usize = 250_000;
/// Steps of one game.
const LONGEST_GAME: usize = 400;
/// Every so many states mobility is compared.
const BALANCED: usize = 3;
/// So many numbers on sites and the like are followed.
const MOST_CELLS: usize = 500;

/// What was seen.
pub(super) struct Study {
    pub(super) rules: Arc<Rules>,
    pub(super) mirror: Mirror,
    axes: Vec<Axis>,
    random: Random,
    pub(super) states: usize,
    listed: usize,
    pub(super) games: usize,
    /// By place: how often a piece stood there when its owner was to move, and how many steps it had.
    pub(super) present: Vec<u32>,
    pub(super) steps: Vec<u32>,
    /// From place to place: how often a piece could go so.
    pub(super) ways: BTreeMap<(u32, u32), u32>,
    /// By place: how often a move ended there, and how often it won by that.
    pub(super) visits: Vec<u32>,
    pub(super) wins: Vec<u32>,
    /// By kind, how often it could be captured.
    pub(super) victims: Vec<u32>,
    pub(super) captures: usize,
    /// States in which all steps were captures.
    pub(super) all_capture: usize,
    pub(super) rows: Rows,
    /// The cells that hold numbers.
    pub(super) numbers: Vec<Cell>,
    pub(super) samples: Vec<Sample>,
    /// The two persons, in a game of two who move by turns.
    pub(super) persons: Option<(Player, Player)>,
}

/// A state of a game whose end is known, seen by the first person.
pub(crate) struct Sample {
    /// The places of pieces, and whose they are: 1 for the first person's, -1 for the other's.
    pub(super) pieces: Vec<(u32, i8)>,
    /// Pieces in hand: by kind, the first person's less the other's.
    pub(super) hands: Vec<i32>,
    /// The numbers, in the order of their cells.
    pub(super) numbers: Vec<i32>,
    /// How much more freely the first person can move, in thousandths.
    pub(super) mobility: Option<i32>,
    /// What is not learned is worth to him.
    pub(super) fixed: i32,
    /// 1 when the first person won, -1 when the other, 0 for a draw.
    pub(super) result: i8,
}

impl Study {
    pub(super) fn new(executor: &dyn Executor) -> Self {
        let rules = executor.rules().clone();
        let places = (rules.players.len() + 1) * rules.kinds.len() * rules.topology.site_count();
        Self {
            mirror: Mirror::of(&rules),
            axes: axes(&rules),
            random: Random::new(0),
            states: 0,
            listed: 0,
            games: 0,
            present: vec![0; places],
            steps: vec![0; places],
            ways: BTreeMap::new(),
            visits: vec![0; places],
            wins: vec![0; places],
            victims: vec![0; rules.kinds.len()],
            captures: 0,
            all_capture: 0,
            rows: Rows::default(),
            numbers: numbers(executor),
            samples: Vec::new(),
            persons: persons(&rules),
            rules,
        }
    }

    /// How much of all that is wanted was seen, in thousandths.
    pub(super) fn done(&self) -> usize {
        let part = |seen: usize, wanted: usize| seen * 1000 / wanted;
        part(self.states, MOST_STATES).max(part(self.listed, MOST_LISTED)).max(part(self.games, MOST_STATES))
    }

    /// Nothing more can be seen.
    pub(super) fn give_up(&mut self) {
        self.games = MOST_STATES;
    }

    /// How many steps of all were captures, in thousandths.
    pub(super) fn capturing(&self) -> usize {
        self.captures * 1000 / self.listed.max(1)
    }

    /// Which place a site is for a piece.
    pub(super) fn place(&self, owner: usize, kind: usize, site: usize) -> usize {
        let (group, site) = self.mirror.seen(Player::from_index(owner), site);
        (group * self.rules.kinds.len() + kind) * self.rules.topology.site_count() + site
    }

    /// Plays another game.
    pub(super) fn play(&mut self, executor: &dyn Executor) -> Result<(), Fault> {
        self.games += 1;
        let mut walk = Walk::from(executor, executor.initial(), &NoHistory);
        let first_sample = self.samples.len();
        // Who made the last move, where it ended, and the longest row through there.
        let mut last: Option<(Player, usize, usize)> = None;
        let mut outcome = None;
        for _ in 0..LONGEST_GAME {
            let steps = match walk.situation()? {
                Situation::Over(over) => {
                    outcome = Some(over);
                    break;
                }
                Situation::Open(steps) => steps,
            };
            self.note_last(last.take(), None);
            if !walk.is_chance() {
                self.look(&mut walk, &steps);
            }
            let step = &steps[self.random.below(steps.len())];
            let mover = walk.mover();
            let ended = walk.make(step)?;
            if ended && let Some(to) = step.to {
                let layout = executor.layout();
                let owner = walk.state.get(layout.at(layout.known.owner, to));
                let kind = walk.state.get(layout.at(layout.known.kind, to));
                if owner as usize == mover.index() + 1 {
                    let place = self.place(mover.index(), kind as usize - 1, to.index());
                    last = Some((mover, place, longest(&self.rules, &self.axes, layout, &walk.state, to)));
                }
            }
            if self.done() >= 1000 && self.games > 1 {
                break;
            }
        }
        self.note_last(last, outcome.as_ref());
        self.label(first_sample, outcome.as_ref());
        Ok(())
    }

    fn note_last(&mut self, last: Option<(Player, usize, usize)>, outcome: Option<&Outcome>) {
        let Some((mover, place, row)) = last else { return };
        let won = outcome.map(|outcome| outcome.shares[mover.index()] == Share::Win);
        self.visits[place] += 1;
        self.wins[place] += u32::from(won == Some(true));
        let is_draw = outcome.is_some_and(|outcome| outcome.shares[mover.index()] == Share::Draw);
        if !is_draw {
            self.rows.note(row, won);
        }
    }

    /// What the states of a game were worth is known at its end; where there is none it is not.
    fn label(&mut self, from: usize, outcome: Option<&Outcome>) {
        let result = outcome.zip(self.persons).map(|(outcome, (first, _))| match outcome.shares[first.index()] {
            Share::Win => 1,
            Share::Loss => -1,
            Share::Draw | Share::None => 0,
        });
        match result {
            Some(result) => self.samples[from..].iter_mut().for_each(|sample| sample.result = result),
            None => self.samples.truncate(from),
        }
    }

    /// Notes what can be done in a state.
    fn look(&mut self, walk: &mut Walk<'_>, steps: &[Step]) {
        self.states += 1;
        self.listed += steps.len();
        let (mover, layout) = (walk.mover().index(), walk.executor.layout());
        let (owners, kinds) = (layout.known.owner, layout.known.kind);
        let at = |field: Field, site: usize| walk.state.get(layout.at(field, dagaz_board::Site::from_index(site)));
        let mut captures = 0;
        let mut seen: Vec<(usize, usize)> = Vec::with_capacity(steps.len());
        for step in steps {
            let struck = step.effects.iter().filter_map(Effect::strikes);
            let mut captures_now = false;
            for site in struck {
                let owner = at(owners, site.index());
                if owner > 0 && owner as usize != mover + 1 {
                    captures_now = true;
                    self.victims[at(kinds, site.index()) as usize - 1] += 1;
                }
            }
            captures += usize::from(captures_now);
            let (Some(from), Some(to)) = (step.from, step.to) else { continue };
            let (owner, kind) = (at(owners, from.index()), at(kinds, from.index()));
            if from == to
                || owner as usize != mover + 1
                || seen.contains(&(from.index(), to.index())) && step.choice.is_none()
            {
                continue;
            }
            let place = self.place(mover, kind as usize - 1, from.index());
            if !seen.contains(&(from.index(), to.index())) {
                self.steps[place] += 1;
                seen.push((from.index(), to.index()));
            }
            let becomes = step.effects.iter().find_map(|effect| match *effect {
                Effect::Retype { site, kind } if site == to => Some(kind.index()),
                Effect::Create { site, owner, kind } if site == to && owner.index() == mover => Some(kind.index()),
                _ => None,
            });
            let goes_to = self.place(mover, becomes.unwrap_or(kind as usize - 1), to.index());
            *self.ways.entry((place as u32, goes_to as u32)).or_insert(0) += 1;
        }
        self.captures += captures;
        self.all_capture += usize::from(walk.starts_move() && captures == steps.len());
        let mut pieces = Vec::new();
        for site in 0..self.rules.topology.site_count() {
            let owner = at(owners, site);
            if owner > 0 {
                let place = self.place(owner as usize - 1, at(kinds, site) as usize - 1, site);
                self.present[place] += u32::from(owner as usize == mover + 1);
                pieces.push((owner as usize - 1, place as u32));
            }
        }
        self.sample(walk, steps.len(), &pieces);
    }

    fn sample(&mut self, walk: &mut Walk<'_>, steps: usize, pieces: &[(usize, u32)]) {
        let Some((first, _)) = self.persons.filter(|_| walk.starts_move()) else { return };
        let Some(mut sample) = self.sampled(walk, pieces) else { return };
        let for_mover = if walk.mover() == first { 1 } else { -1 };
        if self.states.is_multiple_of(BALANCED) {
            sample.mobility = balance(walk, steps).map(|balance| balance * for_mover);
        }
        self.samples.push(sample);
    }

    /// What a state has of everything but mobility, in a game of two.
    pub(super) fn seen(&self, walk: &Walk<'_>) -> Option<Sample> {
        let layout = walk.executor.layout();
        let mut pieces = Vec::new();
        for site in self.rules.topology.sites() {
            let owner = walk.state.get(layout.at(layout.known.owner, site));
            let kind = walk.state.get(layout.at(layout.known.kind, site));
            if owner > 0 {
                let owner = owner as usize - 1;
                pieces.push((owner, self.place(owner, kind as usize - 1, site.index()) as u32));
            }
        }
        self.sampled(walk, &pieces)
    }

    fn sampled(&self, walk: &Walk<'_>, pieces: &[(usize, u32)]) -> Option<Sample> {
        let (first, second) = self.persons?;
        let layout = walk.executor.layout();
        let sign = |owner: usize| match owner {
            owner if owner == first.index() => 1,
            owner if owner == second.index() => -1,
            _ => 0,
        };
        let kinds = self.rules.kinds.len();
        let in_hand = |player: Player, kind: usize| {
            let cell = layout.known.hand.and_then(|hand| layout.cell(hand, player.index() * kinds + kind));
            cell.map_or(0, |cell| walk.state.get(cell))
        };
        let hands = match layout.known.hand {
            Some(_) => (0..kinds).map(|kind| in_hand(first, kind) - in_hand(second, kind)).collect(),
            None => Vec::new(),
        };
        let numbers = self.numbers.iter().map(|&cell| walk.state.get(cell)).collect();
        let pieces = pieces.iter().map(|&(owner, place)| (place, sign(owner))).filter(|&(_, sign)| sign != 0).collect();
        Some(Sample { pieces, hands, numbers, mobility: None, fixed: 0, result: 0 })
    }
}

/// The two persons of a game, when they move by turns.
fn persons(rules: &Rules) -> Option<(Player, Player)> {
    let persons: Vec<Player> =
        rules.players.iter().filter(|(_, info)| info.role == Role::Person).map(|(player, _)| player).collect();
    match persons.as_slice() {
        &[first, second] => Some((first, second)),
        _ => None,
    }
}

/// The cells with numbers that a game may be played with: of sites, players and arrays.
fn numbers(executor: &dyn Executor) -> Vec<Cell> {
    let (rules, layout) = (executor.rules(), executor.layout());
    let is_number = |field: Field| {
        let info = &rules.fields[field];
        matches!(info.scope, Scope::Site | Scope::Player | Scope::Array(_)) && !info.memory && !info.transient
    };
    let fields = rules.fields.ids().filter(|&field| is_number(field));
    let cells = fields.flat_map(|field| (0..layout.count(field)).filter_map(move |index| layout.cell(field, index)));
    cells.take(MOST_CELLS).collect()
}
