//! Rules made by hand, with something of everything in them, and names that are hard to write.

use dagaz_base::{ExpansionId, FileId, Id, IdMap, Origin, Span};
use dagaz_board::{Area, SiteSet, Topology};
use dagaz_ir::*;

/// A place in the source.
pub(crate) fn origin(start: u32, expansion: Option<usize>) -> Option<Origin> {
    let span = Span { file: FileId::from_index(0), start, end: start + 5 };
    Some(Origin { span, expansion: expansion.map(ExpansionId::from_index) })
}

fn ids<I: Id>(indices: &[usize]) -> Vec<I> {
    indices.iter().map(|&index| I::from_index(index)).collect()
}

pub(crate) fn id<I: Id>(index: usize) -> I {
    I::from_index(index)
}

fn locals(locals: &[(&str, Type)]) -> IdMap<Local, LocalInfo> {
    locals.iter().map(|&(name, ty)| LocalInfo { name: name.into(), ty }).collect()
}

fn at(start: u32, kind: StmtKind) -> Stmt {
    Stmt { kind, origin: origin(start, None) }
}

pub(crate) fn made_up(kind: StmtKind) -> Stmt {
    Stmt { kind, origin: None }
}

pub(crate) fn field(name: &str, scope: Scope, high: i32, memory: bool) -> FieldInfo {
    FieldInfo { name: name.into(), scope, low: 0, high, initial: 0, transient: false, memory }
}

/// Two files of three sites and a ring through all; men that step or jump, kings from the hand.
pub(crate) fn rules() -> Rules {
    Rules {
        name: "A \"hard\" game; (тест)\n".into(),
        topology: topology(),
        players: players(),
        zones: zones(),
        kinds: IdMap::from_iter([
            KindInfo { name: "man".into(), attributes: vec![(id(8), 1), (id(9), 0)] },
            KindInfo { name: "king".into(), attributes: vec![] },
            KindInfo { name: "man".into(), attributes: vec![] },
        ]),
        fields: fields(),
        move_types: IdMap::from_iter(["jump".to_owned(), "*".to_owned()]),
        compasses: IdMap::from_iter([ids(&[0, 1])]),
        setup: vec![
            Placement::Piece(id(0), id(0), id(0)),
            Placement::Piece(id(0), id(0), id(1)),
            Placement::Piece(id(1), id(2), id(4)),
            Placement::Hand(id(1), id(1), 2),
            Placement::Piece(id(1), id(2), id(5)),
            Placement::Cell(id(8), 1, 3),
            Placement::Cell(id(11), 2, -7),
        ],
        schedule: Schedule {
            turns: vec![
                Turn { player: id(0), owner: id(0), move_type: Some(id(0)), next: 1 },
                Turn { player: id(1), owner: id(1), move_type: None, next: 2 },
                Turn { player: id(2), owner: id(3), move_type: Some(id(1)), next: 1 },
            ],
            labels: IdMap::from_iter([LabelInfo { name: "again".into(), targets: vec![0, 1, 1] }]),
        },
        rules: IdMap::from_iter([step(), drop_in()]),
        policy: Policy {
            filters: vec![
                Filter::Priority(ids(&[1, 0])),
                Filter::MostCaptured,
                Filter::MostValuable(vec![(id(1), 5), (id(2), -1)]),
            ],
            pass: Pass::Forced,
            chain_may_stop: true,
            no_null_moves: true,
            recycle_captures: true,
        },
        invariants: vec![Invariant {
            name: "no king is attacked".into(),
            condition: kings_are_safe(),
            origin: origin(70, Some(3)),
        }],
        stages: Stages { after_move: Some(fewest()), ..Stages::default() },
        ends: vec![
            End {
                name: "stuck".into(),
                players: ids(&[0, 1]),
                result: Verdict::Loss,
                condition: Function {
                    locals: IdMap::new(),
                    body: Expr::new(
                        Op::And,
                        [
                            Expr::new(Op::Equal, [Expr::leaf(Op::MoveCount), Expr::int(0)]),
                            Expr::new(Op::Equal, [Expr::leaf(Op::Me), Expr::leaf(Op::ToMove)]),
                        ],
                    ),
                },
                origin: origin(80, None),
            },
            End {
                name: "third time".into(),
                players: ids(&[0]),
                result: Verdict::Draw,
                condition: Function {
                    locals: IdMap::new(),
                    body: Expr::new(Op::AtMost, [Expr::int(3), Expr::leaf(Op::Repetitions)]),
                },
                origin: None,
            },
        ],
        concealments: vec![
            Concealment {
                name: "(conceal piece not-my?)".into(),
                fields: ids(&[0, 1, 8, 9, 10]),
                condition: Function {
                    locals: locals(&[("here", Type::Site)]),
                    body: Expr::new(Op::Mine, [Expr::local(id(0))]).negated(),
                },
                origin: origin(95, None),
            },
            Concealment {
                name: "hands of others".into(),
                fields: ids(&[5]),
                condition: Function {
                    locals: locals(&[("owner", Type::Int), ("kind", Type::Int)]),
                    body: Expr::new(Op::Equal, [Expr::local(id(0)), Expr::leaf(Op::Me)]).negated(),
                },
                origin: None,
            },
        ],
    }
}

