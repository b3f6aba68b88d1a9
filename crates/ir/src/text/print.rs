//! Rules into text.

use std::collections::BTreeMap;

use dagaz_base::{Id, IdMap, Origin};
use dagaz_board::{Direction, Site, SiteSet, Zone};

use super::layout::Node;
use super::words::{ANY, STATEMENTS, Word, spell, spell_local};
use crate::code::{Block, Emit, Expr, Local, LocalInfo, Next, Program, Stmt, StmtKind};
use crate::op::{Immediate, Op, Type};
use crate::rules::{
    Compass, Concealment, End, Field, FieldInfo, Filter, Invariant, Kind, Label, MoveType, Placement, Player,
    PlayerInfo, Policy, Rule, Rules, Schedule, Scope, Verdict, ZoneInfo,
};

/// The rules as text, places in the source included. [`parse`](super::parse()) makes equal rules of it, if the rules
/// are such as [`verify`](crate::verify::verify()) accepts.
pub fn print(rules: &Rules) -> String {
    Printer::new(rules, Some(Origins::default())).rules().render()
}

/// The rules as text for people, without places in the source.
pub fn print_without_origins(rules: &Rules) -> String {
    Printer::new(rules, None).rules().render()
}

/// The places in the source that were printed, in the order of their first use.
#[derive(Default)]
struct Origins {
    list: Vec<Origin>,
    indices: BTreeMap<Origin, usize>,
}

/// What each thing of one table is called.
struct Names<I> {
    names: IdMap<I, String>,
}

impl<I: Id> Names<I> {
    fn new<'r>(names: impl Iterator<Item = &'r str>) -> Self {
        Self::spelled(names, spell)
    }

    fn spelled<'r>(names: impl Iterator<Item = &'r str>, spell: fn(&str) -> String) -> Self {
        let mut counts = BTreeMap::new();
        let names = names.map(|name| {
            let count = counts.entry(name).and_modify(|count| *count += 1).or_insert(1_usize);
            if *count == 1 { spell(name) } else { format!("{}#{count}", spell(name)) }
        });
        Self { names: names.collect() }
    }

    fn word(&self, id: I) -> Node {
        // An id that is of no such table is the verifier's to report.
        Node::word(self.names.get(id).cloned().unwrap_or_else(|| format!("#{}", id.index())))
    }

    fn words(&self, ids: impl IntoIterator<Item = I>) -> impl Iterator<Item = Node> {
        ids.into_iter().map(|id| self.word(id))
    }
}

struct Printer<'r> {
    rules: &'r Rules,
    sites: Names<Site>,
    directions: Names<Direction>,
    zones: Names<Zone>,
    kinds: Names<Kind>,
    players: Names<Player>,
    fields: Names<Field>,
    move_types: Names<MoveType>,
    /// Lists of directions have no names.
    compasses: Names<Compass>,
    labels: Names<Label>,
    origins: Option<Origins>,
}

/// A list that starts with a fixed word.
fn form(head: &str, items: impl IntoIterator<Item = Node>) -> Node {
    Node::list(headed(head, items))
}

fn headed(head: &str, items: impl IntoIterator<Item = Node>) -> Vec<Node> {
    std::iter::once(Node::word(head)).chain(items).collect()
}

fn number(value: impl Copy + ToString) -> Node {
    Node::word(value.to_string())
}

fn name(text: &str) -> Node {
    Node::word(spell(text))
}

impl<'r> Printer<'r> {
    fn new(rules: &'r Rules, origins: Option<Origins>) -> Self {
        let topology = &rules.topology;
        Self {
            rules,
            sites: Names::new(topology.sites().map(|site| topology.site_name(site))),
            directions: Names::new(topology.directions().map(|direction| topology.direction_name(direction))),
            zones: Names::new(rules.zones.values().map(|zone| zone.name.as_str())),
            kinds: Names::new(rules.kinds.values().map(|kind| kind.name.as_str())),
            players: Names::new(rules.players.values().map(|player| player.name.as_str())),
            fields: Names::new(rules.fields.values().map(|field| field.name.as_str())),
            move_types: Names::new(rules.move_types.values().map(String::as_str)),
            compasses: Names::new(std::iter::empty()),
            labels: Names::new(rules.schedule.labels.values().map(|label| label.name.as_str())),
            origins,
        }
    }

