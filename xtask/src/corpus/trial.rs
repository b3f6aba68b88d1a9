//! One rule file: whether it is accepted, and whether the laws hold in its games.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dagaz_base::{Random, Severity};
use dagaz_engine::{Executor, Interpreter, Moment, State, battery_with};
use dagaz_ir::Rules;
use dagaz_lang_zrf::{Compiled, Settings, compile};
use dagaz_notation::{Ply, Record, json, record, universal};

use super::Options;

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
    found.verdict = tried.unwrap_or_else(|panic| Verdict::Broken(format!("panic: {}", message(&*panic))));
    found
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("without a message").to_owned()
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
    let executor: Arc<dyn Executor> = Arc::new(Interpreter::new(rules));
    for game in 0..options.games {
        let seed = options.seed.wrapping_add(u64::from(game));
        let mut written = Written::new(seed);
        let played = battery_with(&*executor, 1, options.steps, seed, &mut |moment| written.see(moment));
        let played = played.map_err(|broken| broken.to_string())?;
        written.replays(&executor).map_err(|error| format!("a written game, seed {seed}: {error}"))?;
        report.games += 1;
        report.finished += u64::from(played.finished);
        report.plies += played.plies;
    }
    Ok(())
}

/// A game of the battery as it is written down while it is played.
///
/// Which step is drawn is known from the seed. Were it another, the record would lead elsewhere, and its law fail.
struct Written {
    random: Random,
    plies: Vec<Ply>,
    /// What is drawn in the state that was seen last, and that state.
    drawn: Option<Ply>,
    last: Option<State>,
}

impl Written {
    fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), plies: Vec::new(), drawn: None, last: None }
    }

    /// Law: every legal step has a text, and the text means that step. Asked of the step that is drawn.
    fn see(&mut self, moment: Moment<'_>) -> Result<(), String> {
        let Moment { executor, state, steps, .. } = moment;
        self.plies.extend(self.drawn.take());
        self.last = Some(state.clone());
        if steps.is_empty() {
            return Ok(());
        }
        let texts = universal::write_all(executor, state, steps).map_err(|fault| fault.to_string())?;
        let index = self.random.below(steps.len());
        match universal::read(executor, state, steps, &texts[index]) {
            Ok(step) if *step == steps[index] => {
                self.drawn = Some(Ply::new(texts[index].as_str()));
                Ok(())
            }
            Ok(_) => Err(format!("`{}` is read as another step than it was written for", texts[index])),
            Err(error) => Err(format!("a step's own text is not read: {error}")),
        }
    }

    /// Law: a game that is written down, and read again, leads to the same state.
    fn replays(self, executor: &Arc<dyn Executor>) -> Result<(), String> {
        let record = Record { game: executor.rules().name.clone(), plies: self.plies, ..Record::default() };
        let read = json::read(&json::write(&record)).map_err(|error| error.to_string())?;
        if read != record {
            return Err("its JSON is read as another record".to_owned());
        }
        let again = record::replay(&read, executor.clone()).map_err(|error| error.to_string())?;
        if Some(again.state()) == self.last.as_ref() { Ok(()) } else { Err("it leads elsewhere".to_owned()) }
    }
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
