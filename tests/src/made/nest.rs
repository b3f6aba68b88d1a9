//! Rules that choose one thing after the other: loops over sets, one inside the other, with a step in their midst. Most of them are
//! as plain as can be, so that steps are drawn in stages; something is amiss with the others.

use dagaz_base::Id;
use dagaz_ir::{Block, Emit, Expr, Local, Next, Op, Rule, StmtKind, Trigger, Type, View};

use super::Maker;
use super::program::{Frame, Purpose, local, statement};

/// The locals: what is chosen first and second, and two sets that rays go through.
const GOAL: usize = 3;
const PLACE: usize = 7;
const THROUGH: usize = 5;
const THROUGH_THEN: usize = 9;

impl Maker<'_> {
    pub(super) fn nest_rule(&mut self) -> Rule {
        self.frame = Frame::of(Purpose::Rule);
        let trigger = self.choices.pick(&[Trigger::Piece, Trigger::Piece, Trigger::Turn, Trigger::Piece]);
        let kind = Some(self.choices.id(self.tables.kinds.len()));
        Rule {
            name: "nest".into(),
            arguments: Vec::new(),
            kind: kind.filter(|_| trigger == Trigger::Piece),
            trigger,
            move_type: self.move_type(),
            view: if self.choices.one_in(12) { View::Tentative } else { View::Before },
            locals: self.frame.locals.clone(),
            body: self.nest_body(trigger),
            then: if self.choices.one_in(6) { self.stage(Purpose::Stage, 1) } else { None },
            origin: None,
        }
    }

    fn nest_body(&mut self, trigger: Trigger) -> Block {
        let of_piece = trigger == Trigger::Piece;
        let empty = self.empty_sites();
        let cleared = match self.choices.below(3) {
            0 => Expr::new(Op::With, [local(THROUGH), local(0)]),
            1 => local(THROUGH),
            _ => self.expr(Type::Set),
        };
        let mut body = self.amiss();
        body.push(statement(StmtKind::Let(Local::from_index(THROUGH), empty)));
        body.push(statement(StmtKind::Let(Local::from_index(THROUGH_THEN), cleared)));
        let mut step = self.amiss();
        let kind = Expr::leaf(Op::Kind(self.choices.id(self.tables.kinds.len())));
        let appears =
            |site| statement(StmtKind::Effect(Expr::new(Op::Create, [site, Expr::leaf(Op::Me), kind.clone()])));
        let twice = self.choices.one_in(2);
        if twice {
            step.push(appears(local(PLACE)));
        }
        step.push(match of_piece {
            true => statement(StmtKind::Effect(Expr::new(Op::Move, [local(0), local(GOAL)]))),
            false => appears(local(GOAL)),
        });
        if self.choices.one_in(4) {
            step.push(statement(StmtKind::Effect(self.effect())));
        }
        let from = if of_piece { local(0) } else { Expr::leaf(Op::Nowhere) };
        let told = twice && !self.choices.one_in(8);
        let emit = Emit {
            from,
            to: local(GOAL),
            choice: None,
            parameters: if told { vec![local(PLACE)] } else { Vec::new() },
            next: Next::Done,
        };
        step.push(statement(StmtKind::Emit(Box::new(emit))));
        step.extend(self.amiss());
        let mut inside = self.round(step);
        if twice {
            let set = self.star(GOAL, THROUGH_THEN);
            inside = vec![statement(StmtKind::For(Local::from_index(PLACE), set, inside))];
            if self.choices.one_in(3) {
                inside.insert(0, statement(StmtKind::Verify(self.expr(Type::Bool))));
            }
            inside = self.round(inside);
        }
        let start = if of_piece { 0 } else { 1 };
        let set = match of_piece || self.choices.one_in(2) {
            true => self.star(start, THROUGH),
            false => local(THROUGH),
        };
        body.push(statement(StmtKind::For(Local::from_index(GOAL), set, inside)));
        body
    }

    /// A round of a loop, whose effects are taken back nearly always.
    fn round(&mut self, inside: Block) -> Block {
        match self.choices.below(12) {
            0 => inside,
            1..=4 => vec![statement(StmtKind::Attempt(inside))],
            _ => vec![statement(StmtKind::Try(inside))],
        }
    }

    fn empty_sites(&mut self) -> Expr {
        if self.choices.one_in(5) {
            return self.expr(Type::Set);
        }
        let each = self.frame.next().expect("nothing is open yet");
        let empty = Expr::new(Op::Empty, [Expr::local(each)]);
        Expr::new(Op::Where(each), [Expr::leaf(Op::AllSites), empty])
    }

    /// What can be seen from a site in some directions.
    fn star(&mut self, start: usize, through: usize) -> Expr {
        let mut rays: Vec<Expr> = (0..self.choices.count(1, 4))
            .map(|_| Expr::new(Op::Ray(self.direction()), [local(start), local(through)]))
            .collect();
        if self.choices.one_in(6) {
            rays.push(self.expr(Type::Set));
        }
        let union = |a, b| Expr::new(Op::Union, [a, b]);
        rays.into_iter().reduce(union).expect("there is a direction")
    }

    /// A statement that should not be there, rarely.
    fn amiss(&mut self) -> Block {
        if self.choices.one_in(8) { self.block(1, 1) } else { Vec::new() }
    }
}
