//! Which rules are run, in which order, and what programs do.

use dagaz_base::Id;
use dagaz_board::Direction;
use dagaz_engine::{Executor, NoHistory};
use dagaz_ir::{Emit, Expr, Op, Pass, Scope, StmtKind, Trigger, View};

use crate::game::{
    BLACK, Game, THERE, WHITE, done, dropped, effect, emit, empty, enemy, friend, go, here, kind, make, me, not,
    on_board, pieces, set, steps, stmt, there, verify,
};

/// Slides over empty sites and takes the first enemy on its way.
fn slide(game: &Game, direction: &str) -> Vec<dagaz_ir::Stmt> {
    let next = game.step(direction, there());
    vec![
        set(THERE, game.step(direction, here())),
        stmt(StmtKind::While(
            empty(there()),
            vec![stmt(StmtKind::Attempt(vec![go(), emit(done())])), set(THERE, next)],
        )),
        verify(enemy(there())),
        go(),
        emit(done()),
    ]
}

#[test]
fn pieces_move_in_the_order_of_the_board_and_their_rules_in_theirs() {
    let mut game = Game::new(3, 3);
    let man = game.kind("man");
    game.walker(man, "n e");
    game.put(WHITE, man, "b2 a1").put(BLACK, man, "c3");
    let engine = game.interpreter();
    let mut state = engine.initial();
    assert_eq!(steps(&engine, &state), "a1-a2 a1-b1 b2-b3 b2-c2");
    make(&engine, &mut state, "a1-a2");
    assert_eq!(steps(&engine, &state), "c3-c2", "Black sees the board from the other side");
}

#[test]
fn a_slide_ends_at_the_edge_or_with_a_capture() {
    let mut game = Game::new(1, 4);
    let rook = game.kind("rook");
    let body = slide(&game, "n");
    game.rule("n", rook, Trigger::Piece, body);
    game.put(WHITE, rook, "a1");
    assert_eq!(steps(&game.interpreter(), &game.interpreter().initial()), "a1-a2 a1-a3 a1-a4");
    game.put(BLACK, rook, "a3");
    let engine = game.interpreter();
    let mut state = engine.initial();
    assert_eq!(steps(&engine, &state), "a1-a2 a1-a3");
    make(&engine, &mut state, "a1-a3");
    assert_eq!(pieces(&engine, &state), "White rook a3");
}

#[test]
fn drops_come_from_the_hand_after_all_moves() {
    let mut game = Game::new(2, 2);
    let (stone, man) = (game.kind("stone"), game.kind("man"));
    game.hand(WHITE, stone, 1);
    game.walker(man, "n");
    let body = vec![verify(empty(here())), effect(Op::Drop, [here(), me(), kind(stone)]), emit(dropped())];
    game.rule("drop", stone, Trigger::Drop, body);
    game.put(WHITE, man, "b1").put(BLACK, man, "a2");
    let engine = game.interpreter();
    let mut state = engine.initial();
    assert_eq!(steps(&engine, &state), "b1-b2 *a1 *b2");
    make(&engine, &mut state, "*b2");
    make(&engine, &mut state, "a2-a1");
    assert_eq!(steps(&engine, &state), "", "the hand is empty, and b2 is taken by a friend");
}

#[test]
fn a_turn_can_be_of_one_move_type_and_move_another_players_pieces() {
    let mut game = Game::new(2, 2);
    let man = game.kind("man");
    game.walker(man, "n e");
    let odd = game.move_type("odd");
    let first = game.rules.rules.ids().next().expect("a rule");
    game.rules.rules[first].move_type = Some(odd);
    game.rules.schedule.turns[0].move_type = Some(odd);
    game.rules.schedule.turns[0].owner = game.rules.schedule.turns[1].owner;
    game.put(WHITE, man, "a1").put(BLACK, man, "b2");
    let engine = game.interpreter();
    assert_eq!(steps(&engine, &engine.initial()), "b2-b1", "north for Black is down");
}

