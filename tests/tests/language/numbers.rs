//! Numbers and how they are compared: chapter 1.

use crate::{all_hold, holds};

#[test]
fn arithmetic_rounds_towards_zero_and_wraps() {
    all_hold(&[
        "(= (+ 1 2 3) 6)",
        "(= (* 2 3 4) 24)",
        "(= (min 4 2 3) 2)",
        "(= (max 4 2 3) 4)",
        "(= (- 3 5) -2)",
        "(= (- 3) -3)",
        "(= (/ 7 2) 3)",
        "(= (/ -7 2) -3)",
        "(= (mod 7 3) 1)",
        "(= (mod -7 3) -1)",
        "(= (abs -5) (abs 5) 5)",
        "(= (+ 2147483647 1) -2147483648)",
        "(= (* 65536 65536) 0)",
        "(= (- -2147483648) -2147483648)",
        "(= (abs -2147483648) -2147483648)",
        "(= (/ -2147483648 -1) -2147483648)",
        "(= (mod -2147483648 -1) 0)",
    ]);
}

#[test]
fn division_by_zero_gives_zero() {
    all_hold(&["(= (/ 5 0) 0)", "(= (mod 5 0) 0)", "(= (/ 0 0) 0)"]);
}

#[test]
fn several_comparisons_in_a_row_hold_between_neighbours() {
    all_hold(&[
        "(< 1 2 3)",
        "(not (< 1 3 2))",
        "(>= 3 3 1)",
        "(!= 1 2 1)",
        "(= 2 2 2)",
        "(not (= 2 2 1))",
        "(<= 1 1 2)",
    ]);
}

#[test]
fn players_and_pieces_are_numbers() {
    all_hold(&[
        "(= me White)",
        "(= mover White)",
        "(= owner White)",
        "(= (owner e) Black)",
        "(= kind Man)",
        "(= (kind w) King)",
        "(= (owner n) nobody)",
        "(= (kind n) nothing 0)",
        "(= (owner (n (n here))) 0)",
    ]);
}

#[test]
fn a_condition_is_one_or_zero() {
    all_hold(&["(= (+ (my? a2) (my? c2) (enemy? c2)) 2)", "(= (if (empty? n) 4 5) 4)", "(= (if (empty? e) 4 5) 5)"]);
}

#[test]
fn positions_are_numbered_from_one() {
    all_hold(&[
        "(same? (place (number b2)) b2)",
        "(= (number nowhere) 0)",
        "(= (count (positions (= (number (place (number))) (number)))) 12)",
        "(same? (place 0) nowhere)",
        "(same? (place 13) (place -1))",
    ]);
}

#[test]
fn sums_and_counts_go_through_the_set() {
    all_hold(&["(= (count home) 2)", "(= (sum (pieces) owner) 4)", "(= (sum everywhere 2147483647) -12)"]);
    assert!(!holds("(= (count (pieces)) 2)"));
}
