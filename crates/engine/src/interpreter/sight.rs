//! What a player may see of a state.
//!
//! Each concealment is asked once for each element of its fields, of the whole state. Where it is true, the cells of the
//! element are hidden. Where the last step started and ended is hidden if what stands on one of these sites is, and so is
//! which piece must go on: else they would tell of a move that was made in the dark.

use std::collections::BTreeSet;

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_ir::{Field, Player, Scope};

use super::{Interpreter, Machine, Meter, Value};
use crate::executor::Fault;
use crate::layout::Cell;
use crate::seen::Seen;
use crate::state::State;

impl Interpreter {
    /// The state as the player sees it.
    pub(super) fn look(&self, state: &State, player: Player) -> Result<Seen, Fault> {
        let meter = Meter::new(self.limits.work);
        let mut hidden = BTreeSet::new();
        for concealment in &self.rules.concealments {
            let Some(&first) = concealment.fields.first() else { continue };
            for index in 0..self.elements(first) {
                let mut machine = Machine::new(self, state, player, &meter).about(self.element(first, index));
                if machine.holds(&concealment.condition, &concealment.name, concealment.origin)? {
                    hidden.extend(concealment.fields.iter().flat_map(|&field| self.cells_of(field, index)));
                }
            }
        }
        let known = self.layout.known;
        let last = [known.last_from, known.last_to].into_iter().flatten().collect();
        for fields in [last, vec![known.chain]] {
            let cells: Vec<Cell> = fields.into_iter().map(|field| self.layout.global(field)).collect();
            let dark = |&cell: &Cell| {
                let site = usize::try_from(state.get(cell)).ok().and_then(|number| number.checked_sub(1));
                site.is_some_and(|site| hidden.contains(&self.layout.at(known.owner, Site::from_index(site))))
            };
            if cells.iter().any(dark) {
                hidden.extend(cells);
            }
        }
        let mut state = state.clone();
        for &cell in &hidden {
            state.set(&self.layout, cell, 0);
        }
        Ok(Seen { state, hidden })
    }

    /// How many elements a field has.
    fn elements(&self, field: Field) -> usize {
        match self.rules.fields[field].scope {
            Scope::Stack(_) => self.topology().site_count(),
            _ => self.layout.count(field),
        }
    }

    /// What tells the element from others: see [`Scope::element`].
    fn element(&self, field: Field, index: usize) -> Vec<Value> {
        let number = |index: usize| Value::Int(index as i32);
        match self.rules.fields[field].scope {
            Scope::Piece | Scope::Site | Scope::Stack(_) => vec![Value::Site(Some(Site::from_index(index)))],
            Scope::Player => vec![number(index + 1)],
            Scope::Hand => {
                let kinds = self.rules.kinds.len();
                vec![number(index / kinds + 1), number(index % kinds + 1)]
            }
            Scope::Array(_) => vec![number(index)],
            Scope::Global => Vec::new(),
        }
    }

    /// The cells of an element.
    fn cells_of(&self, field: Field, index: usize) -> Vec<Cell> {
        match self.rules.fields[field].scope {
            Scope::Stack(_) => self.layout.stack(Site::from_index(index)).collect(),
            _ => self.layout.cell(field, index).into_iter().collect(),
        }
    }
}
