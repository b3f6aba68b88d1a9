//! Legal positions of Go by exhaustive search: every board that moves of both players lead to, whoever's turn it is.
//!
//! Source of the numbers: John Tromp, "Number of legal Go positions" (tromp.github.io/go/legal.html), where a position is legal
//! when every string of stones has a liberty.
//!
//! The compiled rules count the larger boards, each position standing for those that are the same seen from another side or with
//! the colours exchanged: rules treat these alike. `DAGAZ_SLOW` counts the largest, in some minutes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use dagaz_engine::{Executor, Interpreter, NoHistory, State};
use dagaz_engine_wasm::Wasm;
use dagaz_tests::{Bundled, bundled, slow};

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

/// Boards of a square as numbers to the base 3, and which of them were seen: a bit each.
struct Seen {
    size: usize,
    bits: Vec<u64>,
}

impl Seen {
    fn new(size: usize) -> Self {
        Self { size, bits: vec![0; 3_usize.pow((size * size) as u32).div_ceil(64)] }
    }

    fn number(stones: impl IntoIterator<Item = usize>) -> usize {
        stones.into_iter().fold(0, |number, stone| number * 3 + stone)
    }

    fn stones(&self, number: usize) -> Vec<usize> {
        let mut stones = vec![0; self.size * self.size];
        stones.iter_mut().rev().fold(number, |number, stone| {
            *stone = number % 3;
            number / 3
        });
        stones
    }

    /// Notes a board with all that are like it; gives whether it is new.
    fn insert(&mut self, stones: &[usize]) -> bool {
        let number = Self::number(stones.iter().copied());
        if self.bits[number / 64] >> (number % 64) & 1 != 0 {
            return false;
        }
        let last = self.size - 1;
        for turned in 0..16 {
            let image = (0..stones.len()).map(|site| {
                let (x, y) = (site / self.size, site % self.size);
                let (x, y) = if turned & 1 == 0 { (x, y) } else { (y, x) };
                let x = if turned & 2 == 0 { x } else { last - x };
                let y = if turned & 4 == 0 { y } else { last - y };
                let stone = stones[x * self.size + y];
                if turned & 8 == 0 { stone } else { (3 - stone) % 3 }
            });
            let number = Self::number(image);
            self.bits[number / 64] |= 1 << (number % 64);
        }
        true
    }

    fn count(&self) -> u32 {
        self.bits.iter().map(|word| word.count_ones()).sum()
    }
}

/// The same count by compiled rules.
fn counted(go: &Bundled, variant: &str, size: usize) -> u32 {
    let engine = Wasm::new(go.rules(Some(variant))).unwrap();
    let (layout, rules) = (engine.layout(), engine.rules());
    let known = layout.known;
    let sites: Vec<_> = rules.topology.sites().collect();
    assert_eq!(sites.len(), size * size, "{variant}");
    let mut seen = Seen::new(size);
    let nothing = vec![0; sites.len()];
    seen.insert(&nothing);
    let mut open = vec![Seen::number(nothing)];
    while let Some(number) = open.pop() {
        let mut state = engine.initial();
        for (&site, stone) in sites.iter().zip(seen.stones(number)) {
            state.set(layout, layout.at(known.owner, site), stone as i32);
            state.set(layout, layout.at(known.kind, site), i32::from(stone > 0));
        }
        for turn in 0..rules.schedule.turns.len() {
            state.set(layout, layout.global(known.turn), turn as i32);
            for step in engine.steps(&state, &NoHistory).unwrap() {
                let mut after = state.clone();
                engine.apply(&mut after, &step).unwrap();
                let stones: Vec<usize> =
                    sites.iter().map(|&site| after.get(layout.at(known.owner, site)) as usize).collect();
                if seen.insert(&stones) {
                    open.push(Seen::number(stones));
                }
            }
        }
    }
    seen.count()
}

#[test]
fn compiled_go_has_as_many_legal_positions_as_are_published() {
    let games = bundled();
    let go = games.iter().find(|game| game.name == "go").unwrap();
    for (variant, size, published) in [("Go 1x1", 1, 1), ("Go 2x2", 2, 57), ("Go 3x3", 3, 12_675)] {
        assert_eq!(counted(go, variant, size), published, "{variant}");
    }
    if slow() {
        assert_eq!(counted(go, "Go 4x4", 4), 24_318_165);
    }
}
