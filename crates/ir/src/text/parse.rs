//! Text into rules. Accepts what [`print`](super::print()) writes and what people write in its manner.
//!
//! What is parsed is well formed, not yet lawful: ask [`verify`](crate::verify::verify()) before running it.

mod programs;

use std::collections::BTreeMap;

use dagaz_base::{ExpansionId, FileId, Id, IdMap, Origin, Span};
use dagaz_board::{Area, Direction, Site, SiteSet, Topology, Zone};

use super::items::{Items, Result, Table, name, number, word};
use super::read::{Tree, Wrong, found, read};
use super::words::ANY;
use crate::code::Program;
use crate::limits;
use crate::rules::{
    Compass, Concealment, End, Field, FieldInfo, Filter, Invariant, Kind, KindInfo, Label, LabelInfo, MoveType, Pass,
    Placement, Player, PlayerInfo, Policy, Role, Rule, Rules, Schedule, Scope, Stages, Trigger, Turn, Verdict, View,
    ZoneInfo,
};

/// Why a text is not rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: expected {expected}, found {found}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What would be right there.
    pub expected: String,
    /// The word that stands there.
    pub found: String,
}

/// Reads rules from their text form. Never panics, whatever the text.
pub fn parse(text: &str) -> Result<Rules, ParseError> {
    read(text).and_then(|tree| rules(&tree)).map_err(|Wrong { at, expected }| {
        let before = text.get(..at).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |line_break| line_break + 1);
        ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            expected,
            found: found(text, at),
        }
    })
}

/// What the list `(rules …)` holds, sorted by the heads of its items.
struct Forms<'p> {
    forms: BTreeMap<&'static str, Vec<Items<'p>>>,
    end: usize,
}

const HEADS: [&str; 20] = [
    "sites",
    "direction",
    "player",
    "zone",
    "kind",
    "field",
    "move-types",
    "compass",
    "setup",
    "schedule",
    "policy",
    "rule",
    "invariant",
    "before-move",
    "before-step",
    "after-step",
    "after-move",
    "end",
    "conceal",
    "origins",
];

impl<'p> Forms<'p> {
    fn of(items: &mut Items<'p>) -> Result<Self> {
        let mut forms: BTreeMap<_, Vec<_>> = BTreeMap::new();
        while !items.rest.is_empty() {
            let at = items.at();
            let found = HEADS.iter().find_map(|&head| Some((head, items.clause(head)?)));
            let (head, form) = found.ok_or_else(|| Wrong::new(at, format!("one of {}", HEADS.join(", "))))?;
            forms.entry(head).or_default().push(form);
        }
        Ok(Self { forms, end: items.end })
    }

    fn all(&self, head: &str) -> impl Iterator<Item = Items<'p>> + '_ {
        self.forms.get(head).into_iter().flatten().copied()
    }

    /// The only form of this head, if there is one.
    fn one(&self, head: &str) -> Result<Option<Items<'p>>> {
        let mut forms = self.all(head);
        let first = forms.next();
        forms.next().map_or(Ok(first), |second| Err(Wrong::new(second.at(), format!("a single `({head} …)`"))))
    }

    fn need(&self, head: &str) -> Result<Items<'p>> {
        self.one(head)?.ok_or_else(|| Wrong::new(self.end, format!("`({head} …)`")))
    }

    /// The names of the things that the forms of this head define.
    fn names<I: Id>(&self, head: &str, what: &'static str) -> Result<Table<I>> {
        let names = self.all(head).map(|mut items| items.name());
        Ok(Table::new(what, names.collect::<Result<Vec<_>>>()?))
    }
}

