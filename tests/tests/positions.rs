//! Legal positions of Go by exhaustive search: every board that moves of both players lead to, whoever's turn it is.
//!
//! Source of the numbers: John Tromp, "Number of legal Go positions" (tromp.github.io/go/legal.html), where a position is legal
//! when every string of stones has a liberty.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use dagaz_engine::{Executor, Interpreter, NoHistory, State};
use dagaz_tests::{Bundled, bundled};

/// How many boards moves lead to from the empty one. A repetition is no hindrance: no past is known.
fn boards(go: &Bundled, variant: &str) -> usize {
    let engine = Interpreter::new(go.rules(Some(variant)));
    let (layout, rules) = (engine.layout(), engine.rules());
    let stones = |state: &State| -> Box<[i32]> {
        rules.topology.sites().map(|site| state.get(layout.at(layout.known.owner, site))).collect()
    };
    let start = engine.initial();
    let mut seen = BTreeSet::from([stones(&start)]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        for turn in 0..rules.schedule.turns.len() {
            let mut here = state.clone();
            here.set(layout, layout.global(layout.known.turn), turn as i32);
            for step in engine.steps(&here, &NoHistory).unwrap() {
                let mut after = here.clone();
                engine.apply(&mut after, &step).unwrap();
                if seen.insert(stones(&after)) {
                    open.push(after);
                }
            }
        }
    }
    seen.len()
}

#[test]
fn go_has_as_many_legal_positions_as_are_published() {
    let games = bundled();
    let go = games.iter().find(|game| game.name == "go").unwrap();
    for (variant, published) in [("Go 1x1", 1), ("Go 2x2", 57), ("Go 3x3", 12_675)] {
        assert_eq!(boards(go, variant), published, "{variant}");
    }
}
