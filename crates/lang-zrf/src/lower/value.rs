//! What blocks can say beyond Zillions: numbers, sets of positions, variables, choices, and steps that move any piece.
//!
//! Chapter numbers refer to `docs/language.md`. A name that the game defines itself always means what the game says.

use dagaz_base::Diagnostic;
use dagaz_board::Direction;
use dagaz_ir::{Block, Compass, Expr, Field, Local, LocalInfo, Op, Scope, Stmt, StmtKind, Type};

use crate::lower::Lowering;
use crate::lower::block::{Asks, BlockLowering, short, size};
use crate::lower::usage;
use crate::syntax::{Form, Node};

/// The heads of numbers.
const NUMBERS: [&str; 21] = [
    "+",
    "-",
    "*",
    "/",
    "mod",
    "min",
    "max",
    "abs",
    "if",
    "count",
    "sum",
    "owner",
    "kind",
    "height",
    "owner-below",
    "kind-below",
    "number",
    "hand",
    "captured",
    "repetitions",
    "board-repetitions",
];

/// The heads of sets.
const SETS: [&str; 11] = [
    "pieces",
    "positions",
    "where",
    "union",
    "intersection",
    "difference",
    "shift",
    "neighbours",
    "flood",
    "ray",
    "set-of",
];

/// The words for places.
const PLACES: [&str; 10] =
    ["here", "nowhere", "from", "to", "mark", "last-from", "last-to", "first", "place", "opposite"];

/// How many words there may be in a form whose operations are inside of each other, one for each word.
const MAX_WORDS: usize = 100;

/// The heads of conditions that compare numbers.
const COMPARISONS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];

impl Lowering<'_> {
    /// Whether an attribute holds numbers, not only true and false.
    pub(crate) fn is_numeric(&self, field: Field) -> bool {
        self.fields[field].high > 1
    }

    /// The list of these directions.
    fn compass(&mut self, directions: Vec<Direction>) -> Compass {
        let known = self.compasses.position(|list| *list == directions);
        known.unwrap_or_else(|| self.compasses.push(directions))
    }
}

impl BlockLowering<'_, '_> {
    fn variable(&self, form: &Form, ty: Type) -> Option<Expr> {
        let &(local, given) = self.variables.get(form.symbol()?)?;
        (given == ty).then(|| Expr::local(local))
    }

    /// A number.
    pub(crate) fn number(&mut self, form: &Form) -> Expr {
        let number = match &form.node {
            Node::Symbol(word) => self.number_word(word, form),
            Node::List(items) => match items.split_first() {
                Some((head, rest)) => match head.symbol() {
                    Some(word) => self.number_form(word, rest, form),
                    None => None,
                },
                None => None,
            },
            Node::Text(_) => None,
        };
        number.unwrap_or_else(|| {
            let truth = match &form.node {
                Node::List(items) => items.split_first().and_then(|(head, rest)| {
                    let word = head.symbol()?;
                    self.positive(word, rest, form).or_else(|| self.extended_test(word, rest, form))
                }),
                _ => None,
            };
            match truth {
                Some(condition) => Expr::new(Op::Truth, [condition]),
                None => {
                    self.refuse_value(form, "a number");
                    Expr::int(0)
                }
            }
        })
    }

    fn number_word(&mut self, word: &str, form: &Form) -> Option<Expr> {
        if let Some(local) = self.variable(form, Type::Int) {
            return Some(local);
        }
        if let Some(number) = form.integer() {
            return i32::try_from(number).ok().map(Expr::int);
        }
        let names = &self.lowering.names;
        if let Some(&field) = names.variables.get(word) {
            return Some(self.read_variable(field, None));
        }
        if let Some(&field) = names.attributes.get(word) {
            let site = self.current();
            return Some(Expr::new(Op::Read(field), [site]));
        }
        if let Some(&player) = names.players.get(word) {
            return Some(Expr::leaf(Op::Player(player)));
        }
        if let Some(&kind) = names.kinds.get(word) {
            return Some(Expr::leaf(Op::Kind(kind)));
        }
        Some(match word {
            "me" => Expr::leaf(Op::Me),
            "mover" => Expr::leaf(Op::ToMove),
            "last-mover" => self.past(Op::LastMover, form),
            "nobody" | "nothing" => Expr::int(0),
            "moves-made" => self.past(Op::MovesMade, form),
            "repetitions" => self.past(Op::Repetitions, form),
            "board-repetitions" => self.past(Op::BoardRepetitions, form),
            "first-stood" => self.past(Op::FirstStood, form),
            "height" | "owner" | "kind" => return self.number_form(word, &[], form),
            "true" => Expr::int(1),
            "false" => Expr::int(0),
            _ => return None,
        })
    }

