//! Rules that do not come to an end, or nest without measure, are stopped.

use std::sync::Arc;

use dagaz_base::{FileId, Id, Origin, Span};
use dagaz_engine::{Executor, Fault, Interpreter, Limits, NoHistory, whole_moves};
use dagaz_ir::{Expr, Filter, Kind, Op, Stmt, StmtKind, Trigger};

use crate::game::{Game, THERE, WHITE, again, done, emit, empty, go, here, set, stmt, stmt_at, there, verify};

fn engine(body: Vec<Stmt>, limits: Limits) -> Interpreter {
    let mut game = Game::new(2, 1);
    let man: Kind = game.kind("man");
    game.rule("odd", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1");
    Interpreter::with_limits(Arc::new(game.rules), limits)
}

fn fault(body: Vec<Stmt>, limits: Limits) -> Fault {
    let engine = engine(body, limits);
    engine.steps(&engine.initial(), &NoHistory).expect_err("a fault")
}

#[test]
fn an_endless_loop_names_its_rule_and_statement() {
    let span = Span { file: FileId::from_index(0), start: 7, end: 9 };
    let origin = Origin { span, expansion: None };
    let forever = stmt_at(StmtKind::While(Expr::leaf(Op::Bool(true)), Vec::new()), origin);
    match fault(vec![forever], Limits { work: 1000, ..Limits::default() }) {
        Fault::Endless { name, limit, origin: Some(at), .. } => {
            assert_eq!((name.as_str(), limit, at), ("odd", 1000, origin));
        }
        other => panic!("an endless loop, not {other}"),
    }
}

#[test]
fn too_many_steps_are_refused() {
    let forever = stmt(StmtKind::While(Expr::leaf(Op::Bool(true)), vec![emit(done())]));
    let fault = fault(vec![forever], Limits { steps: 10, ..Limits::default() });
    assert!(matches!(fault, Fault::TooManySteps { limit: 10, .. }), "{fault}");
}

#[test]
fn an_endless_chain_is_refused() {
    let mut game = Game::new(2, 1);
    let man = game.kind("man");
    for direction in ["e", "w"] {
        let body = vec![set(THERE, game.step(direction, here())), verify(empty(there())), go(), emit(again(None))];
        game.rule(direction, man, Trigger::Piece, body);
    }
    game.put(WHITE, man, "a1");
    let engine = game.interpreter();
    let fault = whole_moves(&engine, &engine.initial(), &NoHistory).expect_err("a fault");
    assert!(matches!(fault, Fault::EndlessChain { .. }), "{fault}");
    game.filter(Filter::MostCaptured);
    let engine = game.interpreter();
    let fault = engine.steps(&engine.initial(), &NoHistory).expect_err("a fault");
    assert!(matches!(fault, Fault::EndlessChain { .. }), "{fault}");
}
