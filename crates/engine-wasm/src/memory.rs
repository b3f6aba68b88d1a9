//! Where everything lies in a module's memory: tables that never change, the state, and the regions that grow and shrink.
//!
//! A *site number* is 0 for nowhere and counts from 1 otherwise. Whatever has a cell for each site has one more for
//! nowhere, which stays 0: so a read that misses the board needs no test. Beside the cells there is, for each owner and each
//! kind, the set of the sites where such a piece stands, one bit a site; those of number 0 are the empty sites.

use std::collections::BTreeMap;

use dagaz_base::{Id, IdMap};
use dagaz_board::{Direction, SiteSet, Zone};
use dagaz_engine::Layout;
use dagaz_ir::{Compass, Field, FieldInfo, Known, RuleId, Rules, Scope};

use crate::compile::mail;
use crate::compile::ray::Rays;

/// Bytes of one page of WebAssembly memory.
pub(crate) const PAGE: u32 = 65_536;

/// How much memory all tables and the state of one game may take: larger games are left to the interpreter.
const LARGEST: u64 = 256 << 20;

/// How much memory the tables about reach may take: larger games do without them.
const REACH_BUDGET: u64 = 8 << 20;

/// See [`Memory::scratch`].
const SCRATCH: u64 = 256 << 10;

/// The same for the tables of what cells add to hashes: larger fields do without one.
const KEYS_BUDGET: u64 = 256 << 10;

/// The same for the tables of neighbours.
const NEAR_BUDGET: u64 = 2 << 20;

/// Where a field's cells lie: 4 bytes each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The address of the cell of site number 0, or of element 0.
    pub(crate) base: u32,
    /// How many elements it has, without the one for nowhere.
    pub(crate) count: u32,
    /// Cells for each element: the levels of a stack, else 1.
    pub(crate) stride: u32,
    /// Whether it is counted by site numbers.
    pub(crate) per_site: bool,
}

/// A stretch of memory that grows from its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The plan of a module's memory.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) sites: u32,
    pub(crate) players: u32,
    pub(crate) kinds: u32,
    /// How many 64-bit words a set of sites has.
    pub(crate) words: u32,
    pub(crate) known: Known,
    /// The fields of a piece, in the order of the layout.
    pub(crate) piece_fields: Vec<Field>,
    pub(crate) stack_depth: u32,
    pub(crate) fields: IdMap<Field, Place>,
    pub(crate) cells: Region,
    pub(crate) owner_sets: u32,
    pub(crate) kind_sets: u32,
    directions: u32,
    steps: u32,
    steps_back: u32,
    zone_bytes: u32,
    zone_words: u32,
    relations: u32,
    attributes: u32,
    attribute_flags: u32,
    pub(crate) turns: u32,
    labels: u32,
    pub(crate) rays: Rays,
    /// For a number, and a byte that has more bits, which of them it is: 256 bytes for each number.
    pub(crate) members: u32,
    pub(crate) cell_numbers: u32,
    piece_keys: Option<u32>,
    pub(crate) turn_keys: u32,
    /// For each rule that can strike, for each player and target the sites from which it might.
    reach: IdMap<RuleId, Option<u32>>,
    /// For whoever plays without the state.
    pub(crate) scratch: Region,
    /// Where the pieces of each player stood when the last playout ended: a set for each.
    pub(crate) finals: Region,
    /// For each compass, for each player and site the neighbours in its directions.
    near: IdMap<Compass, Option<u32>>,
    /// For fields that are written often, for each element and value what the cell adds to a hash.
    keys: IdMap<Field, Option<u32>>,
    /// Where the tables about attacks lie that are answered by sets.
    pub(crate) struck: u32,
    pub(crate) log: Region,
    pub(crate) queue: Region,
    pub(crate) captures: Region,
    pub(crate) line: Region,
    pub(crate) index: Region,
    pub(crate) frames: Region,
    /// Where lists of steps lie: up to the end of memory, which grows.
    pub(crate) arena: u32,
}

/// Bytes of a turn in the table of turns: player, owner, move type (counted from 1), next turn.
pub(crate) const TURN: u32 = 16;

/// In the table of cell numbers: the cell is a memory, or belongs to a piece.
pub(crate) const MEMORY_CELL: u32 = 1 << 31;
/// See [`MEMORY_CELL`].
pub(crate) const PIECE_CELL: u32 = 1 << 30;

/// Lays memory out from its start.
struct Planner {
    next: u64,
}

