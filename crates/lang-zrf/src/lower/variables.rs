//! `(variable …)` and `(stacks …)`: what the state holds besides pieces.

use dagaz_base::{Diagnostic, Id};
use dagaz_ir::{Field, FieldInfo, Placement, Player, Scope};

use crate::lower::{Lowering, field};
use crate::syntax::Form;

/// What the names of variables begin with in the fields, since executors know some fields by theirs.
const VARIABLE: &str = "variable ";

impl Lowering<'_> {
    /// Reads the variables: `(variable name initial option…)`. Where one has another value at the start is read later.
    pub(crate) fn variables(&mut self) {
        let sections = self.sections;
        for (name, form) in &sections.variables.items {
            let parts = form.list().unwrap_or_default();
            let mut info = FieldInfo { low: i32::MIN, high: i32::MAX, ..field(VARIABLE, Scope::Global, false) };
            info.name += name;
            match parts.get(2).map(|initial| self.constant(initial)) {
                Some(Some(initial)) => info.initial = initial,
                _ => self.wrong(form, "a variable needs a number to start with: `(variable name 0)`"),
            }
            if parts.get(1).and_then(Form::integer).is_some() {
                self.wrong(form, "a variable has a name, and this is a number");
            }
            let shaped = |option: &&Form| {
                matches!(option.symbol(), Some("positions" | "players")) || option.head() == Some("array")
            };
            if let Some(second) = parts.iter().skip(3).filter(shaped).nth(1) {
                self.wrong(second, "a variable is one number, or one for each position, player or element of an array");
            }
            for option in parts.iter().skip(3) {
                match (option.symbol(), option.head(), option.list()) {
                    (Some("positions"), ..) => info.scope = Scope::Site,
                    (Some("players"), ..) => info.scope = Scope::Player,
                    (Some("move"), ..) => info.transient = true,
                    (Some("memory"), ..) => info.memory = true,
                    (_, Some("array"), Some([_, size])) => match size.integer().and_then(|size| u32::try_from(size).ok()) {
                        Some(size @ 1..) => info.scope = Scope::Array(size),
                        _ => self.wrong(option, "an array has a number of elements: `(array 5)`"),
                    },
                    (_, Some("range"), Some([_, low, high])) => match (self.constant(low), self.constant(high)) {
                        (Some(low), Some(high)) if low <= high => (info.low, info.high) = (low, high),
                        _ => self.wrong(option, "a range has a least and a greatest value: `(range 0 9)`"),
                    },
                    (_, Some("at"), Some([_, _, _, ..])) => {}
                    _ => self.wrong(
                        option,
                        "what may follow is `positions`, `players`, `(array size)`, `move`, `memory`, `(range low high)` \
                         and `(at value place …)`",
                    ),
                }
            }
            if !(info.low..=info.high).contains(&info.initial) {
                self.wrong(form, "it starts outside of its range");
                info.initial = info.low;
            }
            let id = self.fields.push(info);
            self.names.variables.insert(name.clone(), id);
        }
        if let Some(form) = sections.get("stacks") {
            let height = match form.list() {
                Some([_, height]) => height.integer(),
                _ => None,
            };
            match height {
                // The piece on top is not among those below it.
                Some(height @ 2..=1024) => _ = self.fields.push(field("stack", Scope::Stack(height as u32 - 1), false)),
                _ => self.wrong(form, "it is written `(stacks height)`, with a height from 2 to 1024"),
            }
        }
    }

    /// The values that variables have at the start in single places: `(at value place …)`.
    pub(crate) fn variable_setup(&mut self) -> Vec<Placement> {
        let mut setup = Vec::new();
        let sections = self.sections;
        for (name, form) in &sections.variables.items {
            let Some(&id) = self.names.variables.get(name) else { continue };
            for option in form.list().unwrap_or_default().iter().filter(|option| option.head() == Some("at")) {
                let Some([_, value, places @ ..]) = option.list() else { continue };
                let Some(value) = self.constant(value) else {
                    self.wrong(option, "the value is a number");
                    continue;
                };
                let range = self.fields[id].low..=self.fields[id].high;
                if !range.contains(&value) {
                    self.wrong(option, "the value is outside of the range of the variable");
                    continue;
                }
                for place in places {
                    let cells = self.cells(id, place);
                    if cells.is_empty() {
                        self.wrong(place, "the variable has nothing of this name");
                    }
                    setup.extend(cells.into_iter().map(|index| Placement::Cell(id, index, value)));
                }
            }
        }
        setup
    }

    /// The cells of a variable that a word means: a position, a zone, a player or the number of an element.
    fn cells(&self, id: Field, place: &Form) -> Vec<u32> {
        let word = place.symbol().unwrap_or_default();
        match self.fields[id].scope {
            Scope::Site => match (self.names.sites.get(word), self.names.zones.get(word)) {
                (Some(site), _) => vec![site.index() as u32],
                (None, Some(zone)) => {
                    let sites = &self.board.zones[zone.index()].sites;
                    sites
                        .values()
                        .next()
                        .map_or_else(Vec::new, |set| set.iter().map(|site| site.index() as u32).collect())
                }
                (None, None) => Vec::new(),
            },
            Scope::Player => {
                self.names.players.get(word).map(|player: &Player| player.index() as u32).into_iter().collect()
            }
            Scope::Array(size) => place
                .integer()
                .and_then(|index| u32::try_from(index).ok())
                .filter(|&index| index < size)
                .into_iter()
                .collect(),
            _ => Vec::new(),
        }
    }

    /// A number, a truth value, or a player or a piece by its number.
    fn constant(&self, form: &Form) -> Option<i32> {
        let word = form.symbol()?;
        match word {
            "true" => return Some(1),
            "false" | "nowhere" => return Some(0),
            _ => {}
        }
        let number = form.integer().and_then(|number| i32::try_from(number).ok());
        let player = || self.names.players.get(word).map(|player| player.index() as i32 + 1);
        number.or_else(player)
    }

    fn wrong(&mut self, form: &Form, why: &str) {
        self.diagnostics.push(Diagnostic::error("zrf-variable", form.origin, why.to_owned()));
    }
}