    fn rules(mut self) -> Node {
        let rules = self.rules;
        let mut forms = vec![self.site_table()];
        forms.extend(rules.topology.directions().map(|direction| self.direction(direction)));
        forms.extend(rules.players.values().map(|player| self.player(player)));
        forms.extend(rules.zones.values().map(|zone| self.zone(zone)));
        forms.extend(rules.kinds.values().map(|kind| {
            let attributes = kind.attributes.iter().map(|&(field, value)| self.pair(&self.fields, field, value));
            form("kind", std::iter::once(name(&kind.name)).chain(attributes))
        }));
        forms.extend(rules.fields.values().map(field));
        forms.push(Node::fill(headed("move-types", rules.move_types.values().map(|text| name(text)))));
        let compasses = rules.compasses.values();
        forms.extend(compasses.map(|list| form("compass", self.directions.words(list.iter().copied()))));
        forms.push(self.setup(&rules.setup));
        forms.push(self.schedule(&rules.schedule));
        forms.push(self.policy(&rules.policy));
        forms.extend(rules.rules.values().map(|rule| self.rule(rule)));
        forms.extend(rules.invariants.iter().map(|invariant| self.invariant(invariant)));
        for (word, program) in [
            ("before-move", &rules.stages.before_move),
            ("before-step", &rules.stages.before_step),
            ("after-step", &rules.stages.after_step),
            ("after-move", &rules.stages.after_move),
        ] {
            forms.extend(program.as_ref().map(|program| self.program(word, program)));
        }
        forms.extend(rules.ends.iter().map(|end| self.end(end)));
        forms.extend(rules.concealments.iter().map(|concealment| self.concealment(concealment)));
        if let Some(origins) = self.origins {
            forms.push(Node::fill(headed("origins", origins.list.into_iter().map(origin))));
        }
        Node::block(headed("rules", [name(&rules.name)]), forms)
    }

    fn site_table(&self) -> Node {
        let topology = &self.rules.topology;
        Node::fill(headed(
            "sites",
            topology.sites().map(|site| {
                let text = name(topology.site_name(site));
                match topology.area(site) {
                    None => text,
                    Some(area) => {
                        let edges = [area.left, area.top, area.right, area.bottom];
                        Node::list(std::iter::once(text).chain(edges.map(number)).collect())
                    }
                }
            }),
        ))
    }

    /// The links as lines over the board: from sites that nothing leads to as far as they go, then what is left,
    /// which are rings.
    fn direction(&self, direction: Direction) -> Node {
        let topology = &self.rules.topology;
        let mut entered = vec![false; topology.site_count()];
        for to in topology.sites().filter_map(|from| topology.step(direction, from)) {
            if let Some(entered) = entered.get_mut(to.index()) {
                *entered = true;
            }
        }
        let (rings, starts): (Vec<_>, Vec<_>) = topology.sites().partition(|site| entered[site.index()]);
        let mut left = vec![false; topology.site_count()];
        let mut lines = Vec::new();
        for start in starts.into_iter().chain(rings) {
            let mut line = vec![self.sites.word(start)];
            let mut at = start;
            while left.get(at.index()) == Some(&false)
                && let Some(to) = topology.step(direction, at)
            {
                left[at.index()] = true;
                line.push(self.sites.word(to));
                at = to;
            }
            if line.len() > 1 {
                lines.push(Node::fill(line));
            }
        }
        Node::fill(headed("direction", std::iter::once(name(topology.direction_name(direction))).chain(lines)))
    }

    fn player(&self, player: &PlayerInfo) -> Node {
        let mut items = vec![name(&player.name), Node::word(player.role.word())];
        if !player.directions.values().copied().eq(self.rules.topology.directions()) {
            let pairs = player.directions.iter();
            let pairs = pairs.map(|(from, &to)| Node::list(self.directions.words([from, to]).collect()));
            items.push(Node::fill(headed("directions", pairs)));
        }
        for (head, players) in [("friends", &player.friends), ("enemies", &player.enemies)] {
            if !players.is_empty() {
                items.push(Node::fill(headed(head, self.players.words(players.iter().copied()))));
            }
        }
        form("player", items)
    }