impl Planner {
    fn take(&mut self, bytes: u64) -> u32 {
        let start = self.next.next_multiple_of(16);
        self.next = start + bytes;
        start.min(u64::from(u32::MAX)) as u32
    }

    fn region(&mut self, bytes: u64) -> Region {
        let start = self.take(bytes);
        Region { start, end: start.saturating_add(bytes as u32) }
    }
}

impl Memory {
    /// The plan for a game; nothing when it is too large.
    pub(crate) fn of(
        rules: &Rules,
        layout: &Layout,
        strikers: &[RuleId],
        alike: &IdMap<RuleId, RuleId>,
        hashing: bool,
        struck: usize,
    ) -> Option<Self> {
        let (sites, players, kinds) = (rules.topology.site_count(), rules.players.len(), rules.kinds.len());
        let (sites, players, kinds) = (sites as u64, players as u64, kinds as u64);
        let words = sites.div_ceil(64).max(1);
        let directions = rules.topology.directions().len() as u64;
        // Before it lies what stands at fixed addresses.
        let mut plan = Planner { next: u64::from(mail::FILTER + mail::FILTERS * 2) };
        let rows = players * directions * (sites + 1) * 2;
        let (steps, steps_back) = (plan.take(rows), plan.take(rows));
        let zones = rules.zones.len() as u64 * players;
        let (zone_bytes, zone_words) = (plan.take(zones * (sites + 1)), plan.take(zones * words * 8));
        let relations = plan.take(players * (players + 1));
        let piece_fields = layout.piece_fields().to_vec();
        let attributes = plan.take((kinds + 1) * rules.fields.len() as u64 * 4);
        let attribute_flags = plan.take((kinds + 1) * rules.fields.len() as u64);
        let turns = plan.take(rules.schedule.turns.len() as u64 * u64::from(TURN));
        let labels = plan.take(rules.schedule.labels.len() as u64 * rules.schedule.turns.len() as u64 * 4);
        let mut rays = Rays::of(rules, words);
        rays.base = plan.take(rays.bytes(sites, words));
        let alone = piece_fields.iter().all(|&field| field == layout.known.owner || field == layout.known.kind);
        let keys = (sites + 1) * (players + 1) * (kinds + 1) * 8;
        let piece_keys = (alone && keys <= KEYS_BUDGET).then(|| plan.take(keys));
        let turn_keys = plan.take(rules.schedule.turns.len() as u64 * 8);
        let row = players * sites * words * 8;
        let mut reach = IdMap::filled(rules.rules.len(), None);
        if row * strikers.len() as u64 <= REACH_BUDGET {
            for &rule in strikers {
                reach[rule] = reach[alike[rule]].or_else(|| Some(plan.take(row)));
            }
        }
        let mut near = IdMap::filled(rules.compasses.len(), None);
        let row = players * (sites + 1) * words * 8;
        if row * rules.compasses.len() as u64 <= NEAR_BUDGET {
            for table in near.values_mut() {
                *table = Some(plan.take(row));
            }
        }
        let members = plan.take(8 * 256);
        let mut keys = IdMap::filled(rules.fields.len(), None);
        let known = layout.known;
        let often = [Some(known.owner), Some(known.kind), Some(known.turn), Some(known.chain), known.next_turn];
        for field in often.into_iter().flatten().filter(|_| hashing) {
            let info = &rules.fields[field];
            let rows = if info.scope == Scope::Piece { sites + 1 } else { 1 };
            let bytes = rows * key_row_bytes(info);
            if info.low >= 0 && !info.memory && bytes <= KEYS_BUDGET {
                keys[field] = Some(plan.take(bytes));
            }
        }
        let struck = plan.take(struck as u64);
        let start = plan.take(0);
        let mut fields = IdMap::new();
        let mut stack_depth = 0;
        for (field, info) in rules.fields.iter() {
            let stride = match info.scope {
                Scope::Stack(depth) => {
                    stack_depth = depth;
                    depth
                }
                _ => 1,
            };
            let per_site = matches!(info.scope, Scope::Piece | Scope::Site | Scope::Stack(_));
            let count = (layout.count(field) as u32).checked_div(stride).unwrap_or(0);
            let base = plan.take((u64::from(count) + u64::from(per_site)) * u64::from(stride) * 4);
            fields.push(Place { base, count, stride, per_site });
        }
        let cells = Region { start, end: plan.take(0) };
        let owner_sets = plan.take((players + 1) * words * 8);
        let kind_sets = plan.take((kinds + 1) * words * 8);
        let cell_numbers = plan.take(u64::from(cells.end.saturating_sub(cells.start)));
        if plan.next > LARGEST {
            return None;
        }
        let scratch = plan.region(SCRATCH);
        let finals = plan.region(players * words * 8);
        let log = plan.region(32 << 20);
        let queue = plan.region(8 << 20);
        let captures = plan.region(8 << 20);
        let line = plan.region(16 << 20);
        let index = plan.region(16 << 20);
        let frames = plan.region(16 << 20);
        let arena = plan.take(0).next_multiple_of(PAGE);
        Some(Self {
            sites: sites as u32,
            players: players as u32,
            kinds: kinds as u32,
            words: words as u32,
            known: layout.known,
            piece_fields,
            stack_depth,
            fields,
            cells,
            owner_sets,
            kind_sets,
            directions: directions as u32,
            steps,
            steps_back,
            zone_bytes,
            zone_words,
            relations,
            attributes,
            attribute_flags,
            turns,
            labels,
            rays,
            members,
            cell_numbers,
            piece_keys,
            turn_keys,
            reach,
            scratch,
            finals,
            near,
            keys,
            struck,
            log,
            queue,
            captures,
            line,
            index,
            frames,
            arena,
        })
    }

