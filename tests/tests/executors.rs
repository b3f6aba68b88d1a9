//! Compiled rules and the reference interpreter agree on every bundled game, and on rules that nobody would write.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dagaz_base::Id;
use dagaz_engine::{Executor, Interpreter, Limits, Line, NoHistory, agree, battery_with, perft};
use dagaz_engine_wasm::Wasm;
use dagaz_ir::progress::never_repeats;
use dagaz_ir::{Expr, Local, Op, RuleId, Stmt, StmtKind};
use dagaz_tests::equal::{Compared, compare};
use dagaz_tests::{bundled, each_game, failures, made, rules};

/// How long the random games of these tests are.
const PLIES: usize = 40;

/// How many moves a count may come to in these tests.
const MOVES: u64 = 1_000;

#[test]
fn modules_do_what_the_interpreter_does() {
    each_game(|game| {
        for (title, rules) in game.menu() {
            let played = compare(&rules, Limits::default(), 1, PLIES, 5);
            let played = played.unwrap_or_else(|difference| panic!("{title}: {difference}"));
            assert!(matches!(played, Compared::Same(_)), "{title}: {played:?}");
        }
    });
}

#[test]
fn modules_count_the_same_moves() {
    each_game(|game| {
        let rules = game.rules(None);
        let compiled = Wasm::new(rules.clone()).unwrap_or_else(|refusal| panic!("{}: {refusal}", game.name));
        let executor = Interpreter::new(rules);
        let start = executor.initial();
        for depth in 0..=4 {
            let counted = perft(&executor, &start, &mut Line::new(), depth);
            assert_eq!(compiled.perft(&start, &NoHistory, depth), counted, "{} at depth {depth}", game.name);
            if counted.is_ok_and(|count| count > MOVES) {
                break;
            }
        }
    });
}

#[test]
fn the_same_seed_gives_the_same_playouts() {
    each_game(|game| {
        let compiled = Wasm::new(game.rules(None)).unwrap_or_else(|refusal| panic!("{}: {refusal}", game.name));
        let start = compiled.initial();
        let play = |seed| {
            compiled.playouts(&start, &NoHistory, 3, 40, seed).unwrap_or_else(|fault| panic!("{}: {fault}", game.name))
        };
        let played = play(7);
        assert_eq!(played, play(7), "{}", game.name);
        assert_eq!(played.games, 3, "{}", game.name);
        assert!(played.moves <= 120, "{}", game.name);
    });
}

