//! Macros: `(define NAME body...)` and what becomes of `(NAME argument...)`.
//!
//! The body is spliced in place of the use. `$n` in it, also within symbols and strings, becomes the n-th argument;
//! a missing one is looked for in the use around it, which is how a body hands its own arguments on unsaid
//! (reference: nested uses are expanded first and leave an unknown `$n` alone). Nothing here knows what any other
//! keyword means.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use dagaz_base::{Diagnostic, Diagnostics, Expansion, ExpansionId, Origin, Sources};

use crate::syntax::{Form, MAX_NESTING, MacroUse, Node};

/// How many uses may stand in one another.
const MAX_DEPTH: usize = 100;

/// How many forms the macros of one game may produce.
const MAX_PRODUCED: usize = 4_000_000;

/// How many uses of macros one compilation may have: each is remembered for diagnostics. Reached before
/// [`MAX_PRODUCED`] only when many games are near it.
const MAX_USES: usize = 4_000_000;

/// How much text the arguments of one symbol or string may make it.
const MAX_TOKEN_BYTES: usize = 1 << 20;

/// All macros of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Macros {
    table: BTreeMap<Arc<str>, Macro>,
}

#[derive(Clone, Debug)]
struct Macro {
    body: Vec<Form>,
    definition: Origin,
    source: MacroSource,
}

/// Who defines a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MacroSource {
    /// The author of the rules.
    Rules,
    /// The standard library, whose macros are there to be replaced.
    Library,
}

impl Macros {
    /// Takes in a `define` form. Of several definitions of one name the last holds, everywhere; but the rules have the
    /// last word over the library, wherever they include it.
    pub(crate) fn define(&mut self, form: &Form, source: MacroSource, diagnostics: &mut Diagnostics) {
        let [_, name, body @ ..] = form.list().unwrap_or_default() else {
            diagnostics.push(
                Diagnostic::error("zrf-define", form.origin, "a definition has no name")
                    .label("a name is missing")
                    .help("write `(define NAME body...)`"),
            );
            return;
        };
        let Node::Symbol(symbol) = &name.node else {
            diagnostics.push(
                Diagnostic::error("zrf-define", name.origin, "a macro's name is not a symbol")
                    .label("a name is wanted here")
                    .help("write `(define NAME body...)`"),
            );
            return;
        };
        if source == MacroSource::Library && self.table.get(symbol).is_some_and(|old| old.source != source) {
            return;
        }
        let new = Macro { body: body.to_vec(), definition: name.origin, source };
        if let Some(old) = self.table.insert(symbol.clone(), new).filter(|old| old.source == source) {
            let same = old.body.len() == body.len() && old.body.iter().zip(body).all(|(a, b)| a.same_text(b));
            if !same {
                diagnostics.push(
                    Diagnostic::warning(
                        "zrf-redefined",
                        name.origin,
                        format!("the macro `{symbol}` is defined twice, differently"),
                    )
                    .label("this definition holds, in the whole file")
                    .related(old.definition.span, "this one is without effect")
                    .help("remove one of them or give it another name"),
                );
            }
        }
    }
}

/// How much of what macros produce is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it.
    Whole,
    /// Which games and variants there are and the sections that tell them apart; of all else, the heads.
    Outline,
}

/// Sections that an outline shows in whole.
const OUTLINE: [&str; 2] = ["default", "title"];

/// One run of expansion, with its limits.
pub(crate) struct Expander<'a> {
    macros: &'a Macros,
    sources: &'a mut Sources,
    diagnostics: &'a mut Diagnostics,
    extent: Extent,
    produced: usize,
    /// Macros and numbers of arguments that they lack, which are reported.
    missing: BTreeSet<(Arc<str>, usize)>,
    /// A limit was met: produce no more.
    stopped: bool,
}

/// A use that is being expanded.
struct Frame<'f> {
    name: &'f Arc<str>,
    arguments: &'f [Form],
    call: Origin,
    expansion: ExpansionId,
    depth: usize,
    caller: Option<&'f Frame<'f>>,
}

