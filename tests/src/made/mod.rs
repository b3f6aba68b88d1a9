//! Lawful rules made of bytes, for executors to be compared on: in every corner of the representation, and most of them can
//! be played for a while.
//!
//! What they are is decided here as far as it is static; `program` makes what runs. Names matter to nobody here.

mod choices;
mod expression;
mod groups;
pub mod guarded;
mod jumping;
mod nest;
pub mod plain;
mod program;

use dagaz_base::{Id, IdMap};
use dagaz_board::{Direction, Site, SiteSet, Topology, Zone};
use dagaz_ir::{
    Compass, End, Field, FieldInfo, Filter, Invariant, Kind, KindInfo, Label, LabelInfo, MoveType, Pass, Placement,
    Player, PlayerInfo, Policy, Role, Rule, Rules, Schedule, Scope, Stages, Trigger, Turn, Type, Verdict, View,
    ZoneInfo,
};

use choices::Choices;
pub use choices::bytes;
pub use jumping::jumping;
use program::{Frame, Purpose};

/// Numbers of sites: one word of a set and its limits, some words, many words.
const SITES: [usize; 16] = [9, 16, 25, 4, 1, 12, 36, 63, 64, 65, 100, 128, 129, 200, 256, 300];

/// Rules of these bytes. The verifier accepts them.
pub fn rules(bytes: &[u8]) -> Rules {
    Maker { choices: Choices::new(bytes), tables: Tables::default(), frame: Frame::default() }.rules()
}

/// Makes rules.
struct Maker<'b> {
    choices: Choices<'b>,
    tables: Tables,
    frame: Frame,
}

/// What programs can speak of.
#[derive(Default)]
struct Tables {
    topology: Topology,
    players: IdMap<Player, PlayerInfo>,
    zones: IdMap<Zone, ZoneInfo>,
    kinds: IdMap<Kind, KindInfo>,
    fields: IdMap<Field, FieldInfo>,
    move_types: IdMap<MoveType, String>,
    compasses: IdMap<Compass, Vec<Direction>>,
    labels: IdMap<Label, LabelInfo>,
}

