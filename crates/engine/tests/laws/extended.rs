//! Operations and statements beyond those of Zillions' machine: tries, ranges, sets, stacks, jumps, and what surrounds a step.

use dagaz_base::{Id, IdMap};
use dagaz_engine::{Executor, Interpreter, Limits, Line, NoHistory, Parameter, Share, Situation, State};
use dagaz_ir::{Emit, Expr, Field, Kind, Local, LocalInfo, Op, Program, Scope, Stmt, StmtKind, Trigger, Type, Verdict};

use crate::game::{
    BLACK, Game, HERE, THERE, WHITE, again, done, effect, emit, empty, go, here, kind, local, make, me, pieces, set,
    steps, stmt, there, verify,
};

/// A third local, of this type, for the rule that was made last.
const THIRD: usize = 2;

fn declare(game: &mut Game, ty: Type) {
    let id = game.rules.rules.ids().last().expect("a rule");
    game.rules.rules[id].locals.push(LocalInfo { name: "third".to_owned(), ty });
}

/// A program whose first locals are the sites of the step, and then its parameters.
fn program(parameters: &[Type], body: Vec<Stmt>) -> Program {
    let local = |ty| LocalInfo { name: "known".to_owned(), ty };
    let types = [Type::Site, Type::Site].into_iter().chain(parameters.iter().copied());
    Program { locals: types.map(local).collect(), bounds: Vec::new(), body, origin: None }
}

/// Makes the one step, and checks both hashes and the way back.
fn made(engine: &Interpreter, state: &mut State, wanted: &str) {
    let before = state.clone();
    let undo = make(engine, state, wanted);
    assert_eq!(state.rehash(engine.layout()), (state.hash(), state.keys()), "{wanted}");
    let mut back = state.clone();
    engine.undo(&mut back, &undo);
    assert_eq!(back, before, "{wanted}");
}

fn value(engine: &Interpreter, state: &State, field: Field, index: usize) -> i32 {
    state.get(engine.layout().cell(field, index).expect("a cell"))
}

