//! Monte Carlo tree search.

use dagaz_search::{Mcts, Score};

use crate::game::{DICE, RACE, THREE, TIC_TAC_TOE, WALK, after, ask, ends, nodes};

#[test]
fn it_wins_in_one() {
    let play = after(TIC_TAC_TOE, "a1 b1 a2 b2");
    let choice = ask(&Mcts::default(), &play, nodes(300));
    assert_eq!(ends(&play, &choice), ["a3"]);
    assert_eq!(choice.score, Some(Score::Win(1)));
    assert!(choice.nodes < 300, "it goes on though it has won");
}

#[test]
fn it_prevents_a_loss() {
    let play = after(TIC_TAC_TOE, "a1 b2 a2");
    assert_eq!(ends(&play, &ask(&Mcts::default(), &play, nodes(1000))), ["a3"]);
}

#[test]
fn it_thinks_about_each_step_of_a_move() {
    let play = after(RACE, "a1b1 b1c1 a2b2 b2c2 c1d1 d1e1 c2d2 d2e2");
    let choice = ask(&Mcts::default(), &play, nodes(100));
    assert_eq!(choice.score, Some(Score::Win(1)));
}

#[test]
fn chance_is_sampled() {
    let play = after(DICE, "");
    let choice = ask(&Mcts::default(), &play, nodes(1000));
    assert_eq!(ends(&play, &choice), ["d1"]);
    // Who always goes right is never lost.
    let Some(Score::Expected(thousandths)) = choice.score else { panic!("no score") };
    assert!((800..=1000).contains(&thousandths), "{thousandths}");
}

#[test]
fn among_three_everybody_plays_for_himself() {
    let play = after(THREE, "a1 c1 e1");
    assert_eq!(ends(&play, &ask(&Mcts::default(), &play, nodes(500))), ["b1"]);
}

#[test]
fn one_player_finds_the_way() {
    let play = after(WALK, "");
    assert_eq!(ends(&play, &ask(&Mcts::default(), &play, nodes(500))), ["d1"]);
}

#[test]
fn an_endless_playout_is_a_draw() {
    let play = after(WALK, "");
    let choice = ask(&Mcts { playout_limit: 0, ..Mcts::default() }, &play, nodes(2));
    assert_eq!(choice.score, Some(Score::Expected(500)));
}

/// Nobody sees the other's men; who tries a taken square is told so.
const NIGHT: &str = include_str!("../../../../games/hidden/phantom-tic-tac-toe/phantom-tic-tac-toe.zrf");

#[test]
fn who_does_not_see_everything_finds_a_move() {
    let spec: dagaz_search::AgentSpec = "mcts:nodes=200".parse().unwrap();
    let [one, other] = ["b2 a1", "b2 c3"].map(|moves| after(NIGHT, moves));
    let agent = spec.build(one.rules()).unwrap();
    let seen = |play: &dagaz_play::Play| play.executor().seen_by(play.state(), play.to_move()).unwrap();
    assert_eq!(seen(&one), seen(&other));
    for play in [&one, &other] {
        let choice = ask(&*agent, play, nodes(200));
        assert_eq!(choice.chosen.steps.len(), 1);
        assert!(choice.nodes >= 200 && choice.score.is_some());
        assert_eq!(choice, ask(&*agent, play, nodes(200)), "the same question, the same answer");
    }
}
