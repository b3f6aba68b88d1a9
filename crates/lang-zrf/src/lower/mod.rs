//! From the sections of one game to rules in the intermediate representation.

mod block;
mod board;
mod conceal;
mod condition;
mod goal;
mod names;
mod options;
mod pieces;
mod setup;
mod stages;
mod turns;
mod usage;
mod value;
mod variables;

use std::collections::BTreeSet;

use dagaz_base::{Diagnostic, Diagnostics, IdMap, Origin};
use dagaz_board::Direction;
use dagaz_ir::{
    Compass, Expr, Field, FieldInfo, Filter, Kind, KindInfo, MoveType, Op, Player, PlayerInfo, Policy, Role, Rule,
    RuleId, Rules, Scope,
};

use crate::Settings;
use crate::sections::Sections;
use crate::syntax::Form;
use board::Board;
use names::Names;
use options::{Maximal, Options};
use turns::Parts;

pub(crate) use names::{suggest, unknown};

/// The value of a piece that a chain captures, where `maximal captures` weighs values: kings before men. A kind that
/// pieces are promoted to is worth more than the kinds that start on the board.
const PROMOTED_VALUE: i32 = 2;

/// How many steps and tests the rules of one game may have; the greatest known game has a million.
const MAX_PARTS: usize = 2_000_000;

/// A game while it is lowered.
pub(crate) struct Lowering<'a> {
    sections: &'a Sections,
    settings: &'a Settings,
    diagnostics: &'a mut Diagnostics,
    names: Names,
    options: Options,
    board: Board,
    kinds: IdMap<Kind, KindInfo>,
    fields: IdMap<Field, FieldInfo>,
    move_types: IdMap<MoveType, String>,
    /// Where a type of moves is asked for that should have blocks, and what is so when it has none.
    asked_types: Vec<(MoveType, Origin, &'static str)>,
    /// The flags that some block sets, by the names of their locals.
    set_flags: BTreeSet<String>,
    /// Where a block asks for a flag that it does not set.
    unset_flags: Vec<(String, Origin)>,
    rules: IdMap<RuleId, Rule>,
    owner_field: Field,
    kind_field: Field,
    hand_field: Option<Field>,
    /// Whether a third occurrence draws when no goal speaks of repetition: where two or more play and nothing is left to
    /// chance. A puzzle does not end because one goes back and forth, nor a race because the dice say so.
    repetition_draws: bool,
    /// The kinds that some goal calls `checkmated`.
    royal: BTreeSet<Kind>,
    /// The attributes that hold numbers.
    numeric: BTreeSet<String>,
    /// The lists of directions that operations go in.
    compasses: IdMap<Compass, Vec<Direction>>,
    /// The players that win and lose together, where not each is alone.
    teams: Vec<Vec<Player>>,
    /// The players that play, which chance and neutral ones do not.
    persons: Vec<Player>,
    /// How much of [`MAX_PARTS`] is used up.
    parts: usize,
}

/// Lowers a game, which stands at `origin`. Gives nothing when it lacks what no game can do without.
pub(crate) fn lower(
    origin: Origin,
    sections: &Sections,
    settings: &Settings,
    diagnostics: &mut Diagnostics,
) -> Option<Rules> {
    let mut names = Names::default();
    let Some(players) = sections.get("players") else {
        diagnostics.push(missing(origin, "players", "write `(players White Black)`"));
        return None;
    };
    let listed = turns::players(players, &mut names, diagnostics);
    let Some(board) = sections.get("board") else {
        diagnostics.push(missing(origin, "board", "write `(board (grid …))`"));
        return None;
    };
    let board = board::read(board, &mut names, diagnostics);
    if listed.is_empty() || board.topology.site_count() == 0 {
        let what = if listed.is_empty() { "players" } else { "positions" };
        diagnostics.push(missing(origin, what, "a game needs at least one player and one position"));
        return None;
    }
    let options = options::read(sections, diagnostics);
    let mut lowering = Lowering::new(sections, settings, diagnostics, names, options, board);
    lowering.variables();
    let schedule = lowering.schedule(sections.get("turn-order"), &listed);
    if schedule.turns.is_empty() {
        lowering.diagnostics.push(missing(origin, "turns", "write `(turn-order White Black)`"));
        return None;
    }
    let priorities = lowering.priorities();
    lowering.pieces();
    lowering.turn_moves();
    let stages = lowering.stages();
    let mut setup = lowering.setup();
    setup.extend(lowering.variable_setup());
    let parts = Parts::of(&schedule);
    let persons = listed.iter().filter(|&(player, info)| parts.role(player, info) == Role::Person);
    lowering.persons = persons.map(|(player, _)| player).collect();
    let chance = schedule.turns.iter().any(|turn| listed[turn.player].random);
    lowering.repetition_draws = lowering.persons.len() > 1 && !chance;
    let (ends, mut invariants) = lowering.goals(&sections.goals);
    invariants.extend(lowering.laws());
    let concealments = lowering.concealments();
    lowering.teams();
    lowering.check_asked_types();
    lowering.check_flags();
    lowering.untyped_moves();

    let players = listed
        .iter()
        .map(|(player, info)| PlayerInfo {
            name: info.name.clone(),
            role: parts.role(player, info),
            directions: match lowering.board.symmetry.get(&player) {
                Some(map) => map.clone(),
                None => lowering.board.topology.directions().collect(),
            },
            friends: lowering.friends(player),
            enemies: {
                let friends = lowering.friends(player);
                parts.enemies(player).into_iter().filter(|other| !friends.contains(other)).collect()
            },
        })
        .collect();
    lowering.ranges(listed.len(), schedule.turns.len());
    let policy = lowering.policy(priorities);
    Some(Rules {
        name: sections.text("title").unwrap_or_else(|| "untitled".into()),
        topology: lowering.board.topology,
        players,
        zones: lowering.board.zones.into_iter().collect(),
        kinds: lowering.kinds,
        fields: lowering.fields,
        move_types: lowering.move_types,
        compasses: lowering.compasses,
        setup,
        schedule,
        rules: lowering.rules,
        policy,
        invariants,
        stages,
        ends,
        concealments,
    })
}

