//! The reference interpreter: simple enough to be believed, and never optimised.
//!
//! Other executors are judged by it, so its order of doing things is the meaning of the rules. One part a file: `generate`
//! says which rules are run and in which order, `machine` and `eval` run a program, `attack` answers whether a site is
//! attacked, `apply` makes effects, `stages` runs what surrounds a step, `legal` turns what the rules made into legal steps,
//! `captures` and `bounds` compare whole moves, which `whole` goes through, `ends` says whether the game is over, `sight` what a
//! player may see.
//!
//! It must not know source languages, keep a state, or look at a clock.

mod apply;
mod attack;
mod bounds;
mod captures;
mod ends;
mod eval;
mod generate;
mod legal;
mod machine;
mod meter;
mod reach;
mod sight;
mod stages;
mod trace;
mod value;
mod whole;

use std::sync::Arc;

use dagaz_base::{Id, IdMap};
use dagaz_board::{Direction, Site, Topology};
use dagaz_ir::{Field, Kind, Placement, Player, RuleId, Rules, Scope, Trigger};

use crate::executor::{Executor, Fault, Limits, Situation};
use crate::history::History;
use crate::layout::Layout;
use crate::seen::Seen;
use crate::state::{Piece, State, Undo};
use crate::step::{Effect, Step};

pub use legal::Removal;
pub(crate) use machine::Ending;
use machine::Machine;
use meter::Meter;
use reach::ReachTables;
pub use value::Value;

/// Runs rules by walking their programs.
#[derive(Clone, Debug)]
pub struct Interpreter {
    rules: Arc<Rules>,
    layout: Layout,
    limits: Limits,
    tables: Tables,
}

/// What is looked up often, computed once.
#[derive(Clone, Debug)]
struct Tables {
    /// The rules that are run for each piece of a kind, in their order.
    piece_rules: IdMap<Kind, Vec<RuleId>>,
    /// The rules that are run for each kind in hand, in their order.
    drop_rules: IdMap<Kind, Vec<RuleId>>,
    /// The rules that are run once a turn, in their order.
    turn_rules: Vec<RuleId>,
    /// The direction that undoes each direction.
    opposites: IdMap<Direction, Option<Direction>>,
    /// For each kind and field the value of a new piece, when the kind declares the field.
    attributes: IdMap<Kind, IdMap<Field, Option<i32>>>,
    /// Which ends ask for the number of moves.
    counts_moves: Vec<bool>,
    /// Where rules can strike.
    reach: ReachTables,
}

impl Interpreter {
    /// An interpreter of rules that the IR's verifier has accepted, with the usual limits.
    pub fn new(rules: Arc<Rules>) -> Self {
        Self::with_limits(rules, Limits::default())
    }

    /// The same with other limits.
    pub fn with_limits(rules: Arc<Rules>, limits: Limits) -> Self {
        let (layout, tables) = (Layout::of(&rules), Tables::of(&rules));
        Self { rules, layout, limits, tables }
    }

    /// The same without the shortcut about attacks, so that the two can be compared.
    #[must_use]
    pub fn without_reach(mut self) -> Self {
        self.tables.reach = ReachTables::none(&self.rules);
        self
    }

    /// How much work the rules may make.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    fn topology(&self) -> &Topology {
        &self.rules.topology
    }

    /// The player of this number, counted from 1.
    fn player(&self, number: i32) -> Option<Player> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        (index < self.rules.players.len()).then(|| Player::from_index(index))
    }

    /// The kind of this number, counted from 1.
    fn kind(&self, number: i32) -> Option<Kind> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        (index < self.rules.kinds.len()).then(|| Kind::from_index(index))
    }

    /// The piece on a site.
    pub(crate) fn piece(&self, state: &State, site: Site) -> Option<Piece> {
        let owner = self.player(state.get(self.layout.at(self.layout.known.owner, site)))?;
        let kind = self.kind(state.get(self.layout.at(self.layout.known.kind, site)))?;
        Some(Piece { owner, kind })
    }

    /// What an attribute of a new piece of the kind is, when the kind has it.
    fn attribute(&self, kind: Kind, field: Field) -> Option<i32> {
        self.tables.attributes[kind][field]
    }

    /// The value itself or the bound of the field that it passes.
    fn clamped(&self, field: Field, value: i32) -> i32 {
        let info = &self.rules.fields[field];
        value.min(info.high).max(info.low)
    }

    /// Where `direction`, as a player sees it, leads from a site.
    fn step(&self, player: Player, direction: Direction, site: Site) -> Option<Site> {
        self.topology().step(self.seen(player, direction), site)
    }

    /// Where the opposite of that direction leads.
    fn step_back(&self, player: Player, direction: Direction, site: Site) -> Option<Site> {
        self.topology().step(self.tables.opposites[self.seen(player, direction)]?, site)
    }

    fn seen(&self, player: Player, direction: Direction) -> Direction {
        self.rules.players[player].seen(direction)
    }
}

