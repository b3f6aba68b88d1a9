//! Conditions in blocks.

use dagaz_base::Diagnostic;
use dagaz_board::Zone;
use dagaz_ir::{Expr, MoveType, Op};

use crate::AttributeView;
use crate::lower::block::{BlockLowering, short};
use crate::lower::names::suggest;
use crate::lower::usage;
use crate::syntax::{Form, Node};

const WORDS: [&str; 19] = [
    "empty?",
    "friend?",
    "enemy?",
    "neutral?",
    "piece?",
    "on-board?",
    "in-zone?",
    "position?",
    "flag?",
    "position-flag?",
    "marked?",
    "last-from?",
    "last-to?",
    "attacked?",
    "defended?",
    "goal-position?",
    "adjacent-to-enemy?",
    "true",
    "false",
];

/// Those whose first argument is a name.
const NAMED: [&str; 5] = ["piece?", "in-zone?", "position?", "flag?", "position-flag?"];

impl BlockLowering<'_, '_> {
    /// Conditions that stand side by side: all must be true.
    pub(crate) fn conditions(&mut self, forms: &[Form], whole: &Form) -> Expr {
        match forms {
            [one] => self.condition(one),
            [] => {
                self.refuse(whole, "a condition is missing");
                never()
            }
            several => {
                let parts: Vec<_> = several.iter().map(|form| self.condition(form)).collect();
                Expr::new(Op::And, parts)
            }
        }
    }

    /// One condition.
    pub(crate) fn condition(&mut self, form: &Form) -> Expr {
        match &form.node {
            Node::Symbol(word) => self.test(word, &[], form),
            Node::Text(_) => {
                self.refuse(form, "a string is no condition");
                never()
            }
            Node::List(items) => match items.split_first() {
                None => {
                    self.refuse(form, "a condition is missing");
                    never()
                }
                Some((head, rest)) => match head.symbol() {
                    Some("and" | "or") => {
                        let op = if head.symbol() == Some("and") { Op::And } else { Op::Or };
                        let parts: Vec<_> = rest.iter().map(|form| self.condition(form)).collect();
                        Expr::new(op, parts)
                    }
                    Some("not") => self.conditions(rest, form).negated(),
                    Some(word) => self.test(word, rest, form),
                    None => self.conditions(items, form),
                },
            },
        }
    }

    fn test(&mut self, word: &str, rest: &[Form], form: &Form) -> Expr {
        if let Some(test) = self.positive(word, rest, form).or_else(|| self.extended_test(word, rest, form)) {
            return test;
        }
        // `not-X?` is the negation of `X?`, off the board too: there every positive test is false.
        if let Some(positive) = word.strip_prefix("not-")
            && let Some(test) = self.positive(positive, rest, form).or_else(|| self.extended_test(positive, rest, form))
        {
            return test.negated();
        }
        if let Some(usage) = usage::of_condition(word) {
            self.refuse(form, &format!("it is written {usage}"));
            return never();
        }
        let known = WORDS.into_iter().chain(self.lowering.names.attributes.keys().map(String::as_str));
        let help = suggest(word, known)
            .unwrap_or_else(|| "a condition is a word such as `empty?`, or the name of an attribute".into());
        self.lowering.diagnostics.push(
            Diagnostic::error("zrf-unknown-condition", form.origin, format!("`{word}` is no condition"))
                .label("neither a test nor an attribute of a piece")
                .help(help),
        );
        never()
    }

