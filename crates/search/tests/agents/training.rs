//! Training: the same games for the same seed, stopped or not, and values that come to say who wins.

use dagaz_search::{Agent as _, AlphaBeta, Trainer, Untrainable, Weights};

use crate::game::{TIC_TAC_TOE, WALK, after, ask, nodes};

fn trained(games: u64, known: Option<&Weights>) -> Weights {
    let play = after(TIC_TAC_TOE, "");
    let mut trainer = Trainer::new(&**play.executor(), 3, known).expect("a game of two");
    for _ in 0..games {
        assert!(trainer.play(&|| true).expect("rules that run"));
    }
    trainer.weights()
}

#[test]
fn training_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let whole = trained(4, None);
    let half: Weights = trained(2, None).to_string().parse().expect("weights");
    assert_eq!(half.games, 2);
    assert_eq!(trained(2, Some(&half)), whole);
    assert_ne!(half, whole);
}

#[test]
fn a_game_that_is_stopped_teaches_nothing() {
    let play = after(TIC_TAC_TOE, "");
    let mut trainer = Trainer::new(&**play.executor(), 3, None).expect("a game of two");
    let before = trainer.weights();
    assert!(!trainer.play(&|| false).expect("rules that run"));
    assert_eq!(trainer.weights(), before);
}

#[test]
fn an_agent_uses_what_fits_the_rules_and_nothing_else() {
    let weights = std::sync::Arc::new(trained(2, None));
    let (play, walk) = (after(TIC_TAC_TOE, "b2 a1"), after(WALK, ""));
    assert!(weights.fit(play.rules()) && !weights.fit(walk.rules()));
    let agent = AlphaBeta::default();
    agent.learn(&weights);
    let choice = ask(&agent, &play, nodes(200));
    assert_eq!(choice, ask(&agent, &play, nodes(200)));
    assert_eq!(ask(&agent, &walk, nodes(50)), ask(&AlphaBeta::default(), &walk, nodes(50)));
}

#[test]
fn only_games_of_two_are_trained() {
    let play = after(WALK, "");
    assert_eq!(Trainer::new(&**play.executor(), 1, None).err(), Some(Untrainable));
}
