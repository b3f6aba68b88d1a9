//! Laws of what is static: tables, set-up, schedule and policy.

use dagaz_base::Id;
use dagaz_board::{Direction, Site, SiteSet};

use super::{Checker, Law, Part};
use crate::limits;
use crate::rules::{
    Field, FieldInfo, Filter, Kind, KindInfo, Placement, PlayerInfo, Role, Rules, Scope, Trigger, ZoneInfo,
};

/// A field that executors use, as the verifier wants it.
struct KnownField {
    name: &'static str,
    scope: Scope,
    memory: bool,
    required: bool,
    /// The greatest value with a meaning; the least is 0.
    high: Option<fn(&Rules) -> usize>,
}

const KNOWN_FIELDS: [KnownField; 9] = [
    known("owner", Scope::Piece, Some(|rules| rules.players.len())),
    known("kind", Scope::Piece, Some(|rules| rules.kinds.len())),
    known("turn", Scope::Global, Some(|rules| rules.schedule.turns.len().saturating_sub(1))),
    known("chain", Scope::Global, Some(|rules| rules.topology.site_count())),
    known("chain-type", Scope::Global, Some(|rules| rules.move_types.len())),
    KnownField { required: false, ..known("hand", Scope::Hand, None) },
    KnownField {
        required: false,
        memory: true,
        ..known("last-from", Scope::Global, Some(|rules| rules.topology.site_count()))
    },
    KnownField {
        required: false,
        memory: true,
        ..known("last-to", Scope::Global, Some(|rules| rules.topology.site_count()))
    },
    KnownField { required: false, ..known("next-turn", Scope::Global, Some(|rules| rules.schedule.turns.len())) },
];

const fn known(name: &'static str, scope: Scope, high: Option<fn(&Rules) -> usize>) -> KnownField {
    KnownField { name, scope, memory: false, required: true, high }
}

impl<'r> Checker<'r> {
    pub(super) fn tables(&mut self) {
        let rules = self.rules;
        self.sizes();
        self.links();
        for (player, info) in rules.players.iter() {
            self.at(Part::Thing("player", player.index(), &info.name), |this| this.player(info));
        }
        for (zone, info) in rules.zones.iter() {
            self.at(Part::Thing("zone", zone.index(), &info.name), |this| this.zone(info));
        }
        for (kind, info) in rules.kinds.iter() {
            self.at(Part::Thing("kind", kind.index(), &info.name), |this| this.kind(info));
        }
        for (field, info) in rules.fields.iter() {
            self.at(Part::Thing("field", field.index(), &info.name), |this| this.field(info));
        }
        for known in &KNOWN_FIELDS {
            self.known_field(known);
        }
        self.stack();
        for (compass, list) in rules.compasses.iter() {
            self.at(Part::Thing("compass", compass.index(), ""), |this| {
                list.iter().for_each(|&direction| this.check_direction(direction));
            });
        }
        self.setup();
        self.at(Part::Word("schedule"), Self::schedule);
        self.at(Part::Word("policy"), Self::policy);
    }

    /// The first field of a name, as [`Known`](crate::Known) finds it.
    pub(super) fn field_named(&self, name: &str) -> Option<Field> {
        self.rules.fields.position(|field| field.name == name)
    }

    /// Whether it is one of the two fields that make a piece a piece.
    pub(super) fn is_identity(&self, field: Field) -> bool {
        ["owner", "kind"].iter().any(|name| self.field_named(name) == Some(field))
    }

    fn sizes(&mut self) {
        let rules = self.rules;
        let (sites, players) = (rules.topology.site_count(), rules.players.len());
        for (what, count) in [("player", players), ("site", sites), ("turn", rules.schedule.turns.len())] {
            self.require(Law::NotEmpty, count > 0, || format!("there is no {what}"));
        }
        let links = rules.topology.directions().len().saturating_mul(sites.saturating_add(players));
        let bits = limits::zone_bits(sites).saturating_mul(players).saturating_mul(rules.zones.len());
        let cells = rules.fields.ids().fold(0_u64, |sum, field| sum.saturating_add(self.cell_count(field)));
        for (what, size, limit) in [
            ("sites", sites as u64, limits::SITES as u64),
            ("links", links as u64, limits::LINKS as u64),
            ("bits of zones", bits as u64, limits::ZONE_BITS as u64),
            ("cells", cells, limits::CELLS),
        ] {
            self.require(Law::Size, size <= limit, || format!("{size} {what} are more than {limit}"));
        }
    }

    fn cell_count(&self, field: Field) -> u64 {
        let rules = self.rules;
        let (sites, players) = (rules.topology.site_count() as u64, rules.players.len() as u64);
        match rules.fields[field].scope {
            Scope::Piece | Scope::Site => sites,
            Scope::Player => players,
            Scope::Hand => players.saturating_mul(rules.kinds.len() as u64),
            Scope::Global => 1,
            Scope::Array(count) => u64::from(count),
            Scope::Stack(depth) => sites.saturating_mul(u64::from(depth)),
        }
    }