    fn zone(&self, zone: &ZoneInfo) -> Node {
        let list = |owner: Node, set: &SiteSet| {
            Node::fill(std::iter::once(owner).chain(self.sites.words(set.iter())).collect())
        };
        let mut sets = zone.sites.values();
        let sets: Vec<Node> = match sets.next() {
            Some(first) if zone.sites.len() == self.rules.players.len() && sets.all(|set| set == first) => {
                vec![list(Node::word(ANY), first)]
            }
            _ => zone.sites.iter().map(|(player, set)| list(self.players.word(player), set)).collect(),
        };
        form("zone", std::iter::once(name(&zone.name)).chain(sets))
    }

    fn setup(&self, setup: &[Placement]) -> Node {
        let mut lines: Vec<Vec<Node>> = Vec::new();
        let mut last = None;
        for &placement in setup {
            match placement {
                Placement::Piece(player, kind, site) => {
                    // One line for all pieces of a sort that follow each other.
                    match lines.last_mut() {
                        Some(line) if last == Some((player, kind)) => line.push(self.sites.word(site)),
                        _ => {
                            let words = [self.players.word(player), self.kinds.word(kind), self.sites.word(site)];
                            lines.push(headed("piece", words));
                        }
                    }
                    last = Some((player, kind));
                    continue;
                }
                Placement::Hand(player, kind, count) => {
                    lines.push(headed("hand", [self.players.word(player), self.kinds.word(kind), number(count)]));
                }
                Placement::Cell(field, index, value) => {
                    lines.push(headed("cell", [self.fields.word(field), number(index), number(value)]));
                }
            }
            last = None;
        }
        Node::block(headed("setup", []), lines.into_iter().map(Node::fill))
    }

    fn schedule(&self, schedule: &Schedule) -> Node {
        let count = schedule.turns.len();
        let turns = schedule.turns.iter().enumerate().map(|(index, turn)| {
            let mut items = vec![self.players.word(turn.player)];
            if turn.owner != turn.player {
                items.push(form("owner", [self.players.word(turn.owner)]));
            }
            items.extend(self.type_clause(turn.move_type));
            if turn.next != (index + 1) % count {
                items.push(form("next", [number(turn.next)]));
            }
            form("turn", items)
        });
        let labels = schedule.labels.values().map(|label| {
            form("label", std::iter::once(name(&label.name)).chain(label.targets.iter().map(|&target| number(target))))
        });
        form("schedule", turns.chain(labels))
    }

    fn policy(&self, policy: &Policy) -> Node {
        let mut items = vec![form("pass", [Node::word(policy.pass.word())])];
        for (word, holds) in [
            ("chain-may-stop", policy.chain_may_stop),
            ("no-null-moves", policy.no_null_moves),
            ("recycle-captures", policy.recycle_captures),
        ] {
            items.extend(holds.then(|| Node::word(word)));
        }
        items.extend(policy.filters.iter().map(|filter| match filter {
            Filter::Priority(types) => form("priority", self.move_types.words(types.iter().copied())),
            Filter::MostCaptured => form("most-captured", []),
            Filter::MostValuable(values) => {
                let values = values.iter().map(|&(kind, value)| self.pair(&self.kinds, kind, value));
                Node::fill(headed("most-valuable", values))
            }
        }));
        form("policy", items)
    }

    fn rule(&mut self, rule: &Rule) -> Node {
        let mut head = headed("rule", [name(&rule.name)]);
        head.extend(self.origin(rule.origin));
        if !rule.arguments.is_empty() {
            head.push(form("arguments", rule.arguments.iter().map(|text| name(text))));
        }
        head.extend(rule.kind.map(|kind| form("kind", [self.kinds.word(kind)])));
        head.push(form("trigger", [Node::word(rule.trigger.word())]));
        head.extend(self.type_clause(rule.move_type));
        head.push(form("view", [Node::word(rule.view.word())]));
        let locals = local_names(&rule.locals);
        let body = self.block(&rule.body, &locals);
        let then = rule.then.as_ref().map(|then| self.program("then", then));
        let parts = [local_table(&rule.locals), Node::block(headed("body", []), body)];
        Node::block(head, parts.into_iter().chain(then))
    }

