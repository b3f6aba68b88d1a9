//! Builds small rules by hand: a rectangular board, two players, one statement a line.

use std::sync::Arc;

use dagaz_base::{Id, IdMap, Origin};
use dagaz_board::{Direction, Site, SiteSet, Topology, Zone};
use dagaz_engine::{Executor, Interpreter, NoHistory, State, Step, StepRule};
use dagaz_ir::{
    Block, Emit, End, Expr, Field, FieldInfo, Filter, Function, Invariant, Kind, KindInfo, Local, LocalInfo, MoveType,
    Next, Op, Pass, Placement, Player, PlayerInfo, Policy, Role, Rule, Rules, Schedule, Scope, Stages, Stmt, StmtKind,
    Trigger, Turn, Type, Verdict, View, ZoneInfo,
};

pub(crate) const WHITE: usize = 0;
pub(crate) const BLACK: usize = 1;

/// The site that the rule is run for: the first local.
pub(crate) const HERE: usize = 0;
/// The second local, a site.
pub(crate) const THERE: usize = 1;

/// A board of `width` files a, b, … and `height` ranks 1, 2, …; `n` goes up for White and down for Black, `e` and `w` go to the
/// sides; White moves first.
#[derive(Debug)]
pub(crate) struct Game {
    pub(crate) rules: Rules,
}

