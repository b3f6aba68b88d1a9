//! Changes that set up a state by hand, before the game starts.

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Layout, State};
use dagaz_ir::{Field, Kind, Placement, Player, Rules};

/// One change of the state from which a game starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Takes away what stands on the site.
    Remove(Site),
    /// Puts a new piece in the place of what stood there, puts pieces in a hand, or gives a cell a value.
    Place(Placement),
}

/// Why an edit cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The rules have no hands.
    #[error("pieces cannot wait off the board in this game")]
    NoHands {
        /// The edit.
        edit: Edit,
    },
    /// The field has no such cell.
    #[error("field {field:?} has {count} cells, and not one with the index {index}")]
    NoSuchCell {
        /// The field.
        field: Field,
        /// The index.
        index: u32,
        /// How many there are.
        count: usize,
    },
    /// The value is out of the field's range.
    #[error("field {field:?} holds {low} to {high}, not {value}")]
    OutOfRange {
        /// The field.
        field: Field,
        /// The least value.
        low: i32,
        /// The greatest value.
        high: i32,
        /// The value.
        value: i32,
    },
}

impl Edit {
    /// The edits that make one state of these rules into another: pieces first, then what else differs.
    pub fn between(rules: &Rules, layout: &Layout, before: &State, after: &State) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut state = before.clone();
        for site in rules.topology.sites() {
            let standing = |state: &State| {
                let number = |field| usize::try_from(state.get(layout.at(field, site)) - 1).ok();
                Some((Player::from_index(number(layout.known.owner)?), Kind::from_index(number(layout.known.kind)?)))
            };
            if standing(before) != standing(after) {
                if layout.known.stack.is_some() && standing(before).is_some() && standing(after).is_some() {
                    // Else the new piece would stand on the old one.
                    edits.push(Edit::Remove(site));
                }
                edits.push(match standing(after) {
                    Some((owner, kind)) => Edit::Place(Placement::Piece(owner, kind, site)),
                    None => Edit::Remove(site),
                });
            }
        }
        for edit in &edits {
            edit.apply(rules, layout, &mut state).expect("pieces can be put on any site");
        }
        for field in rules.fields.ids() {
            for index in 0..layout.count(field) {
                let cell = layout.cell(field, index).expect("the field has so many cells");
                if state.get(cell) != after.get(cell) {
                    edits.push(Edit::Place(Placement::Cell(field, index as u32, after.get(cell))));
                }
            }
        }
        edits
    }

    /// Makes the change.
    pub fn apply(self, rules: &Rules, layout: &Layout, state: &mut State) -> Result<(), EditError> {
        match self {
            Edit::Remove(site) => clear(layout, state, site),
            Edit::Place(Placement::Piece(owner, kind, site)) => place(rules, layout, state, (owner, kind, site)),
            Edit::Place(Placement::Hand(owner, kind, count)) => {
                let hand = layout.known.hand.ok_or(EditError::NoHands { edit: self })?;
                let index = owner.index() * rules.kinds.len() + kind.index();
                set(rules, layout, state, (hand, index as u32, count))?;
            }
            Edit::Place(Placement::Cell(field, index, value)) => set(rules, layout, state, (field, index, value))?,
        }
        Ok(())
    }
}

fn clear(layout: &Layout, state: &mut State, site: Site) {
    for cell in layout.piece_cells(site) {
        state.set(layout, cell, 0);
    }
}

/// Where the game has stacks, on top of what stands there.
fn place(rules: &Rules, layout: &Layout, state: &mut State, (owner, kind, site): (Player, Kind, Site)) {
    let top = [layout.known.owner, layout.known.kind].map(|field| state.get(layout.at(field, site)) - 1);
    if layout.known.stack.is_some() && top[0] >= 0 {
        let mut above = 1 + top[0] * rules.kinds.len() as i32 + top[1];
        for cell in layout.stack(site) {
            let here = state.get(cell);
            state.set(layout, cell, above);
            above = here;
        }
    } else {
        clear(layout, state, site);
    }
    state.set(layout, layout.at(layout.known.owner, site), owner.index() as i32 + 1);
    state.set(layout, layout.at(layout.known.kind, site), kind.index() as i32 + 1);
    for &(field, value) in &rules.kinds[kind].attributes {
        state.set(layout, layout.at(field, site), value);
    }
}

fn set(
    rules: &Rules,
    layout: &Layout,
    state: &mut State,
    (field, index, value): (Field, u32, i32),
) -> Result<(), EditError> {
    let count = layout.count(field);
    let cell = layout.cell(field, index as usize).ok_or(EditError::NoSuchCell { field, index, count })?;
    let (low, high) = (rules.fields[field].low, rules.fields[field].high);
    if !(low..=high).contains(&value) {
        return Err(EditError::OutOfRange { field, low, high, value });
    }
    state.set(layout, cell, value);
    Ok(())
}