/// What was asked of a module before must not be the past of a step that is made alone: each reply to it is judged as if nothing
/// had stood before.
#[test]
fn a_module_keeps_no_past_from_one_question_to_the_next() {
    let rules = rules(
        "(game (title \"Back and forth\") (players White) (turn-order White)
           (board (grid (start-rectangle 0 0 9 9) (dimensions (\"a\" (10 0)) (\"1/2/3\" (0 10))) (directions (n 0 1) (s 0 -1))))
           (piece (name Man) (moves (n add) (s add)))
           (board-setup (White (Man a1)))
           (variable v 0)
           (after-move (verify (< repetitions 2)) (verify (= (count replies) 1)) (set v 1)))",
    );
    let compiled = Wasm::new(rules.clone()).expect("small rules are compiled");
    let played = battery_with(&Interpreter::new(rules), 1, PLIES, 1, &mut |moment| agree(&compiled, &moment, 0));
    played.unwrap_or_else(|broken| panic!("{broken}"));
}

/// A front end may nest as deep as the representation allows, and who compiles that must not run out of stack.
#[test]
fn what_is_nested_deeply_is_compiled() {
    let leaf = Expr::new(Op::OnBoard, [Expr::local(Local::from_index(0))]);
    let sites = Expr::leaf(Op::AllSites);
    let wraps: [fn(Expr) -> Expr; 4] = [
        |inner| Expr::new(Op::And, [Expr::new(Op::Or, [inner]), Expr::leaf(Op::Bool(true))]),
        |inner| Expr::new(Op::Equal, [Expr::new(Op::Truth, [inner]), Expr::int(1)]),
        |inner| Expr::new(Op::Less, [Expr::int(0), Expr::new(Op::Pick, [inner, Expr::int(1), Expr::int(0)])]),
        |inner| Expr::new(Op::Every(Local::from_index(10)), [Expr::leaf(Op::AllSites), Expr::new(Op::Not, [inner])]),
    ];
    let mut conditions: Vec<Expr> =
        wraps[..3].iter().map(|wrap| (0..120).fold(leaf.clone(), |inner, _| wrap(inner))).collect();
    conditions.push(wraps[3](leaf.clone()));
    let unions = (0..240).fold(sites.clone(), |inner, _| Expr::new(Op::Union, [inner, sites.clone()]));
    conditions.push(Expr::new(Op::AtMost, [Expr::int(1), Expr::new(Op::Count, [unions])]));
    // On a board of one word, and on one of many.
    let boards: [&[u8]; 2] = [&[], &[15]];
    for (bytes, condition) in boards.iter().flat_map(|bytes| conditions.iter().map(move |asked| (bytes, asked))) {
        let mut rules = made::rules(bytes);
        let statement = |kind| Stmt { kind, origin: None };
        let body = &mut rules.rules[RuleId::from_index(0)].body;
        let inner = std::mem::take(body);
        *body = (0..200).fold(inner, |inner, level| {
            vec![statement(match level % 4 {
                0 => StmtKind::Try(inner),
                1 => StmtKind::If(Expr::leaf(Op::Bool(true)), inner, vec![]),
                2 => StmtKind::Attempt(inner),
                _ => StmtKind::For(Local::from_index(7), Expr::leaf(Op::NoSites), inner),
            })]
        });
        body.insert(0, statement(StmtKind::Verify(condition.clone())));
        dagaz_ir::verify::verify(&rules).unwrap_or_else(|violations| panic!("{}", violations[0]));
        compare(&Arc::new(rules), LIMITS, 1, 4, 1).unwrap_or_else(|difference| panic!("{difference}"));
    }
}

/// How many rules are made, from as many seeds.
const MADE: u64 = 300;

/// Small enough that made rules, which often do not come to an end, take no more than moments.
const LIMITS: Limits = Limits { work: 40_000, steps: 500, chain: 8 };

/// `DAGAZ_SEED` tries the rules of one seed alone, which are shown when the two differ, or of a range as `100..200`.
#[test]
fn modules_do_what_the_interpreter_does_on_made_rules() {
    let seeds = std::env::var("DAGAZ_SEED").map_or(0..MADE, |text| {
        let number = |text: &str| text.parse().unwrap_or_else(|error| panic!("DAGAZ_SEED is `{text}`: {error}"));
        text.split_once("..").map_or_else(|| number(&text)..number(&text) + 1, |(low, high)| number(low)..number(high))
    });
    let seeds: Vec<u64> = seeds.collect();
    let (steps, endless) = (AtomicU64::new(0), AtomicU64::new(0));
    // A module that traps without a reason makes the host panic.
    let failed = failures(&seeds, |&seed| match made_rules_agree(seed, seeds.len() == 1) {
        Ok(Compared::Same(report)) => _ = steps.fetch_add(report.plies, Ordering::Relaxed),
        Ok(Compared::Endless) => _ = endless.fetch_add(1, Ordering::Relaxed),
        Ok(Compared::Refused) => panic!("seed {seed}: made rules are small enough to be compiled"),
        Err(difference) => panic!("seed {seed}: {difference}"),
    });
    eprintln!("{} made rules: {} steps; {} without an end", seeds.len(), steps.into_inner(), endless.into_inner());
    assert!(failed.is_empty(), "the rules of these seeds differ, say why with DAGAZ_SEED: {failed:?}");
}

/// That executors agree on made rules says as much as these say.
#[test]
fn made_rules_use_every_operation() {
    fn look(block: &[Stmt], used: &mut BTreeSet<&str>) {
        for stmt in block {
            stmt.expressions().into_iter().for_each(|expr| look_at(expr, used));
            stmt.blocks().into_iter().for_each(|block| look(block, used));
        }
    }
    fn look_at(expr: &Expr, used: &mut BTreeSet<&str>) {
        used.insert(expr.op.name());
        expr.args.iter().for_each(|arg| look_at(arg, used));
    }
    let mut used = BTreeSet::new();
    for rules in (0..MADE).map(|seed| made::rules(&made::bytes(seed))) {
        let stages =
            [rules.stages.before_move, rules.stages.before_step, rules.stages.after_step, rules.stages.after_move];
        stages.iter().flatten().for_each(|stage| look(&stage.body, &mut used));
        rules.rules.values().for_each(|rule| look(&rule.body, &mut used));
        rules.ends.iter().for_each(|end| look_at(&end.condition.body, &mut used));
    }
    let unused: Vec<_> = Op::NAMES.iter().filter(|name| !used.contains(**name)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

fn made_rules_agree(seed: u64, shows: bool) -> Result<Compared, String> {
    let rules = Arc::new(made::rules(&made::bytes(seed)));
    if shows {
        eprintln!("{}", dagaz_ir::text::print(&rules));
    }
    dagaz_ir::verify::verify(&rules).map_err(|violations| violations[0].to_string())?;
    compare(&rules, LIMITS, 2, 12, seed)
}

/// In some games no state can stand twice, which spares the look for repetitions; in others one can.
#[test]
fn games_that_never_repeat_are_known() {
    let known = ["breakthrough", "connect-four", "gomoku", "hex", "tic-tac-toe"];
    let repeating = ["chess", "english", "reversi", "xiangqi"];
    let games = bundled();
    let named = |name: &str| games.iter().find(|game| game.name == name).expect("a bundled game").rules(None);
    assert!(known.iter().all(|name| never_repeats(&named(name))));
    assert!(!repeating.iter().any(|name| never_repeats(&named(name))));
}
