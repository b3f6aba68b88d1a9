//! Laws of notation on every bundled game: texts of legal steps are unique and read back, and a game written in any
//! form is the same game when it is read.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::sync::Arc;

use dagaz_base::Random;
use dagaz_engine::{Executor, Interpreter, Situation, Step, StepRule};
use dagaz_ir::{Rule, Rules, Stages, Trigger};
use dagaz_notation::fen::{Counters, Fen};
use dagaz_notation::zsg::{self, Heading};
use dagaz_notation::{Record, json, record, universal};
use dagaz_play::Play;
use dagaz_tests::{Bundled, bundled};

const STEPS: usize = 60;

#[test]
fn every_bundled_game_keeps_the_laws_of_notation() {
    for (name, rules) in bundled().iter().flat_map(Bundled::menu) {
        let executor: Arc<dyn Executor> = Arc::new(Interpreter::new(rules));
        let play = random_game(&executor, &name);
        let json = json::write(&Record::of(&play).unwrap());
        let again = record::replay(&json::read(&json).unwrap(), executor.clone());
        let again = again.unwrap_or_else(|error| panic!("{name}: JSON: {error}"));
        assert_eq!(again.state(), play.state(), "{name}: JSON");
        if !is_zillions(play.rules()) {
            // A saved game of Zillions has no words for the rest.
            continue;
        }
        let written = zsg::write(&play, Heading { rules_file: "a.zrf", variant: &name }).unwrap();
        let again = zsg::read_text(&written).unwrap().replay(executor.clone());
        let again = again.unwrap_or_else(|error| panic!("{name}: ZSG: {error}\n{written}"));
        assert_eq!(again.state(), play.state(), "{name}: ZSG");
    }
}

/// Whether Zillions has all that these rules speak of.
fn is_zillions(rules: &Rules) -> bool {
    let plain = |rule: &Rule| matches!(rule.trigger, Trigger::Piece | Trigger::Drop) && rule.then.is_none();
    let known = |name: &str| !name.starts_with("variable ") && !matches!(name, "stack" | "next-turn");
    rules.stages == Stages::default()
        && rules.rules.values().all(plain)
        && rules
            .fields
            .values()
            .all(|field| known(&field.name) && (field.high <= 1 || !field.name.starts_with("attribute ")))
}

/// A game of random steps, with every state's texts put to the test.
fn random_game(executor: &Arc<dyn Executor>, name: &str) -> Play {
    let mut play = Play::new(executor.clone());
    let mut random = Random::new(1);
    for _ in 0..STEPS {
        position_reads_back(&play, name);
        let Situation::Open(steps) = play.situation().unwrap().clone() else { break };
        texts_are_names(&play, &steps, name);
        let step = random.choose(&steps).unwrap();
        play.play(step).unwrap();
    }
    play
}

/// A position that FEN can say is read back as it is written.
fn position_reads_back(play: &Play, name: &str) {
    let Ok(fen) = Fen::new(&**play.executor()) else { return };
    let Ok(written) = fen.write(play.state(), &Counters::default()) else { return };
    let again = fen.read(&written.text).unwrap_or_else(|error| panic!("{name}: {}: {error}", written.text));
    assert_eq!(fen.write(&again.state, &again.counters).unwrap().text, written.text, "{name}");
}

fn texts_are_names(play: &Play, steps: &[Step], name: &str) {
    let (executor, state) = (&**play.executor(), play.state());
    let texts = universal::write_all(executor, state, steps).unwrap();
    let unique: BTreeSet<&String> = texts.iter().collect();
    assert_eq!(unique.len(), texts.len(), "{name}: two steps have one text: {texts:?}");
    for (step, text) in steps.iter().zip(&texts) {
        assert_eq!(universal::write(executor, state, steps, step).as_ref(), Ok(text));
        assert_eq!(universal::read(executor, state, steps, text), Ok(step), "{name}: {text}");
        if step.rule != StepRule::Stop {
            let bare = text.trim_start_matches("+ ");
            assert_eq!(universal::read(executor, state, steps, bare), Ok(step), "{name}: {bare}");
            let marked = format!("+ {bare}");
            assert_eq!(universal::read(executor, state, steps, &marked), Ok(step), "{name}: {marked}");
        }
    }
}
