//! Whether the game is over.

use dagaz_base::Id;
use dagaz_ir::{End, Expr, Op, Pass, Verdict};

use crate::low::{Body, Ex, Width};

use super::past::seen;
use super::{Compiler, Purpose, mail};

/// What the function `stand` gives when the game is not over, and when nobody can move and no end says more.
pub(crate) const OPEN: i32 = -1;
/// See [`OPEN`].
pub(crate) const STUCK: i32 = -2;

/// How it is asked whether there is a move: what the global `drawing` is.
pub(super) mod drawing {
    /// Of the list of legal steps.
    pub(crate) const NO: i32 = 0;
    /// Of a list of candidates, legal or not.
    pub(crate) const LISTS: i32 = 1;
    /// Not at all: there is supposed to be one, which the draw will show.
    pub(crate) const SUPPOSES: i32 = 2;
}

/// Whether an end compares what a function says of each player.
pub(super) fn scores(end: &End) -> bool {
    matches!(end.result, Verdict::Score(_))
}

/// Whether a condition asks for the number of moves.
pub(super) fn counts_moves(expr: &Expr) -> bool {
    expr.op == Op::MoveCount || expr.args.iter().any(counts_moves)
}

/// How often a condition asks for the number of moves just to know whether there is none: `(= (move-count) 0)`, or with other
/// numbers in the place of that number under conditions.
pub(super) fn empty_questions(expr: &Expr) -> u32 {
    let here = asked_for_none(expr).map_or(0, count_moves);
    if here > 0 { here } else { expr.args.iter().map(empty_questions).sum() }
}

/// The number of which a condition asks whether it is 0, when it is the number of moves, at least under conditions.
pub(super) fn asked_for_none(expr: &Expr) -> Option<&Expr> {
    fn is_number(expr: &Expr) -> bool {
        match expr.op {
            Op::MoveCount => true,
            Op::Pick => !counts_moves(&expr.args[0]) && expr.args[1..].iter().all(is_number),
            _ => !counts_moves(expr),
        }
    }
    let zero = |expr: &Expr| expr.op == Op::Int(0);
    let [a, b] = &expr.args[..] else { return None };
    let number = if zero(b) { a } else { Some(b).filter(|_| zero(a))? };
    (expr.op == Op::Equal && is_number(number) && counts_moves(number)).then_some(number)
}

fn count_moves(expr: &Expr) -> u32 {
    u32::from(expr.op == Op::MoveCount) + expr.args.iter().map(count_moves).sum::<u32>()
}

/// Whether a condition can be true only of a player who has no move.
fn is_of_the_stuck(expr: &Expr) -> bool {
    fn is_none_of_the_stuck(number: &Expr) -> bool {
        match number.op {
            Op::MoveCount => true,
            Op::Int(number) => number != 0,
            Op::Pick => number.args[1..].iter().all(is_none_of_the_stuck),
            _ => false,
        }
    }
    match expr.op {
        Op::And => expr.args.iter().any(is_of_the_stuck),
        Op::Or => expr.args.iter().all(is_of_the_stuck),
        _ => asked_for_none(expr).is_some_and(is_none_of_the_stuck),
    }
}