    fn program(&mut self, word: &str, program: &Program) -> Node {
        let mut head = headed(word, []);
        head.extend(self.origin(program.origin));
        let locals = local_names(&program.locals);
        if !program.bounds.is_empty() {
            head.push(form("bounds", locals.words(program.bounds.iter().copied())));
        }
        let body = self.block(&program.body, &locals);
        Node::block(head, [local_table(&program.locals), Node::block(headed("body", []), body)])
    }

    fn invariant(&mut self, invariant: &Invariant) -> Node {
        let mut items = headed("invariant", [name(&invariant.name)]);
        items.extend(self.origin(invariant.origin));
        self.function(items, &invariant.condition)
    }

    fn concealment(&mut self, concealment: &Concealment) -> Node {
        let mut items = headed("conceal", [name(&concealment.name)]);
        items.extend(self.origin(concealment.origin));
        items.push(Node::fill(headed("fields", self.fields.words(concealment.fields.iter().copied()))));
        self.function(items, &concealment.condition)
    }

    fn end(&mut self, end: &End) -> Node {
        let mut items = headed("end", [name(&end.name)]);
        items.extend(self.origin(end.origin));
        items.push(match &end.result {
            Verdict::Win => Node::word("win"),
            Verdict::Loss => Node::word("loss"),
            Verdict::Draw => Node::word("draw"),
            Verdict::Count => Node::word("count"),
            Verdict::Score(score) => self.function(headed("score", []), score),
        });
        items.push(form("players", self.players.words(end.players.iter().copied())));
        self.function(items, &end.condition)
    }

    fn function(&self, head: Vec<Node>, function: &crate::code::Function) -> Node {
        let locals = (!function.locals.is_empty()).then(|| local_table(&function.locals));
        let body = self.expr(&function.body, &local_names(&function.locals));
        Node::block(head, locals.into_iter().chain([body]))
    }

