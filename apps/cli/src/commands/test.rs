//! `dagaz test`: the cases that stand beside rules files; `dagaz_cases` reads and judges them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use dagaz_cases::{Case, Cases, Claim, Failure, judge};
use dagaz_engine::Executor;
use dagaz_lang_zrf::MAX_FILE_BYTES;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use crate::answer::{Answer, Out, tell};
use crate::args::{ChoiceArgs, Test};
use crate::bundled::{self, Bundled};
use crate::game::{Game, Source};
use crate::words::counted;
use crate::{files, progress};

/// The endings of rules files, as people write them.
const RULES: [&str; 2] = ["zrf", "ZRF"];

pub(crate) fn run(args: &Test, out: &mut Out) -> anyhow::Result<Answer> {
    let mut report = Report::default();
    let mut suites = Vec::new();
    for path in &args.paths {
        for place in report.good(Place::all_of(path)).unwrap_or_default() {
            if place.is_wanted(args.only.as_deref()) {
                suites.extend(report.good(Suite::read(place)));
            }
        }
    }
    if suites.is_empty() && report.errors.is_empty() {
        bail!("there are no cases{}", args.only.as_ref().map_or(String::new(), |only| format!(" of a game `{only}`")));
    }
    // The numbers that must come out say how much there is to count.
    let wanted = suites.iter().flat_map(|suite| &suite.cases.cases).filter(|case| args.slow || !is_slow(case));
    let bar = progress::bar(wanted.map(size).fold(0, u64::saturating_add), "counted");
    for suite in &suites {
        suite.run(args, &bar, &mut report, out)?;
    }
    bar.finish_and_clear();
    report.close(suites.len(), out)
}

/// Where a file of cases is.
enum Place {
    /// In the binary.
    Bundled(Bundled),
    /// On the disk, with its rules beside it.
    File(PathBuf),
}

impl Place {
    /// All that a person means by a path. A bundled name comes first.
    fn all_of(path: &str) -> anyhow::Result<Vec<Self>> {
        if let Some(game) = bundled::find(path) {
            return Ok(vec![Self::Bundled(game)]);
        }
        let file = Path::new(path);
        if file.is_dir() {
            let mut found = Vec::new();
            collect(file, &mut found).with_context(|| format!("cannot read `{path}`"))?;
            return Ok(found.into_iter().map(Self::File).collect());
        }
        if file.extension().is_none() {
            // It says what a bundled name may have been meant.
            Source::find(path)?;
        }
        Ok(vec![Self::File(file.with_extension("cases"))])
    }

    fn is_wanted(&self, only: Option<&str>) -> bool {
        let name = match self {
            Self::Bundled(game) => game.name.to_owned(),
            Self::File(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        };
        only.is_none_or(|only| name.to_lowercase().contains(&only.to_lowercase()))
    }
}

/// The files of cases in a folder and all below it. Links to folders are not followed: they may lead back.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "cases") {
            found.push(path);
        }
    }
    Ok(())
}

/// A file of cases with the rules that it is about.
struct Suite {
    file: String,
    source: Source,
    cases: Cases,
}

impl Suite {
    fn read(place: Place) -> anyhow::Result<Self> {
        let (file, text, source) = match place {
            Place::Bundled(game) => {
                let (file, bytes) =
                    bundled::cases(game).with_context(|| format!("`{}` comes without cases", game.name))?;
                (file.to_owned(), String::from_utf8_lossy(bytes).into_owned(), Source::Bundled(game))
            }
            Place::File(path) => {
                let text = files::read_text(&path, MAX_FILE_BYTES)?;
                let mut beside = RULES.iter().map(|ending| path.with_extension(ending));
                let rules = beside.find(|rules| rules.is_file()).unwrap_or_else(|| path.with_extension(RULES[0]));
                let source = Source::File { bytes: files::read(&rules, MAX_FILE_BYTES)?, path: rules };
                (path.display().to_string(), text, source)
            }
        };
        match Cases::read(&text) {
            Ok(cases) => Ok(Self { file, source, cases }),
            Err(error) => bail!("{file}:{}: {}", error.line, error.reason),
        }
    }

