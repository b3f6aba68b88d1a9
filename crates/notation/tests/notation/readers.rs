//! Laws of the readers: no bytes make them panic, and what random games write, they read.

use dagaz_notation::fen::{Counters, Fen};
use dagaz_notation::zsg::{self, Heading};
use dagaz_notation::{Names, Record, json, record, universal};
use dagaz_play::Play;
use proptest::prelude::*;

use crate::games::{ALL, executor};

/// Words that the formats and the games use, and any others.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => prop::sample::select(vec![
            "x", "-", "+", "=", "@", "on", "flip", "partial", "Pass", "pass", "Man", "Stone", "Pawn", "Wall", "White", "First",
            "a1", "b2", "x-", "11", "0", "1", "2", "#2", "push", "n", "99999999999999999999",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,4}",
    ];
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

/// A game of the steps that these numbers choose.
fn game(rules: &str, choices: &[usize]) -> Play {
    let mut play = Play::new(executor(rules));
    for choice in choices {
        let steps = play.legal_steps().unwrap();
        if steps.is_empty() {
            break;
        }
        let step = steps[choice % steps.len()].clone();
        play.play(&step).unwrap();
    }
    play
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_never_panic_the_raw_readers(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = zsg::read(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        let _ = json::read(&text);
    }

    #[test]
    fn a_damaged_save_never_panics(lines in prop::collection::vec(words(), 0..8), numbered in any::<bool>()) {
        let mut text = String::from("Zillions Save Game File Version 0.02 HC\nRulesFile=a\nVariantName=b\n");
        for line in lines {
            text += &if numbered { format!("1. {line}\n") } else { format!("({line})\n") };
        }
        if let Ok(save) = zsg::read_text(&text) {
            for rules in ALL {
                let _ = save.replay(executor(rules));
            }
        }
    }

    #[test]
    fn words_never_panic_the_step_readers(text in words(), choices in prop::collection::vec(0_usize..100, 0..6)) {
        for rules in ALL {
            let play = game(rules, &choices);
            let (executor, state) = (&**play.executor(), play.state());
            let steps = executor.steps(state, &play.past()).unwrap();
            let _ = universal::read(executor, state, &steps, &text);
            let _ = zsg::resolve(executor, state, &steps, &text);
            let _ = zsg::items(&text, &Names::of(executor.rules()));
            if let Ok(fen) = Fen::new(executor) {
                let _ = fen.read(&text);
            }
        }
    }

    #[test]
    fn fields_never_panic_fen(text in "[pPqQrR1-9/\\[\\]]{0,24} [wbx-] [KQkqa-h-]{0,5} [a-c][1-3] 0 1") {
        let executor = executor(ALL[0]);
        let fen = Fen::new(&*executor).unwrap();
        if let Ok(position) = fen.read(&text) {
            let written = fen.write(&position.state, &position.counters).unwrap();
            let again = fen.read(&written.text).unwrap();
            prop_assert_eq!(again, position);
        }
    }

    #[test]
    fn what_is_written_is_read(choices in prop::collection::vec(0_usize..100, 0..12)) {
        for rules in ALL {
            let play = game(rules, &choices);
            let json = json::write(&Record::of(&play).unwrap());
            let again = record::replay(&json::read(&json).unwrap(), executor(rules)).unwrap();
            prop_assert_eq!(again.state(), play.state());
            let saved = zsg::write(&play, Heading { rules_file: "a", variant: "b" }).unwrap();
            let again = zsg::read(&zsg::encode(&saved)).unwrap().replay(executor(rules)).unwrap();
            prop_assert_eq!(again.state(), play.state(), "{}", saved);
            let steps = play.executor().steps(play.state(), &play.past()).unwrap();
            let texts = universal::write_all(&**play.executor(), play.state(), &steps).unwrap();
            for (step, text) in steps.iter().zip(&texts) {
                let read = universal::read(&**play.executor(), play.state(), &steps, text);
                prop_assert_eq!(read, Ok(step));
            }
            if let Ok(fen) = Fen::new(&**play.executor())
                && let Ok(written) = fen.write(play.state(), &Counters::default())
            {
                let again = fen.read(&written.text).unwrap();
                prop_assert!(!written.unsaid.is_empty() || again.state.keys() == play.state().keys());
            }
        }
    }
}