    /// A number that is known in ends alone, or after a move.
    fn past(&mut self, op: Op, form: &Form) -> Expr {
        let known = match op {
            Op::MoveCount => self.asks == Asks::End,
            Op::Replies => self.asks == Asks::AfterMove && self.verifies,
            Op::Captured => self.asks != Asks::Nothing,
            // When a move is made its effects do not know the past.
            _ => self.asks == Asks::End || self.asks == Asks::AfterMove && self.verifies,
        };
        if known {
            return Expr::leaf(op);
        }
        let wanted = match op {
            Op::MoveCount => "it is known in ends only, such as `(loss-condition …)`",
            Op::Replies => "it is known in a `verify` of `(after-move …)` only",
            Op::Captured => "it is known when a step is made: in stages, in `(then …)` and in ends",
            _ => "it is known in a `verify` of `(after-move …)` and in ends only: else nobody knows the past",
        };
        self.lowering.diagnostics.push(
            Diagnostic::error("zrf-value", form.origin, format!("`{}` cannot stand here", short(form))).label(wanted),
        );
        Expr::int(0)
    }

    fn number_form(&mut self, word: &str, rest: &[Form], form: &Form) -> Option<Expr> {
        let names = &self.lowering.names;
        if let Some(&field) = names.variables.get(word) {
            return match rest {
                [] => Some(self.read_variable(field, None)),
                [index] => Some(self.read_variable(field, Some(index))),
                _ => None,
            };
        }
        if let Some(&field) = names.attributes.get(word) {
            let site = self.place_or_current(rest, form);
            return Some(Expr::new(Op::Read(field), [site]));
        }
        if rest.len() > MAX_WORDS {
            self.refuse(form, "it has too many words: write them in several forms, each inside of the other");
            return Some(Expr::int(0));
        }
        let field = |name| match name {
            "owner" => self.lowering.owner_field,
            _ => self.lowering.kind_field,
        };
        Some(match (word, rest) {
            ("+" | "*" | "min" | "max", [_, _, ..]) => {
                let op = match word {
                    "+" => Op::Add,
                    "*" => Op::Multiply,
                    "min" => Op::Least,
                    _ => Op::Greatest,
                };
                let mut sum = self.number(&rest[0]);
                for next in &rest[1..] {
                    sum = Expr::new(op, [sum, self.number(next)]);
                }
                sum
            }
            ("-", [one]) => Expr::new(Op::Subtract, [Expr::int(0), self.number(one)]),
            ("-" | "/" | "mod", [a, b]) => {
                let op = match word {
                    "-" => Op::Subtract,
                    "/" => Op::Divide,
                    _ => Op::Remainder,
                };
                Expr::new(op, [self.number(a), self.number(b)])
            }
            ("abs", [one]) => {
                let value = self.number(one);
                let again = self.again(&value, form);
                Expr::new(Op::Greatest, [again, Expr::new(Op::Subtract, [Expr::int(0), value])])
            }
            ("if", [condition, a, b]) => {
                let condition = self.condition(condition);
                Expr::new(Op::Pick, [condition, self.number(a), self.number(b)])
            }
            ("count", [moves]) if moves.symbol() == Some("moves") => {
                // Only of the player to move it is known how many moves he has.
                let my_turn = Expr::new(Op::Equal, [Expr::leaf(Op::ToMove), Expr::leaf(Op::Me)]);
                Expr::new(Op::Pick, [my_turn, self.past(Op::MoveCount, form), Expr::int(-1)])
            }
            ("count", [replies]) if replies.symbol() == Some("replies") => self.past(Op::Replies, form),
            ("count", [set]) => Expr::new(Op::Count, [self.set_of(set)]),
            ("sum", [set, value]) => {
                let set = self.set_of(set);
                let (local, value) = self.at_each(|block| block.number(value));
                Expr::new(Op::Sum(local), [set, value])
            }
            ("owner" | "kind", _) => {
                let field = field(word);
                Expr::new(Op::Read(field), [self.place_or_current(rest, form)])
            }
            ("height", _) => Expr::new(Op::Height, [self.place_or_current(rest, form)]),
            ("owner-below" | "kind-below", [level, place @ ..]) => {
                let level = self.number(level);
                let op = if word == "owner-below" { Op::OwnerBelow } else { Op::KindBelow };
                Expr::new(op, [self.place_or_current(place, form), level])
            }
            ("number", _) => Expr::new(Op::Number, [self.place_or_current(rest, form)]),
            ("hand", [kind, player @ ..]) => {
                let hand = self.lowering.hand_field?;
                let kinds = self.lowering.kinds.len() as i32;
                let kind = self.number(kind);
                let player = player.first().map_or_else(|| Expr::leaf(Op::Me), |player| self.number(player));
                let before = Expr::new(Op::Subtract, [player, Expr::int(1)]);
                let row = Expr::new(Op::Multiply, [before, Expr::int(kinds)]);
                let index = Expr::new(Op::Add, [row, Expr::new(Op::Subtract, [kind, Expr::int(1)])]);
                Expr::new(Op::Get(hand), [index])
            }
            ("captured", [] | [_] | [_, _]) => {
                let mut given = rest.iter().map(|value| self.number(value)).collect::<Vec<_>>();
                given.resize(2, Expr::int(0));
                match self.past(Op::Captured, form) {
                    Expr { op: Op::Captured, .. } => Expr::new(Op::Captured, given),
                    other => other,
                }
            }
            _ => return None,
        })
    }

