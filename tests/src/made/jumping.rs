//! Rules as those of draughts: pieces step and jump, some kinds of steps come before others, and a piece may have to go on. They
//! are made so that much of it is at the border of what can be told from sets alone.

use dagaz_base::{Id, IdMap};
use dagaz_board::{Direction, Site, SiteSet, Zone};
use dagaz_ir::{
    Block, Emit, End, Expr, Field, FieldInfo, Filter, Function, Kind, KindInfo, Local, LocalInfo, MoveType, Next, Op,
    Pass, Placement, Player, PlayerInfo, Policy, Program, Role, Rule, Rules, Schedule, Scope, Stages, Stmt, StmtKind,
    Trigger, Turn, Type, Verdict, View, ZoneInfo,
};

use super::choices::Choices;
use super::field;

/// Rules of these bytes, on a board of [`rules`](super::rules()). The verifier accepts them.
pub fn jumping(bytes: &[u8]) -> Rules {
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    let mut choices = Choices::new(&reversed);
    let mut rules = super::rules(bytes);
    let (sites, directions) = (rules.topology.site_count(), rules.topology.directions().len());
    let players = choices.pick(&[2, 2, 2, 3, 1]);
    rules.players = (0..players).map(|index| player(index, players, directions)).collect();
    rules.zones = [zone(&mut choices, sites, players)].into_iter().collect();
    rules.move_types = ["jumping", "stepping"].map(String::from).into_iter().collect();
    let marked = choices.one_in(4);
    let fields = [
        field("owner", Scope::Piece, players as i32),
        field("kind", Scope::Piece, 2),
        field("turn", Scope::Global, players as i32 - 1),
        field("chain", Scope::Global, sites as i32),
        field("chain-type", Scope::Global, 2),
        FieldInfo { transient: true, ..field("taken", Scope::Global, 9) },
    ];
    let mark = field("mark", Scope::Piece, 3);
    rules.fields = fields.into_iter().chain(marked.then_some(mark)).collect();
    let attributes: Vec<_> = marked.then_some((Field::from_index(6), 1)).into_iter().collect();
    rules.kinds = ["man", "king"]
        .map(|name| KindInfo { name: name.into(), attributes: attributes.clone() })
        .into_iter()
        .collect();
    let typed = choices.one_in(6);
    rules.schedule =
        Schedule { turns: (0..players).map(|index| turn(index, players, typed)).collect(), labels: IdMap::new() };
    let dense = choices.pick(&[2, 3, 4]);
    rules.setup = (0..sites.min(64))
        .filter_map(|site| {
            let stands = choices.one_in(dense);
            let (player, kind) = (choices.id(players), choices.pick(&[0, 0, 0, 1]));
            stands.then(|| Placement::Piece(player, Kind::from_index(kind), Site::from_index(site)))
        })
        .collect();
    rules.policy = policy(&mut choices);
    let counts = choices.one_in(4);
    rules.rules = moves(&mut choices, directions, counts);
    rules.invariants = Vec::new();
    let after_move = counts.then(|| most_taken(&mut choices));
    rules.stages = Stages { after_move, ..Stages::default() };
    rules.ends = ends(&mut choices, players);
    rules
}

fn player(index: usize, players: usize, directions: usize) -> PlayerInfo {
    let me = Player::from_index(index);
    let enemies = (0..players).map(Player::from_index).filter(|&other| other != me).collect();
    // The second player sees the first four directions turned around.
    let seen =
        |direction: usize| Direction::from_index(if index == 1 && direction < 4 { direction ^ 1 } else { direction });
    let directions = (0..directions).map(seen).collect();
    PlayerInfo { name: format!("p{index}"), role: Role::Person, directions, friends: vec![me], enemies }
}

fn zone(choices: &mut Choices<'_>, sites: usize, players: usize) -> ZoneInfo {
    let sets = (0..players).map(|_| {
        let (mut set, shift) = (SiteSet::empty(sites), choices.below(4));
        (0..sites).filter(|site| (site + shift) % 4 == 0).for_each(|site| set.insert(Site::from_index(site)));
        set
    });
    ZoneInfo { name: "far".into(), sites: sets.collect() }
}

