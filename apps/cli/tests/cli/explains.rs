//! `explain`: why, with the lines of the rules.

use crate::run::dagaz;

#[test]
fn a_legal_move_is_explained_by_its_rule() {
    let said = dagaz(&["explain", "chess", "e2e4"]).code(0).out("e2 - e4 pawn-double n: legal\n  pawn-double of Pawn");
    said.out("chess.zrf:").out("in the macro `pawn-double`, used at ");
    let json = dagaz(&["explain", "chess", "e2e4", "--json"]).code(0).json();
    assert_eq!((&json["legal"], &json["means"]), (&true.into(), &"e2 - e4 pawn-double n".into()));
    // The rule is a macro of the standard library, and the game says where it uses it.
    assert!(json["rules"][0]["place"].as_str().unwrap().starts_with("dagaz/steps.zrf:"), "{json}");
}

#[test]
fn an_illegal_move_is_answered_no_with_the_reason() {
    dagaz(&["explain", "chess", "e4e5"]).code(1).out("no piece stands on e4");
    dagaz(&["explain", "chess", "e7 - e5"]).code(1).out("the piece is Black's");
    dagaz(&["explain", "chess", "b1 - d2"]).code(1).out("(verify not-friend?)");
    dagaz(&["explain", "chess", "e2e5"]).code(1).out("no rule of the piece leads there");
    dagaz(&["explain", "chess", "pass"]).code(1).out("the rules do not let a player pass here");
    let pinned = ["explain", "chess", "d2 - d3", "--after", "e2e4 e7e5 a2a3 f8b4 a3a4 a7a6"];
    dagaz(&pinned).code(1).out("it breaks a law: King may not be left attacked");
    let json = dagaz(&[&pinned[..], &["--json"]].concat()).code(1).json();
    assert_eq!(json["removed"][0]["move"], "d2 - d3 pawn-step n");
    dagaz(&["explain", "chess", "z9"]).code(2).err("names no site of the board");
}

/// Where only the rule or the choice is wrong, that is said, and what is legal instead.
#[test]
fn a_wrong_rule_or_choice_is_told() {
    let unknown = "the game has no rule, and no piece to choose, `pawn-dbl n`\n  legal there: e2 - e4 pawn-double n\n";
    dagaz(&["explain", "chess", "e2 - e4 pawn-dbl n"]).code(1).out(&format!("not legal\n  {unknown}"));
    dagaz(&["explain", "chess", "e2-e4 pawn-step n"]).code(1).out("not legal\n  legal there: e2 - e4 pawn-double n\n");
    let promotes = ["explain", "chess", "b7b8 King", "--position", "8/1P6/8/8/8/8/8/K6k w - -"];
    let json = dagaz(&[&promotes[..], &["--json"]].concat()).code(1).json();
    assert_eq!(json["instead"][0], "b7 - b8 pawn-step n Queen");
    dagaz(&promotes).code(1).out("legal there: b7 - b8 pawn-step n Queen, b7 - b8 pawn-step n Rook, ");
}

/// Of a block that tries many places the condition is named that forbade this one, not the block.
#[test]
fn a_choice_is_explained_by_the_condition_that_forbids_it() {
    let ko = ["--variant", "Go 5x5 (Japanese rules)", "--after", "b4; c4; b2; c2; a3; d3; e5; b3; c3"];
    let said = dagaz(&[&["explain", "go", "b3"], &ko[..]].concat()).code(1);
    let said = said.out("stone-unless-ko stops at a condition that is false").out("(verify (!= (number p) ko))\n");
    assert!(!said.stdout.contains("pass"), "{}", said.stdout);
}

#[test]
fn a_chain_is_explained_as_far_as_it_is_legal() {
    let explain = |text| dagaz(&["explain", "english", text, "--after", crate::runs::BEFORE_A_CHAIN]);
    explain("g5e3c1").code(0).out("+ g5 - e3 man-jump nw; e3 - c1 man-jump nw: legal, and the only legal move");
    explain("g5e3d2").code(1).out("legal so far: + g5 - e3 man-jump nw\n  man-jump of Man (nw) makes no such step");
    explain("g5e3c1b2").code(1).out("the move ends on c1");
}

#[test]
fn a_drop_is_explained_for_the_piece_that_is_named() {
    let after = ["--after", "7g7f 3c3d 8h2bslide 3a2b"];
    let explain = |text| dagaz(&[&["explain", "shogi", text], &after[..]].concat());
    for text in ["Bishop@5e", "Bishop5e", "5e Bishop", "5e drop Bishop"] {
        let said = explain(text).code(0).out("5e drop Bishop: legal\n").out("drop of Bishop makes the step");
        assert!(!said.stdout.contains("Pawn"), "{}", said.stdout);
    }
    explain("Gold@5e").code(1).out("no Gold that can be dropped is in hand");
    explain("Bishop@7f").code(1).out("drop of Bishop stops at a condition that is false");
}

/// Old French draughts: the man takes a king, which counts more than the man whom the king may take. Which of them is the
/// captor does not come to be asked.
#[test]
fn only_the_bound_that_decides_is_told() {
    let position = ["--position", "2K5/3m4/8/8/8/8/4k3/3M4 w - -"];
    let said = dagaz(&[&["explain", "old-french", "c8-e6"], &position[..]].concat()).code(1);
    said.out("c8 - e6 king-jump se: d1-f3 comes first; max-capturing-sum is 1 here and 2 there\n");
}

#[test]
fn the_only_move_is_told_with_what_forbids_the_others() {
    let after = ["--after", "c3d4 b6a5 b2c3 d6c5"];
    let said = dagaz(&[&["explain", "english", "d4b6"], &after[..]].concat()).code(0);
    said.out("legal, and the only legal move").out("a move of the type capturing is possible and comes first");
    let said = dagaz(&[&["explain", "english", "g3h4"], &after[..]].concat()).code(1);
    said.out("g3 - h4 man-step ne: a move of the type capturing is possible and comes first");
}
