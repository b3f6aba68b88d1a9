//! The order of turns, jumps and teams: chapter 5.

use crate::game;

/// Who moves after each of some moves; every player's man goes round on his own rank, `walk` or with a jump.
fn order(turns: &str, jump: &str, line: &[&str]) -> Vec<String> {
    let rest = format!(
        "(turn-order {turns}) {jump}
         (board-setup (White (Man a1)) (Black (Man a3)))"
    );
    let mut seen = vec![game(&rest).to_move().to_owned()];
    for length in 1..=line.len() {
        seen.push(game(&rest).after(&line[..length].join(", ")).to_move().to_owned());
    }
    seen
}

const MAN: &str = "(piece (name Man) (moves (e add) (e e (jump x) add)))";

#[test]
fn the_players_follow_each_other_without_a_turn_order() {
    let rest = "(players C A B) (piece (name Man) (moves (e add)))
        (board-setup (A (Man a1)) (B (Man a2)) (C (Man a3)))";
    assert_eq!(game(rest).to_move(), "C");
    assert_eq!(game(rest).after("b3, b1").to_move(), "B");
    assert_eq!(game(rest).after("b3, b1, b2").to_move(), "C");
}

#[test]
fn a_jump_leads_to_the_label_before_the_turn_and_nearest_to_it() {
    let again = "(label x) White (label x) Black";
    assert_eq!(order(again, MAN, &["c1", "d1", "b3"]), ["White", "White", "Black", "White"]);
    assert_eq!(order("(label x) White White Black", MAN, &["b1", "d1"]), ["White", "White", "White"]);
}

#[test]
fn a_jump_leads_forward_where_no_label_stands_before() {
    assert_eq!(order("White White (label x) Black", MAN, &["c1", "c3"]), ["White", "Black", "Black"]);
}

#[test]
fn an_inner_list_goes_round_until_a_jump() {
    let turns = "(turn-order White Black) (label x) (turn-order Black White White)";
    assert_eq!(order(turns, MAN, &["b1", "b3", "d1", "c3",]), ["White", "Black", "White", "Black", "White"]);
}

#[test]
fn labels_are_each_players_own() {
    let turns = "(turn-order White Black) (turn-order (labels - x) White (labels x -) Black Black)";
    // White's jump leads to Black's first turn of the second list, Black's to White's.
    assert_eq!(order(turns, MAN, &["c1", "b3", "c3"]), ["White", "Black", "Black", "White"]);
    assert_eq!(order(turns, MAN, &["b1", "c3", "c1", "d3"]), ["White", "Black", "White", "Black", "Black"]);
}

#[test]
fn a_label_that_nothing_follows_means_the_beginning_of_its_list() {
    assert_eq!(order("White White Black (label x)", MAN, &["b1", "d1"]), ["White", "White", "White"]);
}

#[test]
fn a_jump_in_a_chain_waits_for_its_end() {
    let man = "(piece (name Man) (moves (e (verify (= (number from) (number a1))) (jump x) (add-partial))
        (w (verify false) add) (move-type two) (n add)))";
    let rest = format!("(turn-order (label x) White Black) {man} (board-setup (White (Man a1)) (Black (Man a3)))");
    let trial = game(&rest).after("b1");
    assert_eq!(trial.to_move(), "White", "nothing can follow: the move is over, and White plays again");
}

#[test]
fn jumps_lead_nowhere_without_a_label() {
    assert_eq!(crate::codes("(piece (name Man) (moves (e (jump x) add)))"), ["zrf-malformed-step"]);
}

#[test]
fn partners_are_friends_and_share_the_result() {
    let rest = "(players A B C D) (teams (A C) (B D))
        (piece (name Man) (moves (e (verify friend?) (verify (not (my? here))) add) (n (verify enemy?) add)))
        (board-setup (A (Man a1)) (C (Man b1)) (B (Man a2)) (D (Man d1)))
        (win-condition (A) (= (count (pieces (= owner B))) 0))";
    let trial = game(rest);
    assert_eq!(trial.moves(), ["a1 x b1 Man", "a1 x a2 Man"]);
    assert_eq!(trial.after("a2").outcome(), "A wins, B loses, C wins, D loses: (= (count (pieces (= owner B))) 0)");
}

#[test]
fn a_partner_gives_no_check() {
    let rest = |teams: &str| {
        format!(
            "(players A B C D) {teams}
             (piece (name King) (moves (n add))) (piece (name Rook) (moves (e add)))
             (board-setup (A (King b1)) (C (Rook a2)) (B (Rook a3)) (D (Rook d1)))
             (verify (none? (pieces my? (is-piece? King)) is-attacked?))"
        )
    };
    assert_eq!(game(&rest("(teams (A C) (B D))")).moves(), ["b1 - b2 King"]);
    assert!(game(&rest("")).moves().is_empty());
}
