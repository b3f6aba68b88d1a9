//! A rules file as a menu of games: includes brought in, macros collected, each game and variant ready to be expanded.
//!
//! Files are read by the caller's [`Loader`]. What the sections of a game mean is not known here, save for `title` and
//! `default`, which make the menu.

use dagaz_base::{Diagnostic, Diagnostics, FileId, Origin, Sources, Span};

use crate::encoding::decode;
use crate::library;
use crate::macros::{Expander, Extent, MacroSource, Macros};
use crate::syntax::{Form, Node, is_top_level_keyword, parse};

/// Gives the bytes of an included file, or nothing if there is none.
///
/// The path has `/` between its parts and is relative to the folder of the document's own file. It is what the file
/// says: it may begin with `../` or be absolute, and the loader must decide what it lets in. File names were written
/// for a system that does not tell upper from lower case.
pub type Loader<'a> = dyn FnMut(&str) -> Option<Vec<u8>> + 'a;

/// A rules file and all that it includes.
#[derive(Clone, Debug)]
pub struct Document {
    /// Games and variants in the order of the file, which is the order of the menu.
    pub entries: Vec<Entry>,
    macros: Macros,
}

/// One game or variant.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which of the two.
    pub kind: EntryKind,
    /// Its first title, as to be shown.
    pub title: Option<String>,
    /// Whether it asks to be opened first.
    pub default: bool,
    /// Whether it is a line in the menu and no game.
    pub separator: bool,
    /// The form as the author wrote it; or the use of the macro that makes it, perhaps among others.
    pub form: Form,
    /// Its number among the entries that `form` makes.
    part: usize,
}

/// What an [`Entry`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// The game, from which the variants start.
    Game,
    /// A variant.
    Variant,
}

impl Document {
    /// Reads a file and what it includes.
    ///
    /// Never fails: what is wrong is in `diagnostics`, and what could be understood is in the document.
    pub fn read(
        name: &str,
        bytes: &[u8],
        loader: &mut Loader<'_>,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut reader = Reader {
            loader,
            sources,
            diagnostics,
            forms: Vec::new(),
            library: Vec::new(),
            seen: Vec::new(),
            open: Vec::new(),
        };
        let file = reader.read(name, bytes);
        let Reader { forms, library, .. } = reader;

        let mut document = Self { entries: Vec::new(), macros: Macros::default() };
        let (definitions, others): (Vec<Form>, Vec<Form>) =
            forms.into_iter().partition(|form| form.head() == Some("define"));
        for form in &definitions {
            let from_library = library.contains(&form.origin.span.file);
            let source = if from_library { MacroSource::Library } else { MacroSource::Rules };
            document.macros.define(form, source, diagnostics);
        }
        for form in &others {
            document.top_level(form, sources, diagnostics);
            if document.entries.len() > MAX_ENTRIES {
                diagnostics.push(
                    Diagnostic::error("zrf-too-large", form.head_origin(), "there are too many games and variants")
                        .label(format!("more than {MAX_ENTRIES}: the rest is not read"))
                        .help("move some of them to a file of their own"),
                );
                break;
            }
        }
        document.check_games(file, diagnostics);
        document
    }

    /// The index of the game among the entries. Variants may stand before it.
    pub fn game(&self) -> Option<usize> {
        self.entries.iter().position(|entry| entry.kind == EntryKind::Game)
    }

    /// The game or variant form of an entry with all macros expanded.
    ///
    /// Panics when there is no such entry.
    pub fn expand(&self, index: usize, sources: &mut Sources, diagnostics: &mut Diagnostics) -> Form {
        let entry = &self.entries[index];
        Expander::new(&self.macros, sources, diagnostics, Extent::Whole)
            .expand(&entry.form)
            .into_iter()
            .filter(|form| entry_kind(form).is_some())
            .nth(entry.part)
            // Expansion met a limit, which is reported.
            .unwrap_or_else(|| Form::new(Node::List(Vec::new()), entry.form.origin))
    }

    fn top_level(&mut self, form: &Form, sources: &mut Sources, diagnostics: &mut Diagnostics) {
        let made = Expander::new(&self.macros, sources, diagnostics, Extent::Outline).expand(form);
        let mut part = 0;
        for outline in made {
            if let Some(kind) = entry_kind(&outline) {
                self.entries.push(Entry::new(kind, &outline, form.clone(), part));
                part += 1;
            } else {
                check_other(&outline, diagnostics);
            }
        }
    }

    fn check_games(&self, file: FileId, diagnostics: &mut Diagnostics) {
        let mut games = self.entries.iter().filter(|entry| entry.kind == EntryKind::Game);
        let Some(first) = games.next() else {
            let origin = Origin { span: Span { file, start: 0, end: 0 }, expansion: None };
            diagnostics.push(
                Diagnostic::error("zrf-no-game", origin, "there is no game in this file")
                    .label("no `(game ...)` at the top level")
                    .help("a rules file needs one; a file of macros alone is there to be included by others"),
            );
            return;
        };
        for other in games {
            diagnostics.push(
                Diagnostic::warning(
                    "zrf-several-games",
                    other.form.head_origin(),
                    "there is a second game in this file",
                )
                .label("it cannot be reached by the variants")
                .related(first.form.head_origin().span, "the variants belong to this one")
                .help("make it a `(variant ...)`, or move it to a file of its own"),
            );
        }
    }
}

