//! Source texts, places in them, and the macro expansions through which a piece of text arrived where it is used.

use std::sync::Arc;

use crate::id::IdMap;

crate::id_type!(
    /// One source text.
    FileId
);
crate::id_type!(
    /// One use of a macro.
    ExpansionId
);

/// A range of bytes in one source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The text.
    pub file: FileId,
    /// First byte, from 0.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that holds both, when they are in the same text; else `self`.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Where something stands in the source, and by which macro uses it came to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The text itself.
    pub span: Span,
    /// The innermost macro use whose body holds the text, if any.
    pub expansion: Option<ExpansionId>,
}

/// One use of a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The macro's name.
    pub name: Arc<str>,
    /// The call.
    pub call: Origin,
}

/// All texts of one compilation, and the macro uses in them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: IdMap<FileId, File>,
    expansions: IdMap<ExpansionId, Expansion>,
}

/// A part of a text that is shown to people.
pub(crate) struct Excerpt<'a> {
    pub(crate) text: &'a str,
    /// The number of its first line, from 1.
    pub(crate) line: usize,
    /// Whether its first line lacks its beginning, or the last its end.
    pub(crate) cut: bool,
    /// Where in the text the span stands.
    pub(crate) marked: std::ops::Range<usize>,
}

/// Shared: whoever compiles many games of one file has its texts as often.
#[derive(Clone, Debug)]
struct File {
    name: Arc<str>,
    text: Arc<str>,
    line_starts: Arc<[u32]>,
}

impl Sources {
    /// No texts yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the name that diagnostics show.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        self.files.push(File { name: name.into().into(), text: text.into(), line_starts })
    }

    /// Notes the use of a macro.
    pub fn expand(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion)
    }

    /// All texts' ids, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        self.files.ids()
    }

    /// The name under which a text was added.
    pub fn name(&self, file: FileId) -> &str {
        &self.files[file].name
    }

    /// The whole text.
    pub fn text(&self, file: FileId) -> &str {
        &self.files[file].text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.files[span.file].text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// A macro use.
    pub fn expansion(&self, id: ExpansionId) -> &Expansion {
        &self.expansions[id]
    }

    /// How many macro uses were noted.
    pub fn expansion_count(&self) -> usize {
        self.expansions.len()
    }

    /// The macro uses through which `origin` arrived, innermost first.
    pub fn backtrace(&self, origin: Origin) -> impl Iterator<Item = &Expansion> {
        let mut next = origin.expansion;
        std::iter::from_fn(move || {
            let expansion = &self.expansions[next?];
            next = expansion.call.expansion;
            Some(expansion)
        })
    }

    /// What shows a span to people: its lines, or, where they are longer than anybody reads, what stands around its start.
    pub(crate) fn excerpt(&self, span: Span) -> Excerpt<'_> {
        /// Bytes of lines that are shown in whole.
        const MOST: usize = 1 << 14;
        /// Bytes that are shown before and behind where lines are cut.
        const AROUND: usize = 400;
        let file = &self.files[span.file];
        let (start, end) = (span.start as usize, span.end as usize);
        let line = file.line_starts.partition_point(|&line| line as usize <= start);
        let first = file.line_starts[line - 1] as usize;
        let end_of_line = |from: usize| file.text[from..].find('\n').map_or(file.text.len(), |at| from + at);
        let last = end_of_line(end);
        if last - first <= MOST {
            return Excerpt { text: &file.text[first..last], line, cut: false, marked: start - first..end - first };
        }
        let near =
            |byte: usize, limit: usize| (byte..limit).find(|&at| file.text.is_char_boundary(at)).unwrap_or(limit);
        let last = end_of_line(start);
        let (first, last) =
            (near(start.saturating_sub(AROUND).max(first), start), near((start + AROUND).min(last), last));
        Excerpt { text: &file.text[first..last], line, cut: true, marked: start - first..end.min(last) - first }
    }

    /// Line and column of a byte, both from 1; the column counts characters.
    pub fn line_column(&self, file: FileId, byte: u32) -> (usize, usize) {
        let file = &self.files[file];
        let line = file.line_starts.partition_point(|&start| start <= byte);
        let start = file.line_starts[line - 1] as usize;
        let column = file.text.get(start..byte as usize).map_or(0, |before| before.chars().count());
        (line, column + 1)
    }

    /// `name:line:column` of the span's start.
    pub fn location(&self, span: Span) -> String {
        let (line, column) = self.line_column(span.file, span.start);
        format!("{}:{line}:{column}", self.name(span.file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of one line would be drawn once for each finding.
    #[test]
    fn of_a_line_without_an_end_only_the_surroundings_are_shown() {
        let mut sources = Sources::new();
        let file = sources.add("a.zrf", format!("first\n{}\nlast", "т.".repeat(100_000)));
        let excerpt = |start: u32, end: u32| sources.excerpt(Span { file, start, end });
        let (whole, part) = (excerpt(0, 5), excerpt(90_008, 300_000));
        assert_eq!((whole.text, whole.line, whole.cut, whole.marked), ("first", 1, false, 0..5));
        assert_eq!((part.line, part.cut, part.marked.len()), (2, true, 400));
        assert!(part.text.len() <= 800 && part.text.starts_with(['т', '.']), "{}", part.text);
        assert!(part.text[part.marked.start..].starts_with('.'));
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        let mut sources = Sources::new();
        let file = sources.add("a.zrf", "ab\nтc\n");
        assert_eq!(sources.line_column(file, 0), (1, 1));
        assert_eq!(sources.line_column(file, 2), (1, 3));
        assert_eq!(sources.line_column(file, 3), (2, 1));
        assert_eq!(sources.line_column(file, 5), (2, 2));
        assert_eq!(sources.line_column(file, 7), (3, 1));
    }
}
