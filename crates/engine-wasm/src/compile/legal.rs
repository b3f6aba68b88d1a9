//! From what the rules make to the legal steps of a turn, in the order that the interpreter's `legal` states.

use dagaz_base::Id;
use dagaz_ir::{Filter, Pass, Trigger};

use crate::low::{Body, Ex, Stmt as Low, V, Width, pick};

use super::effects::code;
use super::past::seen;
use super::{Compiler, record};

impl Compiler<'_> {
    pub(super) fn legal(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let globals = self.globals;
        let stages = &self.rules.stages;

        // The stages before a step: gives 0 when one forbids every step. What a step captures is counted from here on.
        module.define(functions.prepare, |body, _| {
            body.set_global(globals.step_captures, globals.captures);
            if let Some(stage) = functions.before_move {
                let start = self.cell(self.memory.known.chain).eqz();
                body.when(pick(start, self.ask(stage, [0.into()]).eqz(), 0), |body| body.give(0));
            }
            if let Some(stage) = functions.before_step {
                body.when(self.ask(stage, [0.into()]).eqz(), |body| body.give(0));
            }
            body.give(1);
        });

        // A step in a state that is prepared, with what comes after it; invariants are asked when the second operand says so.
        // Gives 0 when something refuses it.
        module.define(functions.advance, |body, params| {
            let (step, asks) = (params[0], params[1]);
            body.call(functions.perform_step, vec![step.into()]);
            if functions.thens.iter().any(Option::is_some) {
                let rule = body.bind(self.part(step, record::RULE));
                for (index, then) in functions.thens.iter().enumerate() {
                    let Some(then) = then else { continue };
                    let refused = self.ask(*then, [step.into()]).eqz();
                    body.when(pick(rule.eq(index as i32), refused, 0), |body| body.give(0));
                }
            }
            self.objections(body, step.into(), asks.into(), &|body| body.give(0));
            body.give(1);
        });

        // Whether a step of a rule may be made in a state that is prepared. The state is left as it was.
        let whole = stages.after_move.as_ref().is_some_and(|stage| stage.bounds.is_empty());
        module.define(functions.objection, |body, params| {
            let step = params[0];
            let lawless =
                self.rules.invariants.is_empty() && stages.after_step.is_none() && stages.after_move.is_none();
            let rule = body.bind(self.part(step, record::RULE));
            let chain = body.bind(self.part(step, record::CHAIN));
            let asks = body.bind(self.asks_for_change(rule, chain));
            if lawless {
                let mut bound: Ex = asks.into();
                for (index, _) in functions.thens.iter().enumerate().filter(|(_, then)| then.is_some()) {
                    bound = bound | rule.eq(index as i32);
                }
                body.when(bound.eqz(), |body| body.give(1));
            }
            let saved = self.save(body, &[globals.captures, globals.step_captures]);
            let mark = body.bind(self.ask(functions.mark, []));
            body.set_global(globals.step_captures, globals.captures);
            if self.rules.policy.no_null_moves {
                body.when(pick(asks, self.surely_changes(step).eqz(), 0), |body| {
                    let before = body.bind(globals.log);
                    body.call(functions.perform_effects, vec![step.into()]);
                    let changed = body.bind(Ex::from(globals.log).ne(before));
                    body.call(functions.undo, vec![mark.into()]);
                    self.restore(body, &saved);
                    body.when(changed.eqz(), |body| body.give(0));
                    body.eval(self.ask(functions.mark, []));
                    body.set_global(globals.step_captures, globals.captures);
                });
            }
            let lawful = body.bind(self.ask(functions.advance, [step.into(), 1.into()]));
            if let (Some(stage), true) = (functions.after_move, whole) {
                body.when(lawful & chain.eqz(), |body| body.set(lawful, self.ask(stage, [step.into(), 0.into()])));
            }
            body.call(functions.undo, vec![mark.into()]);
            self.restore(body, &saved);
            body.give(lawful);
        });

        // The same in a state that is not prepared yet.
        module.define(functions.prepared_objection, |body, params| {
            let saved = self.save(body, &[globals.captures, globals.step_captures]);
            let mark = body.bind(self.ask(functions.mark, []));
            let prepared = self.ask(functions.prepare, []);
            let lawful = body.bind(pick(prepared, self.ask(functions.objection, [params[0].into()]), 0));
            body.call(functions.undo, vec![mark.into()]);
            self.restore(body, &saved);
            body.give(lawful);
        });

        // Adds the steps to the index that rules make and nothing refuses by itself.
        let prioritised = self.rules.policy.filters.iter().any(|filter| matches!(filter, Filter::Priority(_)));
        module.define(functions.possible, |body, _| {
            let saved = self.save(body, &[globals.captures, globals.step_captures, globals.emitted]);
            let mark = body.bind(self.ask(functions.mark, []));
            let start = body.bind(globals.index);
            body.when(self.ask(functions.prepare, []), |body| {
                body.call(functions.raw, vec![]);
                if prioritised {
                    let at_start = self.cell(self.memory.known.chain).eqz();
                    body.when(at_start, |body| body.call(functions.first_class, vec![start.into()]));
                }
                body.call(functions.distinct, vec![start.into()]);
                self.keep_listed(body, start, |body, at, _| {
                    self.tick(body);
                    self.ask(functions.objection, [at.load(Width::I32, 0)])
                });
            });
            body.call(functions.undo, vec![mark.into()]);
            self.restore(body, &saved);
        });

        // Whether a chain that was just opened has a step to go on with.
        module.define(functions.can_go_on, |body, _| {
            let turn = [globals.past, globals.captures, globals.step_captures];
            let saved = self.save(body, &[&turn[..], &[globals.emitted, globals.index, globals.arena]].concat());
            body.set_global(globals.past, seen::NOTHING);
            let mark = body.bind(self.ask(functions.mark, []));
            let at = body.bind(globals.index);
            let found = body.bind(0);
            body.when(self.ask(functions.prepare, []), |body| {
                body.call(functions.raw, vec![]);
                body.repeat_while(Ex::from(at).ne(globals.index), |body, out| {
                    self.tick(body);
                    body.when(self.ask(functions.objection, [at.load(Width::I32, 0)]), |body| {
                        body.set(found, 1);
                        body.go(out);
                    });
                    body.set(at, at + 4);
                });
            });
            body.call(functions.undo, vec![mark.into()]);
            self.restore(body, &saved);
            body.give(found);
        });

        // Adds a step without sites.
        module.define(functions.single, |body, params| {
            let step = body.bind(self.ask(functions.reserve, [record::SIZE.into()]));
            body.push(Low::Clear(step.into(), record::SIZE.into()));
            body.store(Width::I32, step, record::RULE, params[0]);
            self.push(body, globals.index, self.memory.index.end, &[step.into()]);
        });

        // Adds all legal steps, of the past that is seen.
        module.define(functions.legal, |body, _| {
            let start = body.bind(globals.index);
            body.call(functions.possible, vec![]);
            if self.compares_captures() {
                body.call(functions.best, vec![start.into()]);
            }
            if stages.after_move.is_some() {
                body.call(functions.bounded, vec![start.into()]);
            }
            let none = Ex::from(globals.index).eq(start);
            let chained = self.cell(self.memory.known.chain);
            body.either(
                chained,
                |body| {
                    let stops: Ex = if self.rules.policy.chain_may_stop { 1.into() } else { none.clone() };
                    body.when(stops, |body| body.call(functions.single, vec![record::STOP.into()]));
                },
                |body| {
                    let passes: Ex = match self.rules.policy.pass {
                        Pass::Always => 1.into(),
                        Pass::Forced => none.clone(),
                        Pass::Never => 0.into(),
                    };
                    body.when(passes, |body| body.call(functions.single, vec![record::PASS.into()]));
                },
            );
        });
        self.module = module;
    }

    /// What the stage after a step and the invariants, if they are asked, have against a step that was made.
    pub(super) fn objections(&self, body: &mut Body, step: Ex, asks: Ex, refuse: &dyn Fn(&mut Body)) {
        let functions = &self.functions;
        if let Some(stage) = functions.after_step {
            body.when(self.ask(stage, [step]).eqz(), refuse);
        }
        if !functions.invariants.is_empty() {
            body.when(asks, |body| {
                let me = body.bind(self.me());
                for (index, &invariant) in functions.invariants.iter().enumerate() {
                    body.set_global(self.globals.running, (self.rules.rules.len() + 4 + index) as i32);
                    body.when(self.ask(invariant, [me.into()]).eqz(), refuse);
                }
            });
        }
    }

    /// Whether moves are compared by what they capture.
    pub(super) fn compares_captures(&self) -> bool {
        self.rules.policy.filters.iter().any(|filter| !matches!(filter, Filter::Priority(_)))
    }

    /// Whether a step must change something to be legal.
    pub(super) fn asks_for_change(&self, rule: V, chain: V) -> Ex {
        if !self.rules.policy.no_null_moves {
            return 0.into();
        }
        let turns = self.rules.rules.iter().filter(|(_, rule)| rule.trigger == Trigger::Turn);
        turns.fold(chain.eqz(), |asks, (id, _)| asks & rule.ne(id.index() as i32))
    }

    /// Whether a look at the first effect shows that a step changes something: a piece goes, or appears where none was.
    pub(super) fn surely_changes(&self, step: V) -> Ex {
        let first = |part: u32| step.load(Width::I32, record::SIZE + part);
        let what = first(0) & 255;
        let goes = what.clone().eq(code::MOVE) & self.owner(first(4)).ne(0) & first(4).ne(first(8));
        let appears = what.eq(code::CREATE) & self.owner(first(4)).eqz();
        // Without effects what stands there is another record's: its sites must not be looked up.
        pick(self.part(step, record::EFFECTS), pick(self.has_site(first(0)), goes | appears, 0), 0)
    }

    fn has_site(&self, word: Ex) -> Ex {
        (word & 255).le_s(code::CREATE)
    }
}
