//! No text makes the parser panic, hang or take much memory; what is wrong is said with its place.

use dagaz_ir::text::{parse, print};
use dagaz_ir::verify::verify;
use dagaz_ir::{Op, limits};
use proptest::prelude::*;

use crate::{example, generate};

/// Laws of any text: if it is rules at all, lawful or not, they print and parse back, and the verifier has an answer.
fn check(text: &str) {
    match parse(text) {
        Ok(rules) => {
            let _ = verify(&rules);
            assert_eq!(parse(&print(&rules)), Ok(rules));
        }
        Err(error) => assert!(error.line >= 1 && error.column >= 1 && !error.expected.is_empty(), "{error:?}"),
    }
}

/// The smallest lawful text, with something put in.
fn small(insert: &str) -> String {
    format!(
        "(rules small (sites a b) (direction n (a b)) (player p person (friends p)) (kind k)
         (field owner piece (range 0 1) (initial 0)) (field kind piece (range 0 1) (initial 0))
         (field turn global (range 0 0) (initial 0)) (field chain global (range 0 2) (initial 0))
         (field chain-type global (range 0 0) (initial 0))
         (schedule (turn p)) (policy (pass never)){insert})"
    )
}

#[test]
fn people_may_write_it_by_hand() {
    let rule = "; steps north
        (rule step (kind k) (trigger piece) (view before) (locals (here site) (to site))
          (body (let to (step n (local here))) (verify (empty to)) (effect (move here to)) (emit here to)))";
    let rules = parse(&small(rule)).unwrap();
    assert_eq!(verify(&rules), Ok(()));
    assert!(print(&rules).contains("(let to (step n here))"), "{}", print(&rules));
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("", "1:1: expected `(`, found the end of the text"),
        ("(rules", "1:7: expected `)`, found the end of the text"),
        ("(rules x) y", "1:11: expected the end of the text, found `y`"),
        ("(game)", "1:2: expected `rules`, found `game`"),
        ("(rules x)", "1:9: expected `(sites …)`, found `)`"),
        ("(rules x (sites) (sights))", "1:18: expected one of sites, direction"),
        ("(rules \"x\\q\")", "1:10: expected `\\n`, `\\\"`, `\\\\` or `\\u{…}`, found `\\q`"),
        ("(rules \"x", "1:10: expected a closing quote, found the end of the text"),
        ("(rules x (sites a b)\n  (direction n (a é)))", "2:19: expected a site, found `é`"),
        ("(rules x (sites a b) (direction n (a b) (a a)))", "1:44: expected no second link from one site, found `a`"),
        (
            "(rules x (sites a) (player p human))",
            "1:30: expected a role: `person` or `random` or `neutral`, found `human`",
        ),
        ("(rules x (sites a) (field f piece (range 0 9999999999) (initial 0)))", "1:44: expected a number that fits"),
        ("(rules x (sites a) (sites b))", "1:27: expected a single `(sites …)`, found `b`"),
    ];
    for (text, expected) in cases {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}\n  {error}\n  {expected}");
    }
    let cases = [
        ("(verify (emptier here))", "expected an operation, found `emptier`"),
        ("(verify there)", "expected a local, found `there`"),
        ("(empty here)", "expected a statement, found `empty`"),
        ("(let here (site a#2))", "expected a site, found `a#2`"),
        ("(forget 1)", "expected `)`, found `1`"),
        ("(forget @0)", "expected the index of an item of `(origins …)`, found `@0`"),
        ("(if true (else) (forget))", "expected `)`, found `(`"),
        ("(let here)", "expected an expression, found `)`"),
        ("(verify 7up)", "expected a number that fits there, found `7up`"),
    ];
    for (body, expected) in cases {
        let head = "(kind k) (trigger piece) (view before) (locals (here site))";
        let error = parse(&small(&format!("(rule r {head} (body {body}))"))).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{body}\n  {error}\n  {expected}");
    }
}

#[test]
fn a_flood_of_parentheses_is_refused() {
    for text in ["(".repeat(2_000_000), small(&"(not ".repeat(100_000)), small(&"((((".repeat(1000))] {
        assert!(parse(&text).unwrap_err().expected.contains("levels of parentheses"));
    }
}

#[test]
fn boards_beyond_the_limit_are_refused() {
    let sites = |count: usize| "s ".repeat(count);
    let text = |count| format!("(rules x (sites {}))", sites(count));
    assert_eq!(parse(&text(limits::SITES)).unwrap_err().expected, "`(schedule …)`");
    assert!(parse(&text(limits::SITES + 1)).unwrap_err().expected.contains("no more than 65534 sites"));

    let board = sites(limits::SITES);
    let directions = format!("(rules x (sites {board}) {})", "(direction n)".repeat(50_000));
    assert!(parse(&directions).unwrap_err().expected.contains("links"));
    let meanings =
        format!("(rules x (sites) {}{})", "(direction n)".repeat(30_000), "(player p person)".repeat(30_000));
    assert!(parse(&meanings).unwrap_err().expected.contains("links"));

    for (board, zone) in [(board.as_str(), "(zone z (*))"), ("", "(zone z (*))")] {
        let players = "(player p person)".repeat(2_000);
        let zones = format!("(rules x (sites {board}) {players} {})", zone.repeat(20_000));
        assert!(parse(&zones).unwrap_err().expected.contains("bits of zones"));
    }
    let cells = small("(field f (array 4000000000) (range 0 0) (initial 0))");
    assert!(parse(&cells).unwrap_err().expected.contains("cells"));
}

#[test]
fn a_truncated_text_is_refused() {
    let text = print(&example::rules());
    for (end, _) in text.trim_end().char_indices() {
        assert!(parse(&text[..end]).is_err());
    }
}

/// Words of the grammar, from which soups are made.
fn words() -> Vec<String> {
    let text = print(&example::rules());
    let words = text.split(|c: char| c.is_whitespace() || "()".contains(c)).chain(Op::NAMES.iter().copied());
    let mut words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
    words.sort_unstable();
    words.dedup();
    words.extend(
        ["(", ")", "(", ")", "(", ")", "#0", "#4294967295", "#99999999999", "a1#2", "-2147483648"].map(str::to_owned),
    );
    words
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        check(&text);
        check(&small(&text));
    }

    #[test]
    fn any_soup_of_words_is_read_or_refused(choices in proptest::collection::vec(any::<usize>(), 0..60)) {
        let words = words();
        let soup: Vec<_> = choices.iter().map(|choice| words[choice % words.len()].as_str()).collect();
        check(&small(&soup.join(" ")));
    }

    #[test]
    fn a_changed_text_is_read_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
        changes in proptest::collection::vec((any::<usize>(), any::<usize>(), any::<usize>()), 1..5),
    ) {
        let words = words();
        let mut tokens = tokens(&print(&generate::rules(&bytes)));
        for (kind, at, what) in changes {
            let at = at % tokens.len();
            let other = what % tokens.len();
            match kind % 5 {
                0 => { tokens.remove(at); }
                1 => tokens[at].clone_from(&words[what % words.len()]),
                2 => tokens.insert(at, words[what % words.len()].clone()),
                3 => tokens.swap(at, other),
                _ => { let copy = tokens[at..tokens.len().min(at + 20)].to_vec(); tokens.splice(other..other, copy); }
            }
            if tokens.is_empty() {
                break;
            }
        }
        check(&tokens.join(" "));
    }
}

/// The parentheses and words of a text, quoted ones in one piece if they hold no space.
fn tokens(text: &str) -> Vec<String> {
    text.replace('(', " ( ").replace(')', " ) ").split_whitespace().map(str::to_owned).collect()
}