    /// The value of a variable: of the position, the player or the element that `index` names.
    fn read_variable(&mut self, field: Field, index: Option<&Form>) -> Expr {
        match self.lowering.fields[field].scope {
            Scope::Site => {
                let site = self.place_at(index);
                Expr::new(Op::Read(field), [site])
            }
            scope => {
                let index = self.index(scope, index);
                Expr::new(Op::Get(field), [index])
            }
        }
    }

    fn place_at(&mut self, form: Option<&Form>) -> Expr {
        match form {
            Some(form) => self.place(form),
            None => self.current(),
        }
    }

    fn index(&mut self, scope: Scope, index: Option<&Form>) -> Expr {
        match scope {
            Scope::Player => {
                let player = index.map_or_else(|| Expr::leaf(Op::Me), |player| self.number(player));
                Expr::new(Op::Subtract, [player, Expr::int(1)])
            }
            _ => index.map_or_else(|| Expr::int(0), |index| self.number(index)),
        }
    }

    /// Something that is said at each position of a set, with the local that stands for the position.
    fn at_each<T>(&mut self, say: impl FnOnce(&mut Self) -> T) -> (Local, T) {
        let local = self.locals.push(LocalInfo { name: "each".into(), ty: Type::Site });
        let at = std::mem::replace(&mut self.at, local);
        let said = say(self);
        self.at = at;
        (local, said)
    }

    /// Conditions that must all hold at a position of a set.
    fn tests_at_each(&mut self, conditions: &[Form]) -> (Local, Vec<Expr>) {
        self.at_each(|block| conditions.iter().map(|condition| block.condition(condition)).collect())
    }

