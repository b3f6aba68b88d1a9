//! Tokens to forms. Never fails and never recurses: what does not balance is reported and mended.

use std::collections::BTreeMap;
use std::sync::Arc;

use dagaz_base::{Diagnostic, Diagnostics, FileId, Origin, Span};

use super::MAX_NESTING;
use super::form::{Form, Node};
use super::lexer::{Lexer, Token, TokenKind};

/// The forms of a text, in order.
///
/// * A `)` too many is skipped, with a warning.
/// * Lists that are open at the end of the file are closed there, with a warning.
/// * When they are, and a top-level keyword begins a line inside one of them, the list was meant to end before
///   that line: it is closed there, with an error.
/// * A string without an end ends with the file, with an error.
/// * What nests deeper than [`MAX_NESTING`] is left out, with an error.
pub fn parse(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Vec<Form> {
    let mut first = Parser::new(file, text, false);
    first.run();
    if first.unclosed() && first.keyword_at_margin {
        let mut second = Parser::new(file, text, true);
        second.run();
        return second.finish(diagnostics);
    }
    first.finish(diagnostics)
}

/// Whether a word is a keyword for the head of a list that stands in no other.
pub(crate) fn is_top_level_keyword(word: &str) -> bool {
    matches!(word, "define" | "game" | "include" | "translate" | "variant" | "version")
}

/// Enough for a person; a file with more is no rules file.
const MAX_FINDINGS: usize = 100;

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    /// Whether a top-level keyword at the margin closes what is open.
    margin_closes: bool,
    symbols: BTreeMap<&'a str, Arc<str>>,
    forms: Vec<Form>,
    open: Vec<OpenList>,
    /// Lists that are open beyond [`MAX_NESTING`].
    skipped: usize,
    line: Line,
    keyword_at_margin: bool,
    odd_indent: Option<OddIndent>,
    strays: Vec<Strays>,
    findings: Vec<Diagnostic>,
    too_deep: Option<usize>,
    text_runs_out: bool,
}

struct OpenList {
    start: usize,
    /// The indent of the line that it begins on.
    indent: usize,
    items: Vec<Form>,
}

/// One or more `)` in a row that close nothing.
struct Strays {
    start: usize,
    end: usize,
    count: usize,
    /// How many top-level forms stand before them.
    after_forms: usize,
}

/// The line of the current token.
#[derive(Clone, Copy, Default)]
struct Line {
    /// Bytes before the first token; 0 where a string from further up ends on the line.
    indent: usize,
    /// Whether the current token is the first.
    first: bool,
}

/// A `)` that begins its line further left than the line that its list begins on.
#[derive(Clone, Copy)]
struct OddIndent {
    /// The top-level list in which it happened.
    outermost: usize,
    open: usize,
    close: usize,
}

impl<'a> Parser<'a> {
    fn new(file: FileId, text: &'a str, margin_closes: bool) -> Self {
        Self {
            file,
            text,
            margin_closes,
            symbols: BTreeMap::new(),
            forms: Vec::new(),
            open: Vec::new(),
            skipped: 0,
            line: Line { indent: 0, first: true },
            keyword_at_margin: false,
            odd_indent: None,
            strays: Vec::new(),
            findings: Vec::new(),
            too_deep: None,
            text_runs_out: false,
        }
    }

    fn run(&mut self) {
        let mut previous = 0..0;
        for token in Lexer::new(self.text) {
            let gap = &self.text[previous.end..token.range.start];
            if let Some(newline) = gap.rfind('\n') {
                self.line = Line { indent: gap.len() - newline - 1, first: true };
            } else if previous.end > 0 {
                let indent = if self.text[previous].contains('\n') { 0 } else { self.line.indent };
                self.line = Line { indent, first: false };
            }
            previous = token.range.clone();
            match token.kind {
                TokenKind::Open => self.open(token.range.start),
                TokenKind::Close => self.close(token.range.start),
                TokenKind::Symbol if self.skipped == 0 => {
                    let name = &self.text[token.range.clone()];
                    let name = self.symbols.entry(name).or_insert_with(|| name.into()).clone();
                    self.push(Node::Symbol(name), token.range.start, token.range.end);
                }
                TokenKind::Text { closed } => {
                    if !closed {
                        self.unterminated(&token);
                    }
                    if self.skipped == 0 {
                        let contents = token.range.start + 1..token.range.end - usize::from(closed);
                        let node = Node::Text(self.text[contents].into());
                        self.push(node, token.range.start, token.range.end);
                    }
                }
                TokenKind::Symbol => {}
            }
        }
    }

