//! What effects do to the state.

use dagaz_base::Id;
use dagaz_engine::{Executor, Interpreter, NoHistory, State};
use dagaz_ir::{Expr, Kind, Op, Player, Role, Scope, Stmt, Trigger, View};

use crate::game::{BLACK, Game, WHITE, done, effect, emit, here, kind, make, me, pieces, steps};

/// A game in which the man on a1 has one step, `a1-`, with these effects.
fn after(game: &mut Game, man: Kind, effects: Vec<Stmt>) -> (Interpreter, State, dagaz_engine::Undo) {
    after_in(game, man, effects, View::Before)
}

fn after_in(game: &mut Game, man: Kind, effects: Vec<Stmt>, view: View) -> (Interpreter, State, dagaz_engine::Undo) {
    let nowhere = Expr::leaf(Op::Nowhere);
    let body = [effects, vec![emit(dagaz_ir::Emit { to: nowhere, ..done() })]].concat();
    game.rule("act", man, Trigger::Piece, body).view = view;
    let engine = game.interpreter();
    let initial = engine.initial();
    let mut state = initial.clone();
    let steps = engine.steps(&state, &NoHistory).expect("steps");
    let undo = engine.apply(&mut state, &steps[0]).expect("the step applies");
    let mut back = state.clone();
    engine.undo(&mut back, &undo);
    assert_eq!(back, initial, "undo restores the state");
    assert_eq!(state.rehash(engine.layout()), (state.hash(), state.keys()));
    (engine, state, undo)
}

#[test]
fn displacements_are_simultaneous() {
    let mut game = Game::new(3, 1);
    let (man, rook) = (game.kind("man"), game.kind("rook"));
    game.put(WHITE, man, "a1").put(WHITE, rook, "b1");
    let swap = vec![effect(Op::Move, [here(), game.at("b1")]), effect(Op::Move, [game.at("b1"), here()])];
    let (engine, state, undo) = after(&mut game, man, swap);
    assert_eq!(pieces(&engine, &state), "White rook a1, White man b1");
    assert_eq!(undo.captured, []);
}

#[test]
fn tentative_effects_are_made_in_order() {
    let mut game = Game::new(3, 1);
    let (man, rook) = (game.kind("man"), game.kind("rook"));
    game.put(WHITE, man, "a1").put(WHITE, rook, "b1");
    let swap = vec![effect(Op::Move, [here(), game.at("b1")]), effect(Op::Move, [game.at("b1"), here()])];
    let (engine, state, undo) = after_in(&mut game, man, swap, View::Tentative);
    assert_eq!(pieces(&engine, &state), "White man a1");
    assert_eq!(undo.captured.len(), 1, "the man took the rook and came back");
}

#[test]
fn whoever_stands_on_a_destination_is_captured() {
    let mut game = Game::new(4, 1);
    let (man, rook) = (game.kind("man"), game.kind("rook"));
    game.put(WHITE, man, "a1").put(BLACK, rook, "b1").put(WHITE, rook, "c1");
    let moves = vec![
        effect(Op::Copy, [here(), game.at("b1")]),
        effect(Op::Move, [game.at("d1"), game.at("c1")]),
        effect(Op::Move, [here(), game.at("c1")]),
        effect(Op::Copy, [here(), here()]),
    ];
    let (engine, state, undo) = after(&mut game, man, moves);
    assert_eq!(pieces(&engine, &state), "White man b1, White man c1");
    let (white, black) = (Player::from_index(WHITE), Player::from_index(BLACK));
    assert_eq!(undo.captured.iter().map(|piece| piece.owner).collect::<Vec<_>>(), [black, white]);
}

#[test]
fn captured_pieces_go_to_their_owners_hand() {
    let mut game = Game::new(3, 1);
    let (man, rook) = (game.kind("man"), game.kind("rook"));
    game.hand(WHITE, man, 0);
    game.rules.policy.recycle_captures = true;
    game.put(WHITE, man, "a1").put(BLACK, rook, "b1").put(BLACK, man, "c1");
    let takes = vec![
        effect(Op::Capture, [game.at("b1")]),
        effect(Op::Capture, [game.at("b1")]),
        effect(Op::Create, [game.at("c1"), me(), kind(man)]),
    ];
    let (engine, state, undo) = after(&mut game, man, takes);
    assert_eq!(pieces(&engine, &state), "White man a1, White man c1");
    assert_eq!(undo.captured.len(), 1, "what a creation replaces is not captured");
    let hand = engine.layout().known.hand.expect("a hand");
    let count = |player: usize, kind: usize| state.get(engine.layout().cell(hand, player * 2 + kind).expect("a cell"));
    assert_eq!([count(0, 0), count(0, 1), count(1, 0), count(1, 1)], [0, 0, 0, 1]);
}

