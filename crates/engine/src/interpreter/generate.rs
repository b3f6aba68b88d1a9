//! Which rules are run for a turn, and in which order.
//!
//! In the middle of a move: the rules of the piece that goes on, of the move type that the chain asks for, in the order of
//! the rules; then the rules of turns of that type, if it asks for one. At its start: site by site in the order of the board, for each piece of the turn's owner the rules of its kind
//! in the order of the rules; then, kind by kind, for each kind that the owner has in hand and for each of its rules the
//! sites in the order of the board; and last the rules that are run once a turn. A turn of one move type runs the rules of that type only.

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_ir::{Kind, MoveType, RuleId, Trigger, Turn};

use super::{Interpreter, Machine, Meter};
use crate::executor::{Executor, Fault};
use crate::state::State;
use crate::step::Step;

/// What a rule is about to be run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) rule: RuleId,
    /// None for a rule that is run once a turn.
    pub(crate) site: Option<Site>,
}

impl Interpreter {
    /// The turn that is being played.
    pub(crate) fn turn(&self, state: &State) -> Turn {
        let index = state.get(self.layout.global(self.layout.known.turn)) as usize;
        self.rules.schedule.turns[index]
    }

    /// All rule runs of the state, in order.
    pub(crate) fn runs(&self, state: &State) -> Vec<Run> {
        let (turn, mut runs) = (self.turn(state), Vec::new());
        if let Some(site) = self.chain(state) {
            let wanted = self.chain_type(state);
            if let Some(piece) = self.piece(state, site) {
                runs.extend(
                    self.of_type(&self.tables.piece_rules[piece.kind], wanted)
                        .map(|rule| Run { rule, site: Some(site) }),
                );
            }
            if wanted.is_some() {
                runs.extend(self.of_type(&self.tables.turn_rules, wanted).map(|rule| Run { rule, site: None }));
            }
            return runs;
        }
        for site in self.topology().sites() {
            if let Some(piece) = self.piece(state, site) {
                let rules = self.of_type(&self.tables.piece_rules[piece.kind], turn.move_type);
                let own = piece.owner == turn.owner;
                let rules = rules.filter(|&rule| own || self.rules.rules[rule].trigger == Trigger::AnyPiece);
                runs.extend(rules.map(|rule| Run { rule, site: Some(site) }));
            }
        }
        for kind in self.rules.kinds.ids() {
            if self.in_hand(state, turn, kind) > 0 {
                for rule in self.of_type(&self.tables.drop_rules[kind], turn.move_type) {
                    runs.extend(self.topology().sites().map(|site| Run { rule, site: Some(site) }));
                }
            }
        }
        runs.extend(self.of_type(&self.tables.turn_rules, turn.move_type).map(|rule| Run { rule, site: None }));
        runs
    }

    /// How many pieces of the kind the owner of the turn has in hand.
    pub(crate) fn in_hand(&self, state: &State, turn: Turn, kind: Kind) -> i32 {
        self.hand(turn.owner, kind).map_or(0, |cell| state.get(cell))
    }

    /// The steps that the rules make, before anything is thinned out.
    pub(super) fn raw_steps(&self, state: &State, meter: &Meter) -> Result<Vec<Step>, Fault> {
        let mut machine = Machine::new(self, state, self.turn(state).owner, meter);
        for run in self.runs(state) {
            machine.run(run.rule, run.site)?;
        }
        Ok(machine.take_steps())
    }

    /// The move type that the chain asks for.
    pub(crate) fn chain_type(&self, state: &State) -> Option<MoveType> {
        let number = state.get(self.layout.global(self.layout.known.chain_type));
        (number > 0).then(|| MoveType::from_index(number as usize - 1))
    }

    fn of_type<'a>(&'a self, rules: &'a [RuleId], wanted: Option<MoveType>) -> impl Iterator<Item = RuleId> + 'a {
        rules.iter().copied().filter(move |&rule| wanted.is_none() || self.rules.rules[rule].move_type == wanted)
    }
}
