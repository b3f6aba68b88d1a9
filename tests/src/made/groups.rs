//! Games of groups: a piece is put on an empty site, what it leaves without an empty neighbour goes, and whoever joins two edges has
//! done it. Executors have ways of their own for such questions, and here they stand among rules of all other kinds.

use dagaz_base::{Id, IdMap};
use dagaz_ir::{
    Compass, Emit, End, Expr, Function, Kind, Local, LocalInfo, Next, Op, Program, Rule, Stmt, StmtKind, Trigger, Type,
    Verdict, View,
};

use super::Maker;

/// The locals of these programs: three sites, of which the second is where a step ends in the last part of a rule, one for what is
/// asked of each site, and a set.
const TYPES: [Type; 5] = [Type::Site, Type::Site, Type::Site, Type::Site, Type::Set];
const TO: usize = 1;
const OTHER: usize = 2;
const EACH: usize = 3;
const GROUP: usize = 4;

/// What a game is given.
pub(super) struct Groups {
    pub(super) rule: Rule,
    pub(super) end: Option<End>,
    /// Whether there is nothing else in the game.
    pub(super) alone: bool,
}

impl Maker<'_> {
    /// Once in some times, where there are directions to look in.
    pub(super) fn groups(&mut self) -> Option<Groups> {
        if self.tables.compasses.is_empty() || !self.choices.one_in(3) {
            return None;
        }
        let kind = self.choices.id(self.tables.kinds.len());
        let then = self.choices.below(3) > 0;
        let rule = Rule {
            name: "group".into(),
            arguments: Vec::new(),
            kind: None,
            trigger: Trigger::Turn,
            move_type: None,
            view: View::Before,
            locals: locals(),
            body: put(kind),
            then: then.then(|| self.takes()),
            origin: None,
        };
        let end = self.choices.one_in(2).then(|| self.joins());
        Some(Groups { rule, end, alone: self.choices.one_in(2) })
    }

    /// What the piece that was put takes, and what it must leave.
    fn takes(&mut self) -> Program {
        let mut body = Vec::new();
        for _ in 0..self.choices.below(4) {
            let beside = Expr::new(Op::Step(self.direction()), [local(TO)]);
            let start = Expr::new(Op::With, [Expr::leaf(Op::NoSites), beside.clone()]);
            let flood =
                Expr::new(Op::Flood(self.some_compass()), [start, those(vec![not(Op::Empty), each(Op::Enemy)])]);
            let capture = statement(StmtKind::Effect(Expr::new(Op::Capture, [local(OTHER)])));
            let taken = statement(StmtKind::For(Local::from_index(OTHER), local(GROUP), vec![capture]));
            let question = self.question(local(GROUP));
            let (condition, then, otherwise) = match self.choices.below(4) {
                0 => (question, Vec::new(), vec![taken]),
                1 => (question, vec![taken], Vec::new()),
                _ => (question.negated(), vec![taken], Vec::new()),
            };
            let inside = vec![
                statement(StmtKind::Let(Local::from_index(GROUP), flood)),
                statement(StmtKind::If(condition, then, otherwise)),
            ];
            body.push(statement(StmtKind::If(Expr::new(Op::Enemy, [beside]), inside, Vec::new())));
        }
        if self.choices.below(3) > 0 {
            let start = Expr::new(Op::With, [Expr::leaf(Op::NoSites), local(TO)]);
            let flood = Expr::new(Op::Flood(self.some_compass()), [start, those(vec![each(Op::Mine)])]);
            body.push(statement(StmtKind::Verify(self.question(flood))));
        }
        Program { locals: locals(), bounds: Vec::new(), body, origin: None }
    }

    /// Whether some sites, or their neighbours, are empty.
    fn question(&mut self, of: Expr) -> Expr {
        let of = match self.choices.below(4) {
            0 => of,
            _ => Expr::new(Op::Neighbours(self.some_compass()), [of]),
        };
        let empty = || those(vec![each(Op::Empty)]);
        let both = |of| Expr::new(Op::Count, [Expr::new(Op::Intersection, [of, empty()])]);
        match self.choices.below(5) {
            0 => Expr::new(Op::Any(Local::from_index(EACH)), [of, each(Op::Empty)]),
            1 => Expr::new(Op::Equal, [both(of), Expr::int(0)]).negated(),
            2 => Expr::new(Op::AtMost, [Expr::int(1 + self.choices.below(2) as i32), both(of)]),
            _ => Expr::new(Op::Less, [Expr::int(0), both(of)]),
        }
    }

    /// Whoever joins one edge with another ends the game.
    fn joins(&mut self) -> End {
        let edge = |this: &mut Self| {
            let beyond = Expr::new(Op::Step(this.direction()), [local(EACH)]);
            Expr::new(Op::OnBoard, [beyond]).negated()
        };
        let start = those(vec![not(Op::Empty), each(Op::Mine), edge(self)]);
        let flood = Expr::new(Op::Flood(self.some_compass()), [start, those(vec![not(Op::Empty), each(Op::Mine)])]);
        let body = Expr::new(Op::Any(Local::from_index(EACH)), [flood, edge(self)]);
        End {
            name: "joined".into(),
            players: self.tables.players.ids().collect(),
            result: Verdict::Win,
            condition: Function { locals: locals(), body },
            origin: None,
        }
    }

    fn some_compass(&mut self) -> Compass {
        self.choices.id(self.tables.compasses.len())
    }
}

/// A step for each empty site: a piece of the mover's comes there.
fn put(kind: Kind) -> Vec<Stmt> {
    let create = Expr::new(Op::Create, [local(TO), Expr::leaf(Op::Me), Expr::leaf(Op::Kind(kind))]);
    let emit =
        Emit { from: Expr::leaf(Op::Nowhere), to: local(TO), choice: None, parameters: Vec::new(), next: Next::Done };
    let inside = vec![
        statement(StmtKind::Effect(create)),
        statement(StmtKind::Attempt(vec![statement(StmtKind::Emit(Box::new(emit)))])),
        statement(StmtKind::Forget),
    ];
    let tried = statement(StmtKind::Try(inside));
    vec![statement(StmtKind::For(Local::from_index(TO), those(vec![each(Op::Empty)]), vec![tried]))]
}

/// The sites for which all of this is true.
fn those(conditions: Vec<Expr>) -> Expr {
    Expr::new(Op::Where(Local::from_index(EACH)), [Expr::leaf(Op::AllSites), Expr::new(Op::And, conditions)])
}

fn each(op: Op) -> Expr {
    Expr::new(op, [local(EACH)])
}

fn not(op: Op) -> Expr {
    each(op).negated()
}

fn local(index: usize) -> Expr {
    Expr::local(Local::from_index(index))
}

fn locals() -> IdMap<Local, LocalInfo> {
    TYPES.into_iter().enumerate().map(|(index, ty)| LocalInfo { name: format!("x{index}"), ty }).collect()
}

fn statement(kind: StmtKind) -> Stmt {
    Stmt { kind, origin: None }
}