    /// Whether the form is one for a set.
    fn is_set(&self, form: &Form) -> bool {
        let word = form.head().or(form.symbol()).unwrap_or_default();
        self.variable(form, Type::Set).is_some()
            || self.lowering.names.zones.contains_key(word)
            || SETS.contains(&word)
            || word == "everywhere"
    }

    /// A set of positions.
    pub(crate) fn set_of(&mut self, form: &Form) -> Expr {
        if let Some(local) = self.variable(form, Type::Set) {
            return local;
        }
        let everywhere = || Expr::leaf(Op::AllSites);
        let word = form.head().or(form.symbol()).unwrap_or_default();
        if let Some(&zone) = self.lowering.names.zones.get(word)
            && form.list().is_none_or(|list| list.len() == 1)
        {
            return Expr::leaf(Op::ZoneSites(zone));
        }
        let rest = form.rest();
        if rest.len() > MAX_WORDS {
            self.refuse(form, "it has too many words: write a zone, or several forms");
            return everywhere();
        }
        match (word, rest) {
            ("everywhere" | "positions", []) => everywhere(),
            ("pieces" | "positions", conditions) => {
                let (local, mut tests) = self.tests_at_each(conditions);
                if word == "pieces" {
                    tests.insert(0, Expr::new(Op::Empty, [Expr::local(local)]).negated());
                }
                Expr::new(Op::Where(local), [everywhere(), Expr::new(Op::And, tests)])
            }
            ("where", [set, conditions @ ..]) => {
                let set = self.set_of(set);
                let (local, tests) = self.tests_at_each(conditions);
                Expr::new(Op::Where(local), [set, Expr::new(Op::And, tests)])
            }
            ("union" | "intersection" | "difference", [first, others @ ..]) => {
                let op = match word {
                    "union" => Op::Union,
                    "intersection" => Op::Intersection,
                    _ => Op::Difference,
                };
                let mut set = self.set_of(first);
                for other in others {
                    set = Expr::new(op, [set, self.set_of(other)]);
                }
                set
            }
            ("shift", [set, directions @ ..]) => {
                let mut set = self.set_of(set);
                for direction in self.directions(directions) {
                    set = Expr::new(Op::Shift(direction), [set]);
                }
                set
            }
            ("neighbours", [set, directions @ ..]) => {
                let (set, directions) = (self.set_or_place(set), self.directions(directions));
                Expr::new(Op::Neighbours(self.lowering.compass(directions)), [set])
            }
            ("flood", [start, within, directions @ ..]) => {
                let (start, within) = (self.set_or_place(start), self.set_of(within));
                let directions = self.directions(directions);
                Expr::new(Op::Flood(self.lowering.compass(directions)), [start, within])
            }
            ("ray", [direction, within, place @ ..]) => {
                let within = self.set_of(within);
                let site = self.place_or_current(place, form);
                match self.seen_direction(direction) {
                    Some(direction) => Expr::new(Op::Ray(direction), [site, within]),
                    None => self.no_set(direction, "the name of a direction"),
                }
            }
            ("set-of", places) => {
                let mut set = Expr::leaf(Op::NoSites);
                for place in places {
                    set = match self.is_set(place) {
                        true => Expr::new(Op::Union, [set, self.set_of(place)]),
                        false => Expr::new(Op::With, [set, self.place(place)]),
                    };
                }
                set
            }
            _ => self.no_set(form, "a set of positions: a zone, `(pieces …)`, `(positions …)` and the like"),
        }
    }

    fn set_or_place(&mut self, form: &Form) -> Expr {
        match self.is_set(form) {
            true => self.set_of(form),
            false => Expr::new(Op::With, [Expr::leaf(Op::NoSites), self.place(form)]),
        }
    }

    fn no_set(&mut self, form: &Form, wanted: &str) -> Expr {
        self.refuse_value(form, wanted);
        Expr::leaf(Op::NoSites)
    }