    /// Bytes from one owner's set, or kind's, to the next.
    pub(crate) fn set_bytes(&self) -> u32 {
        self.words * 8
    }

    /// Bytes of the state, its sets included: they lie in a row from the first cell on.
    pub(crate) fn state_bytes(&self) -> u32 {
        self.kind_sets + (self.kinds + 1) * self.set_bytes() - self.cells.start
    }

    /// The address of a global's cell.
    pub(crate) fn global(&self, field: Field) -> u32 {
        self.fields[field].base
    }

    /// Bytes from one player's table of steps to the next; player 1 comes first.
    pub(crate) fn step_player(&self) -> u32 {
        self.directions * (self.sites + 1) * 2
    }

    /// The table of steps of player 0, who does not exist, in a direction.
    pub(crate) fn step_row(&self, direction: Direction, back: bool) -> i32 {
        let table = if back { self.steps_back } else { self.steps };
        (table + direction.index() as u32 * (self.sites + 1) * 2) as i32 - self.step_player() as i32
    }

    /// A byte for each site number: whether it is in the zone of the player of number 0; and the bytes between players.
    pub(crate) fn zone_row(&self, zone: Zone) -> (i32, u32) {
        let stride = self.sites + 1;
        ((self.zone_bytes + zone.index() as u32 * self.players * stride) as i32 - stride as i32, stride)
    }

    /// The zone as a set, for the player of number 0; and the bytes between players.
    pub(crate) fn zone_set(&self, zone: Zone) -> (i32, u32) {
        let stride = self.set_bytes();
        ((self.zone_words + zone.index() as u32 * self.players * stride) as i32 - stride as i32, stride)
    }

    /// For the player of number 0 a byte for each owner: 1 a friend, 2 an enemy, 4 neither; and the bytes between players.
    pub(crate) fn relation_row(&self) -> (i32, u32) {
        let stride = self.players + 1;
        (self.relations as i32 - stride as i32, stride)
    }

    /// What an attribute is on a new piece of kind 0, and whether there is one; both with the elements between kinds.
    pub(crate) fn attribute_row(&self, field: Field) -> (u32, u32, u32) {
        let stride = self.fields.len() as u32;
        (self.attributes + field.index() as u32 * 4, self.attribute_flags + field.index() as u32, stride)
    }

    /// For each turn where a jump to the label leads.
    pub(crate) fn label_row(&self, label: usize, turns: usize) -> u32 {
        self.labels + (label * turns * 4) as u32
    }

    /// For the player and target of number 0 the sites from which the rule might strike; and the bytes between players.
    pub(crate) fn reach_row(&self, rule: RuleId) -> Option<(i32, u32)> {
        let stride = self.sites * self.set_bytes();
        self.reach[rule].map(|base| (base as i32 - stride as i32 - self.set_bytes() as i32, stride))
    }

    /// What a piece adds to the hash of a state: 8 bytes for each kind's number, for each owner's number, for each site number.
    /// Nothing where pieces have attributes, or there are too many.
    pub(crate) fn piece_keys(&self) -> Option<u32> {
        self.piece_keys
    }