fn rules(tree: &Tree<'_>) -> Result<Rules> {
    let mut items = Items::of(tree, "`(rules …)`")?;
    let head = items.next("`rules`")?;
    if word(head) != Some("rules") {
        return Err(Wrong::new(head.at, "`rules`"));
    }
    let name = items.name()?;
    let forms = Forms::of(&mut items)?;
    let (topology, sites) = site_table(forms.need("sites")?)?;
    let move_types: IdMap<MoveType, String> =
        forms.one("move-types")?.map_or(Ok(IdMap::new()), |mut items| items.each(self::name))?;
    let parser = Parser {
        site_count: topology.site_count(),
        sites,
        directions: forms.names("direction", "a direction")?,
        zones: forms.names("zone", "a zone")?,
        kinds: forms.names("kind", "a kind")?,
        players: forms.names("player", "a player")?,
        fields: forms.names("field", "a field")?,
        move_types: Table::new("a move type", move_types.values().cloned()),
        compasses: Table::new("a compass", std::iter::empty()),
        labels: label_table(forms.one("schedule")?)?,
        origins: forms.one("origins")?.map_or(Ok(Vec::new()), |mut items| items.each(origin))?,
    };
    Ok(Rules {
        name,
        topology: parser.topology(topology, &forms)?,
        players: forms.all("player").map(|items| parser.player(items)).collect::<Result<_>>()?,
        zones: parser.zone_table(&forms)?,
        kinds: forms.all("kind").map(|items| parser.kind(items)).collect::<Result<_>>()?,
        fields: forms.all("field").map(field).collect::<Result<_>>()?,
        move_types,
        compasses: forms.all("compass").map(|mut items| parser.directions.each(&mut items)).collect::<Result<_>>()?,
        setup: parser.setup(forms.one("setup")?)?,
        schedule: parser.schedule(forms.need("schedule")?)?,
        rules: forms.all("rule").map(|items| parser.rule(items)).collect::<Result<_>>()?,
        policy: parser.policy(forms.need("policy")?)?,
        invariants: forms.all("invariant").map(|items| parser.invariant(items)).collect::<Result<_>>()?,
        stages: Stages {
            before_move: parser.stage(&forms, "before-move")?,
            before_step: parser.stage(&forms, "before-step")?,
            after_step: parser.stage(&forms, "after-step")?,
            after_move: parser.stage(&forms, "after-move")?,
        },
        ends: forms.all("end").map(|items| parser.end(items)).collect::<Result<_>>()?,
        concealments: forms.all("conceal").map(|items| parser.concealment(items)).collect::<Result<_>>()?,
    })
}

fn site_table(mut items: Items<'_>) -> Result<(Topology, Table<Site>)> {
    if items.rest.len() > limits::SITES {
        return Err(Wrong::new(items.at(), format!("no more than {} sites", limits::SITES)));
    }
    let mut topology = Topology::new();
    let names: Vec<String> = items.each(|tree| {
        let (text, area) = match Items::of(tree, "a site") {
            Err(_) => (name(tree)?, None),
            Ok(mut items) => {
                let text = items.name()?;
                let (left, top) = (items.number()?, items.number()?);
                let area = Area { left, top, right: items.number()?, bottom: items.number()? };
                items.finish()?;
                (text, Some(area))
            }
        };
        topology.add_site(text.clone(), area);
        Ok(text)
    })?;
    Ok((topology, Table::new("a site", names)))
}

/// `(file start end expansion)`, the last only for what came out of a macro.
fn origin(tree: &Tree<'_>) -> Result<Origin> {
    let mut items = Items::of(tree, "`(file start end)`")?;
    let file = FileId::from_index(items.number::<u32>()? as usize);
    let span = Span { file, start: items.number()?, end: items.number()? };
    let expansion = match items.rest {
        [] => None,
        _ => Some(ExpansionId::from_index(items.number::<u32>()? as usize)),
    };
    items.finish().map(|()| Origin { span, expansion })
}

/// The names of the labels in a schedule.
fn label_table(items: Option<Items<'_>>) -> Result<Table<Label>> {
    let mut items = items.unwrap_or(Items { rest: &[], end: 0 });
    while items.clause("turn").is_some() {}
    let mut names = Vec::new();
    while let Some(mut label) = items.clause("label") {
        names.push(label.name()?);
    }
    Ok(Table::new("a label", names))
}

/// A number of cells.
fn cell_count(mut items: Items<'_>) -> Result<u32> {
    let (at, count) = (items.at(), items.number()?);
    items.finish()?;
    if u64::from(count) > limits::CELLS {
        return Err(Wrong::new(at, format!("no more than {} cells", limits::CELLS)));
    }
    Ok(count)
}

