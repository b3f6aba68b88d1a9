//! Law: rules that were accepted can be played. Whatever they do, the generic battery holds, every step's text means
//! that step, and where rules are too much for the limits they stop with a fault that says so.

#![no_main]

use std::sync::Arc;

use dagaz_engine::battery::Law;
use dagaz_engine::{Interpreter, Limits, Moment, battery_with};
use dagaz_lang_zrf::{Settings, compile};
use dagaz_notation::universal;

/// Steps of one game.
const STEPS: usize = 200;
/// Small enough that an input takes no more than moments.
const LIMITS: Limits = Limits { work: 200_000, steps: 2_000, chain: 50 };

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = dagaz_fuzz::text(data);
    let compiled = compile("rules.zrf", &text, &mut |_: &str| None, &Settings::default());
    let Some(game) = compiled.game else { return };
    // A large board makes every step slow, and shows nothing that a small one does not.
    if game.rules.topology.site_count() > 400 {
        return;
    }
    let interpreter = Interpreter::with_limits(Arc::new(game.rules), LIMITS);
    match battery_with(&interpreter, 1, STEPS, 1, &mut names_are_steps) {
        Ok(_) => {}
        Err(broken) if matches!(broken.law, Law::RulesEnd(_)) => {}
        Err(broken) => panic!("{broken}"),
    }
});

fn names_are_steps(moment: Moment<'_>) -> Result<(), String> {
    let Moment { executor, state, steps, line } = moment;
    let Ok(texts) = universal::write_all(executor, state, steps) else { return Ok(()) };
    let Some(index) = (!steps.is_empty()).then(|| dagaz_engine::History::moves(line) % steps.len()) else {
        return Ok(());
    };
    match universal::read(executor, state, steps, &texts[index]) {
        Ok(step) if *step == steps[index] => Ok(()),
        Ok(_) => Err(format!("`{}` is read as another step than it was written for", texts[index])),
        Err(error) => Err(error.to_string()),
    }
}
