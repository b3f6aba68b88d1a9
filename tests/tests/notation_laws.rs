//! Laws of notation on every bundled game: texts of legal steps are unique and read back, and a game written in any
//! form is the same game when it is read.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dagaz_base::Random;
use dagaz_engine::{Executor, Interpreter, Situation, Step, StepRule};
use dagaz_lang_zrf::Settings;
use dagaz_notation::zsg::{self, Heading};
use dagaz_notation::{Record, json, record, universal};
use dagaz_play::Play;
use dagaz_tests::{project, rules_of};

const STEPS: usize = 60;

#[test]
fn every_bundled_game_keeps_the_laws_of_notation() {
    let files = rule_files(&project().join("games"));
    assert!(!files.is_empty());
    for file in files {
        let executor: Arc<dyn Executor> = Arc::new(Interpreter::new(rules_of(&file, &Settings::default())));
        let play = random_game(&executor, &file);
        let name = file.display();
        let json = json::write(&Record::of(&play).unwrap());
        let again = record::replay(&json::read(&json).unwrap(), executor.clone());
        let again = again.unwrap_or_else(|error| panic!("{name}: JSON: {error}"));
        assert_eq!(again.state(), play.state(), "{name}: JSON");
        let written = zsg::write(&play, Heading { rules_file: "a.zrf", variant: "" }).unwrap();
        let again = zsg::read_text(&written).unwrap().replay(executor.clone());
        let again = again.unwrap_or_else(|error| panic!("{name}: ZSG: {error}\n{written}"));
        assert_eq!(again.state(), play.state(), "{name}: ZSG");
    }
}

/// A game of random steps, with every state's texts put to the test.
fn random_game(executor: &Arc<dyn Executor>, file: &Path) -> Play {
    let mut play = Play::new(executor.clone());
    let mut random = Random::new(1);
    for _ in 0..STEPS {
        let Situation::Open(steps) = play.situation().unwrap().clone() else { break };
        texts_are_names(&play, &steps, file);
        let step = random.choose(&steps).unwrap();
        play.play(step).unwrap();
    }
    play
}

fn texts_are_names(play: &Play, steps: &[Step], file: &Path) {
    let (executor, state) = (&**play.executor(), play.state());
    let texts = universal::write_all(executor, state, steps).unwrap();
    let unique: BTreeSet<&String> = texts.iter().collect();
    assert_eq!(unique.len(), texts.len(), "{}: two steps have one text: {texts:?}", file.display());
    for (step, text) in steps.iter().zip(&texts) {
        assert_eq!(universal::write(executor, state, steps, step).as_ref(), Ok(text));
        assert_eq!(universal::read(executor, state, steps, text), Ok(step), "{}: {text}", file.display());
        if step.rule != StepRule::Stop {
            let bare = text.trim_start_matches("+ ");
            assert_eq!(universal::read(executor, state, steps, bare), Ok(step), "{}: {bare}", file.display());
            let marked = format!("+ {bare}");
            assert_eq!(universal::read(executor, state, steps, &marked), Ok(step), "{}: {marked}", file.display());
        }
    }
}

fn rule_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files.extend(rule_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "zrf") {
            files.push(path);
        }
    }
    files
}
