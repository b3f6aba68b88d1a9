//! Which rules count as choices one after the other, and what is known of their steps.

use dagaz_ir::nests::{Nest, nest, starts_here};
use dagaz_ir::{Expr, Op, Rules, text};

use crate::example::id;

/// A game with one rule: what triggers it, and its body.
fn rules(trigger: &str, body: &str) -> Rules {
    let kind = if trigger == "piece" { "(kind Queen)" } else { "" };
    let text = format!(
        "(rules Small
          (sites a b c)
          (direction e (a b c))
          (direction w (c b a))
          (player White person (friends White) (enemies Black))
          (player Black person (friends Black) (enemies White))
          (kind Queen)
          (kind Arrow)
          (field owner piece (range 0 2) (initial 0))
          (field kind piece (range 0 2) (initial 0))
          (field turn global (range 0 1) (initial 0))
          (field chain global (range 0 3) (initial 0))
          (field chain-type global (range 0 0) (initial 0))
          (move-types)
          (setup (piece White Queen a))
          (schedule (turn White) (turn Black))
          (policy (pass never) no-null-moves)
          (rule shoot {kind} (trigger {trigger}) (view before)
            (locals (here site) (each site) (empty set) (cleared set) (goal site) (target site) (at site) (n int))
            (body {body})))"
    );
    text::parse(&text).unwrap_or_else(|error| panic!("{error:?}"))
}

fn found(trigger: &str, body: &str) -> Option<Nest> {
    nest(&rules(trigger, body).rules[id(0)])
}

const EMPTY: &str = "(let empty (where each (all-sites) (and (empty each))))";
const CLEARED: &str = "(let cleared (union empty (with (no-sites) here)))";

/// A queen goes somewhere and shoots from there.
fn shoot(goals: &str, targets: &str, before_step: &str) -> String {
    format!(
        "{EMPTY} {CLEARED}
         (for goal {goals}
           (try
             (let at goal)
             (for target {targets}
               (try
                 {before_step}
                 (create target (player Black) (kind Arrow))
                 (attempt (move here at) (emit here at (parameters target)))
                 (forget)
                 (let at (nowhere))))))"
    )
}

#[test]
fn a_piece_a_goal_and_a_target_are_three_stages() {
    let found = found("piece", &shoot("(ray e here empty)", "(ray w goal cleared)", "")).expect("loops and a step");
    assert_eq!(found.stages.iter().map(|stage| stage.member).collect::<Vec<_>>(), [id(0), id(4), id(5)]);
    assert!(found.moves && found.adds && found.tells);
    assert_eq!(found.to, Expr::local(id(4)));
    // What sets are is said of the members alone.
    let Some(set) = &found.stages[2].set else { panic!("the target is out of a set") };
    assert_eq!(set.args[0], Expr::local(id(4)));
    assert_eq!(set.args[1].op, Op::Union);
    assert_eq!(found.effects.len(), 2);
}

#[test]
fn conditions_that_end_only_a_round_belong_to_its_member() {
    let body = shoot("(ray e here empty)", "(ray w goal cleared)", "(verify (not (same goal target)))");
    let found = found("piece", &body).expect("a condition in a `try`");
    assert_eq!(found.stages.iter().map(|stage| stage.conditions.len()).collect::<Vec<_>>(), [0, 0, 1]);
}

#[test]
fn what_adds_a_piece_goes_and_shoots_to_empty_sites() {
    let of = |goals, targets| found("piece", &shoot(goals, targets, "")).expect("loops and a step");
    assert!(of("(where each empty (same each here))", "(ray w goal empty)").adds);
    // The goal may be taken, or the target may be the goal.
    let taken = of("(ray e here (all-sites))", "(ray w goal cleared)");
    assert!(taken.moves && !taken.adds && !taken.tells);
    let same = of("(ray e here empty)", "cleared");
    assert!(same.moves && !same.adds);
    // Nothing says that the piece goes at all.
    assert!(!of("(all-sites)", "(ray w goal cleared)").moves);
}

#[test]
fn a_turn_has_no_piece() {
    let body = format!("{EMPTY} (for goal empty (attempt (create goal (me) (kind Arrow)) (emit (nowhere) goal)))");
    let found = found("turn", &body).expect("a loop and a step");
    assert_eq!(found.stages.len(), 1);
    assert!(!found.moves && !found.adds);
}

#[test]
fn other_forms_are_no_nests() {
    let none = |trigger: &str, body: &str| assert_eq!(found(trigger, body), None, "{body}");
    // No loop; a member that no step shows; another step beside; a step that starts elsewhere.
    none("piece", "(move here (step e here)) (emit here (step e here))");
    none("piece", "(for goal (all-sites) (try (move here goal) (emit here (step e goal))))");
    none("piece", "(for goal (all-sites) (try (move here goal) (emit here goal) (emit here goal (parameters 1))))");
    none("piece", "(for goal (all-sites) (try (move here goal) (emit goal goal)))");
    // Effects that are still there in the next round; a condition that ends all rounds; one that is asked in half of them.
    none("piece", "(for goal (all-sites) (move here goal) (emit here goal))");
    none("piece", "(for goal (all-sites) (attempt (verify (empty goal)) (move here goal) (emit here goal)))");
    none("piece", "(for goal (all-sites) (try (if (empty goal) (move here goal)) (emit here goal)))");
    // What a round leaves behind for the next one; a member that becomes another; more than one kind of loop.
    none(
        "piece",
        "(for goal (ray e at (all-sites)) (try (move here goal) (emit here goal)) (let n (+ n 1)) (let at goal))
        (emit here at)",
    );
    none("piece", "(for goal (all-sites) (try (let goal (step e goal)) (emit here goal)))");
    none("piece", "(for goal (all-sites) (try (range n 1 2 (emit here goal (parameters n)))))");
    none("piece", "(for goal (all-sites) (attempt (move here at) (emit here goal)) (let at goal))");
}

#[test]
fn rules_whose_steps_start_at_the_piece_are_known() {
    let starts = |body: &str| starts_here(&rules("piece", body).rules[id(0)]);
    assert!(starts("(move here (step e here)) (emit here (step e here))"));
    assert!(starts("(let at here) (for goal (all-sites) (emit at goal))"));
    assert!(!starts("(emit at here)"));
    assert!(!starts("(let at here) (for goal (all-sites) (emit at goal) (let at goal))"));
    assert!(!starts_here(&rules("turn", "(emit here here)").rules[id(0)]));
}
