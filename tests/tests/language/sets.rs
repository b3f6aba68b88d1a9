//! Places and sets of positions: chapter 3.

use dagaz_tests::trial::Trial;

use crate::{all_hold, holds};

#[test]
fn sets_are_joined_and_cut() {
    all_hold(&[
        "(= (count everywhere) 12)",
        "(= (count (union home (set-of b1 c1))) 3)",
        "(= (count (intersection home (set-of b1 c1))) 1)",
        "(= (count (difference everywhere home (set-of a1 a2))) 9)",
        "(= (count (set-of)) 0)",
        "(= (count (set-of a1 nowhere a1 home)) 2)",
        "(= (count (shift home n)) 2)",
        "(member? (shift home n e) b2)",
        "(= (count (shift home s)) 0)",
        "(= (count (positions)) 12)",
        "(= (count (pieces)) 3)",
        "(= (count (positions my? (is-piece? King))) 1)",
        "(= (count (where home empty?)) 2)",
    ]);
}

#[test]
fn a_zone_and_directions_are_the_players_own() {
    let rest = "(piece (name Man) (moves ((verify (any? (ray n home))) n add)))
        (board-setup (White (Man d1)) (Black (Man d2)))";
    let trial = crate::game(rest);
    assert!(trial.moves().is_empty(), "c3 and d3 are Black's home");
}

#[test]
fn neighbours_and_floods_go_in_the_directions_that_are_named() {
    all_hold(&[
        "(= (count (neighbours b2)) 4)",
        "(= (count (neighbours a1 n e s w)) 2)",
        "(= (count (neighbours (set-of a1 b1) (n s))) 2)",
        "(= (count (neighbours nowhere)) 0)",
        "(= (count (flood a2 (pieces))) 3)",
        "(= (count (flood a2 (pieces my?))) 2)",
        "(= (count (flood a2 (pieces) n s)) 1)",
        "(= (count (flood a1 (pieces))) 0)",
        "(= (count (flood home everywhere e)) 4)",
        "(= (count (flood (set-of a1 d3) (positions empty?) n s)) 4)",
    ]);
}

#[test]
fn a_ray_goes_on_while_it_is_within() {
    all_hold(&[
        "(= (count (ray e everywhere a1)) 3)",
        "(= (count (ray e (positions empty?) a1)) 3)",
        "(= (count (ray w (pieces))) 1)",
        "(= (count (ray n (pieces))) 0)",
        "(= (count (ray n everywhere nowhere)) 0)",
        "(not (member? (ray e everywhere)))",
    ]);
}

#[test]
fn a_ray_goes_round_a_ring_once() {
    let ring = "(game (title \"Ring\") (players White Black)
        (board (positions (a 0 0 9 9) (b 10 0 19 9) (c 20 0 29 9)) (links on (a b) (b c) (c a)))
        (piece (name Man) (moves ((verify (= (count (ray on everywhere)) 2)) on add)
                                 ((verify (member? (ray on everywhere))) on on add)))
        (board-setup (White (Man a))))";
    assert_eq!(Trial::of(ring).moves(), ["a - b Man"]);
}

#[test]
fn questions_about_sets_can_be_asked_inside_of_each_other() {
    all_hold(&[
        "(any? (pieces))",
        "(not (any? (pieces (is-piece? King) enemy?)))",
        "(every? (pieces) not-empty?)",
        "(none? (pieces) empty?)",
        "(not (none? (pieces) my?))",
        "(any? (pieces enemy?) (any? (neighbours here) my?))",
        "(= (count (positions (= (count (neighbours here)) 2))) 4)",
        "(member? (pieces))",
        "(not (member? (pieces) nowhere))",
    ]);
}

#[test]
fn places_are_reached_from_places() {
    all_hold(&[
        "(same? (n (e a1)) b2)",
        "(same? (opposite n a2) a1)",
        "(same? (n a3) nowhere)",
        "(same? (first home) a1)",
        "(same? (first (set-of)) nowhere)",
        "(same? here b2)",
        "(is-my? a2)",
        "(not-is-enemy? a2)",
    ]);
    assert!(!holds("(same? a1 nowhere)"));
}

#[test]
fn the_zone_of_another_player_can_be_asked_for() {
    all_hold(&[
        "(in-zone? home b1)",
        "(in-zone? home b1 White)",
        "(in-zone? home b1 me)",
        "(not-in-zone? home b1 Black)",
        "(in-zone? home c3 Black)",
        "(in-zone? home c3 (owner c2))",
        "(not-in-zone? home c3 nobody)",
        "(not-in-zone? home c3 7)",
        "(not-in-zone? home nowhere Black)",
        "(= (count (positions (in-zone? home here Black))) 2)",
    ]);
}
