//! `(piece …)`: kinds, their attributes and their blocks.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::{Diagnostic, IdMap};
use dagaz_ir::{Block, Field, Kind, KindInfo, Op, Rule, RuleId, Scope, StmtKind, Trigger, View};

use crate::lower::block::BlockOf;
use crate::lower::names::unknown;
use crate::lower::{Lowering, field};
use crate::syntax::Form;

/// Parts of a piece that only Zillions' window uses.
const SHOWN: [&str; 8] = ["name", "image", "help", "description", "notation", "open", "dummy", "value"];

/// What the names of attribute fields begin with.
const ATTRIBUTE: &str = "attribute ";

/// What a rule costs besides its steps: its names and locals.
const PARTS_OF_A_RULE: usize = 4;

/// How many attributes all pieces may have together.
const MAX_VALUES: usize = 1 << 22;

impl Lowering<'_> {
    /// Reads all pieces: first their names and attributes, which blocks of any piece may mention, then the blocks.
    pub(crate) fn pieces(&mut self) {
        let sections = self.sections;
        let pieces = &sections.pieces.items;
        for (name, _) in pieces {
            let kind = self.kinds.push(KindInfo { name: name.clone(), attributes: Vec::new() });
            self.names.kinds.insert(name.clone(), kind);
        }
        self.attributes(pieces);
        for (name, form) in pieces {
            let kind = self.names.kinds[name];
            for part in form.rest() {
                match part.head() {
                    Some("moves") => self.blocks(part, Some(kind), Trigger::Piece),
                    Some("drops") => self.blocks(part, Some(kind), Trigger::Drop),
                    Some("attribute") => {}
                    Some(head) if SHOWN.contains(&head) => {}
                    Some(head) => {
                        const PLAYED: [&str; 3] = ["moves", "drops", "attribute"];
                        let message = format!("a piece has no `{head}`");
                        let finding =
                            unknown("zrf-unknown-item", part.origin, message, head, &PLAYED, &SHOWN, "remove it");
                        self.diagnostics.push(finding);
                    }
                    None => self.diagnostics.push(
                        Diagnostic::warning(
                            "zrf-unknown-item",
                            part.origin,
                            "a piece holds lists that start with a word",
                        )
                        .label("this is skipped"),
                    ),
                }
            }
        }
    }

    /// Reads all attributes. Every piece can carry every attribute, whatever its kind declares: a declaration only says what
    /// a new piece has. A saved game of Gwangsanghui marks pieces that do not declare the mark.
    ///
    /// The fields are made from the last declaration to the first, which is how Zillions numbers attributes in records.
    fn attributes(&mut self, pieces: &[(String, Form)]) {
        let mut initial = BTreeMap::new();
        for (name, form) in pieces.iter().rev() {
            let parts = form.list().unwrap_or_default().iter().rev();
            for part in parts.filter(|part| part.head() == Some("attribute")) {
                if let Some((attribute, value)) = self.attribute(part) {
                    let field = self.attribute_field(attribute);
                    // Of several declarations in one piece the last holds, and it is read first.
                    initial.entry((self.names.kinds[name], field)).or_insert(value);
                }
            }
        }
        for name in &self.numeric {
            if let Some(&field) = self.names.attributes.get(name) {
                (self.fields[field].low, self.fields[field].high) = (i32::MIN, i32::MAX);
            }
        }
        let fields: Vec<_> =
            self.fields.iter().filter(|(_, info)| info.name.starts_with(ATTRIBUTE)).map(|(id, _)| id).collect();
        if fields.len().saturating_mul(self.kinds.len()) > MAX_VALUES {
            let (_, last) = pieces.last().expect("a piece declared an attribute");
            self.diagnostics.push(
                Diagnostic::error("zrf-too-complex", last.head_origin(), "there are too many pieces and attributes")
                    .label(format!("more than {MAX_VALUES} attributes of pieces"))
                    .help("every piece has every attribute: give one name to those that say the same"),
            );
            return;
        }
        for kind in self.kinds.ids().collect::<Vec<_>>() {
            let value = |&field: &Field| (field, initial.get(&(kind, field)).copied().unwrap_or(0));
            self.kinds[kind].attributes = fields.iter().map(value).collect();
        }
    }

    /// The name and the starting value of an attribute.
    fn attribute<'f>(&mut self, form: &'f Form) -> Option<(&'f str, i32)> {
        let items = form.list().unwrap_or_default();
        let Some(name) = items.get(1).and_then(Form::symbol) else {
            self.diagnostics.push(
                Diagnostic::warning("zrf-malformed", form.origin, "an attribute is written `(attribute name true)`")
                    .label("this is skipped"),
            );
            return None;
        };
        if let Some(surplus) = items.get(3) {
            self.diagnostics.push(
                Diagnostic::warning("zrf-malformed", surplus.origin, "an attribute is written `(attribute name true)`")
                    .label("from here on it is skipped"),
            );
        }
        if let Some(number) = items.get(2).and_then(Form::integer).and_then(|number| i32::try_from(number).ok()) {
            self.numeric.insert(name.to_owned());
            return Some((name, number));
        }
        match items.get(2).and_then(Form::symbol) {
            Some("true") => Some((name, 1)),
            Some("false") | None => Some((name, 0)),
            Some(_) => {
                self.diagnostics.push(
                    Diagnostic::warning("zrf-malformed", form.origin, "an attribute is true, false or a number")
                        .label("false is taken"),
                );
                Some((name, 0))
            }
        }
    }

    /// The field of an attribute. Its name is marked, for executors know some fields by theirs.
    fn attribute_field(&mut self, name: &str) -> Field {
        let fields = &mut self.fields;
        *self.names.attributes.entry(name.to_owned()).or_insert_with(|| {
            let name = format!("{ATTRIBUTE}{name}");
            fields.push(field(&name, Scope::Piece, false))
        })
    }

    /// Reads the moves that belong to no piece.
    pub(crate) fn turn_moves(&mut self) {
        let sections = self.sections;
        for form in &sections.moves {
            self.blocks(form, None, Trigger::Turn);
        }
    }

    fn blocks(&mut self, form: &Form, kind: Option<Kind>, mut trigger: Trigger) {
        let (mut move_type, mut view) = (None, View::Before);
        for item in form.rest() {
            if item.head() == Some("move-type") {
                match item.list().and_then(|list| list.get(1)).and_then(Form::symbol) {
                    Some(name) => move_type = Some(self.move_type(name)),
                    None => self.diagnostics.push(
                        Diagnostic::warning("zrf-malformed", item.origin, "a move type is written `(move-type name)`")
                            .label("this is skipped"),
                    ),
                }
            } else if let ("moves", Some("view"), Some([_, word])) =
                (form.head().unwrap_or_default(), item.head(), item.list())
                && let Some(word @ ("before" | "tentative")) = word.symbol()
            {
                view = if word == "before" { View::Before } else { View::Tentative };
            } else if let (Trigger::Piece | Trigger::AnyPiece, Some("owner"), Some([_, word])) =
                (trigger, item.head(), item.list())
                && let Some(word @ ("mine" | "any")) = word.symbol()
            {
                trigger = if word == "mine" { Trigger::Piece } else { Trigger::AnyPiece };
            } else if item.list().is_some_and(|list| !list.is_empty()) {
                if !self.afford(PARTS_OF_A_RULE, item.origin) {
                    return;
                }
                let rule = self.block(item, BlockOf { kind, trigger, move_type, view });
                self.rules.push(rule);
            } else if item.list().is_none() {
                self.diagnostics.push(
                    Diagnostic::error("zrf-malformed-step", item.origin, format!("`{item}` stands outside of a block"))
                        .label("moves hold blocks in brackets")
                        .help("put the steps of one move into one pair of brackets"),
                );
            }
        }
    }
}

/// The kinds that some rule turns a piece into.
pub(crate) fn promoted_kinds(rules: &IdMap<RuleId, Rule>) -> BTreeSet<Kind> {
    fn scan(body: &Block, found: &mut BTreeSet<Kind>) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::If(_, then, otherwise) => {
                    scan(then, found);
                    scan(otherwise, found);
                }
                StmtKind::While(_, inner)
                | StmtKind::For(_, _, inner)
                | StmtKind::Range(_, _, _, inner)
                | StmtKind::Try(inner)
                | StmtKind::Attempt(inner) => scan(inner, found),
                StmtKind::Effect(effect) if effect.op == Op::Retype => {
                    if let Op::Kind(kind) = effect.args[1].op {
                        found.insert(kind);
                    }
                }
                _ => {}
            }
        }
    }
    let mut found = BTreeSet::new();
    for rule in rules.values() {
        scan(&rule.body, &mut found);
    }
    found
}