fn missing(origin: Origin, what: &str, help: &str) -> Diagnostic {
    Diagnostic::error("zrf-missing-section", origin, format!("the game has no {what}")).help(help)
}

impl<'a> Lowering<'a> {
    fn new(
        sections: &'a Sections,
        settings: &'a Settings,
        diagnostics: &'a mut Diagnostics,
        names: Names,
        options: Options,
        board: Board,
    ) -> Self {
        let mut fields = IdMap::new();
        let owner_field = fields.push(field("owner", Scope::Piece, false));
        let kind_field = fields.push(field("kind", Scope::Piece, false));
        for name in ["turn", "chain", "chain-type"] {
            fields.push(field(name, Scope::Global, false));
        }
        let hand_field = needs_hand(sections, options).then(|| fields.push(field("hand", Scope::Hand, false)));
        Self {
            sections,
            settings,
            diagnostics,
            names,
            options,
            board,
            kinds: IdMap::new(),
            fields,
            move_types: IdMap::new(),
            asked_types: Vec::new(),
            set_flags: BTreeSet::new(),
            unset_flags: Vec::new(),
            rules: IdMap::new(),
            owner_field,
            kind_field,
            hand_field,
            repetition_draws: false,
            royal: BTreeSet::new(),
            numeric: BTreeSet::new(),
            compasses: IdMap::new(),
            teams: Vec::new(),
            persons: Vec::new(),
            parts: 0,
        }
    }

    /// Whether so many parts of rules more may be made. Where one word stands for as many tests as there are pieces,
    /// players or directions, rules grow as the square of their text.
    fn afford(&mut self, parts: usize, origin: Origin) -> bool {
        let before = self.parts;
        self.parts = before.saturating_add(parts);
        if before <= MAX_PARTS && self.parts > MAX_PARTS {
            self.diagnostics.push(
                Diagnostic::error("zrf-too-complex", origin, "the rules are too large")
                    .label(format!("here they have more than {MAX_PARTS} steps and tests"))
                    .help("look for words that ask about all pieces, players or directions, many times over"),
            );
        }
        self.parts <= MAX_PARTS
    }

    /// The move type of this name, which needs no definition.
    fn move_type(&mut self, name: &str) -> MoveType {
        let types = &mut self.move_types;
        *self.names.move_types.entry(name.to_owned()).or_insert_with(|| types.push(name.to_owned()))
    }

    /// The same where it is a slip when no block is of that type. A move that goes on is not such a place: to go on with a
    /// type without blocks is how authors end it.
    fn asked_type(&mut self, name: &str, origin: Origin, otherwise: &'static str) -> MoveType {
        let move_type = self.move_type(name);
        self.asked_types.push((move_type, origin, otherwise));
        move_type
    }

    fn check_asked_types(&mut self) {
        let used: BTreeSet<MoveType> = self.rules.values().filter_map(|rule| rule.move_type).collect();
        for (move_type, origin, otherwise) in std::mem::take(&mut self.asked_types) {
            if used.contains(&move_type) {
                continue;
            }
            let name = &self.move_types[move_type];
            let help = suggest(name, used.iter().map(|&other| self.move_types[other].as_str()));
            self.diagnostics.push(
                Diagnostic::warning("zrf-unknown-type", origin, format!("no block is of the move type `{name}`"))
                    .label(otherwise)
                    .help(help.unwrap_or_else(|| format!("write `(move-type {name})` before the blocks of that type"))),
            );
        }
    }

    /// Where the last step started; the first use makes it part of the state.
    fn last_from(&mut self) -> Expr {
        self.remembered("last-from")
    }

    /// Where the last step ended.
    fn last_to(&mut self) -> Expr {
        self.remembered("last-to")
    }