fn field(mut items: Items<'_>) -> Result<FieldInfo> {
    let name = items.name()?;
    let scope = match (items.clause("array"), items.clause("stack")) {
        (Some(items), _) => Scope::Array(cell_count(items)?),
        (None, Some(items)) => Scope::Stack(cell_count(items)?),
        (None, None) => {
            let expected = "`piece`, `site`, `player`, `hand`, `global`, `(array …)` or `(stack …)`";
            let tree = items.next(expected)?;
            match word(tree) {
                Some("piece") => Scope::Piece,
                Some("site") => Scope::Site,
                Some("player") => Scope::Player,
                Some("hand") => Scope::Hand,
                Some("global") => Scope::Global,
                _ => return Err(Wrong::new(tree.at, expected)),
            }
        }
    };
    let mut range = items.need_clause("range")?;
    let (low, high) = (range.number()?, range.number()?);
    range.finish()?;
    let mut start = items.need_clause("initial")?;
    let initial = start.number()?;
    start.finish()?;
    let transient = items.flag("transient");
    let memory = items.flag("memory");
    items.finish()?;
    Ok(FieldInfo { name, scope, low, high, initial, transient, memory })
}

/// Turns forms into rules, once all names are known.
struct Parser {
    site_count: usize,
    sites: Table<Site>,
    directions: Table<Direction>,
    zones: Table<Zone>,
    kinds: Table<Kind>,
    players: Table<Player>,
    fields: Table<Field>,
    move_types: Table<MoveType>,
    compasses: Table<Compass>,
    labels: Table<Label>,
    origins: Vec<Origin>,
}

impl Parser {
    fn topology(&self, mut topology: Topology, forms: &Forms<'_>) -> Result<Topology> {
        for mut items in forms.all("direction") {
            let at = items.at();
            let direction = topology.add_direction(items.name()?);
            let room = (direction.index() + 1).saturating_mul(self.site_count.saturating_add(self.players.len));
            if room > limits::LINKS {
                return Err(Wrong::new(at, format!("room for no more than {} links", limits::LINKS)));
            }
            items.each::<(), ()>(|line| {
                let mut line = Items::of(line, "a list of sites")?;
                let mut from = self.sites.next(&mut line)?;
                while !line.rest.is_empty() {
                    let at = line.at();
                    let to = self.sites.next(&mut line)?;
                    if from.index() >= self.site_count || topology.step(direction, from).is_some() {
                        return Err(Wrong::new(at, "no second link from one site"));
                    }
                    topology.link(direction, from, Some(to));
                    from = to;
                }
                Ok(())
            })?;
        }
        Ok(topology)
    }

    fn player(&self, mut items: Items<'_>) -> Result<PlayerInfo> {
        let name = items.name()?;
        let role = items.choice::<Role>()?;
        let directions = match items.clause("directions") {
            // The verifier says so when they are not all there; without the clause each means itself.
            Some(mut pairs) => {
                let mut count = 0;
                pairs.each(|pair| {
                    let mut pair = Items::of(pair, "a pair of directions")?;
                    self.in_order(&self.directions, &mut pair, &mut count)?;
                    let to = self.directions.next(&mut pair)?;
                    pair.finish().map(|()| to)
                })?
            }
            None => (0..self.directions.len).map(Direction::from_index).collect(),
        };
        let mut list = |head| items.clause(head).map_or(Ok(Vec::new()), |mut items| self.players.each(&mut items));
        let (friends, enemies) = (list("friends")?, list("enemies")?);
        items.finish().map(|()| PlayerInfo { name, role, directions, friends, enemies })
    }

    /// Reads the name of the thing whose turn it is in a list that goes through a table in order.
    fn in_order<I: Id>(&self, table: &Table<I>, items: &mut Items<'_>, count: &mut usize) -> Result<()> {
        let at = items.at();
        if table.next(items)?.index() != *count {
            return Err(Wrong::new(at, format!("{}, all in order: number {count}", table.what)));
        }
        *count += 1;
        Ok(())
    }