#[test]
fn a_drop_needs_a_piece_in_hand_and_captures_what_it_lands_on() {
    for (in_hand, expected) in [(0, "White man a1, Black man b1"), (2, "White man a1, White man b1")] {
        let mut game = Game::new(2, 1);
        let man = game.kind("man");
        game.hand(WHITE, man, in_hand);
        game.put(WHITE, man, "a1").put(BLACK, man, "b1");
        let drop = vec![effect(Op::Drop, [game.at("b1"), me(), kind(man)])];
        let (engine, state, undo) = after(&mut game, man, drop);
        assert_eq!(pieces(&engine, &state), expected);
        assert_eq!(undo.captured.len(), usize::from(in_hand > 0));
        let hand = engine.layout().known.hand.expect("a hand");
        assert_eq!(state.get(engine.layout().global(hand)), 0.max(in_hand - 1));
    }
}

#[test]
fn retyping_keeps_what_both_kinds_have() {
    let mut game = Game::new(3, 1);
    let (moved, charge, speed) = (
        game.field("moved", Scope::Piece, 9),
        game.field("charge", Scope::Piece, 9),
        game.field("speed", Scope::Piece, 9),
    );
    let man = game.kind_with("man", &[(moved, 1), (charge, 2)]);
    let king = game.kind_with("king", &[(speed, 3), (moved, 8)]);
    game.put(WHITE, man, "a1");
    let set_at = |field, site, value| effect(Op::SetAt(field), [site, Expr::int(value)]);
    let changes = vec![
        effect(Op::Move, [here(), game.at("c1")]),
        set_at(moved, game.at("c1"), 5),
        set_at(speed, game.at("c1"), 9),
        set_at(moved, here(), 7),
        effect(Op::Retype, [game.at("c1"), kind(king)]),
        effect(Op::Retype, [here(), kind(king)]),
    ];
    let (engine, state, _) = after(&mut game, man, changes);
    assert_eq!(pieces(&engine, &state), "White king c1");
    let read = |field, site| state.get(engine.layout().at(field, game.site(site)));
    assert_eq!([read(moved, "c1"), read(charge, "c1"), read(speed, "c1")], [5, 0, 3]);
    assert_eq!(read(moved, "a1"), 0, "no piece, no attribute");
}

#[test]
fn flipping_passes_over_chance_and_neutral_players() {
    let mut game = Game::new(3, 1);
    let man = game.kind("man");
    let mut chance = game.rules.players[Player::from_index(BLACK)].clone();
    (chance.name, chance.role) = ("Chance".to_owned(), Role::Random);
    game.rules.players.push(chance);
    game.rules.fields[dagaz_ir::Field::from_index(0)].high = 3;
    game.put(WHITE, man, "a1").put(BLACK, man, "b1").put(2, man, "c1");
    let flips =
        vec![effect(Op::Flip, [game.at("a1")]), effect(Op::Flip, [game.at("b1")]), effect(Op::Flip, [game.at("c1")])];
    let (engine, state, _) = after(&mut game, man, flips);
    assert_eq!(pieces(&engine, &state), "Black man a1, White man b1, White man c1");
}

#[test]
fn fields_of_the_state_are_set_by_index_and_within_their_range() {
    let mut game = Game::new(1, 1);
    let man = game.kind("man");
    let score = game.field("score", Scope::Player, 10);
    let turn = game.rules.known().turn;
    game.put(WHITE, man, "a1");
    let set = |field, index, value| effect(Op::Set(field), [Expr::int(index), Expr::int(value)]);
    let sets = vec![set(score, 1, 4), set(score, 0, 99), set(score, 2, 1), set(score, -1, 1), set(turn, 0, 7)];
    let (engine, state, _) = after(&mut game, man, sets);
    let cell = |index| state.get(engine.layout().cell(score, index).expect("a cell"));
    assert_eq!([cell(0), cell(1)], [10, 4]);
    assert_eq!(engine.to_move(&state), Player::from_index(BLACK));
}

#[test]
fn the_last_step_is_remembered_from_one() {
    let mut game = Game::new(2, 2);
    let man = game.kind("man");
    let (from, to) = (game.field("last-from", Scope::Global, 4), game.field("last-to", Scope::Global, 4));
    game.walker(man, "n");
    game.put(WHITE, man, "b1").put(BLACK, man, "a2");
    game.rules.policy.pass = dagaz_ir::Pass::Always;
    let engine = game.interpreter();
    let mut state = engine.initial();
    assert_eq!(steps(&engine, &state), "b1-b2 pass");
    make(&engine, &mut state, "b1-b2");
    let read = |state: &State| [from, to].map(|field| state.get(engine.layout().global(field)));
    assert_eq!(read(&state), [2, 4]);
    make(&engine, &mut state, "pass");
    assert_eq!(read(&state), [2, 4], "a pass goes nowhere");
}
