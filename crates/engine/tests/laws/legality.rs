//! What is taken off the list of moves, and what is added to it.

use dagaz_ir::{Expr, Filter, Op, Pass, StmtKind, Trigger};

use crate::game::{
    BLACK, Game, THERE, WHITE, done, effect, emit, empty, enemy, friend, go, here, local, make, not, on_board, set,
    steps, stmt, there, verify,
};

/// The king of `me` is on no attacked site.
fn safe(king: dagaz_ir::Kind, game: &Game) -> Expr {
    let kind = game.rules.known().kind;
    let site = || local(0);
    let is_king = Expr::new(Op::Equal, [Expr::new(Op::Read(kind), [site()]), Expr::leaf(Op::Kind(king))]);
    let own_king = Expr::new(Op::And, [Expr::new(Op::Mine, [site()]), is_king]);
    let threatened = Expr::new(Op::And, [own_king, Expr::new(Op::Attacked(None), [site()])]);
    not(Expr::new(Op::Any(dagaz_base::Id::from_index(0)), [Expr::leaf(Op::AllSites), threatened]))
}

#[test]
fn an_invariant_forbids_steps_into_attack_and_pins() {
    let mut game = Game::new(3, 3);
    let (king, rook) = (game.kind("king"), game.kind("rook"));
    game.walker(king, "n s e w ne nw se sw");
    for direction in ["n", "s", "e", "w"] {
        let body = vec![
            set(THERE, game.step(direction, here())),
            stmt(StmtKind::While(
                empty(there()),
                vec![stmt(StmtKind::Attempt(vec![go(), emit(done())])), set(THERE, game.step(direction, there()))],
            )),
            verify(enemy(there())),
            go(),
            emit(done()),
        ];
        game.rule(direction, rook, Trigger::Piece, body);
    }
    let condition = safe(king, &game);
    game.invariant("no king in check", condition);
    // ♖ on b1 shields ♔ a1 from ♜ c1.
    game.put(WHITE, king, "a1").put(WHITE, rook, "b1").put(BLACK, rook, "c1").put(BLACK, king, "c3");
    let engine = game.interpreter();
    let state = dagaz_engine::Executor::initial(&engine);
    assert_eq!(steps(&engine, &state), "a1-a2 b1-c1", "the rook may not leave the rank, and b2 is next to the king");
}

#[test]
fn questions_about_attacks_are_cut() {
    // Each king may only step where no king attacks: without the cut they would ask each other for ever.
    let mut game = Game::new(4, 1);
    let king = game.kind("king");
    for direction in ["e", "w"] {
        let body = vec![
            set(THERE, game.step(direction, here())),
            verify(on_board(there())),
            verify(not(friend(there()))),
            verify(not(Expr::new(Op::Attacked(None), [there()]))),
            go(),
            emit(done()),
        ];
        game.rule(direction, king, Trigger::Piece, body);
    }
    game.put(WHITE, king, "b1").put(BLACK, king, "d1");
    let engine = game.interpreter();
    let mut state = dagaz_engine::Executor::initial(&engine);
    assert_eq!(steps(&engine, &state), "b1-a1", "Black's king attacks c1, for its own question is answered with no");
    make(&engine, &mut state, "b1-a1");
    assert_eq!(steps(&engine, &state), "d1-c1");
}

#[test]
fn a_defended_piece_is_one_that_could_be_taken_back() {
    let mut game = Game::new(3, 1);
    let man = game.kind("man");
    game.walker(man, "e");
    let body = vec![set(THERE, here()), verify(Expr::new(Op::Defended(None), [here()])), emit(done())];
    game.rule("stay", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1 b1");
    let engine = game.interpreter();
    assert_eq!(steps(&engine, &dagaz_engine::Executor::initial(&engine)), "b1-c1 b1-b1");
}

#[test]
fn the_first_class_with_a_step_counts_even_when_it_is_illegal() {
    let mut game = Game::new(2, 2);
    let man = game.kind("man");
    let (first, second) = (game.move_type("first"), game.move_type("second"));
    game.walker(man, "n e ne");
    let ids: Vec<_> = game.rules.rules.ids().collect();
    game.rules.rules[ids[0]].move_type = Some(second);
    game.rules.rules[ids[2]].move_type = Some(first);
    game.put(WHITE, man, "a1");
    game.filter(Filter::Priority(vec![first, second]));
    game.rules.policy.pass = Pass::Forced;
    let initial = |game: &Game| (game.interpreter(), dagaz_engine::Executor::initial(&game.interpreter()));
    let (engine, state) = initial(&game);
    assert_eq!(steps(&engine, &state), "a1-b2");
    game.invariant("b2 is forbidden", empty(game.at("b2")));
    let (engine, state) = initial(&game);
    assert_eq!(steps(&engine, &state), "pass");
    game.rules.rules[ids[2]].move_type = None;
    let (engine, state) = initial(&game);
    assert_eq!(steps(&engine, &state), "a1-a2", "what has no listed class comes last");
}

#[test]
fn a_step_listed_in_two_classes_survives_in_the_better_one() {
    let mut game = Game::new(1, 2);
    let man = game.kind("man");
    let (first, second) = (game.move_type("first"), game.move_type("second"));
    game.walker(man, "n n n");
    let ids: Vec<_> = game.rules.rules.ids().collect();
    game.rules.rules[ids[0]].move_type = Some(second);
    game.rules.rules[ids[1]].move_type = Some(first);
    game.rules.rules[ids[2]].move_type = Some(first);
    game.put(WHITE, man, "a1");
    game.filter(Filter::Priority(vec![first, second]));
    let engine = game.interpreter();
    assert_eq!(steps(&engine, &dagaz_engine::Executor::initial(&engine)), "a1-a2");
}

#[test]
fn steps_that_change_nothing_go_but_two_flips_are_a_change() {
    let mut game = Game::new(1, 1);
    let man = game.kind("man");
    let stay = |effects: Vec<dagaz_ir::Stmt>| [vec![set(THERE, here())], effects, vec![emit(done())]].concat();
    let flip = || effect(Op::Flip, [here()]);
    game.rule("nothing", man, Trigger::Piece, stay(vec![go(), effect(Op::Capture, [Expr::leaf(Op::Nowhere)])]));
    game.put(WHITE, man, "a1");
    game.rules.policy.no_null_moves = true;
    let engine = game.interpreter();
    assert_eq!(steps(&engine, &dagaz_engine::Executor::initial(&engine)), "");
    game.rule("flips", man, Trigger::Piece, stay(vec![flip(), flip()]));
    let engine = game.interpreter();
    assert_eq!(steps(&engine, &dagaz_engine::Executor::initial(&engine)), "a1-a1");
}

#[test]
fn passing_is_forced_or_free() {
    let mut game = Game::new(1, 3);
    let man = game.kind("man");
    game.walker(man, "n");
    game.put(WHITE, man, "a2").put(BLACK, man, "a1");
    for (pass, first, second) in
        [(Pass::Never, "a2-a3", ""), (Pass::Forced, "a2-a3", "pass"), (Pass::Always, "a2-a3 pass", "pass")]
    {
        game.rules.policy.pass = pass;
        let engine = game.interpreter();
        let mut state = dagaz_engine::Executor::initial(&engine);
        assert_eq!(steps(&engine, &state), first);
        make(&engine, &mut state, "a2-a3");
        assert_eq!(steps(&engine, &state), second);
    }
}