impl Tables {
    fn of(rules: &Rules) -> Self {
        let mut piece_rules = IdMap::filled(rules.kinds.len(), Vec::new());
        let (mut drop_rules, mut turn_rules) = (piece_rules.clone(), Vec::new());
        for (id, rule) in rules.rules.iter() {
            match (rule.trigger, rule.kind) {
                (Trigger::Piece | Trigger::AnyPiece, Some(kind)) => piece_rules[kind].push(id),
                (Trigger::Drop, Some(kind)) => drop_rules[kind].push(id),
                (Trigger::Turn, _) => turn_rules.push(id),
                (_, None) => unreachable!("the verifier lets turn rules alone be without a kind"),
            }
        }
        let known = rules.known();
        let attributes = rules.kinds.values().map(|kind| {
            let mut defaults = IdMap::filled(rules.fields.len(), None);
            for &(field, value) in &kind.attributes {
                if field != known.owner && field != known.kind && rules.fields[field].scope == Scope::Piece {
                    defaults[field] = Some(value);
                }
            }
            defaults
        });
        Self {
            piece_rules,
            drop_rules,
            turn_rules,
            opposites: rules.topology.opposites(),
            attributes: attributes.collect(),
            counts_moves: rules.ends.iter().map(|end| ends::counts_moves(&end.condition.body)).collect(),
            reach: ReachTables::of(rules),
        }
    }
}

impl Executor for Interpreter {
    fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Every field at its initial value, then the set-up in order. Fields that belong to pieces start at 0 whatever they
    /// say, as no piece stands anywhere before the set-up.
    fn initial(&self) -> State {
        let (mut state, mut undo) = (State::zero(&self.layout), Undo::default());
        for (field, info) in self.rules.fields.iter().filter(|(_, info)| info.scope != Scope::Piece) {
            for cell in (0..self.layout.count(field)).filter_map(|index| self.layout.cell(field, index)) {
                state.set(&self.layout, cell, info.initial);
            }
        }
        state.set(&self.layout, self.layout.global(self.layout.known.turn), 0);
        for placement in &self.rules.setup {
            match *placement {
                Placement::Piece(owner, kind, site) => {
                    // Pieces that are placed on one site stand on each other where the game has stacks.
                    let placed = match self.layout.known.stack {
                        Some(_) => Effect::Push { site, owner, kind },
                        None => Effect::Create { site, owner, kind },
                    };
                    self.perform(&mut state, &mut undo, &placed);
                }
                Placement::Hand(owner, kind, count) => {
                    if let Some(cell) = self.hand(owner, kind) {
                        state.set(&self.layout, cell, count);
                    }
                }
                Placement::Cell(field, index, value) => {
                    if let Some(cell) = self.layout.cell(field, index as usize) {
                        state.set(&self.layout, cell, value);
                    }
                }
            }
        }
        state
    }

    fn steps(&self, state: &State, history: &dyn History) -> Result<Vec<Step>, Fault> {
        self.legal_steps(state, history, &Meter::new(self.limits.work), &mut |_, _| {})
    }

    fn situation(&self, state: &State, history: &dyn History) -> Result<Situation, Fault> {
        self.stand(state, history)
    }

    fn seen_by(&self, state: &State, player: Player) -> Result<Seen, Fault> {
        self.look(state, player)
    }

    fn apply(&self, state: &mut State, step: &Step) -> Result<Undo, Fault> {
        let mut undo = Undo::default();
        match self.make(state, step, &mut undo) {
            Ok(()) => Ok(undo),
            Err(fault) => {
                self.undo(state, &undo);
                Err(fault)
            }
        }
    }
}
