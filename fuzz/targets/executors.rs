//! Law: rules mean the same to every executor. Rules of the representation that nobody would write, and whatever the front end
//! accepts, are played by the interpreter, and a compiled module must say the same at every step.

#![no_main]

use std::sync::Arc;

use dagaz_engine::Limits;
use dagaz_lang_zrf::{Settings, compile};
use dagaz_tests::{equal, made};

/// Steps of one game.
const STEPS: usize = 12;
/// Small enough that an input takes no more than moments.
const LIMITS: Limits = Limits { work: 40_000, steps: 500, chain: 8 };

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let rules = match data.split_first() {
        // After a first byte of 1 the others are rules of the representation.
        Some((1, rest)) => made::rules(rest),
        _ => {
            let text = dagaz_fuzz::text(data);
            let compiled = compile("rules.zrf", &text, &mut |_: &str| None, &Settings::default());
            match compiled.game {
                Some(game) if game.rules.topology.site_count() <= 400 => game.rules,
                _ => return,
            }
        }
    };
    if let Err(violations) = dagaz_ir::verify::verify(&rules) {
        panic!("{}", violations[0]);
    }
    if let Err(difference) = equal::compare(&Arc::new(rules), LIMITS, 1, STEPS, 1) {
        panic!("{difference}");
    }
});