    /// The directions that words name, side by side or in brackets; all of the board when there are none.
    fn directions(&mut self, words: &[Form]) -> Vec<Direction> {
        if words.is_empty() {
            return self.lowering.board.topology.directions().collect();
        }
        let mut directions = Vec::new();
        for word in words {
            match (self.seen_direction(word), word.list()) {
                (Some(direction), _) => directions.push(direction),
                (None, Some(list)) => directions.extend(self.directions(list)),
                (None, None) => self.refuse_value(word, "the name of a direction"),
            }
        }
        directions
    }

    /// A direction, or the opposite of one where the board has it.
    fn seen_direction(&self, form: &Form) -> Option<Direction> {
        match form.list() {
            Some([head, direction]) if head.symbol() == Some("opposite") => {
                self.lowering.board.topology.opposites()[self.direction(direction)?]
            }
            _ => self.direction(form),
        }
    }

    /// A place that only the extended language knows: a variable, a step from another place, the first of a set, or one by
    /// its number.
    pub(crate) fn extended_place(&mut self, form: &Form) -> Option<Expr> {
        if let Some(local) = self.variable(form, Type::Site) {
            return Some(local);
        }
        if let Some(word) = form.symbol() {
            let names = &self.lowering.names;
            let taken = names.directions.contains_key(word) || names.sites.contains_key(word);
            return match word {
                "here" if !taken => Some(self.current()),
                "nowhere" if !taken => Some(Expr::leaf(Op::Nowhere)),
                _ => None,
            };
        }
        let [head, rest @ ..] = form.list()? else { return None };
        if let (Some(direction), [place]) = (self.direction(head), rest) {
            return Some(Expr::new(Op::Step(direction), [self.place(place)]));
        }
        match (head.symbol()?, rest) {
            ("opposite", [direction, place]) => {
                let direction = self.direction(direction)?;
                Some(Expr::new(Op::StepBack(direction), [self.place(place)]))
            }
            ("first", [set]) => Some(Expr::new(Op::First, [self.set_of(set)])),
            ("place", [number]) => Some(Expr::new(Op::Numbered, [self.number(number)])),
            _ => None,
        }
    }

    /// A condition that only the extended language knows.
    pub(crate) fn extended_test(&mut self, word: &str, rest: &[Form], form: &Form) -> Option<Expr> {
        if let (Some(&(local, ty)), []) = (self.variables.get(word), rest) {
            match ty {
                Type::Bool => return Some(Expr::local(local)),
                // As a variable of the state: whether it is not 0.
                Type::Int => return Some(Expr::new(Op::Equal, [Expr::local(local), Expr::int(0)]).negated()),
                Type::Site | Type::Set | Type::Effect => {}
            }
        }
        if let Some(&field) = self.lowering.names.variables.get(word) {
            let index = match rest {
                [] => None,
                [index] => Some(index),
                _ => return None,
            };
            let value = self.read_variable(field, index);
            return Some(Expr::new(Op::Equal, [value, Expr::int(0)]).negated());
        }
        Some(match (word, rest) {
            (_, [first, _, ..]) if COMPARISONS.contains(&word) => {
                let mut tests = Vec::new();
                let mut left = self.number(first);
                for (index, right) in rest.iter().enumerate().skip(1) {
                    let right = self.number(right);
                    let next = if index + 1 < rest.len() { self.again(&right, form) } else { Expr::int(0) };
                    tests.push(match word {
                        "=" => Expr::new(Op::Equal, [left, right]),
                        "!=" => Expr::new(Op::Equal, [left, right]).negated(),
                        "<" => Expr::new(Op::Less, [left, right]),
                        "<=" => Expr::new(Op::AtMost, [left, right]),
                        ">" => Expr::new(Op::Less, [right, left]),
                        _ => Expr::new(Op::AtMost, [right, left]),
                    });
                    left = next;
                }
                if tests.len() == 1 { tests.remove(0) } else { Expr::new(Op::And, tests) }
            }
            ("my?", _) => Expr::new(Op::Mine, [self.place_or_current(rest, form)]),
            ("same?", [a, b]) => Expr::new(Op::Same, [self.place(a), self.place(b)]),
            ("any?" | "every?", [set, conditions @ ..]) => {
                let set = self.set_of(set);
                if conditions.is_empty() {
                    return Some(Expr::new(Op::Less, [Expr::int(0), Expr::new(Op::Count, [set])]));
                }
                let (local, tests) = self.tests_at_each(conditions);
                let op = if word == "any?" { Op::Any(local) } else { Op::Every(local) };
                Expr::new(op, [set, Expr::new(Op::And, tests)])
            }
            ("none?", [set, conditions @ ..]) => {
                let mut words = vec![set.clone()];
                words.extend_from_slice(conditions);
                return self.extended_test("any?", &words, form).map(Expr::negated);
            }
            ("member?", [set, place @ ..]) => {
                let set = self.set_of(set);
                Expr::new(Op::Contains, [set, self.place_or_current(place, form)])
            }
            // `is-piece?` and `is-attacked?` read better in a list of conditions on pieces.
            _ => {
                let plain = word.strip_prefix("is-").filter(|plain| !plain.starts_with("is-"))?;
                return self.positive(plain, rest, form).or_else(|| self.extended_test(plain, rest, form));
            }
        })
    }

