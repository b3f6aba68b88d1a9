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
    is_piece: Box<[bool]>,
    /// The cells that a move's end sets back, and to what.
    transient: Box<[(Cell, i32)]>,
    stack_depth: u32,
    /// The fields that executors themselves use.
    pub known: Known,
}

impl Layout {
    /// The layout of these rules' states.
    pub fn of(rules: &Rules) -> Self {
        let sites = rules.topology.site_count() as u32;
        let players = rules.players.len() as u32;
        let (mut first, mut counts, mut memory) = (IdMap::new(), IdMap::new(), Vec::new());
        let (mut piece_fields, mut is_piece, mut transient, mut stack_depth) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for (field, info) in rules.fields.iter() {
            let count = match info.scope {
                Scope::Piece | Scope::Site => sites,
                Scope::Player => players,
                Scope::Hand => players * rules.kinds.len() as u32,
                Scope::Global => 1,
                Scope::Array(count) => count,
                Scope::Stack(depth) => {
                    stack_depth = depth;
                    sites * depth
                }
            };
            if info.scope == Scope::Piece {
                piece_fields.push(field);
            }
            first.push(memory.len() as u32);
            counts.push(count);
            let cells = memory.len() as u32..memory.len() as u32 + count;
            if info.transient {
                transient.extend(cells.map(|cell| (Cell(cell), info.initial)));
            }
            memory.resize(memory.len() + count as usize, info.memory);
            is_piece.resize(memory.len(), matches!(info.scope, Scope::Piece | Scope::Stack(_)));
        }
        Self {
            first,
            counts,
            memory: memory.into(),
            piece_fields: piece_fields.into(),
            is_piece: is_piece.into(),
            transient: transient.into(),
            stack_depth,
            known: rules.known(),
        }
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

    /// Whether the cell belongs to a piece, or to one below it.
    pub fn is_piece(&self, cell: Cell) -> bool {
        self.is_piece[cell.0 as usize]
    }

    /// The fields of a piece, the owner and the kind among them.
    pub fn piece_fields(&self) -> &[Field] {
        &self.piece_fields
    }

    /// The cells that travel with a piece on the site, those of the pieces below it among them.
    pub fn piece_cells(&self, site: Site) -> impl Iterator<Item = Cell> + '_ {
        self.piece_fields.iter().map(move |&field| self.at(field, site)).chain(self.stack(site))
    }

    /// The cells of the pieces below the one on the site, the next one first.
    pub fn stack(&self, site: Site) -> impl Iterator<Item = Cell> + '_ {
        let first = self.known.stack.map_or(0, |field| self.first[field] + site.index() as u32 * self.stack_depth);
        (first..first + self.stack_depth).map(Cell)
    }

    /// The cells that go back to a value when a move is complete, with that value.
    pub(crate) fn transient(&self) -> &[(Cell, i32)] {
        &self.transient
    }
}
