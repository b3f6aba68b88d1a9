//! Diagnostics for the authors of rule files, as data; [`Diagnostic::render`] makes them text as rustc does.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};

use crate::source::{Excerpt, Origin, Sources, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text is accepted; the author probably wants to know.
    Warning,
    /// The text is not accepted.
    Error,
}

/// One finding: what, where, why and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The stable name of this kind of finding, such as `zrf-unknown-name`.
    pub code: &'static str,
    /// What is wrong, in one line.
    pub message: String,
    /// Where, with its macro uses.
    pub origin: Origin,
    /// Why, in a few words, shown under the place.
    pub label: String,
    /// Further places that matter.
    pub related: Vec<(Span, String)>,
    /// What the author can do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static str, origin: Origin, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, origin, message)
    }

    /// A warning.
    pub fn warning(code: &'static str, origin: Origin, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, origin, message)
    }

    fn new(severity: Severity, code: &'static str, origin: Origin, message: impl Into<String>) -> Self {
        let (message, label) = (message.into(), String::new());
        Self { severity, code, message, origin, label, related: Vec::new(), help: None }
    }

    /// Adds the words shown under the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds another place that matters.
    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push((span, text.into()));
        self
    }

    /// Adds what the author can do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The diagnostic as text: message, source lines, macro uses, help. No colours.
    pub fn render(&self, sources: &Sources) -> String {
        self.render_with(sources, &Renderer::plain())
    }

    /// The same with colours for a terminal.
    pub fn render_styled(&self, sources: &Sources) -> String {
        self.render_with(sources, &Renderer::styled())
    }

    fn render_with(&self, sources: &Sources, renderer: &Renderer) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(&self.message).id(self.code);
        let mut group = title.elements(shown(sources, self.origin.span, AnnotationKind::Primary, &self.label));
        let calls: Vec<_> = sources.backtrace(self.origin).collect();
        let notes: Vec<String> = calls.iter().map(|call| format!("in this use of the macro `{}`", call.name)).collect();
        // Long chains of macros repeat themselves: the innermost and the outermost tell the story.
        const SHOWN: usize = 4;
        for (index, call) in calls.iter().enumerate() {
            if index < SHOWN - 1 || index + 1 == calls.len() {
                group = group.elements(shown(sources, call.call.span, AnnotationKind::Context, &notes[index]));
            }
        }
        for (span, text) in &self.related {
            group = group.elements(shown(sources, *span, AnnotationKind::Context, text));
        }
        let mut report = vec![group];
        if let Some(help) = &self.help {
            report.push(Group::with_title(Level::HELP.secondary_title(help)));
        }
        let text = renderer.render(&report);
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n"
    }
}

/// A place with a label under it. Only its surroundings are drawn: a line may be as long as a file.
fn shown<'a>(sources: &'a Sources, span: Span, kind: AnnotationKind, label: &'a str) -> Vec<Element<'a>> {
    let Excerpt { text, line, cut, marked } = sources.excerpt(span);
    let snippet = Snippet::source(text).line_start(line).annotation(kind.span(marked).label(label));
    if !cut {
        return vec![snippet.path(sources.name(span.file)).into()];
    }
    let column = sources.line_column(span.file, span.start).1;
    vec![annotate_snippets::Origin::path(sources.name(span.file)).line(line).char_column(column).into(), snippet.into()]
}

/// The findings of one compilation, in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
    /// Findings past the limit, which were counted and not kept.
    dropped: usize,
    /// Whether an error was found, kept or not.
    errors: bool,
}

impl Diagnostics {
    /// No file is worth more findings than a person would read.
    const LIMIT: usize = 200;

    /// Nothing found yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding, unless the very same was made before (one macro, used many times, is faulty once).
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let same = |other: &&Diagnostic| {
            other.code == diagnostic.code
                && other.origin.span == diagnostic.origin.span
                && other.message == diagnostic.message
        };
        if self.items.iter().rev().find(same).is_some() {
            return;
        }
        // The first error is worth more than the last warning.
        let first_error = diagnostic.severity == Severity::Error && !self.errors;
        self.errors |= first_error;
        if self.items.len() >= Self::LIMIT && !first_error {
            self.dropped += 1;
            return;
        }
        self.items.push(diagnostic);
    }

    /// Whether an error is among them.
    pub fn has_errors(&self) -> bool {
        self.errors
    }

    /// All kept findings.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.items.iter()
    }

    /// How many were found and not kept.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// All kept findings as text, one after the other.
    pub fn render(&self, sources: &Sources) -> String {
        self.items.iter().map(|item| item.render(sources)).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_of_warnings_hides_an_error() {
        let mut sources = Sources::new();
        let file = sources.add("a.zrf", "x".repeat(4000));
        let at = |start| Origin { span: Span { file, start, end: start + 1 }, expansion: None };
        let mut diagnostics = Diagnostics::new();
        for start in 0..1500 {
            diagnostics.push(Diagnostic::warning("w", at(start), "warning"));
        }
        assert!(!diagnostics.has_errors());
        diagnostics.push(Diagnostic::error("e", at(2000), "error"));
        diagnostics.push(Diagnostic::error("e", at(2001), "error"));
        assert!(diagnostics.has_errors());
        assert_eq!(diagnostics.iter().filter(|found| found.severity == Severity::Error).count(), 1);
        assert_eq!(diagnostics.dropped(), 1301);
    }
}