    pub(crate) fn positive(&mut self, word: &str, rest: &[Form], form: &Form) -> Option<Expr> {
        let simple = |op: Op| move |block: &mut Self| block.at_place(rest, form, |site| Expr::new(op, [site]));
        let (name, after) = match rest.split_first() {
            Some((first, after)) => (first.symbol().unwrap_or_default(), after),
            None => ("", rest),
        };
        if NAMED.contains(&word) && name.is_empty() {
            self.refuse(form, &format!("`{word}` needs a name"));
            return Some(never());
        }
        Some(match word {
            "true" => Expr::leaf(Op::Bool(true)),
            "false" => Expr::leaf(Op::Bool(false)),
            "empty?" => simple(Op::Empty)(self),
            "friend?" => simple(Op::Friend)(self),
            "enemy?" => simple(Op::Enemy)(self),
            "neutral?" => simple(Op::Neutral)(self),
            "on-board?" => simple(Op::OnBoard)(self),
            "piece?" => {
                let kind_field = self.lowering.kind_field;
                match self.lowering.names.kinds.get(name).copied() {
                    Some(kind) => self.at_place(after, form, |site| {
                        Expr::new(Op::Equal, [Expr::new(Op::Read(kind_field), [site]), Expr::leaf(Op::Kind(kind))])
                    }),
                    None => self.nothing_named("piece", name, form),
                }
            }
            "in-zone?" => match self.lowering.names.zones.get(name).copied() {
                Some(zone) => match after {
                    [place, player] => self.in_zone_of(zone, place, player),
                    _ => self.in_zone(zone, after, form),
                },
                None => self.nothing_named("zone", name, form),
            },
            "position?" => match self.lowering.names.sites.get(name).copied() {
                Some(wanted) => {
                    self.at_place(after, form, |site| Expr::new(Op::Same, [site, Expr::leaf(Op::Site(wanted))]))
                }
                None => self.nothing_named("position", name, form),
            },
            "flag?" => {
                let flag = self.flag(name);
                self.tested(flag, form);
                Expr::local(flag)
            }
            "position-flag?" => {
                let flag = self.position_flag(name);
                self.tested(flag, form);
                self.at_place(after, form, |site| Expr::new(Op::Contains, [Expr::local(flag), site]))
            }
            "marked?" => {
                let marked = self.marked();
                self.same(marked, rest, form)
            }
            "last-from?" => {
                let last = self.lowering.last_from();
                self.same(last, rest, form)
            }
            "last-to?" => {
                let last = self.lowering.last_to();
                self.same(last, rest, form)
            }
            "attacked?" | "defended?" => {
                let (move_type, rest) = self.attack_type(rest);
                let op = if word == "attacked?" { Op::Attacked(move_type) } else { Op::Defended(move_type) };
                self.at_place(rest, form, |site| Expr::new(op, [site]))
            }
            "goal-position?" => {
                let zone = self.lowering.goal_zone();
                self.in_zone(zone, rest, form)
            }
            "adjacent-to-enemy?" => {
                let directions: Vec<_> = self.lowering.board.topology.directions().collect();
                if !self.lowering.afford(directions.len(), form.origin) {
                    return Some(never());
                }
                let site = self.place_or_current(rest, form);
                let mut beside = Vec::new();
                for direction in directions {
                    let site = self.again(&site, form);
                    beside.push(Expr::new(Op::Enemy, [Expr::new(Op::Step(direction), [site])]));
                }
                Expr::new(Op::Or, beside)
            }
            attribute => {
                let field = self.lowering.names.attributes.get(attribute).copied()?;
                let read = match self.lowering.settings.attributes {
                    AttributeView::Now => Op::ReadNow(field),
                    AttributeView::Before => Op::Read(field),
                };
                self.at_place(rest, form, |site| {
                    Expr::new(Op::Equal, [Expr::new(read, [site]), Expr::int(0)]).negated()
                })
            }
        })
    }

    /// A test at the place that the last argument names, or at the current position.
    fn at_place(&mut self, rest: &[Form], form: &Form, test: impl FnOnce(Expr) -> Expr) -> Expr {
        let site = self.place_or_current(rest, form);
        test(site)
    }

    /// Whether the place that the last argument names is this one; false off the board.
    fn same(&mut self, other: Expr, rest: &[Form], form: &Form) -> Expr {
        let site = self.place_or_current(rest, form);
        let on_board = Expr::new(Op::OnBoard, [self.again(&site, form)]);
        Expr::new(Op::And, [on_board, Expr::new(Op::Same, [site, other])])
    }

    fn in_zone(&mut self, zone: Zone, rest: &[Form], form: &Form) -> Expr {
        self.at_place(rest, form, |site| Expr::new(Op::InZone(zone), [site]))
    }

    /// Whether the place is in the zone of some player, whom a number names.
    fn in_zone_of(&mut self, zone: Zone, place: &Form, player: &Form) -> Expr {
        let site = self.place(place);
        Expr::new(Op::InZoneOf(zone), [site, self.number(player)])
    }

    /// The move type that may stand before the place in `attacked?`.
    fn attack_type<'f>(&mut self, rest: &'f [Form]) -> (Option<MoveType>, &'f [Form]) {
        match rest.split_first() {
            Some((first, others)) => {
                let name = first.symbol().unwrap_or_default();
                let names = &self.lowering.names;
                let place = names.directions.contains_key(name) || names.sites.contains_key(name);
                match (place && others.is_empty()) || first.symbol().is_none() {
                    true => (None, rest),
                    false => (Some(self.lowering.asked_type(name, first.origin, "nothing attacks by it")), others),
                }
            }
            None => (None, rest),
        }
    }

    fn nothing_named(&mut self, what: &str, name: &str, form: &Form) -> Expr {
        let negative = form.head().is_some_and(|head| head.starts_with("not-"));
        let always = if negative { "always" } else { "never" };
        self.lowering.diagnostics.push(
            Diagnostic::warning("zrf-unknown-name", form.origin, format!("this game has no {what} `{name}`"))
                .label(format!("`{}` is {always} true", short(form)))
                .help("if another variant has it, define the piece, zone or position there only"),
        );
        never()
    }
}

fn never() -> Expr {
    Expr::leaf(Op::Bool(false))
}
