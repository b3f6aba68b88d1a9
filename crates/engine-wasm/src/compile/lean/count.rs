//! Counts the ways a game can go on for a number of moves, from sets alone: the last move of each is not made but counted.
//!
//! A position is the arguments of a function, one for each turn, so that nothing has to be taken back.

use dagaz_base::Id;
use dagaz_ir::{Pass, Turn};

use super::lanes::{Deed, Emission, Queued};
use super::needs::{self, Changes};
use super::words::{Pieces, Scene, Set};
use super::{Compiler, Way};
use crate::low::{Body, Ex, Fun, Module, Stmt as Low, Ty, V, c64};

/// Whether steps that differ always lead to different states.
fn tells_apart(emission: &Emission) -> bool {
    let moves = |deed: &Deed| match deed {
        Deed::Move(_, to) => *to == emission.to,
        Deed::Retype(place, _) => *place == emission.to,
        _ => false,
    };
    // What is chosen must be what the piece becomes.
    let becomes = |queued: &Queued, choice: i32| matches!(queued.deed, Deed::Retype(_, kind) if kind.index() as i32 + 1 == choice);
    let chosen = |choice| emission.queue.iter().any(|queued| queued.always && becomes(queued, choice));
    emission.choice.is_none_or(chosen)
        && (needs::grows(emission) || emission.queue.iter().all(|queued| moves(&queued.deed)))
}

impl<'r> Compiler<'r> {
    /// Functions that count, one for each turn, where steps and moves are the same.
    pub(super) fn lean_counts(&self, module: &mut Module, changes: &[Changes]) -> Option<Vec<Fun>> {
        let turns = &self.rules.schedule.turns;
        let mut body = Body::new(&[]);
        let pieces = self.pieces(&mut body);
        for turn in turns {
            let mut scene = self.scene(&mut body, &pieces, turn);
            if !self.ways(&mut scene, turn)?.iter().all(|way| tells_apart(&way.emission)) {
                return None;
            }
        }
        let arguments: Vec<Ty> = [Ty::I32; 2].into_iter().chain(pieces.variables().iter().map(|v| v.1)).collect();
        let functions: Vec<Fun> = turns.iter().map(|_| module.declare("count", &arguments, Some(Ty::I64))).collect();
        for (index, turn) in turns.iter().enumerate() {
            let before = &changes[(index + changes.len() - 1) % changes.len()];
            let next = functions[(index + 1) % functions.len()];
            module.define(functions[index], |body, params| {
                let written = self.count_from(body, params, turn, before, next);
                written.expect("what can be played can be counted");
            });
        }
        Some(functions)
    }

    /// Counts from the state in memory, if that is a start for it.
    pub(super) fn count_from_here(&self, body: &mut Body, counts: &[Fun], depth: V) {
        let fresh = self.is_open(body);
        if self.rules.policy.pass == Pass::Forced {
            // Who has passed so far is not known, and does not matter where the player can move.
            let started = Ex::from(self.globals.moves).ne(0);
            body.when(fresh & started, |body| {
                let kept = self.save(body, &[self.globals.index, self.globals.arena, self.globals.captures]);
                self.see_the_past(body);
                let first = body.bind(self.globals.index);
                body.call(self.functions.possible, Vec::new());
                body.set(fresh, Ex::from(self.globals.index).ne(first));
                self.restore(body, &kept);
            });
        }
        let pieces = self.pieces(body);
        body.when(fresh, |body| {
            self.take_up(body, &pieces);
            let turn = body.bind(self.cell(self.memory.known.turn));
            let state: Vec<Ex> = pieces.variables().into_iter().map(Ex::from).collect();
            for (index, &count) in counts.iter().enumerate() {
                let arguments = [depth.into(), 0.into()].into_iter().chain(state.clone()).collect();
                body.when(turn.eq(index as i32), |body| body.give(Ex::Call(count, arguments, Ty::I64)));
            }
        });
    }

    fn count_from(&self, body: &mut Body, params: &[V], turn: &Turn, before: &Changes, next: Fun) -> Option<()> {
        let (depth, passes) = (params[0], params[1]);
        body.when(depth.le_s(0), |body| body.give(c64(1)));
        self.refill(body);
        let shape = self.pieces(body);
        let pieces = shape.with(&params[2..]);
        let further = |passes: Ex, pieces: &Pieces| {
            let state = pieces.variables().into_iter().map(Ex::from);
            Ex::Call(next, [depth - 1, passes].into_iter().chain(state).collect(), Ty::I64)
        };
        let over = |body: &mut Body, _: i32| body.give(c64(0));
        let mut scene = self.scene(body, &pieces, turn);
        let ways = self.ways(&mut scene, turn)?;
        let (_, total) = self.totals(&mut scene, &ways);

        scene.body.open_block();
        self.end_stuck_games(&mut scene, passes, &over)?;
        match self.rules.policy.pass {
            Pass::Forced => scene.body.give(further(passes + 1, &pieces)),
            Pass::Never | Pass::Always => scene.body.give(c64(0)),
        }
        let stuck = scene.body.close_block();
        scene.body.push(Low::If(total.eqz(), stuck, Vec::new()));

        self.end_open_games(&mut scene, before, &over)?;
        scene.body.when(depth.eq(1), |body| body.give(total.extend()));
        let sum = scene.body.bind(c64(0));
        // Each step is made on a copy.
        let copies = shape;
        for way in &ways {
            let lanes = &way.emission.lanes;
            for (index, word) in lanes.words.iter().enumerate().filter(|&(index, _)| lanes.within[index] != 0) {
                let rest = scene.body.bind(word.clone());
                scene.body.open_block();
                let bit = scene.body.bind(rest & (c64(0) - rest));
                scene.body.set(rest, rest & (rest - c64(1)));
                pieces.copy_to(scene.body, &copies);
                self.make_on(&mut scene, turn, &copies, way, &one_bit(lanes, index, bit))?;
                scene.body.set(sum, sum + further(0.into(), &copies));
                let statements = scene.body.close_block();
                scene.body.repeat_while(Ex::from(rest).ne(c64(0)), |body, _| {
                    statements.into_iter().for_each(|statement| body.push(statement));
                });
            }
        }
        scene.body.give(sum);
        Some(())
    }

    fn make_on(
        &self,
        scene: &mut Scene<'_, 'r>,
        turn: &Turn,
        pieces: &Pieces,
        way: &Way<'r>,
        lanes: &Set,
    ) -> Option<()> {
        let mut other = Scene::new(self, scene.body, pieces, turn.owner, turn.player);
        other.work = scene.work;
        self.make(&mut other, way, lanes)?;
        scene.work = other.work;
        Some(())
    }
}

/// One site of a set, whose bit in this word is given.
fn one_bit(set: &Set, index: usize, bit: V) -> Set {
    let words = (0..set.words.len()).map(|word| if word == index { bit.into() } else { c64(0) });
    Set { words: words.collect(), within: set.within.clone() }
}