    /// A step that only the extended language knows; says whether it is one.
    pub(crate) fn extended(&mut self, word: &str, rest: &[Form], form: &Form, out: &mut Block) -> bool {
        let names = &self.lowering.names;
        if names.directions.contains_key(word) || names.sites.contains_key(word) {
            return false;
        }
        let origin = form.origin;
        if let ("let" | "choose" | "for", [name, ..]) = (word, rest)
            && name.integer().is_some()
        {
            self.refuse(name, "a variable has a name, and this is a number");
            return true;
        }
        if let ("push" | "pop" | "tuck", None) = (word, self.lowering.sections.get("stacks")) {
            self.refuse(form, "the game has no `(stacks height)`");
            return true;
        }
        if let ("take", None) = (word, self.lowering.hand_field) {
            self.refuse(form, "no piece of this game waits in a hand");
            return true;
        }
        match (word, rest) {
            ("choose" | "for" | "for-each", [_, _]) | ("try", []) => self.refuse(form, "the steps are missing"),
            ("choose" | "try", _) if self.surrounds => {
                self.refuse(form, "no moves are made here, and what it does is taken back: write `for` or `if`");
            }
            ("for-each", [_, Form { node: Node::List(words), .. }, ..]) if words.is_empty() => {
                self.refuse(form, "the words are missing");
            }
            ("choose" | "for", [_, words, ..])
                if words.head() == Some("of") && words.list().is_some_and(|list| list.len() == 1) =>
            {
                self.refuse(words, "the words are missing");
            }
            ("let", [Form { node: Node::Symbol(name), .. }, value]) => self.let_variable(name, value, form, out),
            ("set", [Form { node: Node::Symbol(name), .. }, value]) => self.set_variable(name, None, value, form, out),
            ("set", [Form { node: Node::Symbol(name), .. }, index, value]) => {
                self.set_variable(name, Some(index), value, form, out);
            }
            ("choose" | "for", [Form { node: Node::Symbol(name), .. }, from, steps @ ..]) => {
                self.each(word == "choose", name, from, steps, form, out);
            }
            ("for-each", [Form { node: Node::Symbol(name), .. }, Form { node: Node::List(words), .. }, steps @ ..]) => {
                self.for_each(name, words, steps, out);
            }
            ("try", steps) => {
                let mut body = Vec::new();
                self.steps(steps, &mut body);
                self.put(out, Some(origin), StmtKind::Try(body));
            }
            ("jump", [label]) => match label.symbol().and_then(|name| self.lowering.names.labels.get(name)).copied() {
                Some(label) => self.effect(out, origin, Op::Jump(label), []),
                None => self.refuse(label, "the turn order has no label of this name"),
            },
            ("displace", [from, to]) => {
                self.displaces = true;
                let args = [self.place(from), self.place(to)];
                self.effect(out, origin, Op::Move, args);
            }
            ("put" | "push" | "tuck", [owner, kind, place @ ..]) => {
                let op = match word {
                    "put" => Op::Create,
                    "push" => Op::Push,
                    _ => Op::Tuck,
                };
                let (owner, kind) = (self.number(owner), self.number(kind));
                let site = self.place_or_current(place, form);
                self.effect(out, origin, op, [site, owner, kind]);
            }
            ("pop", _) => {
                let site = self.place_or_current(rest, form);
                self.effect(out, origin, Op::Pop, [site]);
            }
            ("take", [owner, kind, place @ ..]) => {
                // From the hand to the board.
                let (owner, kind) = (self.number(owner), self.number(kind));
                let site = self.place_or_current(place, form);
                self.effect(out, origin, Op::Drop, [site, owner, kind]);
            }
            ("own" | "retype", [value, place @ ..]) => {
                let value = self.number(value);
                let site = self.place_or_current(place, form);
                let op = if word == "own" { Op::Reown } else { Op::Retype };
                self.effect(out, origin, op, [site, value]);
            }
            _ => return false,
        }
        true
    }