#[test]
fn a_choice_is_part_of_the_step() {
    let mut game = Game::new(1, 2);
    let (pawn, queen) = (game.kind("pawn"), game.kind("queen"));
    let to = game.step("n", here());
    let promote = vec![
        effect(Op::Retype, [there(), kind(queen)]),
        emit(Emit { choice: Some(kind(queen)), ..done() }),
        stmt(StmtKind::Forget),
        effect(Op::Retype, [there(), kind(pawn)]),
        emit(Emit { choice: Some(kind(pawn)), ..done() }),
    ];
    let body = [vec![set(THERE, to), verify(on_board(there())), go()], promote].concat();
    game.rule("n", pawn, Trigger::Piece, body);
    game.put(WHITE, pawn, "a1");
    let engine = game.interpreter();
    let mut state = engine.initial();
    assert_eq!(steps(&engine, &state), "a1-a2=queen a1-a2=pawn");
    make(&engine, &mut state, "a1-a2=queen");
    assert_eq!(pieces(&engine, &state), "White queen a2");
}

#[test]
fn forgetting_inside_an_attempt_leaves_nothing_of_the_attempt() {
    let mut game = Game::new(1, 3);
    let man = game.kind("man");
    let (one, two) = (game.at("a2"), game.at("a3"));
    let body = vec![
        effect(Op::Capture, [one.clone()]),
        effect(Op::Move, [here(), one.clone()]),
        stmt(StmtKind::Attempt(vec![stmt(StmtKind::Forget), effect(Op::Capture, [two])])),
        emit(Emit { to: one, ..done() }),
    ];
    game.rule("odd", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1");
    let engine = game.interpreter();
    let steps = engine.steps(&engine.initial(), &NoHistory).expect("steps");
    assert_eq!(steps[0].effects.len(), 1, "the move alone is left: {:?}", steps[0].effects);
    assert!(steps[0].effects[0].is_displacement());
}

#[test]
fn discarding_leaves_what_is_no_displacement() {
    let mut game = Game::new(1, 3);
    let man = game.kind("man");
    let (one, two) = (game.at("a2"), game.at("a3"));
    let body = vec![
        effect(Op::Capture, [one.clone()]),
        effect(Op::Move, [here(), one]),
        stmt(StmtKind::Discard),
        effect(Op::Move, [here(), two.clone()]),
        emit(Emit { to: two, ..done() }),
    ];
    game.rule("odd", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1 a2");
    let engine = game.interpreter();
    let mut state = engine.initial();
    make(&engine, &mut state, "a1-a3");
    assert_eq!(pieces(&engine, &state), "White man a3");
}

#[test]
fn sites_have_numbers_from_one() {
    let mut game = Game::new(1, 3);
    let man = game.kind("man");
    let (one, three) = (game.at("a1"), game.at("a3"));
    let numbered = |number| Expr::new(Op::Numbered, [number]);
    let same = |a, b| verify(Expr::new(Op::Same, [a, b]));
    let nowhere = || Expr::leaf(Op::Nowhere);
    let body = vec![
        same(numbered(Expr::new(Op::Number, [three.clone()])), three.clone()),
        same(numbered(Expr::new(Op::Number, [nowhere()])), nowhere()),
        same(numbered(Expr::int(4)), nowhere()),
        same(numbered(Expr::new(Op::Truth, [friend(one.clone())])), one.clone()),
        same(Expr::new(Op::OrElse, [nowhere(), three.clone()]), three),
        same(Expr::new(Op::OrElse, [one.clone(), nowhere()]), one),
        set(THERE, here()),
        emit(done()),
    ];
    game.rule("look", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1");
    let engine = game.interpreter();
    assert_eq!(steps(&engine, &engine.initial()), "a1-a1");
}

#[test]
fn reads_see_the_state_before_or_the_tentative_one() {
    for (view, expected) in [(View::Before, "a1-a2"), (View::Tentative, "")] {
        let mut game = Game::new(1, 3);
        let man = game.kind("man");
        let target = game.at("a3");
        let body = vec![
            set(THERE, game.at("a2")),
            effect(Op::Create, [target.clone(), me(), kind(man)]),
            verify(empty(target)),
            go(),
            emit(done()),
        ];
        game.rule("odd", man, Trigger::Piece, body).view = view;
        game.put(WHITE, man, "a1");
        let engine = game.interpreter();
        assert_eq!(steps(&engine, &engine.initial()), expected);
    }
}

#[test]
fn a_tentative_attempt_and_a_tentative_forget_are_taken_back() {
    let mut game = Game::new(1, 3);
    let man = game.kind("man");
    let (one, two) = (game.at("a2"), game.at("a3"));
    let body = vec![
        set(THERE, one.clone()),
        stmt(StmtKind::Attempt(vec![effect(Op::Move, [here(), two.clone()]), verify(empty(here()))])),
        verify(friend(here())),
        effect(Op::Create, [two.clone(), me(), kind(man)]),
        effect(Op::Move, [here(), one]),
        stmt(StmtKind::Forget),
        verify(empty(two)),
        verify(empty(here())),
        verify(friend(there())),
        emit(done()),
    ];
    game.rule("odd", man, Trigger::Piece, body).view = View::Tentative;
    game.put(WHITE, man, "a1");
    let engine = game.interpreter();
    assert_eq!(steps(&engine, &engine.initial()), "a1-a2");
}

#[test]
fn read_now_sees_settings_that_a_piece_can_have() {
    let mut game = Game::new(1, 2);
    let moved = game.field("moved", Scope::Piece, 1);
    let weight = game.field("weight", Scope::Piece, 9);
    let mark = game.field("mark", Scope::Site, 9);
    let man = game.kind_with("man", &[(moved, 0)]);
    let now = |field, site| Expr::new(Op::ReadNow(field), [site]);
    let is = |value: Expr, number| verify(Expr::new(Op::Equal, [value, Expr::int(number)]));
    let body = vec![
        set(THERE, game.step("n", here())),
        effect(Op::SetAt(moved), [here(), Expr::int(7)]),
        effect(Op::SetAt(weight), [here(), Expr::int(5)]),
        effect(Op::SetAt(moved), [there(), Expr::int(1)]),
        effect(Op::SetAt(mark), [there(), Expr::int(4)]),
        is(now(moved, here()), 1),
        is(Expr::new(Op::Read(moved), [here()]), 0),
        is(now(weight, here()), 0),
        is(now(moved, there()), 0),
        is(now(mark, there()), 4),
        is(now(mark, here()), 0),
        go(),
        emit(done()),
    ];
    game.rule("odd", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1");
    let engine = game.interpreter();
    assert_eq!(steps(&engine, &engine.initial()), "a1-a2");
}

#[test]
fn sets_shift_and_count_as_the_player_sees_them() {
    let mut game = Game::new(3, 3);
    let man = game.kind("man");
    let zone = game.zone(BLACK, "a3 b3 c3");
    let north = Direction::from_index(0);
    let count = |set: Expr, number| verify(Expr::new(Op::Equal, [Expr::new(Op::Count, [set]), Expr::int(number)]));
    let own = Expr::leaf(Op::ZoneSites(zone));
    let all = || Expr::leaf(Op::AllSites);
    let shifted = Expr::new(Op::Shift(north), [own.clone()]);
    let within = Expr::new(Op::Difference, [all(), Expr::new(Op::Union, [own, shifted.clone()])]);
    let chosen = Expr::new(Op::Where(dagaz_ir::Local::from_index(THERE)), [all(), friend(there())]);
    let body = vec![
        count(shifted, 3),
        count(within, 3),
        count(chosen, 2),
        set(THERE, here()),
        verify(Expr::new(Op::InZone(zone), [here()])),
        emit(done()),
    ];
    game.rule("look", man, Trigger::Piece, body);
    game.put(BLACK, man, "a3 c1").put(WHITE, man, "a1");
    game.rules.policy.pass = Pass::Forced;
    let engine = game.interpreter();
    let mut state = engine.initial();
    assert_eq!(steps(&engine, &state), "pass", "the zone is Black's");
    make(&engine, &mut state, "pass");
    assert_eq!(steps(&engine, &state), "a3-a3");
}

#[test]
fn nowhere_is_neither_empty_nor_anybodys() {
    let mut game = Game::new(1, 1);
    let man = game.kind("man");
    let nowhere = || Expr::leaf(Op::Nowhere);
    let mut body: Vec<_> = [Op::Empty, Op::Mine, Op::Friend, Op::Enemy, Op::Neutral, Op::OnBoard]
        .into_iter()
        .map(|op| verify(not(Expr::new(op, [nowhere()]))))
        .collect();
    body.push(verify(not(Expr::new(Op::Attacked(None), [nowhere()]))));
    body.extend([effect(Op::Capture, [nowhere()]), set(THERE, here()), emit(done())]);
    game.rule("odd", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1");
    let engine = game.interpreter();
    let steps = engine.steps(&engine.initial(), &NoHistory).expect("steps");
    assert_eq!((steps.len(), steps[0].effects.len()), (1, 0));
}
