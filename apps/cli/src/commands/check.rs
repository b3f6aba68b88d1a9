//! `dagaz check`: every variant of every file.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::sync::Arc;

use dagaz_base::{Diagnostic, Diagnostics, Severity, Sources, Span};
use dagaz_ir::Rules;
use dagaz_ir::verify::{Violation, verify};
use dagaz_lang_zrf::Compiled;
use dagaz_view::{View, lint, unknown_names};
use serde_json::{Value, json};

use crate::answer::{Answer, Out, tell};
use crate::args::Check;
use crate::game::{Source, settings};
use crate::{views, words};

pub(crate) fn run(args: &Check, out: &mut Out) -> anyhow::Result<Answer> {
    let mut answer = Answer::Yes;
    let mut values = Vec::new();
    let (mut good, mut warned) = (0, 0);
    for file in &args.files {
        let checked = match Source::find(file).and_then(|source| check(&source)) {
            Ok(checked) => checked,
            // One file that cannot be read does not hide what is wrong with the others.
            Err(error) => {
                tell(format_args!("error: {error:#}"));
                answer = Answer::Bad;
                continue;
            }
        };
        let bad = checked.errors > 0 || args.strict && checked.warnings > 0;
        if bad && answer == Answer::Yes {
            answer = Answer::No;
        }
        good += usize::from(!bad);
        warned += usize::from(!bad && checked.warnings > 0);
        if out.json {
            values.push(checked.value(file));
        } else {
            if let Some(reports) = checked.rendered.strip_suffix('\n') {
                tell(reports);
            }
            out.line(checked.summary(file, bad))?;
            out.flush()?;
        }
    }
    if out.json {
        out.value(&Value::Array(values))?;
    } else if args.files.len() > 1 {
        let warned = if warned == 0 { String::new() } else { format!(", {warned} of them with warnings") };
        out.line(format!("{good} of {} files are good{warned}", args.files.len()))?;
    }
    Ok(answer)
}

/// What was found in one file.
struct Checked {
    games: Vec<String>,
    errors: usize,
    warnings: usize,
    dropped: usize,
    rendered: String,
    values: Vec<Value>,
    /// Findings by code, place and message, so that what several variants share is said once.
    seen: BTreeSet<(&'static str, Span, String)>,
}

fn check(source: &Source) -> anyhow::Result<Checked> {
    let file = source.read()?;
    let games: Vec<String> = file.menu().iter().map(|item| item.title.clone()).collect();
    let default = file.menu().iter().find(|item| item.default).map(|item| item.title.clone());
    let mut checked = Checked {
        games: games.clone(),
        errors: 0,
        warnings: 0,
        dropped: 0,
        rendered: String::new(),
        values: Vec::new(),
        seen: BTreeSet::new(),
    };
    let mut rules: Vec<Arc<Rules>> = Vec::new();
    let mut add = |variant: Option<&str>| {
        let compiled = file.compile(&settings(variant));
        checked.add(variant, &compiled);
        rules.extend(compiled.game.map(|game| Arc::new(game.rules)));
    };
    add(None);
    for game in games.iter().filter(|&game| Some(game) != default.as_ref()) {
        add(Some(game));
    }
    if let Some(view) = views::text_of(source)? {
        checked.add_view(view, &rules);
    }
    Ok(checked)
}

impl Checked {
    /// The view beside the rules, held against every variant.
    fn add_view(&mut self, (name, text): (String, String), games: &[Arc<Rules>]) {
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let file = sources.add(name, text.clone());
        let view = View::read(file, &text, &mut diagnostics);
        let games: Vec<&Rules> = games.iter().map(AsRef::as_ref).collect();
        unknown_names(&view, &games).into_iter().for_each(|found| diagnostics.push(found));
        for rules in games {
            lint(&view, rules, file).into_iter().for_each(|found| diagnostics.push(found));
        }
        self.add_all(None, &diagnostics, &sources);
    }

    /// Adds what was not said before: variants share most of their text.
    fn add(&mut self, variant: Option<&str>, compiled: &Compiled) {
        self.add_all(variant, &compiled.diagnostics, &compiled.sources);
        let violations = compiled.game.as_ref().and_then(|game| verify(&game.rules).err()).unwrap_or_default();
        for violation in violations {
            self.add_violation(&violation, &compiled.sources);
        }
    }

    fn add_all(&mut self, variant: Option<&str>, diagnostics: &Diagnostics, sources: &Sources) {
        let styled = std::io::stderr().is_terminal();
        for diagnostic in diagnostics.iter() {
            if !self.seen.insert((diagnostic.code, diagnostic.origin.span, diagnostic.message.clone())) {
                continue;
            }
            match diagnostic.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
            }
            if let Some(variant) = variant {
                self.rendered += &format!("in `{variant}`:\n");
            }
            self.rendered += &if styled { diagnostic.render_styled(sources) } else { diagnostic.render(sources) };
            self.rendered.push('\n');
            let mut value = value(diagnostic, sources);
            value["variant"] = variant.into();
            self.values.push(value);
        }
        self.dropped += diagnostics.dropped();
    }

    /// Rules that break a law of the representation are the compiler's fault, and no good all the same.
    fn add_violation(&mut self, violation: &Violation, sources: &Sources) {
        let place = violation.origin.map(|origin| sources.location(origin.span));
        let message = format!("a fault of the compiler, not of the file: {violation}");
        let value = json!({ "severity": "error", "code": "ir-law", "message": message, "place": place });
        if !self.values.contains(&value) {
            self.errors += 1;
            let at = place.map_or_else(String::new, |place| format!("  --> {place}\n"));
            self.rendered += &format!("error[ir-law]: {message}\n{at}\n");
            self.values.push(value);
        }
    }

    fn summary(&self, file: &str, bad: bool) -> String {
        let counted = |count: usize, what: &str| (count > 0).then(|| words::counted(count, what));
        let found: Vec<String> = [
            (!bad).then(|| "good".to_owned()),
            counted(self.errors, "error"),
            counted(self.warnings, "warning"),
            counted(self.dropped, "further finding"),
        ]
        .into_iter()
        .flatten()
        .collect();
        format!(
            "{file}: {} ({})",
            found.join(", "),
            counted(self.games.len(), "game").unwrap_or_else(|| "no game".to_owned())
        )
    }

    fn value(self, file: &str) -> Value {
        json!({
            "file": file,
            "games": self.games,
            "errors": self.errors,
            "warnings": self.warnings,
            "dropped": self.dropped,
            "diagnostics": self.values,
        })
    }
}

/// A diagnostic as JSON; lines and columns count from 1.
fn value(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let place = |span: Span| {
        let (line, column) = sources.line_column(span.file, span.start);
        let (end_line, end_column) = sources.line_column(span.file, span.end);
        json!({
            "file": sources.name(span.file),
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
        })
    };
    let related: Vec<Value> =
        diagnostic.related.iter().map(|(span, text)| json!({ "place": place(*span), "text": text })).collect();
    let macros: Vec<Value> = sources
        .backtrace(diagnostic.origin)
        .map(|expansion| json!({ "name": &*expansion.name, "place": place(expansion.call.span) }))
        .collect();
    json!({
        "severity": match diagnostic.severity { Severity::Error => "error", Severity::Warning => "warning" },
        "code": diagnostic.code,
        "message": diagnostic.message,
        "place": place(diagnostic.origin.span),
        "label": diagnostic.label,
        "macros": macros,
        "related": related,
        "help": diagnostic.help,
    })
}