fn topology() -> Topology {
    let mut topology = Topology::new();
    for index in 0..6_i32 {
        let (column, row) = (index % 2, index / 2);
        let area = Area { left: 50 * column, top: -50 * row, right: 50 * column + 49, bottom: -50 * row + 49 };
        topology.add_site(format!("{}{}", ["a", "b"][column as usize], row + 1), (index != 5).then_some(area));
    }
    let north = topology.add_direction("n");
    let south = topology.add_direction("s");
    let around = topology.add_direction("round and round");
    topology.add_direction("nowhere");
    for index in 0..4 {
        topology.link(north, id(index), Some(id(index + 2)));
        topology.link(south, id(index + 2), Some(id(index)));
    }
    // A ring, and a way into it.
    for (from, to) in [(0, 1), (1, 3), (3, 2), (2, 0), (5, 4), (4, 2)] {
        topology.link(around, id(from), Some(id(to)));
    }
    topology
}

fn players() -> IdMap<Player, PlayerInfo> {
    let player = |name: &str, role, directions: &[usize], friends: &[usize], enemies: &[usize]| PlayerInfo {
        name: name.into(),
        role,
        directions: directions.iter().map(|&index| id(index)).collect(),
        friends: ids(friends),
        enemies: ids(enemies),
    };
    IdMap::from_iter([
        player("white", Role::Person, &[0, 1, 2, 3], &[0], &[1]),
        player("black", Role::Person, &[1, 0, 2, 3], &[1], &[0]),
        player("?dice", Role::Random, &[0, 1, 2, 3], &[2, 0], &[]),
        player("", Role::Neutral, &[0, 1, 2, 3], &[], &[]),
    ])
}

fn zones() -> IdMap<dagaz_board::Zone, ZoneInfo> {
    let set = |sites: &[usize]| {
        let mut set = SiteSet::empty(6);
        sites.iter().for_each(|&site| set.insert(id(site)));
        set
    };
    let far = IdMap::from_iter([set(&[4, 5]), set(&[0, 1]), set(&[]), set(&[])]);
    IdMap::from_iter([
        ZoneInfo { name: "far".into(), sites: far },
        ZoneInfo { name: "middle".into(), sites: IdMap::filled(4, set(&[2, 3])) },
    ])
}

fn fields() -> IdMap<Field, FieldInfo> {
    IdMap::from_iter([
        field("owner", Scope::Piece, 4, false),
        field("kind", Scope::Piece, 3, false),
        field("turn", Scope::Global, 2, false),
        field("chain", Scope::Global, 6, false),
        field("chain-type", Scope::Global, 2, false),
        field("hand", Scope::Hand, 99, false),
        field("last-from", Scope::Global, 6, true),
        field("last-to", Scope::Global, 6, true),
        field("moved", Scope::Piece, 3, false),
        field("moved", Scope::Piece, 1, false),
        field("mark#1", Scope::Site, 1, true),
        FieldInfo { low: -9, initial: -1, ..field("counts", Scope::Array(3), 9, false) },
        field("score", Scope::Player, i32::MAX, false),
    ])
}