impl Entry {
    fn new(kind: EntryKind, outline: &Form, form: Form, part: usize) -> Self {
        let sections = || outline.list().unwrap_or_default().iter();
        let title = sections()
            .filter(|section| section.head() == Some("title"))
            .find_map(|section| section.list()?.iter().find_map(Form::text))
            .map(|text| display_text(text).trim().to_owned());
        let default = sections().any(|section| section.head() == Some("default"));
        let separator = kind == EntryKind::Variant && title.as_deref() == Some("-");
        Self { kind, title, default, separator, form, part }
    }
}

/// The text of a string as to be shown.
///
/// A backslash begins a new line and a back-quote stands for a double quote, since strings have no escapes. Line ends of
/// the file itself, with the blanks around them, are only how the author wrapped a long string: one blank.
pub fn display_text(text: &str) -> String {
    let shown = |line: &str| {
        let (first, wrapped) = line.split_once('\n').unwrap_or((line, ""));
        let parts = std::iter::once(first.trim_end()).chain(wrapped.lines().map(str::trim));
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    };
    text.split('\\').map(shown).collect::<Vec<_>>().join("\n").replace('`', "\"")
}

fn entry_kind(form: &Form) -> Option<EntryKind> {
    match form.head()? {
        "game" => Some(EntryKind::Game),
        "variant" => Some(EntryKind::Variant),
        _ => None,
    }
}

/// What stands at the top level and is neither an entry nor a definition nor an `include`.
fn check_other(form: &Form, diagnostics: &mut Diagnostics) {
    let warning = |message: String| Diagnostic::warning("zrf-unknown-form", form.head_origin(), message);
    let finding = match form.head() {
        Some("version") => return,
        Some("translate") => warning("`translate` is not supported".to_owned())
            .label("skipped: names and texts stay as they are")
            .help("nothing else depends on it; no known game uses it"),
        Some(head @ ("define" | "include")) => warning(format!("`{head}` cannot come out of a macro"))
            .label("skipped")
            .help("write it at the top level of the file"),
        Some(head) if is_top_level_keyword(&head.to_ascii_lowercase()) => warning(format!("`{head}` is not a keyword"))
            .label("skipped")
            .help(format!("write `{}`: upper and lower case are different", head.to_ascii_lowercase())),
        Some(head) => warning(format!("`{head}` is neither a top-level keyword nor a macro")).label("skipped").help(
            "define the macro, or move this into `(game ...)`: perhaps a `)` before it closes the game too early",
        ),
        None => warning("this is not a top-level form".to_owned())
            .label("skipped")
            .help("a rules file is made of `(define ...)`, `(include ...)`, `(game ...)` and `(variant ...)`"),
    };
    diagnostics.push(finding);
}

/// Collects the top-level forms of a file with those of included files in their places.
struct Reader<'r, 'l> {
    loader: &'r mut Loader<'l>,
    sources: &'r mut Sources,
    diagnostics: &'r mut Diagnostics,
    forms: Vec<Form>,
    /// The files that are of the standard library.
    library: Vec<FileId>,
    /// The paths of all files that were included.
    seen: Vec<String>,
    /// The paths of the files that are being read, outermost first.
    open: Vec<String>,
}

/// How many bytes a file may have: far beyond all rules files, and small enough for 32-bit spans.
pub const MAX_FILE_BYTES: usize = 16 << 20;

/// How deep files may include others.
const MAX_INCLUDE_DEPTH: usize = 16;

/// How many games and variants a document may have. The greatest known has 60.
const MAX_ENTRIES: usize = 1000;

/// How many files a document may have.
const MAX_FILES: usize = 256;

