//! One rule file: whether it is accepted, and whether the laws hold in its games.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dagaz_base::Severity;
use dagaz_engine::{Executor, Interpreter};
use dagaz_ir::Rules;
use dagaz_lang_zrf::{Compiled, Settings, compile};

use super::Options;
use crate::{panics, written};

/// What was found out about a file.
pub(super) struct Found {
    /// The verdict.
    pub(super) verdict: Verdict,
    /// How many games and variants it offers.
    pub(super) entries: usize,
    /// How many warnings its author would get.
    pub(super) warnings: usize,
}

/// What a file is.
pub(super) enum Verdict {
    /// All its variants are accepted, and the laws held.
    Accepted(Report),
    /// An error was found in one of its variants: the errors in short.
    Refused(Vec<String>),
    /// Its moves are made by a program outside.
    Engine(String),
    /// It is accepted, and a law does not hold: a fault of ours.
    Broken(String),
}

/// What was played.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    /// Games.
    pub(super) games: u64,
    /// Games that came to an end.
    pub(super) finished: u64,
    /// Steps made.
    pub(super) plies: u64,
}

/// Tries a file. Never panics.
pub(super) fn of(path: &Path, options: &Options) -> Found {
    let mut found = Found { verdict: Verdict::Accepted(Report::default()), entries: 0, warnings: 0 };
    let tried = catch_unwind(AssertUnwindSafe(|| check(path, options, &mut found)));
    found.verdict = tried.unwrap_or_else(|panic| Verdict::Broken(format!("panic: {}", panics::message(&*panic))));
    found
}

fn check(path: &Path, options: &Options, found: &mut Found) -> Verdict {
    let first = compile_file(path, None);
    found.entries = first.menu.len();
    found.warnings = first.diagnostics.iter().filter(|finding| finding.severity == Severity::Warning).count();
    if let Some(engine) = first.diagnostics.iter().find(|finding| finding.code == "zrf-engine") {
        return Verdict::Engine(engine.message.clone());
    }
    let mut errors = errors(&first);
    let mut games: Vec<Arc<Rules>> = first.game.into_iter().map(|game| Arc::new(game.rules)).collect();
    for item in first.menu.iter().filter(|item| !item.default) {
        let variant = compile_file(path, Some(&item.title));
        errors.extend(self::errors(&variant));
        games.extend(variant.game.filter(|_| options.variants).map(|game| Arc::new(game.rules)));
    }
    if !errors.is_empty() {
        // Variants share most of their text.
        let mut seen = BTreeSet::new();
        errors.retain(|error| seen.insert(error.clone()));
        return Verdict::Refused(errors);
    }
    if games.is_empty() {
        return Verdict::Broken("no game, and no error that says why".to_owned());
    }
    let mut report = Report::default();
    for rules in games {
        if let Err(law) = play(rules, options, &mut report) {
            return Verdict::Broken(law);
        }
    }
    Verdict::Accepted(report)
}

/// The errors, a line each.
fn errors(compiled: &Compiled) -> Vec<String> {
    let errors = compiled.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
    let line = |finding: &dagaz_base::Diagnostic| {
        let (line, _) = compiled.sources.line_column(finding.origin.span.file, finding.origin.span.start);
        format!("line {line}: {} ({})", finding.message, finding.code)
    };
    errors.map(line).collect()
}

fn play(rules: Arc<Rules>, options: &Options, report: &mut Report) -> Result<(), String> {
    if let Err(violations) = dagaz_ir::verify::verify(&rules) {
        return Err(format!("the rules are not well formed: {}", violations[0]));
    }
    let mut compare =
        if options.executors { module_of(&rules)? } else { Box::new(|_: &dagaz_engine::Moment<'_>| Ok(())) };
    let executor: Arc<dyn Executor> = Arc::new(Interpreter::new(rules));
    for game in 0..options.games {
        let seed = options.seed.wrapping_add(u64::from(game));
        let played = written::battery(&executor, options.steps, seed, &mut compare)?;
        report.games += 1;
        report.finished += u64::from(played.finished);
        report.plies += played.plies;
    }
    Ok(())
}

/// Law: the rules as a compiled module do what the interpreter does.
#[cfg(feature = "executors")]
fn module_of(rules: &Arc<Rules>) -> Result<written::Law, String> {
    let module = match dagaz_engine_wasm::Wasm::new(rules.clone()) {
        Ok(module) => module,
        Err(refusal) => {
            println!("not compared {}: {refusal}", rules.name);
            return Ok(Box::new(|_| Ok(())));
        }
    };
    let mut ply = 0;
    Ok(Box::new(move |moment| {
        ply += 1;
        dagaz_engine::agree(&module, moment, ply)
    }))
}

#[cfg(not(feature = "executors"))]
fn module_of(_: &Arc<Rules>) -> Result<written::Law, String> {
    Err("this build of xtask compiles no modules".to_owned())
}

fn compile_file(path: &Path, variant: Option<&str>) -> Compiled {
    let bytes = std::fs::read(path).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new("."));
    let settings = Settings { variant: variant.map(str::to_owned), ..Settings::default() };
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    compile(&name, &bytes, &mut |include: &str| std::fs::read(beside(folder, include)?).ok(), &settings)
}

/// The included file, whatever the case of its letters: the files were written where that makes no difference.
fn beside(folder: &Path, include: &str) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for part in include.split('/') {
        let exact = path.join(part);
        if exact.exists() {
            path = exact;
            continue;
        }
        let mut entries = std::fs::read_dir(&path).ok()?.flatten();
        path = entries.find(|entry| entry.file_name().to_string_lossy().eq_ignore_ascii_case(part))?.path();
    }
    Some(path)
}
