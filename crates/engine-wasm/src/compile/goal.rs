//! Goals that only a player's own new piece can make true ([`dagaz_ir::growing`]): that something of his is joined to something
//! else. In playouts of games in which every step does nothing but fill a site, such an end is asked for the player who has
//! filled the last one alone, and of what is joined to that site.

use std::collections::BTreeMap;

use dagaz_ir::growing::only_grows;
use dagaz_ir::meeting::{Meeting, meeting};
use dagaz_ir::progress::only_fills;
use dagaz_ir::{End, Function, Op};

use crate::low::{Body, Ex, Fun, Module, Ty, V};

use super::Compiler;

impl Compiler<'_> {
    /// For each end that is such a goal a function that asks it for a player and the site that he has filled.
    pub(super) fn goals(&self, module: &mut Module) -> BTreeMap<usize, Fun> {
        // Every step must be made where it is noted which site it fills.
        let plays =
            self.counted.as_ref().is_some_and(|counted| counted.play.is_some() && counted.list_others.is_none());
        if !plays || !only_fills(self.rules) {
            return BTreeMap::new();
        }
        let ends = self.rules.ends.iter().enumerate();
        ends.filter_map(|(index, end)| Some((index, self.goal(module, end)?))).collect()
    }

    fn goal(&self, module: &mut Module, end: &End) -> Option<Fun> {
        let question = meeting(&end.condition.body).filter(|question| question.meets && question.beside.is_none())?;
        let Op::Flood(compass) = question.flood.op else { return None };
        let grows = question.flood.args.iter().all(only_grows) && only_grows(&question.with);
        let small = self.memory.words <= super::set::SMALL && self.memory.near_row(compass).is_some();
        (grows && small).then(|| self.joined(module, &end.condition, &question))
    }

    fn joined(&self, module: &mut Module, of: &Function, question: &Meeting) -> Fun {
        module.function("joined", &[Ty::I32, Ty::I32], Some(Ty::I32), |body, params| {
            let joins = body.bind(0);
            self.with_locals(body, params[0], of, |code| code.joins(question, params[1], joins));
            body.give(joins);
        })
    }

    /// The answer for an end and a player, by its number, given how it is asked of the whole state.
    pub(super) fn asked_of_last(&self, body: &mut Body, goal: Fun, player: i32, whole: Ex) -> V {
        let globals = &self.globals;
        let holds = body.bind(0);
        body.either(
            globals.asked,
            |body| {
                let own = self.owner(globals.filled).eq(player);
                body.when(own, |body| body.set(holds, self.ask(goal, [player.into(), globals.filled.into()])));
            },
            |body| body.set(holds, whole),
        );
        holds
    }
}