impl Game {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let mut topology = Topology::new();
        let site = |x: usize, y: usize| Site::from_index(y * width + x);
        for y in 0..height {
            for x in 0..width {
                topology.add_site(format!("{}{}", (b'a' + x as u8) as char, y + 1), None);
            }
        }
        let ways = [("n", 0, 1), ("s", 0, -1), ("e", 1, 0), ("w", -1, 0)];
        let ways = ways.into_iter().chain([("ne", 1, 1), ("nw", -1, 1), ("se", 1, -1), ("sw", -1, -1)]);
        for (name, dx, dy) in ways {
            let way = topology.add_direction(name);
            for y in 0..height {
                for x in 0..width {
                    let (to_x, to_y) = (x.checked_add_signed(dx), y.checked_add_signed(dy));
                    let to = to_x.zip(to_y).filter(|&(x, y)| x < width && y < height);
                    topology.link(way, site(x, y), to.map(|(x, y)| site(x, y)));
                }
            }
        }
        // n s e w ne nw se sw, as each player sees them.
        let seen = [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 2, 3, 6, 7, 4, 5]];
        let player = |name: &str, number: usize| PlayerInfo {
            name: name.to_owned(),
            role: Role::Person,
            directions: seen[number].iter().map(|&index| Direction::from_index(index)).collect(),
            friends: vec![Player::from_index(number)],
            enemies: vec![Player::from_index(1 - number)],
        };
        let turn = |number| Turn {
            player: Player::from_index(number),
            owner: Player::from_index(number),
            move_type: None,
            next: 1 - number,
        };
        let mut game = Self {
            rules: Rules {
                name: "test".to_owned(),
                topology,
                players: IdMap::from_iter([player("White", WHITE), player("Black", BLACK)]),
                zones: IdMap::new(),
                kinds: IdMap::new(),
                fields: IdMap::new(),
                move_types: IdMap::new(),
                compasses: IdMap::new(),
                setup: Vec::new(),
                schedule: Schedule { turns: vec![turn(WHITE), turn(BLACK)], labels: IdMap::new() },
                rules: IdMap::new(),
                policy: Policy {
                    filters: Vec::new(),
                    pass: Pass::Never,
                    chain_may_stop: false,
                    no_null_moves: false,
                    recycle_captures: false,
                },
                invariants: Vec::new(),
                stages: Stages::default(),
                ends: Vec::new(),
                concealments: Vec::new(),
            },
        };
        game.field("owner", Scope::Piece, 2);
        game.field("kind", Scope::Piece, 9);
        game.field("turn", Scope::Global, 9);
        game.field("chain", Scope::Global, 1 << 16);
        game.field("chain-type", Scope::Global, 9);
        game
    }

    pub(crate) fn field(&mut self, name: &str, scope: Scope, high: i32) -> Field {
        let memory = name.starts_with("last-");
        self.rules.fields.push(FieldInfo {
            name: name.to_owned(),
            scope,
            low: 0,
            high,
            initial: 0,
            transient: false,
            memory,
        })
    }

    pub(crate) fn kind(&mut self, name: &str) -> Kind {
        self.kind_with(name, &[])
    }

    pub(crate) fn kind_with(&mut self, name: &str, attributes: &[(Field, i32)]) -> Kind {
        self.rules.kinds.push(KindInfo { name: name.to_owned(), attributes: attributes.to_vec() })
    }

    pub(crate) fn move_type(&mut self, name: &str) -> MoveType {
        self.rules.move_types.push(name.to_owned())
    }

    pub(crate) fn zone(&mut self, player: usize, sites: &str) -> Zone {
        let count = self.rules.topology.site_count();
        let mut zone = IdMap::filled(self.rules.players.len(), SiteSet::empty(count));
        for name in sites.split_whitespace() {
            zone[Player::from_index(player)].insert(self.site(name));
        }
        self.rules.zones.push(ZoneInfo { name: "zone".to_owned(), sites: zone })
    }

    pub(crate) fn site(&self, name: &str) -> Site {
        self.rules.topology.site(name).unwrap_or_else(|| panic!("a site {name}"))
    }

    pub(crate) fn at(&self, name: &str) -> Expr {
        Expr::leaf(Op::Site(self.site(name)))
    }

    /// The step in a direction, as the player sees it.
    pub(crate) fn step(&self, direction: &str, from: Expr) -> Expr {
        let direction = self.rules.topology.direction(direction).unwrap_or_else(|| panic!("a direction {direction}"));
        Expr::new(Op::Step(direction), [from])
    }

    pub(crate) fn put(&mut self, player: usize, kind: Kind, sites: &str) -> &mut Self {
        for name in sites.split_whitespace() {
            let placement = Placement::Piece(Player::from_index(player), kind, self.site(name));
            self.rules.setup.push(placement);
        }
        self
    }

    pub(crate) fn hand(&mut self, player: usize, kind: Kind, count: i32) {
        if self.rules.known().hand.is_none() {
            self.field("hand", Scope::Hand, 100);
        }
        self.rules.setup.push(Placement::Hand(Player::from_index(player), kind, count));
    }

    /// A rule with two locals, both sites; to be changed further.
    pub(crate) fn rule(&mut self, name: &str, kind: Kind, trigger: Trigger, body: Block) -> &mut Rule {
        let local = |name: &str| LocalInfo { name: name.to_owned(), ty: Type::Site };
        let rule = Rule {
            name: name.to_owned(),
            arguments: Vec::new(),
            kind: Some(kind),
            trigger,
            move_type: None,
            view: View::Before,
            locals: IdMap::from_iter([local("here"), local("there")]),
            body,
            then: None,
            origin: None,
        };
        let id = self.rules.rules.push(rule);
        &mut self.rules.rules[id]
    }

    /// For each direction a rule: one step to a site without a friend.
    pub(crate) fn walker(&mut self, kind: Kind, directions: &str) {
        for direction in directions.split_whitespace() {
            let to = self.step(direction, local(HERE));
            let body =
                vec![set(THERE, to), verify(on_board(there())), verify(not(friend(there()))), go(), emit(done())];
            self.rule(direction, kind, Trigger::Piece, body);
        }
    }

    pub(crate) fn end(&mut self, players: &[usize], result: Verdict, condition: Expr) {
        let players = players.iter().map(|&index| Player::from_index(index)).collect();
        self.rules.ends.push(End {
            name: "end".to_owned(),
            players,
            result,
            condition: function(condition),
            origin: None,
        });
    }

    pub(crate) fn invariant(&mut self, name: &str, condition: Expr) {
        let condition = function(condition);
        self.rules.invariants.push(Invariant { name: name.to_owned(), condition, origin: None });
    }

    pub(crate) fn filter(&mut self, filter: Filter) {
        self.rules.policy.filters.push(filter);
    }

    pub(crate) fn interpreter(&self) -> Interpreter {
        Interpreter::new(Arc::new(self.rules.clone()))
    }
}

/// A condition with one local, a site.
fn function(body: Expr) -> Function {
    Function { locals: IdMap::from_iter([LocalInfo { name: "site".to_owned(), ty: Type::Site }]), body }
}

pub(crate) fn local(index: usize) -> Expr {
    Expr::local(Local::from_index(index))
}

pub(crate) fn here() -> Expr {
    local(HERE)
}

pub(crate) fn there() -> Expr {
    local(THERE)
}

pub(crate) fn me() -> Expr {
    Expr::leaf(Op::Me)
}

pub(crate) fn kind(kind: Kind) -> Expr {
    Expr::leaf(Op::Kind(kind))
}

pub(crate) fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, origin: None }
}