    fn run(&self, args: &Test, bar: &ProgressBar, report: &mut Report, out: &mut Out) -> anyhow::Result<()> {
        for unused in &self.cases.unused {
            bar.suspend(|| report.warn(format!("{}:{}: no case speaks of {}", self.file, unused.line, unused.what)));
        }
        let mut executors: BTreeMap<_, Option<Arc<dyn Executor>>> = BTreeMap::new();
        for case in &self.cases.cases {
            if is_slow(case) && !args.slow {
                report.tally(case).skipped += 1;
                continue;
            }
            // Rules that cannot be used are complained of once.
            let executor = executors.entry(&case.variant).or_insert_with(|| {
                let choice = ChoiceArgs { variant: case.variant.clone() };
                let game = Game::load_from(&self.source, &choice, args.executor);
                let game = game.with_context(|| format!("{}:{}", self.file, case.line));
                bar.suspend(|| report.good(game)).map(|game| game.executor)
            });
            let Some(executor) = executor else { continue };
            match judge(&self.cases, case, executor, &mut |found| bar.inc(found)) {
                Ok(()) => report.tally(case).passed += 1,
                Err(Failure::Unknown { line, reason }) => {
                    let bad = Err::<(), _>(anyhow::anyhow!("{}:{line}: {reason}", self.file));
                    bar.suspend(|| report.good(bad));
                }
                Err(failure) => {
                    report.tally(case).failed += 1;
                    report.failures.push(self.value(case, &failure));
                    if !out.json {
                        let line = format!("{}:{}: {}\n  {failure}", self.file, case.line, case.text);
                        bar.suspend(|| out.line(line).and_then(|()| out.flush()))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn value(&self, case: &Case, failure: &Failure) -> Value {
        let mut value = json!({
            "file": self.file,
            "line": case.line,
            "case": case.text,
            "source": case.source,
            "message": failure.to_string(),
        });
        match failure {
            Failure::Differs { expected, found } => {
                value["expected"] = expected.as_str().into();
                value["found"] = found.as_str().into();
            }
            Failure::Unequal { missing, surplus } => {
                value["missing"] = missing.as_slice().into();
                value["surplus"] = surplus.as_slice().into();
            }
            _ => {}
        }
        value
    }
}

fn is_slow(case: &Case) -> bool {
    matches!(case.claim, Claim::Perft { slow: true, .. })
}

fn size(case: &Case) -> u64 {
    match case.claim {
        Claim::Perft { count, .. } | Claim::Count(count) => count,
        _ => 0,
    }
}

/// What has come out so far.
#[derive(Default)]
struct Report {
    counts: Tally,
    others: Tally,
    failures: Vec<Value>,
    errors: Vec<String>,
    warnings: Vec<String>,
}

/// How many cases came out how.
#[derive(Clone, Copy, Default)]
struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Report {
    /// What is good; what is not is said, and hides nothing of the rest.
    fn good<T>(&mut self, result: anyhow::Result<T>) -> Option<T> {
        result
            .map_err(|error| {
                let message = format!("{error:#}");
                tell(format_args!("error: {message}"));
                self.errors.push(message);
            })
            .ok()
    }

    /// Says what is not wrong, but not as it was meant.
    fn warn(&mut self, message: String) {
        tell(format_args!("warning: {message}"));
        self.warnings.push(message);
    }

    /// Where a case is counted.
    fn tally(&mut self, case: &Case) -> &mut Tally {
        if matches!(case.claim, Claim::Perft { .. }) { &mut self.counts } else { &mut self.others }
    }

    fn close(self, games: usize, out: &mut Out) -> anyhow::Result<Answer> {
        let all = self.counts.and(self.others);
        if out.json {
            out.value(&json!({
                "games": games,
                "cases": all.value(),
                "perft": self.counts.value(),
                "failures": self.failures,
                "errors": self.errors,
                "warnings": self.warnings,
            }))?;
        } else if games > 0 {
            let cases = all.passed + all.failed + all.skipped;
            let (games, cases) = (counted(games, "game"), counted(cases, "case"));
            out.line(format!("{games}, {cases}: {}", all.told()))?;
            out.line(format!("perft numbers: {}", self.counts.told()))?;
        }
        Ok(match (self.errors.as_slice(), all.failed) {
            ([], 0) => Answer::Yes,
            ([], _) => Answer::No,
            _ => Answer::Bad,
        })
    }
}

impl Tally {
    fn and(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }

    fn told(self) -> String {
        format!("{} passed, {} failed, {} slow skipped", self.passed, self.failed, self.skipped)
    }

    fn value(self) -> Value {
        json!({ "passed": self.passed, "failed": self.failed, "skipped": self.skipped })
    }
}
