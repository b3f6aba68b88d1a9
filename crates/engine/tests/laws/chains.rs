//! Moves of several steps.

use dagaz_engine::{Executor, NoHistory, perft, perft_steps, whole_moves};
use dagaz_ir::{Filter, Kind, MoveType, Op, Pass, Trigger};

use crate::game::{
    BLACK, Game, THERE, WHITE, again, done, effect, emit, empty, enemy, go, here, make, pieces, set, steps, there,
    verify,
};

/// Draughtsmen that jump in four directions, one jump a step, and walk one step otherwise.
fn draughts(width: usize, height: usize) -> (Game, Kind, MoveType) {
    let mut game = Game::new(width, height);
    let man = game.kind("man");
    let (jumps, walks) = (game.move_type("jump"), game.move_type("walk"));
    for direction in ["n", "e", "s", "w"] {
        let over = game.step(direction, here());
        let body = vec![
            set(THERE, game.step(direction, over.clone())),
            verify(enemy(over.clone())),
            verify(empty(there())),
            go(),
            effect(Op::Capture, [over]),
            emit(again(Some(jumps))),
        ];
        game.rule(direction, man, Trigger::Piece, body).move_type = Some(jumps);
    }
    for direction in ["n", "e"] {
        let body = vec![set(THERE, game.step(direction, here())), verify(empty(there())), go(), emit(done())];
        game.rule(direction, man, Trigger::Piece, body).move_type = Some(walks);
    }
    game.filter(Filter::Priority(vec![jumps, walks]));
    (game, man, jumps)
}

#[test]
fn a_chain_goes_on_with_the_same_piece_while_it_can() {
    let (mut game, man, _) = draughts(5, 3);
    game.put(WHITE, man, "a1 e1").put(BLACK, man, "b1 c2 e3");
    let engine = game.interpreter();
    let mut state = engine.initial();
    assert_eq!(steps(&engine, &state), "a1-c1+");
    let undo = make(&engine, &mut state, "a1-c1+");
    assert!(!undo.ends_move);
    assert_eq!(engine.chain(&state), Some(game.site("c1")));
    assert_eq!(steps(&engine, &state), "c1-c3+", "e1 has to wait");
    let undo = make(&engine, &mut state, "c1-c3+");
    assert!(undo.ends_move, "nothing is left to jump");
    assert_eq!(engine.chain(&state), None);
    assert_eq!(pieces(&engine, &state), "White man e1, White man c3, Black man e3");
}

#[test]
fn a_chain_may_stop_where_the_policy_says_so() {
    let (mut game, man, _) = draughts(5, 3);
    game.put(WHITE, man, "a1").put(BLACK, man, "b1 c2 e3");
    game.rules.policy.chain_may_stop = true;
    let engine = game.interpreter();
    let mut state = engine.initial();
    make(&engine, &mut state, "a1-c1+");
    assert_eq!(steps(&engine, &state), "c1-c3+ stop");
    let undo = make(&engine, &mut state, "stop");
    assert!(undo.ends_move);
    assert_eq!((engine.chain(&state), engine.to_move(&state)), (None, dagaz_base::Id::from_index(BLACK)));
}

#[test]
fn the_most_captures_count_over_the_whole_chain() {
    let (mut game, man, _) = draughts(5, 5);
    // From c1 one man to the west, or two to the north.
    game.put(WHITE, man, "c1").put(BLACK, man, "b1 c2 c4");
    assert_eq!(steps(&game.interpreter(), &game.interpreter().initial()), "c1-c3+ c1-a1+");
    game.filter(Filter::MostCaptured);
    let engine = game.interpreter();
    let mut state = engine.initial();
    assert_eq!(steps(&engine, &state), "c1-c3+");
    make(&engine, &mut state, "c1-c3+");
    assert_eq!(steps(&engine, &state), "c3-c5+");
}

#[test]
fn the_rule_of_most_holds_in_the_middle_of_a_chain() {
    let (mut game, man, _) = draughts(5, 5);
    // After c1-c3 one man to the west, or two to the east and north.
    game.put(WHITE, man, "c1").put(BLACK, man, "c2 b3 d3 e4");
    game.filter(Filter::MostCaptured);
    let engine = game.interpreter();
    let mut state = engine.initial();
    make(&engine, &mut state, "c1-c3+");
    assert_eq!(steps(&engine, &state), "c3-e3+");
}

#[test]
fn values_decide_among_the_most() {
    let (mut game, man, _) = draughts(5, 1);
    let king = game.kind("king");
    game.put(WHITE, man, "c1").put(BLACK, man, "b1").put(BLACK, king, "d1");
    game.filter(Filter::MostCaptured);
    assert_eq!(steps(&game.interpreter(), &game.interpreter().initial()), "c1-e1+ c1-a1+");
    game.filter(Filter::MostValuable(vec![(man, 1), (king, 3)]));
    assert_eq!(steps(&game.interpreter(), &game.interpreter().initial()), "c1-e1+");
}

#[test]
fn perft_counts_a_chain_once_and_the_ways_to_one_state_once() {
    let (mut game, man, _) = draughts(3, 3);
    // Round the square to the left or to the right: the same four men are taken, and the state is the same.
    game.put(WHITE, man, "a1").put(BLACK, man, "b1 c2 b3 a2");
    let engine = game.interpreter();
    let state = engine.initial();
    assert_eq!(whole_moves(&engine, &state, &NoHistory).expect("moves").len(), 1);
    assert_eq!(perft(&engine, &state, &NoHistory, 1).expect("a count"), 1);
    assert_eq!(perft_steps(&engine, &state, &NoHistory, 1).expect("a count"), 2);
    assert_eq!(perft_steps(&engine, &state, &NoHistory, 4).expect("a count"), 2);
    assert_eq!(perft(&engine, &state, &NoHistory, 2).expect("a count"), 0, "no man is left to Black");
}

#[test]
fn a_chain_whose_piece_is_gone_ends() {
    let mut game = Game::new(2, 1);
    let man = game.kind("man");
    let body = vec![set(THERE, game.step("e", here())), verify(enemy(there())), go()];
    let body = [body, vec![effect(Op::Capture, [there()]), emit(again(None))]].concat();
    game.rule("e", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1").put(BLACK, man, "b1");
    game.rules.policy.pass = Pass::Forced;
    let engine = game.interpreter();
    let mut state = engine.initial();
    let undo = make(&engine, &mut state, "a1-b1+");
    assert!(undo.ends_move);
    assert_eq!(pieces(&engine, &state), "");
    assert_eq!(undo.captured.len(), 2);
}
