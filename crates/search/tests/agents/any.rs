//! What all agents have in common.

use std::cell::Cell;

use dagaz_engine::Fault;
use dagaz_search::{Agent, AlphaBeta, Budget, Mcts, NoChoice, Uniform};

use crate::game::{ENDLESS, RACE, TIC_TAC_TOE, after, ask, nodes, try_ask};

fn agents() -> [Box<dyn Agent>; 3] {
    [Box::new(Uniform), Box::new(AlphaBeta::default()), Box::new(Mcts::default())]
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let play = after(TIC_TAC_TOE, "b2 a1");
    for agent in agents() {
        assert_eq!(ask(&*agent, &play, nodes(300)), ask(&*agent, &play, nodes(300)), "{}", agent.name());
    }
}

#[test]
fn whoever_is_stopped_at_once_answers_with_a_whole_legal_move() {
    let play = after(RACE, "");
    for agent in agents() {
        let choice = try_ask(&*agent, &play, Budget::default(), &|| false).unwrap();
        let mut play = play.clone();
        for step in &choice.chosen.steps {
            play.play(step).unwrap();
        }
        assert!(!play.in_chain(), "{}", agent.name());
    }
}

#[test]
fn they_stop_when_they_are_told_to() {
    let play = after(TIC_TAC_TOE, "");
    for agent in agents() {
        let asked = Cell::new(0);
        let keep_going = || {
            asked.set(asked.get() + 1);
            asked.get() < 50
        };
        let choice = try_ask(&*agent, &play, Budget::default(), &keep_going).unwrap();
        assert!(choice.nodes <= 50, "{} looked at {}", agent.name(), choice.nodes);
    }
}

#[test]
fn a_finished_game_leaves_no_choice() {
    let play = after(TIC_TAC_TOE, "a1 b1 a2 b2 a3");
    for agent in agents() {
        assert_eq!(try_ask(&*agent, &play, nodes(10), &|| true), Err(NoChoice::Over), "{}", agent.name());
    }
}

#[test]
fn a_move_without_an_end_is_a_fault() {
    let play = after(ENDLESS, "");
    // Short playouts, as there is one at every step.
    let short = Mcts { playout_limit: 5, ..Mcts::default() };
    let agents: [Box<dyn Agent>; 3] = [Box::new(Uniform), Box::new(AlphaBeta::default()), Box::new(short)];
    for agent in agents {
        let answer = try_ask(&*agent, &play, nodes(10), &|| true);
        assert!(matches!(answer, Err(NoChoice::Fault(Fault::EndlessChain { .. }))), "{}: {answer:?}", agent.name());
    }
}

#[test]
fn in_the_middle_of_a_move_they_finish_it() {
    let play = after(RACE, "a1b1");
    assert!(play.in_chain());
    for agent in agents() {
        let choice = ask(&*agent, &play, nodes(20));
        assert_eq!(choice.chosen.steps.len(), 1, "{}", agent.name());
    }
}
