//! View files: forms to a [`View`], with what is wrong with them.

use dagaz_base::{Diagnostic, Diagnostics, FileId, Origin, Span};
use dagaz_board::Area;

use crate::figures::{Figure, NAMES, SYMBOLS, Shape};
use crate::form::{self, Form, What};
use crate::paint::{is_colour, is_of_board};
use crate::view::{Board, Dice, Labels, LookRule, Loop, Name, Spread, View};

/// The items of a view file, and how each is written.
const ITEMS: &[(&str, &str)] = &[
    ("board", "(board cells), (board points), (board pits) or (board holes)"),
    ("fill", "(fill plain), (fill checkered) or (fill PAINT SITE…)"),
    ("labels", "(labels none), (labels border) or (labels sites)"),
    ("facing", "(facing)"),
    ("paint", "(paint NAME \"#rrggbb\") or (paint NAME \"#rrggbb\" \"#rrggbb\"), the second for the dark theme"),
    ("colour", "(colour PLAYER \"#rrggbb\")"),
    ("look", "(look KIND FIGURE…) or (look (KIND PLAYER) FIGURE…)"),
    ("letter", "(letter KIND \"K\")"),
    ("name", "(name KIND \"words\")"),
    ("lines", "(lines DIRECTION…)"),
    ("gaps", "(gaps (SITE SITE)…)"),
    ("stroke", "(stroke SITE SITE…)"),
    ("loop", "(loop CENTRE FROM TO)"),
    ("dots", "(dots SITE…) or (dots NUMBER-OF-SITES SITE…)"),
    ("sign", "(sign FIGURE SITE…)"),
    ("frame", "(frame SITE…)"),
    ("hide", "(hide SITE…)"),
    ("place", "(place SITE left top right bottom)"),
    ("spread", "(spread up LENGTH SITE…), or right, down, left"),
    ("seeds", "(seeds VARIABLE)"),
    ("dice", "(dice VARIABLE cubes) or (dice VARIABLE corners)"),
    ("hands", "(hands yes) or (hands no)"),
    ("scores", "(scores yes) or (scores no)"),
    ("join", "(join KIND…)"),
];

impl View {
    /// Reads a view file. Whatever is wrong with it is left out of the view and told.
    pub fn read(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Self {
        let forms = form::read(file, text, diagnostics);
        let mut reader = Reader { view: Self::default(), diagnostics };
        for form in &forms {
            reader.item(form);
        }
        reader.view
    }
}

struct Reader<'a> {
    view: View,
    diagnostics: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn item(&mut self, form: &Form) {
        let head = form.list().and_then(|list| Some((list.first()?.word()?, list)));
        let Some((head, list)) = head else {
            self.fault(
                "view-item",
                form.span,
                "this is no item of a view",
                "an item is a list that begins with a word",
                None,
            );
            return;
        };
        let Some(&(_, usage)) = ITEMS.iter().find(|(known, _)| *known == head) else {
            let names: Vec<&str> = ITEMS.iter().map(|(name, _)| *name).collect();
            let help = format!("the items are {}", names.join(", "));
            self.fault("view-item", list[0].span, &format!("`{head}` is no item of a view"), "not known", Some(help));
            return;
        };
        if self.take(head, &list[1..]).is_none() {
            let help = Some(format!("it is written {usage}"));
            self.fault("view-form", form.span, &format!("`{head}` is not well formed"), "this item", help);
        }
    }

    fn fault(&mut self, code: &'static str, span: Span, message: &str, label: &str, help: Option<String>) {
        let mut found = Diagnostic::error(code, Origin { span, expansion: None }, message).label(label);
        found.help = help;
        self.diagnostics.push(found);
    }

