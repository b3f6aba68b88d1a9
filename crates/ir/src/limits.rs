//! How large rules may be: the parser and the verifier refuse what is beyond.
//!
//! They are far above any game that people play, and low enough that the rules of a stranger exhaust nothing.

/// Sites of a board.
pub const SITES: usize = 65_534;

/// Directions × (sites + players): how many links a board may have room for, and players meanings of directions.
pub const LINKS: usize = 1 << 23;

/// The bits of all zones together: [`zone_bits`] for each zone and player.
pub const ZONE_BITS: usize = 1 << 27;

/// Cells of a state, and so also of any one field.
pub const CELLS: u64 = 1 << 24;

/// How deep statements and expressions may nest: a body's statements are at depth 1, what is inside one level deeper.
pub const NESTING: usize = 256;

/// How many bits one set of so many sites takes: whole words, at least one.
pub fn zone_bits(sites: usize) -> usize {
    sites.max(1).next_multiple_of(64)
}