    fn push(&mut self, node: Node, start: usize, end: usize) {
        let form = Form::new(node, self.origin(start, end));
        self.open.last_mut().map_or(&mut self.forms, |list| &mut list.items).push(form);
    }

    fn open(&mut self, start: usize) {
        if let Some(outermost) = self.open.first().map(|list| list.start)
            && self.top_level_keyword_at_margin(start)
        {
            self.keyword_at_margin = true;
            if self.margin_closes {
                self.report_unclosed(outermost, Some(start));
                self.close_all(start);
            }
        }
        if self.open.len() >= MAX_NESTING {
            self.skipped += 1;
            self.too_deep.get_or_insert(start);
        } else {
            self.open.push(OpenList { start, indent: self.line.indent, items: Vec::new() });
        }
    }

    fn close(&mut self, at: usize) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        let Some(list) = self.open.pop() else {
            self.stray_close(at);
            return;
        };
        if self.odd_indent.is_none()
            && let Some(outermost) = self.open.first().map(|list| list.start)
            && self.line.first
            && self.line.indent < list.indent
        {
            self.odd_indent = Some(OddIndent { outermost, open: list.start, close: at });
        }
        self.push(Node::List(list.items), list.start, at + 1);
    }

    /// Closes what is open, as if the parentheses stood before `end`.
    fn close_all(&mut self, end: usize) {
        self.skipped = 0;
        self.odd_indent = None;
        let end = self.text[..end].trim_end().len();
        while let Some(list) = self.open.pop() {
            self.push(Node::List(list.items), list.start, end.max(list.start + 1));
        }
    }

    /// Whether lists are open for want of a `)`, not because a string has swallowed it.
    fn unclosed(&self) -> bool {
        !self.open.is_empty() && !self.text_runs_out
    }

    fn finish(mut self, diagnostics: &mut Diagnostics) -> Vec<Form> {
        if self.unclosed()
            && let Some(outermost) = self.open.first().map(|list| list.start)
        {
            self.report_unclosed(outermost, None);
        }
        self.close_all(self.text.len());
        if let Some(start) = self.too_deep {
            let message = format!("lists are nested more than {MAX_NESTING} deep");
            self.findings.push(
                Diagnostic::error("zrf-nesting", self.origin(start, start + 1), message)
                    .label("this list and what is in it are left out")
                    .help("look for a `)` that is missing before this place, or move inner parts into macros"),
            );
        }
        let strays: Vec<_> = self.strays.iter().map(|strays| self.report_strays(strays)).collect();
        self.findings.extend(strays);
        self.findings.sort_by_key(|finding| finding.origin.span.start);
        self.findings.into_iter().for_each(|finding| diagnostics.push(finding));
        self.forms
    }

    fn report_unclosed(&mut self, outermost: usize, before: Option<usize>) {
        let missing = self.open.len() + self.skipped;
        let head = self.first_line(outermost);
        let name = self.list_name(outermost);
        let message = format!("{name} is not closed: {missing} `)` missing");
        let mut finding = match before {
            Some(start) => Diagnostic::error("zrf-unbalanced", head, message)
                .related(self.origin(start, start + 1).span, "this begins at the margin, inside it")
                .help(format!("add the missing `)` before {}", self.list_name(start))),
            None => Diagnostic::warning("zrf-unbalanced", head, message)
                .help("add the missing `)`; until then the end of the file closes the list"),
        };
        if let Some(odd) = self.odd_indent.filter(|odd| odd.outermost == outermost) {
            finding = finding
                .related(self.first_line(odd.open).span, "this list may be the one that lacks its `)` ...")
                .related(
                    self.origin(odd.close, odd.close + 1).span,
                    "... for this `)` closes it, and stands left of it",
                );
        }
        self.findings.push(finding.label("opened here"));
    }

    fn stray_close(&mut self, at: usize) {
        let (after_forms, full) = (self.forms.len(), self.strays.len() >= MAX_FINDINGS);
        match self.strays.last_mut() {
            Some(stray) if stray.after_forms == after_forms => {
                stray.end = at + 1;
                stray.count += 1;
            }
            _ if full => {}
            _ => self.strays.push(Strays { start: at, end: at + 1, count: 1, after_forms }),
        }
    }

    fn report_strays(&self, strays: &Strays) -> Diagnostic {
        let what = if strays.count == 1 { "a `)` that closes" } else { "several `)` that close" };
        let verb = if strays.count == 1 { "is" } else { "are" };
        let origin = self.origin(strays.start, strays.end);
        let finding = Diagnostic::warning("zrf-unbalanced", origin, format!("{what} nothing {verb} skipped"))
            .label("no list is open here")
            .help("remove it, or remove the `)` before it that closed its list too early");
        let before = strays.after_forms.checked_sub(1).map(|index| &self.forms[index]);
        let Some(before) = before.filter(|form| form.list().is_some()) else { return finding };
        let Span { start, end, .. } = before.origin.span;
        let name = self.list_name(start as usize);
        finding.related(self.origin(end as usize - 1, end as usize).span, format!("{name} ended here"))
    }

    fn unterminated(&mut self, token: &Token) {
        self.text_runs_out = true;
        let mut finding = Diagnostic::error(
            "zrf-unterminated-string",
            self.first_line(token.range.start),
            "a string has no end before the end of the file",
        )
        .label("this quotation mark has no partner")
        .help("add the missing `\"`; a string may span lines, so the true fault can be further up");
        // A missing quotation mark swaps what is inside and what is outside, and shows only at the end of the file:
        // the first string that swallowed the beginning of a list is the likely place.
        let swallowed = |string: &Token| {
            string.range.end < token.range.end
                && self.text[string.range.clone()].lines().skip(1).any(|line| line.trim_start().starts_with('('))
        };
        let suspect =
            Lexer::new(self.text).find(|other| matches!(other.kind, TokenKind::Text { .. }) && swallowed(other));
        if let Some(suspect) = suspect {
            let place = self.first_line(suspect.range.start).span;
            finding = finding.related(place, "this string holds whole lists: perhaps its `\"` is missing");
        }
        self.findings.push(finding);
    }

    fn top_level_keyword_at_margin(&self, start: usize) -> bool {
        let at_margin = start == 0 || self.text.as_bytes()[start - 1] == b'\n';
        at_margin
            && Lexer::new(&self.text[start + 1..]).next().is_some_and(|token| {
                let start = start + 1;
                is_top_level_keyword(&self.text[start + token.range.start..start + token.range.end])
            })
    }

    /// The beginning of a list in back-quotes, such as `` `(define step` ``.
    fn list_name(&self, start: usize) -> String {
        let mut words = Lexer::new(&self.text[start..]).skip(1).take(2);
        let word = |token: Option<Token>| {
            let token = token.filter(|token| token.kind == TokenKind::Symbol)?;
            Some(&self.text[start + token.range.start..start + token.range.end])
        };
        match (word(words.next()), word(words.next())) {
            (Some(head), Some(name)) if head == "define" => format!("`({head} {name}`"),
            (Some(head), _) => format!("`({head}`"),
            (None, _) => "`(`".to_owned(),
        }
    }

    /// From `start` to the end of its line, for things that would fill the screen.
    fn first_line(&self, start: usize) -> Origin {
        let line = self.text[start..].lines().next().unwrap_or_default();
        self.origin(start, start + line.trim_end().len().max(1))
    }

    fn origin(&self, start: usize, end: usize) -> Origin {
        Origin { span: Span { file: self.file, start: start as u32, end: end as u32 }, expansion: None }
    }
}