fn turn(index: usize, players: usize, typed: bool) -> Turn {
    let player = Player::from_index(index);
    let move_type = (typed && index == 0).then(|| MoveType::from_index(0));
    Turn { player, owner: player, move_type, next: (index + 1) % players }
}

fn policy(choices: &mut Choices<'_>) -> Policy {
    let first = Filter::Priority(vec![MoveType::from_index(0)]);
    let filters = match choices.below(8) {
        0 => vec![],
        1 => vec![first, Filter::MostCaptured],
        2 => vec![Filter::MostCaptured],
        3 => vec![Filter::Priority(vec![MoveType::from_index(1), MoveType::from_index(0)])],
        4 => vec![first, Filter::MostValuable(vec![(Kind::from_index(1), 3), (Kind::from_index(0), 1)])],
        _ => vec![first],
    };
    Policy {
        filters,
        pass: choices.pick(&[Pass::Never, Pass::Never, Pass::Forced, Pass::Always]),
        chain_may_stop: choices.one_in(3),
        no_null_moves: !choices.one_in(4),
        recycle_captures: false,
    }
}

fn here() -> Expr {
    Expr::local(Local::from_index(0))
}

fn at() -> Expr {
    Expr::local(Local::from_index(1))
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, origin: None }
}

fn go(direction: Direction) -> Stmt {
    stmt(StmtKind::Let(Local::from_index(1), Expr::new(Op::Step(direction), [at()])))
}

fn verify(op: Op) -> Stmt {
    stmt(StmtKind::Verify(Expr::new(op, [at()])))
}

fn taken() -> Expr {
    Expr::new(Op::Get(Field::from_index(5)), [Expr::int(0)])
}

/// For both kinds jumps and steps in some directions.
fn moves(choices: &mut Choices<'_>, directions: usize, counts: bool) -> IdMap<dagaz_ir::RuleId, Rule> {
    let mut rules = IdMap::new();
    for (kind, jumps) in [(0, true), (1, true), (0, false), (1, false)] {
        for direction in (0..directions.min(5)).map(Direction::from_index) {
            if choices.one_in(3) {
                continue;
            }
            let body = if jumps { jump(choices, direction, counts) } else { step(choices, direction) };
            let site = |name: &str| LocalInfo { name: name.into(), ty: Type::Site };
            rules.push(Rule {
                name: if jumps { "jump" } else { "step" }.into(),
                arguments: Vec::new(),
                kind: Some(Kind::from_index(kind)),
                trigger: Trigger::Piece,
                move_type: Some(MoveType::from_index(usize::from(!jumps))),
                view: View::Before,
                locals: [site("here"), site("at")].into_iter().collect(),
                body,
                then: None,
                origin: None,
            });
        }
    }
    rules
}

fn jump(choices: &mut Choices<'_>, direction: Direction, counts: bool) -> Block {
    let victim = choices.pick(&[Op::Enemy, Op::Enemy, Op::Enemy, Op::Enemy, Op::Friend, Op::OnBoard]);
    let mut body = vec![stmt(StmtKind::Let(Local::from_index(1), here())), go(direction), verify(victim)];
    body.push(stmt(StmtKind::Effect(Expr::new(Op::Capture, [at()]))));
    if counts {
        let more = Expr::new(Op::Add, [taken(), Expr::int(1)]);
        body.push(stmt(StmtKind::Effect(Expr::new(Op::Set(Field::from_index(5)), [Expr::int(0), more]))));
    }
    let turned = Direction::from_index(direction.index() ^ 2);
    body.push(go(if choices.one_in(6) && direction.index() < 4 { turned } else { direction }));
    body.push(verify(choices.pick(&[Op::Empty, Op::Empty, Op::Empty, Op::OnBoard])));
    let again = choices.pick(&[Some(Some(0)), Some(Some(0)), Some(None), Some(Some(1)), None]);
    let next = again.map_or(Next::Done, |of| Next::Again(at(), of.map(MoveType::from_index)));
    body.extend(arrive(choices, next));
    body
}