    fn zone_table(&self, forms: &Forms<'_>) -> Result<IdMap<Zone, ZoneInfo>> {
        let mut bits = 0_usize;
        let mut grow = |at: usize, sets: usize| {
            bits = bits.saturating_add(sets.saturating_mul(limits::zone_bits(self.site_count)));
            let fits = bits <= limits::ZONE_BITS;
            fits.then_some(())
                .ok_or_else(|| Wrong::new(at, format!("no more than {} bits of zones", limits::ZONE_BITS)))
        };
        let zone = |mut items: Items<'_>| {
            let name = items.name()?;
            let sites = match items.clause(ANY) {
                Some(mut same) => {
                    grow(same.at(), self.players.len)?;
                    IdMap::filled(self.players.len, self.site_set(&mut same)?)
                }
                None => {
                    let mut count = 0;
                    items.each(|set| {
                        grow(set.at, 1)?;
                        let mut set = Items::of(set, "a player and sites")?;
                        self.in_order(&self.players, &mut set, &mut count)?;
                        self.site_set(&mut set)
                    })?
                }
            };
            items.finish().map(|()| ZoneInfo { name, sites })
        };
        forms.all("zone").map(zone).collect()
    }

    fn site_set(&self, items: &mut Items<'_>) -> Result<SiteSet> {
        let mut set = SiteSet::empty(self.site_count);
        items.each::<(), ()>(|tree| {
            let site = self.sites.find(tree)?;
            if site.index() >= self.site_count || set.contains(site) {
                return Err(Wrong::new(tree.at, "a site, each once"));
            }
            set.insert(site);
            Ok(())
        })?;
        Ok(set)
    }

    fn kind(&self, mut items: Items<'_>) -> Result<KindInfo> {
        Ok(KindInfo { name: items.name()?, attributes: items.each(|pair| self.fields.pair(pair))? })
    }

    fn setup(&self, items: Option<Items<'_>>) -> Result<Vec<Placement>> {
        let mut setup = Vec::new();
        let Some(mut items) = items else { return Ok(setup) };
        while !items.rest.is_empty() {
            if let Some(mut items) = items.clause("piece") {
                let (player, kind) = (self.players.next(&mut items)?, self.kinds.next(&mut items)?);
                let sites: Vec<_> = self.sites.each(&mut items)?;
                setup.extend(sites.into_iter().map(|site| Placement::Piece(player, kind, site)));
            } else if let Some(mut items) = items.clause("hand") {
                let (player, kind) = (self.players.next(&mut items)?, self.kinds.next(&mut items)?);
                setup.push(Placement::Hand(player, kind, items.number()?));
                items.finish()?;
            } else {
                let mut items = items
                    .clause("cell")
                    .ok_or_else(|| Wrong::new(items.at(), "`(piece …)`, `(hand …)` or `(cell …)`"))?;
                setup.push(Placement::Cell(self.fields.next(&mut items)?, items.number()?, items.number()?));
                items.finish()?;
            }
        }
        Ok(setup)
    }

    fn schedule(&self, mut items: Items<'_>) -> Result<Schedule> {
        let mut turns = Vec::new();
        while let Some(mut items) = items.clause("turn") {
            let player = self.players.next(&mut items)?;
            let owner = match items.clause("owner") {
                Some(mut items) => self.only(&self.players, &mut items)?,
                None => player,
            };
            let move_type = self.type_clause(&mut items)?;
            let next = match items.clause("next") {
                Some(mut items) => {
                    let next = items.number()?;
                    items.finish()?;
                    next
                }
                None => turns.len() + 1,
            };
            items.finish()?;
            turns.push(Turn { player, owner, move_type, next });
        }
        // Where nothing else is said, the first turn follows the last.
        let count = turns.len();
        for turn in turns.iter_mut().filter(|turn| turn.next == count) {
            turn.next = 0;
        }
        let mut labels = IdMap::new();
        while let Some(mut items) = items.clause("label") {
            labels.push(LabelInfo { name: items.name()?, targets: items.each(number)? });
        }
        items.finish().map(|()| Schedule { turns, labels })
    }

    fn policy(&self, mut items: Items<'_>) -> Result<Policy> {
        let mut pass = items.need_clause("pass")?;
        let mut policy = Policy {
            filters: Vec::new(),
            pass: pass.choice::<Pass>()?,
            chain_may_stop: items.flag("chain-may-stop"),
            no_null_moves: items.flag("no-null-moves"),
            recycle_captures: items.flag("recycle-captures"),
        };
        pass.finish()?;
        while !items.rest.is_empty() {
            policy.filters.push(if let Some(mut items) = items.clause("priority") {
                Filter::Priority(self.move_types.each(&mut items)?)
            } else if let Some(items) = items.clause("most-captured") {
                items.finish()?;
                Filter::MostCaptured
            } else if let Some(mut items) = items.clause("most-valuable") {
                Filter::MostValuable(items.each(|pair| self.kinds.pair(pair))?)
            } else {
                return Err(Wrong::new(items.at(), "`(priority …)`, `(most-captured)` or `(most-valuable …)`"));
            });
        }
        Ok(policy)
    }

    fn rule(&self, mut items: Items<'_>) -> Result<Rule> {
        let name = items.name()?;
        let origin = self.origin(&mut items)?;
        let arguments = items.clause("arguments").map_or(Ok(Vec::new()), |mut items| items.each(self::name))?;
        let kind = items.clause("kind").map(|mut items| self.only(&self.kinds, &mut items)).transpose()?;
        let mut clause = items.need_clause("trigger")?;
        let trigger = clause.choice::<Trigger>()?;
        clause.finish()?;
        let move_type = self.type_clause(&mut items)?;
        let mut clause = items.need_clause("view")?;
        let view = clause.choice::<View>()?;
        clause.finish()?;
        let (locals, table) = self.locals(items.need_clause("locals")?)?;
        let body = self.block(items.need_clause("body")?, &table)?;
        let then = items.clause("then").map(|items| self.program(items)).transpose()?;
        items.finish()?;
        Ok(Rule { name, arguments, kind, trigger, move_type, view, locals, body, then, origin })
    }

    /// The program of a stage, if the rules have one.
    fn stage(&self, forms: &Forms<'_>, head: &str) -> Result<Option<Program>> {
        forms.one(head)?.map(|items| self.program(items)).transpose()
    }

    fn program(&self, mut items: Items<'_>) -> Result<Program> {
        let origin = self.origin(&mut items)?;
        let bounds = items.clause("bounds");
        let (locals, table) = self.locals(items.need_clause("locals")?)?;
        let bounds = bounds.map_or(Ok(Vec::new()), |mut items| table.each(&mut items))?;
        let body = self.block(items.need_clause("body")?, &table)?;
        items.finish().map(|()| Program { locals, bounds, body, origin })
    }

    fn invariant(&self, mut items: Items<'_>) -> Result<Invariant> {
        let (name, origin) = (items.name()?, self.origin(&mut items)?);
        Ok(Invariant { name, origin, condition: self.function(items)? })
    }

    fn end(&self, mut items: Items<'_>) -> Result<End> {
        let (name, origin) = (items.name()?, self.origin(&mut items)?);
        let result = match items.clause("score") {
            Some(items) => Verdict::Score(Box::new(self.function(items)?)),
            None => {
                let tree = items.next("a verdict")?;
                match word(tree) {
                    Some("win") => Verdict::Win,
                    Some("loss") => Verdict::Loss,
                    Some("draw") => Verdict::Draw,
                    Some("count") => Verdict::Count,
                    _ => return Err(Wrong::new(tree.at, "a verdict: `win`, `loss`, `draw`, `count` or `(score …)`")),
                }
            }
        };
        let players = self.players.each(&mut items.need_clause("players")?)?;
        Ok(End { name, players, result, condition: self.function(items)?, origin })
    }

    fn concealment(&self, mut items: Items<'_>) -> Result<Concealment> {
        let (name, origin) = (items.name()?, self.origin(&mut items)?);
        let fields = self.fields.each(&mut items.need_clause("fields")?)?;
        Ok(Concealment { name, fields, condition: self.function(items)?, origin })
    }

    /// `@5` if it comes next: the place in the source with that index.
    fn origin(&self, items: &mut Items<'_>) -> Result<Option<Origin>> {
        let Some(tree) = items.rest.first() else { return Ok(None) };
        let Some(digits) = word(tree).and_then(|word| word.strip_prefix('@')) else { return Ok(None) };
        items.rest = &items.rest[1..];
        let origin = digits.parse::<usize>().ok().and_then(|index| self.origins.get(index));
        origin.map(|&origin| Some(origin)).ok_or_else(|| Wrong::new(tree.at, "the index of an item of `(origins …)`"))
    }

    /// A move type, or nothing for any.
    fn move_type(&self, items: &mut Items<'_>) -> Result<Option<MoveType>> {
        if items.flag(ANY) { Ok(None) } else { self.move_types.next(items).map(Some) }
    }

    fn type_clause(&self, items: &mut Items<'_>) -> Result<Option<MoveType>> {
        items.clause("type").map(|mut items| self.only(&self.move_types, &mut items)).transpose()
    }

    /// The name that is all there is.
    fn only<I: Id>(&self, table: &Table<I>, items: &mut Items<'_>) -> Result<I> {
        let id = table.next(items)?;
        items.finish().map(|()| id)
    }
}
