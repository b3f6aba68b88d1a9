//! Lawful rules made of bytes: every byte is a choice, and when none are left the first alternative is taken, so that
//! rules always end and fewer bytes make smaller rules.

use dagaz_base::{ExpansionId, FileId, Id, IdMap, Origin, Span};
use dagaz_board::{Area, Direction, Site, SiteSet, Topology, Zone};
use dagaz_ir::op::{Arguments, Immediate, ImmediateKind};
use dagaz_ir::*;

use crate::example::field;

const NAMES: [&str; 12] = ["a", "b", "a", "true", "5", "-", "*", "#2", "@1", "", "two words", "\u{1}\"\\;)(\n"];
const DEPTH: usize = 6;

/// Lawful rules of these bytes.
pub(crate) fn rules(bytes: &[u8]) -> Rules {
    Generator { bytes, frame: Frame::default() }.rules()
}

struct Generator<'b> {
    bytes: &'b [u8],
    frame: Frame,
}

/// What programs can speak of.
#[derive(Default)]
struct Frame {
    topology: Topology,
    zones: usize,
    kinds: usize,
    players: usize,
    move_types: usize,
    compasses: IdMap<Compass, Vec<Direction>>,
    fields: IdMap<Field, FieldInfo>,
    locals: IdMap<Local, LocalInfo>,
    /// The last local, with which expressions go through sets, and whether one does.
    walker: Option<Local>,
    walks: bool,
    purpose: Purpose,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Purpose {
    #[default]
    Rule,
    Stage,
    AfterMove,
    Invariant,
    End,
    Concealment,
}

impl Generator<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let Some((&byte, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        byte as usize % bound
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn id<I: Id>(&mut self, count: usize) -> I {
        I::from_index(self.below(count))
    }

    fn name(&mut self) -> String {
        self.pick(&NAMES).to_owned()
    }

    fn many<T>(&mut self, least: usize, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = least + self.below(most - least + 1);
        (0..count).map(|_| make(self)).collect()
    }

    fn origin(&mut self) -> Option<Origin> {
        if !self.flag() {
            return None;
        }
        let start = self.below(256) as u32 * 0x0100_0001;
        let span = Span { file: FileId::from_index(self.below(3)), start, end: start };
        let expansion = self.flag().then(|| ExpansionId::from_index(self.below(9)));
        Some(Origin { span, expansion })
    }

    fn rules(mut self) -> Rules {
        self.topology();
        let move_types: Vec<String> = self.many(0, 3, Self::name);
        self.frame.move_types = move_types.len();
        let attributes = self.many(0, 3, |this| {
            let scope = this.pick(&[Scope::Piece, Scope::Site, Scope::Player, Scope::Global, Scope::Array(5)]);
            let (high, memory) = (this.below(4) as i32, this.flag());
            FieldInfo { low: -high, ..field(&this.name(), scope, high, memory) }
        });
        let (players, kinds) = (1 + self.below(3), self.below(4));
        let schedule_length = 1 + self.below(3);
        (self.frame.players, self.frame.kinds) = (players, kinds);
        self.frame.fields = self.fields(schedule_length, attributes);
        let players = (0..players).map(|index| self.player(index)).collect();
        let kinds = (0..kinds).map(|_| self.kind()).collect();
        let zones = IdMap::from_iter(self.many(0, 2, Self::zone));
        self.frame.zones = zones.len();
        let directions = self.frame.topology.directions().len();
        let compass = |this: &mut Self| if directions == 0 { Vec::new() } else { vec![this.id(directions)] };
        self.frame.compasses = self.many(0, 2, compass).into_iter().collect();
        Rules {
            name: self.name(),
            topology: self.frame.topology.clone(),
            players,
            zones,
            kinds,
            fields: self.frame.fields.clone(),
            move_types: move_types.into_iter().collect(),
            compasses: self.frame.compasses.clone(),
            setup: self.setup(),
            schedule: Schedule {
                turns: (0..schedule_length).map(|_| self.turn(schedule_length)).collect(),
                labels: self
                    .many(0, 2, |this| LabelInfo {
                        name: this.name(),
                        targets: (0..schedule_length).map(|_| this.below(schedule_length)).collect(),
                    })
                    .into_iter()
                    .collect(),
            },
            rules: if self.frame.kinds == 0 { IdMap::new() } else { self.many(0, 3, Self::rule).into_iter().collect() },
            policy: self.policy(),
            invariants: self.many(0, 2, |this| Invariant {
                name: this.name(),
                condition: this.function(Type::Bool, Purpose::Invariant),
                origin: this.origin(),
            }),
            stages: Stages {
                before_move: self.stage(Purpose::Stage),
                before_step: None,
                after_step: self.stage(Purpose::Stage),
                after_move: self.stage(Purpose::AfterMove),
            },
            ends: self.many(0, 2, |this| End {
                name: this.name(),
                players: this.many(0, 2, |this| this.id(this.frame.players)),
                result: match this.below(5) {
                    0 => Verdict::Win,
                    1 => Verdict::Loss,
                    2 => Verdict::Draw,
                    3 => Verdict::Count,
                    _ => Verdict::Score(Box::new(this.function(Type::Int, Purpose::End))),
                },
                condition: this.function(Type::Bool, Purpose::End),
                origin: this.origin(),
            }),
            concealments: self.many(0, 2, Self::concealment),
        }
    }

    fn concealment(&mut self) -> Concealment {
        let public = ["turn", "chain", "chain-type"];
        let fields: Vec<Field> = self.frame.fields.ids().collect();
        let open = |field: &Field| !public.contains(&self.frame.fields[*field].name.as_str());
        let fields: Vec<Field> = fields.into_iter().filter(open).collect();
        let field = self.pick(&fields);
        let scope = self.frame.fields[field].scope;
        Concealment {
            name: self.name(),
            fields: fields.into_iter().filter(|&field| self.frame.fields[field].scope.matches(scope)).collect(),
            condition: self.function_of(scope.element(), Type::Bool, Purpose::Concealment),
            origin: self.origin(),
        }
    }

    fn topology(&mut self) {
        let mut topology = Topology::new();
        // Enough for more than one word of a set, now and then.
        let sites = self.pick(&[1, 2, 5, 9, 70]);
        for _ in 0..sites {
            let [left, top, right, bottom] = [0; 4].map(|_: i32| self.below(256) as i32 - 9);
            let area = self.flag().then_some(Area { left, top, right, bottom });
            topology.add_site(self.name(), area);
        }
        for _ in 0..self.below(4) {
            let direction = topology.add_direction(self.name());
            for _ in 0..self.below(2 * sites) {
                let (from, to) = (self.id(sites), self.id(sites));
                topology.link(direction, from, Some(to));
            }
        }
        self.frame.topology = topology;
    }

    fn fields(&mut self, turns: usize, attributes: Vec<FieldInfo>) -> IdMap<Field, FieldInfo> {
        let sites = self.frame.topology.site_count() as i32;
        let mut fields = vec![
            field("owner", Scope::Piece, self.frame.players as i32, false),
            field("kind", Scope::Piece, self.frame.kinds as i32, false),
            field("turn", Scope::Global, turns as i32 - 1, false),
            field("chain", Scope::Global, sites, false),
            field("chain-type", Scope::Global, self.frame.move_types as i32, false),
            field("hand", Scope::Hand, 99, false),
        ];
        fields.extend(self.flag().then(|| field("last-to", Scope::Global, sites, true)));
        fields.extend(attributes);
        fields.into_iter().collect()
    }

    fn player(&mut self, index: usize) -> PlayerInfo {
        let directions = self.frame.topology.directions().len();
        let turned = self.flag();
        let mut friends = vec![Player::from_index(index)];
        let (mut enemies, players) = (Vec::new(), self.frame.players);
        for other in (0..players).filter(|&other| other != index).map(Player::from_index) {
            match self.below(3) {
                0 => enemies.push(other),
                1 => friends.insert(0, other),
                _ => {}
            }
        }
        PlayerInfo {
            name: self.name(),
            role: self.pick(&[Role::Person, Role::Random]),
            directions: (0..directions)
                .map(|index| if turned { self.id(directions) } else { Direction::from_index(index) })
                .collect(),
            friends,
            enemies,
        }
    }

    fn attributes(&self) -> Vec<Field> {
        let fields = self.frame.fields.iter().skip(2);
        fields.filter(|(_, info)| info.scope == Scope::Piece).map(|(field, _)| field).collect()
    }

    fn kind(&mut self) -> KindInfo {
        let mut attributes = Vec::new();
        for field in self.attributes() {
            if self.flag() {
                let high = self.frame.fields[field].high;
                attributes.push((field, high - self.below(2 * high as usize + 1) as i32));
            }
        }
        KindInfo { name: self.name(), attributes }
    }

    fn zone(&mut self) -> ZoneInfo {
        let sites = self.frame.topology.site_count();
        let set = |this: &mut Self| {
            let mut set = SiteSet::empty(sites);
            this.many(0, 6, |this| this.id(sites)).into_iter().for_each(|site| set.insert(site));
            set
        };
        let players = self.frame.players;
        let sets =
            if self.flag() { IdMap::filled(players, set(self)) } else { (0..players).map(|_| set(self)).collect() };
        ZoneInfo { name: self.name(), sites: sets }
    }

    fn setup(&mut self) -> Vec<Placement> {
        let (sites, kinds) = (self.frame.topology.site_count(), self.frame.kinds);
        self.many(0, 6, |this| {
            let player = this.id(this.frame.players);
            match this.below(3) {
                0 if kinds > 0 => Placement::Piece(player, this.id(kinds), this.id(sites)),
                1 if kinds > 0 => Placement::Hand(player, this.id(kinds), this.below(100) as i32),
                _ => Placement::Cell(Field::from_index(3), 0, this.below(sites + 1) as i32),
            }
        })
    }

    fn move_type(&mut self) -> Option<MoveType> {
        let count = self.frame.move_types;
        (count > 0 && self.flag()).then(|| self.id(count))
    }

    fn turn(&mut self, count: usize) -> Turn {
        let players = self.frame.players;
        Turn { player: self.id(players), owner: self.id(players), move_type: self.move_type(), next: self.below(count) }
    }

    fn policy(&mut self) -> Policy {
        Policy {
            filters: self.many(0, 3, |this| match this.below(3) {
                0 => Filter::MostCaptured,
                1 => Filter::Priority(this.many(0, 2, Self::move_type).into_iter().flatten().collect()),
                _ if this.frame.kinds == 0 => Filter::MostValuable(Vec::new()),
                _ => Filter::MostValuable(this.many(0, 2, |this| (this.id(this.frame.kinds), this.below(9) as i32))),
            }),
            pass: self.pick(&[Pass::Never, Pass::Forced, Pass::Always]),
            chain_may_stop: self.flag(),
            no_null_moves: self.flag(),
            recycle_captures: self.flag(),
        }
    }

    fn locals(&mut self, first: &[Type]) {
        let types = [Type::Site, Type::Int, Type::Bool, Type::Set];
        let rest = self.many(0, 4, |this| this.pick(&types));
        let locals = first.iter().copied().chain(rest);
        self.frame.locals = locals.map(|ty| LocalInfo { name: self.name(), ty }).collect();
        self.walker();
    }

    /// A further local with which expressions can go through sets, or none.
    fn walker(&mut self) {
        let walker = LocalInfo { name: self.name(), ty: Type::Site };
        self.frame.walker = self.flag().then(|| self.frame.locals.push(walker));
    }

    fn rule(&mut self) -> Rule {
        self.frame.purpose = Purpose::Rule;
        self.locals(&[Type::Site]);
        Rule {
            name: self.name(),
            arguments: self.many(0, 2, Self::name),
            kind: Some(self.id(self.frame.kinds)),
            trigger: self.pick(&[Trigger::Piece, Trigger::AnyPiece, Trigger::Drop, Trigger::Turn]),
            move_type: self.move_type(),
            view: self.pick(&[View::Before, View::Tentative]),
            locals: self.frame.locals.clone(),
            body: self.block(DEPTH),
            then: self.stage(Purpose::Stage),
            origin: self.origin(),
        }
    }

    /// A program of a stage, or none.
    fn stage(&mut self, purpose: Purpose) -> Option<Program> {
        if self.flag() {
            return None;
        }
        self.frame.purpose = purpose;
        let rest = self.many(0, 2, |this| this.pick(&[Type::Site, Type::Int, Type::Bool, Type::Set]));
        let types = [Type::Site, Type::Site].into_iter().chain(rest);
        self.frame.locals = types.map(|ty| LocalInfo { name: self.name(), ty }).collect();
        let bounds = if purpose == Purpose::AfterMove { self.frame.locals.ids().skip(2).collect() } else { Vec::new() };
        self.walker();
        let locals = self.frame.locals.clone();
        Some(Program { locals, bounds, body: self.block(DEPTH), origin: self.origin() })
    }

    fn function(&mut self, ty: Type, purpose: Purpose) -> Function {
        self.function_of(&[], ty, purpose)
    }

    /// A function whose first locals are of these types.
    fn function_of(&mut self, first: &[Type], ty: Type, purpose: Purpose) -> Function {
        self.frame.purpose = purpose;
        self.locals(first);
        Function { locals: self.frame.locals.clone(), body: self.expr(ty, DEPTH) }
    }

    fn block(&mut self, depth: usize) -> Block {
        let most = if depth == 0 { 0 } else { 4 };
        self.many(0, most, |this| {
            let kind = this.stmt(depth - 1);
            Stmt { kind, origin: this.origin() }
        })
    }

    fn stmt(&mut self, depth: usize) -> StmtKind {
        match self.below(12) {
            0 => {
                let local = self.id(self.frame.locals.len());
                StmtKind::Let(local, self.expr(self.frame.locals[local].ty, depth))
            }
            1 => StmtKind::If(self.expr(Type::Bool, depth), self.block(depth), self.block(depth)),
            2 => StmtKind::While(self.expr(Type::Bool, depth), self.block(depth)),
            3 => StmtKind::For(
                self.local(Type::Site).expect("there is a site among the locals"),
                self.expr(Type::Set, depth),
                self.block(depth),
            ),
            4 => StmtKind::Verify(self.expr(Type::Bool, depth)),
            5 => StmtKind::Effect(self.expr(Type::Effect, depth)),
            6 => StmtKind::Attempt(self.block(depth)),
            7 => StmtKind::Forget,
            8 => StmtKind::Discard,
            9 => StmtKind::Try(self.block(depth)),
            10 => match self.local(Type::Int) {
                Some(local) => {
                    StmtKind::Range(local, self.expr(Type::Int, depth), self.expr(Type::Int, depth), self.block(depth))
                }
                None => StmtKind::Forget,
            },
            _ if self.frame.purpose != Purpose::Rule => StmtKind::Forget,
            _ => StmtKind::Emit(Box::new(Emit {
                from: self.expr(Type::Site, depth),
                to: self.expr(Type::Site, depth),
                choice: self.flag().then(|| self.expr(Type::Int, depth)),
                parameters: self.many(0, 2, |this| {
                    let ty = this.pick(&[Type::Int, Type::Site]);
                    this.expr(ty, depth)
                }),
                next: if self.flag() {
                    Next::Again(self.expr(Type::Site, depth), self.move_type())
                } else {
                    Next::Done
                },
            })),
        }
    }

    fn expr(&mut self, ty: Type, depth: usize) -> Expr {
        if let Some(local) = self.local(ty).filter(|_| self.below(4) == 3) {
            return Expr::local(local);
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
        let name = self.pick(&names);
        let immediate =
            Op::immediate_of(name).expect("every name is of an operation").map(|kind| self.immediate(name, kind));
        let op = Op::of(name, immediate).expect("the immediate is of the right kind");
        let depth = depth.saturating_sub(1);
        let args: Vec<Expr> = match op.arguments() {
            Arguments::Fixed(types) if matches!(op, Op::Where(_) | Op::Any(_) | Op::Every(_) | Op::Sum(_)) => {
                let set = self.expr(types[0], depth);
                self.frame.walks = true;
                let asked = self.expr(types[1], depth);
                self.frame.walks = false;
                vec![set, asked]
            }
            Arguments::Fixed(types) => types.iter().map(|&ty| self.expr(ty, depth)).collect(),
            Arguments::Many(ty) => {
                let most = if depth == 0 { 0 } else { 3 };
                self.many(0, most, |this| this.expr(ty, depth))
            }
        };
        Expr::new(op, args)
    }

    /// Whether the operation may stand in such a program.
    fn lawful(&self, op: Op) -> bool {
        match op {
            Op::Repetitions | Op::BoardRepetitions | Op::FirstStood | Op::MovesMade | Op::LastMover => {
                matches!(self.frame.purpose, Purpose::End | Purpose::AfterMove)
            }
            Op::Replies => self.frame.purpose == Purpose::AfterMove,
            Op::MoveCount => self.frame.purpose == Purpose::End,
            Op::Push | Op::Pop | Op::Tuck | Op::Jump(_) => false,
            Op::Captured => !matches!(self.frame.purpose, Purpose::Rule | Purpose::Concealment),
            _ => true,
        }
    }

    /// Whether there is something that its immediate can name.
    fn can_name(&self, op: Op, kind: Option<ImmediateKind>) -> bool {
        match kind {
            Some(ImmediateKind::Local) => self.frame.walker.is_some() && !self.frame.walks,
            Some(ImmediateKind::Direction) => self.frame.topology.directions().len() > 0,
            Some(ImmediateKind::Compass) => !self.frame.compasses.is_empty(),
            Some(ImmediateKind::Label) => false,
            Some(ImmediateKind::Zone) => self.frame.zones > 0,
            Some(ImmediateKind::Kind) => self.frame.kinds > 0,
            Some(ImmediateKind::Field) => !self.fields_for(op.name()).is_empty(),
            _ => true,
        }
    }

    fn fields_for(&self, name: &str) -> Vec<Field> {
        let by_site = ["read", "read-now", "set-at"].contains(&name);
        let skipped = if name == "set-at" { 2 } else { 0 };
        let fields = self.frame.fields.iter().skip(skipped);
        let fields = fields.filter(|(_, info)| matches!(info.scope, Scope::Piece | Scope::Site) == by_site);
        fields.map(|(field, _)| field).collect()
    }

    fn local(&mut self, ty: Type) -> Option<Local> {
        let frame = &self.frame;
        let readable = |id| frame.walks || frame.walker != Some(id);
        let locals = frame.locals.iter().filter(|&(id, local)| local.ty == ty && readable(id));
        let locals: Vec<_> = locals.map(|(id, _)| id).collect();
        if locals.is_empty() { None } else { Some(self.pick(&locals)) }
    }

    fn immediate(&mut self, name: &str, kind: ImmediateKind) -> Immediate {
        match kind {
            ImmediateKind::Int => Immediate::Int(self.pick(&[0, 1, 2, -1, i32::MAX, i32::MIN])),
            ImmediateKind::Bool => Immediate::Bool(self.flag()),
            ImmediateKind::Local => Immediate::Local(self.frame.walker.expect("there is such a local")),
            ImmediateKind::Site => Immediate::Site(self.id::<Site>(self.frame.topology.site_count())),
            ImmediateKind::Direction => Immediate::Direction(self.id(self.frame.topology.directions().len())),
            ImmediateKind::Zone => Immediate::Zone(self.id::<Zone>(self.frame.zones)),
            ImmediateKind::Kind => Immediate::Kind(self.id(self.frame.kinds)),
            ImmediateKind::Player => Immediate::Player(self.id(self.frame.players)),
            ImmediateKind::Field => Immediate::Field(self.pick(&self.fields_for(name))),
            ImmediateKind::MoveType => Immediate::MoveType(self.move_type()),
            ImmediateKind::Compass => Immediate::Compass(self.id(self.frame.compasses.len())),
            ImmediateKind::Label => unreachable!("no generated operation names a label"),
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
