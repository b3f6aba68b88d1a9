//! What players do not see: chapter 9.

use dagaz_tests::trial::Trial;

use crate::{codes, game, keeps_the_laws, text};

/// What each player sees at the start of a game with these concealments.
fn seen(concealments: &str) -> String {
    let trial = game(&format!(
        "(piece (name Man) (attribute worn 0) (moves (n (verify not-friend?) (set worn 1) add)) (drops ((verify empty?) add)))
         (piece (name King) (moves (n add)))
         (variable mine 0 positions) (variable purse 3 players) (variable pile 0 (array 3)) (variable trump 5)
         (board-setup (White (Man a1 off 1) (King b1)) (Black (Man a2) (King d3)))
         {concealments}"
    ));
    keeps_the_laws(&trial);
    trial.seen()
}

#[test]
fn without_concealments_everybody_sees_all() {
    assert_eq!(
        seen(""),
        "White: White Man a1; White King b1; Black Man a2; Black King d3\n\
         Black: White Man a1; White King b1; Black Man a2; Black King d3"
    );
    assert_eq!(seen("(conceal)"), seen(""));
}

#[test]
fn a_condition_is_asked_at_each_position_for_the_player_who_looks() {
    assert_eq!(
        seen("(conceal piece not-my? (not-in-zone? home) (> (number) 3))"),
        "White: White Man a1; White King b1; Black Man a2; ? b3 b2 c3 c2 c1 d3 d2 d1\n\
         Black: White Man a1; Black Man a2; Black King d3; ? b3 b2 b1 c2 c1 d2 d1"
    );
    assert_eq!(
        seen("(conceal kind enemy? (attacked?))"),
        "White: White Man a1; White King b1; Black Man a2; Black King d3\n\
         Black: White Man a1; White King b1; Black Man a2; Black King d3"
    );
    assert_eq!(
        seen("(conceal kind enemy? defended?)"),
        "White: White Man a1; White King b1; Black King d3; Black ? a2\n\
         Black: White Man a1; White King b1; Black Man a2; Black King d3"
    );
}

#[test]
fn one_that_holds_is_enough() {
    assert_eq!(
        seen("(conceal kind enemy? (piece? Man)) (conceal piece (position? d3)) (conceal kind false)"),
        "White: White Man a1; White King b1; Black ? a2; ? d3\n\
         Black: White King b1; White ? a1; Black Man a2; ? d3"
    );
}

#[test]
fn hands_variables_and_attributes_are_hidden_by_their_elements() {
    let board = "White Man a1; White King b1; Black Man a2; Black King d3";
    let both = |white: &str, black: &str| format!("White: {board}; hidden {white}\nBlack: {board}; hidden {black}");
    assert_eq!(
        seen("(conceal hand (!= owner me) (= kind Man)) (conceal purse (= owner me))"),
        both("hand Black Man, purse White", "hand White Man, purse Black")
    );
    assert_eq!(seen("(conceal pile (> index 1)) (conceal trump (= me White))"), both("pile 2, trump", "pile 2"));
    assert_eq!(seen("(conceal trump)"), both("trump", "trump"));
    assert_eq!(
        seen("(conceal worn enemy?) (conceal mine my?)"),
        both("mine a1, mine b1, worn a2, worn d3", "mine a2, mine d3, worn a1, worn b1")
    );
}

#[test]
fn a_name_of_the_game_comes_first() {
    let trial = game("(variable hand 4) (piece (name Man)) (conceal hand (= me White))");
    assert_eq!(trial.seen(), "White: an empty board; hidden hand\nBlack: an empty board");
}

#[test]
fn where_the_last_step_went_is_hidden_with_what_stands_there() {
    let rules = "(piece (name Man) (moves (n (verify empty?) add) (n (verify last-to?) (verify (last-from? e)) add)))
         (board-setup (White (Man a1)) (Black (Man b3)))";
    let dark = game(&format!("{rules} (conceal piece not-my?)")).after("a1 - a2");
    assert_eq!(
        dark.seen(),
        "White: White Man a2; ? a3 a1 b3 b2 b1 c3 c2 c1 d3 d2 d1; hidden last-to, last-from\n\
         Black: Black Man b3; ? a3 a2 a1 b2 b1 c3 c2 c1 d3 d2 d1; hidden last-to, last-from"
    );
    let kinds = game(&format!("{rules} (conceal kind enemy?)")).after("a1 - a2");
    assert_eq!(kinds.seen(), "White: White Man a2; Black ? b3\nBlack: White ? a2; Black Man b3");
}

#[test]
fn what_stands_below_is_hidden_with_the_kind() {
    let rules = "(stacks 3) (piece (name Man)) (board-setup (White (Man a1 b1)) (Black (Man a1)))";
    let open = "White Man a1 b1; Black Man a1";
    assert_eq!(game(rules).seen().lines().next().unwrap(), format!("White: {open}"));
    let hidden = game(&format!("{rules} (conceal kind enemy?)"));
    assert_eq!(hidden.seen(), "White: White Man b1; Black ? a1\nBlack: White Man a1; White ? b1; Black Man a1");
    keeps_the_laws(&hidden);
}

#[test]
fn a_variant_says_all_or_nothing() {
    let rules = text("(piece (name Man)) (board-setup (White (Man a1)) (Black (Man b1))) (conceal kind enemy?)");
    let rules = format!(
        "{rules} (variant (title \"Open\") (conceal)) (variant (title \"Same\")) (variant (title \"Other\") (conceal kind my?))"
    );
    let white = |variant: &str| Trial::of_variant(&rules, variant).seen().lines().next().unwrap().to_owned();
    assert_eq!(white("Test"), "White: White Man a1; Black ? b1");
    assert_eq!(white("Open"), "White: White Man a1; Black Man b1");
    assert_eq!(white("Same"), "White: White Man a1; Black ? b1");
    assert_eq!(white("Other"), "White: White ? a1; Black Man b1");
}

#[test]
fn what_cannot_be_concealed_is_refused() {
    for wrong in ["(conceal nothing)", "(conceal 7)", "(conceal (kind enemy?))", "(conceal hand)"] {
        assert_eq!(codes(&format!("(piece (name Man)) {wrong}")), ["zrf-conceal"], "{wrong}");
    }
    for wrong in
        ["(conceal piece (> repetitions 1))", "(conceal piece (> (captured) 0))", "(conceal piece (= (count moves) 0))"]
    {
        assert_eq!(codes(&format!("(piece (name Man)) {wrong}")), ["zrf-value"], "{wrong}");
    }
    assert_eq!(codes("(piece (name Man)) (conceal piece nonsense?)"), ["zrf-unknown-condition"]);
}