    fn block(&mut self, block: &Block, locals: &Names<Local>) -> Vec<Node> {
        block.iter().map(|stmt| self.stmt(stmt, locals)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt, locals: &Names<Local>) -> Node {
        let origin = self.origin(stmt.origin);
        let head = |word: &str| headed(word, origin);
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let mut items = head("let");
                items.extend([locals.word(*local), self.expr(value, locals)]);
                Node::list(items)
            }
            StmtKind::If(condition, then, otherwise) => {
                let mut items = head("if");
                items.push(self.expr(condition, locals));
                let mut body = self.block(then, locals);
                if !otherwise.is_empty() {
                    body.push(Node::block(headed("else", []), self.block(otherwise, locals)));
                }
                Node::block(items, body)
            }
            StmtKind::While(condition, body) => {
                let mut items = head("while");
                items.push(self.expr(condition, locals));
                Node::block(items, self.block(body, locals))
            }
            StmtKind::For(local, set, body) => {
                let mut items = head("for");
                items.extend([locals.word(*local), self.expr(set, locals)]);
                Node::block(items, self.block(body, locals))
            }
            StmtKind::Range(local, low, high, body) => {
                let mut items = head("range");
                items.extend([locals.word(*local), self.expr(low, locals), self.expr(high, locals)]);
                Node::block(items, self.block(body, locals))
            }
            StmtKind::Verify(condition) => {
                let mut items = head("verify");
                items.push(self.expr(condition, locals));
                Node::list(items)
            }
            StmtKind::Effect(effect)
                if effect.op.result() == Type::Effect && !STATEMENTS.contains(&effect.op.name()) =>
            {
                let mut items = head(effect.op.name());
                self.operands(&mut items, effect, locals);
                Node::list(items)
            }
            StmtKind::Effect(effect) => {
                let mut items = head("effect");
                items.push(self.expr(effect, locals));
                Node::list(items)
            }
            StmtKind::Attempt(body) => Node::block(head("attempt"), self.block(body, locals)),
            StmtKind::Try(body) => Node::block(head("try"), self.block(body, locals)),
            StmtKind::Forget => Node::list(head("forget")),
            StmtKind::Discard => Node::list(head("discard")),
            StmtKind::Emit(emit) => {
                let mut items = head("emit");
                self.emit(&mut items, emit, locals);
                Node::list(items)
            }
        }
    }

    fn emit(&self, items: &mut Vec<Node>, emit: &Emit, locals: &Names<Local>) {
        items.extend([self.expr(&emit.from, locals), self.expr(&emit.to, locals)]);
        if let Some(choice) = &emit.choice {
            items.push(form("choice", [self.expr(choice, locals)]));
        }
        if !emit.parameters.is_empty() {
            items.push(form("parameters", emit.parameters.iter().map(|value| self.expr(value, locals))));
        }
        if let Next::Again(site, move_type) = &emit.next {
            items.push(form("again", [self.expr(site, locals), self.move_type(*move_type)]));
        }
    }

    fn expr(&self, expr: &Expr, locals: &Names<Local>) -> Node {
        match expr.op {
            Op::Int(value) if expr.args.is_empty() => number(value),
            Op::Bool(value) if expr.args.is_empty() => number(value),
            Op::Local(local) if expr.args.is_empty() => locals.word(local),
            op => {
                let mut items = headed(op.name(), []);
                self.operands(&mut items, expr, locals);
                Node::list(items)
            }
        }
    }

    /// What follows an operation's name.
    fn operands(&self, items: &mut Vec<Node>, expr: &Expr, locals: &Names<Local>) {
        items.extend(expr.op.immediate().map(|immediate| match immediate {
            Immediate::Int(value) => number(value),
            Immediate::Bool(value) => number(value),
            Immediate::Local(local) => locals.word(local),
            Immediate::Site(site) => self.sites.word(site),
            Immediate::Direction(direction) => self.directions.word(direction),
            Immediate::Zone(zone) => self.zones.word(zone),
            Immediate::Kind(kind) => self.kinds.word(kind),
            Immediate::Player(player) => self.players.word(player),
            Immediate::Field(field) => self.fields.word(field),
            Immediate::MoveType(move_type) => self.move_type(move_type),
            Immediate::Compass(compass) => self.compasses.word(compass),
            Immediate::Label(label) => self.labels.word(label),
        }));
        items.extend(expr.args.iter().map(|arg| self.expr(arg, locals)));
    }

    fn origin(&mut self, origin: Option<Origin>) -> Option<Node> {
        let (origins, origin) = (self.origins.as_mut()?, origin?);
        let index = *origins.indices.entry(origin).or_insert_with(|| {
            origins.list.push(origin);
            origins.list.len() - 1
        });
        Some(Node::word(format!("@{index}")))
    }

    fn move_type(&self, move_type: Option<MoveType>) -> Node {
        move_type.map_or_else(|| Node::word(ANY), |move_type| self.move_types.word(move_type))
    }

    fn type_clause(&self, move_type: Option<MoveType>) -> Option<Node> {
        move_type.map(|move_type| form("type", [self.move_types.word(move_type)]))
    }

    fn pair<I: Id>(&self, names: &Names<I>, id: I, value: i32) -> Node {
        Node::list(vec![names.word(id), number(value)])
    }
}

fn field(field: &FieldInfo) -> Node {
    let mut items = vec![name(&field.name)];
    items.push(match field.scope {
        Scope::Piece => Node::word("piece"),
        Scope::Site => Node::word("site"),
        Scope::Player => Node::word("player"),
        Scope::Hand => Node::word("hand"),
        Scope::Global => Node::word("global"),
        Scope::Array(count) => form("array", [number(count)]),
        Scope::Stack(depth) => form("stack", [number(depth)]),
    });
    items.push(form("range", [number(field.low), number(field.high)]));
    items.push(form("initial", [number(field.initial)]));
    items.extend(field.transient.then(|| Node::word("transient")));
    items.extend(field.memory.then(|| Node::word("memory")));
    form("field", items)
}

fn local_names(locals: &IdMap<Local, LocalInfo>) -> Names<Local> {
    Names::spelled(locals.values().map(|local| local.name.as_str()), spell_local)
}

fn local_table(locals: &IdMap<Local, LocalInfo>) -> Node {
    let pairs = locals
        .values()
        .map(|local| Node::list(vec![Node::word(spell_local(&local.name)), Node::word(local.ty.word())]));
    Node::fill(headed("locals", pairs))
}

fn origin(origin: Origin) -> Node {
    let span = origin.span;
    let mut items = vec![number(span.file.index()), number(span.start), number(span.end)];
    items.extend(origin.expansion.map(|expansion| number(expansion.index())));
    Node::list(items)
}
