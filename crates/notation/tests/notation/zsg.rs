//! Saved games of Zillions: what is written, and how words find their step.

use dagaz_notation::zsg::{self, Heading};
use dagaz_notation::{Names, RecordError};
use dagaz_play::Play;

use crate::games::{CHAINS, DROPS, PAWNS, executor, played};

fn written(play: &Play) -> Vec<String> {
    let text = zsg::write(play, Heading { rules_file: "a.zrf", variant: "A" }).unwrap();
    assert!(text.ends_with("\r\n"));
    text.lines().skip(3).map(str::to_owned).collect()
}

fn replay(rules: &str, lines: &[&str]) -> Result<Play, Box<RecordError>> {
    let text = format!("Zillions Save Game File Version 0.02 HH\nRulesFile=a.zrf\nVariantName=A\n{}", lines.join("\n"));
    zsg::read_text(&text).unwrap().replay(executor(rules)).map_err(Box::new)
}

#[test]
fn captures_promotions_and_passes() {
    let play = played(PAWNS, &["a1 x b2", "pass", "b2 x c3 Rook", "pass"]);
    let expected = ["1. Pawn a1 x b2", "1. Pass", "2. Pawn b2 x c3 = Rook", "2. Pass"];
    assert_eq!(written(&play), expected);
    assert_eq!(replay(PAWNS, &expected).unwrap().state(), play.state());
}

#[test]
fn chains_say_which_type_comes_next() {
    let play = played(CHAINS, &["x - +1 jump e", "+", "-x - pass step e #2", "+1 - 1 jump e"]);
    let expected =
        ["1. partial 1 Man x - +1 x -", "1. Pass", "1. Man -x - pass @ pass 0 1", "2. partial 1 Man +1 - 1 x x-"];
    assert_eq!(written(&play), expected);
    assert_eq!(replay(CHAINS, &expected).unwrap().state(), play.state());
    // A step of the other side implies the end of the chain.
    let implied = replay(CHAINS, &["1. partial 1 Man x - +1 x -", "1. Man -x - x1"]).unwrap();
    assert_eq!(implied.steps_made().count(), 3);
}

#[test]
fn an_attribute_tells_two_steps_apart() {
    let plain = replay(CHAINS, &["1. Man 11 - x1"]).unwrap();
    let old = replay(CHAINS, &["1. Man 11 - x1 @ x1 0 1"]).unwrap();
    assert_ne!(plain.state(), old.state());
    assert_eq!(written(&old), ["1. Man 11 - x1 @ x1 0 1"]);
}

#[test]
fn drops_shoves_and_changes_of_side() {
    for lines in [
        // A drop, a capture into the hand, a drop of what was captured.
        vec!["1. First Wall b1", "1. Second Stone a2", "2. First Stone b2"],
        // A shove of two.
        vec!["(x c1)", "(First Stone b1)", "1. Stone a1 x b1 Stone b1 - c1"],
        // A piece changes side and kind while another goes.
        vec!["(x c1)", "(Second Stone b1)", "1. Stone a1 - a2 = First on b1 = Wall on b1"],
        // A piece appears, and the one that made it changes sides.
        vec!["(First Stone b2)", "1. First Stone b1 flip b2"],
    ] {
        match replay(DROPS, &lines) {
            Ok(play) => assert_eq!(written(&play), lines),
            Err(error) => panic!("{lines:?}: {error}"),
        }
    }
}

#[test]
fn words_are_read_by_the_names_of_the_game() {
    let executor = executor(CHAINS);
    let names = Names::of(executor.rules());
    let read = |text: &str| zsg::items(text, &names);
    let items = |text: &str| read(text).unwrap().items.len();
    assert_eq!(items("Man x x x- x x"), 2);
    assert_eq!(items("White Man x x x-"), 2);
    assert_eq!(items("Man x - +1 = Man on x x- x1 x x"), 2);
    assert_eq!(items("= White on x White Man x flip x x- x x"), 3);
    assert_eq!(read("partial 12 Man x - +1").unwrap().partial, Some(12));
    assert_eq!(read("Pass").unwrap().items, []);
    let message = |text: &str| read(text).unwrap_err().to_string();
    assert_eq!(message(""), "there are no words");
    assert_eq!(message("partial x Man x - +1"), "`partial` needs the number of a move type, and not `x`");
    assert_eq!(message("Man x - +1 Bird x - +1"), "word 5, `Bird`, starts nothing that the names of this game allow");
    assert_eq!(message("partial 1 Man x - +1 @ x 1"), "word 7, `@`, starts nothing that the names of this game allow");
}

#[test]
fn what_does_not_fit_says_why() {
    let message = |rules, lines: &[&str]| replay(rules, lines).unwrap_err().to_string();
    assert_eq!(
        message(PAWNS, &["1. Pawn a1 - a2", "1. Pawn c3 - c1"]),
        "ply 2 (line 5): `Pawn c3 - c1`: not legal here; legal `c3 - c2 push n`"
    );
    assert_eq!(
        message(PAWNS, &["1. Pawn a1 x b2 = Rook"]),
        "ply 1 (line 4): `Pawn a1 x b2 = Rook`: the legal move `a1 x b2 take ne` does something else: \
         White Pawn on b2, not White Rook"
    );
    assert_eq!(
        message(CHAINS, &["1. Man 11 - x1 @ x1 2 1"]),
        "ply 1 (line 4): `Man 11 - x1 @ x1 2 1`: there is no attribute 2: the game has 2, numbered from 0"
    );
    assert_eq!(
        message(PAWNS, &["1. Bird a1 - a2"]),
        "ply 1 (line 4): `Bird a1 - a2`: word 1, `Bird`, starts nothing that the names of this game allow"
    );
}