impl Maker<'_> {
    fn rules(mut self) -> Rules {
        self.topology();
        self.players();
        self.tables.move_types = (0..self.choices.below(4)).map(|index| format!("type {index}")).collect();
        let kinds = self.choices.count(1, 3);
        let turns = self.choices.pick(&[2, 2, 1, 3, 4]);
        self.fields(kinds, turns);
        self.kinds(kinds);
        self.zones();
        self.tables.compasses = (0..self.choices.below(3)).map(|_| self.compass()).collect();
        let schedule = self.schedule(turns);
        let setup = self.setup();
        let mut policy = self.policy();
        // Now and then nothing but the rules themselves says what is legal, and they make many choices.
        let nested = self.choices.one_in(6);
        let mut rules: IdMap<_, Rule>;
        let (mut invariants, mut stages): (Vec<Invariant>, _);
        if nested {
            policy.filters.clear();
            rules = (0..self.choices.count(1, 2)).map(|_| self.nest_rule()).collect();
            (invariants, stages) = (Vec::new(), Stages::default());
        } else {
            rules = (0..self.choices.count(1, 5)).map(|_| self.rule()).collect();
            let count = self.choices.pick(&[0, 0, 0, 1, 2]);
            invariants = (0..count).map(|index| self.invariant(index)).collect();
            stages = Stages {
                before_move: self.stage(Purpose::Stage, 4),
                before_step: self.stage(Purpose::Stage, 6),
                after_step: self.stage(Purpose::Stage, 4),
                after_move: self.stage(Purpose::AfterMove, 3),
            };
        }
        let mut ends: Vec<End> = (0..self.choices.below(4)).map(|index| self.end(index)).collect();
        if let Some(groups) = self.groups() {
            if groups.alone {
                (rules, invariants, stages) = (IdMap::new(), Vec::new(), Stages::default());
            }
            rules.push(groups.rule);
            ends.extend(groups.end);
        }
        let Tables { topology, players, zones, kinds, fields, move_types, compasses, .. } = self.tables;
        Rules {
            concealments: Vec::new(),
            name: "made".into(),
            topology,
            players,
            zones,
            kinds,
            fields,
            move_types,
            compasses,
            setup,
            schedule,
            rules,
            policy,
            invariants,
            stages,
            ends,
        }
    }

    /// A grid with four directions, the first two of which undo each other; a ring; and some links without an order.
    fn topology(&mut self) {
        let mut topology = Topology::new();
        let sites = self.choices.pick(&SITES);
        let width = self.choices.pick(&[3, 4, 5, 8, 1, 10, 16]).min(sites);
        let ids: Vec<Site> = (0..sites).map(|index| topology.add_site(format!("s{index}"), None)).collect();
        for (name, by) in [("n", width), ("s", width), ("e", 1), ("w", 1)] {
            let direction = topology.add_direction(name);
            for low in 0..sites.saturating_sub(by) {
                let (a, b) = if matches!(name, "n" | "e") { (low, low + by) } else { (low + by, low) };
                if by == width || low % width + 1 < width {
                    topology.link(direction, ids[a], Some(ids[b]));
                }
            }
        }
        if self.choices.one_in(3) {
            let ring = topology.add_direction("ring");
            (0..sites).for_each(|index| topology.link(ring, ids[index], Some(ids[(index + 1) % sites])));
        }
        if self.choices.one_in(3) {
            let odd = topology.add_direction("odd");
            for _ in 0..self.choices.below(12) {
                let (from, to) = (self.choices.id(sites), self.choices.id(sites));
                topology.link(odd, from, Some(to));
            }
        }
        self.tables.topology = topology;
    }

    fn players(&mut self) {
        let count = self.choices.pick(&[2, 2, 3, 1, 4, 6]);
        let directions = self.tables.topology.directions().len();
        for index in 0..count {
            let me = Player::from_index(index);
            let (mut friends, mut enemies) = (vec![me], Vec::new());
            for other in (0..count).filter(|&other| other != index).map(Player::from_index) {
                match self.choices.below(4) {
                    0 | 1 => enemies.push(other),
                    2 => friends.push(other),
                    _ => {}
                }
            }
            let turned = if index == 0 { 0 } else { self.choices.below(3) };
            let seen = |this: &mut Self, direction: usize| match turned {
                0 => Direction::from_index(direction),
                1 if direction < 4 => Direction::from_index(direction ^ 1),
                1 => Direction::from_index(direction),
                _ => this.choices.id(directions),
            };
            let role = if index == 0 { Role::Person } else { self.choices.pick(&ROLES) };
            let directions = (0..directions).map(|direction| seen(self, direction)).collect();
            self.tables.players.push(PlayerInfo { name: format!("p{index}"), role, directions, friends, enemies });
        }
    }

    fn fields(&mut self, kinds: usize, turns: usize) {
        let (sites, players) = (self.tables.topology.site_count() as i32, self.tables.players.len());
        let mut fields = vec![
            field("owner", Scope::Piece, players as i32),
            field("kind", Scope::Piece, kinds as i32),
            field("turn", Scope::Global, turns as i32 - 1),
            field("chain", Scope::Global, sites),
            field("chain-type", Scope::Global, self.tables.move_types.len() as i32),
        ];
        let optional = [
            field("hand", Scope::Hand, self.choices.pick(&[3, 99, i32::MAX])),
            FieldInfo { memory: true, ..field("last-from", Scope::Global, sites) },
            FieldInfo { memory: true, ..field("last-to", Scope::Global, sites) },
            field("next-turn", Scope::Global, turns as i32),
            field("stack", Scope::Stack(self.choices.count(1, 3) as u32), (players * kinds) as i32),
        ];
        fields.extend(optional.into_iter().filter(|_| self.choices.one_in(2)));
        let scopes = [Scope::Piece, Scope::Site, Scope::Player, Scope::Global, Scope::Array(3), Scope::Piece];
        for (index, scope) in scopes.into_iter().enumerate() {
            if !self.choices.one_in(2) {
                continue;
            }
            let (low, high) = (-(self.choices.below(3) as i32), self.choices.pick(&[1, 2, 9, i32::MAX]));
            let initial = if scope == Scope::Piece { 0 } else { low + self.choices.below(2) as i32 };
            let (transient, memory) = (self.choices.one_in(4), self.choices.one_in(4));
            let place = self.choices.below(fields.len() + 1);
            let info = FieldInfo { low, initial, transient, memory, ..field(&format!("f{index}"), scope, high) };
            fields.insert(place, info);
        }
        self.tables.fields = fields.into_iter().collect();
    }

    fn kinds(&mut self, count: usize) {
        for index in 0..count {
            let mut attributes = Vec::new();
            for (field, info) in self.tables.fields.iter() {
                if info.scope == Scope::Piece && info.name.starts_with('f') && self.choices.one_in(2) {
                    attributes.push((field, info.low.saturating_add(self.choices.below(2) as i32)));
                }
            }
            self.tables.kinds.push(KindInfo { name: format!("k{index}"), attributes });
        }
    }

    fn zones(&mut self) {
        let (sites, players) = (self.tables.topology.site_count(), self.tables.players.len());
        for index in 0..self.choices.below(3) {
            let sets = (0..players).map(|_| {
                let (mut set, shift) = (SiteSet::empty(sites), self.choices.below(5));
                (0..sites).filter(|site| (site + shift) % 3 == 0).for_each(|site| set.insert(Site::from_index(site)));
                set.remove(self.choices.id(sites));
                set
            });
            let sites = sets.collect();
            self.tables.zones.push(ZoneInfo { name: format!("z{index}"), sites });
        }
    }

    fn compass(&mut self) -> Vec<Direction> {
        let directions = self.tables.topology.directions().len();
        (0..self.choices.below(5)).map(|_| self.choices.id(directions)).collect()
    }

    fn schedule(&mut self, count: usize) -> Schedule {
        let players = self.tables.players.iter();
        let movers: Vec<Player> =
            players.filter(|(_, info)| info.role != Role::Neutral).map(|(player, _)| player).collect();
        let turns = (0..count).map(|index| {
            let player = movers[index % movers.len()];
            let owner = if self.choices.one_in(6) { self.choices.id(self.tables.players.len()) } else { player };
            let move_type = if self.choices.one_in(6) { self.move_type() } else { None };
            let next = if self.choices.one_in(6) { self.choices.below(count) } else { (index + 1) % count };
            Turn { player, owner, move_type, next }
        });
        let turns = turns.collect();
        self.tables.labels = (0..self.choices.below(3))
            .map(|index| LabelInfo {
                name: format!("l{index}"),
                targets: (0..count).map(|_| self.choices.below(count)).collect(),
            })
            .collect();
        Schedule { turns, labels: self.tables.labels.clone() }
    }

    fn setup(&mut self) -> Vec<Placement> {
        let (sites, kinds) = (self.tables.topology.site_count(), self.tables.kinds.len());
        let players = self.tables.players.len();
        let mut setup: Vec<Placement> = (0..self.choices.count(4, 14))
            .map(|index| {
                let player = Player::from_index(index % players);
                Placement::Piece(player, self.choices.id(kinds), self.choices.id(sites))
            })
            .collect();
        let fields: Vec<_> = self.tables.fields.iter().map(|(field, info)| (field, info.clone())).collect();
        for (field, info) in fields {
            let made = info.name.starts_with('f');
            match info.scope {
                Scope::Hand => setup.extend((0..self.choices.below(5)).map(|_| {
                    let (player, kind) = (self.choices.id(players), self.choices.id(kinds));
                    Placement::Hand(player, kind, self.choices.below(4) as i32)
                })),
                Scope::Site | Scope::Player | Scope::Global | Scope::Array(_) if made => {
                    setup.extend(self.choices.one_in(2).then_some(Placement::Cell(field, 0, info.low)));
                }
                _ => {}
            }
        }
        setup
    }

    fn move_type(&mut self) -> Option<MoveType> {
        let count = self.tables.move_types.len();
        (count > 0 && self.choices.one_in(2)).then(|| self.choices.id(count))
    }

    fn policy(&mut self) -> Policy {
        let filters = (0..self.choices.pick(&[0, 0, 0, 1, 2])).map(|_| match self.choices.below(3) {
            0 => Filter::Priority((0..3).filter_map(|_| self.move_type()).collect()),
            1 => Filter::MostCaptured,
            _ => {
                let kinds = self.tables.kinds.len();
                let worth = |choices: &mut Choices| choices.pick(&[1, 5, -2, i32::MAX, i32::MIN]);
                Filter::MostValuable((0..2).map(|_| (self.choices.id(kinds), worth(&mut self.choices))).collect())
            }
        });
        let filters = filters.collect();
        let has_hand = self.tables.fields.values().any(|field| field.scope == Scope::Hand);
        Policy {
            filters,
            pass: self.choices.pick(&[Pass::Never, Pass::Forced, Pass::Always]),
            chain_may_stop: self.choices.one_in(2),
            no_null_moves: self.choices.one_in(2),
            recycle_captures: has_hand && self.choices.one_in(2),
        }
    }

    fn rule(&mut self) -> Rule {
        let has_hand = self.tables.fields.values().any(|field| field.scope == Scope::Hand);
        let trigger = match self.choices.below(8) {
            5 => Trigger::AnyPiece,
            6 if has_hand => Trigger::Drop,
            7 => Trigger::Turn,
            _ => Trigger::Piece,
        };
        self.frame = Frame::of(Purpose::Rule);
        let kind = Some(self.choices.id(self.tables.kinds.len()));
        Rule {
            name: "rule".into(),
            arguments: Vec::new(),
            kind: kind.filter(|_| trigger != Trigger::Turn || self.choices.one_in(2)),
            trigger,
            move_type: self.move_type(),
            view: self.choices.pick(&[View::Before, View::Tentative]),
            locals: self.frame.locals.clone(),
            body: self.rule_body(trigger),
            then: self.stage(Purpose::Stage, 4),
            origin: None,
        }
    }

    fn invariant(&mut self, index: usize) -> Invariant {
        let condition = self.function(Type::Bool, Purpose::Invariant);
        Invariant { name: format!("invariant {index}"), condition, origin: None }
    }

    fn end(&mut self, index: usize) -> End {
        let players = self.tables.players.len();
        End {
            name: format!("end {index}"),
            players: (0..self.choices.count(1, 3)).map(|_| self.choices.id(players)).collect(),
            result: match self.choices.below(5) {
                0 => Verdict::Win,
                1 => Verdict::Loss,
                2 => Verdict::Draw,
                3 => Verdict::Count,
                _ => Verdict::Score(Box::new(self.function(Type::Int, Purpose::End))),
            },
            condition: self.function(Type::Bool, Purpose::End),
            origin: None,
        }
    }
}

/// Most players are persons.
const ROLES: [Role; 5] = [Role::Person, Role::Person, Role::Person, Role::Random, Role::Neutral];

fn field(name: &str, scope: Scope, high: i32) -> FieldInfo {
    FieldInfo { name: name.into(), scope, low: 0, high, initial: 0, transient: false, memory: false }
}