pub(crate) fn stmt_at(kind: StmtKind, origin: Origin) -> Stmt {
    Stmt { kind, origin: Some(origin) }
}

pub(crate) fn set(index: usize, value: Expr) -> Stmt {
    stmt(StmtKind::Let(Local::from_index(index), value))
}

pub(crate) fn verify(condition: Expr) -> Stmt {
    stmt(StmtKind::Verify(condition))
}

pub(crate) fn not(condition: Expr) -> Expr {
    condition.negated()
}

pub(crate) fn on_board(site: Expr) -> Expr {
    Expr::new(Op::OnBoard, [site])
}

pub(crate) fn empty(site: Expr) -> Expr {
    Expr::new(Op::Empty, [site])
}

pub(crate) fn friend(site: Expr) -> Expr {
    Expr::new(Op::Friend, [site])
}

pub(crate) fn enemy(site: Expr) -> Expr {
    Expr::new(Op::Enemy, [site])
}

/// An effect.
pub(crate) fn effect(op: Op, args: impl Into<Box<[Expr]>>) -> Stmt {
    stmt(StmtKind::Effect(Expr::new(op, args)))
}

/// From here to there.
pub(crate) fn go() -> Stmt {
    effect(Op::Move, [here(), there()])
}

pub(crate) fn done() -> Emit {
    Emit { from: here(), to: there(), choice: None, parameters: Vec::new(), next: Next::Done }
}

/// The piece goes on from there.
pub(crate) fn again(move_type: Option<MoveType>) -> Emit {
    Emit { next: Next::Again(there(), move_type), ..done() }
}

/// Ends on the site itself, from nowhere.
pub(crate) fn dropped() -> Emit {
    Emit { from: Expr::leaf(Op::Nowhere), to: here(), choice: None, parameters: Vec::new(), next: Next::Done }
}

pub(crate) fn emit(emit: Emit) -> Stmt {
    stmt(StmtKind::Emit(Box::new(emit)))
}

/// The pieces of a state: `White man a1` and so on, in the order of the board.
pub(crate) fn pieces(executor: &dyn Executor, state: &State) -> String {
    let (rules, layout) = (executor.rules(), executor.layout());
    let mut lines = Vec::new();
    for site in rules.topology.sites() {
        let owner = state.get(layout.at(layout.known.owner, site));
        let kind = state.get(layout.at(layout.known.kind, site));
        assert_eq!(owner == 0, kind == 0, "a piece has an owner and a kind");
        if owner > 0 {
            let owner = &rules.players[Player::from_index(owner as usize - 1)].name;
            let kind = &rules.kinds[Kind::from_index(kind as usize - 1)].name;
            lines.push(format!("{owner} {kind} {}", rules.topology.site_name(site)));
        }
    }
    lines.join(", ")
}

/// A step as text: `a1-a2`, `*b2` for a drop, `pass`, `stop`, with `=kind` for a choice and `+` when it may go on.
pub(crate) fn text(executor: &dyn Executor, step: &Step) -> String {
    let rules = executor.rules();
    let name = |site| rules.topology.site_name(site).to_owned();
    let mut text = match (step.rule, step.from, step.to) {
        (StepRule::Pass, ..) => "pass".to_owned(),
        (StepRule::Stop, ..) => "stop".to_owned(),
        (_, Some(from), Some(to)) => format!("{}-{}", name(from), name(to)),
        (_, None, Some(to)) => format!("*{}", name(to)),
        (_, from, None) => from.map(name).unwrap_or_default(),
    };
    if let Some(choice) = step.choice {
        text = format!("{text}={}", rules.kinds[choice].name);
    }
    if step.chain.is_some() {
        text.push('+');
    }
    text
}

/// The legal steps as text, in order.
pub(crate) fn steps(executor: &dyn Executor, state: &State) -> String {
    let steps = executor.steps(state, &NoHistory).expect("rules without a fault");
    steps.iter().map(|step| text(executor, step)).collect::<Vec<_>>().join(" ")
}

/// Makes the one legal step that is written so.
pub(crate) fn make(executor: &dyn Executor, state: &mut State, wanted: &str) -> dagaz_engine::Undo {
    let steps = executor.steps(state, &NoHistory).expect("rules without a fault");
    let found: Vec<_> = steps.iter().filter(|step| text(executor, step) == wanted).collect();
    assert_eq!(found.len(), 1, "one step {wanted} among {}", self::steps(executor, state));
    executor.apply(state, found[0]).expect("rules without a fault")
}
