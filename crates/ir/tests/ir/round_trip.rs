//! What is printed parses back to the same.

use dagaz_ir::text::{parse, print, print_without_origins};
use dagaz_ir::verify::verify;
use dagaz_ir::{Expr, Op, Rules, Stages, StmtKind, limits};
use proptest::prelude::*;

use crate::example::{self, id, made_up};
use crate::generate;

/// The same rules with no place in the source anywhere.
fn without_origins(mut rules: Rules) -> Rules {
    fn clear(block: &mut [dagaz_ir::Stmt]) {
        for stmt in block {
            stmt.origin = None;
            match &mut stmt.kind {
                StmtKind::If(_, then, otherwise) => [then, otherwise].into_iter().for_each(|block| clear(block)),
                StmtKind::While(_, body)
                | StmtKind::For(_, _, body)
                | StmtKind::Range(_, _, _, body)
                | StmtKind::Try(body)
                | StmtKind::Attempt(body) => clear(body),
                _ => {}
            }
        }
    }
    for rule in rules.rules.values_mut() {
        rule.origin = None;
        clear(&mut rule.body);
    }
    let Stages { before_move, before_step, after_step, after_move } = &mut rules.stages;
    let stages = [before_move, before_step, after_step, after_move].into_iter().flatten();
    for program in stages.chain(rules.rules.values_mut().filter_map(|rule| rule.then.as_mut())) {
        program.origin = None;
        clear(&mut program.body);
    }
    rules.invariants.iter_mut().for_each(|invariant| invariant.origin = None);
    rules.ends.iter_mut().for_each(|end| end.origin = None);
    rules.concealments.iter_mut().for_each(|concealment| concealment.origin = None);
    rules
}

#[test]
fn rules_by_hand_are_lawful_and_readable() {
    let rules = example::rules();
    assert_eq!(verify(&rules), Ok(()));
    insta::assert_snapshot!(print(&rules));
    assert_eq!(parse(&print(&rules)), Ok(rules));
}

#[test]
fn people_see_no_origins() {
    let rules = example::rules();
    let text = print_without_origins(&rules);
    assert!(!text.contains('@') && !text.contains("origins"), "{text}");
    assert_eq!(parse(&text), Ok(without_origins(rules)));
}

#[test]
fn the_deepest_lawful_programs_survive() {
    let mut rules = example::rules();
    let mut stmt = made_up(StmtKind::Verify(Expr::leaf(Op::Bool(true))));
    for _ in 2..limits::NESTING {
        stmt = made_up(StmtKind::If(Expr::leaf(Op::Bool(true)), vec![], vec![stmt]));
    }
    rules.rules[id(0)].body = vec![stmt];
    let mut site = Expr::local(id(0));
    for _ in 1..limits::NESTING - 1 {
        site = Expr::new(Op::Step(id(0)), [site]);
    }
    rules.ends[0].condition.locals = rules.rules[id(0)].locals.clone();
    rules.ends[0].condition.body = Expr::new(Op::OnBoard, [site]);
    assert_eq!(verify(&rules), Ok(()));
    assert_eq!(parse(&print(&rules)), Ok(rules));
}

proptest! {
    #[test]
    fn generated_rules_are_lawful_and_survive(bytes in proptest::collection::vec(any::<u8>(), 0..1500)) {
        let rules = generate::rules(&bytes);
        prop_assert_eq!(verify(&rules), Ok(()));
        let text = print(&rules);
        let parsed = parse(&text);
        prop_assert_eq!(parsed.as_ref(), Ok(&rules), "{}", text);
        prop_assert_eq!(parse(&print_without_origins(&rules)), Ok(without_origins(rules)));
    }
}
