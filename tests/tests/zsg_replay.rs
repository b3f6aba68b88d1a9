//! Games that Zillions saved are replayed through their rules, step by step, written again and replayed once more.
//!
//! `DAGAZ_RECORD=Focus cargo test -p dagaz-tests --test zsg_replay -- --nocapture` runs those whose names start so.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dagaz_engine::{Executor, Interpreter};
use dagaz_lang_zrf::Settings;
use dagaz_notation::zsg::{self, Heading, Save};
use dagaz_notation::{Record, RecordError, json, record};
use dagaz_tests::{compile_file, corpus};

/// Records that cannot be replayed, each with the reason. The moves of those without a ply are made by a program for
/// Windows, or their rules lack a part.
const UNFIT: &[(&str, Option<usize>, &str)] = &[
    ("Chessence.zsg", Some(82), "goes on after its end: the player to move is stalemated, which the rules call a loss"),
    ("Crazy.zsg", None, "moves made by a program"),
    (
        "Dameo.zsg",
        Some(82),
        "made with another version: ply 80 says that it goes on with type 3, an empty one, the rules say 4",
    ),
    ("Level_01.zsg", None, "an included file is missing"),
    ("Morris.zsg", None, "moves made by a program"),
    ("Problem-1.zsg", None, "moves made by a program"),
    ("Problem-2.zsg", None, "moves made by a program"),
    ("Ramses.zsg", None, "moves made by a program"),
    ("TchukaRuma.zsg", None, "moves made by a program"),
    ("agressive.zsg", None, "moves made by a program"),
    ("simple.zsg", None, "moves made by a program"),
];

/// Games of more steps are not written and read again: one of them takes as long as all others.
const WRITTEN: usize = 350;

#[test]
fn saved_games_replay() {
    let Some(corpus) = corpus(1) else { return };
    let only = std::env::var("DAGAZ_RECORD").ok();
    let wanted = |row: &Row| only.as_ref().is_none_or(|only| row.record.starts_with(only.as_str()));
    let (mut games, mut steps, mut surprises) = (0, 0, Vec::new());
    for row in rows(&corpus).iter().filter(|row| wanted(row)) {
        let bytes = std::fs::read(corpus.join("zsg").join(&row.record)).expect("a record of the index");
        let save = zsg::read(&bytes).expect("a saved game");
        let unfit = UNFIT.iter().find(|(record, _, _)| *record == row.record).map(|&(_, ply, _)| ply);
        match (replay(&corpus, row, &save), unfit) {
            (Ok(count), None) => {
                games += 1;
                steps += count;
            }
            (Ok(_), Some(_)) => surprises.push(format!("{}: replays, and is listed as unfit", row.record)),
            (Err((ply, _)), Some(expected)) if ply == expected => steps += ply.map_or(0, |ply| ply - 1),
            (Err((_, why)), _) => surprises.push(format!("{}: {why}", row.record)),
        }
    }
    eprintln!("{steps} steps; {games} games to their end");
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

/// Replays a game, writes it in each form, and reads it back. Gives the number of its steps, or the first ply that does
/// not fit and why.
fn replay(corpus: &Path, row: &Row, save: &Save) -> Result<usize, (Option<usize>, String)> {
    let settings = Settings { variant: save.variant.clone(), ..Settings::default() };
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