impl Reader<'_, '_> {
    /// Reads the document's own file.
    fn read(&mut self, name: &str, bytes: &[u8]) -> FileId {
        let own = name.rsplit(['/', '\\']).next().unwrap_or(name);
        self.file(name, own.to_owned(), bytes)
    }

    /// `name` is for people, `path` is relative to the folder of the document's own file.
    fn file(&mut self, name: &str, path: String, bytes: &[u8]) -> FileId {
        let too_large = bytes.len() > MAX_FILE_BYTES;
        let text = if too_large { String::new() } else { decode(bytes) };
        let file = self.sources.add(name, text);
        if too_large {
            let origin = Origin { span: Span { file, start: 0, end: 0 }, expansion: None };
            self.diagnostics.push(
                Diagnostic::error("zrf-too-large", origin, format!("the file has more than {MAX_FILE_BYTES} bytes"))
                    .label("not read")
                    .help("this can hardly be a rules file"),
            );
            return file;
        }
        let forms = parse(file, self.sources.text(file), self.diagnostics);
        self.open.push(path);
        for form in forms {
            if form.head() == Some("include") {
                self.include(&form);
            } else {
                self.forms.push(form);
            }
        }
        self.open.pop();
        file
    }

    fn include(&mut self, form: &Form) {
        let Some(written) = form.list().and_then(|items| items.get(1)).and_then(Form::text) else {
            self.refuse(
                form,
                "`include` names no file".to_owned(),
                "a string is missing",
                "write `(include \"file\")`",
            );
            return;
        };
        if let Some(extra) = form.list().and_then(|items| items.get(2)) {
            self.diagnostics.push(
                Diagnostic::warning("zrf-malformed", extra.origin, "`include` names one file")
                    .label("this is skipped")
                    .help("write one `(include \"file\")` for each file"),
            );
        }
        let including = self.open.last().map_or("", String::as_str);
        let path = resolve(including, written);
        if let Some(at) = self.open.iter().position(|open| open.eq_ignore_ascii_case(&path)) {
            let cycle = self.open[at..].iter().chain([&path]).map(|name| format!("`{name}`")).collect::<Vec<_>>();
            let message = format!("`{path}` includes itself: {}", cycle.join(" -> "));
            self.refuse(form, message, "this would never come to an end", "remove one of the includes");
            return;
        }
        if self.seen.iter().any(|seen| seen.eq_ignore_ascii_case(&path)) {
            // Definitions are the same the second time.
            return;
        }
        if self.open.len() >= MAX_INCLUDE_DEPTH || self.seen.len() >= MAX_FILES {
            let message = format!("`{path}` is one include too many");
            let label = format!("at most {MAX_INCLUDE_DEPTH} files in one another and {MAX_FILES} in all");
            self.refuse(form, message, &label, "put the macros together in fewer files");
            return;
        }
        self.seen.push(path.clone());
        match (self.loader)(&path) {
            Some(bytes) => _ = self.file(&path.clone(), path, &bytes),
            None => self.include_from_library(form, &path, &resolve("", written)),
        }
    }

    /// Includes what the library has under a name, which is the same in all folders. `path` is where it would lie
    /// beside the rules, and does not.
    fn include_from_library(&mut self, form: &Form, path: &str, name: &str) {
        if let Some((name, text)) = library::find(name) {
            if path == name || !self.seen.iter().any(|seen| seen == name) {
                self.seen.push(name.to_owned());
                let file = self.file(name, name.to_owned(), text.as_bytes());
                self.library.push(file);
            }
            return;
        }
        let help = if library::names_a_file(name) {
            let names: Vec<&str> = library::files().map(|(name, _)| name).collect();
            format!("the standard library has {}", names.join(", "))
        } else {
            "put the file next to this one; the path is relative to the file that includes it".to_owned()
        };
        let message = format!("the included file `{path}` cannot be read");
        self.refuse(form, message, "its macros are missing from here on", &help);
    }

    fn refuse(&mut self, form: &Form, message: String, label: &str, help: &str) {
        self.diagnostics.push(Diagnostic::error("zrf-include", form.origin, message).label(label).help(help));
    }
}

/// A path that stands in the file `including`, relative to the document's folder and with `/` only.
fn resolve(including: &str, written: &str) -> String {
    let written = written.trim().replace('\\', "/");
    let absolute = written.starts_with('/') || written.get(1..2) == Some(":");
    let folder = if absolute { "" } else { including.rsplit_once('/').map_or("", |(folder, _)| folder) };
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(written.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|&last| last != "..") => _ = parts.pop(),
            _ => parts.push(part),
        }
    }
    let root = if written.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}