    /// The keys of [`piece_keys`](Self::piece_keys()), and those of the turns: what the cell of the turn adds for each.
    fn key_tables(&self, layout: &Layout, turns: usize) -> Vec<(u32, Vec<u8>)> {
        let key = |field, element, value| {
            let cell = layout.cell(field, element).expect("every element has a cell");
            dagaz_engine::contribution(cell, value)
        };
        let of_turns = (0..turns).flat_map(|turn| key(self.known.turn, 0, turn as i32).to_le_bytes()).collect();
        let mut tables = vec![(self.turn_keys, of_turns)];
        if let Some(at) = self.piece_keys {
            let (owners, kinds) = (self.players as i32 + 1, self.kinds as i32 + 1);
            let mut bytes = vec![0; (owners * kinds * 8) as usize];
            for site in 0..self.sites as usize {
                for (owner, kind) in (0..owners).flat_map(|owner| (0..kinds).map(move |kind| (owner, kind))) {
                    let both = key(self.known.owner, site, owner) ^ key(self.known.kind, site, kind);
                    bytes.extend(both.to_le_bytes());
                }
            }
            tables.push((at, bytes));
        }
        tables
    }

    /// For the player of number 0 the neighbours of each site number, nowhere having none; and the bytes between players.
    pub(crate) fn near_row(&self, compass: Compass) -> Option<(i32, u32)> {
        let stride = (self.sites + 1) * self.set_bytes();
        self.near[compass].map(|base| (base as i32 - stride as i32, stride))
    }

    /// What the cell of element 0, or of nowhere, adds to a hash when it is 0: then come its other values, 8 bytes each.
    pub(crate) fn key_row(&self, field: Field) -> Option<u32> {
        self.keys[field]
    }

    /// The tables, to stand in memory from the start.
    pub(crate) fn tables(&self, rules: &Rules, layout: &Layout) -> Vec<(u32, Vec<u8>)> {
        let opposites = rules.topology.opposites();
        let sites = self.sites as usize;
        let (mut steps, mut back) = (Vec::new(), Vec::new());
        let (mut zone_bytes, mut zone_words) = (Vec::new(), Vec::new());
        for (_, player) in rules.players.iter() {
            for direction in (0..self.directions as usize).map(Direction::from_index) {
                let seen = player.seen(direction);
                for (out, direction) in [(&mut steps, Some(seen)), (&mut back, opposites[seen])] {
                    out.extend_from_slice(&[0; 2]);
                    for site in rules.topology.sites() {
                        let to = direction.and_then(|direction| rules.topology.step(direction, site));
                        out.extend_from_slice(&to.map_or(0, |to| to.index() as u16 + 1).to_le_bytes());
                    }
                }
            }
        }
        for (_, zone) in rules.zones.iter() {
            for player in rules.players.ids() {
                let set = zone.sites.get(player).cloned().unwrap_or_else(|| SiteSet::empty(sites));
                zone_bytes.push(0);
                zone_bytes.extend(rules.topology.sites().map(|site| u8::from(set.contains(site))));
                zone_words.extend(set_bytes(&set, self.words as usize));
            }
        }
        let mut relations = Vec::new();
        for (_, player) in rules.players.iter() {
            relations.push(0);
            relations.extend(rules.players.ids().map(|other| {
                let (friend, enemy) = (player.friends.contains(&other), player.enemies.contains(&other));
                u8::from(friend) | u8::from(enemy) << 1 | u8::from(!friend && !enemy) << 2
            }));
        }
        let fields = rules.fields.len();
        let mut attributes = vec![0; fields * 4];
        let mut flags = vec![0; fields];
        for kind in rules.kinds.values() {
            let mut values = vec![None; fields];
            for &(field, value) in &kind.attributes {
                let own = field == self.known.owner || field == self.known.kind;
                if !own && rules.fields[field].scope == Scope::Piece {
                    values[field.index()] = Some(value);
                }
            }
            attributes.extend(values.iter().flat_map(|value| value.unwrap_or(0).to_le_bytes()));
            flags.extend(values.iter().map(|value| u8::from(value.is_some())));
        }
        let mut turns = Vec::new();
        for turn in &rules.schedule.turns {
            let move_type = turn.move_type.map_or(0, |id| id.index() as i32 + 1);
            let (player, owner) = (turn.player.index() as i32 + 1, turn.owner.index() as i32 + 1);
            turns.extend([player, owner, move_type, turn.next as i32].into_iter().flat_map(i32::to_le_bytes));
        }
        let labels = rules.schedule.labels.values();
        let labels =
            labels.flat_map(|label| &label.targets).flat_map(|&target| (target as i32 + 1).to_le_bytes()).collect();
        let mut numbers = vec![0; (self.cells.end - self.cells.start) as usize];
        for (field, place) in self.fields.iter() {
            let shift = u32::from(place.per_site);
            for element in 0..place.count * place.stride {
                let cell = layout.cell(field, element as usize).expect("every element has a cell");
                let mark = if layout.is_memory(cell) { MEMORY_CELL } else { 0 };
                let mark = mark | if layout.is_piece(cell) { PIECE_CELL } else { 0 };
                let at = (place.base - self.cells.start + (element + shift * place.stride) * 4) as usize;
                numbers[at..at + 4].copy_from_slice(&(cell.0 | mark).to_le_bytes());
            }
        }
        let mut tables = vec![
            (self.steps, steps),
            (self.steps_back, back),
            (self.zone_bytes, zone_bytes),
            (self.zone_words, zone_words),
            (self.relations, relations),
            (self.attributes, attributes),
            (self.attribute_flags, flags),
            (self.turns, turns),
            (self.labels, labels),
            (self.cell_numbers, numbers),
            (self.rays.base, self.rays.table(rules, self.words as usize)),
            (self.members, members()),
        ];
        // Rules that are alike have one table.
        let reach: BTreeMap<u32, RuleId> =
            self.reach.iter().rev().filter_map(|(rule, &base)| Some((base?, rule))).collect();
        tables.extend(reach.into_iter().map(|(base, rule)| (base, self.reach_table(rules, rule, &opposites))));
        tables.extend(self.key_tables(layout, rules.schedule.turns.len()));
        for (compass, base) in self.near.iter().filter_map(|(compass, &base)| Some((compass, base?))) {
            tables.push((base, self.near_table(rules, compass)));
        }
        for (field, base) in self.keys.iter().filter_map(|(field, &base)| Some((field, base?))) {
            let (place, values) = (self.fields[field], 0..=rules.fields[field].high);
            let mut bytes = vec![0; usize::from(place.per_site) * key_row_bytes(&rules.fields[field]) as usize];
            for element in 0..place.count {
                let cell = layout.cell(field, element as usize).expect("every element has a cell");
                bytes.extend(values.clone().flat_map(|value| dagaz_engine::contribution(cell, value).to_le_bytes()));
            }
            tables.push((base, bytes));
        }
        tables.retain(|(_, bytes)| !bytes.is_empty());
        tables
    }

