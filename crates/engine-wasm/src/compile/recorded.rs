//! Writes the record of one step whose way and sites are known, without running its rule.

use dagaz_base::Id;
use dagaz_ir::ways::Way;
use dagaz_ir::{Expr, Local, Op, Trigger};

use crate::low::{Body, Ex, Fun, Module, Ty, Width, select};

use super::program::{Code, Slot};
use super::{Compiler, record};

/// What is the same in all steps that one function writes: everything but the rule and the two sites.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    from: Expr,
    choice: Option<Expr>,
    made: Vec<Expr>,
    of_piece: bool,
}

impl Shape {
    /// The shape of a way; nothing when steps of it can only be made by running the rule.
    pub(super) fn of(way: &Way, trigger: Trigger) -> Option<Self> {
        let made = way.made.as_ref().filter(|_| way.parameters == 0)?;
        let of_piece = matches!(trigger, Trigger::Piece | Trigger::AnyPiece);
        let said = |expr: &Expr| with_end(expr, &way.to);
        Some(Self {
            from: said(&way.from),
            choice: way.choice.as_ref().map(said),
            made: made.iter().map(said).collect(),
            of_piece,
        })
    }
}

/// An expression in which the place where a step ends is called local 1.
fn with_end(expr: &Expr, to: &Expr) -> Expr {
    if expr == to && to.op != Op::Local(Local::from_index(0)) {
        return Expr::local(Local::from_index(1));
    }
    Expr::new(expr.op, expr.args.iter().map(|arg| with_end(arg, to)).collect::<Vec<_>>())
}

impl Compiler<'_> {
    /// A function that writes the records of steps of a shape: it is given the rule, the player and both sites.
    pub(super) fn recorder(&self, module: &mut Module, shape: &Shape) -> Fun {
        module.function("record", &[Ty::I32; 4], Some(Ty::I32), |body, params| {
            let (rule, me, start, end) = (params[0], params[1], params[2], params[3]);
            let size = record::SIZE + shape.made.len() as u32 * record::EFFECT;
            let step = body.bind(self.ask(self.functions.reserve, [size.into()]));
            self.with_sites(body, me, |code| {
                code.of_piece = shape.of_piece;
                code.at(start.into(), end.into());
                let from = code.value(&shape.from);
                let choice = match &shape.choice {
                    Some(choice) => {
                        let choice = code.bound(choice);
                        select((choice - 1).lt_u(self.memory.kinds), choice, 0)
                    }
                    None => 0.into(),
                };
                let word = |body: &mut Body, part: u32, value: Ex| body.store(Width::I32, step, part, value);
                word(code.body, record::RULE, rule.into());
                word(code.body, record::FROM, from);
                word(code.body, record::TO, end.into());
                word(code.body, record::CHOICE, choice);
                for part in [record::CHAIN, record::CHAIN_TYPE, record::PARAMETERS] {
                    word(code.body, part, 0.into());
                }
                let at = code.body.bind(step + record::SIZE);
                let number = |at| (Ex::from(at) - step - record::SIZE).shr_u(4);
                let displaces = |effect: &&Expr| matches!(effect.op, Op::Move | Op::Copy | Op::Drop);
                for displacements in [true, false] {
                    for effect in shape.made.iter().filter(|effect| displaces(effect) == displacements) {
                        let (proper, what, operands) = code.prepared(effect);
                        code.body.when(proper, |body| {
                            let words = std::iter::once(what.into()).chain(operands);
                            for (index, value) in words.enumerate() {
                                body.store(Width::I32, at, index as u32 * 4, value);
                            }
                            body.set(at, at + record::EFFECT);
                        });
                    }
                    let part = if displacements { record::AT_ONCE } else { record::EFFECTS };
                    word(code.body, part, number(at));
                }
            });
            body.give(step);
        })
    }
}

impl Code<'_, '_> {
    /// Gives the locals of both sites their values.
    pub(super) fn at(&mut self, start: Ex, end: Ex) {
        for (index, value) in [start, end].into_iter().enumerate() {
            let Slot::One(local) = self.slots[index] else { unreachable!("both locals are sites") };
            self.body.set(local, value);
        }
    }
}