impl<'f> Frame<'f> {
    /// This use and those around it, innermost first.
    fn chain(&'f self) -> impl Iterator<Item = &'f Frame<'f>> {
        std::iter::successors(Some(self), |frame| frame.caller)
    }

    /// The argument of a number from 1, of this use or else of the nearest around it that has one.
    fn argument(&'f self, number: usize) -> Option<&'f Form> {
        let index = number.checked_sub(1)?;
        self.chain().find_map(|frame| frame.arguments.get(index))
    }

    /// The use that the author wrote outside all macros.
    fn outermost(&'f self) -> &'f Frame<'f> {
        self.chain().last().unwrap_or(self)
    }
}

impl<'a> Expander<'a> {
    pub(crate) fn new(
        macros: &'a Macros,
        sources: &'a mut Sources,
        diagnostics: &'a mut Diagnostics,
        extent: Extent,
    ) -> Self {
        Self { macros, sources, diagnostics, extent, produced: 0, missing: BTreeSet::new(), stopped: false }
    }

    /// What a form outside all macros becomes: one form, or any number if it is the use of a macro.
    pub(crate) fn expand(&mut self, form: &Form) -> Vec<Form> {
        let mut out = Vec::new();
        self.form(form, None, 0, &mut out);
        out
    }

    fn forms(&mut self, forms: &[Form], frame: Option<&Frame<'_>>, level: usize, out: &mut Vec<Form>) {
        for form in forms {
            if self.stopped {
                return;
            }
            self.form(form, frame, level, out);
        }
    }

    /// `level` counts the lists around the form in what is produced.
    fn form(&mut self, form: &Form, frame: Option<&Frame<'_>>, level: usize, out: &mut Vec<Form>) {
        match &form.node {
            Node::List(items) => self.list(form, items, frame, level, out),
            Node::Symbol(_) | Node::Text(_) => {
                let form = self.token(form, frame, level);
                self.emit(form, frame, out);
            }
        }
    }

    fn list(&mut self, form: &Form, items: &[Form], frame: Option<&Frame<'_>>, level: usize, out: &mut Vec<Form>) {
        let origin = placed(form.origin, frame);
        if level >= MAX_NESTING {
            self.stop_too_deep(origin, frame);
            return;
        }
        let head = match items.first() {
            Some(first) if first.symbol().is_some() => Some(self.token(first, frame, level + 1)),
            _ => None,
        };
        let rest = &items[usize::from(head.is_some())..];
        let macros = self.macros;
        if let Some(Node::Symbol(name)) = head.as_ref().map(|head| &head.node)
            && let Some((name, definition)) = macros.table.get_key_value(name)
        {
            self.call(name, definition, rest, origin, frame, level, out);
            return;
        }
        let extent = self.extent;
        let mut list = Vec::with_capacity(items.len());
        let wanted = match head.as_ref().and_then(Form::symbol) {
            _ if extent == Extent::Whole => true,
            Some("game" | "variant") => true,
            Some(name) if OUTLINE.contains(&name) => {
                self.extent = Extent::Whole;
                true
            }
            _ => false,
        };
        if let Some(head) = head {
            self.emit(head, frame, &mut list);
        }
        if wanted {
            self.forms(rest, frame, level + 1, &mut list);
        }
        self.extent = extent;
        self.emit(Form::new(Node::List(list), origin), frame, out);
    }

    #[expect(clippy::too_many_arguments, reason = "one call from one place; a struct would only rename them")]
    fn call(
        &mut self,
        name: &Arc<str>,
        definition: &Macro,
        arguments: &[Form],
        call: Origin,
        frame: Option<&Frame<'_>>,
        level: usize,
        out: &mut Vec<Form>,
    ) {
        let depth = frame.map_or(1, |frame| frame.depth + 1);
        if depth > MAX_DEPTH {
            self.stop_recursion(name, call, frame);
            return;
        }
        let mut values = Vec::with_capacity(arguments.len());
        let extent = std::mem::replace(&mut self.extent, Extent::Whole);
        self.forms(arguments, frame, level + 1, &mut values);
        self.extent = extent;
        let expansion = self.sources.expand(Expansion { name: name.clone(), call });
        let inner = Frame { name, arguments: &values, call, expansion, depth, caller: frame };
        let before = out.len();
        self.produce(1, &inner);
        self.forms(&definition.body, Some(&inner), level, out);
        if let [Form { node: Node::List(_), made_by, .. }] = &mut out[before..] {
            let arguments = values.iter().map(source_text).collect();
            *made_by = Some(Arc::new(MacroUse { name: name.clone(), arguments }));
        }
    }

