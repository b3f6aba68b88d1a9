//! Front end for Zillions rule files (ZRF): text in, rules and diagnostics out.
//!
//! Parsing and lowering never fail and never panic; nothing in a file is ignored silently. Absent on purpose: files (a
//! loader is passed in), executors, pictures.

pub mod document;
mod encoding;
pub mod library;
mod lower;
mod macros;
mod sections;
pub mod syntax;

use std::collections::BTreeMap;

use dagaz_base::{Diagnostic, Diagnostics, Sources};
use dagaz_ir::Rules;
use dagaz_ir::verify::verify;

pub use document::{Document, Entry, EntryKind, Loader, MAX_FILE_BYTES, display_text};
pub use syntax::{Form, MacroUse, Node};

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The title in the menu of the game or variant to load; without it the one marked `(default)`, else the game.
    pub variant: Option<String>,
    /// What a test of an attribute sees.
    pub attributes: AttributeView,
}

/// What a test of an attribute sees of the settings that the same move has made before it.
///
/// A saved game of Gwangsanghui decides: its captures of a general mark pieces and go on to test the marks, and only if
/// the tests see the old values do the recorded moves come out. One published count speaks for the other reading
/// (Russian draughts as a file for Zillions writes it); there the file is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttributeView {
    /// It sees the attributes as they were before the move.
    #[default]
    Before,
    /// It sees the settings at once.
    Now,
}

/// What a file was found to be.
#[derive(Debug)]
pub struct Compiled {
    /// The game; nothing when there is an error among the diagnostics.
    pub game: Option<Game>,
    /// The texts that were read, for rendering diagnostics.
    pub sources: Sources,
    /// What was found on the way.
    pub diagnostics: Diagnostics,
    /// What the file offers, in the order of its menu.
    pub menu: Vec<MenuItem>,
}

/// A game or variant of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MenuItem {
    /// Its title, with a number when an earlier one has the same.
    pub title: String,
    /// Whether it is the one that is loaded when nothing else is asked for.
    pub default: bool,
}

/// A compiled game.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its rules.
    pub rules: Rules,
    /// What people may read about it.
    pub texts: Texts,
}

/// What people may read about a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// The title.
    pub title: String,
    /// What it is and how it is played.
    pub description: Option<String>,
    /// Where it comes from.
    pub history: Option<String>,
    /// How to play it well.
    pub strategy: Option<String>,
}

/// Compiles a file: reads it, chooses the variant, expands its macros and lowers it.
///
/// `name` is what diagnostics call the file; `loader` gives the bytes of included files by their path as written,
/// relative to the file.
pub fn compile(name: &str, bytes: &[u8], loader: &mut Loader<'_>, settings: &Settings) -> Compiled {
    RulesFile::read(name, bytes, loader).compile(settings)
}

/// A file that was read and of which nothing is compiled yet: whoever wants several of its games reads it once.
#[derive(Clone, Debug)]
pub struct RulesFile {
    document: Document,
    sources: Sources,
    diagnostics: Diagnostics,
    menu: Vec<MenuItem>,
}

impl RulesFile {
    /// Reads a file, as [`compile`] does.
    pub fn read(name: &str, bytes: &[u8], loader: &mut Loader<'_>) -> Self {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let document = Document::read(name, bytes, loader, &mut sources, &mut diagnostics);
        let menu = menu(&document);
        Self { document, sources, diagnostics, menu }
    }

    /// What the file offers, in the order of its menu.
    pub fn menu(&self) -> &[MenuItem] {
        &self.menu
    }

    /// Compiles the game or variant that the settings choose.
    pub fn compile(&self, settings: &Settings) -> Compiled {
        let (mut sources, mut diagnostics) = (self.sources.clone(), self.diagnostics.clone());
        let game = compile_entry(&self.document, settings, &mut sources, &mut diagnostics);
        if let Some(game) = &game {
            report_violations(&game.rules, &self.document, &mut diagnostics);
        }
        let game = if diagnostics.has_errors() { None } else { game };
        Compiled { game, sources, diagnostics, menu: self.menu.clone() }
    }
}

/// Executors rely on the laws of rules. What breaks one here is too large or too deeply nested.
fn report_violations(rules: &Rules, document: &Document, diagnostics: &mut Diagnostics) {
    let Some(game) = document.game() else { return };
    for violation in verify(rules).err().unwrap_or_default() {
        let origin = violation.origin.unwrap_or(document.entries[game].form.origin);
        diagnostics.push(
            Diagnostic::error("zrf-too-complex", origin, violation.to_string())
                .label("more than an executor can be asked to run")
                .help("split the rule, or make the board smaller"),
        );
    }
}

fn menu(document: &Document) -> Vec<MenuItem> {
    let default = default_entry(document);
    let item = |(index, title)| MenuItem { title, default: default == Some(index) };
    offered(document).into_iter().map(item).collect()
}

/// The entries that can be played, with their titles; what has the title of an earlier one is numbered.
fn offered(document: &Document) -> Vec<(usize, String)> {
    let mut offered: Vec<(usize, String)> = Vec::new();
    // The titles that are taken, in lower case, and the number that the next one of that title may have.
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for (index, entry) in document.entries.iter().enumerate().filter(|(_, entry)| !entry.separator) {
        let title = entry.title.as_deref().unwrap_or("untitled");
        let mut free = title.to_owned();
        if let Some(mut number) = taken.get(&free.to_ascii_lowercase()).copied() {
            while taken.contains_key(&free.to_ascii_lowercase()) {
                free = format!("{title} #{number}");
                number += 1;
            }
            taken.insert(title.to_ascii_lowercase(), number);
        }
        taken.insert(free.to_ascii_lowercase(), 2);
        offered.push((index, free));
    }
    offered
}

fn default_entry(document: &Document) -> Option<usize> {
    document.entries.iter().position(|entry| entry.default && !entry.separator).or_else(|| document.game())
}

fn compile_entry(
    document: &Document,
    settings: &Settings,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Game> {
    let game = document.game()?;
    let chosen = match &settings.variant {
        None => default_entry(document)?,
        Some(wanted) => {
            let offered = offered(document);
            match offered.iter().find(|(_, title)| title.eq_ignore_ascii_case(wanted)) {
                Some(&(index, _)) => index,
                None => {
                    let titles: Vec<_> = offered.iter().map(|(_, title)| title.as_str()).collect();
                    diagnostics.push(
                        Diagnostic::error(
                            "zrf-no-variant",
                            document.entries[game].form.origin,
                            format!("the file has no variant `{wanted}`"),
                        )
                        .help(format!("it has: {}", titles.join(", "))),
                    );
                    return None;
                }
            }
        }
    };
    let mut read = sections::Sections::default();
    for entry in std::iter::once(game).chain(Some(chosen).filter(|&chosen| chosen != game)) {
        let form = document.expand(entry, sources, diagnostics);
        read.read(form, diagnostics);
    }
    if let Some(engine) = read.get("engine") {
        let name = engine.list().unwrap_or_default().iter().find_map(Form::text).unwrap_or_default();
        diagnostics.push(
            Diagnostic::error("zrf-engine", engine.origin, format!("the moves of this game are made by `{name}`"))
                .label("a program for Windows; the moves in this file are only placeholders")
                .help("look for the source that the program runs, an Axiom script in ForthScript"),
        );
        return None;
    }
    let rules = lower::lower(document.entries[chosen].form.origin, &read, settings, diagnostics)?;
    let texts = Texts {
        title: rules.name.clone(),
        description: read.text("description"),
        history: read.text("history"),
        strategy: read.text("strategy"),
    };
    Some(Game { rules, texts })
}
