//! Why a step is legal, or is not.

use dagaz_base::{FileId, Id, Origin, Span};
use dagaz_board::Site;
use dagaz_engine::{Executor, Explanation, Interpreter, Line, NoHistory, Obstacle, Question, Removal, State, explain};
use dagaz_ir::{Expr, Filter, Op, StmtKind, Trigger, Verdict};

use crate::game::{
    BLACK, Game, THERE, WHITE, again, done, dropped, effect, emit, empty, enemy, friend, go, here, kind, make, me, not,
    on_board, set, stmt_at, text, there, verify,
};

fn origin(start: u32) -> Origin {
    Origin { span: Span { file: FileId::from_index(0), start, end: start + 1 }, expansion: None }
}

/// ```text
/// 3  .  .  ♟     A white man jumps to the east as often as it can, a black one too;
/// 2  ♙  .  .     or goes one step north, unless something can be jumped.
/// 1  ♙  ♟  .
///    a  b  c
/// ```
fn game() -> Game {
    let mut game = Game::new(3, 3);
    let man = game.kind("man");
    let (jumps, walks) = (game.move_type("jump"), game.move_type("walk"));
    let over = game.step("e", here());
    let body = vec![
        set(THERE, game.step("e", over.clone())),
        stmt_at(StmtKind::Verify(enemy(over.clone())), origin(10)),
        verify(on_board(there())),
        effect(Op::Capture, [over]),
        go(),
        emit(again(Some(jumps))),
    ];
    let rule = game.rule("jump", man, Trigger::Piece, body);
    (rule.move_type, rule.origin) = (Some(jumps), Some(origin(1)));
    let body = vec![
        set(THERE, game.step("n", here())),
        stmt_at(StmtKind::Verify(not(friend(there()))), origin(20)),
        go(),
        emit(done()),
    ];
    game.rule("walk", man, Trigger::Piece, body).move_type = Some(walks);
    game.put(WHITE, man, "a1 a2").put(BLACK, man, "b1 c3");
    game.filter(Filter::Priority(vec![jumps, walks]));
    game
}

fn ask(engine: &Interpreter, state: &State, from: &str, to: &str) -> Explanation {
    let site = |name: &str| engine.rules().topology.site(name);
    let question = Question { from: site(from), to: site(to), dropped: None };
    explain(engine, state, &NoHistory, question).expect("rules without a fault")
}

#[test]
fn a_legal_step_names_its_rule() {
    let engine = game().interpreter();
    let told = ask(&engine, &engine.initial(), "a1", "c1");
    assert_eq!(told.obstacle, None);
    assert_eq!(told.legal.iter().map(|step| text(&engine, step)).collect::<Vec<_>>(), ["a1-c1+"]);
    assert_eq!(told.runs.len(), 1);
    assert_eq!((told.runs[0].made, told.runs[0].origin(engine.rules())), (1, Some(origin(1))));
    assert_eq!(told.runs[0].text(engine.rules()), "jump of man makes the step");
}

#[test]
fn a_better_class_is_named() {
    let engine = game().interpreter();
    let told = ask(&engine, &engine.initial(), "a2", "a3");
    assert_eq!(told.legal, []);
    assert_eq!(told.removed.len(), 1);
    assert_eq!(told.removed[0].1.text(engine.rules()), "a move of the type jump is possible and comes first");
}

#[test]
fn the_condition_that_stopped_a_rule_is_named() {
    let engine = game().interpreter();
    let told = ask(&engine, &engine.initial(), "a1", "a2");
    assert_eq!((told.legal.len(), told.removed.len(), told.runs.len()), (0, 0, 1));
    assert_eq!(told.runs[0].stopped, Some(Some(origin(20))));
    assert_eq!(told.runs[0].origin(engine.rules()), Some(origin(20)));
    assert_eq!(told.runs[0].text(engine.rules()), "walk of man stops at a condition that is false");
    let far = ask(&engine, &engine.initial(), "a1", "c3");
    assert_eq!(far.runs, [], "no rule came so far");
}

#[test]
fn obstacles_are_told_before_rules_are_asked() {
    let engine = game().interpreter();
    let mut state = engine.initial();
    let obstacle = |state: &State, from: &str, to: &str| {
        let obstacle = ask(&engine, state, from, to).obstacle;
        obstacle.map(|obstacle| obstacle.text(engine.rules())).unwrap_or_default()
    };
    assert_eq!(obstacle(&state, "c2", "c3"), "no piece stands on c2");
    assert_eq!(obstacle(&state, "b1", "b2"), "the piece is Black's, and it is White's pieces that move");
    assert_eq!(obstacle(&state, "", "b2"), "no piece that can be dropped is in hand");
    make(&engine, &mut state, "a1-c1+");
    assert_eq!(obstacle(&state, "b1", "b2"), "no piece stands on b1");
}

