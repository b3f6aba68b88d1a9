//! Any bytes are read and expanded without a panic.

use dagaz_base::{Diagnostics, Sources};
use dagaz_lang_zrf::Document;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Reads and expands; each file includes whatever it likes.
fn survives(bytes: &[u8]) -> Diagnostics {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let mut loader = |path: &str| path.len().is_multiple_of(2).then(|| bytes.to_vec());
    let document = Document::read("a.zrf", bytes, &mut loader, &mut sources, &mut diagnostics);
    for index in 0..document.entries.len() {
        let form = document.expand(index, &mut sources, &mut diagnostics);
        let _ = form.to_string();
    }
    diagnostics.render(&sources);
    diagnostics
}

/// Fragments of which broken rules files are made.
const FRAGMENTS: [&str; 28] = [
    "(",
    ")",
    "\"",
    ";",
    "\n",
    "\r\n",
    " ",
    "$1",
    "$2",
    "$10",
    "-",
    "a",
    "b",
    "(a",
    "(b ",
    "(a $1 ",
    "(define a ",
    "(define b ",
    "\n(define a ",
    "(game ",
    "\n(game ",
    "(variant ",
    "(title \"",
    "(default)",
    "(include \"a.zrf\")",
    "(include \"bb/c\")",
    "\\",
    "\u{fffd}",
];

proptest! {
    // The same cases in every run.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Default::default() })]

    #[test]
    fn bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        survives(&bytes);
    }

    #[test]
    fn fragments(parts in proptest::collection::vec(proptest::sample::select(&FRAGMENTS[..]), 0..80)) {
        survives(parts.concat().as_bytes());
    }
}

fn codes(text: &str) -> Vec<&'static str> {
    survives(text.as_bytes()).iter().map(|finding| finding.code).collect()
}

#[test]
fn depth_is_limited() {
    let many = 100_000;
    assert_eq!(codes(&"(".repeat(many)), ["zrf-unbalanced", "zrf-nesting", "zrf-unknown-form", "zrf-no-game"]);
    assert_eq!(codes(&format!("(game {}{})", "(".repeat(many), ")".repeat(many))), ["zrf-nesting"]);
    assert_eq!(codes(&")".repeat(many)), ["zrf-unbalanced", "zrf-no-game"]);
    let chain: String = (1..100).map(|n| format!("(define m{n} ((m{})))\n", n + 1)).collect();
    assert_eq!(codes(&format!("{chain} (define m100 {}x{}) (game (m1))", "(".repeat(156), ")".repeat(156))), [""; 0]);
    assert_eq!(
        codes(&format!("{chain} (define m100 {}x{}) (game (m1))", "(".repeat(157), ")".repeat(157))),
        ["zrf-nesting"]
    );
    assert_eq!(codes(&format!("(define m0 (m1)) {chain} (define m100) (game (m0))")), ["zrf-macro-recursion"]);
    let wrapping = "(define a (b ((((((((((((((((($1)))))))))))))))))))
        (define b (a ((((((((((((((((($1))))))))))))))))))) (game (a x))";
    assert_eq!(codes(wrapping), ["zrf-nesting"]);
}

#[test]
fn size_is_limited() {
    // Each macro uses the next one twice: 2^40 forms, uses, arguments or bytes.
    let doubling = |body: &str, last: &str| {
        let step = |n: usize| format!("(define m{n} {})\n", body.replace("next", &format!("m{}", n + 1)));
        (0..40).map(step).collect::<String>() + &format!("(define m40 {last})\n(game (m0 xy))")
    };
    for text in [
        doubling("(next) (next)", "x"),
        doubling("(next) (next)", ""),
        doubling("(x (next) (next))", "x"),
        doubling("(next $1$1)", "$1"),
        doubling("(next ($1 $1))", "$1"),
        doubling("(title \"\") (next) (next)", "(title \"$1\")"),
    ] {
        assert_eq!(codes(&text), ["zrf-macro-limit"], "{}", &text[..60]);
    }
}