impl Compiler<'_> {
    pub(super) fn ends(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let globals = self.globals;

        // Gives the end that is true, times the number of players, and the index of the player for whom it is; or one of the above.
        module.define(functions.stand, |body, _| {
            body.set_global(globals.listed, 0);
            body.set_global(globals.drawing, drawing::NO);
            body.when(self.cell(self.memory.known.chain).eqz(), |body| {
                self.each_end(body, false);
            });
            self.list(body);
            let none = Ex::from(globals.list_start).eq(globals.list_end);
            body.give(crate::low::select(none, STUCK, OPEN));
        });

        module.define(functions.move_count, |body, _| {
            self.list(body);
            body.give((globals.list_end - globals.list_start).shr_u(2));
        });

        // Where a player who cannot move passes there is always a move.
        module.define(functions.no_moves, |body, _| match self.rules.policy.pass {
            Pass::Never => {
                // Nobody draws where nobody plays.
                let drawing = match self.purpose {
                    Purpose::Steps => 0.into(),
                    Purpose::Play => Ex::from(globals.drawing),
                };
                body.when(drawing.clone().eq(drawing::SUPPOSES), |body| body.give(0));
                body.when(drawing, |body| {
                    if let Some(chains) = &self.chains {
                        self.count_turn(body, chains);
                        body.when(chains.by_sets, |body| body.give(chains.left().eqz()));
                        body.set_global(globals.drawing, 0);
                        return;
                    }
                    if self.second.is_some() || self.deferred.is_some() || self.rounds.is_some() {
                        // Whether what goes on can do so, and what rules make, is known of legal steps.
                        body.set_global(globals.drawing, 0);
                        body.set_global(globals.listed, 0);
                        return;
                    }
                    self.candidates(body);
                    self.see_the_past(body);
                    // Candidates that are not legal are of no further use.
                    if let Some(staged) = &self.staged {
                        body.when(staged.most, |body| {
                            body.when(self.ask(staged.some, []), |body| body.give(0));
                            body.set_global(staged.most, 0);
                        });
                    }
                    if let Some(counted) = &self.counted {
                        if counted.play.is_some() {
                            body.when(counted.left, |body| body.give(0));
                        }
                        let kept = self.save(body, &[globals.index, globals.arena]);
                        body.repeat_while(counted.left, |body, _| {
                            self.tick(body);
                            let left = body.bind(counted.left);
                            let step = body.bind(self.ask(counted.take, [0.into()]));
                            let lawful = body.bind(self.in_prepared(step.into()));
                            self.restore(body, &kept);
                            body.when(lawful, |body| {
                                // It was only looked at.
                                body.call(counted.put_back, vec![]);
                                body.set_global(counted.left, left);
                                body.give(0);
                            });
                        });
                    }
                    body.repeat_while(Ex::from(globals.list_start).ne(globals.list_end), |body, _| {
                        self.tick(body);
                        let last = (globals.list_end - 4).load(Width::I32, 0);
                        body.when(self.in_prepared(last), |body| body.give(0));
                        body.set_global(globals.list_end, globals.list_end - 4);
                    });
                    body.give(1);
                });
                body.give(self.ask(functions.move_count, []).eqz());
            }
            Pass::Forced | Pass::Always => body.give(0),
        });
        self.module = module;
    }

    /// Gives the first end that is true; or the first one of those that can be true of a player who has a move.
    pub(super) fn each_end(&self, body: &mut Body, hopeful: bool) {
        let players = self.memory.players as i32;
        for (index, end) in self.rules.ends.iter().enumerate() {
            if hopeful && is_of_the_stuck(&end.condition.body) {
                continue;
            }
            let at_start = counts_moves(&end.condition.body);
            let asked: Ex = if at_start { 1.into() } else { Ex::from(self.globals.moves).ne(0) };
            body.when(asked, |body| {
                let running = self.rules.rules.len() + 4 + self.rules.invariants.len() + index;
                body.set_global(self.globals.running, running as i32);
                // What is said of nobody in particular is asked once.
                let own = end.condition.body.any(&|part| part.op.depends_on_player());
                for &player in end.players.iter().take(if own { usize::MAX } else { 1 }) {
                    let holds = self.ask(self.functions.ends[index], [(player.index() as i32 + 1).into()]);
                    body.when(holds, |body| body.give(index as i32 * players + player.index() as i32));
                }
            });
        }
    }

    /// Whether a step is legal, in the state before the stages that come before it.
    pub(super) fn in_prepared(&self, step: Ex) -> Ex {
        let functions = &self.functions;
        if functions.before_move.is_none() && functions.before_step.is_none() {
            return self.ask(functions.objection, [step]);
        }
        self.ask(functions.prepared_objection, [step])
    }

    /// Lists the legal steps, unless they are listed already.
    pub(super) fn list(&self, body: &mut Body) {
        let globals = &self.globals;
        body.when(Ex::from(globals.listed).eqz(), |body| {
            self.see_the_past(body);
            body.set_global(globals.list_start, globals.index);
            body.call(self.functions.legal, vec![]);
            body.set_global(globals.list_end, globals.index);
            body.set_global(globals.listed, 1);
        });
    }

    /// The state is what the moves that are listed next start from.
    pub(super) fn see_the_past(&self, body: &mut Body) {
        let globals = &self.globals;
        body.set_global(globals.past, seen::TURN);
        body.set_global(globals.start, self.cell(self.memory.known.chain).eqz());
        if self.hashing {
            let key = |at: u32| Ex::from(0).load(Width::I64, at);
            body.store(Width::I64, 0, mail::START, key(mail::KEYS));
            body.store(Width::I64, 0, mail::START + 8, key(mail::KEYS + 16));
        }
    }
}