    /// Takes an item in; nothing when it is not well formed.
    fn take(&mut self, head: &str, rest: &[Form]) -> Option<()> {
        match head {
            "board" => {
                self.view.board = Some(match only_word(rest)? {
                    "cells" => Board::Cells,
                    "points" => Board::Points,
                    "pits" => Board::Pits,
                    "holes" => Board::Holes,
                    _ => return None,
                });
            }
            "fill" => match (rest.first()?.word(), rest.len()) {
                (Some("plain"), 1) => self.view.checkered = Some(false),
                (Some("checkered"), 1) => self.view.checkered = Some(true),
                _ => {
                    let paint = self.paint(rest.first()?)?;
                    let sites = self.names(&rest[1..], Name::Sites)?;
                    self.view.fills.push((paint, sites));
                }
            },
            "labels" => {
                self.view.labels = Some(match only_word(rest)? {
                    "none" => Labels::None,
                    "border" => Labels::Border,
                    "sites" => Labels::Sites,
                    _ => return None,
                });
            }
            "facing" if rest.is_empty() => self.view.facing = true,
            "paint" => {
                let (name, light) = (rest.first()?.word()?, colour(rest.get(1)?)?);
                let dark = rest.get(2).map_or(Some(light.clone()), colour)?;
                self.view.paints.insert(name.to_owned(), [light, dark]);
            }
            "colour" => {
                let player = self.name(rest.first()?, Name::Player)?;
                self.view.colours.push((player, colour(rest.get(1)?)?));
            }
            "look" => {
                let (kind, owner) = match (rest.first()?, rest.first()?.list()) {
                    (_, Some([kind, owner])) => (self.name(kind, Name::Kind)?, Some(self.name(owner, Name::Player)?)),
                    (kind, None) => (self.name(kind, Name::Kind)?, None),
                    _ => return None,
                };
                let figures = rest[1..].iter().map(|form| self.figure(form)).collect::<Option<Vec<_>>>()?;
                if figures.is_empty() {
                    return None;
                }
                self.view.looks.push(LookRule { kind, owner, figures });
            }
            "letter" => {
                let kind = self.name(rest.first()?, Name::Kind)?;
                self.view.letters.push((kind, text(rest.get(1)?)?));
            }
            "name" => {
                let kind = self.name(rest.first()?, Name::Kind)?;
                self.view.names.push((kind, text(rest.get(1)?)?));
            }
            "lines" => self.view.lines = Some(self.names(rest, Name::Direction)?),
            "gaps" => {
                for pair in rest {
                    let [from, to] = pair.list()? else { return None };
                    let pair = (self.name(from, Name::Site)?, self.name(to, Name::Site)?);
                    self.view.gaps.push(pair);
                }
            }
            "stroke" => {
                let sites = self.names(rest, Name::Site)?;
                self.view.strokes.push(sites);
            }
            "loop" => {
                let [centre, from, to] = rest else { return None };
                let [centre, from, to] = [centre, from, to].map(|form| self.name(form, Name::Site));
                self.view.loops.push(Loop { centre: centre?, from: from?, to: to? });
            }
            "dots" => {
                let size = rest.first()?.word().and_then(|word| word.parse().ok());
                let sites = self.names(&rest[usize::from(size.is_some())..], Name::Site)?;
                self.view.dots.push((size, sites));
            }
            "sign" => {
                let figure = self.figure(rest.first()?)?;
                let sites = self.names(&rest[1..], Name::Sites)?;
                self.view.signs.push((figure, sites));
            }
            "frame" => {
                let sites = self.names(rest, Name::Sites)?;
                self.view.frames.push(sites);
            }
            "hide" => {
                let sites = self.names(rest, Name::Sites)?;
                self.view.hidden.extend(sites);
            }
            "place" => {
                let [site, left, top, right, bottom] = rest else { return None };
                let site = self.name(site, Name::Site)?;
                let area =
                    Area { left: number(left)?, top: number(top)?, right: number(right)?, bottom: number(bottom)? };
                if area.left >= area.right || area.top >= area.bottom {
                    return None;
                }
                self.view.areas.push((site, area));
            }
            "spread" => {
                let quarters = ["up", "right", "down", "left"]
                    .iter()
                    .position(|way| Some(*way) == rest.first().and_then(Form::word))?;
                let length = number::<u32>(rest.get(1)?).filter(|length| (1..=99).contains(length))?;
                let sites = self.names(&rest[2..], Name::Sites)?;
                self.view.spreads.push(Spread { sites, quarters: quarters as u8, length });
            }
            "seeds" => self.view.seeds = Some(self.name(one(rest)?, Name::Variable)?),
            "dice" => {
                let [variable, form] = rest else { return None };
                let variable = self.name(variable, Name::Variable)?;
                let form = match form.word()? {
                    "cubes" => Dice::Cubes,
                    "corners" => Dice::Corners,
                    _ => return None,
                };
                self.view.dice = Some((variable, form));
            }
            "hands" => self.view.hands = Some(truth(rest)?),
            "scores" => self.view.scores = Some(truth(rest)?),
            "join" => {
                let kinds = self.names(rest, Name::Kind)?;
                self.view.joined.extend(kinds);
            }
            _ => return None,
        }
        Some(())
    }

