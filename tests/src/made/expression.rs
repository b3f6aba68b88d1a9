//! Expressions: any operation of the type that is wanted, so that each is reached from each place where it may stand.

use dagaz_base::Id;
use dagaz_board::Direction;
use dagaz_ir::op::{Arguments, Immediate, ImmediateKind};
use dagaz_ir::{Expr, Field, Op, Scope, Type};

use super::Maker;
use super::program::Purpose;

/// How deep expressions nest.
const DEPTH: usize = 3;

/// Numbers that are worth trying.
const NUMBERS: [i32; 10] = [1, 0, 2, 3, -1, 5, 64, 65, i32::MAX, i32::MIN];

impl Maker<'_> {
    pub(super) fn expr(&mut self, ty: Type) -> Expr {
        self.deep(ty, DEPTH)
    }

    pub(super) fn effect(&mut self) -> Expr {
        self.deep(Type::Effect, DEPTH)
    }

    pub(super) fn direction(&mut self) -> Direction {
        self.choices.id(self.tables.topology.directions().len())
    }

    /// A number that is likely to be that of a player and kind.
    pub(super) fn some_number(&mut self) -> Expr {
        match self.choices.below(4) {
            0 => Expr::leaf(Op::Kind(self.choices.id(self.tables.kinds.len()))),
            1 => Expr::leaf(Op::Me),
            2 => Expr::leaf(Op::Player(self.choices.id(self.tables.players.len()))),
            _ => self.deep(Type::Int, 1),
        }
    }

    fn deep(&mut self, ty: Type, depth: usize) -> Expr {
        let locals = self.frame.readable(ty);
        let often = if ty == Type::Site { 2 } else { 5 };
        if !locals.is_empty() && (depth == 0 || self.choices.below(often) == 0) {
            return Expr::local(self.choices.pick(&locals));
        }
        let mut names = Vec::new();
        for &name in Op::NAMES {
            let kind = Op::immediate_of(name).expect("every name is of an operation");
            let op = Op::of(name, kind.map(zero)).expect("the immediate is of the right kind");
            let leaf = !matches!(op.arguments(), Arguments::Fixed([_, ..]));
            // An effect has no leaf: its arguments are the leaves.
            let fits = name != "local" && op.result() == ty && (leaf || depth > 0 || ty == Type::Effect);
            if fits && self.lawful(op) && self.can_name(op, kind) {
                names.push(name);
            }
        }
        let name = self.choices.pick(&names);
        let immediate =
            Op::immediate_of(name).expect("every name is of an operation").map(|kind| self.immediate(name, kind));
        let op = Op::of(name, immediate).expect("the immediate is of the right kind");
        let depth = depth.saturating_sub(1);
        let arg = |this: &mut Self, ty| match ty {
            Type::Int if op.result() == Type::Effect && this.choices.below(3) > 0 => this.some_number(),
            ty => this.deep(ty, depth),
        };
        let args: Vec<Expr> = match op.arguments() {
            Arguments::Fixed(types) if matches!(op, Op::Where(_) | Op::Any(_) | Op::Every(_) | Op::Sum(_)) => {
                let set = arg(self, types[0]);
                self.frame.open += 1;
                let asked = arg(self, types[1]);
                self.frame.open -= 1;
                vec![set, asked]
            }
            Arguments::Fixed(types) => types.iter().map(|&ty| arg(self, ty)).collect(),
            Arguments::Many(ty) => {
                (0..self.choices.below(if depth == 0 { 1 } else { 4 })).map(|_| arg(self, ty)).collect()
            }
        };
        Expr::new(op, args)
    }

    /// Whether the operation may stand in such a program.
    fn lawful(&self, op: Op) -> bool {
        let (purpose, has) = (self.frame.purpose, |name| self.tables.fields.values().any(|field| field.name == name));
        match op {
            Op::Repetitions | Op::BoardRepetitions | Op::FirstStood | Op::MovesMade | Op::LastMover => {
                matches!(purpose, Purpose::End | Purpose::AfterMove)
            }
            Op::Replies => purpose == Purpose::AfterMove,
            Op::MoveCount => purpose == Purpose::End,
            Op::Captured => purpose != Purpose::Rule,
            Op::Push | Op::Pop | Op::Tuck => has("stack"),
            Op::Jump(_) => has("next-turn"),
            Op::Drop => has("hand"),
            _ => true,
        }
    }

    /// Whether there is something that its immediate can name.
    fn can_name(&self, op: Op, kind: Option<ImmediateKind>) -> bool {
        match kind {
            Some(ImmediateKind::Local) => self.frame.next().is_some(),
            Some(ImmediateKind::Compass) => !self.tables.compasses.is_empty(),
            Some(ImmediateKind::Label) => !self.tables.labels.is_empty(),
            Some(ImmediateKind::Zone) => !self.tables.zones.is_empty(),
            Some(ImmediateKind::Field) => !self.fields_for(op.name()).is_empty(),
            _ => true,
        }
    }

    fn fields_for(&self, name: &str) -> Vec<Field> {
        let by_site = ["read", "read-now", "set-at"].contains(&name);
        let identity = |name: &str| matches!(name, "owner" | "kind");
        let fields = self.tables.fields.iter().filter(|(_, info)| match info.scope {
            Scope::Piece | Scope::Site => by_site && !(name == "set-at" && identity(&info.name)),
            Scope::Stack(_) => false,
            _ => !by_site,
        });
        fields.map(|(field, _)| field).collect()
    }

    fn immediate(&mut self, name: &str, kind: ImmediateKind) -> Immediate {
        let tables = &self.tables;
        match kind {
            ImmediateKind::Int => Immediate::Int(self.choices.pick(&NUMBERS)),
            ImmediateKind::Bool => Immediate::Bool(self.choices.one_in(2)),
            ImmediateKind::Local => Immediate::Local(self.frame.next().expect("there is one that is free")),
            ImmediateKind::Site => Immediate::Site(self.choices.id(tables.topology.site_count())),
            ImmediateKind::Direction => Immediate::Direction(self.direction()),
            ImmediateKind::Zone => Immediate::Zone(self.choices.id(tables.zones.len())),
            ImmediateKind::Kind => Immediate::Kind(self.choices.id(tables.kinds.len())),
            ImmediateKind::Player => Immediate::Player(self.choices.id(tables.players.len())),
            ImmediateKind::Field => Immediate::Field(self.choices.pick(&self.fields_for(name))),
            ImmediateKind::MoveType => Immediate::MoveType(self.move_type()),
            ImmediateKind::Compass => Immediate::Compass(self.choices.id(tables.compasses.len())),
            ImmediateKind::Label => Immediate::Label(self.choices.id(tables.labels.len())),
        }
    }
}

/// An immediate to ask about an operation that has one.
fn zero(kind: ImmediateKind) -> Immediate {
    match kind {
        ImmediateKind::Int => Immediate::Int(0),
        ImmediateKind::Bool => Immediate::Bool(false),
        ImmediateKind::Local => Immediate::Local(Id::from_index(0)),
        ImmediateKind::Site => Immediate::Site(Id::from_index(0)),
        ImmediateKind::Direction => Immediate::Direction(Id::from_index(0)),
        ImmediateKind::Zone => Immediate::Zone(Id::from_index(0)),
        ImmediateKind::Kind => Immediate::Kind(Id::from_index(0)),
        ImmediateKind::Player => Immediate::Player(Id::from_index(0)),
        ImmediateKind::Field => Immediate::Field(Id::from_index(0)),
        ImmediateKind::MoveType => Immediate::MoveType(None),
        ImmediateKind::Compass => Immediate::Compass(Id::from_index(0)),
        ImmediateKind::Label => Immediate::Label(Id::from_index(0)),
    }
}