#[test]
fn a_chain_that_is_open_comes_first() {
    let mut game = Game::new(5, 1);
    let man = game.kind("man");
    let over = game.step("e", here());
    let body = vec![set(THERE, game.step("e", over.clone())), verify(enemy(over.clone())), go()];
    let body = [body, vec![effect(Op::Capture, [over]), emit(again(None))]].concat();
    game.rule("jump", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1").put(BLACK, man, "b1 d1");
    let engine = game.interpreter();
    let mut state = engine.initial();
    make(&engine, &mut state, "a1-c1+");
    let told = ask(&engine, &state, "d1", "e1");
    assert_eq!(told.obstacle, Some(Obstacle::MustGoOn(Site::from_index(2))));
    assert_eq!(ask(&engine, &state, "c1", "e1").legal.len(), 1);
}

#[test]
fn invariants_captures_nothings_and_duplicates_are_told() {
    let mut game = Game::new(3, 1);
    let man = game.kind("man");
    game.walker(man, "e e");
    let body = vec![set(THERE, here()), emit(done())];
    game.rule("stay", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1 b1");
    game.rules.policy.no_null_moves = true;
    let condition = empty(game.at("c1"));
    game.invariant("c1 stays empty", condition);
    game.rules.invariants[0].origin = Some(origin(30));
    let engine = game.interpreter();
    let removals = |from, to| -> Vec<_> {
        ask(&engine, &engine.initial(), from, to).removed.into_iter().map(|(_, removal)| removal).collect()
    };
    assert_eq!(removals("b1", "c1"), [Removal::Duplicate, Removal::Invariant { invariant: 0 }]);
    assert_eq!(removals("a1", "a1"), [Removal::Null]);
    let invariant = Removal::Invariant { invariant: 0 };
    assert_eq!(invariant.text(engine.rules()), "it breaks a law: c1 stays empty");
    assert_eq!(invariant.origin(engine.rules()), Some(origin(30)));

    let mut game = Game::new(3, 2);
    let man = game.kind("man");
    game.walker(man, "n e");
    game.put(WHITE, man, "a1").put(BLACK, man, "b1");
    game.filter(Filter::MostCaptured);
    let engine = game.interpreter();
    let told = ask(&engine, &engine.initial(), "a1", "a2");
    assert_eq!(told.removed[0].1, Removal::Captures { own: vec![0], best: vec![1] });
}

#[test]
fn drops_are_asked_by_their_destination() {
    let mut game = Game::new(2, 1);
    let stone = game.kind("stone");
    game.hand(WHITE, stone, 1);
    let body = vec![verify(empty(here())), effect(Op::Drop, [here(), me(), kind(stone)]), emit(dropped())];
    game.rule("drop", stone, Trigger::Drop, body);
    game.put(BLACK, stone, "b1");
    let engine = game.interpreter();
    assert_eq!(ask(&engine, &engine.initial(), "", "a1").legal.len(), 1);
    let told = ask(&engine, &engine.initial(), "", "b1");
    assert_eq!((told.legal.len(), told.runs.len(), told.runs[0].stopped), (0, 1, Some(None)));
}

#[test]
fn a_drop_may_be_asked_by_its_kind() {
    let mut game = Game::new(1, 1);
    let (stone, wall, door) = (game.kind("stone"), game.kind("wall"), game.kind("door"));
    for which in [stone, wall] {
        game.hand(WHITE, which, 1);
        let body = vec![effect(Op::Drop, [here(), me(), kind(which)]), emit(dropped())];
        game.rule("drop", which, Trigger::Drop, body);
    }
    let engine = game.interpreter();
    let told = |kind| {
        let question = Question { from: None, to: Some(game.site("a1")), dropped: Some(kind) };
        explain(&engine, &engine.initial(), &NoHistory, question).expect("rules without a fault")
    };
    let wall_told = told(wall);
    assert_eq!((wall_told.legal.len(), wall_told.runs.len()), (1, 1));
    assert_eq!(wall_told.runs[0].text(engine.rules()), "drop of wall makes the step");
    let obstacle = told(door).obstacle.expect("an obstacle");
    assert_eq!(obstacle.text(engine.rules()), "no door that can be dropped is in hand");
}

#[test]
fn a_game_that_is_over_explains_itself() {
    let mut game = Game::new(2, 1);
    let man = game.kind("man");
    game.walker(man, "e w");
    game.put(WHITE, man, "a1").put(BLACK, man, "b1");
    game.end(&[WHITE], Verdict::Win, Expr::new(Op::Mine, [game.at("b1")]));
    let engine = game.interpreter();
    let (mut state, mut line) = (engine.initial(), Line::new());
    let (before, mover) = (state.keys(), engine.to_move(&state));
    let undo = make(&engine, &mut state, "a1-b1");
    line.push(before, mover, &undo);
    let told = explain(&engine, &state, &line, Question { from: Some(game.site("b1")), ..Question::default() })
        .expect("rules without a fault");
    let obstacle = told.obstacle.expect("an obstacle");
    assert!(matches!(obstacle, Obstacle::GameOver(_)));
    assert_eq!(obstacle.text(engine.rules()), "the game is over: end");
}
