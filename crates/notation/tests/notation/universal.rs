//! Universal notation: what is written, and what else is read.

use crate::games::{CHAINS, DROPS, PAWNS, played, read, read_move, texts};

#[test]
fn a_step_is_its_sites_its_rule_and_its_arguments() {
    let play = played(PAWNS, &[]);
    assert_eq!(
        texts(&play),
        ["a1 - a2 push n", "a1 x b2 take ne", "c1 - c2 slide n", "c1 x c3 slide n", "c1 - b1 slide w", "pass",]
    );
}

#[test]
fn the_choice_comes_last() {
    let play = played(PAWNS, &["a1 - a2 push n", "pass"]);
    let promotions: Vec<String> = texts(&play).into_iter().filter(|text| text.starts_with("a2 - a3")).collect();
    assert_eq!(promotions, ["a2 - a3 push n Queen", "a2 - a3 push n Quail", "a2 - a3 push n Rook"]);
}

#[test]
fn a_plus_stands_only_where_the_move_goes_on() {
    let play = played(CHAINS, &[]);
    let jumps = |play| texts(play).into_iter().filter(|text: &String| text.contains("jump")).collect::<Vec<_>>();
    // From x over - to +1, and on over x- to 1.
    assert_eq!(jumps(&play), ["+ x - +1 jump e"]);
    let play = played(CHAINS, &["x - +1 jump e"]);
    assert_eq!(texts(&play), ["+1 - 1 jump e", "+"]);
    for text in ["+1 - 1 jump e", "+ +1 - 1 jump e", "+1-1", "++1-1", "+11"] {
        assert_eq!(read(&play, text).unwrap().to, play.rules().topology.site("1"), "{text}");
    }
    let play = played(CHAINS, &["x - +1 jump e", "+"]);
    assert!(!play.in_chain());
}

#[test]
fn a_chain_may_be_named_by_its_sites() {
    let play = played(CHAINS, &[]);
    // Sites are called `x`, `-` and `1` here: `x` to `+1` to `1`, whatever stands between them.
    for text in ["x+11", "x - +1 - 1", "xx+1x1", "x-+1x1jump"] {
        let steps = read_move(&play, text).unwrap();
        let ends: Vec<_> = steps.iter().map(|step| play.rules().topology.site_name(step.to.unwrap())).collect();
        assert_eq!(ends, ["+1", "1"], "{text}");
    }
    assert_eq!(read_move(&play, "x - +1").unwrap().len(), 1);
    assert_eq!(read_move(&play, "x+1x").unwrap_err().to_string(), read(&play, "x+1x").unwrap_err().to_string());
}

#[test]
fn several_chains_of_the_same_sites_are_listed() {
    let rules = CHAINS.replace(
        "(verify empty?) (add-partial jumping)",
        "(verify empty?) (add-partial jumping) (set-attribute old? true) (add-partial jumping)",
    );
    let error = read_move(&played(&rules, &[]), "x+11").unwrap_err();
    assert_eq!(error.candidates().len(), 4, "{error}");
    assert_eq!(error.candidates()[2], "+ x - +1 jump e #2; +1 - 1 jump e");
}

#[test]
fn where_a_site_is_called_like_the_mark_there_is_none() {
    let rules = CHAINS.replace("+1", "+");
    let play = played(&rules, &["x - + jump e"]);
    assert!(play.in_chain());
    assert_eq!(texts(&play), ["+ - 1 jump e", "+"]);
    assert_eq!(read(&play, "+ - 1 jump e").unwrap().to, play.rules().topology.site("1"));
}

#[test]
fn steps_of_one_text_are_numbered() {
    let play = played(CHAINS, &[]);
    let steps: Vec<String> = texts(&play).into_iter().filter(|text| text.starts_with("11")).collect();
    assert_eq!(steps, ["11 - x1 step e", "11 - x1 step e #2", "11 - 1 step w", "11 - 1 step w #2"]);
    assert_ne!(read(&play, "11 - x1 step e"), read(&play, "11 - x1 step e #2"));
    assert_eq!(
        read(&play, "x1").unwrap_err().to_string(),
        "`x1` may mean several moves: `11 - x1 step e`, `11 - x1 step e #2`"
    );
}

#[test]
fn a_drop_has_one_site() {
    let play = played(DROPS, &[]);
    let drops: Vec<String> = texts(&play).into_iter().filter(|text| text.starts_with("b1")).collect();
    assert_eq!(drops, ["b1 put Stone", "b1 put Wall"]);
    assert_eq!(
        read(&play, "b1 put").unwrap_err().to_string(),
        "`b1 put` may mean several moves: `b1 put Stone`, `b1 put Wall`"
    );
}

#[test]
fn anything_shorter_is_read_when_only_one_step_has_it() {
    let play = played(PAWNS, &[]);
    let full = read(&play, "a1 x b2 take ne").unwrap();
    for text in [
        "a1xb2",
        "a1-b2",
        "a1b2",
        "a1 b2",
        "b2",
        "a1 x b2",
        " a1  x b2\ttake ne ",
        "a1xb2 take",
        "+ a1 x b2 take ne",
        "+a1xb2",
    ] {
        assert_eq!(read(&play, text).as_ref(), Ok(&full), "{text}");
    }
    let play = played(PAWNS, &["a2", "pass"]);
    let rook = read(&play, "a2 - a3 push n Rook").unwrap();
    for text in ["a2a3r", "a2-a3=Rook", "a3 Rook", "a2 a3 rook", "a2 - a3 push Rook", "a3=R", "a2-a3 push n ro"] {
        assert_eq!(read(&play, text).as_ref(), Ok(&rook), "{text}");
    }
    let play = played(DROPS, &[]);
    let wall = read(&play, "b1 put Wall").unwrap();
    for text in ["Wall b1", "Wall@b1", "b1 Wall", "b1putWall"] {
        assert_eq!(read(&play, text).as_ref(), Ok(&wall), "{text}");
    }
}

#[test]
fn what_may_mean_several_steps_lists_them() {
    let message = |play, text| read(play, text).unwrap_err().to_string();
    let play = played(PAWNS, &["a2", "pass"]);
    assert_eq!(
        message(&play, "a2a3q"),
        "`a2a3q` may mean several moves: `a2 - a3 push n Queen`, `a2 - a3 push n Quail`"
    );
    assert_eq!(message(&play, "b2 - b1"), "`b2 - b1` is not a legal move here; legal `c1 - b1 slide w`");
    assert_eq!(read(&play, "resign").unwrap_err().candidates().len(), texts(&play).len());
    assert_eq!(read(&play, "").unwrap_err().candidates().len(), texts(&play).len());
}