    fn remembered(&mut self, name: &str) -> Expr {
        let known = self.fields.position(|field| field.name == name);
        let field = known.unwrap_or_else(|| self.fields.push(field(name, Scope::Global, true)));
        Expr::new(Op::Numbered, [Expr::new(Op::Get(field), [Expr::int(0)])])
    }

    /// A chain that goes on without naming a type goes on with blocks of the type it came from. Where a game has
    /// types, the blocks without one are a type too.
    fn untyped_moves(&mut self) {
        if self.move_types.is_empty() || self.rules.values().all(|rule| rule.move_type.is_some()) {
            return;
        }
        let untyped = self.move_types.push("(none)".into());
        for rule in self.rules.values_mut().filter(|rule| rule.move_type.is_none()) {
            rule.move_type = Some(untyped);
            go_on_with(&mut rule.body, untyped);
        }
    }

    /// What the fields can hold, now that everything is counted.
    fn ranges(&mut self, players: usize, turns: usize) {
        let sites = self.board.topology.site_count() as i32;
        let (kinds, types) = (self.kinds.len() as i32, self.move_types.len() as i32);
        for info in self.fields.values_mut() {
            info.high = match (info.name.as_str(), info.scope) {
                ("owner", Scope::Piece) => players as i32,
                ("kind", Scope::Piece) => kinds,
                ("turn", Scope::Global) => turns as i32 - 1,
                ("chain" | "last-from" | "last-to", Scope::Global) => sites,
                ("chain-type", Scope::Global) => types,
                ("hand", Scope::Hand) => i32::MAX,
                ("stack", Scope::Stack(_)) => players as i32 * kinds,
                ("next-turn", Scope::Global) => turns as i32,
                _ => continue,
            };
        }
    }

    fn priorities(&mut self) -> Vec<MoveType> {
        let Some(form) = self.sections.get("move-priorities") else { return Vec::new() };
        let mut priorities = Vec::new();
        for item in form.rest() {
            match item.symbol() {
                Some(name) => priorities.push(self.asked_type(name, item.origin, "it comes before nothing")),
                None => self.diagnostics.push(
                    Diagnostic::warning("zrf-malformed", item.origin, "a priority is the name of a move type")
                        .label("Zillions has no nested priorities: this is skipped"),
                ),
            }
        }
        priorities
    }

    fn policy(&self, priorities: Vec<MoveType>) -> Policy {
        let mut filters = Vec::new();
        if !priorities.is_empty() {
            filters.push(Filter::Priority(priorities));
        }
        if self.options.maximal_captures != Maximal::No {
            filters.push(Filter::MostCaptured);
        }
        if self.options.maximal_captures == Maximal::Value {
            filters.push(Filter::MostValuable(self.values()));
        }
        Policy {
            filters,
            pass: self.options.pass,
            chain_may_stop: self.options.pass_partial,
            no_null_moves: true,
            recycle_captures: self.options.recycle_captures,
        }
    }

    fn values(&self) -> Vec<(Kind, i32)> {
        let promoted = pieces::promoted_kinds(&self.rules);
        let value = |kind| if promoted.contains(&kind) { PROMOTED_VALUE } else { 1 };
        self.kinds.ids().map(|kind| (kind, value(kind))).collect()
    }
}

fn field(name: &str, scope: Scope, memory: bool) -> FieldInfo {
    FieldInfo { name: name.into(), scope, low: 0, high: 1, initial: 0, transient: false, memory }
}

/// Whether pieces can be off the board: in the set-up, through drops, or by recycling.
fn needs_hand(sections: &Sections, options: Options) -> bool {
    fn has(form: &Form, word: &str) -> bool {
        form.symbol() == Some(word) || form.list().is_some_and(|items| items.iter().any(|item| has(item, word)))
    }
    options.recycle_captures
        || sections.get("board-setup").is_some_and(|setup| has(setup, "off"))
        || sections
            .pieces
            .items
            .iter()
            .any(|(_, piece)| piece.list().is_some_and(|items| items.iter().any(|item| item.head() == Some("drops"))))
}

/// Gives every step of a block that goes on with any move a type to go on with.
fn go_on_with(body: &mut [dagaz_ir::Stmt], move_type: MoveType) {
    use dagaz_ir::{Next, StmtKind};
    for stmt in body {
        match &mut stmt.kind {
            StmtKind::If(_, then, otherwise) => {
                go_on_with(then, move_type);
                go_on_with(otherwise, move_type);
            }
            StmtKind::While(_, inner)
            | StmtKind::For(_, _, inner)
            | StmtKind::Range(_, _, _, inner)
            | StmtKind::Try(inner)
            | StmtKind::Attempt(inner) => {
                go_on_with(inner, move_type);
            }
            StmtKind::Emit(emit) => {
                if let Next::Again(_, none @ None) = &mut emit.next {
                    *none = Some(move_type);
                }
            }
            _ => {}
        }
    }
}