    /// A symbol or string after substitution.
    fn token(&mut self, form: &Form, frame: Option<&Frame<'_>>, level: usize) -> Form {
        let origin = placed(form.origin, frame);
        let (Node::Symbol(text) | Node::Text(text)) = &form.node else { return form.clone() };
        if !text.contains('$') {
            return Form::new(form.node.clone(), origin);
        }
        let is_symbol = form.symbol().is_some();
        let Some(frame) = frame else {
            if is_symbol && let Some(place) = Placeholder::find(text) {
                self.report_missing(&place, form, None);
            }
            return Form::new(form.node.clone(), origin);
        };
        if is_symbol
            && let Some(place) = Placeholder::find(text)
            && place.start == 0
            && place.end == text.len()
            && let Some(argument) = frame.argument(place.number)
        {
            let (size, depth) = argument.extent();
            if depth > 0 && level + depth > MAX_NESTING {
                self.stop_too_deep(origin, Some(frame));
            } else if self.produce(size - 1, frame) {
                let origin = if depth > 0 { argument.origin } else { origin };
                return Form { origin, ..argument.clone() };
            }
            return Form::new(form.node.clone(), origin);
        }
        let text = self.substitute(form, text, frame);
        Form::new(if is_symbol { Node::Symbol(text) } else { Node::Text(text) }, origin)
    }

    /// The text of a symbol or string with each `$n` replaced that has an argument.
    fn substitute(&mut self, form: &Form, text: &Arc<str>, frame: &Frame<'_>) -> Arc<str> {
        let (mut result, mut rest) = (String::new(), &**text);
        while let Some(place) = Placeholder::find(rest) {
            result.push_str(&rest[..place.start]);
            let written = &rest[place.start..place.end];
            rest = &rest[place.end..];
            match frame.argument(place.number).map(|argument| (argument, &argument.node)) {
                Some((_, Node::Symbol(value) | Node::Text(value))) => result.push_str(value),
                Some((list, Node::List(_))) => _ = write!(result, "{list}"),
                None => {
                    result.push_str(written);
                    self.report_missing(&place, form, Some(frame));
                }
            }
            if result.len() > MAX_TOKEN_BYTES {
                self.stop_too_much(frame);
                return text.clone();
            }
        }
        result.push_str(rest);
        self.produce(result.len() / 16, frame);
        result.into()
    }

    fn emit(&mut self, form: Form, frame: Option<&Frame<'_>>, out: &mut Vec<Form>) {
        if frame.is_none_or(|frame| self.produce(1, frame)) {
            out.push(form);
        }
    }

    /// Counts produced forms; whether more may be.
    fn produce(&mut self, forms: usize, frame: &Frame<'_>) -> bool {
        self.produced += forms;
        if self.produced > MAX_PRODUCED || self.sources.expansion_count() > MAX_USES {
            self.stop_too_much(frame);
        }
        !self.stopped
    }

    fn stop_too_much(&mut self, frame: &Frame<'_>) {
        let outermost = frame.outermost();
        let name = outermost.name;
        self.stop(
            Diagnostic::error("zrf-macro-limit", outermost.call, format!("the macro `{name}` produces too much"))
                .label(format!("here more than {MAX_PRODUCED} forms have come out of macros"))
                .help(format!("look in `{name}` and what it uses for macros that use others several times over")),
        );
    }

    fn stop_too_deep(&mut self, origin: Origin, frame: Option<&Frame<'_>>) {
        let message = frame.map_or("lists".to_owned(), |frame| format!("the lists that `{}` makes", frame.name));
        self.stop(
            Diagnostic::error("zrf-nesting", origin, format!("{message} are nested more than {MAX_NESTING} deep"))
                .label("one list too deep")
                .help("split the rule, or look for a macro that wraps its argument again and again"),
        );
    }