    /// A figure: its name, a text, or a list of either with a size or a paint.
    fn figure(&mut self, form: &Form) -> Option<Figure> {
        let (first, options) = match &form.what {
            What::List(forms) => forms.split_first()?,
            What::Word(_) | What::Text(_) => (form, &[][..]),
        };
        let mut figure = match &first.what {
            What::Text(text) => Figure::of(Shape::Text(text.clone())),
            What::Word(name) => match Figure::named(name) {
                Some(figure) => figure,
                None => {
                    let names: Vec<&str> =
                        NAMES.iter().copied().chain(SYMBOLS.iter().map(|(name, ..)| *name)).collect();
                    let help = Some(format!("the figures are {}, letter, and texts in quotes", names.join(", ")));
                    self.fault("view-figure", first.span, &format!("`{name}` is no figure"), "not known", help);
                    return Some(Figure::text("?"));
                }
            },
            What::List(_) => return None,
        };
        for option in options {
            match option.word().and_then(|word| word.parse::<f64>().ok()) {
                Some(size) if (0.05..=2.0).contains(&size) => figure.size = size,
                Some(_) => return None,
                None => figure.paint = Some(self.paint(option)?),
            }
        }
        Some(figure)
    }

    /// A paint: a colour, the name of a paint of every board or of one that stands before.
    fn paint(&mut self, form: &Form) -> Option<String> {
        if let What::Text(_) = form.what {
            return colour(form);
        }
        let name = form.word()?;
        if !is_of_board(name) && !self.view.paints.contains_key(name) {
            let help = Some("give it a colour first, by `(paint NAME \"#rrggbb\")`".to_owned());
            self.fault("view-paint", form.span, &format!("there is no paint `{name}`"), "not known", help);
        }
        Some(name.to_owned())
    }

    fn name(&mut self, form: &Form, what: fn(String) -> Name) -> Option<String> {
        let name = match &form.what {
            What::Word(name) | What::Text(name) => name.clone(),
            What::List(_) => return None,
        };
        self.view.used.push((what(name.clone()), form.span));
        Some(name)
    }

    fn names(&mut self, forms: &[Form], what: fn(String) -> Name) -> Option<Vec<String>> {
        let names: Vec<String> = forms.iter().map(|form| self.name(form, what)).collect::<Option<_>>()?;
        Some(names).filter(|names| !names.is_empty())
    }
}

fn one(forms: &[Form]) -> Option<&Form> {
    match forms {
        [form] => Some(form),
        _ => None,
    }
}

fn only_word(forms: &[Form]) -> Option<&str> {
    one(forms)?.word()
}

fn truth(forms: &[Form]) -> Option<bool> {
    match only_word(forms)? {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn text(form: &Form) -> Option<String> {
    match &form.what {
        What::Text(text) if !text.is_empty() => Some(text.clone()),
        _ => None,
    }
}

fn colour(form: &Form) -> Option<String> {
    text(form).filter(|text| is_colour(text))
}

fn number<N: std::str::FromStr>(form: &Form) -> Option<N> {
    form.word()?.parse().ok()
}