    fn links(&mut self) {
        let topology = &self.rules.topology;
        let count = topology.site_count();
        for direction in topology.directions() {
            self.at(Part::Thing("direction", direction.index(), topology.direction_name(direction)), |this| {
                for from in topology.sites() {
                    let Some(to) = topology.step(direction, from) else { continue };
                    let on_board = to.index() < count;
                    this.require(Law::Links, on_board, || {
                        format!("{from:?} leads to {to:?}, which is not on the board")
                    });
                }
            });
        }
    }

    fn player(&mut self, player: &'r PlayerInfo) {
        let rules = self.rules;
        let (given, wanted) = (player.directions.len(), rules.topology.directions().len());
        self.require(Law::Directions, given == wanted, || format!("{given} directions of {wanted} are given"));
        player.directions.values().for_each(|&direction| self.check_direction(direction));
        for &other in player.friends.iter().chain(&player.enemies) {
            self.check_id(&rules.players, other);
        }
        let both = player.friends.iter().find(|friend| player.enemies.contains(friend));
        self.require(Law::Friends, both.is_none(), || format!("{both:?} is both friend and enemy"));
        let alone = player.role == Role::Neutral
            || player
                .friends
                .iter()
                .any(|&id| rules.players.get(id).is_some_and(|friend| std::ptr::eq(friend, player)));
        self.require(Law::Friends, alone, || "he is not among his own friends".to_owned());
    }

    fn zone(&mut self, zone: &'r ZoneInfo) {
        let sites = self.rules.topology.site_count();
        let (given, wanted) = (zone.sites.len(), self.rules.players.len());
        self.require(Law::Zones, given == wanted, || format!("{given} sets are given for {wanted} players"));
        for (player, set) in zone.sites.iter() {
            // Equal sets have equal sizes, and this one has the right size and no site beyond the board.
            let mut right = SiteSet::empty(sites);
            for site in set.iter().filter(|site| site.index() < sites) {
                right.insert(site);
            }
            self.require(Law::Zones, *set == right, || format!("the set of {player:?} is not of {sites} sites"));
        }
    }

    fn kind(&mut self, kind: &'r KindInfo) {
        for (index, &(field, value)) in kind.attributes.iter().enumerate() {
            let Some(info) = self.get(&self.rules.fields, field) else { continue };
            let proper = info.scope == Scope::Piece && !self.is_identity(field);
            self.require(Law::Attributes, proper, || format!("`{}` is no attribute of pieces", info.name));
            let twice = kind.attributes[..index].iter().any(|&(other, _)| other == field);
            self.require(Law::Attributes, !twice, || format!("`{}` is given twice", info.name));
            self.in_range(Law::Attributes, info, value);
        }
    }

    fn field(&mut self, field: &'r FieldInfo) {
        self.in_range(Law::Ranges, field, field.initial);
        if matches!(field.scope, Scope::Piece | Scope::Stack(_)) {
            self.in_range(Law::Ranges, field, 0);
            self.require(Law::Ranges, field.initial == 0, || format!("it starts as {}, not 0", field.initial));
        }
    }

    fn in_range(&mut self, law: Law, field: &FieldInfo, value: i32) {
        let FieldInfo { name, low, high, .. } = field;
        self.require(law, (*low..=*high).contains(&value), || {
            format!("{value} is not in the range {low} to {high} of `{name}`")
        });
    }

    fn known_field(&mut self, known: &KnownField) {
        let rules = self.rules;
        let Some(field) = self.field_named(known.name) else {
            return self.require(Law::KnownFields, !known.required, || format!("there is no field `{}`", known.name));
        };
        let info = &rules.fields[field];
        self.at(Part::Thing("field", field.index(), &info.name), |this| {
            let (scope, memory) = (known.scope, known.memory);
            this.require(Law::KnownFields, info.scope == scope, || {
                format!("its scope is {:?}, not {scope:?}", info.scope)
            });
            this.require(Law::KnownFields, info.memory == memory, || {
                format!("it must {}be a memory", if memory { "" } else { "not " })
            });
            let high = known.high.map_or(i64::from(info.high), |high| high(rules) as i64);
            let exact = info.low == 0 && i64::from(info.high) == high;
            this.require(Law::KnownFields, exact, || {
                format!("it goes from {} to {}, not 0 to {high}", info.low, info.high)
            });
        });
    }

    /// Stacks have a field of their own, and it is the only one of its scope.
    fn stack(&mut self) {
        let rules = self.rules;
        for (field, info) in rules.fields.iter() {
            let is_stack = matches!(info.scope, Scope::Stack(_));
            if !is_stack && info.name != "stack" {
                continue;
            }
            self.at(Part::Thing("field", field.index(), &info.name), |this| {
                let first = this.field_named("stack") == Some(field);
                let high = (rules.players.len() * rules.kinds.len()) as i64;
                let proper = is_stack && first && info.low == 0 && i64::from(info.high) == high && !info.memory;
                this.require(Law::KnownFields, proper, || {
                    format!("stacks are one field `stack` from 0 to {high}, with a scope of its own, and no memory")
                });
            });
        }
    }