    fn stop_recursion(&mut self, name: &Arc<str>, call: Origin, frame: Option<&Frame<'_>>) {
        let frames: Vec<&Frame<'_>> = frame.into_iter().flat_map(Frame::chain).collect();
        // Outermost first, with the use that was one too many at the end.
        let path: Vec<(&Arc<str>, Origin)> =
            frames.iter().rev().map(|frame| (frame.name, frame.call)).chain([(name, call)]).collect();
        let last = path.len() - 1;
        let Some(length) = (1..=last).find(|&length| path[last - length].0 == name) else {
            self.stop(
                Diagnostic::error("zrf-macro-recursion", call, format!("macros are nested more than {MAX_DEPTH} deep"))
                    .label(format!("`{name}` is one too many"))
                    .help("make the chain of macros shorter"),
            );
            return;
        };
        let first = (length..=last).rev().take_while(|&at| path[at].0 == path[at - length].0).last().unwrap_or(last);
        let cycle = &path[first - length..=first];
        let names: Vec<String> = cycle.iter().map(|(name, _)| format!("`{name}`")).collect();
        self.stop(
            Diagnostic::error(
                "zrf-macro-recursion",
                cycle[length].1,
                format!("the macro {} uses itself: {}", names[0], names.join(" -> ")),
            )
            .label("this use never comes to an end")
            .help(
                "macros are replaced before the game begins and cannot repeat: use `while`, or write the repetitions out",
            ),
        );
    }

    fn stop(&mut self, finding: Diagnostic) {
        if !self.stopped {
            self.diagnostics.push(finding);
        }
        self.stopped = true;
    }

    /// `form` is the symbol or string as written. In a string nobody reads a name, so that it is not an error there.
    fn report_missing(&mut self, place: &Placeholder, form: &Form, frame: Option<&Frame<'_>>) {
        let number = place.number;
        let finding = if form.symbol().is_some() { Diagnostic::error } else { Diagnostic::warning };
        let finding = |message| finding("zrf-unknown-macro-argument", placed(form.origin, frame), message);
        let Some(frame) = frame else {
            self.diagnostics.push(
                finding(format!("`${number}` is not in a macro"))
                    .label("there are no arguments here")
                    .help("`$n` stands for an argument, in the body of a `define`"),
            );
            return;
        };
        let name = frame.name;
        if self.missing.insert((name.clone(), number)) {
            let given = match frame.arguments.len() {
                0 => "no argument".to_owned(),
                1 => "1 argument".to_owned(),
                given => format!("{given} arguments"),
            };
            self.diagnostics.push(
                finding(format!("`${number}` of the macro `{name}` has no argument"))
                    .label(format!("this use of `{name}` gives {given}, and none around it has more"))
                    .help(format!("give `{name}` its argument number {number}")),
            );
        }
    }
}

/// Where a form stands that comes from a macro's body, or from outside all macros.
fn placed(origin: Origin, frame: Option<&Frame<'_>>) -> Origin {
    frame.map_or(origin, |frame| Origin { span: origin.span, expansion: Some(frame.expansion) })
}

fn source_text(form: &Form) -> Arc<str> {
    match &form.node {
        Node::Symbol(name) => name.clone(),
        _ => form.to_string().into(),
    }
}

/// A `$n` in a text.
#[derive(Debug, PartialEq, Eq)]
struct Placeholder {
    start: usize,
    end: usize,
    number: usize,
}

impl Placeholder {
    /// The first one. It takes all digits that follow, so that `$10` is the tenth argument.
    fn find(text: &str) -> Option<Self> {
        text.match_indices('$').find_map(|(start, _)| {
            let digits = text[start + 1..].bytes().take_while(u8::is_ascii_digit).count();
            let end = start + 1 + digits;
            let number = text[start + 1..end].parse().ok()?;
            (number > 0).then_some(Self { start, end, number })
        })
    }
}