fn step(choices: &mut Choices<'_>, direction: Direction) -> Block {
    let mut body = vec![stmt(StmtKind::Let(Local::from_index(1), here())), go(direction)];
    if choices.one_in(6) {
        let mut slide = arrive(choices, Next::Done);
        slide.push(go(direction));
        body.push(stmt(StmtKind::While(Expr::new(Op::Empty, [at()]), slide)));
        return body;
    }
    body.push(verify(choices.pick(&[Op::Empty, Op::Empty, Op::Empty, Op::OnBoard])));
    body.extend(arrive(choices, Next::Done));
    body
}

/// The piece arrives, and may become a king.
fn arrive(choices: &mut Choices<'_>, next: Next) -> Block {
    let emit = |next: Next| {
        let emit = Emit { from: here(), to: at(), choice: None, parameters: Vec::new(), next };
        stmt(StmtKind::Emit(Box::new(emit)))
    };
    let moved = || stmt(StmtKind::Effect(Expr::new(Op::Move, [here(), at()])));
    let forget = || stmt(StmtKind::Forget);
    let plain = vec![stmt(StmtKind::Attempt(vec![moved(), emit(next.clone())])), forget()];
    if choices.one_in(2) {
        return plain;
    }
    let king = Expr::leaf(Op::Kind(Kind::from_index(1)));
    let crowned = stmt(StmtKind::Effect(Expr::new(Op::Retype, [at(), king])));
    let then = if choices.one_in(2) { next } else { Next::Done };
    let promoted = vec![stmt(StmtKind::Attempt(vec![moved(), crowned, emit(then)])), forget()];
    let inside = Expr::new(Op::InZone(Zone::from_index(0)), [at()]);
    vec![stmt(StmtKind::If(inside, promoted, plain))]
}

/// Moves must take as many as any other of their list; and in some rules something is done besides.
fn most_taken(choices: &mut Choices<'_>) -> Program {
    let most = Local::from_index(2);
    let less = Expr::new(Op::Less, [Expr::local(most), taken()]);
    let mut body = vec![
        stmt(StmtKind::Verify(Expr::new(Op::AtMost, [Expr::local(most), taken()]))),
        stmt(StmtKind::If(less, vec![stmt(StmtKind::Let(most, taken()))], Vec::new())),
    ];
    if choices.one_in(3) {
        body.push(stmt(StmtKind::Verify(Expr::new(Op::Friend, [at()]))));
    }
    let local = |name: &str, ty| LocalInfo { name: name.into(), ty };
    let locals = [local("from", Type::Site), local("to", Type::Site), local("most", Type::Int)];
    Program { locals: locals.into_iter().collect(), bounds: vec![most], body, origin: None }
}

fn ends(choices: &mut Choices<'_>, players: usize) -> Vec<End> {
    let everybody: Vec<Player> = (0..players).map(Player::from_index).collect();
    let end = |name: &str, result, body| End {
        name: name.into(),
        players: everybody.clone(),
        result,
        condition: Function { locals: IdMap::new(), body },
        origin: None,
    };
    let stuck = Expr::new(Op::Equal, [Expr::leaf(Op::MoveCount), Expr::int(0)]);
    let mine = Expr::new(Op::Equal, [Expr::leaf(Op::ToMove), Expr::leaf(Op::Me)]);
    let stuck = end("stuck", Verdict::Loss, Expr::new(Op::And, [mine, stuck]));
    let again = Expr::new(Op::AtMost, [Expr::int(2), Expr::leaf(Op::Repetitions)]);
    let again = end("again", Verdict::Draw, again);
    let chosen = choices.pick(&[[true, true], [true, false], [false, true], [false, false]]);
    [stuck, again].into_iter().zip(chosen).filter_map(|(end, wanted)| wanted.then_some(end)).collect()
}