    pub(super) fn check_direction(&mut self, direction: Direction) {
        let count = self.rules.topology.directions().len();
        self.require(Law::Ids, direction.index() < count, || format!("there is no {direction:?} among {count}"));
    }

    /// Something that needs a field is there: it must be there too.
    pub(super) fn need_field(&mut self, name: &str, what: &str) {
        let there = self.field_named(name).is_some();
        self.require(Law::KnownFields, there, || format!("{what} needs a field `{name}`"));
    }

    /// Something that needs hands is there: they must be there too.
    pub(super) fn need_hand(&mut self, what: &str) {
        self.need_field("hand", what);
    }

    fn setup(&mut self) {
        let rules = self.rules;
        let mut kinds: Vec<Option<Kind>> = vec![None; rules.topology.site_count()];
        for (index, &placement) in rules.setup.iter().enumerate() {
            self.place.extend([Part::Word("setup"), Part::Index(index)]);
            match placement {
                Placement::Piece(player, kind, site) => {
                    self.check_id(&rules.players, player);
                    self.check_id(&rules.kinds, kind);
                    self.check_site(site);
                    if let Some(place) = kinds.get_mut(site.index()) {
                        *place = Some(kind);
                    }
                }
                Placement::Hand(player, kind, count) => {
                    self.check_id(&rules.players, player);
                    self.check_id(&rules.kinds, kind);
                    self.need_hand("a piece in hand");
                    if let Some(hand) = self.field_named("hand") {
                        self.in_range(Law::Placements, &rules.fields[hand], count);
                    }
                }
                Placement::Cell(field, index, value) => self.cell(field, index, value, &kinds),
            }
            self.place.truncate(self.place.len() - 2);
        }
    }

    fn cell(&mut self, field: Field, index: u32, value: i32, kinds: &[Option<Kind>]) {
        let rules = self.rules;
        let Some(info) = self.get(&rules.fields, field) else { return };
        let count = self.cell_count(field);
        self.require(Law::Placements, u64::from(index) < count, || {
            format!("`{}` has {count} cells, not {index}", info.name)
        });
        self.in_range(Law::Placements, info, value);
        self.require(Law::Placements, !self.is_identity(field), || format!("`{}` comes with a piece", info.name));
        if info.scope == Scope::Piece && !self.is_identity(field) {
            let kind = kinds.get(index as usize).copied().flatten().and_then(|kind| rules.kinds.get(kind));
            let carried = kind.is_some_and(|kind| kind.attributes.iter().any(|&(attribute, _)| attribute == field));
            self.require(Law::Placements, carried, || format!("no piece that has `{}` was placed there", info.name));
        }
    }

    fn schedule(&mut self) {
        let rules = self.rules;
        let schedule = &rules.schedule;
        let count = schedule.turns.len();
        for (label, info) in schedule.labels.iter() {
            self.at(Part::Thing("label", label.index(), &info.name), |this| {
                let proper = info.targets.len() == count && info.targets.iter().all(|&target| target < count);
                this.require(Law::Turns, proper, || {
                    format!("it does not lead from each of {count} turns to one of them")
                });
            });
        }
        for (index, turn) in schedule.turns.iter().enumerate() {
            self.at(Part::Index(index), |this| {
                let player = this.get(&rules.players, turn.player);
                let moves = player.is_none_or(|player| player.role != Role::Neutral);
                this.require(Law::Turns, moves, || format!("{:?} is neutral", turn.player));
                this.check_id(&rules.players, turn.owner);
                this.check_type(turn.move_type);
                this.require(Law::Turns, turn.next < count, || format!("turn {} of {count} follows it", turn.next));
            });
        }
    }

    fn policy(&mut self) {
        let rules = self.rules;
        if rules.policy.recycle_captures {
            self.need_hand("recycling");
        }
        for filter in &rules.policy.filters {
            match filter {
                Filter::Priority(types) => types.iter().for_each(|&move_type| self.check_type(Some(move_type))),
                Filter::MostCaptured => {}
                Filter::MostValuable(values) => values.iter().for_each(|&(kind, _)| self.check_id(&rules.kinds, kind)),
            }
        }
    }

    pub(super) fn check_type(&mut self, move_type: Option<crate::MoveType>) {
        if let Some(move_type) = move_type {
            self.check_id(&self.rules.move_types, move_type);
        }
    }

    pub(super) fn check_site(&mut self, site: Site) {
        let count = self.rules.topology.site_count();
        self.require(Law::Ids, site.index() < count, || format!("there is no {site:?} among {count}"));
    }

    /// What the head of a rule says.
    pub(super) fn rule_head(&mut self, rule: &'r crate::Rule) {
        if let Some(kind) = rule.kind {
            self.check_id(&self.rules.kinds, kind);
        }
        let proper = rule.kind.is_some() || rule.trigger == Trigger::Turn;
        self.require(Law::Kinds, proper, || "it is for pieces, and names no kind".to_owned());
        self.check_type(rule.move_type);
        if rule.trigger == Trigger::Drop {
            self.need_hand("a drop");
        }
    }
}
