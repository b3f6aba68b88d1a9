//! The laws hold for rules that nobody wrote: programs, policies and set-ups made at random.

use std::sync::Arc;

use dagaz_base::Id;
use dagaz_engine::{Executor, Interpreter, Law, Limits, NoHistory, battery, divide, perft, perft_steps};
use dagaz_ir::{
    Emit, Expr, Field, Filter, Kind, Local, MoveType, Next, Op, Pass, Scope, Stmt, StmtKind, Trigger, View,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::game::{BLACK, Game, WHITE, local, stmt};

const SITES: usize = 9;
const KINDS: usize = 2;
const TYPES: usize = 2;
/// The fields beyond those that every game has: an attribute of both kinds, one of the second, a mark on sites, a
/// score.
const FIELDS: [(&str, Scope); 4] =
    [("moved", Scope::Piece), ("charge", Scope::Piece), ("mark", Scope::Site), ("score", Scope::Player)];

fn field(index: usize) -> Field {
    Field::from_index(5 + index)
}

fn site() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        4 => (0..2_usize).prop_map(local),
        1 => (0..SITES).prop_map(|index| Expr::leaf(Op::Site(Id::from_index(index)))),
    ];
    leaf.prop_recursive(2, 4, 1, |inner| {
        (0..8_usize, inner, any::<bool>()).prop_map(|(way, from, back)| {
            let way = Id::from_index(way);
            Expr::new(if back { Op::StepBack(way) } else { Op::Step(way) }, [from])
        })
    })
}

fn number() -> impl Strategy<Value = Expr> {
    prop_oneof![
        (-1..4).prop_map(Expr::int),
        Just(Expr::leaf(Op::Me)),
        Just(Expr::leaf(Op::ToMove)),
        (0..3_usize, site()).prop_map(|(index, site)| Expr::new(Op::Read(field(index)), [site])),
        (0..3_usize, site()).prop_map(|(index, site)| Expr::new(Op::ReadNow(field(index)), [site])),
        (0..3).prop_map(|index| Expr::new(Op::Get(field(3)), [Expr::int(index)])),
    ]
}

fn condition() -> impl Strategy<Value = Expr> {
    let of_site = prop_oneof![
        4 => Just(Op::Empty),
        2 => Just(Op::Enemy),
        1 => Just(Op::Friend),
        1 => Just(Op::OnBoard),
        1 => Just(Op::Attacked(None)),
        1 => (0..TYPES).prop_map(|index| Op::Attacked(Some(Id::from_index(index)))),
        1 => Just(Op::Defended(None)),
    ];
    let leaf = prop_oneof![
        6 => (of_site, site()).prop_map(|(op, site)| Expr::new(op, [site])),
        1 => (number(), number()).prop_map(|(a, b)| Expr::new(Op::AtMost, [a, b])),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|condition| Expr::new(Op::Not, [condition])),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Expr::new(Op::And, [a, b])),
            (inner.clone(), inner).prop_map(|(a, b)| Expr::new(Op::Or, [a, b])),
        ]
    })
}

fn effect() -> impl Strategy<Value = Stmt> {
    let kind = || (0..KINDS).prop_map(|index| Expr::leaf(Op::Kind(Id::from_index(index))));
    prop_oneof![
        4 => (site(), site()).prop_map(|(from, to)| Expr::new(Op::Move, [from, to])),
        1 => (site(), site()).prop_map(|(from, to)| Expr::new(Op::Copy, [from, to])),
        2 => site().prop_map(|site| Expr::new(Op::Capture, [site])),
        1 => (site(), number(), kind()).prop_map(|(site, owner, kind)| Expr::new(Op::Create, [site, owner, kind])),
        1 => (site(), number(), kind()).prop_map(|(site, owner, kind)| Expr::new(Op::Drop, [site, owner, kind])),
        1 => (site(), kind()).prop_map(|(site, kind)| Expr::new(Op::Retype, [site, kind])),
        1 => (site(), number()).prop_map(|(site, owner)| Expr::new(Op::Reown, [site, owner])),
        1 => site().prop_map(|site| Expr::new(Op::Flip, [site])),
        2 => (0..3_usize, site(), number()).prop_map(|(index, site, value)| {
            Expr::new(Op::SetAt(field(index)), [site, value])
        }),
        1 => (number(), number()).prop_map(|(index, value)| Expr::new(Op::Set(field(3)), [index, value])),
    ]
    .prop_map(|effect| stmt(StmtKind::Effect(effect)))
}

fn emit() -> impl Strategy<Value = Stmt> {
    let class = prop::option::of((0..TYPES).prop_map(MoveType::from_index));
    let next = prop_oneof![
        3 => Just(Next::Done),
        1 => (site(), class).prop_map(|(site, class)| Next::Again(site, class)),
    ];
    let choice = prop::option::of((0..KINDS).prop_map(|index| Expr::leaf(Op::Kind(Kind::from_index(index)))));
    (site(), choice, next).prop_map(|(to, choice, next)| {
        stmt(StmtKind::Emit(Box::new(Emit { from: local(0), to, choice, parameters: Vec::new(), next })))
    })
}