    /// The steps once for each word.
    fn for_each(&mut self, name: &str, words: &[Form], steps: &[Form], out: &mut Block) {
        fn size(form: &Form) -> usize {
            1 + form.list().unwrap_or_default().iter().map(size).sum::<usize>()
        }
        for word in words {
            for step in steps {
                // The word may be a list itself, and be replaced many times.
                if !self.lowering.afford(size(step).saturating_mul(size(word)), step.origin) {
                    return;
                }
                self.steps(&[substituted(step, name, word)], out);
            }
        }
    }

    fn let_variable(&mut self, name: &str, value: &Form, form: &Form, out: &mut Block) {
        let ty = match self.variables.get(name) {
            Some(&(_, ty)) => ty,
            None => self.type_of(value),
        };
        let value = match ty {
            Type::Set => self.set_of(value),
            Type::Site => self.place(value),
            Type::Bool => self.condition(value),
            Type::Int | Type::Effect => self.number(value),
        };
        let local = match self.variables.get(name) {
            Some(&(local, _)) => local,
            None => self.declare(name, ty),
        };
        self.put(out, Some(form.origin), StmtKind::Let(local, value));
    }

    /// What a form gives, by its words.
    fn type_of(&self, form: &Form) -> Type {
        if let Some(&(_, ty)) = form.symbol().and_then(|name| self.variables.get(name)) {
            return ty;
        }
        let names = &self.lowering.names;
        let word = form.head().or(form.symbol()).unwrap_or_default();
        let number = names.variables.contains_key(word)
            || names.attributes.contains_key(word)
            || NUMBERS.contains(&word)
            || form.integer().is_some();
        if self.is_set(form) {
            Type::Set
        } else if number {
            Type::Int
        } else if names.directions.contains_key(word) || names.sites.contains_key(word) || PLACES.contains(&word) {
            Type::Site
        } else if matches!(word, "and" | "or" | "not" | "true" | "false")
            || word.ends_with('?')
            || COMPARISONS.contains(&word)
        {
            Type::Bool
        } else {
            Type::Int
        }
    }

    fn set_variable(&mut self, name: &str, index: Option<&Form>, value: &Form, form: &Form, out: &mut Block) {
        let names = &self.lowering.names;
        if let Some(&field) = names.variables.get(name) {
            let value = self.number(value);
            match self.lowering.fields[field].scope {
                Scope::Site => {
                    let site = self.place_at(index);
                    self.effect(out, form.origin, Op::SetAt(field), [site, value]);
                }
                scope => {
                    let index = self.index(scope, index);
                    self.effect(out, form.origin, Op::Set(field), [index, value]);
                }
            }
        } else if let Some(&field) = names.attributes.get(name) {
            let value = self.number(value);
            let site = self.place_at(index);
            self.effect(out, form.origin, Op::SetAt(field), [site, value]);
        } else {
            self.refuse(form, "the game has no variable and no attribute of this name");
        }
    }

