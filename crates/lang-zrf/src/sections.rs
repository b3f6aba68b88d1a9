//! What a game or variant is made of, after a variant has taken over what it does not replace.

use std::collections::BTreeMap;

use dagaz_base::{Diagnostic, Diagnostics, Origin};

use crate::lower::unknown;
use crate::syntax::{Form, Node};

/// The sections of one game or variant.
#[derive(Clone, Default)]
pub(crate) struct Sections {
    /// Sections that stand once, by their first word.
    single: BTreeMap<&'static str, Form>,
    /// The pieces.
    pub(crate) pieces: Named<Form>,
    /// The options, by name in lower case with blanks for hyphens; with the value.
    pub(crate) options: Named<(Option<String>, Origin)>,
    /// The goals in order.
    pub(crate) goals: Vec<Form>,
    /// The moves that belong to no piece.
    pub(crate) moves: Vec<Form>,
    /// The conditions that hold after every move.
    pub(crate) laws: Vec<Form>,
    /// What players do not see.
    pub(crate) concealments: Vec<Form>,
    /// The variables of the state.
    pub(crate) variables: Named<Form>,
}

/// Things in the order in which they were named first; a second one of a name takes the place of the first.
#[derive(Clone)]
pub(crate) struct Named<T> {
    pub(crate) items: Vec<(String, T)>,
    places: BTreeMap<String, usize>,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self { items: Vec::new(), places: BTreeMap::new() }
    }
}

impl<T> Named<T> {
    fn put(&mut self, name: &str, thing: T) {
        match self.places.get(name) {
            Some(&place) => self.items[place].1 = thing,
            None => {
                self.places.insert(name.to_owned(), self.items.len());
                self.items.push((name.to_owned(), thing));
            }
        }
    }
}

/// How many variables a game may have.
const MAX_VARIABLES: usize = 1000;

/// Sections that stand once. The rules depend on these …
const RULES: [&str; 11] = [
    "players",
    "turn-order",
    "board",
    "board-setup",
    "move-priorities",
    "teams",
    "stacks",
    "before-move",
    "before-step",
    "after-step",
    "after-move",
];
/// … these are shown or heard and kept as text …
const TEXTS: [&str; 6] = ["title", "description", "history", "strategy", "engine", "solution"];
/// … and these play no part outside Zillions' own window.
const MEDIA: [&str; 15] = [
    "music",
    "opening-sound",
    "click-sound",
    "release-sound",
    "move-sound",
    "capture-sound",
    "drop-sound",
    "change-sound",
    "win-sound",
    "loss-sound",
    "draw-sound",
    "image",
    "default",
    "version",
    "help",
];
const GOALS: [&str; 5] = ["win-condition", "loss-condition", "draw-condition", "count-condition", "score-condition"];
/// Options as version 1 wrote them: `(pass-turn forced)`.
const LEGACY_OPTIONS: [&str; 11] = [
    "allow-flipping",
    "animate-captures",
    "animate-drops",
    "include-off-pieces",
    "maximal-captures",
    "pass-turn",
    "pass-partial",
    "recycle-captures",
    "recycle-promotions",
    "highlight-goals",
    "show-moves-list",
];

/// What one game or variant states once, by what is said where it stands a second time. A variant replaces what its
/// game states, which is no second time.
#[derive(Default)]
struct Once(BTreeMap<String, Origin>);

impl Once {
    fn check(&mut self, origin: Origin, twice: String, diagnostics: &mut Diagnostics) {
        if let Some(first) = self.0.insert(twice.clone(), origin) {
            diagnostics.push(
                Diagnostic::warning("zrf-duplicate", origin, twice)
                    .label("this one holds")
                    .related(first.span, "this one is without effect")
                    .help("remove one of them"),
            );
        }
    }
}

impl Sections {
    /// Reads the items of a `(game …)` or `(variant …)` over what was read before: a variant over its game.
    pub(crate) fn read(&mut self, form: Form, diagnostics: &mut Diagnostics) {
        let Node::List(items) = form.node else { return };
        if items.iter().any(|item| item.head().is_some_and(|head| GOALS.contains(&head))) {
            // A variant that states any goal states them all.
            self.goals.clear();
        }
        for (head, stated) in
            [("moves", &mut self.moves), ("verify", &mut self.laws), ("conceal", &mut self.concealments)]
        {
            if items.iter().any(|item| item.head() == Some(head)) {
                stated.clear();
            }
        }
        let mut once = Once::default();
        for item in items.into_iter().skip(1) {
            self.item(item, &mut once, diagnostics);
        }
    }

