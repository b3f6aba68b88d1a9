//! Games that Zillions saved are replayed through their rules, step by step, written again and replayed once more. Those
//! that do not replay to their end stand in `docs/zrf-corpus.md`, with the reason.
//!
//! `DAGAZ_RECORD=Focus cargo test -p dagaz-tests --test zsg_replay -- --nocapture` runs those whose names start so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dagaz_engine::{Executor, Interpreter};
use dagaz_lang_zrf::{AttributeView, Settings};
use dagaz_notation::zsg::{self, Heading, Save};
use dagaz_notation::{Record, RecordError, json, record};
use dagaz_play::Play;
use dagaz_tests::{compile_file, corpus, page};

/// Games of more steps are not written and read again: one of them takes as long as all others.
const WRITTEN: usize = 350;

#[test]
fn saved_games_replay() {
    let Some(corpus) = corpus(1) else { return };
    let only = std::env::var("DAGAZ_RECORD").ok();
    let wanted = |row: &Row| only.as_ref().is_none_or(|only| row.record.starts_with(only.as_str()));
    let unfit = unfit();
    let (mut games, mut steps, mut surprises) = (0, 0, Vec::new());
    for row in rows(&corpus).iter().filter(|row| wanted(row)) {
        let bytes = std::fs::read(corpus.join("zsg").join(&row.record)).expect("a record of the index");
        let save = zsg::read(&bytes).expect("a saved game");
        match (replay(&corpus, row, &save, AttributeView::Before), unfit.get(&row.record).copied()) {
            (Ok(count), None) => {
                games += 1;
                steps += count;
            }
            (Ok(_), Some(_)) => surprises.push(format!("{}: replays, and the page says that it does not", row.record)),
            (Err((ply, _)), Some(expected)) if ply == expected => steps += ply.map_or(0, |ply| ply - 1),
            (Err((_, why)), _) => surprises.push(format!("{}: {why}", row.record)),
        }
    }
    eprintln!("{steps} steps; {games} games to their end");
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

/// The record that decides what a test of an attribute sees: it replays as tests see the values before the move. In the other reading plies 47 and 160 leave other marks, and
/// ply 161 does not fit any more.
#[test]
fn gwangsanghui_tests_attributes_as_they_were_before_the_move() {
    let Some(corpus) = corpus(1) else { return };
    let row = rows(&corpus).into_iter().find(|row| row.record == "Gwangsanghui.zsg").expect("a record of the index");
    let bytes = std::fs::read(corpus.join("zsg").join(&row.record)).expect("a record of the index");
    let save = zsg::read(&bytes).expect("a saved game");
    let (ply, why) = replay(&corpus, &row, &save, AttributeView::Now).expect_err("it fits in one reading alone");
    assert_eq!(ply, Some(161), "{why}");
}

/// The records that the page lists, each with the first ply that does not fit; nothing where none can be tried.
fn unfit() -> BTreeMap<String, Option<usize>> {
    let first = |cells: &[String]| match cells[0].strip_prefix("to ply ") {
        Some(fits) => {
            let fits = fits.split(' ').next().and_then(|ply| ply.parse::<usize>().ok());
            Some(fits.unwrap_or_else(|| panic!("`{}` names no ply", cells[0])) + 1)
        }
        None => None,
    };
    let rows = page::table("Saved games that do not replay to the end");
    rows.into_iter().map(|(record, cells)| (record, first(&cells))).collect()
}

/// Replays a game, writes it in each form, and reads it back. Gives the number of its steps, or the first ply that does
/// not fit and why.
fn replay(corpus: &Path, row: &Row, save: &Save, attributes: AttributeView) -> Result<usize, (Option<usize>, String)> {
    let settings = Settings { variant: save.variant.clone(), attributes };
    let compiled = compile_file(&rules_file(corpus, row), &settings);
    let Some(game) = compiled.game else {
        return Err((None, compiled.diagnostics.render(&compiled.sources)));
    };
    let executor: Arc<dyn Executor> = Arc::new(Interpreter::new(Arc::new(game.rules)));
    let play = save.replay(executor.clone()).map_err(|error| match &error {
        RecordError::Ply { ply, .. } => (Some(*ply), error.to_string()),
        RecordError::SetUp { .. } | RecordError::Variation { .. } => (None, error.to_string()),
    })?;
    if save.steps.len() > WRITTEN {
        return Ok(play.steps_made().count());
    }
    let heading = Heading { rules_file: &save.rules_file, variant: save.variant.as_deref().unwrap_or_default() };
    let written = zsg::write(&play, heading).expect("what Zillions wrote can be written");
    if let Some(difference) = attributes_differ(save, &play, &written) {
        return Err((None, difference));
    }
    let again = zsg::read_text(&written)
        .expect("a saved game")
        .replay(executor.clone())
        .map_err(|error| (None, format!("what was written does not read back: {error}")))?;
    assert_eq!(again.state(), play.state(), "{}: the written game ends elsewhere", row.record);
    let json = json::write(&Record::of(&play).expect("rules that run"));
    let again = record::replay(&json::read(&json).expect("a record"), executor)
        .map_err(|error| (None, format!("the record in universal notation does not read back: {error}")))?;
    assert_eq!(again.state(), play.state(), "{}: the record ends elsewhere", row.record);
    Ok(play.steps_made().count())
}

/// The first step that leaves other attributes than its record says. A step is found by what it does to pieces, and may
/// differ in these.
fn attributes_differ(save: &Save, play: &Play, written: &str) -> Option<String> {
    let set = |text: &str| -> BTreeMap<(String, String), String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let settings = words.windows(4).filter(|words| words[0] == "@");
        settings.map(|words| ((words[1].to_owned(), words[2].to_owned()), words[3].to_owned())).collect()
    };
    let again = zsg::read_text(written).expect("a saved game");
    let (layout, topology) = (play.executor().layout(), &play.rules().topology);
    let after = play.line_to(play.cursor()).into_iter().skip(1).map(|node| &play.node(node).state);
    for (ply, ((step, again), after)) in save.steps.iter().zip(&again.steps).zip(after).enumerate() {
        // Where nothing stands after the step, the record may set what it likes.
        let stands =
            |site: &str| topology.site(site).is_some_and(|site| after.get(layout.at(layout.known.owner, site)) != 0);
        let mut recorded = set(&step.text);
        recorded.retain(|(site, _), _| stands(site));
        if recorded != set(&again.text) {
            return Some(format!("ply {} sets other attributes: `{}`, not `{}`", ply + 1, again.text, step.text));
        }
    }
    None
}

/// A line of the index of records.
struct Row {
    record: String,
    rules: String,
    repository: String,
    path: String,
}

fn rows(corpus: &Path) -> Vec<Row> {
    let index = std::fs::read_to_string(corpus.join("zsg/index.tsv")).expect("the index of the records");
    let row = |line: &str| {
        let mut cells = line.split('\t').map(str::to_owned);
        let mut cell = || cells.next().expect("four columns");
        Row { record: cell(), rules: cell(), repository: cell(), path: cell() }
    };
    index.lines().skip(1).map(row).collect()
}

/// The rules file of a record: the one beside it in its repository, else one of that name from any other.
fn rules_file(corpus: &Path, record: &Row) -> PathBuf {
    let index = std::fs::read_to_string(corpus.join("zrf/index.tsv")).expect("the index of the rules files");
    let beside = Path::new(&record.path).with_file_name(&record.rules);
    let rows = || index.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let exact = rows().find(|row| row[1] == record.repository && Path::new(row[2]) == beside);
    let same_name = || rows().find(|row| Path::new(row[2]).file_name() == Some(record.rules.as_ref()));
    let row = exact.or_else(same_name).expect("the rules of every record");
    corpus.join("zrf").join(row[0])
}