    /// `choose` and `for`: the steps for each position of a set, for each number of a range, or for each of some words.
    fn each(&mut self, choice: bool, name: &str, from: &Form, steps: &[Form], form: &Form, out: &mut Block) {
        let origin = Some(form.origin);
        let (ty, numbers) = match (from.head(), from.list()) {
            (Some("range"), Some([_, low, high])) => (Type::Int, vec![(self.number(low), self.number(high))]),
            (Some("of"), Some([_, words @ ..])) => {
                let words = words.iter().map(|word| self.number(word));
                (Type::Int, words.map(|word| (word.clone(), word)).collect())
            }
            _ => (Type::Site, Vec::new()),
        };
        let set = (ty == Type::Site).then(|| self.set_of(from));
        let shadowed = self.variables.remove(name);
        let local = self.declare(name, ty);
        let parameter = choice && !self.endpoints.contains(name);
        if parameter {
            self.parameters.push((name.to_owned(), local));
        }
        let before = self.locals.push(LocalInfo { name: "before".into(), ty: Type::Site });
        let mut body = Vec::new();
        if ty == Type::Site {
            self.put(&mut body, origin, StmtKind::Let(self.at, Expr::local(local)));
        }
        self.steps(steps, &mut body);
        if choice {
            body = vec![Stmt { kind: StmtKind::Try(body), origin }];
        }
        if parameter {
            self.parameters.pop();
        }
        let at = self.at;
        self.put(out, origin, StmtKind::Let(before, Expr::local(at)));
        match set {
            Some(set) => self.put(out, origin, StmtKind::For(local, set, body)),
            None => {
                let mut numbers = numbers.into_iter().peekable();
                while let Some((low, high)) = numbers.next() {
                    let body = match numbers.peek() {
                        None => std::mem::take(&mut body),
                        Some(_) if self.lowering.afford(length(&body), form.origin) => body.clone(),
                        Some(_) => Vec::new(),
                    };
                    self.put(out, origin, StmtKind::Range(local, low, high, body));
                }
            }
        }
        self.put(out, origin, StmtKind::Let(at, Expr::local(before)));
        match shadowed {
            Some(shadowed) => self.variables.insert(name.to_owned(), shadowed),
            None => self.variables.remove(name),
        };
    }

    fn refuse_value(&mut self, form: &Form, wanted: &str) {
        let error = Diagnostic::error("zrf-value", form.origin, format!("`{}` cannot stand here", short(form)))
            .label(format!("{wanted} is expected"));
        self.lowering.diagnostics.push(match form.head().and_then(usage::of_value) {
            Some(usage) => error.help(format!("it is written {usage}")),
            None => error,
        });
    }
}

/// How many statements and operations the block holds, those inside of others included.
fn length(body: &Block) -> usize {
    let inner = |stmt: &Stmt| match &stmt.kind {
        StmtKind::If(condition, then, otherwise) => size(condition) + length(then) + length(otherwise),
        StmtKind::While(value, inner) | StmtKind::For(_, value, inner) => size(value) + length(inner),
        StmtKind::Range(_, low, high, inner) => size(low) + size(high) + length(inner),
        StmtKind::Try(inner) | StmtKind::Attempt(inner) => length(inner),
        StmtKind::Let(_, value) | StmtKind::Verify(value) | StmtKind::Effect(value) => size(value),
        StmtKind::Emit(emit) => size(&emit.from) + size(&emit.to) + emit.parameters.len(),
        StmtKind::Forget | StmtKind::Discard => 0,
    };
    body.iter().map(|stmt| 1 + inner(stmt)).sum()
}

/// The form with each word `name` replaced.
fn substituted(form: &Form, name: &str, by: &Form) -> Form {
    let node = match &form.node {
        Node::Symbol(word) if **word == *name => by.node.clone(),
        Node::List(items) => Node::List(items.iter().map(|item| substituted(item, name, by)).collect()),
        other => other.clone(),
    };
    Form { node, ..form.clone() }
}
