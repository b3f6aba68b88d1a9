//! Each law, and rules that break it and no other.

use dagaz_board::SiteSet;
use dagaz_ir::verify::{Law, verify};
use dagaz_ir::*;

use crate::example::{self, id, made_up};

/// What is done to lawful rules, and where the verifier finds it.
type Breach = (Law, &'static str, fn(&mut Rules));

fn push(rules: &mut Rules, kind: StmtKind) {
    rules.rules[id(0)].body.insert(0, made_up(kind));
}

/// Puts a condition first in the first rule.
fn ask(rules: &mut Rules, condition: Expr) {
    push(rules, StmtKind::Verify(condition));
}

/// Puts an effect first in the first rule.
fn effect(rules: &mut Rules, op: Op, args: &[Expr]) {
    push(rules, StmtKind::Effect(Expr::new(op, args)));
}

fn here() -> Expr {
    Expr::local(id(0))
}

fn any(local: Local, asked: Expr) -> Expr {
    Expr::new(Op::Any(local), [Expr::leaf(Op::AllSites), asked])
}

/// A further local of the first rule.
fn another(rules: &mut Rules, ty: Type) -> Local {
    rules.rules[id(0)].locals.push(LocalInfo { name: "other".into(), ty })
}

fn positive(number: Expr) -> Expr {
    Expr::new(Op::Less, [Expr::int(0), number])
}

const BREACHES: &[Breach] = &[
    (Law::Ids, "rule 0 `step`", |rules| rules.rules[id(0)].kind = Some(id(3))),
    (Law::Ids, "rule 0 `step`", |rules| rules.rules[id(0)].move_type = Some(id(2))),
    (Law::Ids, "rule 0 `step` body 0", |rules| push(rules, StmtKind::Let(id(9), here()))),
    (Law::Ids, "rule 0 `step` body 0 condition argument 0", |rules| {
        ask(rules, Expr::new(Op::OnBoard, [Expr::local(id(9))]));
    }),
    (Law::Ids, "rule 0 `step` body 0 condition argument 0", |rules| {
        ask(rules, Expr::new(Op::OnBoard, [Expr::leaf(Op::Site(id(6)))]));
    }),
    (Law::Ids, "rule 0 `step` body 0 condition", |rules| ask(rules, Expr::new(Op::InZone(id(2)), [here()]))),
    (Law::Ids, "rule 0 `step` body 0 condition", |rules| ask(rules, Expr::new(Op::Attacked(Some(id(2))), [here()]))),
    (Law::Ids, "rule 0 `step` body 0 condition argument 0", |rules| {
        ask(rules, Expr::new(Op::OnBoard, [Expr::new(Op::Step(id(4)), [here()])]));
    }),
    (Law::Ids, "rule 0 `step` body 0 condition argument 1", |rules| ask(rules, positive(Expr::leaf(Op::Kind(id(3)))))),
    (Law::Ids, "rule 0 `step` body 0 condition argument 1", |rules| {
        ask(rules, positive(Expr::leaf(Op::Player(id(4)))));
    }),
    (Law::Ids, "rule 0 `step` body 0 effect", |rules| effect(rules, Op::SetAt(id(99)), &[here(), Expr::int(0)])),
    (Law::Ids, "player 0 `white`", |rules| rules.players[id(0)].enemies.push(id(4))),
    (Law::Ids, "player 0 `white`", |rules| rules.players[id(0)].directions[id(1)] = id(4)),
    (Law::Ids, "schedule 1", |rules| rules.schedule.turns[1].player = id(4)),
    (Law::Ids, "policy", |rules| rules.policy.filters.push(Filter::Priority(vec![id(2)]))),
    (Law::Ids, "end 0 `stuck`", |rules| rules.ends[0].players.push(id(4))),
    (Law::Ids, "setup 0", |rules| rules.setup[0] = Placement::Piece(id(0), id(0), id(6))),
    (Law::Ids, "kind 1 `king`", |rules| rules.kinds[id(1)].attributes.push((id(99), 0))),
    (Law::Size, "rules", |rules| {
        rules.fields.push(example::field("much", Scope::Array(1 << 24), 1, false));
    }),
    (Law::Links, "direction 0 `n`", |rules| rules.topology.link(id(0), id(5), Some(id(6)))),
    (Law::Directions, "player 1 `black`", |rules| rules.players[id(1)].directions = (0..3).map(id).collect()),
    (Law::Friends, "player 1 `black`", |rules| rules.players[id(1)].friends.clear()),
    (Law::Friends, "player 1 `black`", |rules| rules.players[id(1)].friends.push(id(0))),
    (Law::Zones, "zone 1 `middle`", |rules| {
        rules.zones[id(1)].sites.push(SiteSet::empty(6));
    }),
    (Law::Zones, "zone 1 `middle`", |rules| rules.zones[id(1)].sites[id(0)] = SiteSet::empty(65)),
    (Law::Zones, "zone 1 `middle`", |rules| rules.zones[id(1)].sites[id(0)] = SiteSet::all(7)),
    (Law::Ranges, "field 11 `counts`", |rules| rules.fields[id(11)].initial = 10),
    (Law::Ranges, "field 12 `score`", |rules| rules.fields[id(12)].high = -1),
    (Law::Ranges, "field 8 `moved`", |rules| rules.fields[id(8)].initial = 1),
    (Law::KnownFields, "rules", |rules| rules.fields[id(3)].name = "chian".into()),
    (Law::KnownFields, "field 2 `turn`", |rules| rules.fields[id(2)].scope = Scope::Array(1)),
    (Law::KnownFields, "field 0 `owner`", |rules| rules.fields[id(0)].high = 5),
    (Law::KnownFields, "field 4 `chain-type`", |rules| rules.fields[id(4)].low = -1),
    (Law::KnownFields, "field 6 `last-from`", |rules| rules.fields[id(6)].memory = false),
    (Law::KnownFields, "field 5 `hand`", |rules| rules.fields[id(5)].memory = true),
    (Law::KnownFields, "rule 1 `drop`", |rules| rules.fields[id(5)].name = "foot".into()),
    (Law::Attributes, "kind 1 `king`", |rules| rules.kinds[id(1)].attributes.push((id(10), 0))),
    (Law::Attributes, "kind 1 `king`", |rules| rules.kinds[id(1)].attributes.push((id(0), 0))),
    (Law::Attributes, "kind 0 `man`", |rules| rules.kinds[id(0)].attributes.push((id(8), 0))),
    (Law::Attributes, "kind 1 `king`", |rules| rules.kinds[id(1)].attributes.push((id(9), 2))),
    (Law::Placements, "setup 5", |rules| rules.setup[5] = Placement::Cell(id(8), 1, 4)),
    (Law::Placements, "setup 5", |rules| rules.setup[5] = Placement::Cell(id(8), 2, 1)),
    (Law::Placements, "setup 6", |rules| rules.setup[6] = Placement::Cell(id(11), 3, 0)),
    (Law::Placements, "setup 6", |rules| rules.setup[6] = Placement::Cell(id(1), 3, 1)),
    (Law::Placements, "setup 3", |rules| rules.setup[3] = Placement::Hand(id(0), id(0), -1)),
    (Law::Turns, "schedule label 0 `again`", |rules| rules.schedule.labels[id(0)].targets.clear()),
    (Law::Turns, "schedule 2", |rules| rules.schedule.turns[2].player = id(3)),
    (Law::Turns, "schedule 1", |rules| rules.schedule.turns[1].next = 3),
    (Law::Kinds, "rule 0 `step`", |rules| rules.rules[id(0)].kind = None),
    (Law::Locals, "rule 1 `drop`", |rules| {
        rules.rules[id(1)].locals = Default::default();
        rules.rules[id(1)].body.clear();
    }),
    (Law::Locals, "rule 0 `step`", |rules| {
        rules.rules[id(0)].locals.push(LocalInfo { name: "deed".into(), ty: Type::Effect });
    }),
    (Law::Types, "rule 0 `step` body 0 condition", |rules| ask(rules, here())),
    (Law::Types, "rule 0 `step` body 0 condition", |rules| ask(rules, Expr::new(Op::Empty, []))),
    (Law::Types, "rule 0 `step` body 0 condition", |rules| ask(rules, Expr::new(Op::Empty, [here(), here()]))),
    (Law::Types, "rule 0 `step` body 0 condition argument 0", |rules| ask(rules, Expr::new(Op::Not, [Expr::int(1)]))),
    (Law::Types, "rule 0 `step` body 0 condition argument 1", |rules| {
        ask(rules, Expr::new(Op::And, [Expr::leaf(Op::Bool(true)), Expr::int(1)]));
    }),
    (Law::Types, "rule 0 `step` body 0 value", |rules| push(rules, StmtKind::Let(id(1), Expr::int(1)))),
    (Law::Types, "rule 0 `step` body 0 condition", |rules| push(rules, StmtKind::While(Expr::int(1), vec![]))),
    (Law::Types, "rule 0 `step` body 0 else 0 condition", |rules| {
        let deep = vec![made_up(StmtKind::Verify(Expr::int(1)))];
        push(rules, StmtKind::If(Expr::leaf(Op::Bool(true)), vec![], deep));
    }),
    (Law::Types, "rule 0 `step` body 0 set", |rules| push(rules, StmtKind::For(id(1), here(), vec![]))),
    (Law::Types, "rule 0 `step` body 0 choice", |rules| {
        let emit = Emit { from: here(), to: here(), choice: Some(here()), parameters: vec![], next: Next::Done };
        push(rules, StmtKind::Emit(Box::new(emit)));
    }),
    (Law::Types, "rule 0 `step` body 0 again", |rules| {
        let emit =
            Emit { from: here(), to: here(), choice: None, parameters: vec![], next: Next::Again(Expr::int(1), None) };
        push(rules, StmtKind::Emit(Box::new(emit)));
    }),
    (Law::Types, "end 0 `stuck` condition", |rules| rules.ends[0].condition.body = Expr::int(1)),
    (Law::Bound, "rule 0 `step` body 0", |rules| push(rules, StmtKind::For(id(2), Expr::leaf(Op::NoSites), vec![]))),
    (Law::Bound, "rule 0 `step` body 0 condition", |rules| {
        let number = another(rules, Type::Int);
        ask(rules, any(number, Expr::leaf(Op::Bool(true))));
    }),
    (Law::Within, "rule 0 `step`", |rules| ask(rules, any(id(0), Expr::leaf(Op::Bool(true))))),
    (Law::Within, "rule 0 `step` body 1 condition argument 0", |rules| {
        let local = another(rules, Type::Site);
        ask(rules, Expr::new(Op::OnBoard, [Expr::local(local)]));
        ask(rules, any(local, Expr::leaf(Op::Bool(true))));
    }),
    (Law::Within, "rule 0 `step` body 0 condition argument 1 argument 1", |rules| {
        let local = another(rules, Type::Site);
        ask(rules, any(local, any(local, Expr::leaf(Op::Bool(true)))));
    }),
    (Law::Within, "after-move", |rules| {
        let stage = rules.stages.after_move.as_mut().expect("there is one");
        let site = stage.locals.push(LocalInfo { name: "site".into(), ty: Type::Site });
        stage.bounds.push(site);
        stage.body.push(made_up(StmtKind::Verify(any(site, Expr::leaf(Op::Bool(true))))));
    }),
    (Law::Effects, "rule 0 `step` body 0 condition", |rules| ask(rules, Expr::new(Op::Capture, [here()]))),
    (Law::Effects, "rule 0 `step` body 0 effect", |rules| effect(rules, Op::Empty, &[here()])),
    (Law::Effects, "invariant 0 `no king is attacked` condition argument 1", |rules| {
        rules.invariants[0].condition.body.args[1] = Expr::new(Op::Flip, [here()]);
    }),
    (Law::Scopes, "rule 0 `step` body 0 condition argument 1", |rules| {
        ask(rules, positive(Expr::new(Op::Read(id(12)), [here()])));
    }),
    (Law::Scopes, "rule 0 `step` body 0 condition argument 1", |rules| {
        ask(rules, positive(Expr::new(Op::ReadNow(id(5)), [here()])));
    }),
    (Law::Scopes, "rule 0 `step` body 0 condition argument 1", |rules| {
        ask(rules, positive(Expr::new(Op::Get(id(10)), [Expr::int(0)])));
    }),
    (Law::Scopes, "rule 0 `step` body 0 effect", |rules| effect(rules, Op::SetAt(id(11)), &[here(), Expr::int(0)])),
    (Law::Scopes, "rule 0 `step` body 0 effect", |rules| effect(rules, Op::Set(id(8)), &[Expr::int(0), Expr::int(0)])),
    (Law::Pieces, "rule 0 `step` body 0 effect", |rules| effect(rules, Op::SetAt(id(0)), &[here(), Expr::int(0)])),
    (Law::Pieces, "rule 0 `step` body 0 effect", |rules| effect(rules, Op::SetAt(id(1)), &[here(), Expr::int(0)])),
    (Law::History, "rule 0 `step` body 0 condition argument 1", |rules| {
        ask(rules, positive(Expr::leaf(Op::MoveCount)));
    }),
    (Law::History, "rule 0 `step` body 0 condition argument 1", |rules| {
        ask(rules, positive(Expr::new(Op::Captured, [Expr::int(0), Expr::int(0)])));
    }),
    (Law::History, "invariant 0 `no king is attacked` condition argument 1", |rules| {
        rules.invariants[0].condition.body = positive(Expr::leaf(Op::Repetitions));
    }),
    (Law::History, "invariant 0 `no king is attacked` condition argument 1", |rules| {
        rules.invariants[0].condition.body = positive(Expr::leaf(Op::LastMover));
    }),
    (Law::History, "concealment 1 `hands of others` condition argument 1", |rules| {
        rules.concealments[1].condition.body = positive(Expr::new(Op::Captured, [Expr::int(0), Expr::int(0)]));
    }),
    (Law::Ids, "concealment 0 `(conceal piece not-my?)`", |rules| rules.concealments[0].fields.push(id(99))),
    (Law::Types, "concealment 1 `hands of others` condition", |rules| {
        rules.concealments[1].condition.body = Expr::int(1);
    }),
    (Law::Concealments, "concealment 1 `hands of others`", |rules| rules.concealments[1].fields.push(id(12))),
    (Law::Concealments, "concealment 0 `(conceal piece not-my?)`", |rules| rules.concealments[0].fields.push(id(5))),
    (Law::Concealments, "concealment 1 `hands of others`", |rules| {
        rules.concealments[1].condition.locals = Default::default();
        rules.concealments[1].condition.body = Expr::leaf(Op::Bool(true));
    }),
    (Law::Concealments, "concealment 0 `(conceal piece not-my?)`", |rules| rules.concealments[0].fields.clear()),
    (Law::Concealments, "concealment 0 `(conceal piece not-my?)`", |rules| {
        let function = Function { locals: Default::default(), body: Expr::leaf(Op::Bool(true)) };
        (rules.concealments[0].fields, rules.concealments[0].condition) = (vec![id(2)], function);
    }),
    (Law::Nesting, "else 0", |rules| {
        let mut stmt = made_up(StmtKind::Forget);
        for _ in 0..limits::NESTING {
            stmt = made_up(StmtKind::If(Expr::leaf(Op::Bool(true)), vec![], vec![stmt]));
        }
        rules.rules[id(0)].body = vec![stmt];
    }),
];

#[test]
fn each_law_has_its_breach() {
    for (index, &(law, place, breach)) in BREACHES.iter().enumerate() {
        let mut rules = example::rules();
        breach(&mut rules);
        let violations = verify(&rules).expect_err(&format!("breach {index} of {law}"));
        for violation in &violations {
            assert_eq!(violation.law, law, "breach {index}: {violation}");
        }
        assert!(violations.iter().any(|violation| violation.place.ends_with(place)), "breach {index}: {violations:#?}");
    }
    let tried = |law| law == Law::NotEmpty || BREACHES.iter().any(|&(tried, ..)| tried == law);
    let untried: Vec<_> = Law::ALL.iter().filter(|&&law| !tried(law)).collect();
    assert!(untried.is_empty(), "no rules break {untried:?}");
}

#[test]
fn nothing_is_empty() {
    let mut rules = example::rules();
    rules.schedule.turns.clear();
    rules.players = Default::default();
    rules.topology = Default::default();
    let violations = verify(&rules).unwrap_err();
    let empty = violations.iter().filter(|violation| violation.law == Law::NotEmpty);
    assert_eq!(
        empty.map(|violation| violation.detail.as_str()).collect::<Vec<_>>(),
        ["there is no player", "there is no site", "there is no turn"]
    );
}

#[test]
fn a_breach_says_where_it_comes_from() {
    let mut rules = example::rules();
    let StmtKind::If(_, then, _) = &mut rules.rules[id(0)].body[3].kind else {
        panic!("the fourth statement branches")
    };
    then[0].kind = StmtKind::Verify(here());
    let violations = verify(&rules).unwrap_err();
    assert_eq!(violations[0].origin, example::origin(10, None));
    assert_eq!(
        violations[0].to_string(),
        format!("types: rule 0 `step` body 3 then 0 condition: `local` gives Site, not Bool")
    );
}

#[test]
fn a_capture_may_matter_to_an_invariant() {
    let mut rules = example::rules();
    let captured = Expr::new(Op::Captured, [Expr::int(0), Expr::int(0)]);
    rules.invariants[0].condition.body = positive(captured);
    assert_eq!(verify(&rules), Ok(()));
}

#[test]
fn laws_have_names_and_words() {
    for law in Law::ALL {
        assert!(!law.name().is_empty() && law.text().ends_with('.'), "{law:?}");
    }
}
