//! Where each field of the state lies in the flat block.

use dagaz_base::{Id, IdMap};
use dagaz_board::Site;
use dagaz_ir::{Field, Known, Rules, Scope};

/// The number of one cell of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u32);

/// The cells of every field: fields one after the other, in the order of their definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    first: IdMap<Field, u32>,
    counts: IdMap<Field, u32>,
    memory: Box<[bool]>,
    piece_fields: Box<[Field]>,
    /// The fields that executors themselves use.
    pub known: Known,
}

impl Layout {
    /// The layout of these rules' states.
    pub fn of(rules: &Rules) -> Self {
        let sites = rules.topology.site_count() as u32;
        let players = rules.players.len() as u32;
        let (mut first, mut counts, mut memory) = (IdMap::new(), IdMap::new(), Vec::new());
        let mut piece_fields = Vec::new();
        for (field, info) in rules.fields.iter() {
            let count = match info.scope {
                Scope::Piece | Scope::Site => sites,
                Scope::Player => players,
                Scope::Hand => players * rules.kinds.len() as u32,
                Scope::Global => 1,
                Scope::Array(count) => count,
            };
            if info.scope == Scope::Piece {
                piece_fields.push(field);
            }
            first.push(memory.len() as u32);
            counts.push(count);
            memory.resize(memory.len() + count as usize, info.memory);
        }
        Self { first, counts, memory: memory.into(), piece_fields: piece_fields.into(), known: rules.known() }
    }

    /// How many cells a state has.
    pub fn cell_count(&self) -> usize {
        self.memory.len()
    }

    /// The cell of a field's element, when it has so many.
    pub fn cell(&self, field: Field, index: usize) -> Option<Cell> {
        (index < self.counts[field] as usize).then(|| Cell(self.first[field] + index as u32))
    }

    /// The cell of a field that has one for each site.
    pub fn at(&self, field: Field, site: Site) -> Cell {
        debug_assert!(site.index() < self.counts[field] as usize);
        Cell(self.first[field] + site.index() as u32)
    }

    /// The cell of a field that has one cell.
    pub fn global(&self, field: Field) -> Cell {
        Cell(self.first[field])
    }

    /// How many cells a field has.
    pub fn count(&self, field: Field) -> usize {
        self.counts[field] as usize
    }

    /// Whether the cell is only a memory of how the state came about.
    pub fn is_memory(&self, cell: Cell) -> bool {
        self.memory[cell.0 as usize]
    }

    /// The fields that travel with a piece, the owner and the kind among them.
    pub fn piece_fields(&self) -> &[Field] {
        &self.piece_fields
    }
}
