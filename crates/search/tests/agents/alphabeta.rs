//! Alpha-beta: exact where it looks to the end.

use dagaz_search::{AlphaBeta, Others, Score};

use crate::game::{DICE, RACE, THREE, TIC_TAC_TOE, WALK, after, ask, depth, ends, nodes};

#[test]
fn it_wins_in_one() {
    let play = after(TIC_TAC_TOE, "a1 b1 a2 b2");
    let choice = ask(&AlphaBeta::default(), &play, depth(1));
    assert_eq!((ends(&play, &choice), choice.score), (vec!["a3".to_owned()], Some(Score::Win(1))));
}

#[test]
fn it_prevents_a_loss() {
    let play = after(TIC_TAC_TOE, "a1 b2 a2");
    let choice = ask(&AlphaBeta::default(), &play, depth(2));
    assert_eq!(ends(&play, &choice), ["a3"]);
}

#[test]
fn distances_of_wins_and_losses_are_exact() {
    // X has two open lines at once after his next move: he wins in three moves, his own two and one of O.
    let play = after(TIC_TAC_TOE, "a1 b1 b2 c3");
    assert_eq!(ask(&AlphaBeta::default(), &play, depth(9)).score, Some(Score::Win(3)));
    let play = after(TIC_TAC_TOE, "a1 b1 b2 c3 a3");
    let choice = ask(&AlphaBeta::default(), &play, depth(9));
    assert_eq!((choice.score, choice.line.len()), (Some(Score::Loss(2)), 2));
}

#[test]
fn the_whole_of_tic_tac_toe_is_a_draw() {
    let choice = ask(&AlphaBeta::default(), &after(TIC_TAC_TOE, "b2"), depth(9));
    // To the end of the game the pieces are even or differ by one: no estimate is left, only the draw.
    assert_eq!(choice.score, Some(Score::Pieces(0)));
}

#[test]
fn the_steps_of_one_move_are_his_who_makes_them() {
    // Five points to go, two a move: First is there with his third move.
    let play = after(RACE, "");
    let choice = ask(&AlphaBeta::default(), &play, depth(9));
    assert_eq!((ends(&play, &choice), choice.score), (vec!["b1".to_owned(), "c1".to_owned()], Some(Score::Win(5))));
    assert_eq!(choice.line.len(), 5);
}

#[test]
fn chance_is_averaged() {
    let play = after(DICE, "");
    let choice = ask(&AlphaBeta::default(), &play, depth(2));
    // Half a win in two moves, and half a state with one man.
    assert_eq!((ends(&play, &choice), choice.score), (vec!["d1".to_owned()], Some(Score::Pieces((999_998 + 100) / 2))));
}

#[test]
fn among_three_it_takes_what_wins_and_stops_who_would() {
    let play = after(THREE, "a1 c1 e1");
    assert_eq!(ends(&play, &ask(&AlphaBeta::default(), &play, depth(1))), ["b1"]);
    // Green wins on b1 or d1; Blue on d1 or f1, once Red and Green have moved. Red must win or stop Green.
    let play = after(THREE, "f1 a1 c1");
    assert_eq!(ask(&AlphaBeta::default(), &play, depth(1)).score, Some(Score::Win(1)));
}

#[test]
fn among_three_each_may_play_for_himself() {
    let selfish = AlphaBeta::with_others(Others::MaxN);
    let play = after(THREE, "a1 c1 e1");
    let choice = ask(&selfish, &play, depth(3));
    assert_eq!((ends(&play, &choice), choice.score), (vec!["b1".to_owned()], Some(Score::Win(1))));
}

#[test]
fn one_player_finds_the_way() {
    let play = after(WALK, "");
    let choice = ask(&AlphaBeta::default(), &play, depth(9));
    assert_eq!((ends(&play, &choice), choice.score), (vec!["d1".to_owned()], Some(Score::Win(3))));
}

#[test]
fn nodes_are_counted_to_the_limit() {
    let choice = ask(&AlphaBeta::default(), &after(TIC_TAC_TOE, ""), nodes(100));
    assert_eq!(choice.nodes, 100);
}