    fn near_table(&self, rules: &Rules, compass: Compass) -> Vec<u8> {
        let mut bytes = Vec::new();
        for player in rules.players.values() {
            bytes.extend(std::iter::repeat_n(0, self.words as usize * 8));
            for site in rules.topology.sites() {
                let mut near = SiteSet::empty(self.sites as usize);
                let steps = rules.compasses[compass].iter().map(|&direction| player.seen(direction));
                steps.filter_map(|direction| rules.topology.step(direction, site)).for_each(|to| {
                    near.insert(to);
                });
                bytes.extend(set_bytes(&near, self.words as usize));
            }
        }
        bytes
    }

    fn reach_table(&self, rules: &Rules, rule: RuleId, opposites: &IdMap<Direction, Option<Direction>>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for player in rules.players.ids() {
            let mut targets = vec![SiteSet::empty(self.sites as usize); self.sites as usize];
            let mut reach = dagaz_ir::reach::Reach::new(rules, opposites);
            for (from, struck) in reach.strikes_from_all(rule, player).iter() {
                struck.iter().for_each(|target| targets[target.index()].insert(from));
            }
            bytes.extend(targets.iter().flat_map(|set| set_bytes(set, self.words as usize)));
        }
        bytes
    }
}

/// See [`Memory::members`].
fn members() -> Vec<u8> {
    let member = |number: usize, byte: u32| (0..8).filter(|bit| byte >> bit & 1 != 0).nth(number).unwrap_or(0);
    (0..8).flat_map(|number| (0..256).map(move |byte| member(number, byte))).collect()
}

/// Bytes of a row of the table of what a field's cells add to hashes: a number for each value from 0 on.
pub(crate) fn key_row_bytes(info: &FieldInfo) -> u64 {
    (i64::from(info.high) + 1).max(0) as u64 * 8
}

/// A set as it lies in memory.
pub(crate) fn set_bytes(set: &SiteSet, words: usize) -> Vec<u8> {
    let mut bits = vec![0_u8; words * 8];
    for site in set.iter() {
        bits[site.index() / 8] |= 1 << (site.index() % 8);
    }
    bits
}