#[test]
fn a_try_takes_back_effects_and_locals_though_it_stops_in_an_attempt() {
    let mut game = Game::new(3, 1);
    let man = game.kind("man");
    let create = |site: Expr| effect(Op::Create, [site, me(), kind(man)]);
    let (b1, c1) = (game.at("b1"), game.at("c1"));
    let stops = stmt(StmtKind::Verify(Expr::leaf(Op::Bool(false))));
    let inner = stmt(StmtKind::Attempt(vec![create(c1.clone()), set(THERE, c1.clone()), stops.clone()]));
    let tried = stmt(StmtKind::Try(vec![create(b1.clone()), stmt(StmtKind::Try(vec![stops])), inner]));
    let body = vec![set(THERE, b1), tried, go(), emit(done())];
    game.rule("act", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1");
    let engine = game.interpreter();
    let mut state = engine.initial();
    assert_eq!(steps(&engine, &state), "a1-b1", "the local is as it was");
    made(&engine, &mut state, "a1-b1");
    assert_eq!(pieces(&engine, &state), "White man b1", "nothing was made in the try");
}

#[test]
fn steps_that_a_try_made_stay() {
    let mut game = Game::new(3, 1);
    let man = game.kind("man");
    let ends = |site: Expr| vec![set(THERE, site), go(), emit(done())];
    let (b1, c1) = (game.at("b1"), game.at("c1"));
    let body = [vec![stmt(StmtKind::Try(ends(b1)))], ends(c1)].concat();
    game.rule("act", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1");
    let engine = game.interpreter();
    let listed = engine.steps(&engine.initial(), &NoHistory).expect("steps");
    assert_eq!(listed.iter().map(|step| step.effects.len()).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn a_range_counts_up_and_may_be_empty() {
    for (low, high, expected) in
        [(1, 3, "1 2 3"), (2, 2, "2"), (3, 1, ""), (i32::MAX - 1, i32::MAX, "2147483646 2147483647")]
    {
        let mut game = Game::new(2, 1);
        let man = game.kind("man");
        let number = || local(THIRD);
        let step = Emit { parameters: vec![number()], ..done() };
        let inner = vec![set(THERE, game.at("b1")), stmt(StmtKind::Try(vec![go(), emit(step)]))];
        let range = StmtKind::Range(Local::from_index(THIRD), Expr::int(low), Expr::int(high), inner);
        game.rule("act", man, Trigger::Piece, vec![stmt(range)]);
        declare(&mut game, Type::Int);
        game.put(WHITE, man, "a1");
        let engine = game.interpreter();
        let listed = engine.steps(&engine.initial(), &NoHistory).expect("steps");
        let numbers = listed.iter().map(|step| match step.parameters[..] {
            [Parameter::Int(number)] => number.to_string(),
            _ => panic!("one number"),
        });
        assert_eq!(numbers.collect::<Vec<_>>().join(" "), expected);
    }
}

#[test]
fn a_pick_computes_what_it_picks_and_no_more() {
    // The sum over a board of sums over a board, and so on.
    let sum = |inner| Expr::new(Op::Sum(Local::from_index(THERE)), [Expr::leaf(Op::AllSites), inner]);
    let endless = (0..6).fold(Expr::int(1), |inner, _| sum(inner));
    for (condition, fits) in [(true, true), (false, false)] {
        let mut game = Game::new(8, 8);
        let man = game.kind("man");
        let pick = Expr::new(Op::Pick, [Expr::leaf(Op::Bool(condition)), Expr::int(1), endless.clone()]);
        let body =
            vec![verify(Expr::new(Op::Equal, [pick, Expr::int(1)])), set(THERE, game.at("a2")), go(), emit(done())];
        game.rule("act", man, Trigger::Piece, body);
        game.put(WHITE, man, "a1");
        let limits = Limits { work: 10_000, ..Limits::default() };
        let engine = Interpreter::with_limits(std::sync::Arc::new(game.rules.clone()), limits);
        assert_eq!(engine.steps(&engine.initial(), &NoHistory).is_ok(), fits);
    }
}

#[test]
fn floods_rays_and_neighbours() {
    // 3 . . m
    // 2 m m .
    // 1 m . m
    let mut game = Game::new(3, 3);
    let man = game.kind("man");
    game.put(WHITE, man, "a1 a2 b2 c1 c3");
    let direction = |name| game.rules.topology.direction(name).expect("a direction");
    let (orthogonal, diagonal) = (["n", "s", "e", "w"].map(direction).to_vec(), ["ne", "sw"].map(direction).to_vec());
    let east = direction("e");
    let (orthogonal, diagonal) = (game.rules.compasses.push(orthogonal), game.rules.compasses.push(diagonal));
    let each = Local::from_index(THERE);
    let men = || Expr::new(Op::Where(each), [Expr::leaf(Op::AllSites), empty(there()).negated()]);
    let one = |site: Expr| Expr::new(Op::With, [Expr::leaf(Op::NoSites), site]);
    let count = |set: Expr| Expr::new(Op::Count, [set]);
    let cases = [
        (count(Expr::new(Op::Flood(orthogonal), [one(game.at("a1")), men()])), 3),
        (count(Expr::new(Op::Flood(diagonal), [one(game.at("b2")), men()])), 3),
        (count(Expr::new(Op::Flood(orthogonal), [one(game.at("b1")), men()])), 0),
        (count(Expr::new(Op::Neighbours(orthogonal), [one(game.at("a1"))])), 2),
        (count(Expr::new(Op::Neighbours(diagonal), [men()])), 4),
        (count(Expr::new(Op::Ray(east), [game.at("a2"), men()])), 1),
        (count(Expr::new(Op::Ray(east), [game.at("a3"), Expr::leaf(Op::AllSites)])), 2),
        (count(Expr::new(Op::Ray(east), [Expr::leaf(Op::Nowhere), men()])), 0),
        (Expr::new(Op::Number, [Expr::new(Op::First, [men()])]), 1),
    ];
    let tests = cases.map(|(value, wanted)| verify(Expr::new(Op::Equal, [value, Expr::int(wanted)])));
    for (index, test) in tests.into_iter().enumerate() {
        let mut game = Game { rules: game.rules.clone() };
        let body = vec![test, set(THERE, game.at("a3")), go(), emit(done())];
        game.rule("act", man, Trigger::Piece, body);
        let engine = game.interpreter();
        assert!(steps(&engine, &engine.initial()).starts_with("a1-a3"), "case {index}");
    }
}

#[test]
fn a_ray_round_a_ring_leaves_out_where_it_starts() {
    let mut game = Game::new(3, 1);
    let man = game.kind("man");
    let east = game.rules.topology.direction("e").expect("a direction");
    let (a1, c1) = (game.site("a1"), game.site("c1"));
    game.rules.topology.link(east, c1, Some(a1));
    let ray = Expr::new(Op::Ray(east), [here(), Expr::leaf(Op::AllSites)]);
    let two = Expr::new(Op::Equal, [Expr::new(Op::Count, [ray]), Expr::int(2)]);
    let body = vec![verify(two), set(THERE, game.at("b1")), go(), emit(done())];
    game.rule("act", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1");
    assert_eq!(steps(&game.interpreter(), &game.interpreter().initial()), "a1-b1");
}

/// The pieces on a1 from the top, after these effects on White's man there.
fn stacked(effects: Vec<Stmt>) -> Vec<(i32, i32)> {
    let mut game = Game::new(2, 1);
    let (man, rook) = (game.kind("man"), game.kind("rook"));
    game.field("stack", Scope::Stack(2), 4);
    game.put(BLACK, rook, "a1").put(WHITE, man, "a1");
    let body = [effects, vec![emit(Emit { to: Expr::leaf(Op::Nowhere), ..done() })]].concat();
    game.rule("act", man, Trigger::Piece, body);
    let engine = game.interpreter();
    let mut state = engine.initial();
    made(&engine, &mut state, "a1");
    let known = engine.layout().known;
    let top = |field| state.get(engine.layout().at(field, game.site("a1")));
    let below = engine.layout().stack(game.site("a1")).map(|cell| state.get(cell)).filter(|&code| code > 0);
    // A buried piece is written as one number.
    let below = below.map(|code| ((code - 1) / 2 + 1, (code - 1) % 2 + 1));
    std::iter::once((top(known.owner), top(known.kind))).filter(|&(owner, _)| owner > 0).chain(below).collect()
}

#[test]
fn stacks_grow_and_shrink_at_both_ends() {
    let (man, rook): (Kind, Kind) = (Kind::from_index(0), Kind::from_index(1));
    let push = |number| effect(Op::Push, [here(), me(), kind(number)]);
    let tuck = |number| effect(Op::Tuck, [here(), me(), kind(number)]);
    let pop = || effect(Op::Pop, [here()]);
    assert_eq!(stacked(vec![push(rook)]), [(1, 2), (1, 1), (2, 2)]);
    assert_eq!(stacked(vec![tuck(rook)]), [(1, 1), (2, 2), (1, 2)]);
    assert_eq!(stacked(vec![pop()]), [(2, 2)]);
    assert_eq!(stacked(vec![pop(), pop(), pop()]), []);
    assert_eq!(stacked(vec![push(man), push(rook)]), [(1, 2), (1, 1), (1, 1)], "the lowest is lost");
    assert_eq!(stacked(vec![push(man), tuck(rook)]), [(1, 1), (1, 1), (2, 2)], "there is no room");
    assert_eq!(stacked(vec![push(rook), pop(), pop(), tuck(man)]), [(2, 2), (1, 1)]);
}

#[test]
fn a_field_of_the_move_keeps_its_value_until_the_chain_ends() {
    let mut game = Game::new(4, 1);
    let man = game.kind("man");
    let (steps_made, total) = (game.field("steps", Scope::Global, 9), game.field("total", Scope::Global, 9));
    game.rules.fields[steps_made].transient = true;
    let read = |field| Expr::new(Op::Get(field), [Expr::int(0)]);
    let more = |field, by: Expr| effect(Op::Set(field), [Expr::int(0), Expr::new(Op::Add, [read(field), by])]);
    let body = vec![
        set(THERE, game.step("e", here())),
        verify(empty(there())),
        go(),
        more(steps_made, Expr::int(1)),
        emit(again(None)),
    ];
    game.rule("e", man, Trigger::Piece, body);
    game.rules.stages.after_move = Some(program(&[], vec![more(total, read(steps_made))]));
    game.put(WHITE, man, "a1");
    let engine = game.interpreter();
    let mut state = engine.initial();
    made(&engine, &mut state, "a1-b1+");
    assert_eq!(value(&engine, &state, steps_made, 0), 1);
    made(&engine, &mut state, "b1-c1+");
    made(&engine, &mut state, "c1-d1+");
    assert_eq!((value(&engine, &state, steps_made, 0), value(&engine, &state, total, 0)), (0, 3));
}

#[test]
fn the_last_part_knows_the_parameters_of_its_step() {
    let mut game = Game::new(3, 1);
    let man = game.kind("man");
    let mark = game.field("mark", Scope::Site, 9);
    let step = Emit { parameters: vec![Expr::int(7), game.at("c1")], ..done() };
    let body = vec![set(THERE, game.at("b1")), go(), emit(step)];
    let noted = effect(Op::SetAt(mark), [local(3), local(2)]);
    game.rule("act", man, Trigger::Piece, body).then = Some(program(&[Type::Int, Type::Site], vec![noted]));
    game.put(WHITE, man, "a1");
    let engine = game.interpreter();
    let mut state = engine.initial();
    made(&engine, &mut state, "a1-b1");
    assert_eq!(value(&engine, &state, mark, 2), 7);
}

#[test]
fn a_bound_that_a_later_step_raises_removes_earlier_ones() {
    let mut game = Game::new(4, 1);
    let man = game.kind("man");
    for target in ["b1", "d1", "c1"] {
        let body = vec![set(THERE, game.at(target)), go(), emit(done())];
        game.rule(target, man, Trigger::Piece, body);
    }
    game.put(WHITE, man, "a1");
    // How far to the east a move goes is held against how far any goes.
    let (best, number) = (Local::from_index(2), Expr::new(Op::Number, [local(1)]));
    let far = verify(Expr::new(Op::AtMost, [Expr::local(best), number.clone()]));
    let mut stage = program(&[Type::Int], vec![far, stmt(StmtKind::Let(best, number))]);
    game.rules.stages.after_move = Some(stage.clone());
    assert_eq!(steps(&game.interpreter(), &game.interpreter().initial()), "a1-b1 a1-d1 a1-c1", "no bound yet");
    stage.bounds = vec![best];
    game.rules.stages.after_move = Some(stage);
    let engine = game.interpreter();
    let mut state = engine.initial();
    assert_eq!(steps(&engine, &state), "a1-d1");
    made(&engine, &mut state, "a1-d1");
}

#[test]
fn a_jump_waits_for_the_end_of_the_chain() {
    use dagaz_ir::LabelInfo;
    let mut game = Game::new(3, 1);
    let man = game.kind("man");
    game.field("next-turn", Scope::Global, 2);
    let label = game.rules.schedule.labels.push(LabelInfo { name: "again".to_owned(), targets: vec![0, 0] });
    let body = vec![
        set(THERE, game.step("e", here())),
        verify(empty(there())),
        go(),
        effect(Op::Jump(label), []),
        emit(again(None)),
    ];
    game.rule("e", man, Trigger::Piece, body);
    game.put(WHITE, man, "a1");
    let engine = game.interpreter();
    let mut state = engine.initial();
    made(&engine, &mut state, "a1-b1+");
    assert!(engine.chain(&state).is_some());
    made(&engine, &mut state, "b1-c1+");
    assert_eq!((engine.chain(&state), engine.to_move(&state).index()), (None, WHITE));
}

#[test]
fn scores_are_compared_when_the_end_has_come() {
    let mut game = Game::new(3, 1);
    let man = game.kind("man");
    game.walker(man, "e");
    game.put(WHITE, man, "a1").put(BLACK, man, "c1");
    let locals = IdMap::from_iter([LocalInfo { name: "site".to_owned(), ty: Type::Site }]);
    let mine = Expr::new(Op::Mine, [local(HERE)]);
    let own = Expr::new(Op::Where(Local::from_index(HERE)), [Expr::leaf(Op::AllSites), mine]);
    let score = dagaz_ir::Function { locals, body: Expr::new(Op::Count, [own]) };
    let moved = empty(game.at("a1"));
    game.end(&[WHITE, BLACK], Verdict::Score(Box::new(score)), moved);
    let engine = game.interpreter();
    let (mut state, mut line) = (engine.initial(), Line::new());
    let (before, mover) = (state.keys(), engine.to_move(&state));
    let undo = make(&engine, &mut state, "a1-b1");
    line.push(before, mover, &undo);
    let situation = engine.situation(&state, &line).expect("no fault");
    let Situation::Over(outcome) = situation else { panic!("the end") };
    assert_eq!(outcome.scores.as_deref(), Some(&[1, 1][..]), "one man each");
    assert_eq!(outcome.shares, [Share::Draw, Share::Draw]);
}