/// A loop that mostly comes to an end: it walks along a direction while it is on the board.
fn slide(condition: Expr, way: usize, mut body: Vec<Stmt>) -> Stmt {
    let next = Expr::new(Op::Step(Id::from_index(way)), [local(1)]);
    body.push(stmt(StmtKind::Let(Local::from_index(1), next)));
    let on_board = Expr::new(Op::OnBoard, [local(1)]);
    stmt(StmtKind::While(Expr::new(Op::And, [on_board, condition]), body))
}

fn statement() -> impl Strategy<Value = Stmt> {
    let leaf = prop_oneof![
        3 => site().prop_map(|to| stmt(StmtKind::Let(Local::from_index(1), to))),
        2 => condition().prop_map(|condition| stmt(StmtKind::Verify(condition))),
        4 => effect(),
        3 => emit(),
        1 => Just(stmt(StmtKind::Forget)),
        1 => Just(stmt(StmtKind::Discard)),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        let block = || prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            (condition(), block(), block()).prop_map(|(condition, a, b)| stmt(StmtKind::If(condition, a, b))),
            (condition(), 0..8_usize, block()).prop_map(|(condition, way, body)| slide(condition, way, body)),
            block().prop_map(|body| stmt(StmtKind::Attempt(body))),
        ]
    })
}

prop_compose! {
    fn rule()(
        kind in 0..KINDS,
        drop in prop::bool::weighted(0.2),
        tentative in prop::bool::weighted(0.3),
        class in prop::option::of(0..TYPES),
        mut body in prop::collection::vec(statement(), 1..8),
        last in emit(),
    ) -> (usize, bool, bool, Option<usize>, Vec<Stmt>) {
        body.push(last);
        (kind, drop, tentative, class, body)
    }
}

prop_compose! {
    fn game()(
        rules in prop::collection::vec(rule(), 1..6),
        placements in prop::collection::vec((0..2_usize, 0..KINDS, 0..SITES), 2..7),
        filters in prop::sample::subsequence(vec![
            Filter::Priority(vec![MoveType::from_index(1), MoveType::from_index(0)]),
            Filter::MostCaptured,
            Filter::MostValuable(vec![(Kind::from_index(1), 3), (Kind::from_index(0), 1)]),
        ], 0..=3),
        pass in prop_oneof![Just(Pass::Never), Just(Pass::Forced), Just(Pass::Always)],
        switches in any::<[bool; 3]>(),
        invariant in prop::option::weighted(0.3, condition()),
    ) -> Game {
        let mut game = Game::new(3, 3);
        for (name, scope) in FIELDS {
            game.field(name, scope, 2);
        }
        let one = game.kind_with("one", &[(field(0), 0)]);
        let two = game.kind_with("two", &[(field(0), 1), (field(1), 2)]);
        for name in ["first", "second"] {
            game.move_type(name);
        }
        game.hand(WHITE, one, 1);
        game.hand(BLACK, two, 2);
        for (kind, drop, tentative, class, body) in rules {
            let trigger = if drop { Trigger::Drop } else { Trigger::Piece };
            let rule = game.rule("rule", Kind::from_index(kind), trigger, body);
            rule.view = if tentative { View::Tentative } else { View::Before };
            rule.move_type = class.map(MoveType::from_index);
        }
        for (player, kind, site) in placements {
            let name = game.rules.topology.site_name(Id::from_index(site)).to_owned();
            game.put(player, Kind::from_index(kind), &name);
        }
        let policy = &mut game.rules.policy;
        (policy.filters, policy.pass) = (filters, pass);
        [policy.chain_may_stop, policy.no_null_moves, policy.recycle_captures] = switches;
        if let Some(condition) = invariant {
            game.invariant("law", condition);
            // The condition speaks of two locals.
            let site = game.rules.invariants[0].condition.locals.values().next().cloned();
            game.rules.invariants[0].condition.locals.push(site.expect("a local"));
        }
        game
    }
}

/// Rules that do not end are no counterexample: the limits are there for them.
fn engine(game: &Game) -> Interpreter {
    let limits = Limits { work: 20_000, steps: 300, chain: 20 };
    Interpreter::with_limits(Arc::new(game.rules.clone()), limits)
}

/// The same cases in every run.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::with_cases(400) }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_battery_holds_for_generated_rules(game in game(), seed in any::<u64>()) {
        match battery(&engine(&game), 2, 30, seed) {
            Ok(_) => {}
            Err(broken) if matches!(broken.law, Law::RulesEnd(_)) => {}
            Err(broken) => prop_assert!(false, "{}", broken),
        }
    }

    #[test]
    fn moves_are_counted_alike_in_every_way(game in game()) {
        let engine = engine(&game);
        let state = engine.initial();
        if let Ok(moves) = perft(&engine, &state, &NoHistory, 2) {
            let divided = divide(&engine, &state, &NoHistory, 2).expect("as before");
            prop_assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), moves);
            prop_assert_eq!(divided.len() as u64, perft(&engine, &state, &NoHistory, 1).expect("as before"));
        }
        if let Ok(steps) = perft_steps(&engine, &state, &NoHistory, 1) {
            prop_assert_eq!(steps, engine.steps(&state, &NoHistory).expect("as before").len() as u64);
        }
    }
}