    fn item(&mut self, item: Form, once: &mut Once, diagnostics: &mut Diagnostics) {
        let Some(head) = item.head() else {
            let warning =
                Diagnostic::warning("zrf-unknown-item", item.origin, "a game holds lists that start with a word");
            diagnostics.push(warning.label("this is skipped"));
            return;
        };
        let parts = item.list().unwrap_or_default();
        if let Some(&name) = RULES.iter().chain(&TEXTS).chain(&MEDIA).find(|&&name| name == head) {
            if !MEDIA.contains(&name) {
                once.check(item.head_origin(), format!("`({name} …)` stands here twice"), diagnostics);
            }
            self.single.insert(name, item);
        } else if head == "piece" {
            self.piece(item, once, diagnostics);
        } else if GOALS.contains(&head) {
            self.goals.push(item);
        } else if head == "moves" {
            self.moves.push(item);
        } else if head == "verify" {
            self.laws.push(item);
        } else if head == "conceal" {
            self.concealments.push(item);
        } else if head == "variable" {
            self.variable(item, once, diagnostics);
        } else if head == "option" {
            match parts.get(1).and_then(|form| form.text().or(form.symbol())) {
                Some(name) => self.option(name, parts.get(2), &item, once, diagnostics),
                None => diagnostics.push(
                    Diagnostic::warning("zrf-malformed", item.origin, "an option is written `(option \"name\" value)`")
                        .label("this is skipped"),
                ),
            }
        } else if LEGACY_OPTIONS.contains(&head) {
            self.option(head, parts.get(1), &item, once, diagnostics);
        } else {
            let others = ["piece", "option", "moves", "verify", "conceal", "variable"];
            let played = [&RULES[..], &GOALS, &LEGACY_OPTIONS, &others];
            let shown = [&TEXTS[..], &MEDIA].concat();
            let message = format!("a game has no `{head}`");
            let otherwise = format!("remove it, or define a macro named `{head}`");
            let (played, origin) = (played.concat(), item.origin);
            diagnostics.push(unknown("zrf-unknown-item", origin, message, head, &played, &shown, &otherwise));
        }
    }

    fn piece(&mut self, item: Form, once: &mut Once, diagnostics: &mut Diagnostics) {
        let named = |part: &&Form| part.head() == Some("name");
        let name = item.list().unwrap_or_default().iter().find(named).and_then(|part| part.list()?.get(1)?.symbol());
        let Some(name) = name.map(str::to_owned) else {
            diagnostics.push(
                Diagnostic::error("zrf-malformed", item.origin, "a piece needs a name")
                    .help("write `(name Pawn)` in it"),
            );
            return;
        };
        once.check(item.head_origin(), format!("the piece `{name}` is defined twice"), diagnostics);
        self.pieces.put(&name, item);
    }

    fn variable(&mut self, item: Form, once: &mut Once, diagnostics: &mut Diagnostics) {
        let name = item.list().and_then(|parts| parts.get(1)).and_then(Form::symbol).map(str::to_owned);
        let Some(name) = name else {
            diagnostics.push(
                Diagnostic::error("zrf-malformed", item.origin, "a variable needs a name")
                    .help("it is written `(variable name 0)`"),
            );
            return;
        };
        once.check(item.head_origin(), format!("the variable `{name}` is defined twice"), diagnostics);
        if self.variables.items.len() >= MAX_VARIABLES && !self.variables.places.contains_key(&name) {
            diagnostics.push(
                Diagnostic::error(
                    "zrf-variable",
                    item.origin,
                    format!("there are more than {MAX_VARIABLES} variables"),
                )
                .help("write an array: `(variable name 0 (array 5))`"),
            );
            return;
        }
        self.variables.put(&name, item);
    }

    fn option(
        &mut self,
        name: &str,
        value: Option<&Form>,
        item: &Form,
        once: &mut Once,
        diagnostics: &mut Diagnostics,
    ) {
        let name = name.to_lowercase().replace('-', " ");
        let value = value.map(|form| form.text().map_or_else(|| form.to_string(), str::to_owned).to_lowercase());
        once.check(item.head_origin(), format!("the option `{name}` is set twice"), diagnostics);
        self.options.put(&name, (value, item.origin));
    }

    /// A section that stands once.
    pub(crate) fn get(&self, name: &str) -> Option<&Form> {
        self.single.get(name)
    }

    /// The strings of a section, as shown: one paragraph each.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let texts = self.get(name)?.list()?.iter().filter_map(Form::text);
        Some(texts.map(crate::display_text).collect::<Vec<_>>().join("\n"))
    }
}