fn step() -> Rule {
    let [here, to, set, again, truth, each] = [0, 1, 2, 3, 4, 5].map(|index| Expr::local(id(index)));
    let emit = Emit {
        from: here.clone(),
        to: to.clone(),
        choice: Some(Expr::leaf(Op::Kind(id(2)))),
        parameters: vec![here.clone(), Expr::int(3)],
        next: Next::Again(to.clone(), Some(id(1))),
    };
    let done =
        Emit { from: here.clone(), to: Expr::leaf(Op::Nowhere), choice: None, parameters: vec![], next: Next::Done };
    let body = vec![
        at(10, StmtKind::Let(id(1), Expr::new(Op::Step(id(2)), [here.clone()]))),
        at(20, StmtKind::Verify(Expr::new(Op::Empty, [to.clone()]))),
        made_up(StmtKind::Effect(Expr::new(Op::Move, [here.clone(), to.clone()]))),
        at(
            30,
            StmtKind::If(
                Expr::new(Op::InZone(id(0)), [to.clone()]),
                vec![at(10, StmtKind::Effect(Expr::new(Op::SetAt(id(9)), [to.clone(), Expr::int(1)])))],
                vec![at(40, StmtKind::Emit(Box::new(emit))), made_up(StmtKind::Discard)],
            ),
        ),
        at(
            50,
            StmtKind::For(
                id(3),
                Expr::new(Op::Where(id(5)), [Expr::leaf(Op::AllSites), Expr::new(Op::Enemy, [each])]),
                vec![made_up(StmtKind::Attempt(vec![
                    made_up(StmtKind::Effect(Expr::new(Op::Capture, [again]))),
                    made_up(StmtKind::Emit(Box::new(done.clone()))),
                    made_up(StmtKind::Forget),
                ]))],
            ),
        ),
        made_up(StmtKind::Let(id(2), Expr::new(Op::With, [set, Expr::leaf(Op::Site(id(5)))]))),
        made_up(StmtKind::Let(id(4), Expr::new(Op::Attacked(None), [here]))),
        at(60, StmtKind::While(truth, vec![made_up(StmtKind::Let(id(4), Expr::leaf(Op::Bool(false))))])),
        at(65, StmtKind::If(Expr::leaf(Op::Bool(true)), vec![], vec![made_up(StmtKind::Emit(Box::new(done)))])),
    ];
    Rule {
        name: "step".into(),
        arguments: vec!["round and round".into(), "7".into(), String::new()],
        kind: Some(id(2)),
        trigger: Trigger::Piece,
        move_type: Some(id(0)),
        view: View::Before,
        locals: locals(&[
            ("here", Type::Site),
            ("to", Type::Site),
            ("to", Type::Set),
            ("12", Type::Site),
            ("true", Type::Bool),
            ("each", Type::Site),
        ]),
        body,
        then: None,
        origin: origin(5, Some(0)),
    }
}

fn drop_in() -> Rule {
    let here = Expr::local(id(0));
    let score = Expr::new(Op::Add, [Expr::new(Op::Get(id(12)), [Expr::leaf(Op::Me)]), Expr::int(-1)]);
    Rule {
        name: "drop".into(),
        arguments: vec![],
        kind: Some(id(1)),
        trigger: Trigger::Drop,
        move_type: None,
        view: View::Tentative,
        locals: locals(&[("here", Type::Site)]),
        body: vec![
            made_up(StmtKind::Effect(Expr::new(
                Op::Drop,
                [here.clone(), Expr::leaf(Op::Player(id(3))), Expr::leaf(Op::Kind(id(1)))],
            ))),
            made_up(StmtKind::Effect(Expr::new(Op::Set(id(12)), [Expr::leaf(Op::Me), score]))),
            made_up(StmtKind::Emit(Box::new(Emit {
                from: Expr::leaf(Op::Nowhere),
                to: here.clone(),
                choice: None,
                parameters: vec![],
                next: Next::Again(here, None),
            }))),
        ],
        then: None,
        origin: None,
    }
}

/// Moves of a list are held against each other by what they leave on the board.
fn fewest() -> Program {
    let left =
        Expr::new(Op::Count, [Expr::new(Op::Flood(id(0)), [Expr::leaf(Op::AllSites), Expr::leaf(Op::AllSites)])]);
    let bound = || Expr::local(id(2));
    Program {
        locals: locals(&[("from", Type::Site), ("to", Type::Site), ("least", Type::Int)]),
        bounds: vec![id(2)],
        body: vec![
            at(90, StmtKind::Verify(Expr::new(Op::AtMost, [bound(), left.clone()]))),
            made_up(StmtKind::Try(vec![made_up(StmtKind::Range(id(2), Expr::int(1), left.clone(), vec![]))])),
            made_up(StmtKind::Let(id(2), Expr::new(Op::Greatest, [bound(), left]))),
        ],
        origin: origin(88, None),
    }
}

fn kings_are_safe() -> Function {
    let site = Expr::local(id(0));
    let king = Expr::new(Op::Equal, [Expr::new(Op::Read(id(1)), [site.clone()]), Expr::leaf(Op::Kind(id(1)))]);
    let safe = Expr::new(Op::Attacked(Some(id(1))), [site.clone()]).negated();
    let mine = Expr::new(Op::Mine, [site]);
    Function {
        locals: locals(&[("each site", Type::Site)]),
        body: Expr::new(
            Op::Every(id::<Local>(0)),
            [Expr::leaf(Op::AllSites), Expr::new(Op::Or, [mine.negated(), king.negated(), safe])],
        ),
    }
}
